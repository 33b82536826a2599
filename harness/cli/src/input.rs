//! Reading of files and of standard input, up to a limit: devices and pipes have no size.

use crate::file_kind;
use crate::limits::INPUT_BYTES as MOST;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Standard input, which is read once.
static STANDARD_INPUT: OnceLock<Vec<u8>> = OnceLock::new();

/// The files that were read: nothing is written over them by mistake.
static READ: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Reads a whole file. `-`, or `-` with an extension, is standard input.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    if is_standard(path) {
        return standard_input().map(<[u8]>::to_vec);
    }
    let name = || format!("{}", path.display());
    if path.is_dir() {
        bail!("{}: found a folder, expected a file", name());
    }
    let file = File::open(path).with_context(name)?;
    note(path);
    let size = file.metadata().with_context(name)?.len();
    if size > MOST {
        bail!("{}: {size} bytes, expected at most {MOST}", name());
    }
    read_all(file, &name())
}

fn read_all(source: impl Read, name: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limited = source.take(MOST + 1).read_to_end(&mut bytes);
    limited.with_context(|| name.to_owned())?;
    if bytes.len() as u64 > MOST {
        bail!("{name}: no end, expected at most {MOST} bytes");
    }
    Ok(bytes)
}

/// Reads a whole file of text.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let text = String::from_utf8(read(path)?);
    text.with_context(|| format!("{}: not UTF-8", path.display()))
}

/// Whether a path stands for standard input or output: `-`, or `-` with an extension, without a folder.
pub(crate) fn is_standard(path: &Path) -> bool {
    let alone = path.parent().is_some_and(|parent| parent.as_os_str().is_empty());
    alone && path.file_stem().is_some_and(|stem| stem == "-")
}

/// Gives `-` the extension of what standard input holds, since verbs tell kinds by extensions.
///
/// # Errors
/// If standard input cannot be read.
pub(crate) fn resolve(path: &mut PathBuf) -> Result<()> {
    if path.as_os_str() == "-" {
        *path = PathBuf::from(format!("-.{}", file_kind::extension(standard_input()?)));
    }
    Ok(())
}

fn standard_input() -> Result<&'static [u8]> {
    if let Some(bytes) = STANDARD_INPUT.get() {
        return Ok(bytes);
    }
    let bytes = read_all(std::io::stdin().lock(), "standard input")?;
    Ok(STANDARD_INPUT.get_or_init(|| bytes))
}

fn note(path: &Path) {
    if let Ok(path) = path.canonicalize() {
        READ.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
    }
}

/// The files that this command has read.
pub(crate) fn all_read() -> Vec<PathBuf> {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    read.iter().cloned().collect()
}

/// Whether this command has read a file.
pub(crate) fn was_read(path: &Path) -> bool {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    path.canonicalize().is_ok_and(|path| read.contains(&path))
}
