//! Converts a whole scene.

use ninja::{Chunk, EvalFlags, File, Texlist, TextureName};

use crate::check;
use crate::dual;
use crate::emit::{self, Context, Placed};
use crate::error::{Error, Warning, Warnings};
use crate::math::Vec3;
use crate::motion::{self, Joint, Take};
use crate::nodes::Plan;
use crate::notices;
use crate::options::Options;
use crate::parts::{bounds, drawn, normal_loss, placed};
use crate::report::{MotionRow, Report, report};
use crate::shape::Shapes;
use crate::source::Scene;
use crate::texture::Textures;
use crate::views::{self, ViewFile};

/// Result of converting a scene.
pub struct Conversion {
    /// Texture list and model, for a `.nj` file. Empty if the scene has only cameras and lights.
    pub model: File,
    /// One `.njm` file per chosen stack: a model motion, a CompactShape motion or both.
    pub motions: Vec<MotionFile>,
    /// Shape list, for a `.njs` file. The motions refer to it.
    pub shapes: Option<File>,
    /// Motion files of cameras and lights, one per stack. Without a chosen stack, each has a single frame.
    pub views: Vec<ViewFile>,
    /// A `.pvm` archive of the textures, if the scene has any.
    pub archive: Option<Vec<u8>>,
    /// Sizes and losses.
    pub report: Report,
    /// Losses and differences from the source.
    pub warnings: Vec<Warning>,
    scene: Scene,
    drawn: Vec<Drawn>,
}

/// The motions of one stack.
pub struct MotionFile {
    /// Name of the stack.
    pub name: String,
    /// Content of the file.
    pub file: File,
    pub(crate) stack: usize,
    /// Times of the frames, in seconds of the source.
    pub(crate) times: Vec<f64>,
}

/// Source vertices by the slots that hold them when a node is drawn.
pub(crate) struct Drawn {
    /// Index of the node in drawing order.
    pub(crate) node: usize,
    pub(crate) name: String,
    pub(crate) source_node: usize,
    pub(crate) source_mesh: usize,
    /// Pairs of slot and source vertex.
    pub(crate) slots: Vec<(u16, u32)>,
    /// Normals of the source at rest in its world space, one per entry of `slots`.
    pub(crate) normals: Vec<Vec3>,
    /// Source triangles that became volume chunks, as slots.
    pub(crate) volume: Vec<[u16; 3]>,
}

