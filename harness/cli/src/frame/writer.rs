//! Writes frames to files: one picture, numbered pictures, or an animation.

use super::values;
use crate::limits::FRAMES as MAX_FRAMES;
use crate::plural::plural;
use crate::{input, output};
use anyhow::{Result, bail};
use clap::Args;
use player::GifWriter;
use pvr::Image;
use std::cell::RefCell;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Options for the frames of a command.
#[derive(Args, Clone, Debug)]
#[group(id = "frames-of-motions")]
pub(crate) struct FrameOptions {
    /// Frame of the motions; can have a fraction. -1 is the last frame of a looping motion.
    #[arg(
        long,
        default_value_t = 0.0,
        value_name = "F",
        conflicts_with = "frames",
        allow_negative_numbers = true
    )]
    frame: f32,
    /// Frames from A to B inclusive. By default an animation has all frames of the longest motion.
    #[arg(long, value_name = "A..B", value_parser = frames)]
    frames: Option<RangeInclusive<u32>>,
    /// Frames per second of an animation.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=100))]
    fps: u16,
}

/// Parses a range of frames, limited in number.
fn frames(text: &str) -> Result<RangeInclusive<u32>, String> {
    let frames = values::range(text)?;
    match frames.end() - frames.start() < MAX_FRAMES {
        true => Ok(frames),
        false => Err(format!("expected up to {MAX_FRAMES} frames")),
    }
}

/// Writer of pictures.
pub(crate) struct FrameWriter {
    path: PathBuf,
    frames: Vec<f32>,
    sink: FrameSink,
}

enum FrameSink {
    /// One picture.
    Single,
    /// Pictures with their frame numbers in their names.
    Numbered,
    Png {
        writer: Box<png::Writer<Shared>>,
        bytes: Shared,
    },
    Gif {
        writer: Box<GifWriter<Vec<u8>>>,
        /// Frames per second.
        fps: u32,
        /// Number of pictures written.
        count: u32,
    },
}

/// Returns whether a path is an animation.
pub(crate) fn is_animation(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["gif", "apng"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

impl FrameWriter {
    /// Creates a writer for the options. `length` is the length of the longest motion.
    pub(crate) fn new(path: &Path, options: &FrameOptions, length: u32, size: [u32; 2]) -> Result<Self> {
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let animated = is_animation(path);
        if let Some(other) = extension.as_deref().filter(|e| !animated && *e != "png") {
            bail!(
                "{}: a picture of kind .{other}, expected .png, .apng or .gif",
                path.display()
            );
        }
        if options.frames.is_some() && !animated && input::is_standard(path) {
            bail!("--frames: numbered pictures need a file name as output, not standard output");
        }
        let whole = |frames: RangeInclusive<u32>| frames.map(|frame| frame as f32).collect();
        let frames: Vec<f32> = match &options.frames {
            Some(range) => whole(range.clone()),
            None if animated && length > 0 => whole(0..=length.min(MAX_FRAMES) - 1),
            None => vec![options.frame],
        };
        let sink = match extension.as_deref() {
            Some("apng") => png_sink(frames.len(), options.fps, size)?,
            Some("gif") => gif_sink(options.fps, size)?,
            _ if options.frames.is_some() => FrameSink::Numbered,
            _ => FrameSink::Single,
        };
        Ok(Self {
            path: path.to_owned(),
            frames,
            sink,
        })
    }

    /// Returns the frames in order.
    pub(crate) fn frames(&self) -> Vec<f32> {
        self.frames.clone()
    }

    /// Adds the picture of a frame.
    pub(crate) fn add(&mut self, frame: f32, image: &Image) -> Result<()> {
        match &mut self.sink {
            FrameSink::Single => output::write_png(&self.path, image),
            FrameSink::Numbered => output::write_png(&numbered(&self.path, frame), image),
            FrameSink::Png { writer, .. } => Ok(writer.write_image_data(&image.rgba)?),
            FrameSink::Gif { writer, fps, count } => {
                writer.add(&image.rgba, player::gif_delay(*fps, *count))?;
                *count += 1;
                Ok(())
            }
        }
    }

    /// Writes the remaining bytes and returns a description of the files.
    pub(crate) fn finish(self) -> Result<String> {
        let path = &self.path;
        let bytes = match self.sink {
            FrameSink::Single => return Ok(path.display().to_string()),
            FrameSink::Numbered => {
                let [first, last] = [self.frames.first(), self.frames.last()].map(|frame| {
                    numbered(path, frame.copied().unwrap_or_default())
                        .display()
                        .to_string()
                });
                return Ok(format!("{first} to {last}"));
            }
            FrameSink::Png { writer, bytes } => {
                writer.finish()?;
                bytes.0.take()
            }
            FrameSink::Gif { writer, .. } => writer.finish()?,
        };
        output::write(path, &bytes)?;
        Ok(format!(
            "{}: {}",
            path.display(),
            plural(self.frames.len(), "frame")
        ))
    }
}

/// Returns the path with a frame's number before its extension: at least four digits, and a fraction if
/// needed.
pub(crate) fn numbered(path: &Path, frame: f32) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let fraction = format!("{}", frame.fract().abs());
    let fraction = fraction.strip_prefix('0').unwrap_or_default();
    path.with_file_name(format!("{stem}_{:04}{fraction}.{extension}", frame.trunc()))
}

fn png_sink(frames: usize, fps: u16, size: [u32; 2]) -> Result<FrameSink> {
    let bytes = Shared::default();
    let mut encoder = png::Encoder::new(bytes.clone(), size[0], size[1]);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_animated(frames as u32, 0)?;
    encoder.set_frame_delay(1, fps)?;
    let writer = Box::new(encoder.write_header()?);
    Ok(FrameSink::Png { writer, bytes })
}

fn gif_sink(fps: u16, size: [u32; 2]) -> Result<FrameSink> {
    Ok(FrameSink::Gif {
        writer: Box::new(GifWriter::new(Vec::new(), size)?),
        fps: fps.into(),
        count: 0,
    })
}

/// Shared buffer, because a PNG writer does not return the buffer it writes to.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_before_the_extension() {
        let name = |frame| numbered(Path::new("a/b.png"), frame).display().to_string();
        assert_eq!(
            [name(7.0), name(12345.0), name(2.5)],
            ["a/b_0007.png", "a/b_12345.png", "a/b_0002.5.png"]
        );
    }

    #[test]
    fn ranges_hold_both_ends() {
        assert_eq!(frames("3..5"), Ok(3..=5));
        for bad in ["5..3", "3", "a..b", "0..100000", "-1..3"] {
            assert!(frames(bad).is_err(), "{bad}");
        }
    }
}
