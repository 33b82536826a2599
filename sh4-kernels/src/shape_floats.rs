//! `void shape_floats(const float a[], const float b[], uint32_t n, const uint32_t moment[3], float out[])`:
//! interpolates positions and normals between two shapes.
//!
//! `moment` is the frame (a float), the frame of the key before and the number of frames to the key after.
//! `out = (1 - t) * a + t * b`; normals are not renormalised.

use crate::bounded::Bounded;
use crate::keys::{Span, bounded_lerp, generate_frame, lerp};
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "shape_floats",
    symbol: "_shape_floats",
    summary: "positions and normals between two shapes",
    params: &[
        Param::words("a").aligned(8),
        Param::words("b").aligned(8),
        Param::value("n"),
        Param::words("moment"),
        Param::words_mut("out").aligned(8),
    ],
    reference,
    generate,
    deviation,
};

/// Returns the floats between `a` and `b`, which have the same length, at `frame`.
///
/// # Errors
/// See [`KernelError`]; a signature error if `b` is shorter than `a`.
pub fn shape_floats(
    kernels: &mut dyn Kernels,
    frame: f32,
    span: Span,
    a: &[f32],
    b: &[f32],
) -> Result<Vec<f32>, KernelError> {
    let mut out = vec![0.0; a.len()];
    let mut args = [
        Arg::Words(bytemuck::cast_slice(a)),
        Arg::Words(bytemuck::cast_slice(b)),
        Arg::Value(a.len() as u32),
        Arg::Words(&[frame.to_bits(), span.start, span.length]),
        Arg::WordsMut(bytemuck::cast_slice_mut(&mut out)),
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
        out[i] = lerp(t, f32::from_bits(a[i]), f32::from_bits(b[i])).to_bits();
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(60);
    let frame = generate_frame(rng);
    let span = Span::generate(rng, frame);
    let floats = |rng: &mut Rng| (0..n).map(|_| rng.finite()).collect::<Vec<f32>>();
    Case(vec![
        Value::floats(&floats(rng)),
        Value::floats(&floats(rng)),
        Value::Value(n),
        Value::Words(vec![frame.to_bits(), span.start, span.length]),
        Value::output(n as usize),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let moment = case.words(3);
    let t = Span::of(&moment[1..]).bounded_time(f32::from_bits(moment[0]));
    for (i, (&a, &b)) in case.floats(0).iter().zip(case.floats(1)).enumerate() {
        let exact = bounded_lerp(t, Bounded::single(a), Bounded::single(b));
        worst.note(i, case.floats(4)[i], exact.value, exact.slack);
    }
    worst
}
