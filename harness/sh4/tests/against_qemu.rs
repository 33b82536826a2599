//! A small run of the differential fuzzing that `examples/against-qemu.rs` does at length.

// A failed unwrap or panic in a helper fails the test.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/qemu/mod.rs"]
mod qemu;

#[test]
fn against_qemu() {
    if !qemu::present() {
        println!("against qemu: 0 instructions, qemu-sh4 is not installed");
        return;
    }
    let report = qemu::campaign(40_000, 2, |_| {});
    println!(
        "against qemu: {} instructions, {} proposals skipped for {} reasons",
        report.instructions,
        report.skips.values().sum::<u64>(),
        report.skips.len()
    );
    assert_eq!(report.difference, None);
    assert!(report.instructions >= 40_000);
    let run = report.rows.iter().filter(|&&count| count != 0).count();
    assert!(run > 150, "only {run} rows of the table were run");
}
