//! The options of `swirl run`.

use super::checks::CheckOptions;
use super::pictures::MomentFile;
use super::video::Video;
use crate::cpu_engine::CpuEngine;
use crate::setting_options::SetOptions;
use dreamcast::peripherals::{Controller, Keyboard, LightGun, Mouse, Peripheral};
use dreamcast::{Deinterlace, Layout, Region};
use std::path::PathBuf;

/// Options that show pictures of the screen.
const SHOWN: [&str; 4] = ["screenshot", "every", "video", "window"];

/// Run a Dreamcast program on the console, headless or in a window.
///
/// The console has 16 MB of RAM, video and sound memory, timers, interrupts, DMA, the PowerVR2, Maple with a
/// controller in port A, the firmware's calls (served by the host: no boot ROM is needed) and dcload's
/// console. The program's text goes to standard output, notes and warnings to standard error. The same
/// program, input and options give the same text, pictures and exit status on every machine.
///
/// The file is an ELF program for the SH-4, or a raw binary that is loaded at 8C010000 or --at; - is standard
/// input. NAME.cdi, NAME.iso, NAME.gdi, NAME.cue and folders are discs that boot: the program that IP.BIN
/// names is loaded at 8C010000.
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
    dropped from the begin of console, if any), \"warnings\",\n  \
     \"checks\": {\"rules\", \"reports\", \"allowed\", \"more\"}}\n\
    JSON of ARM programs: {\"program\", \"processor\", \"ended\": \"idle\" | \"return\" | \"limit\" | \
    \"fault\", \"fault\",\n  \
    \"r0\", \"result\", \"instructions\", \"seconds\", \"aica_stores\": [{\"offset\", \"size\", \
    \"value\"}]}")]
