//! Functions that compiled code calls.

use super::mode::switched;
use super::transform::{inner, transform};
use super::{Context, DONE, Pointers, REFUSED, TimedRegister, WRITTEN, WindowShape};
use cranelift_codegen::ir::{Type, types};
use sh4::accelerate::{BasicBlock, SingleResult, uses_bus};
use sh4::table::{Id, flag};
use sh4::{Bus, BusError, Cpu, Direction, Op};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Functions that compiled code can call. Their first argument is the context.
#[derive(Clone, Copy)]
pub(crate) enum Call {
    /// (address, log2 of the size): returns the value, zero-extended to 64 bits, and sets
    /// [`Context::status`].
    Read,
    /// (address, value, place << 2 | log2 of the size): returns the status. The place of an operation is
    /// block << 16 | index.
    Write,
    /// (place): runs the interpreter's operation; returns the status.
    Interpret,
    /// (a vector of four singles; two vectors for FIPR): returns the product for DN = 1. Under RM = 1, only
    /// [`Sum::Cut`] is supported. Sets [`Context::status`] to 0 for exact, 1 for inexact, or
    /// [`REFUSED`]. Requires [`can_transform`].
    Product(Product),
}

/// Variant of a product.
#[derive(Clone, Copy)]
pub(crate) struct Product {
    /// True for FTRV; false for FIPR, which returns its result in all lanes.
    pub(crate) transform: bool,
    pub(crate) sum: Sum,
    /// True if inexact results are refused.
    pub(crate) lossless: bool,
}

/// Model of the addition of products, see [`super::transform`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sum {
    /// Truncates each addend first, like the hardware.
    Cut,
    /// Rounds the exact sum.
    Exact,
}

/// Index of the first [`Call::Product`].
const PRODUCTS: usize = 3;

impl Call {
    pub(crate) const COUNT: usize = PRODUCTS + 8;

    /// Index of the function.
    pub(crate) fn index(self) -> usize {
        match self {
            Call::Read => 0,
            Call::Write => 1,
            Call::Interpret => 2,
            Call::Product(Product {
                transform,
                sum,
                lossless,
            }) => {
                PRODUCTS
                    + usize::from(transform) * 4
                    + usize::from(sum == Sum::Exact) * 2
                    + usize::from(lossless)
            }
        }
    }

    /// Type of the result.
    pub(crate) fn answer(self) -> Type {
        match self {
            Call::Read => types::I64,
            Call::Product(_) => types::F32X4,
            _ => types::I32,
        }
    }
}

/// Returns true if the host supports [`Call::Product`].
pub(crate) fn can_transform() -> bool {
    std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma")
}

/// Addresses of the functions for one type of bus.
pub(crate) struct Thunks {
    addresses: [usize; Call::COUNT],
}

impl Thunks {
    pub(crate) fn of<B: Bus>() -> Thunks {
        let addresses = [
            switched!(read::<B>, [B: Bus], [B]),
            switched!(write::<B>, [B: Bus], [B]),
            switched!(interpret::<B>, [B: Bus], [B]),
            switched!(inner::<false, false>, [], []),
            switched!(inner::<false, true>, [], []),
            switched!(inner::<true, false>, [], []),
            switched!(inner::<true, true>, [], []),
            switched!(transform::<false, false>, [], []),
            switched!(transform::<false, true>, [], []),
            switched!(transform::<true, false>, [], []),
            switched!(transform::<true, true>, [], []),
        ];
        Thunks { addresses }
    }

    pub(crate) fn address(&self, call: Call) -> i64 {
        self.addresses[call.index()] as i64
    }
}

/// Calls `run` with the context, its CPU and its bus. Stores a panic until compiled code has returned.
///
/// # Safety
/// `context` must belong to a [`Running::run`](super::Running::run) for bus `B` that now waits for compiled
/// code.
pub(super) unsafe fn call_runtime<B: Bus, T>(
    context: *mut Context,
    refused: T,
    run: impl FnOnce(&mut Context, &mut Cpu, &mut B) -> T,
) -> T {
    // SAFETY: as the caller promises; compiled code holds no references.
    let context = unsafe { &mut *context };
    // SAFETY: both are borrowed exclusively by `Running`, which does not use them now.
    let (cpu, bus) = unsafe { (&mut *context.cpu, &mut *context.bus.cast::<B>()) };
    context.calls += 1;
    match catch_unwind(AssertUnwindSafe(|| run(context, cpu, bus))) {
        Ok(answer) => answer,
        Err(panic) => {
            context.panic = Some(panic);
            context.status = REFUSED as u32;
            refused
        }
    }
}

