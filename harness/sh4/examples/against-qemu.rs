//! Differential fuzzing against qemu-sh4 (Debian's `qemu-user`): random user-mode programs, the whole visible
//! state and memory compared.
//!
//! ```text
//! cargo run --release -p swirl-sh4 --example against-qemu [-- --instructions N --seed S]
//! ```
//!
//! Runs one million instructions by default. The program skips instructions for which qemu 7.2 is known to be
//! wrong or which it cannot run in user mode, and prints a count for each reason. Exits with 1 at the first
//! difference and prints the instruction at which the two differ.

// A failed unwrap or panic here is a fault of the fuzzer itself, and should stop it.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../tests/common/qemu/mod.rs"]
mod qemu;

use std::process::ExitCode;

struct Arguments {
    instructions: u64,
    seed: u64,
}

fn arguments() -> Result<Arguments, String> {
    let mut arguments = Arguments {
        instructions: 1_000_000,
        seed: 1,
    };
    let mut rest = std::env::args().skip(1);
    while let Some(name) = rest.next() {
        let value = rest.next().ok_or(format!("{name} needs a number"))?;
        let value = value
            .parse()
            .map_err(|_| format!("{name}: {value} is no number"))?;
        match name.as_str() {
            "--instructions" => arguments.instructions = value,
            "--seed" => arguments.seed = value,
            _ => return Err(format!("{name}: expected --instructions N or --seed S")),
        }
    }
    Ok(arguments)
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    if !qemu::present() {
        eprintln!("qemu-sh4 is not installed (Debian: qemu-user)");
        return ExitCode::from(2);
    }
    let report = qemu::campaign(arguments.instructions, arguments.seed, |report| {
        eprint!("\r{} instructions", report.instructions);
    });
    eprintln!();
    print(&report, arguments.seed);
    ExitCode::from(u8::from(report.difference.is_some()))
}

fn print(report: &qemu::Report, seed: u64) {
    println!(
        "against qemu: {} instructions in {} programs, seed {seed}",
        report.instructions, report.programs
    );
    let run = report.rows.iter().filter(|&&count| count != 0);
    let (rows, least) = (run.clone().count(), run.min().copied().unwrap_or(0));
    println!(
        "{rows} of the table's {} rows, each at least {least} times",
        report.rows.len()
    );
    for (reason, count) in &report.skips {
        println!("skipped {count:8}: {reason}");
    }
    match &report.difference {
        Some(difference) => println!("difference: {difference}"),
        None => println!("no unexplained difference"),
    }
}
