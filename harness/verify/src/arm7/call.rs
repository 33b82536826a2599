//! Calls of functions: makes the ARM7 a processor of the verifier.

use std::borrow::Cow;
use std::ops::Range;

use crate::{Call, CallFailure, Element, FreeRegister, Processor, Returned, Stray};
use machine::{MemoryError, Symbols};

use super::abi::pass;
use super::engine::Arm7;
use super::memory::RAM;
use super::stop::Stop;

/// Return address of a called function: the last page of sound RAM, which is never executed.
pub(crate) const RETURN: u32 = RAM - 0x1000;
/// Top of the stack.
pub(crate) const STACK: u32 = RETURN;
/// Bytes of the stack that a kernel may use.
const STACK_BYTES: u32 = 16 << 10;
/// Address of the buffers. If the program extends beyond it, they follow the program.
const ARENA: u32 = 0x0001_0000;
/// Registers that a function keeps, in addition to SP.
const KEPT: Range<u32> = 4..12;
/// Number of registers that get the call's garbage: R0 to R12.
const FREE: u32 = 13;
/// M4-M0, T, F and I of CPSR, which a function keeps.
const MODE: u32 = 0xFF;

impl Arm7 {
    /// Sets registers and stack for `call`.
    fn enter(&mut self, call: &Call<'_>) -> Result<u32, MemoryError> {
        let passed = pass(call.args);
        let stack = STACK.saturating_sub(passed.stack.len() as u32);
        self.write(stack, &passed.stack)?;
        self.reset_mode();
        for (n, garbage) in (0..FREE).zip(call.garbage.0) {
            let argument = passed.registers.get(n as usize).copied().flatten();
            self.set_register(n, argument.unwrap_or(garbage));
        }
        self.set_register(13, stack);
        self.set_register(14, RETURN);
        Ok(stack)
    }

    /// Runs the program from its entry, with SP at the top of sound RAM, until it returns, waits in a branch
    /// to itself, or has run `count` instructions.
    pub fn start(&mut self, count: u64) -> super::Halt {
        self.reset_mode();
        self.set_register(13, STACK);
        self.set_register(14, RETURN);
        self.memory.writable = None;
        self.run(self.entry(), RETURN, count, true)
    }

    /// A changed register that a function must keep: name, old value, new value.
    fn broken(&self, call: &Call<'_>, stack: u32) -> Option<(String, u32, u32)> {
        let general = KEPT.map(|n| (format!("r{n}"), call.garbage.0[n as usize], self.register(n)));
        let sp = ("sp".to_owned(), stack, self.register(13));
        let cpsr = ("cpsr".to_owned(), 0xD3, self.cpsr().bits() & MODE);
        general
            .chain([sp, cpsr])
            .find(|(name, before, after)| before != after && !call.allow.contains(name))
    }

    fn result(&self, element: Element) -> u64 {
        let [low, high] = [0, 1].map(|n| u64::from(self.register(n)));
        match element.size() {
            8 => high << 32 | low,
            size => low & (u64::MAX >> (64 - 8 * size)),
        }
    }
}

impl Processor for Arm7 {
    fn name(&self) -> &'static str {
        super::ARM7.name
    }

    fn symbols(&self) -> &Symbols {
        Arm7::symbols(self)
    }

    fn arena(&self) -> Range<u32> {
        let ends = self.image.segments.iter().map(|s| s.address + s.size);
        let end = ends.max().unwrap_or(0).next_multiple_of(32);
        end.max(ARENA)..(STACK - STACK_BYTES).max(end)
    }

    fn read(&self, address: u32, size: u32) -> Result<Cow<'_, [u8]>, MemoryError> {
        Arm7::read(self, address, size).map(Cow::Borrowed)
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), MemoryError> {
        Arm7::write(self, address, bytes)
    }

    fn reload(&mut self) -> Result<(), MemoryError> {
        self.memory.clear();
        self.load()
    }

    fn free_registers(&self) -> Vec<FreeRegister> {
        let register = |n| FreeRegister {
            name: format!("r{n}"),
            bits: u32::MAX,
        };
        (0..FREE).map(register).collect()
    }

    fn kept_registers(&self) -> Vec<String> {
        let general = KEPT.map(|n| format!("r{n}"));
        general.chain(["sp", "cpsr"].map(str::to_owned)).collect()
    }

    fn call(&mut self, call: &Call<'_>) -> Result<Returned, CallFailure> {
        let broken = |why: String| CallFailure::Broken(why);
        let stack = self.enter(call).map_err(|error| broken(error.to_string()))?;
        let allowed = |places: &[(u32, u32)]| {
            let own = (STACK - STACK_BYTES, STACK_BYTES);
            places.iter().copied().chain([own]).collect()
        };
        self.memory.writable = call.writable.map(allowed);
        let halt = self.run(call.entry, RETURN, call.max_instructions, false);
        let name = self.symbols().describe(call.entry);
        if halt.stop != Stop::Until {
            return Err(broken(format!("{name} did not return: {halt}")));
        }
        if let Some((register, before, after)) = self.broken(call, stack).filter(|_| call.keeps) {
            return Err(broken(format!(
                "{name} returned with {register} changed from {before:08x} to {after:08x}"
            )));
        }
        if let Some((pc, address, size)) = self.memory.stray {
            let place = format!("{pc:08x} ({})", self.symbols().describe(pc));
            return Err(CallFailure::Stray(Stray { address, size, place }));
        }
        Ok(Returned {
            instructions: halt.instructions,
            result: call.returns.map(|element| self.result(element)),
            red_zone: None,
        })
    }
}
