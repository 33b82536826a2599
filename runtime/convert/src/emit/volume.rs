//! Collision and modifier volumes: CO_P3, CO_P4, CO_ST (docs/formats/ninja.md 1.7,
//! docs/formats/chunk-model.md 3.9).

use std::collections::HashMap;

use ninja::{PolyChunk, Strip, VolumeChunk, VolumeKind};

use super::{Context, Placed};
use crate::error::Error;
use crate::math::{Vec3, angle, cross, dot, sub};
use crate::mesh::Group;
use crate::options::QuadOrder;
use crate::strip;

/// Largest angle between two faces that become one quadrilateral, in degrees (docs/formats/chunk-model.md,
/// `volume34`).
const FLAT: f64 = 0.1;

/// Maximum number of words in the polygons of one chunk, below the format's limit (docs/formats/ninja.md
/// 1.7).
const MOST_WORDS: usize = 65_000;
const MOST_POLYGONS: usize = 16_383;

/// A polygon of three or four corners, counter-clockwise from outside.
type Polygon = Vec<u32>;

/// Returns the volume chunks of a node's parts that are volumes.
pub(super) fn chunks(
    context: &Context<'_>,
    drawn: &[&Placed],
    polygons: &mut usize,
) -> Result<Vec<PolyChunk>, Error> {
    let mut chunks = Vec::new();
    for placed in drawn {
        let said = context.said(placed);
        let Some(kind) = said.volume else { continue };
        for group in &placed.part.groups {
            let user = context.user_flags(placed, group);
            let volume = Volume {
                placed,
                group,
                user,
                order: context.options.quad_order,
            };
            let made = match kind {
                VolumeKind::St => volume.strips(),
                VolumeKind::P3 => volume.polygons(volume.triangles())?,
                VolumeKind::P4 => volume.polygons(volume.merged())?,
            };
            *polygons += made.1;
            chunks.extend(made.0.into_iter().map(PolyChunk::Volume));
        }
    }
    Ok(chunks)
}

/// Triangles of one material of a volume.
struct Volume<'a> {
    placed: &'a Placed,
    group: &'a Group,
    /// User flags for each polygon.
    user: &'a [u16],
    order: QuadOrder,
}

/// Chunks, and their number of polygons.
type VolumeChunks = (Vec<VolumeChunk>, usize);

