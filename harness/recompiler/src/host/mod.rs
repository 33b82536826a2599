//! The one module with unsafe code: calling what was compiled, being called by it, and the memory both see.
//!
//! What compiled code touches: the [`Context`] it is given; through that the [`Cpu`], the bus's memory
//! ([`sh4::Window`]), its watched lines, a timing's lines, and the
//! edges ([`edge`]) that stand for its other timing; and the functions of [`Thunks`]. The emitter masks every
//! place in that memory to its size, takes only aligned items from it, and takes its address anew after every call into the
//! runtime, since the bus may have moved it. Its size is part of the code: [`Running::run`] and the thunks look that it is still
//! what the code was compiled for.  So nothing a guest, a bus or a timing does leads outside;
//! what is trusted is the emitter.
#![allow(unsafe_code)]

mod code;
mod daz;
mod linked_edge;
mod thunks;
mod timing;
mod transform;

pub(crate) use code::Code;
pub(crate) use linked_edge::{EDGE_ADVANCE, EDGE_LINKS, EDGE_NUMBER, EDGE_TIMES, OUTSIDE};
pub(crate) use thunks::{Call, DONE, Product, REFUSED, Sum, Thunks, WRITTEN, can_transform};
pub(crate) use timing::{AccessBuffer, RegionTiming, TimingState};

use crate::region::{Mode, has_floats};
use daz::DazGuard;
use transform::Matrix;

use sh4::accelerate::BasicBlock;
use sh4::timing::BlockTiming;
use sh4::{Bus, Cpu};
use std::any::Any;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::sync::Arc;

/// The shape of a bus's window: what compiled code has built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) select: u32,
    pub(crate) value: u32,
    pub(crate) size: u32,
}

/// Where a bus's window lies at the moment.
#[derive(Clone, Copy)]
struct Pointers {
    memory: *mut u8,
    watched: *const u32,
}

/// The bus's window, if it has one that compiled code can use.
fn window<B: Bus>(bus: &mut B) -> Option<(Shape, Pointers)> {
    let window = bus.window()?;
    let size = u32::try_from(window.bytes.len()).ok().filter(|size| *size > 0)?;
    let lines = size as usize / sh4::watch::LINE as usize;
    let apart = (window.select | window.value) & (size - 1) == 0 && window.value & !window.select == 0;
    let usable = size.is_power_of_two() && size >= sh4::watch::LINE && window.watched.len() >= lines && apart;
    usable.then_some((
        Shape {
            select: window.select,
            value: window.value,
            size,
        },
        Pointers {
            memory: window.bytes.as_mut_ptr(),
            watched: window.watched.as_ptr(),
        },
    ))
}

/// The shape of a bus's window at present.
pub(crate) fn shape<B: Bus>(bus: &mut B) -> Option<Shape> {
    Some(window(bus)?.0)
}

/// What compiled code works on, at fixed places.
#[repr(C)]
pub(crate) struct Context {
    pub(crate) cpu: *mut Cpu,
    /// The same. Exits take it from here: from the place above the code generator would take it once at the entry, for all
    /// of them, and keep it in a register that loops have better use for.
    pub(crate) cpu_at_exit: *mut Cpu,
    bus: *mut c_void,
    /// The window, null if there is none.
    pub(crate) memory: *mut u8,
    pub(crate) watched: *const u32,
    /// Instructions that may still run.
    pub(crate) left: u64,
    /// Instructions skipped in the block that is to be ended.
    pub(crate) skipped: u64,
    /// How the last call ended, where its answer is something else.
    pub(crate) status: u32,
    /// The block that was left; where it goes on and the first operation that has not run, if it is to be ended.
    pub(crate) block: u32,
    pub(crate) index: u32,
    pub(crate) next_pc: u32,
    /// Not 0 as long as nobody has written to XMTRX since the runtime made another form of it.
    pub(crate) matrix_known: u32,
    /// Used with a timing.
    pub(crate) timing: TimingState,
    // What only the runtime uses.
    matrix: Option<Matrix>,
    daz: DazGuard,
    blocks: *const [Arc<BasicBlock>],
    shape: Option<Shape>,
    /// The bus has another window now.
    reshaped: bool,
    /// Calls into the runtime that other code than ours ran in.
    calls: u64,
    epoch: u64,
    panic: Option<Box<dyn Any + Send>>,
}

/// Where compiled code has left.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RegionExit {
    /// Behind the block at a place of the region, or at its head.
    At { block: usize },
    /// In front of an operation of it.
    Inside {
        block: usize,
        index: usize,
        next_pc: u32,
        skipped: u32,
    },
}

