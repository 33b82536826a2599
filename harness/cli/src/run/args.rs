//! Options of `swirl run`.

use super::checks::CheckOptions;
use super::pictures::TimedFile;
use super::video::Video;
use crate::cpu_engine::CpuEngine;
use crate::setting_options::SetOptions;
use dreamcast::peripherals::{Controller, Keyboard, LightGun, Mouse, Peripheral};
use dreamcast::{Deinterlace, Layout, Region};
use std::path::PathBuf;

/// Options that show the screen.
const SHOWN: [&str; 4] = ["screenshot", "every", "video", "window"];

/// Run a Dreamcast program on the console, headless or in a window.
///
/// The console has 16 MB of RAM, video and sound memory, timers, interrupts, DMA, the PowerVR2, Maple with a
/// controller in port A, firmware calls (handled by the host: no boot ROM is needed) and dcload's console.
/// The program's text goes to standard output, notes and warnings to standard error. The same program, input
/// and options give the same text, pictures and exit status on every machine.
///
/// The file is an ELF program for the SH-4, or a raw binary that is loaded at 8C010000 or --at; - is standard
/// input. NAME.cdi, NAME.iso, NAME.gdi, NAME.cue and folders are bootable discs: the program that IP.BIN
/// names is loaded at 8C010000.
///
/// A program ends by dcload's exit, by returning from its entry, by SLEEP without an enabled interrupt, or at
/// a limit. After a fault, an abort or the text of --fail-on, swirl prints the registers, a back-trace from
/// the program's call-frame information, the running thread of KallistiOS, and the last branches. To list the
/// branches, swirl runs the end of the program a second time. If a program reaches --max-instructions, or
/// does not print the text of --until, a warning shows where it is waiting.
///
/// ARM files run on the sound block's ARM7: 2 MB of sound RAM at 0, and the AICA's registers as plain memory
/// with listed stores. Such a program ends by a branch to itself, because no interrupt occurs, or by
/// returning.
#[derive(clap::Args)]
#[group(id = "run")]
#[command(group(clap::ArgGroup::new("shown").args(SHOWN).multiple(true)))]
#[command(after_help = "Examples:\n  \
    swirl run game.elf --frames 600\n  \
    swirl run 1st_read.bin --at 8C010000 --frames 600\n  \
    swirl run game.elf --frames 120 --screenshot 60=title.png\n  \
    swirl run triangle.elf --screenshot end=triangle.png\n  \
    swirl run game.elf --frames 600 --save-state 600=boot.swst\n  \
    swirl run game.elf --load-state boot.swst --frames 900 --input level.txt\n  \
    swirl run game.elf --seconds 10 --every 30 -o out/%04d.png\n  \
    swirl run test.elf --seconds 30 --until 'ALL TESTS PASSED' --fail-on FAIL\n  \
    swirl run game.elf --frames 300 --video title.gif\n  \
    swirl run game.elf --window --record-input keys.txt\n  \
    swirl run game.elf --frames 300 --input keys.txt     (60 press start / 70..90 hold a+right / 95 stick \
    255 128)\n  \
    swirl run shell.elf --ports keyboard --input keys.txt     (100 type \"ls\\n\" / 200 key ctrl+c)\n  \
    swirl run game.elf --disc assets\n  \
    swirl run game.elf --disc assets --disc-layout gdrom\n  \
    swirl run program.elf --max-instructions 100000000 --json\n  \
    swirl run game.elf --frames 120 --trace game.json    (clock of the cycle model)\n  \
    swirl run program.elf --caches cached\n  \
    swirl run program.elf --frames 300 --check all --sarif checks.sarif    (swirl checks lists the rules)
  \
    swirl run program.elf --set dcload=none --set cpu_hz=nominal    (settings lists all)\n  \
    swirl run program.elf --set texel_offset=refsw_2020\n  \
    swirl run program.elf --gdb 3333    (then: gdb-multiarch program.elf -ex 'target remote :3333')\n\n\
    Exit status: 0 if the program ended with exit code 0, reached --frames or --seconds, printed the text \
    of\n  \
    --until, or its window was closed; 1 if its exit code is another, it failed, it reached \
    --max-instructions,\n  \
    it printed the text of --fail-on, or it ended without the text of --until; 2 if the file is no program \
    or\n  \
    an option is wrong.\n\n\
    JSON: {\"program\", \"ended\": \"exit\" | \"sleep\" | \"reached\" | \"text\" | \"forbidden\" | \"limit\" \
    |\n  \
    \"menu\" | \"reset\" | \"fault\" | \"interrupted\" | \"killed\", \"exit_code\", \"fault\", \"failure\": \
    null or\n  \
    {\"registers\", \"thread\", \"frames\": [{\"address\", \"symbol\", \"places\": [{\"function\", \
    \"file\",\n  \
    \"line\"}], \"source\": \"registers\" | \"cfi\" | \"exception\" | \"guess\"}],\n  \
    \"branches\": [{\"from\", \"to\", \"times\"}]}, \"r0\", \"result\" (the word at symbol _result),\n  \
    \"instructions\", \"cycles\", \"frames\", \"renders\", \"console\", \
    \"console_lost\" (bytes\n  \
    dropped from the start of console), \"warnings\",\n  \
     \"checks\": {\"rules\", \"reports\", \"allowed\", \"more\"}}\n\
    JSON of ARM programs: {\"program\", \"processor\", \"ended\": \"idle\" | \"return\" | \"limit\" | \
    \"fault\", \"fault\",\n  \
    \"r0\", \"result\", \"instructions\", \"seconds\", \"aica_stores\": [{\"offset\", \"size\", \
    \"value\"}]}")]
