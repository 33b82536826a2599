//! The only module with unsafe code: calls of compiled code, its calls back, and the memory that both use.
//!
//! Compiled code touches: the [`Context`]; through that the [`Cpu`] and the bus's memory ([`sh4::Window`]),
//! store queues and watched lines; and the functions of [`Thunks`]. The emitter masks every offset in that
//! memory to its size and uses only aligned items. The bus may move its memory whenever it is called. So the
//! addresses are taken last, in one call, before compiled code runs and before a thunk returns
//! ([`Context::renew`]), and compiled code reloads them after every thunk that calls the bus. The size is
//! part of the code: [`Running::run`] and the thunks compare it. So no guest and no bus leads compiled code
//! outside of that memory; only the emitter is trusted.
#![allow(unsafe_code)]

mod code;
mod links;
mod mode;
mod thunks;
mod transform;

pub(crate) use code::Code;
pub(crate) use links::Links;
pub(crate) use thunks::{Call, Product, Sum, Thunks, can_transform, leaves_after};

use crate::region::Mode;
use mode::Modes;
use transform::Matrix;

use sh4::accelerate::BasicBlock;
use sh4::{Bus, Cpu, Window, fpscr};
use std::any::Any;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::sync::Arc;

/// Status of a call out of compiled code: it has succeeded.
pub(crate) const DONE: i64 = 0;
/// The call has succeeded, and the block has to be left: watched code was written, or the bus wants
/// attention.
pub(crate) const WRITTEN: i64 = 1;
/// The call has done nothing; the interpreter reports the reason.
pub(crate) const REFUSED: i64 = 2;

/// The shape of a bus's window, a constant in compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WindowShape {
    pub(crate) select: u32,
    pub(crate) value: u32,
    pub(crate) size: u32,
    /// The bus lends its store queues.
    pub(crate) queues: bool,
    /// Only the CPU changes what it reads.
    pub(crate) steady: bool,
}

/// The present addresses of a bus's window.
#[derive(Clone, Copy)]
struct Pointers {
    memory: *mut u8,
    watched: *const u32,
    /// Null if the bus does not lend its store queues.
    queues: *mut u8,
}

/// The bus's window, if compiled code can use it. All addresses come from one borrow of the bus.
fn window<B: Bus>(bus: &mut B) -> Option<(WindowShape, Pointers)> {
    let Window {
        bytes,
        watched,
        select,
        value,
        queues,
        steady,
    } = bus.window()?;
    let size = u32::try_from(bytes.len()).ok().filter(|size| *size > 0)?;
    let lines = size as usize / sh4::watch::LINE as usize;
    let apart = (select | value) & (size - 1) == 0 && value & !select == 0;
    let usable = size.is_power_of_two() && size >= sh4::watch::LINE && watched.len() >= lines && apart;
    if !usable {
        return None;
    }
    let shape = WindowShape {
        select,
        value,
        size,
        queues: queues.is_some(),
        steady,
    };
    let pointers = Pointers {
        memory: bytes.as_mut_ptr(),
        watched: watched.as_ptr(),
        queues: queues.map_or(std::ptr::null_mut(), |queues| queues.as_mut_ptr()),
    };
    Some((shape, pointers))
}

/// The present shape of a bus's window.
pub(crate) fn shape<B: Bus>(bus: &mut B) -> Option<WindowShape> {
    Some(window(bus)?.0)
}

/// The state of a run, at fixed offsets for compiled code.
#[repr(C)]
pub(crate) struct Context {
    pub(crate) cpu: *mut Cpu,
    /// The same pointer for exits: otherwise the code generator would load the one above once for all of them
    /// and keep it in a register, which loops need.
    pub(crate) cpu_at_exit: *mut Cpu,
    bus: *mut c_void,
    /// The window, null if there is none.
    pub(crate) memory: *mut u8,
    pub(crate) watched: *const u32,
    /// The 64 bytes of the store queues, null if the bus does not lend them.
    pub(crate) queues: *mut u8,
    /// Instructions that may still run: at exits, and at calls that read memory.
    pub(crate) left: u64,
    /// Instructions for which the reads of a waiting loop give the same values.
    pub(crate) holds: u64,
    /// Skipped instructions of the block that the interpreter continues.
    pub(crate) skipped: u64,
    /// The status of the last call that returns something else.
    pub(crate) status: u32,
    /// The block that was left; and if the interpreter continues it, the address behind it and the first
    /// operation that has not run.
    pub(crate) block: u32,
    pub(crate) index: u32,
    pub(crate) next_pc: u32,
    /// Not 0 while [`Context::matrix`] is XMTRX; compiled code that writes to XMTRX clears it.
    pub(crate) matrix_known: u32,
    // Only the runtime uses these.
    modes: Modes,
    matrix: Option<Matrix>,
    /// The present region, and its number.
    body: *const Body,
    region: u64,
    /// The links between regions, the stamp of the present mode above 32 zeros, and how many were followed.
    links: *const links::Link,
    stamp: u64,
    hops: u64,
    /// The bus has asked for the end of the run.
    yields: bool,
    /// The window that the present region was compiled for.
    shape: Option<WindowShape>,
    /// The bus's window has changed its shape.
    reshaped: bool,
    /// Calls from compiled code to the interpreter or the bus.
    calls: u64,
    epoch: u64,
    /// The count of retired instructions at which nothing is left.
    end: u64,
    panic: Option<Box<dyn Any + Send>>,
}

