//! Specifications: runs, and the message for each mistake.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use verify::user::{SetupError, Spec, UserCall, UserVerifier};
use verify::{KERNELS_ELF, SH4};

/// A specification of a kernel in the project's own ROM.
const TRANSFORM: &str = r#"
[[kernel]]
call    = "transform_points"
against = "builtin:transform_points"

[kernel.args]
matrix = { in = "f32[16]", align = 8, values = "matrix" }
src    = { in = "f32[stride/4*n]", values = "finite" }
dst    = { out = "f32[4*n]", align = 8 }
n      = { value = "u32", range = "1..=40" }
stride = { value = "u32", range = "12..=28 step 4" }
w      = { value = "u32", range = "0x3f800000..=0x3f800000" }
"#;

fn verifier(spec: &str) -> Result<UserVerifier, String> {
    let spec = Spec::parse(spec, Path::new("k.toml"), &[SH4]).map_err(|e| e.to_string())?;
    UserVerifier::new(KERNELS_ELF, spec, &[SH4]).map_err(|e| e.to_string())
}

#[test]
fn our_own_kernel_passes_as_a_user_s() {
    let verifier = verifier(TRANSFORM).unwrap();
    let report = verifier.run(0, 500, 1).unwrap();
    assert_eq!(
        (report.cases, report.failures),
        (500, 0),
        "{:?}",
        report.first_problem
    );
    assert!(report.instructions > 500 * 20);
}

