//! The conversion as a whole.

use ninja::{Chunk, EvalFlags, File, Texlist, TextureName};

use crate::check;
use crate::emit::{self, Context, Placed, extent};
use crate::error::{Error, Warning, Warnings};
use crate::math::{Vec3, angle};
use crate::mesh::{self, Recipe};
use crate::motion::{self, Samples};
use crate::nodes::Plan;
use crate::options::Options;
use crate::report::{Loss, MotionRow, NodeRow, Report, TextureRow};
use crate::shape::{Shapes, Take};
use crate::skin;
use crate::source::Scene;
use crate::texture::Textures;

/// What a scene became.
pub struct Conversion {
    /// Texture list and model, for a `.nj` file.
    pub model: File,
    /// One `.njm` file for each stack that was chosen: a model motion, a CompactShape motion or both.
    pub motions: Vec<MotionFile>,
    /// The shape list, for a `.njs` file; the motions refer to it.
    pub shapes: Option<File>,
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
}

/// Converts an FBX file. `files` finds textures by the paths that the file names.
///
/// # Errors
/// A file that cannot be read (with the place in its record tree or the limit it meets), a scene without nodes, a
/// stack that does not exist, transforms that are no numbers, meshes that do not fit into the vertex buffer, images
/// that are damaged.
pub fn convert(
    bytes: &[u8],
    options: &Options,
    files: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Conversion, Error> {
    let mut warnings = Warnings::default();
    let scene = Scene::load(bytes, options, &mut warnings)?;
    let textures = Textures::load(&scene, options, files, &mut warnings)?;
    let plan = Plan::new(&scene, options.leaf_bones, &mut warnings)?;
    let stacks = motion::chosen(&scene, options, &mut warnings)?;
    let placed = placed(&scene, &plan, &textures, &stacks, options, &mut warnings)?;
    let size = size(&plan, &placed);
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
    let (motions, shapes) = motions(&context, &placed, &tree.tree, &stacks, &mut report, &mut warnings)?;
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
    chunks.push(Chunk::Model(tree.tree));
    report.warnings = warnings.0.iter().map(ToString::to_string).collect();
    Ok(Conversion {
        model: File::new(chunks),
        motions,
        shapes,
        archive: textures.archive()?,
        report,
        drawn,
        warnings: warnings.0,
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

    /// Writes all files to memory, reads them again, evaluates them plainly and compares the positions of all
    /// vertices with those that the source has at rest and at the frames of the motions. The result is in the report.
    ///
    /// # Errors
    /// If something has no file form or is not read back, or the source cannot be evaluated within the limits.
    pub fn check(&mut self) -> Result<&check::Checked, Error> {
        let checked = check::check(&self.scene, self, &self.drawn)?;
        Ok(self.report.check.insert(checked))
    }
}

/// All meshes that nodes of the tree draw.
fn placed(
    scene: &Scene,
    plan: &Plan,
    textures: &Textures,
    stacks: &[usize],
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Vec<Placed>, Error> {
    let mut placed: Vec<Placed> = Vec::new();
    let morphs = stacks.iter().any(|s| scene.stacks[*s].shapes);
    for (node, planned) in plan.nodes.iter().enumerate() {
        let source = &scene.nodes[planned.source];
        let Some((number, mesh)) = source.mesh.and_then(|m| Some((m, scene.meshes.get(m)?))) else {
            continue;
        };
        let place = format!("node {:?}", planned.name);
        if mesh.triangles.is_empty() {
            warnings.add(place, "its mesh has no polygons");
            continue;
        }
        let skinned = mesh
            .skin
            .as_ref()
            .is_some_and(|s| s.influences.iter().any(|i| !i.is_empty()));
        if skinned && placed.iter().any(|p| p.source_mesh == number) {
            warnings.add(
                place,
                "further copies of a skinned mesh are the same as the first: left out",
            );
            continue;
        }
        let shapes = morphs && !mesh.shaped.is_empty();
        let recipe = Recipe {
            mesh,
            materials: &source.materials,
            flip: mirrors(scene, planned.source, mesh),
            deformed: skinned || shapes,
            texture_sizes: &textures.sizes,
        };
        let mut part = mesh::build(&recipe, scene, options, warnings);
        part.tidy_origins();
        let shaped = |v: u32| shapes && mesh.shaped.get(v as usize).copied().unwrap_or(false);
        let (place_of, most) = (
            skin::Site {
                mesh,
                node,
                scene,
                plan,
            },
            options.max_influences,
        );
        let placement = skin::place(&part, &place_of, most, shaped, warnings);
        let weighted = placement.contributions.iter().any(|c| c.class.weight().is_some());
        if weighted && part.has_colors {
            warnings.add(
                &place,
                "vertex colours left out: vertices of several bones cannot have them",
            );
            part.has_colors = false;
        }
        if part.has_colors && part.has_normals {
            let message =
                "vertices have normals and colours (CV_VN_D8): some programs know only one of the two";
            warnings.add(&place, message);
        }
        placed.push(Placed {
            node,
            source_mesh: number,
            part,
            placement,
        });
    }
    let names: Vec<String> = placed
        .iter()
        .map(|p| scene.meshes[p.source_mesh].name.clone())
        .collect();
    let mut placements: Vec<skin::Placement> = placed.iter().map(|p| p.placement.clone()).collect();
    skin::assign_bases(&mut placements, &names)?;
    for (placed, placement) in placed.iter_mut().zip(placements) {
        placed.placement = placement;
    }
    Ok(placed)
}

/// Whether a node turns a mesh inside out.
fn mirrors(scene: &Scene, node: usize, mesh: &crate::source::Mesh) -> bool {
    let first = mesh.skin.as_ref().and_then(|s| s.clusters.first());
    let way = first.map_or(scene.nodes[node].geometry_to_world, |c| {
        scene.world(c.node).times(&c.to_bone)
    });
    way.determinant() < 0.0
}

/// The extent of everything drawn, at rest.
fn size(plan: &Plan, placed: &[Placed]) -> f64 {
    let points = placed.iter().flat_map(|p| {
        p.placement.contributions.iter().flat_map(move |c| {
            let way = plan.nodes[c.node].world.times(&c.to_node);
            c.vertices
                .iter()
                .map(move |lent| way.point(p.part.vertices[lent.vertex as usize].position))
        })
    });
    extent(points)
}

fn drawn(placed: &Placed, scene: &Scene, plan: &Plan) -> Drawn {
    let placement = &placed.placement;
    let slots = placed
        .part
        .origins
        .iter()
        .map(|(source, vertex)| (placement.base + placement.slots[*vertex as usize], *source));
    let planned = &plan.nodes[placed.node];
    let to_world = scene.nodes[planned.source].geometry_to_world;
    let normal = |(_, vertex): &(u32, u32)| to_world.normal(placed.part.vertices[*vertex as usize].normal);
    let skinned = !placed.rigid();
    Drawn {
        node: placement.draws,
        name: planned.name.clone(),
        source_node: planned.source,
        source_mesh: placed.source_mesh,
        slots: slots.collect(),
        normals: if placed.part.has_normals && !skinned {
            placed.part.origins.iter().map(normal).collect()
        } else {
            Vec::new()
        },
    }
}

/// See [`Loss::normal`].
fn normal_loss(plan: &Plan, placed: &[Placed], warnings: &mut Warnings) -> f64 {
    /// Less than this is not worth a word, in degrees.
    const TOLD: f64 = 1.0;
    let mut worst = 0.0_f64;
    for placed in placed.iter().filter(|p| p.rigid() && p.part.has_normals) {
        let planned = &plan.nodes[placed.node];
        let off = |(contribution, lent): (&skin::Contribution, &skin::Lent)| {
            let own = contribution
                .to_node
                .normal(placed.part.vertices[lent.vertex as usize].normal);
            angle(planned.world.vector(own), planned.world.normal(own))
        };
        let contributions = placed.placement.contributions.iter();
        let all = contributions.flat_map(|c| c.vertices.iter().map(move |lent| (c, lent)));
        let here = all.map(off).fold(0.0, f64::max);
        if here > TOLD {
            let message = format!(
                "scales that differ by direction turn normals by up to {here:.0} degrees in the runtime"
            );
            warnings.add(format!("node {:?}", planned.name), message);
        }
        worst = worst.max(here);
    }
    worst
}

fn report(context: &Context<'_>, placed: &[Placed], tree: &emit::Tree, size: f64, normal: f64) -> Report {
    let row = |(i, planned): (usize, &crate::nodes::Planned)| NodeRow {
        name: planned.name.clone(),
        parent: planned.parent,
        evalflags: tree.tree.objects[i].evalflags.0,
        triangles: placed
            .iter()
            .filter(|p| p.placement.draws == i)
            .map(|p| p.part.triangles())
            .sum(),
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
        size,
        loss: Loss {
            normal,
            uv: groups().map(|g| g.uv_error).fold(0.0, f64::max),
            angle: tree.angle_error * 360.0,
            weight: placed.iter().map(|p| p.placement.capped).fold(0.0, f64::max),
        },
        textures: context.textures.entries.iter().map(texture).collect(),
        ..Report::default()
    }
}

/// The file's frames a second, where that is a rate.
fn usual_rate(rate: f64, warnings: &mut Warnings) -> f64 {
    const USUAL: f64 = 30.0;
    if (0.1..=1000.0).contains(&rate) {
        return rate;
    }
    warnings.add(
        "",
        format!("the file states {rate} frames a second: {USUAL} are taken"),
    );
    USUAL
}

/// The motions of the chosen stacks, and the shapes that they go through.
fn motions(
    context: &Context<'_>,
    placed: &[Placed],
    tree: &ninja::ObjectTree,
    stacks: &[usize],
    report: &mut Report,
    warnings: &mut Warnings,
) -> Result<(Vec<MotionFile>, Option<File>), Error> {
    let (scene, options, plan) = (context.scene, context.options, context.plan);
    let mut shapes = Shapes::new(placed, plan.nodes.len());
    let (mut made, mut tracks) = (Vec::new(), Vec::new());
    for &stack in stacks {
        let rate = options.rate.unwrap_or_else(|| usual_rate(scene.rate, warnings));
        let times = motion::times(&scene.stacks[stack], rate)?;
        let samples = Samples::take(scene, stack, &times, plan)?;
        let tolerance = options.position_tolerance * report.size;
        let take = Take {
            stack,
            times: &times,
            samples: &samples,
        };
        tracks.push(shapes.sample(scene, &take, placed, plan, tolerance)?);
        made.push((
            motion::motion(&samples, plan, tree, report.size, options, warnings),
            rate,
            times,
        ));
    }
    let (list, shape_motions) = shapes.finish(&tracks, placed, plan, warnings);
    report.shapes = list.as_ref().map_or(0, |l| l.shapes.len());
    let mut files = Vec::new();
    for (i, ((motion, rate, times), shape_motion)) in made.into_iter().zip(shape_motions).enumerate() {
        let source = &scene.stacks[stacks[i]];
        let mut row = MotionRow {
            stack: source.name.clone(),
            frames: times.len() as u32,
            rate,
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
            stack: stacks[i],
            times,
        });
    }
    Ok((files, list.map(|l| File::new(vec![Chunk::ShapeList(l)]))))
}
