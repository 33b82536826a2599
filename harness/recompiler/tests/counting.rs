//! Counting on both engines: the speed programs whole in short and in slices, the guest's own counters, and
//! whether a wrong figure in the tables would be noticed.
#![cfg(target_arch = "x86_64")]
// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic, dead_code)]

#[path = "../../sh4/tests/common/program.rs"]
mod program;

use sh4::flat::FlatBus;
use sh4::timing::{BlockTiming, Cursor, ExecutedPart, FilterIndex, RecordedAccess, TimingTables};
use sh4::{Cpu, Observer, Retired, RetiredBlock, Run, Settings, Stop, listener};
use sh4_recompiler::{Options, Recompiler};
use timing::{Counter, CycleCounts, Setup};

/// Instructions of each program: with caches followed, interpreting all of them takes minutes.
const INSTRUCTIONS: u64 = 3_000_000;

fn accelerated(
    cpu: &mut Cpu,
    bus: &mut FlatBus,
    limit: u64,
    recompiler: &mut Recompiler<FlatBus>,
    observer: &mut impl Observer,
) -> Run {
    cpu.run_accelerated_observed(bus, None, limit, listener(observer), recompiler)
}

fn assert_same(left: &CycleCounts, right: &CycleCounts, what: &str) {
    assert_eq!(left.ledger, right.ledger, "{what}");
    assert_eq!((left.counts, left.events), (right.counts, right.events), "{what}");
    assert!(
        left.memory == right.memory,
        "{what}: {:?} {:?}",
        left.memory,
        right.memory
    );
    assert_eq!(
        (left.changed_code, left.last_pc),
        (right.changed_code, right.last_pc),
        "{what}"
    );
}

#[test]
fn programs_count_the_same() {
    let (mut programs, mut instructions) = (0, 0);
    for p in &program::PROGRAMS {
        let Some((mut bus, mut cpu)) = program::load(p.name, Settings::default()) else {
            continue;
        };
        let (mut other_bus, mut other) = (bus.clone(), cpu.clone());
        let mut recompiler = Recompiler::new(Options::default()).unwrap();
        let [mut counter, mut recounter] = [(); 2].map(|()| Counter::new(Setup::default()));
        let run = cpu.run(&mut bus, None, INSTRUCTIONS, &mut counter);
        let same = accelerated(
            &mut other,
            &mut other_bus,
            INSTRUCTIONS,
            &mut recompiler,
            &mut recounter,
        );
        assert_eq!(run, same, "{}", p.name);
        assert!(cpu == other, "{}", p.name);
        assert_same(&counter.finish(), &recounter.finish(), p.name);
        assert!(recompiler.statistics().regions > 0, "{}", p.name);
        programs += 1;
        instructions += run.executed;
    }
    println!("counting: {programs} programs equal, {instructions} instructions");
}

/// In slices, the second half with another observer and the same compiled code.
#[test]
fn slices_count_the_same() {
    let mut programs = 0;
    for p in &program::PROGRAMS {
        let Some((mut bus, mut cpu)) = program::load(p.name, Settings::default()) else {
            continue;
        };
        let (mut other_bus, mut other) = (bus.clone(), cpu.clone());
        let mut recompiler = Recompiler::new(Options { hot: 2 }).unwrap();
        for half in 0..2 {
            let [mut counter, mut recounter] = [(); 2].map(|()| Counter::new(Setup::default()));
            for slice in 0..1_000 {
                let count = 1 + slice * 7 % 311;
                let run = cpu.run(&mut bus, None, count, &mut counter);
                let same = accelerated(&mut other, &mut other_bus, count, &mut recompiler, &mut recounter);
                assert_eq!(run, same, "{} slice {slice}", p.name);
                let both = [&mut counter, &mut recounter].map(|counter| counter.count(0x23));
                assert_eq!(both[0], both[1], "{} slice {slice}", p.name);
                if slice == 500 {
                    counter.restart();
                    recounter.restart();
                }
            }
            assert!(cpu == other, "{} half {half}", p.name);
            assert_same(&counter.finish(), &recounter.finish(), p.name);
        }
        programs += 1;
    }
    println!("counting in slices: {programs} programs equal");
}

const BASE: u32 = 0x8C00_0000;

