//! State files that somebody has forged.

use crate::source::Source;
use dreamcast::checks::RuleSet;
use dreamcast::{Config, Dreamcast, Until};
use machine::Image;
use std::sync::OnceLock;
use swirl::untrusted;

/// Bytes of main, video and sound memory, which a state ends with.
const MEMORY: usize = 26 << 20;
/// Cycles that the program runs before it is saved, and after it is loaded.
const CYCLES: u64 = 1_000_000;

fn console(checked: bool) -> Dreamcast {
    let mut checks = RuleSet::default();
    if checked {
        checks.add_named("all");
    }
    let mut console = Dreamcast::new(Config {
        audio: true,
        checks,
        ..Config::default()
    });
    let program = include_bytes!("../../../roms/console/menu.elf");
    let image = Image::parse(program).expect("the program is ours");
    console.load(&image).expect("the program fits");
    console
}

fn run(console: &mut Dreamcast) {
    console.run(Until {
        time: console.now() + CYCLES,
        ..Until::FOREVER
    });
}

/// A state without and with checks.
fn states() -> &'static [Vec<u8>; 2] {
    static STATES: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    STATES.get_or_init(|| {
        [false, true].map(|checked| {
            let mut console = console(checked);
            (0..40).for_each(|_| run(&mut console));
            let mut bytes = Vec::new();
            console.save_state(&mut bytes).expect("memory takes all");
            bytes
        })
    })
}

/// Loads a state with some bytes of the devices replaced, runs it and saves it.
pub(crate) fn state(bytes: &[u8]) {
    let mut from = Source::new(bytes);
    let checked = from.chance(4);
    let mut state = states()[usize::from(checked)].clone();
    let devices = (state.len() - MEMORY) as u32;
    while !from.is_empty() {
        // CPU and tile accelerator, anywhere, or the devices after the sound block.
        let place = match from.below(3) {
            0 => from.below(16 << 10),
            1 => from.below(devices),
            _ => devices - 1 - from.below(devices.min(180 << 10)),
        } as usize;
        let value = match from.below(4) {
            0 => from.word(),
            1 => from.below(256),
            2 => u32::MAX,
            _ => 1 << from.below(32),
        };
        let length = [1, 1, 2, 4, 4, 8][from.below(6) as usize];
        let word = (u64::from(value) << 32 | u64::from(value)).to_le_bytes();
        for (byte, new) in state.iter_mut().skip(place).zip(&word[..length]) {
            *byte = *new;
        }
    }
    if from.chance(16) {
        let length = from.below(state.len() as u32) as usize;
        state.truncate(length);
    }
    let mut console = console(checked);
    if console.load_state(&mut state.as_slice()).is_ok() {
        run(&mut console);
        let mut again = Vec::new();
        console.save_state(&mut again).expect("memory takes all");
    }
}

/// Reads any bytes as a state file.
pub(crate) fn state_file(bytes: &[u8]) {
    untrusted::state_file(crate::first::small_program(), bytes);
}
