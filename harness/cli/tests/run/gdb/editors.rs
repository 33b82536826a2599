//! The settings for editors, with the machine interface of gdb that they use.

use super::Server;
use super::sessions::{assembled, required};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// `launch.json` of the project to copy.
fn configuration() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/template/.vscode/launch.json");
    let text = std::fs::read_to_string(path).unwrap();
    let guide = include_str!("../../../../../docs/guide/debug.md");
    assert!(guide.contains(text.trim_end()), "the guide has other settings");
    serde_json::from_str::<Value>(&text).unwrap()["configurations"][0].clone()
}

/// Sends lines of the machine interface to gdb.
fn machine_interface(elf: &Path, lines: &[String]) -> Option<String> {
    let mut gdb = Command::new("gdb-multiarch")
        .args(["--interpreter=mi", "-nx", "-q"])
        .arg(elf)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = gdb.stdin.take().unwrap();
    for line in lines {
        writeln!(input, "{line}").unwrap();
    }
    drop(input);
    let output = gdb.wait_with_output().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The commands that the extension of VS Code sends, then a step back.
#[test]
fn the_settings_of_vs_code_start_swirl_and_gdb() {
    let settings = configuration();
    let word = |name: &str| settings[name].as_str().unwrap_or_default().to_owned();
    assert_eq!(
        (word("type"), word("MIMode")),
        ("cppdbg".to_owned(), "gdb".to_owned())
    );
    assert_eq!(
        (word("miDebuggerPath"), word("debugServerPath")),
        ("gdb-multiarch".to_owned(), "swirl".to_owned())
    );
    // The server of this test has the same options and a free port.
    assert!(
        word("debugServerArgs").starts_with("run ${workspaceFolder}/")
            && word("debugServerArgs").ends_with("--gdb 3333")
    );
    assert!(word("miDebuggerServerAddress").ends_with(":3333"));
    let folder = tempfile::tempdir().unwrap();
    let output = assembled(folder.path()).and_then(|elf| {
        let server = Server::start(&elf);
        assert!(server.line.contains(&word("serverStarted")), "{}", server.line);
        let setup = settings["setupCommands"].as_array().unwrap();
        let setup = setup.iter().map(|command| {
            let text = command["text"].as_str().unwrap();
            format!("-interpreter-exec console \"{text}\"")
        });
        let session = [
            format!("-target-select remote {}", server.address),
            "-list-target-features".to_owned(),
            "-break-insert inner".to_owned(),
            "-exec-continue".to_owned(),
            "-stack-list-frames".to_owned(),
            "-exec-step-instruction --reverse".to_owned(),
            "-data-evaluate-expression $pc".to_owned(),
            "-interpreter-exec console \"monitor time\"".to_owned(),
            "-gdb-exit".to_owned(),
        ];
        machine_interface(&elf, &setup.chain(session).collect::<Vec<_>>())
    });
    let Some(output) = required(output) else { return };
    assert!(!output.contains("^error"), "{output}");
    super::sessions::expect(
        &output,
        &[
            "^connected",
            "\"reverse\"",
            "bkpt={",
            "reason=\"breakpoint-hit\"",
            "func=\"inner\"",
            "func=\"outer\"",
            "*stopped",
            "value=",
            "instructions",
        ],
    );
    println!("1 session of the machine interface");
}
