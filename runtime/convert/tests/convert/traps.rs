//! Common problems of exports (docs/formats/fbx.md, section 5), each with its name.

use convert::{Options, Stacks};
use ninja::{Element, EvalFlags, Keys};

use crate::{converted, warnings};

#[test]
fn sixteen_stacks_of_which_none_holds_the_scene_are_told_of() {
    let conversion = converted("node_anim.fbx", &Options::default());
    let text = warnings(&conversion);
    assert!(
        text.contains("16 animation stacks") && text.contains("NLA Strips"),
        "{text}"
    );
    assert_eq!(conversion.motions.len(), 1);
    let all = Options {
        stacks: Stacks::All,
        ..Options::default()
    };
    // Some stacks of other objects' actions move a visible node. Each stack must be written, or reported as
    // still.
    let conversion = converted("node_anim.fbx", &all);
    let text = warnings(&conversion);
    let still = text.lines().find(|line| line.contains("no node moves")).unwrap();
    let still: usize = still.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(conversion.motions.len() + still, 16);
    assert!(conversion.motions.len() >= 4);
}

#[test]
fn a_stack_is_chosen_by_name_and_an_unknown_one_is_an_error_that_names_all() {
    let named = |name: &str| Options {
        stacks: Stacks::Named(vec![name.to_owned()]),
        ..Options::default()
    };
    let conversion = converted("node_anim.fbx", &named("seg2|seg2Action"));
    assert_eq!(conversion.motions[0].name, "seg2|seg2Action");
    let bytes = std::fs::read(crate::data("node_anim.fbx")).unwrap();
    let Err(error) = crate::convert_bytes(&bytes, &named("walk")) else {
        panic!("an unknown stack was accepted");
    };
    let text = error.to_string();
    assert!(
        text.contains("walk") && text.contains("seg0|seg0Action"),
        "{text}"
    );
}

#[test]
fn lost_shape_keys_give_no_motion_and_kept_ones_do() {
    let lost = converted("shapes_anim_defaults_lost.fbx", &Options::default());
    assert!(lost.motions.is_empty() && lost.shapes.is_none());
    let kept = converted("shapes_anim.fbx", &Options::default());
    assert!(kept.shapes.is_some());
    assert!(kept.report.shapes >= 2 && kept.report.motions[0].shape_keys >= 3);
    // Only shapes move.
    assert_eq!(kept.report.motions[0].keys, 0);
}

#[test]
fn stacks_begin_where_they_say_and_not_at_zero() {
    let baked = converted("node_anim_nla_off.fbx", &Options::default());
    assert!((baked.report.motions[0].begin - 1.0 / 30.0).abs() < 1e-6);
    assert_eq!(baked.report.motions[0].frames, 31);
    let action = converted("skin_anim.fbx", &Options::default());
    assert_eq!(action.report.motions[0].begin, 0.0);
    assert_eq!(action.report.motions[0].frames, 31);
}

#[test]
fn leaf_bones_go_unless_they_are_wanted() {
    let names = |leaf_bones: bool| -> Vec<String> {
        let options = Options {
            leaf_bones,
            ..Options::default()
        };
        let conversion = converted("skin_anim.fbx", &options);
        assert_eq!(warnings(&conversion).contains("bone3_end"), !leaf_bones);
        conversion.report.nodes.into_iter().map(|n| n.name).collect()
    };
    assert!(!names(false).contains(&"bone3_end".to_owned()));
    assert!(names(true).contains(&"bone3_end".to_owned()));
}

#[test]
fn roots_of_scale_100_are_baked_in() {
    for name in [
        "skin_anim.fbx",
        "static_uv_vcol_2mat.fbx",
        "node_anim_nla_off.fbx",
    ] {
        let conversion = converted(name, &Options::default());
        let tree = conversion.model.models().next().unwrap();
        for object in &tree.objects {
            assert_eq!(object.scl, [1.0; 3], "{name}");
            assert!(object.evalflags.contains(EvalFlags::UNIT_SCL));
        }
    }
    // Tube is 4 metres high and 1 wide.
    let conversion = converted("static_uv_vcol_2mat.fbx", &Options::default());
    assert!((conversion.report.size - 18f64.sqrt()).abs() < 1e-5);
}

/// A node with scale -1 mirrors its triangles, so their strips must have the opposite direction.
#[test]
fn mirrored_nodes_show_their_outside() {
    let conversion = converted("mirror_instance_unicode.fbx", &Options::default());
    let tree = conversion.model.models().next().unwrap();
    let mut mirrored = 0;
    for (_, _, object) in tree.walk() {
        let Some(model) = object.model.and_then(|m| tree.model(m)) else {
            continue;
        };
        let sign: f32 = object.scl.iter().product();
        mirrored += usize::from(sign < 0.0);
        let (out, all) = crate::format::outward(tree, model);
        assert_eq!(all, 140);
        let expected = if sign < 0.0 { 0 } else { all };
        assert_eq!(out, expected, "in the node's own space");
    }
    assert_eq!(mirrored, 1);
}

#[test]
fn names_keep_their_letters() {
    let conversion = converted("mirror_instance_unicode.fbx", &Options::default());
    let names: Vec<&str> = conversion.report.nodes.iter().map(|n| n.name.as_str()).collect();
    assert!(names.contains(&"左_腕") && names.contains(&"Tube.R"), "{names:?}");
}

#[test]
fn two_full_turns_are_not_lost() {
    let conversion = converted("node_anim_nla_off.fbx", &Options::default());
    let node = conversion
        .report
        .nodes
        .iter()
        .position(|n| n.name == "seg3")
        .unwrap();
    let ninja::Chunk::Motion(motion) = &conversion.motions[0].file.chunks[0] else {
        panic!("no motion");
    };
    let Some(Keys::Sa(keys)) = motion.keys(node, Element::Sang) else {
        panic!("no angles");
    };
    // Interpolation of 16-bit keys takes the shorter way, so the rotation between two keys must be below half
    // a turn.
    let turned: f64 = keys
        .windows(2)
        .map(|pair| {
            (0..3)
                .map(|k| f64::from(pair[1].value[k].wrapping_sub(pair[0].value[k])))
                .sum::<f64>()
                .abs()
        })
        .sum();
    assert!(turned > 1.9 * 65_536.0, "{turned}");
    assert_eq!(keys.last().unwrap().frame, 30);
}

/// A scene may have no nodes. A text without a face is an OBJ file only by its name.
#[test]
fn empty_scenes_are_notices_and_empty_texts_errors() {
    for text in [
        r#"{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{}]}"#,
        r#"{"asset": {"version": "2.0"}}"#,
        r#"{"asset": {"version": "2.0"}, "animations": [{"samplers": [], "channels": [
            {"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {}}}}]}]}"#,
    ] {
        let conversion = crate::convert_bytes(text.as_bytes(), &Options::default()).unwrap();
        assert!(conversion.model.chunks.is_empty());
        let text = warnings(&conversion);
        assert!(text.contains("no file is written"), "{text}");
    }
    let obj = Options {
        format: Some(convert::SceneFormat::Obj),
        ..Options::default()
    };
    let Err(error) = crate::convert_bytes(b"v 0 0 0\n", &obj) else {
        panic!("a text without faces was accepted");
    };
    assert!(error.to_string().contains("no faces"), "{error}");
}
