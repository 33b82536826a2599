//! What each kernel costs on the modelled console, held to its budget.

use sh4_kernels::KERNELS;
use verify::Emulated;

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
