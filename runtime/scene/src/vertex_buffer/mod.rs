//! Vertex buffer: transformed vertices that persist after the node that created them.
//!
//! One buffer serves a complete tree. A node's vertex list fills slots from its IndexOffset on (weighted
//! vertices name their own slot). Polygon lists refer to the current contents of the buffer. Screen positions
//! and colours are computed on demand and kept until the slot or the material changes.

mod colour;
mod fill;

use crate::SceneError;
use sh4_kernels::Kernels;
use sh4_kernels::project_points::project_points;

/// Highest slot: indices are signed 16-bit numbers.
pub const SLOTS: usize = 32_767;

/// Attributes of a slot in addition to its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SlotAttributes {
    /// True if the slot was ever filled.
    filled: bool,
    normal: bool,
    /// Diffuse colour of the vertex itself.
    diffuse: Option<u32>,
    /// Specular colour of the vertex itself.
    specular: Option<u32>,
}

/// Colours of all slots for the materials of one of the two volumes.
#[derive(Debug, Default)]
struct Colours {
    base: Vec<u32>,
    offset: Vec<u32>,
    /// Number of the material for which a slot's colours were computed; 0 means no material.
    made_for: Vec<u32>,
}

/// Vertex buffer of a tree; see the module documentation.
#[derive(Debug, Default)]
pub(crate) struct VertexBuffer {
    positions: Vec<[f32; 4]>,
    normals: Vec<[f32; 4]>,
    attributes: Vec<SlotAttributes>,
    screen: Vec<[f32; 4]>,
    projected: Vec<bool>,
    colours: [Colours; 2],
    /// Lowest and highest projected position.
    bounds: Option<[[f32; 3]; 2]>,
}

impl VertexBuffer {
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
            self.attributes.resize(end, SlotAttributes::default());
            self.screen.resize(end, [0.0; 4]);
            self.projected.resize(end, false);
            for colours in &mut self.colours {
                colours.base.resize(end, 0);
                colours.offset.resize(end, 0);
                colours.made_for.resize(end, 0);
            }
        }
        Ok(())
    }

    /// Sets the attributes of a slot with a new vertex, and drops what was computed for the old one.
    fn set_attributes(&mut self, slot: usize, attributes: SlotAttributes) {
        self.attributes[slot] = attributes;
        self.projected[slot] = false;
        for colours in &mut self.colours {
            colours.made_for[slot] = 0;
        }
    }

    /// Computes screen positions of `slots` (ascending, unique, all of them filled).
    pub(crate) fn project(
        &mut self,
        kernels: &mut dyn Kernels,
        viewport: &[f32; 4],
        slots: &[u16],
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
        Ok(())
    }

    /// Returns the lowest and highest coordinates of all projected vertices.
    pub(crate) fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        self.bounds
    }

    /// True if the slot was ever filled.
    pub(crate) fn is_filled(&self, slot: u16) -> bool {
        self.attributes
            .get(usize::from(slot))
            .is_some_and(|slot| slot.filled)
    }

    /// True if the slot's vertex has a normal.
    pub(crate) fn has_normal(&self, slot: u16) -> bool {
        self.attributes
            .get(usize::from(slot))
            .is_some_and(|slot| slot.normal)
    }

    /// True if all of `slots` have normals and no colours of their own.
    pub(crate) fn only_normals(&self, slots: &[u16]) -> bool {
        slots
            .iter()
            .map(|slot| &self.attributes[usize::from(*slot)])
            .all(|slot| slot.normal && slot.diffuse.is_none() && slot.specular.is_none())
    }

    /// Returns x, y, z, w of a filled slot in view space.
    pub(crate) fn position(&self, slot: u16) -> [f32; 4] {
        self.positions[usize::from(slot)]
    }

    /// Returns the normal of a filled slot in view space; zeros if it has no normal.
    pub(crate) fn normal(&self, slot: u16) -> [f32; 4] {
        if self.has_normal(slot) {
            self.normals[usize::from(slot)]
        } else {
            [0.0; 4]
        }
    }

    /// Returns x, y, 1/w, w of a projected slot.
    pub(crate) fn screen_position(&self, slot: u16) -> [f32; 4] {
        self.screen[usize::from(slot)]
    }

    /// Returns x, y, 1/w, w of the slots `first..=last`.
    pub(crate) fn screen(&self, first: u16, last: u16) -> &[[f32; 4]] {
        &self.screen[usize::from(first)..=usize::from(last)]
    }

    /// Returns base and offset colours of the slots `first..=last` for volume `volume`.
    pub(crate) fn colours(&self, volume: usize, first: u16, last: u16) -> [&[u32]; 2] {
        let colours = &self.colours[volume];
        let slots = usize::from(first)..=usize::from(last);
        [&colours.base[slots.clone()], &colours.offset[slots]]
    }

    /// True if an offset colour of `slots` would change a pixel.
    pub(crate) fn has_offsets(&self, volume: usize, slots: &[u16]) -> bool {
        let offset = &self.colours[volume].offset;
        slots
            .iter()
            .any(|slot| offset[usize::from(*slot)] & 0x00FF_FFFF != 0)
    }

    /// Returns the distance of a projected slot's vertex along the view; lower than all others if it has no
    /// vertex.
    pub(crate) fn depth(&self, slot: u16) -> f32 {
        let vertex = self
            .screen
            .get(usize::from(slot))
            .filter(|_| self.is_filled(slot));
        vertex.map_or(f32::NEG_INFINITY, |[_, _, _, w]| *w)
    }
}

/// Returns half-open runs of neighbouring slots that need processing.
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
