//! Doubtful behaviour of the sound block, each as a named switch. Headings are those of
//! `docs/hardware/aica.md`.

use arm7::cpu::CpuSettings;

/// Every switch. The defaults are the best supported values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// How much of the block works.
    pub sound: Sound,
    /// Speed of the ARM7.
    pub arm_rate: ArmRate,
    /// What 2800 reads.
    pub master_read: MasterRead,
    /// The interrupt line to the SH4.
    pub sh4_line: Sh4Line,
    /// What becomes of a channel at the end of its sample.
    pub sample_end: SampleEnd,
    /// Whether the sample at the loop end is played.
    pub loop_end: LoopEnd,
    /// When a timer's prescaler begins to count.
    pub timer_phase: TimerPhase,
    /// How the pitch changes envelope rates.
    pub rate_scaling: RateScaling,
    /// How fast the fastest attacks are.
    pub attack_top: AttackTop,
    /// The ARM7's core.
    pub cpu: CpuSettings,
}

/// How much of the block works ("Levels").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sound {
    /// Channels, timers and interrupts move with time, and the ARM7 executes. Evidence: KallistiOS's driver
    /// and others need it. Confidence: high.
    #[default]
    Arm,
    /// Registers and sound RAM are plain memory, and time moves nothing. For programs without sound.
    Storage,
}

/// How fast the ARM7 executes ("Speed of the ARM7").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArmRate {
    /// 512 cycles a sample, 22.5792 MHz, with the data sheet's cycles for each instruction and no wait
    /// states. Evidence: the chip's clock; the emulator flycast. Confidence: medium.
    #[default]
    Cycles,
    /// 68 instructions a sample, about 3.0 million a second. Evidence: the emulator Deecy runs one in 66 SH4
    /// cycles. Confidence: low.
    Instructions,
    /// 64 cycles a sample, 2.8224 MHz. Evidence: the emulator MAME. Confidence: low.
    SlowCycles,
}

/// What 2800 reads ("Register 2800").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MasterRead {
    /// The stored bits, and 1 as version in bits 7 to 4. Evidence: the AICA manual has a version field there,
    /// and yamato's reading gives its value. Confidence: medium.
    #[default]
    StoredAndVersion,
    /// Always 0010. Evidence: yamato's hardware reference 0.8 of 2002. Confidence: low.
    VersionOnly,
    /// The stored bits. Evidence: the emulator lxdream. Confidence: low.
    Stored,
}

/// The line to the SH4, ISTEXT bit 1 ("Interrupts").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sh4Line {
    /// Active while an enabled request is pending. Evidence: the emulator flycast. Confidence: medium.
    #[default]
    Level,
    /// Active for one sample after a request starts. Evidence: the AICA manual has a pulse of one clock of
    /// the bus. Confidence: low.
    Pulse,
}

/// What becomes of a channel that reaches its end without a loop ("End of a sample").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampleEnd {
    /// KYONB falls to 0 and the position returns to 0. Evidence: the emulator flycast; KallistiOS reads KYONB
    /// to learn whether a channel plays. Confidence: low.
    #[default]
    KeyFalls,
    /// KYONB and the position stay; a new key-on needs a key-off first. Evidence: none. Confidence: low.
    Stays,
}

/// Whether the sample at the loop end is played ("Positions").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopEnd {
    /// It is not: a loop has end minus start samples. Evidence: the AICA manual wants the same value in both,
    /// and KallistiOS writes the number of samples there. Confidence: medium.
    #[default]
    Exclusive,
    /// It is: one sample more. Evidence: the AICA manual lists it as the last that is read. Confidence: low.
    Inclusive,
}

/// When a timer's prescaler begins to count ("Timers").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimerPhase {
    /// With the write to the timer. Evidence: none; KallistiOS uses no prescaler. Confidence: low.
    #[default]
    Restart,
    /// Never: all timers divide one counter of samples. Evidence: none. Confidence: low.
    FreeRunning,
}

/// The sum of KRS and OCT in the effective rate, 2 x (rate + KRS + OCT) + FNS bit 9 ("Envelope"). A negative
/// sum counts as 0 (a console test of flycast's author).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RateScaling {
    /// Limited to 15. Evidence: three models of the sister chip SCSP. Confidence: low.
    #[default]
    Limited,
    /// Without an upper limit. Evidence: the emulator flycast. Confidence: low.
    Unlimited,
}

/// How fast the fastest attacks are ("Envelope").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttackTop {
    /// The steps of rate 3Ch up to register rate 31; no time where the rate and key rate scaling add up to 32
    /// or more. Evidence: three models of the sister chip SCSP. Confidence: low.
    #[default]
    StepsThen32,
    /// The steps of rate 3Ch for all rates above. Evidence: Neill Corlett's notes. Confidence: low.
    Steps,
    /// No time from an effective rate of 62 on. Evidence: the AICA manual's table. Confidence: low.
    Instant62,
}
