//! Writes drawing state as the custom properties that [`crate::Sidecar`] and the importer read.

use ninja::{BlendMode, Filter, StripFlags};
use serde_json::{Value, json};

use super::scene::Material;

fn factor(mode: BlendMode) -> &'static str {
    ["ZER", "ONE", "OC", "IOC", "SA", "ISA", "DA", "IDA"][mode as usize]
}

fn axes([u, v]: [bool; 2]) -> &'static str {
    match (u, v) {
        (true, true) => "uv",
        (true, false) => "u",
        (false, true) => "v",
        (false, false) => "none",
    }
}

/// Red, green and blue from 0 to 1, as text.
pub(super) fn words(colour: [u8; 3]) -> String {
    colour.map(|c| (f64::from(c) / 255.0).to_string()).join(" ")
}

impl Material {
    /// Returns names and values; values are texts or numbers.
    pub(super) fn properties(&self) -> Vec<(String, Value)> {
        let blend = format!("{} {}", factor(self.blend.src), factor(self.blend.dst));
        let mut all = vec![("ninja_blend", json!(blend))];
        let flags = [
            ("ninja_ignore_light", StripFlags::IGNORE_LIGHT),
            ("ninja_ignore_specular", StripFlags::IGNORE_SPECULAR),
            ("ninja_ignore_ambient", StripFlags::IGNORE_AMBIENT),
            ("ninja_use_alpha", StripFlags::USE_ALPHA),
            ("ninja_double_side", StripFlags::DOUBLE_SIDE),
            ("ninja_flat", StripFlags::FLAT),
            ("ninja_environment", StripFlags::ENVIRONMENT),
        ];
        for (name, flag) in flags {
            all.push((name, json!(u8::from(self.flags.contains(flag)))));
        }
        let ambient = self.ambient;
        all.push((
            "ninja_ambient",
            json!(words([ambient.r(), ambient.g(), ambient.b()])),
        ));
        if let Some(specular) = self.specular {
            all.push(("ninja_specular", json!(words(specular.rgb))));
            all.push(("ninja_exponent", json!(specular.exponent.min(16))));
        }
        if let Some(tiny) = self.tiny {
            let filter = match tiny.filter {
                Filter::Point => "PS",
                Filter::Bilinear => "BF",
                Filter::TrilinearA => "TFA",
                Filter::TrilinearB => "TFB",
            };
            all.push(("ninja_filter", json!(filter)));
            all.push(("ninja_clamp", json!(axes([tiny.clamp_u, tiny.clamp_v]))));
            all.push(("ninja_flip", json!(axes([tiny.flip_u, tiny.flip_v]))));
            all.push(("ninja_super_sample", json!(u8::from(tiny.supersample))));
            if (1..=15).contains(&tiny.mipmap_adjust) {
                all.push(("ninja_mipmap_adjust", json!(f64::from(tiny.mipmap_adjust) * 0.25)));
            }
        }
        all.into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}
