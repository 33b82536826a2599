//! Parts that use the host: discs, firmware calls with the host's files, debuggers, memory units of the
//! player.

use crate::source::Source;
use dreamcast::disc::Part;
use dreamcast::peripherals::{Controller, Keyboard, Mouse, Peripheral, VMU_BYTES, Vmu};
use dreamcast::{Config, Cycles, Disc, Dreamcast, Layout, Until};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use swirl::untrusted;
use tempfile::TempDir;

/// Makes a temporary folder, in memory if the host has such a file system.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    };
    made.expect("a folder can be made")
}

fn write(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("a file of ours can be written");
}

/// The sectors of a bootable disc with three files.
fn image() -> &'static [u8] {
    static IMAGE: OnceLock<Vec<u8>> = OnceLock::new();
    IMAGE.get_or_init(|| {
        let folder = folder();
        let mut header = b"SEGA SEGAKATANA ".to_vec();
        header.resize(0x60, b' ');
        header.extend(b"GAME.BIN        ");
        write(&folder.path().join("IP.BIN"), &header);
        write(&folder.path().join("GAME.BIN"), &[9; 3000]);
        std::fs::create_dir(folder.path().join("DATA")).expect("a folder can be made");
        write(&folder.path().join("DATA/text"), b"text");
        let mut disc = Disc::from_folder(folder.path(), Layout::Data).expect("our folder is a disc");
        let mut read = |index: u32| disc.read(dreamcast::disc::LEAD + index, Part::Data);
        (0..64).map_while(|index| read(index).ok()).flatten().collect()
    })
}

/// Returns the image with some words replaced and its end cut off. The input gives pairs of position and
/// word.
fn damaged(from: &mut Source<'_>) -> Vec<u8> {
    let mut bytes = image().to_vec();
    if from.chance(8) {
        let length = from.below(bytes.len() as u32) as usize;
        bytes.truncate(length);
    }
    for _ in 0..from.below(8) {
        // A position in the volume descriptor and the directories that follow it, or anywhere.
        let place = match from.below(4) {
            0 => from.below(bytes.len() as u32),
            1 => 16 * 2048 + from.below(256),
            _ => 18 * 2048 + from.below(6 * 2048),
        } as usize;
        let value = match from.below(3) {
            0 => from.word(),
            1 => from.below(64),
            _ => 1 << from.below(32),
        };
        for (byte, new) in bytes.iter_mut().skip(place).zip(value.to_le_bytes()) {
            *byte = new;
        }
    }
    bytes
}

/// Reads a disc with the functions of the drive and of the boot.
fn use_disc(path: &Path) {
    let Ok(mut disc) = Disc::open(path) else { return };
    let _ = disc.kind();
    let _ = disc.boot_program();
    for fad in [0, 149, 150, 151, 166, 170, 200, 45_150, 45_166, 549_299, u32::MAX] {
        for part in [Part::Data, Part::Whole] {
            if let Ok(sector) = disc.read(fad, part) {
                assert_eq!(sector.len(), part.bytes());
            }
        }
    }
}

