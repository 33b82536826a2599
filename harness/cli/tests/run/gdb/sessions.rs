//! Sessions of the real gdb-multiarch.
//!
//! Without gdb-multiarch or the SH assembler, the sessions are skipped with a message; in CI this is an
//! error.

use super::{Server, text};
use std::path::Path;
use std::process::Command;

/// An interrupt handler corrupts a list. gdb stops at the crash, watches the node, continues in reverse and
/// stops at the store, with its source line.
#[test]
fn reverse_continue_finds_the_corrupting_store() {
    let folder = tempfile::tempdir().unwrap();
    let source = include_str!("../list.s");
    let line = 1 + source
        .lines()
        .position(|line| line.contains("corrupts the list"))
        .unwrap();
    let line = format!("list.s:{line}");
    for clock in ["fast", "model"] {
        let commands = [
            "continue",
            "print/x $pc",
            "watch *(int *)&second",
            "reverse-continue",
            "backtrace 1",
            "reverse-stepi",
            "stepi",
            "kill",
        ];
        let output = assembled_from(folder.path(), "list")
            .and_then(|elf| connected_with(&elf, clock, "target remote", &commands));
        let Some(output) = required(output) else { return };
        expect(
            &output,
            &[
                "SIGSEGV",
                "Hardware watchpoint 1",
                "Old value",
                "New value",
                &line,
                "#0",
                &line,
            ],
        );
        println!("1 session in reverse with --clock {clock}:\n{output}");
    }
}

/// A DMA transfer corrupts a list. After the crash gdb continues in reverse to the transfer, and a message
/// names its channel.
#[test]
fn reverse_continue_finds_the_corrupting_transfer() {
    let folder = tempfile::tempdir().unwrap();
    for clock in ["fast", "model"] {
        let commands = [
            "continue",
            "print/x *(int *)&second",
            "watch *(int *)&second",
            "reverse-continue",
            "print/x *(unsigned *)&second - (unsigned)&third",
            "kill",
        ];
        let output = assembled_from(folder.path(), "dma")
            .and_then(|elf| connected_with(&elf, clock, "target remote", &commands));
        let Some(output) = required(output) else { return };
        expect(
            &output,
            &[
                "SIGSEGV",
                "dma.s",
                "= 0x8c000001",
                "Hardware watchpoint 1",
                "written by DMAC channel 1",
                "Old value",
                "= 0x0",
            ],
        );
        println!("1 session with DMA and --clock {clock}:\n{output}");
    }
}

/// gdb's `run` begins the program again, after its end too; a state file brings it back to a breakpoint.
#[test]
fn programs_begin_again_and_states_are_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("inner.swst");
    let commands = [
        "break inner".to_owned(),
        "run".to_owned(),
        format!("monitor state save {}", state.display()),
        "print/x $pc".to_owned(),
        "delete".to_owned(),
        "continue".to_owned(),
        "break outer".to_owned(),
        "run".to_owned(),
        format!("monitor state load {}", state.display()),
        "maintenance flush register-cache".to_owned(),
        "print/x $pc".to_owned(),
        "kill".to_owned(),
    ];
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let output =
        assembled(folder.path()).and_then(|elf| connected(&elf, "target extended-remote", &commands));
    let Some(output) = required(output) else { return };
    expect(
        &output,
        &[
            "Breakpoint 1, inner",
            "inner.swst: the state at frame",
            "$1 = 0x8c0100",
            "exited normally",
            "Breakpoint 2, outer",
            "(inner)",
            "$2 = 0x8c0100",
        ],
    );
    let pc = |name: &str| {
        let line = output.lines().find(|line| line.starts_with(name)).unwrap();
        line[name.len()..].to_owned()
    };
    assert_eq!(pc("$1 = "), pc("$2 = "), "{output}");
    println!("1 session with restarts:\n{output}");
}

/// A raw binary does not name its architecture: the server does.
#[test]
fn gdb_debugs_a_raw_binary() {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("program.bin");
    let output = assembled(folder.path()).and_then(|elf| {
        let copied = Command::new("sh4-linux-gnu-objcopy")
            .args(["-O", "binary", "-j", ".text"])
            .args([&elf, &binary])
            .status();
        assert!(copied.unwrap().success());
        let commands = ["stepi", "print/x $pc", "x/i $pc", "monitor time"];
        connected(&binary, "target remote", &commands)
    });
    let Some(output) = required(output) else { return };
    expect(
        &output,
        &["$1 = 0x8c010002", "0x8c010002:\tmov", "1 instructions"],
    );
}

/// Returns the output of a session; `None` without the tools. Fails without them under CI.
pub(super) fn required(output: Option<String>) -> Option<String> {
    let ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(
        output.is_some() || !ci,
        "gdb-multiarch and sh4-linux-gnu-as have to be there"
    );
    if output.is_none() {
        println!("0 sessions: gdb-multiarch or sh4-linux-gnu-as is not there");
    }
    output
}

/// Assembles `program.s`; `None` without the tools.
pub(super) fn assembled(folder: &Path) -> Option<std::path::PathBuf> {
    assembled_from(folder, "program")
}

fn assembled_from(folder: &Path, name: &str) -> Option<std::path::PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/run/{name}.s"));
    let (object, elf) = (
        folder.join(format!("{name}.o")),
        folder.join(format!("{name}.elf")),
    );
    let assembled = Command::new("sh4-linux-gnu-as")
        .args(["--isa=sh4", "-little", "--gdwarf-4", "-o"])
        .args([&object, &source])
        .status()
        .ok()?;
    assert!(assembled.success());
    let linked = Command::new("sh4-linux-gnu-ld")
        .args([
            "-EL",
            "-e",
            "start",
            "-Ttext=0x8c010000",
            "-Tdata=0x8c020000",
            "-o",
        ])
        .args([&elf, &object])
        .status()
        .unwrap();
    assert!(linked.success());
    Some(elf)
}