pub(crate) struct Args {
    /// Program to run: ELF, raw binary, or bootable disc.
    pub(crate) program: PathBuf,
    /// Address (hexadecimal) at which to load and start a raw binary; by default 8C010000.
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(super) at: Option<u32>,
    /// End after this number of the console's frames (vertical blanks).
    #[arg(long, value_name = "N")]
    pub(super) frames: Option<u64>,
    /// End after this number of seconds of the console's time.
    #[arg(long, value_name = "S", value_parser = crate::frame::values::finite::<f64>)]
    pub(super) seconds: Option<f64>,
    /// End with status 0 when the program prints this text, and with 1 if it never does.
    #[arg(long, value_name = "TEXT")]
    pub(super) until: Option<String>,
    /// End with status 1 when the program prints this text.
    #[arg(long, value_name = "TEXT")]
    pub(super) fail_on: Vec<String>,
    /// End after this many instructions.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    pub(super) max_instructions: u64,
    /// Write the screen at the end of a frame (FRAME=FILE), or at the end of the run (end=FILE.png),
    /// including failed runs. May be given several times.
    #[arg(long, value_name = "FRAME|end=FILE.png")]
    pub(super) screenshot: Vec<TimedFile>,
    /// Write the state of the console at the end of a frame, or with end=FILE at the end of the run, for
    /// --load-state; may be given several times.
    #[arg(long, value_name = "FRAME|end=FILE.swst")]
    pub(super) save_state: Vec<TimedFile>,
    /// Start from this state, written by --save-state for the same program. Frames and seconds continue to
    /// count; the settings of this run are used.
    #[arg(long, value_name = "FILE.swst")]
    pub(super) load_state: Option<PathBuf>,
    /// Write a picture every N frames, with names from --output.
    #[arg(long, value_name = "N", requires = "output", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) every: Option<u64>,
    /// Pattern for the pictures of --every: %d or %04d becomes the frame's number.
    #[arg(short, long, value_name = "PATTERN", requires = "every")]
    pub(super) output: Option<String>,
    /// Conversion of interlaced modes to pictures.
    #[arg(long, value_enum, default_value_t = DeinterlaceOption::Weave, requires = "shown")]
    pub(super) deinterlace: DeinterlaceOption,
    /// Write the screen as an animation of 640 x 480: .gif (every second frame), .apng or .y4m.
    #[arg(long, value_name = "FILE")]
    pub(super) video: Option<Video>,
    /// Number of frames from one picture of --video to the next.
    #[arg(long, value_name = "N", requires = "video", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) video_every: Option<u64>,
    /// Write the sound from power-on to the end as a WAV file: 44,100 Hz, 16 bits, stereo. With --json the
    /// result includes its levels.
    #[arg(long, value_name = "FILE.wav")]
    pub(super) audio: Option<PathBuf>,
    /// Omit sound before this frame.
    #[arg(
        long,
        value_name = "FRAME",
        requires = "audio",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(super) audio_from: u64,
    /// Input script of controllers, keyboards and mice: lines of FRAME, optionally a port (a to d), and
    /// press, release or hold BUTTONS, stick X Y, triggers LEFT RIGHT, type "TEXT", key KEYS [down|up], or
    /// mouse X Y [BUTTONS].
    #[arg(long, value_name = "FILE")]
    pub(super) input: Option<PathBuf>,
    /// Record the input of controllers, keyboards and mice, from --input and from the window, into a file for
    /// --input.
    #[arg(long, value_name = "FILE")]
    pub(super) record_input: Option<PathBuf>,
    /// Show the program in a window.
    ///
    /// Keys: arrows, X (A), C (B), S (X), D (Y), Enter (Start), I J K L (stick), F and V (triggers); Space
    /// pauses, Period steps a frame, Backspace goes back up to ten seconds, F5 and F7 save and load the state
    /// NAME.swst, P writes a picture, Escape ends. With a keyboard in --ports, all keys go to the keyboard;
    /// F12 switches. With --gdb the window shows the framebuffer, also while the program is stopped; it has
    /// the controller's keys, Backspace, F5 and F7.
    #[arg(long, conflicts_with = "json")]
    pub(super) window: bool,
    /// Folder that the program can read as /pc. It cannot access anything outside.
    #[arg(long, value_name = "DIR")]
    pub(super) files: Option<PathBuf>,
    /// Let the program write to the folder of --files, too.
    #[arg(long, requires = "files")]
    pub(super) files_writable: bool,
    /// Disc in the drive: a folder with its files, NAME.cdi, NAME.iso, or NAME.gdi or NAME.cue with its
    /// tracks.
    #[arg(long, value_name = "DIR|FILE")]
    pub(super) disc: Option<PathBuf>,
    /// Track layout of a disc made from a folder. Its files track01.wav to track99.wav become audio tracks.
    #[arg(long, value_enum, default_value_t = LayoutOption::Cdr)]
    pub(super) disc_layout: LayoutOption,
    /// Region of the console, stored in its flash memory.
    #[arg(long, value_enum, default_value_t = RegionOption::America)]
    pub(super) region: RegionOption,
    /// Devices in ports B, C and D, in this order, separated by commas.
    #[arg(long, value_enum, value_name = "UNIT", value_delimiter = ',')]
    pub(super) ports: Vec<Unit>,
    /// Add a rumble pack to the controller in port A.
    #[arg(long)]
    pub(super) rumble_pack: bool,
    /// VMU in the controller of port A: a file of 128 KiB. It is created if missing, and written back at the
    /// end.
    #[arg(long, value_name = "FILE")]
    pub(super) vmu: Option<PathBuf>,
    /// Write the screen of the VMU at the end, 48 x 32 points.
    #[arg(long, value_name = "FILE.png", requires = "vmu")]
    pub(super) vmu_screen: Option<PathBuf>,
    /// Video cable.
    #[arg(long, value_enum, default_value_t = CableOption::Vga)]
    pub(super) cable: CableOption,
    #[command(flatten)]
    pub(super) settings: SetOptions,
    /// Number of threads that draw; pictures do not depend on it.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) threads: u16,
    /// Source of the console's time.
    #[arg(long, value_enum, default_value_if("trace", clap::builder::ArgPredicate::IsPresent, "model"),
        default_value_t = ClockOption::Fast)]
    pub(super) clock: ClockOption,
    /// Memory model of the CPU: with or without a cache.
    #[arg(long, value_enum, default_value_t = Caches::Coherent)]
    pub(super) caches: Caches,
    /// Engine that runs the program; both engines give the same results.
    ///
    /// With --caches cached, auto selects the interpreter. With --gdb, the recompiler runs the code that is
    /// not stepped or watched. With --clock model the interpreter runs everything, because it counts cycles.
    #[arg(long, value_enum, default_value_t)]
    pub(super) engine: CpuEngine,
    /// Print statistics for developers of the recompiler to standard error: instructions by engine, and
    /// reasons for leaving compiled code.
    #[arg(long)]
    pub(super) engine_report: bool,
    /// Wait for gdb on this local port, and let it control the program; 0 chooses a port. After a detach,
    /// wait again while the program runs.
    #[arg(long, value_name = "PORT")]
    pub(super) gdb: Option<u16>,

    /// Memory for reverse execution with --gdb, in MiB; 0 disables it.
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    pub(super) history: u16,
    /// Write a trace for Perfetto (ui.perfetto.dev): functions, interrupts, DMA, lists, renders, blanks,
    /// Maple, console lines and the program's marks. Uses the cycle model's clock.
    #[arg(long, value_name = "FILE.json", conflicts_with = "gdb")]
    pub(super) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(super) checks: CheckOptions,
    /// Print the result as JSON, including the program's output.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ClockOption {
    /// One cycle per instruction.
    Fast,
    /// The cycle model: pipeline, caches, store queues, bus and DMA.
    Model,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Caches {
    /// No cache: stores reach memory at once.
    Coherent,
    /// Operand cache, as configured by the program in CCR.
    Cached,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Unit {
    /// A controller, with input from --input.
    Controller,
    /// A keyboard.
    Keyboard,
    /// A mouse.
    Mouse,
    /// A light gun.
    LightGun,
    /// No device.
    None,
}

impl Unit {
    pub(super) fn peripheral(self) -> Option<Box<dyn Peripheral>> {
        match self {
            Unit::Controller => Some(Box::new(Controller::default())),
            Unit::Keyboard => Some(Box::new(Keyboard::default())),
            Unit::Mouse => Some(Box::new(Mouse::default())),
            Unit::LightGun => Some(Box::new(LightGun::default())),
            Unit::None => None,
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum RegionOption {
    /// Japan, NTSC.
    Japan,
    /// America, NTSC.
    America,
    /// Europe, PAL.
    Europe,
}

impl RegionOption {
    pub(super) fn region(self) -> Region {
        match self {
            RegionOption::Japan => Region::Japan,
            RegionOption::America => Region::America,
            RegionOption::Europe => Region::Europe,
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum LayoutOption {
    /// A bootable CD-R: audio tracks, and the files in a second session.
    Cdr,
    /// A GD-ROM: the files in the high-density area.
    Gdrom,
    /// A CD with a data track and audio tracks.
    Data,
}

impl LayoutOption {
    pub(super) fn layout(self) -> Layout {
        match self {
            LayoutOption::Cdr => Layout::CdR,
            LayoutOption::Gdrom => Layout::GdRom,
            LayoutOption::Data => Layout::Data,
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum CableOption {
    /// VGA box: 640x480 progressive.
    Vga,
    /// RGB (SCART).
    Rgb,
    /// Composite or S-video.
    Composite,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum DeinterlaceOption {
    /// Both fields, with interleaved lines.
    Weave,
    /// The last drawn field, with each line doubled.
    Bob,
}

impl DeinterlaceOption {
    pub(super) fn deinterlace(self) -> Deinterlace {
        match self {
            DeinterlaceOption::Weave => Deinterlace::Weave,
            DeinterlaceOption::Bob => Deinterlace::Bob,
        }
    }
}

/// Parses a hexadecimal address, with or without 0x.
fn address(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    match u32::from_str_radix(digits, 16) {
        Ok(address) if address % 2 == 0 => Ok(address),
        _ => Err("expected an even hexadecimal address, such as 8C010000".to_owned()),
    }
}
