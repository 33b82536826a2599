//! Tables of settings.

use crate::setting::is_same;
use crate::{Error, Setting};

/// A named combination of settings.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Name.
    pub name: &'static str,
    /// Source that the preset follows.
    pub about: &'static str,
    /// Settings that differ from the default, with their choices.
    pub choices: &'static [(&'static str, &'static str)],
}

/// A struct of settings that can be listed, read and set by name. The macro [`settings!`](crate::settings!)
/// implements it.
pub trait Table {
    /// Lists all settings of this type, including nested tables.
    fn rows(&self) -> Vec<Setting>;

    /// Lists the presets of this type.
    fn presets(&self) -> &'static [Preset] {
        &[]
    }

    /// Returns the value of the setting `name`.
    fn number(&self, name: &str) -> Option<u64>;

    /// Sets the setting `name`; returns false if there is no such setting or value.
    fn set_number(&mut self, name: &str, value: u64) -> bool;

    /// Sets all settings to their defaults.
    fn reset(&mut self);

    /// Returns the setting `name`.
    ///
    /// # Errors
    /// [`Error::Name`] if there is no such setting.
    fn row(&self, name: &str) -> Result<Setting, Error> {
        let rows = self.rows();
        let row = rows.iter().find(|row| is_same(row.name, name)).copied();
        row.ok_or_else(|| Error::Name {
            kind: "setting",
            found: name.to_owned(),
            known: rows.iter().map(|row| row.name.to_owned()).collect(),
        })
    }

    /// Returns the text of the setting's current value.
    fn text(&self, row: &Setting) -> String {
        self.number(row.name)
            .map_or_else(String::new, |value| row.text(value))
    }

    /// Sets a setting by name and value.
    ///
    /// # Errors
    /// Fails if there is no such setting, or if it does not accept the value.
    fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let row = self.row(name)?;
        match row.parse(value) {
            Some(number) if self.set_number(row.name, number) => Ok(()),
            _ => Err(Error::Value {
                setting: row.name,
                found: value.to_owned(),
                expected: row.expected(),
                known: row
                    .choices()
                    .iter()
                    .map(|choice| choice.name.to_owned())
                    .collect(),
            }),
        }
    }

    /// Sets all settings to a preset, or to `default`.
    ///
    /// # Errors
    /// [`Error::Name`] if there is no such preset.
    fn set_preset(&mut self, name: &str) -> Result<(), Error> {
        let presets = self.presets();
        let choices = match presets.iter().find(|preset| preset.name == name) {
            Some(preset) => preset.choices,
            None if name == "default" => &[],
            None => {
                let names = presets.iter().map(|preset| preset.name);
                return Err(Error::Name {
                    kind: "preset",
                    found: name.to_owned(),
                    known: names.chain(["default"]).map(str::to_owned).collect(),
                });
            }
        };
        self.reset();
        choices
            .iter()
            .try_for_each(|(name, choice)| self.set(name, choice))
    }

    /// Lists the settings that differ from the default, as `NAME=VALUE`.
    fn changed(&self) -> Vec<String> {
        let rows = self.rows().into_iter();
        rows.filter(|row| self.number(row.name) != Some(row.default))
            .map(|row| format!("{}={}", row.name, self.text(&row)))
            .collect()
    }
}
