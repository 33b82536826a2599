//! Checks registers, channels, timers and interrupts from the SH4. Expected values are computed by hand from
//! `docs/hardware/aica.md`.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use aica::register::{self as at, channel};
use aica::{Aica, LoopEnd, MasterRead, Phase, SampleEnd, Settings, Sh4Line, Sound, TimerPhase};

/// KYONEX; KYONB and the loop bit follow.
const EXECUTE: u32 = 1 << 15;
const KEY_ON: u32 = 1 << 14;
const LOOP: u32 = 1 << 9;
/// Envelope register: immediate attack. The next constant has no key rate scaling and an immediate release.
const ENVELOPE: u32 = 31;
const RELEASE: u32 = 15 << 10 | 31;

fn register(n: u32, offset: u32) -> u32 {
    n * at::CHANNEL + offset
}

/// Writes a channel's registers and keys it on.
fn play(aica: &mut Aica, n: u32, start: u32, end: u32, pitch: u32, control: u32) {
    let values = [
        (channel::LOOP_START, start),
        (channel::LOOP_END, end),
        (channel::ENVELOPE, ENVELOPE),
        (channel::RELEASE, RELEASE),
        (channel::PITCH, pitch),
        (channel::CONTROL, EXECUTE | KEY_ON | control),
    ];
    for (offset, value) in values {
        aica.write(register(n, offset), 4, value);
    }
}

/// Selects channel `n` and reads its state and position.
fn monitor(aica: &mut Aica, n: u32) -> (u32, u32) {
    aica.write(at::MONITOR, 4, n << 8);
    (
        aica.read(at::MONITOR_STATE, 4),
        aica.read(at::MONITOR_POSITION, 4),
    )
}

/// Returns the position of a channel after `samples` at a pitch.
fn position(pitch: u32, samples: u32) -> u32 {
    let mut aica = Aica::default();
    play(&mut aica, 5, 0, 0xFFFF, pitch, 0);
    aica.advance(samples);
    monitor(&mut aica, 5).1
}

#[test]
fn registers_have_16_bits_in_32() {
    let mut aica = Aica::default();
    aica.write(register(3, channel::ADDRESS), 4, 0xABCD_1234);
    assert_eq!(aica.read(register(3, channel::ADDRESS), 4), 0x1234);
    assert_eq!(aica.read(register(3, channel::ADDRESS), 2), 0x1234);
    assert_eq!(
        [0, 1, 2, 3].map(|byte| aica.read(register(3, channel::ADDRESS) + byte, 1)),
        [0x34, 0x12, 0, 0]
    );
    aica.write(register(3, channel::ADDRESS) + 1, 1, 0x99);
    aica.write(register(3, channel::ADDRESS) + 2, 2, 0xFFFF);
    assert_eq!(aica.read(register(3, channel::ADDRESS), 4), 0x9934);
    assert_eq!(aica.read(register(4, channel::ADDRESS), 4), 0, "the next channel");
    for offset in [0x7FFC, 0x8000, 0xFFFF_FFFC] {
        aica.write(offset, 4, 5);
    }
    assert_eq!((aica.read(0x7FFC, 4), aica.read(0x8000, 4)), (5, 0));
}

#[test]
fn each_side_has_registers_of_its_own() {
    let mut aica = Aica::default();
    assert_eq!(
        (aica.read(at::ARM_RESET, 4), aica.arm_reset()),
        (1, true),
        "held after power-on"
    );
    aica.write(at::ARM_RESET, 4, 0x301);
    assert_eq!((aica.read(at::ARM_RESET, 4), aica.arm_reset()), (0x301, true));
    aica.write(at::ARM_RESET, 1, 0);
    assert_eq!((aica.read(at::ARM_RESET, 4), aica.arm_reset()), (0x300, false));
    aica.write(at::ARM_END, 4, 0x101);
    assert_eq!(
        (aica.read(at::ARM_END, 4), aica.read(at::ARM_CODE, 4)),
        (0, 0),
        "the ARM7's"
    );
}

#[test]
fn register_2800_reads_its_version() {
    let read = |master_read| {
        let settings = Settings {
            master_read,
            ..Settings::default()
        };
        let mut aica = Aica::new(settings);
        aica.write(at::MASTER, 4, 0x802F);
        aica.read(at::MASTER, 4)
    };
    assert_eq!(read(MasterRead::StoredAndVersion), 0x801F);
    assert_eq!(read(MasterRead::VersionOnly), 0x0010);
    assert_eq!(read(MasterRead::Stored), 0x802F);
}

