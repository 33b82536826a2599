//! `swirl run --gdb` over a socket, with hand-written packets.

mod c_programs;
mod connections;
mod editors;
mod sessions;
mod window;

use super::{program, text};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server with a program.
struct Server {
    child: Child,
    address: String,
    /// The line that names the address.
    line: String,
}

impl Server {
    fn start(elf: &Path) -> Server {
        Self::start_with(elf, |command| {
            command.args(["--max-instructions", "5000000000"]);
        })
    }

    /// Starts a server with more options.
    fn start_with(elf: &Path, options: impl FnOnce(&mut Command)) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_swirl"));
        command.arg("run").arg(elf).args(["--gdb", "0"]);
        options(&mut command);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.rsplit(' ').next().unwrap().trim().to_owned();
        assert!(line.contains("target remote"), "{line}");
        Server { child, address, line }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client that exchanges packets.
struct Client(TcpStream);

impl Client {
    fn connect(server: &Server) -> Client {
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Client(stream)
    }

    fn send(&mut self, packet: &str) {
        let sum = packet.bytes().fold(0u8, u8::wrapping_add);
        write!(self.0, "${packet}#{sum:02x}").unwrap();
    }

    /// Returns the next answer that is no text for the user.
    fn receive(&mut self) -> String {
        loop {
            let packet = self.receive_any();
            if !packet.starts_with('O') || packet == "OK" {
                return packet;
            }
        }
    }

    fn receive_any(&mut self) -> String {
        let mut packet = String::new();
        let mut byte = [0];
        while byte[0] != b'$' {
            self.0.read_exact(&mut byte).unwrap();
        }
        loop {
            self.0.read_exact(&mut byte).unwrap();
            match byte[0] {
                b'#' => break,
                // Run-length encoding: repeats the previous character; the count is the next character's code
                // minus 29.
                b'*' => {
                    self.0.read_exact(&mut byte).unwrap();
                    let last = packet.chars().last().unwrap();
                    packet.extend(std::iter::repeat_n(last, usize::from(byte[0] - 29)));
                }
                other => packet.push(other.into()),
            }
        }
        self.0.read_exact(&mut [0; 2]).unwrap();
        // The server closes the connection after its last packet, without waiting for this.
        let _ = self.0.write_all(b"+");
        packet
    }

