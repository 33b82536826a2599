//! Drawing state and strips of one material.

use ninja::{
    Blend, Filter, Material, PolyChunk, Specular, StripChunk, StripEntry, StripFlags, StripKind, StripSource,
    Tiny, UvScale,
};

use super::{Context, Placed};
use crate::error::Error;
use crate::mesh::{Group, color};
use crate::options::Ambient;
use crate::report::StripCount;
use crate::settings::MaterialSettings;
use crate::source;
use crate::strip::{self, Strip};

/// Maximum number of words in the strips of one chunk, below the format's limit (docs/formats/ninja.md, 1.7).
const MOST_WORDS: usize = 65_000;
const MOST_STRIPS: usize = 16_383;

/// Mipmap depth adjust 1.0, in quarters. Files have this value; the chip does not define 0.
const MIPMAP_ADJUST: u8 = 4;

/// A group of triangles and its drawing state.
pub(super) struct DrawnGroup<'a> {
    placed: &'a Placed,
    group: &'a Group,
    pub(super) state: State,
}

/// Drawing state from state chunks, and from the strip's own head.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    tiny: Option<Tiny>,
    material: Material,
    flags: StripFlags,
    /// Repeats texture and material for the inside of modifier volumes (the second parameter).
    second: bool,
    user_flags: Vec<u16>,
}

impl State {
    fn new(context: &Context<'_>, placed: &Placed, group: &Group) -> Self {
        let plain = source::Material::plain(context.options.ambient);
        let material = group
            .material
            .and_then(|m| context.scene.materials.get(m))
            .unwrap_or(&plain);
        let tiny = (group.uv != UvScale::None)
            .then(|| tiny(context, material))
            .flatten();
        let texture_alpha = tiny.is_some_and(|t| context.textures.entries[usize::from(t.texture)].alpha);
        let [r, g, b] = material.diffuse;
        let diffuse = color([r, g, b, material.opacity]);
        let specular = color([
            material.specular[0],
            material.specular[1],
            material.specular[2],
            0.0,
        ]);
        let shines = specular.0 != 0 && placed.part.has_normals;
        let said = &material.settings;
        let ambient = material.ambient;
        let set = |flag: StripFlags, on: bool| StripFlags(if on { flag.0 } else { 0 });
        let flags = set(
            StripFlags::IGNORE_LIGHT,
            material.unlit || !placed.part.has_normals,
        ) | set(
            StripFlags::IGNORE_SPECULAR,
            said.ignore_specular.unwrap_or(!shines),
        ) | set(StripFlags::IGNORE_AMBIENT, said.ignore_ambient == Some(true))
            | set(
                StripFlags::USE_ALPHA,
                said.use_alpha.unwrap_or(diffuse.a() < 255 || texture_alpha),
            )
            | set(StripFlags::FLAT, said.flat == Some(true))
            | set(StripFlags::ENVIRONMENT, material.environment && tiny.is_some())
            | set(
                StripFlags::DOUBLE_SIDE,
                material.double_side || context.options.double_side,
            );
        State {
            tiny,
            material: Material {
                second: false,
                blend: said.blend.unwrap_or(Blend::ALPHA),
                diffuse: Some(diffuse),
                ambient: Some(color([ambient[0], ambient[1], ambient[2], 1.0])),
                specular: shines.then(|| Specular {
                    // The source's shininess and the chunk's exponent are both Phong exponents; the chunk
                    // allows at most 16.
                    exponent: material.shininess.round().clamp(0.0, 16.0) as u8,
                    rgb: [specular.r(), specular.g(), specular.b()],
                }),
            },
            flags,
            second: group.second_uv,
            user_flags: context.user_flags(placed, group).to_vec(),
        }
    }

    pub(super) fn translucent(&self) -> bool {
        self.flags.contains(StripFlags::USE_ALPHA)
    }

    /// Returns the chunks that change the state `before` to this one, or all chunks if `before` is unknown.
    pub(super) fn difference(&self, before: Option<&State>) -> Vec<PolyChunk> {
        let mut chunks = Vec::new();
        if let Some(tiny) = self.tiny.filter(|t| before.and_then(|b| b.tiny) != Some(*t)) {
            chunks.push(PolyChunk::Texture(tiny));
        }
        if self.second {
            chunks.extend(self.second_parameter());
        }
        let mut material = self.material;
        // Blending is stored only with colours, so a change of blending repeats all colours; otherwise only
        // changed colours are written.
        if let Some(before) = before.filter(|b| b.material.blend == material.blend) {
            material.diffuse = material
                .diffuse
                .filter(|_| before.material.diffuse != material.diffuse);
            material.ambient = material
                .ambient
                .filter(|_| before.material.ambient != material.ambient);
            material.specular = material
                .specular
                .filter(|_| before.material.specular != material.specular);
        }
        if material.diffuse.is_some() || material.ambient.is_some() || material.specular.is_some() {
            chunks.push(PolyChunk::Material(material));
        }
        chunks
    }

