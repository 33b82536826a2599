//! Reads files and standard input, up to a limit because devices and pipes have no size. Lists the kinds of
//! files, and the verbs that read them.

use crate::limits::INPUT_BYTES as MOST;
use crate::limits::TOML_PARTS;
use anyhow::{Context, Error, Result, anyhow, bail};
use player::{Disk, Files, Input, NinjaFile, read_ninja};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Time after which a pipe without a writer is an error; the polling interval follows.
const NO_WRITER: Duration = Duration::from_millis(200);
const LOOK: Duration = Duration::from_millis(2);

/// Content of standard input, which can be read only once.
static STANDARD_INPUT: OnceLock<Vec<u8>> = OnceLock::new();

/// Files that were read, which outputs must not overwrite by mistake.
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
    let file = open(path).with_context(name)?;
    note(path);
    let about = file.metadata().with_context(name)?;
    if about.len() > MOST {
        bail!("{}: {} bytes, expected at most {MOST}", name(), about.len());
    }
    let has_writer = !is_pipe(&about);
    read_all(PipeReader { file, has_writer }, &name())
}

/// Opens a file without blocking. Opening a pipe normally waits for a writer, possibly forever.
#[cfg(unix)]
fn open(path: &Path) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
    File::options().read(true).custom_flags(flags).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

/// A file opened without blocking. Reads block while a pipe has a writer.
struct PipeReader {
    file: File,
    has_writer: bool,
}

impl Read for PipeReader {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let begin = Instant::now();
        loop {
            match self.file.read(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.has_writer = true,
                // A writer started at the same time opens the pipe a moment later.
                Ok(0) if !self.has_writer && begin.elapsed() < NO_WRITER => {}
                Ok(0) if !self.has_writer => {
                    let found = "found a pipe without a writer, expected a file";
                    return Err(std::io::Error::other(found));
                }
                read => {
                    self.has_writer = true;
                    return read;
                }
            }
            std::thread::sleep(LOOK);
        }
    }
}

#[cfg(unix)]
fn is_pipe(about: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    about.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
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

/// Reads a whole text file.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let text = String::from_utf8(read(path)?);
    text.with_context(|| format!("{}: not UTF-8", path.display()))
}

/// Reads a TOML file. Counts its parts first, because a parsed part takes many times the memory of its text.
pub(crate) fn read_toml(path: &Path) -> Result<String> {
    let text = read_text(path)?;
    let parts = text.bytes().filter(|byte| b"=[{,".contains(byte)).count();
    if parts > TOML_PARTS {
        bail!(
            "{}: {parts} keys, tables and values, expected at most {TOML_PARTS}",
            path.display()
        );
    }
    Ok(text)
}

/// Returns whether a path stands for standard input or output: `-`, or `-` with an extension, without a
/// folder.
pub(crate) fn is_standard(path: &Path) -> bool {
    let alone = path.parent().is_some_and(|parent| parent.as_os_str().is_empty());
    alone && path.file_stem().is_some_and(|stem| stem == "-")
}

/// Adds an extension to `-` that matches the content of standard input. Verbs choose outputs by it.
///
/// # Errors
/// If standard input cannot be read.
pub(crate) fn resolve(path: &mut PathBuf) -> Result<()> {
    if path.as_os_str() == "-" {
        let input = Input::of(path, standard_input()?);
        // An unknown kind has no extension of its own.
        if input != Input::Other {
            *path = PathBuf::from(format!("-.{}", input.extensions().next().unwrap_or("nj")));
        }
    }
    Ok(())
}

/// Returns a file's name without folder and extension; `stdin` for standard input.
pub(crate) fn stem(path: &Path) -> String {
    match is_standard(path) {
        true => "stdin".to_owned(),
        false => player::stem(path),
    }
}

fn standard_input() -> Result<&'static [u8]> {
    if let Some(bytes) = STANDARD_INPUT.get() {
        return Ok(bytes);
    }
    let bytes = read_all(std::io::stdin().lock(), "standard input")?;
    Ok(STANDARD_INPUT.get_or_init(|| bytes))
}

/// Marks a file as an input, which no output may overwrite.
pub(crate) fn note(path: &Path) {
    if let Ok(path) = path.canonicalize() {
        READ.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
    }
}

/// Returns the files that this command has read.
pub(crate) fn all_read() -> Vec<PathBuf> {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    read.iter().cloned().collect()
}

/// Returns whether this command has read a file.
pub(crate) fn was_read(path: &Path) -> bool {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    path.canonicalize().is_ok_and(|path| read.contains(&path))
}

/// Files of the command line.
pub(crate) struct HostFiles;

