//! The switches of the sound block by name.

use super::field::{FieldSwitch, field_switches};
use aica::{
    ArmRate, AttackTop, LoopEnd, MasterRead, RateScaling, SampleEnd, Settings, Sh4Line, Sound, TimerPhase,
};
use arm7::cpu::{CpuSettings, EmptyList, SameRegisterMultiply};

/// A field that is not in this list is an error here: each needs a row of [`SWITCHES`].
const _: fn(Settings) = |settings| {
    let Settings {
        sound: _,
        arm_rate: _,
        master_read: _,
        sh4_line: _,
        sample_end: _,
        loop_end: _,
        timer_phase: _,
        rate_scaling: _,
        attack_top: _,
        cpu: CpuSettings {
            empty_list: _,
            same_register_multiply: _,
        },
    } = settings;
};

/// All switches.
pub(super) const SWITCHES: &[FieldSwitch<Settings>] = field_switches! { "aica_";
    sound: "How much of the sound block works", "KallistiOS's driver needs it", "high",
        ["arm" = Sound::Arm, "storage" = Sound::Storage];
    arm_rate: "How fast the ARM7 executes", "the chip's clock; no console was measured", "medium",
        ["cycles" = ArmRate::Cycles, "instructions" = ArmRate::Instructions,
            "slow_cycles" = ArmRate::SlowCycles];
    master_read: "What register 2800 reads", "the manual's field, the version as yamato read it", "medium",
        ["stored_and_version" = MasterRead::StoredAndVersion, "version_only" = MasterRead::VersionOnly,
            "stored" = MasterRead::Stored];
    sh4_line: "The interrupt line to the SH4", "one emulator; the manual has a pulse", "medium",
        ["level" = Sh4Line::Level, "pulse" = Sh4Line::Pulse];
    sample_end: "KYONB at the end of a sample without loop", "KallistiOS reads it to learn the end", "low",
        ["key_falls" = SampleEnd::KeyFalls, "stays" = SampleEnd::Stays];
    loop_end: "Whether the sample at the loop end is played", "the manual wants one value in both", "medium",
        ["exclusive" = LoopEnd::Exclusive, "inclusive" = LoopEnd::Inclusive];
    timer_phase: "When a timer's prescaler begins to count", "none: no source decides", "low",
        ["restart" = TimerPhase::Restart, "free_running" = TimerPhase::FreeRunning];
    rate_scaling: "The sum of KRS and OCT above 15", "models of the sister chip SCSP", "low",
        ["limited" = RateScaling::Limited, "unlimited" = RateScaling::Unlimited];
    attack_top: "How fast the fastest attacks are", "models of the sister chip SCSP", "low",
        ["steps_then_32" = AttackTop::StepsThen32, "steps" = AttackTop::Steps,
            "instant_62" = AttackTop::Instant62];
    cpu.empty_list: "LDM and STM without registers on the ARM7", "measured on an ARM7TDMI (GBATEK)", "medium",
        ["pc_and_64" = EmptyList::PcAnd64, "nothing" = EmptyList::Nothing];
    cpu.same_register_multiply: "MUL with Rd = Rm on the ARM7", "the data sheet", "medium",
        ["zero" = SameRegisterMultiply::Zero, "product" = SameRegisterMultiply::Product];
};
