//! Hooks: who is called when.

use std::fmt;
use std::ops::RangeInclusive;

use crate::{Engine, Mapped, StopHandle};
use sh4::{BusError, Cpu, Direction};

/// Names a hook for [`Engine::hook_delete`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HookId(u32);

/// What a hook may look at and change.
pub struct Guest<'a> {
    /// The CPU.
    pub cpu: &'a mut Cpu,
    /// The memory.
    pub memory: &'a mut Mapped,
    stop: &'a StopHandle,
}

impl Guest<'_> {
    /// Ends the run before the next instruction, this one included if it has not run yet.
    pub fn emu_stop(&self) {
        self.stop.emu_stop();
    }
}

/// A data access, or the fetch of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryEvent {
    /// Which kind.
    pub direction: Direction,
    /// Effective address.
    pub address: u32,
    /// Bytes.
    pub size: u8,
    /// What is about to be written; 0 for reads and fetches.
    pub value: u64,
    /// The instruction; the branch for an access in its delay slot.
    pub pc: u32,
}

/// An access that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryError {
    /// The access. A failed fetch has size 2.
    pub event: MemoryEvent,
    /// Unmapped, or not permitted.
    pub error: BusError,
}

type OnCode = Box<dyn FnMut(&mut Guest<'_>, u32, u32) + Send>;
type OnMemory = Box<dyn FnMut(&mut Mapped, &MemoryEvent) + Send>;
type OnMemoryError = Box<dyn FnMut(&mut Guest<'_>, &MemoryError) -> bool + Send>;
type OnInterrupt = Box<dyn FnMut(&mut Guest<'_>, u32) -> bool + Send>;
type OnInvalid = Box<dyn FnMut(&mut Guest<'_>) -> bool + Send>;

/// A hook and the addresses it is for.
struct Ranged<T> {
    id: HookId,
    range: RangeInclusive<u32>,
    call: T,
}

/// All hooks of an engine.
#[derive(Default)]
pub(crate) struct Hooks {
    last: u32,
    code: Vec<Ranged<OnCode>>,
    blocks: Vec<Ranged<OnCode>>,
    memory: Vec<Ranged<(Option<Direction>, OnMemory)>>,
    errors: Vec<Ranged<OnMemoryError>>,
    interrupts: Vec<Ranged<OnInterrupt>>,
    invalid: Vec<Ranged<OnInvalid>>,
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.code.len()
            + self.blocks.len()
            + self.memory.len()
            + self.errors.len()
            + self.interrupts.len()
            + self.invalid.len();
        write!(f, "{count} hooks")
    }
}

const ALL: RangeInclusive<u32> = 0..=u32::MAX;

impl Engine {
    fn hook<T>(
        &mut self,
        list: fn(&mut Hooks) -> &mut Vec<Ranged<T>>,
        range: RangeInclusive<u32>,
        call: T,
    ) -> HookId {
        self.hooks.last += 1;
        let id = HookId(self.hooks.last);
        list(&mut self.hooks).push(Ranged { id, range, call });
        id
    }

    /// `call(guest, address, size)` before every instruction in `range`; `size` is 2. Changing the program
    /// counter skips the instruction; what the hooks of a delay slot change, the branch sees too.
    pub fn hook_code(
        &mut self,
        range: RangeInclusive<u32>,
        call: impl FnMut(&mut Guest<'_>, u32, u32) + Send + 'static,
    ) -> HookId {
        self.hook(|hooks| &mut hooks.code, range, Box::new(call) as OnCode)
    }

    /// `call(guest, address, size)` before every block in `range`: straight code up to a branch, its slot
    /// included; `size` in bytes.
    pub fn hook_block(
        &mut self,
        range: RangeInclusive<u32>,
        call: impl FnMut(&mut Guest<'_>, u32, u32) + Send + 'static,
    ) -> HookId {
        self.hook(|hooks| &mut hooks.blocks, range, Box::new(call) as OnCode)
    }

    /// `call(memory, event)` before every access in `range`: reads, writes, fetches, or all if `direction` is
    /// `None`. A read returns what the hook has written to memory.
    pub fn hook_memory(
        &mut self,
        direction: Option<Direction>,
        range: RangeInclusive<u32>,
        call: impl FnMut(&mut Mapped, &MemoryEvent) + Send + 'static,
    ) -> HookId {
        self.hook(
            |hooks| &mut hooks.memory,
            range,
            (direction, Box::new(call) as OnMemory),
        )
    }

    /// `call(guest, error)` after an access in `range` has failed. True says that the cause is gone (it has
    /// mapped memory, or moved the program counter): the instruction at the program counter runs, or runs
    /// again. If that fails in the same way at once, the run ends.
    pub fn hook_memory_error(
        &mut self,
        range: RangeInclusive<u32>,
        call: impl FnMut(&mut Guest<'_>, &MemoryError) -> bool + Send + 'static,
    ) -> HookId {
        self.hook(|hooks| &mut hooks.errors, range, Box::new(call) as OnMemoryError)
    }

    /// `call(guest, code)` at every exception and interrupt; `code` is what EXPEVT or INTEVT holds, 160 for
    /// TRAPA. Under [`Exceptions::Stop`](sh4::Exceptions::Stop) the hook takes the place of the handler: true
    /// goes on at the program counter (behind a TRAPA, at anything else), false ends the run. Under
    /// [`Exceptions::Take`](sh4::Exceptions::Take) the hook is called after the entry, and its result says
    /// whether to go on.
    pub fn hook_interrupt(
        &mut self,
        call: impl FnMut(&mut Guest<'_>, u32) -> bool + Send + 'static,
    ) -> HookId {
        self.hook(|hooks| &mut hooks.interrupts, ALL, Box::new(call) as OnInterrupt)
    }

    /// `call(guest)` at an undefined, illegal or slot-illegal instruction, before any exception. True goes on
    /// at the program counter, which it must have moved.
    pub fn hook_invalid(&mut self, call: impl FnMut(&mut Guest<'_>) -> bool + Send + 'static) -> HookId {
        self.hook(|hooks| &mut hooks.invalid, ALL, Box::new(call) as OnInvalid)
    }

    /// Takes a hook away; whether there was one.
    pub fn hook_delete(&mut self, id: HookId) -> bool {
        fn drop_from<T>(list: &mut Vec<Ranged<T>>, id: HookId) -> bool {
            let before = list.len();
            list.retain(|hook| hook.id != id);
            list.len() != before
        }
        let hooks = &mut self.hooks;
        drop_from(&mut hooks.code, id)
            || drop_from(&mut hooks.blocks, id)
            || drop_from(&mut hooks.memory, id)
            || drop_from(&mut hooks.errors, id)
            || drop_from(&mut hooks.interrupts, id)
            || drop_from(&mut hooks.invalid, id)
    }

    /// Splits the engine for a call: the hooks, and what they may touch.
    fn split(&mut self) -> (&mut Hooks, Guest<'_>) {
        let guest = Guest {
            cpu: &mut self.cpu,
            memory: &mut self.memory,
            stop: &self.stop,
        };
        (&mut self.hooks, guest)
    }

    pub(crate) fn call_code(&mut self, address: u32) {
        let (hooks, mut guest) = self.split();
        for hook in hooks.code.iter_mut().filter(|hook| hook.range.contains(&address)) {
            (hook.call)(&mut guest, address, 2);
        }
    }

    pub(crate) fn call_block(&mut self, address: u32, size: u32) {
        let (hooks, mut guest) = self.split();
        for hook in hooks
            .blocks
            .iter_mut()
            .filter(|hook| hook.range.contains(&address))
        {
            (hook.call)(&mut guest, address, size);
        }
    }

    /// Whether any hook took care of it; all of them are called.
    pub(crate) fn call_error(&mut self, error: &MemoryError) -> bool {
        let (hooks, mut guest) = self.split();
        let hooks = hooks.errors.iter_mut();
        hooks
            .filter(|hook| hook.range.contains(&error.event.address))
            .map(|hook| (hook.call)(&mut guest, error))
            .filter(|done| *done)
            .count()
            > 0
    }

    pub(crate) fn call_interrupt(&mut self, code: u32) -> bool {
        let (hooks, mut guest) = self.split();
        let hooks = hooks.interrupts.iter_mut();
        hooks
            .map(|hook| (hook.call)(&mut guest, code))
            .filter(|done| *done)
            .count()
            > 0
    }

    pub(crate) fn call_invalid(&mut self) -> bool {
        let (hooks, mut guest) = self.split();
        let hooks = hooks.invalid.iter_mut();
        hooks
            .map(|hook| (hook.call)(&mut guest))
            .filter(|done| *done)
            .count()
            > 0
    }
}

impl Hooks {
    /// Whether every instruction has to be stepped for their sake.
    pub(crate) fn need_steps(&self) -> bool {
        let some = !self.code.is_empty() || !self.memory.is_empty() || !self.interrupts.is_empty();
        some || !self.blocks.is_empty()
    }

    pub(crate) fn need_blocks(&self) -> bool {
        !self.blocks.is_empty()
    }

    pub(crate) fn hear_interrupts(&self) -> bool {
        !self.interrupts.is_empty()
    }

    pub(crate) fn has_memory(&self) -> bool {
        !self.memory.is_empty()
    }

    pub(crate) fn call_memory(&mut self, memory: &mut Mapped, event: &MemoryEvent) {
        for hook in self.memory.iter_mut() {
            let (direction, call) = &mut hook.call;
            let wanted = direction.is_none_or(|direction| direction == event.direction);
            if wanted && hook.range.contains(&event.address) {
                call(memory, event);
            }
        }
    }
}
