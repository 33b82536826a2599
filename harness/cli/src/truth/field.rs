//! Switches that are fields of a crate's settings.

use super::switches::{Owner, Switch};
use anyhow::{Result, bail};

/// The name of a choice, and what it does to the settings.
pub(super) type Choice<S> = (&'static str, fn(&mut S));

/// A switch of the settings `S`.
pub(super) struct FieldSwitch<S: 'static> {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) evidence: &'static str,
    pub(super) confidence: &'static str,
    /// Names and effects, the default first.
    pub(super) choices: &'static [Choice<S>],
}

impl<S> FieldSwitch<S> {
    /// The switch among those of all parts.
    pub(super) fn listed(&self, owner: Owner) -> Switch {
        Switch {
            name: self.name,
            about: self.about.to_owned(),
            evidence: self.evidence,
            confidence: self.confidence.to_owned(),
            choices: self.choices.iter().map(|(name, _)| (*name).to_owned()).collect(),
            owner,
        }
    }

    /// # Errors
    /// If there is no such choice.
    pub(super) fn set(&self, settings: &mut S, choice: &str) -> Result<()> {
        let Some((_, set)) = self.choices.iter().find(|(known, _)| *known == choice) else {
            let known: Vec<&str> = self.choices.iter().map(|(name, _)| *name).collect();
            bail!("{}: found '{choice}', expected {}", self.name, known.join(", "));
        };
        set(settings);
        Ok(())
    }
}

/// The last name of a path of fields.
macro_rules! last {
    ($name:ident) => { stringify!($name) };
    ($first:ident, $($rest:ident),+) => { $crate::truth::field::last!($($rest),+) };
}

/// Rows `field: about, evidence, confidence, [choice = value, ...];`. A switch is called as its field, behind
/// the prefix.
macro_rules! field_switches {
    ($prefix:literal; $(
        $($field:ident).+: $about:literal, $evidence:literal, $confidence:literal,
        [$($name:literal = $value:expr),+];
    )*) => {
        &[$($crate::truth::field::FieldSwitch {
            name: concat!($prefix, $crate::truth::field::last!($($field),+)),
            about: $about,
            evidence: $evidence,
            confidence: $confidence,
            choices: $crate::truth::field::field_switches!(@ [$($field).+] $($name = $value),+),
        }),*]
    };
    (@ $path:tt $($name:literal = $value:expr),+) => {
        &[$(($name, $crate::truth::field::field_switches!(# $path $value))),+]
    };
    (# [$($field:ident).+] $value:expr) => { |settings| settings.$($field).+ = $value };
}

pub(super) use {field_switches, last};
