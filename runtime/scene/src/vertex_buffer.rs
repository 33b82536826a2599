//! The vertex buffer: transformed vertices that outlive the node that made them.
//!
//! One buffer serves a whole tree. A node's vertex list fills slots from its IndexOffset on (weighted vertices name
//! their slot themselves), and polygon lists index whatever the buffer holds by then. Screen positions and lit colours
//! are made on demand and kept until the slot or the material changes.

use crate::SceneError;
use ninja::{Normal, VertexChunk, VertexKind, Weight};
use sh4_kernels::blend_weighted::{ADD, NORMALS, blend_weighted};
use sh4_kernels::project_points::project_points;
use sh4_kernels::transform_normals_and_light::{Light, transform_normals_and_light};
use sh4_kernels::transform_points::transform_points;
use sh4_kernels::{Kernels, Matrix};

/// Slots of the buffer: indices are signed 16-bit numbers.
pub const SLOTS: usize = 32_767;

/// What colours a vertex has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shade {
    /// Nothing was ever put into the slot.
    #[default]
    Empty,
    /// Neither normal nor colour: the material's diffuse colour.
    Plain,
    /// A normal.
    Normal,
    /// A colour of its own.
    Colour(u32),
}

/// How the strips of one material colour their vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lighting {
    /// The material's diffuse colour, or the vertex's own.
    Ignore {
        /// The material's diffuse colour.
        diffuse: u32,
    },
    /// Normals are lit.
    Lit {
        /// The block of the kernel.
        light: Light,
        /// The material's diffuse colour, for vertices without normals.
        diffuse: u32,
    },
}

/// See the module's head.
#[derive(Debug, Default)]
pub(crate) struct VertexBuffer {
    positions: Vec<[f32; 4]>,
    normals: Vec<[f32; 4]>,
    shades: Vec<Shade>,
    screen: Vec<[f32; 4]>,
    projected: Vec<bool>,
    colours: Vec<u32>,
    /// The material that `colours` was made for; 0 is none.
    coloured_for: Vec<u32>,
    /// Lowest and highest position that was projected.
    bounds: Option<[[f32; 3]; 2]>,
}

impl VertexBuffer {
    /// Transforms one vertex chunk into the buffer.
    pub(crate) fn fill(
        &mut self,
        kernels: &mut dyn Kernels,
        matrix: &Matrix,
        chunk: &VertexChunk,
        weight_scale: f32,
    ) -> Result<(), SceneError> {
        if chunk.count == 0 {
            return Ok(());
        }
        match chunk.weight_status() {
            Some(status) => self.blend(kernels, matrix, chunk, status, weight_scale),
            None => self.replace(kernels, matrix, chunk),
        }
    }

    fn replace(
        &mut self,
        kernels: &mut dyn Kernels,
        matrix: &Matrix,
        chunk: &VertexChunk,
    ) -> Result<(), SceneError> {
        let start = usize::from(chunk.index_offset);
        let end = start + usize::from(chunk.count);
        self.grow(end)?;
        let stride = chunk.kind.stride();
        transform_points(
            kernels,
            matrix,
            &chunk.words,
            stride,
            1.0,
            &mut self.positions[start..end],
        )?;
        if let Some(normal) = normal_word(chunk.kind)? {
            let source = &chunk.words[normal..];
            transform_points(
                kernels,
                matrix,
                source,
                stride,
                0.0,
                &mut self.normals[start..end],
            )?;
        }
        for (i, slot) in (start..end).enumerate() {
            let shade = match chunk.diffuse(i) {
                Some(colour) => Shade::Colour(colour.0),
                None if chunk.kind.normal() != Normal::None => Shade::Normal,
                None => Shade::Plain,
            };
            self.changed(slot, shade);
        }
        Ok(())
    }

    fn blend(
        &mut self,
        kernels: &mut dyn Kernels,
        matrix: &Matrix,
        chunk: &VertexChunk,
        status: Weight,
        weight_scale: f32,
    ) -> Result<(), SceneError> {
        if chunk.kind == VertexKind::CvNfD8 {
            return Err(SceneError::Unsupported(
                "weighted vertices with colours (CV_NF_D8)",
            ));
        }
        let flags: Vec<_> = (0..usize::from(chunk.count))
            .filter_map(|i| chunk.ninja_flags(i))
            .collect();
        let offset = i32::from(chunk.index_offset);
        let slots = flags.iter().map(|f| offset + i32::from(f.index));
        let (Some(first), Some(last)) = (slots.clone().min(), slots.clone().max()) else {
            return Ok(());
        };
        if first < 0 {
            return Err(SceneError::Slot {
                slot: first.into(),
                limit: SLOTS,
            });
        }
        let (start, end) = (first as usize, last as usize + 1);
        self.grow(end)?;
        let has_normals = normal_word(chunk.kind)?.is_some();
        let mode = if status == Weight::Start { 0 } else { ADD } | if has_normals { NORMALS } else { 0 };
        blend_weighted(
            kernels,
            matrix,
            &chunk.words,
            flags.len(),
            &mut self.positions[start..end],
            &mut self.normals[start..end],
            first - offset,
            mode,
            weight_scale,
        )?;
        for slot in slots {
            self.changed(
                slot as usize,
                if has_normals { Shade::Normal } else { Shade::Plain },
            );
        }
        Ok(())
    }

