//! Compares the written files with Blender's own evaluation of its scenes (`truth.json`, world space, z up,
//! metres).

use convert::{Conversion, Options, Plain, Rotation, Stacks};
use serde_json::Value;

use crate::{converted, data};

/// Permitted error as a share of the model's size, for the format's rounding (angles have 16 bits, weights
/// 8).
const ALLOWED: f64 = 1.0 / 2000.0;

/// Converts from y up to z up.
fn to_blender([x, y, z]: [f64; 3]) -> [f64; 3] {
    [x, -z, y]
}

fn truth() -> Value {
    serde_json::from_slice(&std::fs::read(data("truth.json")).unwrap()).unwrap()
}

fn point(value: &Value) -> [f64; 3] {
    [0, 1, 2].map(|k| value[k].as_f64().unwrap())
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

/// Returns the largest distance over all meshes and frames, as a share of the size, and the number of
/// compared positions.
fn worst(name: &str, conversion: &Conversion) -> (f64, usize) {
    let truth = truth();
    let frames = truth["files"][name].as_object().unwrap();
    let (mut worst, mut compared) = (0.0_f64, 0);
    for (frame, objects) in frames {
        // Frame 1 of the scene is the first frame of the motion.
        let frame: u32 = frame.parse::<u32>().unwrap() - 1;
        let motion = (!conversion.motions.is_empty()).then_some((0, frame));
        let made = conversion.positions(motion).unwrap();
        for mesh in &made {
            let wanted = objects[&mesh.node].as_array().unwrap();
            assert_eq!(mesh.vertices.len(), wanted.len(), "{name}: {}", mesh.node);
            for (made, wanted) in mesh.vertices.iter().zip(wanted) {
                let made = to_blender(made.unwrap());
                worst = worst.max(distance(made, point(wanted)) / conversion.report.size);
                compared += 1;
            }
        }
        let meshes = objects
            .as_object()
            .unwrap()
            .values()
            .filter(|o| o.as_array().unwrap().len() > 4);
        assert_eq!(made.len(), meshes.count(), "{name}");
    }
    (worst, compared)
}

const FILES: [(&str, usize); 7] = [
    ("static_uv_vcol_2mat.fbx", 72),
    ("skin_anim.fbx", 5 * 72),
    ("skin_8influences.fbx", 3 * 136),
    ("shapes_anim.fbx", 4 * 72),
    ("skin_shapes_anim.fbx", 4 * 72),
    ("node_anim_nla_off.fbx", 5 * 4 * 8),
    ("mirror_instance_unicode.fbx", 2 * 72),
];

fn all_files(options: &Options) {
    for (name, vertices) in FILES {
        let (worst, compared) = worst(name, &converted(name, options));
        println!(
            "{name}: {compared} positions, worst 1/{:.0} of the size",
            1.0 / worst
        );
        assert_eq!(compared, vertices, "{name}");
        assert!(worst <= ALLOWED, "{name}: {worst}");
    }
}

#[test]
fn every_mesh_is_where_blender_has_it() {
    all_files(&Options::default());
}

#[test]
fn with_quaternions_too() {
    all_files(&Options {
        rotation: Rotation::Quaternion,
        ..Options::default()
    });
}

#[test]
fn with_long_angles_and_other_units_too() {
    let options = Options {
        angle_bits: convert::AngleBits::Long,
        ..Options::default()
    };
    all_files(&options);
    let centimetres = Options {
        unit_meters: 0.01,
        ..options
    };
    let large = converted("skin_anim.fbx", &centimetres);
    let small = converted("skin_anim.fbx", &Options::default());
    assert!((large.report.size / small.report.size - 100.0).abs() < 1e-3);
}

/// Compares with the source's own evaluation, at every frame of all stacks.
#[test]
fn every_frame_of_every_stack_agrees_with_the_reader() {
    let names = FILES.iter().map(|(name, _)| *name);
    for name in names.chain(["node_anim.fbx", "edgecases_loose_empty_degenerate.fbx"]) {
        let options = Options {
            stacks: Stacks::All,
            ..Options::default()
        };
        let mut conversion = converted(name, &options);
        let stacks = conversion.motions.len();
        let checked = conversion.check(&mut Plain::default()).unwrap();
        assert!(checked.rest.relative <= ALLOWED, "{name}: {:?}", checked.rest);
        assert_eq!(checked.motions.len(), stacks);
        for (stack, deviation) in &checked.motions {
            assert!(deviation.relative <= ALLOWED, "{name}, {stack}: {deviation:?}");
        }
        assert!(checked.compared > 0);
    }
}
