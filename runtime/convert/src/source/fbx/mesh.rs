//! Meshes of FBX and OBJ files.

use std::rc::Rc;

use super::{affine, index, vec3};
use crate::error::{Error, Warnings, plural};
use crate::limits::FACE_STEPS;
use crate::math::Vec3;
use crate::source::mesh::{Cluster, Corners, Mesh, Skin, Triangle, keep_finite};
use crate::source::obj::{complete_normals, report_missing};

/// Reads a mesh. Normals that an OBJ file lacks are computed. `steps` remain for dividing faces into
/// triangles.
pub(super) fn mesh(
    mesh: &ufbx::Mesh,
    is_obj: bool,
    steps: &mut u64,
    warnings: &mut Warnings,
) -> Result<Mesh, Error> {
    let place = format!("mesh {:?}", mesh_name(mesh));
    let positions = positions(mesh);
    let corners = corners(mesh, &positions, is_obj, &place, warnings);
    let triangles = triangles(mesh, &place, steps, warnings)?;
    let triangles = keep_finite(triangles, &corners, &positions, &place, warnings);
    Ok(Mesh {
        number: index(&mesh.element),
        name: mesh_name(mesh),
        shaped: Rc::new(shaped(mesh)),
        skin: skin(mesh, &place, warnings),
        positions: Rc::new(positions),
        corners: Rc::new(corners),
        triangles,
    })
}

/// Returns the positions, with the blend shapes that are active at rest.
fn positions(mesh: &ufbx::Mesh) -> Vec<Vec3> {
    let mut positions = mesh.vertices.to_vec();
    for deformer in &mesh.blend_deformers {
        ufbx::add_blend_vertex_offsets(deformer, &mut positions, 1.0);
    }
    positions.into_iter().map(vec3).collect()
}

/// Returns the mesh's own name, or its first node's; most exporters name only the node.
fn mesh_name(mesh: &ufbx::Mesh) -> String {
    let node = mesh
        .element
        .instances
        .iter()
        .next()
        .map(|n| n.element.name.to_string());
    match &*mesh.element.name {
        "" => node.unwrap_or_default(),
        name => name.to_owned(),
    }
}

fn corners(
    mesh: &ufbx::Mesh,
    positions: &[Vec3],
    is_obj: bool,
    place: &str,
    warnings: &mut Warnings,
) -> Corners {
    let count = mesh.num_indices;
    let uv = |i: u32| {
        mesh.vertex_uv
            .values
            .get(i as usize)
            .map_or([0.0; 2], |v| [v.x, v.y])
    };
    let color = |i: u32| {
        let v = mesh.vertex_color.values.get(i as usize);
        v.map_or([1.0; 4], |v| [v.x, v.y, v.z, v.w])
    };
    let of_normals = &mesh.vertex_normal;
    // Corners of OBJ files without a normal have zeros, see `obj::with_placeholders`.
    let normal = |i: u32| {
        let own = of_normals.values.get(i as usize).map_or([0.0; 3], |v| vec3(*v));
        (!is_obj || own != [0.0; 3]).then_some(own)
    };
    if mesh.uv_sets.len() > 1 {
        let others = mesh.uv_sets.len() - 1;
        let others = plural(others, "further UV set", "further UV sets");
        let message = format!("{others}: only the second UV set is used, by materials with second_uv");
        warnings.add(place, message);
    }
    let second = mesh.uv_sets.get(1).map(|set| &set.vertex_uv);
    let uv2 = second.and_then(|set| {
        let value = |i: u32| set.values.get(i as usize).map_or([0.0; 2], |v| [v.x, v.y]);
        attribute(set.exists, &set.indices, count, value)
    });
    if mesh.color_sets.len() > 1 {
        warnings.add(
            place,
            format!("{} further colour sets left out", mesh.color_sets.len() - 1),
        );
    }
    Corners {
        vertex: mesh.vertex_indices.to_vec(),
        normal: attribute(of_normals.exists, &of_normals.indices, count, normal)
            .map(|given| normals(given, mesh, positions, place, warnings)),
        uv: attribute(mesh.vertex_uv.exists, &mesh.vertex_uv.indices, count, uv),
        uv2,
        color: attribute(mesh.vertex_color.exists, &mesh.vertex_color.indices, count, color),
    }
}

