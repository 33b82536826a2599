//! Drawing state, user flags and volumes from custom properties and from a sidecar.

use convert::{Conversion, Options, Plain, QuadOrder, Sidecar};
use ninja::{
    Blend, BlendMode, EvalFlags, Filter, Material, PolyChunk, Specular, StripChunk, StripFlags, StripKind,
    Tiny, VolumeChunk, VolumeKind,
};

use crate::convert_bytes;
use crate::scene::{Custom, Mesh, Scene};
use crate::warnings;

/// A square of two triangles. `lift` raises one corner of its second half.
fn square(lift: f64) -> Mesh {
    Mesh {
        vertices: vec![
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, lift],
        ],
        polygons: vec![vec![0, 1, 2], vec![0, 2, 3]],
        uv: Some(vec![
            [0.0, 1.0],
            [1.0, 1.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [1.0, 0.0],
            [0.0, 0.0],
        ]),
        uv2: Some(vec![[0.5, 1.0]; 6]),
        texture: Some("paint.png".to_owned()),
        ..Mesh::default()
    }
}

fn with(scene: &Scene, sidecar: &str) -> Conversion {
    let options = Options {
        sidecar: Sidecar::parse(sidecar).unwrap(),
        ..Options::default()
    };
    convert_bytes(&scene.write(), &options).unwrap()
}

fn chunks(conversion: &Conversion) -> Vec<PolyChunk> {
    let bytes = conversion.model.write().unwrap();
    let file = ninja::read(&bytes).unwrap();
    let tree = file.models().next().unwrap();
    tree.plists[0].chunks.clone()
}

fn state(chunks: &[PolyChunk]) -> (Tiny, Material, StripChunk) {
    let mut found = (None, None, None);
    for chunk in chunks {
        match chunk {
            PolyChunk::Texture(tiny) if !tiny.second => found.0 = Some(*tiny),
            PolyChunk::Material(material) if !material.second => found.1 = Some(*material),
            PolyChunk::Strip(strip) => found.2 = Some(strip.clone()),
            _ => {}
        }
    }
    (found.0.unwrap(), found.1.unwrap(), found.2.unwrap())
}

const ALL: &str = r#"
[material.paint]
diffuse = [1, 0.5, 0]
alpha = 0.2
ambient = [0, 0, 1.0]
specular = [1, 1, 1]
exponent = 11
blend = ["SA", "ONE"]
double_side = true
flat = true
ignore_ambient = true
environment = true
filter = "TFA"
clamp = "u"
flip = "v"
mipmap_adjust = 2.25
super_sample = true
user_flags = [1, 0xFFFF]
"#;

/// Values by the tables of docs/formats/ninja.md, 1.7: FST flags IA 4, UA 8, DB 0x10, FL 0x20, ENV 0x40.
#[test]
fn a_sidecar_sets_all_drawing_state() {
    let (tiny, material, strip) = state(&chunks(&with(&Scene::of(square(0.0)), ALL)));
    let wanted = Tiny {
        flip_v: true,
        clamp_u: true,
        mipmap_adjust: 9,
        filter: Filter::TrilinearA,
        supersample: true,
        ..Tiny::default()
    };
    assert_eq!(tiny, wanted);
    assert_eq!(material.blend.headbits(), 4 << 3 | 1);
    assert_eq!(material.diffuse.unwrap().0, 0x33FF_8000);
    assert_eq!(material.ambient.unwrap().0, 0xFF00_00FF);
    let shine = Specular {
        exponent: 11,
        rgb: [255; 3],
    };
    assert_eq!(material.specular, Some(shine));
    assert_eq!(strip.flags, StripFlags(0x04 | 0x08 | 0x10 | 0x20 | 0x40));
    assert_eq!(strip.user_words, 2);
    let entries: Vec<_> = strip.entries(&strip.strips[0]).collect();
    assert_eq!(entries.len(), 4);
    assert!(entries[2..].iter().all(|e| e.user == [1, 0xFFFF, 0]));
}

#[test]
fn custom_properties_say_the_same_and_the_sidecar_has_the_last_word() {
    let scene = Scene {
        material_properties: vec![
            ("ninja_blend", Custom::Text("ONE ZER")),
            ("ninja_clamp", Custom::Text("uv")),
            ("ninja_exponent", Custom::Number(3.0)),
            ("ninja_specular", Custom::Vector([1.0, 0.0, 0.0])),
            ("ninja_double_side", Custom::Int(1)),
            ("ninja_unheard", Custom::Int(1)),
            ("other", Custom::Int(1)),
        ],
        node_properties: vec![
            ("ninja_user_flags", Custom::Int(7)),
            ("ninja_clip", Custom::Int(1)),
        ],
        ..Scene::of(square(0.0))
    };
    let conversion = with(
        &scene,
        "[material.paint]\nclamp = \"v\"\n[node.nobody]\nhide = true",
    );
    let (tiny, material, strip) = state(&chunks(&conversion));
    assert_eq!((tiny.clamp_u, tiny.clamp_v), (false, true));
    let opaque = Blend {
        src: BlendMode::One,
        ..Blend::default()
    };
    assert_eq!(material.blend, opaque);
    let shine = Specular {
        exponent: 3,
        rgb: [255, 0, 0],
    };
    assert_eq!(material.specular, Some(shine));
    assert!(strip.flags.contains(StripFlags::DOUBLE_SIDE));
    assert_eq!(strip.user_words, 1);
    let tree = conversion.model.models().next().unwrap();
    assert!(tree.objects[0].evalflags.contains(EvalFlags::CLIP));
    let text = warnings(&conversion);
    assert!(
        text.contains("ninja_unheard") && !text.contains("other"),
        "{text}"
    );
    assert!(text.contains("no node \"nobody\""), "{text}");
}

