//! Connection to the debugger: buffers answers, and accepts packets with a valid checksum.

use gdbstub::conn::{Connection, ConnectionExt};
use std::cell::RefCell;
use std::io;
use std::rc::Rc;

/// Maximum bytes of a packet's content: [`super::PACKET`] without frame and checksum.
const LONGEST: usize = super::PACKET - 8;

/// Input from the debugger.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// Ctrl-C.
    Interrupt,
    /// The content of a packet.
    Packet(Vec<u8>),
    /// A packet that is too long or has a wrong checksum.
    Damaged,
    /// A request to repeat the last answer.
    Repeat,
    /// A byte outside of packets that the protocol does not define.
    Foreign(u8),
}

/// Assembles packets from bytes.
#[derive(Default)]
pub(super) struct Framer {
    state: State,
    body: Vec<u8>,
    too_long: bool,
}

#[derive(Clone, Copy, Default)]
enum State {
    #[default]
    Outside,
    Body,
    Checksum,
    SecondDigit(u8),
}

impl Framer {
    /// Processes a byte.
    pub(super) fn push(&mut self, byte: u8) -> Option<Input> {
        match (self.state, byte) {
            // A new packet begins, even if the previous one was incomplete.
            (State::Outside | State::Body, b'$') => {
                self.state = State::Body;
                self.body.clear();
                self.too_long = false;
            }
            (State::Outside, 3) => return Some(Input::Interrupt),
            (State::Outside, b'-') => return Some(Input::Repeat),
            (State::Outside, b'+') => {}
            (State::Outside, other) => return Some(Input::Foreign(other)),
            (State::Body, b'#') => self.state = State::Checksum,
            (State::Body, _) if self.body.len() >= LONGEST => self.too_long = true,
            (State::Body, byte) => self.body.push(byte),
            (State::Checksum, digit) => self.state = State::SecondDigit(digit),
            (State::SecondDigit(first), second) => {
                self.state = State::Outside;
                let digits = [first, second];
                let text = std::str::from_utf8(&digits).unwrap_or_default();
                let found = u8::from_str_radix(text, 16).ok();
                let sum = self.body.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
                return Some(match found == Some(sum) && !self.too_long {
                    true => Input::Packet(std::mem::take(&mut self.body)),
                    false => Input::Damaged,
                });
            }
        }
        None
    }
}

/// Returns a packet with frame and checksum.
pub(super) fn framed(body: &[u8]) -> Vec<u8> {
    let sum = body.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
    let mut packet = vec![b'$'];
    packet.extend(body);
    packet.extend(format!("#{sum:02x}").bytes());
    packet
}

/// A connection that sends complete answers. Its clones share the connection.
pub(super) struct Link<C>(Rc<RefCell<Buffered<C>>>);

struct Buffered<C> {
    connection: C,
    waiting: Vec<u8>,
    last: Vec<u8>,
    muted: bool,
}

impl<C> Clone for Link<C> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<C: ConnectionExt<Error = io::Error>> Link<C> {
    pub(super) fn new(connection: C) -> Self {
        Self(Rc::new(RefCell::new(Buffered {
            connection,
            waiting: Vec::new(),
            last: Vec::new(),
            muted: false,
        })))
    }

    /// Starts or stops discarding written data.
    pub(super) fn mute(&self, muted: bool) {
        self.0.borrow_mut().muted = muted;
    }

    /// Reads the next byte.
    pub(super) fn next(&self) -> io::Result<u8> {
        self.0.borrow_mut().connection.read()
    }

    /// Returns whether a byte can be read immediately. An error is reported by the next read.
    pub(super) fn is_ready(&self) -> bool {
        let byte = self.0.borrow_mut().connection.peek();
        byte.map_or(true, |byte| byte.is_some())
    }

    /// Sends bytes immediately.
    pub(super) fn send(&self, bytes: &[u8]) -> io::Result<()> {
        let mut link = self.0.borrow_mut();
        link.waiting.extend(bytes);
        link.send()
    }

    /// Repeats the last answer.
    pub(super) fn repeat(&self) -> io::Result<()> {
        let mut link = self.0.borrow_mut();
        link.waiting = std::mem::take(&mut link.last);
        link.send()
    }
}

impl<C: ConnectionExt<Error = io::Error>> Buffered<C> {
    fn send(&mut self) -> io::Result<()> {
        if !self.waiting.is_empty() && !self.muted {
            self.connection.write_all(&self.waiting)?;
            self.connection.flush()?;
            self.last = std::mem::take(&mut self.waiting);
        }
        self.waiting.clear();
        Ok(())
    }
}

impl<C: ConnectionExt<Error = io::Error>> Connection for Link<C> {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.0.borrow_mut().waiting.push(byte);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().send()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(bytes: &[u8]) -> Vec<Input> {
        let mut framer = Framer::default();
        bytes.iter().filter_map(|byte| framer.push(*byte)).collect()
    }

    #[test]
    fn packets_need_their_checksum() {
        let packet = |text: &str| Input::Packet(text.into());
        assert_eq!(
            inputs(b"+$g#67+\x03-"),
            [packet("g"), Input::Interrupt, Input::Repeat]
        );
        assert_eq!(
            inputs(b"$g#68$g#6z$?#3f"),
            [Input::Damaged, Input::Damaged, packet("?")]
        );
        assert_eq!(inputs(b"$cut$?#3F"), [packet("?")]);
        assert_eq!(inputs(b"GE"), [Input::Foreign(b'G'), Input::Foreign(b'E')]);
        let mut long = framed(&vec![b'a'; LONGEST + 1]);
        long.extend(framed(b"?"));
        assert_eq!(inputs(&long), [Input::Damaged, packet("?")]);
    }
}
