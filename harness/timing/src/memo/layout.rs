//! The grouping of a run's accesses by line.
//!
//! Accesses that go by the same value of a register have constant distances. The place of that value in its
//! line says which of them share a line, so one tag compare is enough for these.

use super::edges::TimedAccess;
use crate::hash::{NumberMap, mix};
use crate::memory::beat;
use sh4::Access;
use sh4::table::Id;
use sh4::timing::RecordedAccess;

/// An access as interpreted or compiled code reports it.
pub(crate) trait RecordsAccess: Copy {
    /// Effective address.
    fn address(&self) -> u32;

    /// The value that a store writes to a register of the chip.
    fn value(&self) -> u32;

    /// Whether the hit filter was asked for the accesses already.
    const FILTERED: bool;
}

impl RecordsAccess for Access {
    const FILTERED: bool = false;

    #[inline(always)]
    fn address(&self) -> u32 {
        self.address
    }

    fn value(&self) -> u32 {
        self.value as u32
    }
}

impl RecordsAccess for RecordedAccess {
    const FILTERED: bool = true;

    #[inline(always)]
    fn address(&self) -> u32 {
        self.address
    }

    fn value(&self) -> u32 {
        self.value
    }
}

/// Consecutive plain accesses of an edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessRun<'a, A> {
    pub(crate) edge: u32,
    /// Address of the edge's first instruction.
    pub(crate) start: u32,
    /// The place of the first of these among all accesses of the edge.
    pub(crate) place: usize,
    /// One for each of the accesses, or more.
    pub(crate) moments: &'a [TimedAccess],
    pub(crate) accesses: &'a [A],
}

impl<A: RecordsAccess> AccessRun<'_, A> {
    /// The address of the access at `place`.
    #[inline(always)]
    pub(crate) fn address(&self, place: u8) -> u32 {
        let access = self.accesses.get(usize::from(place));
        access.map_or(0, RecordsAccess::address)
    }
}

/// Groups in a run, at most: their hit classes have 4 bits each.
pub(crate) const LONGEST: usize = 16;
/// Anchors of a run, at most: their places in their lines have 5 bits each.
const ANCHORS: usize = (64 - SHAPE_BITS as usize) / 5;
/// Accesses of a run, at most.
const ACCESSES: usize = 64;
/// Bytes in a line.
const BYTES: u32 = 32;
const NONE: u32 = u32::MAX;

/// Consecutive accesses of one direction to one line; or a PREF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineGroup {
    /// The place of the first one in the run, and their count.
    pub(crate) first: u8,
    pub(crate) count: u8,
    pub(crate) stores: bool,
    pub(crate) prefetches: bool,
    /// The address of the first one is that of the access at `anchor` plus a distance.
    pub(crate) anchor: u8,
    pub(crate) distance: u32,
    /// Address of the instruction.
    pub(crate) pc: u32,
}

/// The groups of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunLayout {
    shape: u32,
    groups: Box<[LineGroup]>,
    /// The beat of each access, counted from the first one of its group.
    beats: Box<[u8]>,
    /// Whether there are stores among them.
    pub(crate) stores: bool,
}

impl RunLayout {
    #[inline(always)]
    pub(crate) fn groups(&self) -> &[LineGroup] {
        &self.groups
    }

    /// The count of accesses in the first `groups`.
    #[inline(always)]
    pub(crate) fn accesses(&self, groups: usize) -> usize {
        match self.groups.get(groups) {
            Some(next) => usize::from(next.first),
            None => self.beats.len(),
        }
    }

    /// The beat of an access whose group begins with the beat `first`.
    pub(crate) fn beat(&self, place: usize, first: u32) -> u32 {
        (first + u32::from(self.beats[place])) & 3
    }
}

/// A run of plain accesses of an edge, wherever they point.
#[derive(Clone, Debug)]
struct RunShape {
    edge: u32,
    place: u16,
    /// Their count, and how many of them form a run at most.
    count: u16,
    most: u8,
    /// The anchors: the first accesses by a value that several go by. Two of them, and the others.
    anchors: [u8; 2],
    others: Box<[u8]>,
    layouts: Vec<u32>,
}

