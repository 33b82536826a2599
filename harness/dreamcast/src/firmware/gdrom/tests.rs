//! Tests the calls on a disc with audio, and with random arguments.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use super::*;
use crate::config::Config;
use crate::disc::Disc;
use crate::time::Cycles;
use std::fs;

/// Returns a GD-ROM: data of 10 sectors, audio of 150 sectors (2 s), data of 20 sectors from 45,000 on.
fn disc() -> Disc {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("1.bin"), vec![1; 2048 * 10]).unwrap();
    fs::write(folder.path().join("2.raw"), vec![2; 2352 * 150]).unwrap();
    fs::write(folder.path().join("3.bin"), vec![3; 2048 * 20]).unwrap();
    let text = "3\n1 0 4 2048 1.bin 0\n2 300 0 2352 2.raw 0\n3 45000 4 2048 3.bin 0\n";
    fs::write(folder.path().join("d.gdi"), text).unwrap();
    // The files stay open after their folder is removed.
    Disc::open(&folder.path().join("d.gdi")).unwrap()
}

fn system() -> System {
    let mut system = System::new(&Config::default());
    system.drive.disc = Some(disc());
    system
}

/// Addresses of parameters, answers and data.
const BLOCK: u32 = 0x8C10_0000;
const STATUS: u32 = 0x8C10_0100;
const BUFFER: u32 = 0x8C20_0000;

fn call(system: &mut System, function: u32, first: u32, second: u32) -> (u32, Served) {
    let mut cpu = Cpu::new(sh4::Settings::default());
    (cpu.r[4], cpu.r[5], cpu.r[6], cpu.r[7]) = (first, second, 0, function);
    let served = serve(&mut cpu, system, &mut Host::default());
    (cpu.r[0], served)
}

fn pass(system: &mut System, cycles: u64) {
    system.deliver(system.now + cycles);
}

/// Returns the first answer of a command other than "running", and the four words.
fn command(system: &mut System, code: u32, parameters: [u32; 4]) -> (u32, [u32; 4]) {
    write_words(system, BLOCK, &parameters);
    let (handle, _) = call(system, function::SEND, code, BLOCK);
    assert_ne!(handle, 0);
    for _ in 0..1000 {
        call(system, function::SERVER, 0, 0);
        let (answer, _) = call(system, function::CHECK, handle, STATUS);
        if answer != 1 {
            return (answer, [0, 4, 8, 12].map(|n| word(system, STATUS + n).unwrap()));
        }
        pass(system, 100_000);
    }
    panic!("command {code} does not end");
}

fn drive(system: &mut System) -> [u32; 2] {
    assert_eq!(call(system, function::DRIVE, STATUS, 0).0, 0);
    [0, 4].map(|n| word(system, STATUS + n).unwrap())
}

#[test]
fn a_read_takes_its_time() {
    let mut system = system();
    write_words(&mut system, BLOCK, &[45_150, 4, BUFFER, 0]);
    let (handle, _) = call(&mut system, function::SEND, code::DMA_READ, BLOCK);
    assert_eq!(call(&mut system, function::SEND, code::DMA_READ, BLOCK).0, 0);
    // The command must not start before the server is called.
    pass(&mut system, 10_000_000);
    assert_eq!(call(&mut system, function::CHECK, handle, STATUS).0, 1);
    call(&mut system, function::SERVER, 0, 0);
    // 1 ms, and 111 cycles for each of 8,192 bytes.
    let cycles = 200_000 + 111 * 8192;
    pass(&mut system, cycles - 1);
    assert_eq!(call(&mut system, function::CHECK, handle, STATUS).0, 1);
    assert_eq!(system.events.read(0) >> normal::G1_DMA & 1, 0);
    pass(&mut system, 1);
    assert_eq!(system.events.read(0) >> normal::G1_DMA & 1, 1);
    assert_eq!(call(&mut system, function::CHECK, handle, STATUS).0, 2);
    assert_eq!(system.ram_at(BUFFER & 0x1FFF_FFFF, 8192).unwrap(), [3; 8192]);
    assert_eq!(call(&mut system, function::CHECK, handle, STATUS).0, 0);
}

