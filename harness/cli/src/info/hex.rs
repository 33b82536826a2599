//! Lists all bytes of a file with their meaning.

use crate::console;
use anyhow::Result;
use ninja::Note;
use std::io::{self, Write};

const PER_LINE: usize = 16;

/// Prints lines of the form `offset: bytes ; meaning`.
pub(super) fn print(bytes: &[u8]) -> Result<()> {
    let notes = ninja::annotate(bytes, &ninja::Settings::default())?;
    console::write_long(|out| print_notes(bytes, &notes, out));
    Ok(())
}

fn print_notes(bytes: &[u8], notes: &[Note], out: &mut dyn Write) -> io::Result<()> {
    for note in notes {
        let data = bytes.get(note.offset..note.offset + note.len).unwrap_or_default();
        let mut meaning = note.meaning.as_str();
        for (row, line) in data.chunks(PER_LINE).enumerate() {
            let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02X}")).collect();
            let offset = note.offset + row * PER_LINE;
            writeln!(out, "{offset:06X}: {:<47} ; {meaning}", hex.join(" "))?;
            meaning = "";
        }
    }
    Ok(())
}
