//! Roots of glTF scenes that are children of other nodes.

use convert::Options;
use serde_json::{Value, json};

use crate::glb::Glb;
use crate::gltf_scenes::square;
use crate::{convert_bytes, warnings};

/// UniGLTF lists children of other nodes as roots.
#[test]
fn a_root_of_the_scene_may_be_a_child_of_another_node() {
    let names = |nodes: Value, roots: Value| {
        let mut glb = Glb::default();
        let mut scene = square(&mut glb, json!({}));
        scene["nodes"] = nodes;
        scene["scenes"][0]["nodes"] = roots;
        let conversion = convert_bytes(&glb.write(&scene), &Options::default()).unwrap();
        let nodes = conversion.report.nodes.iter();
        let names: Vec<(String, Option<usize>)> = nodes.map(|n| (n.name.clone(), n.parent)).collect();
        (names, warnings(&conversion))
    };
    let plate = |children: Value| json!({ "name": "plate", "mesh": 0, "children": children });
    let leaf = json!({ "name": "leaf", "mesh": 0 });
    let row = |name: &str, parent| (name.to_owned(), parent);
    // Below a root of the scene it keeps its parent.
    let (below, said) = names(json!([plate(json!([1])), leaf]), json!([0, 1]));
    let plate_at = below.iter().position(|(name, _)| name == "plate");
    assert!(below.contains(&row("leaf", plate_at)), "{below:?}");
    assert!(said.contains("it stays a child"), "{said}");
    // Below a node outside of the scene it becomes a root.
    let (outside, said) = names(json!([plate(json!([1])), leaf]), json!([1]));
    assert!(outside.iter().all(|(name, _)| name != "plate"), "{outside:?}");
    assert!(said.contains("it leaves that node"), "{said}");
    let (twice, said) = names(json!([leaf]), json!([0, 0]));
    assert_eq!(twice.len(), 1, "{twice:?}");
    assert!(said.contains("lists this root node twice"), "{said}");
}
