//! `swirl run` for programs of the sound block's ARM7.

use super::Args;
use crate::exit::ExitStatus;
use anyhow::{Result, bail};
use verify::arm7;

/// Runs a program from its entry.
pub(super) fn run(args: &Args, elf: &[u8]) -> Result<ExitStatus> {
    if args.gdb.is_some() {
        bail!("--gdb drives SH-4 programs only");
    }
    let image = arm7::parse(elf)?;
    let mut machine = arm7::Arm7::new(image)?;
    let begin = std::time::Instant::now();
    let halt = machine.start(args.max_instructions);
    let report = report::Report {
        program: args.program.display().to_string(),
        seconds: begin.elapsed().as_secs_f64(),
        accesses: machine.sound_registers().take_accesses(),
        r0: machine.register(0),
        result: report::result(&machine),
        halt: &halt,
    };
    report.print(args.json)?;
    match halt.stop {
        arm7::Stop::Refused(..) => bail!("{halt}"),
        arm7::Stop::Idle | arm7::Stop::Until => Ok(ExitStatus::Done),
        _ => Ok(ExitStatus::CheckFailed),
    }
}

mod report {
    use anyhow::Result;
    use serde_json::json;
    use verify::arm7::{Access, Arm7, Halt, Stop};

    pub(super) struct Report<'a> {
        pub(super) program: String,
        pub(super) halt: &'a Halt,
        pub(super) r0: u32,
        pub(super) result: Option<u32>,
        pub(super) accesses: Vec<Access>,
        pub(super) seconds: f64,
    }

    /// Returns the word at `result` or `_result`, where programs store a result for comparison.
    pub(super) fn result(machine: &Arm7) -> Option<u32> {
        let bytes = machine.read(machine.symbols().address("result")?, 4).ok()?;
        bytes.first_chunk().map(|word| u32::from_le_bytes(*word))
    }

    impl Report<'_> {
        fn ended(&self) -> &'static str {
            match self.halt.stop {
                Stop::Idle => "idle",
                Stop::Until => "return",
                Stop::Limit => "limit",
                _ => "fault",
            }
        }

        fn fault(&self) -> Option<String> {
            (self.ended() == "fault").then(|| self.halt.to_string())
        }

        pub(super) fn print(&self, json: bool) -> Result<()> {
            if json {
                println!("{}", serde_json::to_string_pretty(&self.json())?);
            } else {
                print!("{}", self.text());
            }
            Ok(())
        }

        fn json(&self) -> serde_json::Value {
            let stores = self.accesses.iter().filter(|access| access.write);
            let stores = stores.map(|a| json!({"offset": a.offset, "size": a.size, "value": a.value}));
            json!({
                "program": self.program,
                "processor": "ARM7",
                "ended": self.ended(),
                "fault": self.fault(),
                "r0": self.r0,
                "result": self.result,
                "instructions": self.halt.instructions,
                "seconds": self.seconds,
                "aica_stores": stores.collect::<Vec<_>>(),
            })
        }

        fn text(&self) -> String {
            let end = match self.ended() {
                "idle" => format!("ended (waits in a branch to itself, {})", self.halt.place),
                "return" => "ended (returned from its entry)".to_owned(),
                "limit" => format!(
                    "reached the instruction limit at {:08x} ({})",
                    self.halt.pc, self.halt.place
                ),
                _ => format!("failed: {}", self.halt),
            };
            let result = self
                .result
                .map_or(String::new(), |word| format!(", result {word:08x}"));
            let mut text = format!("{end}\nr0 {:08x}{result}\n", self.r0);
            for access in self.accesses.iter().filter(|access| access.write) {
                let width = 2 * access.size as usize;
                text += &format!("AICA {:04x} = {:0width$x}\n", access.offset, access.value);
            }
            text + &format!(
                "{} instructions in {:.3} s\n",
                self.halt.instructions, self.seconds
            )
        }
    }
}
