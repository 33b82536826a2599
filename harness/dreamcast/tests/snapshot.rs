//! Snapshots: a run from a restored snapshot must equal the original run, on both engines and with both
//! clocks.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

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
    // Other hosts have one engine.
    if recompiled && cfg!(target_arch = "x86_64") {
        let options = sh4_recompiler::Options::default();
        console.accelerate(Box::new(sh4_recompiler::Recompiler::new(options).unwrap()));
    }
    console
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
}

fn go(console: &mut Dreamcast, cycles: u64) -> State {
    let ended = console.run(Until {
        time: console.now() + cycles,
        ..Until::FOREVER
    });
    let word = |address: u32| u64::from(console.word(address).unwrap());
    let ram = (0x0C00_0000..0x0D00_0000)
        .step_by(4)
        .fold(0, |sum: u64, address| sum.rotate_left(5) ^ word(address));
    State {
        ended,
        cpu: console.cpu.clone(),
        retired: console.cpu.retired(),
        now: console.now(),
        frame: console.frame(),
        renders: console.renders(),
        picture: console.picture().rgba,
        ram,
        text: console.take_console(),
    }
}

/// After a restore, the steps from a snapshot on must give the same states.
#[test]
fn a_restored_console_repeats_its_run() {
    let (mut points, mut runs) = (0, 0);
    for program in programs() {
        for (recompiled, clock) in [(false, Clock::Fast), (true, Clock::Fast), (false, Clock::Model)] {
            let mut console = console(&program, recompiled, clock);
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
                    go(&mut console, STEP / 2);
                }
                console.restore(&snapshot);
                assert_eq!(console.cpu.retired(), snapshot.retired());
                for (step, state) in steps.iter().zip(&first) {
                    let again = go(&mut console, *step);
                    let place = format!("{} {recompiled} {clock:?}", program.display());
                    assert_eq!(again.text, state.text, "{place}");
                    let counts = |state: &State| (state.ended.clone(), state.retired, state.now);
                    assert_eq!(counts(&again), counts(state), "{place}");
                    assert!(again == *state, "{place}: registers, memory or picture");
                    points += 1;
                }
                if first.iter().any(|state| state.ended != Ended::Time) {
                    break;
                }
                old = Some(snapshot);
            }
            runs += 1;
        }
    }
    println!(
        "snapshots: {points} points, {runs} runs of {} programs",
        programs().len()
    );
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
    assert!(all > 24 << 20 && new < 8 << 20, "{all} {new}");
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
    for length in [0, 10, 100, 1000, 3 << 20, bytes.len() - 1] {
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
        (1, 0xDA76_C851_FE20_ADA3),
        "raise STATE_VERSION and write the new pair here"
    );
}