/// Runs with equal seeds must give equal reports.
#[test]
fn a_run_is_a_function_of_its_seed() {
    let broken = TRANSFORM
        .replace("0x3f800000..=0x3f800000", "0..=0xffffffff")
        .replace(r#"[4*n]", "#, r#"[4*n-1]", "#);
    let first = verifier(&broken).unwrap().run(0, 50, 9).unwrap();
    let again = verifier(&broken).unwrap().run(0, 50, 9).unwrap();
    assert!(first.failures > 0, "an output that is one element short shows");
    assert_eq!(first, again);
}

#[test]
fn a_store_past_an_output_is_named() {
    let short = TRANSFORM
        .replace(r#"out = "f32[4*n]""#, r#"out = "f32[4*n-1]""#)
        .replace("builtin:", "");
    let report = verifier(&short).unwrap().run(0, 5, 1).unwrap();
    let problem = report.first_problem.unwrap();
    assert!(problem.what.contains("of dst, which has"), "{}", problem.what);
    assert!(
        problem.arguments.iter().any(|a| a == "n = 00000001 (1)"),
        "{:?}",
        problem.arguments
    );
}

/// Each mistake, and the line and words of its message.
#[test]
fn mistakes_are_answered_with_their_line() {
    let edit = |from: &str, to: &str| {
        assert!(TRANSFORM.contains(from), "{from}");
        TRANSFORM.replacen(from, to, 1)
    };
    let cases = [
        (
            edit("\"transform_points\"", "\"transform_point\""),
            "3: no symbol `transform_point` in the program; did you mean `_transform_points`?",
        ),
        (
            edit("builtin:transform_points", "builtin:x"),
            "4: no builtin `x`; there are",
        ),
        (
            edit("builtin:transform_points", "builtin:sincos"),
            "4: builtin:sincos takes",
        ),
        (
            edit("builtin:transform_points", "nothing"),
            "4: no symbol `nothing`",
        ),
        (edit("f32[16]", "f23[16]"), "7: matrix: no type `f23`"),
        (
            edit("f32[16]", "f32"),
            "7: matrix: found `f32`; expected a buffer",
        ),
        (
            edit("f32[16]", "f32[16"),
            "7: matrix: found `f32[16`; expected a buffer",
        ),
        (
            edit("f32[4*n]", "f32[4*]"),
            "9: dst: a number, a name or `(` expected",
        ),
        (edit("f32[4*n]", "f32[4*m]"), "9: dst: its count uses `m`"),
        (
            edit("f32[4*n]", "f32[4*matrix]"),
            "9: dst: its count uses `matrix`",
        ),
        (edit("align = 8", "align = 3"), "7: matrix: align = 3"),
        (edit("align = 8", "algin = 8"), "7: unknown field `algin`"),
        (
            edit("\"matrix\"", "\"matirx\""),
            "7: matrix: no values `matirx`; did you mean `matrix`?; there are finite",
        ),
        (
            edit("\"finite\"", "\"permutation\""),
            "8: src: these values do not fit",
        ),
        (edit("1..=40", "1..40"), "10: n: found `1..40`; expected a range"),
        (
            edit("1..=40", "40..=1"),
            "10: n: found `40..=1`; expected a range",
        ),
        (edit("1..=40", "-1..=4"), "10: n: these values do not fit"),
        (edit("step 4", "step 0"), "11: stride:"),
        (edit("out = ", "out = \"ta\", in = "), "9: dst: exactly one of"),
        (edit("out = ", "in = "), "4: builtin:transform_points takes"),
        (
            edit("[kernel.args]", "fpscr = \"simple\"\n[kernel.args]"),
            "6: fpscr: no word `simple`; did you mean `single`?",
        ),
        (
            edit("[kernel.args]", "returns = \"u32\"\n[kernel.args]"),
            "4: a builtin has no `returns`",
        ),
        (
            format!("{TRANSFORM}[kernel.check]\ncompare = \"near\"\n"),
            "14: compare: found \"near\"; expected \"bits\", or a table with one or more of `ulp = N`",
        ),
        (
            format!("{TRANSFORM}[kernel.check]\nalias = [[\"dst\", \"src\"]]\n"),
            "14: alias: expected",
        ),
        (edit("call ", "cal "), "unknown field `cal`"),
        (
            edit(
                "in = \"f32[16]\", align = 8",
                "in = \"f32[16]\", file = \"no.bin\"",
            ),
            "7: matrix: only one of",
        ),
        // A folder has no bytes to read.
        (
            edit("values = \"finite\"", "file = \".\""),
            "8: src: .: not a file",
        ),
        ("[[kernel]".to_owned(), "1: "),
        (String::new(), "1: no [[kernel]]"),
    ];
    for (spec, expected) in cases {
        let message = verifier(&spec).err().unwrap_or_default();
        assert!(
            message.contains(expected),
            "expected `{expected}`, got `{message}`"
        );
        assert!(message.starts_with("k.toml:"), "{message}");
    }
}

#[test]
fn a_program_for_another_cpu_is_refused() {
    let mut elf = KERNELS_ELF.to_vec();
    elf[18] = 40;
    let spec = Spec::parse(TRANSFORM, Path::new("k.toml"), &[SH4]).unwrap();
    let error = UserVerifier::new(&elf, spec, &[SH4]).map(|_| ()).unwrap_err();
    assert!(
        matches!(error, SetupError::Machine { .. })
            && error.to_string() == "e_machine is 40, expected 42 (SH4)",
        "{error}"
    );
}

/// Files that once crashed the process: each must give an error or a specification within a second.
#[test]
fn regressions_are_answered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions/specification");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let start = std::time::Instant::now();
        if let Err(error) = Spec::parse(&text, &path, &[SH4]) {
            assert!(error.message.len() < 400, "{}: {error}", path.display());
        }
        assert!(start.elapsed().as_secs() < 1, "{}", path.display());
        files += 1;
    }
    assert!(files >= 2);
}

/// The longest sum that the old parser read before a stack overflow now has a clear answer.
#[test]
fn a_long_sum_is_refused() {
    let sum = vec!["1"; 66_000].join("+");
    let error = verifier(&TRANSFORM.replace("[4*n]", &format!("[{sum}]"))).unwrap_err();
    assert!(error.contains("9: dst: the count has more than 1000"), "{error}");
}

fn with_cycles(words: &str) -> String {
    format!("{TRANSFORM}\n[kernel.check]\ncycles = {{ {words} }}\n")
}