impl Context {
    /// Updates the addresses of the bus's window. Returns false if its shape differs from the one that the
    /// region was compiled for. No call of the bus may follow before compiled code runs.
    #[inline(always)]
    pub(super) fn update_window<B: Bus>(&mut self, bus: &mut B) -> bool {
        let mut window = bus.window();
        let same = match (&self.shape, &mut window) {
            (Some(shape), Some(window)) if shape.is_of(window) => {
                let pointers = Pointers::of(window);
                (self.memory, self.watched) = (pointers.memory, pointers.watched);
                (self.queues, self.ram) = (pointers.queues, pointers.ram);
                (self.marked, self.marks, self.mark) = (pointers.marked, pointers.marks, pointers.mark);
                true
            }
            // A window that compiled code cannot use counts as none.
            (None, window) => window.as_ref().and_then(WindowShape::of).is_none(),
            _ => false,
        };
        self.reshaped |= !same;
        !self.reshaped
    }

    /// Reads a register that needs the time, or a register of the CPU, after the bus has refused the read.
    #[cold]
    fn read_refused<B: Bus>(
        &mut self,
        cpu: &Cpu,
        bus: &mut B,
        (address, log2): (u32, u32),
        error: BusError,
    ) -> Result<u64, BusError> {
        let retired = self.end - self.left;
        match error {
            BusError::Deferred => {
                let read = bus.read_timed(address, log2, retired).ok_or(error)?;
                self.timed = Some(TimedRegister { address, log2, read });
                self.holds_until(read.until);
                Ok(read.value)
            }
            BusError::Unmapped => {
                self.holds_until(retired);
                Ok(cpu.own_register(address, 1 << log2).ok_or(error)?.into())
            }
            _ => Err(error),
        }
    }

    /// Records that the value of a read changes after `until` executed instructions.
    fn holds_until(&mut self, until: u64) {
        let retired = self.end - self.left;
        self.holds = self.holds.min(until.saturating_sub(retired).max(1));
    }

    /// Returns the value of a timed register that was read before.
    fn read_again(&mut self, address: u32, log2: u32) -> Option<u64> {
        let retired = self.end - self.left;
        let timed = self.timed.as_mut();
        let timed = timed.filter(|timed| (timed.address, timed.log2) == (address, log2))?;
        let (value, until) = (timed.at(retired)?, timed.read.until);
        self.calls += 1;
        self.holds_until(until);
        Some(value)
    }

    /// Updates the window after operation `op`. Returns false if compiled code must exit. Only stores may
    /// change the shape.
    pub(super) fn update_window_after<B: Bus>(&mut self, bus: &mut B, op: Op) -> bool {
        // `update_window` must be the last call of the bus.
        let epoch = bus.code_epoch();
        let same = self.update_window(bus);
        assert!(
            same || may_exit_after(op),
            "the bus has changed its window in a read"
        );
        same && epoch == self.epoch
    }

    /// Repeats a deferred access of the operation at `place` with `act`.
    #[cold]
    fn deferred<B: Bus, T>(
        &mut self,
        bus: &mut B,
        place: u64,
        act: impl FnOnce(&mut B) -> Option<T>,
    ) -> Option<T> {
        let (block, index) = self.place(place);
        bus.deferred_pc(block.start().wrapping_add(2 * index as u32));
        bus.begin_deferred(self.end - self.left, None);
        let done = act(bus);
        self.yields = bus.end_deferred() && done.is_some();
        done
    }

    /// Operation at a place.
    pub(super) fn operation(&self, place: u64) -> Op {
        let (block, index) = self.place(place);
        block.ops()[index]
    }

    /// Block of a place, and the index of its operation.
    pub(super) fn place(&self, place: u64) -> (&BasicBlock, usize) {
        // SAFETY: `Running::run` and links set `body` to the current region, which outlives its run.
        let body = unsafe { &*self.body };
        (&body.blocks[(place >> 16) as usize], place as usize & 0xFFFF)
    }
}

