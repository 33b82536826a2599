//! The only module with unsafe code: calls of compiled code, its calls back, and the memory that both use.
//!
//! Compiled code uses the [`Context`] and the functions of [`Thunks`]. Through the context it accesses the
//! [`Cpu`] and the bus's memory ([`sh4::Window`]), store queues, watched lines and second memory. The
//! emitter masks every offset in a memory to its size and accesses only aligned addresses. The bus may move
//! its memory during any call. Therefore [`Context::update_window`] asks for the addresses in one last
//! call, before compiled code runs and before a thunk returns. Compiled code reloads them after every thunk
//! that calls the bus. The size of the memory is part of the code; [`Running::run`] and the thunks compare
//! it. So neither a guest nor a bus can make compiled code access other memory. Only the emitter is
//! trusted.
#![allow(unsafe_code)]

mod code;
mod links;
mod mode;
mod thunks;
mod transform;

pub(crate) use code::Code;
pub(crate) use links::Links;
pub(crate) use thunks::{Call, Product, Sum, Thunks, can_transform, may_exit_after};

use crate::region::Mode;
use mode::Modes;
use transform::Matrix;

use sh4::accelerate::BasicBlock;
use sh4::{Bus, Cpu, MarkedMemory, TimedRead, Window};
use std::any::Any;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::sync::Arc;

/// Status of a call from compiled code: success.
pub(crate) const DONE: i64 = 0;
/// Success, but compiled code must exit: watched code was written, or the bus ends the run.
pub(crate) const WRITTEN: i64 = 1;
/// Failure without any effect. The interpreter repeats the operation and reports the reason.
pub(crate) const REFUSED: i64 = 2;

/// Shape of a bus's window. It is constant in compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WindowShape {
    pub(crate) select: u32,
    pub(crate) value: u32,
    pub(crate) size: u32,
    /// True if the bus lends its store queues.
    pub(crate) queues: bool,
    /// [`sh4::OnChipRam::area_bit`], if the bus lends its on-chip RAM.
    pub(crate) ram_area_bit: Option<u8>,
    /// Shape of the second memory, if the bus lends it.
    pub(crate) marked: Option<MarkedShape>,
    /// True if only the CPU changes the memory during a run.
    pub(crate) steady: bool,
}

/// Shape of a bus's second memory ([`MarkedMemory`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MarkedShape {
    pub(crate) select: u32,
    pub(crate) value: u32,
    pub(crate) size: u32,
    /// Size of a page.
    pub(crate) page: u32,
    /// Number of marks.
    pub(crate) marks: u32,
}

impl MarkedShape {
    #[inline(always)]
    fn of(memory: &MarkedMemory<'_>) -> MarkedShape {
        MarkedShape {
            select: memory.select,
            value: memory.value,
            size: memory.bytes.len() as u32,
            page: memory.page,
            marks: memory.marks.len() as u32,
        }
    }

    /// Returns true if compiled code can use the memory.
    fn is_usable(self) -> bool {
        let powers = [self.size, self.page, self.marks]
            .iter()
            .all(|n| n.is_power_of_two());
        let apart = (self.select | self.value) & (self.size - 1) == 0 && self.value & !self.select == 0;
        powers && apart && self.size >= 8 && self.page >= 8
    }
}

/// Current host addresses of a bus's window.
#[derive(Clone, Copy)]
struct Pointers {
    memory: *mut u8,
    watched: *const u32,
    /// Null if the bus does not lend its store queues.
    queues: *mut u8,
    /// Null if the bus does not lend its on-chip RAM.
    ram: *mut u8,
    /// Null if the bus does not lend its second memory.
    marked: *mut u8,
    marks: *mut u64,
    mark: u64,
}

impl Pointers {
    /// Addresses of a window. All come from one borrow of the bus.
    #[inline(always)]
    fn of(window: &mut Window<'_>) -> Pointers {
        let (queues, ram) = (window.queues.as_mut(), window.on_chip_ram.as_mut());
        let (marked, marks, mark) = match &mut window.marked {
            Some(memory) => (memory.bytes.as_mut_ptr(), memory.marks.as_mut_ptr(), memory.mark),
            None => (std::ptr::null_mut(), std::ptr::null_mut(), 0),
        };
        Pointers {
            memory: window.bytes.as_mut_ptr(),
            watched: window.watched.as_ptr(),
            queues: queues.map_or(std::ptr::null_mut(), |queues| queues.as_mut_ptr()),
            ram: ram.map_or(std::ptr::null_mut(), |ram| ram.data.as_mut_ptr()),
            marked,
            marks,
            mark,
        }
    }
}

