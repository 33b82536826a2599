//! `--video`: writes the screen as an animation while the program runs.
//!
//! The file has a temporary name in the target's folder until it is complete; memory holds one frame. All
//! frames are scaled to 640 x 480 with nearest neighbours.

use crate::output::OutputFile;
use anyhow::{Context, Result, bail};
use dreamcast::Dreamcast;
use player::GifWriter;
use pvr::Image;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::str::FromStr;

pub(super) const WIDTH: u32 = 640;
pub(super) const HEIGHT: u32 = 480;
/// Offset of the number of frames in an APNG: signature (8), IHDR (25), and length and name of acTL.
const FRAME_COUNT: u64 = 8 + 25 + 8;

/// Kind of a file, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gif,
    Apng,
    Y4m,
}

/// Value of `--video FILE`.
#[derive(Clone, Debug)]
pub(crate) struct Video {
    path: PathBuf,
    kind: Kind,
}

impl FromStr for Video {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let kind = match extension.to_str() {
            Some("gif") => Kind::Gif,
            Some("apng") => Kind::Apng,
            Some("y4m") => Kind::Y4m,
            _ => {
                return Err(format!(
                    "found {text:?}, expected a name that ends in .gif, .apng or .y4m"
                ));
            }
        };
        Ok(Self { path, kind })
    }
}

impl Video {
    /// Default number of frames from one picture to the next. GIF cannot show 60 pictures per second: its
    /// delays are whole hundredths of a second, and viewers slow down a delay of one.
    fn step(&self) -> u64 {
        match self.kind {
            Kind::Gif => 2,
            Kind::Apng | Kind::Y4m => 1,
        }
    }

    /// Starts the file; `every` is the number of frames from one picture to the next.
    pub(crate) fn start(&self, every: Option<u64>) -> Result<VideoWriter> {
        let file = OutputFile::start(&self.path)?;
        Ok(VideoWriter {
            video: self.clone(),
            every: every.unwrap_or(self.step()).max(1),
            file,
            sink: None,
            frames: 0,
            start: None,
            shown: 0,
        })
    }
}

enum Sink {
    Gif(Box<GifWriter<BufWriter<File>>>),
    Apng(Box<png::Writer<BufWriter<File>>>),
    Y4m(BufWriter<File>),
}

/// A video being written.
pub(crate) struct VideoWriter {
    video: Video,
    every: u64,
    file: OutputFile,
    sink: Option<Sink>,
    frames: u32,
    /// Console time in cycles at the first picture.
    start: Option<u64>,
    /// Total delay of the written pictures in hundredths of a second.
    shown: u64,
}

impl VideoWriter {
    /// Adds the picture of a frame, if it is due.
    pub(crate) fn frame(&mut self, frame: u64, console: &Dreamcast) -> Result<()> {
        if !frame.is_multiple_of(self.every) {
            return Ok(());
        }
        let (now, hz) = (console.now().0, console.cpu_hz());
        let rate = Rate::of(console.now().0, frame, hz);
        let start = *self.start.get_or_insert(now);
        let picture = scaled(&console.picture());
        if self.sink.is_none() {
            self.sink = Some(self.open(rate)?);
        }
        let length = rate.hundredths(self.every);
        let due = ((now - start) as f64 * 100.0 / hz as f64 + length).round() as u64;
        let delay = u16::try_from(due.saturating_sub(self.shown)).unwrap_or(u16::MAX);
        self.shown = due;
        let name = || format!("{}", self.video.path.display());
        match &mut self.sink {
            Some(Sink::Gif(writer)) => writer.add(&picture, delay).with_context(name)?,
            Some(Sink::Apng(writer)) => writer.write_image_data(&picture).with_context(name)?,
            Some(Sink::Y4m(file)) => write_y4m(file, &picture).with_context(name)?,
            None => {}
        }
        self.frames = self.frames.saturating_add(1);
        Ok(())
    }

    fn open(&self, rate: Rate) -> Result<Sink> {
        let mut out = BufWriter::new(self.file.handle()?);
        Ok(match self.video.kind {
            Kind::Gif => Sink::Gif(Box::new(GifWriter::new(out, [WIDTH, HEIGHT])?)),
            Kind::Apng => Sink::Apng(Box::new(apng(out, rate, self.every)?)),
            Kind::Y4m => {
                let (numerator, denominator) = rate.pictures(self.every);
                writeln!(
                    out,
                    "YUV4MPEG2 W{WIDTH} H{HEIGHT} F{numerator}:{denominator} Ip A1:1 C444"
                )?;
                Sink::Y4m(out)
            }
        })
    }

    /// Completes the file, renames it and returns the number of pictures.
    pub(crate) fn finish(mut self) -> Result<u32> {
        let name = format!("--video {}", self.video.path.display());
        match self.sink.take() {
            None => bail!("{name}: the program ended before the first picture"),
            Some(Sink::Gif(writer)) => writer.finish()?.flush().with_context(|| name.clone())?,
            Some(Sink::Y4m(mut file)) => file.flush().with_context(|| name.clone())?,
            // Dropping the writer writes IEND. The number of frames was unknown at the start.
            Some(Sink::Apng(writer)) => drop(writer),
        }
        if self.video.kind == Kind::Apng {
            self.patch_frame_count().with_context(|| name.clone())?;
        }
        self.file.finish()?;
        Ok(self.frames)
    }

