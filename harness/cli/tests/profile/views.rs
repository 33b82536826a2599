//! Views of routines: timelines of any range, functions, labels.

use super::elf::START;
use super::{program, told};
use std::path::Path;

/// main: bsr f; nop; sleep. f: mov #1,r0; add #2,r0; L_tail: add r0,r0; rts; nop.
fn two_functions() -> String {
    let code = [
        0xB001, 0x0009, 0x001B, // main
        0xE001, 0x7002, 0x300C, 0x000B, 0x0009, // f
    ];
    let symbols = [("_main", START), ("_f", START + 6), ("L_tail", START + 10)];
    let path = program("two.elf", &code, &symbols);
    path.to_str().unwrap().to_owned()
}

#[test]
fn straight_line_code_has_a_timeline_and_stages() {
    let elf = two_functions();
    let call = ["profile", "--elf", &elf, "--call", "f", "--view", "timeline"];
    let all = told(&call);
    assert!(all.contains("5 instructions from 8c010006 <_f>"), "{all}");
    for part in ["add #2,r0", "stages, cycles", "--timeline loop, all or FROM..TO"] {
        assert!(all.contains(part), "{part} not in:\n{all}");
    }
    let part = told(&[&call[..], &["--timeline", "f+2..f+6"]].concat());
    assert!(part.contains("2 instructions from 8c010008 <_f+0x2>"), "{part}");
    assert!(!part.contains("rts"), "{part}");
    let none = told(&[&call[..], &["--timeline", "main..f"]].concat());
    assert!(
        none.contains("_main is not among the last 5 instructions"),
        "{none}"
    );
}

#[test]
fn pages_have_the_timelines_of_the_terminal() {
    let elf = two_functions();
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("straight/page.html");
    let export = format!("html={}", page.display());
    let call = [
        "profile",
        "--elf",
        &elf,
        "--call",
        "f",
        "--timeline",
        "f+2..f+6",
        "--export",
        &export,
    ];
    told(&call);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("2 instructions from 8c010008"), "{page}");
    assert!(page.contains("--timeline loop, all or FROM..TO"));
}

#[test]
fn labels_split_no_function() {
    let elf = two_functions();
    let listing = told(&["profile", "--elf", &elf, "--call", "f", "--view", "listing"]);
    assert!(listing.contains("<_f>:"), "{listing}");
    assert!(!listing.contains("<L_tail>:"), "{listing}");
}

#[test]
fn functions_are_listed_by_their_cycles() {
    let elf = two_functions();
    // For a whole program, the table is a default view.
    let table = told(&["profile", "--elf", &elf]);
    let row = |name: &str| {
        let line = table.lines().find(|line| line.contains(name)).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let cells: Vec<String> = row("_f ");
    assert_eq!((cells[3].as_str(), cells[4].as_str()), ("1", "5"), "{table}");
    assert_eq!(row("_main ")[4], "3", "{table}");
}

#[test]
fn conditions_are_listed_without_a_kernel() {
    let help = told(&["profile", "--set", "help"]);
    assert!(help.contains("align = 0"), "{help}");
}
