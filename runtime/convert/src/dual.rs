//! Measures the error of replacing dual-quaternion skinning with linear skinning. Ninja has only linear
//! skinning.

use crate::emit::Placed;
use crate::error::{Error, Warnings};
use crate::math::{length, sub};
use crate::motion::Take;
use crate::nodes::Plan;
use crate::source::{Frame, Scene};

/// Returns the largest distance between a vertex with linear skinning and with the file's skinning, as a
/// share of `size`. Covers the rest pose and all frames of the takes. Warns once per mesh.
pub(crate) fn loss(
    scene: &Scene,
    plan: &Plan,
    placed: &[Placed],
    takes: &[Take],
    size: f64,
    warnings: &mut Warnings,
) -> Result<f64, Error> {
    let rest = scene.frame(None, 0.0)?;
    let is_dual = |p: &&Placed| rest.dual_quaternions(p.in_file.0, p.in_file.1).is_some();
    let mut worst: Vec<PartError<'_>> = placed.iter().filter(is_dual).map(PartError::new).collect();
    if worst.is_empty() {
        return Ok(0.0);
    }
    for worst in &mut worst {
        worst.take(&rest, || "at rest".to_owned());
    }
    for take in takes {
        for (number, time) in take.times.iter().enumerate() {
            let frame = scene.frame(Some(take.stack), *time)?;
            for worst in &mut worst {
                worst.take(&frame, || {
                    format!("at frame {number} of {:?}", scene.stacks[take.stack].name)
                });
            }
        }
    }
    for worst in &worst {
        let share = worst.distance / size;
        let message = format!(
            "dual quaternion skinning becomes linear skinning, the only kind in the format: vertices move by \
            up to {:.3e} units, {share:.3e} of the size ({})",
            worst.distance, worst.pose
        );
        let name = &plan.nodes[worst.placed.node].name;
        warnings.add(format!("node {name:?}"), message);
    }
    let largest = worst.iter().map(|w| w.distance).fold(0.0, f64::max);
    Ok(if largest > 0.0 { largest / size } else { 0.0 })
}

/// Largest error found for one part, and the pose that has it.
struct PartError<'a> {
    placed: &'a Placed,
    distance: f64,
    pose: String,
}

impl<'a> PartError<'a> {
    fn new(placed: &'a Placed) -> Self {
        PartError {
            placed,
            distance: 0.0,
            pose: "at rest".to_owned(),
        }
    }

    fn take(&mut self, frame: &Frame, pose: impl Fn() -> String) {
        let (node, mesh) = self.placed.in_file;
        let linear = frame.vertices(node, mesh);
        let dual = frame.dual_quaternions(node, mesh).unwrap_or_default();
        for (source, _) in &self.placed.part.origins {
            let at = *source as usize;
            let Some((linear, dual)) = linear.get(at).zip(dual.get(at)) else {
                continue;
            };
            let distance = length(sub(*linear, *dual));
            if distance > self.distance {
                self.distance = distance;
                self.pose = pose();
            }
        }
    }
}
