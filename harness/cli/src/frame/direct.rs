//! Files that are drawn without a conversion: scenes of other programs, and textures on squares.

use super::textures::{TextureSet, TextureSources, TexturedModel};
use crate::assets::{has_extension, scene_format, stem};
use crate::convert::{fbx_files, textures as pictures};
use crate::input;
use anyhow::{Context, Result, bail};
use ninja::{
    Blend, Chunk, File, Filter, Material, Model, Object, ObjectTree, Plist, PolyChunk, StripChunk,
    StripEntry, StripFlags, StripKind, StripSource, Texlist, TextureName, Tiny, Vertex, VertexChunk,
    VertexKind, Vlist,
};
use pvr::container::{PvrDataFormat, PvrPixelFormat, PvrTexture, read_pvm, read_pvr};
use pvr::texture::Rgba;
use std::path::Path;

/// Largest width and height of a texture of the chip.
const LARGEST: u32 = 1024;
/// Gap between the squares of an archive's textures, as a share of a square.
const GAP: f32 = 0.1;
/// One in texture coordinates of strips (CS_UVH).
const UV_ONE: f32 = 1024.0;

/// Whether a file is a texture, an archive of textures or a picture.
pub(crate) fn is_texture(path: &Path) -> bool {
    ["pvr", "pvm"]
        .iter()
        .any(|extension| has_extension(path, extension))
        || pictures::is_picture(path)
}

/// The model that stands for a file that is no Ninja file; `None` if it may be one.
pub(super) fn load(path: &Path, sources: &TextureSources) -> Result<Option<TexturedModel>> {
    if scene_format(path).is_some() {
        return scene(path).map(Some);
    }
    if is_texture(path) {
        return textures(path, sources).map(Some);
    }
    Ok(None)
}

/// A scene as it is converted by default, with its motions and shapes behind the model.
fn scene(path: &Path) -> Result<TexturedModel> {
    let name = || path.display().to_string();
    let bytes = input::read(path)?;
    let mut find = |texture: &str| fbx_files::texture(path, &[], texture);
    let options = convert::Options {
        format: scene_format(path),
        ..convert::Options::default()
    };
    let conversion = convert::convert(&bytes, &options, &mut find).with_context(name)?;
    for warning in &conversion.warnings {
        eprintln!("{}: warning: {warning}", name());
    }
    let entries = match &conversion.archive {
        Some(bytes) => read_pvm(bytes).with_context(name)?,
        None => Vec::new(),
    };
    let file = fbx_files::scene::whole(&conversion);
    let list = file.texlist().map_or(&[][..], |list| &list.names);
    let names: Vec<String> = list.iter().map(|name| name.name_lossy().into_owned()).collect();
    let texture = |name: &String| {
        let named = |found: &&pvr::container::PvmEntry| {
            found
                .name
                .as_ref()
                .is_some_and(|found| found.eq_ignore_ascii_case(name))
        };
        entries.iter().find(named).map(|entry| entry.texture.clone())
    };
    let pictures = TextureSet {
        textures: names.iter().map(texture).collect(),
        names,
        ..TextureSet::default()
    };
    Ok(TexturedModel { file, pictures })
}

/// A texture and the part of it that is shown.
struct Shown {
    name: String,
    texture: PvrTexture,
    size: [u32; 2],
}

/// Textures side by side, each on a square or on a rectangle of its shape.
fn textures(path: &Path, sources: &TextureSources) -> Result<TexturedModel> {
    let shown = read(path)?;
    if shown.is_empty() {
        bail!("{}: the archive holds no textures", path.display());
    }
    let listed = shown.iter().map(|shown| TextureName::new(shown.name.clone()));
    let file = File::new(vec![
        Chunk::Texlist(Texlist::new(listed.collect())),
        Chunk::Model(squares(&shown)?),
    ]);
    let names = shown.iter().map(|shown| shown.name.clone()).collect();
    let textures = shown.into_iter().map(|shown| Some(shown.texture)).collect();
    let pictures = TextureSet::of_textures(path, names, textures, sources)?;
    Ok(TexturedModel { file, pictures })
}

fn read(path: &Path) -> Result<Vec<Shown>> {
    let whole = |name: String, texture: PvrTexture| Shown {
        size: [texture.width, texture.height],
        name,
        texture,
    };
    let file = || path.display().to_string();
    if pictures::is_picture(path) {
        return picture(path).map(|shown| vec![shown]);
    }
    let bytes = input::read(path)?;
    if has_extension(path, "pvm") {
        let entries = read_pvm(&bytes).with_context(file)?.into_iter().enumerate();
        let named = entries.map(|(i, entry)| {
            let name = entry.name.unwrap_or_else(|| i.to_string());
            whole(name, entry.texture)
        });
        return Ok(named.collect());
    }
    Ok(vec![whole(stem(path), read_pvr(&bytes).with_context(file)?)])
}

