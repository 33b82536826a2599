//! The cycle model's state while compiled code runs: see [`sh4::timing`].

mod end_of_block;

pub(super) use end_of_block::end_of_block;

use super::Context;
use super::linked_edge::{EdgePointer, LinkedEdges};
use super::thunks::{DONE, REFUSED, WRITTEN, within};
use sh4::Bus;
use sh4::accelerate::SingleResult;
use sh4::timing::{BlockTiming, Cursor, ExecutedPart, FilterIndex, FilterLine, RecordedAccess, TimingTables};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A block of the region in the cycle model.
#[derive(Clone, Copy, Debug)]
struct BlockEntry {
    /// The version of the instruction cache that held its code.
    resident: u64,
    number: u32,
    start: u32,
    /// Paths out of it.
    links: usize,
}

/// The blocks and edges of a region in one cycle model.
#[derive(Debug, Default)]
pub(crate) struct RegionTiming {
    blocks: Box<[BlockEntry]>,
    edges: LinkedEdges,
    /// The version of the instruction cache that the links are for.
    version: u64,
}

impl RegionTiming {
    /// Of blocks with these numbers, start addresses and counts of links.
    pub(crate) fn new(blocks: impl Iterator<Item = (u32, u32, usize)>) -> RegionTiming {
        let entry = |(number, start, links)| BlockEntry {
            resident: 0,
            number,
            start,
            links,
        };
        RegionTiming {
            blocks: blocks.map(entry).collect(),
            ..RegionTiming::default()
        }
    }

    /// The count of blocks.
    pub(super) fn count(&self) -> usize {
        self.blocks.len()
    }

    /// Enters the first block. Returns false if the interpreter has to run it.
    pub(crate) fn enter(&mut self, timing: &mut dyn BlockTiming) -> bool {
        let first = &mut self.blocks[0];
        timing.enter(first.number, &mut first.resident)
    }

    /// The edge before `block`, or before code outside of the region, at the cursor of `tables`.
    fn edge(&mut self, block: u32, tables: &TimingTables<'_>) -> usize {
        let number = tables.cursor.edge as u32;
        let timed = tables.edges.get(number as usize);
        let timed = timed.expect("the cursor is not at an edge");
        let (start, links) = self
            .blocks
            .get(block as usize)
            .map_or((0, 0), |entry| (entry.start, entry.links));
        self.edges.find(block, start, links, number, timed)
    }
}

/// Places for the accesses of a block: more than any has.
pub(crate) struct AccessBuffer(Box<[RecordedAccess; RECORDED]>);

/// A block has 64 operations and perhaps a slot; each makes two accesses at most.
const RECORDED: usize = 256;

impl Default for AccessBuffer {
    fn default() -> AccessBuffer {
        AccessBuffer(Box::new([RecordedAccess::default(); RECORDED]))
    }
}

/// The cycle model's state at fixed places.
#[repr(C)]
pub(crate) struct TimingState {
    /// See [`TimingTables::lines`].
    pub(crate) lines: *mut [FilterLine; 2],
    /// The last edge taken.
    pub(crate) edge: EdgePointer,
    /// [`Cursor::edge`] is undefined while compiled code runs.
    pub(crate) cursor: Cursor,
    /// The part of a block that has run and was not timed, see [`ExecutedPart`]; its length is 0 if there is
    /// none.
    pub(crate) open_block: u32,
    pub(crate) open_length: u32,
    /// Its path, see [`TimingTables::ends`].
    pub(crate) open_path: u32,
    /// The count of its accesses, and a bit for each that was recorded, see [`end_of_block()`].
    pub(crate) open_count: u32,
    pub(crate) open_recorded: u64,
    /// The accesses of the present block, each in the place of its number.
    pub(crate) recorded: *mut RecordedAccess,
    // Only the thunks use these. A `&mut dyn BlockTiming`.
    timing: *mut c_void,
    region: *mut RegionTiming,
    index: FilterIndex,
}

impl TimingState {
    /// The state without a cycle model.
    pub(super) fn none() -> TimingState {
        TimingState {
            lines: std::ptr::null_mut(),
            edge: std::ptr::null(),
            cursor: Cursor::default(),
            open_block: 0,
            open_length: 0,
            open_path: 0,
            open_count: 0,
            open_recorded: 0,
            recorded: std::ptr::null_mut(),
            timing: std::ptr::null_mut(),
            region: std::ptr::null_mut(),
            index: FilterIndex { high: 0, low: 0 },
        }
    }

    /// Begins a run of a region under `timing`, which outlives the run.
    pub(super) fn open(
        &mut self,
        timing: &mut &mut dyn BlockTiming,
        region: &mut RegionTiming,
        buffer: &mut AccessBuffer,
    ) {
        self.recorded = buffer.0.as_mut_ptr();
        self.index = timing.filter_index();
        region.edges.make_room();
        self.region = region;
        self.renew(&mut **timing);
        let edge = region.edge(0, &timing.tables());
        region.edges.add_fetch(edge);
        self.edge = region.edges.pointer(edge);
        self.timing = std::ptr::from_mut(timing).cast();
    }

