//! Writes materials and samplers.

use super::super::scene::Material;
use crate::source::srgb::linear;
use ninja::{Filter, StripFlags};
use serde_json::{Map, Value, json};

/// Sampler constants of glTF 2.0, section 5.26.
const REPEAT: u32 = 10497;
const MIRRORED: u32 = 33648;
const CLAMP: u32 = 33071;
const NEAREST: u32 = 9728;
const LINEAR: u32 = 9729;

pub(super) fn sampler(material: &Material) -> Value {
    let Some(tiny) = material.tiny else {
        return json!({});
    };
    let wrap = |flip: bool, clamp: bool| match (flip, clamp) {
        (_, true) => CLAMP,
        (true, false) => MIRRORED,
        (false, false) => REPEAT,
    };
    let filter = if tiny.filter == Filter::Point {
        NEAREST
    } else {
        LINEAR
    };
    json!({
        "magFilter": filter,
        "minFilter": filter,
        "wrapS": wrap(tiny.flip_u, tiny.clamp_u),
        "wrapT": wrap(tiny.flip_v, tiny.clamp_v),
    })
}

pub(super) fn gltf_material(material: &Material, texture: Option<usize>) -> Value {
    let d = material.diffuse;
    let light = |byte: u8| linear(f64::from(byte) / 255.0) as f32;
    let color = [light(d.r()), light(d.g()), light(d.b()), f32::from(d.a()) / 255.0];
    let mut pbr = json!({
        "baseColorFactor": color,
        "metallicFactor": 0,
        // glTF has no exact counterpart to Ninja's specular exponent from 0 to 16.
        "roughnessFactor": 1.0 - f32::from(material.specular.map_or(0, |s| s.exponent).min(16)) / 20.0,
    });
    if let Some(texture) = texture {
        pbr["baseColorTexture"] = json!({ "index": texture });
    }
    let alpha = material.flags.contains(StripFlags::USE_ALPHA);
    let mut made = json!({
        "name": material.name,
        "pbrMetallicRoughness": pbr,
        "alphaMode": if alpha { "BLEND" } else { "OPAQUE" },
        "doubleSided": material.flags.contains(StripFlags::DOUBLE_SIDE),
        "extras": material.properties().into_iter().collect::<Map<String, Value>>(),
    });
    if material.flags.contains(StripFlags::IGNORE_LIGHT) {
        made["extensions"] = json!({ "KHR_materials_unlit": {} });
    }
    made
}
