//! The light gun: a controller with a trigger (A), B, Start and a directional pad.
//!
//! The aim of the gun is not modelled: SPG_TRIGGER_POS keeps its value, as for a gun aimed past the screen.

use super::{Identity, Pad, Peripheral, Reply, code, command};

const FUNCTION: u32 = 0x0100_0000;
const GUN: u32 = 0x8000_0000;
/// Bits of the condition that belong to no button.
const NO_BUTTON: u32 = 0xFF01;

/// The light gun.
#[derive(Clone, Copy, Debug, Default)]
pub struct LightGun {
    /// Input from the host.
    pub pad: Pad,
}

state::fields!(LightGun { pad });

impl Peripheral for LightGun {
    fn boxed(&self) -> Box<dyn Peripheral> {
        Box::new(*self)
    }

    /// Source of the function data, name and currents: flycast (`maple_devs.cpp`).
    fn identity(&self) -> Identity {
        Identity {
            functions: GUN | FUNCTION,
            function_data: [0, 0xFE00_0000, 0],
            region: 0x01,
            name: "Dreamcast Gun",
            currents: [0x69, 0x120],
        }
    }

    fn command(&mut self, command: u8, data: &[u32]) -> Reply {
        match (command, data) {
            (command::CONDITION, [FUNCTION, ..]) => {
                let buttons = u32::from(!self.pad.buttons.0) | NO_BUTTON;
                Reply::data(FUNCTION, &[buttons, 0x8080_8080])
            }
            (command::CONDITION, _) => Reply::empty(code::FUNCTION),
            _ => Reply::empty(code::COMMAND),
        }
    }

    fn as_pad(&mut self) -> Option<&mut Pad> {
        Some(&mut self.pad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peripherals::Buttons;

    #[test]
    fn the_trigger_is_button_a() {
        let mut gun = LightGun::default();
        assert_eq!(gun.identity().functions, 0x8100_0000);
        gun.pad.buttons = Buttons(0x0404);
        let reply = gun.respond(command::CONDITION, &[FUNCTION]);
        // X is bit 10: the gun has no such button.
        assert_eq!(reply.data, [FUNCTION, 0xFFFB, 0x8080_8080]);
        assert_eq!(gun.respond(command::CONDITION, &[GUN]).code, code::FUNCTION);
    }
}
