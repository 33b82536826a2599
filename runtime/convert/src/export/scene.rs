//! The scene for all writers: plain data, right-handed, y up.

use ninja::Argb;
use pvr::texture::Rgba;

use crate::error::Error;
use crate::math::{Affine, Vec3, finite};
use crate::play::Local;

/// A tree with meshes and animations. Nodes are in drawing order.
#[derive(Debug, Default)]
pub(crate) struct Scene {
    pub(crate) nodes: Vec<Node>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) materials: Vec<Material>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) animations: Vec<Animation>,
    /// Frames per second.
    pub(crate) rate: f64,
}

/// A node at rest.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    pub(crate) rest: Local,
    pub(crate) world: Affine,
}

/// Triangles of one node, or a skin.
#[derive(Debug)]
pub(crate) struct Mesh {
    pub(crate) name: String,
    /// Node that owns the points' space. `None` for skins; their points are in the scene's space at rest.
    pub(crate) node: Option<usize>,
    pub(crate) points: Vec<Point>,
    pub(crate) corners: Vec<Corner>,
    /// Material and corners, counter-clockwise, of each group.
    pub(crate) groups: Vec<(usize, Vec<[u32; 3]>)>,
    pub(crate) targets: Vec<Target>,
}

/// A vertex.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    pub(crate) position: Vec3,
    pub(crate) normal: Option<Vec3>,
    pub(crate) color: Option<Argb>,
    /// Nodes with weights that sum to 1. A rigid mesh has one.
    pub(crate) influences: Vec<(usize, f64)>,
}

/// A use of a vertex by a strip.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    pub(crate) point: u32,
    /// Texture coordinates; v points downwards.
    pub(crate) uv: [f64; 2],
    /// Replaces the point's normal.
    pub(crate) normal: Option<Vec3>,
    pub(crate) color: Option<Argb>,
}

/// A shape: the points that it moves, and their displacements.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) deltas: Vec<(u32, Vec3)>,
}

/// Drawing state.
#[derive(Debug, Clone)]
pub(crate) struct Material {
    pub(crate) name: String,
    pub(crate) diffuse: Argb,
    pub(crate) ambient: Argb,
    pub(crate) specular: Option<ninja::Specular>,
    pub(crate) blend: ninja::Blend,
    pub(crate) flags: ninja::StripFlags,
    pub(crate) tiny: Option<ninja::Tiny>,
}

/// A name in the texture list, and its image if found.
#[derive(Debug)]
pub(crate) struct Texture {
    pub(crate) name: String,
    pub(crate) png: Option<Vec<u8>>,
}

/// A motion, frame by frame.
#[derive(Debug)]
pub(crate) struct Animation {
    pub(crate) name: String,
    pub(crate) frames: u32,
    /// Transforms by node and frame; empty for nodes that stay at rest.
    pub(crate) locals: Vec<Vec<Local>>,
    /// Target weights by mesh and frame; empty for meshes without shapes in this motion.
    pub(crate) weights: Vec<Vec<Vec<f64>>>,
}

impl Scene {
    /// Checks that glTF can store all numbers.
    ///
    /// # Errors
    /// If a number is NaN, infinite or exceeds a 32-bit float.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = |place: String| {
            Err(Error::scene(
                place,
                "NaN, an infinity or a number beyond 32-bit floats",
                "finite 32-bit floats",
            ))
        };
        for node in &self.nodes {
            if !node.rest.finite() || !node.world.finite() {
                return wrong(format!("node {:?}", node.name));
            }
        }
        for mesh in &self.meshes {
            let points = mesh.points.iter().all(Point::finite);
            let corners = mesh
                .corners
                .iter()
                .all(|corner| corner.normal.is_none_or(finite) && finite([corner.uv[0], corner.uv[1], 0.0]));
            let deltas = mesh.targets.iter().flat_map(|target| &target.deltas);
            if !points || !corners || !deltas.into_iter().all(|(_, delta)| finite(*delta)) {
                return wrong(format!("mesh {:?}", mesh.name));
            }
        }
        for animation in &self.animations {
            if !animation.locals.iter().flatten().all(Local::finite) {
                return wrong(format!("motion {:?}", animation.name));
            }
        }
        Ok(())
    }
}

impl Point {
    fn finite(&self) -> bool {
        finite(self.position) && self.normal.is_none_or(finite)
    }
}

impl Mesh {
    /// Returns the nodes that move the mesh's points, in ascending order.
    pub(crate) fn joints(&self) -> Vec<usize> {
        let all = self.points.iter().flat_map(|p| p.influences.iter().map(|i| i.0));
        all.collect::<std::collections::BTreeSet<usize>>()
            .into_iter()
            .collect()
    }

    pub(crate) fn has_colors(&self) -> bool {
        self.points.iter().any(|p| p.color.is_some()) || self.corners.iter().any(|c| c.color.is_some())
    }

    pub(crate) fn has_normals(&self) -> bool {
        self.points.iter().all(|p| p.normal.is_some()) || self.corners.iter().any(|c| c.normal.is_some())
    }

    pub(crate) fn normal(&self, corner: &Corner) -> Vec3 {
        let own = self.points[corner.point as usize].normal;
        corner.normal.or(own).unwrap_or([0.0, 1.0, 0.0])
    }

    /// Returns red, green, blue and alpha from 0 to 1.
    pub(crate) fn color(&self, corner: &Corner) -> [f64; 4] {
        let color = corner.color.or(self.points[corner.point as usize].color);
        let c = color.unwrap_or(Argb(u32::MAX));
        [c.r(), c.g(), c.b(), c.a()].map(|c| f64::from(c) / 255.0)
    }
}

impl Texture {
    /// Encodes an image as RGBA PNG.
    pub(crate) fn png(image: &Rgba) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        let rgba = |argb: &u32| {
            let [a, r, g, b] = argb.to_be_bytes();
            [r, g, b, a]
        };
        let pixels: Vec<u8> = image.texels.iter().flat_map(rgba).collect();
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        Ok(bytes)
    }
}
