//! Debugger support: breakpoints, watchpoints, exceptions, and writes to registers.
//!
//! Compiled code runs as without a debugger. A breakpoint costs time only in its own block ([`sh4::debug`]).
//! A line of RAM with watched bytes is marked like a line with code, so that compiled code writes it through
//! the bus. The bus defers an access to watched bytes, and the CPU stops after the repeated instruction.

use crate::config::Ended;
use crate::firmware;
use crate::run::Dreamcast;
use crate::scheduler::Event;
use crate::system::{System, ram_offset};
use sh4::debug::{Catch, PHYSICAL};
use sh4::{Bus, BusError, Stop};
use std::collections::BTreeSet;

/// Bytes watched by a debugger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watchpoint {
    /// First address: memory in any of its areas, or a register.
    pub address: u32,
    /// Number of bytes.
    pub bytes: u32,
    /// Stops the program at reads by the CPU.
    pub reads: bool,
    /// Stops the program at writes by the CPU, DMA and the firmware.
    pub writes: bool,
}

/// An access to watched bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchHit {
    /// Index of the watchpoint in [`Dreamcast::set_watchpoints`].
    pub index: usize,
    /// First watched address of the access, in the watchpoint's area.
    pub address: u32,
    /// Device event that wrote the bytes; `None` if the CPU accessed them.
    pub event: Option<Event>,
    /// Set if an instruction made the access.
    pub by_cpu: bool,
}

/// Reason for returning control to a debugger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugStop {
    /// The program counter is at a breakpoint.
    Breakpoint,
    /// The last instruction, or a device, has accessed watched bytes.
    Watchpoint(WatchHit),
    /// The CPU is about to take an exception.
    Exception {
        /// The exception.
        event: sh4::Event,
        /// Address of the instruction. If it is in a delay slot, the program counter is at the branch.
        pc: u32,
    },
}

/// A kind of exception at which a debugger can stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionKind {
    /// The name.
    pub name: &'static str,
    /// The values of EXPEVT.
    pub codes: &'static [u32],
    /// Set if a debugger stops at it by default. Programs use the other kinds in normal operation.
    pub stops: bool,
}

const fn kind(name: &'static str, codes: &'static [u32], stops: bool) -> ExceptionKind {
    ExceptionKind { name, codes, stops }
}

/// All kinds (SH7750 manual, table 5.2).
pub const EXCEPTION_KINDS: [ExceptionKind; 9] = [
    kind("address-error", &[0x0E0, 0x100], true),
    kind("illegal", &[0x180], true),
    kind("slot-illegal", &[0x1A0], true),
    kind("fpu", &[0x120], true),
    kind("fpu-disabled", &[0x800, 0x820], false),
    kind("tlb-miss", &[0x040, 0x060], false),
    kind("tlb-initial-write", &[0x080], false),
    kind("tlb-protection", &[0x0A0, 0x0C0], true),
    kind("trapa", &[0x160], false),
];

/// A set of [`EXCEPTION_KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionSet([bool; EXCEPTION_KINDS.len()]);

impl Default for ExceptionSet {
    fn default() -> Self {
        Self(EXCEPTION_KINDS.map(|kind| kind.stops))
    }
}

impl ExceptionSet {
    /// Returns whether the kind at `index` is in the set.
    #[must_use]
    pub fn has(&self, index: usize) -> bool {
        self.0.get(index).copied().unwrap_or(false)
    }

    /// Adds or removes the kind `name`, or all kinds for `all`. Returns false if the kind is unknown.
    pub fn set(&mut self, name: &str, stops: bool) -> bool {
        let mut known = false;
        for (kind, wanted) in EXCEPTION_KINDS.iter().zip(&mut self.0) {
            if kind.name == name || name == "all" {
                (*wanted, known) = (stops, true);
            }
        }
        known
    }

    fn has_code(&self, code: u32) -> bool {
        let mut kinds = EXCEPTION_KINDS.iter().zip(self.0);
        kinds.any(|(kind, wanted)| wanted && kind.codes.contains(&code))
    }
}

/// Watchpoints, and the first access to one of them since the last stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watches {
    points: Vec<Watchpoint>,
    /// Set if reads of RAM are watched.
    ram_reads: bool,
    hit: Option<WatchHit>,
}

