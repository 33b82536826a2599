//! The conversion as a whole.

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

/// What a scene became.
pub struct Conversion {
    /// Texture list and model, for a `.nj` file. Without chunks where the scene has cameras and lights alone.
    pub model: File,
    /// One `.njm` file for each stack that was chosen: a model motion, a CompactShape motion or both.
    pub motions: Vec<MotionFile>,
    /// The shape list, for a `.njs` file; the motions refer to it.
    pub shapes: Option<File>,
    /// A motion file for each camera and light and each stack, or one of a single frame where no stack was
    /// chosen.
    pub views: Vec<ViewFile>,
    /// A `.pvm` archive of all textures whose images were found.
    pub archive: Option<Vec<u8>>,
    /// Sizes and losses.
    pub report: Report,
    /// What was lost or done differently.
    pub warnings: Vec<Warning>,
    scene: Scene,
    drawn: Vec<Drawn>,
}

/// The motions of one stack.
pub struct MotionFile {
    /// The stack's name.
    pub name: String,
    /// The file.
    pub file: File,
    pub(crate) stack: usize,
    /// When the frames are, in seconds of the source.
    pub(crate) times: Vec<f64>,
}

/// Which slots hold which source vertices when a node draws them.
pub(crate) struct Drawn {
    /// In drawing order.
    pub(crate) node: usize,
    pub(crate) name: String,
    pub(crate) source_node: usize,
    pub(crate) source_mesh: usize,
    /// Slot and source vertex.
    pub(crate) slots: Vec<(u16, u32)>,
    /// The normals of the source at rest, in its world, beside `slots`.
    pub(crate) normals: Vec<Vec3>,
    /// The triangles of the source that became volume chunks, by slots.
    pub(crate) volume: Vec<[u16; 3]>,
}

/// Converts a scene. `files` finds textures, and the buffers and materials of glTF and OBJ files, by the
/// paths that the file names.
///
/// # Errors
/// A file that cannot be read (with the place in its record tree or the limit it meets), a scene without
/// nodes, a stack that does not exist, transforms that are no numbers, meshes that do not fit into the vertex
/// buffer, images that are damaged.
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

/// Where the vertices of a mesh are, by vertex of the source, in the model's space.
#[derive(Debug, Clone, PartialEq)]
pub struct Positions {
    /// The node that the mesh hangs on.
    pub node: String,
    /// `None` for vertices without a triangle.
    pub vertices: Vec<Option<[f64; 3]>>,
}

impl Conversion {
    /// Writes all files to memory, reads them again, and tells where a frame of a motion (by its number among
    /// [`Conversion::motions`]), or the model at rest, has the vertices of each mesh.
    ///
    /// # Errors
    /// If something has no file form or is not read back.
    pub fn positions(&self, motion: Option<(usize, u32)>) -> Result<Vec<Positions>, Error> {
        check::positions(self, &self.drawn, motion)
    }

    /// Writes all files to memory, reads them again, lets `evaluator` play them and compares the positions of
    /// all vertices with those that the source has at rest and at the frames of the motions. The result is in
    /// the report.
    ///
    /// # Errors
    /// If something has no file form, is not read back or not played, or the source cannot be evaluated
    /// within the limits.
    pub fn check(&mut self, evaluator: &mut dyn check::Evaluator) -> Result<&check::Checked, Error> {
        let checked = check::check(&self.scene, self, &self.drawn, evaluator)?;
        Ok(self.report.check.insert(checked))
    }
}

/// The motions of the chosen stacks, and the shapes that they go through.
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
    let mut files = Vec::new();
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
            warnings.add(
                format!("animation stack {:?}", source.name),
                "nothing moves: no motion is written",
            );
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
    Ok((files, list.map(|l| File::new(vec![Chunk::ShapeList(l)]))))
}
