//! Computes back-traces: finds callers from call-frame information, or by guessing if there is none.
//!
//! A guess takes PR, or else a word on the stack, as the return address if it points into code after a JSR,
//! BSR or BSRF. Among the possible stack pointers of the caller, it chooses the one from which call-frame
//! information finds most frames.

use super::info::{DebugInfo, Reader};
use super::registers::Registers;
use crate::limits::TRACE_FRAMES as MOST_FRAMES;
use gimli::{CfaRule, FrameDescriptionEntry, Register, RegisterRule, UnwindContext, UnwindSection};
use std::ops::Range;

/// Maximum number of consecutive guessed frames.
const MOST_GUESSES: usize = 8;
/// Number of stack words that one guess searches.
const SEARCHED: u32 = 256;
/// Maximum number of words pushed above the return address: R8 to R14, FR12 to FR15, and locals.
const PUSHED: u32 = 24;
/// Number of frames from call-frame information after which a guess is accepted.
const ENOUGH: usize = 3;
/// Number of R15 in call-frame information (SH ELF ABI).
const STACK_POINTER: u16 = 15;

/// Source of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Source {
    /// The registers from which the back-trace starts.
    Registers,
    /// Call-frame information of the called frame.
    Cfi,
    /// Registers saved by an exception handler.
    Exception,
    /// A guess, as the module's documentation describes.
    Guess,
}

/// A frame of a back-trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Current address; in a caller, the address after the call and its delay slot.
    pub(crate) pc: u32,
    pub(crate) source: Source,
}

impl Frame {
    /// Returns an address inside the call, for names and lines.
    pub(crate) fn inside(self) -> u32 {
        match self.source {
            Source::Registers | Source::Exception => self.pc,
            Source::Cfi | Source::Guess => self.pc.wrapping_sub(2),
        }
    }
}

/// Data of a program and its memory for back-traces.
pub(crate) struct Unwinder<'a, 'm> {
    pub(crate) info: &'m DebugInfo<'a>,
    /// Reads words of memory.
    pub(crate) memory: &'m mut dyn FnMut(u32) -> Option<u32>,
    /// Address ranges of code.
    pub(crate) code: Vec<Range<u32>>,
    /// Code without a caller: the program's entry.
    pub(crate) outermost: Range<u32>,
    /// Returns the address of the registers saved by an exception handler, if the given address is in one.
    pub(crate) exception: &'m dyn Fn(u32) -> Option<u32>,
}

impl Unwinder<'_, '_> {
    /// Returns the frames, starting with the innermost.
    pub(crate) fn frames(&mut self, start: Registers) -> Vec<Frame> {
        let mut frames = vec![Frame {
            pc: start.pc,
            source: Source::Registers,
        }];
        let (mut state, mut guesses, mut exceptions) = (start, 0, 0);
        while frames.len() < MOST_FRAMES {
            let Some(&last) = frames.last() else { break };
            if self.outermost.contains(&last.inside()) {
                break;
            }
            let next = match self.saved(last).filter(|_| exceptions < 4) {
                Some(saved) => {
                    exceptions += 1;
                    Some((saved, Source::Exception))
                }
                None => self
                    .caller(state, last.inside())
                    .map(|caller| (caller, Source::Cfi)),
            };
            let next = next.or_else(|| Some((self.guess(state, last)?, Source::Guess)));
            let Some((caller, source)) = next else { break };
            guesses = if source == Source::Guess { guesses + 1 } else { 0 };
            if guesses > MOST_GUESSES || (source != Source::Exception && !self.is_code(caller.pc)) {
                break;
            }
            state = caller;
            frames.push(Frame {
                pc: caller.pc,
                source,
            });
        }
        frames
    }

    /// Returns the registers that the handler at a frame saved.
    fn saved(&mut self, frame: Frame) -> Option<Registers> {
        super::kos::saved((self.exception)(frame.inside())?, self.memory)
    }

    /// Returns the caller's registers from call-frame information at `address`; `None` without it.
    fn caller(&mut self, state: Registers, address: u32) -> Option<Registers> {
        let info = self.info;
        let found = Self::step(&info.debug_frame, info, self.memory, state, address);
        found.or_else(|| Self::step(&info.eh_frame, info, self.memory, state, address))
    }

