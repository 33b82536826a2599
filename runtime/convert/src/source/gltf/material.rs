//! Materials and textures of glTF files (glTF 2.0, section 3.9).

use std::collections::HashSet;

use gltf::image::Source;
use gltf::material::AlphaMode;
use gltf::texture::{MagFilter, WrappingMode};

use super::buffers::{Buffers, bytes_of, decoded};
use super::{Files, properties};
use crate::error::{Error, Warnings};
use crate::settings::{MaterialSettings, Settings};
use crate::source::srgb::shown;
use crate::source::{Material, Texture};

/// Returns the texture and the factor of the base colour. If the material has the extension for specular
/// colours and glossiness, returns the extension's diffuse texture and factor instead.
pub(super) fn base<'a>(material: &gltf::Material<'a>) -> (Option<gltf::texture::Info<'a>>, [f32; 4]) {
    match material.pbr_specular_glossiness() {
        Some(diffuse) => (diffuse.diffuse_texture(), diffuse.diffuse_factor()),
        None => {
            let metallic = material.pbr_metallic_roughness();
            (metallic.base_color_texture(), metallic.base_color_factor())
        }
    }
}

/// Reads a material. Metallic and roughness factors have no counterpart on the chip; the base colour becomes
/// the diffuse colour.
pub(super) fn material(
    source: &gltf::Material<'_>,
    settings: &Settings<'_>,
    warnings: &mut Warnings,
) -> Result<Material, Error> {
    let name = match (source.name(), source.index()) {
        (Some(name), _) => name.to_owned(),
        (None, Some(index)) => format!("material{index}"),
        (None, None) => "default".to_owned(),
    };
    let mut own = settings.material(&name, &properties(source.extras()), warnings)?;
    let (texture, factor) = base(source);
    let [r, g, b, a] = factor.map(f64::from);
    let diffuse = [r, g, b].map(shown);
    let opaque = source.alpha_mode() == AlphaMode::Opaque;
    if opaque && own.use_alpha.is_none() {
        own.use_alpha = own.alpha.is_none().then_some(false);
    }
    let diffuse = own.diffuse.unwrap_or(diffuse);
    Ok(Material {
        name,
        diffuse,
        ambient: own.ambient.unwrap_or(diffuse),
        file_ambient: None,
        specular: own.specular.unwrap_or([0.0; 3]),
        shininess: own.exponent.map_or(0.0, f64::from),
        opacity: own.alpha.unwrap_or(if opaque { 1.0 } else { a.clamp(0.0, 1.0) }),
        texture: texture.map(|t| t.texture().index()),
        double_side: own.double_side.unwrap_or(source.double_sided()),
        unlit: own.ignore_light.unwrap_or(source.unlit()),
        environment: own.environment.unwrap_or(false),
        settings: own,
    })
}

/// Material of primitives without one: white.
pub(super) fn default() -> Material {
    Material {
        name: "default".to_owned(),
        diffuse: [1.0; 3],
        ambient: [1.0; 3],
        file_ambient: None,
        specular: [0.0; 3],
        shininess: 0.0,
        opacity: 1.0,
        texture: None,
        double_side: false,
        unlit: false,
        environment: false,
        settings: MaterialSettings::default(),
    }
}

/// Reads all textures. Missing images have no content.
pub(super) fn textures(
    document: &gltf::Document,
    buffers: &Buffers,
    files: Files<'_>,
) -> Result<Vec<Texture>, Error> {
    let mut names = HashSet::new();
    let mut images = Vec::new();
    for image in document.images() {
        let number = image.index();
        let place = format!("image {number}");
        let (path, content) = match image.source() {
            Source::Uri { uri, .. } if !uri.starts_with("data:") => (decoded(uri), Vec::new()),
            Source::Uri { uri, .. } => (String::new(), bytes_of(uri, files).unwrap_or_default()),
            Source::View { view, .. } => (String::new(), buffers.copy(buffers.view(&view)?, &place)?),
        };
        let named = || {
            image
                .name()
                .filter(|n| !n.is_empty())
                .map(|n| n.replace(['/', '\\'], "_"))
        };
        let mut name = match path.as_str() {
            "" => named().unwrap_or_else(|| format!("image{number}")),
            path => path.to_owned(),
        };
        if path.is_empty() && names.contains(&name) {
            name = format!("{name}_{number}");
        }
        names.insert(name.clone());
        images.push((name, content));
    }
    let not_opaque: HashSet<usize> = document
        .materials()
        .filter(|material| material.alpha_mode() != AlphaMode::Opaque)
        .filter_map(|material| Some(base(&material).0?.texture().index()))
        .collect();
    let mut textures = Vec::new();
    for texture in document.textures() {
        let image = texture.source().and_then(|i| images.get(i.index()));
        let (name, content) = match image {
            Some((name, content)) => {
                let place = format!("texture {}", texture.index());
                (name.clone(), buffers.copy(content, &place)?)
            }
            None => Default::default(),
        };
        let sampler = texture.sampler();
        let wraps = [sampler.wrap_s(), sampler.wrap_t()];
        textures.push(Texture {
            paths: if name.is_empty() { Vec::new() } else { vec![name] },
            content,
            clamp: wraps.map(|w| w == WrappingMode::ClampToEdge),
            flip: wraps.map(|w| w == WrappingMode::MirroredRepeat),
            point: sampler.mag_filter() == Some(MagFilter::Nearest),
            opaque: !not_opaque.contains(&texture.index()),
        });
    }
    Ok(textures)
}
