//! Disassembly.

use yaxpeax_arch::{Decoder, U8Reader};
use yaxpeax_arm::armv7::InstDecoder;

use arm7::armv3;

/// The text of `opcode`. If the chip would not run it, a semicolon and the reason follow.
pub fn disassemble(opcode: u32) -> String {
    let bytes = opcode.to_le_bytes();
    let text = match InstDecoder::armv7().decode(&mut U8Reader::new(&bytes)) {
        Ok(instruction) => instruction.to_string(),
        Err(_) => format!(".word 0x{opcode:08x}"),
    };
    match armv3::check(opcode) {
        None => text,
        Some(refusal) => format!("{text}  ; {refusal}"),
    }
}
