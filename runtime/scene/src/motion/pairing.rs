//! Checks of a motion's kind and elements, and assignment of its entries to the nodes of a tree.

use super::error::{MotionError, MotionWarning};
use ninja::{Element, EvalFlags, Interpolation, MotionKind, MotionType, Object, ObjectId, ObjectTree};

/// Iterates over the nodes that need an entry of a motion, in drawing order: all except those with `skip`.
pub(crate) fn taking_nodes(tree: &ObjectTree, skip: EvalFlags) -> impl Iterator<Item = (ObjectId, &Object)> {
    tree.walk()
        .filter(move |(_, _, object)| !object.evalflags.contains(skip))
        .map(|(id, _, object)| (id, object))
}

/// Pairs the nodes that need an entry with the motion's entries.
pub(crate) fn pair<'a, T>(
    tree: &'a ObjectTree,
    skip: EvalFlags,
    entries: &'a [T],
    warnings: &mut Vec<MotionWarning>,
) -> Result<Vec<(ObjectId, &'a T)>, MotionError> {
    let nodes: Vec<_> = taking_nodes(tree, skip).collect();
    if let Some((id, object)) = nodes.get(entries.len()) {
        return Err(MotionError::Nodes {
            entries: entries.len(),
            needed: nodes.len(),
            node: id.index(),
            offset: object.offset,
        });
    }
    if entries.len() > nodes.len() {
        warnings.push(MotionWarning::SpareEntries {
            entries: entries.len(),
            needed: nodes.len(),
        });
    }
    Ok(nodes.into_iter().map(|(id, _)| id).zip(entries).collect())
}

/// Returns the elements of a motion in the order of its tables, if it has the expected kind.
pub(crate) fn elements(motion: &ninja::Motion, expected: MotionKind) -> Result<Vec<Element>, MotionError> {
    if motion.kind != expected {
        return Err(MotionError::Kind {
            found: motion.kind,
            expected,
        });
    }
    let MotionType(bits) = motion.motion_type;
    Element::in_table_order(motion.kind, motion.motion_type).map_err(|error| MotionError::Elements {
        bits,
        message: error.to_string(),
    })
}

/// True if keys form a spline; the original treats every method except linear as a spline.
pub(crate) fn is_spline(method: Interpolation, warnings: &mut Vec<MotionWarning>) -> bool {
    if matches!(method, Interpolation::User | Interpolation::Unassigned) {
        warnings.push(MotionWarning::Method(method));
    }
    method != Interpolation::Linear
}
