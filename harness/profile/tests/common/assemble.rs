//! Assembles an instruction by searching for its text in the output of the disassembler.

use sh4::{Mode, Op, decode, disassemble};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Returns opcode and decoded operation of `text` at address 0.
pub(crate) fn assemble(text: &str) -> (u16, Op) {
    static ALL: OnceLock<HashMap<String, (u16, Op)>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let every = Mode::ALL
            .iter()
            .flat_map(|mode| (0..=u16::MAX).map(move |opcode| (opcode, *mode)));
        let defined = every.filter_map(|(opcode, mode)| Some((opcode, mode, decode(opcode, 0, mode)?)));
        defined
            .map(|(opcode, mode, op)| (disassemble(opcode, 0, mode), (opcode, op)))
            .collect()
    });
    *all.get(text).unwrap_or_else(|| panic!("no instruction {text}"))
}
