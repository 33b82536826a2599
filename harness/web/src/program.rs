//! Programs on the console.

use crate::Failure;
use crate::code::{Code, CodePlace};
use crate::files::MemoryFiles;
use crate::measurement::Measurement;
use crate::reply::Reply;
use dreamcast::checks::RuleSet;
use dreamcast::input::{Inputs, Script};
use dreamcast::peripherals::{Buttons, Key, Keyboard, Keys, Pad, VMU_BYTES, Vmu};
use dreamcast::{Config, Disc, DiscFiles, Dreamcast, Ended, Until};
use machine::Image;
use player::{Files, Input};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Maximum number of frames of one request.
const MOST_FRAMES: u32 = 3600;

/// Program, and options of its console.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProgramOptions {
    /// Program, by the name that the page gave it.
    program: String,
    /// Mixes sound.
    audio: bool,
    /// Rules to check, by name or group, or `all`.
    checks: Vec<String>,
    /// Input script, as `swirl run --input` reads it.
    input: String,
    /// A keyboard in port B.
    keyboard: bool,
}

/// Controller in port A.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct PadState {
    /// Pressed buttons, in the order of the console's bits.
    buttons: u16,
    /// Stick from the left and from the top; 128 is the middle.
    stick: [u8; 2],
    /// Left and right trigger.
    triggers: [u8; 2],
}

/// A broken rule.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    rule: &'static str,
    severity: &'static str,
    place: CodePlace,
    /// Other addresses of the finding.
    addresses: Vec<CodePlace>,
    detail: String,
    frame: u64,
    count: u64,
    console: &'static str,
    mend: &'static str,
}

pub(crate) struct Program {
    console: Dreamcast,
    script: Script,
    inputs: Inputs,
    recording: Script,
    pad: Pad,
    keys: Keys,
    end: Option<String>,
    /// Visual memory at the last transfer to the page.
    saved: Vec<u8>,
    audio: bool,
    warnings: Vec<String>,
    code: Code,
    measurement: Option<Measurement>,
}

impl Program {
    pub(crate) fn open(
        files: &MemoryFiles,
        discs: &DiscFiles,
        options: &ProgramOptions,
        vmu: &[u8],
    ) -> Result<Self, Failure> {
        let name = &options.program;
        let mut checks = RuleSet::default();
        for rule in &options.checks {
            if !checks.add_named(rule) {
                return Err(Failure::new(format!(
                    "checks: found {rule:?}, expected all, a rule or a group"
                )));
            }
        }
        let script =
            Script::parse(&options.input).map_err(|error| Failure::new(format!("input: {error}")))?;
        let mut console = Dreamcast::new(Config {
            checks,
            audio: options.audio,
            ..Config::default()
        });
        let vmu = match vmu.len() {
            0 => Vmu::formatted(),
            VMU_BYTES => Vmu::from_bytes(vmu).unwrap_or_default(),
            other => {
                let text = format!("visual memory: found {other} bytes, expected {VMU_BYTES}");
                return Err(Failure::new(text));
            }
        };
        let saved = vmu.bytes().to_vec();
        console.plug(0, 1, Some(Box::new(vmu)));
        if options.keyboard {
            console.plug(1, 0, Some(Box::new(Keyboard::default())));
        }
        let (code, warning) = load(&mut console, files, discs, Path::new(name))?;
        let notes = console.notes().iter().cloned();
        let mut program = Self {
            warnings: notes.chain(warning).collect(),
            code,
            measurement: None,
            console,
            script,
            inputs: Inputs::default(),
            recording: Script::default(),
            pad: Pad::default(),
            keys: Keys::default(),
            end: None,
            saved,
            audio: options.audio,
        };
        program.play_script();
        Ok(program)
    }

