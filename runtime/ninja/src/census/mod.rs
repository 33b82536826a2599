//! Statistics on the contents of files.

mod motion;

pub use motion::{MotionCensus, ShapeCensus};

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::chunk_id::ChunkId;
use crate::file::{Chunk, File};
use crate::plist::PolyChunk;
use crate::resolve::resolve;
use crate::tree::{Object, ObjectTree, PlistId, VlistId};
use crate::vlist::VertexChunk;

/// Counts by chunk id.
type ById = BTreeMap<u8, u64>;

/// Counts over one or more files. `+=` merges two censuses.
///
/// Models and lists count once for every node that refers to them. The `distinct_*` fields count them once.
/// docs/formats/ninja.md 5.1 lists such counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Census {
    /// Files.
    pub files: u64,
    /// IFF chunks by name, including pointer lists.
    pub chunks: BTreeMap<ChunkId, u64>,
    /// Nodes.
    pub nodes: u64,
    /// Largest number of nodes in one tree.
    pub max_nodes: u64,
    /// Levels of the deepest tree; 1 for a tree of only a root.
    pub depth: u64,
    /// Nodes by bit of their evalflags.
    pub evalflags: [u64; 32],
    /// Nodes with an angle beyond -0x8000..=0x8000.
    pub wide_angles: u64,
    /// Nodes with a model.
    pub models: u64,
    /// Models with a vertex list.
    pub with_vlist: u64,
    /// Models with a polygon list.
    pub with_plist: u64,
    /// Models in the file.
    pub distinct_models: u64,
    /// Vertex lists in the file.
    pub distinct_vlists: u64,
    /// Polygon lists in the file.
    pub distinct_plists: u64,
    /// Vertex chunks by id.
    pub vertex_chunks: ById,
    /// Vertices by id of their chunk.
    pub vertices: ById,
    /// Vertex chunks with an index offset other than 0.
    pub index_offsets: u64,
    /// Weighted vertex chunks by headbits.
    pub weight_heads: ById,
    /// Polygon chunks by id; end words count as id 255.
    pub poly_chunks: ById,
    /// Strips.
    pub strips: u64,
    /// Reversed strips.
    pub reversed: u64,
    /// Strip entries.
    pub indices: u64,
    /// Triangles of strips, including degenerate ones.
    pub triangles: u64,
    /// Strip chunks by the number of words after their last strip: 0, 1, 2, more.
    pub strip_tails: [u64; 4],
    /// Strip and volume indices, as drawn, that refer to a vertex directly.
    pub resolved_directly: u64,
    /// Strip and volume indices that refer to a vertex through DP.
    pub resolved_through_dp: u64,
    /// Strip and volume indices that refer to no vertex.
    pub unresolved: u64,
    /// DP chunks without effect: the number is unset, or its list is already being drawn.
    pub bad_draws: u64,
    /// Trees that exceed the work limit for resolving indices; their index counts are incomplete.
    pub cut_short: u64,
    /// Texture names.
    pub texture_names: u64,
    /// Pointer list entries by width: 1, 2 and 4 bytes.
    pub pof0_widths: [u64; 3],
    /// Pointer list padding bytes.
    pub pof0_padding: u64,
    /// Counts over motions.
    pub motions: MotionCensus,
    /// Counts over shape lists, cell sprites and streams.
    pub shapes: ShapeCensus,
    /// Warnings.
    pub warnings: u64,
}

impl Census {
    /// Number of vertices of all kinds.
    pub fn total_vertices(&self) -> u64 {
        self.vertices.values().sum()
    }

    /// Number of polygon chunks of all kinds, including end words.
    pub fn total_poly_chunks(&self) -> u64 {
        self.poly_chunks.values().sum()
    }

    /// Number of material chunks: ids 17 to 31 except 24, the bump chunk.
    pub fn materials(&self) -> u64 {
        self.poly_chunks
            .iter()
            .filter(|(id, _)| (17..=31).contains(*id) && **id != 24)
            .map(|(_, n)| n)
            .sum()
    }