pub(crate) struct Args {
    /// The program: ELF, raw binary, or a disc that boots.
    pub(crate) program: PathBuf,
    /// Load a raw binary at this address, in hexadecimal, and begin there; 8C010000 without it.
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(super) at: Option<u32>,
    /// End after this many frames (vertical blanks) of the console.
    #[arg(long, value_name = "N")]
    pub(super) frames: Option<u64>,
    /// End after this much of the console's time.
    #[arg(long, value_name = "S", value_parser = crate::frame::values::finite::<f64>)]
    pub(super) seconds: Option<f64>,
    /// End with status 0 when the program prints this text, with 1 if it never does.
    #[arg(long, value_name = "TEXT")]
    pub(super) until: Option<String>,
    /// End with status 1 when the program prints this text.
    #[arg(long, value_name = "TEXT")]
    pub(super) fail_on: Vec<String>,
    /// End after this many instructions.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    pub(super) max_instructions: u64,
    /// Write what the screen shows at the end of a frame, or with end=FILE.png at the end of the run, failed
    /// runs too; may be given several times.
    #[arg(long, value_name = "FRAME|end=FILE.png")]
    pub(super) screenshot: Vec<MomentFile>,
    /// Write the state of the console at the end of a frame, or with end=FILE at the end of the run, for
    /// --load-state; may be given several times.
    #[arg(long, value_name = "FRAME|end=FILE.swst")]
    pub(super) save_state: Vec<MomentFile>,
    /// Begin with this state, which --save-state has written for the same program. Frames and seconds count
    /// on; settings are those of this run.
    #[arg(long, value_name = "FILE.swst")]
    pub(super) load_state: Option<PathBuf>,
    /// Write a picture every N frames, by the pattern of --output.
    #[arg(long, value_name = "N", requires = "output", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) every: Option<u64>,
    /// Names of the pictures of --every: %d or %04d becomes the frame's number.
    #[arg(short, long, value_name = "PATTERN", requires = "every")]
    pub(super) output: Option<String>,
    /// How pictures of interlaced modes are made.
    #[arg(long, value_enum, default_value_t = DeinterlaceOption::Weave, requires = "shown")]
    pub(super) deinterlace: DeinterlaceOption,
    /// Write what the screen shows as an animation: .gif (every second frame), .apng or .y4m, 640 x 480.
    #[arg(long, value_name = "FILE")]
    pub(super) video: Option<Video>,
    /// Frames from one picture of --video to the next.
    #[arg(long, value_name = "N", requires = "video", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) video_every: Option<u64>,
    /// Write what the sound block plays, from power-on to the end: a WAV file, 44,100 Hz, 16 bits, stereo.
    /// With --json the result has its levels.
    #[arg(long, value_name = "FILE.wav")]
    pub(super) audio: Option<PathBuf>,
    /// Leave out the sound before this frame.
    #[arg(
        long,
        value_name = "FRAME",
        requires = "audio",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(super) audio_from: u64,
    /// What controllers, keyboards and mice do: lines of FRAME, perhaps a port (a to d), and press, release
    /// or hold BUTTONS, stick X Y, triggers LEFT RIGHT, type "TEXT", key KEYS [down|up], or mouse X Y
    /// [BUTTONS].
    #[arg(long, value_name = "FILE")]
    pub(super) input: Option<PathBuf>,
    /// Write what controllers, keyboards and mice did, from --input and from the window, as a file that
    /// --input reads.
    #[arg(long, value_name = "FILE")]
    pub(super) record_input: Option<PathBuf>,
    /// Show the program in a window. Keys: arrows, X (A), C (B), S (X), D (Y), Enter (Start), I J K L
    /// (stick), F and V (triggers); Space pauses, Period steps a frame, Backspace goes back up to ten
    /// seconds, F5 and F7 save and load the state NAME.swst, P writes a picture, Escape ends. With a keyboard
    /// in --ports all keys go to it; F12 switches. With --gdb the window shows the framebuffer, also while
    /// the program stands still, and has the controller's keys.
    #[arg(long, conflicts_with = "json")]
    pub(super) window: bool,
    /// Open this folder to the program as /pc, for reading; nothing outside it can be reached.
    #[arg(long, value_name = "DIR")]
    pub(super) files: Option<PathBuf>,
    /// Let the program write to the folder of --files too.
    #[arg(long, requires = "files")]
    pub(super) files_writable: bool,
    /// The disc in the drive: a folder, whose files it then holds, NAME.cdi, NAME.iso, or NAME.gdi or
    /// NAME.cue with its tracks.
    #[arg(long, value_name = "DIR|FILE")]
    pub(super) disc: Option<PathBuf>,
    /// The tracks of a disc that is a folder. Files track01.wav to track99.wav in it are its audio tracks.
    #[arg(long, value_enum, default_value_t = LayoutOption::Cdr)]
    pub(super) disc_layout: LayoutOption,
    /// The console's region, as its flash memory says.
    #[arg(long, value_enum, default_value_t = RegionOption::America)]
    pub(super) region: RegionOption,
    /// What is plugged into ports B, C and D, in this order, with commas between.
    #[arg(long, value_enum, value_name = "UNIT", value_delimiter = ',')]
    pub(super) ports: Vec<Unit>,
    /// Put a rumble pack into the controller of port A.
    #[arg(long)]
    pub(super) rumble_pack: bool,
    /// A visual memory in the controller of port A: a file of 128 KiB, made if there is none, written back at
    /// the end.
    #[arg(long, value_name = "FILE")]
    pub(super) vmu: Option<PathBuf>,
    /// Write the screen of the visual memory at the end, 48 x 32 points.
    #[arg(long, value_name = "FILE.png", requires = "vmu")]
    pub(super) vmu_screen: Option<PathBuf>,
    /// The video cable.
    #[arg(long, value_enum, default_value_t = CableOption::Vga)]
    pub(super) cable: CableOption,
    #[command(flatten)]
    pub(super) settings: SetOptions,
    /// Threads that draw; pictures are the same for any number.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) threads: u16,
    /// Where the console's time comes from.
    #[arg(long, value_enum, default_value_if("trace", clap::builder::ArgPredicate::IsPresent, "model"),
        default_value_t = ClockOption::Fast)]
    pub(super) clock: ClockOption,
    /// How the CPU sees memory.
    #[arg(long, value_enum, default_value_t = Caches::Coherent)]
    pub(super) caches: Caches,
    /// What runs the program: both engines come to the same results. With --caches cached auto is the
    /// interpreter; under --gdb the recompiler runs what is not stepped or watched. The interpreter counts
    /// cycles: under --clock model it runs everything.
    #[arg(long, value_enum, default_value_t)]
    pub(super) engine: CpuEngine,
    /// Print to standard error where instructions ran, and why compiled code was left: for developers of the
    /// recompiler.
    #[arg(long)]
    pub(super) engine_report: bool,
    /// Wait for gdb on this port of this host, and let it drive the program; 0 chooses a port.
    #[arg(long, value_name = "PORT")]
    pub(super) gdb: Option<u16>,

    /// Memory for reverse execution under --gdb, in MiB; 0 turns it off.
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    pub(super) history: u16,
    /// Write a trace for Perfetto (ui.perfetto.dev): functions, interrupts, DMA, lists, renders, blanks,
    /// Maple, console lines and the program's marks. The clock is the cycle model's.
    #[arg(long, value_name = "FILE.json", conflicts_with = "gdb")]
    pub(super) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(super) checks: CheckOptions,
    /// Print the result as JSON, and the program's output in it.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ClockOption {
    /// One cycle an instruction.
    Fast,
    /// The cycle model: pipeline, caches, store queues, bus and DMA.
    Model,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Caches {
    /// Without a cache: stores are in memory at once.
    Coherent,
    /// Through the operand cache, as the program sets CCR.
    Cached,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Unit {
    /// A controller, driven by --input.
    Controller,
    /// A keyboard.
    Keyboard,
    /// A mouse.
    Mouse,
    /// A light gun.
    LightGun,
    /// Nothing.
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
    /// A CD-R that boots: audio tracks, and the files in a second session.
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
    /// Both fields, their lines in turn.
    Weave,
    /// The field that was drawn last, each line twice.
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

/// A hexadecimal address, with or without 0x.
fn address(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    match u32::from_str_radix(digits, 16) {
        Ok(address) if address % 2 == 0 => Ok(address),
        _ => Err("expected an even hexadecimal address, such as 8C010000".to_owned()),
    }
}
