//! The vertex buffer: weights and slots.

use super::*;

/// Slot 0 from three nodes at x = 0, 2 and 4 with weights of 255, slots 1 and 2 plain.
fn three_stages(weights: [u16; 3], index: i16, offset: u16) -> ObjectTree {
    let mut tree = ObjectTree::new();
    let part = |weight, status: u8| {
        let vertex = Vertex {
            position: [0.0, 5.0, 0.0],
            flags: NinjaFlags { index, weight },
            diffuse: Argb(0xFF00_0001 + u32::from(status)),
            ..Vertex::default()
        };
        VertexChunk::build(VertexKind::CvNfD8, 0x80 | status, offset, &[vertex]).unwrap()
    };
    let plain = TRIANGLE.map(|position| Vertex {
        position,
        ..Vertex::default()
    });
    let plain = VertexChunk::build(VertexKind::Cv, 0x80, 1, &plain[..2]).unwrap();
    add_node(
        &mut tree,
        vec![part(weights[0], 0), plain],
        vec![],
        Object::default(),
    );
    for (status, x) in [(1_u8, 2.0), (2, 4.0)] {
        let plist = if status == 2 { vec![strip(NONE)] } else { vec![] };
        let object = Object {
            pos: [x, 0.0, 0.0],
            ..Object::default()
        };
        add_node(
            &mut tree,
            vec![part(weights[usize::from(status)], status)],
            plist,
            object,
        );
    }
    tree
}

#[test]
fn three_stages_of_weights_add_up() {
    for (weights, index, offset) in [
        ([85, 85, 85], 0, 0),
        ([100, 50, 60], -3, 3),
        ([200, 100, 0], 0, 0),
    ] {
        let found = vertices(&three_stages(weights, index, offset), &view())[0];
        // Sums of weight times (x, 5, -10): not renormalised, but the perspective divides the sum out again.
        let share = weights.map(|w| f64::from(w) / 255.0);
        let (x, all) = (share[1] * 2.0 + share[2] * 4.0, share.iter().sum::<f64>());
        let expected = [
            32.0 + 32.0 * x / (10.0 * all),
            24.0 - 32.0 * 5.0 / 10.0,
            1.0 / (10.0 * all),
        ];
        for k in 0..3 {
            let found = f64::from(f32::from_bits(found[1 + k]));
            assert!(
                (found - expected[k]).abs() < 1.0e-4,
                "{weights:?} {found} {}",
                expected[k]
            );
        }
        // The colour is the last stage's.
        assert_eq!(found[6], 0xFF00_0003);
    }
}

#[test]
fn the_buffer_has_32768_slots_and_no_more() {
    let draws = |offset: u16, count: usize| {
        let vertices = vec![Vertex::default(); count];
        let chunk = VertexChunk::build(VertexKind::Cv, 0x80, offset, &vertices).unwrap();
        let tree = one(vec![chunk], vec![]);
        let pose = Pose::rest(&tree);
        draw(
            &tree,
            &pose,
            &Shapes::none(),
            &view(),
            &mut Reference,
            &mut TaLists::default(),
        )
        .err()
        .map(|error| error.to_string())
    };
    assert_eq!(draws(32_767, 1), None);
    let error = draws(32_767, 2).unwrap();
    assert!(error.contains("slot 32768, expected 0 to 32767"), "{error}");
    let negative = three_stages([1, 1, 1], -1, 0);
    let pose = Pose::rest(&negative);
    let error = draw(
        &negative,
        &pose,
        &Shapes::none(),
        &view(),
        &mut Reference,
        &mut TaLists::default(),
    );
    assert!(error.unwrap_err().to_string().contains("slot -1"));
}
