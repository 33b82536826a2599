//! Runs a program on the console and measures some of its frames.

use super::super::place::{Ranges, with_shown_names};
use super::csv::DeviceCounts;
use super::frame_rows::FrameRows;
use super::sound::SoundUse;
use crate::input;
use crate::run::debug::{DebugInfo, Frame, Registers, Source, Tracer, peek_word};
use anyhow::{Context, Result, bail};
use dreamcast::input::{Inputs, Script};
use dreamcast::usage::MemoryUse;
use dreamcast::{Clock, Config, Dreamcast, Ended, Until};
use machine::Image;
use profile::program::{Functions, OpenCall, ProgramProfile, ProgramProfiler};
use profile::{Places, objects, source_lines};
use std::path::{Path, PathBuf};
use timing::Parameters;

/// Parameters of a measurement.
pub(super) struct Request<'a> {
    pub(super) elf: &'a Path,
    pub(super) frames: super::FrameRange,
    pub(super) input: Option<&'a Path>,
    pub(super) files: Option<&'a PathBuf>,
    pub(super) parameters: Parameters,
    /// Value of CCR until the program writes it.
    pub(super) ccr: u32,
}

/// A measured program.
pub(crate) struct Measured {
    pub(crate) title: String,
    pub(crate) places: Places,
    pub(crate) result: ProgramProfile,
    pub(crate) hz: u64,
    /// Cycles of the console's clock in the measured frames.
    pub(crate) clock: u64,
    /// CCR at the end, and whether the program has written it.
    pub(crate) ccr: (u32, bool),
    pub(crate) renders: u64,
    pub(crate) frames: FrameRows,
    /// Maximum memory in use at the measured vertical blanks.
    pub(crate) memory: MemoryUse,
    pub(crate) sound: SoundUse,
    /// Reason why the program ended before the last frame.
    pub(crate) ended: Option<String>,
    /// Host time for the measured frames, in seconds.
    pub(crate) seconds: f64,
}

/// A console with scripted input.
struct Player {
    console: Dreamcast,
    script: Script,
    inputs: Inputs,
}

impl Player {
    /// Applies the input of the frame that begins.
    fn begin_frame(&mut self) {
        // `swirl run` warns of input for devices that are not plugged in.
        let frame = self.console.frame();
        self.inputs.apply(&self.script, frame, &mut self.console);
        // Discards the text, which would otherwise accumulate.
        self.console.take_console();
    }

    fn next(&self) -> Until {
        Until {
            frame: self.console.frame() + 1,
            ..Until::FOREVER
        }
    }
}

pub(super) fn measure(request: &Request<'_>) -> Result<Measured> {
    let title = request.elf.display().to_string();
    let bytes = input::read(request.elf)?;
    let image = Image::parse(&bytes).with_context(|| title.clone())?;
    let mut places = Places::new(image.symbols.iter());
    places.set_lines(source_lines(&bytes).with_context(|| title.clone())?);
    let objects = with_shown_names(objects(&bytes).with_context(|| title.clone())?);
    let mut player = player(request, &image).with_context(|| title.clone())?;
    let first = request.frames.first;
    while player.console.frame() < first {
        player.begin_frame();
        let ended = player.console.run(player.next());
        if ended != Ended::Frame {
            let frame = player.console.frame();
            bail!(
                "{title}: the program ended in frame {frame}, before frame {first}: {}",
                reason(&ended)
            );
        }
    }
    let (start, renders) = (player.console.now().0, player.console.renders());
    let begin = std::time::Instant::now();
    let measured = frames(&mut player, request.frames.last, &image, &bytes, objects)?;
    Ok(Measured {
        title,
        places,
        hz: player.console.cpu_hz(),
        clock: player.console.now().0 - start,
        ccr: match player.console.written_ccr() {
            Some(ccr) => (ccr, true),
            None => (request.ccr, false),
        },
        renders: player.console.renders() - renders,
        result: measured.result,
        frames: measured.rows,
        memory: measured.memory,
        sound: measured.sound,
        ended: measured.ended,
        seconds: begin.elapsed().as_secs_f64(),
    })
}

