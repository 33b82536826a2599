//! Trees with known images: positions of vertices, their order and winding, and their colours.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use ninja::{
    Argb, Bams, Blend, EvalFlags, FV_CONT, Material, Model, NinjaFlags, Object, ObjectId, ObjectTree, Plist,
    PolyChunk, StripChunk, StripEntry, StripFlags, StripKind, StripSource, Tiny, Vertex, VertexChunk,
    VertexKind, Vlist,
};
use pvr::TextureWord;
use scene::{
    BoundTexture, Camera, Lights, Pose, SceneError, Settings, Shapes, Stats, TaLists, Textures, View,
    Viewport, Warning,
};
use sh4_kernels::Reference;

/// A view from (0, 0, 10) to the origin; a point (x, y, 0) is at pixel (32 + 3.2 x, 24 - 3.2 y).
fn view() -> View {
    let checker = BoundTexture {
        word: TextureWord(0),
        width: 8,
        height: 8,
    };
    let mut viewport = Viewport::new(64, 48, 1.0, 0.5);
    viewport.words = [32.0, -32.0, 32.0, 24.0];
    View {
        camera: Camera {
            target: [0.0; 3],
            yaw: Bams(0),
            pitch: Bams(0),
            distance: 10.0,
            roll: Bams(0),
        },
        viewport,
        lights: Lights::single([0.0, 0.0, 1.0], [0.5; 3], [0.25; 3]),
        settings: Settings::default(),
        textures: Textures {
            bound: Vec::new(),
            checker,
        },
    }
}

/// Adds the root of a tree, without a model.
fn root(tree: &mut ObjectTree) -> ObjectId {
    tree.push_object(Object::default())
}

fn child(tree: &mut ObjectTree, parent: ObjectId, object: Object) -> ObjectId {
    tree.push_child(parent, object).unwrap()
}

fn model(tree: &mut ObjectTree, chunks: Vec<VertexChunk>, plist: Vec<PolyChunk>) -> Option<ninja::ModelId> {
    let vlist = Some(tree.push_vlist(Vlist { chunks }));
    let plist = Some(tree.push_plist(Plist { chunks: plist }));
    Some(tree.push_model(Model {
        vlist,
        plist,
        center: [0.0; 3],
        radius: 1.0,
    }))
}

/// CV_VN vertices facing the camera.
fn vertices(offset: u16, positions: &[[f32; 3]]) -> VertexChunk {
    let vertices: Vec<Vertex> = positions
        .iter()
        .map(|&position| Vertex {
            position,
            normal: [0.0, 0.0, 1.0],
            ..Vertex::default()
        })
        .collect();
    VertexChunk::build(VertexKind::CvVn, FV_CONT, offset, &vertices).unwrap()
}

fn strip(flags: StripFlags, reversed: bool, indices: &[u16]) -> PolyChunk {
    let entries = indices
        .iter()
        .map(|&index| StripEntry {
            index,
            ..StripEntry::default()
        })
        .collect();
    PolyChunk::Strip(StripChunk::build(StripKind::Cs, flags, &[StripSource { reversed, entries }]).unwrap())
}

const TRIANGLE: [[f32; 3]; 3] = [[-5.0, -5.0, 0.0], [5.0, -5.0, 0.0], [0.0, 5.0, 0.0]];

/// Draws `tree` at rest.
fn draw(tree: &ObjectTree, lists: &mut TaLists) -> Result<Stats, SceneError> {
    let pose = Pose::rest(tree);
    scene::draw(tree, &pose, &Shapes::none(), &view(), &mut Reference, lists)
}

/// Vertex parameters: x, y, base colour.
fn drawn(tree: &ObjectTree) -> Result<Vec<(f32, f32, u32)>, SceneError> {
    let mut lists = TaLists::default();
    draw(tree, &mut lists)?;
    let vertex = |block: &[u32; 8]| block[0] >> 29 == 7;
    let blocks = lists.blocks();
    let position = |word: u32| (f32::from_bits(word) * 1000.0).round() / 1000.0;
    Ok(blocks
        .iter()
        .filter(|b| vertex(b))
        .map(|b| (position(b[1]), position(b[2]), b[6]))
        .collect())
}

fn places(tree: &ObjectTree) -> Vec<(f32, f32)> {
    drawn(tree).unwrap().into_iter().map(|(x, y, _)| (x, y)).collect()
}

