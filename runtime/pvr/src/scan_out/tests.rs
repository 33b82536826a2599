use super::*;

/// Four pixels wide, two lines.
fn screen(control: u32, words: u32, pixels: &[u8]) -> Pvr {
    let mut pvr = Pvr::new(Settings::default());
    pvr.write_register(reg::VO_CONTROL, 0);
    pvr.write_register(reg::FB_R_CTRL, control | 1);
    pvr.write_register(reg::FB_R_SIZE, 1 << 20 | 1 << 10 | (words - 1));
    pvr.write_register(reg::FB_R_SOF1, 0x1000);
    pvr.vram.write_bytes(Area::Bits32, 0x1000, pixels);
    pvr
}

fn picture(pvr: &Pvr) -> Image {
    pvr.scan_out(pvr.registers(), Field::Both, Border::None)
}

fn rgb(image: &Image, x: u32, y: u32) -> [u8; 3] {
    let at = ((y * image.width + x) * 4) as usize;
    std::array::from_fn(|n| image.rgba[at + n])
}

#[test]
fn depths_and_concat() {
    // 0x7C1F: red 31, blue 31. Concat 5: 31 << 3 | 5 = 253; green 0 << 3 | 5.
    let image = picture(&screen(5 << 4, 2, &[0x1F, 0x7C]));
    assert_eq!((image.width, image.height), (4, 2));
    assert_eq!(rgb(&image, 0, 0), [253, 5, 253]);
    // 565: green has two low bits.
    let image = picture(&screen(1 << 2 | 5 << 4, 2, &[0xE0, 0x07]));
    assert_eq!(rgb(&image, 0, 0), [5, 254, 5]);
    let image = picture(&screen(2 << 2, 3, &[1, 2, 3, 4, 5, 6]));
    assert_eq!(
        (image.width, rgb(&image, 0, 0), rgb(&image, 1, 0)),
        (4, [3, 2, 1], [6, 5, 4])
    );
    let image = picture(&screen(3 << 2, 4, &[1, 2, 3, 4, 5, 6, 7, 8]));
    assert_eq!((image.width, rgb(&image, 1, 0)), (4, [7, 6, 5]));
}

#[test]
fn lines_fields_and_border() {
    let mut pixels = vec![0; 40];
    pixels[16] = 9; // line 1 of 0888
    let mut pvr = screen(3 << 2, 4, &pixels);
    assert_eq!(rgb(&picture(&pvr), 0, 1), [0, 0, 9]);
    pvr.write_register(reg::FB_R_CTRL, 3 << 2 | 3);
    let doubled = picture(&pvr);
    assert_eq!(doubled.height, 4);
    assert_eq!([1, 2, 3].map(|y| rgb(&doubled, 0, y)[2]), [0, 9, 9]);
    pvr.write_register(reg::FB_R_CTRL, 3 << 2 | 1);
    pvr.write_register(reg::SPG_CONTROL, 1 << 4);
    pvr.write_register(reg::FB_R_SOF2, 0x1010);
    let woven = picture(&pvr);
    // SOF2 points to line 1 of the first field.
    assert_eq!([0, 1, 2, 3].map(|y| rgb(&woven, 0, y)[2]), [0, 9, 9, 0]);
    let second = pvr.scan_out(pvr.registers(), Field::Second, Border::None);
    assert_eq!((second.height, rgb(&second, 0, 0)[2]), (2, 9));
    pvr.write_register(reg::VO_CONTROL, 1 << 4);
    let inverse = pvr.scan_out(pvr.registers(), Field::Second, Border::None);
    assert_eq!(rgb(&inverse, 0, 0)[2], 0, "VO_CONTROL 7:4 exchanges the fields");
    pvr.write_register(reg::VO_BORDER_COL, 0x0012_3456);
    pvr.write_register(reg::VO_CONTROL, 1 << 8);
    let framed = pvr.scan_out(pvr.registers(), Field::Both, Border::Pixels(3));
    assert_eq!((framed.width, framed.height), (8 + 6, 4 + 6));
    assert_eq!(rgb(&framed, 2, 5), [0x12, 0x34, 0x56]);
    assert_eq!(rgb(&framed, 4, 4), [0, 0, 9]);
    pvr.write_register(reg::VO_CONTROL, 1 << 3);
    assert_eq!(rgb(&picture(&pvr), 0, 1), [0x12, 0x34, 0x56]);
}

#[test]
fn the_framebuffer_off_is_black_or_border() {
    let mut pvr = screen(3 << 2, 4, &[9; 32]);
    pvr.write_register(reg::VO_BORDER_COL, 0x0012_3456);
    pvr.write_register(reg::FB_R_CTRL, 3 << 2);
    assert_eq!(rgb(&picture(&pvr), 0, 0), [0x12, 0x34, 0x56]);
    pvr.set_settings(Settings {
        fb_disabled: FbDisabled::Black,
        ..Settings::default()
    });
    assert_eq!(rgb(&picture(&pvr), 0, 0), [0, 0, 0]);
}

