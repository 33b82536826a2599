//! Unusual programs and files: all parts must still sum to the clock, and the report must state the costs
//! that it could not attribute.

use super::{swirl, text, told};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("odd");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns whether the binutils for SH-4 are installed; CI has them.
fn tools() -> bool {
    let found = Command::new("sh4-linux-gnu-as").arg("--version").output().is_ok();
    assert!(
        found || std::env::var_os("CI").is_none(),
        "sh4-linux-gnu-as is not installed"
    );
    if !found {
        println!("odd programs: 0 run, sh4-linux-gnu-as is not installed");
    }
    found
}

fn tool(name: &str, args: &[&str]) {
    let status = Command::new(name).args(args).status().unwrap();
    assert!(status.success(), "{name} {args:?}");
}

/// Start of each program: `start` calls `again` forever, with the stack at 8D000000.
const HEAD: &str = "
        .text
        .globl  start
        .type   start, @function
start:  mov.l   1f, r15
2:      bsr     again
        nop
        bra     2b
        nop
        .align  2
1:      .long   0x8d000000
        .globl  again
        .type   again, @function
";

/// Assembles and links a program, with code at 8C010000 and data at 8C020000.
fn build(name: &str, source: &str) -> PathBuf {
    let path = |extension: &str| folder().join(format!("{name}.{extension}"));
    let [asm, object, elf] = ["s", "o", "elf"].map(path);
    std::fs::write(&asm, format!("{HEAD}{source}")).unwrap();
    let [asm, object, output] = [&asm, &object, &elf].map(|path| path.to_str().unwrap());
    tool("sh4-linux-gnu-as", &["--isa=sh4", "-little", "-o", object, asm]);
    let places = ["-EL", "-estart", "-Ttext=0x8c010000", "-Tdata=0x8c020000"];
    tool(
        "sh4-linux-gnu-ld",
        &[&places[..], &["-o", output, object]].concat(),
    );
    elf
}

/// Returns the sum of a key over rows.
fn sum(rows: &Value, key: &str) -> u64 {
    let rows = rows.as_array().unwrap();
    rows.iter().map(|row| row[key].as_u64().unwrap()).sum()
}

/// Returns the profile of some frames of a program after checking its sums against the clock, and the report.
fn profile(elf: &Path, frames: &str) -> (Value, String) {
    let args = ["profile", "--elf", elf.to_str().unwrap(), "--frames", frames];
    let json: Value = serde_json::from_str(&told(&[&args[..], &["--json"]].concat())).unwrap();
    let clock = json["clock"].as_u64().unwrap();
    let name = elf.display();
    assert!(clock > 0, "{name}");
    assert_eq!(json["cycles"], clock, "{name}");
    assert_eq!(sum(&json["functions"], "cycles"), clock, "{name}");
    assert_eq!(sum(&json["frames"], "cycles"), clock, "{name}");
    let idle = sum(&json["frames"], "without_instructions");
    assert_eq!(sum(&json["calls"], "own") + idle, clock, "{name}");
    let activities = json["activities"].as_object().unwrap();
    let activities = activities.values().filter_map(Value::as_u64);
    assert_eq!(activities.sum::<u64>(), clock, "{name}");
    for frame in json["frames"].as_array().unwrap() {
        let functions = sum(&frame["functions"], "cycles");
        let others =
            frame["other_functions"].as_u64().unwrap() + frame["without_instructions"].as_u64().unwrap();
        assert_eq!(frame["cycles"], functions + others, "{name}");
    }
    let report = told(&args);
    let line = format!("The parts sum to {clock} cycles; the console's clock advanced by {clock}.");
    assert!(report.contains(&line), "{report}");
    (json, report)
}

/// Returns a figure of unattributed costs.
fn unattributed(json: &Value, key: &str) -> u64 {
    let all = &json["unattributed"];
    all[key].as_u64().unwrap_or_else(|| panic!("{key}: {all}"))
}

/// Returns the cycles of a function.
fn cycles(json: &Value, name: &str) -> u64 {
    let rows = json["functions"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == name);
    row.unwrap_or_else(|| panic!("{name}: {rows:#?}"))["cycles"]
        .as_u64()
        .unwrap()
}

