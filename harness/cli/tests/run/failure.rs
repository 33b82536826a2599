//! Reports of failed programs (registers, back-trace, branches), and of programs that wait.

use super::{elf, json, run, swirl, text};
use object::{Object, ObjectSection};
use std::path::{Path, PathBuf};

fn rom(name: &str) -> String {
    format!("{}/../../roms/console/{name}.elf", env!("CARGO_MANIFEST_DIR"))
}

/// Returns the lines after a heading, up to one that is not indented.
fn section<'a>(text: &'a str, heading: &str) -> Vec<&'a str> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(heading));
    assert!(lines.next().is_some(), "no {heading:?} in\n{text}");
    lines.take_while(|line| line.starts_with("  ")).collect()
}

/// A fault must show inlined calls, callers from call-frame information, lines, and the branches into the
/// failing function.
#[test]
fn a_fault_has_a_back_trace_and_branches() {
    let output = swirl(&["run", &rom("fault")]);
    assert_eq!(output.status.code(), Some(1));
    let out = text(&output.stdout);
    let frames = section(&out, "back-trace");
    let expected = [
        "first_word (inlined)",
        "checksum+",
        "load_level+",
        "main+",
        "start+",
    ];
    assert_eq!(frames.len(), expected.len(), "{out}");
    for (frame, expected) in frames.iter().zip(expected) {
        assert!(frame.contains(expected), "{expected} not in {frame}");
    }
    assert!(frames[0].contains("fault.c:"), "{out}");
    assert!(!out.contains("guessed"), "{out}");
    let branches = section(&out, "last branches");
    assert!(
        branches.last().is_some_and(|last| last.contains("checksum")),
        "{out}"
    );
    assert!(
        branches
            .iter()
            .any(|branch| branch.contains("-> ") && branch.ends_with("(checksum)")),
        "{out}"
    );
    let registers = section(&out, "registers").join(" ");
    assert!(
        registers.contains("pc 8c01") && registers.contains("r15 8cff"),
        "{registers}"
    );
    assert!(out.contains("failed: 8C01"), "the summary comes last: {out}");
}

/// With SR.BL = 1 an exception resets the CPU. The report must have the registers of the instruction, which
/// is in a delay slot.
#[test]
fn a_reset_has_the_registers_of_the_instruction() {
    // mov #1,r2; mov #5,r3; bra to the sleep; mov.l @r2,r0 in the slot; sleep
    let out = text(&run(&[0xE201, 0xE305, 0xA000, 0x6022, 0x001B], &[]).stdout);
    let registers = section(&out, "registers").join(" ");
    for register in ["r2 00000001", "r3 00000005", "pc 8c010006", "sr 500000f0"] {
        assert!(registers.contains(register), "{register} not in {registers}");
    }
    assert!(section(&out, "back-trace")[0].contains("8c010006"), "{out}");
    assert!(out.contains("failed: 8C010006: address error"), "{out}");
    // With BL = 0 and no handler.
    let open = [
        0x0002, 0xD104, 0x2019, 0x400E, 0xE201, 0xE305, 0xA000, 0x6022, 0x001B, 0x0009, 0xFFFF, 0xEFFF,
    ];
    let out = text(&run(&open, &[]).stdout);
    let registers = section(&out, "registers").join(" ");
    for register in ["r2 00000001", "r3 00000005", "pc 8c01000e", "sr 400000f0"] {
        assert!(registers.contains(register), "{register} not in {registers}");
    }
    assert!(
        out.contains("exception 0e0 (address error, read or fetch) at 8c01000e"),
        "{out}"
    );
}

