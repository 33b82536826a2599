//! Random code under an identity mapping. With MMUCR.AT = 1 and pages that map every address to itself,
//! programs must behave as with AT = 0. They cross pages, have delay slots in the next page, and write to
//! their own code.

// A failed unwrap or panic in a helper fails the test.
#![allow(clippy::unwrap_used, clippy::panic)]

use sh4::flat::FlatBus;
use sh4::table::{Id, Row, TABLE, flag};
use sh4::{Bus, Cpu, Fault, FaultKind, MmuRegister, Observer, Retired, Settings, Stop, fpscr, sr};

const RAM: u32 = 0x0C00_0000;
const BYTES: u32 = 0x1_0000;
const CASES: u64 = 1000;
const LIMIT: u64 = 400;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) as u32
    }

    /// An opcode of a row that neither needs privilege nor ends the run.
    fn opcode(&mut self) -> u16 {
        loop {
            let row = &TABLE[self.next() as usize % TABLE.len()];
            // Accesses and branches by registers soon end a run: fewer of them.
            let rare = row.accesses() > 0
                || row.syntax.contains('@')
                || row.has(flag::BRANCH) && row.syntax.contains('R');
            if is_usable(row) && (!rare || self.next().is_multiple_of(8)) {
                let bit = |letter| match letter {
                    '0' => 0,
                    '1' => 1,
                    _ => (self.next() & 1) as u16,
                };
                return row.pattern.chars().map(bit).fold(0, |word, bit| word << 1 | bit);
            }
        }
    }
}

fn is_usable(row: &Row) -> bool {
    // Without pages the cache instructions reach any address.
    let cache = [Id::ocbi_at_rn, Id::ocbp_at_rn, Id::ocbwb_at_rn];
    !row.has(flag::PRIVILEGED | flag::LAST) && !cache.contains(&row.id)
}

/// RAM full of code, and a CPU that points into it.
fn case(random: &mut Random) -> (Cpu, FlatBus) {
    let mut bus = FlatBus::new(RAM, BYTES as usize);
    for address in (RAM..RAM + BYTES).step_by(2) {
        bus.write16(address, random.opcode()).unwrap();
    }
    let mut cpu = Cpu::new(Settings::default());
    cpu.set_sr(if random.next() & 1 == 0 { 0 } else { sr::MD });
    cpu.set_fpscr(fpscr::DN | random.next() & (fpscr::SZ | fpscr::FR));
    for register in &mut cpu.r {
        *register = (RAM + BYTES / 4 + random.next() % (BYTES / 2)) & !7;
    }
    (cpu.gbr, cpu.pr) = (cpu.r[3], cpu.r[4]);
    // R0 and some others are offsets.
    for index in [0, 5, 9] {
        cpu.r[index] = (random.next() % 0x400) & !7;
    }
    cpu.pc = (RAM + 0x4000 + random.next() % (BYTES / 2)) & !1;
    (cpu, bus)
}

/// Turns translation on: pages of 4 KB, some of them as four of 1 KB, each mapped to itself.
fn map(cpu: &mut Cpu, random: &mut Random) {
    let mut bus = FlatBus::new(RAM, 0x40);
    bus.load(RAM, &[0x38, 0x00]); // ldtlb
    let (pc, status) = (cpu.pc, cpu.sr());
    let mut index = 0;
    let mut add = |cpu: &mut Cpu, page: u32, size: u32| {
        cpu.set_mmu(MmuRegister::Mmucr, index << 10);
        cpu.set_mmu(MmuRegister::Pteh, page);
        cpu.set_mmu(MmuRegister::Ptel, page | 0x164 | size);
        let mut writer = cpu.clone();
        writer.set_sr(sr::MD);
        writer.pc = RAM | 0x8000_0000;
        writer.step(&mut bus).unwrap();
        writer.set_sr(status);
        writer.pc = pc;
        *cpu = writer;
        index += 1;
    };
    for page in (RAM..RAM + BYTES).step_by(0x1000) {
        match random.next() % 2 {
            0 => add(cpu, page, 1 << 4),
            _ => (0..4).for_each(|part| add(cpu, page | part << 10, 0)),
        }
    }
    cpu.set_mmu(MmuRegister::Mmucr, 1);
}

/// Compares stops. A TLB miss corresponds to an access to an unmapped address without translation.
fn normal(stop: Stop) -> Stop {
    match stop {
        Stop::Fault(fault) => {
            let kind = match fault.kind {
                FaultKind::Tlb { direction, .. } => FaultKind::Bus {
                    direction,
                    error: sh4::BusError::Unmapped,
                },
                kind => kind,
            };
            Stop::Fault(Fault { kind, ..fault })
        }
        stop => stop,
    }
}

#[derive(Default)]
struct Count(u64);

impl Observer for Count {
    fn retire(&mut self, _event: &Retired<'_>) {
        self.0 += 1;
    }
}

fn registers(cpu: &Cpu) -> ([u32; 16], [u32; 16], [u32; 16], [u32; 9]) {
    let words = [
        cpu.pc,
        cpu.pr,
        cpu.gbr,
        cpu.mach,
        cpu.macl,
        cpu.fpul,
        cpu.sr(),
        cpu.fpscr(),
        cpu.ssr,
    ];
    (cpu.r, cpu.fr, cpu.xf, words)
}

#[test]
fn an_identical_mapping_changes_nothing() {
    let (mut executed, mut faults) = (0, 0);
    for seed in 0..CASES {
        let mut random = Random(seed);
        let (mut plain, mut plain_bus) = case(&mut random);
        // Both have the same TLB: stray pointers read it in P4.
        map(&mut plain, &mut random);
        let (mut mapped, mut bus) = (plain.clone(), plain_bus.clone());
        plain.set_mmu(MmuRegister::Mmucr, 0);
        let (mut observed, mut observed_bus) = (mapped.clone(), bus.clone());
        let (mut stepped, mut stepped_bus) = (mapped.clone(), bus.clone());

        let expected = plain.run(&mut plain_bus, None, LIMIT, &mut ());
        let run = mapped.run(&mut bus, None, LIMIT, &mut ());
        assert_eq!(
            run.executed, expected.executed,
            "seed {seed}: {} {}",
            run.stop, expected.stop
        );
        assert_eq!(normal(run.stop), normal(expected.stop), "seed {seed}");
        assert_eq!(registers(&mapped), registers(&plain), "seed {seed}");

        let mut count = Count::default();
        assert_eq!(
            observed.run(&mut observed_bus, None, LIMIT, &mut count),
            run,
            "seed {seed}"
        );
        assert!(
            observed == mapped && count.0 == run.executed,
            "seed {seed}: observed"
        );
        let before = stepped.retired();
        let fault = matches!(run.stop, Stop::Fault(_));
        while fault || stepped.retired() - before < run.executed {
            // The instruction at fault runs too: it writes FPSCR's cause field.
            if stepped.step(&mut stepped_bus).is_err() {
                break;
            }
        }
        assert_eq!(registers(&stepped), registers(&mapped), "seed {seed}: stepped");
        for address in (RAM..RAM + BYTES).step_by(4) {
            let word = plain_bus.read32(address);
            let words = [&mut bus, &mut observed_bus, &mut stepped_bus].map(|bus| bus.read32(address));
            assert_eq!(words, [word; 3], "seed {seed}: {address:08X}");
        }
        executed += run.executed;
        faults += u64::from(fault);
    }
    println!("{executed} instructions, {faults} of {CASES} cases end with a fault");
    assert!(executed > 20 * CASES);
}