#[test]
fn positions_go_by_octave_and_fns() {
    assert_eq!(position(0, 1000), 1000, "octave 0, FNS 0");
    assert_eq!(position(1 << 11, 1000), 2000, "octave 1");
    assert_eq!(position(15 << 11, 1000), 500, "octave -1");
    assert_eq!(position(8 << 11, 2559), 9, "octave -8: 256 samples each");
    assert_eq!(position(0x200, 1000), 1500, "FNS 512: 1.5");
    // 22,050 / 44,100 is octave -1. 48,000 / 44,100 is 1 + 90.56 / 1024, so FNS 90 gives 1114 / 1024.
    assert_eq!(position(90, 44_100), 1114 * 44_100 / 1024);
    assert_eq!(
        position(7 << 11 | 0x3FF, 100),
        2047 * 128 * 100 / 1024,
        "the fastest"
    );
}

#[test]
fn a_loop_goes_from_its_end_to_its_start() {
    let mut aica = Aica::default();
    play(&mut aica, 0, 100, 150, 0, LOOP);
    aica.advance(149);
    assert_eq!(monitor(&mut aica, 0), (0x4000, 149), "decay 2 at full volume");
    aica.advance(1);
    assert_eq!(monitor(&mut aica, 0), (0xC000, 100), "the loop flag");
    assert_eq!(monitor(&mut aica, 0), (0x4000, 100), "reading clears it");
    aica.advance(1049);
    assert_eq!(monitor(&mut aica, 0), (0xC000, 149));
    // At 1.5 per sample: 0, 1.5 .. 148.5, then 150 wraps to 100.
    let mut aica = Aica::default();
    play(&mut aica, 0, 100, 149, 0x200, LOOP);
    aica.advance(99);
    assert_eq!(monitor(&mut aica, 0).1, 148);
    aica.advance(1);
    assert_eq!(monitor(&mut aica, 0).1, 101, "150 is 1 past the end");
}

#[test]
fn the_loop_flag_survives_a_read_of_the_low_byte() {
    let mut aica = Aica::default();
    play(&mut aica, 0, 0, 10, 0, LOOP);
    aica.advance(20);
    aica.write(at::MONITOR, 4, 0);
    assert_eq!(aica.read(at::MONITOR_STATE, 1), 0);
    assert_eq!(aica.read(at::MONITOR_STATE + 1, 1), 0xC0);
    assert_eq!(aica.read(at::MONITOR_STATE + 1, 1), 0x40);
}

#[test]
fn loops_without_length_end_nowhere() {
    for (start, end) in [(100, 100), (0xFFFF, 0xFFFF), (0, 0)] {
        let mut aica = Aica::default();
        play(&mut aica, 0, start, end, 7 << 11, LOOP);
        aica.advance(1000);
        assert_eq!(monitor(&mut aica, 0), (0xC000, start), "{start}, {end}");
    }
}

/// With LSA > LEA, the channel plays past the loop end to the loop start. There it sets the loop flag and
/// stops at position 0, with or without the loop bit (a console test of flycast's author).
#[test]
fn a_loop_start_past_the_loop_end_stops_the_channel() {
    for control in [0, LOOP] {
        for sample_end in [SampleEnd::KeyFalls, SampleEnd::Stays] {
            let mut aica = Aica::new(Settings {
                sample_end,
                ..Settings::default()
            });
            play(&mut aica, 0, 1000, 500, 0, control);
            aica.advance(999);
            assert_eq!(monitor(&mut aica, 0), (0x4000, 999), "past the loop end");
            aica.advance(1);
            assert!(!aica.channel(0).sounding());
            assert_eq!(monitor(&mut aica, 0), (0xFFFF, 0), "loop flag, released, silent");
            aica.advance(1000);
            assert_eq!(monitor(&mut aica, 0), (0x7FFF, 0));
        }
    }
}

/// flycast 93e47dd41: a sound without loop that ends at 0 is not played.
#[test]
fn a_sound_without_length_ends_at_once() {
    let mut aica = Aica::default();
    play(&mut aica, 0, 0, 0, 0, 0);
    aica.advance(1);
    assert!(!aica.channel(0).sounding());
    assert_eq!(monitor(&mut aica, 0).1, 0);
}

/// flycast 27fd0d426: the reset bit of the LFO stays set.
#[test]
fn the_lfo_reset_bit_is_kept() {
    let mut aica = Aica::default();
    aica.write(register(0, channel::LFO), 4, 0x8000 | 31 << 10);
    play(&mut aica, 0, 0, 100, 0, LOOP);
    aica.advance(500);
    assert_eq!(aica.read(register(0, channel::LFO), 4), 0x8000 | 31 << 10);
}