    /// Writes the number of frames, endless repetition, and the checksum into acTL.
    fn patch_frame_count(&mut self) -> std::io::Result<()> {
        let mut chunk = b"acTL".to_vec();
        chunk.extend(self.frames.to_be_bytes());
        chunk.extend(0u32.to_be_bytes());
        let sum = crc32(&chunk);
        chunk.extend(sum.to_be_bytes());
        self.file.seek(SeekFrom::Start(FRAME_COUNT - 4))?;
        self.file.write_all(&chunk)
    }
}

/// Frames per second of a video mode: 50, or 60000/1001.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rate {
    numerator: u32,
    denominator: u32,
}

impl Rate {
    /// Returns the rate from the current time and frame number.
    fn of(now: u64, frame: u64, hz: u64) -> Self {
        let frames_a_second = frame as f64 * hz as f64 / now.max(1) as f64;
        match frames_a_second {
            ..55.0 => Self {
                numerator: 50,
                denominator: 1,
            },
            _ => Self {
                numerator: 60_000,
                denominator: 1001,
            },
        }
    }

    /// Returns the pictures per second as a fraction.
    fn pictures(self, every: u64) -> (u32, u64) {
        (self.numerator, u64::from(self.denominator) * every)
    }

    /// Returns the duration of a picture in hundredths of a second.
    fn hundredths(self, every: u64) -> f64 {
        every as f64 * 100.0 * f64::from(self.denominator) / f64::from(self.numerator)
    }
}

fn apng(out: BufWriter<File>, rate: Rate, every: u64) -> Result<png::Writer<BufWriter<File>>> {
    let mut encoder = png::Encoder::new(out, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    // The actual number replaces this one at the end.
    encoder.set_animated(u32::MAX >> 1, 0)?;
    let milliseconds = (rate.hundredths(every) * 100.0).round() as u16;
    encoder.set_frame_delay(milliseconds, 10_000)?;
    Ok(encoder.write_header()?)
}

/// Writes a frame of YUV4MPEG2: planes Y, Cb, Cr in full resolution, with the equations of ITU-R BT.601.
fn write_y4m(file: &mut BufWriter<File>, rgba: &[u8]) -> Result<()> {
    writeln!(file, "FRAME")?;
    for plane in 0..3 {
        let points = rgba.as_chunks::<4>().0.iter();
        let bytes: Vec<u8> = points.map(|&[r, g, b, _]| component(plane, [r, g, b])).collect();
        file.write_all(&bytes)?;
    }
    Ok(())
}

/// Returns component Y (0), Cb (1) or Cr (2) of a colour: 16 to 235, and 16 to 240.
fn component(plane: usize, rgb: [u8; 3]) -> u8 {
    let [r, g, b] = rgb.map(|value| f64::from(value) / 255.0);
    let y = 0.299 * r + 0.587 * g + 0.114 * b;
    let value = match plane {
        0 => 16.0 + 219.0 * y,
        1 => 128.0 + 224.0 * (b - y) / 1.772,
        _ => 128.0 + 224.0 * (r - y) / 1.402,
    };
    value.round() as u8
}

/// Scales the picture to 640 x 480 opaque points; black if it has no points.
pub(super) fn scaled(image: &Image) -> Vec<u8> {
    let mut rgba = vec![0; (WIDTH * HEIGHT * 4) as usize];
    let points = image.rgba.as_chunks::<4>().0;
    for (n, target) in (0..).zip(rgba.as_chunks_mut::<4>().0) {
        let (x, y): (u64, u64) = (n % u64::from(WIDTH), n / u64::from(WIDTH));
        let from_x = x * u64::from(image.width) / u64::from(WIDTH);
        let from_y = y * u64::from(image.height) / u64::from(HEIGHT);
        let point = points.get((from_y * u64::from(image.width) + from_x) as usize);
        let [r, g, b, _] = point.copied().unwrap_or_default();
        *target = [r, g, b, 255];
    }
    rgba
}

/// Computes the checksum of PNG chunks (PNG specification, annex D).
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| {
        if crc & 1 != 0 {
            0xEDB8_8320 ^ crc >> 1
        } else {
            crc >> 1
        }
    };
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The PNG specification's IEND chunk has the checksum AE426082.
    #[test]
    fn checksums_are_those_of_png() {
        assert_eq!(crc32(b"IEND"), 0xAE42_6082);
    }

    /// White, black and pure red in BT.601.
    #[test]
    fn colours_become_video_levels() {
        let all = |rgb| [0, 1, 2].map(|plane| component(plane, rgb));
        assert_eq!(all([255; 3]), [235, 128, 128]);
        assert_eq!(all([0; 3]), [16, 128, 128]);
        assert_eq!(all([255, 0, 0]), [81, 90, 240]);
    }

    #[test]
    fn rates_are_those_of_the_two_video_standards() {
        let hz = 199_500_000;
        assert_eq!(Rate::of(hz, 60, hz).numerator, 60_000);
        assert_eq!(Rate::of(hz, 50, hz).numerator, 50);
    }

    #[test]
    fn other_extensions_are_refused() {
        assert!("a.mp4".parse::<Video>().is_err());
        assert!("a".parse::<Video>().is_err());
        assert_eq!("A.GIF".parse::<Video>().map(|video| video.kind), Ok(Kind::Gif));
    }

    /// A picture two points wide must fill the left and the right half.
    #[test]
    fn pictures_are_scaled() {
        let rgba = scaled(&Image {
            width: 2,
            height: 1,
            rgba: vec![1, 2, 3, 0, 4, 5, 6, 0],
        });
        assert_eq!(rgba[..4], [1, 2, 3, 255]);
        assert_eq!(rgba[319 * 4..320 * 4], [1, 2, 3, 255]);
        assert_eq!(rgba[320 * 4..321 * 4], [4, 5, 6, 255]);
    }
}
