//! Normals by corner.

use foldhash::{HashMap, HashMapExt};

use crate::error::Warnings;
use crate::math::{Vec3, add, cross, dot, finite, normalized, sub};
use crate::options::Normals;
use crate::source::Mesh;

/// Returns a unit normal for each corner.
///
/// Materials with `flat` get smooth normals too. The chip shades each flat triangle from one corner, and
/// shared vertices make longer strips.
pub(super) fn corner_normals(
    mesh: &Mesh,
    policy: Normals,
    flat: impl Fn(u32) -> bool,
    warnings: &mut Warnings,
) -> Vec<Vec3> {
    let (Some(given), Normals::Keep) = (&mesh.corners.normal, policy) else {
        return smooth(mesh);
    };
    let mut normals = repaired(mesh, given, warnings);
    let flat: Vec<_> = mesh.triangles.iter().filter(|t| flat(t.material)).collect();
    if !flat.is_empty() {
        let smooth = smooth(mesh);
        for corner in flat.iter().flat_map(|t| t.corners) {
            normals[corner as usize] = smooth[corner as usize];
        }
    }
    normals
}

/// Returns the given normals. A normal without direction is replaced by its triangle's.
fn repaired(mesh: &Mesh, given: &[Vec3], warnings: &mut Warnings) -> Vec<Vec3> {
    let mut normals: Vec<Option<Vec3>> = given
        .iter()
        .map(|n| normalized(*n).filter(|n| finite(*n)))
        .collect();
    let mut lost = 0;
    for triangle in &mesh.triangles {
        for corner in triangle.corners.map(|c| c as usize) {
            if normals[corner].is_none() {
                normals[corner] = Some(super::direction(face(mesh, triangle.corners)));
                lost += 1;
            }
        }
    }
    if lost > 0 {
        let place = format!("mesh {:?}", mesh.name);
        warnings.add(
            place,
            format!("{lost} normals without direction replaced by the normals of their triangles"),
        );
    }
    normals
        .into_iter()
        .map(|n| n.unwrap_or([0.0, 1.0, 0.0]))
        .collect()
}

/// Returns the mean normal of all triangles at a position, weighted by their angles there.
fn smooth(mesh: &Mesh) -> Vec<Vec3> {
    let key = |corner: u32| {
        let p = mesh.positions[mesh.corners.vertex[corner as usize] as usize];
        p.map(|c| (c as f32 + 0.0).to_bits())
    };
    let mut sums: HashMap<[u32; 3], Vec3> = HashMap::new();
    for triangle in &mesh.triangles {
        let Some(normal) = normalized(face(mesh, triangle.corners)) else {
            continue;
        };
        for k in 0..3 {
            let angle = angle(mesh, [0, 1, 2].map(|i| triangle.corners[(k + i) % 3]));
            let sum = sums.entry(key(triangle.corners[k])).or_default();
            *sum = add(*sum, normal.map(|c| c * angle));
        }
    }
    let mut normals = vec![[0.0, 1.0, 0.0]; mesh.corners.vertex.len()];
    for corner in mesh.triangles.iter().flat_map(|t| t.corners) {
        let sum = sums.get(&key(corner)).copied().unwrap_or_default();
        normals[corner as usize] = super::direction(sum);
    }
    normals
}

fn position(mesh: &Mesh, corner: u32) -> Vec3 {
    mesh.positions[mesh.corners.vertex[corner as usize] as usize]
}

/// Returns the normal of a triangle.
fn face(mesh: &Mesh, corners: [u32; 3]) -> Vec3 {
    let [a, b, c] = corners.map(|c| position(mesh, c));
    cross(sub(b, a), sub(c, a))
}

/// Returns the angle at the first corner.
fn angle(mesh: &Mesh, corners: [u32; 3]) -> f64 {
    let [a, b, c] = corners.map(|c| position(mesh, c));
    match (normalized(sub(b, a)), normalized(sub(c, a))) {
        (Some(u), Some(v)) => dot(u, v).clamp(-1.0, 1.0).acos(),
        _ => 0.0,
    }
}
