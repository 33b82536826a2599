//! An animation that the page adds picture by picture.

use crate::files::MOST_BYTES;
use crate::{Failure, Reply};
use player::{GifWriter, gif_delay};
use pvr::Image;

/// Frames per second of motions, and of the GIF.
const RATE: u32 = 30;

/// A GIF and the number of its pictures.
#[derive(Default)]
pub(crate) struct Gif {
    /// Created with the size of the first picture.
    writer: Option<GifWriter<Vec<u8>>>,
    count: u32,
}

impl Gif {
    pub(crate) fn add(&mut self, image: &Image) -> Result<(), Failure> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                let writer = GifWriter::new(Vec::new(), [image.width, image.height])?;
                self.writer.insert(writer)
            }
        };
        writer.add(&image.rgba, gif_delay(RATE, self.count))?;
        self.count += 1;
        let bytes = writer.output().len();
        if bytes > MOST_BYTES {
            return Err(Failure::new(format!(
                "found {bytes} bytes in {} frames of a GIF, expected at most {MOST_BYTES}",
                self.count
            )));
        }
        Ok(())
    }

    /// Returns the file.
    pub(crate) fn finish(self) -> Result<Reply, Failure> {
        let writer = self
            .writer
            .ok_or_else(|| Failure::new("found a GIF without pictures, expected at least one"))?;
        Reply::new(&self.count, writer.finish()?)
    }
}
