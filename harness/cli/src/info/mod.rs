//! `swirl info`: prints the contents of a file.

mod angles;
mod counts;
mod hex;
mod parts;
mod records;
mod summary;
mod textures;
mod tree;

pub(crate) use textures::texture_text;
pub(crate) use tree::node;

use crate::console;
use crate::exit::ExitStatus;
use crate::input;
use crate::plural::plural;
use anyhow::{Context, Result, bail};
use counts::Counts;
use ninja::{Census, Chunk, Container, DirectoryEntry, File, ObjectTree, VertexKind, poly_name};
use parts::{MotionInfo, ShapeListInfo, SpriteInfo, StreamInfo};
use player::Input;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Print the contents of a Ninja file, FBX file or texture, or a summary of another file.
///
/// A Ninja file: chunks, nodes, vertices, strips, materials, textures, motions, shapes, cells. A binary .fbx
/// file: its records. Textures (.pvr, .pvm) and palettes (.pvp): sizes and formats. A scene (.gltf, .glb,
/// .obj, ASCII .fbx), a picture, a program, a disc, a scene for the PowerVR2 or a capture of the truth
/// program: a summary. Counts apply to the drawn tree: a model that two nodes share counts twice. "look
/// at" lines show possible problems on the hardware or in the library. The exit status is 2 if the file
/// cannot be read, or if its strips use vertices that no vertex list writes.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
        swirl info model.nj\n  \
        swirl info scene.fbx\n  \
        swirl info scene.fbx --tree\n  \
        swirl info scene.fbx --values\n  \
        swirl info skin.pvm\n  \
        swirl info hero.glb --json\n  \
        swirl info game.gdi\n  \
        swirl info walk.njm --tree --values\n  \
        swirl info model.nj --tree\n  \
        swirl info walk.njm --chunks\n  \
        swirl info model.nj --json\n\n\
    JSON: {\"file\", \"bytes\", \"byte_order\", \"container\", \"chunks\": [{\"id\", \"offset\", \
    \"bytes\"}], \"textures\": [name], \"texture_banks\": [n],\n  \
    \"texture_repeats\": [bool], \"models\": [{\"format\", \"nodes\", \"depth\", \"models\", \
    \"vlist_words\", \"plist_words\"}],\n  \
    \"motions\": [{\"id\", \"frames\", \"nodes\", \"elements\": [{\"name\", \"tables\", \"keys\"}], \
    \"interpolation\"}],\n  \
    \"shape_lists\": [{\"shapes\", \"groups\", \"vertices\"}], \"cell_sprites\": [{\"cells\", \
    \"work_bytes\"}],\n  \
    \"cell_streams\": [{\"words\", \"time_offset\", \"time_max\", \"chunks\": {name: n}}], \"vertices\": \
    {kind: n}, \"vertex_chunks\": {kind: n},\n  \
    \"polygon_chunks\": {kind: n}, \"strips\", \"reversed_strips\", \"indices\", \"triangles\", \
    \"indices_direct\",\n  \
    \"indices_through_dp\", \"indices_unresolved\", \"advice\": [text], \"warnings\": [text]}\n\n\
    JSON of .fbx: {\"file\", \"bytes\", \"version\", \"byte_order\", \"records\": [{\"name\", \"values\": \
    [{\"code\", \"value\"}], \"count\",\n  \
    \"children\": [record]}], \"warnings\": [text]}; without --values lists and texts are cut;\n  \
    count is the number of all values\n\n\
    JSON of textures and palettes: {\"file\", \"bytes\", \"textures\": [{\"name\", \"width\", \"height\", \
    \"pixel_format\", \"data_format\",\n  \
    \"mipmaps\", \"data_bytes\", \"global_index\", \"palette_bank\"}], \"palettes\": [{\"pixel_format\", \
    \"bank\", \"first_entry\", \"entries\"}]}\n\n\
    JSON of other scenes: {\"file\", \"bytes\", \"report\": as of convert --json}\n\
    JSON of other files: {\"file\", \"kind\", \"bytes\" but of discs, and values that depend on the kind}")]
