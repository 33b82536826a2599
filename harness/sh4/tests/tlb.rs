//! Address translation against a naive model, over random TLBs, pages, address spaces and accesses.
//!
//! The model searches all entries at every access and keeps the ITLB's order of use as a list, straight from
//! the prose of the SH7750 manual, section 3. After every step outcome, memory, both TLBs and URC have to be
//! equal.

// A failed unwrap or panic in a helper fails the test.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/naive_mmu.rs"]
mod naive_mmu;

use naive_mmu::{Kind, Naive, Outcome};
use sh4::flat::FlatBus;
use sh4::{Bus, Cpu, Direction, FaultKind, MmuRegister, Settings, Stop, TlbException, sr};

const CODE: u32 = 0x8C00_0000;
/// The page that user code runs from, mapped by UTLB entry 63 to physical 0C000000.
const USER: u32 = 0x0040_0000;
const FRAMES: u32 = 0x0C10_0000;
const STEPS: usize = 1_000_000;

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

    fn below(&mut self, end: u32) -> u32 {
        self.next() % end
    }

    /// An address near the pages that entries are made for: P0, P3, store queues aside.
    fn address(&mut self) -> u32 {
        let base = [0x0120_0000, 0x0130_0000, 0x7FF0_0000, 0xC120_0000][self.below(4) as usize];
        let spread = [0x400, 0x1000, 0x4000, 0x2_0000, 0x10_0000][self.below(5) as usize];
        base | self.below(spread) & !3
    }

    fn pteh(&mut self) -> u32 {
        self.address() & !0x3FF | self.below(2)
    }

    fn ptel(&mut self) -> u32 {
        let valid = if self.below(8) == 0 { 0 } else { 0x100 };
        FRAMES | self.below(0x10_0000) & !0x3FF | valid | self.next() & 0xFF
    }
}

struct Pair {
    cpu: Cpu,
    bus: FlatBus,
    naive: Naive,
}

impl Pair {
    fn new(random: &mut Random) -> Pair {
        let mut bus = FlatBus::new(0x0C00_0000, 2 << 20);
        for place in (FRAMES..FRAMES + 0x10_0000).step_by(4) {
            bus.write32(place, random.next() & 0x00FF_00FF | 0xE100_E100)
                .unwrap();
        }
        let cpu = Cpu::new(Settings::default());
        let naive = Naive::default();
        let mut pair = Pair { cpu, bus, naive };
        // mov.l @r1,r2; mov.l r2,@r1; ldtlb
        pair.bus.load(CODE, &[0x12, 0x62, 0x22, 0x21, 0x38, 0x00]);
        pair.map_user_code();
        pair.write(0xFF00_0010, 1);
        pair
    }

    /// UTLB entry 63: 4 KB, for everybody and every ASID.
    fn map_user_code(&mut self) {
        self.write(0xF700_3F00, 0x0C00_0000 | 0x17E);
        self.write(0xF600_3F00, USER | 0x300);
    }

    fn at_code(&mut self, offset: u32, status: u32) {
        let user = status & sr::MD == 0;
        self.cpu.set_sr(status);
        self.cpu.pc = offset + if user { USER } else { CODE };
    }

    /// The program writes an MMU register or an array, and the model takes the same value.
    fn write(&mut self, address: u32, value: u32) {
        self.at_code(2, sr::MD);
        (self.cpu.r[1], self.cpu.r[2]) = (address, value);
        let outcome = self.cpu.step(&mut self.bus);
        assert_eq!(
            of_step(outcome),
            self.naive.write(address, value),
            "{address:08X} {value:08X}"
        );
    }

