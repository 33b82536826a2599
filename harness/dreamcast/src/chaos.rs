//! Random accesses to all devices in random order, with pauses between them. They must not cause a panic or
//! hang, and two consoles with the same accesses must stay equal.

use crate::config::Config;
use crate::system::System;
use crate::time::Cycles;
use sh4::Bus;
use std::time::{Duration, Instant};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// Areas of the memory map, with the number of bytes to access in each.
const AREAS: [(u32, u32); 24] = [
    (0xA05F_6800, 0x500),
    (0xA05F_6900, 0x40),
    (0xA05F_6C00, 0x100),
    (0xA05F_7000, 0x100),
    (0xA05F_7400, 0x100),
    (0xA05F_7800, 0x100),
    (0xA05F_7C00, 0x100),
    (0xA05F_8000, 0x2000),
    (0xA070_0000, 0x3000),
    (0xA071_0000, 0x10),
    (0xA080_0000, 0x20_0000),
    (0xA000_0000, 0x22_0000),
    (0xA400_0000, 0x0400_0000),
    (0xB000_0000, 0x0400_0000),
    (0x8C00_0000, 0x0100_0000),
    (0x7C00_0000, 0x4000),
    (0xE000_0000, 0x0400_0000),
    (0xF400_0000, 0x0200_0000),
    (0xFF00_0000, 0x100),
    (0xFF80_0000, 0x80),
    (0xFFA0_0000, 0x48),
    (0xFFC0_0000, 0x20),
    (0xFFD0_0000, 0x8_0030),
    (0xFFE8_0000, 0x28),
];

/// Returns a value: any bits, few bits, an address in RAM or video memory, or a start bit.
fn value(random: &mut Random) -> u64 {
    match random.below(5) {
        0 => random.next(),
        1 => random.below(16),
        2 => 0x0C00_0000 | random.below(0x0100_0000) & !31,
        3 => 0x1000_0000 | random.below(0x0400_0000) & !31,
        _ => 1,
    }
}

/// Makes one access and returns its result as a number.
fn access(system: &mut System, random: &mut Random) -> u64 {
    let (base, length) = AREAS[random.below(AREAS.len() as u64) as usize];
    let log2 = random.below(4) as u32;
    let address = (base + random.below(length.into()) as u32) & !((1 << log2) - 1);
    let data = value(random);
    let answer = match (random.below(3), log2) {
        (0, 0) => system.read8(address).map(u64::from),
        (0, 1) => system.read16(address).map(u64::from),
        (0, 2) => system.read32(address).map(u64::from),
        (0, _) => system.read64(address),
        (1, _) if random.below(4) == 0 => system.prefetch(0xE000_0000 | address & 0x03FF_FFE0).map(|()| 0),
        (_, 0) => system.write8(address, data as u8).map(|()| 0),
        (_, 1) => system.write16(address, data as u16).map(|()| 0),
        (_, 2) => system.write32(address, data as u32).map(|()| 0),
        _ => system.write64(address, data).map(|()| 0),
    };
    answer.unwrap_or(u64::MAX)
}

/// Makes `steps` accesses and returns a digest of all results.
fn run(seed: u64, steps: u64) -> u64 {
    let mut random = Random(seed);
    let mut system = System::new(&Config::default());
    let (mut digest, mut retired) = (seed, 0);
    for _ in 0..steps {
        retired += random.below(20_000);
        let now = system.time_at(retired);
        system.deliver(now);
        system.begin_deferred(retired, None);
        let answer = access(&mut system, &mut random);
        system.end_deferred();
        digest = digest
            .rotate_left(5)
            .wrapping_add(answer)
            .wrapping_mul(0x0100_0000_01B3);
        digest ^= system.scheduler.next().0 ^ u64::from(system.events.read(0));
    }
    digest ^ system.now.0.max(Cycles(1).0)
}

#[test]
fn random_accesses_do_no_harm_and_repeat() {
    let seconds = std::env::var("SWIRL_FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(3);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut runs = 0;
    while runs == 0 || Instant::now() < end {
        assert_eq!(run(runs, 2_000), run(runs, 2_000), "seed {runs}");
        runs += 1;
    }
    println!("{runs} sequences of 2,000 random accesses, each twice");
}
