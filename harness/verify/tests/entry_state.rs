//! Routines that depend on their state at entry. Every verdict must depend only on the case's seed.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::sync::OnceLock;

use sh4_kernels::Rng;
use verify::SH4;
use verify::user::{Plan, Spec, Stopped, UserReport, UserVerifier};

/// The assembled routines; `None` without an assembler.
fn program() -> Option<&'static [u8]> {
    static BUILT: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    BUILT.get_or_init(build).as_deref()
}

fn build() -> Option<Vec<u8>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/routines/entry.S");
    let elf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("entry.elf");
    corpus::sh4::compile(&elf, &["-Wl,-e,0x8c010000"], &[source]).then(|| std::fs::read(elf).unwrap())
}

/// A kernel of one word: `call` against `against`.
fn word(call: &str, against: &str, check: &str) -> String {
    format!(
        "[[kernel]]\nname = \"{call} {against}\"\ncall = \"{call}\"\nagainst = \"{against}\"\n\
         returns = \"u32\"\nfpscr = \"single, nearest, flush\"\n[kernel.args]\n\
         x = {{ value = \"u32\", values = \"bits\" }}\n\
         [kernel.check]\n{check}\n"
    )
}

/// A kernel of an array: `call` against `against`.
fn array(call: &str, against: &str, more: &str) -> String {
    format!(
        "[[kernel]]\nname = \"{call} {against}\"\ncall = \"{call}\"\nagainst = \"{against}\"\n\
         fpscr = \"single, nearest, flush\"\n{more}"
    )
}

const SUM: &str = "returns = \"u32\"\n[kernel.args]\nd = { in = \"u32[n]\", values = \"bits\" }\n\
    n = { value = \"u32\", range = \"0..=40\" }\n";
const COPY: &str = "[kernel.args]\ns = { in = \"u32[n]\", values = \"bits\" }\nd = { out = \"u32[n]\" }\n\
    n = { value = \"u32\", range = \"0..=40\" }\n";
const REVERSE: &str = "[kernel.args]\nfrom = { in = \"u32[n]\", values = \"bits\" }\n\
    to = { out = \"u32[n]\" }\nn = { value = \"u32\", range = \"0..=64\" }\n\
    [kernel.check]\nalias = [[\"from\", \"to\"]]\n";
const KEEP: &str = "returns = \"u32\"\n[kernel.args]\nx = { value = \"u32\", values = \"bits\" }\n\
    n = { value = \"u32\", range = \"1..=4\" }\n[kernel.check]\n";
const SUM64: &str = "returns = \"u64\"\n[kernel.args]\na = { value = \"u64\", values = \"bits\" }\n\
    b = { value = \"i64\", values = \"special\" }\n";

/// Every kernel with its verdict, and words of its first problem.
fn kernels() -> Vec<(String, Option<&'static str>)> {
    let register = |call, words| (word(call, "zero_ref", ""), Some(words));
    vec![
        (array("sum_right", "sum_right", SUM), None),
        (word("runaway", "ident", "limit = 2000"), Some("did not return")),
        (word("ident", "runaway", "limit = 2000"), Some("the reference: ")),
        register("get_t", "result is 00000001 (1), expected 00000000 (0)"),
        register("get_r1", "result is"),
        register("get_fr15", "result is"),
        register("get_fr3", "result is"),
        register("get_xf0", "result is"),
        register("get_macl", "result is"),
        register("fipr_bad", "result is"),
        (array("sum_over", "sum_right", SUM), Some("loaded 4 bytes")),
        (
            array(
                "sum_do",
                "sum_right",
                &format!("{SUM}[kernel.check]\nlimit = 2000\n"),
            ),
            Some("loaded 4 bytes"),
        ),
        (array("acc_garbage", "copy_ref", COPY), Some("d[0] is")),
        (
            word("wild_stack", "ident", ""),
            Some("keeps a value 1024 bytes below R15"),
        ),
        (
            array("redzone", "ident", KEEP),
            Some("keeps a value 8 bytes below R15"),
        ),
        (
            word("lowers", "ident", ""),
            Some("keeps a value 8 bytes below R15"),
        ),
        (
            array("redzone", "redzone", &format!("{KEEP}allow = [\"red-zone\"]\n")),
            None,
        ),
        (word("frame", "ident", ""), None),
        (word("t_dep", "ident", ""), Some("result is")),
        (word("sets_t", "ident", ""), Some("result is")),
        (word("gbr_bad", "ident", ""), Some("gbr_bad")),
        (word("cr_bad", "ident", ""), Some("(fpscr.dn 1 to 0)")),
        (word("flips_fr", "ident", ""), Some("(fpscr.fr 0 to 1)")),
        (word("flips_fr", "sr_s", "allow = [\"fpscr.fr\"]"), None),
        (array("add64", "add64_ref", SUM64), None),
        (array("add64_bad", "add64_ref", SUM64), Some("result is")),
        (
            array("rev", "rev_ref", REVERSE),
            Some("(aliased: to is at the address of from)"),
        ),
        (array("sum_right", "_sum_right", SUM), None),
    ]
}

