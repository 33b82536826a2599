//! The type of a switch, and the macro that declares switches.

use super::Settings;
use std::fmt;

/// How well the default of a switch is supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// A guess, or one source among contradictory ones.
    Low,
    /// Inferred from hardware, or more than one independent source.
    Medium,
    /// Sources agree and nothing contradicts them.
    Good,
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::Good => "good",
        })
    }
}

/// One choice of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Its name on the command line and in scenes.
    pub name: &'static str,
    /// Its meaning.
    pub about: &'static str,
}

/// A switch of [`Settings`] with its evidence.
#[derive(Debug, Clone, Copy)]
pub struct Switch {
    /// Its name: that of the field.
    pub name: &'static str,
    /// The behaviour in doubt.
    pub about: &'static str,
    /// The evidence for the default.
    pub evidence: &'static str,
    /// How good that is.
    pub confidence: Confidence,
    /// The choices, the default first.
    pub choices: &'static [Choice],
    pub(crate) get: fn(&Settings) -> usize,
    pub(crate) set: fn(&mut Settings, usize),
}

impl Switch {
    /// The choice that some settings hold.
    #[must_use]
    pub fn choice(&self, settings: &Settings) -> &'static Choice {
        let at = (self.get)(settings).min(self.choices.len() - 1);
        &self.choices[at]
    }
}

/// Generates the struct `$settings` with a field for each switch, the enum of each switch's choices (the
/// first is the default) and the table `SWITCHES`. `$part` finds the struct in [`Settings`].
///
/// ```text
/// /// The behaviour in doubt.
/// Enum field: Confidence, "evidence" {
///     /// Its meaning.
///     Default = "name",
///     /// Its meaning.
///     Other = "name",
/// }
/// ```
macro_rules! switches {
    (
        $(#[$meta:meta])*
        $settings:ident = $part:expr, {
            $($(#[doc = $extra_doc:literal])* pub $extra:ident: $extra_type:ty,)*
        }
        $(
            $(#[doc = $about:literal])+
            $enum:ident $field:ident: $confidence:ident, $evidence:literal {
                $(#[doc = $first_doc:literal])+
                $first:ident = $first_name:literal,
                $(
                    $(#[doc = $doc:literal])+
                    $choice:ident = $name:literal,
                )*
            }
        )*
    ) => {
        $(
            $(#[doc = $about])+
            ///
            #[doc = concat!(" Confidence in the default: ", stringify!($confidence), ". Evidence: ", $evidence, ".")]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
            pub enum $enum {
                $(#[doc = $first_doc])+
                #[default]
                $first,
                $(
                    $(#[doc = $doc])+
                    $choice,
                )*
            }
        )*

        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct $settings {
            $($(#[doc = $about])+ pub $field: $enum,)*
            $($(#[doc = $extra_doc])* pub $extra: $extra_type,)*
        }

        const PART: fn(&mut $crate::settings::Settings) -> &mut $settings = $part;

        /// The rows of this file.
        pub(crate) static SWITCHES: &[$crate::settings::Switch] = &[$(
            $crate::settings::Switch {
                name: stringify!($field),
                about: concat!($($about),+),
                evidence: $evidence,
                confidence: $crate::settings::Confidence::$confidence,
                choices: &[
                    $crate::settings::Choice { name: $first_name, about: concat!($($first_doc),+) },
                    $($crate::settings::Choice { name: $name, about: concat!($($doc),+) },)*
                ],
                get: |settings| {
                    let mut copy = *settings;
                    PART(&mut copy).$field as usize
                },
                set: |settings, n| {
                    if let Some(&choice) = [$enum::$first, $($enum::$choice,)*].get(n) {
                        PART(settings).$field = choice;
                    }
                },
            },
        )*];
    };
}

pub(crate) use switches;
