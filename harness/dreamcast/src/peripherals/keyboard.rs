//! The keyboard.

use super::{Identity, Peripheral, Reply, code, command};

const FUNCTION: u32 = 0x4000_0000;

/// A key: a USB usage number, or a modifier's bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A modifier, as a bit.
    Modifier(u8),
    /// Any other key.
    Usage(u8),
}

/// Modifiers, from bit 0.
const MODIFIERS: [&str; 8] = ["ctrl", "shift", "alt", "s1", "rctrl", "rshift", "ralt", "s2"];
/// Keys from usage 28 hex on.
const FROM_ENTER: [&str; 18] = [
    "enter",
    "escape",
    "backspace",
    "tab",
    "space",
    "-",
    "=",
    "[",
    "]",
    "\\",
    "hash",
    ";",
    "'",
    "`",
    ",",
    ".",
    "/",
    "capslock",
];
/// Keys from usage 46 hex on.
const FROM_PRINT: [&str; 30] = [
    "print",
    "scrolllock",
    "pause",
    "insert",
    "home",
    "pageup",
    "delete",
    "end",
    "pagedown",
    "right",
    "left",
    "down",
    "up",
    "numlock",
    "pad/",
    "pad*",
    "pad-",
    "padplus",
    "padenter",
    "pad1",
    "pad2",
    "pad3",
    "pad4",
    "pad5",
    "pad6",
    "pad7",
    "pad8",
    "pad9",
    "pad0",
    "pad.",
];
/// Characters typed with shift in the US layout, and their keys.
const SHIFTED: [(char, char); 21] = [
    ('!', '1'),
    ('@', '2'),
    ('#', '3'),
    ('$', '4'),
    ('%', '5'),
    ('^', '6'),
    ('&', '7'),
    ('*', '8'),
    ('(', '9'),
    (')', '0'),
    ('_', '-'),
    ('+', '='),
    ('{', '['),
    ('}', ']'),
    ('|', '\\'),
    (':', ';'),
    ('"', '\''),
    ('~', '`'),
    ('<', ','),
    ('>', '.'),
    ('?', '/'),
];

impl Key {
    /// Left shift.
    pub const SHIFT: Key = Key::Modifier(2);

    /// Returns the key with that name: a letter, a digit, a sign of the US layout, or a word such as `enter`.
    #[must_use]
    pub fn named(name: &str) -> Option<Key> {
        let name = name.to_ascii_lowercase();
        if let Some(bit) = MODIFIERS.iter().position(|known| *known == name) {
            return Some(Key::Modifier(1 << bit));
        }
        Self::usages()
            .find(|(_, known)| *known == name)
            .map(|(usage, _)| Key::Usage(usage))
    }

    /// Returns the name that [`Key::named`] accepts.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Key::Modifier(bit) => MODIFIERS[bit.trailing_zeros() as usize % 8].to_owned(),
            Key::Usage(usage) => {
                let mut usages = Self::usages();
                let found = usages.find(|(known, _)| *known == usage);
                found.map_or_else(String::new, |(_, name)| name)
            }
        }
    }

    /// Returns the key of a character of the US layout, and true if shift is needed.
    #[must_use]
    pub fn of(character: char) -> Option<(Key, bool)> {
        let (plain, shift) = match SHIFTED.iter().find(|(shifted, _)| *shifted == character) {
            Some((_, plain)) => (*plain, true),
            None => (character.to_ascii_lowercase(), character.is_ascii_uppercase()),
        };
        let key = match plain {
            ' ' => Key::named("space"),
            '\n' => Key::named("enter"),
            '\t' => Key::named("tab"),
            '!'..='~' => Key::named(plain.encode_utf8(&mut [0; 4])),
            _ => None,
        };
        Some((key?, shift))
    }

    /// Returns usage numbers (USB HID usage tables, keyboard page) and names.
    fn usages() -> impl Iterator<Item = (u8, String)> {
        let letters = (4..).zip(('a'..='z').chain('1'..='9').chain(['0']).map(String::from));
        let functions = (0x3A..).zip((1..=12).map(|n| format!("f{n}")));
        let words = (0x28..).zip(FROM_ENTER).chain((0x46..).zip(FROM_PRINT));
        let words = words.map(|(usage, name)| (usage, name.to_owned()));
        letters.chain(functions).chain(words)
    }
}

