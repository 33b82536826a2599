//! The checklist on the interpreter.

// A failed unwrap or panic in a helper fails the test.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "points.rs"]
mod points;

/// The engine that runs the code.
mod engine {
    use sh4::{Bus, Cpu, Run, Stop};

    pub(crate) fn run<B: Bus>(cpu: &mut Cpu, bus: &mut B, until: Option<u32>, limit: u64) -> Run {
        cpu.run(bus, until, limit, &mut ())
    }

    pub(crate) fn step<B: Bus>(cpu: &mut Cpu, bus: &mut B) -> Result<(), Stop> {
        cpu.step(bus)
    }
}
