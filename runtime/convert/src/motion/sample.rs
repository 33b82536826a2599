//! The local transforms of all nodes, frame by frame.

use crate::error::{Error, Warnings};
use crate::limits::MOTION_SAMPLES as MOST_SAMPLES;
use crate::math::{Affine, Trs};
use crate::nodes::Plan;
use crate::options::{Options, Stacks};
use crate::source::{Scene, Stack};

/// Key frames of 16-bit tables, which is what frames are counted with.
const MOST_FRAMES: f64 = 65_535.0;

/// Local transforms by node and frame.
#[derive(Debug)]
pub(crate) struct Samples {
    frames: usize,
    locals: Vec<Trs>,
}

impl Samples {
    pub(crate) fn take(scene: &Scene, stack: usize, times: &[f64], plan: &Plan) -> Result<Self, Error> {
        let frames = times.len();
        let count = frames.saturating_mul(plan.nodes.len());
        let place = || format!("animation stack {:?}", scene.stacks[stack].name);
        if count > MOST_SAMPLES {
            let found = format!("{frames} frames of {} nodes", plan.nodes.len());
            return Err(Error::scene(
                place(),
                found,
                format!("at most {MOST_SAMPLES} transforms: lower the rate"),
            ));
        }
        let mut locals = vec![Trs::IDENTITY; count];
        for (k, time) in times.iter().enumerate() {
            let all = scene.frame(Some(stack), *time, false)?.locals();
            for (node, planned) in plan.nodes.iter().enumerate() {
                let local = all
                    .get(planned.source)
                    .map_or(planned.rest, |t| plan.local(node, t));
                if !local.finite() {
                    let found = format!(
                        "a transform of node {:?} that is no number at {time} s",
                        planned.name
                    );
                    return Err(Error::scene(place(), found, "finite numbers"));
                }
                locals[node * frames + k] = local;
            }
        }
        Ok(Samples { frames, locals })
    }

    pub(crate) fn frames(&self) -> usize {
        self.frames
    }

    /// From the nodes' spaces to the scene's at a frame.
    pub(crate) fn worlds(&self, plan: &Plan, frame: usize) -> Vec<Affine> {
        let mut worlds: Vec<Affine> = Vec::with_capacity(plan.nodes.len());
        for (node, planned) in plan.nodes.iter().enumerate() {
            let parent = planned.parent.map_or(Affine::IDENTITY, |p| worlds[p]);
            worlds.push(parent.times(&self.of(node)[frame].affine()));
        }
        worlds
    }

    /// The transforms of a node.
    pub(crate) fn of(&self, node: usize) -> &[Trs] {
        &self.locals[node * self.frames..][..self.frames]
    }
}

/// The stacks that become motions.
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
            "{all} animation stacks, of which {:?} is taken: {}",
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

/// When the frames of a stack are, in seconds of the source: from the stack's own beginning on, which need
/// not be 0.
pub(crate) fn times(stack: &Stack, rate: f64) -> Result<Vec<f64>, Error> {
    let frames = ((stack.end - stack.begin) * rate).round() + 1.0;
    if !(1.0..=MOST_FRAMES).contains(&frames) {
        let found = format!("{} to {} s at {rate} frames a second", stack.begin, stack.end);
        let expected = format!("1 to {MOST_FRAMES} frames");
        return Err(Error::scene(
            format!("animation stack {:?}", stack.name),
            found,
            expected,
        ));
    }
    Ok((0..frames as usize)
        .map(|k| stack.begin + k as f64 / rate)
        .collect())
}
