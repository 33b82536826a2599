//! Drawing state and strips of one material.

use ninja::{
    Blend, Material, PolyChunk, Specular, StripChunk, StripEntry, StripFlags, StripKind, StripSource, Tiny,
    UvScale,
};

use super::{Context, Placed};
use crate::error::Error;
use crate::mesh::{Group, color};
use crate::options::Ambient;
use crate::report::StripCount;
use crate::source;
use crate::strip::{self, Strip};

/// Words that the strips of one chunk may take, and how many there may be (facts 1.7).
const MOST_WORDS: usize = 65_000;
const MOST_STRIPS: usize = 16_383;

/// Mipmap depth adjust 1.0, in quarters: what files have, and 0 is no value of the chip's.
const MIPMAP_ADJUST: u8 = 4;

/// A group of triangles with all that its drawing depends on.
pub(super) struct DrawnGroup<'a> {
    placed: &'a Placed,
    group: &'a Group,
    pub(super) state: State,
}

/// What chunks before a strip set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct State {
    tiny: Option<Tiny>,
    material: Material,
    flags: StripFlags,
}

impl State {
    fn new(context: &Context<'_>, placed: &Placed, group: &Group) -> Self {
        let plain = source::Material::plain();
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
        let ambient = match context.options.ambient {
            Ambient::File => material.ambient,
            Ambient::Diffuse => material.diffuse,
        };
        let set = |flag: StripFlags, on: bool| StripFlags(if on { flag.0 } else { 0 });
        let flags = set(
            StripFlags::IGNORE_LIGHT,
            material.unlit || !placed.part.has_normals,
        ) | set(StripFlags::IGNORE_SPECULAR, !shines)
            | set(StripFlags::USE_ALPHA, diffuse.a() < 255 || texture_alpha)
            | set(
                StripFlags::DOUBLE_SIDE,
                material.double_side || context.options.double_side,
            );
        State {
            tiny,
            material: Material {
                second: false,
                blend: Blend::ALPHA,
                diffuse: Some(diffuse),
                ambient: Some(color([ambient[0], ambient[1], ambient[2], 1.0])),
                specular: shines.then(|| Specular {
                    // Both are Phong exponents as far as the sources say; 16 is the largest of the format.
                    exponent: material.shininess.round().clamp(0.0, 16.0) as u8,
                    rgb: [specular.r(), specular.g(), specular.b()],
                }),
            },
            flags,
        }
    }

    pub(super) fn translucent(&self) -> bool {
        self.flags.contains(StripFlags::USE_ALPHA)
    }

    /// The chunks that lead here from the state `before`; all of them where nothing is known.
    pub(super) fn difference(&self, before: Option<&State>) -> Vec<PolyChunk> {
        let mut chunks = Vec::new();
        if let Some(tiny) = self.tiny.filter(|t| before.and_then(|b| b.tiny) != Some(*t)) {
            chunks.push(PolyChunk::Texture(tiny));
        }
        let mut material = self.material;
        if let Some(before) = before {
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
}

impl source::Material {
    /// Of triangles without a material.
    fn plain() -> Self {
        source::Material {
            name: String::new(),
            diffuse: [0.8; 3],
            ambient: [0.8; 3],
            specular: [0.0; 3],
            shininess: 0.0,
            opacity: 1.0,
            texture: None,
            double_side: false,
            unlit: false,
        }
    }
}

fn tiny(context: &Context<'_>, material: &source::Material) -> Option<Tiny> {
    let source = material.texture?;
    let number = (*context.textures.number.get(source)?)?;
    let [clamp_u, clamp_v] = context.scene.textures.get(source).map_or([false; 2], |t| t.clamp);
    Some(Tiny {
        texture: number as u16,
        clamp_u,
        clamp_v,
        mipmap_adjust: MIPMAP_ADJUST,
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

    /// The strips, in as many chunks as their size needs.
    pub(super) fn strip_chunks(&self, count: &mut StripCount) -> Result<Vec<StripChunk>, Error> {
        let kind = match self.group.uv {
            UvScale::None => StripKind::Cs,
            UvScale::Over256 => StripKind::CsUvn,
            UvScale::Over1024 => StripKind::CsUvh,
        };
        let strips = strip::strips(&self.group.triangles, kind.entry_words());
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
            let size = 1 + strip.entries.len() * kind.entry_words();
            if words + size > MOST_WORDS || pending.len() == MOST_STRIPS {
                chunks.push(StripChunk::build(
                    kind,
                    self.state.flags,
                    &std::mem::take(&mut pending),
                )?);
                words = 0;
            }
            words += size;
            pending.push(self.source(strip));
            count.add(strip, size);
        }
        if !pending.is_empty() {
            chunks.push(StripChunk::build(kind, self.state.flags, &pending)?);
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
                ..StripEntry::default()
            }
        };
        StripSource {
            reversed: strip.reversed,
            entries: strip.entries.iter().map(entry).collect(),
        }
    }
}
