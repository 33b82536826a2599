//! Compares the k-buffer with blending in an order written by hand.

use super::super::super::isa::Baseline;
use super::*;
use crate::core::colour;
use crate::core::plane::Corners;
use crate::param::BlendFactor;
use crate::settings::WeightScale;

const OVER: TspWord = TspWord(0x9400_0000);
const SUM: TspWord = TspWord(0x2400_0000);

/// Returns a plane of constant depth.
fn flat(z: f64) -> Plane {
    Corners::new([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).plane([z; 3])
}

/// Primitives of one row of pixels each: mask, depth, TSP word.
fn draw(primitives: &[(u32, f64, TspWord)]) -> (Box<KBuffer>, [u32; PADDED]) {
    let mut k_buffer = Box::<KBuffer>::default();
    k_buffer.clear();
    let mut colours = [0x8010_2030; PADDED];
    for (tag, &(mask, z, tsp)) in primitives.iter().enumerate() {
        insert::<Baseline>(
            Baseline,
            Insertion {
                k_buffer: &mut k_buffer,
                first: 1,
                masks: &[mask],
                z: &flat(z),
                x: 0.0,
                y: 0.0,
                store: DepthStore::F32,
                number: FragmentOrder::new(tag as u32, tsp),
                from: &[own_colour(tag); PADDED],
                colours: &mut colours,
            },
        );
    }
    flush::<Baseline>(
        Baseline,
        Flush {
            k_buffer: &k_buffer,
            colours: &mut colours,
        },
    );
    (k_buffer, colours)
}

fn own_colour(tag: usize) -> u32 {
    0x6037_1155_u32.wrapping_mul(2 * tag as u32 + 3)
}

/// Blends primitives in an order.
fn blended(primitives: &[(u32, f64, TspWord)], order: &[usize]) -> u32 {
    order.iter().fold(0x8010_2030, |on, &tag| {
        let tsp = primitives[tag].2;
        colour::blend(WeightScale::Scaled256, tsp.src(), tsp.dst(), own_colour(tag), on)
    })
}

#[test]
fn fragments_are_blended_from_far_to_near() {
    assert_eq!(
        [OVER.src(), OVER.dst()],
        [BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha]
    );
    assert_eq!([SUM.src(), SUM.dst()], [BlendFactor::One, BlendFactor::One]);
    let (wide, narrow) = (0x000F_FFF0, 0x0000_0300);
    // Each primitive is at most two places late. At equal depths, the one listed first is blended first.
    let primitives = [
        (wide, 3.0, OVER),
        (narrow, 1.0, SUM),
        (wide, 2.0, SUM),
        (wide, 4.0, OVER),
        (wide, 3.0, OVER),
        (narrow, 9.0, SUM),
        (wide, 8.0, OVER),
    ];
    let (k_buffer, colours) = draw(&primitives);
    assert_eq!(k_buffer.late, [0; TILE]);
    for (pixel, &found) in colours[TILE..2 * TILE].iter().enumerate() {
        let order: &[usize] = match pixel {
            8 | 9 => &[1, 2, 0, 4, 3, 6, 5],
            4..20 => &[2, 0, 4, 3, 6],
            _ => &[],
        };
        assert_eq!(found, blended(&primitives, order), "pixel {pixel}");
    }
    assert_eq!(colours[..TILE], [0x8010_2030; TILE]);
}

#[test]
fn a_fragment_farther_than_one_that_is_blended_is_late() {
    let primitives = |last| [(1, 3.0, OVER), (3, 4.0, OVER), (3, 5.0, OVER), (3, last, OVER)];
    let (k_buffer, _) = draw(&primitives(1.0));
    assert_eq!(k_buffer.late[1], 1, "the other pixel keeps two and has had three");
    let (k_buffer, colours) = draw(&primitives(3.0));
    assert_eq!(k_buffer.late[1], 0, "the same depth, listed later");
    assert_eq!(colours[TILE], blended(&primitives(3.0), &[0, 3, 1, 2]));
}
