//! Motions of cameras and lights.

use super::{key, x};
use ninja::{Bams, Element, Key, Keys, MotionKind, MotionType, Spot};
use scene::{
    CameraMotion, FreeCamera, Light, LightMotion, MotionError, MotionWarning, Range, Reference, Source,
    Viewport,
};
use sh4_kernels::transform_points::transform_points;

/// A motion of 11 frames and one entry.
fn motion(kind: MotionKind, tables: Vec<(Element, Keys)>) -> ninja::Motion {
    let bits = tables
        .iter()
        .fold(MotionType(0), |bits, (element, _)| bits | *element);
    let mut motion = ninja::Motion::new(kind, bits, 11);
    let mut sorted = tables;
    sorted.sort_by_key(|(element, _)| element.number());
    let ids: Vec<_> = sorted
        .into_iter()
        .map(|(_, keys)| Some(motion.push_track(keys)))
        .collect();
    motion.push_node(&ids);
    motion
}

fn one<T>(value: T) -> Vec<Key<T>> {
    vec![key(0, value)]
}

const REST: FreeCamera = FreeCamera {
    position: [7.0, 8.0, 9.0],
    target: [1.0, 2.0, 3.0],
    roll: Bams(5),
    angle: Bams(0x1555),
};

fn camera(tables: Vec<(Element, Keys)>, frame: f32) -> FreeCamera {
    let motion = motion(MotionKind::Camera, tables);
    let motion = CameraMotion::bind(REST, &motion).unwrap();
    assert_eq!(motion.warnings(), []);
    assert_eq!(motion.length(), 11);
    motion.camera(frame, &mut Reference).unwrap().unwrap()
}

#[test]
fn a_camera_moves_from_key_to_key() {
    let tables = vec![
        (
            Element::Pos,
            Keys::F(vec![key(0, [0.0, 0.0, 8.0]), key(10, [10.0, 0.0, 8.0])]),
        ),
        (
            Element::Target,
            Keys::F(vec![key(0, [0.0; 3]), key(8, [0.0, 16.0, 0.0])]),
        ),
        // The smaller angle from 0x7000 to 0x9000.
        (
            Element::Roll,
            Keys::Sa1(vec![key(0, 0x7000), key(10, 0x9000_u16 as i16)]),
        ),
        (
            Element::Angle,
            Keys::A1(vec![key(0, Bams(0x1000)), key(10, Bams(0x3000))]),
        ),
    ];
    let expected = FreeCamera {
        position: [5.0, 0.0, 8.0],
        target: [0.0, 10.0, 0.0],
        roll: Bams(0x8000),
        angle: Bams(0x2000),
    };
    assert_eq!(camera(tables, 5.0), expected);
}

#[test]
fn what_a_camera_motion_has_not_stays() {
    let vector = vec![(Element::Vec3, Keys::F(one([0.0, -1.0, 0.5])))];
    let expected = FreeCamera {
        target: [7.0, 7.0, 9.5],
        ..REST
    };
    assert_eq!(camera(vector, 3.0), expected);
    let over = motion(MotionKind::Camera, vec![(Element::Pos, Keys::F(one(x(1.0))))]);
    let over = CameraMotion::bind(REST, &over).unwrap();
    for frame in [-0.5, 11.0, f32::NAN] {
        assert_eq!(over.camera(frame, &mut Reference), Ok(None));
    }
}

/// The position of a point light in view space.
fn seen(camera: FreeCamera, point: [f32; 3]) -> [f32; 3] {
    let view = camera.camera().view(&mut Reference).unwrap();
    let mut out = [[0.0; 4]];
    transform_points(&mut Reference, &view, &point.map(f32::to_bits), 3, 1.0, &mut out).unwrap();
    let [[x, y, z, _]] = out;
    [x, y, z]
}

fn near(found: [f32; 3], expected: [f32; 3]) {
    for (a, b) in found.into_iter().zip(expected) {
        assert!((a - b).abs() < 2.0e-3, "{found:?}, expected {expected:?}");
    }
}

#[test]
fn a_free_camera_sees_its_target_in_the_middle() {
    let level = FreeCamera {
        roll: Bams(0),
        ..REST
    };
    // (6, 6, 6) from the target: the square root of 108.
    near(seen(level, REST.target), [0.0, 0.0, -10.392_305]);
    near(seen(level, REST.position), [0.0; 3]);
    let side = FreeCamera {
        position: [5.0, 0.0, 0.0],
        target: [0.0; 3],
        ..level
    };
    // From +x, -z is to the right.
    near(seen(side, [0.0, 1.0, -2.0]), [2.0, 1.0, -5.0]);
    let above = FreeCamera {
        position: [0.0, 5.0, 0.0],
        ..side
    };
    near(seen(above, [1.0, 0.0, -2.0]), [1.0, 2.0, -5.0]);
    // Tilted a quarter turn to its left, the camera has the world's up at its right hand.
    let tilted = FreeCamera {
        roll: Bams(0x4000),
        ..side
    };
    near(seen(tilted, [0.0, 1.0, 0.0]), [1.0, 0.0, -5.0]);
}

