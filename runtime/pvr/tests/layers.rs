//! Translucent pixels have two ways to be ordered, by insertion and by sorting: both draw the same.

mod common;

use common::*;
use pvr::*;

/// Sheets of a pixel; with more than eight the tile is sorted.
const MANY: u32 = 12;

/// A number from a seed.
fn next(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *state >> 8
}

fn sheet(frame: &mut Frame, corners: [f32; 4], z: f32, colour: u32) {
    let tsp = tsp()
        .with_src(BlendFactor::SrcAlpha)
        .with_dst(BlendFactor::InverseSrcAlpha);
    polygon(frame, ListType::Translucent, isp(), tsp, false);
    quad(frame, corners, z, [0.0; 4], colour, 0);
}

/// Seven overlapping sheets, some of equal depth, and in the corner pixel of the tile a stack of `stack` more.
fn picture(seed: u32, stack: u32) -> Vec<u32> {
    let mut frame = frame(32, 32, 0xFF20_3040);
    let mut state = seed;
    for _ in 0..7 {
        let [x, y, w, h] = [0, 1, 2, 3].map(|_| (next(&mut state) % 20) as f32);
        let z = 1.0 + (next(&mut state) % 4) as f32;
        sheet(
            &mut frame,
            [x, y, x + w + 1.0, y + h + 1.0],
            z,
            0x8000_0000 | next(&mut state),
        );
    }
    for n in 0..stack {
        sheet(
            &mut frame,
            [31.0, 31.0, 32.0, 32.0],
            10.0 + n as f32,
            0x4000_0000 | next(&mut state),
        );
    }
    end(&mut frame);
    render(&mut frame)
}

#[test]
fn insertion_and_sorting_draw_the_same() {
    for seed in 0..200 {
        let (inserted, sorted) = (picture(seed, 0), picture(seed, MANY));
        assert_eq!(inserted[..1023], sorted[..1023], "seed {seed}");
        assert_ne!(inserted[1023], sorted[1023], "the stack is drawn");
    }
}
