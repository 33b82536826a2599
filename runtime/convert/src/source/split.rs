//! Splits meshes with more vertices than the vertex buffer has slots. Each piece gets its own node: a part's
//! vertices must all be in the buffer when it is drawn, and their slots are free afterwards.

use std::collections::HashSet;
use std::rc::Rc;

use super::{Mesh, Node, NodeKind, Scene, mesh::Triangle};
use crate::error::Warnings;
use crate::math::Trs;
use crate::mesh::color;
use crate::skin::SLOTS;

/// Splits meshes without bones. Meshes with bones stay whole: their vertices stay in the buffer until the
/// last bone, even if drawn in parts.
pub(super) fn large_meshes(scene: &mut Scene, warnings: &mut Warnings) {
    for number in 0..scene.meshes.len() {
        let mesh = &scene.meshes[number];
        let influences = mesh.skin.iter().flat_map(|s| &s.influences);
        if influences.into_iter().any(|i| !i.is_empty()) {
            continue;
        }
        let mut pieces = pieces(mesh);
        if pieces.len() < 2 {
            continue;
        }
        let message = format!(
            "more than {SLOTS} vertices: split into {} parts, each with its own node",
            pieces.len()
        );
        warnings.add(format!("mesh {:?}", mesh.name), message);
        let rest = pieces.split_off(1);
        scene.meshes[number].triangles = pieces.remove(0);
        let first = scene.meshes.len();
        for triangles in rest {
            let whole = &scene.meshes[number];
            scene.meshes.push(Mesh {
                number: whole.number,
                name: whole.name.clone(),
                positions: Rc::clone(&whole.positions),
                corners: Rc::clone(&whole.corners),
                triangles,
                // The mesh has no bones.
                skin: None,
                shaped: Rc::clone(&whole.shaped),
            });
        }
        for node in 0..scene.nodes.len() {
            if scene.nodes[node].mesh == Some(number) {
                for mesh in first..scene.meshes.len() {
                    let part = part(&scene.nodes[node], node, mesh, mesh - first + 2);
                    scene.nodes.push(part);
                    let last = scene.nodes.len() - 1;
                    scene.nodes[node].children.push(last);
                }
            }
        }
    }
}

/// Returns the triangles in their order, in groups with few enough vertices.
fn pieces(mesh: &Mesh) -> Vec<Vec<Triangle>> {
    let corners = &mesh.corners;
    // Welding produces at most as many vertices as there are distinct keys.
    let key = |corner: u32| {
        let at = corner as usize;
        let normal = corners
            .normal
            .as_ref()
            .map(|n| n[at].map(|c| (c * 8192.0).round() as i32));
        let color = corners.color.as_ref().map(|c| color(c[at]));
        (corners.vertex[at], normal, color)
    };
    let (mut pieces, mut known) = (vec![Vec::new()], HashSet::new());
    if corners.vertex.len() <= SLOTS {
        return pieces;
    }
    for triangle in &mesh.triangles {
        if known.len() + 3 > SLOTS {
            known.clear();
            pieces.push(Vec::new());
        }
        known.extend(triangle.corners.map(key));
        if let Some(piece) = pieces.last_mut() {
            piece.push(*triangle);
        }
    }
    pieces
}

/// Creates the node of a piece: a child of the mesh's node, without a transform.
fn part(node: &Node, parent: usize, mesh: usize, number: usize) -> Node {
    Node {
        name: format!("{} part {number}", node.name),
        parent: Some(parent),
        children: Vec::new(),
        kind: NodeKind::Plain,
        mesh: Some(mesh),
        rest: Trs::IDENTITY,
        ..node.clone()
    }
}
