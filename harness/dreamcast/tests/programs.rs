//! The console programs of `roms/src/console`: each prints its measurements, with the same result on every
//! engine.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use dreamcast::onchip::bsc::Cable;
use dreamcast::peripherals::{Buttons, Pad};
use dreamcast::{Config, Disc, Dreamcast, Ended, Layout, Until};
use machine::Image;
use std::fs;
use std::path::{Path, PathBuf};

/// A program, its output lines on handle 1, and the sources of their values.
struct Program {
    name: &'static str,
    lines: &'static str,
}

const DEVICES: &[Program] = &[
    // SH7750 manual, section 12: TCNT passes 0 after (start + 1) ticks of its prescaler. Timer 0 counts
    // Pck/4, so 10,000 ticks of Pck/4 divided by 100 give 100, of Pck/16 by 400, 1,000 of Pck/64 by 160, 100
    // of Pck/256 by 64 and of Pck/1024 by 256 as well. 10 ms hold nine whole periods of 12,469 ticks. INTEVT
    // 440: table 19.5.
    Program {
        name: "tmu",
        lines: "pck4 100, pck16 100, pck64 100, pck256 100, pck1024 100, reloaded 1, kept 00000100, \
                cleared 00000000, stopped 1, interrupts 9, intevt 00000440",
    },
    // 858 dots x 525 lines at 27 MHz: 16,683.33 us a field; 858 dots: 31.778 us a line. SPG_LOAD 020C: lines
    // 0 to 524. SPG_VBLANK_INT 00150208: in at 520, out at 21. SPG_VBLANK 00280208: blanking ends at line 40.
    // VGA has one field.
    Program {
        name: "spg",
        lines: "ten fields us 166833, hundred lines us 3178, highest line 524, vblank in 520, \
                blank bit in 1, \
                vblank out 21, blank bit at 40 0, hblank line 100, field 0",
    },
    // The header of a reply: code 5 (status) to the host (0) from unit 20 with 28 (1C) words; code 8 with 3
    // words. FE060F00 names the controller's buttons, triggers and stick (KallistiOS, maple/controller.h).
    // Nobody answers in ports B to D: the time-out of 50,000 x 20 ns.
    Program {
        name: "maple",
        lines: "A 1c200005, name Dreamcast Controller, functions 01000000, data fe060f00, \
                B ffffffff, milliseconds 1, C ffffffff, milliseconds 1, D ffffffff, milliseconds 1, \
                condition 03200008, function 01000000, buttons 0000ffff, sticks 80808080",
    },
    // Five blocks of 32 bytes. The tile accelerator stores ISP, TSP and TCW words, then x, y, z and colour
    // three times: 15 words. Tile 0 gets a triangle array (100 in bits 31:29) of one, one word a vertex (bits
    // 23:21), at word 0; the list ends with F0000000. 307,200 points at one a clock of 100 MHz: 3.07 ms.
    // (docs/hardware/pvr2.md)
    Program {
        name: "lists",
        lines: "bytes left 0, busy 0, units left 0, transfer end 1, bytes read 160, bytes stored 60, \
                tile 0 80200000, then f0000000, tile 1 f0000000, render ms 3, other ends 00000003, \
                inside 1, outside 0",
    },
    // DMAOR as the boot ROM leaves it. 7 n + n / 256 + 1 is 0 in a byte once in each 256. 32 units of 32
    // bytes; both addresses move on and the count ends at 0 (SH7750 manual, section 14). The handler cleared
    // TE. INTEVT 660: table 19.5.
    Program {
        name: "dmac",
        lines: "dmaor 00008201, equal before 4, equal after 1024, intevt 00000660, source moved 1024, \
                target moved 1024, units left 0, end 0, filled 100, behind 1, source stayed 1",
    },
    // An address that is not a multiple of the unit, or not memory, sets AE and requests DMAE (INTEVT 6C0),
    // not DMTE (660); SAR, DAR and DMATCR name the unit (SH7750 manual, 14.2 and 14.5). RAM is repeated four
    // times up to 0FFFFFFF: 10000000 is not memory for units of 4 bytes. Channel 2 moves two of its eight
    // units.
    Program {
        name: "dmac_errors",
        lines: "good, interrupts 1, intevt 00000660, source moved 16, target moved 16, units left 0, \
                misaligned source, interrupts 1, intevt 000006c0, source moved 0, target moved 0, \
                units left 4, \
                misaligned target, interrupts 1, intevt 000006c0, source moved 0, target moved 0, \
                units left 4, \
                to nothing, interrupts 1, intevt 000006c0, source moved 0, target moved 0, units left 4, \
                across a mirror, interrupts 1, intevt 00000660, source moved 32, target moved 32, \
                units left 0, \
                past the last mirror, interrupts 1, intevt 000006c0, source moved 16, target moved 16, \
                units left 4, still running 0, \
                channel 2, interrupts 1, intevt 000006c0, source 10000000, units left 6, bytes left 192, \
                busy 0",
    },
    // MDTSEL, PDTSEL and ADTSEL bit 1 (the Sega manual's register tables; flycast cb0b66712): an event starts
    // the transfer each time while the channel is enabled. LEN bit 31 clears EN at the end. MSYS bit 12
    // allows one transfer until MSHTCL is written.
    Program {
        name: "dma_events",
        lines: "pvr without trigger 0, pvr by vblank 1, first word ab000000, pvr again 1, \
                first word cd000000, \
                pvr disabled 0, g2 by vblank 1, first word cd000000, g2 disabled at its end 0, \
                maple by software 0, maple by vblank 1, reply 1c200005, maple again 1, maple held 1 1, \
                maple held 2 0, maple released 1",
    },
    // FLDI0, FLDI1 (tested on a console, Deecy 579d4157) and FRCHG (Linux, fpu_init) execute with PR = 1. So
    // do FSCHG, FMAC, FIPR and FSRRA by the setting `singles_only`. DN 00040000, PR 00080000, SZ 00100000, FR
    // 00200000. FMAC: 1 x 1 + 1; FIPR of (1, 1, 1, 1) changes FR7 only. FRCHG: FR4 of the other bank.
    Program {
        name: "fpu_modes",
        lines: "fldi0 00000000, fpscr 000c0000, exception 00000000, \
                fldi1 after 0 3f800000, fpscr 000c0000, exception 00000000, \
                frchg 3f800000, fpscr 002c0000, exception 00000000, \
                fschg 3f800000, fpscr 001c0000, exception 00000000, \
                fmac 40000000, fpscr 000c0000, exception 00000000, \
                fipr 3f800000, fpscr 000c0000, exception 00000000, \
                fsrra 3f800000, fpscr 000c0000, exception 00000000",
    },
    // 256 samples at 44,100 Hz: 5.805 ms. The ARM7's program stores 5A and counts.
    Program {
        name: "aica",
        lines: "256 samples in 0.1 ms 58, held 00000000, released 0000005a, counted 1, stopped 1",
    },
    // SH7750 manual, section 5: TRAPA has EXPEVT 160, TRA holds its number times 4, and SPC is the next
    // instruction; a misaligned read has EXPEVT 0E0, TEA its address, and SPC the instruction itself.
    Program {
        name: "exceptions",
        lines: "trapa 00000160, number 33, behind 1, misaligned 000000e0, address 8c010002, \
                at 1, nothing read 1",
    },
    // SH7750 manual, section 16: an empty FIFO shows TEND and TDFE (60), and requests TXI, INTEVT 760, once
    // its level is not 0. 49.875 MHz / (32 x 57,600) - 1 = 26. The serial port's text follows dcload's.
    Program {
        name: "scif",
        lines: "mode 00000000, rate 26, status 00000060, bytes in fifos 00000000, overrun 00000000, \
                after sending 00000060, at level 0 0, at level 3 1, intevt 00000760, by the serial port",
    },
    // ICR: NMIL, pulled up. INTEVT and the order at equal levels: SH7750 manual, table 19.5. IMASK holds
    // back its own level. Holly's groups are the encoded levels 2, 4 and 6: INTEVT 3A0, 360 and 320 (table
    // 19.4).
    Program {
        name: "intc",
        lines: "icr 00008000, iprb 0000ffff, \
                equal levels 3, intevt 00000400, intevt 00000420, intevt 00000440, \
                rising levels 3, intevt 00000440, intevt 00000420, intevt 00000400, \
                level 0 1, intevt 00000440, masked by 8 0, masked by 7 1, masked by 6 2, \
                group 2 000003a0, group 4 00000360, group 6 00000320, all groups 00000320",
    },
    // 1 January 2000: 50 years of 365 days and 12 leap days make 18,262 days of 86,400 seconds, 5E0BE100.
    Program {
        name: "rtc",
        lines: "clock 5e0be100, days since 1950 18262, hour 0, counted 1, a second in ms 1000, locked 1, \
                set 8000ffff, carry 80010000, locked again 1",
    },
    // 2,048 bytes there and back. 7 n + n / 256 + 1 is 0 in a byte once in each 256. ISTERR bit 15: illegal
    // address of channel 0 (KallistiOS, `asic.h`).
    Program {
        name: "g2",
        lines: "idle 00000030, busy 1, busy after 0, enabled after 0, in sound memory 2048, equal before 8, \
                equal after 2048, idle 00000030, not enabled 0, illegal address 00008000",
    },
    // SH7750 manual, sections 3.5 and 5: data TLB miss 040 (read) and 060 (write), protection violation 0C0
    // (write), initial page write 080. TEA holds the address, PTEH its page number.
    Program {
        name: "mmu",
        lines: "read nothing eeeeeeee, expevt 00000040, tea 00123010, pteh 00123000, \
                write miss 00000060, read 11223344, by a miss 00000040, read again 11223344, \
                without one 00000000, write 000000c0, first write 00000080, written 55667788, \
                by a miss 00000060, p1 55667788",
    },
    // SH7750 manual, section 10: 256 counts of 4,096 cycles at 199.5 MHz: 5,256 us. INTEVT 560: table 19.5.
    Program {
        name: "wdt",
        lines: "without key 00000000, with key 00000034, 256 counts in 10 us 525, intevt 00000560, \
                control 00000087, stopped 00000000",
    },
];

