//! Back-traces: the callers of an address, by call-frame information where the program has it, by guesses
//! elsewhere.
//!
//! The guess: a word on the stack is a return address if it points into the code, behind a JSR, BSR or
//! BSRF. Of the stack pointers that the caller may have had, the one is taken from which call-frame
//! information leads furthest.

use super::info::{DebugInfo, Reader};
use super::registers::Registers;
use crate::limits::TRACE_FRAMES as MOST_FRAMES;
use gimli::{CfaRule, FrameDescriptionEntry, Register, RegisterRule, UnwindContext, UnwindSection};
use std::ops::Range;

/// Most frames in a row that are guessed.
const MOST_GUESSES: usize = 8;
/// Words of the stack that one guess searches.
const SEARCHED: u32 = 256;
/// Words that a function may have pushed above its return address: R8 to R14, FR12 to FR15, and locals.
const PUSHED: u32 = 24;
/// Frames that call-frame information must find from a guess before it counts as the best.
const ENOUGH: usize = 3;
/// The number of R15 in call-frame information (SH ELF ABI).
const STACK_POINTER: u16 = 15;

/// How a frame was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Source {
    /// The registers at the end.
    Registers,
    /// Call-frame information of the frame it has called.
    Cfi,
    /// Registers that an exception handler saved.
    Exception,
    /// A guess: see the module's head.
    Guess,
}

/// A frame of a back-trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Where it stands; in a caller, behind the call and its slot.
    pub(crate) pc: u32,
    pub(crate) source: Source,
}

impl Frame {
    /// An address inside the call, for names and lines.
    pub(crate) fn inside(self) -> u32 {
        match self.source {
            Source::Registers | Source::Exception => self.pc,
            Source::Cfi | Source::Guess => self.pc.wrapping_sub(2),
        }
    }
}

/// What a back-trace needs of the program and its memory.
pub(crate) struct Unwinder<'a, 'm> {
    pub(crate) info: &'m DebugInfo<'a>,
    /// Words of memory.
    pub(crate) memory: &'m mut dyn FnMut(u32) -> Option<u32>,
    /// Addresses that hold code.
    pub(crate) code: Vec<Range<u32>>,
    /// Code that nothing calls: the program's entry.
    pub(crate) outermost: Range<u32>,
    /// The registers that an exception handler saved, if the address lies in one.
    pub(crate) exception: &'m dyn Fn(u32) -> Option<u32>,
}

impl Unwinder<'_, '_> {
    /// The frames from the innermost on.
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

    /// The registers that the handler at a frame saved.
    fn saved(&mut self, frame: Frame) -> Option<Registers> {
        super::kos::saved((self.exception)(frame.inside())?, self.memory)
    }

    /// The caller's registers by call-frame information at `address`; nothing without it.
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
        // A caller that stands where it did, with the same stack, would come again for ever.
        (pc != state.pc || r[15] != state.r[15]).then_some(Registers { r, pc, pr: None })
    }

    /// The caller's registers without call-frame information.
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

    /// The registers at `pc` with the stack pointer, from `least` on, that leads furthest.
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

    /// Frames that call-frame information finds from a state.
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

    /// Whether an address lies behind a call and its slot: JSR @Rn (4n0B), BSR (Bxxx), BSRF Rn (0n03).
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
