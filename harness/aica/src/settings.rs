//! Doubtful behaviour of the sound block, each as a named setting. Headings are those of
//! `docs/hardware/aica.md`.

use arm7::cpu::CpuSettings;

settings::settings! {
    /// Every setting. The defaults are the best supported values.
    pub struct Settings;

    choices:
    /// The parts of the sound block that work ("Levels").
    Sound sound: High, "KallistiOS's driver and others need all of them" {
        /// Channels, timers and interrupts move with time, and the ARM7 executes.
        Arm = "arm",
        /// Registers and sound RAM are plain memory, and time moves nothing. For programs without sound.
        Storage = "storage",
    }

    /// Speed of the ARM7 ("Speed of the ARM7").
    ArmRate arm_rate: Medium, "the chip's clock and the emulator flycast; no console was measured" {
        /// 512 cycles a sample, 22.5792 MHz, with the data sheet's cycles for each instruction and no wait
        /// states.
        Cycles = "cycles",
        /// 68 instructions a sample, about 3.0 million a second: the emulator Deecy runs one in 66 SH4
        /// cycles.
        Instructions = "instructions",
        /// 64 cycles a sample, 2.8224 MHz: the emulator MAME.
        SlowCycles = "slow_cycles",
    }

    /// The value of register 2800 ("Register 2800").
    MasterRead master_read: Medium,
        "the AICA manual has a version field there, and yamato's reading gives its value" {
        /// The stored bits, and 1 as version in bits 7 to 4.
        StoredAndVersion = "stored_and_version",
        /// Always 0010: yamato's hardware reference 0.8 of 2002.
        VersionOnly = "version_only",
        /// The stored bits: the emulator lxdream.
        Stored = "stored",
    }

    /// The interrupt line to the SH4, ISTEXT bit 1 ("Interrupts").
    Sh4Line sh4_line: Medium, "the emulator flycast" {
        /// Active while an enabled request is pending.
        Level = "level",
        /// Active for one sample after a request starts: the AICA manual has a pulse of one clock of the bus.
        Pulse = "pulse",
    }

    /// The state of a channel that reaches its end without a loop ("End of a sample").
    SampleEnd sample_end: Low,
        "the emulator flycast; KallistiOS reads KYONB to learn whether a channel plays" {
        /// KYONB falls to 0 and the position returns to 0.
        KeyFalls = "key_falls",
        /// KYONB and the position stay; a new key-on needs a key-off first.
        Stays = "stays",
    }

    /// The sample at the loop end ("Positions").
    LoopEnd loop_end: Medium,
        "the AICA manual wants the same value in both registers, and KallistiOS writes the number of \
        samples there" {
        /// It is not played: a loop has end minus start samples.
        Exclusive = "exclusive",
        /// It is played: the AICA manual lists it as the last that is read.
        Inclusive = "inclusive",
    }

    /// The moment at which a timer's prescaler begins to count ("Timers").
    TimerPhase timer_phase: Low, "none; KallistiOS uses no prescaler" {
        /// The write to the timer.
        Restart = "restart",
        /// Power-on: all timers divide one counter of samples.
        FreeRunning = "free_running",
    }

    /// The sum of KRS and OCT in the effective rate, 2 x (rate + KRS + OCT) + FNS bit 9 ("Envelope"). A
    /// negative sum counts as 0.
    RateScaling rate_scaling: Low, "models of the sister chip SCSP" {
        /// The sum is limited to 15: three models of the sister chip SCSP.
        Limited = "limited",
        /// The sum has no upper limit: the emulator flycast.
        Unlimited = "unlimited",
    }

    /// The speed of the fastest attacks ("Envelope").
    AttackTop attack_top: Low, "models of the sister chip SCSP" {
        /// The steps of rate 3Ch up to register rate 31; no time where the rate and key rate scaling add up
        /// to 32 or more: three models of the sister chip SCSP.
        StepsThen32 = "steps_then_32",
        /// The steps of rate 3Ch for all rates above: Neill Corlett's notes.
        Steps = "steps",
        /// No time from an effective rate of 62 on: the AICA manual's table.
        Instant62 = "instant_62",
    }

    parts:
    /// The ARM7's core.
    cpu: CpuSettings;
}
