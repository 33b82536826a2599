//! Rules for the CPU's accesses to memory, caches and store queues.

use super::{Rule, counted};
use crate::bus::physical;
use crate::system::{RAM_BYTES, System, ram_offset};
use sh4::{BusError, Cpu, Fault, FaultKind};

/// Size of the page at address 0, where pointers are invalid.
const NULL_PAGE: u32 = 0x1000;

/// Written bytes of RAM, one bit each.
#[derive(Clone)]
pub(super) struct Written(Vec<u64>);

state::fields!(Written(bits) check(|written: &Written| written.0.len() == RAM_BYTES / 64));

impl Default for Written {
    fn default() -> Self {
        Written(vec![0; RAM_BYTES / 64])
    }
}

impl std::fmt::Debug for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} bytes",
            self.0.iter().map(|word| word.count_ones()).sum::<u32>()
        )
    }
}

impl Written {
    fn add(&mut self, offset: usize, bytes: usize) {
        for at in offset..offset + bytes {
            if let Some(word) = self.0.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
        }
    }

    /// Returns whether all these bytes were written.
    fn has(&self, offset: usize, bytes: usize) -> bool {
        let bit = |at: usize| self.0.get(at / 64).is_none_or(|word| word >> (at % 64) & 1 != 0);
        (offset..offset + bytes).all(bit)
    }
}

impl System {
    /// Records that a device or the host has written RAM without the operand cache.
    #[inline]
    pub(crate) fn written_uncached(&mut self, offset: usize, bytes: usize) {
        if self.instructions.is_some() {
            self.cache.mark_stale(offset as u32 | 0x0C00_0000, bytes as u32);
        }
        self.written(offset, bytes);
    }

    #[inline]
    pub(crate) fn written(&mut self, offset: usize, bytes: usize) {
        if let Some(written) = self.checks.as_mut().and_then(|checks| checks.written.as_mut()) {
            written.add(offset, bytes);
        }
    }

    /// Checks a read by the CPU from a line that can be older than memory.
    pub(crate) fn check_stale_read(&mut self, address: u32, held: &[u8], stale: u32) -> Result<(), BusError> {
        if !self.is_checked(Rule::StaleLine) || !differs(memory_of(self, address, held.len()), held, stale) {
            return Ok(());
        }
        self.exactly()?;
        let (held, now) = (number(held), number(memory_of(self, address, held.len())));
        self.broken(Rule::StaleLine, &[address], || {
            format!("reads {held} at {address:08x} from the operand cache; memory holds {now}")
        });
        Ok(())
    }

    /// Checks the write-back of a dirty line to memory that has changed since the line was filled.
    pub(crate) fn check_lost_write(&mut self, address: u32, data: &[u8], stale: u32) -> Result<(), BusError> {
        if !self.is_checked(Rule::LostWrite) || !differs(memory_of(self, address, data.len()), data, stale) {
            return Ok(());
        }
        self.exactly()?;
        self.broken(Rule::LostWrite, &[address], || {
            format!(
                "the line at {address:08x} is written back over bytes that a device or an uncached \
              store wrote"
            )
        });
        Ok(())
    }

    /// Checks a read of RAM, with or without the cache.
    #[inline]
    pub(crate) fn check_read(&mut self, address: u32, bytes: u32) -> Result<(), BusError> {
        let Some(offset) = ram_offset(address).filter(|_| address < 0xE000_0000) else {
            return Ok(());
        };
        self.check_heap(address, bytes, false)?;
        if address >> 29 == 5 {
            self.check_uncached(address, bytes as usize)?;
        }
        let written = self.checks.as_ref().and_then(|checks| checks.written.as_ref());
        if written.is_none_or(|written| written.has(offset, bytes as usize)) {
            return Ok(());
        }
        self.never_written(address, bytes)
    }

    #[cold]
    fn never_written(&mut self, address: u32, bytes: u32) -> Result<(), BusError> {
        self.exactly()?;
        self.broken(Rule::Uninitialised, &[address], || {
            format!(
                "reads {} at {address:08x} that were never written",
                counted(bytes, "byte")
            )
        });
        Ok(())
    }

    fn check_uncached(&mut self, address: u32, bytes: usize) -> Result<(), BusError> {
        // A P2 address has the same line as the corresponding P1 address.
        let cached = physical(address) | 0x8000_0000;
        let at = (address % 32) as usize;
        let Some((line, stale)) = self.cache.dirty_line(cached).filter(|_| at + bytes <= 32) else {
            return Ok(());
        };
        let held = &line[at..at + bytes];
        let newer = !(stale >> at);
        if !self.is_checked(Rule::UncachedDirty) || !differs(memory_of(self, address, bytes), held, newer) {
            return Ok(());
        }
        let held = number(held);
        self.exactly()?;
        let memory = number(memory_of(self, address, bytes));
        self.broken(Rule::UncachedDirty, &[address], || {
            format!("reads {memory} at {address:08x} by an uncached address; a dirty line holds {held}")
        });
        Ok(())
    }

    /// Checks an access outside RAM.
    #[inline(always)]
    pub(crate) fn check_null(&mut self, address: u32) -> Result<(), BusError> {
        match self.checks {
            None => Ok(()),
            Some(_) => self.check_null_page(address),
        }
    }

    #[cold]
    fn check_null_page(&mut self, address: u32) -> Result<(), BusError> {
        if address >= NULL_PAGE || !self.is_checked(Rule::NullPage) {
            return Ok(());
        }
        self.exactly()?;
        self.broken(Rule::NullPage, &[address], || {
            format!("accesses address {address:08x}")
        });
        Ok(())
    }

