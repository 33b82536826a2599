//! `swirl run`: a program on the console, headless.

mod aftermath;
pub(crate) mod checks;
mod debug;
mod gdb;
mod pictures;
mod report;
mod sarif;
mod session;
mod sound;
mod trace;
mod video;
mod window;

use crate::console_settings::ConsoleOptions;
use crate::cpu_engine::CpuEngine;
use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::input;
use crate::output;
use crate::processors::EM_ARM;
use aftermath::Aftermath;
use anyhow::{Context, Result, bail};
use clap::ArgMatches;
use dreamcast::input::Script;
use dreamcast::onchip::bsc::Cable;
use dreamcast::peripherals::{Controller, Keyboard, Mouse, Peripheral, VMU_BYTES, Vmu};
use dreamcast::{Clock, Config, Cycles, Disc, Dreamcast, Region};
use machine::Image;
use pictures::{Pictures, Screenshot};
use report::Report;
use session::{End, INTERRUPTED, Limits, Session};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;
use trace::Trace;
use video::Video;

/// Run a Dreamcast program on the console, headless or in a window.
///
/// The console has 16 MB of RAM, video and sound memory, timers, interrupts, DMA, the PowerVR2, Maple with a
/// controller in port A, the firmware's calls (served by the host: no boot ROM is needed) and dcload's
/// console. The program's text goes to standard output, notes and warnings to standard error. The same
/// program, input and options give the same text, pictures and exit status on every machine.
///
/// The file is an ELF program for the SH-4, or a raw binary that is loaded at 8C010000. NAME.iso, NAME.gdi,
/// NAME.cue and folders are discs that boot: the program that IP.BIN names is loaded at 8C010000.
///
/// A program ends by dcload's exit, by returning from its entry, by SLEEP where no interrupt is enabled, or
/// at a limit. After a fault, an abort or the text of --fail-on, swirl prints the registers, a back-trace
/// by the program's call-frame information, the running thread of KallistiOS, and the last branches; for
/// the branches the end of the program runs a second time. A program that --max-instructions ends, or that
/// does not print the text of --until, gets a warning that names what it waits for.
///
/// ARM files run on the sound block's ARM7: 2 MB of sound RAM at 0, and the AICA's registers as plain memory
/// whose stores are listed. Such a program ends by a branch to itself, since no interrupt comes, or by
/// returning.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    swirl run game.elf --frames 600\n  \
    swirl run game.elf --frames 120 --screenshot 60=title.png\n  \
    swirl run game.elf --seconds 10 --every 30 -o out/%04d.png\n  \
    swirl run test.elf --seconds 30 --until 'ALL TESTS PASSED' --fail-on FAIL\n  \
    swirl run game.elf --frames 300 --video title.gif\n  \
    swirl run game.elf --window --record-input keys.txt\n  \
    swirl run game.elf --frames 300 --input keys.txt     (60 press start / 70..90 hold a+right / 95 stick 255 128)\n  \
    swirl run game.elf --disc assets\n  \
    swirl run program.elf --max-instructions 100000000 --json\n  \
    swirl run game.elf --frames 120 --trace game.json    (clock of the cycle model)\n  \
    swirl run program.elf --caches cached\n  \
    swirl run program.elf --frames 300 --check all --sarif checks.sarif    (swirl checks lists the rules)
  \
    swirl run program.elf --set dcload=none --set cpu_hz=nominal    (console-settings lists the switches)\n  \
    swirl run program.elf --gdb 3333    (then: gdb-multiarch program.elf -ex 'target remote :3333')\n\n\
    Exit status: 0 if the program ended with exit code 0, reached --frames or --seconds, printed the text of\n  \
    --until, or its window was closed; 1 if its exit code is another, it failed, it reached --max-instructions,\n  \
    it printed the text of --fail-on, or it ended without the text of --until; 2 if the file is no program or\n  \
    an option is wrong.\n\n\
    JSON: {\"program\", \"ended\": \"exit\" | \"sleep\" | \"reached\" | \"text\" | \"forbidden\" | \"limit\" |\n  \
    \"menu\" | \"reset\" | \"fault\" | \"interrupted\" | \"killed\", \"exit_code\", \"fault\", \"failure\": null or\n  \
    {\"registers\", \"thread\", \"frames\": [{\"address\", \"symbol\", \"places\": [{\"function\", \"file\",\n  \
    \"line\"}], \"source\": \"registers\" | \"cfi\" | \"exception\" | \"guess\"}],\n  \
    \"branches\": [{\"from\", \"to\", \"times\"}]}, \"r0\", \"result\" (the word at symbol _result),\n  \
    \"instructions\", \"cycles\", \"frames\", \"renders\", \"seconds\", \"mips\", \"console\", \"warnings\",\n  \
     \"checks\": {\"rules\", \"reports\", \"allowed\", \"more\"}}\n\
    JSON of ARM programs: {\"program\", \"processor\", \"ended\": \"idle\" | \"return\" | \"limit\" | \"fault\", \"fault\",\n  \
    \"r0\", \"result\", \"instructions\", \"seconds\", \"aica_stores\": [{\"offset\", \"size\", \"value\"}]}")]
