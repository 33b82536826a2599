//! The Maple bus: lists of frames in RAM, and four ports with up to six units each.
//!
//! The list is read, and the replies are written, at the end of the transfer. The transfer's duration depends
//! on the bytes of frames and replies.

use crate::peripherals::{Peripheral, Reply};
use crate::settings::MapleTime;
use state::{Error, State, Stream};

/// Maximum number of frames in a list. More would keep the bus busy for seconds; a longer list is truncated.
const MAX_FRAMES: usize = 1024;
/// Maximum number of words of a frame or reply: the length field has 8 bits, and the header one word.
const MAX_WORDS: u32 = 256;
/// Reply of an absent unit.
const NOBODY: u32 = u32::MAX;
/// Cycles per byte sent to a unit (2 Mbit/s).
const BYTE_OUT: u64 = 798;
/// Cycles per byte received from a unit (0.74 Mbit/s on a logic analyser).
const BYTE_IN: u64 = 2157;
/// Unit of the time-out, 20 ns, in cycles.
const TIMEOUT_UNIT: u64 = 4;

/// RAM for a transfer.
pub trait Ram {
    /// Returns the word at a physical address; `None` outside RAM.
    fn word(&self, address: u32) -> Option<u32>;
    /// Writes words to a physical address. Returns false outside RAM.
    fn write(&mut self, address: u32, words: &[u32]) -> bool;
}

/// A port: the main unit and its sub-units 1 to 5.
#[derive(Default)]
pub struct Port {
    /// Main unit, followed by the sub-units.
    pub units: [Option<Box<dyn Peripheral>>; 6],
}

/// Loading keeps the plugged-in units and sets their states; the saved units must be of the same kinds.
impl State for Port {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        for unit in &mut self.units {
            let present = unit.as_ref().map_or("nothing", |unit| unit.name());
            let mut name = present.to_owned();
            name.transfer(stream)?;
            if name != present {
                return Err(Error::value(
                    "Maple bus",
                    name,
                    format!("{present}: see --ports, --vmu and --rumble-pack"),
                ));
            }
            if let Some(unit) = unit {
                unit.transfer(stream)?;
            }
        }
        Ok(())
    }
}

impl Clone for Port {
    fn clone(&self) -> Self {
        let copy = |unit: &Option<Box<dyn Peripheral>>| unit.as_ref().map(|unit| unit.boxed());
        Self {
            units: std::array::from_fn(|n| copy(&self.units[n])),
        }
    }
}

impl std::fmt::Debug for Port {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.units.iter().flatten().map(|unit| unit.name());
        f.debug_list().entries(names).finish()
    }
}

/// The four ports.
#[derive(Clone, Debug, Default)]
pub struct Maple {
    /// Ports A to D.
    pub ports: [Port; 4],
}

state::fields!(Maple { ports });

/// Result of a transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Number of frames sent.
    pub frames: u32,
    /// Set if a list, frame or reply address was outside RAM.
    pub illegal_address: bool,
    /// Set if a descriptor was invalid.
    pub illegal_command: bool,
    /// Set if a light gun takes aim. The bus stays occupied until the next vertical blank.
    pub aims: bool,
}

/// A descriptor of the list.
enum Instruction {
    /// A frame; `words` excludes the descriptor's two words.
    Frame { words: u32, port: usize },
    /// A light gun takes aim.
    Aim,
    /// End of the light gun mode, reset, no operation: no frame is sent.
    Nothing,
}

fn instruction(word: u32) -> Option<Instruction> {
    match word >> 8 & 7 {
        0 => Some(Instruction::Frame {
            words: (word & 0xFF) + 1,
            port: (word >> 16 & 3) as usize,
        }),
        2 => Some(Instruction::Aim),
        3 | 4 | 7 => Some(Instruction::Nothing),
        _ => None,
    }
}

impl Maple {
    /// Returns the duration of the list at `address` in cycles, without processing it.
    #[must_use]
    pub fn length(&self, ram: &impl Ram, address: u32, timeout: u32, time: MapleTime, cpu_hz: u64) -> u64 {
        match time {
            MapleTime::Millisecond => return cpu_hz / 1000,
            MapleTime::FifthOfMillisecond => return cpu_hz / 5000,
            MapleTime::Bytes => {}
        }
        let mut cycles = 200;
        walk(ram, address, |frame| {
            let header = frame.words.first().copied().unwrap_or(0);
            let sent = 4 * frame.words.len() as u64;
            let answered = self
                .unit(frame.port, header)
                .map(|unit| unit.reply_bytes(header as u8));
            cycles += sent * BYTE_OUT;
            cycles += match answered {
                Some(bytes) => u64::from(bytes) * BYTE_IN,
                None => u64::from(timeout) * TIMEOUT_UNIT,
            };
            true
        });
        cycles
    }

    /// Returns true if the list at `address` lets a light gun take aim.
    pub(crate) fn aims(ram: &impl Ram, address: u32) -> bool {
        walk(ram, address, |_| true).aims
    }

    /// Sends the frames of the list at `address` and writes the replies.
    pub fn run(&mut self, ram: &mut impl Ram, address: u32) -> Done {
        let mut frames = Vec::new();
        let mut done = walk(ram, address, |frame| {
            frames.push(frame);
            true
        });
        for frame in frames {
            let words = self.answer(&frame);
            done.illegal_address |= !ram.write(frame.reply, &words);
        }
        done
    }

    /// Returns the size of the answer to a frame in bytes.
    pub(crate) fn answer_bytes(&self, port: usize, header: u32) -> u32 {
        self.unit(port, header)
            .map_or(4, |unit| unit.reply_bytes(header as u8))
    }

