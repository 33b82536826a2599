//! `swirl convert` for binary Ninja files.

use crate::{Outcome, assets, output};
use anyhow::{Context, Result, bail};
use ninja::{ByteOrder, Chunk, Container, File, MotionKind, NodeFormat, RawChunk};
use std::path::{Path, PathBuf};

/// The extensions of binary Ninja files (seed 001 section 4.1, seed 003 section 5.5).
pub(crate) const EXTENSIONS: [&str; 9] = ["nj", "njd", "njm", "njs", "njt", "njl", "njc", "spj", "csj"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Forget where things lay in the input: write all structures in this program's own order.
    #[arg(long)]
    canonical: bool,
    /// Write every chunk into a file of its own in the folder OUTPUT.
    #[arg(long)]
    pub(crate) split: bool,
    /// Write chunk bodies big-endian, as on the GameCube.
    #[arg(long, conflicts_with = "little_endian")]
    big_endian: bool,
    /// Write chunk bodies little-endian, as on the Dreamcast.
    #[arg(long)]
    little_endian: bool,
    /// Make trees Ninja2's: N2CM, nodes of 56 bytes.
    #[arg(long, conflicts_with = "ninja1")]
    ninja2: bool,
    /// Make trees Ninja1's: NJCM, nodes of 52 bytes.
    #[arg(long)]
    ninja1: bool,
    /// What holds the chunks: iff, or pso for a single motion without chunks as Phantasy Star Online has it.
    #[arg(long, value_enum)]
    container: Option<ContainerOption>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ContainerOption {
    Iff,
    Pso,
}

/// Whether the extension is one of [`EXTENSIONS`].
pub(crate) fn is_binary(path: &Path) -> bool {
    let is = |wanted: &&str| {
        path.extension()
            .is_some_and(|found| found.eq_ignore_ascii_case(wanted))
    };
    EXTENSIONS.iter().any(|wanted| is(&wanted))
}

pub(crate) fn run(options: &Options, inputs: &[PathBuf], target: &Path) -> Result<Outcome> {
    let files: Vec<File> = inputs
        .iter()
        .map(|path| assets::read_model(path))
        .collect::<Result<_>>()?;
    let mut file = merge(inputs, files)?;
    change(options, &mut file)?;
    if options.split {
        return split(&inputs[0], &file, target);
    }
    write(target, &file)?;
    Ok(Outcome::Done)
}

/// The chunks of all files in one; a single file stays as it is.
fn merge(inputs: &[PathBuf], files: Vec<File>) -> Result<File> {
    let mut files = files.into_iter();
    let Some(mut all) = files.next() else {
        bail!("no input");
    };
    for (path, file) in inputs.iter().skip(1).zip(files) {
        if file.byte_order != all.byte_order && file.chunks.iter().any(|chunk| matches!(chunk, Chunk::Raw(_)))
        {
            bail!(
                "{}: its byte order differs from that of {}",
                path.display(),
                inputs[0].display()
            );
        }
        all.chunks.extend(file.chunks);
        // Chunks without IFF cannot follow each other, and padding belongs at the end.
        all.container = Container::Iff;
        all.trailing = 0;
    }
    Ok(all)
}

fn change(options: &Options, file: &mut File) -> Result<()> {
    if options.canonical {
        file.forget_layout();
    }
    if options.big_endian {
        file.byte_order = ByteOrder::Big;
    }
    if options.little_endian {
        file.byte_order = ByteOrder::Little;
    }
    if let Some(container) = options.container {
        file.container = match container {
            ContainerOption::Iff => Container::Iff,
            ContainerOption::Pso => Container::PsoMotion,
        };
    }
    let format = match (options.ninja1, options.ninja2) {
        (true, _) => NodeFormat::Ninja1,
        (_, true) => NodeFormat::Ninja2,
        _ => return Ok(()),
    };
    for chunk in &mut file.chunks {
        if let Chunk::Model(tree) = chunk {
            tree.set_format(format)?;
        }
    }
    Ok(())
}

fn write(path: &Path, file: &File) -> Result<()> {
    let bytes = file.write().with_context(|| format!("{}", path.display()))?;
    output::write(path, &bytes)?;
    println!("{}: {} bytes", path.display(), bytes.len());
    Ok(())
}

/// One file for each chunk, named after the input and numbered within its kind.
fn split(input: &Path, file: &File, folder: &Path) -> Result<Outcome> {
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let stem = input
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    let mut written: Vec<&str> = Vec::new();
    for chunk in &file.chunks {
        let extension = extension_of(chunk);
        let number = written.iter().filter(|other| **other == extension).count();
        written.push(extension);
        let name = match number {
            0 => format!("{stem}.{extension}"),
            n => format!("{stem}_{n}.{extension}"),
        };
        let part = File {
            chunks: vec![chunk.clone()],
            warnings: Vec::new(),
            trailing: 0,
            ..*file
        };
        write(&folder.join(name), &part)?;
    }
    Ok(Outcome::Done)
}

/// The usual extension of a chunk's kind. Trees get .nj, which also holds files of several kinds: it is what files of
/// trees alone are called in games.
fn extension_of(chunk: &Chunk) -> &'static str {
    match chunk {
        Chunk::Texlist(_) => "njt",
        Chunk::Model(_) => "nj",
        Chunk::Motion(motion) if motion.kind == MotionKind::SimpleShape => "njs",
        Chunk::Motion(_) | Chunk::ShapeMotion(_) => "njm",
        Chunk::ShapeList(_) => "njs",
        Chunk::CellSprite(_) => "spj",
        Chunk::CellStream(_) => "csj",
        Chunk::Raw(raw) => raw_extension(raw),
    }
}

fn raw_extension(raw: &RawChunk) -> &'static str {
    match &raw.id.0 {
        b"NJLI" => "njl",
        b"NJCA" => "njc",
        _ => "nj",
    }
}
