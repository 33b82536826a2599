//! `void shape_colours(const uint32_t a[], const uint32_t b[], uint32_t n, const uint32_t moment[3], uint32_t
//! out[])`: interpolates packed colours between two keys.
//!
//! `moment` is as in `shape_floats`. Each byte is separate: `a + t * (b - a)`, truncated toward zero and
//! clamped to 0 to 255.

use crate::bounded::Bounded;
use crate::keys::{Span, generate_frame};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "shape_colours",
    symbol: "_shape_colours",
    summary: "packed colours between two keys",
    params: &[
        Param::words("a"),
        Param::words("b"),
        Param::value("n"),
        Param::words("moment"),
        Param::words_mut("out"),
    ],
    reference,
    generate,
    deviation,
};

/// Returns the colours between `a` and `b`, which have the same length, at `frame`.
///
/// # Errors
/// See [`KernelError`]; a signature error if `b` is shorter than `a`.
pub fn shape_colours(
    kernels: &mut dyn Kernels,
    frame: f32,
    span: Span,
    a: &[u32],
    b: &[u32],
) -> Result<Vec<u32>, KernelError> {
    let mut out = vec![0; a.len()];
    let mut args = [
        Arg::Words(a),
        Arg::Words(b),
        Arg::Value(a.len() as u32),
        Arg::Words(&[frame.to_bits(), span.start, span.length]),
        Arg::WordsMut(&mut out),
    ];
    kernels.call(&KERNEL, &mut args)?;
    Ok(out)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(a),
        Arg::Words(b),
        Arg::Value(n),
        Arg::Words(moment),
        Arg::WordsMut(out),
    ] = args
    else {
        return Err(KERNEL.signature("a, b, n, moment, out"));
    };
    let n = *n as usize;
    if a.len() < n || b.len() < n || out.len() < n || moment.len() < 3 {
        return Err(KERNEL.signature("n is beyond the buffers, or a moment has not 3 words"));
    }
    let t = Span::of(&moment[1..]).time(f32::from_bits(moment[0]));
    for i in 0..n {
        let (a, b) = (a[i].to_le_bytes(), b[i].to_le_bytes());
        out[i] = u32::from_le_bytes([0, 1, 2, 3].map(|k| byte(t, a[k], b[k])));
    }
    Ok(())
}

fn byte(t: f32, a: u8, b: u8) -> u8 {
    let difference = fpu::from_int(i32::from(b) - i32::from(a));
    fpu::trunc(fpu::mac(fpu::from_int(a.into()), t, difference)).clamp(0, 255) as u8
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(40);
    let frame = generate_frame(rng);
    let span = Span::generate(rng, frame);
    let colours = |rng: &mut Rng| Value::Words((0..n).map(|_| rng.word()).collect());
    Case(vec![
        colours(rng),
        colours(rng),
        Value::Value(n),
        Value::Words(vec![frame.to_bits(), span.start, span.length]),
        Value::output(n as usize),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let moment = case.words(3);
    let t = Span::of(&moment[1..]).bounded_time(f32::from_bits(moment[0]));
    for (i, (a, b)) in case.words(0).iter().zip(case.words(1)).enumerate() {
        let (a, b, out) = (a.to_le_bytes(), b.to_le_bytes(), case.words(4)[i].to_le_bytes());
        let in_range = (0..4).all(|k| {
            let start = Bounded::constant(a[k].into());
            let mut exact = start.mac(t, Bounded::constant(f64::from(b[k]) - f64::from(a[k])));
            exact.value = exact.value.clamp(-exact.slack, 255.0 + exact.slack);
            exact.truncates_to(out[k].into())
        });
        worst.note_exact(i, in_range);
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::shape_colours;
    use crate::Reference;
    use crate::keys::Span;

    /// At a quarter of the interval the bytes, from the highest on, are 255 - 63.75, 0 + 63.75, 100 - 12.5
    /// and 7.
    #[test]
    fn each_byte_by_itself() {
        let span = Span { start: 4, length: 4 };
        let colours = shape_colours(&mut Reference, 5.0, span, &[0xFF00_6407], &[0x00FF_3207]).unwrap();
        assert_eq!(colours, [0xBF3F_5707]);
    }

    #[test]
    fn behind_the_last_key_bytes_stop_at_their_ends() {
        let span = Span { start: 0, length: 1 };
        let colours = shape_colours(&mut Reference, 3.0, span, &[0x0000_FF80], &[0xFF00_FE00]).unwrap();
        // 0 + 765, 0, 255 - 3, 128 - 384
        assert_eq!(colours, [0xFF00_FC00]);
    }
}
