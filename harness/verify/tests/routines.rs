//! Verifies functions compiled here, and checks the report for each kind of mistake.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use verify::SH4;
use verify::user::{Spec, Stopped, UserReport, UserVerifier, scaffold};

/// The program with and without debug information; `None` without a compiler.
fn program(debug: bool) -> Option<Vec<u8>> {
    static BUILT: [OnceLock<Option<Vec<u8>>>; 2] = [OnceLock::new(), OnceLock::new()];
    BUILT[usize::from(debug)].get_or_init(|| build(debug)).clone()
}

fn build(debug: bool) -> Option<Vec<u8>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/routines/routines.c");
    let name = format!("routines-{}.elf", if debug { "g" } else { "g0" });
    let elf: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let options = [
        "-O2",
        "-fno-tree-loop-distribute-patterns",
        "-Wl,-e,0x8c010000",
        if debug { "-g" } else { "-g0" },
    ];
    corpus::sh4::compile(&elf, &options, &[source]).then(|| std::fs::read(elf).unwrap())
}

fn spec(text: &str) -> Spec {
    Spec::parse(text, Path::new("k.toml"), &[SH4]).unwrap()
}

/// A kernel with the three arguments of most functions here.
fn kernel(call: &str, element: &str, extra: &str) -> String {
    format!(
        "[[kernel]]\ncall = \"{call}\"\nagainst = \"{call}_c\"\n\
         [kernel.args]\n\
         src = {{ in = \"{element}[n]\" }}\n\
         dst = {{ out = \"{element}[n]\" }}\n\
         n = {{ value = \"u32\", range = \"1..=64\" }}\n\
         [kernel.check]\n{extra}\n"
    )
}

fn run(elf: &[u8], text: &str, cases: u64, seed: u64) -> UserReport {
    let verifier = UserVerifier::new(elf, spec(text), &[SH4]).unwrap();
    verifier.run(0, cases, seed).unwrap()
}

#[test]
fn tolerances_pass_and_the_worst_element_is_named() {
    let Some(elf) = program(true) else { return };
    let bits = run(&elf, &kernel("third", "f32", ""), 200, 1);
    assert!(bits.failures > 0);
    let problem = bits.first_problem.unwrap();
    assert!(
        problem.what.contains(" ulp, ") && problem.what.contains(" relative, "),
        "{}",
        problem.what
    );
    assert_eq!(problem.worst.unwrap().distance.ulp, Some(1));
    for tolerance in ["ulp = 1", "relative = 2e-7", "relative = 1e-30, ulp = 1"] {
        let report = run(
            &elf,
            &kernel("third", "f32", &format!("compare = {{ {tolerance} }}")),
            200,
            1,
        );
        assert!(report.passed(), "{tolerance}: {:?}", report.first_problem);
        let worst = report.worst.unwrap();
        assert_eq!(worst.difference.distance.ulp, Some(1), "{worst:?}");
        assert!(worst.size > 0.0 && worst.size <= 1.0, "{worst:?}");
        let again = run(&elf, &kernel("third", "f32", ""), 1, worst.seed);
        assert_eq!(again.failures, 1, "the seed of the worst element shows it");
    }
    let close = run(
        &elf,
        &kernel("third", "f32", "compare = { relative = 1e-9, absolute = 1e-12 }"),
        200,
        1,
    );
    assert!(!close.passed());
}

/// Every failing seed comes down to one byte.
#[test]
fn a_copy_that_is_wrong_for_odd_lengths_shrinks_to_one_byte() {
    let Some(elf) = program(true) else { return };
    let verifier = UserVerifier::new(&elf, spec(&kernel("copy", "u8", "")), &[SH4]).unwrap();
    let mut failing = 0;
    for seed in 0..60 {
        let report = verifier.run(0, 1, seed).unwrap();
        if let Some(problem) = report.first_problem {
            failing += 1;
            assert_eq!(
                problem.arguments[2], "n = 00000001 (1)",
                "seed {seed}: {problem:?}"
            );
        }
    }
    assert!(failing > 15, "{failing}");
}

#[test]
fn loads_outside_of_buffers_are_found() {
    let Some(elf) = program(true) else { return };
    let text = |reads: &str| {
        format!(
            "[[kernel]]\ncall = \"total\"\nagainst = \"total_c\"\nreturns = \"u32\"\n[kernel.args]\n\
             src = {{ in = \"u32[n]\" }}\nn = {{ value = \"u32\", range = \"1..=64\" }}\n\
             [kernel.check]\n{reads}\n"
        )
    };
    let problem = run(&elf, &text(""), 5, 1).first_problem.unwrap();
    let expected = "loaded 4 bytes from ";
    assert!(problem.shrunk.contains(expected), "{}", problem.shrunk);
    assert!(
        problem.shrunk.contains("(byte 4 of src, which has 4), at "),
        "{}",
        problem.shrunk
    );
    assert!(problem.shrunk.contains("reads = \"line\""), "{}", problem.shrunk);
    assert!(
        problem.shrunk.contains("(total+0x") || problem.shrunk.contains("(total)"),
        "{}",
        problem.shrunk
    );
    assert!(run(&elf, &text("reads = \"any\""), 100, 1).passed());
    // The word after a buffer is in the buffer's last cache line, unless the buffer ends with the line.
    let line = run(&elf, &text("reads = \"line\""), 100, 1);
    assert!(0 < line.failures && line.failures < 100, "{}", line.failures);
    assert!(run(&elf, &text("abi = false"), 20, 1).passed());
}

