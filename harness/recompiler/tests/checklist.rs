//! Runs the checklist of `sh4`, a list of common faults of SH-4 cores, in compiled code.
//!
//! Each piece of code first runs on copies of the machine until its blocks are compiled.
#![cfg(target_arch = "x86_64")]
// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../sh4/tests/checklist/points.rs"]
mod points;

/// Engine of the checklist: the recompiler.
mod engine {
    use sh4::{Bus, Cpu, Run, Stop};
    use sh4_recompiler::{Options, Recompiler};

    /// Number of runs on copies, after which the code is compiled, and recompiled for its exits.
    const COPIES: usize = 24;

    pub(crate) fn run<B: Bus + Clone>(cpu: &mut Cpu, bus: &mut B, until: Option<u32>, limit: u64) -> Run {
        let mut recompiler = Recompiler::new(Options { hot: 1 }).unwrap();
        for _ in 0..COPIES {
            let (mut cpu, mut bus) = (cpu.clone(), bus.clone());
            cpu.run_accelerated(&mut bus, until, limit, &mut recompiler);
        }
        let run = cpu.run_accelerated(bus, until, limit, &mut recompiler);
        println!("{:?}", recompiler.statistics());
        run
    }

    pub(crate) fn step<B: Bus + Clone>(cpu: &mut Cpu, bus: &mut B) -> Result<(), Stop> {
        match run(cpu, bus, None, 1).stop {
            Stop::Limit => Ok(()),
            stop => Err(stop),
        }
    }
}
