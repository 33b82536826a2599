//! Textures and pictures, shown on rectangles.

use crate::error::{Result, bail};
use crate::files::stem;
use crate::{Input, error::At};
use ninja::{
    Blend, Chunk, File, Filter, Material, Model, Object, ObjectTree, Plist, PolyChunk, StripChunk,
    StripEntry, StripFlags, StripKind, StripSource, Texlist, TextureName, Tiny, Vertex, VertexChunk,
    VertexKind, Vlist,
};
use pvr::container::{PvrDataFormat, PvrPixelFormat, PvrTexture, read_kos, read_pvm, read_pvp, read_pvr};
use pvr::texture::{LinearExpand, Rgba};
use std::path::Path;

/// Gap between the squares of an archive's textures, as a share of a square.
const GAP: f32 = 0.1;
/// The value 1.0 in the fixed-point texture coordinates of strips (CS_UVH).
const UV_ONE: f32 = 1024.0;

/// A texture and the size of its used part.
struct FlatTexture {
    name: String,
    texture: PvrTexture,
    size: [u32; 2],
}

/// Returns a model with one rectangle per texture or picture, and the textures with their names.
pub(crate) fn load(
    path: &Path,
    bytes: &[u8],
    input: Input,
) -> Result<(File, Vec<String>, Vec<Option<PvrTexture>>)> {
    let name = path.display();
    let whole = |name: String, texture: PvrTexture| FlatTexture {
        size: [texture.width, texture.height],
        name,
        texture,
    };
    let shown: Vec<FlatTexture> = match input {
        Input::Archive => {
            let entries = read_pvm(bytes).at(&name)?.into_iter().enumerate();
            entries
                .map(|(i, entry)| whole(entry.name.unwrap_or_else(|| i.to_string()), entry.texture))
                .collect()
        }
        Input::Texture => vec![whole(stem(path), read_pvr(bytes).at(&name)?)],
        Input::KosTexture => vec![whole(stem(path), read_kos(bytes).at(&name)?)],
        Input::Palette => vec![palette(path, bytes)?],
        _ => vec![picture(path, bytes)?],
    };
    if shown.is_empty() {
        bail!("{name}: the archive holds no textures");
    }
    let listed = shown.iter().map(|shown| TextureName::new(shown.name.clone()));
    let file = File::new(vec![
        Chunk::Texlist(Texlist::new(listed.collect())),
        Chunk::Model(squares(&shown).at(&name)?),
    ]);
    let (names, textures) = shown
        .into_iter()
        .map(|shown| (shown.name, Some(shown.texture)))
        .unzip();
    Ok((file, names, textures))
}

/// Returns a picture of a palette: sixteen colours per row, each as a square.
fn palette(path: &Path, bytes: &[u8]) -> Result<FlatTexture> {
    /// Colours per row; the banks of 4-bit textures have this size.
    const ROW: u32 = 16;
    /// Side of a square in texels.
    const SIDE: u32 = 8;
    let name = path.display();
    let colours = read_pvp(bytes).at(&name)?.colors(LinearExpand::Replicate);
    let rows = (colours.len() as u32).div_ceil(ROW).max(1);
    let [width, height] = [ROW * SIDE, (rows * SIDE).next_power_of_two()];
    let texel = |i: u32| {
        let (x, y) = (i % width / SIDE, i / width / SIDE);
        colours.get((y * ROW + x) as usize).copied().unwrap_or(0)
    };
    let image = Rgba {
        width,
        height,
        texels: (0..width * height).map(texel).collect(),
    };
    let texture = PvrTexture::from_image(&image, PvrPixelFormat::Argb4444, PvrDataFormat::Rectangle);
    Ok(FlatTexture {
        name: stem(path),
        texture: texture.at(&name)?,
        size: [width, rows * SIDE],
    })
}