    fn ask(&mut self, packet: &str) -> String {
        self.send(packet);
        self.receive()
    }
}

/// Common pitfalls of servers, and ctrl-C.
#[test]
fn packets() {
    // add #1,r0; bra back to it; add #2,r1 in the slot
    let file = program(&[0x7001, 0xAFFD, 0x7102, 0x001B]);
    let server = Server::start(file.path());
    let mut client = Client::connect(&server);
    assert!(client.ask("qSupported:swbreak+;hwbreak+").contains("PacketSize"));
    assert_eq!(client.ask("vMustReplyEmpty"), "");
    assert!(client.ask("?").starts_with(['S', 'T']));
    let registers = client.ask("g");
    assert_eq!(registers.len(), 59 * 8);
    assert_eq!(&registers[16 * 8..17 * 8], "0000018c", "pc, little-endian");
    // Single registers by number: r4, and r3 of bank 0, which is the active one.
    assert_eq!(client.ask("P4=78563412"), "OK");
    assert_eq!(client.ask("p4"), "78563412");
    assert_eq!(client.ask("P2e=01000000"), "OK");
    assert_eq!(client.ask("p3"), "01000000");
    // Memory through every area; addresses without memory are an error.
    assert_eq!(client.ask("M8c020000,4:deadbeef"), "OK");
    for area in ["0c020000", "ac020000", "cc020000"] {
        assert_eq!(client.ask(&format!("m{area},4")), "deadbeef");
    }
    assert!(client.ask("m1c000000,4").starts_with('E'));
    // Registers without side effects on reading: TCNT0 after power-on. The serial port's data register has
    // side effects.
    assert_eq!(client.ask("mffd8000c,4"), "ffffffff");
    assert!(client.ask("mffe80014,1").starts_with('E'));
    // One thread, and only its registers.
    assert_eq!(client.ask("qfThreadInfo"), "m01");
    assert_eq!(client.ask("qsThreadInfo"), "l");
    assert_eq!(client.ask("T1"), "OK");
    assert!(client.ask("T7").starts_with('E'));
    assert_eq!(client.ask("Hg1"), "OK");
    // Breakpoints: odd addresses are rejected, aliases match, code is not patched.
    assert!(client.ask("Z0,8c010001,2").starts_with('E'));
    assert_eq!(client.ask("Z0,0c010000,2"), "OK");
    assert_eq!(client.ask("m8c010000,2"), "0170");
    assert!(client.ask("vCont;c").starts_with("T05"));
    assert_eq!(client.ask("p10"), "0000018c");
    assert_eq!(client.ask("p1"), "02000000", "the slot has run once");
    assert_eq!(client.ask("z0,0c010000,2"), "OK");
    // In a delay slot: stops before the branch, and the program then continues correctly.
    assert_eq!(client.ask("Z0,8c010004,2"), "OK");
    assert!(client.ask("vCont;c").starts_with("T05"));
    assert_eq!(client.ask("p10"), "0200018c");
    assert!(client.ask("vCont;s:1").starts_with(['S', 'T']));
    assert_eq!(client.ask("p10"), "0000018c", "branch and slot are one step");
    assert_eq!(client.ask("z0,8c010004,2"), "OK");
    // ctrl-C
    client.send("vCont;c");
    std::thread::sleep(Duration::from_millis(50));
    client.0.write_all(&[3]).unwrap();
    let stop = client.receive();
    assert!(stop.starts_with("T02") || stop.starts_with("S02"), "{stop}");
    client.send("k");
}

/// A breakpoint and steps in a loop that is hot enough to be compiled.
#[test]
fn a_breakpoint_in_a_hot_loop() {
    // mov #0,r1; then for ever: 25600 to r0; add #1,r1 and dt r0 until that is 0; add #1,r2
    let file = program(&[
        0xE100, 0xE064, 0x4018, 0x7101, 0x4010, 0x8BFC, 0x7201, 0xAFF8, 0x0009,
    ]);
    let server = Server::start(file.path());
    let mut client = Client::connect(&server);
    client.send("vCont;c");
    std::thread::sleep(Duration::from_millis(30));
    client.0.write_all(&[3]).unwrap();
    assert!(client.receive().starts_with(['S', 'T']));
    assert_eq!(client.ask("Z0,8c010008,2"), "OK");
    assert!(client.ask("vCont;c").starts_with("T05"));
    for pc in ["0800018c", "0a00018c", "0600018c", "0800018c"] {
        assert_eq!(client.ask("p10"), pc);
        assert!(client.ask("vCont;s:1").starts_with(['S', 'T']));
    }
    assert_eq!(client.ask("z0,8c010008,2"), "OK");
    assert_eq!(client.ask("Z0,8c01000c,2"), "OK");
    assert!(client.ask("vCont;c").starts_with("T05"));
    assert_eq!(client.ask("p10"), "0c00018c");
    let mut word = |register| {
        u32::from_str_radix(&client.ask(register), 16)
            .unwrap()
            .swap_bytes()
    };
    let (counter, sum, rounds) = (word("p0"), word("p1"), word("p2"));
    assert_eq!((counter, sum), (0, 25_600 * (rounds + 1)));
    client.send("k");
}

/// A store of four bytes in a delay slot to PMCR1, which takes two. It is no exception of the CPU.
#[test]
fn a_refused_access_in_a_delay_slot_has_the_address_of_the_slot() {
    // mov.l literal,r2; mov #5,r3; bra to the sleep; mov.l r3,@r2 in the slot; sleep
    let file = program(&[0xD202, 0xE305, 0xA000, 0x2232, 0x001B, 0x0009, 0x0084, 0xFF00]);
    let server = Server::start(file.path());
    let mut client = Client::connect(&server);
    assert!(client.ask("vCont;c").starts_with("T0b"));
    assert_eq!(client.ask("p10"), "0600018c", "the store");
    client.send("k");
}

/// A misaligned read in a delay slot: with SR.BL = 1, the loader's state, and with BL = 0 and no handler. gdb
/// must stop before the exception, with the registers of the instruction.
#[test]
fn a_fault_in_a_delay_slot_stops_before_the_exception() {
    // mov #1,r2; mov #5,r3; bra to the sleep; mov.l @r2,r0 in the slot; sleep
    let blocked = [0xE201, 0xE305, 0xA000, 0x6022, 0x001B];
    // stc sr,r0; mov.l to r1: EFFFFFFF; and r1,r0; ldc r0,sr, then the same; the constant at 8c010014
    let open = [
        0x0002, 0xD104, 0x2019, 0x400E, 0xE201, 0xE305, 0xA000, 0x6022, 0x001B, 0x0009, 0xFFFF, 0xEFFF,
    ];
    for (code, pc) in [(&blocked[..], "0600018c"), (&open[..], "0e00018c")] {
        let file = program(code);
        let server = Server::start(file.path());
        let mut client = Client::connect(&server);
        let stop = client.ask("vCont;c");
        assert!(stop.starts_with("T0b"), "{stop}");
        assert_eq!(client.ask("p10"), pc, "the instruction in the slot");
        assert_eq!([client.ask("p2"), client.ask("p3")], ["01000000", "05000000"]);
        // A repaired register: the program continues from the branch.
        assert_eq!(client.ask("P2=0000018c"), "OK");
        let stop = client.ask("vCont;s:1");
        assert!(stop.starts_with("T05"), "{stop}");
        let after = u32::from_str_radix(pc, 16).unwrap().swap_bytes() + 2;
        assert_eq!(client.ask("p10"), format!("{:08x}", after.swap_bytes()));
        client.send("k");
    }
    // A step to the branch, and another: the exception stops it too.
    let file = program(&blocked);
    let server = Server::start(file.path());
    let mut client = Client::connect(&server);
    for stop in ["T05", "T05", "T0b"] {
        assert!(client.ask("vCont;s:1").starts_with(stop));
    }
    assert_eq!(client.ask("p10"), "0600018c");
    // After a write that leaves the cause, the program stops again at the same instruction.
    assert_eq!(client.ask("P5=01000000"), "OK");
    assert!(client.ask("vCont;c").starts_with("T0b"));
    assert_eq!(client.ask("p10"), "0600018c");
    // Not repaired: the CPU resets, and the end is reported.
    let file = program(&blocked);
    let server = Server::start(file.path());
    let mut client = Client::connect(&server);
    assert!(client.ask("vCont;c").starts_with("T0b"));
    assert!(client.ask("vCont;c").starts_with("T0b"));
    assert_eq!(client.ask("p10"), "000000a0");
    client.send("k");
}

/// Sends a monitor command, encoded as hex digits for qRcmd.
fn monitor(client: &mut Client, text: &str) -> String {
    let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    client.send(&format!("qRcmd,{hex}"));
    let mut answer = String::new();
    loop {
        let packet = client.receive_any();
        match packet.strip_prefix('O') {
            Some(digits) if packet != "OK" => answer += &text_of_digits(digits),
            _ => return answer,
        }
    }
}

fn text_of_digits(digits: &str) -> String {
    let bytes = (0..digits.len() / 2).map(|n| u8::from_str_radix(&digits[2 * n..2 * n + 2], 16));
    String::from_utf8(bytes.map(Result::unwrap).collect()).unwrap()
}

/// TRAPA with a handler must not stop until `monitor exceptions` selects it.
#[test]
fn monitor_chooses_the_exceptions_that_stop() {
    // mov.l to r0: 8C010100; ldc r0,vbr; stc sr,r0; mov.l to r1: EFFFFFFF; and r1,r0; ldc r0,sr; trapa #3;
    // mov #7,r4; sleep; the constants at 8c010014
    let mut code = vec![
        0xD004, 0x402E, 0x0002, 0xD104, 0x2019, 0x400E, 0xC303, 0xE407, 0x001B, 0x0009, 0x0100, 0x8C01,
        0xFFFF, 0xEFFF,
    ];
    // The handler at VBR + 100: rte; nop
    code.resize(0x100, 0x0009);
    code.extend([0x002B, 0x0009]);
    let file = program(&code);
    let server = Server::start(file.path());
    let mut client = Client::connect(&server);
    assert_eq!(client.ask("Z0,8c010010,2"), "OK");
    assert!(client.ask("vCont;c").starts_with("T05"));
    assert_eq!(client.ask("p10"), "1000018c", "behind trapa and its handler");
    let server = Server::start(file.path());
    let mut client = Client::connect(&server);
    assert!(monitor(&mut client, "help").contains("exceptions [stop|pass NAME|all]"));
    assert!(monitor(&mut client, "exceptions stop trapa").contains("trapa                stop  EXPEVT 160"));
    assert!(monitor(&mut client, "exceptions stop nothing").contains("error: exceptions: found nothing"));
    assert!(monitor(&mut client, "no-such").contains("error"));
    assert!(client.ask("vCont;c").starts_with("T05"));
    assert_eq!(client.ask("p10"), "0c00018c", "before trapa");
    assert_eq!(client.ask("p4"), "00000000");
    assert!(client.ask("vCont;c").starts_with('W'));
}

/// Each command of `monitor help` must have its own answer.
#[test]
fn monitor_shows_the_console() {
    // add #1,r0; bra back to it; nop
    let file = program(&[0x7001, 0xAFFD, 0x0009]);
    let server = Server::start(file.path());
    let mut client = Client::connect(&server);
    assert!(client.ask("vCont;s:1").starts_with("T05"));
    let folder = tempfile::tempdir().unwrap();
    let png = folder.path().join("screen.png");
    let screenshot = format!("screenshot {}", png.display());
    for (command, expected) in [
        ("time", "cycles, 1 instructions"),
        ("backtrace", "  #0  8c010002"),
        ("frame", "frame 0, 0 renders"),
        (&screenshot, "640 x 480 pixels"),
        ("press start", "start in the frames 1 to 10"),
        ("press nothing", "error: press: line 1"),
        ("interrupts", "SR 500000f0: BL 1, IMASK 15"),
        ("dma", "CHCR2"),
        ("pvr", "PARAM_BASE"),
        ("tlb", "address translation is off"),
        ("cache 8c010000", "memory is coherent"),
        ("cache", "error: cache: expected a hexadecimal address"),
        ("checks", "error: checks: no rule is checked"),
    ] {
        let answer = monitor(&mut client, command);
        assert!(answer.contains(expected), "{command}: {answer}");
    }
    assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));
    assert!(
        client
            .ask("qXfer:exec-file:read:1:0,1000")
            .contains(file.path().to_str().unwrap())
    );
    client.send("k");
}

