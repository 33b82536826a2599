//! From a motion's tables to the nodes of a tree.

use super::error::{MotionError, MotionWarning};
use super::model::Motion;
use super::track::Track;
use super::tracks::Axis3;
use ninja::{
    Element, EvalFlags, Interpolation, Keys, MotionKind, MotionNode, MotionType, Object, ObjectId, ObjectTree,
};

/// The nodes that take an entry of a motion, in drawing order: all but those with `skip`.
pub(crate) fn taking_nodes(tree: &ObjectTree, skip: EvalFlags) -> impl Iterator<Item = (ObjectId, &Object)> {
    tree.walk()
        .filter(move |(_, _, object)| !object.evalflags.contains(skip))
        .map(|(id, _, object)| (id, object))
}

/// Pairs the nodes that take an entry with the motion's entries.
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

/// The elements of a motion in the order of its tables, if it is of the right kind.
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

/// Whether keys lie on a spline; the original takes every method but linear for one.
pub(crate) fn is_spline(method: Interpolation, warnings: &mut Vec<MotionWarning>) -> bool {
    if matches!(method, Interpolation::User | Interpolation::Unassigned) {
        warnings.push(MotionWarning::Method(method));
    }
    method != Interpolation::Linear
}

impl Motion {
    /// Adds the tables of one node.
    pub(super) fn add_node(
        &mut self,
        id: ObjectId,
        entry: &MotionNode,
        elements: &[Element],
        source: &ninja::Motion,
    ) -> Result<(), MotionError> {
        for (element, table) in elements.iter().zip(&entry.tables) {
            let keys = table.and_then(|table| source.track(table));
            if let Some(keys) = keys.filter(|keys| !keys.is_empty()) {
                self.add_table(id, *element, keys)?;
            }
        }
        Ok(())
    }

    fn add_table(&mut self, id: ObjectId, element: Element, keys: &Keys) -> Result<(), MotionError> {
        let descent = match (element, keys) {
            (Element::Pos, Keys::F(keys)) => self.positions.push(id, Track::new(keys, |v| v)),
            (Element::Scl, Keys::F(keys)) => self.scales.push(id, Track::new(keys, |v| v)),
            (Element::Ang, Keys::A(keys)) => {
                self.angles.push(id, Track::new(keys, |v| v.map(|angle| angle.0)))
            }
            (Element::Ang | Element::Sang, Keys::Sa(keys)) => {
                let widened = |v: Axis3<i16>| v.map(i32::from);
                self.short_angles.push(id, Track::new(keys, widened))
            }
            (Element::Quat, Keys::Quat(keys)) => self.quaternions.push(id, Track::new(keys, |v| v)),
            (Element::Pos | Element::Scl | Element::Ang | Element::Sang | Element::Quat, _) => {
                return Err(MotionError::Form {
                    node: id.index(),
                    element: element.name(),
                    form: keys.form(),
                });
            }
            _ => {
                self.warn(MotionWarning::Element(element.name()));
                None
            }
        };
        if let Some(key) = descent {
            self.warn(MotionWarning::Descent {
                node: id.index(),
                element: element.name(),
                key,
            });
        }
        Ok(())
    }

    /// Each kind of warning once: the first stands for all.
    fn warn(&mut self, warning: MotionWarning) {
        let kind = std::mem::discriminant(&warning);
        if !self
            .warnings
            .iter()
            .any(|known| std::mem::discriminant(known) == kind)
        {
            self.warnings.push(warning);
        }
    }
}
