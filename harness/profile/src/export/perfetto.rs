//! Trace events of the last instructions for Perfetto. One microsecond stands for one cycle.

use crate::places::{Places, instruction};
use crate::profile::Profile;
use serde_json::{Value, json};

/// Tracks: first and second issue slot, and memory.
const TRACKS: [&str; 3] = ["first slot", "second slot", "memory"];

/// Exports one event per instruction, on the track of its slot. Memory stalls have a separate track.
#[must_use]
pub fn perfetto(profile: &Profile, places: &Places, title: &str) -> Value {
    let mut events = vec![json!({ "ph": "M", "name": "process_name", "pid": 1, "args": { "name": title } })];
    for (track, name) in TRACKS.iter().enumerate() {
        events.push(json!({
            "ph": "M", "name": "thread_name", "pid": 1, "tid": track + 1, "args": { "name": name },
        }));
    }
    for (step, stall) in profile.steps.iter() {
        let site = &profile.sites[step.site as usize];
        events.push(json!({
            "ph": "X",
            "name": instruction(site.opcode, site.pc, site.insn.id),
            "cat": "issue",
            "pid": 1,
            "tid": if step.second { 2 } else { 1 },
            "ts": step.cycle,
            "dur": 1,
            "args": {
                "pc": format!("{:08x}", site.pc),
                "at": places.describe(site.pc),
                "lost": step.lost,
                "cause": step.cause.key(),
            },
        }));
        let mut from = step.cycle - stall.cycles.min(step.cycle);
        for (cause, cycles) in stall.parts() {
            events.push(json!({
                "ph": "X", "name": cause.text(), "cat": "memory", "pid": 1, "tid": 3, "ts": from,
                "dur": cycles,
            }));
            from += cycles;
        }
    }
    json!({ "traceEvents": events, "displayTimeUnit": "ns" })
}