    fn step<'d, S: UnwindSection<Reader<'d>>>(
        section: &S,
        info: &DebugInfo<'d>,
        memory: &mut dyn FnMut(u32) -> Option<u32>,
        state: Registers,
        address: u32,
    ) -> Option<Registers> {
        let at = u64::from(address);
        let fde: FrameDescriptionEntry<Reader<'d>> = section
            .fde_for_address(&info.bases, at, S::cie_from_offset)
            .ok()?;
        let mut context = UnwindContext::new();
        let row = fde
            .unwind_info_for_address(section, &info.bases, &mut context, at)
            .ok()?;
        let CfaRule::RegisterAndOffset { register, offset } = row.cfa() else {
            return None;
        };
        let base = *state.r.get(usize::from(register.0))?;
        let cfa = base.wrapping_add(*offset as u32);
        let mut value = |register: Register, same: Option<u32>| match row.register(register) {
            RegisterRule::Offset(offset) => memory(cfa.wrapping_add(offset as u32)),
            RegisterRule::ValOffset(offset) => Some(cfa.wrapping_add(offset as u32)),
            RegisterRule::Register(other) => state.r.get(usize::from(other.0)).copied(),
            _ => same,
        };
        let pc = value(fde.cie().return_address_register(), state.pr)?;
        let mut r = state.r;
        for (n, register) in (0..).zip(&mut r) {
            let same = if n == STACK_POINTER { cfa } else { *register };
            *register = value(Register(n), Some(same))?;
        }
        // A caller with the same address and stack would repeat forever.
        (pc != state.pc || r[15] != state.r[15]).then_some(Registers { r, pc, pr: None })
    }

    /// Guesses the caller's registers.
    fn guess(&mut self, state: Registers, frame: Frame) -> Option<Registers> {
        let stack = state.r[15];
        if let Some(pr) = state.pr
            && self.is_return_address(pr)
        {
            return Some(self.with_best_stack(state, pr, stack));
        }
        if stack & 3 != 0 {
            return None;
        }
        for n in 0..SEARCHED {
            let at = stack.wrapping_add(4 * n);
            let word = (self.memory)(at)?;
            if word != frame.pc && self.is_return_address(word) {
                return Some(self.with_best_stack(state, word, at.wrapping_add(4)));
            }
        }
        None
    }

    /// Returns the registers at `pc` with the stack pointer, from `least` up, that gives the longest
    /// back-trace.
    fn with_best_stack(&mut self, state: Registers, pc: u32, least: u32) -> Registers {
        let at = |words: u32| {
            let mut r = state.r;
            r[15] = least.wrapping_add(4 * words);
            Registers { r, pc, pr: None }
        };
        let mut best = (0, at(0));
        for words in 0..PUSHED {
            let length = self.length(at(words));
            if length > best.0 {
                best = (length, at(words));
            }
            if length >= ENOUGH {
                break;
            }
        }
        best.1
    }

    /// Counts the frames that call-frame information finds from a state.
    fn length(&mut self, mut state: Registers) -> usize {
        for length in 0..ENOUGH {
            match self.caller(state, state.pc.wrapping_sub(2)) {
                Some(caller) if self.is_return_address(caller.pc) => state = caller,
                _ => return length,
            }
        }
        ENOUGH
    }

    fn is_code(&self, address: u32) -> bool {
        let physical = address & 0x1FFF_FFFF;
        self.code.iter().any(|code| code.contains(&physical))
    }

    /// Returns whether an address follows a call and its delay slot: JSR @Rn (4n0B), BSR (Bxxx), BSRF Rn
    /// (0n03).
    fn is_return_address(&mut self, address: u32) -> bool {
        if address & 1 != 0 || !self.is_code(address) {
            return false;
        }
        let call = address.wrapping_sub(4);
        let opcode = (self.memory)(call & !3).map(|word| (word >> (8 * (call & 2))) & 0xFFFF);
        opcode.is_some_and(|opcode| {
            opcode & 0xF0FF == 0x400B || opcode >> 12 == 0xB || opcode & 0xF0FF == 0x0003
        })
    }
}
