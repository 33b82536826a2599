//! Exact pixels of small scenes, computed by hand.

use crate::common::*;
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

/// Tests a new depth 1/W = 0.5 against stored depths of 0.25, 0.5 and 1.0.
#[test]
fn depth_modes() {
    let expected = [
        (DepthMode::Never, [false, false, false]),
        (DepthMode::Less, [false, false, true]),
        (DepthMode::Equal, [false, true, false]),
        (DepthMode::LessEqual, [false, true, true]),
        (DepthMode::Greater, [true, false, false]),
        (DepthMode::NotEqual, [true, false, true]),
        (DepthMode::GreaterEqual, [true, true, false]),
        (DepthMode::Always, [true, true, true]),
    ];
    for (mode, passes) in expected {
        let mut frame = frame(32, 32, BLACK);
        for (n, z) in [0.25, 0.5, 1.0].into_iter().enumerate() {
            let place = [n as f32 * 8.0, 0.0, n as f32 * 8.0 + 8.0, 32.0];
            rect(&mut frame, ListType::Opaque, isp(), tsp(), place, z, RED);
        }
        rect(
            &mut frame,
            ListType::Opaque,
            isp().with_depth_mode(mode),
            tsp(),
            ALL,
            0.5,
            GREEN,
        );
        end(&mut frame);
        let pixels = render(&mut frame);
        let found = [4, 12, 20].map(|x| at(&pixels, 32, x, 5) == GREEN);
        assert_eq!(found, passes, "{mode:?}");
    }
}

#[test]
fn depth_write_can_be_off() {
    let mut frame = frame(32, 32, BLACK);
    rect(
        &mut frame,
        ListType::Opaque,
        isp().with_z_write_disable(true),
        tsp(),
        ALL,
        0.9,
        RED,
    );
    rect(
        &mut frame,
        ListType::Opaque,
        isp(),
        tsp(),
        [0.0, 0.0, 16.0, 32.0],
        0.5,
        GREEN,
    );
    end(&mut frame);
    let pixels = render(&mut frame);
    assert_eq!([at(&pixels, 32, 3, 3), at(&pixels, 32, 20, 3)], [GREEN, RED]);
}

/// Two triangles of half of 8 x 8 pixels, one of each winding; area is d = (x1-x3)(y2-y3) - (y1-y3)(x2-x3).
#[test]
fn cull_modes() {
    let cases = [
        (CullMode::None, [true, true]),
        (CullMode::Small, [true, true]),
        (CullMode::Negative, [true, false]),
        (CullMode::Positive, [false, true]),
    ];
    for (mode, drawn) in cases {
        for (area, small) in [(1.0f32, false), (100.0, true)] {
            let mut frame = frame(32, 32, BLACK);
            frame.pvr_mut().write_register(reg::FPU_CULL_VAL, area.to_bits());
            polygon(&mut frame, ListType::Opaque, isp().with_cull(mode), tsp(), false);
            // A(0,0) B(8,0) C(0,8): d = (0-0)(0-8) - (0-8)(8-0) = 64
            for (last, x, y) in [(false, 0.0, 0.0), (false, 8.0, 0.0), (true, 0.0, 8.0)] {
                frame.block(&vertex(last, [x, y, 1.0], [0.0; 2], Argb(RED), Argb(0)));
            }
            // A(16,0) B(16,8) C(24,0): d = (16-24)(8-0) - (0-0)(16-24) = -64
            for (last, x, y) in [(false, 16.0, 0.0), (false, 16.0, 8.0), (true, 24.0, 0.0)] {
                frame.block(&vertex(last, [x, y, 1.0], [0.0; 2], Argb(RED), Argb(0)));
            }
            end(&mut frame);
            let pixels = render(&mut frame);
            let found = [1, 17].map(|x| at(&pixels, 32, x, 1) == RED);
            let expected = if small && mode != CullMode::None {
                [false, false]
            } else {
                drawn
            };
            assert_eq!(found, expected, "{mode:?}, FPU_CULL_VAL {area}");
        }
    }
}

