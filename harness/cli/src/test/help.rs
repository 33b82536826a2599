//! Help of `swirl test` about `case.toml`: every kind with every key of the parser.

use super::case::{COMMON_KEYS, Kind};
use super::kinds;
use std::fmt::Write as _;

const EXAMPLES: &str = "Examples:
  swirl test tests/data/pvr
  swirl test tests/data/pvr --filter 'fog*' --fail-fast
  swirl test tests/data --list
  swirl test tests/data/pvr --contact-sheet out.png --junit report.xml
  swirl test tests/data/pvr/fog_table --update
  swirl test tests/data --part 2/8 -j 4 --html report.html
  swirl test tests/data --dry-run    # what --update would change
  swirl test tests/data/scene --play original

case.toml, for every kind:
  kind = \"frame\"            # default: scene
";

/// Examples of keys. Entries with a kind apply only to this kind.
const KEYS: [(&str, &str, &str, &str); 57] = [
    (
        "",
        "expect",
        "\"expected\"",
        "file, or folder of frame_0000.png ..., with the expected output",
    ),
    ("", "known_failure", "false", "true: the case must fail"),
    ("scene", "input", "\"scene.txt\"", ""),
    ("frame", "input", "\"model.nj\"", ""),
    ("cells", "input", "\"sprite.spa\"", ""),
    (
        "kernel",
        "input",
        "\"game.elf\"",
        "together with spec; default: the built-in kernels",
    ),
    ("cycles", "input", "\"game.elf\"", "or name"),
    ("convert", "input", "\"a.png\"", "or inputs"),
    ("cells", "inputs", "[\"walk.csa\"]", "streams and sprite motions"),
    ("convert", "inputs", "[\"a.png\", \"b.png\"]", ""),
    ("", "pvr", "[\"flycast\"]", "as --pvr"),
    ("", "max_different_pixels", "0", ""),
    (
        "",
        "textures",
        "[\"model.pvm\"]",
        "default: files in the model's folder",
    ),
    ("frame", "options", "[\"--distance=6\"]", "of swirl render"),
    ("cells", "options", "[\"--distance=6\"]", "of swirl render"),
    (
        "kernel",
        "options",
        "[\"--time-limit\", \"60\"]",
        "of swirl verify",
    ),
    ("cycles", "options", "[\"--ccr\", \"0x105\"]", "of swirl profile"),
    ("convert", "options", "[\"--mipmaps\"]", "of swirl convert"),
    ("", "motion", "\"walk.njm:0\"", "as --motion"),
    ("", "shape", "\"face.njs\"", "as --shape"),
    ("", "play", "[\"original\"]", "as --play"),
    ("", "last_key", "\"hold\"", "as --last-key"),
    ("", "light", "[30.0, 45.0]", "as --light"),
    ("", "frames", "[0]", "of the motion"),
    ("", "size", "\"320x240\"", ""),
    ("", "yaw", "30.0", "as --yaw"),
    ("", "pitch", "15.0", "as --pitch"),
    ("", "cell_space", "\"3d\"", "as --cell-space"),
    ("", "kernels", "\"checked\"", "reference, sh4 or checked"),
    ("", "spec", "\"kernels.toml\"", ""),
    ("", "names", "[\"scale\"]", "default: all"),
    ("", "cases", "1000", ""),
    ("", "seed", "1", ""),
    ("", "call", "\"scale\"", "default: the whole program"),
    ("", "arguments", "[0x8c200000, 64]", "of the function"),
    ("", "name", "\"transform_points\"", "a built-in kernel"),
    ("", "cache", "\"warm\"", "as --cache"),
    ("", "max", "1200", "cycles; replaces the expected file"),
    ("", "fail_above", "\"1%\"", "allowed growth"),
    ("", "output", "\"all.pvm\"", "default: several files"),
    ("program", "input", "\"game.elf\"", ""),
    ("program", "frames", "[60, 120]", "compared as pictures"),
    (
        "",
        "end_picture",
        "true",
        "compare the picture at the end of the run",
    ),
    (
        "",
        "audio",
        "\"expected.wav\"",
        "compare the sound, as --audio writes it",
    ),
    ("", "audio_tolerance", "0", "allowed difference of each sample"),
    (
        "",
        "silent",
        "false",
        "the sound must not be silent; true: it must be",
    ),
    ("program", "max", "200_000_000", "cycles of the run"),
    ("program", "options", "[\"--cable\", \"rgb\"]", "of swirl run"),
    (
        "",
        "make",
        "{ folder = \"..\", target = \"game.elf\" }",
        "runs make first",
    ),
    ("", "script", "\"keys.txt\"", "as --input"),
    (
        "",
        "state",
        "\"boot.swst\"",
        "as --load-state; frames continue to count",
    ),
    (
        "",
        "limit",
        "{ frames = 600 }",
        "or seconds = 10.0; default: 3600 frames",
    ),
    ("", "exit_code", "0", "default: 0, or the limit"),
    ("", "console", "true", "compare the whole printed text"),
    ("", "contains", "[\"PASSED\"]", "texts that it must print"),
    (
        "",
        "budget",
        "{ frames = \"60..120\", frame_cycles = 2_000_000, functions = { physics = 300_000 }, \
         missed_frames = 0, ta_bytes = 200_000, ram_bytes = 4_000_000, vram_bytes = 6_000_000 }",
        "each limit is optional; frames as --frames of swirl profile; cycles, functions and ta_bytes in \
         each frame",
    ),
    ("", "checks", "[\"cache\"]", "as --deny; default: all"),
];

/// Returns the text that follows the options in the help.
pub(super) fn text() -> String {
    let mut text = EXAMPLES.to_owned();
    for key in &COMMON_KEYS[1..] {
        let _ = writeln!(text, "  {}", line("", key).unwrap_or_default());
    }
    for kind in kinds::all() {
        let _ = writeln!(text, "{}, {}:", kind.name, about(kind));
        for key in kind.keys {
            let _ = writeln!(
                text,
                "  {}",
                line(kind.name, key).unwrap_or_else(|| (*key).to_owned())
            );
        }
    }
    text
}

/// Describes the comparison of a kind.
fn about(kind: &Kind) -> &'static str {
    match kind.name {
        "scene" => "the picture of a text scene for the PowerVR2",
        "frame" => "pictures of a model",
        "cells" => "pictures of a cell sprite",
        "kernel" => "a routine against its reference, as swirl verify",
        "cycles" => "as swirl profile; the expected file is cycles.json",
        "convert" => "as swirl convert; the expected folder holds every file that is made",
        "program" => "as swirl run; the expected folder holds frame_0060.png ... and console.txt",
        _ => "see the guide",
    }
}

/// Returns a key with its example and description.
pub(super) fn line(kind: &str, key: &str) -> Option<String> {
    let of = |wanted: &str| KEYS.iter().find(|row| row.0 == wanted && row.1 == key);
    let (_, _, example, remark) = of(kind).or_else(|| of(""))?;
    let text = format!("{key} = {example}");
    Some(match *remark {
        "" => text,
        remark => format!("{text:<26} # {remark}"),
    })
}
