//! Runs SingleStepTests/sh4 on both engines and compares the results. The test `sst` of `sh4` checks the
//! interpreter's results.
//!
//! Each case is compiled separately, so only one in four runs. `SWIRL_SST_ALL=1` runs all.
#![cfg(target_arch = "x86_64")]
// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic, dead_code)]

#[path = "../../sh4/tests/common/sst.rs"]
mod data;

use data::{Case, State, TestBus};
use sh4::{Cpu, Run, Settings};
use sh4_recompiler::{Options, Recompiler};

fn settings() -> Settings {
    Settings {
        alignment_checks: false,
        privilege_checks: false,
        fpu_disable_checks: false,
        fcause_update: false,
        ..Settings::default()
    }
}

type Ended = (Run, Option<String>, Cpu);

fn interpret(case: &Case) -> Ended {
    let (mut cpu, mut bus) = (Cpu::new(settings()), TestBus::new(case));
    case.initial.put(&mut cpu);
    let run = cpu.run(&mut bus, None, 4, &mut ());
    (run, bus.wrong, cpu)
}

fn recompile(case: &Case) -> (Ended, u64) {
    let (mut cpu, mut bus) = (Cpu::new(settings()), TestBus::new(case));
    case.initial.put(&mut cpu);
    let mut recompiler = Recompiler::new(Options { hot: 1 }).unwrap();
    let run = cpu.run_accelerated(&mut bus, None, 4, &mut recompiler);
    ((run, bus.wrong, cpu), recompiler.statistics().regions)
}

#[test]
fn single_step_tests() {
    let Some(files) = data::files() else {
        corpus::absent("sst");
        return;
    };
    let step = if std::env::var_os("SWIRL_SST_ALL").is_some() {
        1
    } else {
        4
    };
    let (mut equal, mut compiled, mut left_out) = (0, 0, 0);
    for path in &files {
        for (number, case) in data::cases(path).iter().enumerate() {
            if number % step != 0 {
                left_out += 1;
                continue;
            }
            let ((run, wrong, cpu), (other, regions)) = (interpret(case), recompile(case));
            let name = path.file_name().unwrap().to_string_lossy();
            assert_eq!((run, &wrong), (other.0, &other.1), "{name} case {number}");
            let difference = State::take(&other.2).differs(&State::take(&cpu));
            assert_eq!(difference, None, "{name} case {number}");
            assert!(cpu == other.2, "{name} case {number}");
            equal += 1;
            compiled += regions;
        }
    }
    println!(
        "sst: {} files, {equal} cases equal, {compiled} regions compiled; {left_out} cases left out for time",
        files.len()
    );
    assert!(files.is_empty() || compiled > equal / 2);
}