/// Watchpoints on registers, and writes to them.
#[test]
fn device_registers_are_watched_and_written() {
    // mov.l to r1: A05F8044 (FB_R_CTRL); mov #12,r2; mov.l r2,@r1; mov.l @r1,r3; nop; sleep; nop; nop; the
    // constant at 8c010010
    let file = program(&[
        0xD103, 0xE20C, 0x2122, 0x6312, 0x0009, 0x001B, 0x0009, 0x0009, 0x8044, 0xA05F,
    ]);
    for (kind, area, pc) in [("2", "a05f8044", "0600018c"), ("3", "805f8044", "0800018c")] {
        let server = Server::start(file.path());
        let mut client = Client::connect(&server);
        assert_eq!(client.ask("Ma05f8044,4:01000000"), "OK");
        assert_eq!(client.ask("ma05f8044,4"), "01000000");
        // An interrupt mask, timer constants and an on-chip register.
        assert_eq!(client.ask("Mffd80008,4:78563412"), "OK");
        assert_eq!(client.ask("mffd80008,4"), "78563412");
        assert_eq!(client.ask("Mff00000c,4:78563412"), "OK");
        assert_eq!(client.ask("mff00000c,4"), "78563412");
        assert_eq!(client.ask(&format!("Z{kind},{area},4")), "OK");
        let stop = client.ask("vCont;c");
        let name = if kind == "2" { "watch" } else { "rwatch" };
        assert!(stop.contains(&format!("{name}:{area}")), "{stop}");
        assert_eq!(client.ask("p10"), pc);
        assert_eq!(client.ask(&format!("z{kind},{area},4")), "OK");
        assert!(client.ask("vCont;c").starts_with('W'));
    }
}

