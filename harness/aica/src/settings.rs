//! Settings for uncertain behaviour of the sound block. Headings in parentheses refer to
//! `docs/hardware/aica.md`.

use arm7::cpu::CpuSettings;

settings::settings! {
    /// Settings of the sound block. The defaults are the best supported values.
    pub struct Settings;

    choices:
    /// Emulated parts of the sound block ("Levels").
    Sound sound: High, "KallistiOS's driver and others need all of them" {
        /// Everything: channels, timers, interrupts and the ARM7.
        Arm = "arm",
        /// Registers and sound RAM only, as plain memory. For programs without sound.
        Storage = "storage",
    }

    /// Speed of the ARM7 ("Speed of the ARM7").
    ArmRate arm_rate: Medium, "the chip's clock and the emulator flycast; no console was measured" {
        /// 512 cycles per sample, 22.5792 MHz. The data sheet gives the cycles of each instruction; no wait
        /// states.
        Cycles = "cycles",
        /// 68 instructions per sample, about 3.0 million per second. The emulator Deecy runs one in 66 SH4
        /// cycles.
        Instructions = "instructions",
        /// 64 cycles per sample, 2.8224 MHz: the emulator MAME.
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

    /// State of a channel that reaches its end without a loop ("End of a sample").
    SampleEnd sample_end: Low,
        "the emulator flycast; KallistiOS reads KYONB to learn whether a channel plays" {
        /// KYONB falls to 0 and the position returns to 0.
        KeyFalls = "key_falls",
        /// KYONB and the position stay; a new key-on needs a key-off first.
        Stays = "stays",
    }

    /// The sample at the loop end ("Positions").
    LoopEnd loop_end: Medium,
        "the AICA manual requires the same value in both registers, and KallistiOS writes the number of \
        samples there" {
        /// Not played: a loop has end minus start samples.
        Exclusive = "exclusive",
        /// Played: the AICA manual lists it as the last sample that is read.
        Inclusive = "inclusive",
    }

    /// Start of a timer's prescaler ("Timers").
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
        /// The steps of rate 3Ch while register rate plus key rate scaling is at most 31; no time from 32 on:
        /// three models of the sister chip SCSP.
        StepsThen32 = "steps_then_32",
        /// The steps of rate 3Ch for all higher rates: Neill Corlett's notes.
        Steps = "steps",
        /// No time from an effective rate of 62 on: the AICA manual's table.
        Instant62 = "instant_62",
    }

    /// Leak of the 4-bit decoder ("Sample formats").
    AdpcmLeak adpcm_leak: Low,
        "four emulators and most encoders have none; superctr's encoder and KallistiOS's converter have one" {
        /// None: a nibble adds to the previous sample.
        None = "none",
        /// The previous sample is multiplied by 254/256, rounded toward zero: superctr's encoder,
        /// KallistiOS's converter.
        Leak254 = "254",
    }

    /// Increment of 4-bit samples from octave 2 on ("Positions").
    AdpcmOctave adpcm_octave: Low, "the emulators flycast and MAME; it was not measured" {
        /// The same as for all formats.
        Same = "same",
        /// Doubled in octaves 2 to 7: the AICA manual's table, Highly Theoretical, Deecy.
        Doubled = "doubled",
    }

    /// Fraction bits of the interpolation between two samples ("Sample formats").
    InterpolationBits interpolation_bits: Low, "models of the sister chip SCSP" {
        /// 6: three models of the sister chip SCSP.
        Six = "6",
        /// 10: the emulator flycast.
        Ten = "10",
        /// 14: Highly Theoretical, Deecy.
        Fourteen = "14",
    }

    /// Fraction bits of a position ("Positions").
    PhaseBits phase_bits: Low, "Neill Corlett's notes of experiments on a console" {
        /// 18: all bits of FNS have an effect in octave -8.
        Eighteen = "18",
        /// 14: the low bits of FNS have no effect in low octaves, as on the sister chip SCSP.
        Fourteen = "14",
    }

    /// Gain without attenuation ("Level").
    UnityGain unity_gain: Medium, "Neill Corlett's notes, and models of the sister chip SCSP" {
        /// 127/128.
        Less = "127",
        /// 1: Highly Theoretical.
        One = "128",
    }

    /// Output at attenuations of 3C0 and above ("Level").
    SilenceFloor silence_floor: Low, "Highly Theoretical" {
        /// 0.
        Zero = "zero",
        /// The result of the shift: 0, or -1 for a negative sample; models of the sister chip SCSP.
        Shift = "shift",
    }

    /// Bits of a sample between level and sends ("Level").
    GainWidth gain_width: Low, "models of the sister chip SCSP" {
        /// 16.
        Sixteen = "16",
        /// 20: flycast, Highly Theoretical.
        Twenty = "20",
    }

    /// The low-pass filter ("Filter").
    FilterForm filter_form: Low, "flycast calls it closer to the chip; the filter was not measured" {
        /// A state-variable low-pass: flycast since 2025, without its inverted sign.
        StateVariable = "state_variable",
        /// The coefficients of Neill Corlett's notes, which spectra of a console contradict.
        Corlett = "corlett",
        /// No filter: samples pass unchanged.
        Off = "off",
    }

    /// Position of the filter ("Filter").
    FilterPlace filter_place: Low, "the emulators flycast and Deecy" {
        /// Before the level.
        BeforeLevel = "before_level",
        /// After the level: Highly Theoretical.
        AfterLevel = "after_level",
    }

    /// The effect of LFORE, bit 15 of a channel's LFO register ("LFO").
    LfoReset lfo_reset: Low, "Neill Corlett's notes" {
        /// The phase returns to 0 at each loop start.
        LoopStart = "loop_start",
        /// The phase is 0 while the bit is set: models of the sister chip SCSP.
        Held = "held",
        /// The write of the register returns the phase to 0: the emulator flycast.
        OnWrite = "on_write",
    }

    /// The largest attenuation by the amplitude LFO ("LFO").
    AlfoDepth alfo_depth: Medium, "the AICA manual, models of the sister chip SCSP, Highly Theoretical" {
        /// 24 dB.
        Db24 = "24",
        /// 48 dB: the text of Neill Corlett's notes, flycast, Deecy.
        Db48 = "48",
    }

    /// The gains of sends and of the master volume ("Sends and pan").
    SendCurve send_curve: Medium, "models of the sister chip SCSP, Highly Theoretical" {
        /// 1, 3/4, 1/2, 3/8 and so on.
        ThreeQuarters = "three_quarters",
        /// Exact steps of 3.01 dB, in 15 bits: flycast, MAME, Deecy.
        Exact = "exact",
    }

    /// The delay between channels and effect DSP ("Effect DSP").
    MixsDelay mixs_delay: Medium, "models of the sister chip SCSP" {
        /// The DSP reads the sums of the previous sample.
        One = "1",
        /// The DSP reads the sums of the same sample: flycast, MAME, Highly Theoretical, Deecy.
        Zero = "0",
    }

    /// Overflow of a sum for the effect DSP above 20 bits ("Effect DSP").
    MixsOverflow mixs_overflow: Low, "models of the sister chip SCSP" {
        /// Wraps.
        Wrap = "wrap",
        /// Saturates: Highly Theoretical, Deecy.
        Saturate = "saturate",
    }

    /// The DSP's input for IRA 32h to 3Fh ("Effect DSP").
    IraUndefined ira_undefined: Low, "models of the sister chip SCSP" {
        /// The last input.
        Keep = "keep",
        /// 0: Highly Theoretical, flycast, Deecy.
        Zero = "zero",
    }

    /// The value that ADRL latches ("Effect DSP").
    AdrlSelect adrl_select: Medium, "Highly Theoretical, flycast, MAME, models of the sister chip SCSP" {
        /// The shifted accumulator with SHFT 3, else the input.
        Shift3Shifted = "shift3_shifted",
        /// The input with SHFT 3, else the shifted accumulator: the text of Neill Corlett's notes, Deecy.
        Shift3Inputs = "shift3_inputs",
    }

    /// The sign of the DSP's latched address ("Effect DSP").
    AdrsSign adrs_sign: Low, "Neill Corlett's notes, Highly Theoretical, flycast, MAME" {
        /// 0 to 4095.
        Unsigned = "unsigned",
        /// -2048 to 2047: models of the sister chip SCSP.
        Signed = "signed",
    }

    /// Step with the NOFL bit that controls the conversion of a word read by the DSP ("Effect DSP").
    NoflWhen nofl_when: Medium,
        "Neill Corlett's notes of experiments on a console; the Saturn core of MiSTer" {
        /// The step two before the one with IWT.
        TwoBeforeIwt = "two_before_iwt",
        /// The step with MRD: Highly Theoretical, MAME, Mednafen, Ymir.
        AtRead = "at_read",
    }

    /// MRD and MWT in even steps of the DSP, which the AICA manual does not allow ("Effect DSP").
    DspEvenMemory dsp_even_memory: Low, "Neill Corlett's notes: MWT seems to work in any step" {
        /// Executed.
        Executed = "executed",
        /// Ignored: MAME, flycast.
        Ignored = "ignored",
    }

    /// The accumulator and latches of the DSP at step 0 ("Effect DSP").
    DspStateKept dsp_state_kept: Medium, "models of the sister chip SCSP, Highly Theoretical" {
        /// Kept from the previous sample.
        On = "on",
        /// 0: flycast, MAME, Deecy.
        Off = "off",
    }

    /// The sides of the CD's two inputs, EXTS 0 and 1 ("CD audio").
    ExtsOrder exts_order: Medium,
        "Corlett's notes, the sister chip SCSP, flycast, MAME; KallistiOS and libronin set opposite pans" {
        /// EXTS 0 is the left side.
        LeftRight = "left_right",
        /// EXTS 0 is the right side.
        RightLeft = "right_left",
    }

    parts:
    /// The ARM7's core.
    cpu: CpuSettings;
}
