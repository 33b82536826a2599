//! Compares cycles of kernels on the modelled console with their budgets.

use anyhow::Result;
use serde::Serialize;
use serde_json::Value;
use sh4_kernels::{Kernel, find};
use std::fmt::Write as _;
use verify::{Emulated, Report, Rom, SH4};

/// Seed for kernels without a budget.
const SEED: u64 = 1;

/// Cost of one call.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct KernelCost {
    #[serde(skip)]
    kernel: &'static str,
    seed: u64,
    cold: u64,
    warm: u64,
    budget_cold: Option<u64>,
    budget_warm: Option<u64>,
}

impl KernelCost {
    pub(crate) fn of(costs: &[KernelCost], kernel: &str) -> Option<KernelCost> {
        costs.iter().find(|cost| cost.kernel == kernel).cloned()
    }
}

/// Measures the SH4 kernels in `reports` that passed.
pub(crate) fn measure(reports: &[Report], rom: Rom<'_>) -> Result<Vec<KernelCost>> {
    let sh4 = |report: &&Report| report.processor == SH4.name && report.passed();
    let mut mine = reports.iter().filter(sh4).peekable();
    if mine.peek().is_none() {
        return Ok(Vec::new());
    }
    let mut emulated = Emulated::with_rom(&rom)?;
    mine.filter_map(|report| find(report.kernel))
        .map(|kernel| one(&mut emulated, kernel))
        .collect()
}

fn one(emulated: &mut Emulated, kernel: &'static Kernel) -> Result<KernelCost> {
    let budget = kernel.budget();
    let seed = budget.map_or(SEED, |budget| budget.seed);
    let cost = emulated.cost(kernel, seed)?;
    Ok(KernelCost {
        kernel: kernel.name,
        seed,
        cold: cost.cold,
        warm: cost.warm,
        budget_cold: budget.map(|budget| budget.cold),
        budget_warm: budget.map(|budget| budget.warm),
    })
}

/// Returns a row per kernel with a cost.
pub(crate) fn table(kernels: &[Value]) -> String {
    let mut costs = kernels
        .iter()
        .filter(|kernel| kernel["cycles"].is_object())
        .peekable();
    if costs.peek().is_none() {
        return String::new();
    }
    let mut text = format!(
        "\n{:<28} {:>8} {:>11} {:>9} {:>11} {:>9}\n",
        "cycles of one call", "seed", "cold", "budget", "warm", "budget"
    );
    let shown = |budget: &Value| {
        budget
            .as_u64()
            .map_or_else(|| "none".to_owned(), |budget| budget.to_string())
    };
    for kernel in costs {
        let cost = &kernel["cycles"];
        let over = [("cold", "budget_cold"), ("warm", "budget_warm")];
        let over = over.iter().any(|(cycles, budget)| {
            cost[*budget]
                .as_u64()
                .is_some_and(|budget| cost[*cycles].as_u64() > Some(budget))
        });
        let _ = writeln!(
            text,
            "{:<28} {:>8} {:>11} {:>9} {:>11} {:>9}{}",
            kernel["name"].as_str().unwrap_or_default(),
            cost["seed"].to_string(),
            cost["cold"].to_string(),
            shown(&cost["budget_cold"]),
            cost["warm"].to_string(),
            shown(&cost["budget_warm"]),
            if over { "  EXCEEDED" } else { "" }
        );
    }
    text
}