#[test]
fn code_that_was_copied_has_its_page() {
    if !tools() {
        return;
    }
    // Copies `loop` to 8C200000, and calls it there through P2.
    let source = "
again:  sts.l   pr, @-r15
        mov.l   from, r0
        mov.l   to, r1
        mov     #8, r2
3:      mov.w   @r0+, r3
        mov.w   r3, @r1
        dt      r2
        bf/s    3b
        add     #2, r1
        mov.l   to, r1
        jsr     @r1
        nop
        lds.l   @r15+, pr
        rts
        nop
        .align  2
from:   .long   loop
to:     .long   0xac200000
        .align  5
        .type   loop, @function
loop:   mov     #100, r4
4:      dt      r4
        bf      4b
        rts
        nop
";
    let (json, report) = profile(&build("copied", source), "0..2");
    let outside = unattributed(&json, "outside_program");
    assert_eq!(cycles(&json, "(outside the program, 8c200000)"), outside);
    assert!(outside > json["clock"].as_u64().unwrap() / 2, "{outside}");
    assert!(
        report.contains("cycles in code outside the program's file"),
        "{report}"
    );
    assert_eq!(unattributed(&json, "unmatched_returns"), 0);
}

#[test]
fn code_in_data_is_outside_the_program() {
    if !tools() {
        return;
    }
    // Two words in a table of numbers look like RTS and NOP.
    let source = "
again:  mov.l   at, r0
        jmp     @r0
        nop
        .align  2
at:     .long   table
        .data
        .globl  table
table:  .short  0x000b, 0x0009, 0xfffd, 0xfffd
";
    let (json, report) = profile(&build("data", source), "0..2");
    let outside = unattributed(&json, "outside_program");
    assert!(outside > 0 && outside == cycles(&json, "(outside the program, 8c020000)"));
    assert!(
        report.contains("cycles in code outside the program's file"),
        "{report}"
    );
}

#[test]
fn a_jump_into_what_is_no_code_ends_the_profile() {
    if !tools() {
        return;
    }
    // FFFD is no instruction, and the exception has no handler.
    let source = "
again:  mov     #100, r4
5:      dt      r4
        bf      5b
        mov.l   at, r0
        jmp     @r0
        nop
        .align  2
at:     .long   table
        .data
table:  .short  0xfffd, 0xfffd, 0xfffd, 0xfffd
";
    let (json, report) = profile(&build("no_code", source), "0..2");
    assert!(
        report.contains("the program ended before the last frame: "),
        "{report}"
    );
    assert!(json["ended"].is_string(), "{json}");
    assert_eq!(json["frame_count"], 1);
}

#[test]
fn returns_and_calls_that_do_not_match_are_counted() {
    if !tools() {
        return;
    }
    // Returns to itself with another PR than the call's, then to `start`.
    let unbalanced = "
again:  sts     pr, r8
        mova    6f, r0
        lds     r0, pr
        rts
        nop
        .align  2
6:      lds     r8, pr
        rts
        nop
";
    let (json, report) = profile(&build("unbalanced", unbalanced), "0..2");
    assert!(unattributed(&json, "unmatched_returns") > 1000);
    assert_eq!(unattributed(&json, "abandoned_calls"), 0);
    assert!(report.contains("returns without a known call"), "{report}");

    // Like setjmp and longjmp: `mark` stores PR and R15, and `outer` calls `inner`, which returns from `mark`
    // again.
    let longjmp = "
again:  sts.l   pr, @-r15
        bsr     mark
        nop
        tst     r0, r0
        bf      7f
        bsr     outer
        nop
7:      lds.l   @r15+, pr
        rts
        nop
        .type   mark, @function
mark:   mov.l   cell, r1
        sts     pr, r2
        mov.l   r2, @r1
        mov.l   r15, @(4,r1)
        rts
        mov     #0, r0
        .type   outer, @function
outer:  sts.l   pr, @-r15
        bsr     inner
        nop
        .type   inner, @function
inner:  mov.l   cell, r1
        mov.l   @r1, r2
        lds     r2, pr
        mov.l   @(4,r1), r15
        rts
        mov     #1, r0
        .align  2
cell:   .long   store
        .data
store:  .long   0, 0
";
    let (json, report) = profile(&build("longjmp", longjmp), "0..2");
    let calls = unattributed(&json, "unmatched_returns");
    assert!(calls > 1000);
    // `again` returns past `outer` and `inner`; the last round can be incomplete.
    assert!(unattributed(&json, "abandoned_calls").abs_diff(2 * calls) <= 2);
    assert!(cycles(&json, "outer") > 0 && cycles(&json, "inner") > 0);
    assert!(
        report.contains("calls that ended because an outer call returned"),
        "{report}"
    );
}

