//! Plays the written files with the runtime, so that `--check` can compare them with the scene.

use crate::progress::Progress;
use convert::{Evaluator, Held, Wanted, Written};
use ninja::{ObjectId, PolyChunk};
use scene::{Motion, Object, PlayMode, Reference, Settings, ShapeMotion};
use std::collections::HashMap;
use std::fmt::Display;

/// Plays written files with the crate `scene` and the reference kernels.
pub(super) struct Runtime {
    object: Option<Object>,
    /// Nodes in drawing order.
    order: Vec<ObjectId>,
    settings: Settings,
    progress: Progress,
}

impl Runtime {
    /// Creates a player. `frames` is the number of frames to be evaluated, for the progress bar.
    pub(super) fn new(settings: Settings, frames: u64) -> Self {
        Self {
            object: None,
            order: Vec::new(),
            settings,
            progress: Progress::new(frames),
        }
    }

    /// Ends the progress bar.
    pub(super) fn finish(&self) {
        self.progress.finish();
    }
}

impl Evaluator for Runtime {
    fn volume(&mut self, node: usize) -> Vec<[u16; 3]> {
        let Some(tree) = self.object.as_ref().map(Object::tree) else {
            return Vec::new();
        };
        let object = self.order.get(node).and_then(|id| tree.object(*id));
        let model = object.and_then(|object| tree.model(object.model?));
        let list = model.and_then(|model| tree.plist(model.plist?));
        let chunks = list.into_iter().flat_map(|list| &list.chunks);
        let volumes = chunks.filter_map(|chunk| match chunk {
            PolyChunk::Volume(volume) => Some(volume),
            _ => None,
        });
        let quads = self.settings.volume_quads;
        volumes
            .flat_map(|volume| scene::volume_triangles(volume, quads))
            .collect()
    }

    fn open(&mut self, files: Written) -> Result<(), String> {
        let tree = files.tree;
        self.order = tree.walk().map(|(id, _, _)| id).collect();
        let motion = files.motion.map(|motion| bound(&tree, &motion)).transpose()?;
        let motion = motion.map(|motion| {
            let settings = &self.settings;
            motion
                .with_spline_angles(settings.spline_angles)
                .with_flags(settings.motion_break, settings.motion_order)
        });
        let shape = match (&files.shape_motion, &files.shapes) {
            (Some(motion), Some(list)) => Some(shaped(&tree, list, motion)?),
            (Some(_), None) => return Err("a shape motion without a shape list".into()),
            (None, _) => None,
        };
        let object = self.object.insert(Object::new(tree));
        object.playback.mode = PlayMode::Once;
        (object.motion, object.shape) = (motion, shape);
        Ok(())
    }

    fn evaluate(&mut self, frame: u32, wanted: &[Wanted]) -> Result<Vec<Vec<Option<Held>>>, String> {
        self.progress.tick("frames checked");
        let object = self.object.as_mut().ok_or("no files were opened")?;
        object.playback.time = frame as f32;
        let state = object.evaluate(&mut Reference).map_err(text)?;
        let (pose, shapes) =
            state.ok_or_else(|| format!("frame {frame} of motions with {} frames", object.length()))?;
        let mut found = vec![Vec::new(); wanted.len()];
        let mut by_node: HashMap<ObjectId, Vec<usize>> = HashMap::new();
        for (index, wanted) in wanted.iter().enumerate() {
            if let Some(node) = self.order.get(wanted.node) {
                by_node.entry(*node).or_default().push(index);
            }
        }
        scene::vertices(
            object.tree(),
            &pose,
            &shapes,
            &mut Reference,
            &mut |node, slots| {
                for index in by_node.get(&node).into_iter().flatten() {
                    let requested = wanted[*index].slots.iter();
                    found[*index] = requested.map(|slot| vertex(slots, *slot)).collect();
                }
            },
        )
        .map_err(text)?;
        Ok(found)
    }
}

/// Binds a motion to its tree. Written files must cause no warnings, so a warning is an error here.
fn bound(tree: &ninja::ObjectTree, motion: &ninja::Motion) -> Result<Motion, String> {
    let motion = Motion::bind(tree, motion).map_err(text)?;
    motion
        .warnings()
        .first()
        .map_or(Ok(()), |warning| Err(text(warning)))?;
    Ok(motion)
}

fn shaped(
    tree: &ninja::ObjectTree,
    list: &ninja::CShapeList,
    motion: &ninja::CShapeMotion,
) -> Result<ShapeMotion, String> {
    let motion = ShapeMotion::bind(tree, list, motion).map_err(text)?;
    motion
        .warnings()
        .first()
        .map_or(Ok(()), |warning| Err(text(warning)))?;
    Ok(motion)
}

fn vertex(slots: scene::Slots<'_>, slot: u16) -> Option<Held> {
    Some(Held {
        position: slots.position(slot)?.map(f64::from),
        normal: slots.normal(slot).unwrap_or_default().map(f64::from),
    })
}

fn text(problem: impl Display) -> String {
    problem.to_string()
}