pub(crate) struct Args {
    /// The program: ELF, raw binary, or a disc that boots.
    program: PathBuf,
    /// End after this many frames (vertical blanks) of the console.
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// End after this much of the console's time.
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// End with status 0 when the program prints this text, with 1 if it never does.
    #[arg(long, value_name = "TEXT")]
    until: Option<String>,
    /// End with status 1 when the program prints this text.
    #[arg(long, value_name = "TEXT")]
    fail_on: Vec<String>,
    /// End after this many instructions.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    max_instructions: u64,
    /// Write what the screen shows at the end of a frame; may be given several times.
    #[arg(long, value_name = "FRAME=FILE.png")]
    screenshot: Vec<Screenshot>,
    /// Write a picture every N frames, by the pattern of --output.
    #[arg(long, value_name = "N", requires = "output", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// Names of the pictures of --every: %d or %04d becomes the frame's number.
    #[arg(short, long, value_name = "PATTERN", requires = "every")]
    output: Option<String>,
    /// Write what the screen shows as an animation: .gif (every second frame), .apng or .y4m, 640 x 480.
    #[arg(long, value_name = "FILE")]
    video: Option<Video>,
    /// Frames from one picture of --video to the next.
    #[arg(long, value_name = "N", requires = "video", value_parser = clap::value_parser!(u64).range(1..))]
    video_every: Option<u64>,
    /// What the controllers do: lines of FRAME, port (a to d, a if left out), and press, release or hold
    /// BUTTONS, stick X Y, or triggers LEFT RIGHT.
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Write what the controllers did, from --input and from the window, as a file that --input reads.
    #[arg(long, value_name = "FILE")]
    record_input: Option<PathBuf>,
    /// Show the program in a window. Keys: arrows, X (A), C (B), S (X), D (Y), Enter (Start), I J K L
    /// (stick), F and V (triggers); Space pauses, Period steps a frame, P writes a picture, Escape ends.
    #[arg(long, conflicts_with_all = ["gdb", "json"])]
    window: bool,
    /// Open this folder to the program as /pc, for reading; nothing outside it can be reached.
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
    /// Let the program write to the folder of --files too.
    #[arg(long, requires = "files")]
    files_writable: bool,
    /// The disc in the drive: a folder, whose files it then holds, NAME.iso, or NAME.gdi or NAME.cue with its
    /// tracks.
    #[arg(long, value_name = "DIR|FILE")]
    disc: Option<PathBuf>,
    /// The console's region, as its flash memory says.
    #[arg(long, value_enum, default_value_t = RegionOption::America)]
    region: RegionOption,
    /// What is plugged into ports B, C and D, in this order: controller, keyboard, mouse, or none.
    #[arg(long, value_enum, value_name = "UNIT", num_args = 1..=3)]
    ports: Vec<Unit>,
    /// A visual memory in the controller of port A: a file of 128 KiB, made if there is none, written back at
    /// the end.
    #[arg(long, value_name = "FILE")]
    vmu: Option<PathBuf>,
    /// Write the screen of the visual memory at the end, 48 x 32 points.
    #[arg(long, value_name = "FILE.png", requires = "vmu")]
    vmu_screen: Option<PathBuf>,
    /// The video cable.
    #[arg(long, value_enum, default_value_t = CableOption::Vga)]
    cable: CableOption,
    #[command(flatten)]
    settings: ConsoleOptions,
    /// Threads that draw; pictures are the same for any number.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// Where the console's time comes from.
    #[arg(long, value_enum, default_value_if("trace", clap::builder::ArgPredicate::IsPresent, "model"),
        default_value_t = ClockOption::Fast)]
    clock: ClockOption,
    /// How the CPU sees memory.
    #[arg(long, value_enum, default_value_t = Caches::Coherent)]
    caches: Caches,
    /// What runs the program: both engines come to the same results. With --caches cached auto is the
    /// interpreter; under --gdb the recompiler runs what is not stepped or watched.
    #[arg(long, value_enum, default_value_t)]
    engine: CpuEngine,
    /// Wait for gdb on this port of this host, and let it drive the program; 0 chooses a port.
    #[arg(long, value_name = "PORT")]
    gdb: Option<u16>,
    /// Write a trace for Perfetto (ui.perfetto.dev): functions, interrupts, DMA, lists, renders, blanks, Maple,
    /// console lines and the program's marks. The clock is the cycle model's.
    #[arg(long, value_name = "FILE.json", conflicts_with = "gdb")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    checks: checks::CheckOptions,
    /// Print the result as JSON, and the program's output in it.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ClockOption {
    /// One cycle an instruction.
    Fast,
    /// The cycle model: pipeline, caches, store queues, bus and DMA.
    Model,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Caches {
    /// Without a cache: stores are in memory at once.
    Coherent,
    /// Through the operand cache, as the program sets CCR.
    Cached,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Unit {
    /// A controller, driven by --input.
    Controller,
    /// A keyboard.
    Keyboard,
    /// A mouse.
    Mouse,
    /// Nothing.
    None,
}

impl Unit {
    fn peripheral(self) -> Option<Box<dyn Peripheral>> {
        match self {
            Unit::Controller => Some(Box::new(Controller::default())),
            Unit::Keyboard => Some(Box::new(Keyboard::default())),
            Unit::Mouse => Some(Box::new(Mouse::default())),
            Unit::None => None,
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum RegionOption {
    /// Japan, NTSC.
    Japan,
    /// America, NTSC.
    America,
    /// Europe, PAL.
    Europe,
}

impl RegionOption {
    fn region(self) -> Region {
        match self {
            RegionOption::Japan => Region::Japan,
            RegionOption::America => Region::America,
            RegionOption::Europe => Region::Europe,
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum CableOption {
    /// VGA box: 640x480 progressive.
    Vga,
    /// RGB (SCART).
    Rgb,
    /// Composite or S-video.
    Composite,
}

impl Args {
    /// What runs the program. Programs on the console leave compiled code so often that counting it costs more
    /// than interpreting: `auto` is the interpreter under the cycle model.
    fn engine(&self, clock: ClockOption) -> CpuEngine {
        match (self.engine, clock) {
            (CpuEngine::Auto, ClockOption::Model) => CpuEngine::Interpreter,
            (engine, _) => engine,
        }
    }
}

pub(crate) fn run(args: &Args, matches: &ArgMatches) -> Result<ExitStatus> {
    let given = GivenOptions(matches);
    let name = args.program.display().to_string();
    let bytes = match Disc::is_image(&args.program) {
        true => Vec::new(),
        false => input::read(&args.program)?,
    };
    let is_elf = bytes.starts_with(b"\x7fELF");
    if is_elf && machine::elf_machine(&bytes).with_context(|| name.clone())? == EM_ARM {
        let why = format!("on {name}, an ARM program: it runs on the sound block alone");
        given.refuse(true, &CONSOLE, &why)?;
        return sound::run(args, &bytes).with_context(|| name.clone());
    }
    if args.caches == Caches::Coherent && !args.checks.rules()?.is_empty() {
        eprintln!("swirl: note: --check and --deny turn --caches cached on");
    }
    let mut session = session(args, &bytes, script(args)?).with_context(|| name.clone())?;
    if let Some(path) = &args.trace {
        let image = is_elf.then(|| Image::parse(&bytes)).transpose()?;
        session.trace = Some(Trace::start(&mut session.console, image.as_ref(), path)?);
    }
    // A second call would only be refused: one run a process.
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    let begin = Instant::now();
    let end = match args.gdb {
        Some(port) => gdb::serve(&mut session, &bytes, port, args.max_instructions)?.unwrap_or(End::Killed),
        None if args.window => window::run(&mut session, &args.program)?,
        None => session.run()?,
    };
    finish_files(args, &mut session)?;
    let seconds = begin.elapsed().as_secs_f64();
    if let Some(trace) = session.trace.take() {
        trace.finish(&mut session.console)?;
    }
    let again = |script| again(args, &bytes, script);
    let aftermath = Aftermath {
        program: &bytes,
        end: &end,
        seconds,
        again: match may_repeat(args) {
            Ok(()) => Ok(&again),
            Err(why) => Err(why),
        },
    };
    let failure = aftermath.failure(&mut session);
    warn_at_end(&mut session, &aftermath, args);
    write_vmu(args, &session.console)?;
    let checks = args.checks.results(&session.console, &bytes, &name)?;
    let denied = checks.as_ref().is_some_and(checks::CheckResults::fails);
    if let Some(results) = &checks {
        results.print();
    }
    let report = Report {
        session: &session,
        end: &end,
        failure: failure.as_ref(),
        checks: checks.as_ref(),
        seconds,
    };
    report.print(name, args.json)?;
    Ok(ExitStatus::of(passed(&end, args.until.is_some()) && !denied))
}

fn session(args: &Args, program: &[u8], script: Script) -> Result<Session> {
    let console = load(args, program, program.starts_with(b"\x7fELF"))?;
    let mut session = Session::new(console, limits(args)?, script, pictures(args)?, !args.json);
    if let Some(video) = &args.video {
        session.video = Some(video.start(args.video_every)?);
    }
    Ok(session)
}

/// Ends what was written while the program ran.
fn finish_files(args: &Args, session: &mut Session) -> Result<()> {
    if let Some(video) = session.video.take() {
        let pictures = video.finish()?;
        eprintln!("swirl: {pictures} pictures of video");
    }
    match &args.record_input {
        Some(path) => output::write(path, session.script().text(session.console.frame()).as_bytes()),
        None => Ok(()),
    }
}

/// The same run once more, which prints and writes nothing.
fn again(args: &Args, program: &[u8], script: Script) -> Result<Session> {
    let console = load(args, program, program.starts_with(b"\x7fELF"))?;
    Ok(Session::new(console, limits(args)?, script, Pictures::default(), false).silent())
}

/// Whether a second run would be the same as the first.
fn may_repeat(args: &Args) -> Result<(), String> {
    if args.files_writable {
        return Err(
            "not made: they take a second run, and --files-writable lets the first change files".to_owned(),
        );
    }
    match args.gdb {
        Some(_) => {
            Err("not made: they take a second run, and a debugger may have changed the first".to_owned())
        }
        None => Ok(()),
    }
}

/// Options of the console, of which the sound block alone has nothing.
const CONSOLE: [&str; 31] = [
    "frames",
    "seconds",
    "until",
    "fail_on",
    "screenshot",
    "every",
    "output",
    "input",
    "files",
    "files_writable",
    "ports",
    "vmu",
    "vmu_screen",
    "cable",
    "threads",
    "caches",
    "engine",
    "disc",
    "region",
    "video",
    "video_every",
    "window",
    "record_input",
    "set",
    "clock",
    "trace",
    "check",
    "deny",
    "allow",
    "suppressions",
    "sarif",
];

fn load(args: &Args, bytes: &[u8], is_elf: bool) -> Result<Dreamcast> {
    let rules = args.checks.rules()?;
    let direct = args.caches == Caches::Coherent && rules.is_empty();
    let mut console = Dreamcast::new(Config {
        checks: rules,
        cable: match args.cable {
            CableOption::Vga => Cable::Vga,
            CableOption::Rgb => Cable::Rgb,
            CableOption::Composite => Cable::Composite,
        },
        region: args.region.region(),
        threads: args.threads.into(),
        caches: args.caches == Caches::Cached,
        settings: args.settings.settings()?,
        clock: match args.clock {
            ClockOption::Fast => Clock::Fast,
            ClockOption::Model => Clock::Model,
        },
        ..Config::default()
    });
    if let Some(folder) = &args.files {
        let name = || format!("--files {}", folder.display());
        console
            .open_folder(folder, args.files_writable)
            .with_context(name)?;
    }
    if let Some(path) = &args.disc {
        console.insert(Some(Disc::open(path).context("--disc")?));
    }
    for (port, unit) in (1..).zip(&args.ports) {
        console.plug(port, 0, unit.peripheral());
    }
    if let Some(path) = &args.vmu {
        console.plug(0, 1, Some(Box::new(read_vmu(path)?)));
    }
    match is_elf {
        true => console.load(&Image::parse(bytes)?)?,
        false if Disc::is_image(&args.program) => boot(args, &mut console)?,
        false if looks_like_text(bytes) => {
            bail!("found text, expected an ELF program for the SH-4 or a raw binary")
        }
        false => console.load_raw(bytes)?,
    }
    args.engine(args.clock).prepare_console(&mut console, direct)?;
    Ok(console)
}

/// Boots the disc that stands in the program's place.
fn boot(args: &Args, console: &mut Dreamcast) -> Result<()> {
    if args.disc.is_some() {
        bail!("found a disc in the program's place and --disc, expected one disc");
    }
    let mut disc = Disc::open(&args.program)?;
    let program = disc.boot_program()?;
    console.insert(Some(disc));
    Ok(console.load_raw(&program)?)
}

fn read_vmu(path: &Path) -> Result<Vmu> {
    if !path.exists() {
        return Ok(Vmu::formatted());
    }
    let bytes = input::read(path)?;
    Vmu::from_bytes(&bytes).with_context(|| {
        format!(
            "--vmu {}: found {} bytes, expected {VMU_BYTES}",
            path.display(),
            bytes.len()
        )
    })
}

/// Writes the visual memory back, and its screen.
fn write_vmu(args: &Args, console: &Dreamcast) -> Result<()> {
    let Some((path, vmu)) = args.vmu.as_ref().zip(console.vmu(0, 1)) else {
        return Ok(());
    };
    if vmu.is_changed() || !path.exists() {
        output::write(path, vmu.bytes())?;
    }
    if let Some(path) = &args.vmu_screen {
        let points = (0..32).flat_map(|y| (0..48).map(move |x| (x, y)));
        let rgba = points.flat_map(|(x, y)| {
            if vmu.point(x, y) {
                [0x20, 0x28, 0x20, 255]
            } else {
                [0xB8, 0xC8, 0xB0, 255]
            }
        });
        output::write_png(
            path,
            &pvr::Image {
                width: 48,
                height: 32,
                rgba: rgba.collect(),
            },
        )?;
    }
    Ok(())
}

/// A file of printable characters only is no program, whatever a raw binary may hold.
fn looks_like_text(bytes: &[u8]) -> bool {
    bytes.is_empty()
        || bytes
            .iter()
            .all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~'))
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
            bail!("--until and --fail-on: found an empty text, expected what the program prints");
        }
        texts.push((text.clone(), end));
    }
    let hz = args.settings.settings()?.cpu_hz.hz() as f64;
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

fn warn_at_end(session: &mut Session, aftermath: &Aftermath<'_>, args: &Args) {
    session.warn_of_oddities();
    let frame = session.console.frame();
    let missed: Vec<u64> = session.pictures.missed(frame).map(|shot| shot.frame).collect();
    for missing in missed {
        session.warn(format!(
            "--screenshot {missing}: the program ended at frame {frame}"
        ));
    }
    if let Some(why) = session.console.disc_error().map(str::to_owned) {
        session.warn(format!("--disc: a sector could not be read: {why}"));
    }
    let end = aftermath.end;
    if matches!(end, End::Limit) || matches!(end, End::Reached) && args.until.is_some() {
        let lines = aftermath.waits(session);
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