/// All 64 pairs of factors on one source and destination, with factors over 256 as f + f/128.
#[test]
fn blend_factors() {
    use BlendFactor::*;
    let all = [
        Zero,
        One,
        Other,
        InverseOther,
        SrcAlpha,
        InverseSrcAlpha,
        DstAlpha,
        InverseDstAlpha,
    ];
    let (source, dest) = ([0x80u32, 0xC0, 0x40, 0x08], [0x40u32, 0x20, 0xF0, 0xFF]);
    let word = |c: [u32; 4]| c[0] << 24 | c[1] << 16 | c[2] << 8 | c[3];
    let factor = |f, other: [u32; 4], n: usize| match f {
        Zero => 0,
        One => 255,
        Other => other[n],
        InverseOther => 255 - other[n],
        SrcAlpha => 0x80,
        InverseSrcAlpha => 0x7F,
        DstAlpha => 0x40,
        InverseDstAlpha => 0xBF,
    };
    for src in all {
        for dst in all {
            let mut frame = frame(32, 32, word(dest));
            rect(
                &mut frame,
                ListType::Translucent,
                isp(),
                tsp().with_src(src).with_dst(dst),
                ALL,
                1.0,
                word(source),
            );
            end(&mut frame);
            let expected = [0, 1, 2, 3].map(|n| {
                let (f, g) = (factor(src, dest, n), factor(dst, source, n));
                ((source[n] * (f + f / 128) + dest[n] * (g + g / 128)) / 256).min(255)
            });
            assert_eq!(
                at(&render(&mut frame), 32, 9, 9),
                word(expected),
                "{src:?}, {dst:?}"
            );
        }
    }
}

#[test]
fn flat_takes_the_third_vertex_and_gouraud_mixes() {
    // Weights at (3.5, 1.5): 11/16, 3.5/16, 1.5/16 of 240 are 165, 52.5, 22.5; at (11.5, 1.5): 45, 172.5,
    // 22.5. Halves round up.
    for (gouraud, expected) in [(false, [0xFF00_00F0; 2]), (true, [0xFFA5_3517, 0xFF2D_AD17])] {
        let mut frame = frame(32, 32, BLACK);
        polygon(&mut frame, ListType::Opaque, isp(), tsp(), gouraud);
        let corners = [
            (false, 0.0, 0.0, 0xFFF0_0000),
            (false, 16.0, 0.0, 0xFF00_F000),
            (true, 0.0, 16.0, 0xFF00_00F0),
        ];
        for (last, x, y, colour) in corners {
            frame.block(&vertex(last, [x, y, 1.0], [0.0; 2], Argb(colour), Argb(0)));
        }
        end(&mut frame);
        let pixels = render(&mut frame);
        assert_eq!([at(&pixels, 32, 3, 1), at(&pixels, 32, 11, 1)], expected);
    }
}

/// Blue 0 at 1/W = 1 and 200 at 1/W = 1/4.
#[test]
fn colours_are_perspective_correct() {
    let mut frame = frame(32, 32, BLACK);
    polygon(&mut frame, ListType::Opaque, isp(), tsp(), true);
    let corners = [(0.0, 1.0, 0u32), (16.0, 0.25, 200)];
    for (n, (y, (x, z, blue))) in [0.0, 16.0]
        .into_iter()
        .flat_map(|y| corners.map(|c| (y, c)))
        .enumerate()
    {
        frame.block(&vertex(n == 3, [x, y, z], [0.0; 2], Argb(BLACK | blue), Argb(0)));
    }
    end(&mut frame);
    // Pixel 3 is sampled at 3.5 of 16: 1/W = 1 - 0.75 * 3.5/16 = 0.8359; 200 * 0.25 * 3.5/16 / 0.8359 = 13.08
    assert_eq!(at(&render(&mut frame), 32, 3, 3), BLACK | 13);
}

/// Fragments of one pixel are drawn far to near for any order of submission; equal depths are drawn in that
/// order.
#[test]
fn translucent_polygons_are_sorted() {
    let half = tsp()
        .with_src(BlendFactor::SrcAlpha)
        .with_dst(BlendFactor::InverseSrcAlpha);
    let draw = |layers: &[(f32, u32)], presort: bool| {
        let mut frame = frame(32, 32, BLACK);
        for &(z, colour) in layers {
            rect(&mut frame, ListType::Translucent, isp(), half, ALL, z, colour);
        }
        end(&mut frame);
        frame.render(1).expect("render");
        if presort {
            let base = frame.pvr().read_register(reg::REGION_BASE);
            let control = frame.pvr().vram().read32(Area::Bits32, base);
            frame
                .pvr_mut()
                .vram_mut()
                .write32(Area::Bits32, base, control | 1 << 29);
            frame.pvr_mut().render(1);
        } else {
            return at(&render(&mut frame), 32, 8, 8);
        }
        frame
            .pvr()
            .vram()
            .read32(Area::Bits32, frame.pvr().read_register(reg::FB_W_SOF1))
    };
    let (red, green) = (0x80FF_0000, 0x8000_FF00);
    // Weights 129 and 127 of 256: the first layer gives 255 * 129 / 256 = 128, the second keeps 128 * 127 /
    // 256 = 63.
    let red_first = 0x003F_8000;
    let green_first = 0x0080_3F00;
    let rgb = |p: u32| p & 0xFF_FFFF;
    assert_eq!(rgb(draw(&[(0.5, red), (0.75, green)], false)), red_first);
    assert_eq!(rgb(draw(&[(0.75, green), (0.5, red)], false)), red_first);
    assert_eq!(rgb(draw(&[(0.5, red), (0.5, green)], false)), red_first);
    assert_eq!(rgb(draw(&[(0.5, green), (0.5, red)], false)), green_first);
    // Presorted: in the order of submission; the depth test hides farther polygons.
    assert_eq!(rgb(draw(&[(0.5, red), (0.75, green)], true)), red_first);
    assert_eq!(rgb(draw(&[(0.75, green), (0.5, red)], true)), 0x0000_8000);
}

