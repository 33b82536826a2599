//! Rows of a program's profile.

use super::measure::Measured;
use profile::program::{CodeKind, UNKNOWN_OWNER};
use profile::{Origin, SourceLine};
use std::collections::BTreeMap;
use timing::Idle;

/// Cost of a function or source line.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(crate) struct CostRow {
    pub(crate) name: String,
    pub(crate) cycles: u64,
    pub(crate) instructions: u64,
    pub(crate) operand_misses: u64,
    pub(crate) instruction_misses: u64,
}

impl CostRow {
    fn add(&mut self, costs: &profile::Costs) {
        self.cycles += costs.cycles;
        self.instructions += costs.instructions;
        self.operand_misses += costs.misses;
        self.instruction_misses += costs.instruction_misses;
    }
}

/// Cost of a function.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(crate) struct FunctionRow {
    #[serde(flatten)]
    pub(crate) costs: CostRow,
    /// Maximum cycles per frame; unknown for time without instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) most_in_frame: Option<u64>,
}

/// Returns the functions, and a row per reason for time without instructions. They sum to all cycles.
pub(crate) fn functions(measured: &mut Measured) -> Vec<FunctionRow> {
    let mut rows: BTreeMap<u32, CostRow> = BTreeMap::new();
    let names = &mut measured.result.functions;
    for site in &measured.result.profile.sites {
        let number = names.number(site.pc);
        rows.entry(number).or_default().add(&site.costs);
    }
    let most = &measured.result.most;
    let mut all: Vec<FunctionRow> = rows
        .into_iter()
        .map(|(number, row)| FunctionRow {
            costs: CostRow {
                name: names.name(number).to_owned(),
                ..row
            },
            most_in_frame: most.get(number as usize).copied(),
        })
        .collect();
    let idle = &measured.result.idle;
    all.extend(Idle::ALL.iter().map(|reason| FunctionRow {
        costs: CostRow {
            name: format!("({})", reason.name()),
            cycles: idle.of(*reason),
            ..CostRow::default()
        },
        most_in_frame: None,
    }));
    all.retain(|row| row.costs.cycles > 0 || row.costs.instructions > 0);
    all.sort_by(|a, b| {
        let order = b.costs.cycles.cmp(&a.costs.cycles);
        order.then_with(|| a.costs.name.cmp(&b.costs.name))
    });
    all
}

/// Cost of a source line in a function.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct LineRow {
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    #[serde(flatten)]
    pub(crate) costs: CostRow,
}

/// Returns the source lines with a cost.
pub(crate) fn lines(measured: &mut Measured) -> Vec<LineRow> {
    let mut rows: BTreeMap<(u32, &SourceLine), CostRow> = BTreeMap::new();
    let names = &mut measured.result.functions;
    for site in &measured.result.profile.sites {
        if let Some(line) = measured.places.line(site.pc) {
            let number = names.number(site.pc);
            rows.entry((number, line)).or_default().add(&site.costs);
        }
    }
    let mut all: Vec<LineRow> = rows
        .into_iter()
        .map(|((number, line), row)| LineRow {
            function: names.name(number).to_owned(),
            file: line.file.to_string(),
            line: line.line,
            costs: CostRow {
                name: format!("{}:{}", line.file, line.line),
                ..row
            },
        })
        .collect();
    all.sort_by(|a, b| {
        let order = b.costs.cycles.cmp(&a.costs.cycles);
        order.then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line)))
    });
    all
}

/// Cache misses in a range of data addresses.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct DataRow {
    pub(crate) address: u32,
    pub(crate) owner: String,
    pub(crate) accesses: u64,
    pub(crate) misses: u64,
    pub(crate) stalled: u64,
}

/// Returns the ranges with misses or stalls, most expensive first.
pub(crate) fn data(measured: &Measured) -> Vec<DataRow> {
    let memory = &measured.result.profile.memory;
    let mut rows: Vec<DataRow> = memory
        .ranges()
        .into_iter()
        .map(|(address, counts)| DataRow {
            address,
            owner: owner_of_range(measured, address),
            accesses: counts.reads + counts.writes,
            misses: counts.read_misses + counts.write_misses,
            stalled: counts.stalled,
        })
        .filter(|row| row.misses > 0 || row.stalled > 0)
        .collect();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.stalled), row.address));
    rows
}

