//! `--save-state`, `--load-state`, and cases with a state.

use super::{program, swirl, text};
use dreamcast::snapshot::STATE_VERSION;
use std::path::{Path, PathBuf};

/// A program of the project.
fn rom(name: &str) -> String {
    format!("{}/../../roms/console/{name}.elf", env!("CARGO_MANIFEST_DIR"))
}

fn word(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs with the options; standard output and standard error of the success.
fn done(words: &[&str]) -> (String, String) {
    let output = swirl(words);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {told}");
    (text(&output.stdout), told)
}

/// The state of frame 20 of a menu that Down and Start play.
fn saved(folder: &Path) -> PathBuf {
    let state = folder.join("menu.swst");
    let moment = format!("20={}", state.display());
    done(&["run", &rom("menu"), "--frames", "20", "--save-state", &moment]);
    state
}

/// A run from a state, with input that began before it, shows the pictures and texts of the whole run. It
/// does so on the other engine too.
#[test]
fn a_run_from_a_state_is_the_rest_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let keys = file("keys.txt");
    std::fs::write(&keys, "15..24 hold down\n40..50 hold start\n").unwrap();
    let (state, whole) = (file("menu.swst"), file("whole.png"));
    let saves = format!("20={}", state.display());
    let shot = format!("35={}", whole.display());
    let whole_run = swirl(&[
        "run",
        &rom("menu"),
        "--input",
        word(&keys),
        "--save-state",
        &saves,
        "--screenshot",
        &shot,
    ]);
    assert_eq!(whole_run.status.code(), Some(1), "the number of the entry");
    for engine in ["interpreter", "recompiler"] {
        let rest = file(&format!("{engine}.png"));
        let shot = format!("35={}", rest.display());
        let output = swirl(&[
            "run",
            &rom("menu"),
            "--input",
            word(&keys),
            "--load-state",
            word(&state),
            "--screenshot",
            &shot,
            "--engine",
            engine,
        ]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(
            text(&output.stdout).contains("exit code 1"),
            "{}",
            text(&output.stdout)
        );
        assert!(
            std::fs::read(&rest).unwrap() == std::fs::read(&whole).unwrap(),
            "{engine}"
        );
    }
    // Without Down another entry is chosen: the input is the one of the second run.
    let other = file("other.txt");
    std::fs::write(
        &other,
        "20 release down\n20 press up\n24 release up\n40..50 hold start\n",
    )
    .unwrap();
    let output = swirl(&[
        "run",
        &rom("menu"),
        "--input",
        word(&other),
        "--load-state",
        word(&state),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
}

/// The message must give the found and the expected value, and the exit status must be 2.
#[test]
fn damaged_and_foreign_states_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let state = saved(folder.path());
    let bytes = std::fs::read(&state).unwrap();
    let refused = |name: &str, bytes: &[u8], more: &[&str], wanted: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let menu = rom("menu");
        let words = [
            &["run", &menu, "--frames", "30", "--load-state", word(&path)],
            more,
        ]
        .concat();
        let output = swirl(&words);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {told}");
        assert!(
            told.contains(wanted) && told.contains(word(&path)),
            "{name}: {told}"
        );
    };
    refused("empty", b"", &[], "expected a state file of --save-state");
    refused("text", b"no state", &[], "expected a state file of --save-state");
    refused(
        "head",
        &bytes[..6],
        &[],
        "found 6 bytes, expected a complete state file",
    );
    refused("short", &bytes[..bytes.len() / 2], &[], "the file is damaged");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 3] ^= 4;
    refused("damaged", &damaged, &[], "the file is damaged");
    let mut newer = bytes.clone();
    newer[4] += 1;
    let versions = format!("found version {}, expected {STATE_VERSION}", STATE_VERSION + 1);
    refused("newer", &newer, &[], &versions);
    refused(
        "ports",
        &bytes,
        &["--ports", "keyboard"],
        "Maple bus: found nothing, expected",
    );
    refused(
        "caches",
        &bytes,
        &["--caches", "cached"],
        "caches of the state: found coherent, expected cached",
    );
    refused(
        "rules",
        &bytes,
        &["--check", "ta", "--caches", "cached"],
        "expected cached",
    );
    refused(
        "model",
        &bytes,
        &["--clock", "model"],
        "a state does not contain the cycle model",
    );
    let audio = folder.path().join("a.wav");
    refused(
        "sound",
        &bytes,
        &["--audio", word(&audio)],
        "sound of the state: found silent, expected mixed",
    );
    // Another program.
    let output = swirl(&[
        "run",
        &rom("spin"),
        "--frames",
        "30",
        "--load-state",
        word(&state),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("the state of another program"),
        "{}",
        text(&output.stderr)
    );
    // A state that cannot be saved is an error before the program runs.
    let model = folder.path().join("model.swst");
    let moment = format!("2={}", model.display());
    let output = swirl(&[
        "run",
        &rom("menu"),
        "--frames",
        "3",
        "--clock",
        "model",
        "--save-state",
        &moment,
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!model.exists());
}

/// A state with rules begins a run with the same rules. A frame that does not come is a warning.
#[test]
fn states_with_rules_and_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("end.swst");
    let moment = format!("end={}", state.display());
    let menu = rom("menu");
    done(&[
        "run",
        &menu,
        "--frames",
        "20",
        "--check",
        "all",
        "--save-state",
        &moment,
    ]);
    let (_, told) = done(&[
        "run",
        &menu,
        "--frames",
        "30",
        "--check",
        "all",
        "--load-state",
        word(&state),
    ]);
    assert!(!told.contains("error"), "{told}");
    // A frame that does not come.
    let late = folder.path().join("late.swst");
    let moment = format!("99={}", late.display());
    let (_, told) = done(&["run", &menu, "--frames", "10", "--save-state", &moment]);
    assert!(
        told.contains("--save-state 99: the program ended at frame 10") && !late.exists(),
        "{told}"
    );
}

/// A case begins with a state, and its frames count from power-on.
#[test]
fn a_case_begins_with_a_state() {
    let folder = tempfile::tempdir().unwrap();
    let menu = rom("menu");
    let moment = format!("20={}", folder.path().join("boot.swst").display());
    done(&[
        "run",
        &menu,
        "--deny",
        "all",
        "--frames",
        "20",
        "--save-state",
        &moment,
    ]);
    std::fs::write(folder.path().join("keys.txt"), "30..40 hold start\n").unwrap();
    let case =
        format!("kind = \"program\"\ninput = {menu:?}\nstate = \"boot.swst\"\nscript = \"keys.txt\"\n");
    std::fs::write(folder.path().join("case.toml"), format!("{case}exit_code = 0\n")).unwrap();
    let out = tempfile::tempdir().unwrap();
    let words = ["test", word(folder.path()), "--out", word(out.path())];
    let output = swirl(&words);
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    // A damaged state is a case that cannot run.
    std::fs::write(folder.path().join("boot.swst"), b"SWST").unwrap();
    let output = swirl(&words);
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("found 4 bytes, expected a complete state file"),
        "{told}"
    );
    // A budget needs the cycle model.
    saved(folder.path());
    std::fs::write(
        folder.path().join("case.toml"),
        format!(
            "{}[budget]\nframes = \"1..2\"\n",
            case.replace("boot.swst", "menu.swst") + "checks = []\nexit_code = 0\n"
        ),
    )
    .unwrap();
    let output = swirl(&words);
    let told = text(&output.stdout) + &text(&output.stderr);
    assert!(told.contains("budget: found state"), "{told}");
}

/// The program loops for ever; its state at the end of a run is small.
#[test]
fn states_are_compressed() {
    let file = program(&[0xAFFE, 0x0009]);
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("loop.swst");
    let moment = format!("end={}", state.display());
    done(&["run", word(file.path()), "--frames", "3", "--save-state", &moment]);
    let bytes = std::fs::metadata(&state).unwrap().len();
    assert!(bytes < 512 << 10, "{bytes} bytes");
    println!("a state of {bytes} bytes");
}
