//! Checks the block's output: formats, loops, pitch, levels, pan, inputs of the effect DSP.

use aica::register::{self as at, channel};
use aica::{Aica, KeyIssue};

const EXECUTE: u32 = 0x8000;
const KEY_ON: u32 = 0x4000;
const LOOP: u32 = 0x200;
/// Level register with the filter off; the next constant also turns levels off.
const PLAIN: u32 = 1 << 5;
const FULL: u32 = 1 << 5 | 1 << 6;

/// Creates a block with mixing on, full master volume, and `memory` at the start of sound RAM.
fn block(memory: &[u8]) -> Aica {
    let mut aica = Aica::default();
    aica.set_audio(true);
    aica.write(at::MASTER, 4, 15);
    aica.ram_mut()[..memory.len()].copy_from_slice(memory);
    aica
}

/// Writes registers of channel 0, then keys it on.
fn play(aica: &mut Aica, control: u32, loop_start: u32, loop_end: u32, registers: &[(u32, u32)]) {
    let usual = [
        (channel::LOOP_START, loop_start),
        (channel::LOOP_END, loop_end),
        (channel::ENVELOPE, 31),
        (channel::RELEASE, 15 << 10 | 31),
        (channel::DIRECT, 15 << 8),
        (channel::LEVEL, FULL),
    ];
    let all = usual.iter().chain(registers);
    all.for_each(|(offset, value)| aica.write(*offset, 4, *value));
    aica.write(channel::CONTROL, 4, EXECUTE | KEY_ON | control);
}

fn words(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}

fn left(aica: &mut Aica, samples: u32) -> Vec<i16> {
    aica.advance(samples);
    aica.take_audio().iter().map(|both| both[0]).collect()
}

#[test]
fn nothing_is_kept_without_audio() {
    let mut aica = Aica::default();
    aica.advance(100);
    assert!(aica.take_audio().is_empty());
    aica.set_audio(true);
    aica.advance(3);
    assert_eq!(aica.take_audio(), [[0; 2]; 3]);
    assert!(aica.take_audio().is_empty());
}

#[test]
fn words_and_bytes_are_played() {
    let samples = [100, -200, 30_000, -32_768];
    let mut aica = block(&words(&samples));
    play(&mut aica, 0, 0, 4, &[]);
    assert_eq!(left(&mut aica, 6), [100, -200, 30_000, -32_768, 0, 0]);
    let mut aica = block(&[1, 0xFF, 0x80, 0x7F]);
    play(&mut aica, 1 << 7, 0, 4, &[]);
    assert_eq!(left(&mut aica, 5), [256, -256, -32_768, 0x7F00, 0]);
    // A loop from 1 to 3.
    let mut aica = block(&words(&samples));
    play(&mut aica, LOOP, 1, 3, &[]);
    assert_eq!(left(&mut aica, 6), [100, -200, 30_000, -200, 30_000, -200]);
}

/// A jump to the loop start restores the decoder's state in the 4-bit format, and keeps it in a long stream.
#[test]
fn loops_of_the_4_bit_format() {
    let nibbles = [0x77, 0x91, 0xC4, 0];
    let run = |format: u32, end| {
        let mut aica = block(&nibbles);
        play(&mut aica, LOOP | format << 7, 2, end, &[]);
        left(&mut aica, 10)
    };
    assert_eq!(run(2, 6), [238, 808, 1081, 836, 1496, 706, 1081, 836, 1496, 706]);
    let long = run(3, 8);
    assert_eq!(long[..6], [238, 808, 1081, 836, 1496, 706]);
    // Two more nibbles of 0, then positions 2 and 3 again with the decoder's state kept.
    assert_ne!(long[8..], [1081, 836]);
}

/// Octave -2 moves a quarter of a sample per step; the interpolation has 64ths.
#[test]
fn samples_between_are_interpolated() {
    let mut aica = block(&words(&[1000, 2001, -6]));
    play(&mut aica, 0, 0, 3, &[(channel::PITCH, 14 << 11)]);
    let expected = [1000, 1250, 1500, 1750, 2001, 1499, 997, 495];
    assert_eq!(left(&mut aica, 8), expected);
    // FNS bit 10 removes the 1, so the position does not move with FNS 400.
    let mut aica = block(&words(&[1000, 2001, -6]));
    play(&mut aica, 0, 0, 3, &[(channel::PITCH, 0x400)]);
    assert_eq!(left(&mut aica, 3), [1000; 3]);
}

