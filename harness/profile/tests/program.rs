//! Profiles programs on the console. For any program, the parts must sum to the clock.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]
#![allow(clippy::single_range_in_vec_init, reason = "a program has one range of code")]

use dreamcast::{Clock, Config, Dreamcast, Ended, Until};
use machine::Image;
use profile::Origin;
use profile::program::{Functions, ProgramProfile, ProgramProfiler};
use profile::spans::{MarkKind, SpanLog, SpanName, Track};
use std::fs;
use std::path::Path;
use timing::Idle;

/// A program that does everything that breaks a call tree, in words at offsets from 8C010000:
///
/// ```text
/// 100: TRAPA: exchanges SPC with the cell at 8C010F00, so that RTE continues another thread
/// 600: the interrupt of timer 0, every 3,000 ticks: acknowledges it
/// 700: main: VBR 8C010000, SR.BL and IMASK 0, timer 0 with priority 15; then for ever:
///      bsr plain (200 times DT and BF); bsr unbalanced (a return with another PR); bsr outer (calls inner,
///      which drops a stack frame and jumps into main, as longjmp does); copies 16 bytes of code to 8C200000
///      and calls them; bsr deep (1,500 calls inside each other); trapa. The thread: 200 times DT and BF,
///      trapa, for ever.
/// ```
const ODD: &[(usize, &[u16])] = &[
    (0x000, &[0xA37E, 0x0009]),
    (
        0x100,
        &[
            0xD003, 0x0142, 0x6202, 0x2012, 0x424E, 0x002B, 0x0009, 0x0009, 0x0F00, 0x8C01,
        ],
    ),
    (
        0x600,
        &[0xD002, 0xE120, 0x2011, 0x002B, 0x0009, 0x0009, 0x0010, 0xFFD8],
    ),
    (
        0x700,
        &[
            0xD02C, 0x402E, 0xD035, 0xD12C, 0x2102, 0x0002, 0xD12B, 0x2019, 0x400E, 0xD12B, 0x905E, 0x600D,
            0x2102, 0x1101, 0xD229, 0xE020, 0x2201, 0xD229, 0x9057, 0x2201, 0xD228, 0xE001, 0x2200, 0xB017,
            0x0009, 0xB01A, 0x0009, 0x0009, 0xB01B, 0x0009, 0x0009, 0xD324, 0xD027, 0xE204, 0x6106, 0x2312,
            0x7304, 0x4210, 0x8BFA, 0xD320, 0x430B, 0x0009, 0x9440, 0xB016, 0x0009, 0xC301, 0xAFE7, 0x0009,
            0x943B, 0x4410, 0x8BFD, 0x000B, 0x0009, 0xD01E, 0x402A, 0x000B, 0x0009, 0x4F22, 0xB003, 0x0009,
            0x4F26, 0x000B, 0x0009, 0x7F04, 0xD019, 0x402B, 0x0009, 0x4F22, 0x4410, 0x8901, 0xBFFB, 0x0009,
            0x4F26, 0x000B, 0x0009, 0x0009, 0xE432, 0x4410, 0x8BFD, 0x000B, 0x0009, 0x0009, 0x0009, 0x0009,
            0x9417, 0x4410, 0x8BFD, 0xC302, 0xAFFA, 0x0009, 0x0000, 0x8C01, 0x0F00, 0x8C01, 0xFF0F, 0xEFFF,
            0x0008, 0xFFD8, 0x0010, 0xFFD8, 0x0004, 0xFFD0, 0x0004, 0xFFD8, 0x0000, 0x8C20, 0x0BB8, 0xF000,
            0x05DC, 0x00C8, 0x07A8, 0x8C01, 0x0798, 0x8C01, 0x0738, 0x8C01, 0x073E, 0x8C01,
        ],
    ),
];

/// Stores 5 to BDRB, calls a loop of 100 rounds, stores 0, and sleeps.
const MARKS: &[u16] = &[
    0xD006, 0xE105, 0x2012, 0xB004, 0xE264, 0xE100, 0x2012, 0x001B, 0x0009, 0x4210, 0x8BFD, 0x000B, 0x0009,
    0x0009, 0x0018, 0xFF20,
];

fn console() -> Dreamcast {
    Dreamcast::new(Config {
        clock: Clock::Model,
        ..Config::default()
    })
}

