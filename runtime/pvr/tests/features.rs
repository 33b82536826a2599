//! Exact pixels of rarely used features, computed by hand. The scalar definition and the fast path draw each
//! frame.

use crate::common::{end, full_range, isp, polygon, quad, rect, tsp};
use pvr::*;

const BLACK: u32 = 0xFF00_0000;
const RED: u32 = 0xFFFF_0000;
const GREEN: u32 = 0xFF00_FF00;
const ALL: [f32; 4] = [0.0, 0.0, 32.0, 32.0];

/// A frame of one tile.
fn tile(background: u32) -> Frame {
    let mut frame = Frame::new(32, 32, full_range()).expect("size");
    frame.set_background(Argb(background));
    frame
}

/// Returns the pixels at the middle of these columns, from both paths.
fn pixels<const N: usize>(frame: &mut Frame, columns: [u32; N]) -> [u32; N] {
    let read = |frame: &Frame| {
        let (base, pvr) = (frame.pvr().read_register(reg::FB_W_SOF1), frame.pvr());
        let stride = pvr.read_register(reg::FB_W_LINESTRIDE) * 8;
        columns.map(|x| pvr.vram().read32(Area::Bits32, base + 16 * stride + x * 4))
    };
    frame.render_probed(&mut ()).expect("render");
    let defined = read(frame);
    frame.render(2).expect("render");
    assert_eq!(read(frame), defined);
    defined
}

/// An opaque rectangle that reacts to volumes; with a second colour it has two volumes.
fn shadowed(frame: &mut Frame, place: [f32; 4], z: f32, colours: [u32; 2], two: bool) {
    let pcw = Pcw(0)
        .with_param_type(ParamType::Polygon)
        .with_list(ListType::Opaque)
        .with_shadow(true)
        .with_volume(two);
    frame.block(&[pcw.0, isp().0, tsp().0, 0, tsp().0, 0, 0, 0]);
    let [x0, y0, x1, y1] = place;
    for (last, x, y) in [(false, x0, y0), (false, x1, y0), (false, x0, y1), (true, x1, y1)] {
        let mut block = vertex(last, [x, y, z], [0.0; 2], Argb(colours[0]), Argb(0));
        if two {
            (block[4], block[5]) = (colours[0], colours[1]);
        }
        frame.block(&block);
    }
}

/// Two triangles of a volume over columns `from..to` at a depth; the second closes it unless `instruction` is
/// 0.
fn sheet(frame: &mut Frame, list: ListType, from: f32, to: f32, z: f32, instruction: u32) {
    let corners = [[from, 0.0], [to, 0.0], [from, 32.0], [to, 32.0]];
    for (triangle, instruction) in [([0, 1, 2], 0), ([1, 3, 2], instruction)] {
        let pcw = Pcw(0)
            .with_param_type(ParamType::Polygon)
            .with_list(list)
            .with_volume(instruction != 0);
        frame.block(&[pcw.0, instruction << 29, 0, 0, 0, 0, 0, 0]);
        let mut words = [0xF000_0000; 16];
        for (n, corner) in triangle.into_iter().enumerate() {
            let [x, y] = corners[corner];
            for (word, value) in words[1 + n * 3..].iter_mut().zip([x, y, z]) {
                *word = value.to_bits();
            }
        }
        frame.block(&[0, 1, 2, 3, 4, 5, 6, 7].map(|n| words[n]));
        frame.block(&[8, 9, 10, 11, 12, 13, 14, 15].map(|n| words[n]));
    }
}

/// A volume from depth 0.8 to 0.4 over columns 8 to 24. The polygon at 0.5 is inside, the one at 0.3 is
/// farther away.
#[test]
fn inside_volumes_choose_the_second_colour() {
    let mut frame = tile(BLACK);
    shadowed(&mut frame, [0.0, 0.0, 16.0, 32.0], 0.5, [RED, GREEN], true);
    shadowed(&mut frame, [16.0, 0.0, 32.0, 32.0], 0.3, [RED, GREEN], true);
    end(&mut frame);
    sheet(&mut frame, ListType::OpaqueModifier, 8.0, 24.0, 0.8, 0);
    sheet(&mut frame, ListType::OpaqueModifier, 8.0, 24.0, 0.4, 1);
    end(&mut frame);
    // At 0.5 one side is nearer: odd, inside. At 0.3 both are: even.
    assert_eq!(pixels(&mut frame, [4, 12, 20, 28]), [RED, GREEN, RED, RED]);
}

