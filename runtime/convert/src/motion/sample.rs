//! Samples the local transforms of all nodes frame by frame.

use crate::error::{Error, Warnings};
use crate::limits::SAMPLE_BYTES;
use crate::math::{Affine, Trs};
use crate::nodes::Plan;
use crate::options::{Options, Stacks};
use crate::skin::Poses;
use crate::source::{Scene, Stack};

/// Maximum number of frames. Some key tables store frame numbers in 16 bits.
const MOST_FRAMES: u32 = 65_535;

/// Maximum number of poses used to fit the positions of weighted vertices, in addition to the rest pose.
const MOST_POSES: usize = 48;

/// A stack that becomes a motion.
pub(crate) struct Take {
    pub(crate) stack: usize,
    /// Frames per second.
    pub(crate) rate: f64,
    /// Times of the frames, in seconds of the source.
    pub(crate) times: Vec<f64>,
    pub(crate) samples: Samples,
}

/// Samples the stacks.
pub(crate) fn takes(
    scene: &Scene,
    plan: &Plan,
    stacks: &[usize],
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Vec<Take>, Error> {
    let mut takes = Vec::new();
    let mut budget = SampleBudget::new(options);
    for &stack in stacks {
        let rate = super::rate(scene, options, warnings);
        let times = times(&scene.stacks[stack], rate, options, warnings)?;
        let place = || format!("animation stack {:?}", scene.stacks[stack].name);
        budget.take(place, times.len(), plan.nodes.len())?;
        takes.push(Take {
            stack,
            rate,
            samples: Samples::take(scene, stack, &times, plan)?,
            times,
        });
    }
    Ok(takes)
}

/// Counts the transforms of all motions before they are sampled: many animations can share the keys of a
/// small file.
pub(crate) struct SampleBudget {
    left: usize,
    memory_limit: usize,
}

impl SampleBudget {
    pub(crate) fn new(options: &Options) -> Self {
        SampleBudget {
            left: options.memory_limit / SAMPLE_BYTES,
            memory_limit: options.memory_limit,
        }
    }

    /// Takes the transforms of one motion.
    ///
    /// # Errors
    /// If too few are left. `place` names the motion.
    pub(crate) fn take(
        &mut self,
        place: impl FnOnce() -> String,
        frames: usize,
        nodes: usize,
    ) -> Result<(), Error> {
        let count = frames.saturating_mul(nodes);
        let Some(left) = self.left.checked_sub(count) else {
            return Err(Error::scene(
                place(),
                format!("{frames} frames of {nodes} nodes"),
                format!(
                    "at most {} more transforms within the memory limit of {} bytes: lower the rate or give \
                     a range",
                    self.left, self.memory_limit
                ),
            ));
        };
        self.left = left;
        Ok(())
    }
}

/// Returns the rest pose, followed by frames spread over all takes.
pub(crate) fn poses(plan: &Plan, takes: &[Take]) -> Poses {
    let rest = plan.nodes.iter().map(|n| n.world).collect();
    let frames: usize = takes.iter().map(|t| t.times.len()).sum();
    let step = frames.div_ceil(MOST_POSES).max(1);
    let all = takes
        .iter()
        .flat_map(|t| (0..t.times.len()).map(move |frame| (t, frame)));
    let spread = all.step_by(step).map(|(t, frame)| t.samples.worlds(plan, frame));
    std::iter::once(rest).chain(spread).collect()
}

/// Local transforms by node and frame.
#[derive(Debug)]
pub(crate) struct Samples {
    frames: usize,
    locals: Vec<Trs>,
}

impl Samples {
    fn take(scene: &Scene, stack: usize, times: &[f64], plan: &Plan) -> Result<Self, Error> {
        let frames = times.len();
        let count = frames * plan.nodes.len();
        let mut locals = vec![Trs::IDENTITY; count];
        for (k, time) in times.iter().enumerate() {
            let all = scene.frame(Some(stack), *time)?.locals();
            for (node, planned) in plan.nodes.iter().enumerate() {
                let local = all
                    .get(planned.source)
                    .map_or(planned.rest, |t| plan.local(node, t));
                if !local.finite() {
                    let found = format!(
                        "a transform of node {:?} at {time} s that is not a number",
                        planned.name
                    );
                    let place = format!("animation stack {:?}", scene.stacks[stack].name);
                    return Err(Error::scene(place, found, "finite numbers"));
                }
                locals[node * frames + k] = local;
            }
        }
        Ok(Samples { frames, locals })
    }

    /// Creates samples from transforms by node and frame.
    pub(crate) fn new(frames: usize, locals: Vec<Trs>) -> Self {
        Samples { frames, locals }
    }

    pub(crate) fn frames(&self) -> usize {
        self.frames
    }

    /// Returns the maps from the nodes' spaces to the scene's at a frame.
    pub(crate) fn worlds(&self, plan: &Plan, frame: usize) -> Vec<Affine> {
        let mut worlds: Vec<Affine> = Vec::with_capacity(plan.nodes.len());
        for (node, planned) in plan.nodes.iter().enumerate() {
            let parent = planned.parent.map_or(Affine::IDENTITY, |p| worlds[p]);
            worlds.push(parent.times(&self.of(node)[frame].affine()));
        }
        worlds
    }

    /// Returns the transforms of a node.
    pub(crate) fn of(&self, node: usize) -> &[Trs] {
        &self.locals[node * self.frames..][..self.frames]
    }
}

/// Returns the stacks that become motions.
pub(crate) fn chosen(scene: &Scene, options: &Options, warnings: &mut Warnings) -> Result<Vec<usize>, Error> {
    let named = |name: &String| {
        let found = scene.stacks.iter().position(|s| s.name == *name);
        found.ok_or_else(|| {
            let all: Vec<&str> = scene.stacks.iter().map(|s| s.name.as_str()).collect();
            Error::scene("animation stack", format!("{name:?}"), format!("one of {all:?}"))
        })
    };
    match &options.stacks {
        Stacks::None => Ok(Vec::new()),
        Stacks::All => Ok((0..scene.stacks.len()).collect()),
        Stacks::Named(names) => names.iter().map(named).collect(),
        Stacks::Active => {
            let chosen = scene.active.or((!scene.stacks.is_empty()).then_some(0));
            if let Some(stack) = chosen.filter(|_| scene.stacks.len() > 1) {
                warn_of_others(scene, stack, warnings);
            }
            Ok(chosen.into_iter().collect())
        }
    }
}

fn warn_of_others(scene: &Scene, chosen: usize, warnings: &mut Warnings) {
    let stack = &scene.stacks[chosen];
    let names: Vec<&str> = scene.stacks.iter().map(|s| s.name.as_str()).collect();
    let all = names.len();
    warnings.add(
        "",
        format!(
            "{all} animation stacks, only {:?} is converted: {}",
            stack.name,
            names.join(", ")
        ),
    );
    let moves = |s: &Stack| s.moved.iter().any(|n| !stack.moved.contains(n));
    if scene.stacks.iter().any(moves) {
        let advice = "exporters can put the whole scene into one stack (in Blender: without \"NLA Strips\" \
                      and \"All Actions\")";
        warnings.add(
            "",
            format!("other stacks move nodes that this one does not; {advice}"),
        );
    }
}

/// Returns the times of a stack's frames, in seconds of the source, from the stack's beginning, which can
/// differ from 0. Limits their number to the maximum of a motion.
///
/// # Errors
/// If the stack ends before it begins, has times that are not numbers, or has no frame in the requested
/// range.
pub(crate) fn times(
    stack: &Stack,
    rate: f64,
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Vec<f64>, Error> {
    let place = || format!("animation stack {:?}", stack.name);
    let frames = ((stack.end - stack.begin) * rate).round() + 1.0;
    // A range could not name frames beyond 2^32.
    if !(1.0..=f64::from(u32::MAX)).contains(&frames) {
        let found = format!("{} to {} s at {rate} frames a second", stack.begin, stack.end);
        return Err(Error::scene(place(), found, format!("1 to {} frames", u32::MAX)));
    }
    let count = frames as u32;
    let (first, last) = match &options.range {
        Some(range) if range.is_empty() || *range.start() >= count => {
            let found = format!("the range {}..{}", range.start(), range.end());
            return Err(Error::scene(
                place(),
                found,
                format!("frames in 0..{}", count - 1),
            ));
        }
        Some(range) if *range.end() >= count => {
            warnings.add(
                place(),
                format!("it has only {count} frames: the range ends there"),
            );
            (*range.start(), count - 1)
        }
        Some(range) => (*range.start(), *range.end()),
        None => (0, count - 1),
    };
    let cut = last.min(first.saturating_add(MOST_FRAMES - 1));
    if cut < last {
        let message = format!(
            "{} frames, but a motion has at most {MOST_FRAMES}: frames {first} to {cut} are converted; a \
            range (--range A..B) or a lower rate (--rate) selects others",
            u64::from(last - first) + 1
        );
        warnings.add(place(), message);
    }
    let time = |frame: u32| stack.begin + f64::from(frame) / rate;
    Ok((first..=cut).map(time).collect())
}
