//! Overlays for the picture: edges of triangles, bounding spheres, normals, the node tree, statistics.

use super::canvas::Canvas;
use super::state::State;
use crate::info::{node, texture_text};
use anyhow::Result;
use ninja::ObjectTree;
use player::TextureSet;
use player::overlay::{self, Projection};
use scene::Scene;
use sh4_kernels::{Kernels, Matrix};

const EDGE: u32 = 0x0060_FF90;
const SPHERE: u32 = 0x00FF_C040;
const NORMAL: u32 = 0x0060_C0FF;
const CHOSEN: u32 = 0x00FF_E060;
const DIM: u32 = 0x0090_9090;

/// Draws the edges of every triangle that the tile accelerator received.
pub(super) fn wireframe(canvas: &mut Canvas, blocks: &[[u32; 8]]) {
    for [from, to] in player::wireframe::edges(blocks) {
        canvas.line(from, to, EDGE);
    }
}

/// Draws spheres and normals of every node.
pub(super) fn nodes(
    canvas: &mut Canvas,
    state: &State,
    scene: &Scene,
    kernels: &mut dyn Kernels,
) -> Result<()> {
    if state.spheres {
        spheres(canvas, scene, kernels)?;
    }
    if state.normals {
        for [from, to] in overlay::normals(scene, kernels)? {
            canvas.line(from, to, NORMAL);
        }
    }
    Ok(())
}

fn spheres(canvas: &mut Canvas, scene: &Scene, kernels: &mut dyn Kernels) -> Result<()> {
    let projection = Projection::new(&scene.view);
    for object in &scene.objects {
        let matrices = object.matrices(&scene.view, kernels)?;
        for (node, matrix) in object.tree().objects.iter().zip(&matrices) {
            let model = node.model.and_then(|model| object.tree().model(model));
            if let (Some(model), Some(matrix)) = (model, matrix)
                && let Some((at, unit)) = projection.point(matrix, model.center)
            {
                canvas.circle(at, model.radius * size(matrix) * unit, SPHERE);
            }
        }
    }
    Ok(())
}

/// Returns the longest side of a transformed unit cube.
fn size(matrix: &Matrix) -> f32 {
    let length = |column: &[f32; 4]| column[..3].iter().map(|c| c * c).sum::<f32>().sqrt();
    matrix[..3].iter().map(length).fold(0.0, f32::max)
}

/// Width in letters of the lists at the left edge. Lines at the right edge are wrapped before them.
const LIST: usize = 30;

/// Draws lines at the right edge, wrapped before they meet the lists.
pub(super) fn details(canvas: &mut Canvas, row: usize, lines: &[String]) {
    let wide = canvas.columns().saturating_sub(LIST).max(20);
    let broken: Vec<String> = lines
        .iter()
        .flat_map(|line| {
            let letters: Vec<char> = line.chars().collect();
            let parts = letters.chunks(wide).map(|part| part.iter().collect());
            parts.collect::<Vec<String>>()
        })
        .collect();
    let room = (canvas.height() / canvas.leading())
        .saturating_sub(row + 4)
        .max(1);
    let mut shown: Vec<String> = broken.iter().take(room).cloned().collect();
    if broken.len() > room {
        shown.push(format!("{} lines more", broken.len() - room));
    }
    canvas.right(8 + row * canvas.leading(), &shown);
}

/// Draws the list of textures and marks the chosen one. Returns lines that describe the chosen texture.
pub(super) fn textures(canvas: &mut Canvas, state: &State, set: &TextureSet) -> Vec<String> {
    let name = |index: usize| set.names.get(index).map_or("", String::as_str);
    let room = (canvas.height() / canvas.leading()).saturating_sub(4).max(1);
    let count = set.textures.len();
    let first = state
        .texture
        .saturating_sub(room / 2)
        .min(count.saturating_sub(room));
    for (row, index) in (first..count).take(room).enumerate() {
        let colour = if index == state.texture {
            CHOSEN
        } else {
            0x00FF_FFFF
        };
        let text: String = format!("{index} {}", name(index)).chars().take(LIST).collect();
        canvas.text(8, 8 + row * canvas.leading(), &text, colour);
    }
    let chosen = match set.textures.get(state.texture) {
        None => "no textures".to_owned(),
        Some(None) => "missing: a checker is drawn".to_owned(),
        Some(Some(texture)) => format!("PVRT {}", texture_text(texture)),
    };
    vec![
        format!("texture {}: {}", state.texture, name(state.texture)),
        chosen,
    ]
}

/// Returns lines that describe the chosen node and its chunks.
pub(super) fn chunks(state: &State, trees: &[&ObjectTree]) -> Vec<String> {
    let mut nodes = trees
        .iter()
        .flat_map(|tree| tree.walk().map(move |(id, _, node)| (tree, id, node)));
    let lines = nodes
        .nth(state.chosen)
        .map(|(tree, id, object)| node(tree, id, object));
    let lines = lines.into_iter().flatten();
    lines.map(|(line, _)| line).collect()
}

/// Draws the nodes around the chosen one, in drawing order.
pub(super) fn tree(canvas: &mut Canvas, state: &State, trees: &[&ObjectTree]) {
    let nodes: Vec<String> = trees
        .iter()
        .flat_map(|tree| {
            tree.walk().map(|(id, depth, node)| {
                let indent = " ".repeat(depth.min(12));
                let model = if node.model.is_some() { " model" } else { "" };
                format!("{indent}{}{model}", id.index())
            })
        })
        .collect();
    let room = (canvas.height() / canvas.leading()).saturating_sub(4).max(1);
    let first = state
        .chosen
        .saturating_sub(room / 2)
        .min(nodes.len().saturating_sub(room));
    for (row, (i, node)) in nodes.iter().enumerate().skip(first).take(room).enumerate() {
        let hidden = state.hidden.get(i).copied().unwrap_or(false);
        let text = if hidden {
            format!("{node} hidden")
        } else {
            node.clone()
        };
        let colour = match (i == state.chosen, hidden) {
            (true, _) => CHOSEN,
            (false, true) => DIM,
            (false, false) => 0x00FF_FFFF,
        };
        canvas.text(8, 8 + row * canvas.leading(), &text, colour);
    }
}
