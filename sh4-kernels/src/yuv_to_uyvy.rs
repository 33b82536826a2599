//! `void yuv_to_uyvy(uint32_t dst[], const uint8_t y[], const uint8_t u[], const uint8_t v[], uint32_t width,
//! uint32_t height)`:
//! converts 4:2:0 planes, as in films, to the U Y V Y rows of the chip's YUV422 textures.
//!
//! `u` and `v` have half the width and half the height; two rows of `y` share one row of each.

use crate::bytes::byte;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "yuv_to_uyvy",
    symbol: "_yuv_to_uyvy",
    summary: "4:2:0 planes to UYVY",
    params: &[
        Param::words_mut("dst"),
        Param::words("y"),
        Param::words("u"),
        Param::words("v"),
        Param::value("width"),
        Param::value("height"),
    ],
    reference,
    generate,
    deviation,
};

/// Converts planes of bytes, the lowest byte of a word first, to `width * height / 2` words: U, the left Y,
/// V, the right Y, from the lowest byte on.
///
/// # Errors
/// See [`KernelError`]; a signature error if a side is odd or 0, or a plane or `dst` too short.
pub fn yuv_to_uyvy(
    kernels: &mut dyn Kernels,
    [y, u, v]: [&[u32]; 3],
    width: usize,
    height: usize,
    dst: &mut [u32],
) -> Result<(), KernelError> {
    let mut args = [
        Arg::WordsMut(dst),
        Arg::Words(y),
        Arg::Words(u),
        Arg::Words(v),
        Arg::Value(width as u32),
        Arg::Value(height as u32),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::WordsMut(dst),
        Arg::Words(y),
        Arg::Words(u),
        Arg::Words(v),
        Arg::Value(width),
        Arg::Value(height),
    ] = args
    else {
        return Err(KERNEL.signature("dst, y, u, v, width, height"));
    };
    let (width, height) = (*width as usize, *height as usize);
    let texels = width.saturating_mul(height);
    if texels == 0 || width % 2 + height % 2 != 0 {
        return Err(KERNEL.signature("width and height are even and not 0"));
    }
    let chroma = u.len().min(v.len()).saturating_mul(4);
    if dst.len() < texels / 2 || y.len().saturating_mul(4) < texels || chroma < texels / 4 {
        return Err(KERNEL.signature("a plane or dst is too short"));
    }
    for row in 0..height {
        for pair in 0..width / 2 {
            let (luma, chroma) = (row * width + 2 * pair, row / 2 * (width / 2) + pair);
            let parts = [byte(u, chroma), byte(y, luma), byte(v, chroma), byte(y, luma + 1)];
            dst[luma / 2] = u32::from_le_bytes(parts);
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let (width, height) = (2 + 2 * rng.below(8), 2 + 2 * rng.below(4));
    let texels = width * height;
    let mut plane = |bytes: u32| Value::Words((0..bytes.div_ceil(4)).map(|_| rng.word()).collect());
    Case(vec![
        Value::output(texels as usize / 2 + 1),
        plane(texels),
        plane(texels / 4),
        plane(texels / 4),
        Value::Value(width),
        Value::Value(height),
    ])
}

/// Checks each byte of the result against its plane and position; words after the result must not change.
fn deviation(before: &Case, case: &Case) -> Deviation {
    let [width, height] = [4, 5].map(|i| case.value(i) as usize);
    let flat = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let [y, u, v] = [1, 2, 3].map(|i| flat(case.words(i)));
    let mut expected = flat(before.words(0));
    for (at, byte) in expected.iter_mut().enumerate().take(2 * width * height) {
        let (row, column) = (at / (2 * width), at % (2 * width));
        let chroma = row / 2 * width / 2 + column / 4;
        *byte = match column % 4 {
            0 => u[chroma],
            2 => v[chroma],
            _ => y[row * width + column / 2],
        };
    }
    let words = expected.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b));
    Deviation::of_words(case.words(0), words)
}