    /// Returns the state inside a modifier volume: the same texture and colours, with the second texture
    /// coordinates.
    fn second_parameter(&self) -> impl Iterator<Item = PolyChunk> {
        let tiny = self.tiny.map(|t| PolyChunk::Texture(Tiny { second: true, ..t }));
        let material = Material {
            second: true,
            ..self.material
        };
        tiny.into_iter().chain([PolyChunk::Material(material)])
    }

    /// Number of user flag words per polygon.
    fn user_words(&self) -> u8 {
        self.user_flags.len() as u8
    }

    /// The user flags, padded with 0.
    fn user(&self) -> [u16; 3] {
        [0, 1, 2].map(|i| self.user_flags.get(i).copied().unwrap_or(0))
    }
}

impl source::Material {
    /// State of triangles without a material.
    fn plain(ambient: Ambient) -> Self {
        source::Material {
            name: String::new(),
            diffuse: [0.8; 3],
            ambient: match ambient {
                Ambient::Colour(colour) => colour,
                _ => [0.8; 3],
            },
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
}

fn tiny(context: &Context<'_>, material: &source::Material) -> Option<Tiny> {
    let source = material.texture?;
    let number = (*context.textures.number.get(source)?)?;
    let said = &material.settings;
    let of_file = context.scene.textures.get(source)?;
    let [clamp_u, clamp_v] = said.clamp.unwrap_or(of_file.clamp);
    let [flip_u, flip_v] = said.flip.unwrap_or(of_file.flip);
    let filter = match of_file.point {
        true => Filter::Point,
        false => Filter::default(),
    };
    Some(Tiny {
        texture: number as u16,
        clamp_u,
        clamp_v,
        flip_u,
        flip_v,
        mipmap_adjust: said.mipmap_adjust.unwrap_or(MIPMAP_ADJUST),
        filter: said.filter.unwrap_or(filter),
        supersample: said.super_sample == Some(true),
        ..Tiny::default()
    })
}

impl<'a> DrawnGroup<'a> {
    pub(super) fn new(context: &Context<'_>, placed: &'a Placed, group: &'a Group) -> Self {
        DrawnGroup {
            placed,
            group,
            state: State::new(context, placed, group),
        }
    }

    /// Returns the strips, split into chunks of valid size.
    pub(super) fn strip_chunks(&self, count: &mut StripCount) -> Result<Vec<StripChunk>, Error> {
        let kind = match (self.group.uv, self.group.second_uv) {
            (UvScale::None, _) => StripKind::Cs,
            (UvScale::Over256, false) => StripKind::CsUvn,
            (UvScale::Over256, true) => StripKind::CsUvn2,
            (UvScale::Over1024, false) => StripKind::CsUvh,
            (UvScale::Over1024, true) => StripKind::CsUvh2,
        };
        let user = self.state.user_words();
        let build =
            |strips: &[StripSource]| StripChunk::build_with_user(kind, self.state.flags, user, strips);
        let strips = strip::strips(&self.group.triangles);
        if !strip::same_triangles(&self.group.triangles, &strips) {
            return Err(Error::scene(
                "strips",
                "other triangles than the mesh has",
                "the same",
            ));
        }
        let mut chunks = Vec::new();
        let (mut words, mut pending) = (0, Vec::new());
        for strip in &strips {
            let size =
                1 + strip.entries.len() * kind.entry_words() + (strip.entries.len() - 2) * usize::from(user);
            if words + size > MOST_WORDS || pending.len() == MOST_STRIPS {
                chunks.push(build(&std::mem::take(&mut pending))?);
                words = 0;
            }
            words += size;
            pending.push(self.source(strip));
            count.add(strip, size);
        }
        if !pending.is_empty() {
            chunks.push(build(&pending)?);
        }
        Ok(chunks)
    }

    fn source(&self, strip: &Strip) -> StripSource {
        let placement = &self.placed.placement;
        let entry = |corner: &u32| {
            let corner = self.placed.part.corners[*corner as usize];
            StripEntry {
                index: placement.base + placement.slots[corner.vertex as usize],
                uv: corner.uv,
                uv2: corner.uv2,
                user: self.state.user(),
                ..StripEntry::default()
            }
        };
        StripSource {
            reversed: strip.reversed,
            entries: strip.entries.iter().map(entry).collect(),
        }
    }
}
