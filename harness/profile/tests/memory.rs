//! Checks that memory does not grow with the length of a measurement.
//!
//! This file has only one test, so that no other test allocates in the process.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use dreamcast::{Clock, Config, Dreamcast, Ended, Until};
use profile::program::{Activity, Functions, ProgramProfiler};

/// A program that sleeps until vertical blank. Each entry has an offset from 8C010000 and words:
///
/// ```text
/// 600: the handler: reads ISTNRM and acknowledges vertical blank (bit 3 of ISTNRM)
/// 700: main: VBR 8C010000, SR.BL and IMASK 0, the mask of level 6 has bit 3; for ever: ROUNDS times DT and
///      BF, then SLEEP
/// ```
const SLEEPER: [(usize, &[u16]); 3] = [
    (0x000, &[0xA37E, 0x0009]),
    (
        0x600,
        &[0xD002, 0x6302, 0xE108, 0x2012, 0x002B, 0x0009, 0x6900, 0xA05F],
    ),
    (
        0x700,
        &[
            0xD006, 0x402E, 0xD006, 0x400E, 0xD006, 0xE108, 0x2012, 0x9204, 0x4210, 0x8BFD, 0x001B, 0xAFFA,
            0x0009, 0x03E8, 0x0000, 0x8C01, 0x0000, 0x4000, 0x6930, 0xA05F,
        ],
    ),
];

/// Offset of the word with the number of rounds.
const ROUNDS: usize = 0x71A;

/// Number of frames in ten minutes.
const FRAMES: u64 = 36_000;
/// Number of frames after which all tables have their final size.
const SETTLED: u64 = 4_000;
/// Maximum growth of the process after that, in bytes.
const GROWTH: u64 = 1 << 20;

/// Returns the program with `rounds` rounds in each frame.
fn sleeper(rounds: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (offset, words) in SLEEPER {
        bytes.resize(offset, 0);
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
    bytes[ROUNDS..ROUNDS + 2].copy_from_slice(&rounds.to_le_bytes());
    bytes
}

/// Resident bytes of this process; `None` on systems that do not report them.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<u64>()
        .ok()
        .map(|kib| kib << 10)
}

/// With 1,000 rounds the work ends a wait in SLEEP; with 10 it does not, so that one wait lasts for the whole
/// run.
#[test]
fn ten_minutes_need_the_memory_of_one() {
    for rounds in [1_000, 10] {
        let mut console = Dreamcast::new(Config {
            clock: Clock::Model,
            ..Config::default()
        });
        console.load_raw(&sleeper(rounds)).unwrap();
        let model = console.take_model().unwrap();
        let mut profiler = ProgramProfiler::new(*model, Functions::default(), 0, 0);
        let (mut frames, mut cycles, mut most) = (0, 0, 0);
        let mut settled = None;
        for frame in 1..=FRAMES {
            let until = Until {
                frame,
                ..Until::FOREVER
            };
            assert_eq!(console.run_clocked(until, &mut profiler), Ended::Frame);
            profiler.next_frame(frame);
            let taken = profiler.take_frames();
            most = most.max(taken.len());
            for frame in taken {
                assert_eq!(frame.activities.iter().sum::<u64>(), frame.cycles);
                frames += 1;
                cycles += frame.cycles;
            }
            if frame == SETTLED {
                settled = resident();
            }
        }
        let grown = settled
            .zip(resident())
            .map(|(before, now)| now.saturating_sub(before));
        println!("{rounds} rounds: {grown:?} bytes more at the end, at most {most} frames at once");
        assert!(grown.is_none_or(|grown| grown < GROWTH), "{grown:?}");
        assert!(most <= 1024, "{most}");
        let result = profiler.finish();
        frames += result.frames.len() as u64;
        cycles += result.frames.iter().map(|frame| frame.cycles).sum::<u64>();
        assert_eq!((frames, cycles), (FRAMES, console.now().0));
        assert_eq!(result.activities.iter().sum::<u64>(), cycles);
        let waited = result.activities[Activity::VerticalBlank as usize];
        assert!(waited > cycles / 10 * 9 || rounds == 10, "{waited} of {cycles}");
    }
}