    fn access(&mut self, address: u32, kind: Kind, status: u32, value: u32) {
        let privileged = status & sr::MD != 0;
        let mut expected = Ok(0);
        match kind {
            Kind::Fetch => {
                self.cpu.set_sr(status);
                self.cpu.pc = address;
            }
            Kind::Read => self.at_code(0, status),
            Kind::Write => self.at_code(2, status),
        }
        if kind != Kind::Fetch && !privileged {
            expected = self.naive.fetch(self.cpu.pc, privileged);
        }
        let place = expected.and_then(|_| match kind {
            Kind::Fetch => self.naive.fetch(address, privileged),
            _ => self.naive.data(address, kind, privileged),
        });
        (self.cpu.r[1], self.cpu.r[2]) = (address, value);
        let before = place.map(|place| self.bus.read32(place).unwrap());
        let outcome = of_step(self.cpu.step(&mut self.bus));
        assert_eq!(outcome, place.map(|_| ()), "{kind:?} {address:08X}");
        if let (Ok(before), Ok(place)) = (before, place) {
            match kind {
                Kind::Fetch => assert_eq!(self.cpu.r[1] as u8, before as u8),
                Kind::Read => assert_eq!(self.cpu.r[2], before),
                Kind::Write => assert_eq!(self.bus.read32(place), Ok(value)),
            }
        }
        self.cpu.set_sr(sr::MD);
    }

    fn same_state(&self) {
        let mmu = self.cpu.mmu();
        let words = |entry: &sh4::TlbEntry| [entry.pteh, entry.ptel, entry.ptea];
        assert!(mmu.utlb().iter().map(words).eq(self.naive.utlb.iter().copied()));
        let itlb: Vec<_> = mmu.itlb().iter().map(words).collect();
        assert_eq!(itlb, self.naive.itlb);
        assert_eq!(mmu.register(MmuRegister::Mmucr) >> 10 & 63, self.naive.urc);
    }
}

/// The outcome of a step, in the terms of the model.
fn of_step(outcome: Result<(), Stop>) -> Result<(), Outcome> {
    let Err(stop) = outcome else { return Ok(()) };
    let Stop::Fault(fault) = stop else {
        panic!("{stop}")
    };
    Err(match fault.kind {
        FaultKind::Tlb { exception, direction } => match exception {
            TlbException::Miss if direction == Direction::Write => 0x060,
            TlbException::Miss => 0x040,
            TlbException::Protection if direction == Direction::Write => 0x0C0,
            TlbException::Protection => 0x0A0,
            TlbException::InitialWrite => 0x080,
            TlbException::MultipleHit => 0x140,
        },
        FaultKind::Forbidden {
            direction: Direction::Write,
        } => 0x100,
        FaultKind::Forbidden { .. } => 0x0E0,
        kind => panic!("{kind}"),
    })
}

#[test]
fn translation_equals_the_naive_model() {
    let mut random = Random(0x5348_3437_3530);
    let mut pair = Pair::new(&mut random);
    let mut seen = std::collections::BTreeMap::new();
    for _ in 0..STEPS {
        let entry = random.below(63) << 8;
        match random.below(24) {
            0 => {
                pair.write(0xF600_0000 | entry, random.pteh() | random.below(4) << 8);
                pair.write(0xF700_0000 | entry, random.ptel());
            }
            1 | 2 => {
                pair.write(0xF200_0000 | entry, random.pteh());
                pair.write(0xF300_0000 | entry, random.ptel());
            }
            3 => pair.write(0xF600_0080, random.pteh() | random.below(4) << 8),
            4 => pair.write(0xFF00_0000, random.pteh()),
            5 => {
                pair.write(0xFF00_0004, random.ptel());
                pair.naive.load_entry();
                pair.at_code(4, sr::MD);
                pair.cpu.step(&mut pair.bus).unwrap();
                pair.map_user_code();
            }
            // URB, URC and SV are random, LRUI is 0, and TI is sometimes set.
            6 if random.below(8) == 0 => {
                let bits = random.next() & 0x00FC_7900;
                pair.write(0xFF00_0010, bits | if random.below(6) == 0 { 4 } else { 0 } | 1);
                pair.map_user_code();
            }
            _ => {
                let (address, value) = (random.address(), random.next() & 0x00FF_00FF | 0xE100_E100);
                let kind = [Kind::Read, Kind::Write, Kind::Fetch][random.below(3) as usize];
                let status = if random.below(2) == 0 { 0 } else { sr::MD };
                pair.access(address, kind, status, value);
            }
        }
        pair.same_state();
        *seen.entry(pair.naive.last).or_insert(0u32) += 1;
    }
    println!("{seen:X?}");
    for code in [0, 0x040, 0x060, 0x080, 0x0A0, 0x0C0, 0x140] {
        assert!(
            seen.get(&code).is_some_and(|count| *count > 100),
            "{code:03X}: {seen:X?}"
        );
    }
}
