//! Motions of models, lights and cameras.

use crate::common::{chunk, hex, le32};
use crate::samples::{error, motion_of, read};
use ninja::{
    Bams, Chunk, Container, Element, File, Interpolation, Key, KeyForm, KeyForms, Keys, Motion, MotionKind,
    Settings, Spot, WarningKind,
};

#[test]
fn motion() {
    let file = read("motion");
    let motion = motion_of(&file);
    assert_eq!((motion.kind, motion.nb_frame), (MotionKind::Model, 31));
    assert_eq!(motion.inp_fn.method(), Interpolation::Spline);
    assert_eq!(motion.elements(), [Element::Pos, Element::Sang, Element::Scl]);
    assert_eq!((motion.nodes.len(), motion.tracks.len()), (2, 3));
    let positions = Keys::F(vec![
        Key {
            frame: 0,
            value: [1.0, 2.0, 3.0],
        },
        Key {
            frame: 30,
            value: [-1.0, 0.5, 0.0],
        },
    ]);
    assert_eq!(motion.keys(0, Element::Pos), Some(&positions));
    assert_eq!(motion.keys(1, Element::Pos), None);
    let Some(Keys::Sa(angles)) = motion.keys(1, Element::Sang) else {
        panic!()
    };
    assert_eq!(angles[2].value, [0, -0x7000, 0x7FFF]);
    assert_eq!(motion.nodes[0].tables[1], motion.nodes[1].tables[1]);
    assert_eq!(motion.keys(1, Element::Scl).map(Keys::len), Some(1));
}

#[test]
fn quaternions_stand_before_scales() {
    let file = read("motion_quat");
    let motion = motion_of(&file);
    assert_eq!(motion.elements(), [Element::Pos, Element::Quat, Element::Scl]);
    let Some(Keys::Quat(keys)) = motion.keys(0, Element::Quat) else {
        panic!()
    };
    assert_eq!(keys[1].value, [0.5, 0.5, 0.5, -0.5]);
    assert_eq!(motion.keys(0, Element::Scl).map(Keys::form), Some(KeyForm::F));
}

#[test]
fn long_angles_and_events() {
    let file = read("motion_long_angles");
    let motions: Vec<&Motion> = file.motions().collect();
    let Some(Keys::A(angles)) = motions[0].keys(0, Element::Ang) else {
        panic!()
    };
    assert_eq!(angles[1].value, [Bams(0x18000), Bams(0x9000), Bams(-1)]);
    let Some(Keys::Ui16(events)) = motions[1].keys(0, Element::Event) else {
        panic!()
    };
    assert_eq!((events[1].frame, events[1].value, events.len()), (50, 0xFFFF, 3));
}

#[test]
fn lights_and_cameras() {
    let file = read("motion_light_camera");
    let [light, camera] = file.motions().collect::<Vec<_>>()[..] else {
        panic!()
    };
    assert_eq!((light.kind, camera.kind), (MotionKind::Light, MotionKind::Camera));
    let spot = Spot {
        near: 1.0,
        far: 100.0,
        inner: Bams(0x1000),
        outer: Bams(0x2000),
    };
    let expected = Keys::Spot(vec![Key {
        frame: 0,
        value: spot,
    }]);
    assert_eq!(light.keys(0, Element::Spot), Some(&expected));
    let intensity = Keys::F2(vec![Key {
        frame: 0,
        value: [0.75, 0.125],
    }]);
    assert_eq!(light.keys(0, Element::Intensity), Some(&intensity));
    let Some(Keys::Sa1(roll)) = camera.keys(0, Element::Roll) else {
        panic!()
    };
    assert_eq!((roll[1].frame, roll[1].value), (19, -0x4000));
    let Some(Keys::Sa1(angle)) = camera.keys(0, Element::Angle) else {
        panic!()
    };
    assert_eq!(angle[0].value, 0x2E39);
}

