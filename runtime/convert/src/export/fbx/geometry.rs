//! Writes meshes, skins and blend shapes.

use std::collections::BTreeMap;

use fbx::{Property, Record};

use super::super::scene::{Mesh, Scene};
use super::records::{doubles, int, ints, matrix, numbers, object, record, text};
use super::{FIRST_NODE, Writer};
use crate::math::{Affine, Vec3};

impl Writer {
    /// Writes a mesh and returns the channels of its shapes.
    pub(super) fn mesh(&mut self, scene: &Scene, mesh: &Mesh, materials: &[i64]) -> Vec<i64> {
        let geometry = self.number();
        let node = match mesh.node {
            // A bone has no mesh of its own: a node below it has the mesh.
            Some(node) if self.bones.contains(&node) => {
                self.mesh_node(&format!("{}_mesh", mesh.name), FIRST_NODE + node as i64)
            }
            Some(node) => FIRST_NODE + node as i64,
            None => self.mesh_node(&mesh.name, 0),
        };
        for (material, _) in &mesh.groups {
            self.link(materials[*material], node, None);
        }
        let made = geometry_record(geometry, mesh);
        self.add("Geometry", made);
        self.link(geometry, node, None);
        if mesh.node.is_none() {
            self.skin(scene, mesh, geometry);
        }
        match mesh.targets.is_empty() {
            true => Vec::new(),
            false => self.shapes(mesh, geometry),
        }
    }

    /// Writes a node for a mesh, with the space of its parent, and returns its number.
    fn mesh_node(&mut self, name: &str, parent: i64) -> i64 {
        let id = self.number();
        let list = record("Properties70").with_child(int("InheritType", 1));
        self.add(
            "Model",
            object("Model", id, name, "Model", "Mesh").with_child(list),
        );
        self.link(id, parent, None);
        id
    }

    fn skin(&mut self, scene: &Scene, mesh: &Mesh, geometry: i64) {
        let skin = self.number();
        self.add(
            "Deformer",
            object("Deformer", skin, &mesh.name, "Deformer", "Skin"),
        );
        self.link(skin, geometry, None);
        let mut by_node: BTreeMap<usize, (Vec<i32>, Vec<f64>)> = BTreeMap::new();
        for (i, point) in (0..).zip(&mesh.points) {
            for (node, share) in &point.influences {
                let (indices, weights) = by_node.entry(*node).or_default();
                indices.push(i);
                weights.push(*share);
            }
        }
        for (node, (indices, weights)) in by_node {
            let (id, world) = (self.number(), &scene.nodes[node].world);
            let cluster = object("Deformer", id, &scene.nodes[node].name, "SubDeformer", "Cluster")
                .with_child(ints("Indexes", indices))
                .with_child(doubles("Weights", weights))
                .with_child(matrix("Transform", &world.inverse().unwrap_or(Affine::IDENTITY)))
                .with_child(matrix("TransformLink", world));
            self.add("Deformer", cluster);
            self.link(id, skin, None);
            self.link(FIRST_NODE + node as i64, id, None);
        }
    }

    fn shapes(&mut self, mesh: &Mesh, geometry: i64) -> Vec<i64> {
        let blend = self.number();
        self.add(
            "Deformer",
            object("Deformer", blend, &mesh.name, "Deformer", "BlendShape"),
        );
        self.link(blend, geometry, None);
        let mut channels = Vec::new();
        for target in &mesh.targets {
            let (channel, shape) = (self.number(), self.number());
            let mut by_point: BTreeMap<u32, Vec3> = BTreeMap::new();
            for (point, delta) in &target.deltas {
                let sum = by_point.entry(*point).or_default();
                *sum = crate::math::add(*sum, *delta);
            }
            let made = object("Geometry", shape, &target.name, "Geometry", "Shape")
                .with_child(record("Version").with(&Property::I32(100)))
                .with_child(ints("Indexes", by_point.keys().map(|p| *p as i32)))
                .with_child(doubles("Vertices", by_point.values().flatten().copied()));
            self.add("Geometry", made);
            let list = record("Properties70").with_child(numbers("DeformPercent", "Number", &[0.0]));
            let made = object(
                "Deformer",
                channel,
                &target.name,
                "SubDeformer",
                "BlendShapeChannel",
            )
            .with_child(record("DeformPercent").with(&Property::F64(0.0)))
            .with_child(doubles("FullWeights", [100.0]))
            .with_child(list);
            self.add("Deformer", made);
            self.link(shape, channel, None);
            self.link(channel, blend, None);
            channels.push(channel);
        }
        channels
    }
}

fn geometry_record(id: i64, mesh: &Mesh) -> Record<'static> {
    let corners = || {
        let groups = mesh.groups.iter().flat_map(|(_, triangles)| triangles);
        groups.flatten().map(|c| &mesh.corners[*c as usize])
    };
    // FBX stores the last index of a polygon as its complement.
    let index = |(k, point): (usize, u32)| if k % 3 == 2 { !(point as i32) } else { point as i32 };
    let material = (0..)
        .zip(&mesh.groups)
        .flat_map(|(k, (_, t))| std::iter::repeat_n(k, t.len()));
    let mut made = object("Geometry", id, &mesh.name, "Geometry", "Mesh")
        .with_child(record("GeometryVersion").with(&Property::I32(124)))
        .with_child(doubles("Vertices", mesh.points.iter().flat_map(|p| p.position)))
        .with_child(ints(
            "PolygonVertexIndex",
            corners().map(|c| c.point).enumerate().map(index),
        ));
    let mut kinds = vec!["LayerElementUV", "LayerElementMaterial"];
    if mesh.has_normals() {
        let values = doubles("Normals", corners().flat_map(|c| mesh.normal(c)));
        made = made.with_child(layer("LayerElementNormal", "ByPolygonVertex", "Direct").with_child(values));
        kinds.push("LayerElementNormal");
    }
    // In FBX, v points upwards.
    let uv = doubles("UV", corners().flat_map(|c| [c.uv[0], 1.0 - c.uv[1]]));
    made = made.with_child(layer("LayerElementUV", "ByPolygonVertex", "Direct").with_child(uv));
    if mesh.has_colors() {
        let values = doubles("Colors", corners().flat_map(|c| mesh.color(c)));
        made = made.with_child(layer("LayerElementColor", "ByPolygonVertex", "Direct").with_child(values));
        kinds.push("LayerElementColor");
    }
    let materials = ints("Materials", material);
    made = made.with_child(layer("LayerElementMaterial", "ByPolygon", "IndexToDirect").with_child(materials));
    let element = |kind: &str| {
        let index = record("TypedIndex").with(&Property::I32(0));
        record("LayerElement")
            .with_child(record("Type").with(&text(kind)))
            .with_child(index)
    };
    let list = record("Layer")
        .with(&Property::I32(0))
        .with_child(record("Version").with(&Property::I32(100)));
    made.with_child(kinds.into_iter().map(element).fold(list, Record::with_child))
}

fn layer(kind: &'static str, mapping: &str, reference: &str) -> Record<'static> {
    record(kind)
        .with(&Property::I32(0))
        .with_child(record("Version").with(&Property::I32(101)))
        .with_child(record("Name").with(&text("")))
        .with_child(record("MappingInformationType").with(&text(mapping)))
        .with_child(record("ReferenceInformationType").with(&text(reference)))
}
