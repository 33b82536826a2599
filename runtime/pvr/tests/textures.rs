//! Textured polygons: exact pixels computed by hand.

use crate::common::*;
use pvr::*;

const BLACK: u32 = 0xFF00_0000;
const ALL: [f32; 4] = [0.0, 0.0, 32.0, 32.0];

/// An 8 x 8 linear ARGB4444 texture with the texels `texel(x, y)`.
fn texture(frame: &mut Frame, texel: impl Fn(u32, u32) -> u16) -> TextureWord {
    let texels = (0..8).flat_map(|y| (0..8).map(move |x| (x, y)));
    let bytes: Vec<u8> = texels.flat_map(|(x, y)| texel(x, y).to_le_bytes()).collect();
    let address = frame.upload_texture(&bytes, 8).expect("space");
    TextureWord(0)
        .with_format(PixelFormat::Argb4444)
        .with_linear(true)
        .with_address(address)
}

fn textured(frame: &mut Frame, tsp: TspWord, tcw: TextureWord, uv: [f32; 4], base: u32, offset: Option<u32>) {
    let flags = PolygonFlags {
        offset: offset.is_some(),
        ..PolygonFlags::default()
    };
    let tsp = tsp.with_size(8, 8);
    frame.block(&polygon_header(ListType::Opaque, isp(), tsp, Some(tcw), flags));
    quad(frame, ALL, 1.0, uv, base, offset.unwrap_or(0));
    end(frame);
}

/// Four times the texture's size, u and v from -1 to 3: 32 texels over 32 pixels, so pixel n shows texel n -
/// 8.
#[test]
fn addressing() {
    let column = |clamp, flip| -> Vec<u32> {
        let mut frame = frame(32, 32, BLACK);
        let tcw = texture(&mut frame, |x, y| 0xF000 | (x << 4 | y) as u16);
        let tsp = tsp()
            .with_clamp_u(clamp)
            .with_flip_u(flip)
            .with_clamp_v(clamp)
            .with_flip_v(flip);
        textured(&mut frame, tsp, tcw, [-1.0, -1.0, 3.0, 3.0], BLACK, None);
        let pixels = render(&mut frame);
        let rows: Vec<u32> = (0..32).map(|n| (at(&pixels, 32, 1, n) & 0xFF) / 17).collect();
        let columns: Vec<u32> = (0..32)
            .map(|n| (at(&pixels, 32, n, 1) >> 8 & 0xFF) / 17)
            .collect();
        assert_eq!(rows, columns, "u and v go the same way");
        columns
    };
    let up = [0, 1, 2, 3, 4, 5, 6, 7];
    let down = [7, 6, 5, 4, 3, 2, 1, 0];
    assert_eq!(column(false, false), [up, up, up, up].concat());
    assert_eq!(column(false, true), [down, up, down, up].concat());
    let clamped = [[0; 8], up, [7; 8], [7; 8]].concat();
    assert_eq!(column(true, false), clamped);
    assert_eq!(column(true, true), clamped, "clamp beats flip");
}

/// Texel 0x4_8_4_F (alpha 0x44, red 0x88, green 0x44, blue 0xFF) and vertex colour 0x80FF8010.
#[test]
fn shading_instructions() {
    let cases = [
        (Shading::Decal, 0x4488_44FF),
        // 0x88 * 256 >> 8, 0x44 * 129 >> 8 = 34, 0xFF * 16 >> 8 = 15
        (Shading::Modulate, 0x4488_220F),
        // Texel alpha 0x44 weighs 68, the vertex 188: (136*68 + 255*188) >> 8 = 223, (68*68 + 128*188) >> 8 =
        // 112, (255*68 + 16*188) >> 8 = 79
        (Shading::DecalAlpha, 0x80DF_704F),
        // Alpha 0x44 * 129 >> 8 = 34
        (Shading::ModulateAlpha, 0x2288_220F),
    ];
    for (shading, expected) in cases {
        let mut frame = frame(32, 32, BLACK);
        let tcw = texture(&mut frame, |_, _| 0x484F);
        textured(
            &mut frame,
            tsp().with_shading(shading),
            tcw,
            [0.0, 0.0, 1.0, 1.0],
            0x80FF_8010,
            None,
        );
        assert_eq!(at(&render(&mut frame), 32, 5, 5), expected, "{shading:?}");
    }
}

#[test]
fn offset_colour_and_texture_alpha() {
    let mut frame = frame(32, 32, BLACK);
    let tcw = texture(&mut frame, |_, _| 0x484F);
    let tsp = tsp().with_ignore_texture_alpha(true);
    textured(&mut frame, tsp, tcw, [0.0, 0.0, 1.0, 1.0], 0, Some(0x99A0_1001));
    // 0x88 + 0xA0 saturates, 0x44 + 0x10, 0xFF + 1 saturates; the offset's alpha has no effect.
    assert_eq!(at(&render(&mut frame), 32, 5, 5), 0xFFFF_54FF);
}