impl Watches {
    fn find(&self, address: u32, bytes: u32, write: bool) -> Option<WatchHit> {
        let (first, bytes) = (u64::from(place(address)), u64::from(bytes));
        self.points.iter().enumerate().find_map(|(index, point)| {
            let start = u64::from(place(point.address));
            let kind = if write { point.writes } else { point.reads };
            let overlaps = first < start + u64::from(point.bytes) && start < first + bytes;
            (kind && overlaps).then(|| WatchHit {
                index,
                address: point.address.wrapping_add(first.saturating_sub(start) as u32),
                event: None,
                by_cpu: false,
            })
        })
    }
}

/// Returns a number that is equal for all addresses of the same byte.
fn place(address: u32) -> u32 {
    match address {
        0xE000_0000.. | 0x7C00_0000..=0x7FFF_FFFF => address,
        _ => match ram_offset(address) {
            Some(offset) => 0x0C00_0000 | offset as u32,
            None => address & PHYSICAL,
        },
    }
}

impl System {
    /// Checks an access by the CPU. Defers an access to watched bytes, and records it when the CPU repeats
    /// it.
    #[inline(always)]
    pub(crate) fn watch(&mut self, address: u32, bytes: u32, write: bool) -> Result<(), BusError> {
        match self.watches {
            None => Ok(()),
            Some(_) => self.watch_access(address, bytes, write),
        }
    }

    #[cold]
    fn watch_access(&mut self, address: u32, bytes: u32, write: bool) -> Result<(), BusError> {
        let exact = self.exact;
        let Some((watches, hit)) = self
            .watches
            .as_mut()
            .and_then(|watches| watches.find(address, bytes, write).map(|hit| (watches, hit)))
        else {
            return Ok(());
        };
        if !exact {
            return Err(BusError::Deferred);
        }
        watches.hit.get_or_insert(WatchHit { by_cpu: true, ..hit });
        Ok(())
    }

    /// Checks a write to memory by a device or the firmware.
    pub(crate) fn watch_write(&mut self, physical: u32, bytes: u32) {
        if let Some(watches) = &mut self.watches
            && watches.hit.is_none()
        {
            watches.hit = watches.find(physical, bytes, true);
        }
    }

    /// Records `event` as the cause of an access that no instruction made.
    pub(crate) fn name_watch_hit(&mut self, event: Event) {
        if let Some(hit) = self.watches.as_mut().and_then(|watches| watches.hit.as_mut())
            && !hit.by_cpu
        {
            hit.event.get_or_insert(event);
        }
    }

    /// Returns whether watched bytes were accessed.
    pub(crate) fn has_watch_hit(&self) -> bool {
        self.watches.as_ref().is_some_and(|watches| watches.hit.is_some())
    }

    /// Returns whether a watchpoint contains bytes of the access.
    pub(crate) fn is_watched(&self, address: u32, bytes: u32) -> bool {
        let watches = self.watches.as_ref();
        watches.is_some_and(|watches| watches.find(address, bytes, false).is_some())
    }

    pub(crate) fn take_watch_hit(&mut self) -> Option<WatchHit> {
        self.watches.as_mut()?.hit.take()
    }

    /// Returns whether reads of RAM are watched. Compiled code then reads through the bus.
    #[inline(always)]
    pub(crate) fn watches_reads(&self) -> bool {
        self.watches.as_ref().is_some_and(|watches| watches.ram_reads)
    }
}

impl Dreamcast {
    /// Replaces the breakpoints: addresses of instructions in any area.
    pub fn set_breakpoints(&mut self, addresses: impl IntoIterator<Item = u32>) {
        let physical: BTreeSet<u32> = addresses.into_iter().map(|address| address & PHYSICAL).collect();
        if *self.cpu.breakpoints() != physical {
            self.cpu.set_breakpoints(physical);
            if let Some(accelerator) = &mut self.accelerator {
                accelerator.discard();
            }
        }
    }