/// The first volume covers columns 4 to 28, the second, an outside one, 12 to 20. Only their intersection is
/// inside. Pixels without a triangle of the second volume keep their area.
#[test]
fn outside_volumes_take_away() {
    use pvr::settings::OutsideUntouched;
    for (choice, untouched) in [(OutsideUntouched::Keep, GREEN), (OutsideUntouched::Clear, RED)] {
        let settings = Settings {
            outside_untouched: choice,
            ..full_range()
        };
        let mut frame = Frame::new(32, 32, settings).expect("size");
        shadowed(&mut frame, ALL, 0.5, [RED, GREEN], true);
        end(&mut frame);
        sheet(&mut frame, ListType::OpaqueModifier, 4.0, 28.0, 0.8, 1);
        // One layer from 12 to 20, two from 20 to 24: touched, with even parity.
        sheet(&mut frame, ListType::OpaqueModifier, 20.0, 24.0, 0.8, 0);
        sheet(&mut frame, ListType::OpaqueModifier, 12.0, 24.0, 0.7, 2);
        end(&mut frame);
        assert_eq!(
            pixels(&mut frame, [2, 8, 16, 22, 30]),
            [RED, untouched, GREEN, RED, RED],
            "{choice:?}"
        );
    }
}

/// FPU_SHAD_SCALE 0x180: a factor of 129 over 256.
#[test]
fn intensity_volumes_darken() {
    let mut frame = tile(BLACK);
    frame.pvr_mut().write_register(reg::FPU_SHAD_SCALE, 0x180);
    shadowed(&mut frame, [0.0, 0.0, 16.0, 32.0], 0.5, [0xFF80_40FF, 0], false);
    rect(
        &mut frame,
        ListType::Opaque,
        isp(),
        tsp(),
        [16.0, 0.0, 32.0, 32.0],
        0.5,
        0xFF80_40FF,
    );
    end(&mut frame);
    sheet(&mut frame, ListType::OpaqueModifier, 8.0, 24.0, 0.8, 1);
    end(&mut frame);
    // 255 * 129 / 256 = 128, 128 -> 64, 64 -> 32; only where the polygon has the shadow bit.
    assert_eq!(
        pixels(&mut frame, [4, 12, 20]),
        [0xFF80_40FF, 0x8040_2080, 0xFF80_40FF]
    );
}

/// Draws into the second accumulator, and adds it to the first.
#[test]
fn second_accumulator() {
    let mut frame = tile(0xFF10_1010);
    let into = tsp().with_dst_second(true);
    rect(
        &mut frame,
        ListType::Translucent,
        isp(),
        into,
        [0.0, 0.0, 16.0, 32.0],
        0.5,
        0x4020_0000,
    );
    let from = tsp().with_src_second(true).with_dst(BlendFactor::One);
    rect(
        &mut frame,
        ListType::Translucent,
        isp(),
        from,
        ALL,
        0.6,
        0xFFFF_FFFF,
    );
    end(&mut frame);
    // Saturated alpha; the right half adds a second accumulator of 0.
    assert_eq!(pixels(&mut frame, [4, 20]), [0xFF30_1010, 0xFF10_1010]);
}

/// Every entry of the table is 0x80 at both ends: half of the fog.
#[test]
fn fog_modes() {
    let modes = [
        // 0x80 weighs 129 of 256: 255 * 127 / 256 = 126, and 255 * 129 / 256 = 128 of the fog's green.
        (FogMode::Table, 0xFF7E_8000),
        (FogMode::Table2, 0x8000_FF00),
        (FogMode::None, RED),
        // Untextured polygons have no offset colour.
        (FogMode::Vertex, RED),
    ];
    for (mode, expected) in modes {
        let mut frame = tile(BLACK);
        let pvr = frame.pvr_mut();
        pvr.write_register(reg::FOG_COL_RAM, 0x0000_FF00);
        pvr.write_register(reg::FOG_DENSITY, 0x8000);
        for n in 0..128 {
            pvr.write_register(reg::FOG_TABLE + n * 4, 0x8080);
        }
        rect(
            &mut frame,
            ListType::Opaque,
            isp(),
            tsp().with_fog(mode),
            ALL,
            2.0,
            RED,
        );
        end(&mut frame);
        assert_eq!(pixels(&mut frame, [9]), [expected], "{mode:?}");
    }
}

