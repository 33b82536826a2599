//! Named groups of settings tables.

use crate::setting::is_same;
use crate::{Error, Table};

/// A settings table with a group name.
pub struct Group<'a> {
    /// Name: the prefix of its settings.
    pub name: &'static str,
    /// The settings.
    pub table: &'a mut dyn Table,
}

/// Setting changed by [`apply`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Name of the group.
    pub group: &'static str,
    /// Name of the setting; `None` for a preset.
    pub setting: Option<&'static str>,
}

/// Applies `asked`: `GROUP.NAME=VALUE`; `NAME=VALUE` if only one group has the setting; or `GROUP=PRESET`.
///
/// ```
/// use settings::{Group, Table, apply};
///
/// settings::settings! {
///     /// Settings of a door.
///     pub struct Door;
///
///     values:
///     /// Opens outwards.
///     outwards: bool = true, High, "the plan";
/// }
/// let mut doors = [Door::default(); 2];
/// let [front, back] = &mut doors;
/// let mut groups = [Group { name: "front", table: front }, Group { name: "back", table: back }];
/// apply(&mut groups, "back.outwards=off")?;
/// let error = apply(&mut groups, "outwards=off").unwrap_err().to_string();
/// assert_eq!(error, "'outwards' is ambiguous, expected front.outwards or back.outwards");
/// assert_eq!(doors.map(|door| door.outwards), [true, false]);
/// # Ok::<(), settings::Error>(())
/// ```
///
/// # Errors
/// If no group has the setting, several have it, or it does not take the value.
pub fn apply(groups: &mut [Group<'_>], asked: &str) -> Result<Applied, Error> {
    let (name, value) = asked.split_once('=').ok_or_else(|| Error::Form {
        found: asked.to_owned(),
    })?;
    if let Some((prefix, name)) = name.split_once('.') {
        let known: Vec<String> = groups.iter().map(|group| group.name.to_owned()).collect();
        let group = groups.iter_mut().find(|group| group.name == prefix);
        let group = group.ok_or_else(|| Error::Name {
            kind: "group",
            found: prefix.to_owned(),
            known,
        })?;
        return set(group, name, value);
    }
    if let Some(group) = groups.iter_mut().find(|group| group.name == name) {
        group.table.set_preset(value)?;
        return Ok(Applied {
            group: group.name,
            setting: None,
        });
    }
    let owners: Vec<usize> = (0..groups.len())
        .filter(|&at| groups[at].table.row(name).is_ok())
        .collect();
    match owners[..] {
        [at] => set(&mut groups[at], name, value),
        [] => Err(Error::Name {
            kind: "setting",
            found: name.to_owned(),
            known: known(groups),
        }),
        _ => Err(Error::Ambiguous {
            found: name.to_owned(),
            known: owners
                .iter()
                .map(|&at| format!("{}.{name}", groups[at].name))
                .collect(),
        }),
    }
}

fn set(group: &mut Group<'_>, name: &str, value: &str) -> Result<Applied, Error> {
    group.table.set(name, value)?;
    Ok(Applied {
        group: group.name,
        setting: group.table.row(name).ok().map(|row| row.name),
    })
}

/// Names of all settings, with their group if several groups have a setting of that name.
fn known(groups: &[Group<'_>]) -> Vec<String> {
    let all: Vec<(&str, &str)> = groups
        .iter()
        .flat_map(|group| group.table.rows().into_iter().map(|row| (group.name, row.name)))
        .collect();
    let is_unique = |name| all.iter().filter(|(_, other)| is_same(other, name)).count() == 1;
    all.iter()
        .map(|&(group, name)| match is_unique(name) {
            true => name.to_owned(),
            false => format!("{group}.{name}"),
        })
        .collect()
}
