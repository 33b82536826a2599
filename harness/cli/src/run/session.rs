//! A program on the console: text, input, pictures, and the end of the run. `run` and gdb use it.

mod describe;
mod snapshot;

use super::audio::{AudioWriter, Levels};
use super::checks::Allowed;
use super::debug::Registers;
use super::oddities;
use super::pictures::{PictureTime, Pictures, TimedFile};
use super::playback::Playback;
use super::trace::Trace;
use super::video::VideoWriter;
use crate::limits::RUN_TEXT;
use crate::{console, output, signals};
use anyhow::{Context, Result, bail};
use dreamcast::checks::{Finding, Rule};
use dreamcast::debug::DebugStop;
use dreamcast::input::{Inputs, Script, ScriptError};
use dreamcast::peripherals::{Keys, MouseButtons, Pad};
use dreamcast::{Cycles, Dreamcast, Ended, Until};
use machine::Observer;
use sh4::{Cpu, Stop};
pub(crate) use snapshot::{Position, SessionSnapshot};
use std::io::{ErrorKind, Write};
use std::sync::Arc;

/// Reason for the end of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// SLEEP without an enabled interrupt.
    Sleep,
    /// dcload's exit, with main's result, or a return from the entry.
    Exit(i32),
    /// The instruction limit.
    Limit,
    /// The frame or time limit.
    Reached,
    /// The console printed the text of `--until`.
    Text,
    /// The console printed the text of `--fail-on`.
    Forbidden,
    /// The program returned to the firmware's menu.
    Menu,
    /// The program reset the console.
    Reset,
    /// A fault from which the program could not continue, with its place.
    Fault(String),
    /// The window was closed.
    Closed,
    /// Ctrl-C.
    Interrupted,
    /// A debugger killed the program.
    Killed,
    /// A rule of `--check` was broken.
    Check,
    /// A debugger requested a stop; the program can continue.
    Debug(DebugStop),
}

/// Limits of the session, and texts to search.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    pub(crate) frames: u64,
    pub(crate) time: Cycles,
    pub(crate) instructions: u64,
    /// Texts of `--until` and `--fail-on`.
    pub(crate) texts: Vec<(String, End)>,
}

/// Input from the window since the previous frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WindowInput {
    /// The controller in port A.
    pub(crate) pad: Option<Pad>,
    /// The first keyboard.
    pub(crate) keys: Option<Keys>,
    /// Movement and buttons of the first mouse.
    pub(crate) mouse: Option<([i32; 3], MouseButtons)>,
}

/// State of a running program.
pub(crate) struct Session {
    pub(crate) console: Dreamcast,
    pub(crate) limits: Limits,
    /// Warnings for the user, without repetition.
    pub(crate) warnings: Vec<String>,
    /// Text that the program has written.
    pub(crate) text: Vec<u8>,
    /// Set if `text` is also written to standard output immediately.
    echo: bool,
    script: Arc<Script>,
    pub(crate) inputs: Inputs,
    played: WindowInput,
    /// Keys held at the window.
    pub(crate) keys: Keys,
    pub(crate) pictures: Pictures,
    /// `--save-state`.
    pub(crate) states: Vec<TimedFile>,
    /// Checksum of the program, for state files.
    pub(crate) program: u32,
    pub(crate) video: Option<VideoWriter>,
    pub(crate) audio: Option<AudioWriter>,
    /// The host's audio device, for a window.
    pub(crate) playback: Option<Playback>,
    /// Levels of the sound file after it is written.
    pub(crate) levels: Option<Levels>,
    /// Trace of `--trace`.
    pub(crate) trace: Option<Trace>,
    /// Position from which the search for texts continues.
    searched: usize,
    /// Set after KallistiOS has printed one of [`ABORTS`].
    aborted: bool,
    /// Number of bytes dropped from the start of `text`.
    pub(crate) lost_text: u64,
    /// Number of executed instructions at the last unsuccessful search.
    looked: u64,
    /// The CPU at the failed instruction, if the console's CPU has moved on.
    stopped: Option<Box<Cpu>>,
    /// Set if warnings are stored but not printed.
    silent: bool,
    uncounted: u64,
    /// Value of `--stop-at-first`.
    pub(crate) stop_at_first: bool,
    /// Values of `--allow`.
    pub(crate) allowed: Vec<Allowed>,
}

