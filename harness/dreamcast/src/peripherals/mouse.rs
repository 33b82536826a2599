//! The mouse.

use super::{Identity, Peripheral, Reply, code, command};

const FUNCTION: u32 = 0x0002_0000;
/// The value of an axis that has not moved.
const CENTRE: i32 = 0x200;

/// Buttons of a mouse, as bits; 1 if pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MouseButtons(pub u8);

state::fields!(MouseButtons(bits));

impl MouseButtons {
    /// Names in input files, and bits.
    const NAMES: [(&str, u8); 3] = [("left", 4), ("right", 2), ("side", 8)];

    /// Returns the button with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut names = Self::NAMES.iter();
        let found = names.find(|(known, _)| name.eq_ignore_ascii_case(known));
        found.map(|(_, bit)| Self(*bit))
    }

    /// Returns the names of the buttons, joined by +.
    #[must_use]
    pub fn names(self) -> String {
        let names = Self::NAMES.iter().filter(|(_, bit)| self.0 & bit != 0);
        names.map(|(name, _)| *name).collect::<Vec<_>>().join("+")
    }
}

/// The mouse, and its movement since the last poll.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mouse {
    /// Pressed buttons.
    pub buttons: MouseButtons,
    /// Movement to the right, downwards, and of the wheel.
    pub moved: [i32; 3],
}

state::fields!(Mouse { buttons, moved });

impl Peripheral for Mouse {
    fn boxed(&self) -> Box<dyn Peripheral> {
        Box::new(*self)
    }

    fn identity(&self) -> Identity {
        Identity {
            functions: FUNCTION,
            function_data: [0x0007_0E00, 0, 0],
            region: 0xFF,
            name: "Dreamcast Mouse",
            currents: [0x190, 0x1F4],
        }
    }

    /// The condition consists of six words: function, buttons (0 if pressed), and eight axes of 16 bits.
    /// Reading clears the movement.
    fn command(&mut self, command: u8, data: &[u32]) -> Reply {
        match (command, data) {
            (command::CONDITION, [FUNCTION, ..]) => {
                let [x, y, z] = self
                    .moved
                    .map(|moved| (CENTRE + moved.clamp(-CENTRE, CENTRE - 1)) as u32);
                self.moved = [0; 3];
                let still = CENTRE as u32 | (CENTRE as u32) << 16;
                let buttons = 0xFFFF_FF00 | u32::from(!self.buttons.0);
                Reply::data(
                    FUNCTION,
                    &[buttons, x | y << 16, z | (CENTRE as u32) << 16, still, still],
                )
            }
            (command::CONDITION, _) => Reply::empty(code::FUNCTION),
            _ => Reply::empty(code::COMMAND),
        }
    }

    fn as_mouse(&mut self) -> Option<&mut Mouse> {
        Some(self)
    }

    fn reply_bytes(&self, command: u8) -> u32 {
        match command {
            command::DEVICE => 116,
            command::CONDITION => 28,
            _ => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn movement_is_cleared_by_reading() {
        let mut mouse = Mouse {
            buttons: MouseButtons(4),
            moved: [5, -3, 1000],
        };
        let reply = mouse.respond(command::CONDITION, &[FUNCTION]);
        assert_eq!(reply.data.len(), 6);
        assert_eq!(reply.data[1..4], [0xFFFF_FFFB, 0x01FD_0205, 0x0200_03FF]);
        let reply = mouse.respond(command::CONDITION, &[FUNCTION]);
        assert_eq!(reply.data[2], 0x0200_0200);
    }
}
