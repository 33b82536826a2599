//! Reads meshes of glTF files (glTF 2.0, section 3.7). Combines all primitives of a mesh, and merges vertices
//! that differ only in normals, colours and texture coordinates.

use std::rc::Rc;

use foldhash::HashMap;
use gltf::Semantic;
use gltf::accessor::Dimensions;
use gltf::mesh::Mode;

use super::buffers::{Buffers, Numbers};
use super::material::base;
use super::wrong;
use crate::error::{Error, Warnings};
use crate::math::{Affine, Vec3};
use crate::source::mesh::{Cluster, Corners, Mesh, Skin, Triangle, keep_finite};
use crate::source::srgb::shown;

/// A mesh and its morph targets.
pub(super) struct Morphed {
    pub(super) mesh: Mesh,
    /// Positions by vertex, without targets.
    pub(super) positions: Vec<Vec3>,
    pub(super) targets: Vec<Target>,
}

/// Differences that a morph target adds.
#[derive(Debug, Default)]
pub(super) struct Target {
    /// Differences by vertex.
    pub(super) positions: Vec<Vec3>,
    /// Differences by corner.
    pub(super) normals: Vec<Vec3>,
}

/// Maximum number of bytes per vertex without targets. Each target takes less.
const VERTEX: usize = 200;

/// Joints of a skin: nodes of the scene, and the map from the mesh's space to each.
pub(super) type Joints = Vec<(usize, Affine)>;

/// Data of a mesh while its primitives are read.
#[derive(Default)]
struct Gathered {
    known: HashMap<Vec<u32>, u32>,
    positions: Vec<Vec3>,
    influences: Vec<Vec<(usize, f64)>>,
    corners: Corners,
    normals: Vec<Option<Vec3>>,
    uvs: [Vec<Option<[f64; 2]>>; 2],
    colors: Vec<Option<[f64; 4]>>,
    targets: Vec<Target>,
    triangles: Vec<Triangle>,
    /// Triangles with a corner that does not exist.
    broken: usize,
}

/// Reads a mesh. `number` is its index in the scene; `weights` are its target weights at rest.
pub(super) fn mesh(
    source: &gltf::Mesh<'_>,
    (number, name): (usize, String),
    joints: Option<Joints>,
    weights: &[f64],
    buffers: &Buffers,
    warnings: &mut Warnings,
) -> Result<Morphed, Error> {
    let place = format!("mesh {name:?}");
    let mut all = Gathered::default();
    let most = source
        .primitives()
        .map(|p| p.morph_targets().len())
        .max()
        .unwrap_or(0);
    all.targets.resize_with(most, Target::default);
    for (material, primitive) in source.primitives().enumerate() {
        if !matches!(
            primitive.mode(),
            Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan
        ) {
            warnings.add(&place, "points and lines left out");
            continue;
        }
        let where_ = format!("mesh {}, primitive {material}", source.index());
        all.primitive(&primitive, material as u32, joints.as_ref(), buffers, &where_)?;
    }
    if all.broken > 0 {
        let message = format!("{} triangles left out: their vertices do not exist", all.broken);
        warnings.add(&place, message);
    }
    let Gathered {
        positions,
        influences,
        mut corners,
        triangles,
        targets,
        ..
    } = all;
    corners.normal = some(all.normals, [0.0; 3]);
    corners.uv = some(std::mem::take(&mut all.uvs[0]), [0.0; 2]);
    corners.uv2 = some(std::mem::take(&mut all.uvs[1]), [0.0; 2]);
    corners.color = some(all.colors, [1.0; 4]);
    let still = [0.0; 3];
    let moves = |i: usize| {
        targets
            .iter()
            .any(|t| t.positions.get(i).is_some_and(|d| *d != still))
    };
    let shaped = match targets.is_empty() {
        true => Vec::new(),
        false => (0..positions.len()).map(moves).collect(),
    };
    let skin = joints.map(|joints| Skin {
        clusters: joints
            .into_iter()
            .map(|(node, to_bone)| Cluster { node, to_bone })
            .collect(),
        influences,
    });
    let rest = morphed(&positions, &targets, weights);
    let triangles = keep_finite(triangles, &corners, &rest, &place, warnings);
    Ok(Morphed {
        mesh: Mesh {
            number,
            name,
            positions: Rc::new(rest),
            corners: Rc::new(corners),
            triangles,
            skin,
            shaped: Rc::new(shaped),
        },
        positions,
        targets,
    })
}

