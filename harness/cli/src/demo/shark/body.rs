//! The body: its shape, and one skin over three nodes.

use super::super::shape::{Grid, Point, Vector, sub};
use super::base::{BLEND, JOINTS, SKIN, model, textured};
use ninja::{
    Argb, Blend, Error, FV_CONT, Material, Model, NinjaFlags, ObjectTree, Plist, PolyChunk, Specular,
    StripChunk, StripFlags, StripKind, Vertex, VertexChunk, VertexKind, Weight,
};
use std::f32::consts::TAU;

/// Returns half width, half height and centre height of the body, at `t` from the nose (0) to the tail (1).
fn section(t: f32) -> (f32, f32, f32) {
    let swell = t.powf(0.52) * (1.0 - 0.94 * t.powf(1.5));
    let width = 2.3 * swell;
    (
        width,
        1.1 * width + 0.06 * t,
        0.35 * t * t - 0.25 * (1.0 - t).powi(6),
    )
}

pub(super) fn body() -> Grid {
    let surface = |u: f32, v: f32| {
        let (width, height, lift) = section(u.max(0.0005));
        let angle = v * TAU;
        // The belly is flatter than the back.
        let y = angle.cos() * height * if angle.cos() < 0.0 { 0.82 } else { 1.0 };
        [angle.sin() * width, y + lift, 9.0 - 17.5 * u]
    };
    let outward = |p: Vector| [p[0], p[1] - 0.1, 0.0];
    Grid::sample(45, 21, surface, outward, [4.0, 1.0])
}

/// Vertices of the body, and for each ring of vertices the weights of the three nodes; their sum is 255.
pub(super) struct Skin<'a> {
    body: &'a Grid,
    weights: Vec<[u16; 3]>,
}

impl<'a> Skin<'a> {
    pub(super) fn of(body: &'a Grid) -> Self {
        let taken = |z: f32, joint: f32| {
            let t = ((joint + BLEND - z) / (2.0 * BLEND)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        let weights = (0..body.rows).map(|ring| {
            let z = body.points[ring * body.columns].position[2];
            let (middle, tail) = (taken(z, JOINTS[1]), taken(z, JOINTS[2]));
            let head = (255.0 * (1.0 - middle)).round() as u16;
            let tail = (255.0 * middle * tail).round() as u16;
            [head, 255 - head - tail, tail]
        });
        Self {
            body,
            weights: weights.collect(),
        }
    }

    /// Returns the model of node `bone`, with vertices in its own space.
    pub(super) fn model(
        &self,
        tree: &mut ObjectTree,
        bone: usize,
        plist: Option<Plist>,
    ) -> Result<Model, Error> {
        let mut chunks = Vec::new();
        let whole: Vec<usize> = (0..self.body.rows)
            .filter(|ring| self.weights[*ring][bone] == 255)
            .collect();
        if let Some(first) = whole.first() {
            let vertices = self.vertices(bone, &whole);
            let offset = (first * self.body.columns) as u16;
            chunks.push(VertexChunk::build(VertexKind::CvVn, FV_CONT, offset, &vertices)?);
        }
        for (status, code) in [(Weight::Start, 0), (Weight::Middle, 1), (Weight::End, 2)] {
            let rings: Vec<usize> = (0..self.body.rows)
                .filter(|ring| self.status(*ring, bone) == Some(status))
                .collect();
            if !rings.is_empty() {
                let vertices = self.vertices(bone, &rings);
                chunks.push(VertexChunk::build(
                    VertexKind::CvVnNf,
                    FV_CONT | code,
                    0,
                    &vertices,
                )?);
            }
        }
        Ok(model(tree, chunks, plist))
    }

    /// Returns a node's weight status for a ring; `None` if the node has no weight there, or all of it.
    fn status(&self, ring: usize, bone: usize) -> Option<Weight> {
        let weights = self.weights[ring];
        let shares = |bones: std::ops::Range<usize>| weights[bones].iter().any(|w| *w > 0);
        match (weights[bone], shares(0..bone), shares(bone + 1..3)) {
            (0 | 255, _, _) => None,
            (_, false, _) => Some(Weight::Start),
            (_, true, true) => Some(Weight::Middle),
            (_, true, false) => Some(Weight::End),
        }
    }

    fn vertices(&self, bone: usize, rings: &[usize]) -> Vec<Vertex> {
        let columns = self.body.columns;
        let slots = rings.iter().flat_map(|ring| ring * columns..(ring + 1) * columns);
        let vertex = |slot: usize| {
            let Point { position, normal, .. } = self.body.points[slot];
            let flags = NinjaFlags {
                index: slot as i16,
                weight: self.weights[slot / columns][bone],
            };
            Vertex {
                position: sub(position, [0.0, 0.0, JOINTS[bone]]),
                normal,
                flags,
                ..Vertex::default()
            }
        };
        slots.map(vertex).collect()
    }
}

pub(super) fn head_plist(body: &Grid) -> Result<Option<Plist>, Error> {
    let mut chunks = vec![PolyChunk::CachePolygons(0)];
    chunks.extend(textured(SKIN, skin_material()));
    chunks.push(PolyChunk::Strip(StripChunk::build(
        StripKind::CsUvn,
        StripFlags::default(),
        &body.strips(0, 256.0),
    )?));
    Ok(Some(Plist::aligned(chunks)))
}

pub(super) fn skin_material() -> Material {
    Material {
        blend: Blend::ALPHA,
        diffuse: Some(Argb(0xFFFF_FFFF)),
        ambient: Some(Argb(0xFF90_A8C0)),
        specular: Some(Specular {
            exponent: 11,
            rgb: [255, 255, 255],
        }),
        ..Material::default()
    }
}
