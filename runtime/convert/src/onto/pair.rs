//! Pairs nodes by name, or by hierarchy and position.

use std::collections::HashMap;

use super::Skeleton;
use crate::error::{Error, Warnings};
use crate::math::{length, sub};
use crate::nodes::{Plan, list};

/// Nodes closer than this share of the model's size are at the same position.
const NEAR: f64 = 1e-3;

/// Returns, for each node of the model, its partner in the plan.
pub(super) fn pairs(
    skeleton: &Skeleton,
    plan: &Plan,
    moved: &[usize],
    warnings: &mut Warnings,
) -> Result<Vec<Option<usize>>, Error> {
    let pairs = match skeleton.is_named {
        true => by_name(skeleton, plan),
        false => by_place(skeleton, plan, moved, warnings)?,
    };
    let of = |nodes: &[usize]| -> Vec<&str> {
        let names = nodes.iter().map(|node| plan.nodes[*node].name.as_str());
        names.collect()
    };
    let missing: Vec<usize> = moved
        .iter()
        .copied()
        .filter(|node| !pairs.contains(&Some(*node)))
        .collect();
    if missing.len() == moved.len() {
        return Err(Error::scene(
            "the model",
            format!("none of the nodes that the motion moves: {}", list(&of(moved))),
            match skeleton.is_named {
                true => format!("nodes of these names; it has {}", list(&skeleton.names())),
                false => "their hierarchy and positions; a scene instead of the .nj file would have names"
                    .to_owned(),
            },
        ));
    }
    if !missing.is_empty() {
        let names = list(&of(&missing));
        warnings.add(
            "",
            format!("the motion moves nodes that the model lacks: {names}"),
        );
    }
    Ok(pairs)
}

/// Returns a name in lower case, without the namespace that programs prepend.
fn bare(name: &str) -> String {
    let end = name.rsplit([':', '|']).next().unwrap_or(name);
    end.to_lowercase()
}

/// Pairs nodes of the same name. Ignores namespace and letter case if this gives a unique node.
fn by_name(skeleton: &Skeleton, plan: &Plan) -> Vec<Option<usize>> {
    let (mut exact, mut loose) = (HashMap::new(), HashMap::new());
    for (node, planned) in plan
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, planned)| planned.source != 0)
    {
        exact.entry(planned.name.as_str()).or_insert(node);
        loose
            .entry(bare(&planned.name))
            .and_modify(|found| *found = None)
            .or_insert(Some(node));
    }
    let mut taken = vec![false; plan.nodes.len()];
    let exactly = skeleton
        .joints
        .iter()
        .map(|joint| exact.get(joint.name.as_str()).copied());
    let mut pairs: Vec<Option<usize>> = exactly
        .map(|found| found.filter(|node| !std::mem::replace(&mut taken[*node], true)))
        .collect();
    for (pair, joint) in pairs
        .iter_mut()
        .zip(&skeleton.joints)
        .filter(|(pair, _)| pair.is_none())
    {
        let found = loose.get(&bare(&joint.name)).copied().flatten();
        *pair = found.filter(|node| !std::mem::replace(&mut taken[*node], true));
    }
    pairs
}

/// Pairs nodes without names. If both trees have the same shape, pairs them node by node. Otherwise, pairs
/// each topmost moved node with the model's node that gives most matches by position among its descendants.
fn by_place(
    skeleton: &Skeleton,
    plan: &Plan,
    moved: &[usize],
    warnings: &mut Warnings,
) -> Result<Vec<Option<usize>>, Error> {
    warnings.notice(
        "the model has no node names: its nodes are matched by hierarchy and positions; a scene instead of \
        the .nj file would have names",
    );
    let parents = plan.nodes.iter().map(|planned| planned.parent);
    if parents.eq(skeleton.joints.iter().map(|joint| joint.parent)) {
        return Ok((0..plan.nodes.len()).map(Some).collect());
    }
    let mut pairs = vec![None; skeleton.joints.len()];
    let is_moved = |node: usize| moved.binary_search(&node).is_ok();
    for top in moved.iter().copied() {
        let mut above = plan.nodes[top].parent;
        while let Some(node) = above.filter(|node| !is_moved(*node)) {
            above = plan.nodes[node].parent;
        }
        if above.is_none() {
            place(skeleton, plan, top, &mut pairs)?;
        }
    }
    Ok(pairs)
}

/// Pairs a node and its descendants.
fn place(skeleton: &Skeleton, plan: &Plan, top: usize, pairs: &mut [Option<usize>]) -> Result<(), Error> {
    let near = NEAR * skeleton.size();
    let end = (top + 1..plan.nodes.len()).find(|node| !is_below(plan, top, *node));
    let below = top + 1..end.unwrap_or(plan.nodes.len());
    let mut best: Option<Vec<(usize, usize)>> = None;
    let mut is_tied = false;
    for start in (0..pairs.len()).filter(|joint| pairs[*joint].is_none()) {
        // For each planned node from `top` on: the model's node, and its last paired child.
        let mut placed: Vec<Option<usize>> = vec![None; below.end - top];
        let mut last = vec![0; below.end - top];
        placed[0] = Some(start);
        for node in below.clone() {
            let planned = &plan.nodes[node];
            let Some(above) = planned.parent.map(|parent| parent - top) else {
                continue;
            };
            let Some(joint) = placed[above] else { continue };
            let is_free = |other: &usize| {
                let at = &skeleton.joints[*other];
                at.parent == Some(joint)
                    && pairs[*other].is_none()
                    && length(sub(at.rest.translation, planned.rest.translation)) <= near
            };
            let found = (last[above].max(joint) + 1..skeleton.joints.len()).find(is_free);
            if let Some(found) = found {
                (placed[node - top], last[above]) = (Some(found), found);
            }
        }
        let found: Vec<_> = placed
            .iter()
            .enumerate()
            .filter_map(|(i, joint)| Some(((*joint)?, top + i)))
            .collect();
        let count = best.as_ref().map_or(0, Vec::len);
        is_tied = is_tied && found.len() <= count || found.len() == count;
        if found.len() > count {
            best = Some(found);
        }
    }
    let name = &plan.nodes[top].name;
    match best {
        Some(found) if !is_tied || skeleton.joints.len() == 1 => {
            found
                .into_iter()
                .for_each(|(joint, node)| pairs[joint] = Some(node));
            Ok(())
        }
        _ => Err(Error::scene(
            format!("node {name:?}"),
            "no place or several places in the model, whose nodes have no names",
            "one; a scene in place of the .nj file has names",
        )),
    }
}

fn is_below(plan: &Plan, top: usize, node: usize) -> bool {
    let mut above = plan.nodes[node].parent;
    while let Some(node) = above.filter(|node| *node > top) {
        above = plan.nodes[node].parent;
    }
    above == Some(top)
}