#[test]
fn wrong_settings_are_errors_with_their_place() {
    let scene = Scene {
        material_properties: vec![("ninja_blend", Custom::Text("ONE"))],
        ..Scene::of(square(0.0))
    };
    let Err(error) = convert_bytes(&scene.write(), &Options::default()) else {
        panic!("half a blending was accepted");
    };
    let text = error.to_string();
    assert!(
        text.contains("material \"paint\", property ninja_blend: found \"ONE\""),
        "{text}"
    );
    for (line, text) in [
        (2, "[material.a]\nexponent = 17"),
        (3, "[material.a]\n\nmipmap_adjust = 0.3"),
        (1, "[light.a]\nx = 1"),
        (2, "[node.a]\nvolume = \"balls\""),
        (2, "[node.a]\nuser_flags = [1, 2, 3, 4]"),
        (2, "[node.a]\nfilter = \"PS\""),
        (1, "material = 3"),
        (2, "[node.a]\nhide = [true, 1]"),
        (2, "[node.a]\nhide ="),
    ] {
        let error = Sidecar::parse(text).unwrap_err();
        assert_eq!(error.line, line, "{text}: {error}");
    }
}

#[test]
fn a_second_uv_set_makes_entries_of_five_words() {
    let conversion = with(&Scene::of(square(0.0)), "[material.paint]\nsecond_uv = true");
    let chunks = chunks(&conversion);
    let (_, _, strip) = state(&chunks);
    assert_eq!(strip.kind, StripKind::CsUvh2);
    assert!(strip.entries(&strip.strips[0]).all(|e| e.uv2 == [512, 0]));
    let second = chunks.iter().filter(|c| matches!(c.id(), 9 | 31)).count();
    assert_eq!(second, 1 + chunks.iter().filter(|c| c.id() == 31).count());
    let without = with(
        &Scene::of(Mesh {
            uv2: None,
            ..square(0.0)
        }),
        "[material.paint]\nsecond_uv = true",
    );
    assert!(warnings(&without).contains("second UV set"));
}

fn volumes(conversion: &Conversion) -> Vec<VolumeChunk> {
    let all = chunks(conversion).into_iter();
    all.map(|chunk| match chunk {
        PolyChunk::Volume(volume) => volume,
        other => panic!("{other:?}"),
    })
    .collect()
}

