//! Tests the drive's registers with the assertions of lxdream's `testide` on a console, DMA, and random
//! packets.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use super::*;
use crate::config::Config;
use crate::system::System;
use sh4::Bus;
use std::fs;

/// Two data tracks, the second in a second session, as on the disc of `testide`.
fn system() -> System {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("1.bin"), vec![1; 2048 * 300]).unwrap();
    let second: Vec<u8> = (0..2048 * 20).map(|n| (n / 2048) as u8).collect();
    fs::write(folder.path().join("2.bin"), second).unwrap();
    let text = "2\n1 0 4 2048 1.bin 0\n2 11702 4 2048 2.bin 0\n";
    fs::write(folder.path().join("d.gdi"), text).unwrap();
    let mut system = System::new(&Config::default());
    system.drive.disc = Some(Disc::open(&folder.path().join("d.gdi")).unwrap());
    system
}

fn read(system: &mut System, register: u32) -> u32 {
    system.read_drive(0x005F_7000 + register, 1)
}

fn write(system: &mut System, register: u32, value: u32) {
    system.write_drive(0x005F_7000 + register, value);
}

fn data(system: &mut System) -> u32 {
    system.read_drive(0x005F_7080, 2)
}

/// Advances time until the drive is ready.
fn ready(system: &mut System) {
    for _ in 0..100 {
        if read(system, 0x18) & 0x80 == 0 {
            return;
        }
        system.deliver(system.now + 100_000);
    }
    panic!("the drive stays busy");
}

/// Reads alternative status, error, count, low, high, status. The last read ends the interrupt.
fn registers(system: &mut System) -> [u32; 6] {
    [0x18, 0x84, 0x88, 0x90, 0x94, 0x9C].map(|register| read(system, register))
}

fn interrupts(system: &System) -> bool {
    system.events.read(4) & 1 != 0
}

fn send(system: &mut System, features: u32, packet: [u8; 12]) {
    for (register, value) in [
        (0x84, features),
        (0x88, 0),
        (0x90, 8),
        (0x94, 0),
        (0x98, 0),
        (0x9C, 0xA0),
    ] {
        write(system, register, value);
    }
    assert!(!interrupts(system));
    assert_eq!(registers(system), [0x58, 0, 1, 8, 0, 0x58]);
    for pair in packet.as_chunks::<2>().0 {
        write(system, 0x80, u16::from_le_bytes(*pair).into());
    }
    ready(system);
}

fn words(system: &mut System, count: usize) -> Vec<u8> {
    (0..count)
        .flat_map(|_| (data(system) as u16).to_le_bytes())
        .collect()
}

const TEST_UNIT: [u8; 12] = [0; 12];
const SENSE: [u8; 12] = [0x13, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0];

#[test]
fn reset_and_the_first_command() {
    let mut system = system();
    write(&mut system, 0x9C, 8);
    assert_eq!(registers(&mut system), [0, 1, 1, 0x14, 0xEB, 0]);
    assert_eq!(data(&mut system), 0xFFFF);
    for mode in [0x0B, 0x22] {
        write(&mut system, 0x84, 3);
        write(&mut system, 0x88, mode);
        write(&mut system, 0x9C, 0xEF);
        assert_eq!(registers(&mut system), [0x50, 0, mode, 0, 0, 0x50]);
    }
    send(&mut system, 0, TEST_UNIT);
    assert!(interrupts(&system));
    assert_eq!(registers(&mut system), [0x51, 0x60, 3, 8, 0, 0x51]);
    assert!(!interrupts(&system));
    send(&mut system, 0, SENSE);
    let sense = words(&mut system, 5);
    assert_eq!((sense[2], sense[8]), (6, 0x29));
    ready(&mut system);
    send(&mut system, 0, TEST_UNIT);
    assert_eq!(registers(&mut system), [0x50, 0, 3, 8, 0, 0x50]);
    assert_eq!(data(&mut system), 0xFFFF);
}

#[test]
fn data_come_by_words_with_an_interrupt_a_block() {
    let mut system = system();
    // 3 sectors from frame address 11,852 (2E4C) on, as data of mode 2, form 1.
    send(&mut system, 0, [0x30, 0x28, 0, 0x2E, 0x4C, 0, 0, 0, 0, 0, 3, 0]);
    for n in 0..3 {
        assert!(interrupts(&system));
        assert_eq!(registers(&mut system), [0x58, 0, 2, 0, 8, 0x58]);
        assert!(!interrupts(&system));
        assert_eq!(words(&mut system, 1024), [n; 2048]);
        ready(&mut system);
    }
    assert!(interrupts(&system));
    assert_eq!(registers(&mut system), [0x50, 0, 3, 0, 8, 0x50]);
    // The head is after the read sectors: track 2, index 1, 3 frames into the track, 2E4F.
    send(&mut system, 0, [0x40, 1, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0]);
    let expected = [0, 0x15, 0, 14, 0x41, 2, 1, 0, 0, 3, 0, 0, 0x2E, 0x4F];
    assert_eq!(words(&mut system, 7), expected);
    ready(&mut system);
    // Tracks at 150 and 11,852, most significant byte first.
    send(&mut system, 0, [0x14, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0]);
    let expected = [0x41, 0, 0, 0x96, 0x41, 0, 0x2E, 0x4C, 0xFF, 0xFF, 0xFF, 0xFF];
    assert_eq!(words(&mut system, 6), expected);
}

