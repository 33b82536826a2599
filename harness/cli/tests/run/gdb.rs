//! `swirl run --gdb`: by hand over a socket, and with the real gdb-multiarch.
//!
//! Without gdb-multiarch or the SH assembler the sessions are left out, said so, and under CI an error.

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
}

impl Server {
    fn start(elf: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_swirl"))
            .args([
                "run",
                elf.to_str().unwrap(),
                "--gdb",
                "0",
                "--max-instructions",
                "500000000",
            ])
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
        Server { child, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client that speaks packets.
struct Client(TcpStream);

impl Client {
    fn connect(server: &Server) -> Client {
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Client(stream)
    }

    fn send(&mut self, packet: &str) {
        let sum = packet.bytes().fold(0u8, u8::wrapping_add);
        write!(self.0, "${packet}#{sum:02x}").unwrap();
    }

    fn receive(&mut self) -> String {
        let mut packet = String::new();
        let mut byte = [0];
        while byte[0] != b'$' {
            self.0.read_exact(&mut byte).unwrap();
        }
        loop {
            self.0.read_exact(&mut byte).unwrap();
            match byte[0] {
                b'#' => break,
                // Run-length encoding: the character before it, as often as the next one's code less 29 says.
                b'*' => {
                    self.0.read_exact(&mut byte).unwrap();
                    let last = packet.chars().last().unwrap();
                    packet.extend(std::iter::repeat_n(last, usize::from(byte[0] - 29)));
                }
                other => packet.push(other.into()),
            }
        }
        self.0.read_exact(&mut [0; 2]).unwrap();
        self.0.write_all(b"+").unwrap();
        packet
    }

    fn ask(&mut self, packet: &str) -> String {
        self.send(packet);
        self.receive()
    }
}

/// The traps that servers fall into, and ctrl-C.
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
    // A register alone, by its number: r4, and r3 of bank 0, which is the active one.
    assert_eq!(client.ask("P4=78563412"), "OK");
    assert_eq!(client.ask("p4"), "78563412");
    assert_eq!(client.ask("P2e=01000000"), "OK");
    assert_eq!(client.ask("p3"), "01000000");
    // Memory, through every area; what is not memory is an error.
    assert_eq!(client.ask("M8c020000,4:deadbeef"), "OK");
    for area in ["0c020000", "ac020000", "cc020000"] {
        assert_eq!(client.ask(&format!("m{area},4")), "deadbeef");
    }
    assert!(client.ask("m1c000000,4").starts_with('E'));
    // Registers whose reading has no effect: TCNT0 after power-on. The serial port's data is none of them.
    assert_eq!(client.ask("mffd8000c,4"), "ffffffff");
    assert!(client.ask("mffe80014,1").starts_with('E'));
    // One thread, and only its registers.
    assert_eq!(client.ask("qfThreadInfo"), "m01");
    assert_eq!(client.ask("qsThreadInfo"), "l");
    assert_eq!(client.ask("T1"), "OK");
    assert!(client.ask("T7").starts_with('E'));
    assert_eq!(client.ask("Hg1"), "OK");
    // Breakpoints: odd addresses are refused, aliases match, code is not patched.
    assert!(client.ask("Z0,8c010001,2").starts_with('E'));
    assert_eq!(client.ask("Z0,0c010000,2"), "OK");
    assert_eq!(client.ask("m8c010000,2"), "0170");
    assert!(client.ask("vCont;c").starts_with("T05"));
    assert_eq!(client.ask("p10"), "0000018c");
    assert_eq!(client.ask("p1"), "02000000", "the slot has run once");
    assert_eq!(client.ask("z0,0c010000,2"), "OK");
    // In a delay slot: stops before the branch, and the program goes on as it should.
    assert_eq!(client.ask("Z0,8c010004,2"), "OK");
    assert!(client.ask("vCont;c").starts_with("T05"));
    assert_eq!(client.ask("p10"), "0200018c");
    assert!(client.ask("vCont;s:1").starts_with(['S', 'T']));
    assert_eq!(client.ask("p10"), "0000018c", "branch and slot are one step");
    assert_eq!(client.ask("z0,8c010004,2"), "OK");
    // ctrl-C
    client.send("vCont;c");
    std::thread::sleep(Duration::from_millis(100));
    client.0.write_all(&[3]).unwrap();
    let stop = client.receive();
    assert!(stop.starts_with("T02") || stop.starts_with("S02"), "{stop}");
    client.send("k");
}

/// A breakpoint and steps in a loop that has run so often that it is compiled.
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

/// Assembles `program.s`; nothing without the tools.
fn assembled(folder: &Path) -> Option<std::path::PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/program.s");
    let (object, elf) = (folder.join("program.o"), folder.join("program.elf"));
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

/// What gdb prints when it is given `commands` one after the other.
fn session(elf: &Path, commands: &[&str]) -> Option<String> {
    let server = Server::start(elf);
    let connect = format!("target remote {}", server.address);
    let mut gdb = Command::new("gdb-multiarch");
    gdb.args(["--batch", "-nx"]).arg(elf);
    for command in ["set pagination off", "set confirm off", &connect]
        .iter()
        .chain(commands)
    {
        gdb.args(["-ex", command]);
    }
    let output = gdb.output().ok()?;
    Some(format!("{}{}", text(&output.stdout), text(&output.stderr)))
}

fn expect(output: &str, all: &[&str]) {
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

/// A KallistiOS program with threads, where SWIRL_KALLISTIOS names a folder with its examples as ELF files.
#[test]
fn kallistios_threads() {
    let elf = std::env::var_os("SWIRL_KALLISTIOS")
        .map(|folder| Path::new(&folder).join("basic_threading_general.elf"))
        .filter(|path| path.exists());
    let Some(elf) = elf else {
        println!("not run: SWIRL_KALLISTIOS names no folder with KallistiOS's examples");
        return;
    };
    // The first thread that it makes runs thd_sleep: main and the idle thread are there too.
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
