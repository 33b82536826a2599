//! Debuggers that leave and connect again, and broken rules.

use super::super::window::until;
use super::{Client, Server, monitor};
use crate::run::{program, text};
use std::io::{Read, Write};
use std::path::Path;

fn rom(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../roms/{name}.elf"))
}

fn word(client: &mut Client, register: &str) -> u32 {
    u32::from_str_radix(&client.ask(register), 16)
        .unwrap()
        .swap_bytes()
}

/// After a detach the program must run, after a lost connection it must be stopped without breakpoints. Both
/// keep the history.
#[test]
fn the_server_waits_for_the_next_debugger() {
    // add #1,r0; bra back to it; nop
    let file = program(&[0x7001, 0xAFFD, 0x0009]);
    let mut server = Server::start(file.path());
    let mut client = Client::connect(&server);
    assert_eq!(client.ask("Z0,8c010000,2"), "OK");
    assert!(client.ask("vCont;c").starts_with("T05"));
    assert_eq!(word(&mut client, "p0"), 1);
    assert_eq!(client.ask("z0,8c010000,2"), "OK");
    assert_eq!(client.ask("D"), "OK");
    drop(client);
    std::thread::sleep(std::time::Duration::from_millis(100));
    let mut client = Client::connect(&server);
    assert!(client.ask("?").starts_with(['S', 'T']));
    let passes = word(&mut client, "p0");
    assert!(passes > 1, "{passes}");
    assert_eq!(word(&mut client, "p0"), passes, "the program is stopped");
    assert_eq!(client.ask("Z0,8c010002,2"), "OK");
    drop(client);
    std::thread::sleep(std::time::Duration::from_millis(100));
    let mut client = Client::connect(&server);
    assert_eq!(word(&mut client, "p0"), passes);
    client.send("vCont;c");
    std::thread::sleep(std::time::Duration::from_millis(50));
    client.0.write_all(&[3]).unwrap();
    assert!(client.receive().starts_with("T02"), "a breakpoint is left");
    assert!(word(&mut client, "p0") > passes);
    assert!(client.ask("bc").contains("replaylog:begin"));
    assert_eq!(word(&mut client, "p0"), 0);
    client.send("k");
    let status = until("the end", || server.child.try_wait().unwrap());
    assert_eq!(status.code(), Some(1));
}

/// A program that has run back and is left there must print its text once, and end.
#[test]
fn a_program_runs_to_its_end_after_a_detach() {
    let mut server = Server::start(&rom("console/fault"));
    let mut client = Client::connect(&server);
    assert!(client.ask("vCont;c").starts_with("T0b"));
    assert!(client.ask("bc").contains("replaylog:begin"));
    assert_eq!(client.ask("D"), "OK");
    let status = until("the end", || server.child.try_wait().unwrap());
    assert_eq!(status.code(), Some(1));
    let mut out = Vec::new();
    server.child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    let out = text(&out);
    assert_eq!(out.matches("loading L1").count(), 1, "{out}");
    assert!(out.contains("checksum+"), "the back-trace of the fault: {out}");
}

/// Broken rules must be shown, not shown, or stop the program, also when it runs again through its history.
#[test]
fn broken_rules_are_shown_or_stop_the_program() {
    let report = "access-width at 8c010b24 (main+0x4): 2 bytes at 005f8040 (Pvr)";
    let server = || {
        Server::start_with(&rom("checks/access_width"), |command| {
            command.args(["--check", "access-width", "--caches", "cached"]);
        })
    };
    // Texts for the user until the program stops.
    let run = |client: &mut Client, packet: &str| {
        client.send(packet);
        let mut all = String::new();
        loop {
            let packet = client.receive_any();
            match packet.strip_prefix('O') {
                Some(digits) => all += &super::text_of_digits(digits),
                None => return (all, packet),
            }
        }
    };
    for (command, effect, is_shown, stops) in [
        ("checks", "are shown", true, false),
        ("checks off", "are not shown", false, false),
        ("checks on", "are shown", true, false),
        ("checks stop", "stop the program", true, true),
    ] {
        let server = server();
        let mut client = Client::connect(&server);
        let answer = monitor(&mut client, command);
        assert!(
            answer.contains(&format!("0 findings; new ones {effect}")),
            "{answer}"
        );
        for _ in 0..2 {
            let (told, stop) = run(&mut client, "vCont;c");
            assert_eq!(told.contains(report), is_shown, "{command}: {told}");
            if !stops {
                assert!(stop.starts_with('W'), "{command}: {stop}");
                break;
            }
            assert!(stop.starts_with("T05"), "{stop}");
            let answer = monitor(&mut client, "checks");
            assert!(
                answer.contains("1 finding;") && answer.contains(report),
                "{answer}"
            );
            let pc = word(&mut client, "p10");
            assert!((0x8C01_0B24..0x8C01_0B30).contains(&pc), "{pc:x}");
            assert!(client.ask("bc").contains("replaylog:begin"));
            assert!(monitor(&mut client, "checks").contains("0 findings; new ones stop"));
        }
    }
}
