//! JSON and CSV of a program's profile.

use super::measure::Measured;
use super::rows;
use profile::program::Activity;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Everything but the instructions.
pub(crate) fn json(measured: &mut Measured) -> Value {
    let (functions, lines) = (rows::functions(measured), rows::lines(measured));
    let result = &measured.result;
    json!({
        "program": measured.title,
        "cycles": result.cycles(),
        "clock": measured.clock,
        "cpu_hz": measured.hz,
        "instructions": result.profile.counts.instructions,
        "renders": measured.renders,
        "missed_frames": measured.missed_frames(),
        "ram_bytes": measured.memory.ram_bytes(),
        "vram_bytes": measured.memory.vram_bytes(),
        "ended": measured.ended,
        "activities": activities(&result.activities()),
        "frames": frames(measured),
        "functions": functions,
        "lines": lines,
        "calls": rows::tree(measured, 1),
        "data": rows::data(measured),
        "data_owners": rows::owners(measured),
        "untracked_calls": result.profile.calls.untracked,
        "changed_code": result.profile.changed_code,
    })
}

pub(super) fn activities(cycles: &[u64]) -> Value {
    let all = Activity::ALL.iter().zip(cycles);
    Value::Object(
        all.map(|(activity, cycles)| (activity.key().to_owned(), json!(cycles)))
            .collect::<Map<String, Value>>(),
    )
}

fn frames(measured: &Measured) -> Vec<Value> {
    let names = &measured.result.functions;
    let frames = measured.result.frames.iter().zip(&measured.devices);
    frames
        .map(|(frame, devices)| {
            let functions: Vec<Value> = frame
                .functions
                .iter()
                .map(|row| json!({ "name": names.name(row.function), "cycles": row.cycles }))
                .collect();
            json!({
                "frame": frame.number,
                "begin": frame.begin,
                "cycles": frame.cycles,
                "work": frame.work(),
                "activities": activities(&frame.activities),
                "renders": devices.renders,
                "ta_bytes": devices.ta_bytes,
                "instructions": frame.instructions,
                "operand_misses": frame.misses,
                "instruction_misses": frame.instruction_misses,
                "functions": functions,
                "other_functions": frame.other_functions,
                "without_instructions": frame.without,
            })
        })
        .collect()
}

/// One row a frame.
pub(super) fn frames_csv(measured: &Measured) -> String {
    let mut text = String::from("frame,begin,cycles,work");
    for activity in Activity::ALL {
        let _ = write!(text, ",{}", activity.key());
    }
    text += ",instructions,operand_misses,instruction_misses,renders,ta_bytes\n";
    for (frame, devices) in measured.result.frames.iter().zip(&measured.devices) {
        let _ = write!(
            text,
            "{},{},{},{}",
            frame.number,
            frame.begin,
            frame.cycles,
            frame.work()
        );
        for cycles in frame.activities {
            let _ = write!(text, ",{cycles}");
        }
        let _ = writeln!(
            text,
            ",{},{},{},{},{}",
            frame.instructions, frame.misses, frame.instruction_misses, devices.renders, devices.ta_bytes
        );
    }
    text
}

/// One row an owner of data.
pub(super) fn owners_csv(measured: &Measured) -> String {
    let mut text = String::from("address,owner,misses,stalled\n");
    for row in rows::owners(measured) {
        let name = row.name.replace('"', "\"\"");
        let _ = writeln!(
            text,
            "{:#010x},\"{name}\",{},{}",
            row.address, row.misses, row.stalled
        );
    }
    text
}