#[test]
fn json_holds_the_failure() {
    let json = json(&swirl(&["run", &rom("fault"), "--json"]));
    let frames = json["failure"]["frames"].as_array().unwrap();
    assert_eq!(frames[0]["source"], "registers");
    assert_eq!(frames[0]["places"][0]["function"], "first_word");
    assert_eq!(frames[1]["source"], "cfi");
    assert_eq!(
        json["failure"]["registers"]["pc"],
        u64::from_str_radix(frames[0]["address"].as_str().unwrap(), 16).unwrap()
    );
    assert!(!json["failure"]["branches"].as_array().unwrap().is_empty());
}

/// Without symbols and call-frame information, the caller comes from PR and must be marked as a guess.
#[test]
fn frames_without_call_frame_information_are_guesses() {
    // mov.l to r15; bsr f; nop; sleep; f: sts.l pr,@-r15; bsr g; nop; lds.l @r15+,pr; rts; nop; g: mov #1,r1;
    // mov.l @r1,r0; rts; nop
    let code = [
        0xDF07, 0xB002, 0x0009, 0x001B, 0x0009, 0x4F22, 0xB003, 0x0009, 0x4F26, 0x000B, 0x0009, 0xE101,
        0x6012, 0x000B, 0x0009, 0x0009, 0x0000, 0x8C80,
    ];
    let out = text(&run(&code, &[]).stdout);
    let frames = section(&out, "back-trace");
    assert!(frames[0].contains("8c010018"), "{out}");
    assert!(
        frames[1].contains("8c010010") && frames[1].contains("[guessed]"),
        "{out}"
    );
    assert!(
        frames[2].contains("8c010006") && frames[2].contains("[guessed]"),
        "{out}"
    );
    assert!(out.contains("a guessed frame is"), "{out}");
}

/// A deliberate exit code is no failure. The text of --fail-on is a failure, at the place that prints it.
#[test]
fn forbidden_text_is_traced_to_its_print() {
    let output = swirl(&["run", &rom("fault"), "--fail-on", "loading"]);
    let out = text(&output.stdout);
    let frames = section(&out, "back-trace").join("\n");
    assert!(
        frames.contains("load_level+") && frames.contains("main+"),
        "{out}"
    );
    assert!(out.contains("failed: printed the text of --fail-on"), "{out}");
    let keys = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(keys.path(), "5..8 hold down\n20 press start\n").unwrap();
    let output = swirl(&["run", &rom("menu"), "--input", keys.path().to_str().unwrap()]);
    let out = text(&output.stdout);
    assert!(
        out.contains("ended, exit code 1") && !out.contains("back-trace"),
        "{out}"
    );
}

#[test]
fn writable_files_have_no_second_run() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["--files", folder.path().to_str().unwrap(), "--files-writable"];
    let out = text(&swirl(&[&["run", &rom("fault")], &files[..]].concat()).stdout);
    assert!(
        out.contains("last branches: not listed: they need a second run"),
        "{out}"
    );
}

/// The warning must name the register or variable that a loop reads, or SLEEP.
#[test]
fn a_program_that_waits_says_for_what() {
    let told = |code: &[u16], args: &[&str]| text(&run(code, args).stderr);
    // mov.l to r1: SPG_STATUS; mov.l @r1,r0; bra back; nop
    let polls = [0xD102, 0x6012, 0xAFFD, 0x0009, 0x0009, 0x0009, 0x810C, 0xA05F];
    for limit in [
        &["--max-instructions", "100000"][..],
        &["--frames", "3", "--until", "never"],
    ] {
        let warning = told(&polls, limit);
        assert!(
            warning.contains("the program was still running at 8c0100"),
            "{warning}"
        );
        assert!(warning.contains("SPG_STATUS (005f810c)"), "{warning}");
    }
    // With a word of RAM.
    let polls = [0xD102, 0x6012, 0xAFFD, 0x0009, 0x0009, 0x0009, 0x0000, 0x8C20];
    let warning = told(&polls, &["--max-instructions", "100000"]);
    assert!(warning.contains("the variable at 8c200000"), "{warning}");
    // bra .; nop
    let warning = told(&[0xAFFE, 0x0009], &["--max-instructions", "100000"]);
    assert!(
        warning.contains("at 8c010000") && warning.contains("most of its last 20000 instructions"),
        "{warning}"
    );
}

