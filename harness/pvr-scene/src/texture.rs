//! Statement `texture`: generates texels by a formula and stores them in any layout.

use crate::names;
use crate::text::{SceneError, Statement, Word};
use pvr::texture::{Encoding, Order, Rgba, TextureLayout, encode, encode_indices};
use pvr::{PixelFormat, TextureWord};

/// A texture in the chip's layout.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) bytes: Vec<u8>,
    /// Texture control word without the address.
    pub(crate) word: TextureWord,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Row length for TEXT_CONTROL, in texels.
    pub(crate) stride: Option<u32>,
    /// Upload through the YUV converter: `true` for 422, `false` for 420.
    pub(crate) converter: Option<bool>,
}

/// Order of the texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Twiddled,
    Linear,
    Vq,
    Stride(u32),
}

/// Properties of a texture without its texels.
struct Shape {
    width: u32,
    height: u32,
    format: PixelFormat,
    place: Place,
    mips: bool,
    converter: Option<bool>,
}

/// Reads `WxH FORMAT LAYOUT [mips] [through=yuv420|yuv422] GENERATOR ...`.
pub(crate) fn read(statement: &mut Statement<'_>) -> Result<Made, SceneError> {
    let size = statement.word("a size such as 32x32")?;
    let (width, height) = read_size(&size, 1024)?;
    let format = statement.word("a texel format")?.one_of(names::FORMATS)?;
    let place = place(&statement.word("a layout")?)?;
    let mut shape = Shape {
        width,
        height,
        format,
        place,
        mips: false,
        converter: None,
    };
    let mut generator = statement.word("a generator")?;
    loop {
        match generator.text {
            "mips" => shape.mips = true,
            "through=yuv420" => shape.converter = Some(false),
            "through=yuv422" => shape.converter = Some(true),
            _ => break,
        }
        generator = statement.word("a generator")?;
    }
    let bytes = shape.bytes(&generator, statement)?;
    statement.done()?;
    let stride = match place {
        Place::Stride(texels) => Some(texels),
        _ => None,
    };
    Ok(Made {
        bytes,
        word: shape.word(),
        width,
        height,
        stride,
        converter: shape.converter,
    })
}

/// `WxH`, each 1 to `max`.
pub(crate) fn read_size(word: &Word<'_>, max: u32) -> Result<(u32, u32), SceneError> {
    let side = |text: &str| text.parse().ok().filter(|n| (1..=max).contains(n));
    let sides = word.text.split_once('x').map(|(w, h)| (side(w), side(h)));
    match sides {
        Some((Some(width), Some(height))) => Ok((width, height)),
        _ => Err(word.error(format!("WIDTHxHEIGHT, each 1 to {max}"))),
    }
}

fn place(word: &Word<'_>) -> Result<Place, SceneError> {
    let expected = "one of twiddled, linear, vq, stride=TEXELS";
    match word.key_value() {
        ("twiddled", None) => Ok(Place::Twiddled),
        ("linear", None) => Ok(Place::Linear),
        ("vq", None) => Ok(Place::Vq),
        ("stride", Some(texels)) => match texels.within(32..=992)? {
            n if n % 32 == 0 => Ok(Place::Stride(n)),
            _ => Err(texels.error("a multiple of 32")),
        },
        _ => Err(word.error(expected)),
    }
}

impl Shape {
    fn word(&self) -> TextureWord {
        let linear = matches!(self.place, Place::Linear | Place::Stride(_));
        TextureWord(0)
            .with_format(self.format)
            .with_mip(self.mips)
            .with_vq(self.place == Place::Vq)
            .with_linear(linear)
            .with_stride(matches!(self.place, Place::Stride(_)))
    }

    fn order(&self) -> Order {
        let mipmaps = self.mips;
        match self.place {
            Place::Twiddled => Order::Twiddled { mipmaps },
            Place::Vq => Order::Vq { mipmaps },
            Place::Linear | Place::Stride(_) => Order::Linear,
        }
    }

    fn bytes(&self, generator: &Word<'_>, arguments: &mut Statement<'_>) -> Result<Vec<u8>, SceneError> {
        if generator.text == "levels" {
            return self.levels(generator, arguments);
        }
        if self.format.is_paletted() {
            return self.indices(generator, arguments);
        }
        let texels = self.texels(generator, arguments)?;
        let image = self.padded(texels);
        let encoding = Encoding {
            format: self.format,
            layout: self.order(),
        };
        let unfit =
            |error: pvr::texture::TextureError| generator.fault(error.to_string(), "a texture that exists");
        encode(&image, encoding).map_err(unfit)
    }

