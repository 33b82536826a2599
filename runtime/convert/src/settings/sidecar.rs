//! Settings in a TOML file next to a scene.

use std::collections::{BTreeMap, BTreeSet};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{MaterialSettings, NodeSettings, Value};
use crate::error::Warnings;

/// Settings of materials and nodes by name.
///
/// ```
/// let text = r#"
/// [material."Glass"]
/// blend = ["SA", "ONE"]
/// clamp = "uv"
///
/// [node."Wall.collision"]
/// volume = "quads"
/// "#;
/// assert!(convert::Sidecar::parse(text).is_ok());
/// let error = convert::Sidecar::parse("[node.Wall]\nvolume = 3").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: found 3, expected some of triangles, quads, strips");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sidecar {
    materials: Tables,
    nodes: Tables,
}

/// Keys and values in the order of the file, by name.
type Tables = BTreeMap<String, Vec<(String, Value)>>;

/// An error in a sidecar file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct SidecarError {
    /// Line, counted from 1.
    pub line: usize,
    /// Found and expected value.
    pub message: String,
}

impl Sidecar {
    /// Parses tables `[material."NAME"]` and `[node."NAME"]`. The crate's README lists their keys.
    ///
    /// # Errors
    /// If the text is no TOML, or a table, key or value is not valid. The error has its line.
    pub fn parse(text: &str) -> Result<Self, SidecarError> {
        let error = |at: usize, message: String| SidecarError {
            line: 1 + text.bytes().take(at).filter(|b| *b == b'\n').count(),
            message,
        };
        let table = DeTable::parse(text)
            .map_err(|e| error(e.span().map_or(0, |s| s.start), e.message().to_owned()))?;
        let mut sidecar = Sidecar::default();
        for (kind, named) in table.get_ref() {
            let tables = match kind.get_ref().as_ref() {
                "material" => &mut sidecar.materials,
                "node" => &mut sidecar.nodes,
                other => {
                    let message = format!("found the table {other:?}, expected material or node");
                    return Err(error(kind.span().start, message));
                }
            };
            let tried: fn(&str, &Value) -> Result<(), String> = match kind.get_ref().as_ref() {
                "material" => |key, value| MaterialSettings::default().set(key, value),
                _ => |key, value| NodeSettings::default().set(key, value),
            };
            for (name, settings) in named_table(named).map_err(|(at, m)| error(at, m))? {
                let settings = named_table(settings).map_err(|(at, m)| error(at, m))?;
                let list = tables.entry(name.get_ref().to_string()).or_default();
                for (key, found) in settings {
                    let value = value(found.get_ref()).map_err(|m| error(found.span().start, m))?;
                    tried(key.get_ref(), &value).map_err(|m| error(key.span().start, m))?;
                    list.push((key.get_ref().to_string(), value));
                }
            }
        }
        Ok(sidecar)
    }

    pub(super) fn of_material(&self, name: &str) -> &[(String, Value)] {
        self.materials.get(name).map_or(&[], Vec::as_slice)
    }

    pub(super) fn of_node(&self, name: &str) -> &[(String, Value)] {
        self.nodes.get(name).map_or(&[], Vec::as_slice)
    }

    pub(super) fn missing<'n>(
        &self,
        materials: impl Iterator<Item = &'n str>,
        nodes: impl Iterator<Item = &'n str>,
        warnings: &mut Warnings,
    ) {
        let (materials, nodes): (BTreeSet<&str>, BTreeSet<&str>) = (materials.collect(), nodes.collect());
        let kinds = [
            ("material", &self.materials, materials),
            ("node", &self.nodes, nodes),
        ];
        for (kind, tables, known) in kinds {
            for name in tables.keys().filter(|name| !known.contains(name.as_str())) {
                warnings.add("sidecar", format!("the scene has no {kind} {name:?}"));
            }
        }
    }
}

/// Returns a table, or the position of a value that is no table.
fn named_table<'a, 'i>(value: &'a Spanned<DeValue<'i>>) -> Result<&'a DeTable<'i>, (usize, String)> {
    let expected = || {
        (
            value.span().start,
            "found a value, expected a table with a name".to_owned(),
        )
    };
    value.get_ref().as_table().ok_or_else(expected)
}

fn value(value: &DeValue<'_>) -> Result<Value, String> {
    let expected = |found: &str| format!("found {found}, expected a flag, numbers or words");
    Ok(match value {
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(_) | DeValue::Float(_) => {
            Value::Numbers(vec![number(value).ok_or_else(|| expected("a number of no use"))?])
        }
        DeValue::Array(all) => {
            let numbers: Option<Vec<f64>> = all.iter().map(|v| number(v.get_ref())).collect();
            let words: Option<Vec<&str>> = all.iter().map(|v| v.get_ref().as_str()).collect();
            match (numbers, words) {
                (Some(numbers), _) => Value::Numbers(numbers),
                (_, Some(words)) => Value::Text(words.join(" ")),
                _ => return Err(expected("a list of several kinds")),
            }
        }
        other => return Err(expected(other.type_str())),
    })
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(n) => Some(i64::from_str_radix(n.as_str(), n.radix()).ok()? as f64),
        DeValue::Float(n) => n.as_str().parse().ok(),
        _ => None,
    }
}
