//! Finds the threads of a KallistiOS program by the program's symbols and debug information. KallistiOS
//! declares the structures in kos/thread.h and arch/irq.h.

use super::info::DebugInfo;
use super::registers::Registers;
use crate::limits::THREADS as MOST_THREADS;
use machine::Symbols;
use std::collections::BTreeSet;

/// Maximum bytes to read of a label or message.
const MOST_TEXT: u32 = 80;

/// Reads words of memory.
pub(crate) type Memory<'m> = dyn FnMut(u32) -> Option<u32> + 'm;

/// Location and layout of KallistiOS's threads in one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Address of the list's head; the next field is the address of the pointer to the running thread.
    list: u32,
    current: u32,
    /// Offsets in `struct kthread`.
    next: u32,
    tid: u32,
    state: u32,
    label: u32,
    message: Option<u32>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    pub(crate) address: u32,
    pub(crate) tid: u32,
    pub(crate) label: String,
    /// Description of the thread's state.
    pub(crate) state: &'static str,
    /// Reason for waiting, as stated by the thread.
    pub(crate) waits: Option<String>,
    /// Set for the running thread; its registers are the CPU's.
    pub(crate) running: bool,
}

impl Thread {
    /// Describes a thread: `main (tid 1), ready`.
    pub(crate) fn describe(&self) -> String {
        let Thread {
            label,
            tid,
            state,
            waits,
            ..
        } = self;
        let waits = waits.as_ref().map_or(String::new(), |what| format!(": {what}"));
        format!("{label} (tid {tid}), {state}{waits}")
    }
}

impl Layout {
    /// Finds the layout in a program with KallistiOS's symbols and a description of `struct kthread`.
    pub(crate) fn of(info: &DebugInfo<'_>, symbols: &Symbols) -> Option<Self> {
        let (list, current) = (symbols.address("_thd_list")?, symbols.address("_thd_current")?);
        let members = info.members("kthread")?;
        let member = |name: &str| members.get(name).copied();
        Some(Self {
            list,
            current,
            next: member("t_list")?,
            tid: member("tid")?,
            state: member("state")?,
            label: member("label")?,
            message: member("wait_msg"),
        })
    }

    /// Returns the threads, starting with the running one.
    pub(crate) fn threads(&self, memory: &mut Memory<'_>) -> Vec<Thread> {
        let mut threads = Vec::new();
        let (mut seen, current) = (BTreeSet::new(), memory(self.current));
        let mut next = memory(self.list);
        while let Some(address) = next.filter(|address| *address != 0 && *address & 3 == 0)
            && seen.insert(address)
            && seen.len() <= MOST_THREADS
        {
            threads.extend(self.thread(address, current, memory));
            next = memory(address.wrapping_add(self.next));
        }
        threads.sort_by_key(|thread| (!thread.running, thread.tid));
        threads
    }

    fn thread(&self, address: u32, current: Option<u32>, memory: &mut Memory<'_>) -> Option<Thread> {
        let state = memory(address.wrapping_add(self.state))?;
        let message = self.message.and_then(|at| memory(address.wrapping_add(at)));
        // kthread_state_t: 3 waits for an object, 4 polls.
        let waits = message.filter(|message| *message != 0 && matches!(state, 3 | 4));
        Some(Thread {
            address,
            tid: memory(address.wrapping_add(self.tid))?,
            label: text(address.wrapping_add(self.label), memory),
            state: state_name(state),
            waits: waits.map(|at| text(at, memory)),
            running: current == Some(address),
        })
    }
}

fn state_name(state: u32) -> &'static str {
    match state {
        0 => "zombie",
        1 => "running",
        2 => "ready",
        3 => "waiting",
        4 => "polling",
        5 => "finished",
        _ => "in an unknown state",
    }
}

/// Reads the registers of a suspended thread, from the `struct irq_context` at its start.
pub(crate) fn saved(address: u32, memory: &mut Memory<'_>) -> Option<Registers> {
    let mut word = |offset: u32| memory(address.wrapping_add(offset));
    let (pc, pr) = (word(0)?, word(4)?);
    let mut r = [0; 16];
    for (n, register) in (0..).zip(&mut r) {
        *register = word(0xA0 + 4 * n)?;
    }
    Some(Registers { r, pc, pr: Some(pr) })
}

/// Reads printable characters up to a zero.
fn text(address: u32, memory: &mut Memory<'_>) -> String {
    let mut text = String::new();
    for at in (0..MOST_TEXT).map(|offset| address.wrapping_add(offset)) {
        let word = memory(at & !3).unwrap_or(0);
        match (word >> (8 * (at & 3))) as u8 {
            byte @ b' '..=b'~' => text.push(byte.into()),
            _ => break,
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const LAYOUT: Layout = Layout {
        list: 0x100,
        current: 0x104,
        next: 0,
        tid: 8,
        state: 12,
        label: 16,
        message: Some(24),
    };

    /// Two threads at 200 and 300 in a list. The words of `more` override some.
    fn memory(more: &[(u32, u32)]) -> BTreeMap<u32, u32> {
        let text = u32::from_le_bytes;
        let words = [
            (0x100, 0x200),
            (0x104, 0x300),
            (0x200, 0x300),
            (0x208, 7),
            (0x20C, 3),
            (0x210, text(*b"load")),
            (0x214, 0),
            (0x218, 0x400),
            (0x300, 0),
            (0x308, 9),
            (0x30C, 1),
            (0x310, text(*b"a\0\0\0")),
            (0x314, 0),
            (0x318, 0),
            (0x400, text(*b"sem\0")),
        ];
        words.into_iter().chain(more.iter().copied()).collect()
    }

    fn threads(more: &[(u32, u32)]) -> Vec<String> {
        let memory = memory(more);
        let found = LAYOUT.threads(&mut |address| memory.get(&address).copied());
        found.iter().map(Thread::describe).collect()
    }

    #[test]
    fn threads_are_listed_with_the_running_one_first() {
        assert_eq!(threads(&[]), ["a (tid 9), running", "load (tid 7), waiting: sem"]);
        assert!(threads(&[(0x100, 0)]).is_empty(), "before KallistiOS has any");
    }

    /// Reading must end for a list that contains a cycle, leads out of memory, or to an odd address.
    #[test]
    fn damaged_lists_end() {
        assert_eq!(threads(&[(0x300, 0x200)]).len(), 2);
        assert_eq!(threads(&[(0x200, 0x200)]).len(), 1);
        assert_eq!(threads(&[(0x300, 0x7000)]).len(), 2);
        assert_eq!(threads(&[(0x200, 0x301)]).len(), 1);
        assert_eq!(
            threads(&[(0x30C, 77)]),
            ["a (tid 9), in an unknown state", "load (tid 7), waiting: sem"]
        );
    }

    /// Offsets in `struct irq_context`: PC at 0, PR at 4, R0 at A0, R15 at DC.
    #[test]
    fn saved_registers_stand_where_kallistios_puts_them() {
        let registers = saved(0x1000, &mut |address| Some(address)).expect("all memory");
        assert_eq!((registers.pc, registers.pr), (0x1000, Some(0x1004)));
        assert_eq!((registers.r[0], registers.r[15]), (0x10A0, 0x10DC));
        assert_eq!(
            saved(0x1000, &mut |address| (address < 0x10D0).then_some(0)),
            None
        );
    }
}
