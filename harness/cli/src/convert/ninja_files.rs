//! `swirl convert` for binary and ASCII Ninja files.

mod kinds;

use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::{input, output};
use anyhow::{Context, Result};
use ninja::{ByteOrder, Chunk, Container, File, MotionKind, NodeFormat, RawChunk};
use player::{NinjaFile, has_extension, stem};
use std::path::{Path, PathBuf};

/// The extensions of the ASCII forms (docs/formats/compact-shape.md 4.1, cell-sprite.md 5.5).
const TEXT_EXTENSIONS: [&str; 7] = ["nja", "nad", "nam", "nas", "nat", "spa", "csa"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Write all structures in canonical order, instead of the input's layout.
    #[arg(long)]
    canonical: bool,
    /// Write each chunk into its own file in the folder OUTPUT.
    #[arg(long)]
    pub(crate) split: bool,
    /// Write chunk bodies big-endian, as on the GameCube.
    #[arg(long, conflicts_with = "little_endian")]
    big_endian: bool,
    /// Write chunk bodies little-endian, as on the Dreamcast.
    #[arg(long)]
    little_endian: bool,
    /// Write trees in Ninja2's form: N2CM, nodes of 56 bytes.
    #[arg(long, conflicts_with = "ninja1")]
    ninja2: bool,
    /// Write trees in Ninja1's form: NJCM, nodes of 52 bytes.
    #[arg(long)]
    ninja1: bool,
    /// Container of the chunks: iff, or pso for a single motion without chunk header, as in Phantasy Star
    /// Online.
    #[arg(long, value_enum)]
    container: Option<ContainerOption>,
    /// Library of an ASCII input's macros, if its header comment does not state it.
    #[arg(long, value_enum)]
    dialect: Option<DialectOption>,
    /// Add the values of vertices as comments to ASCII outputs.
    #[arg(long)]
    float_comments: bool,
    /// Permit output names with the extension of another kind, such as a model in a .njt file. Also permits
    /// overwriting an input.
    #[arg(long)]
    pub(crate) force: bool,
    /// Write the C header for ASCII files, too. This option needs no inputs and no output.
    #[arg(long, value_name = "FILE")]
    pub(crate) c_header: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum DialectOption {
    Ninja1,
    Ninja2,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ContainerOption {
    Iff,
    Pso,
}

/// Returns whether an output is text.
fn is_text(path: &Path) -> bool {
    TEXT_EXTENSIONS
        .iter()
        .any(|extension| has_extension(path, extension))
}

pub(crate) fn run(
    options: &Options,
    inputs: &[PathBuf],
    target: &Path,
    given: GivenOptions<'_>,
) -> Result<ExitStatus> {
    let settings = ninja::ascii::Settings {
        dialect: options.dialect.map(|dialect| match dialect {
            DialectOption::Ninja1 => ninja::ascii::Dialect::Ninja1,
            DialectOption::Ninja2 => ninja::ascii::Dialect::Ninja2,
        }),
    };
    let read = |path: &PathBuf| input::ninja(path, &settings);
    let parsed: Vec<NinjaFile> = inputs.iter().map(read).collect::<Result<_>>()?;
    let has_text_input = parsed.iter().any(|parsed| parsed.dialect.is_some());
    let has_binary_input = parsed.iter().any(|parsed| parsed.dialect.is_none());
    let mut file = player::merge(inputs, parsed.into_iter().map(|parsed| parsed.file).collect())?;
    let name = target.display();
    let to_text = !options.split && is_text(target);
    let of_binary = ["big_endian", "little_endian", "container", "canonical"];
    given.warn(to_text, &of_binary, &format!("on {name}, an ASCII file"));
    given.warn(
        !to_text && !has_binary_input,
        &["canonical"],
        "on ASCII files, which have no layout",
    );
    given.warn(!has_text_input, &["dialect"], "on binary files");
    given.warn(
        !to_text,
        &["float_comments"],
        &format!("on {name}, which is not an ASCII file"),
    );
    let has_trees = file.chunks.iter().any(|chunk| matches!(chunk, Chunk::Model(_)));
    given.warn(!has_trees, &["ninja1", "ninja2"], "on files without a model");
    change(options, &mut file)?;
    if options.split {
        return split(&inputs[0], &file, target);
    }
    if !options.force {
        kinds::check(target, &file)?;
    }
    match is_text(target) {
        true => write_text(options, target, file)?,
        false => write(target, &file)?,
    }
    Ok(ExitStatus::Done)
}

/// Reads files and merges their chunks in order.
pub(crate) fn read_all(inputs: &[PathBuf]) -> Result<File> {
    let settings = ninja::ascii::Settings::default();
    let read = |path: &PathBuf| Ok(input::ninja(path, &settings)?.file);
    Ok(player::merge(
        inputs,
        inputs.iter().map(read).collect::<Result<_>>()?,
    )?)
}

/// Writes the C header.
pub(crate) fn write_header(path: &Path) -> Result<()> {
    let header = ninja::ascii::c_header();
    output::write(path, header.as_bytes())?;
    println!("{}: {} bytes", path.display(), header.len());
    Ok(())
}

/// Writes a file as text. The names of its structures end with the file's stem.
fn write_text(options: &Options, path: &Path, file: File) -> Result<()> {
    let name = path.display().to_string();
    let options = ninja::ascii::WriteOptions {
        name: stem(path),
        float_comments: options.float_comments,
        model_alone: has_extension(path, "nad"),
    };
    let (text, warnings) = player::ascii_text(&name, file, &options)?;
    warnings.iter().for_each(|warning| eprintln!("{warning}"));
    output::write(path, text.as_bytes())?;
    println!("{name}: {} bytes", text.len());
    Ok(())
}

fn change(options: &Options, file: &mut File) -> Result<()> {
    if options.canonical {
        file.renumber();
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

/// Writes one file per chunk, named after the input and numbered by kind.
fn split(input: &Path, file: &File, folder: &Path) -> Result<ExitStatus> {
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let stem = stem(input);
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
    Ok(ExitStatus::Done)
}

/// Returns the usual extension for a chunk's kind. A tree gets .nj: games use this extension for files with
/// only a tree, although it also permits other chunks.
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
