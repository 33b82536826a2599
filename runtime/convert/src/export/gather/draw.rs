//! Processes polygon lists: applies the drawing state, and collects triangles from the vertex buffer.

use ninja::{PlistId, PolyChunk, Specular, StripChunk, Tiny};

use super::Gather;
use super::mesh_builder::CornerData;
use crate::error::Error;

/// Drawing state as a comparable key.
pub(super) type StateKey = (Option<[u16; 2]>, [u32; 3], u8, u8);

impl Gather<'_> {
    /// Runs a polygon list. [`PolyChunk::DrawPolygons`] runs the list that [`PolyChunk::CachePolygons`]
    /// stored, unless that list is already running.
    pub(super) fn draw(
        &mut self,
        list: PlistId,
        triangles: &mut Vec<(usize, [CornerData; 3])>,
        volumes: &mut usize,
    ) -> Result<(), Error> {
        let tree = self.player.tree;
        let mut running: Vec<(PlistId, usize, Option<u8>)> = vec![(list, 0, None)];
        while let Some((list, at, _)) = running.last_mut() {
            let chunk = tree.plist(*list).and_then(|l| l.chunks.get(*at));
            *at += 1;
            let (list, next) = (*list, *at);
            self.count_work(1)?;
            match chunk {
                None => drop(running.pop()),
                Some(PolyChunk::CachePolygons(n)) => {
                    self.cached.insert(*n, (list, next));
                    running.pop();
                }
                Some(PolyChunk::DrawPolygons(n)) => {
                    if let Some((list, at)) = self.cached.get(n)
                        && running.iter().all(|(_, _, number)| number != &Some(*n))
                    {
                        running.push((*list, *at, Some(*n)));
                    }
                }
                Some(PolyChunk::Texture(tiny)) if !tiny.second => self.state.tiny = Some(*tiny),
                Some(PolyChunk::Blend(blend)) => self.state.blend = *blend,
                Some(PolyChunk::Material(m)) if !m.second => self.set(m),
                Some(PolyChunk::Strip(strips)) => self.strips(strips, triangles)?,
                Some(PolyChunk::Volume(_)) => *volumes += 1,
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn set(&mut self, material: &ninja::Material) {
        let state = &mut self.state;
        state.blend = material.blend;
        state.diffuse = material.diffuse.unwrap_or(state.diffuse);
        state.ambient = material.ambient.unwrap_or(state.ambient);
        state.specular = material.specular.or(state.specular);
    }

    fn strips(
        &mut self,
        chunk: &StripChunk,
        triangles: &mut Vec<(usize, [CornerData; 3])>,
    ) -> Result<(), Error> {
        let material = self.material(chunk);
        let factor = f64::from(chunk.kind.uv().factor());
        self.second += usize::from(chunk.kind.two_parameter());
        for strip in &chunk.strips {
            self.count_work(strip.triangles())?;
            let entries: Vec<Option<CornerData>> = chunk
                .entries(strip)
                .map(|e| {
                    Some(CornerData {
                        pooled: self.buffer[usize::from(e.index)]?,
                        uv: e.uv,
                        factor,
                        normal: chunk.kind.has_normal().then_some(e.normal),
                        color: chunk.kind.has_color().then_some(e.color),
                    })
                })
                .collect();
            for (i, w) in entries.windows(3).enumerate() {
                let [Some(a), Some(b), Some(c)] = [w[0], w[1], w[2]] else {
                    self.lost += 1;
                    continue;
                };
                if a.pooled == b.pooled || b.pooled == c.pooled || c.pooled == a.pooled {
                    continue;
                }
                // Triangles (0, 1, 2), (2, 1, 3) and so on, or the opposite direction if the strip is
                // reversed (docs/formats/ninja.md, 1.7).
                let turned = (i % 2 == 1) != strip.reversed;
                triangles.push((material, if turned { [b, a, c] } else { [a, b, c] }));
            }
        }
        Ok(())
    }

    /// Returns the material number of the current state.
    fn material(&mut self, chunk: &StripChunk) -> usize {
        let textured = chunk.kind.uv_pairs() > 0;
        let mut state = self.state.clone();
        state.tiny = state.tiny.filter(|_| textured);
        state.flags = chunk.flags;
        let tiny = |t: Tiny| {
            let bits = [t.flip_u, t.flip_v, t.clamp_u, t.clamp_v, t.supersample];
            let bits = bits.iter().fold(0, |all, bit| all << 1 | u16::from(*bit));
            [
                t.texture,
                bits << 8 | (t.filter as u16) << 4 | u16::from(t.mipmap_adjust),
            ]
        };
        let shine = |s: Specular| u32::from_be_bytes([s.exponent, s.rgb[0], s.rgb[1], s.rgb[2]]);
        let colors = [state.diffuse.0, state.ambient.0, state.specular.map_or(0, shine)];
        let key = (
            state.tiny.map(tiny),
            colors,
            state.blend.headbits(),
            chunk.flags.0,
        );
        let next = self.scene.materials.len();
        let number = *self.materials.entry(key).or_insert(next);
        if number == next {
            state.name = format!("material{number:03}");
            self.scene.materials.push(state);
        }
        number
    }
}
