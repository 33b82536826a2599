//! `swirl test` with cases of kind `program`: the project's cases, and messages of failing ones.

use super::{swirl, text};
use std::path::{Path, PathBuf};

fn run(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let out = tempfile::tempdir().unwrap();
    let words = [
        "test",
        folder.to_str().unwrap(),
        "--out",
        out.path().to_str().unwrap(),
    ];
    let output = swirl(&[&words, more].concat());
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

/// Creates a folder with a case for a program of the project.
fn case(program: &str, keys: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let elf = format!("{}/../../roms/console/{program}.elf", env!("CARGO_MANIFEST_DIR"));
    let text = format!("kind = \"program\"\ninput = {elf:?}\n{keys}\n");
    std::fs::write(folder.path().join("case.toml"), text).unwrap();
    folder
}

#[test]
fn the_projects_programs_pass() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/console");
    let (status, told) = run(&folder, &[]);
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("8 cases: 8 passed, 0 failed"), "{told}");
}

#[test]
fn failures_say_why() {
    for (program, keys, wanted) in [
        (
            "fault",
            "",
            &[
                "address error",
                "checksum+",
                "fault.c:16",
                "last lines:\n    loading L1",
            ][..],
        ),
        (
            "exceptions",
            "exit_code = 3",
            &["found exit code 0, expected exit code 3"],
        ),
        (
            "spin",
            "limit = { frames = 5 }\nexit_code = 0",
            &["found reached, expected exit code 0"],
        ),
        (
            "exceptions",
            "contains = [\"PASSED\"]",
            &["did not print \"PASSED\"", "last lines:"],
        ),
        ("exceptions", "max = 10", &["cycles, expected at most 10"]),
        (
            "exceptions",
            "frames = [60]\nchecks = []",
            &["frame 60: the program ended at frame"],
        ),
        (
            "exceptions",
            "frames = [0.5]",
            &["expected whole numbers from 1 on"],
        ),
        ("exceptions", "limit = { days = 1 }", &["unknown field `days`"]),
        ("absent", "", &["absent.elf"]),
        (
            "exceptions",
            "make = { folder = \".\", target = \"x\" }",
            &["make -C . x"],
        ),
    ] {
        let folder = case(program, keys);
        let (status, told) = run(folder.path(), &[]);
        assert!(matches!(status, Some(1 | 2)), "{told}");
        for part in wanted {
            assert!(told.contains(part), "{part:?} not in\n{told}");
        }
    }
}

/// The picture at the end must be compared, and stored if a case fails for another reason.
#[test]
fn the_picture_at_the_end_is_compared_and_kept() {
    let folder = case("spin", "limit = { frames = 6 }\nend_picture = true");
    assert_eq!(run(folder.path(), &["--update"]).0, Some(0));
    assert!(folder.path().join("expected/end.png").exists());
    assert_eq!(run(folder.path(), &[]).0, Some(0));
    let (folder, out) = (case("fault", ""), tempfile::tempdir().unwrap());
    let page = out.path().join("page.html");
    let words = [
        "test",
        folder.path().to_str().unwrap(),
        "--out",
        out.path().to_str().unwrap(),
    ];
    let told = swirl(&[&words[..], &["--html", page.to_str().unwrap()]].concat());
    assert_eq!(told.status.code(), Some(1));
    let picture = out.path().join("screen.png");
    let place = format!("the screen at the end: {}", picture.display());
    assert!(text(&told.stdout).contains(&place), "{}", text(&told.stdout));
    assert!(picture.exists());
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("alt=screen"));
}