    fn index(header: u32) -> usize {
        let recipient = header >> 8 & 0x3F;
        match recipient & 0x20 {
            0 => (1..6).find(|unit| recipient >> (unit - 1) & 1 != 0).unwrap_or(0),
            _ => 0,
        }
    }

    fn unit(&self, port: usize, header: u32) -> Option<&dyn Peripheral> {
        self.ports[port].units[Self::index(header)].as_deref()
    }

    /// Returns the words of the reply to a frame.
    fn answer(&mut self, frame: &Frame) -> Vec<u32> {
        let [header, data @ ..] = &frame.words[..] else {
            return vec![NOBODY];
        };
        let index = Self::index(*header);
        let port = &mut self.ports[frame.port];
        let subs = (1..6).fold(0, |bits, n| bits | u32::from(port.units[n].is_some()) << (n - 1));
        let Some(unit) = port.units[index].as_mut() else {
            return vec![NOBODY];
        };
        let Reply { code, data } = unit.respond(*header as u8, data);
        let address = (frame.port as u32) << 6
            | match index {
                0 => 0x20 | subs,
                n => 1 << (n - 1),
            };
        // Code, recipient (the host), sender, number of words.
        let host = *header >> 16 & 0xFF;
        let first = u32::from(code) | host << 8 | address << 16 | (data.len() as u32) << 24;
        std::iter::once(first).chain(data).collect()
    }
}

/// A frame of the list.
struct Frame {
    port: usize,
    /// Address of the reply.
    reply: u32,
    /// Header and parameters.
    words: Vec<u32>,
}

/// Reads the list at `address` frame by frame, until the last one, an error, or `each` returns false.
fn walk(ram: &impl Ram, mut address: u32, mut each: impl FnMut(Frame) -> bool) -> Done {
    let mut done = Done::default();
    for _ in 0..MAX_FRAMES {
        let Some(descriptor) = ram.word(address) else {
            done.illegal_address = true;
            return done;
        };
        address = address.wrapping_add(4);
        match instruction(descriptor) {
            None => {
                done.illegal_command = true;
                return done;
            }
            Some(Instruction::Aim) => done.aims = true,
            Some(Instruction::Nothing) => {}
            Some(Instruction::Frame { words, port }) => {
                let Some(frame) = read_frame(ram, address, words.min(MAX_WORDS), port) else {
                    done.illegal_address = true;
                    return done;
                };
                address = address.wrapping_add(4 + 4 * words);
                done.frames += 1;
                if !each(frame) {
                    return done;
                }
            }
        }
        if descriptor >> 31 != 0 {
            return done;
        }
    }
    done
}

fn read_frame(ram: &impl Ram, address: u32, words: u32, port: usize) -> Option<Frame> {
    let reply = ram.word(address)? & 0x1FFF_FFE0;
    let words = (1..=words)
        .map(|n| ram.word(address.wrapping_add(4 * n)))
        .collect::<Option<Vec<_>>>()?;
    Some(Frame { port, reply, words })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peripherals::Controller;

    struct Flat(Vec<u32>);

    impl Ram for Flat {
        fn word(&self, address: u32) -> Option<u32> {
            self.0.get(address as usize / 4).copied()
        }

        fn write(&mut self, address: u32, words: &[u32]) -> bool {
            let at = address as usize / 4;
            match self.0.get_mut(at..at + words.len()) {
                Some(target) => {
                    target.copy_from_slice(words);
                    true
                }
                None => false,
            }
        }
    }

    fn list(words: &[u32]) -> Flat {
        let mut ram = vec![0; 0x400];
        ram[..words.len()].copy_from_slice(words);
        Flat(ram)
    }

    #[test]
    fn an_empty_port_answers_with_ones() {
        let mut ram = list(&[0x8000_0000, 0x400, 0x0000_2001]);
        let done = Maple::default().run(&mut ram, 0);
        assert_eq!(
            done,
            Done {
                frames: 1,
                ..Done::default()
            }
        );
        assert_eq!(ram.0[0x100], u32::MAX);
    }

    #[test]
    fn a_controller_answers_a_device_request() {
        let mut maple = Maple::default();
        maple.ports[1].units[0] = Some(Box::new(Controller::default()));
        // Port B: recipient 60, sender 40, command 1, no words.
        let mut ram = list(&[0x8001_0000, 0x400, 0x0040_6001]);
        maple.run(&mut ram, 0);
        assert_eq!(ram.0[0x100], 0x1C60_4005); // 28 words, from 60 to 40, device status
        assert_eq!(ram.0[0x101..0x103], [0x0100_0000, 0xFE06_0F00]);
    }

    #[test]
    fn broken_lists_end_with_an_error() {
        let mut maple = Maple::default();
        let outside = maple.run(&mut list(&[0x8000_00FF, 0x400]), 0xFC0);
        assert!(outside.illegal_address || outside.frames <= MAX_FRAMES as u32);
        assert!(maple.run(&mut list(&[0x0000_0500]), 0).illegal_command);
        assert!(maple.run(&mut list(&[]), 0x4000).illegal_address);
    }

    #[test]
    fn a_transfer_takes_as_long_as_its_bytes() {
        let (ram, maple) = (list(&[0x8000_0000, 0x400, 0x0000_2001]), Maple::default());
        // 4 bytes out, and the time-out of 1 ms.
        let cycles = maple.length(&ram, 0, 50_000, MapleTime::Bytes, 199_500_000);
        assert_eq!(cycles, 200 + 4 * 798 + 200_000);
        assert_eq!(
            maple.length(&ram, 0, 50_000, MapleTime::Millisecond, 199_500_000),
            199_500
        );
    }
}
