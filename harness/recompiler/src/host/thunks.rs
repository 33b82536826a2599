//! The functions that compiled code calls.

use super::mode::switched;
use super::transform::{inner, transform};
use super::{Context, DONE, REFUSED, WRITTEN, window};
use cranelift_codegen::ir::{Type, types};
use sh4::accelerate::{BasicBlock, SingleResult};
use sh4::table::{Id, flag};
use sh4::{Bus, BusError, Cpu, Direction, Op};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The functions that compiled code can call. All take the context first.
#[derive(Clone, Copy)]
pub(crate) enum Call {
    /// (address, log2 of the size): returns the value, zero-extended to 64 bits; status in
    /// [`Context::status`].
    Read,
    /// (address, value, place << 2 | log2 of the size): returns the status. The place is that of the
    /// operation, block << 16 | index.
    Write,
    /// (place): runs an operation by the interpreter; returns the status.
    Interpret,
    /// (a vector of four singles, or two of them for FIPR): returns the product for RM = 0 and DN = 1; in
    /// [`Context::status`] 0 for exact, 1 for inexact, or refused. Only if [`can_transform`].
    Product(Product),
}

/// The variant of a product.
#[derive(Clone, Copy)]
pub(crate) struct Product {
    /// FTRV by XMTRX; else FIPR, whose result is in all lanes.
    pub(crate) transform: bool,
    pub(crate) sum: Sum,
    /// Refuses inexact results.
    pub(crate) lossless: bool,
}

/// The addition of products: see [`super::transform`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sum {
    /// Cuts each addend first, as the hardware does.
    Cut,
    Exact,
}

/// The index of the first product.
const PRODUCTS: usize = 3;

impl Call {
    pub(crate) const COUNT: usize = PRODUCTS + 8;

    /// The index of the call.
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

    /// The type of the result.
    pub(crate) fn answer(self) -> Type {
        match self {
            Call::Read => types::I64,
            Call::Product(_) => types::F32X4,
            _ => types::I32,
        }
    }
}

/// Whether the host supports [`Call::Product`].
pub(crate) fn can_transform() -> bool {
    std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma")
}

/// The addresses of the functions for one type of bus.
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

/// Calls `run` with the parts of the context. A panic is kept until compiled code has returned.
///
/// # Safety
/// `context` must be that of a running [`Running::run`](super::Running::run) for the bus `B`, which waits for
/// the result.
pub(super) unsafe fn within<B: Bus, T>(
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
    /// Takes the addresses of the bus's window. Returns false if its shape is another one than the region was
    /// compiled for. The bus may not be called between this and compiled code.
    pub(super) fn renew<B: Bus>(&mut self, bus: &mut B) -> bool {
        let (shape, pointers) = window(bus).unzip();
        if let Some(pointers) = pointers {
            (self.memory, self.watched) = (pointers.memory, pointers.watched);
            self.queues = pointers.queues;
        }
        self.reshaped |= shape != self.shape;
        !self.reshaped
    }

    /// A read that the bus has refused at once: a register that follows the time, or one of the CPU's own.
    #[cold]
    fn read_refused<B: Bus>(
        &mut self,
        cpu: &Cpu,
        bus: &mut B,
        (address, log2): (u32, u32),
        error: BusError,
    ) -> Result<u64, BusError> {
        let retired = self.end - self.left;
        let (value, until) = match error {
            BusError::Deferred => bus
                .read_timed(address, log2, retired)
                .map(|read| (read.value, read.until))
                .ok_or(error)?,
            BusError::Unmapped => {
                let value = cpu.own_register(address, 1 << log2).ok_or(error)?;
                (value.into(), retired)
            }
            _ => return Err(error),
        };
        self.holds = self.holds.min(until.saturating_sub(retired).max(1));
        Ok(value)
    }

    /// The same behind `op`. Only stores may change the shape.
    pub(super) fn renew_behind<B: Bus>(&mut self, bus: &mut B, op: Op) -> bool {
        if matches!(op.id, Id::frchg | Id::lds_rm_fpscr | Id::lds_l_post_rm_fpscr) {
            self.matrix_known = 0;
        }
        // The window is last: any other call may move it.
        let epoch = bus.code_epoch();
        let same = self.renew(bus);
        assert!(
            same || leaves_after(op),
            "the bus has changed its window in a read"
        );
        same && epoch == self.epoch
    }

    /// Repeats an operation at `place` whose access the bus has deferred.
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

    /// The operation at a place.
    pub(super) fn operation(&self, place: u64) -> Op {
        let (block, index) = self.place(place);
        block.ops()[index]
    }

    /// A block of the region, and an index in it.
    fn place(&self, place: u64) -> (&BasicBlock, usize) {
        // SAFETY: `Running::run` and links have put the present region there, which outlives its run.
        let body = unsafe { &*self.body };
        (&body.blocks[(place >> 16) as usize], place as usize & 0xFFFF)
    }
}

unsafe extern "sysv64" fn read<B: Bus>(context: *mut Context, address: u32, log2: u32) -> u64 {
    let run = |context: &mut Context, cpu: &mut Cpu, bus: &mut B| {
        let value = match cpu.permits(address, log2 as usize, Direction::Read) {
            true => read_item(bus, address, log2)
                .or_else(|error| context.read_refused(cpu, bus, (address, log2), error))
                .ok(),
            false => None,
        };
        assert!(context.renew(bus), "the bus has changed its window in a read");
        context.status = if value.is_some() { DONE } else { REFUSED } as u32;
        value.unwrap_or(0)
    };
    // SAFETY: only compiled code calls this.
    unsafe { within(context, 0, run) }
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
        let same = context.renew(bus) && same;
        match written {
            None => REFUSED as u32,
            Some(()) if same => DONE as u32,
            Some(()) => WRITTEN as u32,
        }
    };
    // SAFETY: only compiled code calls this.
    unsafe { within(context, REFUSED as u32, run) }
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
        let mut result = cpu.run_operation(bus, op);
        if result == SingleResult::Deferred && leaves_after(op) {
            let again = |bus: &mut B| match cpu.run_operation(bus, op) {
                SingleResult::Refused | SingleResult::Deferred => None,
                result => Some(result),
            };
            result = context
                .deferred(bus, place, again)
                .unwrap_or(SingleResult::Refused);
        }
        let same = context.renew_behind(bus, op) && !context.yields;
        match result {
            SingleResult::Refused | SingleResult::Deferred => REFUSED as u32,
            SingleResult::Done if same => DONE as u32,
            SingleResult::Done | SingleResult::Written => WRITTEN as u32,
        }
    };
    // SAFETY: only compiled code calls this.
    unsafe { within(context, REFUSED as u32, run) }
}

/// Whether compiled code checks after an operation whether to exit there.
pub(crate) fn leaves_after(op: Op) -> bool {
    op.id == Id::pref_at_rn || op.row().is_some_and(|row| row.has(flag::STORE))
}