    /// Pads rows to the stride, with a conspicuous colour.
    fn padded(&self, texels: Vec<u32>) -> Rgba {
        let Place::Stride(stride) = self.place else {
            return Rgba {
                width: self.width,
                height: self.height,
                texels,
            };
        };
        let rows = texels.chunks_exact(self.width as usize);
        let texels = rows.flat_map(|row| {
            let rest = stride.saturating_sub(self.width) as usize;
            row[..stride.min(self.width) as usize]
                .iter()
                .copied()
                .chain(std::iter::repeat_n(0xFFFF_00FF, rest))
        });
        Rgba {
            width: stride,
            height: self.height,
            texels: texels.collect(),
        }
    }

    fn texels(&self, generator: &Word<'_>, arguments: &mut Statement<'_>) -> Result<Vec<u32>, SceneError> {
        let mut colour = || arguments.word("a colour")?.colour();
        let texel: Box<dyn Fn(u32, u32) -> u32> = match generator.text {
            "blank" => Box::new(|_, _| 0),
            "solid" => {
                let c = colour()?;
                Box::new(move |_, _| c)
            }
            "checker" => {
                let side = arguments.word("a side in texels")?.within(1..=1024)?;
                let mut colour = || arguments.word("a colour")?.colour();
                let colours = [colour()?, colour()?];
                Box::new(move |x, y| colours[((x / side + y / side) & 1) as usize])
            }
            "gradient" => {
                let corners = [colour()?, colour()?, colour()?, colour()?];
                let (w, h) = (self.width.max(2) - 1, self.height.max(2) - 1);
                Box::new(move |x, y| {
                    mix(
                        mix(corners[0], corners[1], x, w),
                        mix(corners[2], corners[3], x, w),
                        y,
                        h,
                    )
                })
            }
            "glyph" => {
                let colours = [colour()?, colour()?];
                let (w, h) = (self.width, self.height);
                Box::new(move |x, y| colours[usize::from(GLYPH[(y * 8 / h) as usize] >> (7 - x * 8 / w) & 1)])
            }
            "dome" => {
                let (w, h) = (self.width as f32, self.height as f32);
                Box::new(move |x, y| dome((2 * x + 1) as f32 / w - 1.0, (2 * y + 1) as f32 / h - 1.0))
            }
            _ => return Err(generator.error(
                "one of blank, solid, checker, gradient, glyph, dome, levels; grid or bars with a palette",
            )),
        };
        let places = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        Ok(places.map(|(x, y)| texel(x, y)).collect())
    }

    fn indices(&self, generator: &Word<'_>, arguments: &mut Statement<'_>) -> Result<Vec<u8>, SceneError> {
        // Number of cells along one side of a grid that shows every index.
        let side = if self.format == PixelFormat::Pal4 { 4 } else { 16 };
        let (w, h) = (self.width, self.height);
        let index: Box<dyn Fn(u32, u32) -> u32> = match generator.text {
            "grid" => Box::new(move |x, y| x * side / w + y * side / h * side),
            "bars" => {
                let bars = arguments.word("a number of bars")?.within(1..=side * side)?;
                Box::new(move |x, _| x * bars / w)
            }
            "glyph" => Box::new(move |x, y| u32::from(GLYPH[(y * 8 / h) as usize] >> (7 - x * 8 / w) & 1)),
            _ => return Err(generator.error("one of grid, bars, glyph, levels with a palette")),
        };
        if self.mips || self.place != Place::Twiddled {
            return Err(generator.fault(
                "a palette with another layout",
                "twiddled without mips, or levels",
            ));
        }
        let places = (0..h).flat_map(|y| (0..w).map(move |x| (x, y)));
        let indices: Vec<u8> = places.map(|(x, y)| index(x, y) as u8).collect();
        encode_indices(&indices, w, h, self.format)
            .map_err(|error| generator.fault(error.to_string(), "a texture that exists"))
    }

