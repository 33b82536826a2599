//! Meshes from faces: triangles and normals.

use super::ears::{self, StepBudget};
use super::text::{Shape, Text};
use super::wrong;
use crate::error::{Error, Warnings};
use crate::limits::FACE_STEPS;
use crate::math::{Vec3, cross, dot, normalized, sub};
use crate::source::mesh::{Corners, Triangle, keep_finite};
use crate::source::{Mesh, obj};
use std::rc::Rc;

/// Builds the mesh of a shape. `steps` remain for dividing its faces.
pub(super) fn mesh(
    number: usize,
    shape: &Shape,
    text: &Text,
    steps: &mut StepBudget,
    warnings: &mut Warnings,
) -> Result<Mesh, Error> {
    let place = format!("mesh {:?}", shape.name);
    // The shape's positions, from the first to the last that it uses.
    let used = || shape.corners.iter().filter_map(|corner| corner[0]);
    let first = used().min().unwrap_or(0);
    let end = used().max().map_or(0, |last| last + 1);
    let positions = text.positions[first..end].to_vec();
    let vertices: Vec<u32> = used().map(|vertex| (vertex - first) as u32).collect();
    let at = |corner: usize| positions[vertices[corner] as usize];
    let mut triangles = Vec::new();
    for face in &shape.faces {
        let polygon: Vec<Vec3> = (face.first..face.first + face.count).map(at).collect();
        let Some(divided) = triangulated(&polygon, steps) else {
            let found = format!("a face of {} corners", face.count);
            let expected = format!("faces that are divided into triangles in {FACE_STEPS} steps");
            return Err(wrong(face.line, found, &expected));
        };
        triangles.extend(divided.into_iter().map(|corners| Triangle {
            corners: corners.map(|corner| (face.first + corner) as u32),
            material: face.material,
        }));
    }
    let has = |k: usize| shape.corners.iter().any(|corner| corner[k].is_some());
    let normals = stated(shape, text);
    obj::report_missing(&normals, &place, warnings);
    let faces = shape.faces.iter();
    let faces: Vec<_> = faces
        .map(|face| (face.first..face.first + face.count, face.smooth))
        .collect();
    let corners = Corners {
        normal: Some(obj::complete_normals(normals, &faces, &vertices, &positions)),
        uv: has(1).then(|| {
            let uv = |corner: &[Option<usize>; 3]| corner[1].map_or([0.0; 2], |index| text.uvs[index]);
            shape.corners.iter().map(uv).collect()
        }),
        color: (!text.colors.is_empty()).then(|| used().map(|vertex| text.colors[vertex]).collect()),
        uv2: None,
        vertex: vertices,
    };
    let triangles = keep_finite(triangles, &corners, &positions, &place, warnings);
    Ok(Mesh {
        number,
        name: shape.name.clone(),
        positions: Rc::new(positions),
        corners: Rc::new(corners),
        triangles,
        skin: None,
        shaped: Rc::default(),
    })
}

/// Returns the file's normals by corner; `None` for corners without one, or with zeros.
fn stated(shape: &Shape, text: &Text) -> Vec<Option<Vec3>> {
    let normal = |corner: &[Option<usize>; 3]| normalized(text.normals[corner[2]?]);
    shape.corners.iter().map(normal).collect()
}

/// Divides a polygon into triangles, as indices of its corners. Returns `None` without remaining steps.
fn triangulated(polygon: &[Vec3], steps: &mut StepBudget) -> Option<Vec<[usize; 3]>> {
    match polygon {
        [_, _, _] => Some(vec![[0, 1, 2]]),
        [a, b, c, d] => Some(quadrilateral([*a, *b, *c, *d]).to_vec()),
        _ => ears::cut(polygon, steps),
    }
}

/// Divides at the shorter diagonal, unless its triangles face different directions.
fn quadrilateral([a, b, c, d]: [Vec3; 4]) -> [[usize; 3]; 2] {
    let unit = |p, q| normalized(cross(p, q)).unwrap_or_default();
    let (first, second) = (sub(c, a), sub(d, b));
    let agree_first = dot(unit(sub(b, a), first), unit(first, sub(d, a)));
    let agree_second = dot(unit(sub(c, b), second), unit(second, sub(a, b)));
    let at_first = match agree_first < 0.0 || agree_second < 0.0 {
        true => agree_first >= agree_second,
        false => dot(first, first) <= dot(second, second),
    };
    match at_first {
        true => [[0, 1, 2], [2, 3, 0]],
        false => [[1, 2, 3], [3, 0, 1]],
    }
}
