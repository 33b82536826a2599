//! Writes animation stacks of one layer, with a linear key at every frame.

use fbx::{Elements, Property};

use super::super::scene::{Animation, Scene};
use super::records::{elements, ints, numbers, object, record, time};
use super::{FIRST_NODE, Writer, degrees, ticks};
use crate::math::Vec3;

/// The flag of linear keys (docs/formats/fbx.md, section 3).
const LINEAR: i32 = 4;

impl Writer {
    /// Writes an animation. `channels` lists the shape channels of each mesh.
    pub(super) fn animation(&mut self, scene: &Scene, animation: &Animation, channels: &[Vec<i64>]) {
        let (stack, layer) = (self.number(), self.number());
        let end = ticks(animation.frames - 1, scene.rate);
        let span = [
            ("LocalStart", 0),
            ("LocalStop", end),
            ("ReferenceStart", 0),
            ("ReferenceStop", end),
        ];
        let list = span
            .iter()
            .fold(record("Properties70"), |r, (n, t)| r.with_child(time(n, *t)));
        let made = object("AnimationStack", stack, &animation.name, "AnimStack", "").with_child(list);
        self.add("AnimationStack", made);
        self.add(
            "AnimationLayer",
            object("AnimationLayer", layer, &animation.name, "AnimLayer", ""),
        );
        self.link(layer, stack, None);
        let times: Vec<i64> = (0..animation.frames).map(|f| ticks(f, scene.rate)).collect();
        for (node, locals) in animation.locals.iter().enumerate().filter(|(_, l)| !l.is_empty()) {
            let id = FIRST_NODE + node as i64;
            let rest = &scene.nodes[node].rest;
            let mut near = [0.0; 3];
            // Continues the curves from the angles at rest.
            degrees(rest, &mut near);
            let turns: Vec<Vec3> = locals.iter().map(|l| degrees(l, &mut near)).collect();
            let positions: Vec<Vec3> = locals.iter().map(|l| l.position).collect();
            let scales: Vec<Vec3> = locals.iter().map(|l| l.scale).collect();
            if positions.iter().any(|p| *p != rest.position) {
                self.vectors(layer, id, ["T", "Lcl Translation"], &positions, &times);
            }
            if locals.iter().any(|l| l.turn != rest.turn) {
                self.vectors(layer, id, ["R", "Lcl Rotation"], &turns, &times);
            }
            if scales.iter().any(|s| *s != rest.scale) {
                self.vectors(layer, id, ["S", "Lcl Scaling"], &scales, &times);
            }
        }
        for (channels, weights) in channels
            .iter()
            .zip(&animation.weights)
            .filter(|(_, w)| !w.is_empty())
        {
            for (k, channel) in channels.iter().enumerate() {
                let percent: Vec<f32> = weights.iter().map(|w| (w[k] * 100.0) as f32).collect();
                let node = self.curve_node(layer, *channel, "DeformPercent", "DeformPercent");
                self.curve(node, "d|DeformPercent", &percent, &times);
            }
        }
    }

    fn vectors(
        &mut self,
        layer: i64,
        object: i64,
        [name, property]: [&str; 2],
        values: &[Vec3],
        times: &[i64],
    ) {
        let node = self.curve_node(layer, object, name, property);
        for (k, axis) in ["d|X", "d|Y", "d|Z"].into_iter().enumerate() {
            let values: Vec<f32> = values.iter().map(|v| v[k] as f32).collect();
            self.curve(node, axis, &values, times);
        }
    }

    fn curve_node(&mut self, layer: i64, of: i64, name: &str, property: &str) -> i64 {
        let id = self.number();
        let axes: &[&str] = match name {
            "DeformPercent" => &["d|DeformPercent"],
            _ => &["d|X", "d|Y", "d|Z"],
        };
        let list = axes.iter().fold(record("Properties70"), |r, a| {
            r.with_child(numbers(a, "Number", &[0.0]))
        });
        let made = object("AnimationCurveNode", id, name, "AnimCurveNode", "").with_child(list);
        self.add("AnimationCurveNode", made);
        self.link(id, layer, None);
        self.link(id, of, Some(property));
        id
    }

    fn curve(&mut self, node: i64, axis: &str, values: &[f32], times: &[i64]) {
        let id = self.number();
        let made = object("AnimationCurve", id, "", "AnimCurve", "")
            .with_child(
                record("Default").with(&Property::F64(f64::from(values.first().copied().unwrap_or(0.0)))),
            )
            .with_child(record("KeyVer").with(&Property::I32(4008)))
            .with_child(elements("KeyTime", Elements::I64(times.to_vec())))
            .with_child(elements("KeyValueFloat", Elements::F32(values.to_vec())))
            .with_child(ints("KeyAttrFlags", [LINEAR]))
            .with_child(elements("KeyAttrDataFloat", Elements::F32(vec![0.0; 4])))
            .with_child(ints("KeyAttrRefCount", [values.len() as i32]));
        self.add("AnimationCurve", made);
        self.link(id, node, Some(axis));
    }
}