    /// Replaces the watchpoints.
    pub fn set_watchpoints(&mut self, points: Vec<Watchpoint>) {
        let system = &mut self.system;
        let old = system.watches.take().unwrap_or_default();
        for point in &old.points {
            if let Some(offset) = ram_offset(point.address) {
                system.code.unmark(offset as u32, point.bytes);
            }
        }
        let in_ram = |point: &Watchpoint| ram_offset(point.address).filter(|_| point.address < 0xE000_0000);
        for point in points.iter().filter(|point| point.writes) {
            if let Some(offset) = in_ram(point) {
                system.code.mark(offset as u32, point.bytes);
            }
        }
        let ram_reads = points.iter().any(|point| point.reads && in_ram(point).is_some());
        let watches = Watches {
            points,
            ram_reads,
            hit: None,
        };
        system.watches = (!watches.points.is_empty()).then(|| Box::new(watches));
    }

    /// Stops runs before these exceptions, before exceptions without a handler, and before exceptions that
    /// reset the CPU. `None` disables this: a run then stops only before a reset, which ends it.
    pub fn stop_at_exceptions(&mut self, exceptions: Option<ExceptionSet>) {
        self.caught = exceptions;
        self.cpu.catch_exceptions(match exceptions {
            Some(_) => Catch::All,
            None => Catch::Resets,
        });
    }

    /// Returns whether rules are checked.
    #[must_use]
    pub fn has_checks(&self) -> bool {
        self.system.checks.is_some()
    }

    /// Chooses whether a new finding of the checks ends a run.
    pub fn stop_at_findings(&mut self, stops: bool) {
        if let Some(checks) = &mut self.system.checks {
            checks.stop_at_first = stops;
        }
    }

    /// Returns the state and the bytes of the operand cache's line for `address`; true means dirty. The outer
    /// option is `None` if the CPU uses no cache.
    #[must_use]
    pub fn cache_line(&self, address: u32) -> Option<Option<(bool, [u8; 32])>> {
        self.system.instructions.as_ref()?;
        let mut cache = self.system.cache.clone();
        let mut found = None;
        cache.visit_lines(|start, data, dirty| {
            if start & PHYSICAL == address & PHYSICAL & !31 {
                found = Some((dirty, *data));
            }
        });
        Some(found)
    }

    /// Lets the next run ignore the breakpoint at the program counter, and the exception before which the
    /// last run stopped.
    pub fn pass_stops(&mut self) {
        self.cpu.pass_stops();
        self.system.take_watch_hit();
    }

    /// Ends a run at an exception that the CPU has not taken yet, or lets the CPU take it.
    pub(crate) fn catch(&mut self, event: sh4::Event, pc: u32, resets: bool) -> Option<Ended> {
        let Some(wanted) = self.caught else {
            return Some(Ended::Fault(Stop::Reset { event, pc }));
        };
        if resets || wanted.has_code(event.code()) || !self.has_handler(event) {
            return Some(Ended::Debug(DebugStop::Exception { event, pc }));
        }
        self.cpu.pass_exception();
        None
    }

    /// Returns whether an instruction can be fetched at the vector.
    fn has_handler(&mut self, event: sh4::Event) -> bool {
        let vector = self.cpu.vbr.wrapping_add(event.vector_offset());
        !firmware::is_trap(&self.system, vector) && self.system.fetch(vector).is_ok()
    }

    /// Writes a byte at an address that [`Dreamcast::peek`] can read. Returns false if there is no memory.
    pub fn poke(&mut self, address: u32, value: u8) -> bool {
        let held = self.caches
            && self
                .system
                .cache
                .held(address)
                .map(|byte| *byte = value)
                .is_some();
        self.system.poke(address, value) || held
    }

    /// Writes a register of the CPU or of a device at the current time, with all side effects. Returns false
    /// if no device accepts it.
    pub fn write_register(&mut self, address: u32, bytes: &[u8]) -> bool {
        let watches = self.system.watches.take();
        self.system.exact = true;
        self.system.scheduler.clock = self.system.now;
        let written = self.write_units(address, bytes);
        self.system.exact = false;
        self.system.watches = watches;
        written
    }