    pub(crate) fn opened(&self) -> Result<Reply, Failure> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct OpenReply<'a> {
            warnings: &'a [String],
            hz: u64,
        }
        let opened = OpenReply {
            warnings: &self.warnings,
            hz: self.console.cpu_hz(),
        };
        Reply::new(&opened, Vec::new())
    }

    fn play_script(&mut self) {
        let frame = self.console.frame();
        let missing = self.inputs.apply(&self.script, frame, &mut self.console);
        for text in missing {
            if !self.warnings.contains(&text) {
                self.warnings.push(text);
            }
        }
    }

    /// Runs frames and returns the picture as RGBA, then samples of both channels in 16 bits.
    pub(crate) fn run(
        &mut self,
        frames: u32,
        pad: Option<PadState>,
        keys: &[String],
    ) -> Result<Reply, Failure> {
        if frames > MOST_FRAMES {
            return Err(Failure::new(format!(
                "found {frames} frames, expected at most {MOST_FRAMES}"
            )));
        }
        if let Some(pad) = pad {
            self.set_pad(pad);
        }
        self.set_keys(keys);
        let mut text = Vec::new();
        for _ in 0..frames {
            if self.end.is_some() {
                break;
            }
            self.run_frame(&mut text);
        }
        let samples = match self.audio {
            true => self.console.take_audio(),
            false => Vec::new(),
        };
        let picture = self.console.picture();
        let vmu_changed = self
            .console
            .vmu(0, 1)
            .is_some_and(|vmu| vmu.bytes() != self.saved);
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct RunReply<'a> {
            frame: u64,
            instructions: u64,
            renders: u64,
            seconds: f64,
            width: u32,
            height: u32,
            samples: usize,
            text: String,
            end: Option<&'a str>,
            findings: usize,
            vmu_changed: bool,
            warnings: Vec<String>,
        }
        let ran = RunReply {
            frame: self.console.frame(),
            instructions: self.console.cpu.retired(),
            renders: self.console.renders(),
            seconds: self.console.now().0 as f64 / self.console.cpu_hz() as f64,
            width: picture.width,
            height: picture.height,
            samples: samples.len(),
            text: String::from_utf8_lossy(&text).into_owned(),
            end: self.end.as_deref(),
            findings: self.console.findings().0.len(),
            vmu_changed,
            warnings: self.warnings(),
        };
        let mut data = picture.rgba;
        data.extend(samples.iter().flatten().flat_map(|sample| sample.to_le_bytes()));
        Reply::new(&ran, data)
    }

    fn set_pad(&mut self, state: PadState) {
        let pad = Pad {
            buttons: Buttons(state.buttons),
            stick: state.stick,
            triggers: state.triggers,
        };
        if pad != self.pad {
            self.recording.record(self.console.frame(), 0, self.pad, pad);
            self.console.set_pad(0, pad);
            self.pad = pad;
        }
    }

    fn set_keys(&mut self, names: &[String]) {
        let mut keys = Keys::default();
        names
            .iter()
            .filter_map(|name| Key::named(name))
            .for_each(|key| keys.press(key));
        if keys != self.keys && self.console.set_keys(1, keys) {
            self.recording.record_keys(self.console.frame(), self.keys, keys);
            self.keys = keys;
        }
    }

    fn run_frame(&mut self, text: &mut Vec<u8>) {
        let frame = self.console.frame() + 1;
        loop {
            let until = Until {
                frame,
                ..Until::FOREVER
            };
            let ended = match &mut self.measurement {
                Some(measurement) => measurement.run(&mut self.console, until),
                None => self.console.run(until),
            };
            text.extend(self.console.take_console());
            self.end = self.end_text(&ended);
            match ended {
                // A report does not end the run.
                Ended::Check => {}
                _ => break,
            }
        }
        self.play_script();
    }

    /// Describes the end of the program; `None` if it still runs.
    fn end_text(&self, ended: &Ended) -> Option<String> {
        let place = |address: u32| format!("{address:08x} ({})", self.console.symbols().describe(address));
        let cpu = &self.console.cpu;
        Some(match ended {
            Ended::Time | Ended::Frame | Ended::Instructions | Ended::Text | Ended::Check => return None,
            Ended::Exit(code) => format!("the program ended with exit code {code}"),
            Ended::Menu => "the program left for the firmware's menu".to_owned(),
            Ended::Reset => "the program reset the console".to_owned(),
            Ended::Asleep => "the program sleeps, and no interrupt can wake it".to_owned(),
            Ended::Unhandled => {
                let before = cpu.before_exception();
                format!(
                    "exception {:03x} at {}; there is no handler",
                    cpu.expevt,
                    place(before.pc)
                )
            }
            Ended::Fault(stop) => format!("{stop} at {}", place(cpu.pc)),
            Ended::Debug(_) => return None,
        })
    }

    fn warnings(&self) -> Vec<String> {
        let diagnostics = self.console.diagnostics();
        let places = diagnostics.iter().map(|(diagnostic, address, count)| {
            let times = if count == 1 {
                "once".to_owned()
            } else {
                format!("{count} times")
            };
            format!("{address:08x}: {diagnostic} ({times})")
        });
        self.warnings.iter().cloned().chain(places).collect()
    }

    /// Returns the picture as a PNG file.
    pub(crate) fn png(&self) -> Result<Reply, Failure> {
        Reply::new(&(), player::png_bytes(&self.console.picture())?)
    }

    /// Returns the visual memory for the page, and records the transfer.
    pub(crate) fn vmu(&mut self) -> Result<Reply, Failure> {
        let vmu = self.console.vmu(0, 1);
        let bytes = vmu.map_or(Vec::new(), |vmu| vmu.bytes().to_vec());
        self.saved.clone_from(&bytes);
        Reply::new(&bytes.len(), bytes)
    }

    pub(crate) fn findings(&self) -> Result<Reply, Failure> {
        let (findings, _) = self.console.findings();
        let place = |address: &u32| self.code.place(&self.console, *address);
        let report = |finding: &dreamcast::checks::Finding| {
            let info = finding.rule.info();
            Finding {
                rule: info.name,
                severity: info.severity.name(),
                place: self.code.place(&self.console, finding.pc),
                addresses: finding.addresses.iter().map(place).collect(),
                detail: finding.detail.clone(),
                frame: finding.frame,
                count: finding.count,
                console: info.why,
                mend: info.mend,
            }
        };
        Reply::new(&findings.iter().map(report).collect::<Vec<_>>(), Vec::new())
    }

    pub(crate) fn disassemble(&mut self, place: &str) -> Result<Reply, Failure> {
        let disassembly = self.code.disassemble(&mut self.console, place)?;
        Reply::new(&disassembly, Vec::new())
    }

    /// Starts or stops measuring the following frames. Returns the profile of the frames since the start.
    pub(crate) fn profile(&mut self, continues: bool) -> Result<Reply, Failure> {
        let finished = self.measurement.take();
        if continues {
            self.measurement = Some(Measurement::start(&self.console, &self.code));
        }
        match finished {
            Some(measurement) => measurement.finish(&self.console, &self.code),
            None => Reply::new(&(), Vec::new()),
        }
    }

    pub(crate) fn recording(&self) -> Result<Reply, Failure> {
        Reply::new(&self.recording.text(self.console.frame()), Vec::new())
    }
}

/// Loads an ELF file, a raw binary, or the program of a disc. Returns its code, and a warning about its debug
/// information.
fn load(
    console: &mut Dreamcast,
    files: &MemoryFiles,
    discs: &DiscFiles,
    path: &Path,
) -> Result<(Code, Option<String>), Failure> {
    let name = path.display();
    if Disc::is_image(path) {
        // Errors of the disc name its file.
        let disc = Disc::from_files(discs, path)?;
        console.boot(disc).map_err(|error| Failure::of(&name, error))?;
        return Ok((Code::default(), None));
    }
    let bytes = files.read(path)?;
    if bytes.starts_with(b"\x7fELF") {
        let image = Image::parse(&bytes).map_err(|error| Failure::of(&name, error))?;
        console.load(&image).map_err(|error| Failure::of(&name, error))?;
        return Ok(Code::of_elf(&bytes, &image));
    }
    let input = Input::of(path, &bytes);
    if input != Input::Program {
        let found = input.describe(path, &bytes);
        return Err(Failure::new(format!(
            "{name}: found {found}, expected a program or a disc"
        )));
    }
    console
        .load_raw(&bytes)
        .map_err(|error| Failure::of(&name, error))?;
    Ok((Code::default(), None))
}
