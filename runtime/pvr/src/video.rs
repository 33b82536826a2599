//! Video output: the framebuffer that FB_R_* describe, as RGB (`facts/pvr2.md` section 9; fields of FB_R_SIZE,
//! SPG_CONTROL and VO_CONTROL as KallistiOS programs them).

use crate::frame::Image;
use crate::pvr::Pvr;
use crate::regs::{Registers, reg};
use crate::settings::FbConcatGreen;
use crate::vram::Vram;

/// FB_R_CTRL 3:2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Rgb0555,
    Rgb565,
    Rgb888,
    Rgb0888,
}

impl Depth {
    fn bytes(self) -> u32 {
        match self {
            Self::Rgb0555 | Self::Rgb565 => 2,
            Self::Rgb888 => 3,
            Self::Rgb0888 => 4,
        }
    }
}

/// What the video registers ask for.
#[derive(Debug)]
struct Video {
    depth: Depth,
    /// Low bits of five-bit channels, and of six-bit green.
    concat: [u32; 2],
    shown: bool,
    double_lines: bool,
    double_pixels: bool,
    /// Start of the first field and, if there are two, of the second.
    fields: [Option<u32>; 2],
    /// Pixels of a line.
    width: u32,
    /// Lines of a field.
    lines: u32,
    /// Bytes from one line of a field to the next.
    stride: u32,
}

impl Video {
    fn new(regs: &Registers, green: FbConcatGreen) -> Self {
        let control = regs.get(reg::FB_R_CTRL);
        let output = regs.get(reg::VO_CONTROL);
        let size = regs.get(reg::FB_R_SIZE);
        let depth = match control >> 2 & 3 {
            0 => Depth::Rgb0555,
            1 => Depth::Rgb565,
            2 => Depth::Rgb888,
            _ => Depth::Rgb0888,
        };
        let concat = control >> 4 & 7;
        let interlaced = regs.get(reg::SPG_CONTROL) >> 4 & 1 != 0;
        // Both in 32-bit words; the modulus counts from the last word of a line, so 1 leaves no gap.
        let (words, modulus) = ((size & 0x3FF) + 1, size >> 20 & 0x3FF);
        let start = |register: u32| regs.get(register) & 0xFF_FFFC;
        Self {
            depth,
            concat: match green {
                FbConcatGreen::High => [concat, concat >> 1],
                FbConcatGreen::Low => [concat, concat & 3],
            },
            shown: control & 1 != 0 && output >> 3 & 1 == 0,
            double_lines: control >> 1 & 1 != 0,
            double_pixels: output >> 8 & 1 != 0,
            fields: [
                Some(start(reg::FB_R_SOF1)),
                interlaced.then(|| start(reg::FB_R_SOF2)),
            ],
            width: words * 4 / depth.bytes(),
            lines: (size >> 10 & 0x3FF) + 1,
            stride: (words + modulus).wrapping_sub(1) * 4,
        }
    }

    /// The address of a picture line; fields alternate, then lines may be doubled.
    fn line(&self, y: u32) -> u32 {
        let y = if self.double_lines { y / 2 } else { y };
        match self.fields {
            [Some(first), Some(second)] => {
                (if y & 1 == 0 { first } else { second }).wrapping_add(y / 2 * self.stride)
            }
            [first, _] => first.unwrap_or(0).wrapping_add(y * self.stride),
        }
    }

    fn picture_size(&self) -> (u32, u32) {
        let fields = if self.fields[1].is_some() { 2 } else { 1 };
        let doubled = |n: u32, on: bool| if on { 2 * n } else { n };
        (
            doubled(self.width, self.double_pixels),
            doubled(self.lines * fields, self.double_lines),
        )
    }

    /// Red, green, blue of the pixel at a byte address of the 32-bit area.
    fn pixel(&self, vram: &Vram, address: u32) -> [u8; 3] {
        let byte = |n: u32| u32::from(vram.read8(address.wrapping_add(n)));
        let short = || byte(0) | byte(1) << 8;
        let [five, six] = self.concat;
        let rgb = match self.depth {
            Depth::Rgb0555 => {
                let word = short();
                [10, 5, 0].map(|shift| (word >> shift & 0x1F) << 3 | five)
            }
            Depth::Rgb565 => {
                let word = short();
                [
                    word >> 11 << 3 | five,
                    (word >> 5 & 0x3F) << 2 | six,
                    (word & 0x1F) << 3 | five,
                ]
            }
            Depth::Rgb888 | Depth::Rgb0888 => [byte(2), byte(1), byte(0)],
        };
        rgb.map(|channel| channel as u8)
    }
}