#[test]
fn translucent_behind_opaque_is_hidden() {
    let mut frame = frame(32, 32, BLACK);
    rect(
        &mut frame,
        ListType::Translucent,
        isp().with_depth_mode(DepthMode::Always),
        tsp(),
        ALL,
        0.4,
        RED,
    );
    end(&mut frame);
    rect(
        &mut frame,
        ListType::Opaque,
        isp(),
        tsp(),
        [0.0, 0.0, 16.0, 32.0],
        0.5,
        GREEN,
    );
    end(&mut frame);
    let pixels = render(&mut frame);
    assert_eq!([at(&pixels, 32, 3, 3), at(&pixels, 32, 20, 3)], [GREEN, RED]);
}

/// Nearest first; a fragment with alpha below the reference lets the next one through.
#[test]
fn punch_through_tests_alpha() {
    let mut frame = frame(32, 32, BLACK);
    frame.pvr_mut().write_register(reg::PT_ALPHA_REF, 0x80);
    let blend = tsp()
        .with_src(BlendFactor::SrcAlpha)
        .with_dst(BlendFactor::InverseSrcAlpha);
    let list = ListType::PunchThrough;
    rect(&mut frame, list, isp(), blend, ALL, 0.2, 0x8000_00FF);
    rect(
        &mut frame,
        list,
        isp(),
        blend,
        [0.0, 0.0, 16.0, 32.0],
        0.5,
        0x7FFF_0000,
    );
    rect(
        &mut frame,
        list,
        isp(),
        blend,
        [16.0, 0.0, 32.0, 32.0],
        0.5,
        0x80FF_0000,
    );
    end(&mut frame);
    // Farther than the passing pixel on the right (0.3 against 0.5), nearer on the left (0.2).
    rect(&mut frame, ListType::Translucent, isp(), tsp(), ALL, 0.3, GREEN);
    end(&mut frame);
    let pixels = render(&mut frame);
    assert_eq!([at(&pixels, 32, 3, 3), at(&pixels, 32, 20, 3)], [GREEN, RED]);
}

/// A failing pixel has alpha 0, but is still blended: ONE, ZERO replaces the colour below.
#[test]
fn punch_through_blends_failing_pixels() {
    let mut frame = frame(32, 32, BLUE);
    frame.pvr_mut().write_register(reg::PT_ALPHA_REF, 0x80);
    rect(
        &mut frame,
        ListType::PunchThrough,
        isp(),
        tsp(),
        ALL,
        0.2,
        0x7F12_3456,
    );
    end(&mut frame);
    assert_eq!(at(&render(&mut frame), 32, 3, 3), 0x0012_3456);
}

#[test]
fn punch_through_alpha_255_replaces_blended_alpha() {
    let mut frame = frame(32, 32, BLUE);
    rect(
        &mut frame,
        ListType::PunchThrough,
        isp(),
        tsp(),
        ALL,
        0.2,
        0x0112_3456,
    );
    end(&mut frame);
    assert_eq!(
        at(&render(&mut frame), 32, 3, 3),
        0xFF12_3456,
        "PT_ALPHA_REF is 0, so everything passes"
    );
}

#[test]
fn alpha_of_vertices_counts_only_when_asked() {
    let mut frame = frame(32, 32, BLACK);
    rect(
        &mut frame,
        ListType::Opaque,
        isp(),
        tsp().with_use_alpha(false),
        ALL,
        1.0,
        0x1234_5678,
    );
    end(&mut frame);
    assert_eq!(at(&render(&mut frame), 32, 3, 3), 0xFF34_5678);
}