/// Copies a picture into the upper left corner of the smallest texture that holds it.
fn picture(path: &Path, bytes: &[u8]) -> Result<FlatTexture> {
    /// Largest width and height of a texture of the chip.
    const LARGEST: u32 = 1024;
    let name = path.display();
    let most = (LARGEST * LARGEST) as usize;
    let image = convert::read_picture_within(bytes, &name.to_string(), most)
        .map_err(|cause| crate::Error::Invalid(format!("{name}: {cause}")))?;
    let (wide, high) = (image.width, image.height);
    if wide > LARGEST || high > LARGEST {
        bail!("{name}: {wide}x{high} pixels, expected at most {LARGEST}x{LARGEST}, the largest texture");
    }
    let [width, height] = [wide, high].map(|side| side.next_power_of_two().max(8));
    // Repeats the edge, so filtering at the edge mixes no other colour.
    let texel = |i: u32| {
        let (x, y) = ((i % width).min(wide - 1), (i / width).min(high - 1));
        image.texels[(y * wide + x) as usize]
    };
    let padded = Rgba {
        width,
        height,
        texels: (0..width * height).map(texel).collect(),
    };
    let format = if padded.texels.iter().all(|texel| texel >> 24 == 255) {
        PvrPixelFormat::Rgb565
    } else {
        PvrPixelFormat::Argb4444
    };
    let data = if width == height {
        PvrDataFormat::Twiddled
    } else {
        PvrDataFormat::TwiddledRectangle
    };
    Ok(FlatTexture {
        name: stem(path),
        texture: PvrTexture::from_image(&padded, format, data).at(&name)?,
        size: [wide, high],
    })
}

/// Returns a model with one rectangle per texture, in rows.
fn squares(shown: &[FlatTexture]) -> Result<ObjectTree> {
    let columns = (shown.len() as f32).sqrt().ceil().max(1.0) as usize;
    // White; the texture's alpha blends.
    let white = Material {
        blend: Blend::ALPHA,
        diffuse: Some(ninja::Argb(0xFFFF_FFFF)),
        ..Material::default()
    };
    let (mut vertices, mut chunks) = (Vec::new(), vec![PolyChunk::Material(white)]);
    for (i, texture) in shown.iter().enumerate() {
        let centre = [i % columns, i / columns].map(|place| place as f32 * (1.0 + GAP));
        let longer = texture.size[0].max(texture.size[1]).max(1) as f32;
        let half = texture.size.map(|side| side as f32 / longer / 2.0);
        // A coordinate of 1.0 addresses the next power of two, also in textures stored row by row.
        let bits = texture.texture.tsp_size_bits();
        let one = [8 << (bits >> 3 & 7), 8 << (bits & 7)];
        let used = [0, 1].map(|axis| texture.size[axis] as f32 / one[axis] as f32);
        chunks.push(PolyChunk::Texture(Tiny {
            texture: number(i)?,
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

/// Returns a strip of four vertices, starting at vertex `first`, with the used part of a texture.
fn rectangle(first: usize, [u, v]: [f32; 2]) -> Result<StripChunk> {
    let coordinates = [[0.0, v], [u, v], [0.0, 0.0], [u, 0.0]];
    let entries = coordinates.into_iter().enumerate().map(|(i, uv)| {
        Ok(StripEntry {
            index: number(first + i)?,
            uv: uv.map(|c| (c * UV_ONE).round() as i16),
            ..StripEntry::default()
        })
    });
    let strip = StripSource {
        reversed: false,
        entries: entries.collect::<Result<_>>()?,
    };
    let flags = StripFlags::IGNORE_LIGHT | StripFlags::USE_ALPHA | StripFlags::DOUBLE_SIDE;
    Ok(StripChunk::build(StripKind::CsUvh, flags, &[strip])?)
}

/// Converts a count to 16 bits.
fn number(n: usize) -> Result<u16> {
    let found = || crate::Error::Invalid(format!("{n} textures or vertices, expected at most 65535"));
    u16::try_from(n).map_err(|_| found())
}