    /// Records a store to a store queue: bytes at an offset.
    #[inline]
    pub(crate) fn note_queue_words(&mut self, address: u32, bytes: usize) {
        if let Some(checks) = &mut self.checks {
            let (queue, first) = ((address >> 5 & 1) as usize, (address >> 2 & 7) as usize);
            for word in first..(first + bytes.div_ceil(4)).min(8) {
                checks.queue_words[queue] |= 1 << word;
                checks.queue_targets[queue][word] = self.qacr[queue] as u8;
            }
        }
    }

    /// Checks a store queue that PREF sends.
    #[inline]
    pub(crate) fn check_queue(&mut self, address: u32, index: usize) -> Result<(), BusError> {
        let Some(words) = self.checks.as_ref().map(|checks| checks.queue_words[index]) else {
            return Ok(());
        };
        if words != 0 && words != 0xFF && self.is_checked(Rule::QueueHalf) {
            self.exactly()?;
            let count = words.count_ones();
            self.broken(Rule::QueueHalf, &[address], || {
                format!("store queue {index} is sent with {count} of 8 words written")
            });
        }
        self.check_queue_target(address, index, words)
    }

    /// Checks that words are sent to the area for which they were written.
    fn check_queue_target(&mut self, address: u32, index: usize, words: u8) -> Result<(), BusError> {
        let now = self.qacr[index] as u8;
        let targets = self.checks.as_ref().map(|checks| checks.queue_targets[index]);
        let other = |(n, target): (usize, &u8)| (words >> n & 1 != 0 && *target != now).then_some(*target);
        let Some(old) = targets.and_then(|targets| targets.iter().enumerate().find_map(other)) else {
            return Ok(());
        };
        if self.is_checked(Rule::QueueTarget) {
            self.exactly()?;
            self.broken(Rule::QueueTarget, &[address], || {
                format!(
                    "store queue {index} is sent under QACR{index} = {now:02x}; its words were \
                  written under {old:02x}"
                )
            });
        }
        Ok(())
    }

    /// Records that the queue has been sent.
    #[inline]
    pub(crate) fn queue_sent(&mut self, index: usize) {
        if let Some(checks) = &mut self.checks {
            checks.queue_words[index] = 0;
        }
    }

    /// Checks a write to QACR.
    pub(crate) fn check_qacr(&mut self, value: u32) -> Result<(), BusError> {
        self.check_reserved("QACR", value, 0x1C)
    }

    /// Checks reserved bits of a register.
    pub(crate) fn check_reserved(&mut self, name: &str, value: u32, mask: u32) -> Result<(), BusError> {
        if value & !mask == 0 || !self.is_checked(Rule::ReservedBits) {
            return Ok(());
        }
        self.exactly()?;
        self.broken(Rule::ReservedBits, &[], || {
            format!("{name} is written with {value:08x}; its defined bits are {mask:08x}")
        });
        Ok(())
    }

    /// Records a read of EXPEVT: a handler is examining its exception.
    pub(crate) fn note_handler(&mut self) {
        if let Some(checks) = &mut self.checks {
            checks.in_handler = true;
        }
    }

    /// Reports the exception that a handler is examining, or that has no handler.
    pub(crate) fn exception(&mut self, cpu: &Cpu) {
        let address = cpu.mmu().register(sh4::MmuRegister::Tea);
        self.raised(cpu.expevt, cpu.spc, address);
    }

    /// Reports an exception at `pc`, caused by an access to `address`.
    pub(crate) fn raised(&mut self, code: u32, pc: u32, address: u32) {
        let rule = match code {
            0x0E0 | 0x100 => Rule::Misaligned,
            0x1A0 => Rule::SlotIllegal,
            _ => return,
        };
        self.pc = pc;
        self.broken(rule, &[address], || match rule {
            Rule::Misaligned => format!("exception {code:03x} at an access to {address:08x}"),
            _ => format!("exception {code:03x}"),
        });
    }

    /// Reports the reason why the CPU cannot continue: an undefined FPU operation, or an access that a
    /// register does not accept.
    pub(crate) fn check_fault(&mut self, fault: &Fault) {
        match (fault.kind, fault.address) {
            (FaultKind::FpuUndefined, _) => self.check_undefined(fault.pc),
            (
                FaultKind::Bus {
                    error: BusError::Refused,
                    ..
                },
                Some(address),
            ) => {
                self.pc = fault.pc;
                self.broken(Rule::AccessWidth, &[address], || {
                    format!("the register at {address:08x} does not accept an access of this kind and size")
                });
            }
            _ => {}
        }
    }

    fn check_undefined(&mut self, pc: u32) {
        self.pc = pc;
        self.broken(Rule::FpuUndefined, &[], || {
            "the instruction is undefined for the current FPSCR.PR or SZ".to_owned()
        });
    }
}

impl crate::Dreamcast {
    /// Reports an FPU opcode that is undefined with the current PR, and lets the next run execute it.
    pub(crate) fn pass_undefined(&mut self, pc: u32) {
        self.system.check_undefined(pc);
        self.system.settle(&self.cpu);
        self.cpu.carry_out_undefined(true);
    }
}

fn memory_of(system: &System, address: u32, bytes: usize) -> &[u8] {
    system.ram_at(physical(address), bytes as u32).unwrap_or_default()
}

/// Returns whether memory and a line differ in bytes selected by `mask`.
fn differs(memory: &[u8], held: &[u8], mask: u32) -> bool {
    let pairs = memory.iter().zip(held).enumerate();
    pairs
        .filter(|(n, _)| mask >> n & 1 != 0)
        .any(|(_, (memory, held))| memory != held)
}

/// Formats bytes as a number, low byte first.
pub(super) fn number(bytes: &[u8]) -> String {
    bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect()
}
