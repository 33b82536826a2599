//! Fins and eyes.

use super::super::shape::{Grid, Point, Vector};
use super::base::{SKIN, grid_model, node, plain, textured};
use super::body::skin_material;
use ninja::{Argb, Error, ObjectId, ObjectTree, StripFlags, StripKind, VertexKind};
use std::f32::consts::TAU;

/// Returns a blade on the x-z plane: `chord` long at the root, `height` high, its tip `sweep` further back.
/// The swept edges are curved; both sides are one closed grid.
fn blade(chord: f32, height: f32, sweep: f32, thickness: f32) -> Grid {
    let surface = move |u: f32, v: f32| {
        let taper = (1.0 - u).powf(0.8) * 0.94 + 0.06;
        let angle = v * TAU;
        let along = angle.cos() * 0.5;
        [
            angle.sin() * thickness * taper * (0.3 - along).max(0.05),
            u * height,
            along * chord * taper - sweep * u.powf(1.3),
        ]
    };
    Grid::sample(9, 13, surface, move |p| [p[0], 0.0, 0.02 * p[2]], [0.4, 0.35])
}

fn fin(tree: &mut ObjectTree, grid: &Grid, pos: Vector, degrees: Vector) -> Result<ObjectId, Error> {
    let style = (StripKind::CsUvn, StripFlags::DOUBLE_SIDE);
    let model = grid_model(
        tree,
        grid,
        VertexKind::CvVn,
        |_| Argb(0),
        textured(SKIN, skin_material()).into(),
        style,
    )?;
    Ok(node(tree, Some(model), pos, degrees))
}

pub(super) fn fins(tree: &mut ObjectTree) -> Result<Vec<ObjectId>, Error> {
    let dorsal = blade(2.7, 2.3, 1.5, 0.5);
    let pectoral = blade(1.9, 3.6, 1.9, 0.45);
    let second = blade(0.8, 0.6, 0.5, 0.25);
    Ok(vec![
        fin(tree, &dorsal, [0.0, 1.25, 1.4], [0.0; 3])?,
        fin(tree, &pectoral, [0.95, -0.62, 3.4], [0.0, 0.0, -112.0])?,
        fin(tree, &pectoral, [-0.95, -0.62, 3.4], [0.0, 0.0, 112.0])?,
        fin(tree, &second, [0.0, -0.5, -2.0], [0.0, 0.0, 180.0])?,
    ])
}

pub(super) fn caudal(tree: &mut ObjectTree) -> Result<Vec<ObjectId>, Error> {
    let (upper, lower) = (blade(1.5, 3.1, 2.2, 0.35), blade(1.3, 2.0, 1.5, 0.35));
    let at = [0.0, 0.36, -2.2];
    Ok(vec![
        fin(tree, &upper, at, [-14.0, 0.0, 0.0])?,
        fin(tree, &lower, at, [14.0, 0.0, 180.0])?,
    ])
}

pub(super) fn eyes(tree: &mut ObjectTree) -> Result<Vec<ObjectId>, Error> {
    let ball = |u: f32, v: f32| {
        let (ring, turn) = ((u * TAU / 2.0).sin_cos(), (v * TAU).sin_cos());
        [0.1 * ring.1, 0.15 * ring.0 * turn.1, 0.15 * ring.0 * turn.0]
    };
    let grid = Grid::sample(9, 11, ball, |p| p, [1.0, 1.0]);
    // The eyes are dark with a light rim and a highlight at the top. Their vertex colours are unlit.
    let colours = |p: &Point| {
        let [x, y, _] = p.normal;
        let rim = ((1.0 - x.abs()) * 150.0) as u32;
        let light = if y > 0.4 && x.abs() > 0.55 { 200 } else { rim + 12 };
        Argb(0xFF00_0000 | light << 16 | light << 8 | (light + 20).min(255))
    };
    let mut nodes = Vec::new();
    for side in [1.0, -1.0] {
        let style = (StripKind::Cs, StripFlags::IGNORE_LIGHT);
        let model = grid_model(
            tree,
            &grid,
            VertexKind::CvD8,
            colours,
            vec![plain(0xFFFF_FFFF)],
            style,
        )?;
        nodes.push(node(
            tree,
            Some(model),
            [side * 0.93, 0.28, 6.9],
            [0.0, side * 24.0, 0.0],
        ));
    }
    Ok(nodes)
}