#[test]
fn an_endless_loop_ends_early() {
    let Some(elf) = program(true) else { return };
    let text = kernel("endless", "u8", "").replace("endless_c", "copy_c");
    let start = Instant::now();
    let report = run(&elf, &text, 100_000, 1);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(report.cases, 8);
    assert_eq!(report.stopped, Some(Stopped::Instructions { cases: 8 }));
    let reference = kernel("copy", "u8", "")
        .replace("copy_c", "endless")
        .replace("[kernel.check]", "[kernel.check]\nlimit = 100000");
    let reference = run(&elf, &reference, 100_000, 1);
    assert_eq!(
        (reference.cases, reference.stopped),
        (1, Some(Stopped::Reference))
    );
    assert!(
        reference
            .first_problem
            .unwrap()
            .what
            .starts_with("the reference: ")
    );
    let what = report.first_problem.unwrap().what;
    assert!(
        what.contains("reached the instruction limit") && what.contains("`limit` in [kernel.check]"),
        "{what}"
    );
    let limited = run(
        &elf,
        &text.replace("[kernel.check]", "[kernel.check]\nlimit = 2000"),
        3,
        1,
    );
    let what = limited.first_problem.unwrap().what;
    assert!(what.contains("another limit than 2000"), "{what}");
}

#[test]
fn outputs_that_the_reference_does_not_write_are_named() {
    let Some(elf) = program(true) else { return };
    let problem = run(&elf, &kernel("most", "u32", ""), 50, 1)
        .first_problem
        .unwrap();
    assert!(
        problem
            .shrunk
            .contains("; the reference does not write dst[0], nor any other"),
        "{}",
        problem.shrunk
    );
    let of_many = run(
        &elf,
        &kernel("most", "u32", "").replace("1..=64", "4..=64"),
        50,
        1,
    );
    let shrunk = of_many.first_problem.unwrap().shrunk;
    assert!(
        shrunk.ends_with("; the reference does not write dst[3]"),
        "{shrunk}"
    );
    let copy = run(&elf, &kernel("copy", "u8", ""), 50, 1).first_problem.unwrap();
    assert!(
        copy.shrunk.ends_with("; the candidate does not write dst[0]"),
        "{}",
        copy.shrunk
    );
    let nothing = kernel("nothing", "u32", "").replace("\"nothing\"", "\"nothing_c\"");
    let report = run(
        &elf,
        &nothing.replace("[kernel.args]", "returns = \"u32\"\n[kernel.args]"),
        50,
        1,
    );
    assert!(report.passed());
    let expected = "the reference does not write dst: it is not compared";
    assert!(
        report.notes.iter().any(|note| note == expected),
        "{:?}",
        report.notes
    );
}

#[test]
fn strings_are_generated() {
    let Some(elf) = program(true) else { return };
    let text = "[[kernel]]\ncall = \"length\"\nagainst = \"length_c\"\nreturns = \"u32\"\n[kernel.args]\n\
                text = { in = \"i8[40]\", values = \"string\" }\n";
    let report = run(&elf, text, 200, 1);
    let problem = report.first_problem.unwrap();
    let characters = &problem.inputs[0].elements;
    assert!(
        (0x80..0x100).contains(&characters[0]) && characters[1] == 0,
        "{characters:x?}"
    );
    assert_eq!(
        problem.shrunk.split(':').next(),
        Some("result is 00000000 (0), expected 00000001 (1)")
    );
    assert!(
        run(&elf, &text.replace("\"length\"", "\"length_c\""), 500, 1).passed(),
        "always terminated"
    );
}

#[test]
fn a_matrix_is_shown_whole() {
    let Some(elf) = program(true) else { return };
    let text = "[[kernel]]\ncall = \"twice\"\nagainst = \"twice_c\"\n[kernel.args]\n\
                m = { in = \"f32[16]\", values = \"matrix\" }\ndst = { out = \"f32[16]\" }\n";
    let problem = run(&elf, text, 200, 1).first_problem.unwrap();
    assert!(problem.shrunk.starts_with("dst[6] is "), "{problem:?}");
    let output = &problem.outputs[0];
    assert_eq!(
        (output.differing.as_slice(), output.candidate.len()),
        (&[6_usize][..], 16)
    );
    let lines = output.lines();
    assert_eq!(lines.len(), 5);
    assert!(
        lines[2].contains("[4]") && lines[2].matches('*').count() == 2,
        "{lines:#?}"
    );
    assert_eq!(problem.inputs[0].matrix().len(), 4);
}