/// 7F/80h at full volume, half of it at TL 10h (40h of attenuation); the attack takes nine steps.
#[test]
fn levels_and_pan() {
    let constant = words(&[10_000; 4]);
    let run = |registers: &[(u32, u32)]| {
        let mut aica = block(&constant);
        play(&mut aica, LOOP, 0, 3, registers);
        aica.advance(100);
        aica.take_audio()
    };
    let plain = (channel::LEVEL, PLAIN);
    let attack: Vec<i16> = run(&[plain]).iter().map(|both| both[0]).collect();
    assert_eq!(
        attack[0],
        ((10_000 * (0x7F ^ (319 & 0x3F))) >> (7 + (319 >> 6))) as i16
    );
    assert_eq!((attack[15], attack[16]), (((10_000 * 126) >> 7) as i16, 9921));
    assert_eq!(run(&[(channel::LEVEL, PLAIN | 0x10 << 8)])[99], [4960; 2]);
    assert_eq!(run(&[(channel::DIRECT, 15 << 8 | 1)])[99], [7500, 10_000]);
    assert_eq!(run(&[(channel::DIRECT, 14 << 8 | 0x12)])[99], [7500, 3750]);
    assert_eq!(run(&[(channel::DIRECT, 15 << 8 | 0x1F)])[99], [10_000, 0]);
    assert_eq!(run(&[(channel::DIRECT, 0)])[99], [0; 2]);
    assert_eq!(
        run(&[(channel::DIRECT, 15 << 8 | 0x1F), (at::MASTER, 0x800F)])[99],
        [10_000; 2],
        "mono"
    );
    assert_eq!(run(&[(at::MASTER, 13)])[99], [5000; 2]);
    assert_eq!(run(&[(at::MASTER, 0)])[99], [0; 2]);
    // An open filter must pass a constant.
    let filtered = run(&[
        (channel::LEVEL, 1 << 6 | 4),
        (channel::FILTER_LEVEL, 0x1FF8),
        (channel::FILTER_LEVEL + 4, 0x1FF8),
    ]);
    assert!((filtered[99][0] - 10_000).abs() < 4, "{:?}", filtered[99]);
}

/// 64 channels at once must saturate, not wrap.
#[test]
fn a_sum_saturates() {
    let mut aica = block(&words(&[32_767; 4]));
    for n in 0..64 {
        let registers = [
            (channel::LOOP_END, 3),
            (channel::ENVELOPE, 31),
            (channel::DIRECT, 15 << 8),
            (channel::LEVEL, FULL),
        ];
        registers
            .iter()
            .for_each(|(offset, value)| aica.write(n * at::CHANNEL + offset, 4, *value));
        aica.write(n * at::CHANNEL, 4, KEY_ON | LOOP);
    }
    aica.write(0, 4, EXECUTE | KEY_ON | LOOP);
    aica.advance(3);
    assert_eq!(aica.take_audio(), [[32_767; 2]; 3]);
}

/// The send to the DSP: MIXS holds 20 bits one sample later, and an output of the DSP reaches the mixer.
#[test]
fn channels_reach_the_effect_dsp() {
    let mut aica = block(&words(&[-10_000; 4]));
    let send = 15 << 4 | 3;
    play(
        &mut aica,
        LOOP,
        0,
        3,
        &[(channel::SEND, send), (channel::DIRECT, 0)],
    );
    aica.advance(2);
    let [low, high] = [0, 4].map(|half| aica.read(at::DSP_INPUTS + 8 * 3 + half, 4));
    let mixs = low & 15 | high << 4;
    assert_eq!(mixs, (-160_000_i32 & 0xF_FFFF) as u32);
    // EFREG 0 = -4000h by hand, to the left.
    aica.write(at::DSP_OUTPUTS, 4, 0xC000);
    aica.write(at::EFFECT_SEND, 4, 15 << 8 | 0x1F);
    aica.take_audio();
    aica.advance(1);
    assert_eq!(aica.take_audio(), [[-0x4000, 0]]);
}

