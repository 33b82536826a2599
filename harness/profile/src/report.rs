//! A profile as JSON, printed by `--json` and read by `--baseline`.

use crate::bounds::Bounds;
use crate::limits::NOT_MODELLED;
use crate::places::{Places, instruction};
use crate::profile::Profile;
use crate::site::Costs;
use crate::view::{fits, free_slots, group_name, hottest_loop, provenance, rows};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use timing::events::EVENTS;
use timing::{Cause, Table};

/// All views of a run. Slots are half cycles; addresses are numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The program.
    pub title: String,
    /// Requested state of the caches at the start of the run.
    pub cache: String,
    /// Total time in CPU cycles.
    pub cycles: u64,
    /// Total time with the uncertain constants of the pipeline at their fast and slow end.
    pub interval: Option<[u64; 2]>,
    /// Instructions.
    pub instructions: u64,
    /// Cycles in which two instructions issued.
    pub pairs: u64,
    /// Lower bounds.
    pub bounds: JsonBounds,
    /// Slots used.
    pub used: u64,
    /// Slots lost, by cause.
    pub lost: BTreeMap<String, u64>,
    /// Whole cycles without an issue, by cause. The slots in `lost` include them.
    #[serde(default)]
    pub idle: BTreeMap<String, u64>,
    /// The hardware's events.
    pub events: Vec<JsonEvent>,
    /// Costs by instruction.
    pub listing: Vec<JsonSite>,
    /// One iteration of the loop with the most repetitions.
    pub timeline: Option<JsonTimeline>,
    /// Statistics of the memory system.
    pub memory: JsonMemory,
    /// Parameters that the user changed.
    pub what_if: Vec<String>,
    /// Runs under other conditions, if requested.
    #[serde(default)]
    pub comparisons: Vec<JsonComparison>,
    /// Uncertain constants that the run depends on, and known deviations of the model.
    #[serde(default)]
    pub provenance: Vec<String>,
    /// Omissions of the model.
    pub not_modelled: Vec<String>,
}

/// See [`Bounds`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in Bounds")]
pub struct JsonBounds {
    pub slots: u64,
    pub chain: Option<u64>,
    #[serde(default)]
    pub vector: u64,
    #[serde(default)]
    pub arithmetic: u64,
    #[serde(default)]
    pub divider: u64,
    pub bus: u64,
}

/// The run under another condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JsonComparison {
    /// Condition that differs.
    pub what_if: String,
    /// Total time in CPU cycles.
    pub cycles: u64,
    /// Difference to the original run, in cycles.
    pub difference: i64,
}

/// One of the 33 events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in Event")]
pub struct JsonEvent {
    pub code: u8,
    pub event: String,
    pub count: u64,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in Site and Costs")]
pub struct JsonSite {
    pub address: u32,
    pub function: String,
    pub source: Option<String>,
    pub instruction: String,
    pub count: u64,
    pub cycles: u64,
    pub lost: BTreeMap<String, u64>,
    pub misses: u64,
    pub instruction_misses: u64,
}

/// One iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in view::TimelineRow")]
pub struct JsonTimeline {
    pub head: u32,
    pub cycles: u64,
    pub rows: Vec<JsonRow>,
    #[serde(default)]
    pub free_slots: Vec<JsonFree>,
    #[serde(default)]
    pub idle_cycles: u64,
}

/// One instruction of an iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in view::TimelineRow")]
pub struct JsonRow {
    pub address: u32,
    pub instruction: String,
    pub cycle: u64,
    pub stages: String,
    pub wait: String,
    pub frozen: u64,
}

/// A cycle of an iteration in which another instruction would have fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JsonFree {
    /// Cycle; 0 is the first of the iteration.
    pub cycle: u64,
    /// Group of the issued instruction.
    pub beside: String,
    /// Groups that would fit.
    pub fits: Vec<String>,
}

/// Statistics of the memory system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in MemoryStats")]
pub struct JsonMemory {
    pub ranges: Vec<JsonRange>,
    pub prefetches: Vec<JsonPrefetch>,
    pub conflicts: Vec<JsonConflict>,
    pub bus_busy: u64,
    pub row_hits: u64,
    pub row_misses: u64,
    pub turns: u64,
    pub write_backs: u64,
    pub queue_flushes: u64,
}

/// Accesses to one range of addresses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in Misses")]
pub struct JsonRange {
    pub address: u32,
    pub reads: u64,
    pub read_misses: u64,
    pub writes: u64,
    pub write_misses: u64,
    pub frozen: u64,
}

/// Use of the lines that one PREF prefetched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in Prefetches")]
pub struct JsonPrefetch {
    pub address: u32,
    pub issued: u64,
    pub useful: u64,
    pub late: u64,
    pub redundant: u64,
    pub lost: u64,
}

/// Two lines that evict each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as in Conflict")]
pub struct JsonConflict {
    pub victim: u32,
    pub evictor: u32,
    pub count: u64,
}