/// An envelope that decays to silence ends the channel at position 0.
#[test]
fn a_decay_to_silence_ends_the_channel() {
    let mut aica = Aica::default();
    play(&mut aica, 0, 0, 5000, 0, LOOP);
    aica.write(register(0, channel::ENVELOPE), 4, 31 | 31 << 6 | 31 << 11);
    aica.advance(300);
    assert!(!aica.channel(0).sounding());
    assert_eq!(monitor(&mut aica, 0), (0x7FFF, 0));
    aica.write(register(0, 0), 4, EXECUTE | KEY_ON | LOOP);
    aica.advance(2);
    assert!(aica.channel(0).sounding(), "a key-on starts it anew");
}

#[test]
fn the_sample_at_the_loop_end() {
    let after = |loop_end, samples| {
        let settings = Settings {
            loop_end,
            ..Settings::default()
        };
        let mut aica = Aica::new(settings);
        play(&mut aica, 0, 0, 10, 0, LOOP);
        aica.advance(samples);
        monitor(&mut aica, 0).1
    };
    assert_eq!([10, 11].map(|n| after(LoopEnd::Exclusive, n)), [0, 1]);
    assert_eq!([10, 11].map(|n| after(LoopEnd::Inclusive, n)), [10, 0]);
}

#[test]
fn a_sample_without_a_loop_ends() {
    let mut aica = Aica::default();
    play(&mut aica, 7, 0, 10, 0, 1 << 7);
    aica.advance(9);
    assert!(aica.channel(7).sounding());
    assert_eq!(aica.read(register(7, 0), 4), KEY_ON | 1 << 7, "KYONEX reads 0");
    aica.advance(1);
    assert!(!aica.channel(7).sounding() && !aica.channel(7).keyed());
    assert_eq!(aica.read(register(7, 0), 4), 1 << 7, "KYONB falls");
    assert_eq!(monitor(&mut aica, 7), (0xFFFF, 0), "loop flag, released, silent");
    // The channel can be keyed on again.
    aica.write(register(7, 0), 4, EXECUTE | KEY_ON);
    aica.advance(3);
    assert_eq!(monitor(&mut aica, 7).1, 3);
}

#[test]
fn a_sample_that_stays_at_its_end() {
    let settings = Settings {
        sample_end: SampleEnd::Stays,
        ..Settings::default()
    };
    let mut aica = Aica::new(settings);
    play(&mut aica, 7, 0, 10, 0, 0);
    aica.advance(20);
    assert_eq!(
        (aica.read(register(7, 0), 4), monitor(&mut aica, 7).1),
        (KEY_ON, 10)
    );
}

#[test]
fn keys_take_effect_together() {
    let mut aica = Aica::default();
    (0..64).for_each(|n| play(&mut aica, n, 0, 1000, 0, 0));
    aica.advance(5);
    assert_eq!(monitor(&mut aica, 0).1, 5);
    aica.write(register(2, 0), 4, 0);
    aica.advance(1);
    assert!(aica.channel(2).keyed(), "KYONB alone changes nothing");
    aica.write(register(9, 0), 4, EXECUTE | KEY_ON);
    assert!(!aica.channel(2).keyed() && aica.channel(9).keyed());
    assert_eq!(
        monitor(&mut aica, 9).1,
        6,
        "a key-on of a keyed channel is no restart"
    );
    assert_eq!(aica.channel(2).envelope().phase, Phase::Release);
    // Release 31: from level 79, steps of 8 at every second sample, 111 times.
    aica.advance(220);
    assert!(aica.channel(2).sounding());
    aica.advance(1);
    assert!(!aica.channel(2).sounding());
    assert_eq!(monitor(&mut aica, 2), (0x7FFF, 0));
}

#[test]
fn a_released_channel_starts_anew() {
    let mut aica = Aica::default();
    play(&mut aica, 0, 0, 1000, 0, 0);
    aica.advance(10);
    aica.write(0, 4, EXECUTE);
    aica.advance(10);
    assert_eq!(monitor(&mut aica, 0).1, 20, "a released channel still plays");
    aica.write(0, 4, EXECUTE | KEY_ON);
    aica.advance(4);
    assert_eq!(monitor(&mut aica, 0), (159 << 3, 4), "two steps of the attack");
}

/// Returns the number of samples until timer `n` sets its bit for the SH4.
fn timer_period(settings: Settings, n: u32, value: u32) -> u32 {
    let mut aica = Aica::new(settings);
    aica.advance(3);
    aica.write(at::TIMER_A + 4 * n, 4, value);
    let pending = |aica: &mut Aica| aica.read(at::SH4_PENDING, 4) >> (6 + n) & 1;
    (1..100_000)
        .find(|_| {
            aica.advance(1);
            pending(&mut aica) != 0
        })
        .unwrap()
}

