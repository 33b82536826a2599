//! What each kernel costs on the modelled console, held to its budget.

use profile::{Bounds, Profiler, Setup};
use sh4_kernels::{KERNELS, Kernel, KernelError, Rng};
use std::path::Path;
use verify::{Emulated, QACR};

/// A budget that is so much above the cost is named, so that it can be set anew.
const SLACK: f64 = 0.05;

#[test]
fn kernels_keep_their_budgets() -> Result<(), Box<dyn std::error::Error>> {
    let mut emulated = Emulated::new()?;
    let (mut without, mut wrong) = (Vec::new(), Vec::new());
    println!(
        "{:<28} {:>6} {:>8} {:>8} {:>8} {:>8}",
        "kernel", "seed", "cold", "budget", "warm", "budget"
    );
    for kernel in KERNELS {
        let Some(budget) = kernel.budget() else {
            let cost = emulated.cost(kernel, 1)?;
            without.push(format!(
                "{} (seed 1: {} cold, {} warm)",
                kernel.name, cost.cold, cost.warm
            ));
            continue;
        };
        let cost = emulated.cost(kernel, budget.seed)?;
        println!(
            "{:<28} {:>6} {:>8} {:>8} {:>8} {:>8}",
            kernel.name, budget.seed, cost.cold, budget.cold, cost.warm, budget.warm
        );
        for (cost, budget) in [(cost.cold, budget.cold), (cost.warm, budget.warm)] {
            if cost > budget {
                wrong.push(format!("{}: {cost} cycles, budget {budget}", kernel.name));
            }
            if (cost as f64) < budget as f64 * (1.0 - SLACK) {
                println!("  slack: {} takes {cost} of {budget} cycles", kernel.name);
            }
        }
    }
    let count = without.len();
    println!("{count} kernels without a budget: {}", without.join(", "));
    assert!(wrong.is_empty(), "{}", wrong.join("; "));
    Ok(())
}

/// A row of the table in the README of `sh4-kernels`, up to the columns that nobody can measure.
fn row(emulated: &mut Emulated, kernel: &'static Kernel) -> Result<String, KernelError> {
    let seed = kernel.budget().map_or(1, |budget| budget.seed);
    let cost = emulated.cost(kernel, seed)?;
    let mut case = (kernel.generate)(&mut Rng::new(seed));
    let count = kernel.params.iter().position(|param| param.name == "n");
    let elements = count.map_or(1, |index| case.value(index));
    let mut profiler = Profiler::new(Setup {
        qacr: QACR,
        ..Setup::default()
    });
    emulated.call_hooked(kernel, &mut case.clone().args(), &mut profiler)?;
    profiler.restart();
    emulated.call_hooked(kernel, &mut case.args(), &mut profiler)?;
    let (binds, bound) = Bounds::of(&profiler.finish()).binding();
    let each = |cycles: u64| cycles as f64 / f64::from(elements.max(1));
    Ok(format!(
        "| `{}` | {elements} | {} | {} | {:.1} | {:.1} | {bound}, {binds} | {:.2} |",
        kernel.name,
        cost.cold,
        cost.warm,
        each(cost.cold),
        each(cost.warm),
        cost.warm as f64 / bound as f64
    ))
}

#[test]
fn the_readme_has_the_figures_that_are_measured() -> Result<(), Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sh4-kernels/README.md");
    let readme = std::fs::read_to_string(path)?;
    let mut emulated = Emulated::new()?;
    let mut missing = 0;
    for kernel in KERNELS {
        let row = row(&mut emulated, kernel)?;
        println!("{row}");
        missing += usize::from(!readme.contains(&row));
    }
    assert_eq!(
        missing, 0,
        "rows that sh4-kernels/README.md does not have as printed"
    );
    Ok(())
}
