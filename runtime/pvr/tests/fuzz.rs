//! The fuzz targets on seeded input: a few seconds, or as many as `SWIRL_FUZZ_SECONDS` says.

#[path = "../fuzz/drive.rs"]
mod drive;

use std::time::{Duration, Instant};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let n = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let n = (n ^ n >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        n ^ n >> 31
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// A word: any bits, a small number, a coordinate, or what a parameter control word looks like.
    fn word(&mut self) -> u32 {
        match self.below(8) {
            0 => self.next() as u32,
            1 => self.below(64) as u32,
            2 => (self.below(1 << 20) as u32) << 3,
            3..=5 => (self.below(4096) as f32 / 32.0 - 16.0).to_bits(),
            6 => 0xE000_0000 | (self.next() as u32 & 0x1000_0000),
            _ => 0x8000_0000 | self.next() as u32 & 0x278F_00FF,
        }
    }

    fn bytes(&mut self) -> Vec<u8> {
        let words = 1 << self.below(11);
        let mut bytes: Vec<u8> = (0..words).flat_map(|_| self.word().to_le_bytes()).collect();
        bytes.truncate(bytes.len() - self.below(4) as usize);
        bytes
    }
}

/// Runs a target on input after input; a failing one is told by its seed.
fn run(name: &str, target: fn(&[u8])) {
    let asked = std::env::var("SWIRL_FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok());
    let time = Duration::from_secs_f64(asked.unwrap_or(2.0) / 2.0);
    let (start, mut runs, mut slowest) = (Instant::now(), 0, (Duration::ZERO, 0));
    while start.elapsed() < time {
        let input = Random(runs).bytes();
        let began = Instant::now();
        let survived = std::panic::catch_unwind(|| target(&input)).is_ok();
        assert!(survived, "{name}: seed {runs} panics");
        slowest = slowest.max((began.elapsed(), runs));
        runs += 1;
    }
    let (longest, seed) = slowest;
    println!("{name}: {runs} inputs, the slowest (seed {seed}) {longest:.1?}");
    assert!(runs > 0);
}

#[test]
fn tile_accelerator() {
    run("ta", drive::ta);
}

#[test]
fn console() {
    run("console", drive::console);
}

#[test]
fn core() {
    run("core", drive::core);
}
