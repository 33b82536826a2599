//! Exports motions frame by frame, with their shapes.

use crate::limits::EXPORTED_SAMPLES as MOST;
use std::collections::BTreeMap;

use super::gather::Gather;
use super::scene::{Animation, Target};
use crate::error::{Error, Warnings};
use crate::math::{Vec3, scaled};
use crate::play::{Local, Player, Step};

/// A key shape in one motion: key track and shape number.
type Shape = (u32, u32);

/// Adds a motion to the scene, and its shapes to the meshes.
pub(super) fn add(
    gather: &mut Gather<'_>,
    player: &Player<'_>,
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let number = gather.scene.animations.len();
    let name = format!("motion{number}");
    let frames = [
        player.motion.map(|m| m.nb_frame),
        player.shape_motion.map(|m| m.nb_frame),
    ];
    let frames = frames.into_iter().flatten().max().unwrap_or(0).max(1);
    let steps: Vec<Step<'_>> = player.steps().collect();
    let entries = steps.iter().filter(|s| s.entry.is_some()).count();
    if let Some(motion) = player.motion.filter(|m| m.nodes.len() != entries) {
        let message = format!(
            "{} entries for a tree of {entries} moving nodes",
            motion.nodes.len()
        );
        warnings.add(&name, message);
    }
    let work = (frames as usize).saturating_mul(steps.len());
    if work > MOST {
        let found = format!("{frames} frames of {} nodes", steps.len());
        return Err(Error::scene(name, found, format!("at most {MOST} transforms")));
    }
    let mut animation = Animation {
        name,
        frames,
        locals: steps.iter().map(|s| locals(player, s, frames)).collect(),
        weights: Vec::new(),
    };
    let mut by_mesh = Vec::new();
    for mesh in 0..gather.builders.len() {
        let before = gather.builders[mesh].mesh.targets.len();
        by_mesh.push((before, shapes(gather, mesh, player, &steps, number)?));
    }
    for (mesh, (before, shapes)) in by_mesh.iter().enumerate() {
        let count = gather.builders[mesh].mesh.targets.len();
        if count.saturating_mul(frames as usize) > MOST {
            let found = format!("{frames} frames of {count} shapes");
            return Err(Error::scene(
                animation.name,
                found,
                format!("at most {MOST} weights"),
            ));
        }
        animation.weights.push(weights(player, shapes, *before, frames));
    }
    gather.scene.animations.push(animation);
    // Appends this motion's shapes after existing ones, and gives older motions weight 0 for them.
    for animation in &mut gather.scene.animations {
        for (mesh, weights) in animation.weights.iter_mut().enumerate() {
            let count = gather.builders[mesh].mesh.targets.len();
            weights.iter_mut().for_each(|w| w.resize(count, 0.0));
        }
    }
    Ok(())
}

/// Returns the transforms of a node at every frame. Empty if the node stays at rest.
fn locals(player: &Player<'_>, step: &Step<'_>, frames: u32) -> Vec<Local> {
    if player.motion.is_none() {
        return Vec::new();
    }
    let rest = player.local(step, None);
    let all: Vec<Local> = (0..frames).map(|f| player.local(step, Some(f))).collect();
    match all.iter().any(|l| *l != rest) {
        true => all,
        false => Vec::new(),
    }
}

/// Adds shapes as targets to a mesh, after its existing ones.
fn shapes(
    gather: &mut Gather<'_>,
    mesh: usize,
    player: &Player<'_>,
    steps: &[Step<'_>],
    animation: usize,
) -> Result<Vec<Shape>, Error> {
    let mut found: BTreeMap<Shape, Vec<(u32, Vec3)>> = BTreeMap::new();
    let builder = &gather.builders[mesh];
    let mut work = 0;
    for (point, pooled) in (0..).zip(&builder.pooled) {
        for source in &gather.pool[*pooled].sources {
            let (chunk, vertex) = source.place;
            let Some(data) = player.shape_data(&steps[source.node], chunk) else {
                continue;
            };
            let track = data
                .keys
                .and_then(|k| Some((k.0, player.shape_motion?.tracks.get(k.0 as usize)?)));
            let Some((track, keys)) = track else { continue };
            let mut ids: Vec<u32> = keys.iter().map(|k| k.value).collect();
            ids.sort_unstable();
            ids.dedup();
            for id in ids {
                let moved = player.shape_chunk(data, id).filter(|c| vertex < c.count());
                let Some(moved) = moved.and_then(|c| c.position(vertex)) else {
                    continue;
                };
                let delta = source.moved_by(moved.map(f64::from));
                let delta = match builder.mesh.node {
                    Some(_) => delta,
                    None => scaled(gather.scene.nodes[source.node].world.vector(delta), source.weight),
                };
                found.entry((track, id)).or_default().push((point, delta));
                work += 1;
            }
        }
        if work > MOST {
            return Err(Error::scene(
                "shape list",
                format!("more than {MOST} moved vertices"),
                "fewer",
            ));
        }
    }
    let targets = &mut gather.builders[mesh].mesh.targets;
    for ((track, id), deltas) in &found {
        let name = format!("motion{animation}_track{track}_shape{id}");
        targets.push(Target {
            name,
            deltas: deltas.clone(),
        });
    }
    Ok(found.into_keys().collect())
}

/// Returns the weights of all targets by frame. Targets of other motions stay 0.
fn weights(player: &Player<'_>, shapes: &[Shape], before: usize, frames: u32) -> Vec<Vec<f64>> {
    let (Some(motion), false) = (player.shape_motion, shapes.is_empty()) else {
        return Vec::new();
    };
    let at = |frame| {
        let share = |(track, id): &Shape| {
            let keys = motion.tracks.get(*track as usize).map_or(&[][..], Vec::as_slice);
            crate::play::share_of(keys, frame, *id)
        };
        let mut shares = vec![0.0; before];
        shares.extend(shapes.iter().map(share));
        shares
    };
    (0..frames).map(at).collect()
}
