//! Converts a scene's motions for the nodes of another model: for animations without a mesh, as character
//! libraries offer them.

mod pair;

use ninja::{Chunk, EvalFlags, File, NodeFormat, Object, ObjectTree};
use serde::Serialize;

use crate::convert::MotionFile;
use crate::emit::around;
use crate::error::{Error, Warning, Warnings};
use crate::math::{Affine, Trs, length, quat_of_rotation, rotation_of_angles, scaled};
use crate::motion::{self, Joint, SampleBudget, Samples, Take};
use crate::nodes::Plan;
use crate::options::{Options, Rotation};
use crate::report::MotionRow;
use crate::source::Scene;
use crate::texture::Files;

/// Nodes of a model, as targets of motions from other files.
#[derive(Debug, Clone)]
pub struct Skeleton {
    tree: ObjectTree,
    joints: Vec<SkeletonJoint>,
    /// Set if the model's node names are known.
    is_named: bool,
}

/// A node of a skeleton, in drawing order.
#[derive(Debug, Clone)]
pub(crate) struct SkeletonJoint {
    /// Name, or the number if names are unknown.
    name: String,
    parent: Option<usize>,
    /// Index in the tree's objects.
    object: usize,
    rest: Trs,
    /// Map to the model's space at rest.
    world: Affine,
}

/// A node of the model, with the scene's node that moves it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JointRow {
    /// Node of the model: its name, or its number in drawing order.
    pub model: String,
    /// Node of the scene; `None` if the model's node stays at rest.
    pub scene: Option<String>,
}

/// Result of converting motions onto a model.
pub struct Retargeted {
    /// A `.njm` file per chosen stack.
    pub motions: Vec<MotionFile>,
    /// Sizes by motion.
    pub rows: Vec<MotionRow>,
    /// Nodes of the model in drawing order.
    pub nodes: Vec<JointRow>,
    /// Moved nodes of the scene that the model lacks.
    pub missing: Vec<String>,
    /// Losses and differences from the scene.
    pub warnings: Vec<Warning>,
}

impl Skeleton {
    /// Creates a skeleton from a tree. `names` lists the nodes' names in drawing order; a `.nj` file has no
    /// names.
    ///
    /// # Errors
    /// If a node has the rotation order ZXY_ANG, or the number of names is wrong.
    pub fn new(tree: &ObjectTree, names: Option<Vec<String>>) -> Result<Self, Error> {
        let is_named = names.is_some();
        let mut names = names.unwrap_or_default().into_iter();
        let (mut joints, mut above): (Vec<SkeletonJoint>, Vec<usize>) = (Vec::new(), Vec::new());
        for (number, (id, depth, object)) in tree.walk().enumerate() {
            let flags = object.evalflags;
            if flags.contains(EvalFlags::ZXY_ANG) && !flags.contains(EvalFlags::SKIP) {
                let place = format!("node {number} of the model");
                return Err(Error::scene(
                    place,
                    "the flag ZXY_ANG",
                    "angles about x, then y, then z",
                ));
            }
            above.truncate(depth);
            let parent = above.last().copied();
            above.push(number);
            let rest = rest(object);
            let to_parent = parent.map_or(Affine::IDENTITY, |p| joints[p].world);
            joints.push(SkeletonJoint {
                name: names.next().unwrap_or_else(|| number.to_string()),
                parent,
                object: id.index(),
                world: to_parent.times(&rest.affine()),
                rest,
            });
        }
        Ok(Skeleton {
            tree: tree.clone(),
            joints,
            is_named,
        })
    }

    /// Returns the names of all nodes, for messages.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.joints.iter().map(|joint| joint.name.as_str()).collect()
    }

    /// Returns the diagonal of the box around the nodes and their models' spheres.
    fn size(&self) -> f64 {
        let points = self.joints.iter().flat_map(|joint| {
            let object = &self.tree.objects[joint.object];
            let model = object.model.and_then(|model| self.tree.model(model));
            let radius = model.map_or(0.0, |model| f64::from(model.radius));
            let centre = model.map_or([0.0; 3], |model| model.center.map(f64::from));
            let centre = joint.world.point(centre);
            [-radius, radius].map(|by| centre.map(|c| c + by))
        });
        around(points).size
    }
}

/// Returns a node's transform. Ignores its UNIT flags, as motions do.
fn rest(object: &Object) -> Trs {
    let turn = || rotation_of_angles(object.ang.map(ninja::Bams::radians));
    Trs {
        translation: object.pos.map(f64::from),
        rotation: match object.quaternion() {
            Some(quaternion) => quaternion.map(f64::from),
            None => quat_of_rotation(&turn()),
        },
        scale: object.scl.map(f64::from),
    }
}

