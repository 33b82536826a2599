//! Mixes random channels, samples and effect programs under random settings.

use crate::random::Rng;
use aica::register::{self as at, channel};
use aica::{
    AdpcmLeak, AdpcmOctave, AdrlSelect, AdrsSign, Aica, AlfoDepth, AttackTop, DspEvenMemory, DspStateKept,
    ExtsOrder, FilterForm, FilterPlace, GainWidth, InterpolationBits, IraUndefined, LfoReset, LoopEnd,
    MixsDelay, MixsOverflow, NoflWhen, PhaseBits, RateScaling, SampleEnd, SendCurve, Settings, SilenceFloor,
    UnityGain,
};

/// The default settings for every second seed, else random ones.
fn settings(rng: &mut Rng, seed: u64) -> Settings {
    if seed.is_multiple_of(2) {
        return Settings::default();
    }
    Settings {
        adpcm_leak: rng.one_of([AdpcmLeak::None, AdpcmLeak::Leak254]),
        adpcm_octave: rng.one_of([AdpcmOctave::Same, AdpcmOctave::Doubled]),
        adrl_select: rng.one_of([AdrlSelect::Shift3Shifted, AdrlSelect::Shift3Inputs]),
        adrs_sign: rng.one_of([AdrsSign::Unsigned, AdrsSign::Signed]),
        alfo_depth: rng.one_of([AlfoDepth::Db24, AlfoDepth::Db48]),
        attack_top: rng.one_of([AttackTop::StepsThen32, AttackTop::Steps, AttackTop::Instant62]),
        dsp_even_memory: rng.one_of([DspEvenMemory::Executed, DspEvenMemory::Ignored]),
        dsp_state_kept: rng.one_of([DspStateKept::On, DspStateKept::Off]),
        exts_order: rng.one_of([ExtsOrder::LeftRight, ExtsOrder::RightLeft]),
        filter_form: rng.one_of([FilterForm::StateVariable, FilterForm::Corlett, FilterForm::Off]),
        filter_place: rng.one_of([FilterPlace::BeforeLevel, FilterPlace::AfterLevel]),
        gain_width: rng.one_of([GainWidth::Sixteen, GainWidth::Twenty]),
        interpolation_bits: rng.one_of([
            InterpolationBits::Six,
            InterpolationBits::Ten,
            InterpolationBits::Fourteen,
        ]),
        ira_undefined: rng.one_of([IraUndefined::Keep, IraUndefined::Zero]),
        lfo_reset: rng.one_of([LfoReset::LoopStart, LfoReset::Held, LfoReset::OnWrite]),
        loop_end: rng.one_of([LoopEnd::Exclusive, LoopEnd::Inclusive]),
        mixs_delay: rng.one_of([MixsDelay::One, MixsDelay::Zero]),
        mixs_overflow: rng.one_of([MixsOverflow::Wrap, MixsOverflow::Saturate]),
        nofl_when: rng.one_of([NoflWhen::TwoBeforeIwt, NoflWhen::AtRead]),
        phase_bits: rng.one_of([PhaseBits::Eighteen, PhaseBits::Fourteen]),
        rate_scaling: rng.one_of([RateScaling::Limited, RateScaling::Unlimited]),
        sample_end: rng.one_of([SampleEnd::KeyFalls, SampleEnd::Stays]),
        send_curve: rng.one_of([SendCurve::ThreeQuarters, SendCurve::Exact]),
        silence_floor: rng.one_of([SilenceFloor::Zero, SilenceFloor::Shift]),
        unity_gain: rng.one_of([UnityGain::Less, UnityGain::One]),
        ..Settings::default()
    }
}

/// Writes all registers of channel `n` and sets KYONB. Most channels loop and end late.
fn set_channel(rng: &mut Rng, aica: &mut Aica, n: u32) {
    let base = n * at::CHANNEL;
    for offset in (4..at::CHANNEL).step_by(4) {
        aica.write(base + offset, 4, rng.word());
    }
    let level = (rng.word() & 0x7F) | rng.below(64) << 8;
    let registers = [
        (channel::LOOP_START, rng.below(200)),
        (channel::LOOP_END, 100 + rng.below(3000)),
        (
            channel::PITCH,
            rng.one_of([0, 12, 15, 1, 3]) << 11 | rng.word() & 0x7FF,
        ),
        (channel::LEVEL, level),
    ];
    for (offset, value) in registers {
        aica.write(base + offset, 4, value);
    }
    aica.write(
        base,
        4,
        0x4000 | rng.word() & 0x187 | rng.one_of([0x200, 0x200, 0x200, 0, 0x600]),
    );
}

