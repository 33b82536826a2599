//! `reverse-continue` of the gdb server through the whole history, in host seconds for a console second.
//!
//! Target: 2 s or less. The program draws 3,000 textured triangles a frame.

#![allow(missing_docs, reason = "a bench")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a bench that cannot run its program has nothing to say"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Host time for which the program runs forwards.
const FORWARDS: Duration = Duration::from_secs(5);

/// Sends a packet.
fn send(stream: &mut TcpStream, packet: &str) {
    let sum = packet.bytes().fold(0u8, u8::wrapping_add);
    write!(stream, "${packet}#{sum:02x}").unwrap();
}

/// The next answer; text for the user if `text` asks for it.
fn receive(stream: &mut TcpStream, text: bool) -> String {
    loop {
        let mut packet = Vec::new();
        let mut byte = [0];
        while byte[0] != b'$' {
            stream.read_exact(&mut byte).unwrap();
        }
        loop {
            stream.read_exact(&mut byte).unwrap();
            if byte[0] == b'#' {
                break;
            }
            match (byte[0], packet.last().copied()) {
                // Run-length encoding: the next byte less 29 is the number of repetitions.
                (b'*', Some(last)) => {
                    stream.read_exact(&mut byte).unwrap();
                    packet.extend(std::iter::repeat_n(last, usize::from(byte[0].saturating_sub(29))));
                }
                (byte, _) => packet.push(byte),
            }
        }
        stream.read_exact(&mut [0; 2]).unwrap();
        stream.write_all(b"+").unwrap();
        let packet = String::from_utf8_lossy(&packet).into_owned();
        if text || !packet.starts_with('O') || packet == "OK" {
            return packet;
        }
    }
}

/// Seconds of the console, by `monitor time`.
fn seconds(stream: &mut TcpStream) -> f64 {
    let command: String = "time".bytes().map(|byte| format!("{byte:02x}")).collect();
    send(stream, &format!("qRcmd,{command}"));
    let answer = receive(stream, true);
    assert_eq!(receive(stream, false), "OK");
    let digits = answer.as_bytes()[1..].as_chunks::<2>().0.iter();
    let text: String = digits
        .map(|pair| char::from(u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()))
        .collect();
    text.split(' ').next().unwrap().parse().unwrap()
}

fn main() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/console/crowd.elf");
    let mut child = Command::new(env!("CARGO_BIN_EXE_swirl"))
        .arg("run")
        .arg(program)
        .args(["--gdb", "0", "--threads", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let mut stream = TcpStream::connect(line.rsplit(' ').next().unwrap().trim()).unwrap();
    stream.set_nodelay(true).unwrap();
    send(&mut stream, "qSupported:swbreak+");
    receive(&mut stream, false);
    let begin = Instant::now();
    send(&mut stream, "vCont;c");
    std::thread::sleep(FORWARDS);
    stream.write_all(&[3]).unwrap();
    receive(&mut stream, false);
    let forwards = begin.elapsed().as_secs_f64();
    let passed = seconds(&mut stream);
    let begin = Instant::now();
    send(&mut stream, "bc");
    let answer = receive(&mut stream, false);
    let backwards = begin.elapsed().as_secs_f64();
    assert!(answer.contains("replaylog:begin"), "{answer}");
    println!("{passed:.2} s of the console: forwards {forwards:.2} s, reverse-continue {backwards:.2} s");
    println!(
        "reverse-continue: {:.2} s for a console second",
        backwards / passed
    );
    send(&mut stream, "k");
    let _ = child.wait();
}
