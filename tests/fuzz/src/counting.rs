//! Compares the cycle model with its definition, and checks exports of its profiles.

use crate::source::Source;
use profile::{Places, Profile, Profiler, Report, export};
use sh4::table::{TABLE, flag};
use sh4::{Access, Mode, Observer, Retired, decode};
use timing::events::read_csv;
use timing::{Counter, PlainCounter, Setup};

/// An instruction that has been executed.
struct Step {
    opcode: u16,
    mode: Mode,
    address: u32,
    taken: bool,
    pc: u32,
}

/// Makes steps from numbers, and the number of their repetitions.
fn steps(from: &mut Source<'_>) -> (Vec<Step>, u32) {
    let times = 1 + from.below(4);
    let (mut steps, mut pc) = (Vec::new(), 0x8C01_0000_u32);
    while !from.is_empty() && steps.len() < 400 {
        let word = from.word();
        let address = from.word();
        let near = address & 0xFF;
        let address = match word >> 16 & 15 {
            // Main memory: nearby lines, and lines that map to the same cache entry.
            0..=3 => 0x8C00_0000 | near,
            4..=7 => 0x8C01_0000 + 0x4000 * (address & 7),
            8 | 9 => 0x0C00_0000 | address & 0xF_FFFF,
            10 => 0xA400_0000 | address & 0xFFF,
            11 => 0xE000_0000 | near,
            12 => 0x7C00_0000 | address & 0xFFF,
            // CCR and its neighbours.
            13 => 0xFF00_0000 | address & 0x3F,
            _ => address,
        };
        steps.push(Step {
            opcode: word as u16,
            mode: Mode::ALL[(word >> 20 & 3) as usize],
            address: address & !7,
            taken: word >> 22 & 1 != 0,
            pc,
        });
        // Sometimes jumps far away; later back.
        pc = match word >> 23 & 0x3F {
            0 => 0x8C01_0000 + (address & 0x1_FFFE),
            _ => pc.wrapping_add(2),
        };
    }
    (steps, times)
}

fn run(steps: &[Step], observer: &mut impl Observer) {
    let mut slot = false;
    for step in steps {
        let Some(op) = decode(step.opcode, step.pc, step.mode) else {
            continue;
        };
        let row = &TABLE[op.id as usize];
        if slot && row.has(flag::NO_SLOT) {
            continue;
        }
        let accesses: Vec<Access> = (0..row.accesses())
            .map(|which| {
                let (size, direction) = row.access(which);
                Access {
                    address: step.address,
                    size,
                    direction,
                    value: 0x0105,
                }
            })
            .collect();
        observer.retire(&Retired {
            pc: step.pc,
            opcode: step.opcode,
            id: op.id,
            n: op.n,
            m: op.m,
            in_slot: slot,
            taken: row.has(flag::BRANCH) && step.taken,
            accesses: &accesses,
        });
        slot = row.has(flag::DELAYED);
    }
}

/// Counts repeated instructions: the counter must equal its definition.
pub(crate) fn counter(bytes: &[u8]) {
    let (steps, times) = steps(&mut Source::new(bytes));
    let (mut plain, mut counter) = (
        PlainCounter::new(Setup::default()),
        Counter::new(Setup::default()),
    );
    for _ in 0..times {
        run(&steps, &mut plain);
        run(&steps, &mut counter);
    }
    assert_eq!(plain.events(), counter.events());
    let (plain, counter) = (plain.finish(), counter.finish());
    assert_eq!(plain.ledger, counter.ledger);
    assert_eq!(plain.counts, counter.counts);
    assert_eq!(plain.last_pc, counter.last_pc);
    assert_eq!(plain.memory.operand_fills, counter.memory.operand_fills);
    assert_eq!(plain.memory.bus_busy, counter.memory.bus_busy);
}