#[test]
fn motion_without_chunks() {
    let file = read("pso_motion");
    assert_eq!(file.container, Container::PsoMotion);
    let motion = motion_of(&file);
    assert_eq!((motion.nb_frame, motion.nodes.len()), (30, 2));
    assert_eq!(motion.keys(0, Element::Pos).map(Keys::len), Some(2));
    assert_eq!(motion.keys(1, Element::Pos), None);
    assert_eq!(motion.keys(1, Element::Ang).map(Keys::form), Some(KeyForm::Sa));
    // The motion as a chunk has another layout and equal content.
    let chunked = File {
        container: Container::Iff,
        ..file.clone()
    };
    let again = ninja::read(&chunked.write().unwrap()).unwrap();
    assert_eq!((again.container, &again.chunks), (Container::Iff, &file.chunks));
    let back = File {
        container: Container::PsoMotion,
        ..again
    };
    assert_eq!(back.write().unwrap(), hex("pso_motion.le"));
}

/// A motion without nodes, computed by hand. 0: NJS_MOTION (mdata NULL and not listed, 1 frame, POS, one
/// table). 0xC: NJS_ACTION; its motion is address 0 and listed. 0x14: the address of the action. 0x20:
/// pointer list, 0x10 and 0x14.
#[test]
fn motion_without_chunks_and_without_nodes() {
    let words = [
        0,
        1,
        0x0001_0001,
        0,
        0,
        12,
        0,
        0,
        0x0001_0004,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        32,
        2,
        1,
        0,
        20,
        0,
        0,
        0,
    ];
    let bytes = le32(&words);
    assert_eq!(bytes.len(), 96);
    let file = ninja::read(&bytes).unwrap();
    assert_eq!(file.container, Container::PsoMotion);
    assert_eq!((motion_of(&file).nb_frame, motion_of(&file).nodes.len()), (1, 0));
    assert_eq!(file.write().unwrap(), bytes);
    // The writer's canonical order gives these bytes, too.
    let mut canonical = file.clone();
    canonical.forget_layout();
    let again = ninja::read(&canonical.write().unwrap()).unwrap();
    assert_eq!(again.chunks, file.chunks);
}

