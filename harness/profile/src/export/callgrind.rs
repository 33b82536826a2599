//! The format callgrind.out, for KCachegrind and callgrind_annotate.

use crate::places::Places;
use crate::profile::Profile;
use crate::site::Costs;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use timing::Cause;

/// Exports cycles, instructions, misses, taken branches and lost slots by cause, for each instruction and
/// line.
#[must_use]
pub fn callgrind(profile: &Profile, places: &Places, title: &str) -> String {
    let mut text = format!("# callgrind format\nversion: 1\ncreator: swirl profile\ncmd: {title}\n");
    text += "positions: instr line\nevents: Cycles Instructions Misses InstructionMisses Taken";
    for cause in Cause::ALL {
        let _ = write!(text, " Lost_{}", cause.key());
    }
    let mut total = Costs::default();
    for site in &profile.sites {
        total.add(&site.costs);
    }
    let _ = writeln!(text, "\nsummary: {}\n", numbers(&total));
    let mut calls: BTreeMap<u32, Vec<(u32, crate::calls::CallEdge)>> = BTreeMap::new();
    for ((from, to), edge) in profile.calls.edges() {
        calls.entry(from).or_default().push((to, edge));
    }
    let mut position = (String::new(), String::new());
    for site in profile.sites.iter().filter(|site| site.costs.instructions > 0) {
        let here = (file(places, site.pc), places.function(site.pc).1);
        if here != position {
            let _ = writeln!(text, "fl={}\nfn={}", here.0, here.1);
            position = here;
        }
        let line = line(places, site.pc);
        let _ = writeln!(text, "{:#x} {line} {}", site.pc, numbers(&site.costs));
        for (to, edge) in calls.get(&site.pc).into_iter().flatten() {
            let _ = writeln!(text, "cfl={}\ncfn={}", file(places, *to), places.function(*to).1);
            let _ = writeln!(text, "calls={} {to:#x} {}", edge.count, self::line(places, *to));
            let _ = writeln!(text, "{:#x} {line} {}", site.pc, numbers(&edge.costs));
        }
    }
    text
}

fn file(places: &Places, pc: u32) -> String {
    places
        .line(pc)
        .map_or_else(|| "???".to_owned(), |line| line.file.to_string())
}

fn line(places: &Places, pc: u32) -> u32 {
    places.line(pc).map_or(0, |line| line.line)
}

/// The columns of the `events` line.
fn numbers(costs: &Costs) -> String {
    let first = [
        costs.cycles,
        costs.instructions,
        costs.misses,
        costs.instruction_misses,
        costs.taken,
    ];
    let all: Vec<String> = first.iter().chain(&costs.lost).map(u64::to_string).collect();
    all.join(" ")
}
