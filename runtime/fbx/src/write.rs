//! Writer, the mirror of the reader. It computes EndOffsets, counts and paddings.

use crate::ByteOrder;
use crate::bytes::Number;
use crate::error::Error;
use crate::read::{MAGIC, MAGIC_END};
use crate::record::{Document, Record};

impl Document<'_> {
    /// Returns the file's bytes. An unchanged document gives the bytes from which it was read.
    ///
    /// # Errors
    /// Fails on a name of more than 255 bytes, on a record without EndOffset that has children, and on a file
    /// of more than 4 GiB below version 7500.
    pub fn write(&self) -> Result<Vec<u8>, Error> {
        let mut writer = Writer {
            out: Vec::new(),
            order: self.order,
            wide: Document::wide(self.version),
        };
        writer.out.extend_from_slice(MAGIC);
        writer
            .out
            .extend_from_slice(&[MAGIC_END, u8::from(self.order == ByteOrder::Big)]);
        self.version.put(self.order, &mut writer.out);
        for section in &self.sections {
            let list = writer.out.len();
            for record in &section.records {
                writer.record(record)?;
            }
            writer.null_record();
            if let Some(footer) = &section.footer {
                footer.write(list, self.order, &mut writer.out);
            }
        }
        writer.out.extend_from_slice(&self.trailing);
        Ok(writer.out)
    }
}

struct Writer {
    out: Vec<u8>,
    order: ByteOrder,
    wide: bool,
}

impl Writer {
    fn record(&mut self, record: &Record<'_>) -> Result<(), Error> {
        let start = self.out.len();
        let end_unknown = 0;
        self.head_field(end_unknown, record)?;
        self.head_field(record.properties.count(), record)?;
        self.head_field(record.properties.as_bytes().len() as u64, record)?;
        let name = u8::try_from(record.name.len()).map_err(|_| {
            fail(
                record,
                "name",
                format!("{} bytes", record.name.len()),
                "at most 255",
            )
        })?;
        self.out.push(name);
        self.out.extend_from_slice(&record.name);
        self.out.extend_from_slice(record.properties.as_bytes());
        if record.zero_end {
            return match record.children.is_empty() && !record.terminated {
                true => Ok(()),
                false => Err(fail(
                    record,
                    "record without EndOffset",
                    "a nested list".into(),
                    "none",
                )),
            };
        }
        for child in &record.children {
            self.record(child)?;
        }
        if record.terminated {
            self.null_record();
        }
        self.patch_end(start, record)
    }

    fn null_record(&mut self) {
        let size = if self.wide { 25 } else { 13 };
        self.out.resize(self.out.len() + size, 0);
    }

    fn head_field(&mut self, value: u64, record: &Record<'_>) -> Result<(), Error> {
        if self.wide {
            value.put(self.order, &mut self.out);
        } else {
            narrow(value, record)?.put(self.order, &mut self.out);
        }
        Ok(())
    }

    /// Stores the current offset in the first head field of the record at `start`.
    fn patch_end(&mut self, start: usize, record: &Record<'_>) -> Result<(), Error> {
        let end = self.out.len() as u64;
        let mut field = Vec::with_capacity(8);
        match self.wide {
            true => end.put(self.order, &mut field),
            false => narrow(end, record)?.put(self.order, &mut field),
        }
        self.out[start..start + field.len()].copy_from_slice(&field);
        Ok(())
    }
}

fn narrow(value: u64, record: &Record<'_>) -> Result<u32, Error> {
    u32::try_from(value).map_err(|_| {
        fail(
            record,
            "head field",
            format!("{value:#x}"),
            "a number below 2^32: FBX versions before 7500 have 32-bit fields",
        )
    })
}

fn fail(record: &Record<'_>, what: &'static str, found: String, expected: &str) -> Error {
    Error {
        offset: 0,
        path: record.name().into_owned(),
        what,
        found,
        expected: expected.into(),
    }
}
