//! The stall of a run of accesses, worked out once for each situation.
//!
//! The stall follows from the cycles of the accesses, which an edge fixes; from the hit classes of their
//! groups; and from the transfers in flight. These three are the key.

use super::edges::TimedAccess;
use super::hit_class::HitClass;
use super::layout::{LineGroup, RunLayout};
use crate::memory::Traffic;
use crate::memory::bus::{BusTargets, RowCounts};
use crate::memory::stall::{Stall, Wait};
use crate::memory::transfers::{TagResult, Transfers};

/// No state.
pub(crate) const NONE: u32 = u32::MAX;
/// The state without a transfer in flight.
pub(crate) const IDLE: u32 = 0;

/// A run whose tags were compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassifiedRun {
    pub(crate) layout: u32,
    /// Groups done.
    pub(crate) groups: u32,
    /// Their hit classes, 4 bits each.
    pub(crate) classes: u64,
}

/// A run, a state of the transfers, and the cycles since that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key([u64; 3]);

impl Key {
    /// Compares word by word: the words were just written one by one, and a wider load would wait for the
    /// stores.
    #[inline(always)]
    pub(crate) fn is(&self, other: &Key) -> bool {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        (a ^ d) | (b ^ e) | (c ^ f) == 0
    }

    #[inline(always)]
    pub(crate) fn new(state: u32, distance: u32, run: &ClassifiedRun) -> Key {
        Key([
            u64::from(state) | u64::from(distance) << 32,
            u64::from(run.layout) | u64::from(run.groups) << 32,
            run.classes,
        ])
    }
}

/// An access that stalled.
#[derive(Clone, Debug)]
pub(crate) struct StalledAccess {
    /// The instruction's place in the block.
    pub(crate) index: u8,
    pub(crate) missed: bool,
    pub(crate) stall: Stall,
}

/// The stall of a group, for the statistics of its range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charge {
    pub(crate) cycles: u32,
    pub(crate) group: u8,
    /// The place of its first access in the run.
    pub(crate) first: u8,
    pub(crate) stores: bool,
    /// Accesses if it missed, else 0: the filter counts hits.
    pub(crate) accesses: u8,
}

/// The stall of a run.
#[derive(Clone, Debug)]
pub(crate) struct MemoizedStall {
    pub(crate) key: Key,
    /// How often it came since the last [`StallTable::settle`](super::stalls::StallTable::settle).
    pub(crate) times: u64,
    /// The state of the transfers behind it, and the cycles after which that is as good as [`IDLE`].
    pub(crate) state: u32,
    pub(crate) horizon: u64,
    /// The cycles after which hits of loads and stores are free.
    free_from: [u32; 2],
    /// All cycles.
    pub(crate) cycles: u32,
    /// Groups that came to their line before it was filled: the lowest bit is the first.
    pub(crate) late: u16,
    /// The stalls that followed the last times, the latest first.
    pub(crate) next: [u32; 2],
    /// Groups that stalled or missed.
    pub(crate) charged: Box<[Charge]>,
    details: Box<Details>,
}

/// The parts that are read seldom.
#[derive(Clone, Debug)]
struct Details {
    stall: Stall,
    accesses: Box<[StalledAccess]>,
    traffic: Traffic,
}

impl MemoizedStall {
    /// The accesses that stalled or missed.
    pub(crate) fn accesses(&self) -> &[StalledAccess] {
        &self.details.accesses
    }

    /// All cycles by cause.
    pub(crate) fn stall(&self) -> &Stall {
        &self.details.stall
    }

    pub(crate) fn traffic(&self) -> &Traffic {
        &self.details.traffic
    }

    /// The cycles from which on hits of loads and stores are free, if the run began in `cycle`.
    #[inline(always)]
    pub(crate) fn free_from(&self, cycle: u64) -> [u64; 2] {
        let end = cycle + u64::from(self.cycles);
        self.free_from.map(|from| end + u64::from(from))
    }