fn bytes(sections: &[(usize, &[u16])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (offset, words) in sections {
        bytes.resize(*offset, 0);
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
    bytes
}

/// Returns the profile of some frames, and the cycles of the console's clock during them.
fn measure(mut console: Dreamcast, functions: Functions, frames: [u64; 2]) -> (ProgramProfile, u64) {
    let until = |frame| Until {
        frame,
        ..Until::FOREVER
    };
    assert_eq!(console.run(until(frames[0])), Ended::Frame);
    let begin = console.now();
    let model = console.take_model().unwrap();
    let mut profiler = ProgramProfiler::new(*model, functions, begin.0, frames[0]);
    for frame in frames[0] + 1..=frames[1] {
        assert_eq!(console.run_clocked(until(frame), &mut profiler), Ended::Frame);
        profiler.next_frame(frame);
    }
    (profiler.finish(), console.now() - begin)
}

/// Each table must sum to the whole time.
fn balances(result: &ProgramProfile, clock: u64) {
    let profile = &result.profile;
    let sites: u64 = profile.sites.iter().map(|site| site.costs.cycles).sum();
    let nodes: u64 = profile.calls.nodes().iter().map(|node| node.cycles).sum();
    assert_eq!((sites, nodes), (profile.cycles().0, profile.cycles().0));
    assert_eq!(result.cycles(), clock);
    assert_eq!(result.activities.iter().sum::<u64>(), clock);
    assert_eq!(result.frames.iter().map(|frame| frame.cycles).sum::<u64>(), clock);
    for frame in &result.frames {
        let functions: u64 = frame.functions.iter().map(|row| row.cycles).sum();
        let others = frame.other_functions + frame.without;
        assert_eq!(functions + others, frame.cycles, "frame {}", frame.number);
        let activities: u64 = frame.activities.iter().sum();
        // A poll or a wait can span two frames.
        assert_eq!(activities, frame.cycles, "frame {}", frame.number);
    }
}

#[test]
fn a_program_without_order_balances() {
    let symbols = [
        (0x8C01_0700, "_main"),
        (0x8C01_0100, "_trap"),
        (0x8C01_0600, "_irq"),
    ];
    let code = || vec![0x8C01_0000..0x8C01_0800];
    for functions in [Functions::new(symbols, code()), Functions::new([], code())] {
        let mut console = console();
        console.load_raw(&bytes(ODD)).unwrap();
        let (mut result, clock) = measure(console, functions, [1, 5]);
        balances(&result, clock);
        let number = result.functions.number(0x8C20_0000);
        assert_eq!(result.functions.name(number), "(outside the program, 8c200000)");
        let copied = |row: &profile::program::FunctionCycles| row.function == number && row.cycles > 0;
        assert!(
            result
                .frames
                .iter()
                .all(|frame| frame.functions.iter().any(copied))
        );
        let origins: Vec<Origin> = result
            .profile
            .calls
            .nodes()
            .iter()
            .map(|node| node.origin)
            .collect();
        for origin in [Origin::Interrupt(0x400), Origin::Exception(0x160)] {
            assert!(origins.contains(&origin), "{origin:?}");
        }
        assert!(result.idle.of(Idle::Entry) > 0);
        assert!(result.profile.calls.untracked > 0, "1,500 calls have no room");
    }
}

#[test]
fn a_program_that_sleeps_balances() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/console/spin.elf");
    let image = Image::parse(&fs::read(path).unwrap()).unwrap();
    let mut console = console();
    console.load(&image).unwrap();
    let functions = Functions::new(image.symbols.iter(), vec![0x8C01_0000..0x8C10_0000]);
    let (result, clock) = measure(console, functions, [10, 20]);
    balances(&result, clock);
    assert_eq!(result.frames.len(), 10);
    assert!(
        result.idle.of(Idle::Sleep) > clock / 2,
        "spin sleeps most of the time"
    );
}

/// The program must take the same time with and without the profiler.
#[test]
fn measuring_changes_no_time() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/console/spin.elf");
    let image = Image::parse(&fs::read(path).unwrap()).unwrap();
    let run = |measured: bool| {
        let mut console = console();
        console.load(&image).unwrap();
        let until = |frame| Until {
            frame,
            ..Until::FOREVER
        };
        console.run(until(10));
        if measured {
            let (model, now) = (console.take_model().unwrap(), console.now().0);
            let mut profiler = ProgramProfiler::new(*model, Functions::default(), now, 10);
            console.run_clocked(until(30), &mut profiler);
        } else {
            console.run(until(30));
        }
        (console.now(), console.cpu.retired())
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn marks_and_calls_leave_spans() {
    let mut console = console();
    console.load_raw(&bytes(&[(0, MARKS)])).unwrap();
    let model = console.take_model().unwrap();
    let mut profiler = ProgramProfiler::new(*model, Functions::default(), 0, 0);
    profiler.record_spans(0);
    assert_eq!(console.run_clocked(Until::FOREVER, &mut profiler), Ended::Asleep);
    let SpanLog { spans, marks, .. } = profiler.end_spans();
    let kinds: Vec<MarkKind> = marks.iter().map(|mark| mark.kind).collect();
    assert_eq!(kinds, [MarkKind::Program(5), MarkKind::Program(0)]);
    let call = spans.first().unwrap();
    assert_eq!(
        (call.track, call.name),
        (Track::Thread(0), SpanName::Function(0x8C01_0012))
    );
    assert!(marks[0].time <= call.begin && call.begin + 297 <= call.end && call.end <= marks[1].time);
}