impl Files for HostFiles {
    fn read(&self, path: &Path) -> player::Result<Vec<u8>> {
        read(path).map_err(|error| player::Error::Invalid(format!("{error:#}")))
    }

    fn list(&self, folder: &Path) -> player::Result<Vec<PathBuf>> {
        Disk.list(folder)
    }
}

/// Ninja files; scenes, textures and drawable Ninja files follow.
const NINJA: [Input; 4] = [Input::Model, Input::Motion, Input::Shape, Input::Cells];
const SCENES: [Input; 3] = [Input::Fbx, Input::Gltf, Input::Obj];
const TEXTURES: [Input; 5] = [
    Input::Texture,
    Input::KosTexture,
    Input::Archive,
    Input::Palette,
    Input::Picture,
];
const SHOWN: [Input; 2] = [Input::Model, Input::Cells];

/// Kinds of files that each verb reads.
const READERS: [(&str, &[&[Input]]); 9] = [
    (
        "info",
        &[
            &NINJA,
            &SCENES,
            &TEXTURES,
            &[
                Input::TaDump,
                Input::PvrScene,
                Input::Program,
                Input::Disc,
                Input::Capture,
            ],
        ],
    ),
    ("convert", &[&NINJA, &SCENES, &TEXTURES]),
    ("render", &[&SHOWN, &SCENES, &TEXTURES, &[Input::PvrScene]]),
    ("view", &[&SHOWN, &SCENES, &TEXTURES]),
    ("run", &[&[Input::Program, Input::Disc]]),
    ("disasm", &[&[Input::Program]]),
    ("profile", &[&[Input::Program, Input::Disc]]),
    ("verify", &[&[Input::Program]]),
    ("truth", &[&[Input::Capture]]),
];

/// Returns whether a verb reads a kind of files.
pub(crate) fn takes(verb: &str, input: Input) -> bool {
    let mut readers = READERS.iter().filter(|(name, _)| *name == verb);
    readers.any(|(_, kinds)| kinds.concat().contains(&input))
}

/// Returns the kind of a file, by its name or else its content.
pub(crate) fn kind(path: &Path) -> Result<Input> {
    match Input::named(path) {
        Some(input) if !input.is_ninja() && input != Input::PvrScene => Ok(input),
        _ => Ok(Input::of(path, &read(path)?)),
    }
}

/// Returns the kind of a file that `verb` reads.
///
/// # Errors
/// If the verb does not read such files.
pub(crate) fn expect(verb: &str, path: &Path) -> Result<Input> {
    let input = kind(path)?;
    match takes(verb, input) {
        true => Ok(input),
        false => Err(unsupported(verb, path, &read(path)?)),
    }
}

/// Creates the error for a file that `verb` does not read. Names the verbs that do.
pub(crate) fn unsupported(verb: &str, path: &Path, bytes: &[u8]) -> Error {
    let (name, input) = (path.display(), Input::of(path, bytes));
    let found = input.describe(path, bytes);
    let kinds = READERS.iter().find(|(name, _)| *name == verb);
    let kinds = kinds.map(|(_, kinds)| kinds.concat()).unwrap_or_default();
    let names: Vec<String> = kinds
        .iter()
        .map(|kind| kind.describe(Path::new(""), &[]))
        .collect();
    let expected = match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    };
    let others = READERS
        .iter()
        .map(|(verb, _)| *verb)
        .filter(|verb| takes(verb, input));
    let others: Vec<String> = others.map(|verb| format!("swirl {verb}")).collect();
    match &others[..] {
        [] => anyhow!("{name}: found {found}, expected {expected}"),
        others => anyhow!(
            "{name}: found {found}, expected {expected}; {} takes it",
            others.join(" or ")
        ),
    }
}

/// Reads a Ninja file, and prints its warnings.
pub(crate) fn ninja(path: &Path, settings: &ninja::ascii::Settings) -> Result<NinjaFile> {
    let read = read_ninja(path, &read(path)?, settings)?;
    read.warnings.iter().for_each(|warning| eprintln!("{warning}"));
    Ok(read)
}

/// Rejects everything except 32-bit little-endian ELF files for the SH-4 or ARM.
///
/// # Errors
/// States the found kind and the accepted kinds.
pub(crate) fn expect_elf(verb: &str, path: &Path, bytes: &[u8]) -> Result<()> {
    if !bytes.starts_with(b"\x7fELF") {
        return Err(unsupported(verb, path, bytes));
    }
    let machine = player::machine(bytes);
    // EI_CLASS 1: 32 bits.
    if !["SH-4", "ARM"].contains(&machine.as_str()) || bytes.get(4) != Some(&1) {
        bail!(
            "{}: found an ELF file for {machine}, expected SH-4 or ARM",
            path.display()
        );
    }
    Ok(())
}
