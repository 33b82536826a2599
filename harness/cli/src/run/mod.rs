//! `swirl run`: runs a program on the console.

mod args;
mod audio;
mod check_names;
pub(crate) mod checks;
pub(crate) mod debug;
mod disc;
mod findings;
mod gdb;
mod host_keys;
mod oddities;
mod pictures;
mod playback;
mod post_mortem;
mod report;
mod sarif;
mod session;
mod sound;
mod state;
mod trace;
mod untrusted;
mod video;
mod vmu;
mod window;

use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::processors::EM_ARM;
use crate::{input, output, setting_options, signals};
use anyhow::{Context, Result, bail};
pub(crate) use args::Args;
use args::{CableOption, Caches, ClockOption};
use audio::AudioWriter;
use clap::{ArgMatches, ValueEnum};
use dreamcast::input::Script;
use dreamcast::onchip::bsc::Cable;
use dreamcast::peripherals::RumblePack;
use dreamcast::{Clock, Config, Cycles, Disc, Dreamcast};
use machine::Image;
use pictures::Pictures;
use player::Input;
use post_mortem::PostMortem;
use report::Report;
use session::{End, Limits, Session};
use std::time::Instant;
use trace::Trace;
pub(crate) use untrusted::{debug_information, gdb_packets, state_file};

pub(crate) fn run(args: &Args, matches: &ArgMatches) -> Result<ExitStatus> {
    let given = GivenOptions(matches);
    let name = args.program.display().to_string();
    let bytes = match Disc::is_image(&args.program) {
        true => Vec::new(),
        false => input::read(&args.program)?,
    };
    let is_elf = bytes.starts_with(b"\x7fELF");
    check_kind(args, &bytes, given)?;
    let disc = args.disc.as_deref().unwrap_or(&args.program);
    let why = format!(
        "on {}: only a disc made from a folder has a selectable layout",
        disc.display()
    );
    given.warn(args.gdb.is_none(), &["history"], "without --gdb");
    given.warn(!disc.is_dir(), &["disc_layout"], &why);
    if is_elf && machine::elf_machine(&bytes).with_context(|| name.clone())? == EM_ARM {
        let why = format!("on {name}, an ARM program: it runs only on the sound block");
        given.warn(true, &CONSOLE, &why);
        return sound::run(args, &bytes).with_context(|| name.clone());
    }
    if args.caches == Caches::Coherent && !args.json && !args.checks.rules()?.is_empty() {
        eprintln!("swirl: note: --check and --deny enable --caches cached");
    }
    let mut session = session(args, &bytes, script(args)?).with_context(|| name.clone())?;
    if let Some(path) = &args.trace {
        let image = is_elf.then(|| Image::parse(&bytes)).transpose()?;
        session.trace = Some(Trace::start(&mut session.console, image.as_ref(), path)?);
    }
    // Under a debugger, a `Run` exists only while the program runs. The server does not poll for signals
    // while it waits for the debugger, which can take forever.
    let _run = args.gdb.is_none().then(signals::Run::begin);
    let begin = Instant::now();
    let end = match args.gdb {
        Some(port) => {
            let path = std::path::absolute(&args.program).unwrap_or_else(|_| args.program.clone());
            let program = gdb::Program {
                bytes: &bytes,
                path: path.display().to_string(),
                max_instructions: args.max_instructions,
                history: usize::from(args.history) << 20,
                may_use_files: true,
            };
            let window = match args.window {
                true => Some(window::DebugWindow::open(&args.program, &session)?),
                false => None,
            };
            gdb::serve(&mut session, &program, port, window)?.unwrap_or(End::Killed)
        }
        None if args.window => window::run(&mut session, &args.program)?,
        None => session.run()?,
    };
    finish_files(args, &mut session)?;
    let seconds = begin.elapsed().as_secs_f64();
    if let Some(trace) = session.trace.take() {
        trace.finish(&mut session.console)?;
    }
    let restart = |script| restarted(args, &bytes, script);
    let post_mortem = PostMortem {
        program: &bytes,
        end: &end,
        seconds,
        restart: match may_repeat(args) {
            Ok(()) => Ok(&restart),
            Err(why) => Err(why),
        },
    };
    let failure = post_mortem.failure(&mut session);
    warn_at_end(&mut session, &post_mortem, args);
    vmu::write(args, &session.console)?;
    let checks = args.checks.results(&mut session.console, &bytes, &name)?;
    let denied = checks.as_ref().is_some_and(findings::CheckResults::fails);
    if let Some(results) = checks.as_ref().filter(|_| !args.json) {
        results.print();
    }
    let report = Report {
        session: &session,
        end: &end,
        failure: failure.as_ref(),
        checks: checks.as_ref(),
        seconds,
        clock: word(args.clock),
        caches: match checks.is_some() {
            true => word(Caches::Cached),
            false => word(args.caches),
        },
    };
    report.print(name, args.json)?;
    if args.engine_report {
        report.print_engine();
    }
    let failed = !passed(&end, args.until.is_some());
    if failed && !args.json && !args.window && !session.pictures.has_end() {
        eprintln!("swirl: note: --screenshot end=FILE writes the screen at the end of the run");
    }
    Ok(ExitStatus::of(!failed && !denied))
}

