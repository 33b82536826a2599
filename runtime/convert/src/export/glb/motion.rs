//! Writes skins and animations.

use super::super::scene::{Animation, Mesh, Scene};
use super::builder::Builder;
use super::rotation;
use crate::math::{Affine, Vec3};
use crate::play::Local;
use serde_json::{Value, json};

impl Builder {
    pub(super) fn skin(&mut self, scene: &Scene, mesh: &Mesh) -> Value {
        let joints = mesh.joints();
        let inverse = |node: &usize| {
            let inverse = scene.nodes[*node].world.inverse().unwrap_or(Affine::IDENTITY);
            let [x, y, z] = inverse.columns;
            let o = inverse.origin;
            let columns = [
                [x[0], x[1], x[2], 0.0],
                [y[0], y[1], y[2], 0.0],
                [z[0], z[1], z[2], 0.0],
            ];
            let [x, y, z] = columns.map(|c| c.map(|c| c as f32));
            let o = o.map(|c| c as f32);
            let mut all = [0.0f32; 16];
            for (to, from) in all.chunks_mut(4).zip([x, y, z, [o[0], o[1], o[2], 1.0]]) {
                to.copy_from_slice(&from);
            }
            all
        };
        let matrices: Vec<[f32; 16]> = joints.iter().map(inverse).collect();
        let matrices = self.floats(&matrices, "MAT4");
        json!({ "joints": joints, "inverseBindMatrices": matrices })
    }

    /// Writes an animation. Returns `None` if no node moves, because glTF requires a channel.
    pub(super) fn animation(
        &mut self,
        scene: &Scene,
        animation: &Animation,
        mesh_nodes: &[usize],
    ) -> Option<Value> {
        let times: Vec<[f32; 1]> = (0..animation.frames)
            .map(|f| [(f64::from(f) / scene.rate) as f32])
            .collect();
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        let mut pending: Vec<(usize, &str, usize)> = Vec::new();
        for (node, locals) in animation.locals.iter().enumerate().filter(|(_, l)| !l.is_empty()) {
            let rest = &scene.nodes[node].rest;
            let single = |v: Vec3| v.map(|c| c as f32);
            if locals.iter().any(|l| l.position != rest.position) {
                let values: Vec<_> = locals.iter().map(|l| single(l.position)).collect();
                pending.push((node, "translation", self.floats(&values, "VEC3")));
            }
            if locals.iter().any(|l| l.turn != rest.turn) {
                pending.push((node, "rotation", self.floats(&turns(locals), "VEC4")));
            }
            if locals.iter().any(|l| l.scale != rest.scale) {
                let values: Vec<_> = locals.iter().map(|l| single(l.scale)).collect();
                pending.push((node, "scale", self.floats(&values, "VEC3")));
            }
        }
        for (mesh, weights) in animation
            .weights
            .iter()
            .enumerate()
            .filter(|(_, w)| !w.is_empty())
        {
            let values: Vec<[f32; 1]> = weights.iter().flatten().map(|w| [*w as f32]).collect();
            pending.push((mesh_nodes[mesh], "weights", self.floats(&values, "SCALAR")));
        }
        if pending.is_empty() {
            return None;
        }
        let input = self.bounded(&times, "SCALAR");
        for (node, path, output) in pending {
            channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
            samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        }
        Some(json!({ "name": animation.name, "channels": channels, "samplers": samplers }))
    }
}

/// Returns rotations as quaternions, each on the same half of the sphere as the previous one, so that
/// interpolation takes the shorter arc.
fn turns(locals: &[Local]) -> Vec<[f32; 4]> {
    let mut before = [0.0f32; 4];
    let turn = |l: &Local| {
        let q = rotation(&l.turn);
        let dot: f32 = q.iter().zip(before).map(|(a, b)| a * b).sum();
        before = if dot < 0.0 { q.map(|c| -c) } else { q };
        before
    };
    locals.iter().map(turn).collect()
}