    fn grow(&mut self, end: usize) -> Result<(), SceneError> {
        if end > SLOTS + 1 {
            return Err(SceneError::Slot {
                slot: end as i64 - 1,
                limit: SLOTS,
            });
        }
        if end > self.positions.len() {
            self.positions.resize(end, [0.0; 4]);
            self.normals.resize(end, [0.0; 4]);
            self.shades.resize(end, Shade::Empty);
            self.screen.resize(end, [0.0; 4]);
            self.projected.resize(end, false);
            self.colours.resize(end, 0);
            self.coloured_for.resize(end, 0);
        }
        Ok(())
    }

    fn changed(&mut self, slot: usize, shade: Shade) {
        self.shades[slot] = shade;
        self.projected[slot] = false;
        self.coloured_for[slot] = 0;
    }

    /// Makes screen positions and colours of `slots` (ascending, each once, all of them filled) for material number `material`.
    pub(crate) fn prepare(
        &mut self,
        kernels: &mut dyn Kernels,
        viewport: &[f32; 4],
        slots: &[u16],
        material: u32,
        lighting: &Lighting,
    ) -> Result<(), SceneError> {
        for (start, end) in runs(slots, |slot| !self.projected[slot]) {
            let (source, target) = (&self.positions[start..end], &mut self.screen[start..end]);
            project_points(kernels, viewport, source, target)?;
            self.projected[start..end].fill(true);
            for [x, y, z, _] in &self.positions[start..end] {
                let point = [*x, *y, *z];
                let [low, high] = self.bounds.get_or_insert([point; 2]);
                for k in 0..3 {
                    low[k] = low[k].min(point[k]);
                    high[k] = high[k].max(point[k]);
                }
            }
        }
        let lit = |slot: usize| self.shades[slot] == Shade::Normal && self.coloured_for[slot] != material;
        if let Lighting::Lit { light, .. } = lighting {
            for (start, end) in runs(slots, lit) {
                let (source, target) = (&self.normals[start..end], &mut self.colours[start..end]);
                transform_normals_and_light(kernels, light, source, target)?;
            }
        }
        let (Lighting::Lit { diffuse, .. } | Lighting::Ignore { diffuse }) = *lighting;
        for slot in slots.iter().map(|slot| usize::from(*slot)) {
            match (self.shades[slot], lighting) {
                (Shade::Normal, Lighting::Lit { .. }) => {}
                (Shade::Colour(colour), _) => self.colours[slot] = colour,
                _ => self.colours[slot] = diffuse,
            }
            self.coloured_for[slot] = material;
        }
        Ok(())
    }

    /// Lowest and highest coordinates of all vertices that were projected.
    pub(crate) fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        self.bounds
    }

    /// Whether a vertex was ever put into the slot.
    pub(crate) fn holds(&self, slot: u16) -> bool {
        self.shades
            .get(usize::from(slot))
            .is_some_and(|shade| *shade != Shade::Empty)
    }

    /// x, y, 1/w, w of the slots `first..=last`.
    pub(crate) fn screen(&self, first: u16, last: u16) -> &[[f32; 4]] {
        &self.screen[usize::from(first)..=usize::from(last)]
    }

    /// Colours of the slots `first..=last`.
    pub(crate) fn colours(&self, first: u16, last: u16) -> &[u32] {
        &self.colours[usize::from(first)..=usize::from(last)]
    }

    /// Distance of a slot's vertex along the view; below everything where there is none.
    pub(crate) fn depth(&self, slot: u16) -> f32 {
        let vertex = self.screen.get(usize::from(slot)).filter(|_| self.holds(slot));
        vertex.map_or(f32::NEG_INFINITY, |[_, _, _, w]| *w)
    }
}

/// Where a vertex has its normal as three floats.
fn normal_word(kind: VertexKind) -> Result<Option<usize>, SceneError> {
    match kind.normal() {
        Normal::None => Ok(None),
        Normal::Float(word) => Ok(Some(word)),
        Normal::Packed(_) => Err(SceneError::Unsupported("vertices with packed normals (CV_VNX)")),
    }
}

/// Half-open runs of neighbouring slots that need something done.
fn runs(slots: &[u16], needs: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for slot in slots
        .iter()
        .map(|slot| usize::from(*slot))
        .filter(|slot| needs(*slot))
    {
        match runs.last_mut() {
            Some((_, end)) if *end == slot => *end += 1,
            _ => runs.push((slot, slot + 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn neighbours_share_a_run() {
        assert_eq!(
            runs(&[1, 2, 3, 5, 7, 8], |slot| slot != 2),
            [(1, 2), (3, 4), (5, 6), (7, 9)]
        );
        assert_eq!(runs(&[], |_| true), []);
    }
}
