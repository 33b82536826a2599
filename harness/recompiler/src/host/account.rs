//! What compiled code counts in: the books of a [`Meter`].

use super::Context;
use super::thunks::{DONE, REFUSED, WRITTEN, within};
use sh4::Bus;
use sh4::accelerate::Alone;
use sh4::meter::{Index, Line, Meter, Noted, Part, Standing, Way};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a meter knows of a block of the region.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Here {
    /// The version at which its code was found in the instruction cache.
    known: u64,
    number: u32,
    /// The number as long as that version lasts, else [`UNKNOWN`]: compared with what a way leads to.
    pub(crate) expected: u32,
}

/// What no way leads to.
const UNKNOWN: u32 = sh4::meter::NONE - 1;

impl Here {
    /// The block that a meter has given this number, and of which no more is known.
    fn new(number: u32) -> Here {
        Here {
            known: 0,
            number,
            expected: UNKNOWN,
        }
    }

    /// Tells `meter` that execution comes to the block. False if the interpreter has to tell it.
    fn arrive(&mut self, meter: &mut dyn Meter) -> bool {
        let goes = meter.arrive(self.number, &mut self.known);
        self.expected = if goes { self.number } else { UNKNOWN };
        goes
    }
}

/// What a meter knows of the blocks of a region.
#[derive(Debug, Default)]
pub(crate) struct Known {
    blocks: Box<[Here]>,
    /// The version that [`Here::expected`] is as of.
    version: u64,
}

impl Known {
    /// Of blocks with these numbers.
    pub(crate) fn new(numbers: impl Iterator<Item = u32>) -> Known {
        Known {
            blocks: numbers.map(Here::new).collect(),
            version: 0,
        }
    }

    /// How many they are.
    pub(super) fn count(&self) -> usize {
        self.blocks.len()
    }

    /// Tells `meter` that execution comes to the first block. False if the interpreter has to tell it.
    pub(crate) fn arrive(&mut self, meter: &mut dyn Meter) -> bool {
        self.blocks[0].arrive(meter)
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
    pub(crate) ways: *mut Way,
    pub(crate) ends: *const u32,
    pub(crate) lines: *mut [Line; 2],
    /// By block of the region.
    pub(crate) here: *mut Here,
    pub(crate) way_count: u64,
    pub(crate) end_count: u64,
    pub(crate) standing: Standing,
    /// The part of a block that has run and was not settled, see [`Part`]; no length if there is none.
    pub(crate) open_block: u32,
    pub(crate) open_length: u32,
    /// What its branches did, see [`sh4::meter::Tables::ends`].
    pub(crate) open_path: u32,
    /// How many accesses it has made, and which of them are noted, see [`settle`].
    pub(crate) open_count: u32,
    pub(crate) open_noted: u64,
    /// Accesses of the block under way, each in the place of its number.
    pub(crate) noted: *mut Noted,
    // What only the thunks use: a `&mut dyn Meter`.
    meter: *mut c_void,
    blocks: usize,
    version: *mut u64,
    index: Index,
}

impl Account {
    /// That of nobody.
    pub(super) fn none() -> Account {
        Account {
            ways: std::ptr::null_mut(),
            ends: std::ptr::null(),
            lines: std::ptr::null_mut(),
            here: std::ptr::null_mut(),
            way_count: 0,
            end_count: 0,
            standing: Standing::default(),
            open_block: 0,
            open_length: 0,
            open_path: 0,
            open_count: 0,
            open_noted: 0,
            noted: std::ptr::null_mut(),
            meter: std::ptr::null_mut(),
            blocks: 0,
            version: std::ptr::null_mut(),
            index: Index { high: 0, low: 0 },
        }
    }

    /// That of `meter`, which lives as long as this is used, for a region of whose blocks it knows this, and whose accesses are
    /// noted in `notes`.
    pub(super) fn open(&mut self, meter: &mut &mut dyn Meter, known: &mut Known, notes: &mut Notes) {
        self.noted = notes.0.as_mut_ptr();
        self.index = meter.index();
        self.here = known.blocks.as_mut_ptr();
        self.blocks = known.blocks.len();
        self.version = &raw mut known.version;
        self.renew(&mut **meter);
        self.meter = std::ptr::from_mut(meter).cast();
    }

    /// Takes everything anew; false if lines are found in another way, for which the code is not made.
    fn renew(&mut self, meter: &mut dyn Meter) -> bool {
        let same = meter.index() == self.index;
        let tables = meter.tables();
        let standing = tables.standing;
        assert!(
            (standing.way as usize) < tables.ways.len(),
            "a meter stands nowhere"
        );
        (self.way_count, self.end_count) = (tables.ways.len() as u64, tables.ends.len() as u64);
        self.standing = standing;
        self.ways = tables.ways.as_mut_ptr();
        self.ends = tables.ends.as_ptr();
        self.lines = tables.lines.as_mut_ptr();
        let version = tables.code_version;
        self.expect(version);
        same
    }

