//! Motions of one file for the model of another.

use convert::{Error, Options, Retargeted, Skeleton, Stacks};
use ninja::{Element, EvalFlags, Motion, ObjectTree};

use crate::{converted, data};

/// Returns the tree of a scene's model, and the names of its nodes.
fn model(name: &str) -> (ObjectTree, Vec<String>) {
    let options = Options {
        stacks: Stacks::None,
        ..Options::default()
    };
    let made = converted(name, &options);
    let names = made.report.nodes.iter().map(|node| node.name.clone());
    (made.model.models().next().unwrap().clone(), names.collect())
}

fn onto(
    bytes: &[u8],
    options: &Options,
    tree: &ObjectTree,
    names: Option<Vec<String>>,
) -> Result<Retargeted, Error> {
    let skeleton = Skeleton::new(tree, names)?;
    convert::onto(bytes, options, &mut |_| None, &skeleton)
}

fn only(made: &Retargeted) -> &Motion {
    assert_eq!(made.motions.len(), 1);
    made.motions[0].file.motions().next().unwrap()
}

/// The bytes of the walk, with another prefix of the same length on each bone's name.
fn walk(prefix: &str) -> Vec<u8> {
    let mut bytes = std::fs::read(data("onto/walk.glb")).unwrap();
    let (old, new) = (b"mixamorig:", prefix.as_bytes());
    assert_eq!(old.len(), new.len());
    let places: Vec<usize> = (0..bytes.len() - old.len())
        .filter(|i| bytes[*i..].starts_with(old))
        .collect();
    assert!(!places.is_empty());
    for place in places {
        bytes[place..place + new.len()].copy_from_slice(new);
    }
    bytes
}

/// Returns the keys of every node, in the order of the tree.
fn entries(motion: &Motion) -> Vec<Vec<Option<ninja::Keys>>> {
    let of = |node: usize| {
        let elements = [Element::Pos, Element::Sang, Element::Scl];
        elements
            .iter()
            .map(|element| motion.keys(node, *element).cloned())
            .collect()
    };
    (0..motion.nodes.len()).map(of).collect()
}

#[test]
fn a_motion_on_its_own_model_is_the_motion_of_the_whole_conversion() {
    let bytes = std::fs::read(data("skin_anim.fbx")).unwrap();
    let whole = converted("skin_anim.fbx", &Options::default());
    let expected = whole.motions[0].file.motions().next().unwrap();
    let (tree, names) = model("skin_anim.fbx");
    for names in [Some(names), None] {
        let made = onto(&bytes, &Options::default(), &tree, names).unwrap();
        let motion = only(&made);
        assert_eq!(
            (motion.nb_frame, motion.nodes.len()),
            (expected.nb_frame, expected.nodes.len())
        );
        assert_eq!(entries(motion), entries(expected));
    }
}

#[test]
fn bones_are_found_by_name_and_without_names_by_place() {
    let (tree, names) = model("onto/hero.fbx");
    let by_name = onto(
        &walk("mixamorig:"),
        &Options::default(),
        &tree,
        Some(names.clone()),
    )
    .unwrap();
    let motion = entries(only(&by_name));
    assert_eq!((motion.len(), by_name.missing.len()), (names.len(), 0));
    let moved = |name: &str| {
        let node = names.iter().position(|other| other == name).unwrap();
        motion[node].iter().any(Option::is_some)
    };
    assert!(moved("mixamorig:Head") && moved("mixamorig:LeftLeg") && !moved("Body"));
    // The hips move; the bones below keep the lengths of the model.
    let positions = |name: &str| {
        let node = names.iter().position(|other| other == name).unwrap();
        motion[node][0].is_some()
    };
    assert!(positions("mixamorig:Hips") && !positions("mixamorig:Head"));
    let by_place = onto(&walk("mixamorig:"), &Options::default(), &tree, None).unwrap();
    // Paired by position, the hips compensate the other file's armature. The bones below are the same.
    let spine = names.iter().position(|name| name == "mixamorig:Spine").unwrap();
    assert_eq!(entries(only(&by_place))[spine..], motion[spine..]);
    // Namespace and letter case are ignored.
    let other = onto(&walk("MIXAMORI1:"), &Options::default(), &tree, Some(names)).unwrap();
    assert_eq!(entries(only(&other)), motion);
}

#[test]
fn a_skeleton_of_another_size_moves_by_its_own_lengths() {
    let (tree, names) = model("onto/hero.fbx");
    let half = Options {
        unit_meters: 0.5,
        ..Options::default()
    };
    let same = onto(
        &walk("mixamorig:"),
        &Options::default(),
        &tree,
        Some(names.clone()),
    )
    .unwrap();
    let made = onto(&walk("mixamorig:"), &half, &tree, Some(names)).unwrap();
    let said = made.warnings.iter().map(ToString::to_string).collect::<String>();
    assert!(said.contains("0.5000 times as long"), "{said}");
    let at = |made: &Retargeted| match &entries(only(made))[2][0] {
        Some(ninja::Keys::F(keys)) => keys[0].value,
        other => panic!("{other:?}"),
    };
    for (a, b) in at(&same).into_iter().zip(at(&made)) {
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let (tree, names) = model("onto/hero.fbx");
    let failed = |made: Result<Retargeted, Error>| made.err().unwrap().to_string();
    let none = failed(onto(
        &walk("different_"),
        &Options::default(),
        &tree,
        Some(names.clone()),
    ));
    assert!(
        none.contains("different_Hips") && none.contains("mixamorig:Hips"),
        "{none}"
    );
    // One bone of the model has another name.
    let mut lacking = names.clone();
    let head = lacking.iter().position(|name| name == "mixamorig:Head").unwrap();
    lacking[head] = "mixamorig:Skull".to_owned();
    let made = onto(&walk("mixamorig:"), &Options::default(), &tree, Some(lacking)).unwrap();
    assert_eq!(made.missing, ["mixamorig:Head"]);
    let said = made.warnings.iter().map(ToString::to_string).collect::<String>();
    assert!(said.contains("that the model lacks: mixamorig:Head"), "{said}");
    // Without names, every position must match.
    let mut moved = tree.clone();
    for object in &mut moved.objects {
        object.pos = object.pos.map(|c| c * 2.0);
    }
    let nowhere = failed(onto(&walk("mixamorig:"), &Options::default(), &moved, None));
    assert!(
        nowhere.contains("mixamorig:Hips") && nowhere.contains("no names"),
        "{nowhere}"
    );
    let mut zxy = tree;
    zxy.objects[3].evalflags = zxy.objects[3].evalflags | EvalFlags::ZXY_ANG;
    let refused = failed(onto(&walk("mixamorig:"), &Options::default(), &zxy, Some(names)));
    assert!(
        refused.contains("node 3") && refused.contains("ZXY_ANG"),
        "{refused}"
    );
}