/// Modes of KallistiOS and others: lines and columns of the framebuffer, and the displayed ones.
#[test]
fn the_picture_is_cropped_to_the_raster() {
    let size = |words: u32, lines: u32, registers: [(u32, u32); 4], control: u32| {
        let mut pvr = screen(1 << 2 | control, words, &[]);
        pvr.write_register(reg::FB_R_SIZE, 1 << 20 | (lines - 1) << 10 | (words - 1));
        for (register, value) in registers {
            pvr.write_register(register, value);
        }
        let image = pvr.scan_out(pvr.registers(), Field::Both, Border::Cropped);
        (image.width, image.height)
    };
    let mode = |lines: u32, blanks: [u32; 2], interlaced: u32, doubled: u32| {
        [
            (reg::SPG_LOAD, (lines - 1) << 16 | 857),
            (reg::SPG_VBLANK, blanks[0] << 16 | blanks[1]),
            (reg::SPG_CONTROL, 0x100 | interlaced << 4),
            (reg::VO_CONTROL, 0x0016_0000 | doubled << 8),
        ]
    };
    // 640 x 480: VGA, NTSC and PAL.
    assert_eq!(size(320, 480, mode(525, [36, 516], 0, 0), 0), (640, 480));
    assert_eq!(size(320, 240, mode(525, [36, 516], 1, 0), 0), (640, 480));
    assert_eq!(size(320, 240, mode(625, [44, 620], 1, 0), 0), (640, 480));
    // 768 x 576 on PAL is wider than the dots between the blanks at reset, 126 to 837.
    assert_eq!(size(384, 288, mode(625, [44, 620], 1, 0), 0), (712, 576));
    // 320 x 240 with pixels doubled: VGA with lines doubled, NTSC and PAL.
    assert_eq!(size(160, 240, mode(525, [24, 263], 0, 1), 2), (640, 480));
    assert_eq!(size(160, 240, mode(263, [24, 263], 0, 1), 0), (640, 240));
    assert_eq!(size(160, 240, mode(313, [44, 620], 0, 1), 0), (640, 240));
    // 480 lines on a television without interlace; start and end of the blanks are swapped.
    assert_eq!(size(160, 480, mode(263, [264, 24], 0, 1), 0), (640, 240));
    // Linux 2.4's driver on VGA.
    assert_eq!(size(320, 480, mode(525, [40, 67], 0, 0), 0), (640, 480));
    assert_eq!(size(320, 480, mode(1, [0, 0], 0, 0), 0), (640, 1));
}

/// 960 x 704 at 36 Hz: registers of the public program gameblabla/960x704_Dreamcast, whose picture a line
/// doubler (OSSC) displays completely.
#[test]
fn a_mode_above_525_lines_shows_its_lines() {
    let mut pvr = screen(2 << 2, 720, &[]);
    for (register, value) in [
        (reg::FB_R_SIZE, 1 << 20 | 703 << 10 | 719),
        (reg::SPG_LOAD, 0x02EB_03FF),
        (reg::SPG_HBLANK, 0x003F_03FF),
        (reg::SPG_VBLANK, 0x0019_02EB),
        (reg::VO_STARTX, 0x3F),
        (reg::VO_STARTY, 0x0019_0019),
    ] {
        pvr.write_register(register, value);
    }
    let size = |border| {
        let image = pvr.scan_out(pvr.registers(), Field::Both, border);
        (image.width, image.height)
    };
    assert_eq!(size(Border::Cropped), (960, 704));
    // A framebuffer of more lines than the raster has left.
    pvr.write_register(reg::FB_R_SIZE, 1 << 20 | 1023 << 10 | 719);
    let image = pvr.scan_out(pvr.registers(), Field::Both, Border::Cropped);
    assert_eq!((image.width, image.height), (960, 748 - 25));
}

/// Sync generator values of a VGA image and of an interlaced NTSC image.
#[test]
fn the_visible_area_follows_the_sync_generator() {
    let mut pvr = screen(1 << 2, 320, &[0xFF; 640 * 2]);
    for (register, value) in [
        (reg::FB_R_SIZE, 1 << 20 | 479 << 10 | 319),
        (reg::SPG_HBLANK, 0x007E_0345),
        (reg::SPG_VBLANK, 0x0028_0208),
        (reg::VO_STARTX, 0xA8),
        (reg::VO_STARTY, 0x0028_0028),
        (reg::VO_BORDER_COL, 0x0000_00FF),
    ] {
        pvr.write_register(register, value);
    }
    let vga = pvr.scan_out(pvr.registers(), Field::Both, Border::Visible);
    // Dots 126 to 837, lines 40 to 520; the image starts at dot 168 and line 40.
    assert_eq!((vga.width, vga.height), (711, 480));
    assert_eq!(rgb(&vga, 41, 0), [0, 0, 255]);
    assert_eq!(rgb(&vga, 42, 0), [248, 252, 248]);
    assert_eq!(rgb(&vga, 42 + 639, 0), [248, 252, 248]);
    assert_eq!(rgb(&vga, 42 + 640, 0), [0, 0, 255]);
    for (register, value) in [
        (reg::FB_R_SIZE, 321 << 20 | 239 << 10 | 319),
        (reg::FB_R_SOF2, 0x1000 + 640 * 2),
        (reg::SPG_CONTROL, 0x150),
        (reg::SPG_VBLANK, 0x0024_0204),
        (reg::VO_STARTY, 0x0014_0014),
    ] {
        pvr.write_register(register, value);
    }
    let ntsc = pvr.scan_out(pvr.registers(), Field::Both, Border::Visible);
    // Half-lines 36 to 516; the image starts at line 20 of each field, which is half-line 40.
    assert_eq!((ntsc.width, ntsc.height), (711, 480));
    assert_eq!(
        [3, 4, 5].map(|y| rgb(&ntsc, 42, y)),
        [[0, 0, 255], [248, 252, 248], [0, 0, 0]]
    );
    let field = pvr.scan_out(pvr.registers(), Field::First, Border::Visible);
    assert_eq!((field.height, rgb(&field, 42, 2)), (240, [248, 252, 248]));
}
