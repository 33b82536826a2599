//! Accesses of a way through code as far as they are known before it runs: which of them fall into one line.
//!
//! Accesses by the same value of a register have known distances. Where in its line that value points says which of
//! them fall into one line, so these are looked at together.

use super::beat;
use super::run::{Accesses, Told};
use crate::hash::{NumberMap, mix};
use crate::outcome::Moment;
use sh4::table::Id;

/// Groups in a run, at most: what they find is 4 bits each.
pub(super) const LONGEST: usize = 16;
/// Values that say how a run is grouped, at most: where in their lines they point is 5 bits each.
const ANCHORS: usize = (64 - SHAPE_BITS as usize) / 5;
/// Accesses in a run, at most.
const ACCESSES: usize = 64;
/// Bytes in a line.
const BYTES: u32 = 32;
const NONE: u32 = u32::MAX;

/// Accesses of one direction behind each other that fall into one line; or a PREF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The place of the first one in the run, and how many they are.
    pub(super) first: u8,
    pub(super) count: u8,
    pub(super) stores: bool,
    pub(super) prefetches: bool,
    /// The address of the first one: that of the access at `anchor` and a distance.
    pub(super) anchor: u8,
    pub(super) distance: u32,
    /// Of the instruction that makes it.
    pub(super) pc: u32,
}

/// What a run is if its accesses lie so in their lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    shape: u32,
    groups: Box<[Group]>,
    /// The beat of each access, from that of the first one of its group on.
    beats: Box<[u8]>,
    /// Whether there are stores among them.
    pub(super) stores: bool,
}

impl Layout {
    #[inline(always)]
    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// How many accesses the first `groups` have.
    #[inline(always)]
    pub(super) fn accesses(&self, groups: usize) -> usize {
        match self.groups.get(groups) {
            Some(next) => usize::from(next.first),
            None => self.beats.len(),
        }
    }

    /// The beat of an access, if that of the first one of its group is `first`.
    pub(super) fn beat(&self, place: usize, first: u32) -> u32 {
        (first + u32::from(self.beats[place])) & 3
    }
}

/// Plain accesses of a way, from one on.
#[derive(Clone, Debug)]
struct Shape {
    way: u32,
    place: u16,
    /// How many there are to be, and how many of them a run takes at most.
    count: u16,
    most: u8,
    /// Those by whose addresses several go, and that are the first to do so: two of them, and the others.
    anchors: [u8; 2],
    others: Box<[u8]>,
    layouts: Vec<u32>,
}

/// Layouts found last, by low bits of a hash.
const RECENT: usize = 1024;

/// All that are known.
#[derive(Clone, Debug)]
pub(super) struct Shapes {
    shapes: Vec<Shape>,
    by_place: NumberMap<(u32, u32), u32>,
    layouts: Vec<Layout>,
    by_key: NumberMap<u64, u32>,
    recent: Box<[Recent; RECENT]>,
    /// Whether there are more than when somebody looked whether all should be forgotten.
    pub(super) grown: bool,
}

/// A key with the number of its shape below, and the layout.
#[derive(Clone, Copy, Debug)]
struct Recent {
    key: u64,
    layout: u32,
}

/// Bits of a shape's number.
const SHAPE_BITS: u32 = 14;

impl Shapes {
    pub(super) fn new() -> Shapes {
        let none = Recent {
            key: u64::MAX,
            layout: NONE,
        };
        Shapes {
            shapes: Vec::new(),
            by_place: NumberMap::default(),
            layouts: Vec::new(),
            by_key: NumberMap::default(),
            recent: vec![none; RECENT].try_into().unwrap_or_else(|_| unreachable!()),
            grown: false,
        }
    }

    /// Whether all should be forgotten.
    pub(super) fn is_full(&self, most: usize) -> bool {
        self.shapes.len() >= most.min(1 << SHAPE_BITS) || self.by_key.len() >= most
    }

    #[inline(always)]
    pub(super) fn layout(&self, number: u32) -> &Layout {
        &self.layouts[number as usize]
    }