    /// Number of polygon chunks with one id, such as 8 for textures, 4 for CP, 5 for DP.
    pub fn poly_chunks_of(&self, id: u8) -> u64 {
        self.poly_chunks.get(&id).copied().unwrap_or(0)
    }

    /// Number of pointer list entries.
    pub fn pof0_pointers(&self) -> u64 {
        self.pof0_widths.iter().sum()
    }

    fn chunk(&mut self, chunk: &Chunk) {
        *self.chunks.entry(chunk.id()).or_default() += 1;
        if let Some(pof0) = chunk.pof0() {
            *self.chunks.entry(ChunkId::POF0).or_default() += 1;
            let stats = pof0.stats();
            add(&mut self.pof0_widths, &stats.widths);
            self.pof0_padding += stats.padding;
        }
        match chunk {
            Chunk::Texlist(list) => self.texture_names += list.names.len() as u64,
            Chunk::Model(tree) => self.tree(tree),
            Chunk::Motion(motion) => self.motions.motion(motion),
            Chunk::ShapeMotion(motion) => self.motions.shape_motion(motion),
            Chunk::ShapeList(list) => self.shapes.list(list),
            Chunk::CellSprite(sprite) => self.shapes.sprite(sprite),
            Chunk::CellStream(stream) => self.shapes.stream(stream),
            Chunk::Raw(_) => {}
        }
    }

    fn tree(&mut self, tree: &ObjectTree) {
        self.nodes += tree.objects.len() as u64;
        self.max_nodes = self.max_nodes.max(tree.objects.len() as u64);
        self.distinct_models += tree.models.len() as u64;
        self.distinct_vlists += tree.vlists.len() as u64;
        self.distinct_plists += tree.plists.len() as u64;
        let (mut vlists, mut plists) = (vec![0; tree.vlists.len()], vec![0; tree.plists.len()]);
        for (_, depth, object) in tree.walk() {
            self.depth = self.depth.max(depth as u64 + 1);
            self.object(object);
            if let Some(model) = object.model.and_then(|id| tree.model(id)) {
                self.models += 1;
                self.with_vlist += use_list(&mut vlists, model.vlist.map(VlistId::index));
                self.with_plist += use_list(&mut plists, model.plist.map(PlistId::index));
            }
        }
        for (list, uses) in tree.vlists.iter().zip(vlists) {
            list.chunks
                .iter()
                .for_each(|chunk| self.vertex_chunk(chunk, uses));
        }
        for (list, uses) in tree.plists.iter().zip(plists) {
            *self.poly_chunks.entry(255).or_default() += uses;
            list.chunks.iter().for_each(|chunk| self.poly_chunk(chunk, uses));
        }
        let resolved = resolve(tree);
        self.resolved_directly += resolved.direct;
        self.resolved_through_dp += resolved.through_dp;
        self.unresolved += resolved.unresolved;
        self.bad_draws += resolved.bad_draws;
        self.cut_short += u64::from(resolved.cut_short);
    }

    fn object(&mut self, object: &Object) {
        for (bit, count) in self.evalflags.iter_mut().enumerate() {
            *count += u64::from(object.evalflags.0 >> bit & 1);
        }
        let wide = object.ang.iter().any(|a| a.0.unsigned_abs() > 0x8000);
        self.wide_angles += u64::from(wide && object.quaternion().is_none());
    }

    /// Counts a vertex chunk of a list that `n` models use.
    fn vertex_chunk(&mut self, chunk: &VertexChunk, n: u64) {
        *self.vertex_chunks.entry(chunk.kind.id()).or_default() += n;
        *self.vertices.entry(chunk.kind.id()).or_default() += n * u64::from(chunk.count);
        self.index_offsets += n * u64::from(chunk.index_offset != 0);
        if chunk.kind.ninja_word().is_some() {
            *self.weight_heads.entry(chunk.headbits).or_default() += n;
        }
    }

