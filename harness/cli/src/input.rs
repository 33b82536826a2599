//! Reading of files, up to a limit: devices and pipes have no size.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Largest file that is read.
const MOST: u64 = 256 << 20;

/// Reads a whole file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let name = || format!("{}", path.display());
    let file = File::open(path).with_context(name)?;
    let size = file.metadata().with_context(name)?.len();
    if size > MOST {
        bail!("{}: {size} bytes, expected at most {MOST}", name());
    }
    let mut bytes = Vec::new();
    file.take(MOST + 1).read_to_end(&mut bytes).with_context(name)?;
    if bytes.len() as u64 > MOST {
        bail!("{}: no end, expected at most {MOST} bytes", name());
    }
    Ok(bytes)
}

/// Reads a whole file of text.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let text = String::from_utf8(read(path)?);
    text.with_context(|| format!("{}: not UTF-8", path.display()))
}
