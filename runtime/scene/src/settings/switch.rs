//! What a play switch is, and the macro that makes the enum and the row of each.

use super::Settings;
use pvr::settings::Confidence;

/// One choice of a [`PlaySwitch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayChoice {
    /// Its name on the command line.
    pub name: &'static str,
    /// What the runtime does with it.
    pub about: &'static str,
}

/// A doubtful or disputed rule of playing, with the choice of the specification and that of the original
/// library.
#[derive(Clone, Copy, Debug)]
pub struct PlaySwitch {
    /// Its name on the command line.
    pub name: &'static str,
    /// What the rule decides.
    pub about: &'static str,
    /// The choices.
    pub choices: &'static [PlayChoice],
    /// The section of the specification that decides, and its words.
    pub section: &'static str,
    /// What is known of the original library.
    pub evidence: &'static str,
    /// How well the default is supported.
    pub confidence: Confidence,
    pub(super) seed: usize,
    pub(super) original: usize,
    pub(super) get: fn(&Settings) -> usize,
    pub(super) set: fn(&mut Settings, usize),
}

impl PlaySwitch {
    /// The choice that `settings` hold.
    pub fn choice(&self, settings: &Settings) -> &'static PlayChoice {
        &self.choices[(self.get)(settings).min(self.choices.len() - 1)]
    }

    /// The specification's choice: the default.
    pub fn seed(&self) -> &'static PlayChoice {
        &self.choices[self.seed]
    }

    /// The original library's choice.
    pub fn original(&self) -> &'static PlayChoice {
        &self.choices[self.original]
    }
}

/// Generates the enum of each switch and the table `SWITCHES`.
///
/// ```text
/// /// What the rule decides.
/// Enum "name" field.of.settings: Confidence,
///     Seed "section and words", Original "what is known of the original library" {
///     /// What the runtime does.
///     Seed = "name",
///     /// What the runtime does.
///     Original = "name",
/// }
/// ```
macro_rules! switches {
    ($(
        $(#[doc = $about:literal])+
        $enum:ident $name:literal $($field:ident).+: $confidence:ident,
        $seed:ident $section:literal, $original:ident $evidence:literal {
            $( $(#[doc = $doc:literal])+ $choice:ident = $choice_name:literal, )+
        }
    )*) => {
        $(
            $(#[doc = $about])+
            ///
            #[doc = concat!(
                "`", $name, "`. Default: ", stringify!($seed), " (", $section, "). Original: ", stringify!($original),
                " (", $evidence, "). Confidence: ", stringify!($confidence), "."
            )]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum $enum {
                $( $(#[doc = $doc])+ $choice, )+
            }

            impl Default for $enum {
                fn default() -> Self {
                    Self::$seed
                }
            }
        )*

        pub(super) static SWITCHES: &[PlaySwitch] = &[$(
            PlaySwitch {
                name: $name,
                about: concat!($($about),+),
                choices: &[$( PlayChoice { name: $choice_name, about: concat!($($doc),+) }, )+],
                section: $section,
                evidence: $evidence,
                confidence: Confidence::$confidence,
                seed: $enum::$seed as usize,
                original: $enum::$original as usize,
                get: |settings| settings.$($field).+ as usize,
                set: |settings, n| {
                    if let Some(&choice) = [$($enum::$choice),+].get(n) {
                        settings.$($field).+ = choice;
                    }
                },
            },
        )*];
    };
}

pub(super) use switches;