#[test]
fn fpscr_comes_from_the_compiler_s_options() {
    let (Some(debug), Some(plain)) = (program(true), program(false)) else {
        return;
    };
    let text = kernel("third", "f32", "compare = { ulp = 1 }");
    let report = run(&debug, &text, 100, 1);
    assert!(report.passed(), "{:?}", report.first_problem);
    let note = "against_fpscr = \"double, nearest, flush\" (third_c is compiled with -m4)";
    assert!(report.notes.iter().any(|n| n == note), "{:?}", report.notes);
    // Without the options the default does not fit, and the message says what does.
    let what = run(&plain, &text, 20, 1).first_problem.unwrap().what;
    assert!(
        what.contains("try `against_fpscr = \"double, nearest, flush\"`"),
        "{what}"
    );
    let given = text.replace(
        "[kernel.args]",
        "fpscr = \"double, nearest, flush\"\n[kernel.args]",
    );
    assert!(run(&plain, &given, 20, 1).passed());
}

#[test]
fn a_deadline_leaves_cases_out() {
    let Some(elf) = program(true) else { return };
    let mut verifier = UserVerifier::new(&elf, spec(&kernel("copy", "u8", "")), &[SH4]).unwrap();
    verifier.set_deadline(Some(Instant::now()));
    let report = verifier.run(0, 100, 1).unwrap();
    assert_eq!((report.cases, report.stopped), (0, Some(Stopped::Time)));
    assert!(!report.passed(), "nothing was run");
    verifier.set_deadline(Some(Instant::now() + Duration::from_millis(300)));
    let report = verifier.run(0, u64::MAX, 1).unwrap();
    assert!(report.cases > 0 && report.stopped == Some(Stopped::Time));
}

#[test]
fn wrong_names_have_a_suggestion() {
    let Some(elf) = program(true) else { return };
    let text = kernel("thrid", "f32", "").replace("thrid_c", "third_c");
    let error = UserVerifier::new(&elf, spec(&text), &[SH4])
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("k.toml:2: no symbol `thrid` in the program; did you mean `third`?"),
        "{error}"
    );
    let wrong = kernel("third", "f32", "").replace("third_c", "builtin:transform_pionts");
    let error = Spec::parse(&wrong, Path::new("k.toml"), &[SH4])
        .unwrap_err()
        .to_string();
    assert!(error.contains("did you mean `transform_points`?"), "{error}");
}

/// A scaffold is a specification that runs.
#[test]
fn a_scaffold_is_read_and_run() {
    let Some(elf) = program(true) else { return };
    let text = scaffold(&elf, "third", &[SH4]).unwrap();
    for line in [
        "against = \"third_c\"  # ? guessed from its name",
        "src = { in = \"f32[n]\" }  # ? elements",
        "dst = { out = \"f32[n]\" }  # ? elements",
        "n = { value = \"u32\", range = \"0..=64\" }  # ? range; from 1 if 0 is not allowed",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
    let tolerant = text.replace("\"bits\"", "{ ulp = 1 }");
    assert!(run(&elf, &tolerant, 50, 1).passed());

    let text = scaffold(&elf, "mixed", &[SH4]).unwrap();
    for line in [
        "returns = \"f64\"",
        "in = { in = \"u32[4*count]\" }  # ? type and elements",
        "out = { out = \"u16[count]\" }  # ? elements",
        "name = { in = \"i8[count]\" }  # ? elements",
        "kind = { value = \"u32\" }",
        "d = { value = \"f64\" }",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
    spec(&text);

    let error = |symbol: &str| scaffold(&elf, symbol, &[SH4]).unwrap_err().to_string();
    assert!(
        error("thrid").contains("did you mean `third`?"),
        "{}",
        error("thrid")
    );
    let text = scaffold(&elf, "wide", &[SH4]).unwrap();
    assert!(
        text.contains("returns = \"i64\"") && text.contains("x = { value = \"i64\" }"),
        "{text}"
    );
    let plain = program(false).unwrap();
    let error = scaffold(&plain, "third", &[SH4]).unwrap_err().to_string();
    assert!(error.contains("no prototype of `third`"), "{error}");
    // Damaged debug information gives an error or a text, and no panic.
    for at in (0..elf.len()).step_by(7) {
        let mut damaged = elf.clone();
        damaged[at] ^= 0xFF;
        let _ = scaffold(&damaged, "third", &[SH4]);
    }
}