/// Pieces of code by their distance from the beginning of 64 KB.
type Pieces<'a> = &'a [(u32, &'a [u16])];

fn machine(pieces: Pieces<'_>) -> (Cpu, FlatBus) {
    let mut bus = FlatBus::new(BASE, 0x10000);
    for (place, code) in pieces {
        let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
        bus.load(BASE + place, &bytes);
    }
    let mut cpu = Cpu::new(Settings::default());
    // PMCR1 and PMCTR1L.
    (cpu.r[1], cpu.r[3]) = (0xFF00_0084, 0xFF10_0008);
    (cpu.r[7], cpu.r[10], cpu.r[12]) = (40, BASE + 0x1000, BASE + 0x9000);
    cpu.pc = BASE;
    (cpu, bus)
}

/// A loop whose ends take each other's place in the instruction cache: they are 8 KB apart.
const APART: Pieces<'_> = &[
    // dt r7; bt to the sleep; bra to the next piece; nop
    (
        0x0000,
        &[0x4710, 0x8904, 0xA7FC, 0x0009, 0x0009, 0x0009, 0x0009, 0x001B],
    ),
    (0x1000, &[0xA7FE, 0x0009]),
    (0x2000, &[0xA806, 0x0009]),
    (0x1010, &[0xABF6, 0x0009]),
    (0x0800, &[0xABFE, 0x0009]),
];

/// Runs code on both engines to its SLEEP, counting: the CPU and what was counted, the same on both.
fn both(pieces: Pieces<'_>, prepare: impl Fn(&mut Cpu), what: &str) -> (Cpu, CycleCounts) {
    let [(mut cpu, mut bus), (mut other, mut other_bus)] = [(); 2].map(|()| machine(pieces));
    prepare(&mut cpu);
    prepare(&mut other);
    let mut recompiler = Recompiler::new(Options { hot: 2 }).unwrap();
    let [mut counter, mut recounter] = [(); 2].map(|()| Counter::new(Setup::default()));
    let run = cpu.run(&mut bus, None, 10_000, &mut counter);
    let same = accelerated(
        &mut other,
        &mut other_bus,
        10_000,
        &mut recompiler,
        &mut recounter,
    );
    assert_eq!(run, same, "{what}");
    assert_eq!(run.stop, Stop::Sleep, "{what}");
    assert_eq!(cpu.r, other.r, "{what}");
    let counted = counter.finish();
    assert_same(&counted, &recounter.finish(), what);
    assert!(recompiler.statistics().regions > 0, "{what}");
    (cpu, counted)
}

#[test]
fn code_that_is_not_in_its_cache_counts_the_same() {
    let (_, counted) = both(APART, |_| {}, "apart");
    // Both ends, 39 times.
    assert!(
        counted.memory.instruction_misses >= 78,
        "{}",
        counted.memory.instruction_misses
    );
}

/// Starts a counter, reads it in each of 40 rounds, and adds what it reads to R8.
const READING: [u16; 16] = [
    0x2151, // mov.w r5,@r1
    0x60A6, // mov.l @r10+,r0
    0x2C02, // mov.l r0,@r12
    0x0007, // mul.l r0,r0
    0x2008, // tst r0,r0
    0x8900, // bt behind the next
    0x7E01, // add #1,r14
    0x0A83, // pref @r10
    0x6032, // mov.l @r3,r0
    0x380C, // add r0,r8
    0x7A1C, // add #28,r10
    0x4710, // dt r7
    0x8FF3, // bf/s to the read of @r10+
    0x7C20, // add #32,r12
    0x001B, // sleep
    0x0009,
];

#[test]
fn the_guest_reads_the_same_figures() {
    let mut not_zero = 0;
    for event in timing::events::EVENTS {
        let control = 0xC000 | u32::from(event.code);
        let (cpu, _) = both(&[(0, &READING)], |cpu| cpu.r[5] = control, event.text);
        not_zero += u32::from(cpu.r[8] != 0);
    }
    println!("counting: {not_zero} events read by the guest, equal");
    assert!(not_zero > 15);
}

/// The fault in the tables.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Nothing,
    Advance,
    Last,
    Times,
    Line,
    Access,
    Executed,
    Resident,
}

/// A counter whose tables get one fault while compiled code runs.
struct Faulty {
    counter: Counter,
    fault: Fault,
    /// The fault comes after so many calls.
    wait: u32,
}

impl Faulty {
    fn is_time(&mut self, fault: Fault) -> bool {
        self.wait = self.wait.saturating_sub(u32::from(self.fault == fault));
        let now = self.fault == fault && self.wait == 0;
        if now {
            self.fault = Fault::Nothing;
        }
        now
    }
}

