//! `swirl run`: a bare-metal program to its end.

mod gdb;
mod session;
mod sound;

use crate::cpu_engine::CpuEngine;
use crate::exit::ExitStatus;
use crate::input;
use crate::processors::EM_ARM;
use anyhow::{Context, Result};
use machine::{CacheMode, Image};
use serde::Serialize;
use session::{End, Session};
use std::path::PathBuf;
use std::time::Instant;

/// Run a bare-metal program to its end.
///
/// The machine has 16 MB of RAM, store queues, the serial port with FIFO (its output goes to standard output) and
/// dcload's calls for console output and exit. Exceptions are taken through VBR. Other on-chip registers read 0 and
/// are named on standard error when they are first touched; anything else that is not there ends the run.
///
/// A program ends by SLEEP where no interrupt can come, by dcload's exit, or by returning from its entry. Exit status
/// 0 if it did and its exit code is 0; 1 if the code is another, the program failed, or it reached the limit; 2 if the
/// file is no program.
///
/// ARM files run on the sound block's ARM7, where it is built in (feature `unicorn`): 2 MB of sound RAM at 0, and the
/// AICA's registers as plain memory whose stores are listed. Such a program ends by a branch to itself, since no
/// interrupt comes, or by returning; an instruction that an ARMv3 does not have is exit status 2.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl run program.elf\n  \
    swirl run program.elf --max-instructions 100000000 --json\n  \
    swirl run program.elf --caches cached\n  \
    swirl run program.elf --gdb 3333    (then: gdb-multiarch program.elf -ex 'target remote :3333')\n\n\
    JSON: {\"program\", \"ended\": \"sleep\" | \"exit\" | \"limit\" | \"fault\" | \"killed\", \"exit_code\", \"fault\", \"r0\",\n  \
    \"result\" (the word at symbol _result), \"instructions\", \"seconds\", \"mips\", \"console\", \"warnings\"}\n\
    JSON of ARM programs: {\"program\", \"processor\", \"ended\": \"idle\" | \"return\" | \"limit\" | \"fault\", \"fault\",\n  \
    \"r0\", \"result\", \"instructions\", \"seconds\", \"aica_stores\": [{\"offset\", \"size\", \"value\"}]}")]
pub(crate) struct Args {
    /// The ELF file.
    elf: PathBuf,
    /// End after this many instructions.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    max_instructions: u64,
    /// How the CPU sees memory.
    #[arg(long, value_enum, default_value_t = Caches::Coherent)]
    caches: Caches,
    /// What runs the program: both engines come to the same results. With --caches cached or for an ARM program auto is
    /// the interpreter; under --gdb the recompiler runs what is not stepped or watched.
    #[arg(long, value_enum, default_value_t)]
    engine: CpuEngine,
    /// Wait for gdb on this port of this host, and let it drive the program; 0 chooses a port.
    #[arg(long, value_name = "PORT")]
    gdb: Option<u16>,
    /// Print the result as JSON, and the program's output in it.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Caches {
    /// Without a cache: stores are in memory at once.
    Coherent,
    /// Through the operand cache, as the program sets CCR.
    Cached,
}

#[derive(Serialize)]
struct Json<'a> {
    program: String,
    ended: &'static str,
    exit_code: Option<u32>,
    fault: Option<&'a str>,
    r0: u32,
    result: Option<u32>,
    instructions: u64,
    seconds: f64,
    mips: f64,
    console: String,
    warnings: &'a [String],
}

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    let name = args.elf.display().to_string();
    let bytes = input::read(&args.elf)?;
    if machine::elf_machine(&bytes).with_context(|| name.clone())? == EM_ARM {
        return sound::run(args, &bytes).with_context(|| name.clone());
    }
    let image = Image::parse(&bytes).with_context(|| name.clone())?;
    let caches = match args.caches {
        Caches::Coherent => CacheMode::Coherent,
        Caches::Cached => CacheMode::Cached,
    };
    let mut session = Session::new(&image, caches, !args.json).with_context(|| name.clone())?;
    args.engine
        .prepare(&mut session.machine, caches == CacheMode::Coherent)?;
    let begin = Instant::now();
    let end = match args.gdb {
        Some(port) => gdb::serve(&mut session, port, args.max_instructions)?.unwrap_or(End::Killed),
        None => session.go(args.max_instructions, &mut ())?.unwrap_or(End::Limit),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let report = Report {
        session: &session,
        end: &end,
        seconds,
    };
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report.json(name))?);
    } else {
        print!("{}", report.text());
    }
    Ok(match end {
        End::Sleep | End::Exit(0) => ExitStatus::Done,
        _ => ExitStatus::CheckFailed,
    })
}

struct Report<'a> {
    session: &'a Session,
    end: &'a End,
    seconds: f64,
}

impl Report<'_> {
    /// The word at `_result`, where programs leave what others compare.
    fn result(&self) -> Option<u32> {
        let machine = &self.session.machine;
        let address = machine.symbols().address("_result")?;
        let bytes = machine.memory().read(address, 4).ok()?;
        bytes.first_chunk().map(|word| u32::from_le_bytes(*word))
    }

    fn mips(&self) -> f64 {
        self.session.executed as f64 / self.seconds.max(1e-9) / 1e6
    }

    fn text(&self) -> String {
        let end = match self.end {
            End::Sleep => "ended (sleep)".to_owned(),
            End::Exit(code) => format!("ended, exit code {code}"),
            End::Limit => "reached the instruction limit".to_owned(),
            End::Fault(why) => format!("failed: {why}"),
            End::Killed => "ended by the debugger".to_owned(),
        };
        let result = self
            .result()
            .map_or(String::new(), |word| format!(", _result {word:08x}"));
        format!(
            "{end}\nr0 {:08x}{result}\n{} instructions in {:.3} s, {:.0} MIPS\n",
            self.session.machine.cpu.r[0],
            self.session.executed,
            self.seconds,
            self.mips()
        )
    }

    fn json(&self, program: String) -> Json<'_> {
        let (ended, exit_code, fault) = match self.end {
            End::Sleep => ("sleep", None, None),
            End::Exit(code) => ("exit", Some(*code), None),
            End::Limit => ("limit", None, None),
            End::Fault(why) => ("fault", None, Some(why.as_str())),
            End::Killed => ("killed", None, None),
        };
        Json {
            program,
            ended,
            exit_code,
            fault,
            r0: self.session.machine.cpu.r[0],
            result: self.result(),
            instructions: self.session.executed,
            seconds: self.seconds,
            mips: self.mips(),
            console: String::from_utf8_lossy(&self.session.console).into_owned(),
            warnings: &self.session.warnings,
        }
    }
}