/// Exports a profile of executed instructions in the format that the first byte selects; all formats would
/// take most of the time. Formats with a reader must read back as the same values.
pub(crate) fn exports(bytes: &[u8]) {
    let (kind, bytes) = bytes.split_first().unwrap_or((&0, &[]));
    let (steps, times) = steps(&mut Source::new(bytes));
    let mut profiler = Profiler::new(Setup::default());
    (0..times).for_each(|_| run(&steps, &mut profiler));
    let profile = profiler.finish();
    let places = Places::new([
        (0x8C01_0000, "_begin"),
        (0x8C01_0040, "a \"name\", <odd>\n"),
        (0x8C01_8000, ""),
    ]);
    match kind % 8 {
        0 => reads_again(&Report::new(&profile, &places, "a \"title\"", "cold")),
        1 => counts_read_again(&profile),
        2 => fits_speedscope(&export::speedscope(&profile, &places, "x")),
        // Only quoted cells may hold quotes and line ends.
        3 => assert!(
            export::csv(&profile, &places)
                .matches('"')
                .count()
                .is_multiple_of(2)
        ),
        4 => assert!(!export::callgrind(&profile, &places, "x").contains('\0')),
        5 => assert!(!export::konata(&profile).contains('\0')),
        6 => assert!(!export::folded(&profile, &places).contains('\0')),
        _ => {
            assert!(export::perfetto(&profile, &places, "x").is_object());
            assert_eq!(export::tables(&profile, &places).len(), 9);
        }
    }
}

fn reads_again(report: &Report) {
    let json = serde_json::to_string(report).expect("a report is JSON");
    let again: Report = serde_json::from_str(&json).expect("it was written here");
    assert!(again == *report, "the report reads as another one");
    swirl::untrusted::baseline(&json);
}

fn counts_read_again(profile: &Profile) {
    let events = read_csv(&profile.events.csv()).expect("it was written here");
    assert!(events.iter().all(|row| {
        profile
            .events
            .get(row.code)
            .is_some_and(|count| count as f64 == row.count)
    }));
}

/// The JSON of a profile of `bytes`.
pub(crate) fn report(bytes: &[u8]) -> String {
    let (steps, _) = steps(&mut Source::new(bytes));
    let mut profiler = Profiler::new(Setup::default());
    run(&steps, &mut profiler);
    let report = Report::new(
        &profiler.finish(),
        &Places::new([(0x8C01_0000, "_begin")]),
        "x",
        "cold",
    );
    serde_json::to_string(&report).expect("a report is JSON")
}

/// Checks the rules of speedscope's file-format-schema.json for an evented or a sampled profile.
fn fits_speedscope(file: &serde_json::Value) {
    let frames = file["shared"]["frames"].as_array().expect("shared.frames").len() as u64;
    assert!(
        file["shared"]["frames"]
            .as_array()
            .is_some_and(|all| all.iter().all(|f| f["name"].is_string()))
    );
    for profile in file["profiles"].as_array().expect("profiles") {
        assert!(profile["name"].is_string() && profile["unit"].is_string());
        assert!(profile["startValue"].is_number() && profile["endValue"].is_number());
        let is_frame = |frame: &serde_json::Value| frame.as_u64().is_some_and(|frame| frame < frames);
        match profile["type"].as_str() {
            Some("sampled") => {
                let samples = profile["samples"].as_array().expect("samples");
                assert_eq!(Some(samples.len()), profile["weights"].as_array().map(Vec::len));
                assert!(
                    samples
                        .iter()
                        .all(|stack| stack.as_array().is_some_and(|s| s.iter().all(is_frame)))
                );
            }
            Some("evented") => {
                let mut open = Vec::new();
                for event in profile["events"].as_array().expect("events") {
                    assert!(is_frame(&event["frame"]) && event["at"].is_number());
                    match event["type"].as_str() {
                        Some("O") => open.push(event["frame"].as_u64()),
                        Some("C") => assert_eq!(open.pop(), Some(event["frame"].as_u64())),
                        other => panic!("type {other:?}"),
                    }
                }
                assert!(open.is_empty());
            }
            other => panic!("type {other:?}"),
        }
    }
}
