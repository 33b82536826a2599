//! Writes JSON and CSV of a program's profile.

use super::frame_rows::FrameRow;
use super::measure::Measured;
use super::rows;
use profile::program::Activity;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// Returns everything except the instructions.
pub(crate) fn json(measured: &mut Measured) -> Value {
    let (functions, lines) = (rows::functions(measured), rows::lines(measured));
    let unattributed = rows::unattributed(measured);
    let result = &measured.result;
    json!({
        "program": measured.title,
        "cycles": result.cycles(),
        "clock": measured.clock,
        "cpu_hz": measured.hz,
        "instructions": result.profile.counts.instructions,
        "renders": measured.renders,
        "frame_count": measured.frames.count,
        "work": measured.frames.work,
        "most_work": measured.frames.heaviest.first().map_or(0, |row| row.sum.work()),
        "missed_frames": measured.frames.missed,
        "most_ta_bytes": measured.frames.most_ta_bytes,
        "ram_bytes": measured.memory.ram_bytes(),
        "vram_bytes": measured.memory.vram_bytes(),
        "ended": measured.ended,
        "activities": activities(&result.activities),
        "frames": frames(measured, &measured.frames.rows),
        "heaviest": frames(measured, &measured.frames.heaviest),
        "functions": functions,
        "lines": lines,
        "calls": rows::tree(measured, 1),
        "data": rows::data(measured),
        "data_owners": rows::owners(measured),
        "sound": measured.sound.json(),
        "unattributed": unattributed,
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

fn frames(measured: &Measured, rows: &[FrameRow]) -> Vec<Value> {
    let names = &measured.result.functions;
    let row = |row: &FrameRow| {
        let frame = &row.sum;
        let functions: Vec<Value> = frame
            .functions
            .iter()
            .map(|row| json!({ "name": names.name(row.function), "cycles": row.cycles }))
            .collect();
        json!({
            "frame": frame.number,
            "frames": row.frames,
            "begin": frame.begin,
            "cycles": frame.cycles,
            "work": frame.work(),
            "activities": activities(&frame.activities),
            "renders": row.devices.renders,
            "ta_bytes": row.devices.ta_bytes,
            "instructions": frame.instructions,
            "operand_misses": frame.misses,
            "instruction_misses": frame.instruction_misses,
            "functions": functions,
            "other_functions": frame.other_functions,
            "without_instructions": frame.without,
        })
    };
    rows.iter().map(row).collect()
}

/// Returns one row per owner of data.
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
