//! Positions of a part's shape vertices at one time, each in the space of its node.

use crate::emit::Placed;
use crate::math::{Affine, Vec3, length, normalized, sub};
use crate::mesh::direction;
use crate::skin::{ChunkVertex, Class, Contribution};
use crate::source::Frame;

/// Positions and normals of all shape vertices of a part, each in the space of its node.
#[derive(Clone)]
pub(super) struct Pose {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
}

pub(super) fn near(a: &[Vec3], b: &[Vec3], tolerance: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| length(sub(*a, *b)) <= tolerance)
}

/// Returns the shape vertices of a part in the order of their chunks.
fn shape_vertices(placed: &Placed) -> impl Iterator<Item = (&Contribution, &ChunkVertex)> {
    let shapes = placed
        .placement
        .contributions
        .iter()
        .filter(|c| c.class == Class::Shape);
    shapes.flat_map(|c| c.vertices.iter().map(move |entry| (c, entry)))
}

pub(super) fn rest_pose(placed: &Placed) -> Pose {
    let mut pose = Pose {
        positions: Vec::new(),
        normals: Vec::new(),
    };
    for (contribution, entry) in shape_vertices(placed) {
        pose.positions.push(entry.position);
        let normal = placed.part.vertices[entry.vertex as usize].normal;
        pose.normals.push(direction(contribution.to_node.normal(normal)));
    }
    pose
}

/// A mesh of a node at one time.
pub(super) struct SourceMesh {
    /// Node and mesh in the file.
    pub(super) in_file: (usize, usize),
    vertices: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl SourceMesh {
    pub(super) fn new(in_file: (usize, usize), frame: &Frame) -> Self {
        let (node, mesh) = in_file;
        Self {
            in_file,
            vertices: frame.vertices(node, mesh),
            normals: frame.normals(node, mesh),
        }
    }
}

pub(super) fn pose(placed: &Placed, source: &SourceMesh, worlds: &[Affine]) -> Pose {
    let (vertices, normals) = (&source.vertices, &source.normals);
    let mut pose = rest_pose(placed);
    let mut inverse: Option<(usize, Option<Affine>)> = None;
    for (i, (contribution, entry)) in shape_vertices(placed).enumerate() {
        let node = contribution.node;
        if inverse.is_none_or(|(n, _)| n != node) {
            inverse = Some((node, worlds[node].inverse()));
        }
        let Some((_, Some(to_node))) = inverse else {
            continue;
        };
        let vertex = &placed.part.vertices[entry.vertex as usize];
        if let Some(p) = vertices.get(vertex.source as usize) {
            pose.positions[i] = to_node.point(*p);
        }
        let normal = normals
            .get(vertex.corner as usize)
            .and_then(|n| normalized(to_node.normal(*n)));
        pose.normals[i] = normal.unwrap_or(pose.normals[i]);
    }
    pose
}