/// Returns slots or cycles by cause, without zeros.
fn lost(of: impl Fn(Cause) -> u64) -> BTreeMap<String, u64> {
    let all = Cause::ALL
        .iter()
        .map(|cause| (cause.key().to_owned(), of(*cause)));
    all.filter(|(_, slots)| *slots > 0).collect()
}

impl Report {
    /// Creates the report of a run.
    #[must_use]
    pub fn new(profile: &Profile, places: &Places, title: &str, cache: &str) -> Report {
        let bounds = Bounds::of(profile);
        Report {
            title: title.to_owned(),
            cache: cache.to_owned(),
            cycles: profile.cycles().0,
            interval: profile.interval.map(|ends| ends.map(|end| end.0)),
            instructions: profile.counts.instructions,
            pairs: profile.counts.pairs,
            bounds: JsonBounds {
                slots: bounds.slots,
                chain: bounds.chain,
                vector: bounds.vector,
                arithmetic: bounds.arithmetic,
                divider: bounds.divider,
                bus: bounds.bus,
            },
            used: profile.ledger.used,
            lost: lost(|cause| profile.ledger.of(cause)),
            idle: lost(|cause| profile.ledger.idle[cause as usize]),
            events: events(profile),
            listing: listing(profile, places),
            timeline: timeline(profile),
            memory: memory(profile),
            what_if: profile.setup.parameters.changed(),
            comparisons: Vec::new(),
            provenance: provenance(profile),
            not_modelled: NOT_MODELLED.iter().map(|line| (*line).to_owned()).collect(),
        }
    }
}

fn events(profile: &Profile) -> Vec<JsonEvent> {
    let pairs = EVENTS.iter().zip(profile.events.0);
    pairs
        .map(|(event, count)| JsonEvent {
            code: event.code,
            event: event.key.to_owned(),
            count,
        })
        .collect()
}

fn listing(profile: &Profile, places: &Places) -> Vec<JsonSite> {
    let ran = profile.sites.iter().filter(|site| site.costs.instructions > 0);
    ran.map(|site| {
        let costs: &Costs = &site.costs;
        JsonSite {
            address: site.pc,
            function: places.function(site.pc).1,
            source: places
                .line(site.pc)
                .map(|line| format!("{}:{}", line.file, line.line)),
            instruction: instruction(site.opcode, site.pc, site.insn.id),
            count: costs.instructions,
            cycles: costs.cycles,
            lost: lost(|cause| costs.lost[cause as usize]),
            misses: costs.misses,
            instruction_misses: costs.instruction_misses,
        }
    })
    .collect()
}

fn timeline(profile: &Profile) -> Option<JsonTimeline> {
    let site = hottest_loop(profile)?;
    let (rows, cycles) = rows(profile, site)?;
    let (free, idle_cycles) = free_slots(&rows, cycles);
    let free = free.into_iter().map(|slot| JsonFree {
        cycle: slot.cycle,
        beside: group_name(slot.beside).to_owned(),
        fits: fits(slot.beside)
            .into_iter()
            .map(|group| group_name(group).to_owned())
            .collect(),
    });
    let rows = rows.into_iter().map(|row| JsonRow {
        address: row.pc,
        instruction: row.text,
        cycle: row.cycle,
        stages: row.stages,
        wait: row.wait,
        frozen: row.frozen,
    });
    Some(JsonTimeline {
        head: profile.sites[site as usize].pc,
        cycles,
        rows: rows.collect(),
        free_slots: free.collect(),
        idle_cycles,
    })
}

fn memory(profile: &Profile) -> JsonMemory {
    let stats = &profile.memory;
    let range = |(address, counts): (u32, timing::memory::Misses)| JsonRange {
        address,
        reads: counts.reads,
        read_misses: counts.read_misses,
        writes: counts.writes,
        write_misses: counts.write_misses,
        frozen: counts.stalled,
    };
    let prefetch = |(address, counts): (u32, timing::memory::Prefetches)| JsonPrefetch {
        address,
        issued: counts.issued,
        useful: counts.useful,
        late: counts.late,
        redundant: counts.redundant,
        lost: counts.lost,
    };
    let conflict = |conflict: timing::memory::Conflict| JsonConflict {
        victim: conflict.victim,
        evictor: conflict.evictor,
        count: conflict.count,
    };
    JsonMemory {
        ranges: stats.ranges().into_iter().map(range).collect(),
        prefetches: stats.prefetches().into_iter().map(prefetch).collect(),
        conflicts: stats.conflicts().into_iter().map(conflict).collect(),
        bus_busy: stats.bus_busy,
        row_hits: stats.row_hits,
        row_misses: stats.row_misses,
        turns: stats.turns,
        write_backs: stats.write_backs,
        queue_flushes: stats.queue_flushes,
    }
}
