//! Compares swirl's speed with qemu-sh4's, for the same programs in one run.
//!
//! ```text
//! cargo run --release -p swirl-recompiler --example ratios [-- OPTIONS]
//! ```
//!
//! The options are `--engine interpreter|recompiler`, `--exact`, `--rounds N`. Both programs run as child
//! processes, alternately, round by round. The table shows the round with the median ratio: user CPU times,
//! and qemu's time divided by swirl's (more is better).
//!
//! `--exact` rounds the exact inner product of FTRV and FIPR; the chip truncates the addends instead.
//! Programs with FTRV also run with a rotated matrix, which makes all products inexact in single precision.
//! The exit status is 1 if a program misses its target, 2 if a file or program is missing.

// A failed unwrap here is a fault of the measurement itself, and should stop it.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../sh4/tests/common/program.rs"]
mod program;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use sh4::{Bus, Cpu, Run, Settings, Stop, flat::FlatBus};
use sh4_fpu::inner::InnerProduct;
use sh4_recompiler::{Options, Recompiler};

/// The kind of measurement.
#[derive(Clone, Copy)]
struct Kind {
    engine: Engine,
    exact: bool,
    /// See [`turn`].
    turned: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Engine {
    Interpreter,
    Recompiler,
}

impl Engine {
    fn name(self) -> &'static str {
        match self {
            Engine::Interpreter => "interpreter",
            Engine::Recompiler => "recompiler",
        }
    }

    fn parse(name: &str) -> Option<Engine> {
        [Engine::Interpreter, Engine::Recompiler]
            .into_iter()
            .find(|engine| engine.name() == name)
    }
}

/// Programs with their targets. Interpreter: twice the speed of the fastest interpreter of 2026. Recompiler,
/// on integer code: qemu's speed. Recompiler, on FPU code: faster than every other emulator, since qemu
/// emulates the FPU in software.
const TARGETS: [Target; 8] = [
    Target::of("int_crc", 0.25, 1.1),
    Target::of("mem_copy", 0.09, 1.0),
    Target::of("fpu_ftrv", 4.0, 20.0),
    Target::of("fpu_ftrv", 4.0, 20.0).turned(),
    Target::of("fpu_mixed", 3.0, 18.0),
    Target::of("fpu_mixed", 3.0, 18.0).turned(),
    Target::of("fpu_mixfmac", 1.7, 15.0),
    Target::of("c_mix", 0.09, 1.0),
];

struct Target {
    name: &'static str,
    interpreter: f64,
    recompiler: f64,
    turned: bool,
}

impl Target {
    const fn of(name: &'static str, interpreter: f64, recompiler: f64) -> Target {
        Target {
            name,
            interpreter,
            recompiler,
            turned: false,
        }
    }

    const fn turned(self) -> Target {
        Target { turned: true, ..self }
    }

    fn title(&self) -> String {
        let turned = if self.turned { ", turned" } else { "" };
        format!("{}{turned}", self.name)
    }

    /// Target ratio. `None` for a rotated matrix: qemu then uses the host's arithmetic, once FPSCR's inexact
    /// flag is set.
    fn wanted(&self, kind: Kind) -> Option<f64> {
        match kind.engine {
            _ if self.turned => None,
            Engine::Interpreter => Some(self.interpreter),
            Engine::Recompiler => Some(self.recompiler),
        }
    }
}

/// Minimum seconds of qemu in a round. Shorter programs are repeated, because the clock counts hundredths.
const QEMU_AT_LEAST: f64 = 0.3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // The median of three is steady enough: qemu takes seconds for the programs with FTRV.
    let mut kind = Kind {
        engine: Engine::Recompiler,
        exact: false,
        turned: false,
    };
    let (mut rounds, mut only) = (3, None);
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        match (name.as_str(), arguments.as_slice().first()) {
            ("--exact", _) => {
                kind.exact = true;
                continue;
            }
            ("--turned", _) => {
                kind.turned = true;
                continue;
            }
            ("--engine", Some(value)) => match Engine::parse(value) {
                Some(named) => kind.engine = named,
                None => return usage(),
            },
            ("--rounds", Some(value)) => match value.parse() {
                Ok(count) if count > 0 => rounds = count,
                _ => return usage(),
            },
            ("--run", Some(value)) => only = Some(value),
            _ => return usage(),
        }
        arguments.next();
    }
    match only {
        Some(name) => run(name, kind),
        None => compare(kind, rounds),
    }
}

fn usage() -> ExitCode {
    eprintln!("expected --engine interpreter|recompiler, --exact, --rounds N, --run PROGRAM [--turned]");
    ExitCode::from(2)
}

/// Runs one program once in this process.
fn run(name: &str, kind: Kind) -> ExitCode {
    let Some(wanted) = program::PROGRAMS.iter().find(|program| program.name == name) else {
        return usage();
    };
    let mut settings = Settings::default();
    if kind.exact {
        settings.fipr_model = InnerProduct::Exact;
    }
    let (mut bus, mut cpu) = program::load(name, settings);
    if kind.turned && !bus.window().is_some_and(|window| turn(window.bytes)) {
        eprintln!("{name} has no matrix");
        return ExitCode::from(2);
    }
    let run = execute(kind.engine, &mut cpu, &mut bus);
    assert_eq!(run.stop, Stop::Sleep, "{name}");
    assert!(kind.turned || cpu.r[0] == wanted.checksum, "{name}");
    println!("{}", run.executed);
    ExitCode::SUCCESS
}