impl Observer for Faulty {
    const COUNTS: bool = true;

    fn retire(&mut self, event: &Retired<'_>) {
        self.counter.retire(event);
    }

    fn ran(&mut self, block: &RetiredBlock<'_>) {
        self.counter.ran(block);
    }

    fn timing(&mut self) -> Option<&mut dyn BlockTiming> {
        Some(self)
    }
}

impl Faulty {
    /// The first access to pass on, which may get lost.
    fn first(&mut self, first: usize, accesses: &[RecordedAccess]) -> usize {
        let lost = first < accesses.len() && self.is_time(Fault::Access);
        first + usize::from(lost)
    }
}

impl BlockTiming for Faulty {
    fn serial(&self) -> u64 {
        self.counter.serial()
    }

    fn filter_index(&self) -> FilterIndex {
        self.counter.filter_index()
    }

    fn block_number(&mut self, whole: &RetiredBlock<'_>) -> u32 {
        self.counter.block_number(whole)
    }

    fn tables(&mut self) -> TimingTables<'_> {
        let [advance, last, times, line] =
            [Fault::Advance, Fault::Last, Fault::Times, Fault::Line].map(|fault| self.is_time(fault));
        let tables = self.counter.tables();
        let edge = tables.cursor.edge as usize;
        if let Some(edge) = tables.edges.get_mut(edge) {
            edge.advance += u32::from(advance);
            if last {
                // As if what follows were in the same word: the loop begins in that.
                edge.last = BASE;
            }
            edge.times[0] += u64::from(times);
        }
        tables.lines[0][0].accesses += u64::from(line);
        tables
    }

    fn advance_to(&mut self, cursor: &Cursor) {
        self.counter.advance_to(cursor);
    }

    fn enter(&mut self, number: u32, known: &mut u64) -> bool {
        let stays = self.counter.enter(number, known);
        if !stays && self.is_time(Fault::Resident) {
            *known = self.counter.tables().code_version;
            return true;
        }
        stays
    }

    fn execute(
        &mut self,
        cursor: &mut Cursor,
        part: &ExecutedPart,
        first: usize,
        accesses: &[RecordedAccess],
    ) -> bool {
        if self.is_time(Fault::Executed) {
            self.counter.advance_to(cursor);
            *cursor = self.counter.tables().cursor;
            return false;
        }
        let first = self.first(first, accesses);
        self.counter.execute(cursor, part, first, accesses)
    }

    fn stall(&mut self, edge: u32, base: u64, first: usize, accesses: &[RecordedAccess]) -> Option<u64> {
        let first = self.first(first, accesses);
        self.counter.stall(edge, base, first, accesses)
    }
}

/// Whether the comparison of profiles notices `fault`, made at some time.
fn is_noticed(fault: Fault) -> bool {
    let pieces: Pieces<'_> = match fault {
        Fault::Resident => APART,
        _ => &[(0, &READING)],
    };
    let prepared = || {
        let (mut cpu, bus) = machine(pieces);
        cpu.r[5] = 0xC023;
        (cpu, bus)
    };
    let (mut cpu, mut bus) = prepared();
    let mut counter = Counter::new(Setup::default());
    cpu.run(&mut bus, None, 10_000, &mut counter);
    let expected = counter.finish();
    (2..20).any(|wait| {
        let (mut cpu, mut bus) = prepared();
        let mut recompiler = Recompiler::new(Options { hot: 2 }).unwrap();
        let counter = Counter::new(Setup::default());
        let mut faulty = Faulty { counter, fault, wait };
        accelerated(&mut cpu, &mut bus, 10_000, &mut recompiler, &mut faulty);
        let found = faulty.counter.finish();
        (found.ledger, found.events) != (expected.ledger, expected.events) || found.memory != expected.memory
    })
}

#[test]
fn a_wrong_figure_is_noticed() {
    assert!(!is_noticed(Fault::Nothing));
    let faults = [
        Fault::Advance,
        Fault::Last,
        Fault::Times,
        Fault::Line,
        Fault::Access,
        Fault::Executed,
        Fault::Resident,
    ];
    let missed: Vec<Fault> = faults.into_iter().filter(|fault| !is_noticed(*fault)).collect();
    let noticed = faults.len() - missed.len();
    println!(
        "mutation of the tables: {noticed} of {} faults noticed",
        faults.len()
    );
    assert!(missed.is_empty(), "{missed:?}");
}