#[test]
fn audio_plays_pauses_and_ends() {
    let mut system = system();
    let second = 199_500_000;
    assert_eq!(drive(&mut system), [2, 0x80]);
    assert_eq!(command(&mut system, code::PLAY_TRACKS, [2, 2, 0, 0]).0, 2);
    assert_eq!(drive(&mut system), [3, 0x80]);
    let subcode = |system: &mut System| {
        assert_eq!(command(system, code::SUBCODE, [1, 14, BUFFER, 0]).0, 2);
        system.ram_at(BUFFER & 0x1FFF_FFFF, 14).unwrap().to_vec()
    };
    pass(&mut system, second);
    let q = subcode(&mut system);
    // Playing; audio, track 2, index 1; frames in the track and on the disc: 75 s later, from 450 on.
    assert_eq!((q[1], &q[4..7]), (0x11, &[0x01, 2, 1][..]));
    assert_eq!((q[9], u16::from_be_bytes([q[12], q[13]])), (75, 525));
    assert_eq!(command(&mut system, code::PAUSE, [0; 4]).0, 2);
    pass(&mut system, 5 * second);
    assert_eq!((subcode(&mut system)[1], drive(&mut system)[0]), (0x12, 1));
    assert_eq!(command(&mut system, code::RELEASE, [0; 4]).0, 2);
    assert_eq!(drive(&mut system)[0], 3);
    pass(&mut system, 2 * second);
    assert_eq!((subcode(&mut system)[1], drive(&mut system)[0]), (0x13, 1));
    assert_eq!(command(&mut system, code::STOP, [0; 4]).0, 2);
    assert_eq!(drive(&mut system)[0], 2);
    // Track 1 is data, track 9 does not exist.
    assert_eq!(
        command(&mut system, code::PLAY_TRACKS, [1, 1, 0, 0]),
        (FAILED, [5, 0x64, 0, 0])
    );
    assert_eq!(
        command(&mut system, code::PLAY_TRACKS, [9, 9, 0, 0]),
        (FAILED, [5, 0x21, 0, 0])
    );
}

/// The mixer must output the track's samples from the end of the play command, with silence before and after.
#[test]
fn audio_is_heard() {
    let folder = tempfile::tempdir().unwrap();
    let samples: Vec<[i16; 2]> = (0..588 * 300)
        .map(|n: i32| [n as i16 | 1, !n as i16 | 1])
        .collect();
    fs::write(folder.path().join("track01.wav"), aica::wav::file(&samples)).unwrap();
    let disc = Disc::from_folder(folder.path(), crate::Layout::CdR).unwrap();
    let run = || {
        let config = Config {
            audio: true,
            ..Config::default()
        };
        let mut system = System::new(&config);
        // The files stay open after their folder is removed.
        system.drive.insert(Some(
            Disc::from_folder(folder.path(), crate::Layout::CdR).unwrap(),
        ));
        system.write_sound(0x2800, 15, 4);
        // EXTS 0 to the left, EXTS 1 to the right, both at full level.
        system.write_sound(0x2040, 0xF1F, 4);
        system.write_sound(0x2044, 0xF0F, 4);
        system.take_audio();
        assert_eq!(command(&mut system, code::PLAY_TRACKS, [1, 1, 0, 0]).0, 2);
        pass(&mut system, 199_500_000 / 2);
        assert_eq!(command(&mut system, code::PAUSE, [0; 4]).0, 2);
        pass(&mut system, 199_500_000 / 10);
        system.take_audio()
    };
    assert_eq!(disc.tracks().map(|track| track.2).next(), Some(300));
    let heard = run();
    let first = heard.iter().position(|sample| *sample != [0; 2]).unwrap();
    let last = heard.iter().rposition(|sample| *sample != [0; 2]).unwrap();
    assert!(last - first > 22_000 && heard.len() - last > 4_000);
    assert_eq!(heard[first..=last], samples[..=last - first]);
    assert_eq!(heard, run());
}

#[test]
fn tables_and_modes() {
    let mut system = system();
    let words = |system: &System| [0, 4, 8, 12].map(|n| word(system, BUFFER + n).unwrap());
    assert_eq!(command(&mut system, code::CONTENTS2, [1, BUFFER, 0, 0]).0, 2);
    assert_eq!(words(&system)[..3], [u32::MAX, u32::MAX, 0x4100_B05E]);
    // Session 2 begins with track 3 (00 B0 5E, most significant byte first); the drive is in standby.
    assert_eq!(command(&mut system, code::SESSION, [2, BUFFER, 0, 0]).0, 2);
    assert_eq!(words(&system)[..2], [0x0003_0002, 0xFFFF_5EB0]);
    assert_eq!(command(&mut system, code::SET_MODE, [1, 0x1234, 5, 6]).0, 2);
    // The parameter is the address of the answer, which does not overwrite the parameters.
    assert_eq!(command(&mut system, code::GET_MODE, [BUFFER, 7, 8, 9]).0, 2);
    assert_eq!(words(&system), [1, 0x1234, 5, 6]);
    assert_eq!(word(&system, BLOCK), Some(BUFFER));
    assert_eq!(word(&system, BLOCK + 4), Some(7));
    assert_eq!(command(&mut system, code::VERSION, [BUFFER, 0, 0, 0]).0, 2);
    assert_eq!(system.ram_at(BUFFER & 0x1FFF_FFFF, 4).unwrap(), b"GDC ");
    let at = [BUFFER, BUFFER + 4, BUFFER + 8, BUFFER + 12];
    assert_eq!(command(&mut system, code::STATUS, at).0, 2);
    assert_eq!(words(&system), [2, 1, 0x4100_0096, 1]);
    write_words(&mut system, BLOCK, &[0, 0x1000, 0, 2352]);
    assert_eq!(call(&mut system, function::SECTOR_MODE, BLOCK, 0).0, 0);
    write_words(&mut system, BLOCK, &[0, 0x2000, 0, 2340]);
    assert_eq!(call(&mut system, function::SECTOR_MODE, BLOCK, 0).0, FAILED);
    write_words(&mut system, BLOCK, &[1, 0, 0, 0]);
    assert_eq!(call(&mut system, function::SECTOR_MODE, BLOCK, 0).0, 0);
    assert_eq!(word(&system, BLOCK + 12), Some(2352));
}