/// A tree of one node with the triangle.
fn single(object: Object) -> ObjectTree {
    let mut tree = ObjectTree::new();
    let model = model(
        &mut tree,
        vec![vertices(0, &TRIANGLE)],
        vec![strip(StripFlags::default(), false, &[0, 1, 2])],
    );
    tree.push_object(Object { model, ..object });
    tree
}

#[test]
fn a_triangle_lands_where_the_projection_says() {
    assert_eq!(
        places(&single(Object::default())),
        [(16.0, 40.0), (48.0, 40.0), (32.0, 8.0)]
    );
}

#[test]
fn reversed_strips_send_their_first_vertex_twice() {
    let mut tree = ObjectTree::new();
    let model = model(
        &mut tree,
        vec![vertices(0, &TRIANGLE)],
        vec![strip(StripFlags::default(), true, &[1, 0, 2])],
    );
    tree.push_object(Object {
        model,
        ..Object::default()
    });
    assert_eq!(
        places(&tree),
        [(48.0, 40.0), (48.0, 40.0), (16.0, 40.0), (32.0, 8.0)]
    );
}

#[test]
fn lit_colour_is_light_times_material() {
    // Facing the light: 0.25 * 200 + 0.5 * 100 = 100; 0.25 * 40 + 0.5 * 60 = 40; 0.25 * 8 + 0.5 * 255 =
    // 129.5, truncated.
    let mut tree = ObjectTree::new();
    let material = Material {
        blend: Blend::ALPHA,
        diffuse: Some(Argb(0x8064_3CFF)),
        ambient: Some(Argb(0xFFC8_2808)),
        ..Material::default()
    };
    let flags = StripFlags::default();
    let chunks = vec![
        PolyChunk::Material(material),
        strip(flags, false, &[0, 1, 2]),
        strip(StripFlags::IGNORE_LIGHT, false, &[0, 1, 2]),
        strip(StripFlags::IGNORE_AMBIENT, false, &[0, 1, 2]),
    ];
    let model = model(&mut tree, vec![vertices(0, &TRIANGLE)], chunks);
    tree.push_object(Object {
        model,
        ..Object::default()
    });
    let colours: Vec<u32> = drawn(&tree).unwrap().iter().step_by(3).map(|v| v.2).collect();
    assert_eq!(colours, [0xFF64_2881, 0xFF64_3CFF, 0xFF32_1E7F]);
}

#[test]
fn vertex_colours_beat_the_material() {
    let mut tree = ObjectTree::new();
    let coloured: Vec<Vertex> = TRIANGLE
        .iter()
        .map(|&position| Vertex {
            position,
            diffuse: Argb(0x4011_2233),
            ..Vertex::default()
        })
        .collect();
    let chunk = VertexChunk::build(VertexKind::CvD8, 0, 0, &coloured).unwrap();
    let model = model(
        &mut tree,
        vec![chunk],
        vec![strip(StripFlags::default(), false, &[0, 1, 2])],
    );
    tree.push_object(Object {
        model,
        ..Object::default()
    });
    assert!(drawn(&tree).unwrap().iter().all(|v| v.2 == 0x4011_2233));
}

#[test]
fn unit_flags_beat_values() {
    let moved = Object {
        pos: [1.0, 0.0, 0.0],
        ..Object::default()
    };
    assert_eq!(places(&single(moved))[2], (35.2, 8.0));
    let unit = Object {
        evalflags: EvalFlags::UNIT_POS,
        ..moved
    };
    assert_eq!(places(&single(unit))[2], (32.0, 8.0));
    let scaled = Object {
        scl: [1.0, 0.5, 1.0],
        ..Object::default()
    };
    assert_eq!(places(&single(scaled))[2], (32.0, 16.0));
}

#[test]
fn rotations_turn_in_the_order_of_the_flags() {
    // A quarter about x and then about z takes (0, 5, 0) to (0, 0, 5), which z leaves: nearer, in the middle.
    let ang = [Bams(0x4000), Bams(0), Bams(0x4000)];
    assert_eq!(
        places(&single(Object {
            ang,
            ..Object::default()
        }))[2],
        (32.0, 24.0)
    );
    // z first takes it to (-5, 0, 0), which x leaves: 32 - 16.
    let zxy = Object {
        ang,
        evalflags: EvalFlags::ZXY_ANG,
        ..Object::default()
    };
    assert_eq!(places(&single(zxy))[2], (16.0, 24.0));
}

