//! Converts polygons to the contents of vertex lists and strips: welded vertices, and corners with texture
//! coordinates.
//!
//! A vertex of the format has a position, a normal and a colour. Texture coordinates belong to the strips.
//! Corners that differ only in texture coordinates therefore share a vertex.

mod normals;
mod uv;

use std::collections::BTreeMap;

use foldhash::{HashMap, HashMapExt};
use ninja::{Argb, UvScale};

use crate::error::Warnings;
use crate::math::{Vec3, normalized};
use crate::options::{Keep, Normals, Options, UvKind};
use crate::source::{self, Mesh, Scene};

/// A mesh of one node or skin.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) corners: Vec<Corner>,
    /// Groups in the order of the mesh's material numbers.
    pub(crate) groups: Vec<Group>,
    pub(crate) has_normals: bool,
    pub(crate) has_colors: bool,
    /// Pairs of source vertex and resulting vertex.
    pub(crate) origins: Vec<(u32, u32)>,
    /// Number of triangles left out because two of their corners are the same vertex.
    pub(crate) degenerate: usize,
}

/// A vertex in the mesh's space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Vertex {
    /// First source vertex that became this vertex.
    pub(crate) source: u32,
    /// A source corner that became this vertex.
    pub(crate) corner: u32,
    pub(crate) position: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) color: Argb,
}

/// An entry of a strip: a vertex, and texture coordinates in steps of the group's scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Corner {
    pub(crate) vertex: u32,
    pub(crate) uv: [i16; 2],
    /// Texture coordinates of the second set, if the group has one.
    pub(crate) uv2: [i16; 2],
}

/// Triangles of one material, by corner, counter-clockwise.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) material: Option<usize>,
    pub(crate) uv: UvScale,
    /// Entries have a second pair of texture coordinates.
    pub(crate) second_uv: bool,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Largest rounding error of texture coordinates, in texture widths.
    pub(crate) uv_error: f64,
}

/// Parameters for building a mesh.
pub(crate) struct Recipe<'a> {
    pub(crate) mesh: &'a Mesh,
    /// Materials of the node by material number.
    pub(crate) materials: &'a [usize],
    /// Reverses all triangles, because the node mirrors.
    pub(crate) flip: bool,
    /// Bones or shapes move the mesh, so vertices at equal positions can separate.
    pub(crate) deformed: bool,
    /// Vertices can have colours.
    pub(crate) colors: bool,
    /// Uses only positions.
    pub(crate) volume: bool,
    /// Sizes by texture; `None` if unknown.
    pub(crate) texture_sizes: &'a [Option<[u32; 2]>],
}

/// Builds a mesh and welds its corners.
pub(crate) fn build<'a>(
    recipe: &Recipe<'a>,
    scene: &Scene,
    options: &Options,
    warnings: &mut Warnings,
) -> Part {
    let mesh = recipe.mesh;
    let flat = |material: u32| {
        recipe
            .material(scene, material)
            .is_some_and(|m| m.settings.flat == Some(true))
    };
    let normals = match options.normals {
        _ if recipe.volume => None,
        Normals::Drop => None,
        policy => Some(normals::corner_normals(mesh, policy, flat, warnings)),
    };
    let colors = mesh
        .corners
        .color
        .as_ref()
        .filter(|_| recipe.colors && options.colors == Keep::Keep);
    // Colours that are all white have no effect.
    let colors = colors.filter(|c| c.iter().any(|c| color(*c) != Argb(u32::MAX)));
    let mut part = Part {
        vertices: Vec::new(),
        corners: Vec::new(),
        groups: Vec::new(),
        has_normals: normals.is_some(),
        has_colors: colors.is_some(),
        origins: Vec::new(),
        degenerate: 0,
    };
    let mut welder = Welder {
        recipe,
        normals: normals.as_deref(),
        colors: colors.map(Vec::as_slice),
        known: HashMap::new(),
        last: vec![None; mesh.positions.len()],
    };
    let mut by_material: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (i, triangle) in mesh.triangles.iter().enumerate() {
        by_material.entry(triangle.material).or_default().push(i);
    }
    for (number, triangles) in &by_material {
        let material = recipe.material(scene, *number).filter(|_| !recipe.volume);
        let texture = material.and_then(|m| m.texture);
        let place = format!("mesh {:?}", mesh.name);
        let sizes = texture.and_then(|t| recipe.texture_sizes.get(t).copied().flatten());
        let clamp = texture
            .and_then(|t| scene.textures.get(t))
            .map_or([false; 2], |t| t.clamp);
        let mut mapping = |set: Option<&'a Vec<[f64; 2]>>, kind| {
            let corners = triangles.iter().flat_map(|t| mesh.triangles[*t].corners);
            let choose = |set| uv::Mapping::choose(set, corners, sizes, clamp, kind, &place, warnings);
            set.filter(|_| texture.is_some()).map(|set| choose(set))
        };
        let first = mapping(mesh.corners.uv.as_ref(), options.uv);
        // Both sets of a strip use the same scale.
        let kind = match first.as_ref().map(|m| m.scale) {
            Some(UvScale::Over1024) => UvKind::Uvh,
            _ => UvKind::Uvn,
        };
        let wanted = material.is_some_and(|m| m.settings.second_uv == Some(true)) && first.is_some();
        let second = mapping(mesh.corners.uv2.as_ref().filter(|_| wanted), kind);
        if wanted && second.is_none() {
            let message = "a material uses a second UV set, but the mesh has none: left out";
            warnings.add(&place, message);
        }
        let mappings = Mappings {
            // An environment map computes its coordinates from the normals, but only strips with coordinates
            // are textured.
            bare: first.is_none() && texture.is_some() && material.is_some_and(|m| m.environment),
            first,
            second,
        };
        let material = recipe.materials.get(*number as usize).copied();
        welder.group(&mut part, triangles, material, &mappings);
    }
    part
}

