//! Programs under the cycle model read exactly the model's figures from PMCTR and TCNT.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use dreamcast::{Clock, Config, Dreamcast, Ended, Until};
use timing::events::{ELAPSED, EVENTS, EventCounts};

const START: u32 = 0x8C01_0000;

/// Counts an event with both counters, in words at offsets from 8C010000:
///
/// ```text
/// 100: TRAPA: rte; nop
/// 600: the interrupt of timer 0: clears UNF (mov.l 2f,r0; mov.w @r0,r1; mov.w 1f,r1; mov.w r1,@r0; rte; nop)
/// 700: VBR 8C010000, SR.BL and IMASK 0; IPRA F000; PMCR1 and PMCR2: cleared, then the word RUN; TCOR0 and
///      TCNT0 30, TCR0 20, TSTR 1; R10 8C100000; bsr work; nop
/// 734: mov.l pmctr1,r4; mov.l pmctr2,r5; bsr work; nop
/// 73C: mov.l pmctr1,r6; mov.l pmctr2,r7; sub r4,r6; sub r5,r7
/// 744: sleep
/// work: 50 times: fmul fr1,fr2; fdiv fr1,fr2; mul.l r8,r8; mov.l r8,@r10; add #28,r10; mov.l @r10,r9;
///      fadd fr2,fr3; trapa #1; tst #1,r0; bt over; add #1,r11; over: dt r8; bf
/// ```
const COUNTERS: [(usize, &[u16]); 4] = [
    (0x000, &[0xA37E, 0x0009]),
    (0x100, &[0x002B, 0x0009]),
    (
        0x600,
        &[
            0xD003, 0x6102, 0x9102, 0x2011, 0x002B, 0x0009, 0x0020, 0x0009, 0x0010, 0xFFD8,
        ],
    ),
    (
        0x700,
        &[
            0xD013, 0x402E, 0xD013, 0x400E, 0xD113, 0xD214, 0xDC14, 0xD015, 0x931C, 0x2031, 0x9019, 0x2101,
            0x8112, 0x9015, 0x2101, 0x8112, 0xD311, 0x1C32, 0x1C33, 0x9012, 0x81C8, 0xE001, 0x80C4, 0xDA0F,
            0xB01E, 0x0009, 0x5421, 0x5523, 0xB01A, 0x0009, 0x5621, 0x5723, 0x3648, 0x3758, 0x001B, 0x0009,
            0xC023, 0x2000, 0xF000, 0x0020, 0x0000, 0x8C01, 0x0000, 0x4000, 0x0084, 0xFF00, 0x0004, 0xFF10,
            0x0000, 0xFFD8, 0x0004, 0xFFD0, 0x001E, 0x0000, 0x0000, 0x8C10, 0xE832, 0xF212, 0xF213, 0x0887,
            0x2A82, 0x7A1C, 0x69A2, 0xF320, 0xC301, 0xC801, 0x8900, 0x7B01, 0x4810, 0x8BF2, 0x000B, 0x0009,
        ],
    ),
];
/// The offset of the word RUN: C000 and the event.
const RUN: usize = 0x748;
/// The reads of PMCTR1 and PMCTR2, before and after `work`, and the end.
const READS: [u32; 4] = [START + 0x734, START + 0x736, START + 0x73C, START + 0x73E];
const END: u32 = START + 0x744;

