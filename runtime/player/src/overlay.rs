//! Normals and weights of a scene, as lines and points on the screen.

use crate::error::Result;
use crate::wireframe::Edge;
use ninja::ObjectId;
use scene::{Geometry, Kernels, Object, Scene, View};
use sh4_kernels::Matrix;

/// Projection of points onto the screen.
pub struct Projection<'a> {
    view: &'a View,
}

impl<'a> Projection<'a> {
    /// Returns the projection of a view.
    #[must_use]
    pub fn new(view: &'a View) -> Self {
        Self { view }
    }

    /// Returns the position in pixels, and the pixels per unit at that depth; `None` in front of the near
    /// plane. `matrix` leads to view space.
    #[must_use]
    pub fn point(&self, matrix: &Matrix, [x, y, z]: [f32; 3]) -> Option<([f32; 2], f32)> {
        let row = |k: usize| matrix[0][k] * x + matrix[1][k] * y + matrix[2][k] * z + matrix[3][k];
        let [scale_x, scale_y, centre_x, centre_y] = self.view.viewport.words;
        let depth = -row(2);
        (depth > self.view.viewport.near.max(1.0e-6)).then(|| {
            let at = [
                centre_x + scale_x * row(0) / depth,
                centre_y + scale_y * row(1) / depth,
            ];
            (at, scale_x.abs() / depth)
        })
    }
}

/// Returns the normals of a scene's vertices as lines. Weighted vertices have no position in one node, so
/// they are left out.
///
/// # Errors
/// If a kernel fails.
pub fn normals(scene: &Scene, kernels: &mut dyn Kernels) -> Result<Vec<Edge>> {
    let projection = Projection::new(&scene.view);
    let mut lines = Vec::new();
    for object in &scene.objects {
        let matrices = object.matrices(&scene.view, kernels)?;
        for (node, matrix) in object.tree().objects.iter().zip(&matrices) {
            let model = node.model.and_then(|model| object.tree().model(model));
            if let (Some(model), Some(matrix)) = (model, matrix) {
                add_normals(&mut lines, &projection, object, model, matrix);
            }
        }
    }
    Ok(lines)
}

fn add_normals(
    lines: &mut Vec<Edge>,
    projection: &Projection<'_>,
    object: &Object,
    model: &ninja::Model,
    matrix: &Matrix,
) {
    let vlist = model.vlist.and_then(|vlist| object.tree().vlist(vlist));
    let chunks = vlist.into_iter().flat_map(|vlist| &vlist.chunks);
    let length = model.radius * 0.08;
    for chunk in chunks.filter(|chunk| chunk.weight_status().is_none()) {
        for i in 0..usize::from(chunk.count) {
            let Some(normal) = chunk.normal(i) else { continue };
            let from = chunk.position(i);
            let to = [0, 1, 2].map(|k| from[k] + normal[k] * length);
            let ends = [from, to].map(|point| projection.point(matrix, point));
            if let [Some((from, _)), Some((to, _))] = ends {
                lines.push([from, to]);
            }
        }
    }
}

/// Returns the vertices that a node of an object moves: position on the screen, and weight from 0 to 1.
///
/// # Errors
/// If the object cannot be drawn, or a kernel fails.
pub fn weights(
    view: &View,
    object: &Object,
    node: ObjectId,
    kernels: &mut dyn Kernels,
) -> Result<Vec<([f32; 2], f32)>> {
    let Some((pose, shapes)) = object.evaluate(kernels)? else {
        return Ok(Vec::new());
    };
    let tree = object.tree();
    let geometry = Geometry::gather(tree, &pose, &shapes, kernels)?;
    let points = geometry.place(tree, &pose, &shapes, kernels)?;
    let weights = geometry.weights(tree, &pose, &shapes, node)?;
    let (camera, projection) = (view.camera.view(kernels)?, Projection::new(view));
    let weighted = points.iter().zip(weights).filter(|(_, weight)| *weight != 0.0);
    let projected = weighted.filter_map(|(point, weight)| {
        let (at, _) = projection.point(&camera, *point)?;
        Some((at, weight))
    });
    Ok(projected.collect())
}