/// A picture as a texture: in the upper left of the smallest one that holds it.
fn picture(path: &Path) -> Result<Shown> {
    let image = pictures::read_image(path)?;
    if image.width > LARGEST || image.height > LARGEST {
        bail!(
            "{}: {}x{} pixels, expected at most {LARGEST}x{LARGEST}, the largest texture",
            path.display(),
            image.width,
            image.height
        );
    }
    let [width, height] = [image.width, image.height].map(|side| side.next_power_of_two().max(8));
    // The edge goes on, so that filtering finds no other colour.
    let texel = |i: u32| {
        let (x, y) = (
            (i % width).min(image.width - 1),
            (i / width).min(image.height - 1),
        );
        image.texels[(y * image.width + x) as usize]
    };
    let texels: Vec<u32> = (0..width * height).map(texel).collect();
    let format = if texels.iter().all(|texel| texel >> 24 == 255) {
        PvrPixelFormat::Rgb565
    } else {
        PvrPixelFormat::Argb4444
    };
    let data = if width == height {
        PvrDataFormat::Twiddled
    } else {
        PvrDataFormat::TwiddledRectangle
    };
    let padded = Rgba {
        width,
        height,
        texels,
    };
    Ok(Shown {
        name: stem(path),
        texture: PvrTexture::from_image(&padded, format, data)?,
        size: [image.width, image.height],
    })
}

/// A model of one rectangle for each texture, in rows.
fn squares(shown: &[Shown]) -> Result<ObjectTree> {
    let columns = (shown.len() as f32).sqrt().ceil().max(1.0) as usize;
    let (mut vertices, mut chunks) = (Vec::new(), vec![PolyChunk::Material(opaque())]);
    for (i, shown) in shown.iter().enumerate() {
        let centre = [i % columns, i / columns].map(|place| place as f32 * (1.0 + GAP));
        let longer = shown.size[0].max(shown.size[1]).max(1) as f32;
        let half = shown.size.map(|side| side as f32 / longer / 2.0);
        // What the chip takes for 1.0: a power of two, also of textures that are stored row by row.
        let bits = shown.texture.tsp_size_bits();
        let one = [8 << (bits >> 3 & 7), 8 << (bits & 7)];
        let used = [0, 1].map(|axis| shown.size[axis] as f32 / one[axis] as f32);
        chunks.push(PolyChunk::Texture(Tiny {
            texture: u16::try_from(i)?,
            clamp_u: true,
            clamp_v: true,
            filter: Filter::Point,
            ..Tiny::default()
        }));
        chunks.push(PolyChunk::Strip(rectangle(vertices.len(), used)?));
        let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
        vertices.extend(corners.map(|[x, y]: [f32; 2]| Vertex {
            position: [centre[0] + x * half[0], -centre[1] + y * half[1], 0.0],
            ..Vertex::default()
        }));
    }
    let mut tree = ObjectTree::new();
    let vlist = tree.push_vlist(Vlist {
        chunks: vec![VertexChunk::build(VertexKind::Cv, 0, 0, &vertices)?],
    });
    let plist = tree.push_plist(Plist { chunks });
    let model = Some(tree.push_model(Model {
        vlist: Some(vlist),
        plist: Some(plist),
        center: [0.0; 3],
        radius: 2.0 * columns as f32,
    }));
    tree.push_object(Object {
        model,
        ..Object::default()
    });
    Ok(tree)
}

/// White, blended by the texture's alpha.
fn opaque() -> Material {
    Material {
        blend: Blend::ALPHA,
        diffuse: Some(ninja::Argb(0xFFFF_FFFF)),
        ..Material::default()
    }
}

/// The strip of four vertices from `first` on, with the used part of a texture.
fn rectangle(first: usize, [u, v]: [f32; 2]) -> Result<StripChunk> {
    let coordinates = [[0.0, v], [u, v], [0.0, 0.0], [u, 0.0]];
    let mut entries = Vec::new();
    for (i, uv) in coordinates.into_iter().enumerate() {
        entries.push(StripEntry {
            index: u16::try_from(first + i)?,
            uv: uv.map(|c| (c * UV_ONE).round() as i16),
            ..StripEntry::default()
        });
    }
    let strip = StripSource {
        reversed: false,
        entries,
    };
    let flags = StripFlags::IGNORE_LIGHT | StripFlags::USE_ALPHA | StripFlags::DOUBLE_SIDE;
    Ok(StripChunk::build(StripKind::CsUvh, flags, &[strip])?)
}