pub(crate) struct Args {
    /// File to inspect; - is standard input.
    pub(crate) file: PathBuf,
    /// Print the result as JSON.
    #[arg(long, conflicts_with_all = ["tree", "chunks"])]
    json: bool,
    /// Print nodes, tables, shapes and cells one by one. For textures also the mip levels, for palettes the
    /// entries, for an .fbx file all records.
    #[arg(long, conflicts_with = "chunks")]
    tree: bool,
    /// With --tree of a Ninja file, print the values of all key frames. For an .fbx file, print all records
    /// with complete texts, lists and arrays.
    #[arg(long, conflicts_with = "chunks")]
    values: bool,
    /// Print all bytes with their offsets and meaning.
    #[arg(long)]
    chunks: bool,
}

#[derive(Serialize)]
struct Info {
    file: String,
    bytes: usize,
    byte_order: String,
    container: String,
    chunks: Vec<ChunkInfo>,
    textures: Vec<String>,
    /// Palette bank of each texture.
    texture_banks: Vec<u8>,
    /// Set for a texture that repeats the previous one with another bank.
    texture_repeats: Vec<bool>,
    models: Vec<ModelInfo>,
    motions: Vec<MotionInfo>,
    shape_lists: Vec<ShapeListInfo>,
    cell_sprites: Vec<SpriteInfo>,
    cell_streams: Vec<StreamInfo>,
    vertices: Counts,
    vertex_chunks: Counts,
    polygon_chunks: Counts,
    strips: u64,
    reversed_strips: u64,
    indices: u64,
    triangles: u64,
    indices_direct: u64,
    indices_through_dp: u64,
    indices_unresolved: u64,
    advice: Vec<String>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct ChunkInfo {
    id: String,
    offset: usize,
    bytes: usize,
}

#[derive(Serialize)]
struct ModelInfo {
    format: String,
    nodes: usize,
    depth: usize,
    models: usize,
    /// Number of 32-bit words in all vertex lists, including end words.
    vlist_words: usize,
    /// Number of 16-bit words in all polygon lists, including end words.
    plist_words: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    let input = input::expect("info", &args.file)?;
    let name = args.file.display();
    let options = [
        ("--chunks", args.chunks),
        ("--tree", args.tree),
        ("--values", args.values),
    ];
    let warn = |names: &[&str], what: &str| {
        for (option, _) in options
            .iter()
            .filter(|(name, given)| *given && names.contains(name))
        {
            eprintln!("{name}: warning: {option} has no effect on {what}");
        }
    };
    // The summary reads a disc sector by sector, so the disc is not loaded here.
    let source = match input {
        Input::Disc => Vec::new(),
        _ => input::read(&args.file)?,
    };
    match input {
        Input::Fbx if !ninja::ascii::is_text(&source) => {
            warn(&["--chunks"], "FBX files");
            return records::run(&args.file, &source, args.json, args.tree, args.values);
        }
        Input::Texture | Input::KosTexture | Input::Archive | Input::Palette => {
            warn(&["--chunks", "--values"], "textures and palettes");
            return textures::run(&args.file, &source, input, args.json, args.tree);
        }
        input if !input.is_ninja() => {
            warn(&["--chunks", "--tree", "--values"], "such a file");
            return summary::run(&args.file, &source, input, args.json);
        }
        _ => {}
    }
    if args.values && !args.tree {
        bail!("{name}: --values needs --tree, because it adds values to the tree");
    }
    let parsed = input::ninja(&args.file, &ninja::ascii::Settings::default())?;
    let file = parsed.file;
    let has_keys = file
        .chunks
        .iter()
        .any(|chunk| matches!(chunk, Chunk::Motion(_) | Chunk::ShapeMotion(_)));
    if args.values && !has_keys {
        eprintln!("{name}: warning: --values has no effect: the file has no motion");
    }
    // For an ASCII file, lists the chunks of its binary form.
    let bytes = match parsed.dialect {
        Some(_) => file.write()?,
        None => source.clone(),
    };
    if args.chunks {
        hex::print(&bytes)?;
        return Ok(ExitStatus::Done);
    }
    let census = file.census();
    let directory = match file.container {
        Container::Iff => ninja::directory(&bytes)?,
        Container::PsoMotion => Vec::new(),
    };
    let mut info = Info::of(
        args.file.display().to_string(),
        source.len(),
        &directory,
        &file,
        &census,
    );
    if let Some(dialect) = parsed.dialect {
        info.container = format!("ascii, {dialect:?}").to_lowercase();
    }
    // The place of a warning about an ASCII file begins with the file name. Removes it, and keeps line and
    // column.
    let name = format!("{name}:");
    let warnings = parsed
        .warnings
        .iter()
        .map(|warning| match warning.place.strip_prefix(&name) {
            Some(place) => format!("{place}: {}", warning.text),
            None => warning.text.clone(),
        });
    info.warnings = warnings.collect();
    if args.json {
        println!("{}", serde_json::to_string_pretty(&info)?);
    } else {
        print!("{}", info.text());
    }
    if args.tree {
        console::write_long(|out| tree::print(&file, args.values, out));
    }
    if census.unresolved > 0 || census.bad_draws > 0 {
        // The check fails for the first tree that cannot be drawn, and its error names the tree.
        player::check(&file).with_context(|| info.file.clone())?;
        bail!(
            "{}: {} strip indices name vertices that no vertex list writes, {} DP chunks name a list that no \
            CP chunk stored",
            info.file,
            census.unresolved,
            census.bad_draws
        );
    }
    Ok(ExitStatus::Done)
}

impl Info {
    fn of(name: String, bytes: usize, directory: &[DirectoryEntry], file: &File, census: &Census) -> Self {
        let vertex_name =
            |id: u8| VertexKind::from_id(id).map_or(format!("CV_{id}"), |kind| kind.name().to_owned());
        let polygon_name = |id: u8| poly_name(id).map_or(format!("{id}"), str::to_owned);
        let names = file.texlist().map_or(&[][..], |list| &list.names);
        Self {
            file: name,
            bytes,
            byte_order: format!("{:?}", file.byte_order).to_lowercase(),
            container: match file.container {
                Container::Iff => "iff".to_owned(),
                Container::PsoMotion => "pso".to_owned(),
            },
            chunks: directory
                .iter()
                .map(|entry| ChunkInfo {
                    id: entry.id.to_string(),
                    offset: entry.offset,
                    bytes: entry.bytes,
                })
                .collect(),
            textures: names.iter().map(|name| name.name_lossy().into_owned()).collect(),
            texture_banks: names.iter().map(ninja::TextureName::bank).collect(),
            texture_repeats: names.iter().map(ninja::TextureName::same_as_previous).collect(),
            models: file.models().map(ModelInfo::of).collect(),
            motions: file.chunks.iter().filter_map(MotionInfo::of).collect(),
            shape_lists: file.chunks.iter().filter_map(ShapeListInfo::of).collect(),
            cell_sprites: file.chunks.iter().filter_map(SpriteInfo::of).collect(),
            cell_streams: file.chunks.iter().filter_map(StreamInfo::of).collect(),
            vertices: counts(&census.vertices, vertex_name),
            vertex_chunks: counts(&census.vertex_chunks, vertex_name),
            polygon_chunks: counts(&census.poly_chunks, polygon_name),
            strips: census.strips,
            reversed_strips: census.reversed,
            indices: census.indices,
            triangles: census.triangles,
            indices_direct: census.resolved_directly,
            indices_through_dp: census.resolved_through_dp,
            indices_unresolved: census.unresolved,
            advice: file.advice().iter().map(ToString::to_string).collect(),
            warnings: file.warnings.iter().map(ToString::to_string).collect(),
        }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{}: {} bytes, {}-endian\n",
            self.file, self.bytes, self.byte_order
        );
        let mut line = |what: &str, value: String| {
            if !value.is_empty() {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{what:<16} {value}");
            }
        };
        let chunk = |c: &ChunkInfo| format!("{} {}", c.id, c.bytes);
        let chunks: Vec<String> = self.chunks.iter().map(chunk).collect();
        line("chunks, bytes", chunks.join(", "));
        if self.container.starts_with("ascii") {
            line(
                "container",
                format!("{}; the chunks belong to the binary form", self.container),
            );
        }
        if self.container == "pso" {
            line("container", "none: one motion with a trailer".to_owned());
        }
        line("textures", self.textures_text());
        for model in &self.models {
            let ModelInfo {
                format,
                nodes,
                depth,
                models,
                vlist_words,
                plist_words,
            } = model;
            let lists = format!(
                "{} of 32 bits in vlists, {plist_words} of 16 in plists",
                plural(*vlist_words, "word")
            );
            line(
                "tree",
                format!(
                    "{format}: {}, {}, {}, {lists}",
                    plural(*nodes, "node"),
                    plural(*depth, "level"),
                    plural(*models, "model")
                ),
            );
        }
        self.motions
            .iter()
            .for_each(|motion| line("motion", motion.text()));
        self.shape_lists
            .iter()
            .for_each(|list| line("shapes", list.text()));
        self.cell_sprites
            .iter()
            .for_each(|sprite| line("cell sprite", sprite.text()));
        self.cell_streams
            .iter()
            .for_each(|stream| line("cell stream", stream.text()));
        line("vertices", list(&self.vertices));
        line("vertex chunks", list(&self.vertex_chunks));
        line("polygon chunks", list(&self.polygon_chunks));
        if !self.models.is_empty() {
            self.strips_text(&mut line);
        }
        self.advice
            .iter()
            .for_each(|advice| line("look at", advice.clone()));
        text
    }

