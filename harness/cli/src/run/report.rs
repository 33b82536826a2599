//! Reports the result of `run`.

use super::audio::{Levels, LevelsJson};
use super::debug::Failure;
use super::findings::CheckResults;
use super::session::{End, Session};
use aica::ChannelState;
use anyhow::Result;
use serde::Serialize;
use sh4_recompiler::COMPILED_INSTRUCTIONS;

pub(super) struct Report<'a> {
    pub(super) session: &'a Session,
    pub(super) end: &'a End,
    pub(super) failure: Option<&'a Failure>,
    pub(super) checks: Option<&'a CheckResults>,
    /// Host time in seconds.
    pub(super) seconds: f64,
    /// Values of --clock and --caches.
    pub(super) clock: String,
    pub(super) caches: String,
}

#[derive(Serialize)]
struct Json<'a> {
    program: String,
    ended: &'static str,
    exit_code: Option<i32>,
    fault: Option<&'a str>,
    failure: Option<&'a Failure>,
    r0: u32,
    result: Option<u32>,
    instructions: u64,
    cycles: u64,
    frames: u64,
    renders: u64,
    console: String,
    #[serde(skip_serializing_if = "is_zero")]
    console_lost: u64,
    warnings: &'a [String],
    sound: Sound,
    #[serde(skip_serializing_if = "Option::is_none")]
    audio: Option<LevelsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<&'a CheckResults>,
}

/// State of the sound block at the end.
#[derive(Serialize)]
struct Sound {
    arm7_held: bool,
    channels: Vec<Channel>,
}

/// A playing channel.
#[derive(Serialize)]
struct Channel {
    channel: usize,
    format: &'static str,
    start: String,
    loops: bool,
    loop_start: u16,
    loop_end: u16,
    position: u16,
    hz: f64,
    released: bool,
    attenuation: u16,
    total_level: u8,
    send: u8,
    pan: u8,
    effect_level: u8,
    effect_input: u8,
}

impl Channel {
    fn of(state: ChannelState) -> Self {
        let [effect_level, effect_input] = state.effect;
        Self {
            channel: state.number,
            format: state.format.name(),
            start: format!("{:06x}", state.start),
            loops: state.loops,
            loop_start: state.loop_start,
            loop_end: state.loop_end,
            position: state.position,
            hz: state.hz,
            released: !state.keyed,
            attenuation: state.attenuation,
            total_level: state.total_level,
            send: state.send,
            pan: state.pan,
            effect_level,
            effect_input,
        }
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Report<'_> {
    pub(super) fn print(&self, program: String, json: bool) -> Result<()> {
        if json {
            println!("{}", serde_json::to_string_pretty(&self.json(program))?);
            return Ok(());
        }
        print!("{}", self.text());
        // Standard output is the same on every machine, so the host's time goes to standard error. `swirl
        // test` counts other lines there as warnings.
        eprintln!(
            "swirl: {:.3} s on this host, {:.0} MIPS",
            self.seconds,
            self.mips()
        );
        Ok(())
    }

    /// Prints instruction counts by engine, and the reasons for leaving compiled code.
    pub(super) fn print_engine(&self) {
        let counts = self.session.console.engine_report();
        let compiled = counts.iter().find(|(name, _)| *name == COMPILED_INSTRUCTIONS);
        let interpreted = self.session.executed() - compiled.map_or(0, |(_, count)| *count);
        eprintln!("swirl: engine: {interpreted:>13} instructions in the interpreter");
        for (name, count) in counts {
            eprintln!("swirl: engine: {count:>13} {name}");
        }
    }

    /// Returns the word at `_result`, where programs store a result for comparison.
    fn result(&self) -> Option<u32> {
        let console = &self.session.console;
        let address = console.symbols().address("_result")?;
        console.word(address)
    }

    fn mips(&self) -> f64 {
        self.session.executed() as f64 / self.seconds.max(1e-9) / 1e6
    }

    fn text(&self) -> String {
        let console = &self.session.console;
        let end = match self.end {
            End::Sleep => "ended (sleep)".to_owned(),
            End::Exit(code) => format!("ended, exit code {code}"),
            End::Limit => "reached the instruction limit".to_owned(),
            End::Reached => "reached the limit".to_owned(),
            End::Text => "printed the text of --until".to_owned(),
            End::Forbidden => "failed: printed the text of --fail-on".to_owned(),
            End::Menu => "ended (returned to the console's menu)".to_owned(),
            End::Reset => "ended (reset the console)".to_owned(),
            End::Fault(why) => format!("failed: {why}"),
            End::Closed => "the window was closed".to_owned(),
            End::Interrupted => "interrupted".to_owned(),
            End::Killed => "ended by the debugger".to_owned(),
            End::Check => "failed: ended at the first report of the checks".to_owned(),
            End::Debug(_) => "stopped by the debugger".to_owned(),
        };
        let result = self
            .result()
            .map_or(String::new(), |word| format!(", _result {word:08x}"));
        let guest = console.now().0 as f64 / console.cpu_hz() as f64;
        let failure = self.failure.map_or(String::new(), Failure::text);
        format!(
            "{failure}{end}\nr0 {:08x}{result}\n{} frames, {} renders, {guest:.3} s on the console\n{} \
             instructions\nclock {}, caches {}\n",
            console.cpu.r[0],
            console.frame(),
            console.renders(),
            self.session.executed(),
            self.clock,
            self.caches
        )
    }

    fn json(&self, program: String) -> Json<'_> {
        let console = &self.session.console;
        let (ended, exit_code, fault) = match self.end {
            End::Sleep => ("sleep", None, None),
            End::Exit(code) => ("exit", Some(*code), None),
            End::Limit => ("limit", None, None),
            End::Reached => ("reached", None, None),
            End::Text => ("text", None, None),
            End::Forbidden => ("forbidden", None, None),
            End::Menu => ("menu", None, None),
            End::Reset => ("reset", None, None),
            End::Fault(why) => ("fault", None, Some(why.as_str())),
            End::Closed => ("closed", None, None),
            End::Interrupted => ("interrupted", None, None),
            End::Killed => ("killed", None, None),
            End::Check => ("check", None, None),
            End::Debug(_) => ("debug", None, None),
        };
        Json {
            program,
            ended,
            exit_code,
            fault,
            failure: self.failure,
            r0: console.cpu.r[0],
            result: self.result(),
            instructions: self.session.executed(),
            cycles: console.now().0,
            frames: console.frame(),
            renders: console.renders(),
            console: String::from_utf8_lossy(&self.session.text).into_owned(),
            console_lost: self.session.lost_text,
            warnings: &self.session.warnings,
            sound: Sound {
                arm7_held: console.arm_held(),
                channels: console.channels().map(Channel::of).collect(),
            },
            audio: self.session.levels.as_ref().map(Levels::json),
            checks: self.checks,
        }
    }
}
