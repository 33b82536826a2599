//! Materials and textures of glTF files (glTF 2.0, section 3.9).

use std::collections::{HashMap, HashSet};

use gltf::image::Source;
use gltf::material::AlphaMode;
use gltf::texture::{MagFilter, WrappingMode};

use super::buffers::{Buffers, bytes_of, decoded};
use super::{Files, properties};
use crate::error::{Error, Warnings};
use crate::settings::{MaterialSettings, Settings};
use crate::source::srgb::shown;
use crate::source::{Material, TexelAlpha, Texture};

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

/// Textures of the scene: the document's, then copies for materials with another alpha mode.
#[derive(Default)]
pub(super) struct Variants {
    /// Document's texture and meaning of alpha, by texture of the scene.
    list: Vec<(usize, TexelAlpha)>,
    numbers: HashMap<(usize, TexelAlpha), usize>,
}

impl Variants {
    pub(super) fn new(document: &gltf::Document) -> Self {
        let textures = document.textures().map(|t| (t.index(), TexelAlpha::Ignored));
        let mut variants = Self {
            list: textures.collect(),
            ..Self::default()
        };
        let mut is_used = vec![false; variants.list.len()];
        for material in document.materials() {
            let Some(texture) = base(&material).0.map(|info| info.texture().index()) else {
                continue;
            };
            let key = (texture, texel_alpha(&material));
            if variants.numbers.contains_key(&key) {
                continue;
            }
            let is_first = is_used.get(texture) == Some(&false);
            let number = if is_first { texture } else { variants.list.len() };
            if is_first {
                is_used[texture] = true;
            }
            variants.list.resize(variants.list.len().max(number + 1), key);
            variants.list[number] = key;
            variants.numbers.insert(key, number);
        }
        variants
    }

    fn number(&self, material: &gltf::Material<'_>) -> Option<usize> {
        let texture = base(material).0?.texture().index();
        self.numbers.get(&(texture, texel_alpha(material))).copied()
    }
}

/// Returns the meaning of alpha in a material's texture (glTF 2.0, section 3.9.5).
fn texel_alpha(material: &gltf::Material<'_>) -> TexelAlpha {
    match material.alpha_mode() {
        AlphaMode::Opaque => TexelAlpha::Ignored,
        AlphaMode::Blend => TexelAlpha::Opacity,
        AlphaMode::Mask => {
            // The factor scales the texture's alpha before the comparison.
            let least = cutoff(material) / f64::from(base(material).1[3]) * 255.0;
            TexelAlpha::Cutoff(if least <= 255.0 {
                least.ceil().max(0.0) as u16
            } else {
                256
            })
        }
    }
}

/// Returns the alpha from which on a masked material is opaque.
fn cutoff(material: &gltf::Material<'_>) -> f64 {
    f64::from(material.alpha_cutoff().unwrap_or(0.5))
}

/// Reads a material. Metallic and roughness factors have no counterpart on the chip; the base colour becomes
/// the diffuse colour.
pub(super) fn material(
    source: &gltf::Material<'_>,
    variants: &Variants,
    settings: &Settings<'_>,
    warnings: &mut Warnings,
) -> Result<Material, Error> {
    let name = match (source.name(), source.index()) {
        (Some(name), _) => name.to_owned(),
        (None, Some(index)) => format!("material{index}"),
        (None, None) => "default".to_owned(),
    };
    let mut own = settings.material(&name, &properties(source.extras()), warnings)?;
    let [r, g, b, a] = base(source).1.map(f64::from);
    let texture = variants.number(source);
    let diffuse = [r, g, b].map(shown);
    let opaque = source.alpha_mode() == AlphaMode::Opaque;
    if opaque && own.use_alpha.is_none() {
        own.use_alpha = own.alpha.is_none().then_some(false);
    }
    let opacity = match source.alpha_mode() {
        AlphaMode::Opaque => 1.0,
        AlphaMode::Blend => a.clamp(0.0, 1.0),
        // The texture's alpha decides.
        AlphaMode::Mask if texture.is_some() || a >= cutoff(source) => 1.0,
        AlphaMode::Mask => 0.0,
    };
    let diffuse = own.diffuse.unwrap_or(diffuse);
    Ok(Material {
        name,
        diffuse,
        ambient: own.ambient.unwrap_or(diffuse),
        file_ambient: None,
        specular: own.specular.unwrap_or([0.0; 3]),
        shininess: own.exponent.map_or(0.0, f64::from),
        opacity: own.alpha.unwrap_or(opacity),
        texture,
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
    variants: &Variants,
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
    let mut textures = Vec::new();
    for (index, alpha) in &variants.list {
        let Some(texture) = document.textures().nth(*index) else {
            continue;
        };
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
            alpha: *alpha,
        });
    }
    Ok(textures)
}