#[test]
fn hidden_nodes_keep_their_children_and_break_cuts_them() {
    let tree = |evalflags| {
        let mut tree = single(Object {
            evalflags,
            pos: [1.0, 0.0, 0.0],
            ..Object::default()
        });
        let model = model(
            &mut tree,
            vec![vertices(8, &TRIANGLE)],
            vec![strip(StripFlags::default(), false, &[8, 9, 10])],
        );
        child(
            &mut tree,
            ObjectId(0),
            Object {
                model,
                ..Object::default()
            },
        );
        places(&tree)
    };
    assert_eq!(tree(EvalFlags::default()).len(), 6);
    // The child still moves with its parent.
    assert_eq!(tree(EvalFlags::HIDE), [(19.2, 40.0), (51.2, 40.0), (35.2, 8.0)]);
    assert_eq!(tree(EvalFlags::BREAK).len(), 3);
}

/// One weighted vertex in slot 0 and two plain ones, over two nodes; the strip is drawn by the second.
fn weighted(weights: [u16; 2]) -> ObjectTree {
    let mut tree = ObjectTree::new();
    let part = |weight, status| {
        let vertex = Vertex {
            position: [0.0, 5.0, 0.0],
            normal: [0.0, 0.0, 1.0],
            flags: NinjaFlags { index: 0, weight },
            ..Vertex::default()
        };
        VertexChunk::build(VertexKind::CvVnNf, FV_CONT | status, 0, &[vertex]).unwrap()
    };
    let first = model(
        &mut tree,
        vec![part(weights[0], 0), vertices(1, &TRIANGLE[..2])],
        vec![],
    );
    tree.push_object(Object {
        model: first,
        ..Object::default()
    });
    let second = model(
        &mut tree,
        vec![part(weights[1], 2)],
        vec![strip(StripFlags::default(), false, &[1, 2, 0])],
    );
    child(
        &mut tree,
        ObjectId(0),
        Object {
            pos: [4.0, 0.0, 0.0],
            model: second,
            ..Object::default()
        },
    );
    tree
}

#[test]
fn weights_blend_and_are_not_renormalised() {
    // Half of (0, 5) and half of (4, 5), nearly: weights 128 and 127 of 255 give x = 4 * 127 / 255.
    let x = 32.0 + 3.2 * 4.0 * 127.0 / 255.0;
    let place = places(&weighted([128, 127]))[2];
    assert!(
        (place.0 - x).abs() < 0.002 && (place.1 - 8.0).abs() < 0.002,
        "{place:?}"
    );
    // 51 + 102 of 255 is 0.6 of everything, the distance of 10 included: the picture is the same direction.
    let place = places(&weighted([51, 102]))[2];
    let expected = (32.0 + 32.0 * (4.0 * 0.4) / 6.0, 24.0 - 32.0 * 3.0 / 6.0);
    assert!(
        (place.0 - expected.0).abs() < 0.01 && (place.1 - expected.1).abs() < 0.01,
        "{place:?}"
    );
}

#[test]
fn a_remembered_list_draws_the_buffer_as_it_is_then() {
    let mut tree = ObjectTree::new();
    let cached = vec![
        PolyChunk::CachePolygons(7),
        strip(StripFlags::default(), false, &[0, 1, 2]),
    ];
    let first = model(&mut tree, vec![vertices(0, &TRIANGLE)], cached);
    tree.push_object(Object {
        model: first,
        ..Object::default()
    });
    // The second node replaces vertex 2 before it lets the list run.
    let second = model(
        &mut tree,
        vec![vertices(2, &[[0.0, 0.0, 0.0]])],
        vec![PolyChunk::DrawPolygons(7)],
    );
    child(
        &mut tree,
        ObjectId(0),
        Object {
            model: second,
            ..Object::default()
        },
    );
    assert_eq!(places(&tree), [(16.0, 40.0), (48.0, 40.0), (32.0, 24.0)]);
}

