//! Snapshots: a run from a restored snapshot must equal the original run, on both engines and with both
//! clocks.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

use dreamcast::recording::TextTimes;
use dreamcast::scheduler::Delivered;
use dreamcast::snapshot::{STATE_VERSION, Snapshot};
use dreamcast::{Clock, Config, Cycles, Dreamcast, Ended, Until};
use machine::Image;
use std::fs;
use std::path::Path;

/// Number of compared points for each program, engine and clock.
const POINTS: u64 = 50;
/// Number of points after each snapshot.
const STEPS: u64 = 10;
/// Approximate number of cycles between two points.
const STEP: u64 = 1 << 20;
/// Maximum number of instructions in a step of the cycle model's clock.
const LONGEST_STEP: u64 = 4096;

fn programs() -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/console");
    let mut programs: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "elf"))
        .collect();
    programs.sort();
    programs
}

fn console(program: &Path, recompiled: bool, clock: Clock) -> Dreamcast {
    let mut console = Dreamcast::new(Config {
        clock,
        ..Config::default()
    });
    let elf = fs::read(program).unwrap();
    console.load(&Image::parse(&elf).unwrap()).unwrap();
    accelerate(&mut console, recompiled);
    console
}

fn accelerate(console: &mut Dreamcast, recompiled: bool) {
    // Other hosts have one engine.
    if recompiled && cfg!(target_arch = "x86_64") {
        let options = sh4_recompiler::Options::default();
        console.accelerate(Box::new(sh4_recompiler::Recompiler::new(options).unwrap()));
    }
}

/// State that a program can see and show.
#[derive(Debug, PartialEq)]
struct State {
    ended: Ended,
    text: Vec<u8>,
    cpu: sh4::Cpu,
    retired: u64,
    now: Cycles,
    frame: u64,
    renders: u64,
    picture: Vec<u8>,
    ram: u64,
    /// Device events and the times of texts, for traces. Empty without a recording.
    trace: (Vec<Delivered>, TextTimes),
}

/// Runs without a look at the state.
fn run(console: &mut Dreamcast, cycles: u64) -> Ended {
    console.run(Until {
        time: console.now() + cycles,
        ..Until::FOREVER
    })
}

fn go(console: &mut Dreamcast, cycles: u64) -> State {
    let ended = run(console, cycles);
    let words = console.ram().as_chunks::<8>().0.iter();
    let ram = words.fold(0, |sum: u64, word| sum.rotate_left(5) ^ u64::from_le_bytes(*word));
    State {
        ended,
        cpu: console.cpu.clone(),
        retired: console.cpu.retired(),
        now: console.now(),
        frame: console.frame(),
        renders: console.renders(),
        picture: console.picture().rgba,
        ram,
        trace: console.take_recording(),
        text: console.take_console(),
    }
}

/// After a restore, the steps from a snapshot on must give the same states.
#[test]
fn a_restored_console_repeats_its_run() {
    let (mut points, mut runs, mut short) = (0, 0, 0);
    // The interpreter runs whatever the cycle model observes, also with a recompiler.
    let kinds = [
        (false, Clock::Fast),
        (true, Clock::Fast),
        (false, Clock::Model),
        (true, Clock::Model),
    ];
    for program in programs() {
        for (recompiled, clock) in kinds {
            let mut console = console(&program, recompiled, clock);
            // A recording makes the sound block step at every sample, so half of the runs have none.
            if recompiled == (clock == Clock::Fast) {
                console.start_recording();
            }
            let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
            let mut random = || {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                seed % STEP
            };
            let mut old: Option<Snapshot> = None;
            for _ in 0..POINTS / STEPS {
                let snapshot = console.snapshot(old.as_ref());
                let steps: Vec<u64> = (0..STEPS).map(|_| random()).collect();
                let first: Vec<State> = steps.iter().map(|step| go(&mut console, *step)).collect();
                // Runs from an earlier snapshot in between.
                if let Some(old) = &old {
                    console.restore(old);
                    run(&mut console, STEP / 2);
                }
                console.restore(&snapshot);
                assert_eq!(console.cpu.retired(), snapshot.retired());
                for (step, state) in steps.iter().zip(&first) {
                    let again = go(&mut console, *step);
                    let place = format!("{} {recompiled} {clock:?}", program.display());
                    assert_eq!(again.text, state.text, "{place}");
                    let counts = |state: &State| (state.ended.clone(), state.retired, state.now);
                    assert_eq!(counts(&again), counts(state), "{place}");
                    assert!(again == *state, "{place}: registers, memory, picture or trace");
                    points += 1;
                }
                if first.iter().any(|state| state.ended != Ended::Time) {
                    short += 1;
                    break;
                }
                old = Some(snapshot);
            }
            runs += 1;
        }
    }
    println!(
        "snapshots: {points} random points in {runs} runs of {} programs with 2 engines and 2 clocks; \
         {short} runs end before their last point",
        programs().len()
    );
    assert_eq!(runs, kinds.len() * programs().len());
    assert!(points >= POINTS as usize * (runs - short) + STEPS as usize * short);
}

