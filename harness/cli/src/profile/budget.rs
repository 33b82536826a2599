//! Compares a kernel's cycles with its budget.

use super::target::{Code, Target};
use super::{Args, Cache};
use profile::Profile;

/// Returns a line if the kernel has a budget for this run.
pub(super) fn line(args: &Args, target: &Target, profile: &Profile) -> Option<String> {
    let Code::Kernel(_, kernel, _) = &target.code else {
        return None;
    };
    if !args.set.is_empty() || args.region.is_some() {
        return None;
    }
    let seed = args.seed.unwrap_or(1);
    let Some(budget) = kernel.budget().filter(|budget| budget.seed == seed) else {
        return Some(format!("budget: none for seed {seed}\n"));
    };
    let allowed = match args.cache {
        Cache::Cold => budget.cold,
        Cache::Warm => budget.warm,
        Cache::CodeWarm | Cache::DataWarm => return None,
    };
    let cycles = profile.cycles().0;
    let word = if cycles > allowed { "exceeded" } else { "kept" };
    Some(format!("budget: {cycles} of {allowed} cycles, {word}\n"))
}
