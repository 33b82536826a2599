//! Report of a conversion: sizes, losses and warnings.

use serde::Serialize;

use crate::check::Checked;
use crate::emit::{self, Context, Placed};
use crate::skin;
use crate::strip::Strip;
use crate::views::ViewRow;

/// Sizes, losses and warnings of a conversion.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// Nodes in tree order. Motions list their nodes in the same order.
    pub nodes: Vec<NodeRow>,
    /// Vertices after welding; each instance counts.
    pub vertices: usize,
    /// Vertices with more than one bone.
    pub weighted_vertices: usize,
    /// Drawn triangles.
    pub triangles: usize,
    /// Triangles left out because two of their corners are the same vertex.
    pub degenerate_triangles: usize,
    /// Strip counts.
    pub strips: StripCount,
    /// Polygons of collision and modifier volumes; a strip counts as its triangles.
    pub volume_polygons: usize,
    /// Diagonal of the model's bounding box at rest.
    pub size: f64,
    /// Losses by rounding and limits.
    pub loss: Loss,
    /// Textures of the list.
    pub textures: Vec<TextureRow>,
    /// Bytes of video memory that the textures take.
    pub texture_bytes: usize,
    /// Motions.
    pub motions: Vec<MotionRow>,
    /// Cameras and lights, including those without a Ninja form.
    pub views: Vec<ViewRow>,
    /// Number of shapes in the shape list.
    pub shapes: usize,
    /// Differences between the written files and the source, if requested.
    pub check: Option<Checked>,
    /// Losses and differences from the source.
    pub warnings: Vec<String>,
}

/// A node of the tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeRow {
    /// Name in the source.
    pub name: String,
    /// Index of the parent in the list.
    pub parent: Option<usize>,
    /// Evaluation flags.
    pub evalflags: u32,
    /// Number of triangles that the node draws.
    pub triangles: usize,
}

/// Counts of strips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct StripCount {
    /// Number of strips.
    pub strips: usize,
    /// Number of entries.
    pub entries: usize,
    /// Number of 16-bit words, including the strips' lengths.
    pub words: usize,
    /// Entries of the longest strip.
    pub longest: usize,
}

impl StripCount {
    pub(crate) fn add(&mut self, strip: &Strip, words: usize) {
        self.strips += 1;
        self.entries += strip.entries.len();
        self.words += words;
        self.longest = self.longest.max(strip.entries.len());
    }
}

/// Largest loss of each kind, as the conversion computes it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Loss {
    /// Rounding error of texture coordinates, in texture widths.
    pub uv: f64,
    /// Rounding error of angles at rest, in degrees.
    pub angle: f64,
    /// Angle between the runtime's normals and the surface's, in degrees. The runtime transforms normals like
    /// positions, which is wrong if scales differ by direction. Covers meshes without bones, at rest.
    pub normal: f64,
    /// Weight of the bones dropped from a vertex with too many, 0 to 1.
    pub weight: f64,
    /// Largest distance between a vertex with the written linear skinning and with the file's dual
    /// quaternions. Covers the rest pose and all frames of the motions, as a share of `size`.
    pub dual_quaternion: f64,
}

/// A texture of the list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TextureRow {
    /// Name.
    pub name: String,
    /// Width, height and format, if an image was found.
    pub image: Option<(u32, u32, String)>,
}

/// A motion.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MotionRow {
    /// Name of the stack.
    pub stack: String,
    /// Length in frames.
    pub frames: u32,
    /// Frames per second.
    pub rate: f64,
    /// Time of the first frame, in seconds of the source.
    pub begin: f64,
    /// Number of key tables.
    pub tables: usize,
    /// Number of keys.
    pub keys: usize,
    /// Number of keys before reduction: one per frame.
    pub sampled_keys: usize,
    /// Number of key shapes in the CompactShape motion.
    pub shape_keys: usize,
}

/// Creates the report of the tree. Motions, warnings and dual-quaternion losses are added later.
pub(crate) fn report(
    context: &Context<'_>,
    placed: &[Placed],
    tree: &emit::Tree,
    size: f64,
    normal: f64,
) -> Report {
    let mut drawn = vec![0; context.plan.nodes.len()];
    for placed in placed {
        drawn[placed.placement.draws] += placed.part.triangles();
    }
    let row = |(i, planned): (usize, &crate::nodes::Planned)| NodeRow {
        name: planned.name.clone(),
        parent: planned.parent,
        evalflags: tree.tree.objects[i].evalflags.0,
        triangles: drawn[i],
    };
    let groups = || placed.iter().flat_map(|p| &p.part.groups);
    let starts = |p: &Placed| -> usize {
        let started = p
            .placement
            .contributions
            .iter()
            .filter(|c| c.class == skin::Class::Start);
        started.map(|c| c.vertices.len()).sum()
    };
    let texture = |e: &crate::texture::Entry| TextureRow {
        name: e.name.clone(),
        image: e
            .texture
            .as_ref()
            .map(|t| (t.width, t.height, format!("{:?}", t.pixel_format))),
    };
    Report {
        nodes: context.plan.nodes.iter().enumerate().map(row).collect(),
        vertices: placed.iter().map(|p| p.part.vertices.len()).sum(),
        weighted_vertices: placed.iter().map(starts).sum(),
        triangles: placed.iter().map(|p| p.part.triangles()).sum(),
        degenerate_triangles: placed.iter().map(|p| p.part.degenerate).sum(),
        strips: tree.strips,
        volume_polygons: tree.volume_polygons,
        size,
        loss: Loss {
            normal,
            uv: groups().map(|g| g.uv_error).fold(0.0, f64::max),
            angle: tree.angle_error * 360.0,
            dual_quaternion: 0.0,
            weight: placed.iter().map(|p| p.placement.capped).fold(0.0, f64::max),
        },
        textures: context.textures.entries.iter().map(texture).collect(),
        texture_bytes: context.textures.bytes(),
        ..Report::default()
    }
}