    /// Returns the bytes of a texture in which each mip level has one colour (or palette index). The
    /// arguments are these values, for the largest level first. The last value applies to all smaller levels.
    fn levels(&self, generator: &Word<'_>, arguments: &mut Statement<'_>) -> Result<Vec<u8>, SceneError> {
        if !self.mips
            || self.place != Place::Twiddled
            || self.width != self.height
            || !self.width.is_power_of_two()
        {
            return Err(generator.fault(
                "levels without mips",
                "a twiddled square of a power of two with mips",
            ));
        }
        let layout = TextureLayout {
            mipmapped: true,
            ..TextureLayout::twiddled(self.format, self.width, self.height)
        };
        let bits = self.format.bits_per_texel();
        let mut bytes = vec![0; layout.byte_len(&pvr::texture::TextureSettings::default())];
        let mut next = arguments.word("a colour or palette index")?;
        let mut side = self.width;
        while side > 0 {
            let value = self.level_value(&next)?;
            let first = TextureLayout::mip_offset(side) * bits / 8;
            let end = (first + ((side * side) as usize * bits).div_ceil(8)).min(bytes.len());
            let pattern = value.to_le_bytes();
            for (n, byte) in bytes[first..end].iter_mut().enumerate() {
                *byte = pattern[n & 1];
            }
            next = arguments.next().unwrap_or(next);
            side /= 2;
        }
        Ok(bytes)
    }

    /// Returns the sixteen bits that fill a level.
    fn level_value(&self, word: &Word<'_>) -> Result<u16, SceneError> {
        match self.format {
            PixelFormat::Pal4 => Ok(word.within(0..=15)? as u16 * 0x1111),
            PixelFormat::Pal8 => Ok(word.within(0..=255)? as u16 * 0x0101),
            format => {
                let image = Rgba {
                    width: 8,
                    height: 8,
                    texels: vec![word.colour()?; 64],
                };
                let layout = Order::Twiddled { mipmaps: false };
                let bytes = encode(&image, Encoding { format, layout })
                    .map_err(|error| word.fault(error.to_string(), "a texture that exists"))?;
                Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
            }
        }
    }
}

/// The letter F: rotations, mirroring and shifts are visible.
const GLYPH: [u8; 8] = [
    0b0000_0000,
    0b0111_1110,
    0b0110_0000,
    0b0111_1000,
    0b0110_0000,
    0b0110_0000,
    0b0110_0000,
    0b0000_0000,
];

/// Interpolates each channel from `a` to `b`, at the fraction `n / of`.
fn mix(a: u32, b: u32, n: u32, of: u32) -> u32 {
    [24, 16, 8, 0].iter().fold(0, |word, shift| {
        let (a, b) = (a >> shift & 0xFF, b >> shift & 0xFF);
        word | ((a * (of - n) + b * n + of / 2) / of) << shift
    })
}

/// Returns the bump word of a hemisphere: elevation 0x00 to 0xFF for 0 to 90 degrees, rotation 0x00 to 0xFF
/// for the full circle.
fn dome(x: f32, y: f32) -> u32 {
    let distance = (x * x + y * y).sqrt();
    if distance >= 1.0 {
        return 0xFF00;
    }
    let elevation = (distance.acos() / std::f32::consts::FRAC_PI_2 * 255.0) as u32;
    let turn = (y.atan2(x) / std::f32::consts::TAU).rem_euclid(1.0);
    elevation << 8 | (turn * 256.0) as u32 & 0xFF
}

/// Converts a linear YUV422 texture to macroblocks for the converter. For 420, each pair of rows uses the
/// upper row's U and V. For 422, a macroblock consists of its upper half, then its lower half.
pub(crate) fn macroblocks(bytes: &[u8], width: u32, height: u32, is_422: bool) -> Vec<u8> {
    let at = |x: u32, y: u32, n: u32| bytes[((y * width + x) * 2 + n) as usize];
    let (parts, step) = if is_422 { (2, 1) } else { (1, 2) };
    let mut out = Vec::new();
    let corners = (0..height / 16).flat_map(|y| (0..width / 16).map(move |x| (y * 16, x * 16)));
    for (top, left) in corners.flat_map(|(top, left)| (0..parts).map(move |part| (top + 8 * part, left))) {
        // U is in the low byte of even texels, V in the low byte of odd texels.
        for (lane, row) in [0, 1]
            .into_iter()
            .flat_map(|lane| (0..8).map(move |row| (lane, row)))
        {
            out.extend((0..8).map(|n| at(left + 2 * n + lane, top + step * row, 0)));
        }
        for plane in 0..4 / parts {
            for (y, x) in (0..8).flat_map(|y| (0..8).map(move |x| (y, x))) {
                out.push(at(left + plane % 2 * 8 + x, top + plane / 2 * 8 + y, 1));
            }
        }
    }
    out
}
