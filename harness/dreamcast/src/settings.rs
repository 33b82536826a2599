//! Settings for hardware behaviour that sources describe differently or that has not been measured.

settings::settings! {
    /// A console's settings.
    pub struct Settings;

    choices:
    /// The SH4's clock.
    CpuHz cpu_hz: Medium, "2.4 ppm off the frequency that KallistiOS measured (its timer.c)" {
        /// 199.5 MHz: 133/18 of the 27 MHz dot clock.
        Ratio133To18 = "ratio",
        /// 199,499,520 Hz, as KallistiOS measured.
        Measured = "measured",
        /// 200 MHz, the nominal clock.
        Nominal = "nominal",
    }

    /// The lines that SPG_VBLANK_INT counts in interlaced modes.
    VblankUnits vint_units: Medium,
        "Olsson's register guide: 21 and 258 for 480 lines interlaced, where the blanking registers hold 36 \
        and 516" {
        /// Whole lines of the field.
        FieldLines = "field_lines",
        /// The counter of SPG_STATUS, which runs at half lines.
        Raw = "raw",
    }

    /// The duration of a Maple transfer.
    MapleTime maple_time: Medium, "the bus's clock" {
        /// 2 Mbit/s out, 0.74 Mbit/s in, and the time-out for an empty port.
        Bytes = "bytes",
        /// 1 ms, the typical time of a console test by the author of washingtondc.
        Millisecond = "millisecond",
        /// 0.2 ms.
        FifthOfMillisecond = "fifth_of_millisecond",
    }

    /// The phase of a timer's prescaler.
    TmuPhase tmu_phase: Low, "none: no source decides" {
        /// Restarts when TSTR starts the channel.
        Restart = "restart",
        /// Runs freely from power-on.
        FreeRunning = "free_running",
    }

    /// The answer of the drive's unlock register 005F74EC.
    BootRomCheck rom_check: Medium, "a loader leaves the drive unlocked" {
        /// 3: the check has passed; KallistiOS does not read the boot ROM.
        Skip = "skip",
        /// 0: KallistiOS reads 2 MiB of ROM, about 331 ms.
        Read = "read",
    }

    /// The loader that the program finds.
    Dcload "dcload" dcload_kind: High, "depends on the developer's cable" {
        /// dcload-serial: console and files through its calls.
        Serial = "serial",
        /// dcload-ip: call 14 fails.
        Ip = "ip",
        /// No loader: text goes to the serial port.
        None = "none",
    }

    /// PVR, G2 and Maple DMA with RAM addresses outside the window set by PDAPRO, G2APRO or MDAPRO. G1 DMA is
    /// always refused there.
    DmaWindows dma_windows: Low,
        "KallistiOS opens the windows; programs without it are known to have run on emulators only" {
        /// Performs the transfer; the check `dma-range` reports it.
        Report = "report",
        /// Refuses the transfer: ISTERR has the channel's overrun bit, and the enable register is cleared.
        /// Source: the Sega manual's event table; the emulator flycast, for G2 and Maple.
        Refuse = "refuse",
    }

    /// The screen set up before the program starts: 640 x 480 pixels.
    BootState boot_state: Medium,
        "IP.BIN copies 640 x 480 words of 32 bits to A5200000, and public programs use them without setting \
        a mode" {
        /// The boot ROM's: RGB0888 at 00200000.
        BootRom = "boot_rom",
        /// dcload-ip 2's: RGB0555 at 0.
        Dcload = "dcload",
    }

    /// The sound block's interrupt registers before the program starts.
    SoundState sound_state: Medium,
        "KallistiOS pull request 1415: its driver set up no interrupt before June 2026, and was heard on \
        consoles" {
        /// The boot ROM's state after its music: levels 18, 50 and 08, timer A enabled for the ARM7. The
        /// handlers of KallistiOS expect these levels.
        BootRom = "boot_rom",
        /// 0: no interrupt is enabled.
        Reset = "reset",
    }

    /// SBREV (005F689C).
    SbRevision sb_revision: Medium, "agreement of three emulators" {
        /// 0B hex.
        Eleven = "0b",
        /// 10 hex.
        Sixteen = "10",
    }

    values:
    /// Cycles that the GD-ROM drive takes per byte from the disc.
    gd_disc_rate: u64 = 111 in 1..=100_000 cycles, High,
        "1.8 MB/s at 12 times the speed of audio; two emulators agree";
    /// Cycles that G1 DMA takes per byte in the drive's buffer.
    gd_buffer_rate: u64 = 14 in 1..=100_000 cycles, Low, "13.3 MB/s; another emulator has 8 cycles";
    /// Cycles of a drive command, without its data.
    gd_command_time: u64 = 200_000 in 0..=400_000_000 cycles, Low, "no measurement of seeks exists";
    /// Cycles per instruction under the fast clock.
    cycles_per_instruction: u64 = 1 in 1..=16 cycles, Low,
        "the SH4 issues up to two instructions a cycle and waits for memory; every fixed number is wrong";
    /// The value of reads from unassigned addresses.
    open_bus: u32 = 0 in 0..=0xFFFF_FFFF, Low, "other emulators; no capture of a console exists";
    /// Cycles from a list's end-of-list parameter to its event.
    ta_list_latency: u64 = 200 in 0..=1_000_000 cycles, Low,
        "programs set flags after the store, so 0 breaks them; other emulators: 0 and 800";
    /// PVR clocks that a translucent pixel takes, in tenths.
    translucent_tenths: u64 = 24 in 0..=10_000, Low,
        "60 Hz is lost beyond 0.5 to 0.6 million translucent pixels a frame (dreamcast.wiki, fill rate)";
    /// Hundredths of cycles for 32 bytes of channel 2 DMA by the 64-bit path.
    ch2_rate64: u64 = 989 in 1..=100_000, High,
        "measured on a console: 9.886 cycles (snickerbockers/pvr2_mem_test)";
    /// Hundredths of cycles for 32 bytes of channel 2 DMA by the 32-bit path.
    ch2_rate32: u64 = 1671 in 1..=100_000, High,
        "measured on a console: 16.713 cycles (snickerbockers/pvr2_mem_test)";
    /// Cycles that G2 DMA takes for a byte.
    g2_dma_rate: u64 = 4 in 1..=1000 cycles, Low,
        "4 is the bus's limit (16 bits at 25 MHz); 10 is another emulator's guess";
    /// Cycles until the sound block's write buffer has stored a word of the CPU. FFST bit 0 is 1 until then;
    /// with 0 cycles it is never busy.
    g2_word_time: u64 = 80 in 0..=10_000 cycles, Low,
        "lxdream's author read 120 to 420 ns; clearing sound memory took about 200 ms of a console's start";
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