/// A mipmapped 8x8 texture with one colour per level: 1x1 0xF..1, 2x2 0xF..2, 4x4 0xF..4, 8x8 0xF..8.
fn mipmapped(frame: &mut Frame) -> TextureWord {
    let levels = [
        (3, 1, 0xF001u16),
        (4, 4, 0xF002),
        (8, 16, 0xF004),
        (0x18, 64, 0xF008),
    ];
    let mut bytes = vec![0; (0x18 + 64) * 2];
    for (first, count, texel) in levels {
        for n in first..first + count {
            bytes[n * 2..n * 2 + 2].copy_from_slice(&texel.to_le_bytes());
        }
    }
    let address = frame.upload_texture(&bytes, 8).expect("space");
    TextureWord(0)
        .with_format(PixelFormat::Argb4444)
        .with_mip(true)
        .with_address(address)
}

/// 32 pixels over `repeats` times 8 texels: `repeats / 4` texels per pixel.
fn mip_frame(tsp: TspWord, repeats: f32) -> Frame {
    let mut frame = tile(BLACK);
    let tcw = mipmapped(&mut frame);
    let tsp = tsp.with_size(8, 8);
    frame.block(&polygon_header(
        ListType::Opaque,
        isp(),
        tsp,
        Some(tcw),
        PolygonFlags::default(),
    ));
    quad(&mut frame, ALL, 1.0, [0.0, 0.0, repeats, repeats], 0, 0);
    end(&mut frame);
    frame
}

#[test]
fn mip_levels() {
    // Texels per pixel, D adjust in quarters, blue of the level.
    for (repeats, adjust, blue) in [
        (2.0, 4, 8),
        (4.0, 4, 8),
        (8.0, 4, 4),
        (16.0, 4, 2),
        (64.0, 4, 1),
        (4.0, 8, 4),
        (16.0, 2, 4),
    ] {
        let mut frame = mip_frame(tsp().with_mip_adjust(adjust), repeats);
        assert_eq!(
            pixels(&mut frame, [9]),
            [BLACK | (blue * 17)],
            "{repeats} repeats, adjust {adjust}"
        );
    }
}

/// 1.5 texels per pixel: halfway from level 0 to level 1.
#[test]
fn trilinear_passes() {
    use pvr::settings::Trilinear;
    // Blue 0x88 and 0x44, alpha 0xFF, each times 128 / 256. D adjust 5 gives weights of 192 and 64.
    for (trilinear, filter, adjust, expected) in [
        (Trilinear::DFraction, Filter::TrilinearA, 4, 0x7F00_0044),
        (Trilinear::DFraction, Filter::TrilinearB, 4, 0x7F00_0022),
        (Trilinear::AdjustBits, Filter::TrilinearA, 5, 0xBF00_0066),
        (Trilinear::AdjustBits, Filter::TrilinearB, 5, 0x3F00_0011),
        (Trilinear::LonePass, Filter::TrilinearA, 4, 0x7F00_0044),
        // Pass B completes no pass A here, so level 0 is unchanged.
        (Trilinear::LonePass, Filter::TrilinearB, 4, 0xFF00_0088),
    ] {
        let mut frame = mip_frame(tsp().with_mip_adjust(adjust).with_filter(filter), 6.0);
        frame.pvr_mut().set_settings(Settings {
            trilinear,
            ..full_range()
        });
        assert_eq!(pixels(&mut frame, [9]), [expected], "{trilinear:?} {filter:?}");
    }
}

/// Pass B in the translucent list is added to pass A; the level's fraction gives the weights.
#[test]
fn trilinear_pass_b_completes_pass_a() {
    let mut frame = tile(BLACK);
    let tcw = mipmapped(&mut frame);
    let adding = tsp().with_dst(BlendFactor::One).with_filter(Filter::TrilinearB);
    for (list, tsp) in [
        (ListType::Opaque, tsp().with_filter(Filter::TrilinearA)),
        (ListType::Translucent, adding),
    ] {
        let tsp = tsp.with_size(8, 8).with_mip_adjust(4);
        let header = polygon_header(list, isp(), tsp, Some(tcw), PolygonFlags::default());
        frame.block(&header);
        quad(&mut frame, ALL, 1.0, [0.0, 0.0, 6.0, 6.0], 0, 0);
        end(&mut frame);
    }
    assert_eq!(pixels(&mut frame, [9]), [0xFE00_0066]);
}

/// Without mip levels both passes have full weight.
#[test]
fn trilinear_passes_without_levels() {
    for filter in [Filter::TrilinearA, Filter::TrilinearB] {
        let mut frame = tile(BLACK);
        let texels: Vec<u8> = (0..64).flat_map(|_| 0xF123_u16.to_le_bytes()).collect();
        let address = frame.upload_texture(&texels, 8).expect("space");
        let tcw = TextureWord(0)
            .with_format(PixelFormat::Argb4444)
            .with_linear(true)
            .with_address(address);
        let tsp = tsp().with_filter(filter).with_size(8, 8);
        let flags = PolygonFlags::default();
        frame.block(&polygon_header(ListType::Opaque, isp(), tsp, Some(tcw), flags));
        quad(&mut frame, ALL, 1.0, [0.0, 0.0, 1.0, 1.0], 0, 0);
        end(&mut frame);
        assert_eq!(pixels(&mut frame, [9]), [0xFF11_2233], "{filter:?}");
    }
}