/// One texel over four pixels: pixel n samples at (n + 0.5) / 4 texels. HALF_OFFSET bit 2 is set, which
/// subtracts half a texel.
#[test]
fn bilinear_weights() {
    let mut frame = frame(32, 32, BLACK);
    let tcw = texture(&mut frame, |x, _| if x == 1 { 0xFFFF } else { 0xF000 });
    textured(
        &mut frame,
        tsp().with_filter(Filter::Bilinear),
        tcw,
        [0.0, 0.0, 1.0, 1.0],
        0,
        None,
    );
    let pixels = render(&mut frame);
    // Half a texel less: pixel 4 is 160/256 past texel 0, which has the weight 161 of 256: 255 * 161 / 256 =
    // 160.
    // Pixel 7: 96/256 past texel 1, weight 256 - 96.
    assert_eq!(at(&pixels, 32, 4, 9), 0xFFA0_A0A0);
    assert_eq!(at(&pixels, 32, 7, 9), 0xFF9F_9F9F);
    assert_eq!(at(&pixels, 32, 22, 9), BLACK);
}

#[test]
fn texel_offsets() {
    use pvr::settings::TexelOffset;
    // Samples at (n + 0.5) / 4 texels; pixel 4 is at 288/256. An offset of -127 or -128 brings it to texel 0.
    let cases = [
        (TexelOffset::HalfTexel, 7, 0),
        (TexelOffset::HalfTexel, 3, 1),
        (TexelOffset::HalfTexelAll, 7, 0),
        (TexelOffset::HalfTexelAll, 3, 1),
        (TexelOffset::Refsw2025, 7, 1),
        (TexelOffset::Refsw2025, 3, 1),
        (TexelOffset::Refsw2020, 7, 0),
        (TexelOffset::Refsw2020, 3, 1),
        (TexelOffset::None, 7, 1),
        (TexelOffset::GlCentre, 7, 1),
    ];
    for (texel_offset, half, expected) in cases {
        let mut frame = Frame::new(
            32,
            32,
            Settings {
                texel_offset,
                ..full_range()
            },
        )
        .expect("size");
        frame.pvr_mut().write_register(reg::HALF_OFFSET, half);
        let tcw = texture(&mut frame, |x, _| 0xF000 | x as u16);
        textured(&mut frame, tsp(), tcw, [0.0, 0.0, 1.0, 1.0], 0, None);
        let pixels = render(&mut frame);
        assert_eq!(
            (at(&pixels, 32, 4, 9) & 0xFF) / 17,
            expected,
            "{texel_offset:?}, HALF_OFFSET {half}"
        );
    }
}

/// A point-sampled sprite of the texture's size: each pixel samples the centre of its texel. Rounding of the
/// interpolated coordinates must not move a sample over a texel border.
#[test]
fn a_sprite_of_the_textures_size_shows_each_texel_once() {
    for inverse_w in [1.0f32, 0.017, 0.3, 7.3, 1e-3] {
        let mut frame = frame(32, 32, BLACK);
        frame.pvr_mut().write_register(reg::HALF_OFFSET, 7);
        let tcw = texture(&mut frame, |x, y| 0xF000 | (x << 8 | y << 4) as u16);
        let tsp = tsp().with_size(8, 8);
        frame.block(&polygon_header(
            ListType::Opaque,
            isp(),
            tsp,
            Some(tcw),
            PolygonFlags::default(),
        ));
        quad(
            &mut frame,
            [3.0, 5.0, 11.0, 13.0],
            inverse_w,
            [0.0, 0.0, 1.0, 1.0],
            0,
            0,
        );
        end(&mut frame);
        let pixels = render(&mut frame);
        for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))) {
            let expected = 0xFF00_0000 | (x * 17) << 16 | (y * 17) << 8;
            assert_eq!(
                at(&pixels, 32, x + 3, y + 5),
                expected,
                "1/W {inverse_w}, texel {x}, {y}"
            );
        }
    }
}

/// Tests the texture's alpha against PT_ALPHA_REF, if the settings select it.
#[test]
fn punch_through_alpha_source() {
    use pvr::settings::PtAlphaSource;
    for (source, expected) in [(PtAlphaSource::Shaded, 0x00), (PtAlphaSource::Texture, 0xFF)] {
        let mut frame = Frame::new(
            32,
            32,
            Settings {
                pt_alpha_source: source,
                ..full_range()
            },
        )
        .expect("size");
        frame.pvr_mut().write_register(reg::PT_ALPHA_REF, 0x40);
        let tcw = texture(&mut frame, |_, _| 0x8FFF);
        let header = polygon_header(
            ListType::PunchThrough,
            isp(),
            tsp().with_size(8, 8).with_shading(Shading::ModulateAlpha),
            Some(tcw),
            PolygonFlags::default(),
        );
        frame.block(&header);
        // Shaded alpha is 0x88 * 0x40 / 256 = 0x22.
        quad(&mut frame, ALL, 1.0, [0.0, 0.0, 1.0, 1.0], 0x40FF_FFFF, 0);
        end(&mut frame);
        assert_eq!(at(&render(&mut frame), 32, 3, 3) >> 24, expected, "{source:?}");
    }
}
