//! Normals of deforming meshes, frame by frame.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::math::{Vec3, add, cross, normalized, sub};

/// Corners that share a normal, by mesh. This depends on the faces and edges of a mesh, but not on its
/// positions, so it is computed once for all frames.
#[derive(Default)]
pub(super) struct NormalMaps(RefCell<HashMap<usize, Rc<NormalMap>>>);

/// Number of the normal, by corner.
pub(super) struct NormalMap {
    numbers: Vec<u32>,
    count: usize,
}

impl NormalMaps {
    /// Returns the map of a mesh, by its number.
    pub(super) fn of(&self, number: usize, mesh: &ufbx::Mesh) -> Rc<NormalMap> {
        let mut maps = self.0.borrow_mut();
        let map = maps
            .entry(number)
            .or_insert_with(|| Rc::new(NormalMap::new(mesh)));
        Rc::clone(map)
    }
}

impl NormalMap {
    fn new(mesh: &ufbx::Mesh) -> Self {
        let mut edges = vec![ufbx::TopoEdge::default(); mesh.num_indices];
        let mut numbers = vec![0; mesh.num_indices];
        ufbx::compute_topology(mesh, &mut edges);
        let count = ufbx::generate_normal_mapping(mesh, &edges, &mut numbers, false);
        NormalMap { numbers, count }
    }

    /// Returns the normals of all corners: the mean of the faces that share one, weighted by area.
    pub(super) fn normals(&self, mesh: &ufbx::Mesh, positions: &[Vec3]) -> Vec<Vec3> {
        let mut sums = vec![[0.0; 3]; self.count];
        let vertices = mesh.vertex_indices.as_ref();
        for face in &mesh.faces {
            let corners = face.index_begin as usize..(face.index_begin + face.num_indices) as usize;
            let Some(own) = vertices.get(corners.clone()) else {
                continue;
            };
            let place = |i: usize| positions.get(own[i] as usize).copied().unwrap_or_default();
            // Twice the area vector (Newell), relative to the first corner.
            let area = (1..own.len().saturating_sub(1)).fold([0.0; 3], |area, i| {
                add(area, cross(sub(place(i), place(0)), sub(place(i + 1), place(0))))
            });
            for number in &self.numbers[corners] {
                if let Some(sum) = sums.get_mut(*number as usize) {
                    *sum = add(*sum, area);
                }
            }
        }
        let unit = |number: &u32| {
            let sum = sums.get(*number as usize).copied().unwrap_or_default();
            normalized(sum).unwrap_or_default()
        };
        self.numbers.iter().map(unit).collect()
    }
}