impl Pvr {
    /// The picture on the screen: the framebuffer that FB_R_CTRL, FB_R_SOF1/2 and FB_R_SIZE describe, with `border`
    /// pixels of VO_BORDER_COL on each side. Fields of an interlaced mode are woven. With the framebuffer switched off
    /// or the output blanked, all of it is border.
    ///
    /// Not modelled: the strip buffer and chroma key of FB_R_CTRL, and the timing that cuts or moves the picture.
    pub fn video(&self, border: u32) -> Image {
        let border = border.min(256);
        let video = Video::new(&self.regs, self.settings().fb_concat_green);
        let (width, height) = video.picture_size();
        let [_, r, g, b] = self.regs.get(reg::VO_BORDER_COL).to_be_bytes();
        let mut image = Image {
            width: width + 2 * border,
            height: height + 2 * border,
            rgba: Vec::new(),
        };
        for y in 0..image.height {
            for x in 0..image.width {
                let (x, y) = (x.wrapping_sub(border), y.wrapping_sub(border));
                let [r, g, b] = if video.shown && x < width && y < height {
                    let x = if video.double_pixels { x / 2 } else { x };
                    video.pixel(&self.vram, video.line(y).wrapping_add(x * video.depth.bytes()))
                } else {
                    [r, g, b]
                };
                image.rgba.extend([r, g, b, 255]);
            }
        }
        image
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    /// Four pixels wide, two lines.
    fn screen(control: u32, words: u32, pixels: &[u8]) -> Pvr {
        let mut pvr = Pvr::new(Settings::default());
        pvr.regs.set(reg::FB_R_CTRL, control | 1);
        pvr.regs.set(reg::FB_R_SIZE, 1 << 20 | 1 << 10 | (words - 1));
        pvr.regs.set(reg::FB_R_SOF1, 0x1000);
        pvr.vram.upload32(0x1000, pixels);
        pvr
    }

    fn rgb(image: &Image, x: u32, y: u32) -> [u8; 3] {
        let at = ((y * image.width + x) * 4) as usize;
        std::array::from_fn(|n| image.rgba[at + n])
    }

    #[test]
    fn depths_and_concat() {
        // 0x7C1F: red 31, blue 31. Concat 5: 31 << 3 | 5 = 253; green 0 << 3 | 5.
        let image = screen(5 << 4, 2, &[0x1F, 0x7C]).video(0);
        assert_eq!((image.width, image.height), (4, 2));
        assert_eq!(rgb(&image, 0, 0), [253, 5, 253]);
        // 565: green has two bits below.
        let image = screen(1 << 2 | 5 << 4, 2, &[0xE0, 0x07]).video(0);
        assert_eq!(rgb(&image, 0, 0), [5, 254, 5]);
        let image = screen(2 << 2, 3, &[1, 2, 3, 4, 5, 6]).video(0);
        assert_eq!(
            (image.width, rgb(&image, 0, 0), rgb(&image, 1, 0)),
            (4, [3, 2, 1], [6, 5, 4])
        );
        let image = screen(3 << 2, 4, &[1, 2, 3, 4, 5, 6, 7, 8]).video(0);
        assert_eq!((image.width, rgb(&image, 1, 0)), (4, [7, 6, 5]));
    }

    #[test]
    fn lines_fields_and_border() {
        let mut pixels = vec![0; 40];
        pixels[16] = 9; // line 1 of 0888
        let mut pvr = screen(3 << 2, 4, &pixels);
        assert_eq!(rgb(&pvr.video(0), 0, 1), [0, 0, 9]);
        pvr.regs.set(reg::FB_R_CTRL, 3 << 2 | 3);
        let doubled = pvr.video(0);
        assert_eq!(doubled.height, 4);
        assert_eq!([1, 2, 3].map(|y| rgb(&doubled, 0, y)[2]), [0, 9, 9]);
        pvr.regs.set(reg::FB_R_CTRL, 3 << 2 | 1);
        pvr.regs.set(reg::SPG_CONTROL, 1 << 4);
        pvr.regs.set(reg::FB_R_SOF2, 0x1010);
        let woven = pvr.video(0);
        // SOF2 begins with line 1 of the first field.
        assert_eq!([0, 1, 2, 3].map(|y| rgb(&woven, 0, y)[2]), [0, 9, 9, 0]);
        pvr.regs.set(reg::VO_BORDER_COL, 0x0012_3456);
        pvr.regs.set(reg::VO_CONTROL, 1 << 8);
        let framed = pvr.video(3);
        assert_eq!((framed.width, framed.height), (8 + 6, 4 + 6));
        assert_eq!(rgb(&framed, 2, 5), [0x12, 0x34, 0x56]);
        assert_eq!(rgb(&framed, 4, 4), [0, 0, 9]);
        pvr.regs.set(reg::VO_CONTROL, 1 << 3);
        assert_eq!(rgb(&pvr.video(0), 0, 1), [0x12, 0x34, 0x56]);
    }
}