/// A region's code, for buses of one type.
pub(crate) struct Compiled<B> {
    code: Code,
    blocks: Vec<Arc<BasicBlock>>,
    shape: Option<Shape>,
    /// Denormal operands are zeros.
    flush: bool,
    timed: bool,
    bus: PhantomData<fn(&mut B)>,
}

impl<B: Bus> Compiled<B> {
    /// `code` as emitted for `blocks` in `mode`, a window of `shape` and [`Thunks::of`] this bus.
    pub(crate) fn new(
        code: Code,
        blocks: Vec<Arc<BasicBlock>>,
        mode: Mode,
        shape: Option<Shape>,
    ) -> Compiled<B> {
        Compiled {
            code,
            flush: mode.flush && blocks.iter().any(|code| has_floats(code)),
            timed: mode.lines.is_some(),
            blocks,
            shape,
            bus: PhantomData,
        }
    }

    pub(crate) fn blocks(&self) -> &[Arc<BasicBlock>] {
        &self.blocks
    }
}

/// A CPU and its bus while regions run, one after the other.
pub(crate) struct Running<'a, B> {
    context: Context,
    timing: Option<&'a mut dyn BlockTiming>,
    borrowed: PhantomData<(&'a mut Cpu, &'a mut B)>,
}

impl<'a, B: Bus> Running<'a, B> {
    /// With so many instructions left.
    pub(crate) fn new(
        cpu: &'a mut Cpu,
        bus: &'a mut B,
        left: u64,
        timing: Option<&'a mut dyn BlockTiming>,
    ) -> Running<'a, B> {
        let (shape, pointers) = window(bus).unzip();
        let pointers = pointers.unwrap_or(Pointers {
            memory: std::ptr::null_mut(),
            watched: std::ptr::null(),
        });
        let epoch = bus.code_epoch();
        let cpu: *mut Cpu = cpu;
        let context = Context {
            cpu,
            cpu_at_exit: cpu,
            bus: std::ptr::from_mut(bus).cast(),
            memory: pointers.memory,
            watched: pointers.watched,
            left,
            skipped: 0,
            status: 0,
            block: 0,
            index: 0,
            next_pc: 0,
            matrix_known: 0,
            timing: TimingState::none(),
            matrix: None,
            daz: DazGuard::new(false),
            blocks: &raw const *(&[] as &[Arc<BasicBlock>]),
            shape,
            reshaped: false,
            calls: 0,
            epoch,
            panic: None,
        };
        Running {
            context,
            timing,
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

    /// Accesses and operations so far that compiled code has called for.
    pub(crate) fn calls(&self) -> u64 {
        self.context.calls
    }

    /// Whether code is still what it was at the beginning, and the window where it was.
    pub(crate) fn is_same(&self) -> bool {
        !self.context.reshaped && self.bus().code_epoch() == self.context.epoch
    }

    /// Whoever counts.
    pub(crate) fn timing(&mut self) -> Option<&mut (dyn BlockTiming + 'a)> {
        self.timing.as_deref_mut()
    }

    /// Runs a region. Nothing if it was compiled for another window. One that counts needs a timing, which has then all
    /// that has run in its timing, what that knows of each of its blocks, and room to note accesses.
    pub(crate) fn run(
        &mut self,
        region: &Compiled<B>,
        known: &mut RegionTiming,
        notes: &mut AccessBuffer,
    ) -> Option<RegionExit> {
        if self.context.shape != region.shape || self.context.reshaped {
            return None;
        }
        assert_eq!(region.timed, self.timing.is_some());
        if let Some(timing) = &mut self.timing {
            assert_eq!(known.count(), region.blocks.len());
            self.context.timing.open(timing, known, notes);
        }
        self.context.blocks = &raw const *region.blocks;
        self.context.daz = DazGuard::new(region.flush);
        let context = &raw mut self.context;
        self.context.daz.enter();
        // SAFETY: the code is what the emitter made for such a context; CPU and bus are borrowed for longer than the call
        // and not used here during it; the pages are executable and the blocks there as long as `region` lives.
        let inside = unsafe { (region.code.entry())(context) } != 0;
        self.context.daz.leave();
        if let Some(panic) = self.context.panic.take() {
            resume_unwind(panic);
        }
        let context = &self.context;
        if let Some(timing) = &mut self.timing {
            context.timing.close(&mut **timing);
        }
        let block = context.block as usize;
        Some(if inside {
            RegionExit::Inside {
                block,
                index: context.index as usize,
                next_pc: context.next_pc,
                skipped: context.skipped as u32,
            }
        } else {
            RegionExit::At { block }
        })
    }
}