impl<'a> Recipe<'a> {
    fn material<'s>(&self, scene: &'s Scene, number: u32) -> Option<&'s source::Material> {
        scene.materials.get(*self.materials.get(number as usize)?)
    }
}

/// Texture coordinate mappings of a group.
struct Mappings<'a> {
    first: Option<uv::Mapping<'a>>,
    second: Option<uv::Mapping<'a>>,
    /// All entries have coordinates of 0.
    bare: bool,
}

impl Mappings<'_> {
    fn scale(&self) -> UvScale {
        match &self.first {
            Some(first) => first.scale,
            None if self.bare => UvScale::Over256,
            None => UvScale::None,
        }
    }
}

struct Welder<'a> {
    recipe: &'a Recipe<'a>,
    normals: Option<&'a [Vec3]>,
    colors: Option<&'a [[f64; 4]]>,
    known: HashMap<VertexKey, u32>,
    /// Vertex of the last corner of each source vertex. In smooth meshes, most corners repeat it.
    last: Vec<Option<(VertexKey, u32)>>,
}

/// Key by which corners share a vertex. Compares normals in steps of 1/8192, because files repeat them with
/// rounding errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct VertexKey {
    position: [u32; 3],
    /// Source vertex, for deformed meshes.
    source: Option<u32>,
    normal: [i32; 3],
    color: Argb,
}

impl Welder<'_> {
    fn group(
        &mut self,
        part: &mut Part,
        triangles: &[usize],
        material: Option<usize>,
        mappings: &Mappings<'_>,
    ) {
        let mut group = Group {
            material,
            uv: mappings.scale(),
            second_uv: mappings.second.is_some(),
            triangles: Vec::with_capacity(triangles.len()),
            uv_error: 0.0,
        };
        let mut known: HashMap<Corner, u32> = HashMap::with_capacity(triangles.len());
        for triangle in triangles.iter().map(|t| &self.recipe.mesh.triangles[*t]) {
            let mut made = triangle.corners.map(|corner| {
                let [uv, uv2] = [&mappings.first, &mappings.second].map(|mapping| {
                    let (uv, error) = mapping.map_or(([0; 2], 0.0), |m| m.apply(corner));
                    group.uv_error = group.uv_error.max(error);
                    uv
                });
                let corner = Corner {
                    vertex: self.vertex(part, corner),
                    uv,
                    uv2,
                };
                *known.entry(corner).or_insert_with(|| {
                    part.corners.push(corner);
                    part.corners.len() as u32 - 1
                })
            });
            if self.recipe.flip {
                made.swap(1, 2);
            }
            let [a, b, c] = made.map(|c| part.corners[c as usize].vertex);
            if a == b || b == c || c == a {
                part.degenerate += 1;
            } else {
                group.triangles.push(made);
            }
        }
        if !group.triangles.is_empty() {
            part.groups.push(group);
        }
    }

    fn vertex(&mut self, part: &mut Part, corner: u32) -> u32 {
        let mesh = self.recipe.mesh;
        let at = corner as usize;
        let source = mesh.corners.vertex[at];
        let position = mesh.positions[source as usize];
        let normal = self.normals.map_or([0.0; 3], |n| n[at]);
        let color = self.colors.map_or(Argb(u32::MAX), |c| color(c[at]));
        let key = VertexKey {
            // Adding 0 turns -0 into 0.
            position: position.map(|c| (c as f32 + 0.0).to_bits()),
            source: self.recipe.deformed.then_some(source),
            normal: normal.map(|c| (c * 8192.0 + 0.5_f64.copysign(c)) as i32),
            color,
        };
        if let Some((_, index)) = self.last[source as usize].filter(|(last, _)| *last == key) {
            return index;
        }
        let next = part.vertices.len() as u32;
        let index = *self.known.entry(key).or_insert(next);
        if index == next {
            part.vertices.push(Vertex {
                source,
                corner,
                position,
                normal,
                color,
            });
        }
        self.last[source as usize] = Some((key, index));
        part.origins.push((source, index));
        index
    }
}

impl Part {
    /// Removes repeated pairs.
    pub(crate) fn tidy_origins(&mut self) {
        self.origins.sort_unstable();
        self.origins.dedup();
    }

    pub(crate) fn triangles(&self) -> usize {
        self.groups.iter().map(|g| g.triangles.len()).sum()
    }
}

/// Converts red, green, blue and alpha from 0 to 1, with rounding.
pub(crate) fn color([r, g, b, a]: [f64; 4]) -> Argb {
    let byte = |c: f64| (c.clamp(0.0, 1.0) * 255.0).round() as u8;
    Argb::new(byte(a), byte(r), byte(g), byte(b))
}

/// Returns the normal with length 1, or upwards if it has no direction.
pub(crate) fn direction(normal: Vec3) -> Vec3 {
    normalized(normal).unwrap_or([0.0, 1.0, 0.0])
}
