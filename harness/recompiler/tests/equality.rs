//! Random code on both engines: state, memory, count and stop have to be equal.
//!
//! `SWIRL_RECOMPILER_CASES=10000000` runs more cases, `SWIRL_RECOMPILER_SEED=N` others.
#![cfg(target_arch = "x86_64")]
// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/random.rs"]
mod random;

use random::{Case, Machine, Random};

/// Cases of one piece of code: compiling takes most of the time.
const STATES: u64 = 40;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// A debug build compiles code so slowly that it runs fewer.
#[test]
fn random_code_is_the_same() {
    let cases = setting(
        "SWIRL_RECOMPILER_CASES",
        if cfg!(debug_assertions) { 2_000 } else { 40_000 },
    );
    let seed = setting("SWIRL_RECOMPILER_SEED", 1);
    let (mut ran, mut executed, mut regions) = (0, 0, 0);
    let mut instructions = 0;
    for number in 0..cases.div_ceil(STATES) {
        let mut random = Random::new(seed.wrapping_add(number));
        let mut machine = Machine::new(&mut random);
        for state in 0..STATES {
            let case = Case::new(&mut random);
            if let Err(difference) = machine.compare(&case) {
                panic!("seed {seed}, code {number}, state {state}: {difference}");
            }
            ran += 1;
        }
        executed += machine.executed;
        let statistics = machine.recompiler.statistics();
        regions += statistics.regions;
        instructions += statistics.instructions;
        assert_eq!(statistics.refused, 0);
    }
    println!(
        "equality: {ran} cases, {executed} instructions run, {regions} regions of {instructions} instructions compiled"
    );
    assert!(regions > ran / STATES);
}