fn verifier(elf: &[u8]) -> UserVerifier {
    let text: String = kernels().into_iter().map(|(text, _)| text).collect();
    let text = text.replace("against = \"_sum_right\"", "against = \"sum_right\"");
    let spec = Spec::parse(&text, Path::new("k.toml"), &[SH4]).unwrap();
    UserVerifier::new(elf, spec, &[SH4]).unwrap()
}

const CASES: u64 = 300;

fn run(verifier: &UserVerifier, order: &[usize], jobs: usize) -> Vec<UserReport> {
    run_cases(verifier, order, jobs, CASES)
}

fn run_cases(verifier: &UserVerifier, order: &[usize], jobs: usize, cases: u64) -> Vec<UserReport> {
    let plan = Plan { cases, seed: 1, jobs };
    verifier.run_all(order, plan, |_| {}).unwrap()
}

#[test]
fn every_kernel_has_its_verdict_in_any_order_and_on_any_number_of_threads() {
    let Some(elf) = program() else { return };
    let (verifier, expected) = (verifier(elf), kernels());
    let mut order: Vec<usize> = (0..expected.len()).collect();
    let first = run(&verifier, &order, 1);
    for (report, (text, problem)) in first.iter().zip(&expected) {
        match (problem, &report.first_problem) {
            (None, None) => assert!(report.passed() && report.cases == CASES, "{report:?}"),
            (Some(words), Some(found)) => {
                assert!(found.what.contains(words), "{text}: {}", found.what);
                // The command of the report shows the problem again.
                let index = verifier.names().position(|name| name == report.name).unwrap();
                let again = verifier.run(index, 1, found.seed).unwrap();
                assert_eq!(again.first_problem.as_ref(), Some(found), "{text}");
            }
            (_, found) => panic!("{text}: {found:?}"),
        }
    }
    // Fewer cases: the order of the kernels matters here.
    let few = run_cases(&verifier, &order, 1, 20);
    let mut rng = Rng::new(7);
    for _ in 0..20 {
        for index in (1..order.len()).rev() {
            order.swap(index, rng.below(index as u32 + 1) as usize);
        }
        let shuffled = run_cases(&verifier, &order, 2, 20);
        for (index, report) in order.iter().zip(shuffled) {
            assert_eq!(report, few[*index]);
        }
    }
}

fn report(elf: &[u8], call: &str) -> UserReport {
    let verifier = verifier(elf);
    let index = verifier.names().position(|name| name == call).unwrap();
    run(&verifier, &[index], 1).remove(0)
}

#[test]
fn the_smallest_case_names_the_register() {
    let Some(elf) = program() else { return };
    for (call, register, word) in [
        ("get_t zero_ref", "sr", 1),
        ("t_dep ident", "sr", 1),
        ("get_macl zero_ref", "macl", 0),
        ("get_fr15 zero_ref", "fr15", 0),
        ("get_xf0 zero_ref", "xf0", 0),
    ] {
        let problem = report(elf, call).first_problem.unwrap();
        let [(name, found)] = &problem.registers[..] else {
            panic!("{call}: {:?}", problem.registers);
        };
        assert_eq!(name, register);
        assert!(
            found.count_ones() == 1 && (word == 0 || *found == word),
            "{call}: {found:08x}"
        );
    }
}

#[test]
fn a_reference_that_fails_ends_its_kernel() {
    let Some(elf) = program() else { return };
    let report = report(elf, "ident runaway");
    assert_eq!((report.cases, report.stopped), (1, Some(Stopped::Reference)));
}

/// A reference may be plain C of another project: its red zone is a remark.
#[test]
fn a_red_zone_of_the_reference_is_a_remark() {
    let Some(elf) = program() else { return };
    let report = report(elf, "rev rev_ref");
    let found = report
        .notes
        .iter()
        .any(|note| note.contains("the reference keeps a value"));
    assert!(found, "{:?}", report.notes);
    let aliased = report.first_problem.unwrap().aliased;
    assert_eq!(aliased, Some(["from", "to"].map(str::to_owned)));
}

/// The report must name the first stray access, because the later failure can be anything.
#[test]
fn the_first_stray_access_of_a_failing_call_is_named() {
    let Some(elf) = program() else { return };
    let problem = report(elf, "sum_do sum_right").first_problem.unwrap();
    assert!(
        problem.shrunk.contains("byte 0 of d, which has 0"),
        "{}",
        problem.shrunk
    );
    assert!(
        problem.shrunk.contains("; then it failed: "),
        "{}",
        problem.shrunk
    );
}

#[test]
fn unknown_words_of_allow_are_answered() {
    let Some(elf) = program() else { return };
    for (check, expected) in [
        (
            "allow = [\"fpscr.fx\"]",
            "allow: no `fpscr.fx`; did you mean `fpscr.fr`?",
        ),
        ("abi = false\nallow = [\"gbr\"]", "allow: has no effect"),
    ] {
        let text = word("ident", "ident", check);
        let spec = Spec::parse(&text, Path::new("k.toml"), &[SH4]).map_err(|error| error.to_string());
        let made = spec.and_then(|spec| {
            let made = UserVerifier::new(elf, spec, &[SH4]);
            made.map(|_| ()).map_err(|error| error.to_string())
        });
        let error = made.unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}