/// Returns the word of a choice on the command line.
fn word(choice: impl ValueEnum) -> String {
    let value = choice.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

fn session(args: &Args, program: &[u8], script: Script) -> Result<Session> {
    let console = load(args, program, program.starts_with(b"\x7fELF"))?;
    let mut session = Session::new(console, limits(args)?, script, pictures(args)?, !args.json);
    session.stop_at_first = args.checks.stops_at_first();
    session.allowed = args.checks.allowed()?;
    for note in session.console.notes().to_vec() {
        session.warn(note);
    }
    if let Some(video) = &args.video {
        session.video = Some(video.start(args.video_every)?);
    }
    if let Some(path) = &args.audio {
        session.audio = Some(AudioWriter::start(path, args.audio_from)?);
    }
    state::prepare(args, &mut session)?;
    session.states.clone_from(&args.save_state);
    Ok(session)
}

/// Completes files that were written during the run.
fn finish_files(args: &Args, session: &mut Session) -> Result<()> {
    if let Some(video) = session.video.take() {
        let pictures = video.finish()?;
        eprintln!("swirl: {pictures} pictures of video");
    }
    session.pictures.end(&session.console)?;
    session.save_states(pictures::PictureTime::End, false)?;
    if let Some(mut audio) = session.audio.take() {
        let frame = session.console.frame();
        audio.add_before(frame.saturating_add(1), &session.console.take_audio())?;
        let levels = audio.finish()?;
        eprintln!("swirl: {}", levels.text());
        if frame < args.audio_from {
            let from = args.audio_from;
            session.warn(format!("--audio-from {from}: the program ended at frame {frame}"));
        }
        if levels.clipped() > 0 {
            session.warn(format!(
                "sound: {} at the limits of 16 bits; the sum of channels, effects and CD may be too loud for \
                 the master volume",
                crate::plural::plural(levels.clipped() as usize, "sample")
            ));
        }
        session.levels = Some(levels);
    }
    match &args.record_input {
        Some(path) => output::write(path, session.script().text(session.console.frame()).as_bytes()),
        None => Ok(()),
    }
}

/// Creates the session again, to repeat the run without printing or writing.
fn restarted(args: &Args, program: &[u8], script: Script) -> Result<Session> {
    let console = load(args, program, program.starts_with(b"\x7fELF"))?;
    let mut session = Session::new(console, limits(args)?, script, Pictures::default(), false).silent();
    state::prepare(args, &mut session)?;
    Ok(session)
}

/// Returns the reason if a second run could differ from the first.
fn may_repeat(args: &Args) -> Result<(), String> {
    if args.files_writable {
        return Err(
            "not listed: they need a second run, and --files-writable let the first run change files"
                .to_owned(),
        );
    }
    match args.gdb {
        Some(_) => Err(
            "not listed: they need a second run, and a debugger may have changed the first run".to_owned(),
        ),
        None => Ok(()),
    }
}

/// Options of the console, which have no effect on ARM programs.
const CONSOLE: [&str; 41] = [
    "audio",
    "audio_from",
    "at",
    "frames",
    "seconds",
    "until",
    "fail_on",
    "screenshot",
    "save_state",
    "load_state",
    "every",
    "output",
    "input",
    "files",
    "files_writable",
    "ports",
    "rumble_pack",
    "vmu",
    "vmu_screen",
    "cable",
    "threads",
    "caches",
    "engine",
    "engine_report",
    "disc",
    "disc_layout",
    "region",
    "video",
    "video_every",
    "window",
    "record_input",
    "set",
    "pvr",
    "clock",
    "trace",
    "check",
    "deny",
    "allow",
    "suppressions",
    "sarif",
    "stop_at_first",
];

fn load(args: &Args, bytes: &[u8], is_elf: bool) -> Result<Dreamcast> {
    let rules = args.checks.rules()?;
    let direct = args.caches == Caches::Coherent && rules.is_empty();
    let mut config = Config {
        checks: rules,
        stop_at_first: args.checks.stops_at_first(),
        audio: args.audio.is_some() || args.window && playback::AVAILABLE,
        cable: match args.cable {
            CableOption::Vga => Cable::Vga,
            CableOption::Rgb => Cable::Rgb,
            CableOption::Composite => Cable::Composite,
        },
        region: args.region.region(),
        threads: args.threads.into(),
        caches: args.caches == Caches::Cached,
        clock: match args.clock {
            ClockOption::Fast => Clock::Fast,
            ClockOption::Model => Clock::Model,
        },
        ..Config::default()
    };
    let applied = args.settings.apply(&mut setting_options::console(&mut config))?;
    if config.clock == Clock::Fast && applied.iter().any(|applied| applied.group == "timing") {
        eprintln!("swirl: warning: settings of the group timing have no effect without --clock model");
    }
    if applied
        .iter()
        .any(|applied| applied.setting == Some("exceptions"))
    {
        eprintln!(
            "swirl: warning: --set exceptions has no effect on a console, which always takes exceptions"
        );
    }
    let mut console = Dreamcast::new(config);
    console.set_deinterlace(args.deinterlace.deinterlace());
    if let Some(folder) = &args.files {
        let name = || format!("--files {}", folder.display());
        console
            .open_folder(folder, args.files_writable)
            .with_context(name)?;
    }
    if let Some(path) = &args.disc {
        console.insert(Some(disc::open(args, path).context("--disc")?));
    }
    for (port, unit) in (1..).zip(&args.ports) {
        console.plug(port, 0, unit.peripheral());
    }
    if args.rumble_pack {
        console.plug(0, 2, Some(Box::new(RumblePack::default())));
    }
    if let Some(path) = &args.vmu {
        console.plug(0, 1, Some(Box::new(vmu::read(path)?)));
    }
    match is_elf {
        true => console.load(&Image::parse(bytes)?)?,
        false if Disc::is_image(&args.program) => disc::boot(args, &mut console)?,
        false => match args.at {
            Some(address) => console.load_raw_at(address, bytes)?,
            None => console.load_raw(bytes)?,
        },
    }
    args.engine.prepare_console(&mut console, direct)?;
    Ok(console)
}

/// Rejects files that are no program. With `--at`, accepts any file as a raw binary.
fn check_kind(args: &Args, bytes: &[u8], given: GivenOptions<'_>) -> Result<()> {
    let name = args.program.display();
    if Disc::is_image(&args.program) {
        given.warn(
            true,
            &["at"],
            &format!("on {name}, a disc: it gives the address of its program"),
        );
        return Ok(());
    }
    if bytes.starts_with(b"\x7fELF") {
        given.warn(
            true,
            &["at"],
            &format!("on {name}: an ELF file gives the addresses of its program"),
        );
        return input::expect_elf("run", &args.program, bytes);
    }
    // Any other file can be a raw binary.
    if args.at.is_some() || Input::by_magic(bytes).is_none() && !looks_like_text(bytes) {
        return Ok(());
    }
    let error = input::unsupported("run", &args.program, bytes);
    bail!("{error}; --at ADDRESS loads it as a raw binary")
}

/// Returns whether a file has only printable characters, which is no program.
fn looks_like_text(bytes: &[u8]) -> bool {
    let is_printable = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    bytes.iter().all(is_printable)
}

fn limits(args: &Args) -> Result<Limits> {
    let mut texts = Vec::new();
    for (text, end) in args
        .fail_on
        .iter()
        .map(|text| (text, End::Forbidden))
        .chain(args.until.iter().map(|text| (text, End::Text)))
    {
        if text.is_empty() {
            bail!("--until and --fail-on: found an empty text, expected a text that the program prints");
        }
        texts.push((text.clone(), end));
    }
    let mut config = Config::default();
    args.settings.apply(&mut setting_options::console(&mut config))?;
    let hz = config.settings.cpu_hz.hz() as f64;
    let time = match args.seconds {
        None => Cycles::NEVER,
        Some(seconds) if seconds > 0.0 && seconds < 1e9 => Cycles((seconds * hz) as u64),
        Some(seconds) => bail!("--seconds: found {seconds}, expected more than 0 and less than 1e9"),
    };
    Ok(Limits {
        frames: args.frames.unwrap_or(u64::MAX),
        time,
        instructions: args.max_instructions,
        texts,
    })
}

fn script(args: &Args) -> Result<Script> {
    let Some(path) = &args.input else {
        return Ok(Script::default());
    };
    let name = || path.display().to_string();
    let text = String::from_utf8(input::read(path)?).with_context(name)?;
    Script::parse(&text).with_context(name)
}

fn pictures(args: &Args) -> Result<Pictures> {
    let every = args.every.zip(args.output.clone());
    if let Some((_, pattern)) = &every {
        pictures::numbered(pattern, 0)?;
    }
    Ok(Pictures {
        single: args.screenshot.clone(),
        every,
        written: 0,
    })
}

fn warn_at_end(session: &mut Session, post_mortem: &PostMortem<'_>, args: &Args) {
    session.warn_of_oddities();
    let frame = session.console.frame();
    let missed: Vec<u64> = session.pictures.missed(frame).collect();
    for missing in missed {
        session.warn(format!(
            "--screenshot {missing}: the program ended at frame {frame}; end=FILE writes the last picture"
        ));
    }
    state::warn_of_missed(session);
    if let Some(why) = session.console.disc_error().map(str::to_owned) {
        session.warn(format!("--disc: a sector could not be read: {why}"));
    }
    let end = post_mortem.end;
    if matches!(end, End::Limit) || matches!(end, End::Reached) && args.until.is_some() {
        let lines = post_mortem.waits(session);
        lines.into_iter().for_each(|line| session.warn(line));
    }
}

fn passed(end: &End, wants_text: bool) -> bool {
    match end {
        End::Text => true,
        End::Sleep | End::Exit(0) | End::Reached | End::Menu | End::Reset | End::Closed => !wants_text,
        _ => false,
    }
}
