//! Our interpreter's speed beside qemu-sh4's recompiler, on the same programs in one run.
//!
//! ```text
//! cargo run --release -p sh4 --example ratios [-- --rounds N]
//! ```
//!
//! For each program the user CPU time of both, as child processes one after the other, round by round; the ratio
//! (qemu's time divided by ours, so that more is better) is the median of the rounds. Exits with 1 if a ratio misses
//! its target, 2 if something is missing.

// A failed unwrap here is a fault of the measurement itself, and should stop it.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../tests/common/program.rs"]
mod program;

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use sh4::{Settings, Stop};

/// Twice the speed of the best interpreter of 2026 on each program.
const TARGETS: [(&str, f64); 6] = [
    ("int_crc", 0.25),
    ("mem_copy", 0.09),
    ("fpu_ftrv", 4.0),
    ("fpu_mixed", 3.0),
    ("fpu_mixfmac", 1.7),
    ("c_mix", 0.09),
];

/// Seconds of qemu a round: on some programs it is done before the clock's hundredths say much, and runs again.
const QEMU_AT_LEAST: f64 = 0.3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => compare(3),
        // The median of three is steady enough: qemu takes seconds for the programs with FTRV.
        ["--rounds", rounds] => match rounds.parse() {
            Ok(rounds) if rounds > 0 => compare(rounds),
            _ => usage(),
        },
        ["--run", name] => run(name),
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("expected nothing, --rounds N, or --run PROGRAM");
    ExitCode::from(2)
}

/// Our side: one program, once.
fn run(name: &str) -> ExitCode {
    let Some(wanted) = program::PROGRAMS.iter().find(|program| program.name == name) else {
        return usage();
    };
    let Some((mut bus, mut cpu)) = program::load(name, Settings::default()) else {
        return ExitCode::from(2);
    };
    let run = cpu.run(&mut bus, None, u64::MAX, &mut ());
    assert_eq!((run.stop, cpu.r[0]), (Stop::Sleep, wanted.checksum), "{name}");
    println!("{}", run.executed);
    ExitCode::SUCCESS
}

fn compare(rounds: usize) -> ExitCode {
    println!(
        "{:12} {:>9} {:>9} {:>8} {:>8} {:>8}",
        "program", "qemu s", "ours s", "MIPS", "ratio", "target"
    );
    let mut missed = 0;
    for (name, target) in TARGETS {
        match median(name, rounds) {
            Ok(row) => {
                let ratio = row.qemu / row.ours;
                let met = if ratio >= target { "" } else { "  missed" };
                missed += u8::from(ratio < target);
                println!(
                    "{name:12} {:9.3} {:9.3} {:8.0} {ratio:8.3} {target:8.2}{met}",
                    row.qemu,
                    row.ours,
                    row.executed / row.ours / 1e6
                );
            }
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    println!(
        "{missed} of {} targets missed; user CPU time, {rounds} rounds",
        TARGETS.len()
    );
    ExitCode::from(u8::from(missed != 0))
}

/// Seconds of a round, and the instructions we ran.
struct Row {
    qemu: f64,
    ours: f64,
    executed: f64,
}

/// The round with the median ratio.
fn median(name: &str, rounds: usize) -> Result<Row, String> {
    let mut all = (0..rounds)
        .map(|_| round(name))
        .collect::<Result<Vec<Row>, String>>()?;
    all.sort_by(|a, b| (a.qemu / a.ours).total_cmp(&(b.qemu / b.ours)));
    Ok(all.swap_remove(rounds / 2))
}

fn round(name: &str) -> Result<Row, String> {
    let bare = program::path(name);
    let linux = bare.with_extension("linux");
    for path in [&bare, &linux] {
        if !path.exists() {
            return Err(format!("{} is absent", path.display()));
        }
    }
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let (ours, output) = timed(&own, &["--run", name])?;
    let executed = output
        .trim()
        .parse()
        .map_err(|_| format!("our run said {output}"))?;
    let (mut qemu, mut runs) = (0.0, 0.0);
    while qemu < QEMU_AT_LEAST {
        qemu += timed(Path::new("qemu-sh4"), &[&linux.to_string_lossy()])?.0;
        runs += 1.0;
    }
    Ok(Row {
        qemu: qemu / runs,
        ours,
        executed,
    })
}

/// Runs a command; its user CPU time in seconds, and what it wrote.
fn timed(command: &Path, arguments: &[&str]) -> Result<(f64, String), String> {
    let before = children_time()?;
    let output = Command::new(command)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", command.display()))?;
    if !output.status.success() {
        return Err(format!("{}: {}", command.display(), output.status));
    }
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok((children_time()? - before, output))
}

/// User CPU seconds of all children that have ended: the 16th field of `/proc/self/stat` (proc(5)), in hundredths.
fn children_time() -> Result<f64, String> {
    let stat =
        std::fs::read_to_string("/proc/self/stat").map_err(|error| format!("/proc/self/stat: {error}"))?;
    // The second field is a name in brackets, which may hold spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let hundredths: Option<f64> = fields.clone().nth(16 - 3).and_then(|field| field.parse().ok());
    hundredths
        .map(|hundredths| hundredths / 100.0)
        .ok_or_else(|| "/proc/self/stat: no 16th field".into())
}
