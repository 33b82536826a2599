//! `swirl view` in a window of its own X server, by keys sent; its pictures are those that P writes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

#[path = "common/mod.rs"]
mod common;

use common::{assets, camera_motion};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Ends a program that a failed test would leave behind.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn is_there(tool: &str) -> bool {
    let found = Command::new(tool)
        .arg("-help")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    found.is_ok()
}

/// A server on the first free display, and the display's name.
fn server() -> (Running, String) {
    let mut server = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "800x600x24",
            "-nolisten",
            "tcp",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut number = String::new();
    let output = server.stdout.take().unwrap();
    let server = Running(server);
    BufReader::new(output).read_line(&mut number).unwrap();
    assert!(!number.trim().is_empty(), "Xvfb found no free display");
    (server, format!(":{}", number.trim()))
}

struct Window {
    program: Running,
    display: String,
    folder: PathBuf,
    /// The beginning of its pictures' names.
    stem: String,
    pictures: usize,
}

impl Window {
    /// Shows a file of `folder`.
    fn open(display: &str, folder: &Path, file: &str, options: &[&str]) -> Self {
        let program = Command::new(env!("CARGO_BIN_EXE_swirl"))
            .args(["view", file, "--size", "320x240"])
            .args(options)
            .current_dir(folder)
            .env("DISPLAY", display)
            .spawn()
            .unwrap();
        let window = Self {
            program: Running(program),
            display: display.to_owned(),
            folder: folder.to_owned(),
            stem: Path::new(file).file_stem().unwrap().to_str().unwrap().to_owned(),
            pictures: 0,
        };
        window.send(&[
            "search",
            "--sync",
            "--onlyvisible",
            "--name",
            "swirl",
            "windowfocus",
        ]);
        window
    }

    fn send(&self, words: &[&str]) {
        let status = Command::new("timeout")
            .args(["10", "xdotool"])
            .args(words)
            .env("DISPLAY", &self.display)
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "xdotool {words:?}");
    }

    /// Holds `key` until the window has seen it, and waits until it has seen that go: events come in order,
    /// so a picture that was taken later says so, however slow the machine is.
    fn press(&mut self, key: &str) {
        self.send(&["keydown", key]);
        self.picture();
        self.send(&["keyup", key]);
        self.picture();
    }

    /// The picture as it is now: the window's, as P writes it.
    fn picture(&mut self) -> Vec<u8> {
        let path = self
            .folder
            .join(format!("{}-{:03}.png", self.stem, self.pictures));
        // P that goes and comes within one frame is not seen: then once more.
        for _ in 0..5 {
            self.send(&["sleep", "0.05", "keydown", "p"]);
            let seen = comes(&path, Duration::from_secs(10));
            self.send(&["keyup", "p"]);
            if seen {
                self.pictures += 1;
                return std::fs::read(path).unwrap();
            }
        }
        panic!("{} does not come", path.display());
    }

    fn close(mut self) -> Option<i32> {
        self.send(&["keydown", "q"]);
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(60) {
            if let Some(status) = self.program.0.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("Q does not close the window");
    }
}

/// Whether a file is there before `time` has passed.
fn comes(path: &Path, time: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < time {
        if path.exists() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// A picture's pixels: how they are packed may differ from build to build.
fn pixels(png: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

/// Whether windows can be tested here.
fn can_open() -> bool {
    let Some(missing) = ["Xvfb", "xdotool"].into_iter().find(|tool| !is_there(tool)) else {
        return true;
    };
    assert!(std::env::var_os("CI").is_none(), "{missing} is missing");
    println!("0 windows: {missing} is missing");
    false
}

#[test]
fn keys_change_the_picture() {
    if !can_open() {
        return;
    }
    let folder = assets("window-by-keys");
    let (_server, display) = server();
    let mut window = Window::open(&display, &folder, "shark.nj", &["--motion", "shark.njm"]);
    window.press("space");
    window.press("Home");
    let first = window.picture();
    assert!(window.picture() == first, "the motion has not stopped");
    for key in ["w", "Tab", "n", "s", "c"] {
        window.press(key);
        assert!(window.picture() != first, "{key} shows nothing");
        window.press(key);
        assert!(window.picture() == first, "{key} leaves something behind");
    }
    window.press("F1");
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures/view.png");
    let keys = window.picture();
    assert!(
        pixels(&keys) == pixels(&std::fs::read(gallery).unwrap()),
        "{}: not docs/pictures/view.png",
        window.folder.display()
    );
    window.press("F1");
    assert!(window.picture() == first, "the keys stay");
    for key in ["b", "j"] {
        window.press(key);
        assert!(window.picture() != first, "{key} changes nothing");
        window.press("r");
        window.press("space");
        window.press("Home");
        assert!(window.picture() == first, "{key} cannot be taken back");
    }
    // A key that is held for long steps more than once, so it is Home that leads back.
    for key in ["period", "comma"] {
        window.press(key);
        assert!(window.picture() != first, "{key} leads to the first frame");
        window.press("Home");
        assert!(window.picture() == first, "Home is another frame than the first");
    }
    window.press("Right");
    assert!(window.picture() != first, "the camera stands");
    assert_eq!(window.close(), Some(0));
    println!("1 window");
}

#[test]
fn cameras_fly_and_sprites_play() {
    if !can_open() {
        return;
    }
    let folder = assets("window-of-others");
    camera_motion(&folder.join("flight.njm"));
    let sprite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/scene/cells_streams_two");
    for file in ["sprite.spa", "walk.csa", "late.csa", "letter.pvr"] {
        std::fs::copy(sprite.join(file), folder.join(file)).unwrap();
    }
    let (_server, display) = server();
    let mut window = Window::open(&display, &folder, "shark.nj", &["--camera", "flight.njm"]);
    window.press("space");
    window.press("Home");
    let first = window.picture();
    window.press("v");
    assert!(window.picture() != first, "the camera's motion is not left");
    window.press("v");
    assert!(window.picture() == first, "it does not come back");
    window.press("End");
    assert!(window.picture() != first, "the camera stands");
    assert_eq!(window.close(), Some(0));

    let streams = ["--cells", "walk.csa", "--cells", "late.csa"];
    let mut window = Window::open(&display, &folder, "sprite.spa", &streams);
    window.press("space");
    window.press("Home");
    let first = window.picture();
    window.press("End");
    assert!(window.picture() != first, "the sprite stands");
    window.press("Home");
    assert!(window.picture() == first, "it does not come back");
    assert_eq!(window.close(), Some(0));
    println!("2 windows");
}