/// A pitch LFO must change positions with and without mixing.
#[test]
fn the_pitch_lfo_moves_positions() {
    let position = |audio: bool| {
        let mut aica = block(&[]);
        aica.set_audio(audio);
        // A square wave of full depth at 172 Hz: 128 samples at 1 + 126 / 1024, 128 at 1 - 128 / 1024.
        play(
            &mut aica,
            0,
            0,
            5000,
            &[(channel::LFO, 31 << 10 | 1 << 8 | 7 << 5)],
        );
        aica.advance(256);
        aica.write(at::MONITOR, 4, 0);
        aica.read(at::MONITOR_POSITION, 4)
    };
    assert_eq!(
        [position(false), position(true)],
        [(128 * (1150 + 896)) / 1024; 2]
    );
}

/// Plays a ring of 1,024 words for six passes, and fills each half with `data` after it was played, except
/// the half of number `missing`. Returns the number of underruns.
fn underruns(missing: usize, data: impl Fn(usize) -> Vec<u8>) -> usize {
    let mut aica = block(&[data(0), data(1)].concat());
    aica.set_stream_checks(true);
    play(&mut aica, LOOP, 0, 1024, &[]);
    for half in 0..12 {
        aica.advance(512);
        if half != missing {
            aica.write_ram(half as u32 % 2 * 1024, &data(half + 2));
        }
    }
    let notes = aica.take_key_notes();
    notes
        .iter()
        .filter(|note| note.issue == KeyIssue::Underrun)
        .count()
}

#[test]
fn a_stream_without_new_data_is_an_underrun() {
    let noise = |half: usize| (0..1024).map(|n| (n * n + 7 * half) as u8).collect::<Vec<u8>>();
    assert_eq!(underruns(99, noise), 0);
    // Halves 2 and 3 make a pass with new data; the next half is the first that counts.
    assert_eq!(underruns(4, noise), 1);
    assert_eq!(underruns(7, noise), 1);
    // Data that is equal in every pass is also new.
    assert_eq!(underruns(99, |_| noise(0)), 0);
    // Silence may stay.
    assert_eq!(underruns(7, |_| vec![0; 1024]), 0);
    // A loop that is never written is no stream.
    let mut aica = block(&noise(0));
    aica.set_stream_checks(true);
    play(&mut aica, LOOP, 0, 512, &[]);
    aica.advance(5000);
    let notes = aica.take_key_notes();
    assert!(
        notes.iter().all(|note| note.issue != KeyIssue::Underrun),
        "{notes:?}"
    );
}

/// A channel plays 100 samples, another one loops. The ARM7 waits in a branch to itself.
#[test]
fn activity_counts_channels_and_the_arm7() {
    let mut aica = block(&0xEAFF_FFFE_u32.to_le_bytes());
    aica.set_activity(true);
    let second = at::CHANNEL;
    aica.write(second + channel::LOOP_END, 4, 10);
    aica.write(second + channel::ENVELOPE, 4, 31);
    aica.write(second, 4, KEY_ON | LOOP);
    play(&mut aica, 0, 0, 100, &[(channel::ADDRESS, 0x40)]);
    aica.write(at::ARM_RESET, 4, 0);
    aica.advance(400);
    let activity = aica.take_activity().unwrap();
    let counts = activity.counts;
    assert_eq!(
        (counts.samples, counts.arm_samples, counts.channels),
        (400, 400, 500)
    );
    assert_eq!((counts.most_channels, counts.mean_channels()), (2, 1.25));
    // A branch takes three cycles. The first two rounds of each sample of 512 cycles are not known to wait.
    assert!((0.005..0.02).contains(&counts.arm_load().unwrap()), "{counts:?}");
    assert!(activity.code[0] && !activity.code[1]);
    let [play] = activity.plays[..] else {
        panic!("{:?}", activity.plays);
    };
    assert_eq!((play.channel.start, play.begin, play.end), (0x40, 0, Some(100)));
    assert!(activity.playing[1].is_some() && activity.playing[0].is_none());
    // The record begins anew.
    assert_eq!(aica.take_activity().unwrap().counts.samples, 0);
}
