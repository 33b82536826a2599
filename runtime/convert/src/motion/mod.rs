//! Converts animation stacks to motions: samples them and drops redundant keys (docs/formats/ninja.md, 1.9,
//! 2.5).

mod reduce;
mod sample;
mod tables;

pub(crate) use reduce::reduced;
pub(crate) use sample::{SampleBudget, Samples, Take, chosen, poses, takes, times};

use ninja::{Element, EvalFlags, Keys, Motion, MotionKind, MotionType, Object, ObjectTree, TrackId};

use crate::error::Warnings;
use crate::math::{Drift, RotationMatrix, Trs, quat_columns};
use crate::nodes::Plan;
use crate::options::{AngleBits, Options, Rotation};
use crate::source::Scene;
use tables::Tolerance;

/// Returns the frames per second: the requested rate, or the file's if it is valid.
pub(crate) fn rate(scene: &Scene, options: &Options, warnings: &mut Warnings) -> f64 {
    const USUAL: f64 = 30.0;
    let rate = options.rate.unwrap_or(scene.rate);
    if options.rate.is_some() || (0.1..=1000.0).contains(&rate) {
        return rate;
    }
    let message = format!("the file states {rate} frames a second: {USUAL} are used instead");
    warnings.add("", message);
    USUAL
}

/// Adds one warning about the animation stacks in which no node moves.
pub(crate) fn warn_of_still(stacks: &[&str], warnings: &mut Warnings) {
    match stacks {
        [] => {}
        [stack] => warnings.add(
            format!("animation stack {stack:?}"),
            "no node moves, so no motion is written",
        ),
        stacks => warnings.add(
            format!("{} animation stacks", stacks.len()),
            format!("no node moves, so no motions are written: {}", stacks.join(", ")),
        ),
    }
}

/// A motion without unneeded keys, and its number of keys before reduction.
pub(crate) struct ReducedMotion {
    pub(crate) motion: Motion,
    pub(crate) sampled_keys: usize,
}

/// A node of the tree, as a target of a motion.
pub(crate) struct Joint<'a> {
    pub(crate) name: &'a str,
    /// Index of the parent in the list; parents precede children.
    pub(crate) parent: Option<usize>,
    pub(crate) object: &'a Object,
}

impl<'a> Joint<'a> {
    /// Returns the nodes of a tree built from a plan.
    pub(crate) fn of_plan(plan: &'a Plan, tree: &'a ObjectTree) -> Vec<Joint<'a>> {
        let nodes = plan.nodes.iter().zip(&tree.objects);
        let joint = |(planned, object): (&'a crate::nodes::Planned, &'a Object)| Joint {
            name: &planned.name,
            parent: planned.parent,
            object,
        };
        nodes.map(joint).collect()
    }
}

/// Returns the motion of the nodes; `None` if all of them stay at rest.
pub(crate) fn motion(
    samples: &Samples,
    joints: &[Joint<'_>],
    size: f64,
    options: &Options,
    warnings: &mut Warnings,
) -> Option<ReducedMotion> {
    let tolerance = Tolerance {
        position: options.position_tolerance * size,
        degrees: options.angle_tolerance,
        scale: options.scale_tolerance,
    };
    let turn = match (options.rotation, options.angle_bits) {
        (Rotation::Quaternion, _) => Element::Quat,
        (Rotation::Euler, AngleBits::Short) => Element::Sang,
        (Rotation::Euler, AngleBits::Long) => Element::Ang,
    };
    let elements = [Element::Pos, turn, Element::Scl];
    let mut by_node: Vec<[Option<Keys>; 3]> = Vec::new();
    let mut sampled_keys = 0;
    // Drift by node and frame.
    let mut drift: Vec<Vec<Drift>> = Vec::new();
    for (node, joint) in joints.iter().enumerate() {
        let locals = samples.of(node);
        let object = joint.object;
        let turns = if turn == Element::Quat {
            tables::quaternions(locals, object, &tolerance)
        } else {
            let above = joint.parent.map(|p| drift[p].as_slice());
            let target = |(k, t): (usize, &Trs)| {
                above
                    .map_or(Drift::NONE, |a| a[k])
                    .target(&quat_columns(t.rotation))
            };
            let wanted: Vec<RotationMatrix> = locals.iter().enumerate().map(target).collect();
            let bits = options.angle_bits;
            let (keys, made) = tables::angles(&wanted, object, &tolerance, bits, joint.name, warnings);
            let after = |((wanted, made), t): ((&RotationMatrix, &RotationMatrix), &Trs)| {
                Drift::after(wanted, made, t.scale)
            };
            drift.push(wanted.iter().zip(&made).zip(locals).map(after).collect());
            keys
        };
        let keys = [
            tables::positions(locals, object, &tolerance),
            turns,
            tables::scales(locals, object, &tolerance),
        ];
        sampled_keys += keys.iter().flatten().count() * locals.len();
        by_node.push(keys);
    }
    let used: Vec<usize> = (0..3)
        .filter(|k| by_node.iter().any(|keys| keys[*k].is_some()))
        .collect();
    if used.is_empty() {
        return None;
    }
    let bits = used
        .iter()
        .fold(MotionType::default(), |bits, k| bits | elements[*k]);
    let mut motion = Motion::new(MotionKind::Model, bits, samples.frames() as u32);
    let skips = |joint: &Joint<'_>| joint.object.evalflags.contains(EvalFlags::SKIP);
    for (keys, _) in by_node.into_iter().zip(joints).filter(|(_, joint)| !skips(joint)) {
        let tables: Vec<Option<TrackId>> = keys
            .into_iter()
            .enumerate()
            .filter(|(k, _)| used.contains(k))
            .map(|(_, keys)| keys.map(|keys| motion.push_track(keys)))
            .collect();
        motion.push_node(&tables);
    }
    Some(ReducedMotion { motion, sampled_keys })
}
