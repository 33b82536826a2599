//! What sources dispute or nobody has measured, each a named switch: default first, then evidence and
//! confidence.

/// A console's switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// See [`CpuHz`].
    pub cpu_hz: CpuHz,
    /// Cycles an instruction takes under the fast clock: 1 to 16. The SH4 issues up to two instructions a
    /// cycle and waits for memory; no single number is right. Default 1.
    pub cycles_per_instruction: u64,
    /// What reads of unassigned addresses give. 0 in other emulators; no capture of a console exists. Default
    /// 0.
    pub open_bus: u32,
    /// See [`VblankUnits`].
    pub vint_units: VblankUnits,
    /// See [`MapleTime`].
    pub maple_time: MapleTime,
    /// See [`TmuPhase`].
    pub tmu_phase: TmuPhase,
    /// See [`BootRomCheck`].
    pub rom_check: BootRomCheck,
    /// See [`Dcload`].
    pub dcload_kind: Dcload,
    /// See [`BootState`].
    pub boot_state: BootState,
    /// Cycles from a list's end-of-list parameter to its event. Other emulators: 0 and 800. Programs set
    /// flags behind the store, so 0 breaks them. Default 200, confidence low.
    pub ta_list_latency: u64,
    /// PVR clocks that a translucent pixel takes, in tenths. 24 fits the one public measurement: 60 Hz is
    /// lost beyond 0.5 to 0.6 million translucent pixels a frame (dreamcast.wiki, fill rate). Confidence low.
    pub translucent_tenths: u64,
    /// Hundredths of cycles that a channel 2 DMA takes for 32 bytes, by the 64-bit path. Measured on a
    /// console (snickerbockers/pvr2_mem_test): 9.886. Confidence high.
    pub ch2_rate64: u64,
    /// The same by the 32-bit path: 16.713. Confidence high.
    pub ch2_rate32: u64,
    /// Cycles that G2 DMA takes for a byte. 4 is the bus's limit (16 bits at 25 MHz), 10 a guess. Confidence
    /// low.
    pub g2_dma_rate: u64,
    /// Cycles in which the sound block's write buffer stores a word that the CPU has written; FFST bit 0 is 1
    /// until then. lxdream's author read 120 to 420 ns in software; clearing sound memory took about 200 ms
    /// of a console's start. 0: never busy. Default 80 (0.4 us), confidence low.
    pub g2_word_time: u64,
    /// See [`DmaWindows`].
    pub dma_windows: DmaWindows,
    /// See [`SbRevision`].
    pub sb_revision: SbRevision,
    /// Cycles that the GD-ROM drive takes for a byte from the disc: 111, 1.8 MB/s at 12 times the speed of
    /// audio. Two emulators agree. Confidence high.
    pub gd_disc_rate: u64,
    /// Cycles that G1 DMA takes for a byte in the drive's buffer: 14 (13.3 MB/s), in another emulator 8.
    /// Confidence low.
    pub gd_buffer_rate: u64,
    /// Cycles that a command of the drive takes beside its data. Nobody has measured seeks. Default 200,000
    /// (1 ms), confidence low.
    pub gd_command_time: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cpu_hz: CpuHz::Ratio133To18,
            cycles_per_instruction: 1,
            open_bus: 0,
            vint_units: VblankUnits::FieldLines,
            maple_time: MapleTime::Bytes,
            tmu_phase: TmuPhase::Restart,
            rom_check: BootRomCheck::Skip,
            dcload_kind: Dcload::Serial,
            boot_state: BootState::BootRom,
            ta_list_latency: 200,
            translucent_tenths: 24,
            ch2_rate64: 989,
            ch2_rate32: 1671,
            g2_dma_rate: 4,
            g2_word_time: 80,
            dma_windows: DmaWindows::Report,
            sb_revision: SbRevision::Eleven,
            gd_disc_rate: 111,
            gd_buffer_rate: 14,
            gd_command_time: 200_000,
        }
    }
}

/// The SH4's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CpuHz {
    /// 199.5 MHz: 133/18 of the 27 MHz dot clock. 2.4 ppm from what KallistiOS measured. Default, confidence
    /// medium.
    #[default]
    Ratio133To18,
    /// 199,499,520 Hz, measured by KallistiOS.
    Measured,
    /// 200 MHz, the nominal clock.
    Nominal,
}

impl CpuHz {
    /// The clock in Hz.
    #[must_use]
    pub fn hz(self) -> u64 {
        match self {
            CpuHz::Ratio133To18 => 199_500_000,
            CpuHz::Measured => 199_499_520,
            CpuHz::Nominal => 200_000_000,
        }
    }
}

/// What SPG_VBLANK_INT counts in interlaced modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VblankUnits {
    /// Whole lines of the field. Olsson's register guide gives 21 and 258 for 480 lines interlaced, where the
    /// blanking registers hold 36 and 516. Default, confidence medium.
    #[default]
    FieldLines,
    /// The counter of SPG_STATUS, which runs at half lines.
    Raw,
}

/// How long a Maple transfer takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapleTime {
    /// By its bytes: 2 Mbit/s out, 0.74 Mbit/s in, and the time-out for an empty port. Default, confidence
    /// medium.
    #[default]
    Bytes,
    /// 1 ms, the typical whole time by a console test of the author of washingtondc.
    Millisecond,
    /// 0.2 ms.
    FifthOfMillisecond,
}

/// The phase of a timer's prescaler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TmuPhase {
    /// It restarts when TSTR starts the channel. Default, confidence low.
    #[default]
    Restart,
    /// It runs free from power-on.
    FreeRunning,
}

/// What the drive's unlock register 005F74EC answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BootRomCheck {
    /// 3: the check has passed, and KallistiOS does not read the boot ROM. Default.
    #[default]
    Skip,
    /// 0: KallistiOS reads 2 MiB of ROM, some 331 ms.
    Read,
}

/// The loader that the program finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dcload {
    /// dcload-serial: console and files by its calls. Default.
    #[default]
    Serial,
    /// dcload-ip: call 14 fails.
    Ip,
    /// No loader: text goes to the serial port.
    None,
}

/// PVR, G2 and Maple DMA with RAM addresses outside the window that PDAPRO, G2APRO or MDAPRO opens. G1 DMA is
/// always refused there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DmaWindows {
    /// The transfer goes on; the check `dma-range` reports it. Default, confidence low: KallistiOS opens the
    /// windows, and programs without it are known to have run on emulators only.
    #[default]
    Report,
    /// The transfer is refused: ISTERR has the channel's overrun bit, and the enable register falls to 0.
    /// Evidence: the Sega manual's event table; the emulator flycast, for G2 and Maple.
    Refuse,
}

/// The screen that a program finds: 640 x 480 pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BootState {
    /// The boot ROM's: RGB0888 at 00200000. IP.BIN copies 640 x 480 words of 32 bits there, and programs of
    /// buhman/dreamcast use it without setting a mode. Default, confidence medium-high.
    #[default]
    BootRom,
    /// dcload-ip 2's: RGB0555 at 0.
    Dcload,
}

/// SBREV (005F689C).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SbRevision {
    /// 0B, as three emulators answer. Default, confidence medium.
    #[default]
    Eleven,
    /// 10 hex.
    Sixteen,
}
