//! `--window` in a separate X server: keys, a picture, a step, and the recorded input repeated without a
//! window.

use super::{swirl, text};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Ends a program that a failed test would leave running.
pub(super) struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn is_there(tool: &str) -> bool {
    Command::new(tool)
        .arg("-help")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

/// Returns whether the tools for a window are there. They must be in CI.
pub(super) fn has_windows() -> bool {
    let missing = ["Xvfb", "xdotool"].into_iter().find(|tool| !is_there(tool));
    if let Some(missing) = missing {
        assert!(std::env::var_os("CI").is_none(), "{missing} is missing");
        println!("0 windows: {missing} is missing");
    }
    missing.is_none()
}

/// A server on the first free display, and the display's name. `Xvfb_screen0` in the folder is its picture.
pub(super) fn server(folder: &Path) -> (Running, String) {
    let mut server = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "800x600x24",
            "-nolisten",
            "tcp",
            "-fbdir",
        ])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = server.stdout.take().unwrap();
    let server = Running(server);
    let mut number = String::new();
    BufReader::new(output).read_line(&mut number).unwrap();
    (server, format!(":{}", number.trim()))
}

pub(super) fn send(display: &str, words: &[&str]) -> String {
    let output = Command::new("timeout")
        .args(["10", "xdotool"])
        .args(words)
        .env("DISPLAY", display)
        .output()
        .unwrap();
    assert!(output.status.success(), "xdotool {words:?}");
    text(&output.stdout)
}

/// Returns the newest picture in the folder, and its frame.
fn newest(folder: &Path) -> Option<(u64, PathBuf)> {
    let files = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let numbered = files.filter_map(|path| {
        let stem = path.file_stem()?.to_str()?.strip_prefix("menu_")?.parse().ok()?;
        Some((stem, path))
    });
    numbered.max()
}

/// Returns the window of swirl, with the focus.
pub(super) fn focused(display: &str) -> String {
    let window = send(display, &["search", "--sync", "--onlyvisible", "--name", "swirl"]);
    let window = window.lines().next().unwrap().to_owned();
    send(display, &["windowfocus", &window]);
    window
}

/// Returns the number of the frame in the title.
pub(super) fn frame_in_title(display: &str, window: &str) -> Option<u64> {
    let title = send(display, &["getwindowname", window]);
    title.split("frame ").nth(1)?.split(',').next()?.parse().ok()
}

pub(super) fn until<T>(what: &str, mut done: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if let Some(value) = done() {
            return value;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{what} does not come");
}

#[test]
fn the_keyboard_plays_and_is_recorded() {
    if !has_windows() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("console-window");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/console/menu.elf");
    let (_server, display) = server(&folder);
    let mut child = Command::new(env!("CARGO_BIN_EXE_swirl"));
    child
        .arg("run")
        .arg(&program)
        .args(["--window", "--record-input", "keys.txt"]);
    let child = child
        .current_dir(&folder)
        .env("DISPLAY", &display)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut child = Running(child);
    let window = focused(&display);
    // Down once, then Space, which pauses the program.
    for key in ["Down", "space"] {
        send(
            &display,
            &["keydown", key, "sleep", "0.3", "keyup", key, "sleep", "0.3"],
        );
    }
    until("the title", || {
        send(&display, &["getwindowname", &window])
            .contains("paused")
            .then_some(())
    });
    send(&display, &["keydown", "p", "sleep", "0.3", "keyup", "p"]);
    let (frame, picture) = until("the picture", || newest(&folder));
    assert!(frame > 5, "{frame}");
    // F5 saves this frame, and F7 comes back to it from the past.
    send(&display, &["keydown", "F5", "sleep", "0.3", "keyup", "F5"]);
    let state = folder.join("menu.swst");
    until("the state", || state.exists().then_some(()));
    let shown = |what: &str, wanted: &dyn Fn(u64) -> bool| {
        until(what, || {
            frame_in_title(&display, &window).filter(|number| wanted(*number))
        });
    };
    send(
        &display,
        &["keydown", "BackSpace", "sleep", "0.3", "keyup", "BackSpace"],
    );
    shown("the past", &|number| number < frame);
    send(&display, &["keydown", "F7", "sleep", "0.3", "keyup", "F7"]);
    shown("the saved frame", &|number| number == frame);
    // A step: the frame number grows by a few frames, not by seconds.
    send(
        &display,
        &[
            "keydown", "period", "sleep", "0.1", "keyup", "period", "sleep", "0.3",
        ],
    );
    send(&display, &["keydown", "p", "sleep", "0.3", "keyup", "p"]);
    let (stepped, _) = until("the picture after a step", || {
        newest(&folder).filter(|(number, _)| *number > frame)
    });
    assert!(stepped - frame < 30, "{frame} to {stepped}");
    // Continues and presses Start: the program ends with the number of the second entry.
    send(
        &display,
        &[
            "keydown", "space", "sleep", "0.2", "keyup", "space", "sleep", "0.2",
        ],
    );
    send(
        &display,
        &["keydown", "Return", "sleep", "0.3", "keyup", "Return"],
    );
    let status = until("the end", || child.0.try_wait().unwrap());
    assert_eq!(status.code(), Some(1));
    let mut out = String::new();
    std::io::Read::read_to_string(&mut child.0.stdout.take().unwrap(), &mut out).unwrap();
    assert!(out.contains("New game\n") && out.contains("exit code 1"), "{out}");
    // The recorded keys without a window must give the same picture and the same end.
    let keys = folder.join("keys.txt");
    let recorded = std::fs::read_to_string(&keys).unwrap();
    assert!(
        recorded.contains("press down") && recorded.contains("press start"),
        "{recorded}"
    );
    let again = folder.join("again.png");
    let shot = format!("{frame}={}", again.display());
    let output = swirl(&[
        "run",
        program.to_str().unwrap(),
        "--input",
        keys.to_str().unwrap(),
        "--screenshot",
        &shot,
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).starts_with("New game\n"),
        "{}",
        text(&output.stdout)
    );
    assert!(
        std::fs::read(again).unwrap() == std::fs::read(picture).unwrap(),
        "another picture at frame {frame}"
    );
    println!("1 window");
}

#[test]
fn without_a_display_a_window_is_an_error() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/console/menu.elf");
    let output = swirl(&["run", program, "--window"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("no display"),
        "{}",
        text(&output.stderr)
    );
}
