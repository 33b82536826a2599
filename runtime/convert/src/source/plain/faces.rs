//! Meshes from faces: triangles and normals.

use super::text::{Face, Shape, Text};
use crate::error::Warnings;
use crate::math::{Vec3, add, cross, dot, normalized, sub};
use crate::source::Mesh;
use crate::source::mesh::{Corners, Triangle, keep_finite};
use std::rc::Rc;

pub(super) fn mesh(number: usize, shape: &Shape, text: &Text, warnings: &mut Warnings) -> Mesh {
    let place = format!("mesh {:?}", shape.name);
    // The shape's positions, from the first to the last that it uses.
    let used = || shape.corners.iter().filter_map(|corner| corner[0]);
    let first = used().min().unwrap_or(0);
    let end = used().max().map_or(0, |last| last + 1);
    let positions = text.positions[first..end].to_vec();
    let vertices: Vec<u32> = used().map(|vertex| (vertex - first) as u32).collect();
    let at = |corner: usize| positions[vertices[corner] as usize];
    let triangles = shape.faces.iter().flat_map(|face| {
        let polygon: Vec<Vec3> = (face.first..face.first + face.count).map(at).collect();
        let corners = triangulated(&polygon).into_iter();
        corners.map(move |corners| Triangle {
            corners: corners.map(|corner| (face.first + corner) as u32),
            material: face.material,
        })
    });
    let triangles: Vec<Triangle> = triangles.collect();
    let has = |k: usize| shape.corners.iter().any(|corner| corner[k].is_some());
    let corners = Corners {
        normal: Some(match has(2) {
            true => stated(shape, text),
            false => computed(&shape.faces, &vertices, &positions),
        }),
        uv: has(1).then(|| {
            let uv = |corner: &[Option<usize>; 3]| corner[1].map_or([0.0; 2], |index| text.uvs[index]);
            shape.corners.iter().map(uv).collect()
        }),
        color: (!text.colors.is_empty()).then(|| used().map(|vertex| text.colors[vertex]).collect()),
        uv2: None,
        vertex: vertices,
    };
    let triangles = keep_finite(triangles, &corners, &positions, &place, warnings);
    Mesh {
        number,
        name: shape.name.clone(),
        positions: Rc::new(positions),
        corners: Rc::new(corners),
        triangles,
        skin: None,
        shaped: Rc::default(),
    }
}

/// Returns the file's normals by corner.
fn stated(shape: &Shape, text: &Text) -> Vec<Vec3> {
    let normal = |corner: &[Option<usize>; 3]| {
        let own = corner[2].and_then(|index| normalized(text.normals[index]));
        own.unwrap_or_default()
    };
    shape.corners.iter().map(normal).collect()
}

/// Returns normals by corner: of the face, or the mean of the smooth faces at the vertex, weighted by area.
fn computed(faces: &[Face], vertices: &[u32], positions: &[Vec3]) -> Vec<Vec3> {
    let area = |face: &Face| {
        let at = |n: usize| positions[vertices[face.first + n] as usize];
        (1..face.count - 1).fold([0.0; 3], |sum, n| {
            add(sum, cross(sub(at(n), at(0)), sub(at(n + 1), at(0))))
        })
    };
    let mut sums = vec![[0.0; 3]; positions.len()];
    for face in faces.iter().filter(|face| face.smooth) {
        for vertex in &vertices[face.first..face.first + face.count] {
            sums[*vertex as usize] = add(sums[*vertex as usize], area(face));
        }
    }
    let mut normals = vec![[0.0; 3]; vertices.len()];
    for face in faces {
        let own = area(face);
        for corner in face.first..face.first + face.count {
            let sum = if face.smooth {
                sums[vertices[corner] as usize]
            } else {
                own
            };
            normals[corner] = normalized(sum).unwrap_or_default();
        }
    }
    normals
}

/// Divides a polygon into triangles, as indices of its corners.
fn triangulated(polygon: &[Vec3]) -> Vec<[usize; 3]> {
    match polygon {
        [_, _, _] => vec![[0, 1, 2]],
        [a, b, c, d] => quadrilateral([*a, *b, *c, *d]).to_vec(),
        _ => ears(polygon),
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

/// Cuts off corners without another corner inside.
fn ears(polygon: &[Vec3]) -> Vec<[usize; 3]> {
    let origin = polygon[0];
    let normal = polygon.windows(2).fold([0.0; 3], |sum, pair| {
        add(sum, cross(sub(pair[0], origin), sub(pair[1], origin)))
    });
    let side = |a: usize, b: usize, c: usize| {
        let [a, b, c] = [a, b, c].map(|n| polygon[n]);
        dot(cross(sub(b, a), sub(c, a)), normal)
    };
    let mut left: Vec<usize> = (0..polygon.len()).collect();
    let mut triangles = Vec::new();
    while left.len() > 3 {
        let count = left.len();
        let corner = |n: usize| [left[(n + count - 1) % count], left[n], left[(n + 1) % count]];
        let is_ear = |n: &usize| {
            let [a, b, c] = corner(*n);
            let holds = |p: usize| side(a, b, p) >= 0.0 && side(b, c, p) >= 0.0 && side(c, a, p) >= 0.0;
            side(a, b, c) > 0.0 && !left.iter().any(|p| ![a, b, c].contains(p) && holds(*p))
        };
        // A polygon that crosses itself can have no ear.
        let ear = (0..count).find(is_ear).unwrap_or(1);
        triangles.push(corner(ear));
        left.remove(ear);
    }
    triangles.push([left[0], left[1], left[2]]);
    triangles
}
