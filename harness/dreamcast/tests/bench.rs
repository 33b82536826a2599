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
        share > 0.9,
        "{name}: {share} of the instructions in compiled code"
    );
}

#[test]
fn pack() {
    compare("pack", "pack 9a9da4b5\n");
}

#[test]
fn script() {
    compare("script", "script 137d0648\n");
}

#[test]
fn scene() {
    compare("scene", "scene 4bf57c21\n");
}

#[test]
fn mixer() {
    compare("mixer", "mixer b6059cb9\n");
}