/// Writes an effect program. Half of its steps are random; a part is 0.
fn set_program(rng: &mut Rng, aica: &mut Aica) {
    for offset in (at::DSP_COEFFICIENTS..at::DSP_PROGRAM).step_by(4) {
        aica.write(offset, 4, rng.word());
    }
    let all = rng.below(3);
    for n in 0..128 {
        let is_random = rng.below(3) < all + 1;
        for part in 0..4 {
            let word = if is_random { rng.word() & 0xFFFF } else { 0 };
            aica.write(at::DSP_PROGRAM + 16 * n + 4 * part, 4, word);
        }
    }
    aica.write(at::DSP_RING, 4, rng.word() & 0x6FFF);
}

fn mix(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x0100_0000_01B3).rotate_left(23)
}

/// Returns a checksum of sound, DSP registers, monitor and RAM.
fn run(seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    let mut aica = Aica::new(settings(&mut rng, seed));
    aica.set_audio(true);
    aica.ram_mut()[..0x2_0000].fill_with(|| rng.word() as u8);
    aica.write(at::MASTER, 4, rng.one_of([15, 15, 14, 9, 0x800F]));
    (0..64).for_each(|n| set_channel(&mut rng, &mut aica, n));
    (0..18).for_each(|n| aica.write(at::EFFECT_SEND + 4 * n, 4, rng.word()));
    set_program(&mut rng, &mut aica);
    aica.write(0, 4, 0xC200);
    let mut sum = 0;
    let mut cd = Rng::new(seed ^ 99);
    for round in 0..40 {
        aica.advance_with(1 + rng.below(100), || [cd.word() as i16, cd.word() as i16]);
        for [left, right] in aica.take_audio() {
            sum = mix(sum, u64::from(left as u16) << 16 | u64::from(right as u16));
        }
        for offset in (at::DSP_TEMP..at::DSP_END).step_by(4) {
            sum = mix(sum, aica.read(offset, 4).into());
        }
        let monitored = rng.below(64) << 8 | rng.below(2) << 14;
        aica.write(at::MONITOR, 4, monitored);
        sum = mix(sum, aica.read(at::MONITOR_STATE, 4).into());
        sum = mix(sum, aica.read(at::MONITOR_POSITION, 4).into());
        // Writes while channels play.
        let n = rng.below(64);
        match rng.below(6) {
            0 => set_channel(&mut rng, &mut aica, n),
            1 => set_program(&mut rng, &mut aica),
            2 => aica.write(n * at::CHANNEL + 4 * rng.below(18), 4, rng.word() & 0x3FFF),
            3 => aica.write(n * at::CHANNEL, 4, 0x8200),
            4 => aica.write(n * at::CHANNEL, 4, 0xC200),
            _ => aica.write(at::DSP_PROGRAM + 4 * rng.below(512), 4, rng.word()),
        }
        if round == 20 {
            aica.write(at::DSP_TEMP + 4 * rng.below(256), 4, rng.word());
        }
    }
    let ram = aica
        .ram()
        .chunks_exact(8)
        .map(|bytes| bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
    ram.fold(sum, mix)
}

/// The values were recorded from a plain form of the code, which decoded every register in every sample.
#[test]
fn random_sound_stays() {
    let sums: Vec<u64> = (0..12).map(run).collect();
    assert_eq!(sums, RECORDED);
}

/// Checksums of the seeds 0 to 11.
const RECORDED: [u64; 12] = [
    0x282E_DC9F_70C2_3C02,
    0xDEC1_D1A8_F428_B1AC,
    0x8086_FFD9_821A_86BC,
    0xD17B_9535_5BF5_ECB9,
    0x389F_98B7_3FDB_126D,
    0x2521_AB50_0900_89B2,
    0x4A24_39B4_939E_C837,
    0xA670_8CED_C108_0DE6,
    0x07BF_8BDC_84BE_3FA9,
    0xF1FC_C512_A6A7_78D0,
    0xB975_3B34_6773_5CD5,
    0x38FF_7FB4_5300_3866,
];