    fn textures_text(&self) -> String {
        let banks = self.texture_banks.iter().zip(&self.texture_repeats);
        let text = |(name, (bank, repeats)): (&String, (&u8, &bool))| match (bank, repeats) {
            (0, false) => name.clone(),
            (bank, false) => format!("{name} (bank {bank})"),
            (bank, true) => format!("{name} (the same, bank {bank})"),
        };
        let texts: Vec<String> = self.textures.iter().zip(banks).map(text).collect();
        texts.join(", ")
    }

    fn strips_text(&self, line: &mut impl FnMut(&str, String)) {
        let (strips, reversed) = (self.strips, self.reversed_strips);
        let (indices, triangles) = (self.indices, self.triangles);
        line(
            "strips",
            format!(
                "{strips} ({reversed} reversed), {}, {}",
                plural(indices, "index"),
                plural(triangles, "triangle")
            ),
        );
        let (direct, dp, lost) = (
            self.indices_direct,
            self.indices_through_dp,
            self.indices_unresolved,
        );
        line(
            "indices drawn",
            format!("{direct} directly, {dp} through DP, {lost} without a vertex"),
        );
    }
}

impl ModelInfo {
    fn of(tree: &ObjectTree) -> Self {
        Self {
            format: tree.kind.chunk_id().to_string(),
            nodes: tree.objects.len(),
            depth: tree.walk().map(|(_, depth, _)| depth + 1).max().unwrap_or(0),
            models: tree.models.len(),
            vlist_words: tree.vlists.iter().map(ninja::Vlist::file_words).sum(),
            plist_words: tree.plists.iter().map(ninja::Plist::file_words).sum(),
        }
    }
}

fn counts(by_id: &std::collections::BTreeMap<u8, u64>, name: impl Fn(u8) -> String) -> Counts {
    by_id.iter().map(|(id, n)| (name(*id), (*n).into())).collect()
}

fn list(counts: &Counts) -> String {
    let parts: Vec<String> = counts.iter().map(|(name, n)| format!("{name} {n}")).collect();
    parts.join(", ")
}