#[test]
fn colour_clamp_applies_to_all_channels() {
    let mut frame = frame(32, 32, BLACK);
    frame.pvr_mut().write_register(reg::FOG_CLAMP_MIN, 0x2010_1010);
    frame.pvr_mut().write_register(reg::FOG_CLAMP_MAX, 0xF080_80FF);
    rect(
        &mut frame,
        ListType::Opaque,
        isp(),
        tsp().with_colour_clamp(true),
        ALL,
        1.0,
        0x0008_C0FE,
    );
    end(&mut frame);
    assert_eq!(at(&render(&mut frame), 32, 3, 3), 0x2010_80FE);
}

/// Two triangles that share a slanted edge cover every pixel of their rectangle once. With ONE, ONE a second
/// cover would double the colour, and a gap would leave it black.
#[test]
fn shared_edges_have_no_gaps_and_no_overlap() {
    let mut frame = frame(96, 96, BLACK);
    let add = tsp().with_src(BlendFactor::One).with_dst(BlendFactor::One);
    polygon(&mut frame, ListType::Translucent, isp(), add, false);
    quad(&mut frame, [0.0, 0.0, 96.0, 96.0], 1.0, [0.0; 4], 0x0010_2030, 0);
    end(&mut frame);
    assert!(render(&mut frame).iter().all(|&p| p == 0xFF10_2030));
}

/// With integer coordinates and HALF_OFFSET bit 0 clear, samples are exactly on the edges of a rectangle: the
/// top and left edges are drawn, bottom and right are not.
#[test]
fn top_left_rule() {
    // The second order of corners makes the area positive, for which the raw order confuses right and left.
    let negative = [[8.0, 8.0], [8.0, 16.0], [16.0, 8.0], [16.0, 16.0]];
    let positive = [[8.0, 8.0], [16.0, 8.0], [8.0, 16.0], [16.0, 16.0]];
    for (rule, corners, first, last) in [
        (settings::FillRule::TopLeft, negative, 8, 15),
        (settings::FillRule::TopLeft, positive, 8, 15),
        (settings::FillRule::TopLeftRaw, negative, 8, 15),
        (settings::FillRule::TopLeftRaw, positive, 9, 16),
        (settings::FillRule::Inclusive, negative, 8, 16),
        (settings::FillRule::Inclusive, positive, 8, 16),
    ] {
        let settings = Settings {
            fill_rule: rule,
            ..Settings::default()
        };
        let mut frame = Frame::new(32, 32, settings).expect("size");
        frame.pvr_mut().write_register(reg::HALF_OFFSET, 6);
        polygon(&mut frame, ListType::Opaque, isp(), tsp(), false);
        for (n, [x, y]) in corners.into_iter().enumerate() {
            frame.block(&vertex(n == 3, [x, y, 1.0], [0.0; 2], Argb(RED), Argb(0)));
        }
        end(&mut frame);
        let pixels = render(&mut frame);
        for (x, y) in (0..32).flat_map(|y| (0..32).map(move |x| (x, y))) {
            let inside = (first..=last).contains(&x) && (first..=last).contains(&y);
            assert_eq!(at(&pixels, 32, x, y) == RED, inside, "{rule:?} at {x}, {y}");
        }
    }
}

/// A sprite covers its four corners; the other three determine the depth of the fourth.
#[test]
fn sprites() {
    let mut frame = frame(64, 64, BLACK);
    let pcw = Pcw(0)
        .with_param_type(ParamType::Sprite)
        .with_list(ListType::Opaque);
    frame.block(&[pcw.0, isp().0, tsp().0, 0, RED, 0, 0, 0]);
    let [a, b, c, d, e, f] = [10.0f32, 20.0, 40.0, 50.0, 1.0, 0.5].map(f32::to_bits);
    // A(10,20) z 1, B(40,20) z 1, C(40,50) z 0.5, D(10,50)
    frame.block(&[0xF000_0000, a, b, e, c, b, e, c]);
    frame.block(&[d, f, a, d, 0, 0, 0, 0]);
    end(&mut frame);
    // In the middle 1/W is 0.75; a rectangle at 0.7 is visible only below 1/W = 0.7, from y = 38.
    rect(
        &mut frame,
        ListType::Translucent,
        isp(),
        tsp(),
        [0.0, 0.0, 64.0, 64.0],
        0.7,
        GREEN,
    );
    end(&mut frame);
    let pixels = render(&mut frame);
    for (x, y) in (0..64).flat_map(|y| (0..64).map(move |x| (x, y))) {
        let sprite = (10..40).contains(&x) && (20..38).contains(&y);
        assert_eq!(
            at(&pixels, 64, x, y),
            if sprite { RED } else { GREEN },
            "at {x}, {y}"
        );
    }
}
