//! `roms/demo.elf`: the demo on the emulated console shows the pictures of `swirl demo`, frame by frame.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use sh4_kernels::Reference;
use sh4_kernels::crc32::crc32;
use std::path::PathBuf;
use std::process::Command;

/// Frames of a stroke.
const STROKE: u16 = 60;

fn roms() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms"))
}

/// The CRC of each frame's picture, as the program prints it.
fn printed() -> Vec<u32> {
    let output = Command::new(env!("CARGO_BIN_EXE_swirl"))
        .args(["run", "--frames", "900", "--check", "all"])
        .arg(roms().join("demo.elf"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("event 3\nframe 12\n"), "{text}");
    let pictures = text.lines().filter_map(|line| line.strip_prefix("picture "));
    pictures
        .map(|crc| u32::from_str_radix(crc, 16).unwrap())
        .collect()
}

/// The CRC of a picture as the console has it in memory: words of 0888.
fn picture_crc(rgba: &[u8]) -> u32 {
    let pixels = rgba.as_chunks::<4>().0.iter();
    let words: Vec<u32> = pixels
        .map(|[red, green, blue, _]| u32::from_le_bytes([*blue, *green, *red, 0]))
        .collect();
    crc32(&mut Reference, 0, &words, 4 * words.len()).unwrap()
}

#[test]
fn the_console_shows_the_frames_of_the_demo() {
    let mut demo = swirl::Demo::new().unwrap();
    let expected: Vec<u32> = (0..STROKE)
        .map(|frame| {
            demo.seek(frame);
            picture_crc(&demo.frame(&mut Reference).unwrap())
        })
        .collect();
    let found = printed();
    let different = expected.iter().zip(&found).filter(|(a, b)| a != b).count();
    println!("{} frames, {different} different", found.len());
    assert_eq!(found, expected);
}

/// A screenshot of the console shows, point for point, the frame of `swirl demo` that the program has printed
/// last, or the one before: the program prints a frame before it shows it.
#[test]
fn a_screenshot_of_the_console_is_a_frame_of_the_demo() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("a.png");
    let output = Command::new(env!("CARGO_BIN_EXE_swirl"))
        .arg("run")
        .arg(roms().join("demo.elf"))
        .args(["--frames", "30", "--screenshot"])
        .arg(format!("30={}", picture.display()))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let printed = text.lines().filter(|line| line.starts_with("picture ")).count() as u16;
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&picture).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut points = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut points).unwrap();
    let step = info.color_type.samples();
    assert_eq!((info.width, info.height), (640, 480));
    let colours = |points: &[u8], step: usize| -> Vec<[u8; 3]> {
        points
            .chunks_exact(step)
            .map(|point| [point[0], point[1], point[2]])
            .collect()
    };
    let found = colours(&points, step);
    let mut demo = swirl::Demo::new().unwrap();
    let shown = (0..STROKE).find(|frame| {
        demo.seek(*frame);
        colours(&demo.frame(&mut Reference).unwrap(), 4) == found
    });
    println!("frame {shown:?} is shown, {printed} printed");
    assert!(shown == Some(printed - 1) || shown == Some(printed - 2));
}

#[test]
fn the_program_holds_the_files_of_the_demo() {
    let [motion, shapes] = swirl::demo_motions().unwrap();
    let [sprite, streams] = swirl::demo_cells().unwrap();
    let [skin, sand, swirl] = swirl::demo_textures().unwrap();
    for (name, bytes) in [
        ("shark.nj", swirl::demo_model().unwrap()),
        ("shark.njm", motion),
        ("shark.njs", shapes),
        ("swirl.spj", sprite),
        ("swirl.csj", streams),
        ("skin.pvr", skin),
        ("sand.pvr", sand),
        ("swirl.pvr", swirl),
    ] {
        let held = std::fs::read(roms().join("src/demo").join(name)).unwrap();
        assert!(
            held == bytes,
            "{name} is not current: swirl demo --assets writes it"
        );
    }
}