/// Results of a run.
#[derive(PartialEq, Eq)]
struct Outcome {
    ended: Ended,
    text: String,
    cycles: u64,
    renders: u64,
    picture: Vec<u8>,
}

/// Engines: recompiler on or off, and the number of drawing threads; the last is a second run.
const ENGINES: [(bool, usize); 5] = [(false, 1), (false, 2), (true, 1), (true, 2), (true, 1)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn console(name: &str, engine: (bool, usize)) -> Dreamcast {
    console_with(name, engine, Config::default().cable)
}

fn console_with(name: &str, (recompiled, threads): (bool, usize), cable: Cable) -> Dreamcast {
    let mut console = Dreamcast::new(Config {
        threads,
        cable,
        ..Config::default()
    });
    let elf = fs::read(root().join(format!("roms/console/{name}.elf"))).unwrap();
    console.load(&Image::parse(&elf).unwrap()).unwrap();
    // Other hosts have one engine.
    if recompiled && cfg!(target_arch = "x86_64") {
        let recompiler = sh4_recompiler::Recompiler::new(sh4_recompiler::Options::default());
        console.accelerate(Box::new(recompiler.unwrap()));
    }
    console
}

/// Runs up to a frame; calls `each` before each frame.
fn run(console: &mut Dreamcast, frames: u64, each: fn(&mut Dreamcast, u64)) -> Outcome {
    let mut ended = Ended::Frame;
    while ended == Ended::Frame && console.frame() < frames {
        let frame = console.frame();
        each(console, frame);
        ended = console.run(Until {
            frame: frame + 1,
            ..Until::FOREVER
        });
    }
    Outcome {
        ended,
        text: String::from_utf8(console.take_console()).unwrap(),
        cycles: console.now().0,
        renders: console.renders(),
        picture: console.picture().rgba,
    }
}

/// Returns the outcome on the first engine, and checks that the others' are equal.
fn run_everywhere(
    name: &str,
    frames: u64,
    prepare: impl Fn(&mut Dreamcast),
    each: fn(&mut Dreamcast, u64),
) -> Outcome {
    let outcome = |engine| {
        let mut console = console(name, engine);
        prepare(&mut console);
        run(&mut console, frames, each)
    };
    let first = outcome(ENGINES[0]);
    for engine in &ENGINES[1..] {
        let other = outcome(*engine);
        assert_eq!(other.text, first.text, "{name}, {engine:?}");
        assert_eq!(
            (&other.ended, other.cycles),
            (&first.ended, first.cycles),
            "{name}, {engine:?}"
        );
        assert!(
            other == first,
            "{name}, {engine:?}: another picture or number of renders"
        );
    }
    first
}

#[test]
fn devices_measure_what_the_manuals_say() {
    for Program { name, lines } in DEVICES {
        let outcome = run_everywhere(name, 240, |_| {}, |_, _| {});
        let expected: Vec<&str> = lines.split(", ").collect();
        assert_eq!(outcome.text.lines().collect::<Vec<_>>(), expected, "{name}");
        assert_eq!(outcome.ended, Ended::Exit(0), "{name}");
        println!(
            "{name}: {} values checked on {} runs",
            expected.len(),
            ENGINES.len()
        );
    }
}

/// 525 lines in two fields of a television; 263 or 262 of a field give 17 multiples of 16.
#[test]
fn horizontal_blanks_of_a_television() {
    for engine in [(false, 1), (true, 1)] {
        let mut console = console_with("hblank", engine, Cable::Composite);
        let outcome = run(&mut console, 240, |_, _| {});
        let lines =
            "control 00000150, each line 2 fields 525, line 100 4 fields 4, every 16 lines 4 fields 68";
        assert_eq!(
            outcome.text.lines().collect::<Vec<_>>(),
            lines.split(", ").collect::<Vec<_>>()
        );
    }
}

#[test]
fn spin_renders_every_frame() {
    let png = fs::File::open(root().join("tests/data/console/spin-60.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(png))
        .read_info()
        .unwrap();
    let mut expected = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut expected).unwrap();
    let at_60 = run_everywhere("spin", 60, |_| {}, |_, _| {});
    assert!(
        at_60.picture == expected,
        "the picture at frame 60 differs from spin-60.png"
    );
    let at_120 = run_everywhere("spin", 120, |_| {}, |_, _| {});
    assert_eq!(at_120.ended, Ended::Frame);
    assert!(at_120.renders >= 100, "{} renders", at_120.renders);
    assert!(at_120.picture != at_60.picture);
    println!("spin: {} renders in 120 frames", at_120.renders);
}

/// Presses Down twice, then Start: selects the third entry.
fn press(console: &mut Dreamcast, frame: u64) {
    let name = match frame {
        10 | 14 => "down",
        18 => "start",
        _ => "",
    };
    let buttons = Buttons::named(name).unwrap_or_default();
    assert!(console.set_pad(
        0,
        Pad {
            buttons,
            ..Pad::default()
        }
    ));
}

#[test]
fn menu_ends_with_the_number_of_the_chosen_entry() {
    let outcome = run_everywhere("menu", 60, |_| {}, press);
    assert_eq!(
        (outcome.ended, outcome.text.as_str()),
        (Ended::Exit(2), "Options\n")
    );
    // The chosen entry is drawn in white: letters of 12 x 24 from (244, 252) on.
    let white = |y: usize| {
        let row = &outcome.picture[y * 640 * 4..][244 * 4..][..84 * 4];
        row.as_chunks::<4>()
            .0
            .iter()
            .any(|point| point[..3].iter().all(|part| *part >= 0xF8))
    };
    assert!((252..276).any(white), "Options is not drawn as chosen");
    assert!(!(180..204).any(white), "Continue is drawn as chosen");
}

#[test]
fn files_lists_a_folder_and_prints_a_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("readme.txt"), "First line\nsecond line\n").unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    let open = |console: &mut Dreamcast| console.open_folder(folder.path(), false).unwrap();
    let outcome = run_everywhere("files", 60, open, |_, _| {});
    assert_eq!(
        outcome.text,
        "file readme.txt\ndir  sub\nFirst line\nsecond line\n"
    );
    assert_eq!(outcome.ended, Ended::Exit(0));
    let without = run_everywhere("files", 60, |_| {}, |_, _| {});
    assert_eq!(
        (without.ended, without.text.as_str()),
        (Ended::Exit(1), "no folder\nno file\n")
    );
}