unsafe extern "sysv64" fn read<B: Bus>(context: *mut Context, address: u32, log2: u32) -> u64 {
    // SAFETY: only compiled code calls this, and it holds no references.
    let known = unsafe { &mut *context };
    if let Some(value) = known.read_again(address, log2) {
        known.status = DONE as u32;
        return value;
    }
    let run = |context: &mut Context, cpu: &mut Cpu, bus: &mut B| {
        let value = match cpu.permits(address, log2 as usize, Direction::Read) {
            true => read_item(bus, address, log2)
                .or_else(|error| context.read_refused(cpu, bus, (address, log2), error))
                .ok(),
            false => None,
        };
        assert!(
            context.update_window(bus),
            "the bus has changed its window in a read"
        );
        context.status = if value.is_some() { DONE } else { REFUSED } as u32;
        value.unwrap_or(0)
    };
    // SAFETY: only compiled code calls this.
    unsafe { call_runtime(context, 0, run) }
}

fn read_item<B: Bus>(bus: &mut B, address: u32, log2: u32) -> Result<u64, BusError> {
    match log2 {
        0 => bus.read8(address).map(u64::from),
        1 => bus.read16(address).map(u64::from),
        2 => bus.read32(address).map(u64::from),
        _ => bus.read64(address),
    }
}

unsafe extern "sysv64" fn write<B: Bus>(context: *mut Context, address: u32, value: u64, form: u64) -> u32 {
    let log2 = form as u32 & 3;
    let run = |context: &mut Context, cpu: &mut Cpu, bus: &mut B| {
        context.timed = None;
        let written = match cpu.permits(address, log2 as usize, Direction::Write) {
            true => write_item(bus, address, value, log2),
            false => Err(BusError::Refused),
        };
        let written = match written {
            Err(BusError::Deferred) => {
                context.deferred(bus, form >> 2, |bus| write_item(bus, address, value, log2).ok())
            }
            written => written.ok(),
        };
        let same = bus.code_epoch() == context.epoch && !context.yields;
        let same = context.update_window(bus) && same;
        match written {
            None => REFUSED as u32,
            Some(()) if same => DONE as u32,
            Some(()) => WRITTEN as u32,
        }
    };
    // SAFETY: only compiled code calls this.
    unsafe { call_runtime(context, REFUSED as u32, run) }
}

fn write_item<B: Bus>(bus: &mut B, address: u32, value: u64, log2: u32) -> Result<(), BusError> {
    match log2 {
        0 => bus.write8(address, value as u8),
        1 => bus.write16(address, value as u16),
        2 => bus.write32(address, value as u32),
        _ => bus.write64(address, value),
    }
}

unsafe extern "sysv64" fn interpret<B: Bus>(context: *mut Context, place: u64) -> u32 {
    let run = |context: &mut Context, cpu: &mut Cpu, bus: &mut B| {
        let op = context.operation(place);
        if uses_bus(op) {
            context.timed = None;
        }
        let mut result = cpu.run_operation(bus, op);
        if result == SingleResult::Deferred && may_exit_after(op) {
            let again = |bus: &mut B| match cpu.run_operation(bus, op) {
                SingleResult::Refused | SingleResult::Deferred => None,
                result => Some(result),
            };
            result = context
                .deferred(bus, place, again)
                .unwrap_or(SingleResult::Refused);
        }
        if matches!(op.id, Id::frchg | Id::lds_rm_fpscr | Id::lds_l_post_rm_fpscr) {
            context.matrix_known = 0;
        }
        let same = !uses_bus(op) || context.update_window_after(bus, op) && !context.yields;
        match result {
            SingleResult::Refused | SingleResult::Deferred => REFUSED as u32,
            SingleResult::Done if same => DONE as u32,
            SingleResult::Done | SingleResult::Written => WRITTEN as u32,
        }
    };
    // SAFETY: only compiled code calls this.
    unsafe { call_runtime(context, REFUSED as u32, run) }
}

/// Returns true if compiled code may have to exit after an operation.
pub(crate) fn may_exit_after(op: Op) -> bool {
    op.id == Id::pref_at_rn || op.row().is_some_and(|row| row.has(flag::STORE))
}
