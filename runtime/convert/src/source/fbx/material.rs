//! Materials and textures of FBX and OBJ files.

use super::index;
use crate::settings::MaterialSettings;
use crate::source::srgb::shown;
use crate::source::{Material, TexelAlpha, Texture};

/// Reads a material. `settings` override the file.
pub(super) fn material(material: &ufbx::Material, settings: MaterialSettings) -> Material {
    let fbx = &material.fbx;
    let textured = [&fbx.diffuse_color, &material.pbr.base_color]
        .into_iter()
        .filter(|m| m.texture_enabled || m.texture.is_some())
        .find_map(|m| m.texture.as_ref());
    let reflection = fbx
        .reflection_color
        .texture
        .as_ref()
        .filter(|_| textured.is_none());
    // In FBX a texture replaces the colour, but the chip multiplies them. The colour is therefore white.
    let diffuse = match textured {
        Some(_) => times([1.0; 3], factor(&fbx.diffuse_factor)),
        None => times(color(&fbx.diffuse_color, 0.8), factor(&fbx.diffuse_factor)),
    };
    let ambient = times(color(&fbx.ambient_color, 0.0), factor(&fbx.ambient_factor));
    let diffuse = settings.diffuse.unwrap_or(diffuse);
    let specular = times(color(&fbx.specular_color, 0.0), factor(&fbx.specular_factor));
    let exponent = settings.exponent.map(f64::from);
    Material {
        name: material.element.name.to_string(),
        diffuse,
        ambient: settings.ambient.unwrap_or(diffuse),
        file_ambient: Some(ambient).filter(|_| fbx.ambient_color.has_value),
        specular: settings.specular.unwrap_or(specular),
        shininess: exponent.or(real(&fbx.specular_exponent)).unwrap_or(0.0),
        opacity: settings.alpha.unwrap_or_else(|| opacity(material)),
        texture: textured.or(reflection).map(|t| file_texture(t)),
        double_side: settings
            .double_side
            .unwrap_or(material.features.double_sided.enabled),
        unlit: settings.ignore_light.unwrap_or(material.features.unlit.enabled),
        environment: settings.environment.unwrap_or(reflection.is_some()),
        settings,
    }
}

/// Returns the texture that has an image file: the first one of a layered texture, otherwise the texture
/// itself.
fn file_texture(texture: &ufbx::Texture) -> usize {
    let file = texture.file_textures.iter().next();
    file.map_or_else(|| index(&texture.element), |t| index(&t.element))
}

/// Returns the property "Opacity" if it exists, else the opacity from transparency factor and colour.
fn opacity(material: &ufbx::Material) -> f64 {
    let stated = ufbx::find_prop(&material.element.props, "Opacity").map(|p| p.value_vec4.x);
    if let Some(opacity) = stated.or(real(&material.pbr.opacity)).filter(|o| o.is_finite()) {
        return opacity.clamp(0.0, 1.0);
    }
    let map = &material.fbx.transparency_color;
    let [r, g, b] = if map.has_value { color(map, 0.0) } else { [1.0; 3] };
    let factor = real(&material.fbx.transparency_factor).unwrap_or(0.0);
    (1.0 - factor * (r + g + b) / 3.0).clamp(0.0, 1.0)
}

fn real(map: &ufbx::MaterialMap) -> Option<f64> {
    Some(map.value_vec4.x).filter(|v| map.has_value && v.is_finite())
}

fn factor(map: &ufbx::MaterialMap) -> f64 {
    real(map).unwrap_or(1.0)
}

fn color(map: &ufbx::MaterialMap, default: f64) -> [f64; 3] {
    let v = map.value_vec4;
    let rgb = [v.x, v.y, v.z];
    if map.has_value && rgb.iter().all(|c| c.is_finite()) {
        rgb
    } else {
        [default; 3]
    }
}

/// Returns the screen value of a linear colour times a factor.
fn times(color: [f64; 3], by: f64) -> [f64; 3] {
    color.map(|c| shown(c * by))
}

pub(super) fn texture(texture: &ufbx::Texture) -> Texture {
    let video = texture.video.as_ref();
    let embedded = video.map_or(&[][..], |v| &v.content);
    let content = if texture.content.is_empty() {
        embedded
    } else {
        &texture.content
    };
    let mut paths: Vec<String> = Vec::new();
    for path in [
        &texture.relative_filename,
        &texture.filename,
        &texture.absolute_filename,
    ] {
        let path = path.replace('\\', "/");
        if !path.is_empty() && !paths.contains(&path) {
            paths.push(path);
        }
    }
    Texture {
        paths,
        content: content.to_vec(),
        alpha: TexelAlpha::Opacity,
        flip: [false; 2],
        point: false,
        clamp: [texture.wrap_u, texture.wrap_v].map(|w| w == ufbx::WrapMode::Clamp),
    }
}