/// Creates a console with COUNTERS in memory, for `event`.
fn console(event: u8) -> Dreamcast {
    let mut bytes = Vec::new();
    for (offset, words) in COUNTERS {
        bytes.resize(offset, 0);
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
    bytes[RUN] = event;
    with_code(&bytes)
}

fn with_code(bytes: &[u8]) -> Dreamcast {
    let mut console = Dreamcast::new(Config {
        clock: Clock::Model,
        ..Config::default()
    });
    console.load_raw(bytes).unwrap();
    console
}

fn after(instructions: u64) -> Until {
    Until {
        instructions,
        ..Until::FOREVER
    }
}

/// Returns the number of instructions before each of the places.
fn instructions_before(places: &[u32]) -> Vec<u64> {
    let mut console = console(0x23);
    let mut counts = Vec::new();
    for place in places {
        while console.cpu.pc != *place {
            let next = console.cpu.retired() + 1;
            assert_eq!(console.run(after(next)), Ended::Instructions);
            assert!(next < 100_000, "the program does not reach {place:08x}");
        }
        counts.push(console.cpu.retired());
    }
    counts
}

/// Returns the model's counts and the console's time just before the program reads a counter.
fn model_at(instructions: u64, place: u32) -> (EventCounts, u64) {
    let mut console = console(0x23);
    assert_eq!(console.run(after(instructions)), Ended::Instructions);
    assert_eq!(console.cpu.pc, place);
    (console.take_model().unwrap().events(), console.now().0)
}

/// Every event that the model counts, in both counters.
#[test]
fn a_program_reads_the_model_s_events() {
    let counts = instructions_before(&[&READS[..], &[END]].concat());
    let expected = [0, 1, 2, 3].map(|read| model_at(counts[read], READS[read]));
    let mut happened = Vec::new();
    for event in EVENTS {
        let of = |read: usize| expected[read].0.get(event.code).unwrap() as u32;
        let between = [of(2) - of(0), of(3) - of(1)];
        if event.code == ELAPSED {
            let time = |read: usize| expected[read].1 as u32;
            assert_eq!(
                between,
                [time(2) - time(0), time(3) - time(1)],
                "the console's clock"
            );
        }
        let mut console = console(event.code);
        assert_eq!(console.run(after(counts[4])), Ended::Instructions);
        assert_eq!(console.cpu.pc, END);
        assert_eq!([console.cpu.r[6], console.cpu.r[7]], between, "{}", event.text);
        if between[0] > 0 {
            happened.push(event.key);
        }
    }
    println!("{} events happened: {happened:?}", happened.len());
    assert!(happened.len() > 15, "{happened:?}");
    for key in [
        "interrupt",
        "trapa",
        "elapsed",
        "operand_read_miss",
        "fpu_instruction",
    ] {
        assert!(happened.contains(&key), "{key}: {happened:?}");
    }
}

/// Runs DT and BF ROUNDS times and ADD 20 times, then reads PMCTR1 (elapsed cycles) into R4 and TCNT0 (a tick
/// is 16 cycles) into R5:
///
/// ```text
/// mov.l pmcr1,r1; mov.l pmctr,r2; mov.l tmu,r12; mov.w clear,r0; mov.w r0,@r1; mov.w run,r0; mov.w r0,@r1;
/// mov #-1,r3; mov.l r3,tcnt0; mov #1,r0; mov.b r0,tstr; mov.w rounds,r3; 1: dt r3; bf 1b; 20 times add
/// #1,r3; mov.l @r2,r4; mov.l tcnt0,r5; sleep
/// ```
const TIMER: &[u16] = &[
    0xD114, 0xD215, 0xDC15, 0x9022, 0x2101, 0x901F, 0x2101, 0xE3FF, 0x1C33, 0xE001, 0x80C4, 0x931B, 0x4310,
    0x8BFD, 0x7301, 0x7301, 0x7301, 0x7301, 0x7301, 0x7301, 0x7301, 0x7301, 0x7301, 0x7301, 0x7301, 0x7301,
    0x7301, 0x7301, 0x7301, 0x7301, 0x7301, 0x7301, 0x7301, 0x7301, 0x6422, 0x55C3, 0x001B, 0x0009, 0xC023,
    0x2000, 0x0000, 0x0009, 0x0084, 0xFF00, 0x0008, 0xFF10, 0x0000, 0xFFD8,
];
/// The word ROUNDS.
const ROUNDS: usize = 40;

/// The timer ticks every 16 cycles of the same clock: one phase explains all pairs of reads.
#[test]
fn the_timer_ticks_with_the_model_s_cycles() {
    let reads: Vec<(u32, u32)> = (1..=64)
        .map(|rounds| {
            let mut words = TIMER.to_vec();
            words[ROUNDS] = rounds;
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let mut console = with_code(&bytes);
            assert_eq!(console.run(Until::FOREVER), Ended::Asleep);
            (console.cpu.r[4], u32::MAX - console.cpu.r[5])
        })
        .collect();
    let agrees = |phase: i64| {
        reads
            .iter()
            .all(|(cycles, ticks)| (i64::from(*cycles) + phase).div_euclid(16) == i64::from(*ticks))
    };
    let phases: Vec<i64> = (-64..64).filter(|phase| agrees(*phase)).collect();
    // Reads 3 cycles apart occur at every phase: exactly one phase remains.
    assert_eq!(phases.len(), 1, "{phases:?} {reads:?}");
}
