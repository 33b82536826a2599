//! Builds accessors, their bytes, and meshes.

use super::super::scene::Mesh;
use super::text::List;
use crate::math::Vec3;
use crate::source::srgb::linear;
use serde_json::{Map, Value, json};

/// Component types of glTF 2.0, section 3.6.2.2.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const UNSIGNED_SHORT: u32 = 5123;

/// JSON lists, and the bytes that they describe.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) bytes: Vec<u8>,
    pub(super) views: List,
    pub(super) accessors: List,
}

impl Builder {
    pub(super) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        self.bytes.extend(bytes);
        self.views.push(&view)
    }

    pub(super) fn accessor(&mut self, bytes: &[u8], count: usize, component: u32, kind: &str) -> usize {
        let view = self.view(bytes);
        self.accessors.push(&json!({
            "bufferView": view, "componentType": component, "count": count, "type": kind,
        }))
    }

    pub(super) fn floats<const N: usize>(&mut self, values: &[[f32; N]], kind: &str) -> usize {
        self.accessor(&bytes_of(values), values.len(), FLOAT, kind)
    }

    /// Adds an accessor with minimum and maximum, as positions and times require.
    pub(super) fn bounded<const N: usize>(&mut self, values: &[[f32; N]], kind: &str) -> usize {
        let view = self.view(&bytes_of(values));
        let bound = |of: fn(f32, f32) -> f32, from: f32| -> Vec<f32> {
            (0..N)
                .map(|k| values.iter().map(|v| v[k]).fold(from, of))
                .collect()
        };
        self.accessors.push(&json!({
            "bufferView": view, "componentType": FLOAT, "count": values.len(), "type": kind,
            "min": bound(f32::min, f32::INFINITY), "max": bound(f32::max, f32::NEG_INFINITY),
        }))
    }

    /// Adds a mesh. All its materials share the vertices.
    pub(super) fn mesh(&mut self, mesh: &Mesh) -> Value {
        let single = |v: Vec3| v.map(|c| c as f32);
        let corners = || mesh.corners.iter();
        let positions: Vec<[f32; 3]> = corners()
            .map(|c| single(mesh.points[c.point as usize].position))
            .collect();
        let mut attributes = Map::new();
        attributes.insert("POSITION".into(), json!(self.bounded(&positions, "VEC3")));
        if mesh.has_normals() {
            let normals: Vec<_> = corners().map(|c| single(mesh.normal(c))).collect();
            attributes.insert("NORMAL".into(), json!(self.floats(&normals, "VEC3")));
        }
        let uv: Vec<[f32; 2]> = corners().map(|c| c.uv.map(|c| c as f32)).collect();
        attributes.insert("TEXCOORD_0".into(), json!(self.floats(&uv, "VEC2")));
        if mesh.has_colors() {
            let colors: Vec<_> = corners()
                .map(|c| {
                    let [r, g, b, a] = mesh.color(c);
                    [linear(r), linear(g), linear(b), a].map(|c| c as f32)
                })
                .collect();
            attributes.insert("COLOR_0".into(), json!(self.floats(&colors, "VEC4")));
        }
        if mesh.node.is_none() {
            self.influences(mesh, &mut attributes);
        }
        let targets: Vec<Value> = mesh
            .targets
            .iter()
            .map(|t| self.target(mesh, &t.deltas))
            .collect();
        let primitives: Vec<Value> = mesh
            .groups
            .iter()
            .map(|(material, triangles)| {
                let bytes: Vec<u8> = triangles.iter().flatten().flat_map(|i| i.to_le_bytes()).collect();
                let indices = self.accessor(&bytes, triangles.len() * 3, UNSIGNED_INT, "SCALAR");
                let mut primitive =
                    json!({ "attributes": attributes, "indices": indices, "material": material });
                if !targets.is_empty() {
                    primitive["targets"] = json!(targets);
                }
                primitive
            })
            .collect();
        let mut made = json!({ "name": mesh.name, "primitives": primitives });
        if !targets.is_empty() {
            made["weights"] = json!(vec![0.0; targets.len()]);
            let names: Vec<&str> = mesh.targets.iter().map(|t| t.name.as_str()).collect();
            made["extras"] = json!({ "targetNames": names });
        }
        made
    }

    /// Adds the joints and weights in sets of four, largest weight first.
    fn influences(&mut self, mesh: &Mesh, attributes: &mut Map<String, Value>) {
        let joints = mesh.joints();
        let most = mesh.points.iter().map(|p| p.influences.len()).max().unwrap_or(0);
        for set in 0..most.div_ceil(4) {
            let (mut numbers, mut weights) = (Vec::new(), Vec::new());
            for corner in &mesh.corners {
                let mut influences = mesh.points[corner.point as usize].influences.clone();
                influences.sort_by(|a, b| b.1.total_cmp(&a.1));
                let mut weight = [0.0f32; 4];
                for (k, weight) in weight.iter_mut().enumerate() {
                    let influence = influences.get(set * 4 + k);
                    let joint = influence
                        .and_then(|i| joints.binary_search(&i.0).ok())
                        .unwrap_or(0);
                    numbers.extend((joint as u16).to_le_bytes());
                    *weight = influence.map_or(0.0, |i| i.1 as f32);
                }
                weights.push(weight);
            }
            let count = mesh.corners.len();
            let numbers = self.accessor(&numbers, count, UNSIGNED_SHORT, "VEC4");
            attributes.insert(format!("JOINTS_{set}"), json!(numbers));
            attributes.insert(format!("WEIGHTS_{set}"), json!(self.floats(&weights, "VEC4")));
        }
    }

    fn target(&mut self, mesh: &Mesh, deltas: &[(u32, Vec3)]) -> Value {
        let mut by_point = vec![[0.0f32; 3]; mesh.points.len()];
        for (point, delta) in deltas {
            let sum = &mut by_point[*point as usize];
            *sum = [0, 1, 2].map(|k| sum[k] + delta[k] as f32);
        }
        let all: Vec<[f32; 3]> = mesh.corners.iter().map(|c| by_point[c.point as usize]).collect();
        json!({ "POSITION": self.bounded(&all, "VEC3") })
    }
}

fn bytes_of<const N: usize>(values: &[[f32; N]]) -> Vec<u8> {
    values.iter().flatten().flat_map(|c| c.to_le_bytes()).collect()
}
