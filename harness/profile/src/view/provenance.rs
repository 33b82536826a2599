//! Lists the uncertainties that affect the result of a run.

use crate::limits::{DEVIATIONS, QUEUE_DEVIATION, ROW_DEVIATION};
use crate::profile::Profile;
use sh4::table::Id;
use timing::Table;

/// Unmeasured constants, by instruction.
const OPEN: [(&str, &[Id]); 5] = [
    ("FSRRA", &[Id::fsrra_frn]),
    ("FSCA", &[Id::fsca_fpul_drn]),
    ("FTRV's first component", &[Id::ftrv_xmtrx_fvn]),
    ("double FDIV and FSQRT", &[Id::fdiv_drm_drn, Id::fsqrt_drn]),
    ("LDS.L FPSCR", &[Id::lds_l_post_rm_fpscr]),
];

/// Returns sentences about uncertain constants that affect the run, known deviations of the model, and
/// changed parameters.
#[must_use]
pub fn provenance(profile: &Profile) -> Vec<String> {
    let ran = |id: Id| {
        let mut sites = profile.sites.iter();
        sites.any(|site| site.insn.id == id && site.costs.instructions > 0)
    };
    let memory = &profile.memory;
    let met = OPEN.iter().filter(|(_, ids)| ids.iter().any(|id| ran(*id)));
    let mut open: Vec<&str> = met.map(|(name, _)| *name).collect();
    if memory.read_misses + memory.write_misses > 0 {
        open.push("the time of a miss in addition to its bus transfer");
    }
    let missed = DEVIATIONS.iter().filter(|(id, _)| ran(*id));
    let mut off: Vec<&str> = missed.map(|(_, what)| *what).collect();
    if memory.queue_flushes > 0 {
        off.push(QUEUE_DEVIATION);
    }
    let fetched_again: u64 = memory.conflicts().iter().map(|conflict| conflict.count).sum();
    if 2 * fetched_again > memory.read_misses + memory.write_misses {
        off.push(ROW_DEVIATION);
    }
    let changed = profile.setup.parameters.changed();
    let changed: Vec<&str> = changed.iter().map(String::as_str).collect();
    let parts = [
        ("depends on constants that are not measured", open),
        ("the model misses measurements by more than 5 % in", off),
        ("with changed parameters", changed),
    ];
    let sentences = parts.into_iter().filter(|(_, items)| !items.is_empty());
    sentences
        .map(|(head, items)| format!("{head}: {}", items.join(", ")))
        .collect()
}
