//! What compiled code counts in: the books of a [`Meter`].

mod step;

pub(super) use step::step;

use super::Context;
use super::node::{self, Nodes};
use super::thunks::{DONE, REFUSED, WRITTEN, within};
use sh4::Bus;
use sh4::accelerate::Alone;
use sh4::meter::{Index, Line, Meter, Noted, Part, Standing, Tables};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a meter knows of a block of the region.
#[derive(Clone, Copy, Debug)]
struct Here {
    /// The version at which its code was found in the instruction cache.
    known: u64,
    number: u32,
    start: u32,
    /// Ways out of it.
    links: usize,
}

/// What a meter knows of the blocks of a region.
#[derive(Debug, Default)]
pub(crate) struct Known {
    blocks: Box<[Here]>,
    nodes: Nodes,
    /// The version that links are as of.
    version: u64,
}

impl Known {
    /// Of blocks with these numbers, at these addresses, that are left by one of so many ways.
    pub(crate) fn new(blocks: impl Iterator<Item = (u32, u32, usize)>) -> Known {
        let here = |(number, start, links)| Here {
            known: 0,
            number,
            start,
            links,
        };
        Known {
            blocks: blocks.map(here).collect(),
            ..Known::default()
        }
    }

    /// How many they are.
    pub(super) fn count(&self) -> usize {
        self.blocks.len()
    }

    /// Tells `meter` that execution comes to the first block. False if the interpreter has to tell it.
    pub(crate) fn arrive(&mut self, meter: &mut dyn Meter) -> bool {
        let here = &mut self.blocks[0];
        meter.arrive(here.number, &mut here.known)
    }

    /// The node of `block`, or outside, behind the way that `tables` stand at.
    fn node(&mut self, block: u32, tables: &Tables<'_>) -> usize {
        let number = tables.standing.way as u32;
        let way = tables.ways.get(number as usize);
        let way = way.expect("a meter stands nowhere");
        let (start, links) = self
            .blocks
            .get(block as usize)
            .map_or((0, 0), |here| (here.start, here.links));
        self.nodes.find(block, start, links, number, way)
    }
}

/// Places for the accesses of a block: more than any has.
pub(crate) struct Notes(Box<[Noted; NOTED]>);

/// A block has 64 operations and perhaps a slot; each makes two accesses at most.
const NOTED: usize = 256;

impl Default for Notes {
    fn default() -> Notes {
        Notes(Box::new([Noted::default(); NOTED]))
    }
}

/// The books at fixed places, as [`sh4::meter::Tables`] has them.
#[repr(C)]
pub(crate) struct Account {
    pub(crate) lines: *mut [Line; 2],
    /// Where execution is. [`Standing::way`] means nothing while compiled code runs.
    pub(crate) node: node::Place,
    pub(crate) standing: Standing,
    /// The part of a block that has run and was not settled, see [`Part`]; no length if there is none.
    pub(crate) open_block: u32,
    pub(crate) open_length: u32,
    /// What its branches did, see [`sh4::meter::Tables::ends`].
    pub(crate) open_path: u32,
    /// How many accesses it has made, and which of them are noted, see [`step()`].
    pub(crate) open_count: u32,
    pub(crate) open_noted: u64,
    /// Accesses of the block under way, each in the place of its number.
    pub(crate) noted: *mut Noted,
    // What only the thunks use: a `&mut dyn Meter`.
    meter: *mut c_void,
    known: *mut Known,
    index: Index,
}

impl Account {
    /// That of nobody.
    pub(super) fn none() -> Account {
        Account {
            lines: std::ptr::null_mut(),
            node: std::ptr::null(),
            standing: Standing::default(),
            open_block: 0,
            open_length: 0,
            open_path: 0,
            open_count: 0,
            open_noted: 0,
            noted: std::ptr::null_mut(),
            meter: std::ptr::null_mut(),
            known: std::ptr::null_mut(),
            index: Index { high: 0, low: 0 },
        }
    }

    /// That of `meter`, which lives as long as this is used, for a region of whose blocks it knows this, and whose accesses are
    /// noted in `notes`.
    pub(super) fn open(&mut self, meter: &mut &mut dyn Meter, known: &mut Known, notes: &mut Notes) {
        self.noted = notes.0.as_mut_ptr();
        self.index = meter.index();
        known.nodes.make_room();
        self.known = known;
        self.renew(&mut **meter);
        let node = known.node(0, &meter.tables());
        known.nodes.begin(node);
        self.node = known.nodes.place(node);
        self.meter = std::ptr::from_mut(meter).cast();
    }