/// Returns the symbol at the start of a range; empty if there is none.
fn owner_of_range(measured: &Measured, address: u32) -> String {
    let name = measured.places.describe(address);
    match name == format!("{address:08x}") {
        true => String::new(),
        false => name,
    }
}

/// A node of the call tree.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct TreeRow {
    pub(crate) depth: usize,
    pub(crate) name: String,
    /// Cycles including callees.
    pub(crate) inclusive: u64,
    pub(crate) own: u64,
}

/// Misses and stalls of an object or a kind of memory.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct OwnerRow {
    pub(crate) address: u32,
    pub(crate) name: String,
    pub(crate) misses: u64,
    pub(crate) stalled: u64,
}

/// Returns the owners of data, most expensive first.
pub(crate) fn owners(measured: &Measured) -> Vec<OwnerRow> {
    let all = measured.result.data.iter();
    all.map(|owner| OwnerRow {
        address: owner.address,
        name: owner.name.clone(),
        misses: owner.costs.misses,
        stalled: owner.costs.stalled,
    })
    .collect()
}

/// Returns the call tree in order, without nodes below `least` cycles.
pub(crate) fn tree(measured: &Measured, least: u64) -> Vec<TreeRow> {
    let nodes = measured.result.profile.calls.nodes();
    let mut inclusive: Vec<u64> = nodes.iter().map(|node| node.cycles).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (place, node) in nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            inclusive[parent] += inclusive[place];
            children[parent].push(place);
        }
    }
    let mut rows = Vec::new();
    let sorted = |mut places: Vec<usize>| {
        places.retain(|place| inclusive[*place] >= least.max(1));
        // The most expensive place is last, because the loop below takes places from the end.
        places.sort_by_key(|place| (inclusive[*place], std::cmp::Reverse(*place)));
        places
    };
    let roots = (0..nodes.len()).filter(|place| nodes[*place].parent.is_none());
    let mut open: Vec<(usize, usize)> = sorted(roots.collect())
        .into_iter()
        .map(|place| (place, 0))
        .collect();
    while let Some((place, depth)) = open.pop() {
        let node = &nodes[place];
        let name = measured.places.describe(node.entry);
        let origin = node.origin.name().filter(|_| node.parent.is_none());
        rows.push(TreeRow {
            depth,
            name: origin.map_or_else(|| name.clone(), |origin| format!("{origin}: {name}")),
            inclusive: inclusive[place],
            own: node.cycles,
        });
        let below = sorted(std::mem::take(&mut children[place]));
        open.extend(below.into_iter().map(|child| (child, depth + 1)));
    }
    rows
}

/// Costs that could not be attributed, or not exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Unattributed {
    /// Cycles in the program's code without a symbol.
    pub(crate) no_symbol: u64,
    /// Cycles in code outside the program's file.
    pub(crate) outside_program: u64,
    /// Cycles in code without a source line.
    pub(crate) no_source_line: u64,
    /// Cycles of threads that began before the measurement, in the call tree.
    pub(crate) unknown_threads: u64,
    /// Stall cycles of data with an unknown address.
    pub(crate) unknown_data: u64,
    /// Calls for which the call tree has no room.
    pub(crate) untracked_calls: u64,
    /// Return instructions that end no known call.
    pub(crate) unmatched_returns: u64,
    /// Calls that never returned themselves, because an outer call returned first.
    pub(crate) abandoned_calls: u64,
}

pub(crate) fn unattributed(measured: &mut Measured) -> Unattributed {
    let mut all = Unattributed::default();
    let result = &mut measured.result;
    for site in &result.profile.sites {
        let number = result.functions.number(site.pc);
        match result.functions.kind(number) {
            CodeKind::Symbol => {}
            CodeKind::NoSymbol => all.no_symbol += site.costs.cycles,
            CodeKind::Outside => all.outside_program += site.costs.cycles,
        }
        if measured.places.line(site.pc).is_none() {
            all.no_source_line += site.costs.cycles;
        }
    }
    let calls = &result.profile.calls;
    let threads = calls.nodes().iter().filter(|node| node.origin == Origin::Thread);
    all.unknown_threads = threads.map(|node| node.cycles).sum();
    let data = result.data.iter().filter(|owner| owner.name == UNKNOWN_OWNER);
    all.unknown_data = data.map(|owner| owner.costs.stalled).sum();
    all.untracked_calls = calls.untracked;
    all.unmatched_returns = calls.unmatched_returns;
    all.abandoned_calls = calls.abandoned;
    all
}
