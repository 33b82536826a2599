//! Translucent pixels equal the definition, for any difference between the order of figures and their depths.

use crate::common::*;
use pvr::*;

/// Number of figures of an image, all over one tile.
const FIGURES: u32 = 24;

/// A random number below `n`.
fn below(state: &mut u32, n: u32) -> f32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    ((*state >> 8) % n) as f32
}

/// Slope of the figures of an image.
#[derive(Debug, Clone, Copy)]
enum Slope {
    /// Parallel to the screen, at few depths: of several at the same depth, the one listed first is the
    /// lowest layer.
    Flat,
    /// Small: neighbours in depth change their order.
    Gentle,
    /// Large: any order of complete figures is wrong at most pixels.
    Steep,
}

/// A tile of triangles, blended in two ways.
fn picture(seed: u32, slope: Slope) -> Frame {
    let mut frame = frame(32, 32, 0xFF20_3040);
    let mut state = seed;
    for _ in 0..FIGURES {
        let dst = [BlendFactor::InverseSrcAlpha, BlendFactor::One][below(&mut state, 2) as usize];
        let tsp = tsp().with_src(BlendFactor::SrcAlpha).with_dst(dst);
        polygon(&mut frame, ListType::Translucent, isp(), tsp, false);
        let z = 1.0 + below(&mut state, 4);
        let colour = 0x4000_0000 | below(&mut state, 1 << 24) as u32;
        for n in 0..3 {
            let own = match slope {
                Slope::Flat => z,
                Slope::Gentle => z + below(&mut state, 64) / 64.0,
                Slope::Steep => 1.0 + below(&mut state, 1000),
            };
            let place = [below(&mut state, 40) - 4.0, below(&mut state, 40) - 4.0, own];
            frame.block(&vertex(n == 2, place, [0.0; 2], Argb(colour), Argb(0)));
        }
    }
    end(&mut frame);
    frame
}

#[test]
fn figures_in_any_order_are_drawn_as_defined() {
    for slope in [Slope::Flat, Slope::Gentle, Slope::Steep] {
        let mut layers = 0;
        for seed in 0..60 {
            let expected = picture(seed, slope).render_probed(&mut ()).expect("render");
            for threads in [1, 2] {
                let mut fast = picture(seed, slope);
                let found = fast.render(threads).expect("render");
                assert_eq!(
                    found.rgba, expected.rgba,
                    "{slope:?}, seed {seed}, {threads} threads"
                );
                layers += fast.stats().sorted_pixels;
            }
        }
        println!("{slope:?}: {layers} sorted pixels");
        assert!(
            layers > 60 * 2 * 1024,
            "{slope:?}: hardly a layer over each other"
        );
    }
}
