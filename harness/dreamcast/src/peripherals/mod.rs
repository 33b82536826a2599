//! Peripherals on the Maple ports.

mod controller;
mod keyboard;
mod light_gun;
mod mouse;
mod rumble_pack;
mod vmu;

pub use controller::{Buttons, Controller, Pad};
pub use keyboard::{Key, Keyboard, Keys};
pub use light_gun::LightGun;
pub use mouse::{Mouse, MouseButtons};
pub use rumble_pack::RumblePack;
pub use vmu::{BYTES as VMU_BYTES, Vmu};

/// Maple reply codes.
pub mod code {
    /// Device status.
    pub const STATUS: u8 = 5;
    /// All status.
    pub const ALL_STATUS: u8 = 6;
    /// Acknowledge.
    pub const ACKNOWLEDGE: u8 = 7;
    /// Data transfer.
    pub const DATA: u8 = 8;
    /// Function not supported.
    pub const FUNCTION: u8 = 0xFE;
    /// Unknown command.
    pub const COMMAND: u8 = 0xFD;
    /// File error: block out of range, bad phase.
    pub const FILE: u8 = 0xFB;
}

/// Maple commands.
pub mod command {
    /// Device request.
    pub const DEVICE: u8 = 1;
    /// All-status request.
    pub const ALL_STATUS: u8 = 2;
    /// Reset.
    pub const RESET: u8 = 3;
    /// Shut down.
    pub const SHUTDOWN: u8 = 4;
    /// Get condition.
    pub const CONDITION: u8 = 9;
    /// Get media information.
    pub const MEDIA: u8 = 10;
    /// Block read.
    pub const READ: u8 = 11;
    /// Block write.
    pub const WRITE: u8 = 12;
    /// Get last error, which ends a block write.
    pub const SYNC: u8 = 13;
    /// Set condition.
    pub const SET: u8 = 14;
}

/// A reply: its code, and the words after the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Reply code; see [`code`].
    pub code: u8,
    /// At most 255 words.
    pub data: Vec<u32>,
}

impl Reply {
    /// Creates a reply without data.
    #[must_use]
    pub fn empty(code: u8) -> Self {
        Self {
            code,
            data: Vec::new(),
        }
    }

    /// Creates a reply with data of a function.
    #[must_use]
    pub fn data(function: u32, words: &[u32]) -> Self {
        let data = std::iter::once(function).chain(words.iter().copied()).collect();
        Self {
            code: code::DATA,
            data,
        }
    }
}

/// Description that a unit reports.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// Function bits.
    pub functions: u32,
    /// Function data, from the highest function bit down.
    pub function_data: [u32; 3],
    /// Region: FF for all.
    pub region: u8,
    /// Name, at most 30 characters.
    pub name: &'static str,
    /// Standby current and maximum current, in 0.1 mA.
    pub currents: [u16; 2],
}

impl Identity {
    /// Returns the 28 words of a device status.
    #[must_use]
    pub fn words(&self) -> Vec<u32> {
        let mut bytes = Vec::with_capacity(112);
        let words = std::iter::once(self.functions).chain(self.function_data);
        bytes.extend(words.flat_map(u32::to_le_bytes));
        bytes.extend([self.region, 0]);
        bytes.extend(padded(self.name, 30));
        bytes.extend(padded(
            "Produced By or Under License From SEGA ENTERPRISES,LTD.",
            60,
        ));
        bytes.extend(self.currents.into_iter().flat_map(u16::to_le_bytes));
        bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|chunk| u32::from_le_bytes(*chunk))
            .collect()
    }
}

fn padded(text: &str, length: usize) -> impl Iterator<Item = u8> {
    text.bytes().chain(std::iter::repeat(b' ')).take(length)
}

/// A unit on the Maple bus.
pub trait Peripheral: Send + state::State {
    /// Returns the unit's description.
    fn identity(&self) -> Identity;

    /// Returns a copy of the unit.
    fn boxed(&self) -> Box<dyn Peripheral>;

    /// Answers a command that is not common to all units. `data` are the words after the header.
    fn command(&mut self, command: u8, data: &[u32]) -> Reply;

    /// Returns the unit's name.
    fn name(&self) -> &'static str {
        self.identity().name
    }

    /// Answers any command.
    fn respond(&mut self, command: u8, data: &[u32]) -> Reply {
        match command {
            command::DEVICE => Reply {
                code: code::STATUS,
                data: self.identity().words(),
            },
            command::ALL_STATUS => {
                let mut data = self.identity().words();
                data.extend([0x2020_2020; 20]);
                Reply {
                    code: code::ALL_STATUS,
                    data,
                }
            }
            command::RESET | command::SHUTDOWN => Reply::empty(code::ACKNOWLEDGE),
            _ => self.command(command, data),
        }
    }

    /// Returns the bytes of the usual reply to `command`, including the header; used for the time of a
    /// transfer.
    fn reply_bytes(&self, command: u8) -> u32 {
        match command {
            command::DEVICE => 116,
            command::ALL_STATUS => 196,
            command::CONDITION => 16,
            command::READ => 524,
            command::MEDIA => 32,
            _ => 4,
        }
    }

    /// Returns the unit as a visual memory, if it is one.
    fn as_vmu(&self) -> Option<&Vmu> {
        None
    }

    /// Returns the user's input, if the unit has buttons and a stick.
    fn as_pad(&mut self) -> Option<&mut Pad> {
        None
    }

    /// Returns the unit as a keyboard, if it is one.
    fn as_keyboard(&mut self) -> Option<&mut Keyboard> {
        None
    }

    /// Returns the unit as a mouse, if it is one.
    fn as_mouse(&mut self) -> Option<&mut Mouse> {
        None
    }
}

impl crate::Dreamcast {
    /// Returns the main unit in port `port`.
    pub(crate) fn main_unit(&mut self, port: usize) -> Option<&mut Box<dyn Peripheral>> {
        self.system.maple.ports.get_mut(port)?.units[0].as_mut()
    }

    /// Sets the state of the controller or light gun in port `port`; returns false if there is no such unit.
    pub fn set_pad(&mut self, port: usize, pad: Pad) -> bool {
        let unit = self.main_unit(port).and_then(|unit| unit.as_pad());
        unit.map(|place| *place = pad).is_some()
    }

    /// Sets the pressed keys of the keyboard in port `port`; returns false if there is no keyboard.
    pub fn set_keys(&mut self, port: usize, keys: Keys) -> bool {
        let unit = self.main_unit(port).and_then(|unit| unit.as_keyboard());
        unit.map(|keyboard| keyboard.pressed = keys).is_some()
    }

    /// Moves the mouse in port `port`, and sets its buttons; returns false if there is no mouse.
    pub fn move_mouse(&mut self, port: usize, moved: [i32; 3], buttons: MouseButtons) -> bool {
        let unit = self.main_unit(port).and_then(|unit| unit.as_mouse());
        let Some(mouse) = unit else {
            return false;
        };
        mouse.buttons = buttons;
        for (sum, moved) in mouse.moved.iter_mut().zip(moved) {
            *sum = sum.saturating_add(moved);
        }
        true
    }
}