/// The callback must follow every transfer except the last, as in KallistiOS's stream example. The data must
/// arrive during a call of the server function: a program that polls between its calls must not miss the
/// callback.
#[test]
fn a_stream_by_words_calls_back() {
    let mut system = system();
    call(&mut system, function::PIO_CALLBACK, 0x8C01_2340, 77);
    assert_eq!(command(&mut system, code::PIO_STREAM, [150, 2, 0, 0]).0, 3);
    let handle = system.disc_calls.command.unwrap().handle;
    for (left, jumps) in [(2048, true), (0, false)] {
        write_words(&mut system, BLOCK, &[BUFFER, 2048]);
        assert_eq!(call(&mut system, function::DMA_TRANSFER, handle, BLOCK).0, FAILED);
        assert_eq!(call(&mut system, function::PIO_TRANSFER, handle, BLOCK).0, 0);
        assert_eq!(call(&mut system, function::PIO_CHECK, handle, STATUS).0, 1);
        write_words(&mut system, BUFFER, &[0]);
        pass(&mut system, 2048 * 111);
        assert_eq!(call(&mut system, function::PIO_CHECK, handle, STATUS).0, 1);
        assert_eq!(word(&system, STATUS), Some(left + 2048));
        assert_eq!(word(&system, BUFFER), Some(0));
        let served = call(&mut system, function::SERVER, 0, 0).1;
        assert_eq!(served == Served::Jump, jumps, "{left}");
        assert_eq!(word(&system, BUFFER), Some(0x0101_0101));
        assert_eq!(call(&mut system, function::PIO_CHECK, handle, STATUS).0, 0);
        assert_eq!(word(&system, STATUS), Some(left));
        assert_eq!(call(&mut system, function::CHECK, handle, STATUS).0, 3);
    }
    call(&mut system, function::SERVER, 0, 0);
    assert_eq!(call(&mut system, function::CHECK, handle, STATUS).0, 2);
    assert_eq!(call(&mut system, function::ABORT, handle, 0).0, FAILED);
}

#[test]
fn without_a_disc_commands_fail_at_once() {
    let mut system = System::new(&Config::default());
    assert_eq!(drive(&mut system), [7, 0]);
    assert_eq!(
        command(&mut system, code::INIT, [0; 4]),
        (FAILED, [2, 0x3A, 0, 0])
    );
    assert_eq!(command(&mut system, code::VERSION, [BUFFER, 0, 0, 0]).0, 2);
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % n) as u32
    }

    /// Returns a parameter: small, an address in RAM or in unmapped space, a frame address, or any value.
    fn value(&mut self) -> u32 {
        match self.below(6) {
            0 => self.below(20),
            1 => 0x8C10_0000 + self.below(0x100),
            2 => 0x8CFF_FFF0 + self.below(0x20),
            3 => 0x0500_0000 + self.below(0x0100_0000),
            4 => [140, 440, 45_140][self.below(3) as usize] + self.below(40),
            _ => self.below(1 << 32),
        }
    }
}

fn random_calls(seed: u64) -> (Cycles, Vec<u32>) {
    let (mut random, mut system) = (Random(seed), system());
    let mut answers = Vec::new();
    for _ in 0..400 {
        let parameters = [0; 4].map(|_| random.value());
        write_words(&mut system, BLOCK, &parameters);
        let (first, second) = match random.below(3) {
            0 => (random.below(50), BLOCK),
            1 => (answers.last().copied().unwrap_or(1), BLOCK),
            _ => (random.value(), random.value()),
        };
        let function = random.below(16);
        answers.push(call(&mut system, function, first, second).0);
        call(&mut system, function::SERVER, 0, 0);
        pass(&mut system, random.below(3_000_000).into());
    }
    (system.now, answers)
}

#[test]
fn random_calls_do_no_harm_and_repeat() {
    for seed in 0..40 {
        assert_eq!(random_calls(seed), random_calls(seed), "seed {seed}");
    }
}
