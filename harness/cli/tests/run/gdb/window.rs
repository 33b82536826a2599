//! `--window` together with gdb, in a separate X server.

use super::super::window::{focused, frame_in_title, has_windows, send, server, until};
use super::{Client, Server};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Magenta, in the console's 16 bits and as the bytes of the X server's picture. The low three bits are 0.
const COLOUR: &str = "1ff8";
const SHOWN: [u8; 3] = [0xF8, 0x00, 0xF8];

fn hold(display: &str, key: &str, seconds: &str) {
    send(display, &["keydown", key, "sleep", seconds, "keyup", key]);
}

/// Number of magenta points in the X server's picture.
fn points(folder: &Path) -> usize {
    let picture = std::fs::read(folder.join("Xvfb_screen0")).unwrap();
    let pixels = picture.as_chunks::<4>().0.iter();
    pixels.filter(|pixel| pixel[..3] == SHOWN).count()
}

/// F5 saves, Backspace goes back and F7 loads while the program runs. While it is stopped, the keys that
/// change its state must have no effect, and the window must show what gdb writes into the framebuffer.
#[test]
fn a_window_shows_a_debugged_program() {
    if !has_windows() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (_server, display) = server(folder.path());
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/console/menu.elf");
    let debugged = Server::start_with(&program, |command| {
        command
            .arg("--window")
            .current_dir(folder.path())
            .env("DISPLAY", &display);
    });
    let window = focused(&display);
    let mut client = Client::connect(&debugged);
    client.send("vCont;c");
    let frame = |what: &str, wanted: &dyn Fn(u64) -> bool| {
        until(what, || {
            frame_in_title(&display, &window).filter(|number| wanted(*number))
        })
    };
    frame("frame 60", &|number| number >= 60);
    hold(&display, "F5", "0.2");
    let state = folder.path().join("menu.swst");
    until("the state", || state.exists().then_some(()));
    let saved = frame_in_title(&display, &window).unwrap();
    let late = frame("a later frame", &|number| number > saved + 120);
    // Two seconds of the console a second, and the console runs again after it.
    hold(&display, "BackSpace", "0.8");
    let past = frame("the past", &|number| number < late - 10);
    frame("the run", &|number| number > past + 30);
    hold(&display, "F7", "0.1");
    frame("the saved state", &|number| number < past.min(saved + 60));

    client.0.write_all(&[3]).unwrap();
    assert!(client.receive().starts_with("T02"));
    let registers = client.ask("g");
    std::thread::sleep(Duration::from_millis(200));
    let stopped = frame_in_title(&display, &window).unwrap();
    hold(&display, "BackSpace", "0.3");
    hold(&display, "F7", "0.1");
    assert_eq!(frame_in_title(&display, &window), Some(stopped));
    assert_eq!(client.ask("g"), registers);
    // The first lines of both pictures.
    assert_eq!(points(folder.path()), 0);
    let line = COLOUR.repeat(640);
    for buffer in ["ma05f8050,4", "ma05f8054,4"] {
        let start = u32::from_str_radix(&client.ask(buffer), 16).unwrap().swap_bytes();
        for number in 0..16 {
            let address = 0xA500_0000 + start + 1280 * number;
            assert_eq!(client.ask(&format!("M{address:x},500:{line}")), "OK");
        }
    }
    until("the colour", || (points(folder.path()) >= 640 * 8).then_some(()));
    client.send("k");
    println!("1 window with gdb");
}
