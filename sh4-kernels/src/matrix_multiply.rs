//! `void matrix_multiply(const float a[16], const float b[16], float out[16])`: `out = a * b` (FTRV).
//!
//! Column-major, for column vectors. `a`, `b` and `out` are 8-byte aligned; `out` must differ from `a` and
//! `b`.

use crate::bound::{exact, inner, row};
use crate::{
    Arg, Case, Deviation, Kernel, KernelError, Kernels, Matrix, Param, Rng, Signature, Value, columns,
};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "matrix_multiply",
    symbol: "_matrix_multiply",
    summary: "product of two 4x4 matrices",
    params: &[
        Param::words("a").aligned(8),
        Param::words("b").aligned(8),
        Param::words_mut("out").aligned(8),
    ],
    reference,
    generate,
    deviation,
};

/// Returns `a * b`.
///
/// # Errors
/// See [`KernelError`].
pub fn matrix_multiply(kernels: &mut dyn Kernels, a: &Matrix, b: &Matrix) -> Result<Matrix, KernelError> {
    let mut out = Matrix::default();
    let mut args = [
        Arg::Words(bytemuck::cast_slice(a.as_flattened())),
        Arg::Words(bytemuck::cast_slice(b.as_flattened())),
        Arg::WordsMut(bytemuck::cast_slice_mut(out.as_flattened_mut())),
    ];
    kernels.call(&KERNEL, &mut args)?;
    Ok(out)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [Arg::Words(a), Arg::Words(b), Arg::WordsMut(out)] = args else {
        return Err(KERNEL.signature("a, b, out"));
    };
    if a.len() < 16 || b.len() < 16 || out.len() < 16 {
        return Err(KERNEL.signature("a matrix has 16 words"));
    }
    let a = columns(a);
    for (column, out) in columns(b).into_iter().zip(out.as_chunks_mut().0) {
        *out = fpu::transform(&a, column).map(f32::to_bits);
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    Case(vec![
        Value::floats(&rng.matrix()),
        Value::floats(&rng.matrix()),
        Value::output(16),
    ])
}

fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    for (i, &out) in case.floats(2).iter().enumerate() {
        let column: [f64; 4] = std::array::from_fn(|k| {
            case.floats(1)
                .get(4 * (i / 4) + k)
                .map_or(f64::NAN, |v| exact(*v))
        });
        let (value, bound) = inner(row(case.floats(0), i % 4), column);
        worst.note(i, out, value, bound);
    }
    worst
}
