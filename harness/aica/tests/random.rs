//! Runs random programs and random register accesses. Every call must return, and the same calls must give
//! the same state.

use aica::register::BYTES;
use aica::{Aica, ArmRate, LoopEnd, RateScaling, SampleEnd, Settings, Sh4Line, TimerPhase};

/// xorshift64.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }

    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.word() % end
    }

    pub(crate) fn one_of<T: Copy, const N: usize>(&mut self, of: [T; N]) -> T {
        of[self.below(N as u32) as usize]
    }
}

fn settings(rng: &mut Rng) -> Settings {
    Settings {
        arm_rate: rng.one_of([ArmRate::Cycles, ArmRate::Instructions, ArmRate::SlowCycles]),
        sh4_line: rng.one_of([Sh4Line::Level, Sh4Line::Pulse]),
        sample_end: rng.one_of([SampleEnd::KeyFalls, SampleEnd::Stays]),
        loop_end: rng.one_of([LoopEnd::Exclusive, LoopEnd::Inclusive]),
        timer_phase: rng.one_of([TimerPhase::Restart, TimerPhase::FreeRunning]),
        rate_scaling: rng.one_of([RateScaling::Limited, RateScaling::Unlimited]),
        ..Settings::default()
    }
}

/// Makes a random register access, preferring registers with effects. Returns the value read.
fn access(rng: &mut Rng, aica: &mut Aica) -> u32 {
    let offset = match rng.below(4) {
        0 => 0x2800 + rng.below(0x510),
        1 => rng.below(BYTES),
        _ => 0x80 * rng.below(64) + rng.below(0x20),
    };
    let size = rng.one_of([1, 2, 4, 4, 4, 3]);
    if rng.below(3) == 0 {
        return aica.read(offset, size);
    }
    aica.write(offset, size, rng.word());
    0
}

/// Returns a checksum of all state visible to the SH4.
fn digest(aica: &mut Aica) -> u64 {
    let registers: Vec<u32> = (0..BYTES / 4).map(|n| aica.read(4 * n, 4)).collect();
    let ram = aica.ram().iter().map(|byte| u32::from(*byte));
    let arm = (0..16).map(|n| aica.arm().register(n));
    let words = registers.into_iter().chain(ram).chain(arm);
    words.fold(aica.arm_cycles().0, |sum, word| {
        sum.wrapping_mul(0x0100_0000_01B3).wrapping_add(word.into())
    })
}

/// Runs random code and data in the first 64 KiB, with random accesses between samples.
fn run(seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    let mut aica = Aica::new(settings(&mut rng));
    let code = aica.ram_mut()[..0x1_0000].chunks_exact_mut(4);
    code.for_each(|word| word.copy_from_slice(&rng.word().to_le_bytes()));
    aica.write(aica::register::ARM_RESET, 4, 0);
    let mut read = 0;
    for _ in 0..300 {
        read ^= access(&mut rng, &mut aica);
        aica.advance(rng.below(4));
    }
    digest(&mut aica) ^ u64::from(read)
}

#[test]
fn random_runs_end_and_repeat() {
    let digests: Vec<u64> = (0..40).map(run).collect();
    assert!((0..40).map(run).eq(digests.iter().copied()));
    let different = digests.iter().collect::<std::collections::HashSet<_>>().len();
    assert_eq!(different, 40);
    println!("40 random runs of 300 accesses, each twice");
}
