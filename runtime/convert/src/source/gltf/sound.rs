//! Checks assumptions of the crate `gltf`, which would otherwise panic on damaged files.

use gltf::json::camera::Type;
use gltf::json::validation::Checked;

use super::wrong;
use crate::error::Error;

/// Checks the document.
///
/// # Errors
/// If a value needed later is missing or invalid.
pub(super) fn check(root: &gltf::json::Root) -> Result<(), Error> {
    for (number, mesh) in root.meshes.iter().enumerate() {
        for (k, primitive) in mesh.primitives.iter().enumerate() {
            let count = root.accessors.len();
            if let Some(index) = primitive.attributes.values().find(|i| i.value() >= count) {
                let place = format!("mesh {number}, primitive {k}");
                let found = format!("accessor {}", index.value());
                return Err(wrong(&place, found, format!("one of {count}")));
            }
        }
    }
    for (number, image) in root.images.iter().enumerate() {
        let place = format!("image {number}");
        match (&image.buffer_view, &image.mime_type, &image.uri) {
            (Some(_), Some(_), _) | (None, _, Some(_)) => {}
            (Some(_), None, _) => return Err(wrong(&place, "a buffer view without a mimeType", "both")),
            (None, _, None) => return Err(wrong(&place, "neither", "a uri or a buffer view")),
        }
    }
    for (number, camera) in root.cameras.iter().enumerate() {
        let stated = match camera.type_ {
            Checked::Valid(Type::Perspective) => camera.perspective.is_some(),
            Checked::Valid(Type::Orthographic) => camera.orthographic.is_some(),
            Checked::Invalid => false,
        };
        if !stated {
            let place = format!("camera {number}");
            return Err(wrong(
                &place,
                "a type without its numbers",
                "perspective or orthographic ones",
            ));
        }
    }
    for (number, animation) in root.animations.iter().enumerate() {
        for (k, channel) in animation.channels.iter().enumerate() {
            let place = format!("animation {number}, channel {k}");
            if channel.sampler.value() >= animation.samplers.len() {
                let found = format!("sampler {}", channel.sampler.value());
                return Err(wrong(
                    &place,
                    found,
                    format!("one of {}", animation.samplers.len()),
                ));
            }
            if channel.target.node.value() >= root.nodes.len() {
                let found = format!("node {}", channel.target.node.value());
                return Err(wrong(&place, found, format!("one of {}", root.nodes.len())));
            }
            if channel.target.path == Checked::Invalid {
                let expected = "translation, rotation, scale or weights";
                return Err(wrong(&place, "another path", expected));
            }
        }
    }
    Ok(())
}