#[test]
fn what_cannot_be_drawn_says_where() {
    let broken = |plist: Vec<PolyChunk>| {
        let mut tree = ObjectTree::new();
        root(&mut tree);
        let model = model(&mut tree, vec![vertices(0, &TRIANGLE)], plist);
        child(
            &mut tree,
            ObjectId(0),
            Object {
                model,
                offset: 0x34,
                ..Object::default()
            },
        );
        drawn(&tree).unwrap_err().to_string()
    };
    let error = broken(vec![
        PolyChunk::Null,
        strip(StripFlags::default(), false, &[0, 1, 9]),
    ]);
    assert!(
        error.contains("node 1 at 0x34, plist chunk 1") && error.contains("index 9"),
        "{error}"
    );
    let error = broken(vec![PolyChunk::DrawPolygons(3)]);
    assert!(
        error.contains("(DP) 3: no earlier chunk (CP) stores a list of that number"),
        "{error}"
    );
}

#[test]
fn a_list_that_leads_back_to_itself_is_refused() {
    let mut tree = ObjectTree::new();
    let cached = vec![PolyChunk::CachePolygons(0), PolyChunk::DrawPolygons(0)];
    let first = model(&mut tree, vec![vertices(0, &TRIANGLE)], cached);
    tree.push_object(Object {
        model: first,
        ..Object::default()
    });
    let second = model(&mut tree, vec![], vec![PolyChunk::DrawPolygons(0)]);
    child(
        &mut tree,
        ObjectId(0),
        Object {
            model: second,
            ..Object::default()
        },
    );
    // CP ends the list, so the DP after it runs only through the second node.
    let error = drawn(&tree).unwrap_err().to_string();
    assert!(
        error.contains("node 1") && error.contains("leads back to itself"),
        "{error}"
    );
}

#[test]
fn triangles_are_cut_at_the_near_plane() {
    let mut tree = ObjectTree::new();
    let mut positions = TRIANGLE.to_vec();
    // A point past the camera at z = 10. The plane is at z = 9.5: edges of (.., 0) to (.., 12) cross it after
    // 9.5 / 12.
    positions.push([0.0, 0.0, 12.0]);
    let model = model(
        &mut tree,
        vec![vertices(0, &positions)],
        vec![strip(StripFlags::default(), false, &[0, 1, 2, 3])],
    );
    tree.push_object(Object {
        model,
        ..Object::default()
    });
    // Whole: (0, 1, 2). Clipped: (2, 1, 3) loses 3: corner 1 gives (5, -5) * 2.5 / 12, from 2 (0, 5) * 2.5 /
    // 12, half a unit from the eye: 64 pixels a unit.
    let off = 64.0 * 5.0 * 2.5 / 12.0;
    let expected = [
        (16.0, 40.0),
        (48.0, 40.0),
        (32.0, 8.0),
        (32.0, 24.0 - off),
        (32.0, 8.0),
        (32.0 + off, 24.0 + off),
        (48.0, 40.0),
    ];
    for (found, expected) in places(&tree).iter().zip(expected) {
        let near = |a: f32, b: f32| (a - b).abs() < 0.002;
        assert!(
            near(found.0, expected.0) && near(found.1, expected.1),
            "{found:?} {expected:?}"
        );
    }
    assert_eq!(places(&tree).len(), 7);
}

#[test]
fn a_missing_texture_is_one_warning() {
    let mut tree = ObjectTree::new();
    let textured = |indices: &[u16]| {
        let entries = indices
            .iter()
            .map(|&index| StripEntry {
                index,
                uv: [256, 0],
                ..StripEntry::default()
            })
            .collect();
        let source = StripSource {
            reversed: false,
            entries,
        };
        PolyChunk::Strip(StripChunk::build(StripKind::CsUvn, StripFlags::default(), &[source]).unwrap())
    };
    let tiny = PolyChunk::Texture(Tiny {
        texture: 5,
        ..Tiny::default()
    });
    let chunks = vec![tiny, textured(&[0, 1, 2]), textured(&[0, 1, 2])];
    let model = model(&mut tree, vec![vertices(0, &TRIANGLE)], chunks);
    tree.push_object(Object {
        model,
        ..Object::default()
    });
    let mut lists = TaLists::default();
    let stats = draw(&tree, &mut lists).unwrap();
    assert_eq!(
        stats.warnings.into_iter().collect::<Vec<_>>(),
        [(Warning::MissingTexture { first: 5 }, 2)]
    );
    let blocks = lists.blocks();
    // One header for both strips; u = 256 / 256.
    assert_eq!(blocks.iter().filter(|b| b[0] >> 29 == 4).count(), 1);
    assert_eq!(f32::from_bits(blocks[1][4]), 1.0);
}
