//! Assignment of a motion's tables to the nodes of a tree.

use super::error::{MotionError, MotionWarning};
use super::model::Motion;
use super::track::Track;
use super::tracks::Axis3;
use ninja::{Element, Keys, MotionNode, ObjectId};

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

    /// Adds a warning, unless there is already one of this kind.
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
