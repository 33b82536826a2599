//! Threads for the debugger: KallistiOS's threads, or a single one.

use super::debuggee::Debuggee;
use super::registers::Block;
use crate::run::debug::kos::Thread;
use crate::run::debug::peek_word;
use gdbstub::common::Tid;
use gdbstub::target::ext::thread_extra_info::ThreadExtraInfo;
use gdbstub::target::{TargetError, TargetResult};
use std::num::NonZeroUsize;

/// Thread of a program without threads.
const ONLY: Tid = NonZeroUsize::MIN;

impl Debuggee<'_> {
    /// Searches the threads again, after the program has run or memory has changed.
    pub(super) fn find_threads(&mut self) {
        let console = &mut self.session.console;
        self.threads = match self.layout {
            Some(layout) => layout.threads(&mut |address| peek_word(console, address)),
            None => Vec::new(),
        };
        self.threads.retain(|thread| thread.tid != 0);
        // Without a running thread the list is not set up yet, or a fault has damaged it.
        if !self.threads.iter().any(|thread| thread.running) {
            self.threads.clear();
        }
    }

    /// Returns the thread numbers, starting with the running thread.
    pub(super) fn tids(&mut self) -> Vec<Tid> {
        self.find_threads();
        let tids: Vec<Tid> = self.threads.iter().filter_map(tid).collect();
        if tids.is_empty() { vec![ONLY] } else { tids }
    }

    /// Returns the running thread; its registers are the CPU's.
    pub(super) fn running(&mut self) -> Tid {
        self.find_threads();
        let running = self.threads.iter().find(|thread| thread.running);
        running.and_then(tid).unwrap_or(ONLY)
    }

    /// Returns a thread's registers. Without KallistiOS threads, or if the debugger names none, they are the
    /// CPU's.
    pub(super) fn registers_of(&mut self, wanted: Tid) -> Option<Block> {
        self.find_threads();
        let other = self
            .threads
            .iter()
            .find(|thread| tid(thread) == Some(wanted) && !thread.running);
        let Some(address) = other.map(|thread| thread.address) else {
            let block = Block::of(self.session.cpu());
            return Some(match self.slot {
                Some(slot) => block.at(slot),
                None => block,
            });
        };
        let console = &mut self.session.console;
        Block::of_context(|offset| peek_word(console, address.wrapping_add(offset)))
    }

    /// Permits writing registers of the running thread only; the others' registers are saved in memory.
    pub(super) fn check_running(&mut self, wanted: Tid) -> TargetResult<(), Self> {
        match self.running() == wanted {
            true => Ok(()),
            false => Err(TargetError::NonFatal),
        }
    }

    /// Reads a byte of memory, or of a register without side effects on reading.
    pub(super) fn peek(&mut self, address: u32) -> Option<u8> {
        let console = &mut self.session.console;
        let register = |word: u32| (word >> (8 * (address & 3))) as u8;
        console
            .peek(address)
            .or_else(|| console.inspect(address & !3).map(register))
    }
}

fn tid(thread: &Thread) -> Option<Tid> {
    NonZeroUsize::new(thread.tid as usize)
}

impl ThreadExtraInfo for Debuggee<'_> {
    fn thread_extra_info(&self, wanted: Tid, buffer: &mut [u8]) -> Result<usize, anyhow::Error> {
        let thread = self.threads.iter().find(|thread| tid(thread) == Some(wanted));
        let text = thread.map_or_else(|| "the CPU".to_owned(), Thread::describe);
        let length = text.len().min(buffer.len());
        buffer[..length].copy_from_slice(&text.as_bytes()[..length]);
        Ok(length)
    }
}