/// Maximum number of cycles between two searches of the program's text.
const SLICE: u64 = 1 << 22;
/// Bytes of text after which the program is stopped for a search.
const WAITING_TEXT: usize = 1 << 20;
/// Texts that KallistiOS prints for a failed program. Releases before 2.1 set no exit code.
const ABORTS: [&str; 2] = ["*** ASSERTION FAILURE ***", "arch: aborting the system"];

impl Session {
    pub(crate) fn new(
        console: Dreamcast,
        limits: Limits,
        script: Script,
        pictures: Pictures,
        echo: bool,
    ) -> Self {
        Self {
            console,
            limits,
            warnings: Vec::new(),
            text: Vec::new(),
            echo,
            script: Arc::new(script),
            inputs: Inputs::default(),
            played: WindowInput::default(),
            keys: Keys::default(),
            pictures,
            states: Vec::new(),
            program: 0,
            video: None,
            audio: None,
            playback: None,
            levels: None,
            trace: None,
            searched: 0,
            aborted: false,
            lost_text: 0,
            looked: 0,
            stopped: None,
            silent: false,
            uncounted: 0,
            stop_at_first: false,
            allowed: Vec::new(),
        }
    }

    /// Suppresses the printing of warnings.
    pub(crate) fn silent(mut self) -> Self {
        self.silent = true;
        self
    }

    /// Returns the number of instructions at the last unsuccessful search for the text of `--fail-on`.
    pub(crate) fn looked(&self) -> u64 {
        self.looked
    }

    /// Returns the program's registers. After a failure, these are the registers at the failed instruction.
    pub(crate) fn registers(&self) -> Registers {
        let cpu = self.stopped_cpu();
        Registers {
            r: cpu.r,
            pc: cpu.pc,
            pr: Some(cpu.pr),
        }
    }

    /// Returns the CPU at the failed instruction, or the console's CPU.
    pub(crate) fn stopped_cpu(&self) -> &Cpu {
        self.stopped.as_deref().unwrap_or(&self.console.cpu)
    }

    pub(crate) fn cpu(&mut self) -> &mut Cpu {
        &mut self.console.cpu
    }

    /// Number of executed instructions.
    pub(crate) fn executed(&self) -> u64 {
        self.console.cpu.retired()
    }

    /// Applies input from the window, from the next frame on.
    pub(crate) fn play(&mut self, played: WindowInput) {
        self.played = WindowInput {
            pad: played.pad.or(self.played.pad),
            keys: played.keys.or(self.played.keys),
            mouse: played.mouse.or(self.played.mouse),
        };
    }

    /// Adds lines of an input script.
    pub(crate) fn add_input(&mut self, lines: &str) -> Result<(), ScriptError> {
        Arc::make_mut(&mut self.script).append(&Script::parse(lines)?);
        Ok(())
    }

    /// Runs to the end.
    pub(crate) fn run(&mut self) -> Result<End> {
        loop {
            if let Some(end) = self.go(u64::MAX, &mut ())? {
                return Ok(end);
            }
        }
    }

    /// Runs to the next vertical blank. Returns the end of the program if it has ended.
    pub(crate) fn run_frame(&mut self) -> Result<Option<End>> {
        let frame = self.console.frame() + 1;
        self.go_to(u64::MAX, frame, &mut ())
    }

    /// Runs at most `count` instructions, and at most to the next vertical blank.
    pub(crate) fn go_in_frame(&mut self, count: u64) -> Result<Option<End>> {
        let frame = self.console.frame() + 1;
        self.go_to(count, frame, &mut ())
    }

    /// Frames per second of the console, on average.
    pub(crate) fn frame_rate(&self) -> f64 {
        let seconds = self.console.now().0 as f64 / self.console.cpu_hz() as f64;
        (self.console.frame().max(1) as f64 / seconds.max(1e-3)).clamp(50.0, 60.0)
    }

    /// Runs at most `count` instructions. Returns the end of the program if it has ended.
    pub(crate) fn go<O: Observer>(&mut self, count: u64, observer: &mut O) -> Result<Option<End>> {
        self.go_to(count, u64::MAX, observer)
    }