    /// Takes everything anew; false if lines are found in another way, for which the code is not made.
    fn renew(&mut self, meter: &mut dyn Meter) -> bool {
        let same = meter.index() == self.index;
        let tables = meter.tables();
        self.standing = tables.standing;
        self.lines = tables.lines.as_mut_ptr();
        let known = self.known();
        if known.version != tables.code_version {
            known.version = tables.code_version;
            known.nodes.unlink();
        }
        same
    }

    /// What the meter knows of the region.
    #[allow(clippy::mut_from_ref)]
    fn known<'a>(&self) -> &'a mut Known {
        // SAFETY: `open` was given it, it outlives the region's run, and nobody else has it now; compiled code writes to
        // cells in it.
        unsafe { &mut *self.known }
    }

    /// The node where execution is.
    fn here(&self) -> usize {
        // SAFETY: nodes stay while a region runs, and compiled code has their places from them.
        unsafe { self.known().nodes.at(self.node) }
    }

    /// What has run of the block at the place `block` in the region.
    fn part(&self, block: u32, length: u32, path: u32) -> Part {
        Part {
            block: self.known().blocks[block as usize].number,
            length,
            skips: path >> 1,
            taken: path & 1 != 0,
        }
    }

    /// The accesses of the block under way, which has made `count`.
    fn noted<'a>(&self, count: u32) -> &'a [Noted] {
        let count = (count as usize).min(NOTED);
        // SAFETY: there are as many; they outlive the region's run, and compiled code, which writes whole and valid ones,
        // waits.
        unsafe { std::slice::from_raw_parts(self.noted, count) }
    }

    /// Tells `meter` what was counted, and of the part that was left open.
    pub(super) fn close(&self, meter: &mut dyn Meter) {
        let (here, nodes) = (self.here(), &mut self.known().nodes);
        nodes.end(here);
        let mut standing = Standing {
            way: nodes.way(here).into(),
            fetches: nodes.tell(meter),
            ..self.standing
        };
        if self.open_length == 0 {
            return meter.catch_up(&standing);
        }
        let part = self.part(self.open_block, self.open_length, self.open_path);
        let accesses = self.noted(self.open_count);
        meter.settle(&mut standing, &part, first(self.open_noted), accesses);
    }
}

/// The first access that is noted, by a bit each; as good as none if none is.
fn first(noted: u64) -> usize {
    noted.trailing_zeros() as usize
}

/// (way, base, accesses to be told of, behind the last one): a block has run whose way is counted. From which
/// moment on accesses pass; at none if the region is to be left. For the rest see [`step()`].
pub(super) unsafe extern "sysv64" fn wait(
    context: *mut Context,
    way: u64,
    base: u64,
    noted: u64,
    count: u32,
) -> u64 {
    // SAFETY: as in `step`.
    let context = unsafe { &mut *context };
    let account = &mut context.account;
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let accesses = account.noted(count);
        // SAFETY: as in `Account::step`; if there is anything to be taken anew, the region is left, and the next one takes it.
        let meter = unsafe { &mut **account.meter.cast::<&mut dyn Meter>() };
        meter.wait(way as u32, base, first(noted), accesses)
    }));
    let quiet = match ended {
        Ok(quiet) => quiet.unwrap_or(u64::MAX),
        Err(panic) => {
            context.panic = Some(panic);
            u64::MAX
        }
    };
    context.account.standing.quiet = quiet;
    quiet
}

/// (block << 16 | index, number of its first access): an operation by the interpreter, whose accesses are noted; how it
/// went.
pub(super) unsafe extern "sysv64" fn alone_heard<B: Bus>(
    context: *mut Context,
    which: u64,
    first: u32,
) -> u32 {
    let run = |context: &mut Context, cpu: &mut sh4::Cpu, bus: &mut B| {
        let op = context.operation(which);
        let noted = context.account.noted;
        let alone = cpu.run_alone_heard(bus, op, |accesses| {
            for (place, access) in (first as usize..NOTED).zip(accesses) {
                let access = Noted {
                    address: access.address,
                    value: access.value as u32,
                };
                // SAFETY: there are as many places; compiled code waits.
                unsafe { *noted.add(place) = access };
            }
        });
        let same = context.renew_behind(bus, op);
        match alone {
            Alone::Refused => REFUSED as u32,
            Alone::Done if same => DONE as u32,
            Alone::Done | Alone::Written => WRITTEN as u32,
        }
    };
    // SAFETY: only compiled code calls this.
    unsafe { within(context, REFUSED as u32, run) }
}
