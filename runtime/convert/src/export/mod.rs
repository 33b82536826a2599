//! Exports Ninja files to glTF (`.glb`) and FBX scenes.
//!
//! Triangles with vertices of one node become the node's mesh; triangles of several nodes become a skin.
//! Motions are played frame by frame and written as linear keys. Key shapes become morph targets or blend
//! shapes.

mod animate;
mod fbx;
mod gather;
mod glb;
mod properties;
mod scene;

use ninja::{Chunk, File, MotionKind};
use pvr::texture::Rgba;

use crate::error::{Error, Warning, Warnings};
use crate::play::Player;
use gather::Gather;
use scene::{Scene, Texture};

/// Options of the export.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportOptions {
    /// Frames per second of motions. Ninja files do not store the rate.
    pub rate: f64,
    /// Lets the angles of a spline motion follow the spline, as the play setting `spline-angles` does.
    pub spline_angles: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        ExportOptions {
            rate: 30.0,
            spline_angles: true,
        }
    }
}

/// A model, ready to be written in other formats.
#[derive(Debug)]
pub struct Exported {
    scene: Scene,
    /// Losses and differences from the Ninja files.
    pub warnings: Vec<Warning>,
}

/// Exports a file's first model with its texture list, motions, shape motions and shape list. A shape motion
/// plays together with the preceding model motion. `images` has an image per texture number.
///
/// # Errors
/// If the file has no model, trees or motions are too large, numbers are not finite, or images cannot be
/// written.
pub fn export(file: &File, images: &[Option<Rgba>], options: &ExportOptions) -> Result<Exported, Error> {
    let mut warnings = Warnings::default();
    let mut models = file.models();
    let tree = models
        .next()
        .ok_or_else(|| Error::scene("file", "no model", "one"))?;
    if models.next().is_some() {
        warnings.add("", "further models left out");
    }
    let shapes = file.chunks.iter().find_map(|c| match c {
        Chunk::ShapeList(list) => Some(list),
        _ => None,
    });
    let still = Player {
        tree,
        motion: None,
        shape_motion: None,
        shapes,
        spline_angles: options.spline_angles,
    };
    let mut gather = Gather::new(&still);
    gather.walk(&mut warnings)?;
    warn_of_spread(&gather, &mut warnings);
    gather.scene.rate = options.rate;
    gather.scene.textures = textures(file, images, &mut warnings)?;
    let mut playing: Vec<Player<'_>> = Vec::new();
    for chunk in &file.chunks {
        let fresh = |motion, shape_motion| Player {
            tree,
            motion,
            shape_motion,
            shapes,
            spline_angles: options.spline_angles,
        };
        match chunk {
            Chunk::Motion(m) if m.kind == MotionKind::Model => playing.push(fresh(Some(m), None)),
            Chunk::Motion(m) => warnings.add("", format!("a motion {} left out", m.kind.chunk_id())),
            Chunk::ShapeMotion(m) => match playing.last_mut().filter(|p| p.shape_motion.is_none()) {
                Some(player) => player.shape_motion = Some(m),
                None => playing.push(fresh(None, Some(m))),
            },
            _ => {}
        }
    }
    for player in &playing {
        animate::add(&mut gather, player, &mut warnings)?;
    }
    let mut scene = gather.scene;
    scene.meshes = gather.builders.into_iter().map(|m| m.mesh).collect();
    scene.check()?;
    Ok(Exported {
        scene,
        warnings: warnings.list,
    })
}

impl Exported {
    /// Writes binary glTF 2.0 with embedded PNG textures.
    ///
    /// # Errors
    /// If the file would exceed 4 GiB.
    pub fn glb(&self) -> Result<Vec<u8>, Error> {
        glb::write(&self.scene)
    }

    /// Writes binary FBX 7.4 with embedded PNG textures.
    ///
    /// # Errors
    /// If the file would exceed 4 GiB.
    pub fn fbx(&self) -> Result<Vec<u8>, Error> {
        fbx::write(&self.scene)
    }

    /// Returns the counts of the model's contents.
    pub fn counts(&self) -> Counts {
        let scene = &self.scene;
        let groups = scene.meshes.iter().flat_map(|m| &m.groups);
        Counts {
            nodes: scene.nodes.len(),
            meshes: scene.meshes.len(),
            triangles: groups.map(|(_, list)| list.len()).sum(),
            materials: scene.materials.len(),
            animations: scene.animations.len(),
        }
    }
}

/// Counts of an exported model's contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Nodes, without nodes that only the output format needs.
    pub nodes: usize,
    /// Meshes: one per node with its own triangles, and one per skin.
    pub meshes: usize,
    /// Triangles without degenerate ones.
    pub triangles: usize,
    /// Distinct drawing states.
    pub materials: usize,
    /// Motions.
    pub animations: usize,
}

/// Warns if the nodes of a weighted vertex disagree about its position at rest. Ninja stores one position per
/// node, but a glTF or FBX skin stores a single one.
fn warn_of_spread(gather: &Gather<'_>, warnings: &mut Warnings) {
    let nodes = &gather.scene.nodes;
    let points = gather.builders.iter().flat_map(|m| &m.mesh.points);
    let size = crate::emit::extent(points.map(|p| p.position));
    let skins = gather.builders.iter().filter(|m| m.mesh.node.is_none());
    let spread = |m: &gather::MeshBuilder| {
        m.pooled
            .iter()
            .map(|p| gather.pool[*p].spread(nodes))
            .fold(0.0, f64::max)
    };
    let worst = skins.map(spread).fold(0.0, f64::max);
    if worst > size / 1000.0 {
        let share = worst / size;
        let message = format!(
            "the bones of a vertex disagree about its position by up to {share:.4} of the size: skins are \
            exact at rest and approximate in motion, unless the difference only corrects rounded weights"
        );
        warnings.add("", message);
    }
}

fn textures(file: &File, images: &[Option<Rgba>], warnings: &mut Warnings) -> Result<Vec<Texture>, Error> {
    let names = file.texlist().map_or(&[][..], |list| &list.names);
    let texture = |(i, name): (usize, &ninja::TextureName)| {
        let name = name.name_lossy().into_owned();
        let png = images.get(i).and_then(Option::as_ref).map(Texture::png);
        if png.is_none() {
            warnings.add(
                format!("texture {name:?}"),
                "found no image: only its name is written",
            );
        }
        let failed = |e: png::EncodingError| Error::Texture {
            name: name.clone(),
            cause: e.to_string(),
        };
        Ok(Texture {
            png: png.transpose().map_err(failed)?,
            name,
        })
    };
    names.iter().enumerate().map(texture).collect()
}
