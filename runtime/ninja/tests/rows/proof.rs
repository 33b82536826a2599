//! Results of a sample: the four cells of its row.

use crate::rows::sample::Sample;
use crate::rows::values;
use ninja::ascii::{self, TextWarningKind, WriteOptions};
use ninja::{Chunk, File, KeyForms, PolyChunk, Settings};

/// Cells of a row in the order of the columns: read, written, ASCII in, ASCII out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cells(pub(crate) [Option<&'static str>; 4]);

/// Words of a text: names and numbers.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

fn settings(sample: &Sample) -> Settings {
    let key_forms = match sample.has_older_keys {
        true => KeyForms::Older,
        false => KeyForms::default(),
    };
    Settings {
        key_forms,
        ..Settings::default()
    }
}

impl Sample {
    /// # Errors
    /// Fails if the sample gives another value or other bytes.
    pub(crate) fn cells(&self) -> Result<Cells, String> {
        let mut cells = Cells::default();
        if !self.bytes.is_empty() {
            let file = ninja::read_with(&self.bytes, &settings(self)).map_err(|error| error.to_string())?;
            let found = values::lines(&file);
            if found != self.values {
                return Err(format!("read {found:#?}\n  expected {:#?}", self.values));
            }
            cells.0[0] = Some(form(&file));
            cells.0[1] = Some(self.written(&file)?);
            cells.0[3] = Some(self.text_written(&file));
        }
        cells.0[2] = self.text_read()?;
        Ok(cells)
    }

    /// Checks that writing gives the sample's bytes, also in the writer's canonical order.
    fn written(&self, file: &File) -> Result<&'static str, String> {
        let bytes = file.write().map_err(|error| error.to_string())?;
        if bytes != self.bytes {
            return Err(format!("written as {bytes:02x?}, expected {:02x?}", self.bytes));
        }
        if !self.is_moved {
            let mut anew = file.clone();
            anew.forget_layout();
            let bytes = anew.write().map_err(|error| error.to_string())?;
            if bytes != self.bytes {
                return Err(format!(
                    "laid out anew as {bytes:02x?}, expected {:02x?}",
                    self.bytes
                ));
            }
        }
        Ok(form(file))
    }

    /// Checks that the text compiles to the sample's bytes.
    fn text_read(&self) -> Result<Option<&'static str>, String> {
        let Some(text) = &self.text else { return Ok(None) };
        let read = ascii::read(text.as_bytes());
        if let Some(part) = &self.refused {
            return match read {
                Err(error) if error.to_string().contains(part) => Ok(Some("error")),
                other => Err(format!("{other:?}, expected an error with {part}")),
            };
        }
        let read = read.map_err(|error| format!("{error}\n{text}"))?;
        let unused = |kind: &TextWarningKind| matches!(kind, TextWarningKind::Unused(_));
        let others = read.warnings.iter().filter(|warning| !unused(&warning.kind));
        let others: Vec<String> = others.map(ToString::to_string).collect();
        if !others.is_empty() && !self.has_unused {
            return Err(format!("{others:?}\n{text}"));
        }
        let bytes = read.file.write().map_err(|error| error.to_string())?;
        if !self.bytes.is_empty() && bytes != self.bytes {
            return Err(format!(
                "the text makes {bytes:02x?}, expected {:02x?}",
                self.bytes
            ));
        }
        Ok(Some(if self.has_unused { "read over" } else { "yes" }))
    }

    /// Returns the written text if it contains every macro of the sample's text and compiles to the same
    /// bytes.
    pub(crate) fn output(&self) -> Option<String> {
        let file = ninja::read_with(&self.bytes, &settings(self)).ok()?;
        ascii::write(&file, &WriteOptions::default()).ok()
    }

    fn text_written(&self, file: &File) -> &'static str {
        let is_plain = form(file) == "yes";
        let Some(text) = self.output() else { return "error" };
        let Ok(mut read) = ascii::read(text.as_bytes()) else {
            return "no";
        };
        // The writer chooses the order of structures in the file.
        read.file.forget_layout();
        let mut anew = file.clone();
        anew.renumber();
        anew.forget_layout();
        read.file.renumber();
        match read.file.write().ok() == anew.write().ok() {
            true if is_plain => "yes",
            true => form(file),
            false => "no",
        }
    }
}

/// Source of a file's content.
fn form(file: &File) -> &'static str {
    let reserved = |chunk: &PolyChunk| matches!(chunk, PolyChunk::Reserved(_));
    let mut form = "yes";
    for chunk in &file.chunks {
        match chunk {
            Chunk::Raw(_) => form = "as bytes",
            Chunk::Model(tree) if tree.plists.iter().flat_map(|list| &list.chunks).any(reserved) => {
                form = "as words";
            }
            Chunk::CellStream(stream) if stream.chunks.iter().any(is_reserved) => form = "as words",
            _ => {}
        }
    }
    form
}

fn is_reserved(chunk: &ninja::CellChunk) -> bool {
    matches!(chunk, ninja::CellChunk::Reserved { .. })
}
