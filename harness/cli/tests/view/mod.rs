//! `swirl view` in a separate X server, controlled by sent keys. The P key writes its pictures.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

mod chunks;

use crate::common::{assets, camera_motion};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Ends a program that a failed test would leave running.
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
    server_with(&[])
}

/// A server with more options.
fn server_with(options: &[&str]) -> (Running, String) {
    let mut server = Command::new("Xvfb")
        .args(options)
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
    /// Prefix of its pictures' names.
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
        // Position at which the tests expect the window.
        window.send(&["search", "--name", "swirl", "windowmove", "0", "0"]);
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

    /// Holds `key` until the window has processed it, and waits until its release is processed. Events arrive
    /// in order, so a later picture proves this at any speed.
    fn press(&mut self, key: &str) {
        self.send(&["keydown", key]);
        self.picture();
        self.send(&["keyup", key]);
        self.picture();
    }

    /// Returns the window's current picture, written with P.
    fn picture(&mut self) -> Vec<u8> {
        let path = self
            .folder
            .join(format!("{}-{:03}.png", self.stem, self.pictures));
        // P is missed if it is released within one frame, so it is repeated.
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

    /// Waits until the picture differs from `before`.
    fn changes(&mut self, before: &[u8]) -> bool {
        (0..40).any(|_| {
            std::thread::sleep(Duration::from_millis(250));
            self.picture() != before
        })
    }

    /// Waits until the picture has no message: until two pictures 5 seconds apart are equal.
    fn settled(&mut self) -> Vec<u8> {
        let mut last = self.picture();
        for _ in 0..10 {
            std::thread::sleep(Duration::from_secs(5));
            let next = self.picture();
            if next == last {
                break;
            }
            last = next;
        }
        last
    }

    /// Drags the mouse from the middle of the window with a button, and releases it.
    fn drag(&mut self, button: &str, to: [&str; 2]) {
        self.send(&["mousemove", "160", "120", "sleep", "0.2", "mousedown", button]);
        self.picture();
        self.send(&["mousemove", to[0], to[1]]);
        self.picture();
        self.send(&["mouseup", button]);
        self.picture();
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

/// Returns whether a file appears within `time`.
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

/// Returns a picture's pixels, because the compression can differ between builds.
fn pixels(png: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

/// Returns whether windows can be tested on this host.
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
    // A long key press steps more than once, so Home is used to return.
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

/// Reads the X server's screen dump (XWD): pixels as 0RGB.
fn screen(folder: &Path) -> (usize, Vec<u32>) {
    let bytes = std::fs::read(folder.join("Xvfb_screen0")).unwrap();
    let word = |at: usize| u32::from_be_bytes(bytes[4 * at..4 * at + 4].try_into().unwrap()) as usize;
    // XWDFile.h: header size 0, height 5, byte order 7, bits a pixel 11, bytes a line 12, colours 19.
    assert_eq!((word(7), word(11)), (0, 32), "not little-endian words");
    let (start, line) = (word(0) + 12 * word(19), word(12));
    let pixels = bytes[start..start + line * word(5)].as_chunks::<4>().0;
    let rgb = pixels
        .iter()
        .map(|pixel| u32::from_le_bytes(*pixel) & 0x00FF_FFFF);
    (line / 4, rgb.collect())
}

/// In a wider window, the picture must keep its aspect ratio and be centred.
#[test]
fn the_picture_keeps_its_shape_in_any_window() {
    if !can_open() {
        return;
    }
    let folder = assets("window-resized");
    let screens = folder.join("screen");
    std::fs::create_dir_all(&screens).unwrap();
    let (_server, display) = server_with(&["-fbdir", screens.to_str().unwrap()]);
    let options = ["--motion", "shark.njm", "--background", "305070"];
    let mut window = Window::open(&display, &folder, "shark.nj", &options);
    window.press("space");
    let background = 0x0030_5070;
    let at = |x: usize, y: usize| {
        let (width, pixels) = screen(&screens);
        pixels[y * width + x]
    };
    assert_eq!(
        at(2, 2),
        background,
        "the window does not start at the screen's corner"
    );
    window.send(&["search", "--name", "swirl", "windowsize", "600", "240"]);
    // 320x240 in the middle of 600x240.
    let expected = [0, 0, background, background, background, 0, 0];
    let columns = || [1, 138, 142, 300, 457, 462, 598].map(|x| at(x, 2));
    let start = Instant::now();
    while columns() != expected && start.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(columns(), expected);
    assert_eq!(window.close(), Some(0));
    println!("1 window");
}

#[test]
fn the_mouse_turns_pans_and_presses_keys() {
    if !can_open() {
        return;
    }
    let folder = assets("window-by-mouse");
    let (_server, display) = server();
    let mut window = Window::open(&display, &folder, "shark.nj", &["--motion", "shark.njm"]);
    let home = |window: &mut Window| {
        window.press("r");
        window.press("space");
        window.press("Home");
        window.picture()
    };
    window.press("space");
    window.press("Home");
    let first = window.picture();
    for button in ["1", "3"] {
        window.drag(button, ["200", "100"]);
        assert!(window.picture() != first, "button {button} moves nothing");
        assert!(home(&mut window) == first, "button {button} cannot be taken back");
    }
    // Dragging with the left button rotates the model, with the right button it does not.
    window.drag("3", ["200", "120"]);
    let right = window.picture();
    window.drag("3", ["120", "120"]);
    assert!(
        window.picture() == first && right != first,
        "there and back is another picture"
    );

    window.press("b");
    let grey = window.picture();
    home(&mut window);
    window.press("F1");
    // The row of the background on the page of keys: 3 + 1 pixels per letter, 8 per line, starting at 20.
    window.send(&["mousemove", "22", "136", "sleep", "0.2", "mousedown", "1"]);
    window.picture();
    window.send(&["mouseup", "1"]);
    window.press("F1");
    assert!(window.picture() == grey, "a click on B is not the key");
    assert_eq!(window.close(), Some(0));
    println!("1 window");
}

#[test]
fn files_are_loaded_again_and_after_one_another() {
    if !can_open() {
        return;
    }
    let folder = assets("window-of-files");
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/convert/tests/data");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/scene");
    std::fs::remove_file(folder.join("demo.png")).unwrap();
    let (_server, display) = server();
    let mut window = Window::open(&display, &folder, "shark.nj", &[]);
    window.press("t");
    window.press("r");
    window.press("t");
    let first = window.picture();
    assert!(window.picture() == first, "it turns although T has stopped it");

    // Another model with the same name, and back.
    let model = std::fs::read(folder.join("shark.nj")).unwrap();
    std::fs::copy(root.join("weights_three/model.nja"), folder.join("shark.nj")).unwrap();
    assert!(window.changes(&first), "the file is not loaded again");
    std::fs::write(folder.join("shark.nj"), &model).unwrap();
    assert!(window.settled() == first, "the first model does not come back");
    // A damaged file must not change the picture.
    std::fs::write(folder.join("shark.nj"), &model[..model.len() / 2]).unwrap();
    assert!(window.changes(&first), "nothing tells of the damage");
    assert!(window.settled() == first, "the picture is lost");
    std::fs::write(folder.join("shark.nj"), &model).unwrap();
    window.settled();

    // The file's motion, and no motion.
    window.press("m");
    window.press("space");
    window.press("Home");
    let start = window.settled();
    window.press("End");
    assert!(window.picture() != start, "the motion does not play");
    window.press("m");
    assert!(window.settled() == first, "the motion does not end");

    // The folder's files in order: SAND.pvr, SKIN.pvr, SWIRL.pvr, shark.nj, swirl.spj, zebra.fbx.
    std::fs::copy(scenes.join("static_uv_vcol_2mat.fbx"), folder.join("zebra.fbx")).unwrap();
    let mut seen = vec![first];
    for (key, name) in [
        ("Return", "swirl"),
        ("Return", "zebra"),
        ("Return", "SAND"),
        ("Return", "SKIN"),
        ("BackSpace", "SAND"),
    ] {
        // P is processed after the key, so its picture has the new file's name.
        window.stem = name.to_owned();
        window.press(key);
        let picture = window.picture();
        assert!(
            !seen.contains(&picture) || key == "BackSpace",
            "{name} shows nothing of its own"
        );
        seen.push(picture);
    }
    assert_eq!(window.close(), Some(0));
    println!("1 window");
}