#[test]
fn stacks_that_are_exchanged_balance() {
    if !tools() {
        return;
    }
    // `again` and `other` alternate: `change` stores PR on the stack and exchanges R15 with a cell. `other`
    // starts by the first return.
    let threads = "
again:  sts.l   pr, @-r15
        mov.l   cell, r1
        mov.l   @r1, r2
        tst     r2, r2
        bf      8f
        mov.l   stack, r2
        mov.l   begin, r3
        mov.l   r3, @-r2
        mov.l   r2, @r1
8:      bsr     change
        nop
        lds.l   @r15+, pr
        rts
        nop
        .type   other, @function
other:  mov     #100, r4
9:      dt      r4
        bf      9b
        bsr     change
        nop
        bra     other
        nop
        .type   change, @function
change: sts.l   pr, @-r15
        mov.l   cell, r1
        mov.l   @r1, r2
        mov.l   r15, @r1
        mov     r2, r15
        lds.l   @r15+, pr
        rts
        nop
        .align  2
cell:   .long   store
stack:  .long   0x8ce00000
begin:  .long   other
        .data
store:  .long   0
";
    let (json, report) = profile(&build("threads", threads), "0..2");
    assert!(cycles(&json, "other") > cycles(&json, "again"));
    assert!(
        unattributed(&json, "unmatched_returns") > 0,
        "{}",
        json["unattributed"]
    );
    assert!(report.contains("returns without a known call"), "{report}");
}

/// A committed ROM with symbols and debug information, without debug information, and without both.
#[test]
fn files_without_symbols_or_lines_balance() {
    if !tools() {
        return;
    }
    let rom = |name: &str| {
        let path = format!("{}/../../roms/console/{name}.elf", env!("CARGO_MANIFEST_DIR"));
        PathBuf::from(path)
    };
    let strip = |name: &str, how: &str| {
        let elf = folder().join(format!("{name}{how}.elf"));
        let (from, to) = (rom(name), elf.to_str().unwrap());
        tool("sh4-linux-gnu-strip", &[how, "-o", to, from.to_str().unwrap()]);
        elf
    };
    let (whole, _) = profile(&rom("fault"), "0..1");
    let work = sum(&whole["functions"], "instructions");
    assert!(work > 0 && !whole["lines"].as_array().unwrap().is_empty());
    let lines = unattributed(&whole, "no_source_line");

    let (json, report) = profile(&strip("fault", "--strip-debug"), "0..1");
    assert_eq!(json["functions"], whole["functions"]);
    assert_eq!(json["lines"], Value::Array(Vec::new()));
    assert!(unattributed(&json, "no_source_line") > lines);
    assert!(
        report.contains("no source lines: the file has no debug information"),
        "{report}"
    );

    let (with, _) = profile(&rom("spin"), "2..6");
    assert_eq!(unattributed(&with, "no_symbol"), 0);
    let (without, report) = profile(&strip("spin", "--strip-all"), "2..6");
    let executed = sum(&without["calls"], "own");
    assert_eq!(without["clock"], with["clock"]);
    assert_eq!(unattributed(&without, "no_symbol"), executed);
    assert!(report.contains(&format!(
        "{executed:>12}  cycles in the program's code without a symbol"
    )));
    assert!(without["data_owners"].as_array().unwrap().iter().all(|row| {
        let name = row["name"].as_str().unwrap();
        name.starts_with('(')
    }));
}

/// Damaged files must be rejected by name.
#[test]
fn damaged_files_are_refused() {
    let rom = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/console/fault.elf");
    let whole = std::fs::read(rom).unwrap();
    let path = folder().join("damaged.elf");
    for length in [0, 3, 52, 100, whole.len() / 2] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let output = swirl(&["profile", "--elf", path.to_str().unwrap(), "--frames", "0..1"]);
        assert_eq!(output.status.code(), Some(2), "{length} bytes");
        assert!(
            text(&output.stderr).contains("damaged.elf"),
            "{}",
            text(&output.stderr)
        );
    }
}