/// Damaged and malformed packets must be rejected without ending the session.
#[test]
fn the_protocol_refuses_what_is_malformed() {
    // add #1,r0; bra back to it; add #2,r1 in the slot
    let file = program(&[0x7001, 0xAFFD, 0x7102, 0x001B]);
    let server = Server::start(file.path());
    // A port scan and a browser come first.
    drop(TcpStream::connect(&server.address).unwrap());
    let mut browser = TcpStream::connect(&server.address).unwrap();
    browser.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    assert!(matches!(browser.read(&mut [0]), Ok(0) | Err(_)), "it is closed");
    let mut client = Client::connect(&server);
    client.0.write_all(b"+$g#00").unwrap();
    let mut byte = [0];
    client.0.read_exact(&mut byte).unwrap();
    assert_eq!(byte, [b'-']);
    assert!(client.ask("M8c020000,2:010203").starts_with('E'));
    assert_eq!(client.ask("m8c020000,2"), "0000");
    assert_eq!(client.ask("m8c020000,1000000").len(), 2 * 4096);
    for malformed in [
        "qSupported",
        "vCont;x",
        "Z",
        "P",
        "Hc",
        "qXfer:memory-map:read::",
        "vFile:",
        "m,",
        "X1",
    ] {
        client.ask(malformed);
    }
    assert_eq!(client.ask("p10"), "0000018c", "the session goes on");
    // The address of s: after the branch, at the SLEEP.
    assert_eq!(client.ask("Z0,8c010000,2"), "OK");
    assert!(client.ask("s8c010002").starts_with("T05"));
    assert_eq!(client.ask("p10"), "0000018c");
    assert_eq!(client.ask("p1"), "02000000");
    assert_eq!(client.ask("p0"), "00000000", "the first instruction has not run");
    assert!(client.ask("c8c010006").starts_with('W'), "SLEEP");
}