fn player(request: &Request<'_>, image: &Image) -> Result<Player> {
    let mut console = Dreamcast::new(Config {
        clock: Clock::Model,
        parameters: request.parameters,
        ccr: request.ccr,
        ..Config::default()
    });
    if let Some(folder) = request.files {
        console
            .open_folder(folder, false)
            .with_context(|| folder.display().to_string())?;
    }
    console.load(image)?;
    let script = match request.input {
        None => Script::default(),
        Some(path) => {
            let text = input::read_text(path)?;
            Script::parse(&text).with_context(|| path.display().to_string())?
        }
    };
    Ok(Player {
        console,
        script,
        inputs: Inputs::default(),
    })
}

/// Returns the functions of a program's file.
pub(crate) fn functions(image: &Image) -> Functions {
    let code = image.segments.iter().filter(|segment| segment.executable);
    let ranges = code.map(|segment| segment.address..segment.address.saturating_add(segment.size));
    Functions::new(image.symbols.iter(), ranges.collect())
}

/// Returns the open calls, outermost first, and an address in the outermost caller. Omits callers of guessed
/// frames, which can be wrong, and of exceptions, which have their own stack.
fn open_calls(console: &mut Dreamcast, elf: &[u8]) -> Option<(u32, Vec<OpenCall>)> {
    let (info, cpu) = (DebugInfo::of(elf), &console.cpu);
    let registers = Registers {
        r: cpu.r,
        pc: cpu.pc,
        pr: Some(cpu.pr),
    };
    let tracer = Tracer::new(&info, elf, console.symbols());
    let all = tracer.frames(registers, &mut |address| peek_word(console, address));
    let known: Vec<Frame> = all
        .into_iter()
        .take_while(|frame| matches!(frame.source, Source::Registers | Source::Cfi))
        .collect();
    let outermost = known.last()?.inside();
    let calls = known.windows(2).rev().map(|pair| OpenCall {
        inside: pair[0].inside(),
        returns_to: pair[1].pc,
    });
    Some((outermost, calls.collect()))
}

/// Measured frames.
struct Frames {
    result: ProgramProfile,
    rows: FrameRows,
    memory: MemoryUse,
    sound: SoundUse,
    ended: Option<String>,
}

fn frames(player: &mut Player, last: u64, image: &Image, elf: &[u8], objects: Ranges) -> Result<Frames> {
    let console = &mut player.console;
    let calls = open_calls(console, elf);
    let Some(model) = console.take_model() else {
        bail!("the console has no cycle model");
    };
    let (now, frame) = (console.now().0, console.frame());
    let mut profiler = ProgramProfiler::new(*model, functions(image), now, frame);
    if let Some((outermost, calls)) = calls {
        profiler.begin_inside(outermost, &calls);
    }
    let ends = image
        .segments
        .iter()
        .map(|segment| segment.address.saturating_add(segment.size));
    profiler.set_objects(objects, ends.max().unwrap_or(0));
    profiler.set_event_masks(player.console.event_masks());
    let (mut rows, mut memory, mut ended) = (FrameRows::new()?, MemoryUse::default(), None);
    memory.look(&player.console);
    let mut sound = SoundUse::start(&mut player.console);
    while ended.is_none() && player.console.frame() < last {
        player.begin_frame();
        let (renders, ta_bytes) = (player.console.renders(), player.console.ta_bytes());
        let until = player.next();
        match player.console.run_clocked(until, &mut profiler) {
            Ended::Frame => profiler.next_frame(player.console.frame()),
            other => ended = Some(reason(&other)),
        }
        let devices = DeviceCounts {
            renders: player.console.renders() - renders,
            ta_bytes: player.console.ta_bytes() - ta_bytes,
        };
        rows.announce(devices, ended.is_none());
        rows.add(profiler.take_frames())?;
        memory.look(&player.console);
        sound.look(&mut player.console);
    }
    sound.finish(&mut player.console);
    let mut result = profiler.finish();
    rows.add(std::mem::take(&mut result.frames))?;
    Ok(Frames {
        result,
        rows,
        memory,
        sound,
        ended,
    })
}

fn reason(ended: &Ended) -> String {
    match ended {
        Ended::Exit(code) => format!("exit code {code}"),
        Ended::Menu => "it returned to the console's menu".to_owned(),
        Ended::Reset => "it reset the console".to_owned(),
        Ended::Asleep => "it sleeps, and no interrupt is enabled".to_owned(),
        Ended::Unhandled => "an exception without a handler".to_owned(),
        Ended::Fault(stop) => stop.to_string(),
        Ended::Time | Ended::Frame | Ended::Instructions | Ended::Check | Ended::Text | Ended::Debug(_) => {
            "a limit".to_owned()
        }
    }
}
