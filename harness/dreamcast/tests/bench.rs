//! The programs of `roms/src/bench` on both engines. Text, time, instructions and memory must be equal. Most
//! instructions must run in compiled code.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use dreamcast::{Config, Dreamcast, Ended, Until};
use machine::Image;
use sh4_recompiler::{COMPILED_INSTRUCTIONS, Options, Recompiler};

/// Results of a run.
struct Outcome {
    text: String,
    cycles: u64,
    instructions: u64,
    registers: [u32; 16],
    memory: Vec<u32>,
    compiled: u64,
}

fn run(name: &str, recompiler: bool) -> Outcome {
    let path = format!("{}/../../roms/bench/{name}.elf", env!("CARGO_MANIFEST_DIR"));
    let elf = std::fs::read(path).unwrap();
    let mut console = Dreamcast::new(Config::default());
    console.load(&Image::parse(&elf).unwrap()).unwrap();
    if recompiler {
        console.accelerate(Box::new(Recompiler::new(Options::console()).unwrap()));
    }
    let ended = console.run(Until {
        frame: 600,
        ..Until::FOREVER
    });
    assert_eq!(ended, Ended::Exit(0), "{name}");
    let report = console.engine_report();
    let compiled = report.iter().find(|(name, _)| *name == COMPILED_INSTRUCTIONS);
    Outcome {
        text: String::from_utf8(console.take_console()).unwrap(),
        cycles: console.now().0,
        instructions: console.cpu.retired(),
        registers: console.cpu.r,
        memory: (0x8C01_0000..0x8C11_0000)
            .step_by(4)
            .map(|at| console.word(at).unwrap())
            .collect(),
        compiled: compiled.map_or(0, |(_, count)| *count),
    }
}

fn compare(name: &str, text: &str) {
    let [interpreted, compiled] = [false, true].map(|recompiler| run(name, recompiler));
    assert_eq!(interpreted.text, text);
    assert_eq!(compiled.text, text);
    assert_eq!(
        (
            interpreted.cycles,
            interpreted.instructions,
            interpreted.registers
        ),
        (compiled.cycles, compiled.instructions, compiled.registers),
        "{name}"
    );
    assert!(interpreted.memory == compiled.memory, "{name}: memory differs");
    let share = compiled.compiled as f64 / compiled.instructions as f64;
    println!("{name}: {:.1} % in compiled code", 100.0 * share);
    assert!(
        share > 0.8,
        "{name}: {share} of the instructions in compiled code"
    );
}

#[test]
fn engine() {
    compare("engine", "engine a8bc8075\n");
}

#[test]
fn jpeg() {
    compare("jpeg", "jpeg c5640f0f\n");
}

#[test]
fn matrices() {
    compare("matrices", "matrices 7f9bccb7\n");
}

#[test]
fn mixer() {
    compare("mixer", "mixer 4617e768\n");
}

#[test]
fn pack() {
    compare("pack", "pack fdf10396\n");
}

#[test]
fn png() {
    compare("png", "png c96e9e11\n");
}

#[test]
fn poller() {
    compare("poller", "poller 1071766a\n");
}

#[test]
fn scene() {
    compare("scene", "scene 94f1a0a2\n");
}

#[test]
fn script() {
    compare("script", "script ac8c49b0\n");
}

#[test]
fn strings() {
    compare("strings", "strings e82b7241\n");
}

#[test]
fn threads() {
    compare("threads", "threads 7237c847\n");
}

#[test]
fn objects() {
    compare("objects", "values 7348\nkinds of errors 3\nobjects 71dfadaa\n");
}