/// The angle between the two halves is atan(lift * sqrt 2): 0.081 degrees at 0.001 and 0.162 at 0.002.
#[test]
fn faces_in_one_plane_become_quadrilaterals() {
    let quads = "[node.node]\nvolume = \"quads\"\nuser_flags = 9";
    for (lift, kind, polygons) in [
        (0.0, VolumeKind::P4, 1),
        (0.001, VolumeKind::P4, 1),
        (0.002, VolumeKind::P3, 2),
    ] {
        let conversion = with(&Scene::of(square(lift)), quads);
        let [volume] = &volumes(&conversion)[..] else {
            panic!("several volumes")
        };
        assert_eq!(
            (volume.kind, usize::from(volume.count), volume.user_words),
            (kind, polygons, 1)
        );
        assert_eq!(conversion.report.volume_polygons, polygons);
    }
    let as_strip = Options {
        sidecar: Sidecar::parse(quads).unwrap(),
        quad_order: QuadOrder::Strip,
        ..Options::default()
    };
    let corners = |conversion: &Conversion| -> Vec<[f32; 3]> {
        let tree = conversion.model.models().next().unwrap();
        let volume = volumes(conversion).remove(0);
        let polygon: Vec<u16> = volume.polygons().next().unwrap().to_vec();
        assert_eq!(tree.vlists[0].chunks[0].kind, ninja::VertexKind::Cv);
        polygon
            .iter()
            .map(|slot| tree.vlists[0].chunks[0].position(usize::from(*slot)))
            .collect()
    };
    let area = |t: [[f32; 3]; 3]| {
        let [a, b, c] = t;
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let strip = corners(&convert_bytes(&Scene::of(square(0.0)).write(), &as_strip).unwrap());
    assert_eq!(area([strip[0], strip[1], strip[2]]), 1.0);
    assert_eq!(area([strip[2], strip[1], strip[3]]), 1.0);
    let ring = corners(&with(&Scene::of(square(0.0)), quads));
    assert_eq!(area([ring[0], ring[1], ring[2]]), 1.0);
    assert_eq!(area([ring[0], ring[2], ring[3]]), 1.0);
}

#[test]
fn volumes_are_triangles_or_strips_without_material() {
    let of = |kind: &str| {
        let scene = Scene {
            node_properties: vec![
                ("ninja_volume", Custom::Text("triangles")),
                ("ninja_modifier", Custom::Int(1)),
            ],
            ..Scene::of(square(0.5))
        };
        let text = format!("[node.node]\nvolume = \"{kind}\"\nuser_flags = [1, 2, 3]");
        let mut conversion = with(&scene, &text);
        let checked = conversion.check(&mut Plain::default()).unwrap();
        assert_eq!((checked.compared, checked.rest.position < 1e-6), (4, true));
        let tree = conversion.model.models().next().unwrap();
        assert!(tree.objects[0].evalflags.contains(EvalFlags::MODIFIER));
        volumes(&conversion).remove(0)
    };
    let triangles = of("triangles");
    assert_eq!((triangles.kind, triangles.count), (VolumeKind::P3, 2));
    assert_eq!(triangles.words.len(), 13);
    let strips = of("strips");
    assert_eq!((strips.kind, strips.count), (VolumeKind::St, 1));
    // Length, four slots, with three user words after the third and the fourth slot.
    assert_eq!(strips.words[..11].len(), 11);
    assert_eq!(
        [&strips.words[4..7], &strips.words[8..11]],
        [&[1, 2, 3], &[1, 2, 3]]
    );
}

/// A camera looks along its x axis, a light along -y. Half intensity is 50 percent in FBX.
#[test]
fn cameras_and_lights_are_motions_of_their_own() {
    use ninja::{Chunk, Element, Key, Keys, MotionKind};
    let scene = Scene {
        views: true,
        ..Scene::of(square(0.0))
    };
    let conversion = convert_bytes(&scene.write(), &Options::default()).unwrap();
    assert_eq!(conversion.views.len(), 2);
    let motion = |i: usize| {
        let bytes = conversion.views[i].file.write().unwrap();
        match ninja::read(&bytes).unwrap().chunks.remove(0) {
            Chunk::Motion(motion) => motion,
            other => panic!("{other:?}"),
        }
    };
    let one = |value: [f32; 3]| Keys::F(vec![Key { frame: 0, value }]);
    let eye = motion(0);
    assert_eq!(
        (eye.kind, eye.nb_frame, eye.nodes.len()),
        (MotionKind::Camera, 1, 1)
    );
    assert_eq!(eye.keys(0, Element::Pos), Some(&one([1.0, 2.0, 3.0])));
    assert_eq!(eye.keys(0, Element::Target), Some(&one([2.0, 2.0, 3.0])));
    assert_eq!(
        eye.keys(0, Element::Roll),
        Some(&Keys::Sa1(vec![Key { frame: 0, value: 0 }]))
    );
    // The file states no angle; 60 degrees are 65536 / 6.
    let angle = Keys::Sa1(vec![Key {
        frame: 0,
        value: 10_923,
    }]);
    assert_eq!(eye.keys(0, Element::Angle), Some(&angle));
    assert!(warnings(&conversion).contains("node \"eye\": the camera has no angle of view"));
    let sun = motion(1);
    assert_eq!(sun.kind, MotionKind::Light);
    assert_eq!(sun.keys(0, Element::Vec0), Some(&one([0.0, -1.0, 0.0])));
    assert_eq!(
        sun.keys(0, Element::Rgb),
        Some(&one([1.0, 0.735_357, 0.537_098_7]))
    );
    let intensity = Keys::F2(vec![Key {
        frame: 0,
        value: [0.5, 0.0],
    }]);
    assert_eq!(sun.keys(0, Element::Intensity), Some(&intensity));
    assert_eq!(conversion.report.views[1].form.as_deref(), Some("NLIM"));
}

/// The check must read CO_P4 polygons in the configured order. In the other order, one of the two triangles
/// folds over, so that one or two triangles differ from the source's.
#[test]
fn the_check_finds_quadrilaterals_in_the_other_order() {
    for (written, read) in [
        (QuadOrder::Around, QuadOrder::Around),
        (QuadOrder::Strip, QuadOrder::Strip),
        (QuadOrder::Around, QuadOrder::Strip),
        (QuadOrder::Strip, QuadOrder::Around),
    ] {
        let options = Options {
            sidecar: Sidecar::parse("[node.node]\nvolume = \"quads\"").unwrap(),
            quad_order: written,
            ..Options::default()
        };
        let mut conversion = convert_bytes(&Scene::of(square(0.0)).write(), &options).unwrap();
        let checked = conversion.check(&mut Plain::with_quads(read)).unwrap();
        assert_eq!(checked.volumes.triangles, 2);
        assert_eq!(checked.volumes.wrong > 0, written != read, "{written:?} {read:?}");
        assert_eq!(checked.volumes.node.is_some(), written != read);
    }
}
