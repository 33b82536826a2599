//! Settings of materials: drawing state that FBX cannot express, and replaced colours.

use ninja::{Blend, BlendMode, Filter};

use super::value::{Value, unknown};

/// Settings of a material; `None` or empty if not set.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MaterialSettings {
    pub(crate) diffuse: Option<[f64; 3]>,
    pub(crate) alpha: Option<f64>,
    pub(crate) ambient: Option<[f64; 3]>,
    pub(crate) specular: Option<[f64; 3]>,
    /// From 0 to 16.
    pub(crate) exponent: Option<u8>,
    pub(crate) blend: Option<Blend>,
    pub(crate) double_side: Option<bool>,
    pub(crate) flat: Option<bool>,
    pub(crate) ignore_light: Option<bool>,
    pub(crate) ignore_specular: Option<bool>,
    pub(crate) ignore_ambient: Option<bool>,
    pub(crate) use_alpha: Option<bool>,
    pub(crate) environment: Option<bool>,
    pub(crate) filter: Option<Filter>,
    /// For u and v.
    pub(crate) clamp: Option<[bool; 2]>,
    /// For u and v.
    pub(crate) flip: Option<[bool; 2]>,
    /// In quarters, from 1 to 15.
    pub(crate) mipmap_adjust: Option<u8>,
    pub(crate) super_sample: Option<bool>,
    pub(crate) second_uv: Option<bool>,
    pub(crate) user_flags: Option<Vec<u16>>,
}

/// The keys, in the order of the documentation.
pub(super) const KEYS: [&str; 20] = [
    "diffuse",
    "alpha",
    "ambient",
    "specular",
    "exponent",
    "blend",
    "double_side",
    "flat",
    "ignore_light",
    "ignore_specular",
    "ignore_ambient",
    "use_alpha",
    "environment",
    "filter",
    "clamp",
    "flip",
    "mipmap_adjust",
    "super_sample",
    "second_uv",
    "user_flags",
];

/// Names of blending factors without `FBS_` and `FBD_` (docs/formats/ninja.md, 3.2), in the order of their
/// codes (docs/formats/ninja.md, 1.7).
const FACTORS: [&str; 8] = ["ZER", "ONE", "OC", "IOC", "SA", "ISA", "DA", "IDA"];

/// Names of filters without `FFM_`, by their code.
const FILTERS: [(&str, Filter); 4] = [
    ("PS", Filter::Point),
    ("BF", Filter::Bilinear),
    ("TFA", Filter::TrilinearA),
    ("TFB", Filter::TrilinearB),
];

impl MaterialSettings {
    /// Sets one key. The error states the found and the expected value.
    pub(super) fn set(&mut self, key: &str, value: &Value) -> Result<(), String> {
        match key {
            "diffuse" => self.diffuse = Some(value.color()?),
            "alpha" => self.alpha = Some(value.number(0.0, 1.0)?),
            "ambient" => self.ambient = Some(value.color()?),
            "specular" => self.specular = Some(value.color()?),
            "exponent" => self.exponent = Some(value.number(0.0, 16.0)?.round() as u8),
            "blend" => self.blend = Some(blend(value)?),
            "double_side" => self.double_side = Some(value.flag()?),
            "flat" => self.flat = Some(value.flag()?),
            "ignore_light" => self.ignore_light = Some(value.flag()?),
            "ignore_specular" => self.ignore_specular = Some(value.flag()?),
            "ignore_ambient" => self.ignore_ambient = Some(value.flag()?),
            "use_alpha" => self.use_alpha = Some(value.flag()?),
            "environment" => self.environment = Some(value.flag()?),
            "filter" => self.filter = Some(FILTERS[value.one_of(&FILTERS.map(|f| f.0))?].1),
            "clamp" => self.clamp = Some(axes(value)?),
            "flip" => self.flip = Some(axes(value)?),
            "mipmap_adjust" => self.mipmap_adjust = Some(quarters(value)?),
            "super_sample" => self.super_sample = Some(value.flag()?),
            "second_uv" => self.second_uv = Some(value.flag()?),
            "user_flags" => self.user_flags = Some(value.user_flags()?),
            _ => return Err(unknown(key, &KEYS)),
        }
        Ok(())
    }
}

fn blend(value: &Value) -> Result<Blend, String> {
    match value.words(&FACTORS)?.as_slice() {
        [src, dst] => Ok(Blend {
            src: BlendMode::from_code(*src as u8),
            dst: BlendMode::from_code(*dst as u8),
            ..Blend::default()
        }),
        _ => Err(format!(
            "found {value}, expected a source and a destination factor"
        )),
    }
}

/// Parses `u`, `v`, `uv`, `u v` or `none`.
fn axes(value: &Value) -> Result<[bool; 2], String> {
    let named = value.words(&["u", "v", "uv", "none"])?;
    let has = |axis| named.contains(&axis) || named.contains(&2);
    Ok([has(0), has(1)])
}

/// Parses 0.25 to 3.75 (docs/formats/ninja.md, 1.7).
fn quarters(value: &Value) -> Result<u8, String> {
    let quarters = value.number(0.25, 3.75)? * 4.0;
    match quarters.fract() == 0.0 {
        true => Ok(quarters as u8),
        false => Err(format!("found {value}, expected a multiple of 0.25")),
    }
}