impl WindowShape {
    /// Shape of a window, if compiled code can use it.
    fn of(window: &Window<'_>) -> Option<WindowShape> {
        let (select, value) = (window.select, window.value);
        let size = u32::try_from(window.bytes.len()).ok().filter(|size| *size > 0)?;
        let lines = size as usize / sh4::watch::LINE as usize;
        let apart = (select | value) & (size - 1) == 0 && value & !select == 0;
        let watched = window.watched.len() >= lines;
        let marked = window.marked.as_ref().map(MarkedShape::of);
        if marked.is_some_and(|shape| !shape.is_usable()) {
            return None;
        }
        (size.is_power_of_two() && size >= sh4::watch::LINE && watched && apart).then_some(WindowShape {
            select,
            value,
            size,
            queues: window.queues.is_some(),
            ram_area_bit: window.on_chip_ram.as_ref().map(|ram| ram.area_bit),
            marked,
            steady: window.steady,
        })
    }

    /// Returns true if [`WindowShape::of`] returns this shape for the window. The tests of the shape itself
    /// are not repeated, because this runs after every call of the bus.
    #[inline(always)]
    fn is_of(&self, window: &Window<'_>) -> bool {
        let lines = self.size as usize / sh4::watch::LINE as usize;
        window.bytes.len() == self.size as usize
            && window.watched.len() >= lines
            && (window.select, window.value) == (self.select, self.value)
            && window.queues.is_some() == self.queues
            && window.on_chip_ram.as_ref().map(|ram| ram.area_bit) == self.ram_area_bit
            && match (&window.marked, self.marked) {
                (Some(memory), Some(shape)) => MarkedShape::of(memory) == shape,
                (memory, shape) => memory.is_some() == shape.is_some(),
            }
            && window.steady == self.steady
    }
}

/// Current shape of a bus's window.
pub(crate) fn shape<B: Bus>(bus: &mut B) -> Option<WindowShape> {
    WindowShape::of(&bus.window()?)
}

/// State of a run, at fixed offsets for compiled code.
#[repr(C)]
pub(crate) struct Context {
    pub(crate) cpu: *mut Cpu,
    bus: *mut c_void,
    /// Memory of the window; null without a window.
    pub(crate) memory: *mut u8,
    pub(crate) watched: *const u32,
    /// 64 bytes of the store queues; null if the bus does not lend them.
    pub(crate) queues: *mut u8,
    /// Data of [`sh4::OnChipRam`]; null if the bus does not lend it.
    pub(crate) ram: *mut u8,
    /// Memory of [`MarkedMemory`]; null if the bus does not lend it.
    pub(crate) marked: *mut u8,
    pub(crate) marks: *mut u64,
    pub(crate) mark: u64,
    /// Number of instructions that may still run. It is valid at exits and in calls that access memory.
    pub(crate) left: u64,
    /// Number of instructions for which the reads of a waiting loop return the same values.
    pub(crate) holds: u64,
    /// Number of skipped instructions in the block that the interpreter continues.
    pub(crate) skipped: u64,
    /// Status of the last call that returns a value.
    pub(crate) status: u32,
    /// Operation at which the interpreter continues a block: block << 16 | index.
    pub(crate) resume: u64,
    /// Target of the branch, if the interpreter continues in a delay slot.
    pub(crate) next_pc: u32,
    /// Not 0 while [`Context::matrix`] equals XMTRX. Compiled code clears it when it writes to XMTRX.
    pub(crate) matrix_known: u32,
    // Compiled code does not use the following fields.
    modes: Modes,
    matrix: Option<Matrix>,
    /// Current region.
    body: *const Body,
    /// Index of the current region.
    region: u64,
    /// Links between regions.
    links: *const links::Link,
    /// Stamp of the current mode in bits 63 to 32.
    stamp: u64,
    /// Number of links followed.
    hops: u64,
    /// True if the bus has asked for the end of the run.
    yields: bool,
    /// Window that the current region was compiled for.
    shape: Option<WindowShape>,
    /// True if the bus's window has changed its shape.
    reshaped: bool,
    /// Number of calls from compiled code to the interpreter or the bus.
    calls: u64,
    /// The last timed read since the last store by a call.
    timed: Option<TimedRegister>,
    /// Code epoch of the bus at the beginning of the run.
    epoch: u64,
    /// Count of retired instructions at which the run ends.
    end: u64,
    panic: Option<Box<dyn Any + Send>>,
}

