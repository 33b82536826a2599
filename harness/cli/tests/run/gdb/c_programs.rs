//! gdb-multiarch with the C programs of docs/c-programs.

use super::sessions::{expect, required, session};
use std::path::Path;
use std::process::Command;

/// Builds a program with debug information; `None` without the tools.
fn built(folder: &Path, name: &str) -> Option<std::path::PathBuf> {
    if !["make", corpus::sh4::COMPILER]
        .into_iter()
        .all(corpus::sh4::installed)
    {
        return None;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap();
    let target = format!("build/{name}.elf");
    let status = Command::new("make")
        .arg("-sC")
        .arg(root.join("docs/c-programs"))
        .arg(format!("ROOT={}", root.display()))
        .arg(format!("BUILD={}", folder.display()))
        .arg(folder.join(format!("{name}.elf")))
        .status()
        .unwrap();
    assert!(status.success(), "{target}");
    Some(folder.join(format!("{name}.elf")))
}

/// An interrupt handler in C: conditions, a watchpoint backwards, back-traces up to the entry, and steps
/// backwards and out of the handler.
#[test]
fn an_interrupt_handler_runs_backwards() {
    let folder = tempfile::tempdir().unwrap();
    let commands = [
        "break interrupt.c:on_event if count == 50",
        "continue",
        "backtrace",
        "watch count",
        "reverse-continue",
        "reverse-continue",
        "print count",
        "delete",
        "reverse-next",
        "next",
        "next",
        "next",
        "break quit",
        "continue",
        "reverse-finish",
        "reverse-step",
        "reverse-step",
        "info line",
        "kill",
    ];
    let output = built(folder.path(), "interrupt").and_then(|elf| session(&elf, &commands));
    let Some(output) = required(output) else { return };
    expect(
        &output,
        &[
            "on_event (cause=1056) at interrupt.c",
            "#0  on_event (cause=1056) at interrupt.c",
            "in on_event (cause=1056)",
            "in enter ()",
            "Old value = 50\nNew value = 49\n",
            "Old value = 49\nNew value = 48\n",
            "$1 = 48",
            "14\t}",
            "on_event (cause=1056) at",
            "quit (code=0)",
            "in start ()",
            "main () at interrupt.c:30",
            "29\t    return 0;",
            "Line 29",
        ],
    );
    assert!(!output.contains("was not saved"), "{output}");
    println!("1 session with a C program:\n{output}");
}
