//! Cycles of the console runtime for a frame of each model, by the kind of code.

use super::player::Player;
use super::scenes;
use super::sources::Source;
use anyhow::Result;
use sh4_kernels::find;

/// Cycles of one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FrameCost {
    /// In the kernels.
    pub(super) kernels: u64,
    /// In the functions that stand for float instructions, if the compiler has no FPU.
    pub(super) floats: u64,
    /// In C code: the walk, the choice of lists, copies.
    pub(super) walk: u64,
}

impl FrameCost {
    /// Adds the cycles of an instruction in the function `symbol`.
    pub(super) fn add(&mut self, symbol: &str, cycles: u64) {
        *match kind(symbol) {
            Kind::Kernel => &mut self.kernels,
            Kind::Float => &mut self.floats,
            Kind::Walk => &mut self.walk,
        } += cycles;
    }

    fn all(self) -> u64 {
        self.kernels + self.floats + self.walk
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Kernel,
    Float,
    Walk,
}

/// The kind of code of a function: `_swirl_NAME` is a kernel, names of `float_calls.S` end as in libgcc.
fn kind(symbol: &str) -> Kind {
    let name = symbol.trim_start_matches('_');
    if name
        .strip_prefix("swirl_")
        .is_some_and(|name| find(name).is_some())
    {
        return Kind::Kernel;
    }
    let float = ["sf2", "sf3", "sisf", "sfsi"]
        .iter()
        .any(|end| name.ends_with(end));
    if float && symbol.starts_with("__") {
        Kind::Float
    } else {
        Kind::Walk
    }
}

/// Prints a row for each model: its frame at rest in the view 'whole', drawn a second time, so that the
/// caches are warm.
pub(super) fn print(player: &mut Player, sources: &[Source]) -> Result<()> {
    println!(
        "\n{:>7} {:>11} {:>11} {:>11} {:>11} {:>7}  cycles of a frame at rest, warm caches",
        "blocks", "kernels", "floats", "walk", "all", "walk"
    );
    for source in sources {
        for (number, tree) in source.file.models().enumerate() {
            if player.load(&source.bytes, number as u32)?.is_err() {
                continue;
            }
            let Some((_, view)) = scenes::views(tree).into_iter().next() else {
                continue;
            };
            let words = scenes::words(&view);
            if let Ok(blocks) = player.draw(&words)? {
                let cost = player.cost(&words)?;
                println!("{}  {}, model {number}", row(blocks.len(), cost), source.name);
            }
        }
    }
    Ok(())
}

fn row(blocks: usize, cost: FrameCost) -> String {
    let share = 100.0 * cost.walk as f64 / cost.all().max(1) as f64;
    format!(
        "{blocks:>7} {:>11} {:>11} {:>11} {:>11} {share:>5.1} %",
        cost.kernels,
        cost.floats,
        cost.walk,
        cost.all()
    )
}

#[cfg(test)]
mod tests {
    use super::{FrameCost, Kind, kind};

    #[test]
    fn functions_have_kinds() {
        assert_eq!(kind("_swirl_transform_points"), Kind::Kernel);
        // A function of C whose name begins like a kernel's.
        assert_eq!(kind("swirl_bits"), Kind::Walk);
        assert_eq!(kind("___addsf3"), Kind::Float);
        assert_eq!(kind("__movmem_i4_even"), Kind::Walk);
        assert_eq!(kind("swr_draw"), Kind::Walk);
    }

    #[test]
    fn every_cycle_is_in_the_sum() {
        let mut cost = FrameCost::default();
        for (symbol, cycles) in [("_swirl_sincos", 5), ("swr_draw", 7), ("__mulsf3", 11)] {
            cost.add(symbol, cycles);
        }
        assert_eq!((cost.kernels, cost.walk, cost.floats), (5, 7, 11));
        assert_eq!(cost.all(), 23);
    }
}
