//! The JSON of a glTF file: version, required extensions, and the reason for errors.

use std::borrow::Cow;

use gltf::binary::Glb;
use gltf::json::{Root, Value, deserialize};
use gltf::{Document, Gltf};

use super::{sound, wrong};
use crate::error::{Error, Warnings};

/// Supported extensions. `KHR_mesh_quantization` needs no code, because `buffers` reads every integer type.
const OBEYED: [&str; 5] = [
    "KHR_lights_punctual",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
];
/// Extensions for other image formats. Each texture using them gets its own warning.
const OTHER_IMAGES: [&str; 3] = ["EXT_texture_webp", "KHR_texture_basisu", "MSFT_texture_dds"];

/// Extensions that compress vertices. Programs offer them as Draco and meshopt.
const COMPRESSION: [&str; 2] = ["KHR_draco_mesh_compression", "EXT_meshopt_compression"];

/// Size of the header of a .glb file.
const HEADER: u32 = 12;

fn is_known(extension: &str) -> bool {
    OBEYED.contains(&extension) || OTHER_IMAGES.contains(&extension)
}

/// Parses the document and the binary chunk that follows it.
///
/// # Errors
/// If the file is damaged, has another version, or requires an unsupported extension.
pub(super) fn open(bytes: &[u8], warnings: &mut Warnings) -> Result<(Document, Option<Vec<u8>>), Error> {
    // The crate uses this length for the header without checking it.
    if let [b'g', b'l', b'T', b'F', _, _, _, _, a, b, c, d, ..] = bytes {
        let length = u32::from_le_bytes([*a, *b, *c, *d]);
        if length < HEADER {
            return Err(wrong(
                "header",
                format!("a length of {length}"),
                format!("at least {HEADER}"),
            ));
        }
    }
    let (mut root, blob) = match Gltf::from_slice_without_validation(bytes) {
        Ok(Gltf { document, blob }) => (document.into_json(), blob),
        Err(error) => with_optional_members(bytes).ok_or_else(|| reason(bytes, &error))?,
    };
    let mut unknown = names(&root.extensions_required);
    unknown.retain(|extension| !is_finish(extension));
    if let Some(packed) = unknown.iter().find(|name| COMPRESSION.contains(name)) {
        let place = "extensionsRequired";
        let expected = "plain meshes: switch the compression of the exporter off";
        return Err(wrong(place, format!("{packed}, compressed meshes"), expected));
    }
    if !unknown.is_empty() {
        let expected = format!(
            "none but {}: export the scene without it",
            [&OBEYED[..], &OTHER_IMAGES].concat().join(", ")
        );
        return Err(wrong("extensionsRequired", unknown.join(", "), expected));
    }
    // The crate rejects required extensions that it does not know.
    root.extensions_required.retain(|extension| !is_finish(extension));
    let left_out = names(&root.extensions_used);
    if !left_out.is_empty() {
        warnings.add("extensionsUsed", format!("not read: {}", left_out.join(", ")));
    }
    // The crate rejects this extension, although `buffers` supports it.
    root.extensions_required.retain(|e| e != "KHR_mesh_quantization");
    sound::check(&root)?;
    let document = Document::from_json(root).map_err(|e| reason(bytes, &e))?;
    Ok((document, blob))
}

/// Parses a document that lacks optional members: `nodes` of scenes, or `node` of animation targets. The
/// crate requires these members. Returns `None` if the document has other faults.
fn with_optional_members(bytes: &[u8]) -> Option<(Root, Option<Vec<u8>>)> {
    let (json, blob) = match Glb::from_slice(bytes) {
        Ok(glb) => (glb.json, glb.bin.map(Cow::into_owned)),
        Err(_) => (Cow::Borrowed(bytes), None),
    };
    let mut document: Value = deserialize::from_slice(&json).ok()?;
    let mut lists = |name: &str, change: &mut dyn FnMut(&mut Value)| {
        let list = document.get_mut(name).and_then(Value::as_array_mut);
        list.into_iter().flatten().for_each(change);
    };
    lists("scenes", &mut |scene| {
        if let Some(scene) = scene.as_object_mut() {
            scene.entry("nodes").or_insert_with(|| Value::Array(Vec::new()));
        }
    });
    // A target without a node belongs to an extension.
    lists("animations", &mut |animation| {
        if let Some(channels) = animation.get_mut("channels").and_then(Value::as_array_mut) {
            channels.retain(|channel| channel["target"].get("node").is_some());
        }
    });
    Some((deserialize::from_value(document).ok()?, blob))
}

/// Returns true if an extension changes the appearance of a surface, but not its shape and base colour. The
/// reader can then ignore it, even if the file requires it.
fn is_finish(extension: &str) -> bool {
    extension.starts_with("KHR_materials_") && !is_known(extension)
}

/// Returns the unsupported extensions.
fn names(extensions: &[String]) -> Vec<&str> {
    extensions
        .iter()
        .map(String::as_str)
        .filter(|e| !is_known(e))
        .collect()
}

/// Returns the reason why the crate rejects a file. Version 1.0 has other structures under the same names,
/// and an extension can change structures of 2.0.
fn reason(bytes: &[u8], error: &gltf::Error) -> Error {
    let version = match bytes {
        [b'g', b'l', b'T', b'F', a, b, c, d, ..] => Some(u32::from_le_bytes([*a, *b, *c, *d])),
        _ => None,
    };
    if let Some(version) = version.filter(|v| *v != 2) {
        return wrong("header", format!("version {version}"), "version 2");
    }
    let json = match version {
        Some(_) => Glb::from_slice(bytes)
            .map(|glb| glb.json.into_owned())
            .unwrap_or_default(),
        None => bytes.to_vec(),
    };
    let value: Value = deserialize::from_slice(&json).unwrap_or_default();
    // glTF 1.0 has named objects in place of the arrays of 2.0, and `asset` is optional.
    let stated = value["asset"]["version"].as_str();
    let is_first = stated.is_some_and(|v| v.starts_with("1.")) || value["nodes"].is_object();
    if is_first {
        return wrong("asset.version", stated.unwrap_or("none, the form of 1.0"), "2.0");
    }
    let used: Vec<&str> = value["extensionsUsed"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter(|e| !is_known(e))
        .collect();
    let mut cause = error.to_string().trim_end_matches([';', ' ']).to_owned();
    if !used.is_empty() {
        cause = format!(
            "{cause}; it uses extensions that are not read: {}",
            used.join(", ")
        );
    }
    Error::Load { kind: "glTF", cause }
}