/// Twice the points take more cycles. Exceeding the limit fails the kernel without a wrong case.
#[test]
fn cycles_are_counted_and_limited() {
    let report = |words: &str| verifier(&with_cycles(words)).unwrap().run(0, 3, 1).unwrap();
    let [few, many] = ["at = { n = 16 }", "at = { n = 32 }"].map(|at| report(at).cycles.unwrap());
    // FTRV takes four cycles a point, at least.
    assert!(many.candidate >= few.candidate + 4 * 16, "{few:?} {many:?}");
    assert_eq!((few.at.as_str(), few.reference), ("n = 16", None));
    let cold = report("at = { n = 16 }, cache = \"cold\"").cycles.unwrap();
    assert!(cold.candidate > few.candidate);
    let limit = |max: u64| report(&format!("at = {{ n = 16 }}, max = {max}"));
    assert!(limit(few.candidate).passed());
    let over = limit(few.candidate - 1);
    assert!(!over.passed() && over.failures == 0);
    // By default, the measured case is the case of the first seed, with warm caches.
    assert!(
        verifier(TRANSFORM)
            .unwrap()
            .run(0, 3, 1)
            .unwrap()
            .cycles
            .is_some()
    );
}

/// A measurement leaves no words at the tile accelerator for the next kernel.
#[test]
fn kernels_that_end_at_the_tile_accelerator_follow_each_other() {
    let one = r#"
[[kernel]]
call    = "queue_fill"
against = "builtin:queue_fill"

[kernel.args]
value  = { value = "u32" }
n      = { value = "u32", range = "1..=4" }
sq     = { out = "ta" }

[kernel.check]
cycles = { cache = "warm" }
"#;
    let verifier = verifier(&one.repeat(2)).unwrap();
    for kernel in 0..2 {
        let report = verifier.run(kernel, 20, 1).unwrap();
        assert_eq!(report.failures, 0, "{kernel}: {:?}", report.first_problem);
        assert!(report.cycles.is_some());
    }
}

#[test]
fn a_reference_that_is_a_symbol_has_cycles_too() {
    let own = with_cycles("at = { n = 8 }").replace("builtin:transform_points", "_transform_points");
    let cycles = verifier(&own).unwrap().run(0, 1, 1).unwrap().cycles.unwrap();
    assert_eq!(cycles.reference, Some(cycles.candidate));
}

#[test]
fn words_of_cycles_that_are_wrong_are_answered() {
    for (words, expected) in [
        ("cache = \"hot\"", "expected \"cold\" or \"warm\""),
        ("at = { m = 1 }", "`m` is not an integer value"),
        ("limits = 5", "unknown field `limits`"),
    ] {
        let error = verifier(&with_cycles(words)).unwrap_err();
        assert!(error.contains(expected), "{words}: {error}");
    }
    let huge = verifier(&with_cycles("at = { n = 100000000 }"))
        .unwrap()
        .run(0, 1, 1)
        .unwrap();
    assert!(
        huge.first_problem.unwrap().what.contains("size of"),
        "a case that is too large is reported"
    );
}

/// A call with an observer takes the same number of cycles as in the report.
#[test]
fn a_watched_call_takes_the_cycles_of_the_report() {
    let text = with_cycles("at = { n = 16 }, cache = \"cold\"");
    let cycles = verifier(&text).unwrap().run(0, 1, 1).unwrap().cycles.unwrap();
    let spec = Spec::parse(&text, Path::new("k.toml"), &[verify::SH4]).unwrap();
    let mut call = UserCall::new(KERNELS_ELF, &spec, "transform_points", false, None).unwrap();
    let mut profiler = profile::Profiler::new(timing::Setup::default());
    call.run(&mut profiler).unwrap();
    assert_eq!(profiler.finish().cycles().0, cycles.candidate);
    let builtin = UserCall::new(KERNELS_ELF, &spec, "transform_points", true, None);
    assert!(builtin.unwrap_err().to_string().contains("built-in"));
    let unknown = UserCall::new(KERNELS_ELF, &spec, "nothing", false, None);
    assert!(unknown.unwrap_err().to_string().contains("no kernel `nothing`"));
}
