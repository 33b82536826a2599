//! The console under the cycle model.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use dreamcast::{Clock, Config, Dreamcast, Ended, Until};
use machine::Image;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn console(path: &Path, recompiled: bool, threads: usize) -> Dreamcast {
    let mut console = Dreamcast::new(Config {
        threads,
        clock: Clock::Model,
        ..Config::default()
    });
    console
        .load(&Image::parse(&fs::read(path).unwrap()).unwrap())
        .unwrap();
    if recompiled {
        let recompiler = sh4_recompiler::Recompiler::new(sh4_recompiler::Options::default());
        console.accelerate(Box::new(recompiler.unwrap()));
    }
    console
}

/// What a run leaves behind.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    ended: Ended,
    text: String,
    cycles: u64,
    instructions: u64,
    frames: u64,
    renders: u64,
}

fn run(console: &mut Dreamcast, frames: u64) -> (Outcome, Vec<u8>) {
    let ended = console.run(Until {
        frame: frames,
        ..Until::FOREVER
    });
    let outcome = Outcome {
        ended,
        text: String::from_utf8_lossy(&console.take_console()).into_owned(),
        cycles: console.now().0,
        instructions: console.cpu.retired(),
        frames: console.frame(),
        renders: console.renders(),
    };
    (outcome, console.picture().rgba)
}

/// The outcome on the interpreter, after it was compared with the recompiler's.
fn run_everywhere(path: &Path, frames: u64) -> Outcome {
    let (first, picture) = run(&mut console(path, false, 1), frames);
    for threads in [1, 2] {
        let (other, same) = run(&mut console(path, true, threads), frames);
        assert_eq!(other, first, "{}, {threads} threads", path.display());
        assert!(
            same == picture,
            "{}, {threads} threads: another picture",
            path.display()
        );
    }
    first
}

#[test]
fn engines_agree_to_the_cycle() {
    let programs = [
        "tmu",
        "spg",
        "maple",
        "lists",
        "dmac",
        "aica",
        "exceptions",
        "wdt",
        "menu",
        "spin",
    ];
    for name in programs {
        let path = root().join(format!("roms/console/{name}.elf"));
        let outcome = run_everywhere(&path, 60);
        println!("{name}: {outcome:?}");
        let expected = if matches!(name, "menu" | "spin") {
            Ended::Frame
        } else {
            Ended::Exit(0)
        };
        assert_eq!(outcome.ended, expected, "{name}");
    }
}

/// Programs of a folder of one's own: SWIRL_CONSOLE_PROGRAMS=FOLDER.
#[test]
fn engines_agree_on_other_programs() {
    let Some(folder) = std::env::var_os("SWIRL_CONSOLE_PROGRAMS") else {
        println!("0 programs: SWIRL_CONSOLE_PROGRAMS names no folder");
        return;
    };
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in &paths {
        let outcome = run_everywhere(path, 120);
        println!("{}: {} cycles", path.display(), outcome.cycles);
    }
    println!("{} programs", paths.len());
}