/// Converts a scene. `files` finds textures, and the buffers and materials of glTF and OBJ files, by the
/// paths in the scene.
///
/// # Errors
/// If the file cannot be read (with the place in its record tree, or the exceeded limit), or lacks a
/// requested stack. Also if transforms are not numbers, meshes do not fit into the vertex buffer, or
/// images are damaged.
pub fn convert(
    bytes: &[u8],
    options: &Options,
    files: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Conversion, Error> {
    let mut warnings = Warnings::default();
    let scene = Scene::load(bytes, options, files, &mut warnings)?;
    let textures = Textures::load(&scene, options, files, &mut warnings)?;
    let plan = Plan::new(&scene, options.leaf_bones, &mut warnings)?;
    let stacks = motion::chosen(&scene, options, &mut warnings)?;
    let takes = motion::takes(&scene, &plan, &stacks, options, &mut warnings)?;
    let poses = motion::poses(&plan, &takes);
    let placed = placed(
        &scene,
        &plan,
        &textures,
        (&stacks, &poses),
        options,
        &mut warnings,
    )?;
    let bounds = bounds(&plan, &placed);
    let size = bounds.size;
    let context = Context {
        scene: &scene,
        plan: &plan,
        textures: &textures,
        options,
        small: 1e-7 * size,
    };
    let tree = emit::tree(&context, &placed)?;
    let normal = normal_loss(&plan, &placed, &mut warnings);
    let mut report = report(&context, &placed, &tree, size, normal);
    report.loss.dual_quaternion = dual::loss(&scene, &plan, &placed, &takes, size, &mut warnings)?;
    let (motions, shapes) = motions(&context, &placed, &tree.tree, takes, &mut report, &mut warnings)?;
    let views = views::views(&scene, &stacks, bounds, options, &mut warnings)?;
    notices::add(&scene, &plan, &views, &stacks, &report, &mut warnings);
    let shown = |p: &&Placed| {
        !tree.tree.objects[p.placement.draws]
            .evalflags
            .contains(EvalFlags::HIDE)
    };
    let drawn = placed
        .iter()
        .filter(shown)
        .map(|p| drawn(p, &scene, &plan))
        .collect();
    let mut chunks = Vec::new();
    if !textures.entries.is_empty() {
        let names = textures
            .entries
            .iter()
            .map(|e| TextureName::new(e.name.as_bytes()));
        chunks.push(Chunk::Texlist(Texlist::new(names.collect())));
    }
    if !plan.nodes.is_empty() {
        chunks.push(Chunk::Model(tree.tree));
    }
    report.views = views.rows;
    report.warnings = warnings.list.iter().map(ToString::to_string).collect();
    Ok(Conversion {
        model: File::new(chunks),
        motions,
        shapes,
        views: views.files,
        archive: textures.archive()?,
        report,
        drawn,
        warnings: warnings.list,
        scene,
    })
}

/// Vertex positions of a mesh by source vertex, in the model's space.
#[derive(Debug, Clone, PartialEq)]
pub struct Positions {
    /// Node of the mesh.
    pub node: String,
    /// `None` for vertices without a triangle.
    pub vertices: Vec<Option<[f64; 3]>>,
}

impl Conversion {
    /// Writes all files to memory and reads them back. Returns the vertex positions of each mesh at a frame
    /// of a motion (an index into [`Conversion::motions`]), or at rest.
    ///
    /// # Errors
    /// If a file cannot be written or read back.
    pub fn positions(&self, motion: Option<(usize, u32)>) -> Result<Vec<Positions>, Error> {
        check::positions(self, &self.drawn, motion)
    }

    /// Writes all files to memory, reads them back and plays them on `evaluator`. Compares the positions of
    /// all vertices with the source, at rest and at the frames of the motions. Stores the result in the
    /// report.
    ///
    /// # Errors
    /// If a file cannot be written, read back or played, or the source exceeds a limit.
    pub fn check(&mut self, evaluator: &mut dyn check::Evaluator) -> Result<&check::Checked, Error> {
        let checked = check::check(&self.scene, self, &self.drawn, evaluator)?;
        Ok(self.report.check.insert(checked))
    }
}

/// Returns the motions of the chosen stacks, and their shape list.
fn motions(
    context: &Context<'_>,
    placed: &[Placed],
    tree: &ninja::ObjectTree,
    takes: Vec<Take>,
    report: &mut Report,
    warnings: &mut Warnings,
) -> Result<(Vec<MotionFile>, Option<File>), Error> {
    let (scene, options, plan) = (context.scene, context.options, context.plan);
    let mut shapes = Shapes::new(placed, plan.nodes.len());
    let (mut made, mut tracks) = (Vec::new(), Vec::new());
    let joints = Joint::of_plan(plan, tree);
    for take in takes {
        let tolerance = options.position_tolerance * report.size;
        tracks.push(shapes.sample(scene, &take, placed, plan, tolerance)?);
        let motion = motion::motion(&take.samples, &joints, report.size, options, warnings);
        made.push((motion, take));
    }
    let (list, shape_motions) = shapes.finish(&tracks, placed, plan, warnings);
    report.shapes = list.as_ref().map_or(0, |l| l.shapes.len());
    let (mut files, mut still) = (Vec::new(), Vec::new());
    for (i, ((motion, take), shape_motion)) in made.into_iter().zip(shape_motions).enumerate() {
        let source = &scene.stacks[take.stack];
        let mut row = MotionRow {
            stack: source.name.clone(),
            frames: take.times.len() as u32,
            rate: take.rate,
            begin: source.begin,
            shape_keys: tracks[i].as_ref().map_or(0, |t| t.key_count()),
            ..MotionRow::default()
        };
        let mut chunks = Vec::new();
        if let Some(made) = motion {
            row.tables = made.motion.tracks.len();
            row.keys = made.motion.tracks.iter().map(ninja::Keys::len).sum();
            row.sampled_keys = made.sampled_keys;
            chunks.push(Chunk::Motion(made.motion));
        }
        chunks.extend(shape_motion.map(Chunk::ShapeMotion));
        if plan.nodes.is_empty() {
            continue;
        }
        if chunks.is_empty() {
            still.push(source.name.as_str());
            continue;
        }
        report.motions.push(row);
        files.push(MotionFile {
            name: source.name.clone(),
            file: File::new(chunks),
            stack: take.stack,
            times: take.times,
        });
    }
    motion::warn_of_still(&still, warnings);
    Ok((files, list.map(|l| File::new(vec![Chunk::ShapeList(l)]))))
}