const GDSTAR: u32 = 0x005F_7404;

/// Configures G1 DMA and starts it.
fn start_dma(system: &mut System, address: u32, bytes: u32) {
    for (n, value) in [(0, address), (1, bytes), (2, 1), (4, 1), (5, 1)] {
        system.write32(0xA000_0000 + GDSTAR + 4 * n, value).unwrap();
    }
}

#[test]
fn data_come_by_dma() {
    let mut system = system();
    system.begin_deferred(0, None);
    system.write32(0xA05F_74B8, 0x8843_407F).unwrap();
    send(&mut system, 1, [0x30, 0x20, 0, 0x2E, 0x4D, 0, 0, 0, 0, 0, 2, 0]);
    assert!(!interrupts(&system));
    // The first 2,080 bytes, then the remaining ones.
    start_dma(&mut system, 0x0C10_0000, 2080);
    system.deliver(system.now + 165 + 2080 * 111);
    assert_eq!(system.events.read(0) >> 14 & 1, 1);
    assert_eq!(system.holly.get(0x005F_7418), 0);
    assert_eq!(system.ram_at(0x0C10_0000, 2048).unwrap(), [1; 2048]);
    assert_eq!(
        system.ram_at(0x0C10_0800, 64).unwrap(),
        [[2; 32], [0; 32]].concat()
    );
    start_dma(&mut system, 0x0C10_0820, 2016);
    system.deliver(system.now + 10_000_000);
    assert_eq!(system.ram_at(0x0C10_0800, 2048).unwrap(), [2; 2048]);
    assert!(interrupts(&system));
    assert_eq!(registers(&mut system)[0], 0x50);
}

#[test]
fn dma_outside_its_window_is_an_error() {
    let mut system = system();
    system.begin_deferred(0, None);
    for (window, address, bit) in [
        (0x8843_4040, 0x0C10_0000, 13),
        (0x8843_407F, 0x0800_0000, 12),
        (0x8843_407F, 0x0500_0000, 13),
    ] {
        system.write32(0xA05F_74B8, window).unwrap();
        start_dma(&mut system, address, 2048);
        assert_eq!(system.holly.get(0x005F_7418), 0, "{address:08x}");
        assert_eq!(system.events.read(8), 1 << bit, "{address:08x}");
        system.events.write(8, u32::MAX);
    }
}

#[test]
fn wrong_commands_fail() {
    let mut system = system();
    // A read past the end; an unknown packet; audio from a data track; raw sectors of an unknown kind.
    for (packet, error) in [
        ([0x30, 0x20, 9, 0, 0, 0, 0, 0, 0, 0, 1, 0], 0x50),
        ([0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0x50),
        ([0x20, 1, 0, 0, 0x96, 0, 0, 0, 0, 1, 0, 0], 0x50),
        ([0x30, 0x80, 0, 0, 0x96, 0, 0, 0, 0, 0, 1, 0], 0x50),
    ] {
        send(&mut system, 0, packet);
        assert_eq!(registers(&mut system), [0x51, error, 3, 8, 0, 0x51], "{packet:?}");
    }
    write(&mut system, 0x9C, 0xEC);
    assert_eq!(registers(&mut system), [0x51, 4, 2, 0, 0x50, 0x51]);
    assert_eq!(data(&mut system), 0);
    system.drive.disc = None;
    send(&mut system, 0, TEST_UNIT);
    assert_eq!(registers(&mut system)[..2], [0x51, 0x20]);
}

/// flycast d0d971254: a read of no sectors ends without data and without error.
#[test]
fn an_empty_read_ends() {
    let mut system = system();
    send(&mut system, 0, [0x30, 0x20, 0, 0, 0x96, 0, 0, 0, 0, 0, 0, 0]);
    assert!(interrupts(&system));
    assert_eq!(registers(&mut system), [0x50, 0, 3, 8, 0, 0x50]);
}

/// An audio track of 400 sectors, and a data track.
fn with_audio() -> System {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("1.raw"), vec![1; 2352 * 400]).unwrap();
    fs::write(folder.path().join("2.bin"), vec![2; 2048 * 20]).unwrap();
    let text = "2\n1 0 0 2352 1.raw 0\n2 11702 4 2048 2.bin 0\n";
    fs::write(folder.path().join("d.gdi"), text).unwrap();
    let mut system = System::new(&Config::default());
    system.drive.disc = Some(Disc::open(&folder.path().join("d.gdi")).unwrap());
    send(&mut system, 0, SENSE);
    words(&mut system, 5);
    system
}