/// Returns positions with weighted targets applied.
pub(super) fn morphed(positions: &[Vec3], targets: &[Target], weights: &[f64]) -> Vec<Vec3> {
    let mut positions = positions.to_vec();
    for (target, weight) in targets.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
        add_all(&mut positions, &target.positions, *weight);
    }
    positions
}

pub(super) fn add_all(values: &mut [Vec3], offsets: &[Vec3], share: f64) {
    for (value, offset) in values.iter_mut().zip(offsets) {
        *value = crate::math::add(*value, crate::math::scaled(*offset, share));
    }
}

/// Returns all values, with `without` for missing ones; `None` if all are missing.
fn some<T: Copy>(values: Vec<Option<T>>, without: T) -> Option<Vec<T>> {
    let any = values.iter().any(Option::is_some);
    any.then(|| values.into_iter().map(|v| v.unwrap_or(without)).collect())
}

impl Gathered {
    fn primitive(
        &mut self,
        primitive: &gltf::Primitive<'_>,
        material: u32,
        joints: Option<&Joints>,
        buffers: &Buffers,
        place: &str,
    ) -> Result<(), Error> {
        let read = |semantic: &Semantic, shapes: &[Dimensions]| -> Result<Option<Numbers>, Error> {
            let accessor = primitive.get(semantic);
            accessor.map(|a| buffers.numbers(&a, shapes)).transpose()
        };
        let vec3 = [Dimensions::Vec3];
        let Some(positions) = read(&Semantic::Positions, &vec3)? else {
            return Err(wrong(place, "no positions", "the attribute POSITION"));
        };
        let count = positions.len();
        buffers.charge(count.saturating_mul(VERTEX * (1 + self.targets.len())), place)?;
        let normals = read(&Semantic::Normals, &vec3)?;
        let (first_uv, transform) = texture_set(primitive);
        let uvs = [
            read(&Semantic::TexCoords(first_uv), &[Dimensions::Vec2])?,
            read(&Semantic::TexCoords(1), &[Dimensions::Vec2])?,
        ];
        let colors = read(&Semantic::Colors(0), &[Dimensions::Vec3, Dimensions::Vec4])?;
        let mut bones = Vec::new();
        for set in 0.. {
            let joints = read(&Semantic::Joints(set), &[Dimensions::Vec4])?;
            let weights = read(&Semantic::Weights(set), &[Dimensions::Vec4])?;
            match joints.zip(weights) {
                Some(both) => bones.push(both),
                None => break,
            }
        }
        let mut targets = Vec::new();
        for target in primitive.morph_targets() {
            let numbers = |a: Option<gltf::Accessor<'_>>| a.map(|a| buffers.numbers(&a, &vec3)).transpose();
            targets.push((numbers(target.positions())?, numbers(target.normals())?));
        }
        let first = self.corners.vertex.len() as u32;
        for i in 0..count {
            let influences = joints.map_or(Vec::new(), |joints| influences(&bones, i, joints.len()));
            let offsets = targets
                .iter()
                .map(|(p, _)| p.as_ref().map_or([0.0; 3], |p| p.vec3(i)));
            let vertex = self.vertex(positions.vec3(i), influences, offsets.collect());
            self.corners.vertex.push(vertex);
            self.normals.push(normals.as_ref().map(|n| n.vec3(i)));
            for (own, uvs) in self.uvs.iter_mut().zip(&uvs) {
                own.push(uvs.as_ref().map(|uv| upright(&transform, uv.of(i))));
            }
            self.colors.push(colors.as_ref().map(|c| color(c.of(i))));
            for (own, target) in self.targets.iter_mut().enumerate() {
                let normals = targets.get(own).and_then(|(_, n)| n.as_ref());
                target.normals.push(normals.map_or([0.0; 3], |n| n.vec3(i)));
            }
        }
        let order = match primitive.indices() {
            Some(indices) => buffers.indices(&indices)?,
            None => (0..count as u32).collect(),
        };
        for corners in triangles(primitive.mode(), &order) {
            match corners.iter().all(|c| (*c as usize) < count) {
                true => self.triangles.push(Triangle {
                    corners: corners.map(|c| first + c),
                    material,
                }),
                false => self.broken += 1,
            }
        }
        Ok(())
    }