/// Runs that a debugger cuts at random instructions must have the same times as a run without cuts, to the
/// cycle. A run from a snapshot within a cut step must give the same result.
#[test]
fn cuts_change_no_time() {
    let (mut cuts, mut steps) = (0_u64, 0);
    for program in programs() {
        for clock in [Clock::Fast, Clock::Model] {
            let mut whole = console(&program, false, clock);
            let mut cut = console(&program, false, clock);
            let mut seed = 0x2545_F491_4F6C_DD1D_u64;
            let mut random = |most: u64| {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                seed % most
            };
            for _ in 0..STEPS {
                let begin = whole.cpu.retired();
                let first = go(&mut whole, STEP);
                if first.ended != Ended::Time {
                    break;
                }
                let mut snapshot = None;
                while cut.cpu.retired() < first.retired {
                    // At some places the limit is the end of a step.
                    let next = (cut.cpu.retired() + 1 + random(2 * LONGEST_STEP)).min(first.retired);
                    let ended = cut.run(Until {
                        instructions: next,
                        ..Until::FOREVER
                    });
                    assert_eq!(ended, Ended::Instructions);
                    cuts += 1;
                    if snapshot.is_none() && next > u64::midpoint(begin, first.retired) {
                        snapshot = Some(cut.snapshot(None));
                    }
                }
                let place = format!("{} {clock:?} after {begin} instructions", program.display());
                // A CPU that sleeps reaches the time without an instruction.
                let finish = |console: &mut Dreamcast| go(console, first.now.since(console.now()));
                let second = finish(&mut cut);
                let counts = |state: &State| (state.retired, state.now, state.text.clone());
                assert_eq!(counts(&second), counts(&first), "{place}");
                assert!(second == first, "{place}: registers, memory or picture");
                if let Some(snapshot) = snapshot {
                    cut.restore(&snapshot);
                    let again = finish(&mut cut);
                    let counts = |state: &State| (state.retired, state.now);
                    assert_eq!(counts(&again), counts(&first), "{place}: after a snapshot");
                    let visible =
                        |state: &State| (state.cpu.r, state.cpu.pc, state.ram, state.picture.clone());
                    assert!(visible(&again) == visible(&first), "{place}: after a snapshot");
                }
                steps += 1;
            }
        }
    }
    println!(
        "cut runs: {cuts} cuts in {steps} runs of {} programs with 2 clocks",
        programs().len()
    );
}

/// A program that writes an instruction before it runs it, a new one each time.
#[test]
fn a_program_that_changes_its_code_repeats_its_run() {
    // mov.l to r1: 8C010014; mov.w to r7: 7400; mov #0,r3; L: add #1,r3; extu.b r3,r6; or r7,r6; mov.w
    // r6,@r1; nop; bra and nop; at 8C010014 add #0,r4; bra L; nop; the constants
    let code: [u16; 16] = [
        0xD106, 0x970A, 0xE300, 0x7301, 0x663C, 0x267B, 0x2161, 0x0009, 0xA000, 0x0009, 0x7400, 0xAFF6,
        0x0009, 0x7400, 0x0014, 0x8C01,
    ];
    let bytes: Vec<u8> = code.iter().flat_map(|code| code.to_le_bytes()).collect();
    let mut consoles = [false, true].map(|recompiled| {
        let mut console = Dreamcast::new(Config::default());
        console.load_raw(&bytes).unwrap();
        accelerate(&mut console, recompiled);
        console
    });
    let mut points = 0;
    for step in (1..=20).map(|n| 3001 * n) {
        let states = consoles.each_mut().map(|console| {
            let snapshot = console.snapshot(None);
            let first = go(console, step);
            let later = console.snapshot(Some(&snapshot));
            for snapshot in [&snapshot, &later, &snapshot] {
                console.restore(snapshot);
            }
            assert!(go(console, step) == first, "after {step} cycles");
            console.restore(&later);
            points += 1;
            first
        });
        assert!(states[0] == states[1], "the engines, after {step} cycles");
        assert!(states[0].cpu.r[3] > 100 && states[0].cpu.r[4] != 0);
    }
    println!("snapshots of a program that changes its code: {points} points");
}

