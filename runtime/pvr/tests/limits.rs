//! Scenes beyond the limits of the fast path have the same result: lists that are too long, and textures with
//! memory that changes after decoding.

#[path = "common/hostile.rs"]
mod hostile;

use crate::common::{at, frame, isp, quad, rect, tsp};
use hostile::*;
use pvr::*;

#[test]
fn lists_over_the_limits_are_drawn_as_defined() {
    type Case = (&'static str, fn(u32) -> Hostile, u32);
    let cases: [Case; 7] = [
        ("many figures", many_figures, 1),
        ("crossing layers", crossing_layers, 1),
        ("punch-through layers", punch_through_layers, 1),
        ("long volumes", long_volumes, 1),
        ("large textures", large_textures, 1),
        ("deep pixels", deep_pixels, 2),
        ("tiles", all_tiles, 70),
    ];
    for (name, make, tiles) in cases {
        let mut defined = make(tiles).pvr;
        let expected = defined.render_probed(&mut ());
        for threads in [1, 2] {
            let mut fast = make(tiles).pvr;
            assert_eq!(fast.render(threads), expected, "{name}");
            assert_eq!(fast.warnings(), defined.warnings(), "{name}");
            assert!(
                fast.vram().bytes() == defined.vram().bytes(),
                "{name}, {threads} threads"
            );
        }
        println!(
            "{name}: {} pixels, {:?}",
            expected.shaded_pixels(),
            defined.warnings()
        );
    }
}

/// Draws a texture of 8x8 texels with 4-bit palette indices over a complete tile; returns the pixel in its
/// middle.
fn middle(frame: &mut Frame, tcw: TextureWord) -> u32 {
    frame.begin();
    let tsp = tsp().with_size(8, 8).with_shading(Shading::Decal);
    let header = polygon_header(ListType::Opaque, isp(), tsp, Some(tcw), PolygonFlags::default());
    frame.block(&header);
    quad(frame, [0.0, 0.0, 32.0, 32.0], 1.0, [0.0, 0.0, 1.0, 1.0], 0, 0);
    frame.block(&end_of_list());
    let image = frame.render(2).expect("render");
    let pixel = image.rgba.as_chunks::<4>().0[16 * 32 + 16];
    u32::from_be_bytes(pixel) >> 8
}

#[test]
fn textures_follow_their_memory() {
    let mut frame = frame(32, 32, 0);
    let red = [0xF800_u16; 64].map(u16::to_le_bytes);
    let address = frame.upload_texture(red.as_flattened(), 8).expect("space");
    let tcw = TextureWord(0)
        .with_format(PixelFormat::Rgb565)
        .with_address(address);
    // 31 of 5 bits is 248 plus its upper bits repeated.
    assert_eq!(middle(&mut frame, tcw), 0x00FF_0000);
    assert_eq!(middle(&mut frame, tcw), 0x00FF_0000);
    let blue = [0x001F_u16; 64].map(u16::to_le_bytes);
    frame
        .pvr_mut()
        .vram_mut()
        .write_bytes(Area::Bits64, address, blue.as_flattened());
    assert_eq!(middle(&mut frame, tcw), 0x0000_00FF, "written by the processor");
    for n in 0..32 {
        frame
            .pvr_mut()
            .vram_mut()
            .write32(Area::Bits64, address + 4 * n, 0xFFFF_FFFF);
    }
    assert_eq!(middle(&mut frame, tcw), 0x00FF_FFFF, "written word by word");
}

#[test]
fn textures_follow_the_palette() {
    let mut frame = frame(32, 32, 0);
    let address = frame.upload_texture(&[0x33; 32], 8).expect("space");
    let tcw = TextureWord(0)
        .with_format(PixelFormat::Pal4)
        .with_address(address);
    frame.pvr_mut().write_register(reg::PAL_RAM_CTRL, 3);
    for colour in [0x0012_3456, 0x0065_4321, 0x0012_3456] {
        frame
            .pvr_mut()
            .write_register(reg::PALETTE_RAM + 4 * 3, 0xFF00_0000 | colour);
        assert_eq!(middle(&mut frame, tcw), colour);
    }
}

/// A tile is drawn over the texels of a used texture, which is then used again.
#[test]
fn textures_follow_what_is_rendered_into_them() {
    let mut frame = frame(32, 32, 0);
    let red = [0xF800_u16; 32 * 32].map(u16::to_le_bytes);
    let address = frame.upload_texture(red.as_flattened(), 8).expect("space");
    let tcw = TextureWord(0)
        .with_format(PixelFormat::Rgb565)
        .with_linear(true)
        .with_address(address);
    assert_eq!(middle(&mut frame, tcw), 0x00FF_0000);
    frame.begin();
    rect(
        &mut frame,
        ListType::Opaque,
        isp(),
        tsp(),
        [0.0, 0.0, 32.0, 32.0],
        1.0,
        0xFF00_FF00,
    );
    frame.block(&end_of_list());
    let shown = frame.render(1).expect("render");
    assert_eq!(shown.rgba[..4], [0, 0xFF, 0, 0xFF]);
    // Draw the lists again into the texture: 565, lines of 64 bytes, through the 64-bit area.
    let pvr = frame.pvr_mut();
    for (register, value) in [
        (reg::FB_W_CTRL, 1),
        (reg::FB_W_LINESTRIDE, 8),
        (reg::FB_W_SOF1, 1 << 24 | address),
    ] {
        pvr.write_register(register, value);
    }
    pvr.render(2);
    assert_eq!(pvr.vram().read16(Area::Bits64, address), 0x07E0);
    assert_eq!(middle(&mut frame, tcw), 0x0000_FF00);
}

#[test]
fn a_frame_is_shown_as_the_framebuffer_holds_it() {
    // Odd sizes, a frame wider than a band of the framebuffer, and an image that had another size.
    let mut image = Image::default();
    for (width, height) in [(33, 65), (1000, 40), (32, 32)] {
        let mut frame = frame(width, height, 0xFF10_2030);
        rect(
            &mut frame,
            ListType::Opaque,
            isp(),
            tsp(),
            [3.0, 5.0, 990.0, 39.0],
            1.0,
            0xFFA0_B0C0,
        );
        frame.block(&end_of_list());
        for threads in [1, 3] {
            frame.render_into(threads, &mut image).expect("render");
            assert_eq!((image.width, image.height), (width, height));
            let pixels: Vec<u32> = image
                .rgba
                .as_chunks::<4>()
                .0
                .iter()
                .map(|pixel| u32::from_be_bytes(*pixel))
                .collect();
            assert_eq!(pixels.len() as u32, width * height);
            for (x, y) in [(0, 0), (2, 5), (3, 5), (31, 8), (32, 31), (width - 1, height - 1)] {
                let inside = x >= 3 && (5..39).contains(&y) && x < 990;
                let expected = if inside { 0xA0B0_C0FF } else { 0x1020_30FF };
                if x < width && y < height {
                    assert_eq!(at(&pixels, width, x, y), expected, "{x}, {y} of {width}x{height}");
                }
            }
        }
    }
}
