//! Screens of `roms/truth.elf`: menu, QR codes, the watchdog.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use crate::common;
use dreamcast::{Cycles, Ended, Until};
use machine::Image;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;

/// The text of the only QR code in a picture.
fn decode(path: &Path) -> String {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap()))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let (width, samples) = (info.width as usize, info.color_type.samples());
    let grey = |x: usize, y: usize| pixels[(y * width + x) * samples];
    let mut picture = rqrr::PreparedImage::prepare_from_greyscale(width, info.height as usize, grey);
    let grids = picture.detect_grids();
    assert_eq!(grids.len(), 1, "{}", path.display());
    grids[0].decode().unwrap().1
}

/// The menu, operated by the script in `tests/data/truth`: the codes on the screen must hold the report's
/// first parts.
#[test]
fn codes_on_the_screen_hold_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let picture = |name: &str| folder.path().join(name);
    let shot = |frame: u32, name: &str| format!("{frame}={}", picture(name).display());
    let output = Command::new(env!("CARGO_BIN_EXE_swirl"))
        .arg("run")
        .arg(root.join("roms/truth.elf"))
        .arg("--input")
        .arg(root.join("tests/data/truth/keys.txt"))
        .args(["--screenshot", &shot(648, "first.png")])
        .args(["--screenshot", &shot(678, "second.png")])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let is_report = |line: &&str| {
        ["truth ", "obs ", "end "]
            .iter()
            .any(|word| line.starts_with(word))
    };
    let report: String = text
        .lines()
        .filter(is_report)
        .map(|line| line.to_owned() + "\n")
        .collect();
    assert!(report.contains("\nend 00000"), "{text}");
    assert_eq!(decode(&picture("first.png")), report[..480]);
    assert_eq!(decode(&picture("second.png")), report[480..960]);
}

/// A timer must end an experiment that hangs, and the report must continue.
#[test]
fn the_watchdog_leaves_an_experiment_that_hangs() {
    let mut console = common::compiled_console();
    console.load(&Image::parse(roms::TRUTH_ELF).unwrap()).unwrap();
    for (symbol, value) in [("truth_parts", 1_u32 << 11), ("watchdog_limit", 500)] {
        let address = console.symbols().address(symbol).unwrap();
        for (address, byte) in (address..).zip(value.to_le_bytes()) {
            assert!(console.poke(address, byte));
        }
    }
    let until = Until {
        time: Cycles(10 * console.cpu_hz()),
        ..Until::FOREVER
    };
    let ended = console.run(until);
    let text = String::from_utf8(console.take_console()).unwrap();
    assert!(matches!(ended, Ended::Exit(0)), "{ended:?}: {text}");
    assert!(text.contains("# hang\n# timeout hang\nend 00000000 "), "{text}");
}
