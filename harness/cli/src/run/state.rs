//! State files: `--save-state` and `--load-state`.
//!
//! | offset | contents |
//! |---|---|
//! | 0 | [`MAGIC`] |
//! | 4 | [`STATE_VERSION`] |
//! | 8 | CRC-32 of the bytes from offset 12 |
//! | 12 | CRC-32 of RAM before the program runs, which identifies the program |
//! | 16 | zlib stream: the controllers' and keyboard's input, then the state of the console |

use super::Args;
use super::pictures::PictureTime;
use super::session::Session;
use crate::input;
use anyhow::{Context, Result, anyhow, bail};
use dreamcast::snapshot::STATE_VERSION;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use state::{State, Stream};
use std::path::Path;

const MAGIC: [u8; 4] = *b"SWST";
/// Bytes before the zlib stream.
const HEAD: usize = 16;
/// Maximum bytes of the lists of pressed keys.
const LISTS: usize = 1 << 10;

/// Reads a little-endian word at `offset`.
fn word(bytes: &[u8], offset: usize) -> Option<u32> {
    let bytes = bytes.get(offset..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Prepares a new session for state files, and loads the file of `--load-state`. The CRC-32 of RAM before the
/// program runs identifies the program.
pub(super) fn prepare(args: &Args, session: &mut Session) -> Result<()> {
    if args.load_state.is_none() && args.save_state.is_empty() && args.gdb.is_none() && !args.window {
        return Ok(());
    }
    if let (Some(why), false) = (session.console.why_no_state(), args.save_state.is_empty()) {
        bail!("--save-state: {why}");
    }
    session.program = crc(session.console.ram());
    match &args.load_state {
        Some(path) => session.load_state(path).context("--load-state"),
        None => Ok(()),
    }
}

/// Warns of frames of `--save-state` that the program has not reached.
pub(super) fn warn_of_missed(session: &mut Session) {
    let last = session.console.frame();
    let missed = session.states.iter().filter_map(|state| match state.time {
        PictureTime::Frame(frame) if frame > last => Some(frame),
        _ => None,
    });
    for frame in missed.collect::<Vec<_>>() {
        session.warn(format!("--save-state {frame}: the program ended at frame {last}"));
    }
}

impl Session {
    /// Returns the bytes of a state file. `begins_frame` is true if the session has not applied the script's
    /// input of the current frame yet.
    pub(crate) fn state_file(&mut self, begins_frame: bool) -> Result<Vec<u8>> {
        let mut encoder = ZlibEncoder::new(vec![0; HEAD], Compression::fast());
        let mut stream = Stream::save(&mut encoder);
        self.transfer_input(&mut stream, begins_frame)?;
        self.console.save_state(&mut encoder)?;
        let mut bytes = encoder.finish()?;
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..8].copy_from_slice(&STATE_VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.program.to_le_bytes());
        let sum = crc(&bytes[12..]);
        bytes[8..12].copy_from_slice(&sum.to_le_bytes());
        Ok(bytes)
    }

    /// Loads the session's state from a file. The file must come from the same program.
    pub(crate) fn load_state(&mut self, path: &Path) -> Result<()> {
        let bytes = input::read(path)?;
        self.load_state_from(&bytes)
            .with_context(|| path.display().to_string())
    }

    /// See [`Session::load_state`].
    pub(crate) fn load_state_from(&mut self, bytes: &[u8]) -> Result<()> {
        if !bytes.starts_with(&MAGIC) {
            bail!("found another file, expected a state file of --save-state");
        }
        let short = || anyhow!("found {} bytes, expected a complete state file", bytes.len());
        let version = word(bytes, 4).ok_or_else(short)?;
        if version != STATE_VERSION {
            bail!(
                "found version {version}, expected {STATE_VERSION}: save the state with this version of swirl"
            );
        }
        let (sum, program) = word(bytes, 8).zip(word(bytes, 12)).ok_or_else(short)?;
        if crc(&bytes[12..]) != sum {
            bail!("found changed bytes, expected the CRC-32 {sum:08x}: the file is damaged");
        }
        if program != self.program {
            bail!("found the state of another program, expected a state of the program of this run");
        }
        let mut decoder = ZlibDecoder::new(&bytes[HEAD..]);
        let mut stream = Stream::load(&mut decoder, LISTS);
        let (inputs, keys) = (self.inputs, self.keys);
        let loaded = self.transfer_input(&mut stream, false);
        let loaded = loaded.and_then(|begins| {
            self.console.load_state(&mut decoder)?;
            Ok(begins)
        });
        match loaded {
            Ok(begins_frame) => {
                self.forget_stop();
                if begins_frame {
                    self.new_frame()?;
                }
                Ok(())
            }
            Err(error) => {
                (self.inputs, self.keys) = (inputs, keys);
                Err(error)
            }
        }
    }

    /// Saves or loads `begins_frame` (see [`Self::state_file`]) and the input. Returns `begins_frame`; after
    /// loading, this is the loaded value. Fails if the console's state cannot be saved.
    fn transfer_input(&mut self, stream: &mut Stream<'_>, begins_frame: bool) -> Result<bool> {
        if let Some(why) = self.console.why_no_state() {
            bail!("{why}");
        }
        let mut begins_frame = begins_frame;
        begins_frame.transfer(stream)?;
        self.inputs.transfer(stream)?;
        self.keys.transfer(stream)?;
        Ok(begins_frame)
    }
}
