//! The macros that declare settings.

/// Declares an enum of a setting's choices. The first choice is the default.
///
/// ```
/// settings::choices! {
///     /// Pixels exactly on an edge.
///     pub enum FillRule {
///         /// Drawn on top and left edges.
///         TopLeft = "top_left",
///         /// Drawn on every edge.
///         Inclusive = "inclusive",
///     }
/// }
/// assert_eq!(FillRule::default(), FillRule::TopLeft);
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $enum:ident {
            $(#[doc = $first_doc:literal])+
            $first:ident = $first_name:literal,
            $(
                $(#[doc = $doc:literal])+
                $choice:ident = $name:literal,
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $enum {
            $(#[doc = $first_doc])+
            #[default]
            $first,
            $(
                $(#[doc = $doc])+
                $choice,
            )*
        }

        impl $crate::Value for $enum {
            const CHOICES: &'static [$crate::Choice] = &[
                $crate::Choice { name: $first_name, about: concat!($($first_doc),+).trim_ascii() },
                $($crate::Choice { name: $name, about: concat!($($doc),+).trim_ascii() },)*
            ];

            fn number(self) -> u64 {
                self as u64
            }

            fn from_number(number: u64) -> Option<Self> {
                let all = [Self::$first, $(Self::$choice,)*];
                usize::try_from(number).ok().and_then(|at| all.get(at).copied())
            }
        }
    };
}

/// Declares a struct of settings and implements [`Table`](crate::Table) for it.
///
/// All sections can be absent; those that are present have this order:
///
/// ```text
/// /// Documentation of the struct.
/// pub struct Settings;
///
/// choices:
/// /// The uncertain behaviour. Declares the enum `Enum`; its first choice is the default.
/// Enum field: Low, "evidence" {
///     /// Meaning.
///     Default = "default",
/// }
/// /// A setting whose name differs from the field's, with a section of a specification.
/// Other "other-name" other: Low, section "section and words", "the original's behaviour" { ... }
///
/// values:
/// /// An enum declared elsewhere by `choices!`.
/// model: Model, Medium, "evidence";
/// /// A switch.
/// checks: bool = true, High, "evidence";
/// /// A number, its range, its unit (cycles, hundredths, kilohertz) and the range that the evidence allows.
/// latency: u32 = 4 in 0..=64 cycles (3..=6), Low, "evidence";
/// /// An index in a list of words.
/// policy: u32 = 1 of "hit" "miss", Low, "evidence";
///
/// parts:
/// /// Settings of another table.
/// texture: TextureSettings;
///
/// rest:
/// /// A field that is no setting.
/// cull: bool = true;
///
/// presets PRESETS;
/// ```
#[macro_export]
macro_rules! settings {
    (
        $(#[$meta:meta])*
        pub struct $settings:ident;
        $(choices: $(
            $(#[doc = $about:literal])+
            $enum:ident $($choice_name:literal)? $choice:ident: $choice_confidence:ident,
            $(section $section:literal,)? $choice_evidence:literal { $($body:tt)* }
        )*)?
        $(values: $(
            $(#[doc = $value_about:literal])+
            $value:ident: $type:ident $(= $default:literal)?
            $(in $least:literal..=$greatest:literal $($unit:ident)? $(($low:literal..=$high:literal))?)?
            $(of $($word:literal)+)?,
            $confidence:ident, $evidence:literal;
        )*)?
        $(parts: $($(#[doc = $part_about:literal])+ $part:ident: $part_type:ty;)*)?
        $(rest: $($(#[doc = $rest_about:literal])+ $rest:ident: $rest_type:ty $(= $rest_default:expr)?;)*)?
        $(presets $presets:expr;)?
    ) => {
        $($(
            $crate::choices! {
                $(#[doc = $about])+
                ///
                #[doc = concat!(
                    " Confidence in the default: ", stringify!($choice_confidence), ". Evidence: ",
                    $($section, "; the original: ",)? $choice_evidence, "."
                )]
                pub enum $enum { $($body)* }
            }
        )*)?

        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $settings {
            $($($(#[doc = $about])+ pub $choice: $enum,)*)?
            $($(
                $(#[doc = $value_about])+
                ///
                #[doc = concat!(
                    " Confidence in the default: ", stringify!($confidence), ". Evidence: ", $evidence, "."
                )]
                pub $value: $type,
            )*)?
            $($($(#[doc = $part_about])+ pub $part: $part_type,)*)?
            $($($(#[doc = $rest_about])+ pub $rest: $rest_type,)*)?
        }

        impl Default for $settings {
            fn default() -> Self {
                Self {
                    $($($choice: $enum::default(),)*)?
                    $($($value: $crate::settings!(@default $($default)?),)*)?
                    $($($part: <$part_type>::default(),)*)?
                    $($($rest: $crate::settings!(@default $($rest_default)?),)*)?
                }
            }
        }

        impl $crate::Table for $settings {
            fn rows(&self) -> Vec<$crate::Setting> {
                let default = Self::default();
                #[allow(unused_mut, reason = "a table without parts adds nothing")]
                let mut rows = vec![
                    $($($crate::Setting {
                        name: $crate::settings!(@name $choice $($choice_name)?),
                        about: concat!($($about),+).trim_ascii(),
                        values: $crate::Values::Choices(<$enum as $crate::Value>::CHOICES),
                        default: $crate::Value::number(default.$choice),
                        section: concat!("" $(, $section)?),
                        evidence: $choice_evidence,
                        confidence: $crate::Confidence::$choice_confidence,
                    },)*)?
                    $($($crate::Setting {
                        name: stringify!($value),
                        about: concat!($($value_about),+).trim_ascii(),
                        values: $crate::settings!(
                            @values $type
                            $(in $least, $greatest, [$($unit)?], [$($low, $high)?])?
                            $(of $($word)+)?
                        ),
                        default: $crate::Value::number(default.$value),
                        section: "",
                        evidence: $evidence,
                        confidence: $crate::Confidence::$confidence,
                    },)*)?
                ];
                $($(rows.extend($crate::Table::rows(&default.$part));)*)?
                rows
            }

            $(fn presets(&self) -> &'static [$crate::Preset] {
                $presets
            })?

            fn number(&self, name: &str) -> Option<u64> {
                $($(if name == $crate::settings!(@name $choice $($choice_name)?) {
                    return Some($crate::Value::number(self.$choice));
                })*)?
                $($(if name == stringify!($value) {
                    return Some($crate::Value::number(self.$value));
                })*)?
                $($(if let Some(number) = $crate::Table::number(&self.$part, name) {
                    return Some(number);
                })*)?
                None
            }

            fn set_number(&mut self, name: &str, value: u64) -> bool {
                $($(if name == $crate::settings!(@name $choice $($choice_name)?) {
                    return $crate::Value::from_number(value).map(|value| self.$choice = value).is_some();
                })*)?
                $($(if name == stringify!($value) {
                    return $crate::Value::from_number(value).map(|value| self.$value = value).is_some();
                })*)?
                false $($(|| $crate::Table::set_number(&mut self.$part, name, value))*)?
            }

            fn reset(&mut self) {
                *self = Self::default();
            }
        }
    };
    (@default) => { Default::default() };
    (@default $default:expr) => { $default };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
    (@values $type:ident) => { $crate::Values::Choices(<$type as $crate::Value>::CHOICES) };
    (@values $type:ident of $($word:literal)+) => {
        $crate::Values::Choices(&[$($crate::Choice { name: $word, about: "" },)+])
    };
    (
        @values $type:ident in $least:literal, $greatest:literal, [$($unit:ident)?],
        [$($low:literal, $high:literal)?]
    ) => {
        $crate::Values::Number($crate::Number {
            least: $least,
            greatest: $greatest,
            unit: $crate::settings!(@unit $($unit)?),
            likely: $crate::settings!(@likely $($low, $high)?),
        })
    };
    (@unit) => { $crate::Unit::Plain };
    (@unit cycles) => { $crate::Unit::Cycles };
    (@unit hundredths) => { $crate::Unit::Hundredths };
    (@unit kilohertz) => { $crate::Unit::Kilohertz };
    (@likely) => { None };
    (@likely $low:literal, $high:literal) => { Some([$low, $high]) };
}
