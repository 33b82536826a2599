//! Meshes: positions, triangles, attributes of corners, skins.

use std::rc::Rc;

use crate::error::Warnings;
use crate::math::{Affine, Vec3, finite};

/// A triangle, counter-clockwise from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Triangle {
    /// Indices into [`Corners`].
    pub(crate) corners: [u32; 3],
    /// Material number of the node.
    pub(crate) material: u32,
}

/// Attributes of each corner.
#[derive(Debug, Clone, Default)]
pub(crate) struct Corners {
    pub(crate) vertex: Vec<u32>,
    pub(crate) normal: Option<Vec<Vec3>>,
    /// Texture coordinates, with v upwards.
    pub(crate) uv: Option<Vec<[f64; 2]>>,
    /// Second set of texture coordinates, with v upwards.
    pub(crate) uv2: Option<Vec<[f64; 2]>>,
    /// Red, green, blue and alpha from 0 to 1.
    pub(crate) color: Option<Vec<[f64; 4]>>,
}

/// A mesh in its own space.
#[derive(Debug, Clone)]
pub(crate) struct Mesh {
    /// Number in the file.
    pub(crate) number: usize,
    pub(crate) name: String,
    /// Positions by vertex, shared by all parts of a split mesh.
    pub(crate) positions: Rc<Vec<Vec3>>,
    pub(crate) corners: Rc<Corners>,
    /// Triangles with finite positions.
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) skin: Option<Skin>,
    /// Set by vertex if a blend shape moves it. Empty without shapes.
    pub(crate) shaped: Rc<Vec<bool>>,
}

/// Bones of a mesh, and their weights by vertex.
#[derive(Debug, Clone)]
pub(crate) struct Skin {
    pub(crate) clusters: Vec<Cluster>,
    /// Clusters with positive weights, by vertex. Empty for vertices without bones.
    pub(crate) influences: Vec<Vec<(usize, f64)>>,
}

/// A bone of a skin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cluster {
    pub(crate) node: usize,
    /// Map from the mesh's space to the bone's.
    pub(crate) to_bone: Affine,
}

/// Removes triangles with positions that are not finite.
pub(super) fn keep_finite(
    mut triangles: Vec<Triangle>,
    corners: &Corners,
    positions: &[Vec3],
    place: &str,
    warnings: &mut Warnings,
) -> Vec<Triangle> {
    let before = triangles.len();
    let sound = |corner: u32| {
        let vertex = corners.vertex.get(corner as usize);
        vertex
            .and_then(|v| positions.get(*v as usize))
            .is_some_and(|p| finite(*p))
    };
    triangles.retain(|t| t.corners.iter().all(|c| sound(*c)));
    if triangles.len() < before {
        let lost = before - triangles.len();
        warnings.add(
            place,
            format!("{lost} triangles left out: their positions are not finite numbers"),
        );
    }
    triangles
}
