//! Finds the outputs of each kernel that may be at the address of an input of the same size.

#![allow(clippy::unwrap_used)]

use sh4_kernels::{Case, IN_PLACE, KERNELS, Kernel, Kernels, Kind, Reference, Rng, Value};
use verify::Emulated;

/// Cases of each pair.
const CASES: u64 = 300;

/// Bytes of a buffer.
fn bytes(value: &Value) -> usize {
    match value {
        Value::Words(words) | Value::WordsMut(words) => 4 * words.len(),
        Value::Halfwords(halves) => 2 * halves.len(),
        Value::Value(_) | Value::TileAccelerator(_) => 0,
    }
}

/// Returns true if the pair gives the reference's results in every case. Returns `None` if buffers of equal
/// size are rare, or if the kernel reads the output.
fn works(emulated: &mut Emulated, kernel: &'static Kernel, input: usize, output: usize) -> Option<bool> {
    let mut tried = 0;
    for seed in 0..CASES {
        let before = (kernel.generate)(&mut Rng::new(seed));
        let size = bytes(&before.0[input]);
        if size == 0 || size != bytes(&before.0[output]) {
            continue;
        }
        let [mut expected, mut overlaid, mut found] = [before.clone(), before.clone(), before.clone()];
        if let (Value::Words(from), Value::WordsMut(to)) = (&before.0[input], &mut overlaid.0[output]) {
            to.clone_from(from);
        }
        Reference.call(kernel, &mut expected.args()).unwrap();
        Reference.call(kernel, &mut overlaid.args()).ok()?;
        let equal = |a: &Case, b: &Case| a.0.iter().zip(&b.0).all(|(a, b)| a.written() == b.written());
        if !equal(&expected, &overlaid) {
            return None;
        }
        emulated.set_in_place(Some((input, output)));
        if emulated.call(kernel, &mut found.args()).is_err() || !equal(&expected, &found) {
            return Some(false);
        }
        tried += 1;
    }
    (tried > CASES / 2).then_some(true)
}

#[test]
fn the_table_has_every_pair_that_works() {
    let mut emulated = Emulated::new().unwrap();
    let mut found = Vec::new();
    for kernel in KERNELS {
        for (output, written) in kernel
            .params
            .iter()
            .enumerate()
            .filter(|(_, p)| p.kind == Kind::WordsMut)
        {
            for (input, read) in kernel
                .params
                .iter()
                .enumerate()
                .take(output)
                .filter(|(_, p)| p.kind == Kind::Words)
            {
                if works(&mut emulated, kernel, input, output) == Some(true) {
                    found.push((kernel.name, read.name, written.name));
                }
            }
        }
    }
    let table: Vec<_> = IN_PLACE
        .iter()
        .map(|pair| (pair.kernel, pair.input, pair.output))
        .collect();
    assert_eq!(found, table);
}