/// Converts the animation stacks of a scene for the nodes of a model.
///
/// Pairs nodes by name, or by hierarchy and position if the model has no names. A paired node takes the
/// rotation of its partner. It takes scale and position only where they differ from the scene's rest pose.
///
/// # Errors
/// Fails as [`crate::convert`] does, and if no moved node of the scene is in the model.
pub fn onto(
    bytes: &[u8],
    options: &Options,
    files: Files<'_>,
    skeleton: &Skeleton,
) -> Result<Retargeted, Error> {
    let mut warnings = Warnings::default();
    let options = Options {
        rotation: match skeleton.tree.kind {
            NodeFormat::Ninja2 => Rotation::Quaternion,
            _ => options.rotation,
        },
        ..options.clone()
    };
    let scene = Scene::load(bytes, &options, files, &mut warnings)?;
    let plan = Plan::new(&scene, true, &mut warnings)?;
    let stacks = motion::chosen(&scene, &options, &mut warnings)?;
    if stacks.is_empty() {
        return Err(Error::scene("scene", "no animation stack", "at least one"));
    }
    let moved = moved(&scene, &plan, &stacks);
    let pairs = pair::pairs(skeleton, &plan, &moved, &mut warnings)?;
    let takes = motion::takes(&scene, &plan, &stacks, &options, &mut warnings)?;
    let size = skeleton.size();
    let mapping = Mapping::new(skeleton, &plan, pairs, size, &mut warnings);
    let joints: Vec<Joint<'_>> = skeleton
        .joints
        .iter()
        .map(|joint| skeleton.joint(joint))
        .collect();
    let mut budget = SampleBudget::new(&options);
    let (mut motions, mut rows, mut still) = (Vec::new(), Vec::new(), Vec::new());
    for take in takes {
        let stack = &scene.stacks[take.stack];
        if stack.shapes {
            warnings.notice("blend shapes are left out: they belong to their own mesh");
        }
        budget.take(|| "the model".to_owned(), take.times.len(), joints.len())?;
        let samples = mapping.samples(&take);
        let Some(made) = motion::motion(&samples, &joints, size, &options, &mut warnings) else {
            still.push(stack.name.as_str());
            continue;
        };
        rows.push(MotionRow {
            stack: stack.name.clone(),
            frames: take.times.len() as u32,
            rate: take.rate,
            begin: stack.begin,
            tables: made.motion.tracks.len(),
            keys: made.motion.tracks.iter().map(ninja::Keys::len).sum(),
            sampled_keys: made.sampled_keys,
            ..MotionRow::default()
        });
        motions.push(MotionFile {
            name: stack.name.clone(),
            file: File::new(vec![Chunk::Motion(made.motion)]),
            stack: take.stack,
            times: take.times,
        });
    }
    motion::warn_of_still(&still, &mut warnings);
    let partner = |node: &Option<usize>| node.map(|node| plan.nodes[node].name.clone());
    let nodes = skeleton.joints.iter().zip(&mapping.pairs);
    let nodes = nodes.map(|(joint, node)| JointRow {
        model: joint.name.clone(),
        scene: partner(node),
    });
    let missing = moved.iter().filter(|node| !mapping.pairs.contains(&Some(**node)));
    Ok(Retargeted {
        motions,
        rows,
        nodes: nodes.collect(),
        missing: missing.map(|node| plan.nodes[*node].name.clone()).collect(),
        warnings: warnings.list,
    })
}

impl Skeleton {
    fn joint<'a>(&'a self, joint: &'a SkeletonJoint) -> Joint<'a> {
        Joint {
            name: &joint.name,
            parent: joint.parent,
            object: &self.tree.objects[joint.object],
        }
    }
}

/// Returns the planned nodes that the stacks move, in drawing order.
fn moved(scene: &Scene, plan: &Plan, stacks: &[usize]) -> Vec<usize> {
    let moved = stacks.iter().flat_map(|stack| &scene.stacks[*stack].moved);
    let mut moved: Vec<usize> = moved.filter_map(|node| plan.of_source(*node)).collect();
    moved.sort_unstable();
    moved.dedup();
    moved
}

/// Pairs of nodes of the scene and the model, and the ratio of lengths.
struct Mapping<'a> {
    skeleton: &'a Skeleton,
    plan: &'a Plan,
    /// Node of the scene, by node of the model.
    pairs: Vec<Option<usize>>,
    /// Ratio of lengths in the model to lengths in the scene.
    ratio: f64,
    /// Distances below this count as 0.
    small: f64,
}