/// A disc with two files and a folder.
fn disc_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Read me first.txt"), "From the disc\n").unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("sub/inner.txt"), "Further in\n").unwrap();
    folder
}

/// The lines of `gdrom`. A disc from a folder: state 2 (standby), kind 20 hex (XA), one data track (41) at
/// frame address 150 (96) of 300 sectors, the least a track has (ECMA-130, section 20). A primary volume
/// descriptor begins with 01 and "CD001". Error 5 is "illegal request". 4,096 bytes of stream less 1,024.
/// Sectors begin with 00 FF FF FF and have their address, 00:02:00, in decimal digits, and mode 2. The
/// registers: values that lxdream's `testide` asserts on a console.
const GDROM: &str = "state 2, kind 32, start 2, contents 2, track 1 41000096, track 2 ffffffff, \
                     last 41010000, lead-out 410001c2, read 1, descriptor 30444301, under way 1, \
                     done 2, bytes 2048, forgotten 0, equal 2048, outside ffffffff, error 5, state 1, \
                     busy 1, still busy 0, left 3072, equal 2048, whole sectors 0, sync ffffff00, \
                     address 02000200, reset 00000000, signature 0101eb14, first command 00006051, \
                     key and code 00000629, interrupt 1, data 00080258, taken back 0, mode 0019b400, \
                     maker 00004553, end 00000350, equal 2048, disabled ffffffff";