    /// Returns the number of a vertex; adds it if no equal one exists.
    fn vertex(&mut self, position: Vec3, influences: Vec<(usize, f64)>, offsets: Vec<Vec3>) -> u32 {
        let bits = |v: f64| (v as f32).to_bits();
        let mut key: Vec<u32> = position.map(bits).to_vec();
        key.extend(
            influences
                .iter()
                .flat_map(|(bone, weight)| [*bone as u32, bits(*weight)]),
        );
        key.extend(offsets.iter().flatten().map(|c| bits(*c)));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let number = self.positions.len() as u32;
        self.known.insert(key, number);
        self.positions.push(position);
        self.influences.push(influences);
        for (own, target) in self.targets.iter_mut().enumerate() {
            target
                .positions
                .push(offsets.get(own).copied().unwrap_or_default());
        }
        number
    }
}

/// Returns the texture coordinate set of the base colour, and its texture transform.
fn texture_set(primitive: &gltf::Primitive<'_>) -> (u32, Option<UvTransform>) {
    let material = primitive.material();
    let (Some(texture), _) = base(&material) else {
        return (0, None);
    };
    let transform = texture.texture_transform();
    let set = transform.as_ref().and_then(|t| t.tex_coord());
    let transform = transform.map(|t| UvTransform {
        offset: t.offset().map(f64::from),
        turn: f64::from(t.rotation()),
        scale: t.scale().map(f64::from),
    });
    (set.unwrap_or(texture.tex_coord()), transform)
}

/// A texture transform (extension `KHR_texture_transform`).
struct UvTransform {
    offset: [f64; 2],
    turn: f64,
    scale: [f64; 2],
}

/// Returns transformed texture coordinates, with v upwards.
fn upright(transform: &Option<UvTransform>, uv: &[f64]) -> [f64; 2] {
    let [mut u, mut v] = [0, 1].map(|k| uv.get(k).copied().unwrap_or(0.0));
    if let Some(transform) = transform {
        let (x, y) = (u * transform.scale[0], v * transform.scale[1]);
        let (sin, cos) = transform.turn.sin_cos();
        (u, v) = (
            x * cos + y * sin + transform.offset[0],
            y * cos - x * sin + transform.offset[1],
        );
    }
    [u, 1.0 - v]
}

fn color(linear: &[f64]) -> [f64; 4] {
    let own = |k: usize| linear.get(k).copied().unwrap_or(1.0);
    [
        shown(own(0)),
        shown(own(1)),
        shown(own(2)),
        own(3).clamp(0.0, 1.0),
    ]
}

/// Returns the joints with positive weights.
fn influences(bones: &[(Numbers, Numbers)], vertex: usize, joints: usize) -> Vec<(usize, f64)> {
    let all = bones
        .iter()
        .flat_map(|(joints, weights)| joints.of(vertex).iter().zip(weights.of(vertex)));
    let all = all.map(|(joint, weight)| (*joint as usize, *weight));
    all.filter(|(joint, weight)| *joint < joints && weight.is_finite() && *weight > 0.0)
        .collect()
}

/// Returns the triangles of a list, strip or fan.
fn triangles(mode: Mode, order: &[u32]) -> Vec<[u32; 3]> {
    match mode {
        Mode::TriangleStrip => (0..)
            .zip(order.windows(3))
            .map(|(i, w)| {
                if i % 2 == 0 {
                    [w[0], w[1], w[2]]
                } else {
                    [w[1], w[0], w[2]]
                }
            })
            .collect(),
        Mode::TriangleFan => {
            let rest = order.get(1..).unwrap_or_default();
            rest.windows(2).map(|w| [order[0], w[0], w[1]]).collect()
        }
        _ => order.as_chunks::<3>().0.to_vec(),
    }
}
