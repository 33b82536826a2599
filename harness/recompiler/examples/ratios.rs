//! Our speed beside qemu-sh4's recompiler, on the same programs in one run.
//!
//! ```text
//! cargo run --release -p swirl-recompiler --example ratios [-- OPTIONS]
//! ```
//!
//! The options are `--engine interpreter|recompiler`, `--cycles`, `--exact`, `--rounds N`. Both programs run as child
//! processes, one after the other, round by round. The table has their user CPU time and the ratio (qemu's time
//! divided by ours: more is better) of the round with the median ratio.
//!
//! `--cycles` counts cycles, events and caches too. The table then has the speed in multiples of the console's:
//! cycles at 200 MHz divided by our time. The target is [`CONSOLE`]; the ratio has none. `--exact` rounds the exact
//! inner product of FTRV and FIPR, where the chip cuts its addends. The exit status is 1 if a program misses its
//! target, 2 if something is missing.

// A failed unwrap here is a fault of the measurement itself, and should stop it.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../sh4/tests/common/program.rs"]
mod program;

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use sh4::{Cpu, Run, Settings, Stop, flat::FlatBus, listener};
use sh4_fpu::inner::InnerProduct;
use sh4_recompiler::{Options, Recompiler};
use timing::{Counter, Setup};

/// The kind of measurement.
#[derive(Clone, Copy)]
struct Kind {
    engine: Engine,
    cycles: bool,
    exact: bool,
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

/// A program and its targets: for the interpreter twice the speed of the best of 2026; for the recompiler at
/// least qemu's on integer code, and on FPU code, which qemu does in software, what leaves every other
/// emulator behind.
const TARGETS: [Target; 6] = [
    Target::of("int_crc", 0.25, 1.1, 1.1),
    Target::of("mem_copy", 0.09, 1.0, 1.0),
    Target::of("fpu_ftrv", 4.0, 20.0, 40.0),
    Target::of("fpu_mixed", 3.0, 12.0, 25.0),
    Target::of("fpu_mixfmac", 1.7, 15.0, 15.0),
    Target::of("c_mix", 0.09, 1.0, 1.0),
];

struct Target {
    name: &'static str,
    interpreter: f64,
    recompiler: f64,
    /// The recompiler's with the exact inner product.
    exact: f64,
}

impl Target {
    const fn of(name: &'static str, interpreter: f64, recompiler: f64, exact: f64) -> Target {
        Target {
            name,
            interpreter,
            recompiler,
            exact,
        }
    }

    /// The ratio wanted, or the multiple of the console's speed.
    fn wanted(&self, kind: Kind) -> f64 {
        match kind.engine {
            _ if kind.cycles => CONSOLE,
            Engine::Interpreter => self.interpreter,
            Engine::Recompiler if kind.exact => self.exact,
            Engine::Recompiler => self.recompiler,
        }
    }
}

/// Multiples of the console's speed that counting cycles has to reach.
const CONSOLE: f64 = 4.0;
/// Clock of the console's CPU, cycles a second.
const CLOCK: f64 = 200e6;

/// Seconds of qemu a round: on some programs it is done before the clock's hundredths say much, and runs
/// again.
const QEMU_AT_LEAST: f64 = 0.3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // The median of three is steady enough: qemu takes seconds for the programs with FTRV.
    let mut kind = Kind {
        engine: Engine::Recompiler,
        cycles: false,
        exact: false,
    };
    let (mut rounds, mut only) = (3, None);
    let mut arguments = arguments.iter();
    while let Some(name) = arguments.next() {
        match (name.as_str(), arguments.as_slice().first()) {
            ("--cycles", _) => {
                kind.cycles = true;
                continue;
            }
            ("--exact", _) => {
                kind.exact = true;
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
    eprintln!("expected --engine interpreter|recompiler, --cycles, --exact, --rounds N, --run PROGRAM");
    ExitCode::from(2)
}

/// Our side: one program, once.
fn run(name: &str, kind: Kind) -> ExitCode {
    let Some(wanted) = program::PROGRAMS.iter().find(|program| program.name == name) else {
        return usage();
    };
    let mut settings = Settings::default();
    if kind.exact {
        settings.fipr_model = InnerProduct::Exact;
    }
    let Some((mut bus, mut cpu)) = program::load(name, settings) else {
        return ExitCode::from(2);
    };
    let mut counter = Counter::new(Setup::default());
    let run = match kind.cycles {
        true => execute(kind.engine, &mut cpu, &mut bus, &mut counter),
        false => execute(kind.engine, &mut cpu, &mut bus, &mut ()),
    };
    assert_eq!((run.stop, cpu.r[0]), (Stop::Sleep, wanted.checksum), "{name}");
    println!("{} {}", run.executed, counter.finish().cycles().0);
    ExitCode::SUCCESS
}

fn execute(engine: Engine, cpu: &mut Cpu, bus: &mut FlatBus, observer: &mut impl sh4::Observer) -> Run {
    if engine == Engine::Interpreter {
        return cpu.run(bus, None, u64::MAX, observer);
    }
    let mut recompiler = Recompiler::new(Options::default()).unwrap();
    let run = cpu.run_accelerated_observed(bus, None, u64::MAX, listener(observer), &mut recompiler);
    eprintln!("{:?}", recompiler.statistics());
    run
}

fn compare(kind: Kind, rounds: usize) -> ExitCode {
    println!(
        "{:12} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "program", "qemu s", "ours s", "MIPS", "ratio", "console", "target"
    );
    let mut missed = 0;
    for target in TARGETS {
        let (name, target) = (target.name, target.wanted(kind));
        match median(name, kind, rounds) {
            Ok(row) => {
                let ratio = row.qemu / row.ours;
                let console = row.cycles / CLOCK / row.ours;
                let reached = if kind.cycles { console } else { ratio };
                let met = if reached >= target { "" } else { "  missed" };
                missed += u8::from(reached < target);
                println!(
                    "{name:12} {:9.3} {:9.3} {:8.0} {ratio:8.3} {console:8.1} {target:8.2}{met}",
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

/// Seconds of a round, and the instructions that we ran; the cycles counted, or 0.
struct Row {
    qemu: f64,
    ours: f64,
    executed: f64,
    cycles: f64,
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
    let linux = bare.with_extension("linux");
    for path in [&bare, &linux] {
        if !path.exists() {
            return Err(format!("{} is absent", path.display()));
        }
    }
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut arguments = vec!["--engine", kind.engine.name(), "--run", name];
    arguments.extend(kind.cycles.then_some("--cycles"));
    arguments.extend(kind.exact.then_some("--exact"));
    let (ours, output) = timed(&own, &arguments)?;
    let mut numbers = output.split_whitespace().map(str::parse);
    let (Some(Ok(executed)), Some(Ok(cycles))) = (numbers.next(), numbers.next()) else {
        return Err(format!("our run said {output}"));
    };
    let (mut qemu, mut runs) = (0.0, 0.0);
    while qemu < QEMU_AT_LEAST {
        qemu += timed(Path::new("qemu-sh4"), &[&linux.to_string_lossy()])?.0;
        runs += 1.0;
    }
    Ok(Row {
        qemu: qemu / runs,
        ours,
        executed,
        cycles,
    })
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
