//! Profile of a running program: cycles by frame, function and call chain.

use crate::Failure;
use crate::code::Code;
use crate::reply::Reply;
use dreamcast::{Dreamcast, Ended, Until};
use profile::program::{Activity, Frame, Functions, ProgramProfile, ProgramProfiler};
use serde::Serialize;
use std::collections::BTreeMap;

/// Maximum number of functions in a report.
const MOST_FUNCTIONS: usize = 50;
/// Smallest share of all cycles with which a node of the call tree is in the report, in millionths.
const LEAST_SHARE: u64 = 500;

/// Measures frames with the cycle model, beginning with empty caches.
pub(crate) struct Measurement {
    profiler: ProgramProfiler,
    begin: u64,
}

/// A frame in a report, with cycles by activity.
#[derive(Serialize)]
struct FrameRow {
    number: u64,
    cycles: u64,
    work: u64,
    activities: BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FunctionRow {
    name: String,
    /// Cycles of the function without callees.
    cycles: u64,
    most_in_frame: u64,
}

/// A node of the call tree. Callers precede callees.
#[derive(Serialize)]
struct CallRow {
    /// Index of the caller.
    parent: Option<usize>,
    name: String,
    /// Cycles with callees.
    cycles: u64,
}

#[derive(Serialize)]
struct Report {
    /// Cycles from one vertical blank to the next at 60 Hz.
    budget: u64,
    cycles: u64,
    frames: Vec<FrameRow>,
    functions: Vec<FunctionRow>,
    calls: Vec<CallRow>,
}

impl Measurement {
    pub(crate) fn start(console: &Dreamcast, code: &Code) -> Self {
        let symbols = console.symbols().iter();
        let functions = Functions::new(symbols, code.code.clone());
        let begin = console.now().0;
        let mut profiler = ProgramProfiler::new(console.cold_model(), functions, begin, console.frame());
        profiler.set_event_masks(console.event_masks());
        Self { profiler, begin }
    }

    pub(crate) fn run(&mut self, console: &mut Dreamcast, until: Until) -> Ended {
        let ended = console.run_clocked(until, &mut self.profiler);
        if ended == Ended::Frame {
            self.profiler.next_frame(console.frame());
        }
        ended
    }

    /// Ends the measurement and reports it.
    pub(crate) fn finish(self, console: &Dreamcast, code: &Code) -> Result<Reply, Failure> {
        let cycles = console.now().0 - self.begin;
        let result = self.profiler.finish();
        let report = Report {
            budget: console.cpu_hz() / 60,
            cycles,
            frames: result.frames.iter().map(frame).collect(),
            functions: functions(&result),
            calls: calls(&result, code, cycles),
        };
        Reply::new(&report, Vec::new())
    }
}

fn frame(frame: &Frame) -> FrameRow {
    let activities = Activity::ALL.iter().zip(frame.activities);
    let spent = activities.filter(|(_, cycles)| *cycles > 0);
    FrameRow {
        number: frame.number,
        cycles: frame.cycles,
        work: frame.work(),
        activities: spent
            .map(|(activity, cycles)| (activity.text(), cycles))
            .collect(),
    }
}

fn functions(result: &ProgramProfile) -> Vec<FunctionRow> {
    let mut functions = result.functions.clone();
    let mut cycles: BTreeMap<u32, u64> = BTreeMap::new();
    for site in &result.profile.sites {
        *cycles.entry(functions.number(site.pc)).or_default() += site.costs.cycles;
    }
    let row = |(number, cycles): (u32, u64)| FunctionRow {
        name: functions.name(number).to_owned(),
        cycles,
        most_in_frame: result.most.get(number as usize).copied().unwrap_or(0),
    };
    let mut rows: Vec<FunctionRow> = cycles.into_iter().map(row).collect();
    rows.sort_by(|a, b| b.cycles.cmp(&a.cycles).then_with(|| a.name.cmp(&b.name)));
    rows.truncate(MOST_FUNCTIONS);
    rows
}

/// Returns the call tree with the cycles of callees added to callers, without small nodes.
fn calls(result: &ProgramProfile, code: &Code, all: u64) -> Vec<CallRow> {
    let nodes = result.profile.calls.nodes();
    let mut sums: Vec<u64> = nodes.iter().map(|node| node.cycles).collect();
    for (n, node) in nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            sums[parent] += sums[n];
        }
    }
    let mut rows = Vec::new();
    // A kept node's caller is at least as large, so it is kept too.
    let mut places = vec![None; nodes.len()];
    for (n, node) in nodes.iter().enumerate() {
        if sums[n] == 0 || sums[n] * 1_000_000 < all * LEAST_SHARE {
            continue;
        }
        let origin = node.parent.is_none().then(|| node.origin.name()).flatten();
        let function = code.places.function(node.entry).1;
        places[n] = Some(rows.len());
        rows.push(CallRow {
            parent: node.parent.and_then(|parent| places[parent]),
            name: origin.map_or(function.clone(), |origin| format!("{origin}: {function}")),
            cycles: sums[n],
        });
    }
    rows
}
