//! Compares the ROM's kernels with their references, and checks that a wrong kernel is caught.

use sh4_kernels::{Arg, KERNELS, Kernel, KernelError, Kernels, Param, Place, Rng, Value};
use verify::{Checked, Emulated, Metered, Mutate, SH4, Survey, Verifier};

/// Cases of each kernel.
const CASES: u64 = 500;

#[test]
fn every_kernel_has_its_references_bits() {
    let mut verifier = Verifier::new().unwrap();
    for kernel in KERNELS {
        let report = verifier.run(kernel, CASES, 1, |_| {});
        assert!(report.passed(), "{report:?}");
        println!(
            "{}: {} cases, {} instructions",
            report.kernel, report.cases, report.instructions
        );
    }
}

#[test]
fn a_frames_calls_are_counted() {
    let mut checked = Checked::new().unwrap();
    let [[sin, cos]] = sh4_kernels::sincos::sincos(&mut checked, [0x4000]).unwrap();
    assert_eq!((sin, cos), (1.0, 0.0));
    let tally = checked.tally("sincos");
    assert_eq!((tally.calls, tally.words), (1, 2));
}

/// A row with a reference that has one wrong bit in the last word that it writes.
fn wrong_reference(args: &mut [Arg<'_>]) -> Result<(), sh4_kernels::Signature> {
    (sh4_kernels::sincos::KERNEL.reference)(args)?;
    if let Some(Arg::WordsMut(words)) = args.last_mut()
        && let Some(last) = words.last_mut()
    {
        *last ^= 1;
    }
    Ok(())
}

static WRONG: Kernel = Kernel {
    name: "sincos",
    symbol: "_sincos",
    summary: "",
    params: sh4_kernels::sincos::KERNEL.params,
    reference: wrong_reference,
    generate: |_| Case(vec![Value::Words(vec![5, 6]), Value::Value(2), Value::output(4)]),
    deviation: |_, _| Default::default(),
};

use sh4_kernels::Case;

#[test]
fn one_wrong_bit_is_named() {
    let mut checked = Checked::new().unwrap();
    let mut case = (WRONG.generate)(&mut Rng::new(0));
    match checked.call(&WRONG, &mut case.args()) {
        Err(KernelError::Mismatch(mismatch)) => {
            assert_eq!((mismatch.argument, mismatch.name, mismatch.index), (2, "out", 3));
            assert_eq!(mismatch.reference, mismatch.candidate ^ 1);
        }
        other => panic!("{other:?}"),
    }
    let before = (WRONG.generate)(&mut Rng::new(0));
    assert_eq!(checked.failed().map(|failed| &failed.case), Some(&before));
}

#[test]
fn what_a_frame_costs_is_the_sum_of_its_calls() {
    let mut metered = Metered::new().unwrap();
    let angles = [0x1000; 64];
    for place in [Place::Frame, Place::Model(1), Place::Node(7), Place::Node(7)] {
        metered.enter(place);
        sh4_kernels::sincos::sincos(&mut metered, angles).unwrap();
    }
    let rows: Vec<_> = metered.costs().collect();
    let calls: Vec<_> = rows
        .iter()
        .map(|(at, _, costs)| (at.model, costs.calls))
        .collect();
    assert_eq!(calls, [(None, 1), (Some(1), 1), (Some(1), 2)]);
    // With cold caches, code and data come from memory. With warm caches, 64 angles take at least a cycle
    // each.
    let one = rows[0].2;
    assert!(one.cold > one.warm && one.warm >= 64, "{one:?}");
    assert_eq!(rows[2].2, one + one);
}

#[test]
fn writing_beyond_a_buffer_is_caught() {
    static SHORT: Kernel = Kernel {
        params: &[
            Param::words("angles"),
            Param::value("n"),
            Param::words_mut("out").aligned(8),
        ],
        ..WRONG_TEMPLATE
    };
    let mut emulated = Emulated::new().unwrap();
    // Three angles, but memory for two results.
    let mut case = Case(vec![
        Value::Words(vec![5, 6, 7]),
        Value::Value(3),
        Value::output(4),
    ]);
    let error = emulated.call(&SHORT, &mut case.args()).unwrap_err();
    assert!(error.to_string().contains("outside of argument out"), "{error}");
}

const WRONG_TEMPLATE: Kernel = Kernel {
    name: "sincos",
    symbol: "_sincos",
    summary: "",
    params: &[],
    reference: wrong_reference,
    generate: |_| Case(Vec::new()),
    deviation: |_, _| Default::default(),
};

#[test]
fn a_kernel_that_does_not_return_is_named() {
    let mut emulated = Emulated::new().unwrap();
    // A count of 0xFFFFFFFF makes the kernel access addresses after the end of memory.
    let mut case = Case(vec![
        Value::Words(vec![1]),
        Value::Value(u32::MAX),
        Value::output(2),
    ]);
    let error = emulated
        .call(&sh4_kernels::sincos::KERNEL, &mut case.args())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("_sincos") && error.contains("did not return"),
        "{error}"
    );
}

/// At least 40 single-bit mutants of each kernel compute a different result, and 99 % of them are caught.
#[test]
fn mutants_are_caught() {
    let how = Mutate {
        changed: 48,
        cases: 200,
        seed: 8,
    };
    let survey = Survey::of(&SH4, how).unwrap();
    println!("{survey}");
    for (kernel, mutants) in &survey.kernels {
        assert!(mutants.changed() >= 40, "{kernel}: {}", mutants.changed());
    }
    let (caught, changed) = survey.caught();
    assert!(caught * 100 >= changed * 99, "{caught} of {changed}");
}