    /// The layout of `these`. `shape` says where it is found, or not yet.
    #[inline(always)]
    pub(super) fn find<A: Told>(&mut self, these: Accesses<'_, A>, shape: &mut u32) -> u32 {
        let known = match self.shapes.get(*shape as usize) {
            Some(known) if known.is(&these) => known,
            _ => {
                // Taken apart here, so that it need not be in memory elsewhere.
                *shape = self.look_up(&Accesses { ..these });
                &self.shapes[*shape as usize]
            }
        };
        debug_assert!(distances_hold(&these));
        let key = known.key(these.accesses) << SHAPE_BITS | u64::from(*shape);
        let recent = &self.recent[place(key)];
        if recent.key == key {
            recent.layout
        } else {
            self.lay_out(&Accesses { ..these }, *shape, key)
        }
    }

    #[cold]
    #[inline(never)]
    fn look_up<A>(&mut self, these: &Accesses<'_, A>) -> u32 {
        let place = these.place as u32 | (these.accesses.len() as u32) << 16;
        let next = self.shapes.len() as u32;
        let number = *self.by_place.entry((these.way, place)).or_insert(next);
        if number == next {
            self.grown = true;
            self.shapes.push(Shape::new(these));
        }
        number
    }

    #[cold]
    #[inline(never)]
    fn lay_out<A: Told>(&mut self, these: &Accesses<'_, A>, shape: u32, key: u64) -> u32 {
        let layout = match self.by_key.get(&key) {
            Some(layout) => *layout,
            None => self.work_out(these, shape, key),
        };
        self.recent[place(key)] = Recent { key, layout };
        layout
    }

    /// Other places in the lines may come to the same layout.
    fn work_out<A: Told>(&mut self, these: &Accesses<'_, A>, shape: u32, key: u64) -> u32 {
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

/// Where a key is looked for.
#[inline(always)]
fn place(key: u64) -> usize {
    (mix(key) >> 54) as usize % RECENT
}

impl Shape {
    fn new<A>(these: &Accesses<'_, A>) -> Shape {
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
        Shape {
            way: these.way,
            place: these.place as u16,
            count: moments.len() as u16,
            most: most as u8,
            anchors: [0, 1].map(|which| anchors.get(which).copied().unwrap_or_default()),
            others: anchors.get(2..).unwrap_or_default().into(),
            layouts: Vec::new(),
        }
    }

    #[inline(always)]
    fn is<A>(&self, these: &Accesses<'_, A>) -> bool {
        let count = these.accesses.len();
        self.way == these.way && usize::from(self.place) == these.place && usize::from(self.count) == count
    }

    /// Where in their lines the anchors are. Those that are none say where the first access is.
    #[inline(always)]
    fn key<A: Told>(&self, accesses: &[A]) -> u64 {
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

/// The groups of `these`, as far as a run takes them.
fn group<A: Told>(these: &Accesses<'_, A>, shape: u32, most: usize) -> Layout {
    let (mut groups, mut beats): (Vec<Group>, Vec<u8>) = (Vec::new(), Vec::new());
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
        groups.push(Group {
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
    Layout {
        shape,
        stores: groups.iter().any(|group| group.stores),
        groups: groups.into(),
        beats: beats.into(),
    }
}

/// The first of `moments` that goes by the same value as the last.
fn anchor(moments: &[Moment]) -> usize {
    let last = moments.len() - 1;
    let value = moments[last].origin.value;
    let same = moments.iter().position(|moment| moment.origin.value == value);
    same.unwrap_or(last)
}

/// Whether accesses are as far from each other as their way says.
fn distances_hold<A: Told>(these: &Accesses<'_, A>) -> bool {
    let both = || these.moments.iter().zip(these.accesses);
    both().enumerate().all(|(place, (moment, access))| {
        let anchor = anchor(&these.moments[..=place]);
        let from = these.moments[anchor].origin.distance;
        let distance = moment.origin.distance.wrapping_sub(from);
        these.accesses[anchor].address().wrapping_add(distance) == access.address()
    })
}