/// Register that depends only on the time.
struct TimedRegister {
    address: u32,
    log2: u32,
    read: TimedRead,
}

impl TimedRegister {
    /// Returns the value after `retired` executed instructions, if it is known.
    fn at(&mut self, retired: u64) -> Option<u64> {
        let read = &mut self.read;
        if retired >= read.until {
            let ticks = (retired - read.until).checked_div(read.period)? + 1;
            read.value = read.value.wrapping_sub(ticks) & u64::MAX >> (64 - (8 << self.log2));
            read.until += ticks * read.period;
        }
        Some(read.value)
    }
}

/// Returns true if the operation at `index` is in the delay slot of a block's branch.
pub(crate) fn is_slot(block: &BasicBlock, index: usize) -> bool {
    block.has_slot() && index + 1 == block.ops().len()
}

/// Exit that compiled code took.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RegionExit {
    /// At a block that may have a compiled region.
    Block,
    /// At a block, with too few instructions left.
    Limit,
    /// At a block, after an instruction that may have changed the mode.
    Mode,
    /// After an instruction that has written code, or after which the run loop must handle an event or
    /// interrupt request.
    Attention,
    /// Before an operation of a block.
    Inside {
        block: usize,
        index: usize,
        next_pc: u32,
        skipped: u32,
    },
}

/// Code and blocks of a region.
struct Body {
    code: Code,
    blocks: Vec<Arc<BasicBlock>>,
}

/// Compiled region for buses of type `B`.
pub(crate) struct Compiled<B> {
    body: Arc<Body>,
    shape: Option<WindowShape>,
    bus: PhantomData<fn(&mut B)>,
}

impl<B: Bus> Compiled<B> {
    /// `code` must be emitted for `blocks`, a window of `shape`, and the [`Thunks`] of `B`.
    pub(crate) fn new(code: Code, blocks: Vec<Arc<BasicBlock>>, shape: Option<WindowShape>) -> Compiled<B> {
        Compiled {
            body: Arc::new(Body { code, blocks }),
            shape,
            bus: PhantomData,
        }
    }

    pub(crate) fn blocks(&self) -> &[Arc<BasicBlock>] {
        &self.body.blocks
    }
}

/// A CPU and its bus while regions run.
pub(crate) struct Running<'a, B> {
    context: Context,
    borrowed: PhantomData<(&'a mut Cpu, &'a mut B)>,
}

