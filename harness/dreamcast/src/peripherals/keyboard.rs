//! The keyboard.

use super::{Identity, Peripheral, Reply, code, command};

const FUNCTION: u32 = 0x4000_0000;

/// A keyboard with the US layout.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keyboard {
    /// Modifiers: left control, shift, alt, S1 from bit 0; right control, shift, alt, S2 from bit 4.
    pub modifiers: u8,
    /// Up to six keys that are down, as USB usage numbers; 0 for none.
    pub keys: [u8; 6],
    leds: u8,
}

impl Peripheral for Keyboard {
    fn identity(&self) -> Identity {
        Identity {
            functions: FUNCTION,
            // The low byte is the layout: 2 is US.
            function_data: [0x8000_0502, 0, 0],
            region: 0x01,
            name: "Keyboard",
            currents: [0x12C, 0x190],
        }
    }

    fn command(&mut self, command: u8, data: &[u32]) -> Reply {
        match (command, data) {
            (command::CONDITION, [FUNCTION, ..]) => {
                let [a, b, c, d, e, f] = self.keys;
                let words = [[self.modifiers, self.leds, a, b], [c, d, e, f]].map(u32::from_le_bytes);
                Reply::data(FUNCTION, &words)
            }
            (command::SET, [FUNCTION, leds, ..]) => {
                self.leds = *leds as u8;
                Reply::empty(code::ACKNOWLEDGE)
            }
            (command::CONDITION | command::SET, _) => Reply::empty(code::FUNCTION),
            _ => Reply::empty(code::COMMAND),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_follow_modifiers_and_lights() {
        let mut keyboard = Keyboard {
            modifiers: 2,
            keys: [4, 0x1E, 0, 0, 0, 0],
            ..Keyboard::default()
        };
        keyboard.respond(command::SET, &[FUNCTION, 1]);
        let reply = keyboard.respond(command::CONDITION, &[FUNCTION]);
        assert_eq!(reply.data, [FUNCTION, 0x1E04_0102, 0]);
    }
}
