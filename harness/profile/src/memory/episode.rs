//! Runs of loads and stores: how long they wait is worked out once for each way in which they can go.
//!
//! What a run waits for depends on the moments of its accesses, which a way through code has once and for all; on what each
//! of them finds in the cache; and on what is under way before. The same comes again and again: the run has only to be
//! recognised.

use super::bus::{RowCounts, Slaves};
use super::counting::Traffic;
use super::found::Found;
use super::shape::{Group, Layout};
use super::stall::{Stall, Wait};
use super::timing::{Finds, Timing};
use crate::outcome::Moment;

/// No state.
pub(super) const NONE: u32 = u32::MAX;
/// The state in which nothing is under way.
pub(super) const IDLE: u32 = 0;

/// A run of accesses, as far as its waiting depends on it: how they fall into lines, how many groups of them there are, and
/// what these find.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) layout: u32,
    pub(super) groups: u32,
    pub(super) found: u64,
}

/// A run, and what is under way: a state and the cycles since then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key([u64; 3]);

impl Key {
    /// Equality word by word: they have just been written so, and a wider load would have to wait for that.
    #[inline(always)]
    pub(super) fn is(&self, other: &Key) -> bool {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        (a ^ d) | (b ^ e) | (c ^ f) == 0
    }

    #[inline(always)]
    pub(super) fn new(state: u32, distance: u32, run: &Run) -> Key {
        Key([
            u64::from(state) | u64::from(distance) << 32,
            u64::from(run.layout) | u64::from(run.groups) << 32,
            run.found,
        ])
    }
}

/// An access that had to wait.
#[derive(Clone, Debug)]
pub(crate) struct Waited {
    /// The instruction's place in the code.
    pub(crate) index: u8,
    pub(crate) missed: bool,
    pub(crate) stall: Stall,
}

/// What a group has come to, for the range of its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Charge {
    /// Cycles that it waited.
    pub(super) cycles: u32,
    pub(super) group: u8,
    /// The place of its first access in the run.
    pub(super) first: u8,
    pub(super) stores: bool,
    /// Accesses if it missed, else 0: then they are counted in its line.
    pub(super) accesses: u8,
}

/// A run as it went.
#[derive(Clone, Debug)]
pub(crate) struct Episode {
    pub(super) key: Key,
    /// How often it came since the last [`Episodes::settle`].
    pub(super) times: u64,
    /// What is under way behind it, for how many cycles that matters, and from which cycle on loads and stores pass, counted
    /// from there.
    pub(super) state: u32,
    pub(super) horizon: u64,
    pub(super) free_from: [u32; 2],
    /// All waiting.
    pub(crate) cycles: u32,
    /// Groups that came to a line before it was there: the lowest bit is the first.
    pub(super) late: u16,
    /// The episodes that followed the last times, the latest first.
    pub(super) next: [u32; 2],
    /// Groups that waited or missed.
    pub(super) charged: Box<[Charge]>,
    pub(super) course: Box<Course>,
}

/// What happens in it, as far as that is asked for later.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// All waiting, and by access.
    pub(super) stall: Stall,
    pub(super) waited: Box<[Waited]>,
    pub(super) traffic: Traffic,
}

impl Episode {
    /// The accesses that had to wait.
    pub(crate) fn waited(&self) -> &[Waited] {
        &self.course.waited
    }

    /// From which cycle on loads and stores pass, if it was from `cycle` on.
    #[inline(always)]
    pub(super) fn free_from(&self, cycle: u64) -> [u64; 2] {
        let end = cycle + u64::from(self.cycles);
        self.free_from.map(|from| end + u64::from(from))
    }
}

/// Follows a run access by access. Answers also the cycle in which it ends; what is said of the state there has to be put
/// in.
pub(super) fn follow(
    key: Key,
    cycle: u64,
    run: &Run,
    moments: &[Moment],
    layout: &Layout,
    timing: &mut Timing,
    slaves: &Slaves,
) -> (Episode, u64) {
    let (mut all, mut waited, mut charged, mut late) = (Stall::NONE, Vec::new(), Vec::new(), 0);
    let (mut rows, mut brought) = (RowCounts::default(), [0; 2]);
    for (number, group) in layout.groups().iter().take(run.groups as usize).enumerate() {
        let found = Found::of(run.found, number);
        found.count_rows(&mut rows);
        let before = all.cycles;
        let first = usize::from(group.first);
        let mine = moments.iter().enumerate().skip(first);
        for (place, moment) in mine.take(group.count.into()) {
            let leads = place == first;
            let finds = if leads {
                found.finds(slaves)
            } else {
                found.behind(|first| layout.beat(place, first))
            };
            let mut stall = Stall::NONE;
            let now = cycle + all.cycles + u64::from(moment.offset);
            let waits = access(group, &finds, timing, &mut Wait::new(now, &mut stall));
            late |= u16::from(leads && waits) << number;
            all.join(&stall);
            let missed = leads && found.missed() && !group.prefetches;
            if stall.cycles > 0 || missed {
                waited.push(Waited {
                    index: moment.index,
                    missed,
                    stall,
                });
            }
        }
        let missed = found.missed() && !group.prefetches;
        if missed {
            brought[usize::from(group.stores)] += u64::from(group.count);
        }
        if missed || all.cycles > before {
            charged.push(Charge {
                cycles: (all.cycles - before) as u32,
                group: number as u8,
                first: group.first,
                stores: group.stores,
                accesses: if missed { group.count } else { 0 },
            });
        }
    }
    let episode = Episode {
        key,
        times: 0,
        state: NONE,
        horizon: 0,
        free_from: [0; 2],
        cycles: all.cycles as u32,
        late,
        next: [NONE; 2],
        charged: charged.into(),
        course: Box::new(Course {
            stall: all,
            waited: waited.into(),
            traffic: Traffic {
                rows,
                brought,
                ..Traffic::default()
            },
        }),
    };
    (episode, cycle + all.cycles)
}

/// An access of a group. Whether a load or store waits for its line.
fn access(group: &Group, finds: &Finds, timing: &mut Timing, wait: &mut Wait<'_>) -> bool {
    if !group.prefetches {
        return timing.plain(group.stores, finds, wait);
    }
    timing.begin(wait);
    if let Finds::Other(change) = finds {
        timing.prefetch(change, wait);
    }
    false
}
