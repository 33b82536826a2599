//! Colours of the buffer's vertices, computed on demand.

use super::{VertexBuffer, runs};
use crate::SceneError;
use crate::settings::Highlight;
use crate::shading::{Shading, Vertices};
use sh4_kernels::Kernels;
use sh4_kernels::light_vertices::LightBlock;

/// Work to do for a slot's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColourBatch {
    Light,
    /// The vertex has its own specular colour in addition to the diffuse one.
    Unlit,
    Copy,
}

impl VertexBuffer {
    /// Computes colours of `slots` (ascending, unique, all of them filled) for the material of volume
    /// `volume`.
    pub(crate) fn colour(
        &mut self,
        kernels: &mut dyn Kernels,
        lights: &[LightBlock],
        slots: &[u16],
        volume: usize,
        shading: &Shading,
    ) -> Result<(), SceneError> {
        for work in [ColourBatch::Light, ColourBatch::Unlit] {
            let stale = |slot: usize| self.colours[volume].made_for[slot] != shading.number;
            for (start, end) in runs(slots, |slot| stale(slot) && self.work(slot, shading) == work) {
                let own = self.own_colours(start, end, shading);
                let vertices = Vertices {
                    positions: &self.positions[start..end],
                    normals: &self.normals[start..end],
                    diffuse: &own[0],
                    specular: &own[1],
                };
                let colours = &mut self.colours[volume];
                let (base, offset) = (&mut colours.base[start..end], &mut colours.offset[start..end]);
                match work {
                    ColourBatch::Light => shading.light(kernels, lights, &vertices, base, offset)?,
                    _ => shading.unlit(kernels, &vertices, base, offset)?,
                }
            }
        }
        for slot in slots.iter().map(|slot| usize::from(*slot)) {
            if self.work(slot, shading) == ColourBatch::Copy {
                self.colours[volume].base[slot] = self.attributes[slot].diffuse.unwrap_or(shading.diffuse);
                self.colours[volume].offset[slot] = 0;
            }
            self.colours[volume].made_for[slot] = shading.number;
        }
        Ok(())
    }

    fn work(&self, slot: usize, shading: &Shading) -> ColourBatch {
        let slot = &self.attributes[slot];
        if slot.normal && shading.lit {
            ColourBatch::Light
        } else if slot.specular.is_some() && shading.highlight != Highlight::Off {
            ColourBatch::Unlit
        } else {
            ColourBatch::Copy
        }
    }

    /// Returns diffuse and specular colours of `start..end`; vertices without colours get the material's.
    fn own_colours(&self, start: usize, end: usize, shading: &Shading) -> [Vec<u32>; 2] {
        let attributes = &self.attributes[start..end];
        [
            attributes
                .iter()
                .map(|slot| slot.diffuse.unwrap_or(shading.diffuse))
                .collect(),
            attributes
                .iter()
                .map(|slot| slot.specular.unwrap_or(shading.specular))
                .collect(),
        ]
    }
}
