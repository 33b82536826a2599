//! Writes the CSV file of frames.

use anyhow::{Context, Result};
use profile::program::{Activity, Frame};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};

/// Work of devices in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeviceCounts {
    /// Number of renders that began.
    pub(crate) renders: u64,
    /// Bytes sent to the tile accelerator.
    pub(crate) ta_bytes: u64,
}

/// CSV rows, one per frame. Stored in a temporary file, because they can be long.
#[derive(Debug)]
pub(crate) struct CsvSpool(BufWriter<File>);

impl CsvSpool {
    pub(super) fn new() -> Result<CsvSpool> {
        let file = tempfile::tempfile().context("a temporary file for the frames")?;
        let mut spool = CsvSpool(BufWriter::new(file));
        let mut text = String::from("frame,begin,cycles,work");
        for activity in Activity::ALL {
            let _ = write!(text, ",{}", activity.key());
        }
        text += ",instructions,operand_misses,instruction_misses,renders,ta_bytes\n";
        spool.put(&text)?;
        Ok(spool)
    }

    pub(super) fn frame(&mut self, frame: &Frame, devices: DeviceCounts) -> Result<()> {
        let (number, begin, cycles) = (frame.number, frame.begin, frame.cycles);
        let mut text = format!("{number},{begin},{cycles},{}", frame.work());
        for cycles in frame.activities {
            let _ = write!(text, ",{cycles}");
        }
        let counts = [frame.instructions, frame.misses, frame.instruction_misses];
        for count in counts.into_iter().chain([devices.renders, devices.ta_bytes]) {
            let _ = write!(text, ",{count}");
        }
        text.push('\n');
        self.put(&text)
    }

    fn put(&mut self, text: &str) -> Result<()> {
        let failed = "the temporary file of the frames";
        self.0.write_all(text.as_bytes()).context(failed)
    }

    /// Returns the file, positioned at its beginning.
    pub(super) fn read(&mut self) -> Result<&mut File> {
        let failed = "the temporary file of the frames";
        self.0.flush().context(failed)?;
        self.0.get_mut().seek(SeekFrom::Start(0)).context(failed)?;
        Ok(self.0.get_mut())
    }
}