/// Disc images: a damaged ISO image, a GDI or cue text file with three tracks, or a CDI file of eight sectors
/// and the input.
pub(crate) fn disc(bytes: &[u8]) {
    let (kind, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let folder = folder();
    let name = |name: &str| folder.path().join(name);
    match kind % 4 {
        0 => {
            write(&name("disc.iso"), &damaged(&mut Source::new(rest)));
            use_disc(&name("disc.iso"));
        }
        3 => {
            write(&name("disc.cdi"), &[&[0; 8 * 2352], rest].concat());
            use_disc(&name("disc.cdi"));
        }
        kind => {
            write(&name("track01.bin"), &vec![0; 4 * 2352]);
            write(&name("track02.raw"), &vec![1; 3 * 2352 + 7]);
            write(&name("track03.iso"), image());
            let sheet = name(if kind == 1 { "disc.gdi" } else { "disc.cue" });
            write(&sheet, rest);
            use_disc(&sheet);
        }
    }
}

/// Entry addresses of the firmware's and dcload's calls.
const ENTRIES: [u32; 7] = [
    0x8C00_3C00,
    0x8C00_3D80,
    0x8C00_3D00,
    0x8C00_1000,
    0x8C00_10F0,
    0x8C00_4010,
    0x8C00_4010,
];
/// A loop over records of five words: function, R4 to R7. Function 0 ends it.
const CALLER: [u16; 13] = [
    0x6086, // mov.l @r8+,r0
    0x2008, // tst r0,r0
    0x8907, // bt end
    0x6486, // mov.l @r8+,r4
    0x6586, // mov.l @r8+,r5
    0x6686, // mov.l @r8+,r6
    0x6786, // mov.l @r8+,r7
    0x400B, // jsr @r0
    0x0009, // nop
    0xAFF5, // bra to the first
    0x0009, // nop
    0x492B, // end: jmp @r9
    0x0009, // nop
];
const RECORDS: u32 = 0x8C02_0000;
const BUFFER: u32 = 0x8C03_0000;
/// Paths for calls; each takes 32 bytes of the buffer.
const PATHS: [&str; 12] = [
    "/a.txt",
    "/sub",
    "/sub/b",
    "/new",
    "/../out/secret",
    "/link",
    "/link/secret",
    "",
    "/",
    "//sub/./b",
    "a.txt",
    "/new2",
];

fn argument(from: &mut Source<'_>) -> u32 {
    match from.below(8) {
        0 => from.word(),
        1..=3 => BUFFER + 32 * from.below(PATHS.len() as u32 + 4),
        4 => from.below(25),
        5 => [3, 4, 5, 100, 101, 0x601, 0x202, 0x9, 0x80_0000, 150][from.below(10) as usize],
        6 => from.below(0x400),
        _ => BUFFER + from.below(0x1000),
    }
}

/// Makes a console with a folder, a disc and a program that makes the calls in a loop.
fn caller(root: &Path, disc: &Path, records: &[u8], writable: bool) -> Option<Dreamcast> {
    let mut console = Dreamcast::new(Config::default());
    console.open_folder(root, writable).ok()?;
    console.insert(Disc::open(disc).ok());
    let mut buffer = vec![0; 32 * PATHS.len()];
    for (place, path) in buffer.chunks_mut(32).zip(PATHS) {
        place[..path.len()].copy_from_slice(path.as_bytes());
    }
    let code: Vec<u8> = CALLER.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    console.load_raw_at(RECORDS, records).ok()?;
    console.load_raw_at(BUFFER, &buffer).ok()?;
    console.load_raw(&code).ok()?;
    console.cpu.r[8] = RECORDS;
    console.cpu.r[9] = console.cpu.pr;
    Some(console)
}

/// Calls the firmware and dcload in any order, with a folder and a disc of the host. Files outside the folder
/// must not change.
pub(crate) fn firmware(bytes: &[u8]) {
    let mut from = Source::new(bytes);
    let folder = folder();
    let place = |name: &str| -> PathBuf { folder.path().join(name) };
    for made in ["in", "in/sub", "out"] {
        std::fs::create_dir(place(made)).expect("a folder can be made");
    }
    write(&place("in/a.txt"), b"some text");
    write(&place("in/sub/b"), &[7; 600]);
    write(&place("out/secret"), b"secret");
    #[cfg(unix)]
    std::os::unix::fs::symlink(place("out"), place("in/link")).expect("a link can be made");
    write(&place("disc.iso"), image());
    let writable = !from.chance(4);
    let mut records = Vec::new();
    while !from.is_empty() && records.len() < 20 * 40 {
        records.extend(from.pick(&ENTRIES).to_le_bytes());
        for _ in 0..4 {
            records.extend(argument(&mut from).to_le_bytes());
        }
    }
    records.extend([0; 4]);
    let Some(mut console) = caller(&place("in"), &place("disc.iso"), &records, writable) else {
        return;
    };
    console.run(Until {
        instructions: 2_000,
        time: Cycles(10_000_000),
        ..Until::FOREVER
    });
    assert!(
        console.take_console().len() <= 16 << 20,
        "console text has a limit"
    );
    let outside = std::fs::read_dir(place("out")).expect("it is there").count();
    let secret = std::fs::read(place("out/secret"));
    assert!(
        outside == 1 && secret.is_ok_and(|text| text == b"secret"),
        "the folder was left"
    );
    if !writable {
        let kept = std::fs::read(place("in/a.txt"));
        assert!(
            kept.is_ok_and(|text| text == b"some text"),
            "a folder to be read was written"
        );
    }
}

/// A debugger sends one line after the other. A line is the body of a packet; the target sends a line that
/// begins with `!` unchanged.
pub(crate) fn gdb(bytes: &[u8]) {
    let mut packets = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        match line.strip_prefix(b"!") {
            Some(raw) => packets.extend(raw),
            None => {
                let sum = line.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
                packets.push(b'$');
                packets.extend(line);
                packets.extend(format!("#{sum:02x}+").bytes());
            }
        }
    }
    untrusted::gdb(crate::first::small_program(), &packets, 3_000);
}

/// Sends any commands to units of the Maple bus: a memory unit and others.
pub(crate) fn vmu(bytes: &[u8]) {
    let mut from = Source::new(bytes);
    assert!(Vmu::from_bytes(bytes).is_none_or(|vmu| vmu.bytes() == bytes));
    let mut units: [Box<dyn Peripheral>; 4] = [
        Box::new(Vmu::formatted()),
        Box::new(Controller::default()),
        Box::new(Keyboard::default()),
        Box::new(Mouse::default()),
    ];
    while !from.is_empty() {
        let word = from.word();
        let which = if word & 0x30 == 0x30 {
            1 + (word >> 8) % 3
        } else {
            0
        };
        let command = if word >> 16 & 7 == 0 {
            (word >> 24) as u8
        } else {
            1 + (word % 14) as u8
        };
        let function = [0x0800_0000, 0x0400_0000, 0x0200_0000, from.word()][(word >> 19 & 3) as usize];
        let location =
            from.word() & [0xFF03_0000, 0xFF04_0000, u32::MAX, 0xFFFF_FFFF][(word >> 21 & 3) as usize];
        let count = [0, 32, 1, 6][(word >> 10 & 3) as usize] as usize;
        let mut data = vec![function, location];
        data.extend((0..count).map(|_| from.word()));
        data.truncate(2 + count - usize::from(word >> 12 & 31 == 0 && count > 0));
        let unit = &mut units[which as usize];
        let reply = unit.respond(command, &data[..data.len().min(255)]);
        assert!(reply.data.len() <= 255, "{} words", reply.data.len());
        unit.reply_bytes(command);
    }
    let vmu = units[0].as_vmu().expect("the first one");
    assert_eq!(vmu.bytes().len(), VMU_BYTES);
    (0..48 * 32).for_each(|n| _ = vmu.point(n % 48, n / 48));
}