/// State of the drive and frame address, by "request status".
fn place(system: &mut System) -> (u8, u32) {
    send(system, 0, [0x10, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0]);
    let bytes = words(system, 5);
    (bytes[0], u32::from_be_bytes([0, bytes[6], bytes[7], bytes[8]]))
}

/// flycast dcf5444ac: a read of data ends audio. 9d17fc15a: a command to resume does not restart playing
/// audio.
#[test]
fn audio_continues_on_resume_and_ends_on_a_read() {
    let mut system = with_audio();
    send(&mut system, 0, [0x20, 1, 0, 0, 0x96, 0, 0, 0, 0, 1, 0x96, 0]);
    system.deliver(system.now + 199_500_000);
    let (state, before) = place(&mut system);
    assert!(state == 3 && (222..=232).contains(&before), "{state} at {before}");
    send(&mut system, 0, [0x20, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let (state, after) = place(&mut system);
    assert!(
        state == 3 && (before..before + 5).contains(&after),
        "{state} at {after}"
    );
    send(&mut system, 0, [0x30, 0x20, 0, 0x2E, 0x4C, 0, 0, 0, 0, 0, 1, 0]);
    assert_eq!(words(&mut system, 1024), [2; 2048]);
    assert_ne!(place(&mut system).0, 3);
}

#[test]
fn no_second_device_and_a_disabled_interface() {
    let mut system = system();
    write(&mut system, 0x98, 0xF0);
    write(&mut system, 0x9C, 0xEC);
    assert_eq!((read(&mut system, 0x9C), read(&mut system, 0x18)), (0, 0));
    write(&mut system, 0x98, 0);
    assert_eq!(read(&mut system, 0x18), 0x50);
    system.drive.unlock(0x42FE);
    for register in (0..0x400).step_by(4) {
        assert_eq!(system.read_drive(0x005F_7000 + register, 4), u32::MAX);
    }
    system.drive.unlock(0x1F_FFFF);
    assert_eq!(read(&mut system, 0x18), 0x50);
}

#[test]
fn the_mode_is_set() {
    let mut system = system();
    send(&mut system, 0, [0x12, 0, 4, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(registers(&mut system)[0], 0x58);
    write(&mut system, 0x80, 0x3412);
    ready(&mut system);
    assert_eq!(registers(&mut system)[0], 0x50);
    send(&mut system, 0, [0x11, 0, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(words(&mut system, 2), [0x12, 0x34, 0x19, 0]);
}

/// SplitMix64.
fn random(state: &mut u64, below: u64) -> u32 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ z >> 31) % below) as u32
}

fn random_packets(mut seed: u64) -> u64 {
    let state = &mut seed;
    let (mut system, mut digest) = (system(), 0_u64);
    let codes = [
        0, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x20, 0x21, 0x22, 0x30, 0x31, 0x40, 0x70,
    ];
    for _ in 0..200 {
        let mut packet = [0; 12].map(|_: u8| random(state, 256) as u8);
        packet[0] = codes[random(state, codes.len() as u64) as usize];
        if random(state, 2) == 0 {
            (packet[2], packet[3], packet[8], packet[9]) = (0, 0x2E, 0, 0);
        }
        write(&mut system, 0x84, random(state, 2));
        write(&mut system, 0x9C, 0xA0);
        for pair in packet.as_chunks::<2>().0 {
            write(&mut system, 0x80, u16::from_le_bytes(*pair).into());
        }
        for _ in 0..random(state, 40) {
            system.deliver(system.now + u64::from(random(state, 400_000)));
            let value = match random(state, 4) {
                0 => system
                    .drive
                    .take(random(state, 4096) as usize)
                    .map_or(0, |bytes| bytes.len() as u32),
                1 => data(&mut system),
                2 => {
                    write(&mut system, 0x80, random(state, 1 << 16));
                    0
                }
                _ => registers(&mut system).iter().sum(),
            };
            digest = digest.rotate_left(7) ^ u64::from(value);
        }
    }
    digest
}

#[test]
fn random_packets_do_no_harm_and_repeat() {
    for seed in 0..30 {
        assert_eq!(random_packets(seed), random_packets(seed), "seed {seed}");
    }
}