impl Volume<'_> {
    fn slot(&self, corner: u32) -> u16 {
        let vertex = self.placed.part.corners[corner as usize].vertex;
        self.placed.placement.base + self.placed.placement.slots[vertex as usize]
    }

    fn triangles(&self) -> Vec<Polygon> {
        self.group.triangles.iter().map(|t| t.to_vec()).collect()
    }

    /// Returns chunks of triangles and chunks of quadrilaterals.
    fn polygons(&self, polygons: Vec<Polygon>) -> Result<VolumeChunks, Error> {
        let mut chunks = Vec::new();
        for kind in [VolumeKind::P3, VolumeKind::P4] {
            let corners = kind.polygon_indices();
            let of_kind = polygons.iter().filter(|p| Some(p.len()) == corners);
            let words: Vec<Vec<u16>> = of_kind.map(|p| self.words(p)).collect();
            let most = (MOST_WORDS / (4 + self.user.len())).min(MOST_POLYGONS);
            for piece in words.chunks(most) {
                let piece: Vec<&[u16]> = piece.iter().map(Vec::as_slice).collect();
                chunks.push(VolumeChunk::build(kind, self.user.len() as u8, &piece)?);
            }
        }
        Ok((chunks, polygons.len()))
    }

    fn words(&self, polygon: &[u32]) -> Vec<u16> {
        let mut words: Vec<u16> = polygon.iter().map(|c| self.slot(*c)).collect();
        if words.len() == 4 && self.order == QuadOrder::Strip {
            // From the outline order a, b, c, d to the strip order (b, c, a), (a, c, d).
            words = vec![words[1], words[2], words[0], words[3]];
        }
        words.extend(self.user);
        words
    }

    fn strips(&self) -> VolumeChunks {
        let vertex = |c: &u32| self.placed.part.corners[*c as usize].vertex;
        let triangles: Vec<[u32; 3]> = self
            .group
            .triangles
            .iter()
            .map(|t| t.map(|c| vertex(&c)))
            .collect();
        let strips = strip::strips(&triangles);
        let placement = &self.placed.placement;
        let (mut chunks, mut pending, mut words) = (Vec::new(), Vec::new(), 0);
        for strip in &strips {
            let size = 1 + strip.entries.len() + (strip.entries.len() - 2) * self.user.len();
            if words + size > MOST_WORDS || pending.len() == MOST_POLYGONS {
                chunks.push(self.strip_chunk(&std::mem::take(&mut pending)));
                words = 0;
            }
            words += size;
            let slots = strip
                .entries
                .iter()
                .map(|v| placement.base + placement.slots[*v as usize]);
            pending.push((strip.reversed, slots.collect::<Vec<u16>>()));
        }
        if !pending.is_empty() {
            chunks.push(self.strip_chunk(&pending));
        }
        (chunks, triangles.len())
    }

    /// Encodes each strip: its length, negative if reversed, then slots, with user flags from the third on.
    fn strip_chunk(&self, strips: &[(bool, Vec<u16>)]) -> VolumeChunk {
        let mut chunk = VolumeChunk {
            kind: VolumeKind::St,
            headbits: 0,
            user_words: self.user.len() as u8,
            count: strips.len() as u16,
            words: Vec::new(),
            strips: Vec::new(),
        };
        for (reversed, slots) in strips {
            let len = slots.len() as u16;
            chunk.words.push(if *reversed { len.wrapping_neg() } else { len });
            chunk.strips.push(Strip {
                reversed: *reversed,
                start: chunk.words.len(),
                len,
            });
            for (i, slot) in slots.iter().enumerate() {
                chunk.words.push(*slot);
                if i >= 2 {
                    chunk.words.extend(self.user);
                }
            }
        }
        // Pads the chunk to a multiple of 4 bytes, including its head, size and count words.
        if chunk.words.len().is_multiple_of(2) {
            chunk.words.push(0);
        }
        chunk
    }

    /// Merges coplanar neighbours into quadrilaterals, longest common edge first.
    fn merged(&self) -> Vec<Polygon> {
        let triangles = &self.group.triangles;
        let mut at_edge: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
        for (i, t) in triangles.iter().enumerate() {
            for k in 0..3 {
                let edge = [t[k], t[(k + 1) % 3]].map(|c| self.vertex(c));
                at_edge.entry(edge).or_default().push(i);
            }
        }
        let mut used = vec![false; triangles.len()];
        let mut polygons = Vec::new();
        for (i, t) in triangles.iter().enumerate() {
            if std::mem::replace(&mut used[i], true) {
                continue;
            }
            let mut edges = [0, 1, 2].map(|k| [t[k], t[(k + 1) % 3], t[(k + 2) % 3]]);
            edges.sort_by(|a, b| self.length(b).total_cmp(&self.length(a)));
            let partner = edges.iter().find_map(|[a, b, c]| {
                let others = at_edge.get(&[self.vertex(*b), self.vertex(*a)])?;
                let joined = |j: &usize| Some((*j, self.joined([*a, *b, *c], triangles[*j])?));
                others.iter().filter(|j| !used[**j]).find_map(joined)
            });
            match partner {
                Some((j, quad)) => {
                    used[j] = true;
                    polygons.push(quad);
                }
                None => polygons.push(t.to_vec()),
            }
        }
        polygons
    }

    /// Returns the quadrilateral of a triangle and its neighbour at the edge from its first to its second
    /// corner. `None` if they are not coplanar or the result is concave.
    fn joined(&self, [a, b, c]: [u32; 3], other: [u32; 3]) -> Option<Polygon> {
        let ends = [self.vertex(a), self.vertex(b)];
        let tip = other.into_iter().find(|o| !ends.contains(&self.vertex(*o)))?;
        let normal = self.normal([a, b, c]);
        if angle(normal, self.normal(other)) > FLAT {
            return None;
        }
        let quad = [a, tip, b, c];
        let turns = |k: usize| {
            dot(
                normal,
                self.normal([quad[k], quad[(k + 1) % 4], quad[(k + 2) % 4]]),
            )
        };
        (0..4).all(|k| turns(k) > 0.0).then(|| quad.to_vec())
    }

    fn vertex(&self, corner: u32) -> u32 {
        self.placed.part.corners[corner as usize].vertex
    }

    fn position(&self, corner: u32) -> Vec3 {
        self.placed.part.vertices[self.vertex(corner) as usize].position
    }

    fn length(&self, edge: &[u32; 3]) -> f64 {
        crate::math::length(sub(self.position(edge[0]), self.position(edge[1])))
    }

    fn normal(&self, [a, b, c]: [u32; 3]) -> Vec3 {
        let [a, b, c] = [a, b, c].map(|c| self.position(c));
        cross(sub(b, a), sub(c, a))
    }
}