fn motion_of_type(bits: u32, inp_fn: u32) -> Vec<u8> {
    let words = [12, 1, inp_fn << 16 | bits, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    [chunk(b"NMDM", &le32(&words)), chunk(b"POF0", &[0x40, 0, 0, 0])].concat()
}

#[test]
fn types_that_contradict_themselves() {
    assert!(
        error(&motion_of_type(0x2002, 2))
            .to_string()
            .contains("ANG_1 with QUAT_1")
    );
    assert!(
        error(&motion_of_type(0x25, 2))
            .to_string()
            .contains("2 tables for 3 elements")
    );
    assert!(error(&motion_of_type(1, 6)).to_string().contains("at most 5"));
    // A count of 0 means one table for each bit of the type; a spare table is null.
    let counted = ninja::read(&motion_of_type(0x25, 0)).unwrap();
    assert_eq!(motion_of(&counted).tables(), 3);
    let spare = ninja::read(&motion_of_type(1, 2)).unwrap();
    let kind = WarningKind::SpareTables {
        tables: 2,
        elements: 1,
    };
    assert_eq!(
        spare.warnings.iter().map(|w| w.kind.clone()).collect::<Vec<_>>(),
        [kind]
    );
}

/// If a file lists null tables too (docs/formats/ninja.md 1.3), the list gives the end of the nodes. Gaps are
/// kept.
#[test]
fn nodes_end_where_their_pointers_are_no_longer_listed() {
    let words = [12, 5, 0x0001_0001, 28, 1, 0, 0, 7, 0, 0, 0];
    let pof0 = [0x40, 0x43, 0x42, 0];
    let bytes = [chunk(b"NMDM", &le32(&words)), chunk(b"POF0", &pof0)].concat();
    let file = ninja::read(&bytes).unwrap();
    assert_eq!(
        (file.warnings.as_slice(), motion_of(&file).nodes.len()),
        (&[][..], 2)
    );
    assert_eq!(file.write().unwrap(), bytes);
    // A single key at frame 7 of a 5-frame motion gives no warning; two descending keys do.
    let words = [12, 5, 0x0001_0001, 20, 2, 3, 0, 0, 0, 3, 0, 0, 0];
    let bytes = [chunk(b"NMDM", &le32(&words)), chunk(b"POF0", &[0x40, 0x43, 0, 0])].concat();
    let file = ninja::read(&bytes).unwrap();
    let kind = WarningKind::KeyOrder {
        key: 1,
        frame: 3,
        before: 3,
    };
    assert_eq!(
        file.warnings.iter().map(|w| w.kind.clone()).collect::<Vec<_>>(),
        [kind]
    );
}

/// A motion of one node with one key for each element of a type, made in code, reads back equal.
#[test]
fn every_element() {
    let key = |form: KeyForm| match form {
        KeyForm::F => Keys::F(vec![Key {
            frame: 0,
            value: [1.0, 2.0, 3.0],
        }]),
        KeyForm::F1 => Keys::F1(vec![Key { frame: 0, value: 1.0 }]),
        KeyForm::F2 => Keys::F2(vec![Key {
            frame: 0,
            value: [1.0, 2.0],
        }]),
        KeyForm::A => Keys::A(vec![Key {
            frame: 0,
            value: [Bams(1), Bams(2), Bams(3)],
        }]),
        KeyForm::A1 => Keys::A1(vec![Key {
            frame: 0,
            value: Bams(1),
        }]),
        KeyForm::Sa => Keys::Sa(vec![Key {
            frame: 0,
            value: [1, 2, 3],
        }]),
        KeyForm::Sa1 => Keys::Sa1(vec![Key { frame: 0, value: 1 }]),
        KeyForm::Quat => Keys::Quat(vec![Key {
            frame: 0,
            value: [1.0, 0.0, 0.0, 0.0],
        }]),
        KeyForm::Spot => Keys::Spot(vec![Key {
            frame: 0,
            value: Spot::default(),
        }]),
        KeyForm::Ui16 => Keys::Ui16(vec![Key { frame: 0, value: 1 }]),
        KeyForm::Ui32 => Keys::Ui32(vec![Key { frame: 0, value: 1 }]),
        KeyForm::P => Keys::P(vec![Key {
            frame: 0,
            value: None,
        }]),
        other => panic!("{other:?}"),
    };
    let (mut made, mut kinds) = (0, 0);
    for kind in MotionKind::ALL {
        for element in Element::all().filter(|element| *element != Element::ShapeId) {
            let bits = ninja::MotionType(element.bit());
            if Element::in_table_order(kind, bits).unwrap() != [element] {
                continue;
            }
            kinds += 1;
            for (form, key_forms) in element
                .forms(kind)
                .iter()
                .zip([KeyForms::Expected, KeyForms::Older])
            {
                let mut motion = Motion::new(kind, bits, 1);
                let track = motion.push_track(key(*form));
                motion.push_node(&[Some(track)]);
                let file = File::new(vec![Chunk::Motion(motion)]);
                let settings = Settings {
                    key_forms,
                    ..Settings::default()
                };
                let again = ninja::read_with(&file.write().unwrap(), &settings).unwrap();
                assert_eq!(
                    (again.warnings.as_slice(), &again.chunks),
                    (&[][..], &file.chunks),
                    "{kind:?} {element:?}"
                );
                made += 1;
            }
        }
    }
    println!("{made} motions of {kinds} elements");
    // 15 elements of the four kinds. Simple shapes have 13, with VERT and NORM instead of VEC_0 and SANG. In
    // a sprite's motion bit 8 means RGB_8, as does bit 9.
    assert_eq!(kinds, 5 * 15 - 1);
    let point = ninja::MotionType(Element::Intensity.bit() | Element::Point.bit());
    let order = Element::in_table_order(MotionKind::Light, point).unwrap();
    assert_eq!(order, [Element::Intensity, Element::Point]);
}

/// One table of one key fits either layout: the specified one applies unless the settings select the other.
#[test]
fn key_forms() {
    let words = [12, 1, 0x0001_0002, 20, 1, 0, 0, 0, 0];
    let bytes = [chunk(b"NMDM", &le32(&words)), chunk(b"POF0", &[0x40, 0x43, 0, 0])].concat();
    for (key_forms, form) in [
        (KeyForms::ByTables, KeyForm::A),
        (KeyForms::Expected, KeyForm::A),
        (KeyForms::Older, KeyForm::Sa),
    ] {
        let settings = Settings {
            key_forms,
            ..Settings::default()
        };
        let file = ninja::read_with(&bytes, &settings).unwrap();
        assert_eq!(motion_of(&file).keys(0, Element::Ang).map(Keys::form), Some(form));
        assert_eq!(file.write().unwrap(), bytes);
    }
}
