//! Cycles of the console runtime for a frame of each model, by the stage of the frame.

use super::player::Player;
use super::scenes;
use super::sources::Source;
use anyhow::Result;
use ninja::ObjectTree;
use sh4_kernels::find;
use std::collections::BTreeMap;

/// Where the cycles of a frame go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FrameStage {
    /// Kernels that make vertices in view space, and matrices.
    Transform,
    /// Kernels that make colours.
    Light,
    /// Kernels that make positions on the screen.
    Project,
    /// Kernels that send blocks.
    Submit,
    /// All other kernels: clipping, fills, keys.
    Other,
    /// Functions that stand for float instructions, if the compiler has no FPU.
    Floats,
    /// C code: the walk, the choice of lists, copies.
    Walk,
}

const STAGES: [(FrameStage, &str); 7] = [
    (FrameStage::Transform, "transform"),
    (FrameStage::Light, "light"),
    (FrameStage::Project, "project"),
    (FrameStage::Submit, "submit"),
    (FrameStage::Other, "other"),
    (FrameStage::Floats, "floats"),
    (FrameStage::Walk, "C code"),
];

/// Rows of the table of functions.
const DEAREST: usize = 12;

/// Cycles of one frame, or of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FrameCost {
    stages: BTreeMap<FrameStage, u64>,
    /// Of each function of C code.
    functions: BTreeMap<String, u64>,
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

    fn of(&self, stage: FrameStage) -> u64 {
        self.stages.get(&stage).copied().unwrap_or_default()
    }

    fn all(&self) -> u64 {
        self.stages.values().sum()
    }

    /// The share of C code, in per cent.
    fn share(&self) -> f64 {
        100.0 * self.of(FrameStage::Walk) as f64 / self.all().max(1) as f64
    }

    fn take_functions(&mut self, other: &Self) {
        for (name, cycles) in &other.functions {
            *self.functions.entry(name.clone()).or_default() += cycles;
        }
    }
}

/// The stage of a function: `_swirl_NAME` is a kernel, names of `float_calls.S` end as in libgcc.
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

/// Prints a row for each model: its frame at rest in the view 'whole', drawn a second time, so that the
/// caches are warm. Then the functions of C code that take most cycles of all these frames.
pub(super) fn print(player: &mut Player, sources: &[Source]) -> Result<()> {
    println!("\ncycles of a frame at rest, warm caches");
    print!("{:>8} {:>7}", "vertices", "blocks");
    for (_, name) in STAGES {
        print!(" {name:>9}");
    }
    println!(" {:>10} {:>7}", "all", "C code");
    let mut total = FrameCost::default();
    for source in sources {
        for (number, tree) in source.file.models().enumerate() {
            let place = format!("{}, model {number}", source.name);
            let Some((_, view)) = scenes::views(tree).into_iter().next() else {
                continue;
            };
            let words = scenes::words(&view);
            let drawn = match player.load(&source.bytes, number as u32)? {
                Ok(()) => player.draw(&words)?,
                Err(refusal) => Err(refusal),
            };
            let blocks = match drawn {
                Ok(blocks) => blocks.len(),
                Err(refusal) => {
                    println!("not drawn: {refusal}  {place}");
                    continue;
                }
            };
            let cost = player.cost(&words)?;
            println!("{:>8} {blocks:>7}{}  {place}", vertices(tree), row(&cost));
            total.take_functions(&cost);
        }
    }
    print_dearest(&total);
    Ok(())
}

/// Vertices that nodes make: those of a model that several nodes share count for each.
fn vertices(tree: &ObjectTree) -> usize {
    let models = tree.walk().filter_map(|(_, _, object)| tree.model(object.model?));
    let lists = models.filter_map(|model| tree.vlist(model.vlist?));
    let chunks = lists.flat_map(|list| &list.chunks);
    chunks.map(|chunk| usize::from(chunk.count)).sum()
}

fn row(cost: &FrameCost) -> String {
    let mut text = String::new();
    for (stage, _) in STAGES {
        text.push_str(&format!(" {:>9}", cost.of(stage)));
    }
    text + &format!(" {:>10} {:>5.1} %", cost.all(), cost.share())
}

fn print_dearest(total: &FrameCost) {
    let mut functions: Vec<_> = total.functions.iter().collect();
    functions.sort_by_key(|(_, cycles)| std::cmp::Reverse(**cycles));
    println!("\nC code of all these frames, the dearest functions");
    for (name, cycles) in functions.into_iter().take(DEAREST) {
        println!("{cycles:>12}  {}", name.trim_start_matches('_'));
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
        // A function of C whose name begins like a kernel's.
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