    fn write_units(&mut self, mut address: u32, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            let fits = |size: &usize| *size <= bytes.len() && (address as usize).is_multiple_of(*size);
            let size = [4, 2].into_iter().find(fits).unwrap_or(1);
            let (unit, rest) = bytes.split_at(size);
            let value = crate::bus::word(unit);
            let system = &mut self.system;
            let written = match size {
                4 => system.write32(address, value),
                2 => system.write16(address, value as u16),
                _ => system.write8(address, value as u8),
            };
            let done = match written {
                Ok(()) => true,
                Err(error) => self
                    .cpu
                    .write_own_register(system, address, size as u8, value, error),
            };
            if !done {
                return false;
            }
            (address, bytes) = (address.wrapping_add(size as u32), rest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Until};

    const WORD: u32 = 0x8C02_0000;

    fn watch(reads: bool, writes: bool) -> Watchpoint {
        Watchpoint {
            address: WORD,
            bytes: 4,
            reads,
            writes,
        }
    }

    fn console(caches: bool, code: &[u16]) -> Dreamcast {
        let mut console = Dreamcast::new(Config {
            caches,
            ..Config::default()
        });
        let bytes: Vec<u8> = code.iter().flat_map(|code| code.to_le_bytes()).collect();
        console.load_raw(&bytes).expect("fits");
        console
    }

    /// A store to another part of the line must not stop the program; an access through another area must.
    /// The cache must have no influence.
    #[test]
    fn accesses_stop_after_their_instruction() {
        // mov.l to r1: AC02000C; mov.l r0,@r1; mov.l r0,@(4,r1); mov.b r0,@-r1 ... to WORD + 3; mov.w @r1,r2
        // at WORD + 2
        let code = [
            0xD104, 0x2102, 0x1101, 0x71F8, 0x2104, 0x71FF, 0x6211, 0x001B, 0x0009, 0x0009, 0x000C, 0xAC02,
        ];
        let begin = 0x8C01_0000;
        for caches in [false, true] {
            for (reads, writes, stops) in [
                (false, true, &[0x0A][..]),
                (true, false, &[0x0E]),
                (true, true, &[0x0A, 0x0E]),
            ] {
                let mut console = console(caches, &code);
                console.set_watchpoints(vec![watch(reads, writes)]);
                for stop in stops {
                    let ended = console.run(Until::FOREVER);
                    let Ended::Debug(DebugStop::Watchpoint(hit)) = ended else {
                        panic!("{ended:?}");
                    };
                    assert!(hit.by_cpu && (WORD..WORD + 4).contains(&hit.address), "{hit:?}");
                    assert_eq!(console.cpu.pc, begin + stop, "caches {caches}");
                    console.pass_stops();
                }
                assert_eq!(console.run(Until::FOREVER), Ended::Asleep);
            }
        }
    }

    #[test]
    fn a_device_that_writes_is_named() {
        // bra .; nop
        let mut console = console(false, &[0xAFFE, 0x0009]);
        console.set_watchpoints(vec![watch(false, true)]);
        assert!(console.poke(WORD, 1), "a debugger's write stops nothing");
        assert!(console.system.write_ram(WORD & PHYSICAL, &[1, 2, 3, 4]));
        console.system.name_watch_hit(Event::Dmac1);
        let Ended::Debug(DebugStop::Watchpoint(hit)) = console.run(Until::FOREVER) else {
            panic!("no stop");
        };
        assert_eq!(
            (hit.event, hit.by_cpu, hit.address),
            (Some(Event::Dmac1), false, WORD)
        );
    }

    /// With breakpoints in every block, the number of executed instructions must be correct at every stop.
    #[test]
    fn breakpoints_keep_the_counts() {
        // mov #100,r1; L: dt r1; bf/s L; add #1,r2; bra .; nop
        let mut console = console(false, &[0xE164, 0x4110, 0x8FFD, 0x7201, 0xAFFE, 0x0009]);
        console.set_breakpoints([0xAC01_0006, 0x8C01_0008]);
        for round in 0..100 {
            assert_eq!(console.run(Until::FOREVER), Ended::Debug(DebugStop::Breakpoint));
            assert_eq!(console.cpu.pc, 0x8C01_0004, "before the branch");
            assert_eq!(console.cpu.retired(), 2 + 3 * round);
            console.pass_stops();
        }
        assert_eq!(console.run(Until::FOREVER), Ended::Debug(DebugStop::Breakpoint));
        assert_eq!((console.cpu.pc, console.cpu.r[2]), (0x8C01_0008, 100));
    }
}