/// XMTRX of the programs with FTRV, by columns: small dyadic numbers. With the whole coordinates of the
/// vertices all products are exact in single precision.
const MATRIX: [[f32; 4]; 4] = [
    [2.0, 0.5, 0.0, 0.0],
    [-1.0, 3.0, 0.25, 0.0],
    [0.5, 1.0, 2.0, 0.25],
    [16.0, -8.0, 4.0, 300.0],
];

/// Replaces the matrix in a program by a rotation of 40 degrees about Y and 30 about X, so that products and
/// sums are inexact. Returns false if the program does not contain the matrix.
fn turn(program: &mut [u8]) -> bool {
    let bytes = |matrix: [[f32; 4]; 4]| {
        matrix
            .as_flattened()
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect()
    };
    let (old, (sx, cx), (sy, cy)): (Vec<u8>, _, _) = (
        bytes(MATRIX),
        30f32.to_radians().sin_cos(),
        40f32.to_radians().sin_cos(),
    );
    let new: Vec<u8> = bytes([
        [cy, sx * sy, -cx * sy, 0.0],
        [0.0, cx, sx, 0.0],
        [sy, -sx * cy, cx * cy, 0.25],
        MATRIX[3],
    ]);
    let found = program.windows(old.len()).position(|window| window == old);
    if let Some(place) = found {
        program[place..place + new.len()].copy_from_slice(&new);
    }
    found.is_some()
}

fn execute(engine: Engine, cpu: &mut Cpu, bus: &mut FlatBus) -> Run {
    if engine == Engine::Interpreter {
        return cpu.run(bus, None, u64::MAX, &mut ());
    }
    let mut recompiler = Recompiler::new(Options::default()).unwrap();
    let run = cpu.run_accelerated(bus, None, u64::MAX, &mut recompiler);
    eprintln!("{:?}", recompiler.statistics());
    run
}

fn compare(kind: Kind, rounds: usize) -> ExitCode {
    println!(
        "{:18} {:>9} {:>9} {:>8} {:>8} {:>8}",
        "program", "qemu s", "ours s", "MIPS", "ratio", "target"
    );
    let mut missed = 0;
    for target in TARGETS {
        let kind = Kind {
            turned: target.turned,
            ..kind
        };
        let (name, title, target) = (target.name, target.title(), target.wanted(kind));
        match median(name, kind, rounds) {
            Ok(row) => {
                let ratio = row.qemu / row.ours;
                let is_missed = target.is_some_and(|target| ratio < target);
                let met = if is_missed { "  missed" } else { "" };
                missed += u8::from(is_missed);
                let target = target.map_or("-".into(), |target| format!("{target:.1}"));
                println!(
                    "{title:18} {:9.3} {:9.3} {:8.0} {ratio:8.3} {target:>8}{met}",
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
        "{missed} of {} targets missed by the {}; user CPU time, {rounds} rounds",
        TARGETS.len(),
        kind.engine.name()
    );
    ExitCode::from(u8::from(missed != 0))
}

/// Seconds of a round, and swirl's instruction count.
struct Row {
    qemu: f64,
    ours: f64,
    executed: f64,
}

/// The round with the median ratio.
fn median(name: &str, kind: Kind, rounds: usize) -> Result<Row, String> {
    let mut all = (0..rounds)
        .map(|_| round(name, kind))
        .collect::<Result<Vec<Row>, String>>()?;
    all.sort_by(|a, b| (a.qemu / a.ours).total_cmp(&(b.qemu / b.ours)));
    Ok(all.swap_remove(rounds / 2))
}

fn round(name: &str, kind: Kind) -> Result<Row, String> {
    let bare = program::path(name);
    let linux = bare.with_file_name("linux").join(format!("{name}.elf"));
    for path in [&bare, &linux] {
        if !path.exists() {
            return Err(format!("{} is absent", path.display()));
        }
    }
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut arguments = vec!["--engine", kind.engine.name(), "--run", name];
    arguments.extend(kind.exact.then_some("--exact"));
    arguments.extend(kind.turned.then_some("--turned"));
    let linux = if kind.turned { turned_copy(&linux)? } else { linux };
    let (ours, output) = timed(&own, &arguments)?;
    let executed = output
        .trim()
        .parse()
        .map_err(|_| format!("our run printed {output}"))?;
    let (mut qemu, mut runs) = (0.0, 0.0);
    while qemu < QEMU_AT_LEAST {
        qemu += timed(Path::new("qemu-sh4"), &[&linux.to_string_lossy()])?.0;
        runs += 1.0;
    }
    if kind.turned {
        std::fs::remove_file(&linux).map_err(|error| format!("{}: {error}", linux.display()))?;
    }
    Ok(Row {
        qemu: qemu / runs,
        ours,
        executed,
    })
}

/// A copy of a program for qemu with another matrix, see [`turn`].
fn turned_copy(linux: &Path) -> Result<PathBuf, String> {
    let error = |error: std::io::Error| format!("{}: {error}", linux.display());
    let mut program = std::fs::read(linux).map_err(error)?;
    if !turn(&mut program) {
        return Err(format!("{} has no matrix", linux.display()));
    }
    let copy = std::env::temp_dir().join(format!("swirl-ratios-{}", std::process::id()));
    // A copy keeps the permission to execute.
    std::fs::copy(linux, &copy).map_err(error)?;
    std::fs::write(&copy, program).map_err(error)?;
    Ok(copy)
}

/// Runs a command. Returns its user CPU time in seconds, and its output.
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

/// User CPU seconds of all children that have ended: the 16th field of `/proc/self/stat` (proc(5)), in
/// hundredths.
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
