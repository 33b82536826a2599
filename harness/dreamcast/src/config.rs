//! What a console is made of, and why its runs end.

use crate::checks::RuleSet;
use crate::debug::DebugStop;
use crate::disc::BootError;
use crate::firmware::flash::Region;
use crate::onchip::bsc::Cable;
use crate::settings::Settings;
use crate::time::{Clock, Cycles};
use sh4::Stop;
use timing::Parameters;

/// What a console is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The switches.
    pub settings: Settings,
    /// The CPU's switches. Exceptions are taken whatever this says.
    pub cpu: sh4::Settings,
    /// The PowerVR2's switches.
    pub pvr: pvr::Settings,
    /// The sound block's switches.
    pub aica: aica::Settings,
    /// Sound is mixed, for [`Dreamcast::take_audio`](crate::Dreamcast::take_audio).
    pub audio: bool,
    /// The video cable.
    pub cable: Cable,
    /// What the flash memory and the system mode register say of the console's region.
    pub region: Region,
    /// Threads that draw; the picture is the same for any number.
    pub threads: usize,
    /// What the battery-backed clock shows at power-on: seconds since 1950.
    pub start: u32,
    /// The CPU sees RAM through its caches, as the program sets CCR: stale lines are real. The interpreter
    /// runs everything.
    pub caches: bool,
    /// Where the time comes from.
    pub clock: Clock,
    /// The figures of [`Clock::Model`] that are not certain.
    pub parameters: Parameters,
    /// CCR of [`Clock::Model`] until the program writes it. The default is the value of KallistiOS.
    pub ccr: u32,
    /// The rules to check; any turns `caches` on.
    pub checks: RuleSet,
    /// Whether a run ends at the first rule that is broken.
    pub stop_at_first: bool,
}

impl Default for Config {
    /// A console with a VGA cable at 1 January 2000.
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            cpu: sh4::Settings::default(),
            pvr: pvr::Settings::default(),
            aica: aica::Settings::default(),
            audio: false,
            cable: Cable::default(),
            region: Region::default(),
            threads: 1,
            start: 1_577_836_800,
            caches: false,
            clock: Clock::default(),
            parameters: Parameters::default(),
            ccr: 0x0105,
            checks: RuleSet::default(),
            stop_at_first: false,
        }
    }
}

/// When a run returns at the latest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Until {
    /// The time.
    pub time: Cycles,
    /// The number of vertical blanks since power-on.
    pub frame: u64,
    /// Instructions executed since the console was made.
    pub instructions: u64,
    /// Bytes of console text that wait to be taken.
    pub text: usize,
}

impl Until {
    /// No limit.
    pub const FOREVER: Until = Until {
        time: Cycles::NEVER,
        frame: u64::MAX,
        instructions: u64::MAX,
        text: usize::MAX,
    };
}

/// Why a run returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The time is reached.
    Time,
    /// The frame is reached.
    Frame,
    /// The number of instructions is reached.
    Instructions,
    /// So much console text waits to be taken.
    Text,
    /// The program has ended with this exit code.
    Exit(i32),
    /// The program left for the firmware's menu.
    Menu,
    /// The program reset the console.
    Reset,
    /// SLEEP, and no interrupt is enabled that could end it.
    Asleep,
    /// An exception or interrupt that the program has no handler for; EXPEVT, INTEVT and SPC say which and
    /// where.
    Unhandled,
    /// The CPU cannot continue. Before a reset by an exception the registers still have the values of the
    /// instruction.
    Fault(Stop),
    /// A debugger asked for it.
    Debug(DebugStop),
    /// A rule was broken, and [`Config::stop_at_first`] is set or a stack has overflowed. The next run goes
    /// on.
    Check,
}

/// Why a program was not loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// A disc does not boot.
    #[error(transparent)]
    Boot(#[from] BootError),
    /// A segment lies outside RAM.
    #[error(
        "{size} bytes at {address:08x} are not all RAM; found a segment there, expected 8c000000 to 8cffffff"
    )]
    Outside {
        /// First address.
        address: u32,
        /// Bytes.
        size: u32,
    },
}
