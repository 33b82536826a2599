//! The console programs of `roms/src/console`: each prints what it measures, and the same on every engine.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use dreamcast::peripherals::{Buttons, Pad};
use dreamcast::{Config, Dreamcast, Ended, Until};
use machine::Image;
use std::fs;
use std::path::{Path, PathBuf};

/// A program, the lines it prints on handle 1, and where their values come from.
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
        lines: "ten fields us 166833, hundred lines us 3178, highest line 524, vblank in 520, blank bit in 1, \
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
    // SH7750 manual, section 10: 256 counts of 4,096 cycles at 199.5 MHz: 5,256 us. INTEVT 560: table 19.5.
    Program {
        name: "wdt",
        lines: "without key 00000000, with key 00000034, 256 counts in 10 us 525, intevt 00000560, \
                control 00000087, stopped 00000000",
    },
];

/// What a run leaves behind.
#[derive(PartialEq, Eq)]
struct Outcome {
    ended: Ended,
    text: String,
    cycles: u64,
    renders: u64,
    picture: Vec<u8>,
}

/// Whether the recompiler runs, and the number of threads that draw; the last is a second run.
const ENGINES: [(bool, usize); 5] = [(false, 1), (false, 2), (true, 1), (true, 2), (true, 1)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn console(name: &str, (recompiled, threads): (bool, usize)) -> Dreamcast {
    let mut console = Dreamcast::new(Config {
        threads,
        ..Config::default()
    });
    let elf = fs::read(root().join(format!("roms/console/{name}.elf"))).unwrap();
    console.load(&Image::parse(&elf).unwrap()).unwrap();
    if recompiled {
        let recompiler = sh4_recompiler::Recompiler::new(sh4_recompiler::Options::default());
        console.accelerate(Box::new(recompiler.unwrap()));
    }
    console
}

/// Runs up to a frame; `each` comes before each frame.
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

/// The outcome on the first engine, after it was compared with the others'.
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
        let outcome = run_everywhere(name, 60, |_| {}, |_, _| {});
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

/// Down twice, then Start: the third entry.
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