    fn go_to<O: Observer>(&mut self, count: u64, last: u64, observer: &mut O) -> Result<Option<End>> {
        let target = self
            .executed()
            .saturating_add(count)
            .min(self.limits.instructions);
        let _run = signals::Run::begin();
        loop {
            let frame = self.console.frame();
            let now = self.console.now();
            self.looked = self.executed();
            let until = Until {
                time: (now + SLICE).min(self.limits.time),
                frame: frame + 1,
                instructions: target,
                text: WAITING_TEXT,
            };
            let ended = match &mut self.trace {
                Some(trace) => self.console.run_clocked(until, &mut *trace.profiler),
                None => self.console.run_observed(until, observer),
            };
            self.listen()?;
            if self.console.frame() > frame {
                self.new_frame()?;
            }
            if let Some(end) = self.found_text() {
                return Ok(Some(end));
            }
            match ended {
                Ended::Time if self.console.now() >= self.limits.time => return Ok(Some(End::Reached)),
                Ended::Frame if self.console.frame() >= self.limits.frames => return Ok(Some(End::Reached)),
                Ended::Instructions if self.executed() >= self.limits.instructions => {
                    return Ok(Some(End::Limit));
                }
                Ended::Instructions => return Ok(None),
                Ended::Frame if self.console.frame() >= last => return Ok(None),
                Ended::Time | Ended::Frame | Ended::Text => {}
                Ended::Exit(_) if self.aborted => return Ok(Some(End::Exit(1))),
                Ended::Exit(code) => return Ok(Some(End::Exit(code))),
                Ended::Menu => return Ok(Some(End::Menu)),
                Ended::Reset => return Ok(Some(End::Reset)),
                Ended::Asleep => return Ok(Some(End::Sleep)),
                Ended::Unhandled => {
                    self.stopped = Some(Box::new(self.console.cpu.before_exception()));
                    return Ok(Some(End::Fault(self.describe_exception())));
                }
                Ended::Fault(stop) => return Ok(Some(End::Fault(self.describe(stop)))),
                Ended::Debug(stop) => return Ok(Some(End::Debug(stop))),
                Ended::Check if self.ends_at_report() => return Ok(Some(End::Check)),
                Ended::Check => {}
            }
            if signals::interrupted() {
                return Ok(Some(End::Interrupted));
            }
        }
    }

    /// Returns whether a broken rule ends the run: any rule with `--stop-at-first`, else only a stack
    /// overflow. Rules that `--allow` permits do not.
    fn ends_at_report(&self) -> bool {
        let (findings, _) = self.console.findings();
        let counts = |finding: &Finding| {
            let function = self.console.symbols().function(finding.pc);
            let rule = finding.rule.info().name;
            !self
                .allowed
                .iter()
                .any(|allowed| allowed.covers_place(rule, function))
        };
        let ends = |finding: &&Finding| self.stop_at_first || finding.rule == Rule::StackOverflow;
        findings.iter().filter(ends).any(counts)
    }

    /// Handles a vertical blank: pictures of the finished frame, input for the next.
    pub(crate) fn new_frame(&mut self) -> Result<()> {
        let frame = self.console.frame();
        self.pictures.frame(frame, &self.console)?;
        if let Some(video) = &mut self.video {
            video.frame(frame, &self.console)?;
        }
        self.pass_on_sound(frame)?;
        self.save_states(PictureTime::Frame(frame), true)?;
        let played = std::mem::take(&mut self.played);
        if let Some(pad) = played.pad {
            Arc::make_mut(&mut self.script).record(frame, 0, self.inputs.pads[0], pad);
        }
        if let Some(keys) = played.keys {
            Arc::make_mut(&mut self.script).record_keys(frame, self.keys, keys);
            self.keys = keys;
        }
        if let Some((moved, buttons)) = played.mouse {
            Arc::make_mut(&mut self.script).record_mouse(frame, moved, buttons);
        }
        let missing = self.inputs.apply(&self.script, frame, &mut self.console);
        missing.into_iter().for_each(|text| self.warn(text));
        Ok(())
    }

    /// Writes the state files that are due at `time`.
    pub(crate) fn save_states(&mut self, time: PictureTime, begins_frame: bool) -> Result<()> {
        let due = self.states.iter().filter(|state| state.time == time);
        let paths: Vec<_> = due.map(|state| state.path.clone()).collect();
        if paths.is_empty() {
            return Ok(());
        }
        let bytes = self.state_file(begins_frame).context("--save-state")?;
        paths.iter().try_for_each(|path| output::write(path, &bytes))
    }

    /// Discards the place of a failure, because the program has moved on.
    pub(crate) fn forget_stop(&mut self) {
        self.stopped = None;
    }