/// The exit that compiled code took.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RegionExit {
    /// At a block that may be compiled.
    Block,
    /// At a block, with too few instructions left.
    Limit,
    /// At a block, after an instruction that may have changed the mode.
    Mode,
    /// After an instruction that has written code, or whose device wants the attention of the run loop.
    Attention,
    /// In front of an operation of the block.
    Inside {
        block: usize,
        index: usize,
        next_pc: u32,
        skipped: u32,
    },
}

/// A region's code and its blocks.
struct Body {
    code: Code,
    blocks: Vec<Arc<BasicBlock>>,
}

/// The same for buses of one type.
pub(crate) struct Compiled<B> {
    body: Arc<Body>,
    shape: Option<WindowShape>,
    bus: PhantomData<fn(&mut B)>,
}

impl<B: Bus> Compiled<B> {
    /// `code` as emitted for `blocks`, a window of `shape` and [`Thunks::of`] this bus.
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

/// A CPU and its bus while regions run, one after the other.
pub(crate) struct Running<'a, B> {
    context: Context,
    borrowed: PhantomData<(&'a mut Cpu, &'a mut B)>,
}

impl<'a, B: Bus> Running<'a, B> {
    /// Begins with so many instructions left.
    pub(crate) fn new(cpu: &'a mut Cpu, bus: &'a mut B, left: u64) -> Running<'a, B> {
        let epoch = bus.code_epoch();
        let end = cpu.retired().saturating_add(left);
        let cpu = std::ptr::from_mut(cpu);
        let context = Context {
            cpu,
            cpu_at_exit: cpu,
            bus: std::ptr::from_mut(bus).cast(),
            memory: std::ptr::null_mut(),
            watched: std::ptr::null(),
            queues: std::ptr::null_mut(),
            left,
            holds: 0,
            skipped: 0,
            status: 0,
            block: 0,
            index: 0,
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

    /// Instructions that may still run.
    pub(crate) fn left(&self) -> u64 {
        self.context.left
    }

    /// Calls from compiled code so far.
    pub(crate) fn calls(&self) -> u64 {
        self.context.calls
    }

    /// Whether neither code nor window has changed since the beginning.
    pub(crate) fn is_same(&self) -> bool {
        !self.context.reshaped && self.bus().code_epoch() == self.context.epoch
    }

    /// Returns true if the last region ran in this mode, by the stamp of the links.
    pub(crate) fn is_in(&self, mode: Mode) -> bool {
        self.context.stamp >> 32 == u64::from(links::stamp(mode))
    }

    /// Links between regions that were followed so far.
    pub(crate) fn hops(&self) -> u64 {
        self.context.hops
    }

    /// Whether the bus has asked for the end of the run.
    pub(crate) fn yields(&self) -> bool {
        self.context.yields
    }

    /// Runs the region of number `index`, and those that the links of a mode lead to if there is one. Returns
    /// the number of the last region, and its exit; nothing if the first was compiled for another window.
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
        let flush = self.cpu().fpscr() & fpscr::DN != 0;
        self.context.modes.flush(flush);
        // SAFETY: as in `cpu`; the borrow ends before compiled code runs.
        let bus = unsafe { &mut *self.context.bus.cast::<B>() };
        if !self.context.renew(bus) {
            return None;
        }
        let context = &raw mut self.context;
        // SAFETY: the code is what the emitter made for such a context; CPU and bus are borrowed for longer
        // than the call and not used here during it; the pages are executable and the blocks there as long as
        // `region` and `links` live, which keep them.
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
            _ => RegionExit::Inside {
                block: context.block as usize,
                index: context.index as usize,
                next_pc: context.next_pc,
                skipped: context.skipped as u32,
            },
        };
        Some((context.region as usize, exit))
    }
}

/// The results of compiled code. The program counter is at the next block, which a link may lead to; or not,
/// for the reasons of [`RegionExit`].
pub(crate) const AT_BLOCK: i64 = 0;
/// See [`AT_BLOCK`].
pub(crate) const AT_LIMIT: i64 = 1;
/// See [`AT_BLOCK`].
pub(crate) const AT_MODE: i64 = 2;
/// See [`AT_BLOCK`].
pub(crate) const AT_ATTENTION: i64 = 3;
/// The interpreter continues a block that [`Context`] names.
pub(crate) const IN_BLOCK: i64 = 4;
