//! Lists of switches for doubtful behaviour, as text and as JSON: one form for the PowerVR2, playing and
//! the console.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt::Write;

/// A list.
#[derive(Serialize)]
pub(crate) struct Listing {
    pub(crate) switches: Vec<Row>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) presets: Vec<PresetRow>,
}

/// A switch.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) about: String,
    /// Empty for a number.
    pub(crate) choices: Vec<ChoiceRow>,
    /// Of a number: the least and the greatest.
    pub(crate) range: Option<[u64; 2]>,
    /// Values with a role: the default, or those of several sources.
    pub(crate) roles: Vec<(&'static str, String)>,
    pub(crate) current: String,
    /// What decides it, each with the source's name.
    pub(crate) evidence: Vec<(&'static str, &'static str)>,
    pub(crate) confidence: String,
}

#[derive(Serialize)]
pub(crate) struct ChoiceRow {
    pub(crate) name: &'static str,
    pub(crate) about: String,
}

#[derive(Serialize)]
pub(crate) struct PresetRow {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) choices: serde_json::Map<String, serde_json::Value>,
    /// Whether the text lists the choices.
    #[serde(skip)]
    pub(crate) is_partial: bool,
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name)?;
        map.serialize_entry("about", &self.about)?;
        match self.range {
            Some(range) => map.serialize_entry("range", &range)?,
            None => map.serialize_entry("choices", &self.choices)?,
        }
        for (role, value) in &self.roles {
            map.serialize_entry(role, value)?;
        }
        map.serialize_entry("current", &self.current)?;
        for (source, text) in &self.evidence {
            // The specification's words are its section, whatever the text calls the source.
            let key = if *source == "seed" { "section" } else { "evidence" };
            map.serialize_entry(key, text)?;
        }
        map.serialize_entry("confidence", &self.confidence)?;
        map.end()
    }
}

impl Listing {
    /// Prints the list.
    pub(crate) fn print(&self, json: bool) -> anyhow::Result<()> {
        if json {
            println!("{}", serde_json::to_string_pretty(self)?);
        } else {
            let rows: String = self.switches.iter().map(Row::text).collect();
            let presets: String = self.presets.iter().map(PresetRow::text).collect();
            print!("{rows}{presets}");
        }
        Ok(())
    }
}

impl Row {
    fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.name, self.about);
        for choice in &self.choices {
            let mark = if choice.name == self.current { '*' } else { ' ' };
            let _ = writeln!(
                text,
                "  {mark} {}{}: {}",
                choice.name,
                self.roles_of(choice.name),
                choice.about
            );
        }
        if let Some([least, greatest]) = self.range {
            let of = self.roles_of(&self.current);
            let _ = writeln!(
                text,
                "  * {}{of}: a number from {least} to {greatest}",
                self.current
            );
        }
        let sources: Vec<String> = self
            .evidence
            .iter()
            .map(|(name, what)| format!("    {name}: {what}"))
            .collect();
        text + &format!("{}; confidence: {}\n\n", sources.join("\n"), self.confidence)
    }

    /// ` (default)`, or nothing.
    fn roles_of(&self, value: &str) -> String {
        let roles: Vec<&str> = self
            .roles
            .iter()
            .filter(|(_, of)| of == value)
            .map(|(role, _)| *role)
            .collect();
        if roles.is_empty() {
            String::new()
        } else {
            format!(" ({})", roles.join(", "))
        }
    }
}

impl PresetRow {
    fn text(&self) -> String {
        let mut text = format!("preset {}: {}\n", self.name, self.about);
        if self.is_partial {
            let choices = self.choices.iter();
            let choices: Vec<String> = choices
                .map(|(name, choice)| format!("{name}={}", choice.as_str().unwrap_or_default()))
                .collect();
            let _ = writeln!(text, "    {}", choices.join(" "));
        }
        text
    }
}