    /// Searches the new text, including enough of the previous text for a match across the border.
    fn found_text(&mut self) -> Option<End> {
        let texts = self.limits.texts.iter().map(|(text, _)| text.len());
        let longest = texts.chain(ABORTS.map(str::len)).max()?;
        let begin = self.searched.saturating_sub(longest);
        let new = &self.text[begin..];
        self.searched = self.text.len();
        let found = |text: &str| memchr::memmem::find(new, text.as_bytes()).is_some();
        self.aborted |= ABORTS.into_iter().any(found);
        self.limits
            .texts
            .iter()
            .find(|(text, _)| found(text))
            .map(|(_, end)| end.clone())
    }

    /// Takes text, warnings and findings from the console.
    fn listen(&mut self) -> Result<()> {
        let text = self.console.take_console();
        if let Some(trace) = &mut self.trace {
            trace.collect(&mut self.console, &text)?;
        }
        self.write(&text)?;
        let events = self.console.cpu.uncounted_events();
        let new = events & !self.uncounted;
        for event in (0..64).filter(|event| new >> event & 1 != 0) {
            self.warn(format!(
                "performance event {event:#04x} is not counted: its counter stays 0"
            ));
        }
        self.uncounted = events;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.echo && !bytes.is_empty() {
            let mut out = std::io::stdout().lock();
            match out.write_all(bytes).and_then(|()| out.flush()) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => bail!(console::BrokenPipe),
                written => written.context("standard output")?,
            }
        }
        self.text.extend_from_slice(bytes);
        if self.text.len() > RUN_TEXT {
            let lost = self.text.len() - RUN_TEXT / 2;
            self.text.drain(..lost);
            self.lost_text += lost as u64;
            self.searched = self.searched.saturating_sub(lost);
            self.warn(format!(
                "the program printed more than {RUN_TEXT} bytes: the log keeps the last {}; --until and \
                --fail-on search all text",
                RUN_TEXT / 2
            ));
        }
        Ok(())
    }

    pub(crate) fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            if !self.silent {
                eprintln!("swirl: warning: {text}");
            }
            self.warnings.push(text);
        }
    }

    /// Warns of accesses that no device answered, of input that the PowerVR2 did not draw and of undefined
    /// ARM7 instructions, at the end of the run.
    pub(crate) fn warn_of_oddities(&mut self) {
        let diagnostics = self.console.diagnostics();
        let chip = self.console.chip_warnings().iter();
        let mut lines = oddities::lines(diagnostics.iter());
        lines.extend(chip.map(|warning| format!("PowerVR2: {warning}")));
        let more = diagnostics.more;
        let undefined = oddities::undefined_on_arm7(self.console.sound_block());
        lines
            .into_iter()
            .chain(undefined)
            .for_each(|line| self.warn(line));
        if more > 0 {
            self.warn(format!(
                "{more} more accesses at other addresses without a device"
            ));
        }
    }

    /// Formats an address as `address (symbol+offset)`.
    pub(crate) fn name(&self, address: u32) -> String {
        format!("{address:08x} ({})", self.console.symbols().describe(address))
    }

    /// Describes a failure with its place. If the CPU stopped because it cannot fetch the handler of an
    /// exception, describes the exception instead.
    fn describe(&mut self, stop: Stop) -> String {
        let cpu = &self.console.cpu;
        let lost = matches!(stop, Stop::Fault(fault) if fault.pc == cpu.pc && fault.address == Some(cpu.pc));
        if lost && [0x100, 0x400, 0x600].contains(&cpu.pc.wrapping_sub(cpu.vbr)) {
            self.stopped = Some(Box::new(cpu.before_exception()));
            return self.describe_exception();
        }
        let place = match stop {
            Stop::Fault(fault) => fault.pc,
            Stop::Reset { pc, .. } => pc,
            _ => cpu.pc,
        };
        let mut stopped = self.console.cpu.clone();
        stopped.pc = place;
        self.stopped = Some(Box::new(stopped));
        let cpu = &self.console.cpu;
        format!(
            "{stop} (at {}, after {} instructions)",
            self.name(place),
            cpu.retired()
        )
    }

    /// Describes the wait of the program: the register that it reads repeatedly, or its place.
    pub(crate) fn waits_for(&self) -> String {
        let (register, times) = self.console.diagnostics().polled;
        let pc = self.name(self.console.cpu.pc);
        match times {
            0..=15 => format!("at {pc}"),
            _ => format!(
                "at {pc}, where it reads {} repeatedly",
                dreamcast::map::name(register)
            ),
        }
    }
}