/// A quarter turn across 640 pixels: the plane at distance 1 is 2 wide, so 320 pixels a unit.
#[test]
fn the_angle_of_view_is_across_the_width() {
    let viewport = Viewport::across(640, 480, Bams(0x4000), 0.5);
    let [x, y, centre_x, centre_y] = viewport.words;
    assert!(
        (x - 320.0).abs() < 1.0e-3 && (y + 320.0).abs() < 1.0e-3,
        "{x} {y}"
    );
    assert_eq!([centre_x, centre_y, viewport.near], [320.0, 240.0, 0.5]);
    for odd in [0, 0x8000, -1] {
        let [x, ..] = Viewport::across(640, 480, Bams(odd), 0.5).words;
        assert!(x.is_finite() && x > 0.0, "{odd:#x}: {x}");
    }
}

fn light(tables: Vec<(Element, Keys)>, frame: f32) -> (Light, [f32; 3]) {
    let motion = motion(MotionKind::Light, tables);
    let motion = LightMotion::bind(Light::directional([0.0, 0.0, 1.0], [0.5; 3]), &motion).unwrap();
    assert_eq!(motion.warnings(), []);
    motion.light(frame, &mut Reference).unwrap().unwrap()
}

#[test]
fn a_light_from_far_away() {
    let tables = vec![
        (Element::Vec0, Keys::F(one([0.0, -2.0, 0.0]))),
        (
            Element::Rgb,
            Keys::F(vec![key(0, [1.0, 0.0, 0.0]), key(10, [0.0, 0.0, 1.0])]),
        ),
        (Element::Intensity, Keys::F2(one([2.0, 0.5]))),
    ];
    let (light, ambient) = light(tables, 5.0);
    // Half red, half blue, twice; and half of it around.
    assert_eq!(light, Light::directional([0.0, 1.0, 0.0], [1.0, 0.0, 1.0]));
    assert_eq!(ambient, [0.25, 0.0, 0.25]);
}

#[test]
fn a_point_and_a_spot() {
    let point = vec![
        (
            Element::Pos,
            Keys::F(vec![key(0, x(0.0)), key(5, x(5.0)), key(10, x(20.0))]),
        ),
        (
            Element::Point,
            Keys::F2(vec![key(0, [1.0, 2.0]), key(10, [3.0, 6.0])]),
        ),
        (Element::Rgb, Keys::Ui32(one(0x8000_FF33))),
    ];
    let (light, ambient) = light(point, 5.0);
    let range = Range { near: 2.0, far: 4.0 };
    let position = x(5.0);
    assert_eq!(light.source, Source::Point { position, range });
    assert_eq!((light.colour, ambient), ([0.0, 1.0, 0.2], [0.0; 3]));

    let cone = |inner, outer| Spot {
        near: 10.0,
        far: 20.0,
        inner: Bams(inner),
        outer: Bams(outer),
    };
    let spot = vec![
        (Element::Pos, Keys::F(one(x(1.0)))),
        (Element::Vec3, Keys::F(one(x(-4.0)))),
        (Element::Intensity, Keys::F1(one(0.5))),
        (
            Element::Spot,
            Keys::Spot(vec![key(0, cone(0x1000, 0x2000)), key(10, cone(0x3000, 0x4000))]),
        ),
    ];
    let (light, _) = self::light(spot, 5.0);
    // The whole cones of 0x2000 and 0x3000 are half as much from the beam.
    let expected = Source::Spot {
        position: x(1.0),
        beam: x(-1.0),
        range: Range {
            near: 10.0,
            far: 20.0,
        },
        inner: Bams(0x1000),
        outer: Bams(0x1800),
    };
    assert_eq!((light.source, light.colour), (expected, [0.25; 3]));
}

#[test]
fn what_is_wrong_with_a_view_motion_is_told() {
    let bind = |motion: &ninja::Motion| CameraMotion::bind(REST, motion);
    let empty = ninja::Motion::new(MotionKind::Camera, MotionType(0) | Element::Pos, 11);
    assert_eq!(bind(&empty), Err(MotionError::Empty));
    let tables = || vec![(Element::Pos, Keys::F(one(x(1.0))))];
    let other = motion(MotionKind::Light, tables());
    assert!(matches!(bind(&other), Err(MotionError::Kind { .. })));
    let mut spare = motion(MotionKind::Camera, tables());
    spare.push_node(&[None]);
    let expected = MotionWarning::SpareEntries {
        entries: 2,
        needed: 1,
    };
    assert_eq!(bind(&spare).unwrap().warnings(), [expected]);
    let scaled = motion(MotionKind::Camera, vec![(Element::Scl, Keys::F(one(x(1.0))))]);
    assert_eq!(
        bind(&scaled).unwrap().warnings(),
        [MotionWarning::Element("SCL_2")]
    );
    let mut wide = tables();
    wide[0].1 = Keys::F1(one(1.0));
    assert!(matches!(
        bind(&motion(MotionKind::Camera, wide)),
        Err(MotionError::Form { .. })
    ));
}
