//! Prints a table of instructions.

use super::Paint;
use crate::places::{Places, instruction};
use crate::profile::Profile;
use crate::site::Costs;
use std::fmt::Write as _;
use timing::Cause;

/// Prints one line per executed instruction: count, cycles, cycles per execution, and the causes of its
/// waits.
#[must_use]
pub fn listing(profile: &Profile, places: &Places, paint: Paint) -> String {
    let mut text = format!(
        "{:<8} {:>10} {:>12} {:>7}  {:<34} slots lost before it\n",
        "address", "count", "cycles", "each", "instruction"
    );
    let whole = profile.cycles().0;
    let (mut function, mut source) = (None, None);
    for site in profile.sites.iter().filter(|site| site.costs.instructions > 0) {
        let here = places.function(site.pc);
        if function.as_ref() != Some(&here) {
            let _ = writeln!(text, "\n{}", paint.strong(&format!("<{}>:", here.1)));
            function = Some(here);
        }
        let line = places.line(site.pc);
        if line.is_some() && line != source {
            if let Some(line) = line {
                let _ = writeln!(text, "{}", paint.faint(&format!("  {}:{}", line.file, line.line)));
            }
            source = line;
        }
        let costs = &site.costs;
        let _ = writeln!(
            text,
            "{:08x} {:>10} {} {:>7.2}  {:<34} {}",
            site.pc,
            costs.instructions,
            paint.heat(costs.cycles, whole, &format!("{:>12}", costs.cycles)),
            costs.cycles as f64 / costs.instructions as f64,
            instruction(site.opcode, site.pc, site.insn.id),
            losses(costs, paint)
        );
    }
    text
}

/// Returns the causes of an instruction's losses, largest first.
fn losses(costs: &Costs, paint: Paint) -> String {
    let mut causes: Vec<(Cause, u64)> = Cause::ALL
        .iter()
        .map(|cause| (*cause, costs.lost[*cause as usize]))
        .collect();
    causes.retain(|(_, slots)| *slots > 0);
    causes.sort_by_key(|(_, slots)| std::cmp::Reverse(*slots));
    let parts: Vec<String> = causes
        .iter()
        .map(|(cause, slots)| paint.cause(*cause, &format!("{} {slots}", cause.key())))
        .collect();
    parts.join(", ")
}