/// Returns gdb's output for a sequence of `commands`.
pub(super) fn session(elf: &Path, commands: &[&str]) -> Option<String> {
    connected(elf, "target remote", commands)
}

fn connected(elf: &Path, target: &str, commands: &[&str]) -> Option<String> {
    connected_with(elf, "fast", target, commands)
}

fn connected_with(elf: &Path, clock: &str, target: &str, commands: &[&str]) -> Option<String> {
    let server = Server::start_with(elf, |command| {
        command.args(["--max-instructions", "5000000000", "--clock", clock]);
    });
    let connect = format!("{target} {}", server.address);
    // The shell joins both outputs, since texts of the server go to standard error.
    let mut gdb = Command::new("sh");
    gdb.args(["-c", "exec \"$@\" 2>&1", "sh", "gdb-multiarch", "--batch", "-nx"])
        .arg(elf);
    for command in ["set pagination off", "set confirm off", &connect]
        .iter()
        .chain(commands)
    {
        gdb.args(["-ex", command]);
    }
    let output = gdb.output().ok()?;
    let is_there = output.status.code() != Some(127);
    is_there.then(|| format!("{}{}", text(&output.stdout), output.status))
}

pub(super) fn expect(output: &str, all: &[&str]) {
    let mut rest = output;
    for wanted in all {
        match rest.find(wanted) {
            Some(at) => rest = &rest[at + wanted.len()..],
            None => panic!("no {wanted:?} (in this order) in\n{output}"),
        }
    }
}

#[test]
fn gdb_multiarch() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = assembled(folder.path()).and_then(|elf| {
        breaks_and_backtraces(&elf)?;
        watches(&elf)?;
        registers_and_memory(&elf)
    });
    println!("gdb: {} sessions", if sessions.is_some() { 3 } else { 0 });
    let ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(
        sessions.is_some() || !ci,
        "gdb-multiarch and sh4-linux-gnu-as have to be there"
    );
}

/// A KallistiOS program with threads, if SWIRL_KALLISTIOS names a folder with its examples as ELF files.
#[test]
fn kallistios_threads() {
    let elf = std::env::var_os("SWIRL_KALLISTIOS")
        .map(|folder| Path::new(&folder).join("basic_threading_general.elf"))
        .filter(|path| path.exists());
    let Some(elf) = elf else {
        println!("not run: SWIRL_KALLISTIOS names no folder with KallistiOS's examples");
        return;
    };
    // The first new thread runs thd_sleep. Main and the idle thread exist too.
    let commands = [
        "break thd_sleep",
        "continue",
        "info threads",
        "thread apply all backtrace 3",
        "kill",
    ];
    let Some(output) = session(&elf, &commands) else {
        println!("0 sessions: gdb-multiarch is not there");
        return;
    };
    expect(&output, &["Breakpoint 1,", "[idle]", "[kernel]"]);
    expect(&output, &["* ", "running", "thd_sleep"]);
    assert!(output.matches("\nThread ").count() >= 2, "{output}");
    println!("1 session with threads:\n{output}");
}

fn breaks_and_backtraces(elf: &Path) -> Option<()> {
    let output = session(
        elf,
        &[
            "break inner",
            "continue",
            "backtrace",
            "stepi",
            "info registers pc",
            "stepi 4",
            "finish",
            "delete",
            "continue",
        ],
    )?;
    expect(
        &output,
        &[
            "Breakpoint 1 at 0x8c0100",
            "Breakpoint 1, inner",
            "#0  inner",
            "#1  0x8c0100",
            "in outer",
            "#2  0x8c0100",
            "in start",
            "pc",
            "0x8c0100",
            "lds.l",
            "exited normally",
        ],
    );
    Some(())
}

fn watches(elf: &Path) -> Option<()> {
    let output = session(
        elf,
        &[
            "watch *(int*)&counter",
            "continue",
            "continue",
            "delete",
            "rwatch *(int*)&counter",
            "continue",
            "delete",
            "awatch *(int*)&counter",
            "continue",
            "kill",
        ],
    )?;
    expect(
        &output,
        &[
            "Hardware watchpoint 1",
            "Old value = 0",
            "New value = 5",
            "Old value = 5",
            "New value = 10",
            "Hardware read watchpoint 2",
            "Value = 10",
            "Hardware access (read/write) watchpoint 3",
            "New value = 15",
        ],
    );
    Some(())
}

fn registers_and_memory(elf: &Path) -> Option<()> {
    let output = session(
        elf,
        &[
            "show architecture",
            "set var $r4 = 0x12345678",
            "print/x $r4",
            "set var $ssr = 0x1234",
            "set var $r5b0 = 55",
            "set var $r5b1 = 66",
            "print $r5b0 + $r5b1",
            "print $r5",
            "info registers fpscr",
            "print/x $ssr",
            "set var $fr3 = 1.5",
            "print $fr3",
            "set var *(int*)&counter = 77",
            "x/dw &counter",
            "x/2i $pc",
            "break inner",
            "continue",
            "stepi 4",
            "print $r0",
            "detach",
        ],
    )?;
    expect(
        &output,
        &[
            "sh4",
            "0x12345678",
            "= 121",
            "= 55",
            "fpscr",
            "= 0x1234",
            "= 1.5",
            "77",
            "mov.l",
            "mov",
            "Breakpoint 1",
            "= 82",
            "detached",
        ],
    );
    Some(())
}
