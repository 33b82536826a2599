//! The listing as CSV.

use crate::places::{Places, instruction};
use crate::profile::Profile;
use std::fmt::Write as _;
use timing::Cause;

/// Exports one line per executed instruction: address, function, source, instruction, count, cycles, misses,
/// lost slots by cause.
#[must_use]
pub fn csv(profile: &Profile, places: &Places) -> String {
    let mut text = String::from("address,function,source,instruction,count,cycles,misses,instruction_misses");
    for cause in Cause::ALL {
        let _ = write!(text, ",lost_{}", cause.key());
    }
    text.push('\n');
    for site in profile.sites.iter().filter(|site| site.costs.instructions > 0) {
        let source = places
            .line(site.pc)
            .map_or(String::new(), |line| format!("{}:{}", line.file, line.line));
        let costs = &site.costs;
        let _ = write!(
            text,
            "{:#010x},{},{},{},{},{},{},{}",
            site.pc,
            quoted(&places.function(site.pc).1),
            quoted(&source),
            quoted(&instruction(site.opcode, site.pc, site.insn.id)),
            costs.instructions,
            costs.cycles,
            costs.misses,
            costs.instruction_misses
        );
        for slots in costs.lost {
            let _ = write!(text, ",{slots}");
        }
        text.push('\n');
    }
    text
}

/// Quotes a cell, because it can contain commas.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