#[test]
fn gdrom_reads_a_disc_by_calls_and_registers() {
    let folder = disc_folder();
    let insert = |console: &mut Dreamcast| {
        console.insert(Some(Disc::from_folder(folder.path(), Layout::Data).unwrap()))
    };
    let outcome = run_everywhere("gdrom", 60, insert, |_, _| {});
    let expected: Vec<&str> = GDROM.split(", ").collect();
    assert_eq!(outcome.text.lines().collect::<Vec<_>>(), expected);
    assert_eq!(outcome.ended, Ended::Exit(0));
    println!(
        "gdrom: {} values checked on {} runs",
        expected.len(),
        ENGINES.len()
    );
    let without = run_everywhere("gdrom", 60, |_| {}, |_, _| {});
    assert_eq!(
        (without.ended, without.text.as_str()),
        (Ended::Exit(1), "state 7\nkind 0\n")
    );
}

/// Opens the second entry of the host's folder, goes back, and opens the disc, its folder, and the file
/// there.
fn browse(console: &mut Dreamcast, frame: u64) {
    const KEYS: [&str; 14] = [
        "a", "down", "a", "up", "a", "down", "a", "down", "down", "a", "down", "a", "", "start",
    ];
    let key = frame
        .checked_sub(10)
        .filter(|n| n % 6 < 3)
        .and_then(|n| KEYS.get(n as usize / 6));
    let buttons = Buttons::named(key.copied().unwrap_or_default()).unwrap_or_default();
    assert!(console.set_pad(
        0,
        Pad {
            buttons,
            ..Pad::default()
        }
    ));
}

