//! Every reference is within its stated bound of the same computation in `f64`.

use sh4_kernels::{Case, KERNELS, Kernels, Reference, Rng, Value};

/// Number of cases for each kernel.
const CASES: u64 = 2_000;

#[test]
fn references_stay_within_their_bounds() {
    for kernel in KERNELS {
        let mut worst = 0.0_f64;
        for seed in 0..CASES {
            let before = (kernel.generate)(&mut Rng::new(seed));
            let mut after = before.clone();
            Reference.call(kernel, &mut after.args()).unwrap();
            let deviation = (kernel.deviation)(&before, &after);
            assert!(deviation.within(), "{}: seed {seed}: {deviation:?}", kernel.name);
            worst = worst.max(deviation.worst);
        }
        println!("{}: {CASES} cases, at worst {worst:.3} of the bound", kernel.name);
    }
}

#[test]
fn a_wrong_result_leaves_its_bound() {
    for kernel in KERNELS {
        // First case that changes the first word of an output.
        let case = |seed| {
            let before = (kernel.generate)(&mut Rng::new(seed));
            let mut after = before.clone();
            Reference.call(kernel, &mut after.args()).unwrap();
            let first = |case: &Case, n: usize| case.0[n].written().first().copied();
            let written = (0..after.0.len()).find(|n| first(&before, *n) != first(&after, *n))?;
            Some((before, after, written))
        };
        let (before, mut after, written) = (7..).find_map(case).unwrap();
        match &mut after.0[written] {
            // Bit 12 of a float is 2^-11 of its value; in a colour it is 16 of its green.
            Value::WordsMut(words) => words[0] ^= 0x1000,
            Value::TileAccelerator(blocks) => blocks[0][1] ^= 0x1000,
            _ => unreachable!("only these are written"),
        }
        assert!(!(kernel.deviation)(&before, &after).within(), "{}", kernel.name);
    }
}

#[test]
fn arguments_that_do_not_fit_are_errors() {
    for kernel in KERNELS {
        assert!(Reference.call(kernel, &mut []).is_err(), "{}", kernel.name);
        let mut case = (kernel.generate)(&mut Rng::new(1));
        let buffers = |value: &Value| !matches!(value, Value::Value(_) | Value::TileAccelerator(_));
        if !case.0.iter().any(buffers) {
            println!("{}: no buffers", kernel.name);
            continue;
        }
        for value in &mut case.0 {
            match value {
                Value::Words(words) | Value::WordsMut(words) => words.clear(),
                Value::Halfwords(halves) => halves.clear(),
                Value::Value(_) | Value::TileAccelerator(_) => {}
            }
        }
        assert!(
            Reference.call(kernel, &mut case.args()).is_err(),
            "{}",
            kernel.name
        );
    }
}
