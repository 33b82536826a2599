//! What was made, and what it cost.

use serde::Serialize;

use crate::check::Checked;
use crate::emit::{self, Context, Placed};
use crate::skin;
use crate::strip::Strip;
use crate::views::ViewRow;

/// Sizes, losses and warnings of a conversion.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// The nodes in the order of the tree, which is that of motions.
    pub nodes: Vec<NodeRow>,
    /// Vertices after welding; those of instances count again.
    pub vertices: usize,
    /// Vertices of more than one bone.
    pub weighted_vertices: usize,
    /// Triangles drawn.
    pub triangles: usize,
    /// Triangles left out because two of their corners are the same vertex.
    pub degenerate_triangles: usize,
    /// The strips.
    pub strips: StripCount,
    /// Polygons, or triangles in strips, of collision and modifier volumes.
    pub volume_polygons: usize,
    /// The largest distance of two corners of the box around the model at rest.
    pub size: f64,
    /// What rounding and capping took away.
    pub loss: Loss,
    /// The texture list.
    pub textures: Vec<TextureRow>,
    /// The motions.
    pub motions: Vec<MotionRow>,
    /// Cameras and lights, those without a form as well.
    pub views: Vec<ViewRow>,
    /// Shapes in the shape list.
    pub shapes: usize,
    /// How far the written files are from the source; only if it was asked for.
    pub check: Option<Checked>,
    /// What was lost or done differently.
    pub warnings: Vec<String>,
}

/// A node of the tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeRow {
    /// Its name in the source.
    pub name: String,
    /// Its parent's place in the list.
    pub parent: Option<usize>,
    /// Its evalflags.
    pub evalflags: u32,
    /// Triangles that it draws.
    pub triangles: usize,
}

/// Counts of strips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct StripCount {
    /// Strips.
    pub strips: usize,
    /// Their entries.
    pub entries: usize,
    /// 16-bit words that they take, with their lengths.
    pub words: usize,
    /// Entries of the longest.
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

/// The largest loss of each kind that the conversion itself knows of.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Loss {
    /// Rounding of texture coordinates, in texture widths.
    pub uv: f64,
    /// Rounding of angles at rest, in degrees.
    pub angle: f64,
    /// Angle between the normals that the runtime makes and those of the surface, in degrees: it transforms
    /// normals as it does positions, which is not right where scales differ by direction. Of meshes without
    /// bones, at rest.
    pub normal: f64,
    /// Weight of bones beyond the most that a vertex may have, 0 to 1.
    pub weight: f64,
    /// Largest distance of a vertex by linear skinning, which is written, from its place by the dual
    /// quaternions that the file states: at rest and at all frames of the motions, as a share of `size`.
    pub dual_quaternion: f64,
}

/// A texture of the list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TextureRow {
    /// Its name.
    pub name: String,
    /// Width, height and format, where there is an image.
    pub image: Option<(u32, u32, String)>,
}

/// A motion.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MotionRow {
    /// The stack's name.
    pub stack: String,
    /// Length in frames.
    pub frames: u32,
    /// Frames a second.
    pub rate: f64,
    /// When the first frame is, in seconds of the source.
    pub begin: f64,
    /// Key tables.
    pub tables: usize,
    /// Keys kept.
    pub keys: usize,
    /// Keys that one for each frame would have been.
    pub sampled_keys: usize,
    /// Key shapes of CompactShape.
    pub shape_keys: usize,
}

/// The report of the tree; motions, warnings and what dual quaternions lose come later.
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
        ..Report::default()
    }
}