/// 10,000 breakpoints elsewhere, and all of RAM watched.
#[test]
fn many_breakpoints_and_a_large_watchpoint() {
    // mov.l to r1: 8C010000 + 2^17; for ever: add #1,r0; mov.l r0,@r1
    let file = program(&[0xD102, 0x7001, 0x2102, 0xAFFC, 0x0009, 0x0009, 0x0000, 0x8C03]);
    let server = Server::start(file.path());
    let mut client = Client::connect(&server);
    for n in 0..10_000 {
        assert_eq!(client.ask(&format!("Z0,{:x},2", 0x8C10_0000u32 + 2 * n)), "OK");
    }
    client.send("vCont;c");
    std::thread::sleep(Duration::from_millis(50));
    client.0.write_all(&[3]).unwrap();
    assert!(client.receive().starts_with("T02"));
    assert_eq!(client.ask("Z2,8c000000,1000000"), "OK");
    let stop = client.ask("vCont;c");
    assert!(stop.contains("watch:8c030000"), "{stop}");
    assert_eq!(client.ask("p10"), "0600018c");
    assert_eq!(client.ask("z2,8c000000,1000000"), "OK");
    assert!(client.ask("Z2,8c000000,0").starts_with('E'));
    client.send("k");
}

/// Steps back must show the states of the steps forward in reverse, with and without compiled code. A step
/// back at the first instruction must report the start of the history.
#[test]
fn steps_back_undo_steps() {
    // mov #0,r1; for ever: 25600 to r0; add #1,r1 and dt r0 until that is 0; add #1,r2
    let file = program(&[
        0xE100, 0xE064, 0x4018, 0x7101, 0x4010, 0x8BFC, 0x7201, 0xAFF8, 0x0009,
    ]);
    let server = Server::start(file.path());
    let mut client = Client::connect(&server);
    assert!(
        client
            .ask("qSupported:swbreak+")
            .contains("ReverseContinue+;ReverseStep+")
    );
    assert!(client.ask("bs").contains("replaylog:begin"));
    // A later iteration, in compiled code.
    assert_eq!(client.ask("Z0,8c01000c,2"), "OK");
    assert!(client.ask("vCont;c").contains("swbreak"));
    assert!(client.ask("vCont;c").contains("swbreak"));
    assert_eq!(client.ask("p2"), "01000000");
    let states = |client: &mut Client| ["p10", "p0", "p1", "p2"].map(|register| client.ask(register));
    let mut forward = vec![states(&mut client)];
    for _ in 0..12 {
        assert!(client.ask("vCont;s:1").starts_with("T05"));
        forward.push(states(&mut client));
    }
    while let Some(state) = forward.pop() {
        assert_eq!(states(&mut client), state);
        if !forward.is_empty() {
            assert!(client.ask("bs").starts_with("T05"));
        }
    }
    // Back to the first pass of the breakpoint, then to the start; forward again to both.
    let second = states(&mut client);
    assert!(client.ask("bc").starts_with("T05"));
    let first = states(&mut client);
    assert_eq!((first[0].as_str(), first[3].as_str()), ("0c00018c", "00000000"));
    assert!(client.ask("bc").contains("replaylog:begin"));
    assert_eq!(client.ask("p10"), "0000018c");
    assert!(client.ask("vCont;c").contains("swbreak"));
    assert_eq!(states(&mut client), first);
    assert!(client.ask("vCont;c").contains("swbreak"));
    assert_eq!(states(&mut client), second);
    // A write starts a new history.
    assert_eq!(client.ask("P5=01000000"), "OK");
    assert!(client.ask("bc").contains("replaylog:begin"));
    assert_eq!(states(&mut client), second);
    client.send("k");
}
