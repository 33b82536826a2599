//! Maps the host's keys to the console's keyboard.

use dreamcast::peripherals::{Key as ConsoleKey, Keys};
use minifb::Key;

/// Keys of the host, with their names in input files.
const KEYS: &[(Key, &str)] = &[
    (Key::A, "a"),
    (Key::B, "b"),
    (Key::C, "c"),
    (Key::D, "d"),
    (Key::E, "e"),
    (Key::F, "f"),
    (Key::G, "g"),
    (Key::H, "h"),
    (Key::I, "i"),
    (Key::J, "j"),
    (Key::K, "k"),
    (Key::L, "l"),
    (Key::M, "m"),
    (Key::N, "n"),
    (Key::O, "o"),
    (Key::P, "p"),
    (Key::Q, "q"),
    (Key::R, "r"),
    (Key::S, "s"),
    (Key::T, "t"),
    (Key::U, "u"),
    (Key::V, "v"),
    (Key::W, "w"),
    (Key::X, "x"),
    (Key::Y, "y"),
    (Key::Z, "z"),
    (Key::Key0, "0"),
    (Key::Key1, "1"),
    (Key::Key2, "2"),
    (Key::Key3, "3"),
    (Key::Key4, "4"),
    (Key::Key5, "5"),
    (Key::Key6, "6"),
    (Key::Key7, "7"),
    (Key::Key8, "8"),
    (Key::Key9, "9"),
    (Key::F1, "f1"),
    (Key::F2, "f2"),
    (Key::F3, "f3"),
    (Key::F4, "f4"),
    (Key::F5, "f5"),
    (Key::F6, "f6"),
    (Key::F7, "f7"),
    (Key::F8, "f8"),
    (Key::F9, "f9"),
    (Key::F10, "f10"),
    (Key::F11, "f11"),
    (Key::Enter, "enter"),
    (Key::Escape, "escape"),
    (Key::Backspace, "backspace"),
    (Key::Tab, "tab"),
    (Key::Space, "space"),
    (Key::Minus, "-"),
    (Key::Equal, "="),
    (Key::LeftBracket, "["),
    (Key::RightBracket, "]"),
    (Key::Backslash, "\\"),
    (Key::Semicolon, ";"),
    (Key::Apostrophe, "'"),
    (Key::Backquote, "`"),
    (Key::Comma, ","),
    (Key::Period, "."),
    (Key::Slash, "/"),
    (Key::CapsLock, "capslock"),
    (Key::ScrollLock, "scrolllock"),
    (Key::Pause, "pause"),
    (Key::Insert, "insert"),
    (Key::Home, "home"),
    (Key::PageUp, "pageup"),
    (Key::Delete, "delete"),
    (Key::End, "end"),
    (Key::PageDown, "pagedown"),
    (Key::Right, "right"),
    (Key::Left, "left"),
    (Key::Down, "down"),
    (Key::Up, "up"),
    (Key::NumLock, "numlock"),
    (Key::NumPadSlash, "pad/"),
    (Key::NumPadAsterisk, "pad*"),
    (Key::NumPadMinus, "pad-"),
    (Key::NumPadPlus, "padplus"),
    (Key::NumPadEnter, "padenter"),
    (Key::NumPad1, "pad1"),
    (Key::NumPad2, "pad2"),
    (Key::NumPad3, "pad3"),
    (Key::NumPad4, "pad4"),
    (Key::NumPad5, "pad5"),
    (Key::NumPad6, "pad6"),
    (Key::NumPad7, "pad7"),
    (Key::NumPad8, "pad8"),
    (Key::NumPad9, "pad9"),
    (Key::NumPad0, "pad0"),
    (Key::NumPadDot, "pad."),
    (Key::LeftShift, "shift"),
    (Key::RightShift, "rshift"),
    (Key::LeftCtrl, "ctrl"),
    (Key::RightCtrl, "rctrl"),
    (Key::LeftAlt, "alt"),
    (Key::RightAlt, "ralt"),
    (Key::LeftSuper, "s1"),
    (Key::RightSuper, "s2"),
    (Key::Menu, "s2"),
    (Key::F13, "print"),
];

/// Returns the console's keys for pressed keys of the host.
pub(super) fn keys(down: &[Key]) -> Keys {
    let mut keys = Keys::default();
    for (_, name) in KEYS.iter().filter(|(key, _)| down.contains(key)) {
        if let Some(key) = ConsoleKey::named(name) {
            keys.press(key);
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_host_is_one_of_the_console() {
        for &(key, name) in KEYS {
            assert!(ConsoleKey::named(name).is_some(), "{name}");
            assert_ne!(keys(&[key]), Keys::default(), "{name}");
        }
        let both = keys(&[Key::LeftShift, Key::A]);
        assert_eq!((both.modifiers, both.keys[0]), (2, 4));
    }
}
