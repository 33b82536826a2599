//! Exact pixels of small scenes; the expected values are worked out by hand.

mod common;

use common::*;
use pvr::*;

const RED: u32 = 0xFFFF_0000;
const GREEN: u32 = 0xFF00_FF00;
const BLUE: u32 = 0xFF00_00FF;
const BLACK: u32 = 0xFF00_0000;
const ALL: [f32; 4] = [0.0, 0.0, 32.0, 32.0];

#[test]
fn background_alone() {
    let mut frame = frame(40, 40, 0xFF12_3456);
    let pixels = render(&mut frame);
    assert!(pixels.iter().all(|&p| p == 0xFF12_3456));
    assert_eq!(frame.stats().tiles, 4);
    let image = frame.render(1).expect("render");
    assert_eq!(image.rgba[..4], [0x12, 0x34, 0x56, 255]);
    assert_eq!(image.rgba.len(), 40 * 40 * 4);
}

#[test]
fn a_rectangle_covers_its_pixels_and_no_others() {
    let mut frame = frame(96, 64, BLACK);
    rect(
        &mut frame,
        ListType::Opaque,
        isp(),
        tsp(),
        [10.0, 20.0, 70.0, 50.0],
        1.0,
        RED,
    );
    end(&mut frame);
    let pixels = render(&mut frame);
    for y in 0..64 {
        for x in 0..96 {
            let inside = (10..70).contains(&x) && (20..50).contains(&y);
            assert_eq!(
                at(&pixels, 96, x, y),
                if inside { RED } else { BLACK },
                "at {x}, {y}"
            );
        }
    }
}