/// Relative difference below which sizes are equal.
const SAME_SIZE: f64 = 0.01;

impl<'a> Mapping<'a> {
    fn new(
        skeleton: &'a Skeleton,
        plan: &'a Plan,
        pairs: Vec<Option<usize>>,
        size: f64,
        warnings: &mut Warnings,
    ) -> Self {
        let mut mapping = Mapping {
            skeleton,
            plan,
            pairs,
            ratio: 1.0,
            small: 1e-6 * size,
        };
        let ratio = |(joint, node): (&SkeletonJoint, &Option<usize>)| {
            let node = node.filter(|node| mapping.is_below_pair(joint, *node))?;
            let of_scene = length(plan.nodes[node].rest.translation);
            let ratio = length(joint.rest.translation) / of_scene;
            (of_scene > mapping.small && ratio.is_normal()).then_some(ratio)
        };
        let mut ratios: Vec<f64> = skeleton
            .joints
            .iter()
            .zip(&mapping.pairs)
            .filter_map(ratio)
            .collect();
        ratios.sort_by(f64::total_cmp);
        // Uses the median, because positions at rest can come from the motion's first frame.
        let ratio = ratios.get(ratios.len() / 2).copied().unwrap_or(1.0);
        if (ratio - 1.0).abs() > SAME_SIZE {
            mapping.ratio = ratio;
            warnings.notice(format!(
                "the model's bones are {ratio:.4} times as long as the motion's: positions are scaled by \
                this factor"
            ));
        }
        mapping
    }

    /// Returns whether the parents of a node and of its partner are partners too.
    fn is_below_pair(&self, joint: &SkeletonJoint, node: usize) -> bool {
        let parent = self.plan.nodes[node].parent;
        parent.is_some() && joint.parent.is_some_and(|above| self.pairs[above] == parent)
    }

    /// Returns the transforms of the model's nodes at the frames of a take.
    fn samples(&self, take: &Take) -> Samples {
        let (frames, count) = (take.times.len(), self.pairs.len());
        let keeps: Vec<[bool; 2]> = self.pairs.iter().map(|node| self.keeps(*node, take)).collect();
        let mut locals = vec![Trs::IDENTITY; frames * count];
        for frame in 0..frames {
            let of_scene = take.samples.worlds(self.plan, frame);
            let mut worlds: Vec<Affine> = Vec::with_capacity(count);
            for (number, joint) in self.skeleton.joints.iter().enumerate() {
                let above = joint.parent.map_or(Affine::IDENTITY, |parent| worlds[parent]);
                let local = self.pairs[number].and_then(|node| {
                    let moved = take.samples.of(node)[frame];
                    let is_top = joint.parent.is_none() && self.plan.nodes[node].parent.is_none();
                    if is_top || self.is_below_pair(joint, node) {
                        return Some(self.local(joint, keeps[number], &moved));
                    }
                    let mut world = of_scene[node];
                    world.origin = scaled(world.origin, self.ratio);
                    Some(above.inverse()?.times(&world).decomposed()?.0)
                });
                let local = local.unwrap_or(joint.rest);
                worlds.push(above.times(&local.affine()));
                locals[number * frames + frame] = local;
            }
        }
        Samples::new(frames, locals)
    }

    /// Returns whether a node of the scene has its rest position in all frames, and whether it has its rest
    /// scale.
    fn keeps(&self, node: Option<usize>, take: &Take) -> [bool; 2] {
        let Some(node) = node else { return [true; 2] };
        let rest = &self.plan.nodes[node].rest;
        let near = |a: [f64; 3], b: [f64; 3], most: f64| (0..3).all(|k| (a[k] - b[k]).abs() <= most);
        let locals = take.samples.of(node);
        let small = self.small / self.ratio;
        [
            locals
                .iter()
                .all(|t| near(t.translation, rest.translation, small)),
            locals.iter().all(|t| near(t.scale, rest.scale, 1e-6)),
        ]
    }

    /// Returns the transform of a node with paired parents: its own lengths, the partner's rotation.
    fn local(&self, joint: &SkeletonJoint, [position, scale]: [bool; 2], moved: &Trs) -> Trs {
        Trs {
            translation: match position && joint.parent.is_some() {
                true => joint.rest.translation,
                false => scaled(moved.translation, self.ratio),
            },
            rotation: moved.rotation,
            scale: if scale { joint.rest.scale } else { moved.scale },
        }
    }
}