    /// Says which blocks compiled code may expect, if the instruction cache has another version than before.
    fn expect(&mut self, version: u64) {
        // SAFETY: `open` was given both, which outlive the region's run, and nobody else has them now.
        let (seen, blocks) = unsafe {
            let blocks = std::slice::from_raw_parts_mut(self.here, self.blocks);
            (&mut *self.version, blocks)
        };
        if *seen != version {
            *seen = version;
            for here in blocks {
                let stays = here.known == version;
                here.expected = if stays { here.number } else { UNKNOWN };
            }
        }
    }

    /// What has run of the block at the place `block` in the region.
    fn part(&self, block: u32, length: u32, path: u32) -> Part {
        assert!((block as usize) < self.blocks);
        // SAFETY: there are `blocks` of them, which outlive the region's run, and nobody else has them now.
        let number = unsafe { (*self.here.add(block as usize)).number };
        Part {
            block: number,
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

    /// Tells `meter` of the part that was left open.
    pub(super) fn close(&self, meter: &mut dyn Meter) {
        if self.open_length == 0 {
            return meter.catch_up(&self.standing);
        }
        let part = self.part(self.open_block, self.open_length, self.open_path);
        let mut standing = self.standing;
        let accesses = self.noted(self.open_count);
        meter.settle(&mut standing, &part, first(self.open_noted), accesses);
    }

    /// Tells the meter of `part`; false if lines are found in another way, for which the code is not made.
    fn settle(&mut self, part: &Part, first: usize, count: u32) -> bool {
        // SAFETY: `open` was given this, it lives as long as compiled code runs, and only thunks use it then; what compiled
        // code has of it is taken anew below if it is another one.
        let meter = unsafe { &mut **self.meter.cast::<&mut dyn Meter>() };
        let accesses = self.noted(count);
        let changed = meter.settle(&mut self.standing, part, first, accesses);
        if changed {
            return self.renew(meter);
        }
        assert!(self.standing.way < self.way_count, "a meter stands nowhere");
        true
    }
}

/// The first access that is noted, by a bit each; as good as none if none is.
fn first(noted: u64) -> usize {
    noted.trailing_zeros() as usize
}

/// Runs `run` on the meter, which knows how far compiled code has come. Its answer, and whether lines are still found in
/// the same way.
fn on_books<T>(account: &mut Account, run: impl FnOnce(&mut dyn Meter, &mut Account) -> T) -> (T, bool) {
    // SAFETY: `open` was given this, it lives as long as compiled code runs, and only thunks use it then; what compiled
    // code has of it is taken anew below.
    let meter = unsafe { &mut **account.meter.cast::<&mut dyn Meter>() };
    meter.catch_up(&account.standing);
    let answer = run(meter, account);
    (answer, account.renew(meter))
}

/// (block): 0 if it has to be left to the interpreter.
pub(super) unsafe extern "sysv64" fn arrive<B: Bus>(context: *mut Context, block: u32) -> u32 {
    let run = |context: &mut Context, _: &mut _, _: &mut B| {
        let (goes, _) = on_books(&mut context.account, |meter, account| {
            assert!((block as usize) < account.blocks);
            // SAFETY: as in `part`.
            let here = unsafe { &mut *account.here.add(block as usize) };
            here.arrive(meter)
        });
        u32::from(goes)
    };
    // SAFETY: only compiled code calls this.
    unsafe { within(context, 0, run) }
}

/// (block, path, accesses to be told of, behind the last one, length): so many operations of it have run, and told are its
/// accesses from the lowest bit on. The region is to be left if that fails, or lines are found in another way from now on.
///
/// Not by way of `within`, since it is called as often as a loop goes round: a meter has nothing to do with the CPU and the
/// bus, and does not use floats.
pub(super) unsafe extern "sysv64" fn settle(
    context: *mut Context,
    block: u32,
    path: u32,
    noted: u64,
    count: u32,
    length: u32,
) -> u32 {
    // SAFETY: only compiled code calls this, with the context that it was given; it holds no references.
    let context = unsafe { &mut *context };
    let account = &mut context.account;
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let part = account.part(block, length, path);
        account.settle(&part, first(noted), count)
    }));
    match ended {
        Ok(true) => DONE as u32,
        Ok(false) => WRITTEN as u32,
        Err(panic) => {
            context.panic = Some(panic);
            REFUSED as u32
        }
    }
}

/// (way, base, accesses to be told of, behind the last one): a block has run whose way is counted. From which
/// moment on accesses pass; at none if the region is to be left. For the rest see [`settle`].
pub(super) unsafe extern "sysv64" fn wait(
    context: *mut Context,
    way: u64,
    base: u64,
    noted: u64,
    count: u32,
) -> u64 {
    // SAFETY: as in `settle`.
    let context = unsafe { &mut *context };
    let account = &mut context.account;
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let accesses = account.noted(count);
        // SAFETY: as in `on_books`; if there is anything to be taken anew, the region is left, and the next one takes it.
        let meter = unsafe { &mut **account.meter.cast::<&mut dyn Meter>() };
        meter.wait(way as u32, base, first(noted), accesses)
    }));
    match ended {
        Ok(quiet) => quiet.unwrap_or(u64::MAX),
        Err(panic) => {
            context.panic = Some(panic);
            u64::MAX
        }
    }
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
