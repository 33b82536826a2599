//! The pipeline log format of the viewer Konata.

use crate::places::instruction;
use crate::profile::Profile;
use crate::view::stage_letters;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Exports the last instructions with their stages by cycle, in format version 4.
#[must_use]
pub fn konata(profile: &Profile) -> String {
    let mut cycles: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for (id, (step, _)) in profile.steps.iter().enumerate() {
        let site = &profile.sites[step.site as usize];
        let text = instruction(site.opcode, site.pc, site.insn.id);
        let start = cycles.entry(step.cycle).or_default();
        start.push(format!("I\t{id}\t{id}\t0"));
        start.push(format!("L\t{id}\t0\t{:08x} {text}", site.pc));
        let mut last = None;
        let mut end = step.cycle;
        for (offset, letter) in stage_letters(&site.insn).chars().enumerate() {
            end = step.cycle + offset as u64;
            if last != Some(letter) {
                cycles
                    .entry(end)
                    .or_default()
                    .push(format!("S\t{id}\t0\t{letter}"));
                last = Some(letter);
            }
        }
        cycles
            .entry(end + 1)
            .or_default()
            .push(format!("R\t{id}\t{id}\t0"));
    }
    let mut text = String::from("Kanata\t0004\n");
    let mut now = None;
    for (cycle, lines) in cycles {
        let _ = match now {
            None => writeln!(text, "C=\t{cycle}"),
            Some(now) => writeln!(text, "C\t{}", cycle - now),
        };
        now = Some(cycle);
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}