/// Layouts found last, by bits of a hash.
const RECENT: usize = 1024;

/// All known layouts.
#[derive(Clone, Debug)]
pub(crate) struct LayoutTable {
    shapes: Vec<RunShape>,
    by_place: NumberMap<(u32, u32), u32>,
    layouts: Vec<RunLayout>,
    by_key: NumberMap<u64, u32>,
    recent: Box<[Recent; RECENT]>,
    /// Whether a layout was added since [`LayoutTable::is_full`] was asked.
    pub(crate) grown: bool,
}

/// A key and its layout.
#[derive(Clone, Copy, Debug)]
struct Recent {
    key: u64,
    layout: u32,
}

/// Bits of a shape's number.
const SHAPE_BITS: u32 = 14;

impl LayoutTable {
    pub(crate) fn new() -> LayoutTable {
        let none = Recent {
            key: u64::MAX,
            layout: NONE,
        };
        LayoutTable {
            shapes: Vec::new(),
            by_place: NumberMap::default(),
            layouts: Vec::new(),
            by_key: NumberMap::default(),
            recent: Box::new([none; RECENT]),
            grown: false,
        }
    }

    /// Whether everything should be dropped.
    pub(crate) fn is_full(&self, most: usize) -> bool {
        self.shapes.len() >= most.min(1 << SHAPE_BITS) || self.by_key.len() >= most
    }

    #[inline(always)]
    pub(crate) fn get(&self, number: u32) -> &RunLayout {
        &self.layouts[number as usize]
    }

    /// The number of the layout of `these`. `shape` caches the number of their shape.
    #[inline(always)]
    pub(crate) fn find<A: RecordsAccess>(&mut self, these: AccessRun<'_, A>, shape: &mut u32) -> u32 {
        let known = match self.shapes.get(*shape as usize) {
            Some(known) if known.is(&these) => known,
            _ => {
                *shape = self.look_up(&AccessRun { ..these });
                &self.shapes[*shape as usize]
            }
        };
        debug_assert!(distances_hold(&these));
        let key = known.key(these.accesses) << SHAPE_BITS | u64::from(*shape);
        let recent = &self.recent[place(key)];
        if recent.key == key {
            recent.layout
        } else {
            self.lay_out(&AccessRun { ..these }, *shape, key)
        }
    }

    #[cold]
    #[inline(never)]
    fn look_up<A>(&mut self, these: &AccessRun<'_, A>) -> u32 {
        let place = these.place as u32 | (these.accesses.len() as u32) << 16;
        let next = self.shapes.len() as u32;
        let number = *self.by_place.entry((these.edge, place)).or_insert(next);
        if number == next {
            self.grown = true;
            self.shapes.push(RunShape::new(these));
        }
        number
    }

    #[cold]
    #[inline(never)]
    fn lay_out<A: RecordsAccess>(&mut self, these: &AccessRun<'_, A>, shape: u32, key: u64) -> u32 {
        let layout = match self.by_key.get(&key) {
            Some(layout) => *layout,
            None => self.work_out(these, shape, key),
        };
        self.recent[place(key)] = Recent { key, layout };
        layout
    }

    /// Other places in the lines may have the same layout.
    fn work_out<A: RecordsAccess>(&mut self, these: &AccessRun<'_, A>, shape: u32, key: u64) -> u32 {
        let most = self.shapes[shape as usize].most;
        let layout = group(these, shape, most.into());
        let mut known = self.shapes[shape as usize].layouts.iter();
        let same = known.find(|known| self.layouts[**known as usize] == layout);
        let number = same.copied().unwrap_or(self.layouts.len() as u32);
        if number as usize == self.layouts.len() {
            self.layouts.push(layout);
            self.shapes[shape as usize].layouts.push(number);
        }
        self.by_key.insert(key, number);
        self.grown = true;
        number
    }
}

/// The place of a key in [`LayoutTable::recent`].
#[inline(always)]
fn place(key: u64) -> usize {
    (mix(key) >> 54) as usize % RECENT
}

