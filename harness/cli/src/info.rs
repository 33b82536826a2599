//! `swirl info`: what is inside a file.

use crate::{Outcome, assets, convert_fbx, info_fbx};
use anyhow::{Context, Result, bail};
use ninja::{Census, DirectoryEntry, File, ObjectTree, VertexKind, poly_name};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Tell what is inside a Ninja file: chunks, nodes, vertices, strips, materials, textures; or the records of a
/// binary .fbx file.
///
/// Counts are taken as the file is drawn: a model that two nodes share counts twice. Exit status 2 if the file cannot
/// be read, or if its strips name vertices that no vertex list makes.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl info model.nj\n  swirl info model.nj --json\n\n\
    JSON: {\"file\", \"bytes\", \"byte_order\", \"chunks\": [{\"id\", \"offset\", \"bytes\"}], \"textures\": [name], \"models\": [{\"format\", \"nodes\", \
    \"depth\",\n  \"models\"}], \"vertices\": {kind: n}, \"vertex_chunks\": {kind: n}, \"polygon_chunks\": {kind: n}, \"strips\", \"reversed_strips\",\n  \
    \"indices\", \"triangles\", \"indices_direct\", \"indices_through_dp\", \"indices_unresolved\", \"warnings\": [text]}"
)]
pub(crate) struct Args {
    /// The file.
    file: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info {
    file: String,
    bytes: usize,
    byte_order: String,
    chunks: Vec<ChunkInfo>,
    textures: Vec<String>,
    models: Vec<ModelInfo>,
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
    warnings: Vec<String>,
}

/// Names with their counts, in the order of the chunk numbers.
type Counts = serde_json::Map<String, serde_json::Value>;

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
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let bytes = assets::read(&args.file)?;
    if convert_fbx::is_fbx(&args.file) {
        return info_fbx::run(&args.file, &bytes, args.json);
    }
    let file = assets::parse_model(&args.file, &bytes)?;
    let census = file.census();
    let info = Info::of(
        args.file.display().to_string(),
        bytes.len(),
        &ninja::directory(&bytes)?,
        &file,
        &census,
    );
    if args.json {
        println!("{}", serde_json::to_string_pretty(&info)?);
    } else {
        print!("{}", info.text());
    }
    if census.unresolved > 0 || census.bad_draws > 0 {
        // Drawing meets the first of them, and knows where it is.
        crate::frame::check(&file).with_context(|| info.file.clone())?;
        bail!(
            "{}: {} strip indices name vertices that no vertex list makes, {} DP chunks name no remembered list",
            info.file,
            census.unresolved,
            census.bad_draws
        );
    }
    Ok(Outcome::Done)
}

impl Info {
    fn of(name: String, bytes: usize, directory: &[DirectoryEntry], file: &File, census: &Census) -> Self {
        let vertex_name =
            |id: u8| VertexKind::from_id(id).map_or(format!("CV_{id}"), |kind| kind.name().to_owned());
        let polygon_name = |id: u8| poly_name(id).map_or(format!("{id}"), str::to_owned);
        Self {
            file: name,
            bytes,
            byte_order: format!("{:?}", file.byte_order).to_lowercase(),
            chunks: directory
                .iter()
                .map(|entry| ChunkInfo {
                    id: entry.id.to_string(),
                    offset: entry.offset,
                    bytes: entry.bytes,
                })
                .collect(),
            textures: file
                .texlist()
                .map(|list| {
                    list.names
                        .iter()
                        .map(|name| name.name_lossy().into_owned())
                        .collect()
                })
                .unwrap_or_default(),
            models: file.models().map(ModelInfo::of).collect(),
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
        let chunks: Vec<String> = self
            .chunks
            .iter()
            .map(|c| format!("{} {}", c.id, c.bytes))
            .collect();
        line("chunks, bytes", chunks.join(", "));
        line("textures", self.textures.join(", "));
        for model in &self.models {
            let ModelInfo {
                format,
                nodes,
                depth,
                models,
            } = model;
            line(
                "tree",
                format!("{format}: {nodes} nodes, {depth} levels, {models} models"),
            );
        }
        line("vertices", list(&self.vertices));
        line("vertex chunks", list(&self.vertex_chunks));
        line("polygon chunks", list(&self.polygon_chunks));
        let Self {
            strips,
            reversed_strips,
            indices,
            triangles,
            ..
        } = self;
        line(
            "strips",
            format!("{strips} ({reversed_strips} reversed), {indices} indices, {triangles} triangles"),
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
        text
    }
}

impl ModelInfo {
    fn of(tree: &ObjectTree) -> Self {
        Self {
            format: tree.kind.chunk_id().to_string(),
            nodes: tree.objects.len(),
            depth: tree.walk().map(|(_, depth, _)| depth + 1).max().unwrap_or(0),
            models: tree.models.len(),
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