impl<'a, B: Bus> Running<'a, B> {
    /// Begins a run of at most `left` instructions.
    pub(crate) fn new(cpu: &'a mut Cpu, bus: &'a mut B, left: u64) -> Running<'a, B> {
        let epoch = bus.code_epoch();
        let end = cpu.retired().saturating_add(left);
        let cpu = std::ptr::from_mut(cpu);
        let context = Context {
            cpu,
            bus: std::ptr::from_mut(bus).cast(),
            memory: std::ptr::null_mut(),
            watched: std::ptr::null(),
            queues: std::ptr::null_mut(),
            ram: std::ptr::null_mut(),
            marked: std::ptr::null_mut(),
            marks: std::ptr::null_mut(),
            mark: 0,
            left,
            holds: 0,
            skipped: 0,
            status: 0,
            resume: 0,
            next_pc: 0,
            matrix_known: 0,
            modes: Modes::of_host(),
            matrix: None,
            body: std::ptr::null(),
            region: 0,
            links: std::ptr::null(),
            stamp: 0,
            hops: 0,
            yields: false,
            shape: None,
            reshaped: false,
            calls: 0,
            timed: None,
            epoch,
            end,
            panic: None,
        };
        Running {
            context,
            borrowed: PhantomData,
        }
    }

    pub(crate) fn cpu(&self) -> &Cpu {
        // SAFETY: borrowed exclusively for `'a`, and no compiled code runs now.
        unsafe { &*self.context.cpu }
    }

    pub(crate) fn bus(&self) -> &B {
        // SAFETY: as in `cpu`; `new` has put a `B` there.
        unsafe { &*self.context.bus.cast::<B>() }
    }

    /// Number of instructions that may still run.
    pub(crate) fn left(&self) -> u64 {
        self.context.left
    }

    /// Number of calls from compiled code.
    pub(crate) fn calls(&self) -> u64 {
        self.context.calls
    }

    /// Returns true if neither code nor the window's shape has changed since the beginning of the run.
    pub(crate) fn is_same(&self) -> bool {
        !self.context.reshaped && self.bus().code_epoch() == self.context.epoch
    }

    /// Returns true if the last region ran in this mode, by the stamp of the links.
    pub(crate) fn is_in(&self, mode: Mode) -> bool {
        self.context.stamp >> 32 == u64::from(links::stamp(mode))
    }

    /// Number of links followed.
    pub(crate) fn hops(&self) -> u64 {
        self.context.hops
    }

    /// Returns true if the bus has asked for the end of the run.
    pub(crate) fn yields(&self) -> bool {
        self.context.yields
    }

    /// Runs the region with index `index`, and the regions linked to it if `linked` is a mode. Returns the
    /// index of the last region, and its exit. Returns `None` if the first region was compiled for another
    /// window.
    pub(crate) fn run(
        &mut self,
        region: &Compiled<B>,
        index: usize,
        links: &mut Links<B>,
        linked: Option<Mode>,
    ) -> Option<(usize, RegionExit)> {
        self.context.shape = region.shape;
        self.context.body = Arc::as_ptr(&region.body);
        self.context.region = index as u64;
        self.context.links = links.table(self.context.epoch);
        let stamp = linked.map_or(links::UNLINKED, links::stamp);
        self.context.stamp = u64::from(stamp) << 32;
        let fpscr = self.cpu().fpscr();
        self.context.modes.follow(fpscr);
        // SAFETY: as in `cpu`; the borrow ends before compiled code runs.
        let bus = unsafe { &mut *self.context.bus.cast::<B>() };
        if !self.context.update_window(bus) {
            return None;
        }
        let context = &raw mut self.context;
        // SAFETY: the emitter made the code for this context. CPU and bus are borrowed for longer than the
        // call and not used here during it. `region` and `links` keep the executable pages and the blocks.
        let exit = unsafe { mode::enter(context, region.body.code.entry()) };
        if let Some(panic) = self.context.panic.take() {
            resume_unwind(panic);
        }
        let context = &self.context;
        let exit = match i64::from(exit) {
            AT_BLOCK => RegionExit::Block,
            AT_LIMIT => RegionExit::Limit,
            AT_MODE => RegionExit::Mode,
            AT_ATTENTION => RegionExit::Attention,
            _ => {
                let (block, index) = context.place(context.resume);
                RegionExit::Inside {
                    block: (context.resume >> 16) as usize,
                    index,
                    next_pc: if is_slot(block, index) {
                        context.next_pc
                    } else {
                        block.end()
                    },
                    skipped: context.skipped as u32,
                }
            }
        };
        Some((context.region as usize, exit))
    }
}

/// Result of compiled code: the program counter is at the next block, and a link may continue there.
pub(crate) const AT_BLOCK: i64 = 0;
/// Result of compiled code, see [`RegionExit::Limit`].
pub(crate) const AT_LIMIT: i64 = 1;
/// Result of compiled code, see [`RegionExit::Mode`].
pub(crate) const AT_MODE: i64 = 2;
/// Result of compiled code, see [`RegionExit::Attention`].
pub(crate) const AT_ATTENTION: i64 = 3;
/// Result of compiled code, see [`RegionExit::Inside`]. The position is in [`Context`].
pub(crate) const IN_BLOCK: i64 = 4;
