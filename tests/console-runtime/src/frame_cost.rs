//! Cycles of a frame, by stage and by function.

use sh4_kernels::find;
use std::collections::BTreeMap;

/// A group of functions that take the cycles of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FrameStage {
    /// Kernels that compute matrices and vertices in view space.
    Transform,
    /// Kernels that compute colours.
    Light,
    /// Kernels that compute positions on the screen.
    Project,
    /// Kernels that send blocks to the tile accelerator.
    Submit,
    /// All other kernels: clipping, fills, keys.
    Other,
    /// Functions that replace float instructions, for compilers without an FPU.
    Floats,
    /// C code: drawing nodes in order, choosing lists, copying.
    Walk,
}

pub(super) const STAGES: [(FrameStage, &str); 7] = [
    (FrameStage::Transform, "transform"),
    (FrameStage::Light, "light"),
    (FrameStage::Project, "project"),
    (FrameStage::Submit, "submit"),
    (FrameStage::Other, "other"),
    (FrameStage::Floats, "floats"),
    (FrameStage::Walk, "C code"),
];

/// Cycles of one frame or the sum of several frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FrameCost {
    stages: BTreeMap<FrameStage, u64>,
    /// Cycles of each C function.
    pub(super) functions: BTreeMap<String, u64>,
}

impl FrameCost {
    /// Adds the cycles of an instruction in the function `symbol`.
    pub(super) fn add(&mut self, symbol: &str, cycles: u64) {
        let stage = stage(symbol);
        *self.stages.entry(stage).or_default() += cycles;
        if stage == FrameStage::Walk {
            *self.functions.entry(symbol.to_owned()).or_default() += cycles;
        }
    }

    pub(super) fn of(&self, stage: FrameStage) -> u64 {
        self.stages.get(&stage).copied().unwrap_or_default()
    }

    pub(super) fn all(&self) -> u64 {
        self.stages.values().sum()
    }

    /// Share of C code in all cycles, in per cent.
    pub(super) fn share(&self) -> f64 {
        100.0 * self.of(FrameStage::Walk) as f64 / self.all().max(1) as f64
    }

    pub(super) fn take_functions(&mut self, other: &Self) {
        for (name, cycles) in &other.functions {
            *self.functions.entry(name.clone()).or_default() += cycles;
        }
    }
}

/// Returns the stage of a function: `_swirl_NAME` is a kernel, and functions of `float_calls.S` have the name
/// endings of libgcc.
fn stage(symbol: &str) -> FrameStage {
    let name = symbol.trim_start_matches('_');
    let kernel = name.strip_prefix("swirl_").filter(|name| find(name).is_some());
    if let Some(kernel) = kernel {
        return stage_of_kernel(kernel);
    }
    let float = ["sf2", "sf3", "sisf", "sfsi"]
        .iter()
        .any(|end| name.ends_with(end));
    if float && symbol.starts_with("__") {
        FrameStage::Floats
    } else {
        FrameStage::Walk
    }
}

fn stage_of_kernel(kernel: &str) -> FrameStage {
    match kernel {
        "transform_points" | "transform_vectors" | "blend_weighted" | "unpack_normals"
        | "matrix_multiply" | "quaternion_matrix" | "sincos" | "bounding_sphere" => FrameStage::Transform,
        "light_vertices" | "shade_colours" | "transform_normals_and_light" => FrameStage::Light,
        "project_points" => FrameStage::Project,
        name if name.starts_with("submit_") => FrameStage::Submit,
        _ => FrameStage::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::{FrameCost, FrameStage, stage};

    #[test]
    fn functions_have_stages() {
        assert_eq!(stage("_swirl_transform_points"), FrameStage::Transform);
        assert_eq!(stage("swirl_submit_strip"), FrameStage::Submit);
        assert_eq!(stage("swirl_clip_near"), FrameStage::Other);
        // A C function with a name that begins like the name of a kernel.
        assert_eq!(stage("swirl_bits"), FrameStage::Walk);
        assert_eq!(stage("___addsf3"), FrameStage::Floats);
        assert_eq!(stage("__movmem_i4_even"), FrameStage::Walk);
        assert_eq!(stage("swr_draw"), FrameStage::Walk);
    }

    #[test]
    fn every_cycle_is_in_the_sum() {
        let mut cost = FrameCost::default();
        for (symbol, cycles) in [
            ("_swirl_sincos", 5),
            ("swr_draw", 7),
            ("__mulsf3", 11),
            ("swr_draw", 2),
        ] {
            cost.add(symbol, cycles);
        }
        assert_eq!(
            (cost.of(FrameStage::Transform), cost.of(FrameStage::Floats)),
            (5, 11)
        );
        assert_eq!((cost.of(FrameStage::Walk), cost.functions["swr_draw"]), (9, 9));
        assert_eq!(cost.all(), 25);
        assert_eq!(cost.share(), 36.0);
    }
}