    /// Reads the tables again. Returns false if the filter has another index, for which the code was not
    /// compiled.
    fn renew(&mut self, timing: &mut dyn BlockTiming) -> bool {
        let same = timing.filter_index() == self.index;
        let tables = timing.tables();
        self.cursor = tables.cursor;
        self.lines = tables.lines.as_mut_ptr();
        let region = self.region();
        if region.version != tables.code_version {
            region.version = tables.code_version;
            region.edges.unlink();
        }
        same
    }

    /// The region in the cycle model.
    #[allow(clippy::mut_from_ref)]
    fn region<'a>(&self) -> &'a mut RegionTiming {
        // SAFETY: `open` was given it, it outlives the region's run, and nothing else uses it now; compiled
        // code writes to cells in it.
        unsafe { &mut *self.region }
    }

    /// The last edge taken.
    fn present(&self) -> usize {
        // SAFETY: edges stay while a region runs, and compiled code has their addresses from them.
        unsafe { self.region().edges.at(self.edge) }
    }

    /// The executed part of the block at the place `block` in the region.
    fn part(&self, block: u32, length: u32, path: u32) -> ExecutedPart {
        ExecutedPart {
            block: self.region().blocks[block as usize].number,
            length,
            skips: path >> 1,
            taken: path & 1 != 0,
        }
    }

    /// The first `count` accesses of the present block.
    fn accesses<'a>(&self, count: u32) -> &'a [RecordedAccess] {
        let count = (count as usize).min(RECORDED);
        // SAFETY: there are as many; they outlive the region's run, and compiled code, which writes whole and
        // valid ones, waits.
        unsafe { std::slice::from_raw_parts(self.recorded, count) }
    }

    /// Ends the run: moves the counts into `timing`, with the part that is left open.
    pub(super) fn close(&self, timing: &mut dyn BlockTiming) {
        let (present, edges) = (self.present(), &mut self.region().edges);
        edges.remove_fetch(present);
        let mut cursor = Cursor {
            edge: edges.number(present).into(),
            fetches: edges.export_counts(timing),
            ..self.cursor
        };
        if self.open_length == 0 {
            return timing.advance_to(&cursor);
        }
        let part = self.part(self.open_block, self.open_length, self.open_path);
        let accesses = self.accesses(self.open_count);
        timing.execute(&mut cursor, &part, first(self.open_recorded), accesses);
    }
}

/// The first recorded access, by a bit for each; beyond the last one if there is none.
fn first(recorded: u64) -> usize {
    recorded.trailing_zeros() as usize
}

/// (edge, base, recorded accesses, count of accesses): a block has ended by an edge that is counted. Returns
/// [`Cursor::idle_from`], or all ones if the region has to be left. For the rest see [`end_of_block()`].
pub(super) unsafe extern "sysv64" fn stall(
    context: *mut Context,
    edge: u64,
    base: u64,
    recorded: u64,
    count: u32,
) -> u64 {
    // SAFETY: as in `end_of_block`.
    let context = unsafe { &mut *context };
    let state = &mut context.timing;
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let accesses = state.accesses(count);
        // SAFETY: as in `TimingState::end_of_block`. If the tables have changed, the region is left, and the
        // next run reads them.
        let timing = unsafe { &mut **state.timing.cast::<&mut dyn BlockTiming>() };
        timing.stall(edge as u32, base, first(recorded), accesses)
    }));
    let idle_from = match ended {
        Ok(idle_from) => idle_from.unwrap_or(u64::MAX),
        Err(panic) => {
            context.panic = Some(panic);
            u64::MAX
        }
    };
    context.timing.cursor.idle_from = idle_from;
    idle_from
}

/// (block << 16 | index, number of its first access): runs an operation by the interpreter and records its
/// accesses. Returns how it ended.
pub(super) unsafe extern "sysv64" fn interpret_recorded<B: Bus>(
    context: *mut Context,
    which: u64,
    first: u32,
) -> u32 {
    let run = |context: &mut Context, cpu: &mut sh4::Cpu, bus: &mut B| {
        let op = context.operation(which);
        let recorded = context.timing.recorded;
        let result = cpu.run_operation_observed(bus, op, |accesses| {
            for (place, access) in (first as usize..RECORDED).zip(accesses) {
                let access = RecordedAccess {
                    address: access.address,
                    value: access.value as u32,
                };
                // SAFETY: there are as many places; compiled code waits.
                unsafe { *recorded.add(place) = access };
            }
        });
        let same = context.renew_behind(bus, op);
        match result {
            SingleResult::Refused => REFUSED as u32,
            SingleResult::Done if same => DONE as u32,
            SingleResult::Done | SingleResult::Written => WRITTEN as u32,
        }
    };
    // SAFETY: only compiled code calls this.
    unsafe { within(context, REFUSED as u32, run) }
}