/// The pressed keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Modifiers: left control, shift, alt and S1 from bit 0; right control, shift, alt and S2 from bit 4.
    pub modifiers: u8,
    /// Up to six keys, as USB usage numbers; 0 for none.
    pub keys: [u8; 6],
}

state::fields!(Keys { modifiers, keys });

impl Keys {
    /// Presses a key. At most six keys can be pressed; more have no effect.
    pub fn press(&mut self, key: Key) {
        match key {
            Key::Modifier(bit) => self.modifiers |= bit,
            Key::Usage(usage) if self.keys.contains(&usage) => {}
            Key::Usage(usage) => {
                if let Some(free) = self.keys.iter_mut().find(|key| **key == 0) {
                    *free = usage;
                }
            }
        }
    }

    /// Releases a key. The keys after it move up.
    pub fn release(&mut self, key: Key) {
        match key {
            Key::Modifier(bit) => self.modifiers &= !bit,
            Key::Usage(usage) => {
                if let Some(at) = self.keys.iter().position(|key| *key == usage) {
                    self.keys.copy_within(at + 1.., at);
                    self.keys[5] = 0;
                }
            }
        }
    }

    /// Returns the pressed keys.
    pub fn down(self) -> impl Iterator<Item = Key> {
        let modifiers = (0..8)
            .map(|bit| 1 << bit)
            .filter(move |bit| self.modifiers & bit != 0);
        let keys = self.keys.into_iter().filter(|key| *key != 0);
        modifiers.map(Key::Modifier).chain(keys.map(Key::Usage))
    }
}

/// A keyboard with the US layout.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keyboard {
    /// Input from the host.
    pub pressed: Keys,
    leds: u8,
}

state::fields!(Keyboard { pressed, leds });

impl Peripheral for Keyboard {
    fn boxed(&self) -> Box<dyn Peripheral> {
        Box::new(*self)
    }

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
                let Keys {
                    modifiers,
                    keys: [a, b, c, d, e, f],
                } = self.pressed;
                let words = [[modifiers, self.leds, a, b], [c, d, e, f]].map(u32::from_le_bytes);
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

    fn as_keyboard(&mut self) -> Option<&mut Keyboard> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_follow_modifiers_and_lights() {
        let mut keyboard = Keyboard::default();
        for key in ["shift", "a", "1"] {
            keyboard.pressed.press(Key::named(key).expect("known"));
        }
        keyboard.respond(command::SET, &[FUNCTION, 1]);
        let reply = keyboard.respond(command::CONDITION, &[FUNCTION]);
        assert_eq!(reply.data, [FUNCTION, 0x1E04_0102, 0]);
    }
    #[test]
    fn every_printable_character_has_a_key_and_every_key_its_name() {
        for character in ' '..='~' {
            assert!(Key::of(character).is_some(), "{character}");
        }
        assert_eq!(Key::of('~'), Some((Key::Usage(0x35), true)));
        assert_eq!(Key::of('\n'), Some((Key::Usage(0x28), false)));
        assert_eq!(Key::of('é'), None);
        for usage in (4..0x64).filter(|usage| *usage != 0x32) {
            assert_eq!(Key::named(&Key::Usage(usage).name()), Some(Key::Usage(usage)));
        }
        assert_eq!(Key::named("up"), Some(Key::Usage(0x52)));
        assert_eq!(Key::named("pad."), Some(Key::Usage(0x63)));
        assert_eq!(Key::named("f12"), Some(Key::Usage(0x45)));
    }

    #[test]
    fn released_keys_leave_no_gap() {
        let mut keys = Keys::default();
        (4..12).for_each(|usage| keys.press(Key::Usage(usage)));
        assert_eq!(keys.keys, [4, 5, 6, 7, 8, 9]);
        keys.release(Key::Usage(5));
        keys.release(Key::Usage(20));
        assert_eq!(keys.keys, [4, 6, 7, 8, 9, 0]);
    }
}
