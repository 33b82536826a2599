//! The rumble pack: stores the program's settings of its motor, and returns them.

use super::{Identity, Peripheral, Reply, code, command};

const FUNCTION: u32 = 0x0001_0000;
/// One motor, 4 to 30 Hz, seven steps of power (flycast, `maple_devs.cpp`).
const SETTINGS: u32 = 0x3B07_E010;
/// Bits 7 to 4 of the effect select the motor; motor 0 does not exist.
const MOTOR: u32 = 0xF0;

/// The rumble pack.
#[derive(Clone, Copy, Debug)]
pub struct RumblePack {
    effect: u32,
    /// Time until the motor stops by itself, in quarters of a second, minus one.
    stop: u32,
}

state::fields!(RumblePack { effect, stop });

impl Default for RumblePack {
    fn default() -> Self {
        Self { effect: 0, stop: 19 }
    }
}

impl RumblePack {
    /// Returns the last effect that the program requested.
    #[must_use]
    pub fn effect(&self) -> u32 {
        self.effect
    }
}

impl Peripheral for RumblePack {
    fn boxed(&self) -> Box<dyn Peripheral> {
        Box::new(*self)
    }

    fn identity(&self) -> Identity {
        Identity {
            functions: FUNCTION,
            function_data: [0x0000_0101, 0, 0],
            region: 0xFF,
            name: "Puru Puru Pack",
            currents: [0xC8, 0x640],
        }
    }

    fn command(&mut self, command: u8, data: &[u32]) -> Reply {
        match (command, data) {
            (command::CONDITION, [FUNCTION, ..]) => Reply::data(FUNCTION, &[self.effect]),
            (command::MEDIA, [FUNCTION, ..]) => Reply::data(FUNCTION, &[SETTINGS]),
            (command::READ, [FUNCTION, ..]) => Reply::data(FUNCTION, &[0, 2 | self.stop << 16]),
            (command::WRITE, [FUNCTION, _, stop, ..]) => {
                self.stop = stop >> 16 & 0xFF;
                Reply::empty(code::ACKNOWLEDGE)
            }
            (command::SET, [FUNCTION, effect, ..]) if *effect == 0 || effect & MOTOR != 0 => {
                self.effect = *effect;
                Reply::empty(code::ACKNOWLEDGE)
            }
            (command::CONDITION | command::MEDIA | command::READ | command::WRITE | command::SET, _) => {
                Reply::empty(code::FUNCTION)
            }
            _ => Reply::empty(code::COMMAND),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_kept_and_motor_0_does_not_exist() {
        let mut pack = RumblePack::default();
        let effect = 0x0734_7010;
        assert_eq!(
            pack.respond(command::SET, &[FUNCTION, effect]).code,
            code::ACKNOWLEDGE
        );
        assert_eq!(
            pack.respond(command::CONDITION, &[FUNCTION]).data,
            [FUNCTION, effect]
        );
        assert_eq!(
            pack.respond(command::SET, &[FUNCTION, 0x0734_7000]).code,
            code::FUNCTION
        );
        assert_eq!(pack.effect(), effect);
        assert_eq!(
            pack.respond(command::MEDIA, &[FUNCTION]).data,
            [FUNCTION, SETTINGS]
        );
        assert_eq!(
            pack.respond(command::READ, &[FUNCTION, 0]).data,
            [FUNCTION, 0, 0x0013_0002]
        );
    }
}
