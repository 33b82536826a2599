//! Lists all bytes of a file with their meaning.

use anyhow::Result;
use std::fmt::Write as _;

const PER_LINE: usize = 16;

/// Returns lines of the form `offset: bytes ; meaning`.
pub(super) fn text(bytes: &[u8]) -> Result<String> {
    let mut text = String::new();
    for note in ninja::annotate(bytes, &ninja::Settings::default())? {
        let data = bytes.get(note.offset..note.offset + note.len).unwrap_or_default();
        let mut meaning = note.meaning.as_str();
        for (row, line) in data.chunks(PER_LINE).enumerate() {
            let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02X}")).collect();
            let offset = note.offset + row * PER_LINE;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{offset:06X}: {:<47} ; {meaning}", hex.join(" "));
            meaning = "";
        }
    }
    Ok(text)
}