/// Programs with damaged debug information must end like the undamaged program, with any back-trace.
#[test]
fn damaged_debug_information_is_no_harm() {
    let whole = std::fs::read(rom("fault")).unwrap();
    let sections = object::File::parse(&*whole).unwrap();
    let debug = sections
        .sections()
        .filter(|section| section.name().is_ok_and(|name| name.starts_with(".debug")));
    let places: Vec<u64> = debug
        .filter_map(|section| section.file_range())
        .flat_map(|(at, size)| at..at + size)
        .collect();
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let file = tempfile::NamedTempFile::new().unwrap();
    let (mut runs, mut traced) = (0, 0);
    for round in 0..60 {
        let mut bytes = whole.clone();
        for _ in 0..=round % 8 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let at = places[(seed >> 8) as usize % places.len()] as usize;
            bytes[at] = seed as u8;
        }
        std::fs::write(file.path(), bytes).unwrap();
        let output = swirl(&[
            "run",
            file.path().to_str().unwrap(),
            "--max-instructions",
            "100000",
        ]);
        let out = text(&output.stdout);
        let status = output.status.code();
        assert!(
            matches!(status, Some(1 | 2)),
            "{status:?} {out}{}",
            text(&output.stderr)
        );
        runs += 1;
        traced += u32::from(out.contains("back-trace"));
    }
    assert_eq!(traced, runs);
    println!("{runs} damaged files, {traced} with a back-trace");
}

/// KallistiOS's own failures, where SWIRL_KALLISTIOS names a folder with its examples as ELF files.
#[test]
fn kallistios_failures() {
    let Some(folder) = std::env::var_os("SWIRL_KALLISTIOS").map(PathBuf::from) else {
        println!("not run: SWIRL_KALLISTIOS names no folder with KallistiOS's examples");
        return;
    };
    let program = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let told = |name: &str, more: &[&str]| {
        let output = swirl(&[&["run", &program(name), "--frames", "300"], more].concat());
        text(&output.stdout) + &text(&output.stderr)
    };
    let out = told("basic_asserthnd.elf", &[]);
    let frames = section(&out, "back-trace").join("\n");
    for wanted in [
        "assert_handler_default",
        "asserthnd.c:44",
        "_main+",
        "_arch_main+",
    ] {
        assert!(frames.contains(wanted), "{out}");
    }
    let out = told("basic_mmu_nullptr.elf", &[]);
    let frames = section(&out, "back-trace").join("\n");
    for wanted in [
        "_arch_panic",
        "_irq_handle_exception",
        "[interrupted by an exception]",
        "nullptr.c:",
    ] {
        assert!(frames.contains(wanted), "{out}");
    }
    assert!(
        out.contains("thread: ") && out.contains("(tid 1), running"),
        "{out}"
    );
    let out = told("basic_stackprotector.elf", &["--fail-on", "detected stack"]);
    assert!(
        section(&out, "back-trace")
            .join("\n")
            .contains("stackprotector.c:"),
        "{out}"
    );
    let out = told("basic_stacktrace.elf", &["--fail-on", "example done"]);
    assert!(
        section(&out, "back-trace").join("\n").contains("stacktrace.c:"),
        "{out}"
    );
    println!("4 KallistiOS programs");
}

/// A raw binary has neither symbols nor debug information.
#[test]
fn raw_binaries_fail_with_registers() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let code = elf(&[0xE101, 0x6012]);
    std::fs::write(file.path(), &code[code.len() - 4..]).unwrap();
    let out = text(&swirl(&["run", Path::new(file.path()).to_str().unwrap()]).stdout);
    assert!(section(&out, "back-trace")[0].contains("8c010002"), "{out}");
}