#[test]
fn browse_shows_files_of_the_host_and_of_the_disc() {
    let (disc, host) = (disc_folder(), tempfile::tempdir().unwrap());
    fs::write(host.path().join("note.txt"), "From the host\n").unwrap();
    let prepare = |console: &mut Dreamcast| {
        console.insert(Some(Disc::open(disc.path()).unwrap()));
        console.open_folder(host.path(), false).unwrap();
    };
    let outcome = run_everywhere("browse", 200, prepare, browse);
    assert_eq!(
        (outcome.ended, outcome.text.as_str()),
        (Ended::Exit(0), "From the host\nFurther in\n")
    );
}

/// A program writes 15 MiB three times between two blanks. A caller that takes the text in time gets all of
/// it.
#[test]
fn console_text_is_not_lost_if_it_is_taken() {
    // The function pointer to r8, 3 to r9; write(1, 8C010000, F00000) three times; exit(0).
    let opcodes: [u16; 24] = [
        0xD008, 0x6802, 0xE903, 0xE401, 0xE501, 0xD607, 0xD707, 0x480B, 0x0009, 0x4910, 0x8BF7, 0xE40F,
        0xE500, 0x480B, 0x0009, 0xAFFE, 0x0009, 0x0009, 0x4008, 0x8C00, 0x0000, 0x8C01, 0x0000, 0x00F0,
    ];
    let code: Vec<u8> = opcodes.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    let text = |limit: usize| {
        let mut console = Dreamcast::new(Config::default());
        console.load_raw(&code).unwrap();
        let (mut bytes, mut looks) = (0, 0);
        loop {
            let ended = console.run(Until {
                text: limit,
                ..Until::FOREVER
            });
            bytes += console.take_console().len();
            looks += 1;
            if ended != Ended::Text {
                assert_eq!(ended, Ended::Exit(0));
                return (bytes, looks);
            }
        }
    };
    assert_eq!(text(1 << 20), (3 * 0x00F0_0000, 4));
    // Without a caller, memory is bounded.
    assert_eq!(text(usize::MAX), (32 << 20, 1));
}
