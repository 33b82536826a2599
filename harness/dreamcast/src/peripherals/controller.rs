//! The standard controller.

use super::{Identity, Peripheral, Reply, code, command};

/// Function bit of controllers.
const FUNCTION: u32 = 0x0100_0000;

/// Buttons of a controller, as bits; 1 if pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buttons(pub u16);

state::fields!(Buttons(bits));

impl Buttons {
    /// Names in input files, in the order of the bits.
    pub const NAMES: [&str; 16] = [
        "c", "b", "a", "start", "up", "down", "left", "right", "z", "y", "x", "d", "up2", "down2", "left2",
        "right2",
    ];

    /// Returns the button with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Buttons> {
        let bit = Self::NAMES
            .iter()
            .position(|known| name.eq_ignore_ascii_case(known))?;
        Some(Buttons(1 << bit))
    }

    /// Returns the names of the buttons, joined by +.
    #[must_use]
    pub fn names(self) -> String {
        let names = Self::NAMES
            .iter()
            .enumerate()
            .filter(|(bit, _)| self.0 >> bit & 1 != 0);
        names.map(|(_, name)| *name).collect::<Vec<_>>().join("+")
    }
}

/// Input of the user: pressed buttons, triggers and stick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pad {
    /// Pressed buttons.
    pub buttons: Buttons,
    /// Left and right trigger, 0 to 255.
    pub triggers: [u8; 2],
    /// The stick: x from the left, y from the top; 128 is the middle.
    pub stick: [u8; 2],
}

state::fields!(Pad {
    buttons,
    triggers,
    stick
});

impl Default for Pad {
    fn default() -> Self {
        Self {
            buttons: Buttons(0),
            triggers: [0; 2],
            stick: [128; 2],
        }
    }
}

/// The standard controller.
#[derive(Clone, Copy, Debug, Default)]
pub struct Controller {
    /// Input from the host.
    pub pad: Pad,
}

state::fields!(Controller { pad });

impl Peripheral for Controller {
    fn boxed(&self) -> Box<dyn Peripheral> {
        Box::new(*self)
    }

    fn identity(&self) -> Identity {
        Identity {
            functions: FUNCTION,
            function_data: [0xFE06_0F00, 0, 0],
            region: 0xFF,
            name: "Dreamcast Controller",
            currents: [0x1AE, 0x1F4],
        }
    }

    fn command(&mut self, command: u8, data: &[u32]) -> Reply {
        match command {
            command::CONDITION if data.first() == Some(&FUNCTION) => {
                let Pad {
                    buttons,
                    triggers: [left, right],
                    stick: [x, y],
                } = self.pad;
                let first = u32::from(!buttons.0) | u32::from(right) << 16 | u32::from(left) << 24;
                Reply::data(FUNCTION, &[first, u32::from_le_bytes([x, y, 128, 128])])
            }
            command::CONDITION => Reply::empty(code::FUNCTION),
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

    #[test]
    fn buttons_are_0_when_pressed() {
        let mut controller = Controller::default();
        let idle = controller.respond(9, &[FUNCTION]);
        assert_eq!(idle.data, [FUNCTION, 0x0000_FFFF, 0x8080_8080]);
        controller.pad.buttons = Buttons::named("Start").expect("known");
        controller.pad.triggers = [0x10, 0x20];
        controller.pad.stick = [0, 255];
        let held = controller.respond(9, &[FUNCTION]);
        assert_eq!(held.data, [FUNCTION, 0x1020_FFF7, 0x8080_FF00]);
        assert_eq!(controller.respond(9, &[0]).code, code::FUNCTION);
        assert_eq!(controller.respond(77, &[]).code, code::COMMAND);
    }
}
