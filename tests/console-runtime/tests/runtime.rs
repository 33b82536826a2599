//! Runs the comparison of the console runtime with `scene` on every scene case, and on the corpus if it
//! exists.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

use std::path::Path;
use std::process::{Command, Output};

fn compare(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_console-runtime"));
    command.args(args).output().unwrap()
}

/// Returns the number before a word of the output.
fn number(text: &str, word: &str) -> u64 {
    let before = text.split(word).next().unwrap();
    let digits: String = before.chars().rev().take_while(char::is_ascii_digit).collect();
    digits.chars().rev().collect::<String>().parse().unwrap()
}

fn passes(folder: &str, copies: &str) -> String {
    let output = compare(&[folder, "--damage", copies, "--seed", "28"]);
    let text = String::from_utf8(output.stdout).unwrap();
    println!("{text}");
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(number(&text, " differences"), 0);
    text
}

#[test]
fn every_case_equals_scene() {
    let text = passes(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data"), "1000");
    assert!(number(&text, " models") > 40 && number(&text, " blocks") > 1000);
    assert!(number(&text, " cell sprites") > 20 && number(&text, " textures") > 20);
    assert!(number(&text, " links of") > 50 && number(&text, " palettes") > 2);
    assert!(number(&text, " drawn, 0 stopped") > 100);
}

/// The demo's model with its motion and its shapes.
#[test]
fn the_demo_equals_scene() {
    let folder = tempfile::tempdir().unwrap();
    let [motions, shapes] = swirl::demo_motions().unwrap();
    std::fs::write(folder.path().join("shark.nj"), swirl::demo_model().unwrap()).unwrap();
    // Puts the list of shapes and their shape motion into one file.
    std::fs::write(folder.path().join("shark.njm"), [shapes, motions].concat()).unwrap();
    let text = passes(folder.path().to_str().unwrap(), "0");
    assert_eq!(number(&text, " models"), 1);
    assert_eq!(number(&text, " motions"), 1);
    assert_eq!(number(&text, " shape motions"), 1);
}

/// A row has vertices, blocks, cycles by stage and their sum. The data must be in RAM: if a cache line took
/// 40 bus cycles instead of 7, the frame would take more than 2.5 million cycles.
#[test]
fn costs_are_those_of_ram() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("shark.nj");
    std::fs::write(&model, swirl::demo_model().unwrap()).unwrap();
    let output = compare(&[model.to_str().unwrap(), "--costs"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let row = text.lines().find(|line| line.ends_with("model 0")).unwrap();
    let numbers: Vec<u64> = row
        .split_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    let (head, stages) = numbers.split_at(2);
    assert_eq!(head, [3014, 4885], "{text}");
    let (all, stages) = stages.split_last().unwrap();
    assert_eq!((stages.len(), stages.iter().sum()), (7, *all), "{text}");
    assert!((1_000_000..2_000_000).contains(all), "{text}");
}

/// Nodes with quaternions: with 56 bytes in both kinds of chunk, and with 52 bytes and no real part.
#[test]
fn quaternions_in_nodes_equal_scene() {
    use ninja::NodeFormat::{Ninja1, Ninja1Wide, Ninja2};
    let folder = tempfile::tempdir().unwrap();
    for (kind, name) in [
        (Ninja1, "narrow.nj"),
        (Ninja1Wide, "wide.nj"),
        (Ninja2, "ninja2.nj"),
    ] {
        let mut file = ninja::read(&swirl::demo_model().unwrap()).unwrap();
        for chunk in &mut file.chunks {
            if let ninja::Chunk::Model(tree) = chunk {
                tree.kind = kind;
                for object in &mut tree.objects {
                    object.set_quaternion([0.5, 0.5, -0.5, 0.5]);
                    object.re_quat = object.re_quat.filter(|_| kind != Ninja1);
                }
            }
        }
        file.forget_layout();
        std::fs::write(folder.path().join(name), file.write().unwrap()).unwrap();
    }
    let text = passes(folder.path().to_str().unwrap(), "0");
    assert_eq!((number(&text, " models"), number(&text, ", too large")), (3, 0));
}

/// Motions of cameras and lights with keys of every layout, with linear and with spline interpolation.
#[test]
fn cameras_and_lights_equal_scene() {
    use ninja::Element::{Angle, Intensity, Point, Pos, Rgb, Roll, Spot, Target, Vec0, Vec3};
    use ninja::KeyForm::{A1, F, F1, F2, Sa1, Spot as Cone, Ui32};
    use ninja::MotionKind::{Camera, Light};
    let forms = [
        (Camera, vec![(Pos, F), (Target, F), (Roll, Sa1), (Angle, Sa1)]),
        (Camera, vec![(Pos, F), (Vec3, F), (Roll, A1), (Angle, A1)]),
        (Light, vec![(Vec0, F), (Rgb, F), (Intensity, F2)]),
        (Light, vec![(Vec3, F), (Rgb, Ui32), (Intensity, F1)]),
        (Light, vec![(Pos, F), (Rgb, F), (Point, F2)]),
        (Light, vec![(Pos, F), (Vec3, F), (Rgb, F), (Spot, Cone)]),
        (Light, vec![(Pos, F), (Intensity, F2), (Point, F2)]),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (number, (kind, tables)) in forms.iter().enumerate() {
        for spline in [false, true] {
            let motion = view_motion(*kind, tables, spline, number as u32);
            let bytes = ninja::File::new(vec![ninja::Chunk::Motion(motion)])
                .write()
                .unwrap();
            let name = format!("{number}-{spline}.njm");
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
    }
    let text = passes(folder.path().to_str().unwrap(), "0");
    assert_eq!(number(&text, " camera motions"), 4);
    assert_eq!(number(&text, " light motions"), 10);
    // Two cameras and five lights. Each motion moves three of the lights at rest; seven frames, linear and
    // spline.
    assert_eq!(number(&text, " frames"), 2 * 7 * (2 + 3 * 5));
    assert_eq!(number(&text, ", too large"), 0);
}

/// Returns a motion of 24 frames with keys at frames 0, 7 and 20. One table has only one key.
fn view_motion(
    kind: ninja::MotionKind,
    tables: &[(ninja::Element, ninja::KeyForm)],
    spline: bool,
    seed: u32,
) -> ninja::Motion {
    use ninja::{Bams, InpFn, Interpolation, Key, KeyForm, Keys, MotionType, Spot};
    let types = tables.iter().map(|(element, _)| *element);
    let bits = types.fold(MotionType(0), |bits, element| bits | element);
    let mut motion = ninja::Motion::new(kind, bits, 24);
    let method = if spline {
        Interpolation::Spline
    } else {
        Interpolation::Linear
    };
    motion.inp_fn = InpFn::new(method, tables.len() as u16);
    let mut state = 0x9E37_79B9_u32.wrapping_mul(seed + 1);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    let tracks: Vec<_> = tables
        .iter()
        .enumerate()
        .map(|(table, (_, form))| {
            let frames = if table + 1 == tables.len() && seed % 3 == 2 {
                &[0][..]
            } else {
                &[0, 7, 20]
            };
            let mut float = || next() as f32 / (1 << 20) as f32 - 7.0;
            macro_rules! keys {
                ($form:ident, $value:expr) => {
                    Keys::$form(
                        frames
                            .iter()
                            .map(|&frame| Key {
                                frame,
                                value: $value,
                            })
                            .collect(),
                    )
                };
            }
            let keys = match form {
                KeyForm::F => keys!(F, [float(), float(), float()]),
                KeyForm::F2 => keys!(F2, [float(), float()]),
                KeyForm::F1 => keys!(F1, float()),
                KeyForm::Spot => keys!(
                    Spot,
                    Spot {
                        near: float(),
                        far: float() + 20.0,
                        inner: Bams((float() * 900.0) as i32),
                        outer: Bams((float() * 3000.0) as i32),
                    }
                ),
                KeyForm::Ui32 => keys!(Ui32, next()),
                KeyForm::A1 => keys!(A1, Bams(next() as i32)),
                KeyForm::Sa1 => keys!(Sa1, next() as i16),
                other => panic!("no keys of {other:?} here"),
            };
            Some(motion.push_track(keys))
        })
        .collect();
    motion.push_node(&tracks);
    motion
}

/// Compiles the public headers as C99 and C++11, with all warnings of the library's Makefile that both
/// languages have.
#[test]
fn c_and_c_plus_plus_take_the_headers() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("headers.c");
    let text = "#include <swirl_runtime.h>\n#include <swirl.h>\n#include <swirl_runtime.h>\n\
                int started(struct swr_memory *memory, const struct swr_needs *needs);\n\
                int started(struct swr_memory *memory, const struct swr_needs *needs)\n\
                { return swr_start(memory, needs, 4) != 0; }\n";
    std::fs::write(&source, text).unwrap();
    for (language, standard) in [("c", "-std=c99"), ("c++", "-std=c++11")] {
        let output = Command::new("g++")
            .args(["-x", language, standard, "-c", "-o"])
            .arg(folder.path().join("headers.o"))
            .args([
                "-Wall",
                "-Wextra",
                "-Wpedantic",
                "-Wshadow",
                "-Wconversion",
                "-Werror",
            ])
            .arg(format!("-I{root}/runtime/console/include"))
            .arg(format!("-I{root}/sh4-kernels/c/include"))
            .arg(&source)
            .output();
        let Ok(output) = output else {
            assert!(std::env::var_os("CI").is_none(), "g++ is not installed");
            println!("0 languages: no g++");
            return;
        };
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{language}: {errors}");
        // If C++ mangled the name, it would not match the symbol of the library.
        let object = std::fs::read(folder.path().join("headers.o")).unwrap();
        let is_in = |name: &[u8]| object.windows(name.len()).any(|bytes| bytes == name);
        assert!(is_in(b"\0swr_start\0"), "{language}: swr_start is not a symbol");
    }
}

/// Runs on one half of a game's models; the other half has hundreds of motions.
#[test]
fn the_corpus_equals_scene() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/corpus/ninja/ikaruga"
    );
    if std::env::var_os("SWIRL_CORPUS").is_some() || !Path::new(folder).is_dir() {
        println!("0 files");
        return;
    }
    let text = passes(folder, "500");
    assert!(number(&text, " models") > 30);
}

/// The comparison must find a difference in a program with a wrong float addition.
#[test]
fn a_wrong_runtime_differs() {
    let mut elf = roms_runtime();
    // Replaces FADD FR5,FR4 with FSUB FR5,FR4.
    let at = elf.windows(2).position(|code| code == [0x50, 0xF4]).unwrap();
    elf[at] = 0x51;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runtime.elf");
    std::fs::write(&path, elf).unwrap();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data");
    let output = compare(&[data, "--rom", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
}

fn roms_runtime() -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/runtime.elf")).unwrap()
}