    /// Counts a polygon chunk of a list that `n` models use.
    fn poly_chunk(&mut self, chunk: &PolyChunk, n: u64) {
        *self.poly_chunks.entry(chunk.id()).or_default() += n;
        let PolyChunk::Strip(chunk) = chunk else { return };
        self.strips += n * chunk.strips.len() as u64;
        self.strip_tails[chunk.tail().len().min(3)] += n;
        for strip in &chunk.strips {
            self.reversed += n * u64::from(strip.reversed);
            self.indices += n * u64::from(strip.len);
            self.triangles += n * strip.triangles() as u64;
        }
    }
}

/// Records the use of a list. Returns 1 if there is a list, otherwise 0.
fn use_list(uses: &mut [u64], list: Option<usize>) -> u64 {
    match list.and_then(|i| uses.get_mut(i)) {
        Some(count) => {
            *count += 1;
            1
        }
        None => 0,
    }
}

impl File {
    /// Counts the contents of the file.
    pub fn census(&self) -> Census {
        let mut census = Census {
            files: 1,
            warnings: self.warnings.len() as u64,
            ..Census::default()
        };
        self.chunks.iter().for_each(|chunk| census.chunk(chunk));
        census
    }
}

fn add(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

fn add_map<K: Ord + Copy>(to: &mut BTreeMap<K, u64>, from: &BTreeMap<K, u64>) {
    for (key, count) in from {
        *to.entry(*key).or_default() += count;
    }
}

impl AddAssign<&Census> for Census {
    /// Adds the counts; `max_nodes` and `depth` take the larger.
    fn add_assign(&mut self, other: &Census) {
        // Destructuring makes the compiler report new fields that are missing here.
        let Census {
            files,
            chunks,
            nodes,
            max_nodes,
            depth,
            evalflags,
            wide_angles,
            models,
            with_vlist,
            with_plist,
            distinct_models,
            distinct_vlists,
            distinct_plists,
            vertex_chunks,
            vertices,
            index_offsets,
            weight_heads,
            poly_chunks,
            strips,
            reversed,
            indices,
            triangles,
            strip_tails,
            resolved_directly,
            resolved_through_dp,
            unresolved,
            bad_draws,
            cut_short,
            texture_names,
            pof0_widths,
            pof0_padding,
            motions,
            shapes,
            warnings,
        } = other;
        self.motions += motions;
        self.shapes += shapes;
        let sums = [
            (&mut self.files, files),
            (&mut self.nodes, nodes),
            (&mut self.wide_angles, wide_angles),
            (&mut self.models, models),
            (&mut self.with_vlist, with_vlist),
            (&mut self.with_plist, with_plist),
            (&mut self.distinct_models, distinct_models),
            (&mut self.distinct_vlists, distinct_vlists),
            (&mut self.distinct_plists, distinct_plists),
            (&mut self.index_offsets, index_offsets),
            (&mut self.strips, strips),
            (&mut self.reversed, reversed),
            (&mut self.indices, indices),
            (&mut self.triangles, triangles),
            (&mut self.resolved_directly, resolved_directly),
            (&mut self.resolved_through_dp, resolved_through_dp),
            (&mut self.unresolved, unresolved),
            (&mut self.bad_draws, bad_draws),
            (&mut self.cut_short, cut_short),
            (&mut self.texture_names, texture_names),
            (&mut self.pof0_padding, pof0_padding),
            (&mut self.warnings, warnings),
        ];
        sums.into_iter().for_each(|(to, from)| *to += from);
        self.max_nodes = self.max_nodes.max(*max_nodes);
        self.depth = self.depth.max(*depth);
        add(&mut self.evalflags, evalflags);
        add(&mut self.strip_tails, strip_tails);
        add(&mut self.pof0_widths, pof0_widths);
        add_map(&mut self.chunks, chunks);
        for (to, from) in [
            (&mut self.vertex_chunks, vertex_chunks),
            (&mut self.vertices, vertices),
            (&mut self.weight_heads, weight_heads),
            (&mut self.poly_chunks, poly_chunks),
        ] {
            add_map(to, from);
        }
    }
}