/// Snapshots and states of other consoles compare all pages.
#[test]
fn a_snapshot_of_another_console_is_restored() {
    let program = programs()
        .into_iter()
        .find(|path| path.ends_with("menu.elf"))
        .unwrap();
    let [mut first, mut second] = [(); 2].map(|()| console(&program, false, Clock::Fast));
    go(&mut first, 20_000_000);
    let snapshot = first.snapshot(None);
    let after = go(&mut first, 5_000_000);
    let _ = second.snapshot(None);
    go(&mut second, 3_000_000);
    second.restore(&snapshot);
    assert!(go(&mut second, 5_000_000) == after);
}

/// Pages that have not changed are shared.
#[test]
fn snapshots_share_pages() {
    let program = programs()
        .into_iter()
        .find(|path| path.ends_with("menu.elf"))
        .unwrap();
    let mut console = console(&program, false, Clock::Fast);
    go(&mut console, 20_000_000);
    let first = console.snapshot(None);
    go(&mut console, 20_000_000);
    let second = console.snapshot(Some(&first));
    let (all, new) = (first.bytes_after(None), second.bytes_after(Some(&first)));
    println!("a snapshot of {all} bytes, the next {new}");
    assert!(all > 26 << 20 && new < 4 << 20, "{all} {new}");
}

/// A second console that loads a state must reach the states of the run that saved it.
#[test]
fn a_loaded_state_repeats_the_run_that_saved_it() {
    let mut points = 0;
    for program in programs() {
        for recompiled in [false, true] {
            let mut saving = console(&program, recompiled, Clock::Fast);
            let mut loading = console(&program, recompiled, Clock::Fast);
            for step in [2_000_003, 20_000_011] {
                let ended = go(&mut saving, step).ended;
                let mut bytes = Vec::new();
                saving.save_state(&mut bytes).unwrap();
                loading.load_state(&mut bytes.as_slice()).unwrap();
                let mut again = Vec::new();
                loading.save_state(&mut again).unwrap();
                let place = format!("{} {recompiled} after {step}", program.display());
                assert!(again == bytes, "{place}: the saved states");
                let (first, second) = (go(&mut saving, STEP), go(&mut loading, STEP));
                assert!(first == second, "{place}: {:?} {:?}", first.ended, second.ended);
                points += 1;
                if ended != Ended::Time {
                    break;
                }
            }
        }
    }
    println!("states: {points} points of {} programs", programs().len());
}

/// Damaged states are errors and leave the console unchanged.
#[test]
fn damaged_states_change_nothing() {
    let program = programs()
        .into_iter()
        .find(|path| path.ends_with("menu.elf"))
        .unwrap();
    let mut console = console(&program, false, Clock::Fast);
    go(&mut console, 5_000_000);
    let mut bytes = Vec::new();
    console.save_state(&mut bytes).unwrap();
    go(&mut console, 5_000_000);
    let mut before = Vec::new();
    console.save_state(&mut before).unwrap();
    for length in [0, 10, 100, 1000, 1 << 20, 3 << 20, bytes.len() - 1] {
        console.load_state(&mut &bytes[..length]).unwrap_err();
    }
    let mut present = Vec::new();
    console.save_state(&mut present).unwrap();
    assert!(present == before);
}

/// A change of the layout needs a new version. The checksum covers the text of the layout.
#[test]
fn the_layout_of_states_belongs_to_its_version() {
    let console = Dreamcast::new(Config::default());
    let text = console.describe_state().unwrap();
    let sum = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    assert_eq!(
        (STATE_VERSION, sum),
        (4, 0x91F3_16E3_439B_F53C),
        "raise STATE_VERSION and write the new pair here"
    );
}
