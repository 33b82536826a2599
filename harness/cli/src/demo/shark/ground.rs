//! The sand, with a shadow on it.

use super::super::shape::{Grid, Point, Vector, normalised};
use super::base::{OTHERS, SAND, grid_model, model, node, textured};
use ninja::{
    Argb, Blend, Error, FV_CONT, Material, ObjectId, ObjectTree, Plist, PolyChunk, StripFlags, StripKind,
    Vertex, VertexChunk, VertexKind, VolumeChunk, VolumeKind,
};
use std::f32::consts::TAU;

pub(super) fn sand(tree: &mut ObjectTree) -> Result<ObjectId, Error> {
    let side = 30.0;
    let height =
        |x: f32, z: f32| 0.5 * (0.31 * x + 0.4).sin() * (0.23 * z).cos() + 0.16 * (0.9 * x + 0.5 * z).sin();
    let surface = move |u: f32, v: f32| {
        let (x, z) = ((u - 0.5) * side, (v - 0.5) * side);
        [x, height(x, z), z]
    };
    let grid = Grid::sample(25, 25, surface, |_| [0.0, 1.0, 0.0], [6.0, 6.0]);
    let colours = move |p: &Point| {
        let [x, _, z] = p.position;
        let fade = (1.0 - (x * x + z * z).sqrt() / (side * 0.5)).clamp(0.0, 1.0);
        let sun = normalised([-1.0, 2.0, 2.0]);
        let light = 0.35 + 0.65 * (0..3).map(|k| sun[k] * p.normal[k]).sum::<f32>().max(0.0);
        // The sand is opaque, because modifier volumes shade only opaque polygons. Towards its edge the sand
        // takes the water's colour.
        let near = (fade * 2.2).min(1.0);
        let channel = |c: f32, far: f32| (c * light * near + far * (1.0 - near)).min(255.0) as u32;
        Argb(0xFF00_0000 | channel(235.0, 14.0) << 16 | channel(245.0, 82.0) << 8 | channel(255.0, 150.0))
    };
    let state = textured(
        SAND,
        Material {
            blend: Blend::ALPHA,
            diffuse: Some(Argb(0xFFFF_FFFF)),
            ..Material::default()
        },
    );
    let style = (StripKind::CsUvh, StripFlags::IGNORE_LIGHT);
    let model = grid_model(tree, &grid, VertexKind::CvD8, colours, state.into(), style)?;
    Ok(node(tree, Some(model), [0.0, -5.2, 0.0], [0.0; 3]))
}

/// Adds a modifier volume below the shark, from inside its body through the sand, along the light.
pub(super) fn shadow(tree: &mut ObjectTree) -> Result<ObjectId, Error> {
    const SIDES: u16 = 20;
    let ring = |height: f32, by: Vector| {
        (0..SIDES).map(move |i| {
            let (sin, cos) = (f32::from(i) / f32::from(SIDES) * TAU).sin_cos();
            // The volume is wider in front than in the back, like the shark.
            let width = 1.5 + 0.6 * cos;
            [by[0] + width * sin, height + by[1], by[2] + 6.2 * cos - 0.6]
        })
    };
    let vertices: Vec<Vertex> = ring(-0.3, [0.0; 3])
        .chain(ring(-8.0, [2.4, 0.0, -3.0]))
        .map(|position| Vertex {
            position,
            ..Vertex::default()
        })
        .collect();
    let chunk = VertexChunk::build(VertexKind::Cv, FV_CONT, OTHERS, &vertices)?;
    let at = |i: u16| OTHERS + i;
    let mut triangles = Vec::new();
    for i in 0..SIDES {
        let next = (i + 1) % SIDES;
        triangles.push([at(i), at(next), at(SIDES + i)]);
        triangles.push([at(next), at(SIDES + next), at(SIDES + i)]);
        if i > 0 && next > 0 {
            triangles.push([at(0), at(next), at(i)]);
            triangles.push([at(SIDES), at(SIDES + i), at(SIDES + next)]);
        }
    }
    let triangles: Vec<&[u16]> = triangles.iter().map(|triangle| &triangle[..]).collect();
    let volume = VolumeChunk::build(VolumeKind::P3, 0, &triangles)?;
    let plist = Plist::aligned(vec![PolyChunk::Volume(volume)]);
    let model = model(tree, vec![chunk], Some(plist));
    Ok(node(tree, Some(model), [0.0; 3], [0.0; 3]))
}