impl RunShape {
    fn new<A>(these: &AccessRun<'_, A>) -> RunShape {
        let moments = &these.moments[..these.accesses.len()];
        let value = |place: usize| moments[place].origin.value;
        let (mut anchors, mut most): (Vec<u8>, _) = (Vec::new(), moments.len().min(ACCESSES));
        for place in 0..most {
            let before = (0..place).any(|other| value(other) == value(place));
            let behind = (place + 1..most).any(|other| value(other) == value(place));
            if before || !behind {
                continue;
            }
            if anchors.len() == ANCHORS {
                most = place;
                break;
            }
            anchors.push(place as u8);
        }
        RunShape {
            edge: these.edge,
            place: these.place as u16,
            count: moments.len() as u16,
            most: most as u8,
            anchors: [0, 1].map(|which| anchors.get(which).copied().unwrap_or_default()),
            others: anchors.get(2..).unwrap_or_default().into(),
            layouts: Vec::new(),
        }
    }

    #[inline(always)]
    fn is<A>(&self, these: &AccessRun<'_, A>) -> bool {
        let count = these.accesses.len();
        self.edge == these.edge && usize::from(self.place) == these.place && usize::from(self.count) == count
    }

    /// The anchors' places in their lines; the first access stands in for missing anchors.
    #[inline(always)]
    fn key<A: RecordsAccess>(&self, accesses: &[A]) -> u64 {
        let at = |anchor: u8| {
            let access = accesses.get(usize::from(anchor));
            access.map_or(0, |access| u64::from(access.address() % BYTES))
        };
        let mut key = at(self.anchors[0]) << 5 | at(self.anchors[1]);
        for anchor in &self.others {
            key = key << 5 | at(*anchor);
        }
        key
    }
}

/// Groups the first `most` of `these`.
fn group<A: RecordsAccess>(these: &AccessRun<'_, A>, shape: u32, most: usize) -> RunLayout {
    let (mut groups, mut beats): (Vec<LineGroup>, Vec<u8>) = (Vec::new(), Vec::new());
    let both = these.moments.iter().zip(these.accesses);
    for (place, (moment, access)) in both.enumerate().take(most) {
        let prefetches = moment.id == Id::pref_at_rn;
        let joins = groups.last_mut().filter(|group| {
            let first = usize::from(group.first);
            let near = (these.accesses[first].address() ^ access.address()) < BYTES;
            let alike = !prefetches && !group.prefetches && group.stores == moment.stores;
            alike && near && these.moments[first].origin.value == moment.origin.value
        });
        if let Some(group) = joins {
            group.count += 1;
            let first = these.accesses[usize::from(group.first)].address();
            beats.push(beat(access.address(), beat(first, 0)) as u8);
            continue;
        }
        let anchor = anchor(&these.moments[..=place]);
        if groups.len() == LONGEST {
            break;
        }
        groups.push(LineGroup {
            first: place as u8,
            count: 1,
            stores: moment.stores,
            prefetches,
            pc: these.start.wrapping_add(2 * u32::from(moment.index)),
            anchor: anchor as u8,
            distance: moment
                .origin
                .distance
                .wrapping_sub(these.moments[anchor].origin.distance),
        });
        beats.push(0);
    }
    RunLayout {
        shape,
        stores: groups.iter().any(|group| group.stores),
        groups: groups.into(),
        beats: beats.into(),
    }
}

/// The place of the first of `moments` that goes by the same value as the last.
fn anchor(moments: &[TimedAccess]) -> usize {
    let last = moments.len() - 1;
    let value = moments[last].origin.value;
    let same = moments.iter().position(|moment| moment.origin.value == value);
    same.unwrap_or(last)
}

/// Whether accesses have the distances that their edge gives.
fn distances_hold<A: RecordsAccess>(these: &AccessRun<'_, A>) -> bool {
    let both = || these.moments.iter().zip(these.accesses);
    both().enumerate().all(|(place, (moment, access))| {
        let anchor = anchor(&these.moments[..=place]);
        let from = these.moments[anchor].origin.distance;
        let distance = moment.origin.distance.wrapping_sub(from);
        these.accesses[anchor].address().wrapping_add(distance) == access.address()
    })
}