    /// Takes over the transfers as they are at its end, in cycle `end`: their number, horizon, and traffic.
    pub(crate) fn end_in(
        &mut self,
        state: u32,
        horizon: u64,
        end: u64,
        transfers: &Transfers,
        traffic: Traffic,
    ) {
        (self.state, self.horizon) = (state, horizon);
        self.free_from = transfers.free_from().map(|from| from.saturating_sub(end) as u32);
        self.details.traffic.bus = traffic.bus;
        self.details.traffic.fills = traffic.fills;
    }
}

/// A run as it is followed.
#[derive(Default)]
struct Following {
    all: Stall,
    accesses: Vec<StalledAccess>,
    charged: Vec<Charge>,
    late: u16,
    rows: RowCounts,
    filled: [u64; 2],
}

/// Works out the stall of a run that begins in `cycle`, access by access. Returns it with the cycle of its
/// end; the state at the end is missing.
pub(crate) fn work_out(
    key: Key,
    cycle: u64,
    run: &ClassifiedRun,
    moments: &[TimedAccess],
    layout: &RunLayout,
    transfers: &mut Transfers,
    targets: &BusTargets,
) -> (MemoizedStall, u64) {
    let mut following = Following::default();
    for (number, group) in layout.groups().iter().take(run.groups as usize).enumerate() {
        let class = HitClass::of(run.classes, number);
        let before = following.all.cycles;
        let first = usize::from(group.first);
        let mine = moments.iter().enumerate().skip(first);
        for (place, moment) in mine.take(group.count.into()) {
            let leads = place == first;
            let tag = if leads {
                class.first(targets)
            } else {
                class.behind(|first| layout.beat(place, first))
            };
            following.access(
                cycle,
                group,
                moment,
                &tag,
                transfers,
                leads.then_some((number, class)),
            );
        }
        following.charge(number, group, class, before);
    }
    let end = cycle + following.all.cycles;
    (following.finish(key), end)
}

impl Following {
    /// An access of a group; the first one of a group comes with its number and class.
    fn access(
        &mut self,
        cycle: u64,
        group: &LineGroup,
        moment: &TimedAccess,
        tag: &TagResult,
        transfers: &mut Transfers,
        first: Option<(usize, HitClass)>,
    ) {
        let mut stall = Stall::NONE;
        let now = cycle + self.all.cycles + u64::from(moment.offset);
        let waits = access(group, tag, transfers, &mut Wait::new(now, &mut stall));
        self.all.join(&stall);
        let mut missed = false;
        if let Some((number, class)) = first {
            self.late |= u16::from(waits) << number;
            missed = class.missed() && !group.prefetches;
        }
        if stall.cycles > 0 || missed {
            self.accesses.push(StalledAccess {
                index: moment.index,
                missed,
                stall,
            });
        }
    }

    /// The group number `number` is at its end.
    fn charge(&mut self, number: usize, group: &LineGroup, class: HitClass, before: u64) {
        class.count_rows(&mut self.rows);
        let missed = class.missed() && !group.prefetches;
        if missed {
            self.filled[usize::from(group.stores)] += u64::from(group.count);
        }
        if missed || self.all.cycles > before {
            self.charged.push(Charge {
                cycles: (self.all.cycles - before) as u32,
                group: number as u8,
                first: group.first,
                stores: group.stores,
                accesses: if missed { group.count } else { 0 },
            });
        }
    }

    fn finish(self, key: Key) -> MemoizedStall {
        MemoizedStall {
            key,
            times: 0,
            state: NONE,
            horizon: 0,
            free_from: [0; 2],
            cycles: self.all.cycles as u32,
            late: self.late,
            next: [NONE; 2],
            charged: self.charged.into(),
            details: Box::new(Details {
                stall: self.all,
                accesses: self.accesses.into(),
                traffic: Traffic {
                    rows: self.rows,
                    filled: self.filled,
                    ..Traffic::default()
                },
            }),
        }
    }
}

/// An access of a group. Returns whether a load or store waits for its line.
fn access(group: &LineGroup, tag: &TagResult, transfers: &mut Transfers, wait: &mut Wait<'_>) -> bool {
    if !group.prefetches {
        return transfers.plain(group.stores, tag, wait);
    }
    transfers.begin(wait);
    if let TagResult::Miss(replacement) = tag {
        transfers.prefetch(replacement, wait);
    }
    false
}