/// Pictures and text must be stored and compared, and a change must be found.
#[test]
fn pictures_and_text_are_compared() {
    let folder = case("menu", "limit = { frames = 12 }\nframes = [12]\nconsole = true");
    let (status, told) = run(folder.path(), &[]);
    assert_eq!(status, Some(1), "{told}");
    assert!(
        told.contains("frame_0012.png: missing; --update writes it"),
        "{told}"
    );
    assert_eq!(run(folder.path(), &["--update"]).0, Some(0));
    assert_eq!(run(folder.path(), &[]).0, Some(0));
    // With Down pressed, another entry is marked.
    std::fs::write(folder.path().join("keys.txt"), "5 press down\n").unwrap();
    let file = folder.path().join("case.toml");
    let text = std::fs::read_to_string(&file).unwrap() + "script = \"keys.txt\"\n";
    std::fs::write(&file, text).unwrap();
    let (status, told) = run(folder.path(), &[]);
    assert_eq!(status, Some(1), "{told}");
    assert!(
        told.contains("frame_0012.png: ") && told.contains("pixels"),
        "{told}"
    );
}

/// A program that breaks a rule must fail its case, unless the case permits it.
#[test]
fn programs_are_checked_unless_their_case_says_otherwise() {
    for (keys, passes) in [
        ("", false),
        ("checks = \"memory\"", false),
        ("checks = [\"cache\", \"ta\"]", true),
        ("checks = []", true),
        ("options = [\"--allow\", \"null-page@main\"]", true),
        ("options = [\"--allow\", \"null-page@other\"]", false),
    ] {
        let folder = case(
            "../checks/null_page",
            &format!("{keys}\nlimit = {{ frames = 2 }}"),
        );
        let (status, told) = run(folder.path(), &[]);
        assert_eq!(status == Some(0), passes, "{keys}\n{told}");
        let wanted = [
            "1 report of the checks",
            "null-page at",
            "null_page.c:",
            "address 00000000",
        ];
        let names = wanted.iter().all(|part| told.contains(part));
        assert_eq!(names, !passes, "{keys}\n{told}");
    }
    let (status, told) = run(case("spin", "checks = [\"cachee\"]").path(), &[]);
    assert!(
        status == Some(1) && told.contains("--deny: found \"cachee\""),
        "{told}"
    );
}

/// An exceeded budget must fail its case with all figures, and the summary must have every figure.
#[test]
fn budgets_are_held() {
    let limit = "checks = []\nlimit = { frames = 12 }\nbudget = { frames = \"10..12\", ";
    let budget = "frame_cycles = 100_000, functions = { thrash = 300_000, draw = 1 }, missed_frames = 0 }";
    let folder = case("spin_thrash", &format!("{limit}{budget}"));
    let summary = folder.path().join("summary.md");
    let markdown = format!("--markdown={}", summary.display());
    let (status, told) = run(folder.path(), &[&markdown]);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.contains("cycles of work in a frame: 26"), "{told}");
    assert!(
        told.contains(", the budget is 100000; draw, cycles in a frame: "),
        "{told}"
    );
    let summary = std::fs::read_to_string(summary).unwrap();
    for line in [
        "**1 case, 1 failed**",
        "| 100000 | 26",
        "| thrash, cycles in a frame | 2453",
        "| . | missed frames | 0 | 0 | 0.0 % | kept |",
        "**exceeded**",
    ] {
        assert!(summary.contains(line), "{line} not in\n{summary}");
    }
    let kept = case(
        "spin",
        &format!("{limit}frame_cycles = 100_000, ta_bytes = 2_000 }}"),
    );
    let (status, told) = run(kept.path(), &[]);
    assert_eq!(status, Some(0), "{told}");
    for (program, budget, wanted) in [
        ("spin", "}", "found only frames, expected at least one limit"),
        (
            "spin",
            "functions = { no_such = 1 } }",
            "no function no_such ran in frames 10..12",
        ),
        ("spin", "textures = 1 }", "unknown field `textures`"),
        ("spin", "ta_bytes = -1 }", "invalid value"),
        ("exceptions", "missed_frames = 1 }", "ended in frame"),
    ] {
        let folder = case(program, &format!("{limit}{budget}"));
        let (status, told) = run(folder.path(), &[]);
        assert_eq!(status, Some(1), "{told}");
        assert!(told.contains(wanted), "{wanted:?} not in\n{told}");
    }
}