#[test]
fn timers_overflow_by_prescaler_and_count() {
    let plain = Settings::default();
    assert_eq!(timer_period(plain, 0, 0x0F6), 10);
    assert_eq!(timer_period(plain, 1, 0x000), 256);
    assert_eq!(timer_period(plain, 2, 0x3F0), 16 * 8);
    assert_eq!(timer_period(plain, 2, 0x7FE), 2 * 128);
    let free = Settings {
        timer_phase: TimerPhase::FreeRunning,
        ..plain
    };
    assert_eq!(timer_period(free, 2, 0x3FF), 5, "3 samples of 8 are gone");
    let mut aica = Aica::default();
    aica.write(at::TIMER_A, 4, 0x1F0);
    aica.advance(7);
    assert_eq!(aica.read(at::TIMER_A, 4), 0x1F3);
}

#[test]
fn requests_reach_the_sh4() {
    let mut aica = Aica::default();
    aica.write(at::TIMER_C, 4, 0xFE);
    aica.advance(2);
    assert_eq!(
        aica.read(at::SH4_PENDING, 4),
        1 << 8 | 1 << 10,
        "timer C and every sample"
    );
    assert!(!aica.sh4_interrupt(), "not enabled");
    aica.write(at::SH4_ENABLE, 4, 1 << 8);
    assert!(aica.sh4_interrupt(), "at once");
    aica.write(at::SH4_CLEAR, 4, 1 << 10);
    assert!(aica.sh4_interrupt());
    aica.write(at::SH4_CLEAR, 4, 1 << 8);
    assert!(!aica.sh4_interrupt());
    // By software, a program can set only bit 5.
    aica.write(at::SH4_ENABLE, 4, 1 << 5);
    aica.write(at::SH4_PENDING, 4, 0x7FF & !(1 << 5));
    assert!(!aica.sh4_interrupt());
    aica.write(at::SH4_PENDING, 4, 1 << 5);
    assert!(aica.sh4_interrupt());
    assert_eq!(
        aica.read(at::ARM_PENDING, 4),
        1 << 8 | 1 << 10,
        "the ARM7's are separate"
    );
}

#[test]
fn a_pulse_lasts_one_sample() {
    let settings = Settings {
        sh4_line: Sh4Line::Pulse,
        ..Settings::default()
    };
    let mut aica = Aica::new(settings);
    aica.write(at::SH4_ENABLE, 4, 1 << 6);
    aica.write(at::TIMER_A, 4, 0xFE);
    let lines: Vec<bool> = (0..5)
        .map(|_| {
            aica.advance(1);
            aica.sh4_interrupt()
        })
        .collect();
    assert_eq!(lines, [false, true, false, false, false]);
    aica.write(at::SH4_CLEAR, 4, 1 << 6);
    aica.advance(253);
    assert!(aica.sh4_interrupt(), "a new request");
}

#[test]
fn storage_keeps_what_was_written() {
    let settings = Settings {
        sound: Sound::Storage,
        ..Settings::default()
    };
    let mut aica = Aica::new(settings);
    aica.write(at::ARM_RESET, 4, 0);
    play(&mut aica, 0, 0, 100, 0, LOOP);
    aica.write(at::SH4_ENABLE, 4, 0x7FF);
    aica.advance(1000);
    assert_eq!(aica.read(0, 4), EXECUTE | KEY_ON | LOOP);
    assert!(!aica.sh4_interrupt() && aica.arm_cycles().0 == 0);
    assert_eq!((monitor(&mut aica, 0), aica.samples()), ((0, 0), 1000));
}

#[test]
fn dma_starts_are_counted() {
    let mut aica = Aica::default();
    aica.write(at::DMA_CONTROL, 4, 0x8011);
    assert_eq!(
        (aica.read(at::DMA_CONTROL, 4), aica.ignored_dma_starts()),
        (0x8010, 1)
    );
}

#[test]
fn the_same_calls_give_the_same_state() {
    let run = |steps: &[u32]| {
        let mut aica = Aica::default();
        // b . at 0.
        aica.ram_mut()[..4].copy_from_slice(&0xEAFF_FFFEu32.to_le_bytes());
        aica.write(at::ARM_RESET, 4, 0);
        aica.write(at::TIMER_A, 4, 0x1F6);
        play(&mut aica, 3, 10, 77, 0x123, LOOP);
        steps.iter().for_each(|n| aica.advance(*n));
        let copy = aica.clone();
        let states = [aica, copy].map(|mut aica| {
            let timer = aica.read(at::TIMER_A, 4);
            (monitor(&mut aica, 3), timer, aica.arm_cycles(), aica.samples())
        });
        assert_eq!(states[0], states[1]);
        states[0]
    };
    assert_eq!(run(&[1000]), run(&[1, 2, 997]));
    assert_eq!(run(&[1000]).2, run(&[0, 1000, 0]).2);
}