/// Opaque polygons with factors ZERO and ZERO: visible in the first pass, unless factors apply there, too.
#[test]
fn opaque_blend_factors() {
    use pvr::settings::OpaqueBlend;
    for (opaque_blend, expected) in [(OpaqueBlend::FirstPassReplaces, RED), (OpaqueBlend::AsGiven, 0)] {
        let mut frame = tile(GREEN);
        frame.pvr_mut().set_settings(Settings {
            opaque_blend,
            ..full_range()
        });
        let nothing = tsp().with_src(BlendFactor::Zero).with_dst(BlendFactor::Zero);
        rect(&mut frame, ListType::Opaque, isp(), nothing, ALL, 0.5, RED);
        end(&mut frame);
        assert_eq!(pixels(&mut frame, [9]), [expected], "{opaque_blend:?}");
    }
}

/// Two entries for one tile. If the second keeps the depth, polygons farther than the first entry's stay
/// hidden; without Z-keep the background is drawn again.
#[test]
fn passes_over_a_tile() {
    for (keep, expected) in [(true, [RED, GREEN]), (false, [GREEN, GREEN])] {
        let mut frame = tile(BLACK);
        rect(
            &mut frame,
            ListType::Opaque,
            isp(),
            tsp(),
            [0.0, 0.0, 16.0, 32.0],
            0.5,
            RED,
        );
        end(&mut frame);
        rect(&mut frame, ListType::Translucent, isp(), tsp(), ALL, 0.4, GREEN);
        end(&mut frame);
        frame.render(1).expect("render");
        let mut results = Vec::new();
        for scalar in [true, false] {
            let pvr = frame.pvr_mut();
            let region = 0x10_0000;
            let first = pvr.read_register(reg::REGION_BASE);
            let (opaque, translucent) = (
                pvr.vram().read32(Area::Bits32, first + 4),
                pvr.vram().read32(Area::Bits32, first + 12),
            );
            let none = 0x8000_0000;
            let second = 1 << 31 | u32::from(keep) << 30;
            let entries = [
                [1 << 28, opaque, none, none, none, none],
                [second, none, none, translucent, none, none],
            ];
            for (word, at) in entries.as_flattened().iter().zip((region..).step_by(4)) {
                pvr.vram_mut().write32(Area::Bits32, at, *word);
            }
            pvr.write_register(reg::REGION_BASE, region);
            if scalar {
                pvr.render_probed(&mut ());
            } else {
                pvr.render(2);
            }
            let base = pvr.read_register(reg::FB_W_SOF1);
            results.push([4, 20].map(|x| pvr.vram().read32(Area::Bits32, base + x * 4)));
            pvr.write_register(reg::REGION_BASE, first);
        }
        assert_eq!(results, [expected; 2], "keep {keep}");
    }
}

/// The probe reports the visibility of primitives.
#[test]
fn probes_see_tests_and_layers() {
    #[derive(Default)]
    struct Log(Vec<(bool, u32)>, Vec<(usize, u32)>);
    impl probe::Probe for Log {
        fn depth_test(&mut self, _: probe::Spot, event: &probe::DepthTest) {
            self.0.push((event.passed, event.polygon.triangle));
        }
        fn shaded(&mut self, _: probe::Spot, event: &probe::Shading) {
            self.1.push((event.layer, event.after[0]));
        }
    }
    let mut frame = tile(BLACK);
    polygon(&mut frame, ListType::Opaque, isp(), tsp(), false);
    quad(&mut frame, ALL, 0.5, [0.0; 4], RED, 0);
    quad(&mut frame, ALL, 0.4, [0.0; 4], GREEN, 0);
    end(&mut frame);
    frame.render(1).expect("render");
    let before = frame.pvr().vram().to_vec(Area::Bits64, 0, VRAM_BYTES);
    let mut log = Log::default();
    frame.pvr().inspect(3, 20, &mut log);
    assert!(
        before == frame.pvr().vram().to_vec(Area::Bits64, 0, VRAM_BYTES),
        "looking changes nothing"
    );
    // Below the diagonal, the first triangle of each rectangle.
    assert_eq!(log.0, [(true, 0), (false, 0)]);
    assert_eq!(log.1, [(0, RED)]);
}
