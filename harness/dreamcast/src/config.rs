//! Configuration of a console, limits of runs, and reasons for their end.

use crate::checks::RuleSet;
use crate::debug::DebugStop;
use crate::disc::BootError;
use crate::firmware::flash::Region;
use crate::onchip::bsc::Cable;
use crate::settings::Settings;
use crate::time::{Clock, Cycles};
use sh4::Stop;
use timing::Parameters;

/// Configuration of a console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Settings of the console.
    pub settings: Settings,
    /// Settings of the CPU. The console always takes exceptions.
    pub cpu: sh4::Settings,
    /// Settings of the PowerVR2.
    pub pvr: pvr::Settings,
    /// Settings of the sound block.
    pub aica: aica::Settings,
    /// Enables mixing of sound, for [`Dreamcast::take_audio`](crate::Dreamcast::take_audio).
    pub audio: bool,
    /// Video cable.
    pub cable: Cable,
    /// Region of the console, stored in flash memory and the system mode register.
    pub region: Region,
    /// Number of drawing threads. It does not affect the picture.
    pub threads: usize,
    /// Time of the battery-backed clock at power-on, in seconds since 1950.
    pub start: u32,
    /// Lets the CPU access RAM through its caches as configured in CCR, including stale lines. The
    /// interpreter then runs everything.
    pub caches: bool,
    /// Source of the time.
    pub clock: Clock,
    /// Uncertain constants of [`Clock::Model`].
    pub parameters: Parameters,
    /// Value of CCR for [`Clock::Model`] until the program writes CCR. The default is KallistiOS's value.
    pub ccr: u32,
    /// Rules to check. Any rule enables `caches`.
    pub checks: RuleSet,
    /// Ends a run at the first broken rule.
    pub stop_at_first: bool,
}

impl Default for Config {
    /// A console with a VGA cable, at 1 January 2000.
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

/// Limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Until {
    /// Time limit.
    pub time: Cycles,
    /// Number of vertical blanks since power-on.
    pub frame: u64,
    /// Number of instructions since the console was created.
    pub instructions: u64,
    /// Bytes of console text not yet taken by [`Dreamcast::take_console`](crate::Dreamcast::take_console).
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

/// Reason why a run returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The time limit was reached.
    Time,
    /// The frame was reached.
    Frame,
    /// The number of instructions was reached.
    Instructions,
    /// The limit of console text was reached.
    Text,
    /// The program has ended with this exit code.
    Exit(i32),
    /// The program left for the firmware's menu.
    Menu,
    /// The program reset the console.
    Reset,
    /// The CPU executed SLEEP, and no enabled interrupt can wake it.
    Asleep,
    /// An exception or interrupt without a handler. EXPEVT, INTEVT and SPC identify it and its place.
    Unhandled,
    /// The CPU cannot continue. If the reason is an exception that resets the CPU, the CPU has not reset yet:
    /// its registers have the values at the instruction.
    Fault(Stop),
    /// A debugger requested the stop.
    Debug(DebugStop),
    /// A rule was broken, and [`Config::stop_at_first`] is set or a stack has overflowed. The next run
    /// continues.
    Check,
}

/// Reason why a program was not loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// A disc is not bootable.
    #[error(transparent)]
    Boot(#[from] BootError),
    /// A segment is outside RAM.
    #[error(
        "{size} bytes at {address:08x} are not all RAM; found a segment there, expected 8c000000 to 8cffffff"
    )]
    Outside {
        /// First address.
        address: u32,
        /// Size in bytes.
        size: u32,
    },
}
