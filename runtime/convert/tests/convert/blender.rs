//! Opens exports in Blender. Runs only if `SWIRL_BPY` names a Python with the module `bpy` (`pip install
//! bpy==4.5.*`).

use convert::Options;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

use crate::export::{SCENES, apart, exported, places};
use crate::{converted, data};

/// Permitted distance as a share of the model's size; conversions have the same limit.
const ALLOWED: f64 = 1.0 / 2000.0;

/// Converts a point from Blender's space, where z points up.
fn to_ninja(point: &Value) -> [f64; 3] {
    let [x, y, z] = [0, 1, 2].map(|k| point[k].as_f64().unwrap());
    [x, z, -y]
}

/// Returns the positions of all vertices in Blender at each of `times`.
fn places_by_blender(python: &Path, file: &Path, times: &[f64]) -> Vec<Vec<[f64; 3]>> {
    let run = Command::new(python)
        .arg(data("import.py"))
        .arg(file)
        .args(times.iter().map(ToString::to_string))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout);
    let Some(line) = text.lines().find_map(|l| l.strip_prefix("positions ")) else {
        panic!("{}: {}", file.display(), String::from_utf8_lossy(&run.stderr));
    };
    let frames: Vec<Vec<Value>> = serde_json::from_str(line).unwrap();
    frames
        .iter()
        .map(|points| points.iter().map(to_ninja).collect())
        .collect()
}

/// Returns the largest distance in motion, as a share of the size, and the number of compared frames.
fn worst(python: &Path, folder: &Path, name: &str, extension: &str) -> (f64, usize) {
    let conversion = converted(name, &Options::default());
    let made = exported(&conversion);
    let bytes = match extension {
        "fbx" => made.fbx().unwrap(),
        _ => made.glb().unwrap(),
    };
    let file = folder.join(name).with_extension(extension);
    std::fs::write(&file, bytes).unwrap();
    let moments: Vec<(Option<(usize, u32)>, f64)> = match conversion.report.motions.first() {
        None => vec![(None, 0.0)],
        Some(motion) => [0, motion.frames / 3, motion.frames / 2, motion.frames - 1]
            .map(|frame| (Some((0, frame)), f64::from(frame) / motion.rate))
            .to_vec(),
    };
    let times: Vec<f64> = moments.iter().map(|(_, time)| *time).collect();
    let there = places_by_blender(python, &file, &times);
    assert_eq!(there.len(), moments.len());
    let far = moments.iter().zip(&there).map(|((motion, _), there)| {
        assert!(!there.is_empty(), "{name}");
        apart(&places(&conversion, *motion), there) / conversion.report.size
    });
    (far.fold(0.0, f64::max), moments.len())
}

#[test]
fn exports_are_where_they_were_in_blender() {
    let Some(python) = std::env::var_os("SWIRL_BPY") else {
        println!("0 files: SWIRL_BPY names no Python with bpy");
        return;
    };
    let folder = std::env::temp_dir().join(format!("convert-blender-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut wrong = Vec::new();
    for extension in ["fbx", "glb"] {
        for name in SCENES {
            let (worst, frames) = worst(Path::new(&python), &folder, name, extension);
            println!("{name} as {extension}: {frames} frames, worst {worst:.1e} of the size");
            if worst > ALLOWED {
                wrong.push(format!("{name} as {extension}: {worst:.1e}"));
            }
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
}