/// Returns the normals by corner. Computes those that an OBJ file lacks.
fn normals(
    given: Vec<Option<Vec3>>,
    mesh: &ufbx::Mesh,
    positions: &[Vec3],
    place: &str,
    warnings: &mut Warnings,
) -> Vec<Vec3> {
    if given.iter().all(Option::is_some) {
        return given.into_iter().flatten().collect();
    }
    report_missing(&given, place, warnings);
    let face = |(i, face): (usize, &ufbx::Face)| {
        let first = face.index_begin as usize;
        let corners = first..first + face.num_indices as usize;
        let smooth = mesh.face_smoothing.get(i).copied().unwrap_or(false);
        (corners.end <= given.len()).then_some((corners, smooth))
    };
    let faces: Vec<_> = mesh.faces.iter().enumerate().filter_map(face).collect();
    complete_normals(given, &faces, &mesh.vertex_indices, positions)
}

fn attribute<T>(exists: bool, indices: &[u32], count: usize, value: impl Fn(u32) -> T) -> Option<Vec<T>> {
    (exists && indices.len() == count).then(|| indices.iter().map(|i| value(*i)).collect())
}

fn triangles(
    mesh: &ufbx::Mesh,
    place: &str,
    steps: &mut u64,
    warnings: &mut Warnings,
) -> Result<Vec<Triangle>, Error> {
    let mut found = Vec::new();
    let mut buffer = vec![0; mesh.max_face_triangles * 3];
    let (mut flat, mut holes) = (0, 0);
    for (i, face) in mesh.faces.iter().enumerate() {
        let size = (face.num_indices as usize).saturating_sub(2) * 3;
        let end = u64::from(face.index_begin) + u64::from(face.num_indices);
        if size == 0 || size > buffer.len() || end > mesh.num_indices as u64 {
            flat += 1;
            continue;
        }
        if mesh.face_hole.get(i).copied().unwrap_or(false) {
            holes += 1;
            continue;
        }
        // ufbx tests each corner against all others; triangles and quadrilaterals have a short way.
        let corners = u64::from(face.num_indices);
        if corners > 4 {
            *steps = steps.checked_sub(corners * corners).ok_or_else(|| {
                let expected = format!("faces that are divided into triangles in {FACE_STEPS} steps");
                Error::scene(place, format!("a face of {corners} corners"), expected)
            })?;
        }
        let material = mesh.face_material.get(i).copied().unwrap_or(0);
        let made = ufbx::triangulate_face(&mut buffer[..size], mesh, *face) as usize;
        let corners = buffer[..made * 3].as_chunks::<3>().0;
        found.extend(corners.iter().map(|corners| Triangle {
            corners: *corners,
            material,
        }));
    }
    if flat > 0 {
        warnings.add(
            place,
            format!("{flat} polygons of fewer than three corners left out"),
        );
    }
    if holes > 0 {
        warnings.add(
            place,
            format!("{holes} polygons that are marked as holes left out"),
        );
    }
    Ok(found)
}

fn skin(mesh: &ufbx::Mesh, place: &str, warnings: &mut Warnings) -> Option<Skin> {
    let skin = mesh.skin_deformers.iter().next()?;
    if mesh.skin_deformers.count > 1 {
        warnings.add(
            place,
            format!("{} further skins left out", mesh.skin_deformers.count - 1),
        );
    }
    let mut clusters = Vec::new();
    let mut kept = Vec::new();
    for cluster in &skin.clusters {
        kept.push(cluster.bone_node.as_ref().map(|_| clusters.len()));
        if let Some(node) = &cluster.bone_node {
            clusters.push(Cluster {
                node: index(&node.element),
                to_bone: affine(&cluster.geometry_to_bone),
            });
        }
    }
    let of_vertex = |v: &ufbx::SkinVertex| {
        let begin = v.weight_begin as usize;
        let weights = skin
            .weights
            .get(begin..begin + v.num_weights as usize)
            .unwrap_or_default();
        weights
            .iter()
            .filter(|w| w.weight.is_finite() && w.weight > 0.0)
            .filter_map(|w| Some(((*kept.get(w.cluster_index as usize)?)?, w.weight)))
            .collect()
    };
    let mut influences: Vec<Vec<(usize, f64)>> = skin.vertices.iter().map(of_vertex).collect();
    influences.resize(mesh.num_vertices, Vec::new());
    Some(Skin { clusters, influences })
}

fn shaped(mesh: &ufbx::Mesh) -> Vec<bool> {
    if mesh.blend_deformers.count == 0 {
        return Vec::new();
    }
    let mut shaped = vec![false; mesh.num_vertices];
    let channels = mesh.blend_deformers.into_iter().flat_map(|d| &d.channels);
    for shape in channels.flat_map(|c| c.keyframes.iter().map(|k| &k.shape)) {
        for (vertex, offset) in shape.offset_vertices.iter().zip(shape.position_offsets.iter()) {
            if vec3(*offset).iter().any(|c| *c != 0.0)
                && let Some(shaped) = shaped.get_mut(*vertex as usize)
            {
                *shaped = true;
            }
        }
    }
    shaped
}
