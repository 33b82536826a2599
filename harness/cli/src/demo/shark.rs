//! The demo's model: a shark over sand, made by formula.
//!
//! The body is one skin over three nodes (head, middle, tail): its vertices carry up to three weights, start, middle
//! and end, and its strips are remembered by the head's polygon list (CP) and drawn when the tail has completed the
//! vertex buffer (DP). Fins and eyes are nodes of their own. Below the shark is sand in vertex colours, and a modifier volume that shades it.

use super::shape::{Grid, Point, Vector, normalised, sub};
use ninja::{
    Argb, Bams, Blend, Chunk, Error, EvalFlags, FV_CONT, File, Filter, Material, Model, NinjaFlags, Object,
    ObjectId, ObjectTree, Plist, PolyChunk, Specular, StripChunk, StripFlags, StripKind, Texlist,
    TextureName, Tiny, Vertex, VertexChunk, VertexKind, Vlist, VolumeChunk, VolumeKind, Weight,
};
use std::f32::consts::TAU;

/// Names of the textures, in the order of the model's texture list.
pub(crate) const TEXTURES: [&str; 3] = ["SKIN", "SAND", "SWIRL"];
const SKIN: u16 = 0;
const SAND: u16 = 1;

/// The nodes that move.
pub(super) const SHARK: ObjectId = ObjectId(1);
pub(super) const HEAD: ObjectId = ObjectId(2);
pub(super) const MIDDLE: ObjectId = ObjectId(3);
pub(super) const TAIL: ObjectId = ObjectId(4);

/// Where the body's nodes sit in its rest pose, along z: head, middle, tail.
const JOINTS: [f32; 3] = [0.0, -2.0, -6.0];
/// Half the length over which one joint takes over from the one before.
const BLEND: f32 = 2.4;
/// First vertex buffer slot of everything but the body.
const OTHERS: u16 = 2048;

/// The model with its texture list, as a file of the project's own.
pub(crate) fn file() -> Result<File, Error> {
    let texlist = Texlist::new(TEXTURES.map(TextureName::new).to_vec());
    Ok(File::new(vec![Chunk::Texlist(texlist), Chunk::Model(tree()?)]))
}

pub(super) fn tree() -> Result<ObjectTree, Error> {
    let mut tree = ObjectTree::new();
    let root = node(&mut tree, None, [0.0; 3], [0.0; 3]);
    let shark = node(&mut tree, None, [0.0, 0.2, 0.0], [-4.0, 0.0, 10.0]);
    let body = body();
    let skin = Skin::of(&body);
    let model = skin.model(&mut tree, 0, head_plist(&body)?)?;
    let head = node(&mut tree, Some(model), [0.0; 3], [0.0; 3]);
    let model = skin.model(&mut tree, 1, None)?;
    let middle = node(&mut tree, Some(model), [0.0, 0.0, JOINTS[1]], [0.0, 14.0, 0.0]);
    let draw = Plist {
        chunks: vec![PolyChunk::DrawPolygons(0)],
    };
    let tail_at = [0.0, 0.0, JOINTS[2] - JOINTS[1]];
    let model = skin.model(&mut tree, 2, Some(draw))?;
    let tail = node(&mut tree, Some(model), tail_at, [0.0, -26.0, 0.0]);
    let fins = fins(&mut tree)?;
    let eyes = eyes(&mut tree)?;
    let caudal = caudal(&mut tree)?;
    let sand = sand(&mut tree)?;
    let shadow = shadow(&mut tree)?;
    debug_assert_eq!([shark, head, middle, tail], [SHARK, HEAD, MIDDLE, TAIL]);

    children(&mut tree, root, &[shark, sand]);
    children(&mut tree, shark, &[head, shadow]);
    let mut parts = vec![middle];
    parts.extend(fins);
    parts.extend(eyes);
    children(&mut tree, head, &parts);
    children(&mut tree, middle, &[tail]);
    children(&mut tree, tail, &caudal);
    Ok(tree)
}

/// A node at `pos`, turned by `degrees` about x, y, z; its UNIT flags say what it does not do.
fn node(tree: &mut ObjectTree, model: Option<Model>, pos: Vector, degrees: Vector) -> ObjectId {
    let mut evalflags = EvalFlags::UNIT_SCL;
    if pos == [0.0; 3] {
        evalflags = evalflags | EvalFlags::UNIT_POS;
    }
    if degrees == [0.0; 3] {
        evalflags = evalflags | EvalFlags::UNIT_ANG;
    }
    let model = model.map(|model| tree.push_model(model));
    let ang = degrees.map(|d| Bams((d * 65536.0 / 360.0).round() as i32));
    tree.push_object(Object {
        evalflags,
        model,
        pos,
        ang,
        ..Object::default()
    })
}

fn children(tree: &mut ObjectTree, parent: ObjectId, children: &[ObjectId]) {
    tree.objects[parent.index()].child = children.first().copied();
    for pair in children.windows(2) {
        tree.objects[pair[0].index()].sibling = Some(pair[1]);
    }
}

/// The bounding sphere of points, around their middle.
fn sphere(points: impl Iterator<Item = Vector> + Clone) -> (Vector, f32) {
    let low = points
        .clone()
        .fold([f32::MAX; 3], |low, p| [0, 1, 2].map(|k| low[k].min(p[k])));
    let high = points
        .clone()
        .fold([f32::MIN; 3], |high, p| [0, 1, 2].map(|k| high[k].max(p[k])));
    let centre = [0, 1, 2].map(|k| (low[k] + high[k]) / 2.0);
    let radius = points
        .map(|p| sub(p, centre).iter().map(|c| c * c).sum::<f32>())
        .fold(0.0, f32::max);
    (centre, radius.sqrt())
}

fn model(tree: &mut ObjectTree, chunks: Vec<VertexChunk>, plist: Option<Plist>) -> Model {
    let positions: Vec<Vector> = chunks
        .iter()
        .flat_map(|c| (0..usize::from(c.count)).map(|i| c.position(i)))
        .collect();
    let (center, radius) = sphere(positions.iter().copied());
    let vlist = Some(tree.push_vlist(Vlist { chunks }));
    let plist = plist.map(|plist| tree.push_plist(plist));
    Model {
        vlist,
        plist,
        center,
        radius,
    }
}

// ---- the body ------------------------------------------------------------------------------------------------------

/// Half width and half height of the body, and its middle's height, at `t` from nose (0) to tail root (1).
fn section(t: f32) -> (f32, f32, f32) {
    let swell = t.powf(0.52) * (1.0 - 0.94 * t.powf(1.5));
    let width = 2.3 * swell;
    (
        width,
        1.1 * width + 0.06 * t,
        0.35 * t * t - 0.25 * (1.0 - t).powi(6),
    )
}

fn body() -> Grid {
    let surface = |u: f32, v: f32| {
        let (width, height, lift) = section(u.max(0.0005));
        let angle = v * TAU;
        // The belly is flatter than the back.
        let y = angle.cos() * height * if angle.cos() < 0.0 { 0.82 } else { 1.0 };
        [angle.sin() * width, y + lift, 9.0 - 17.5 * u]
    };
    let outward = |p: Vector| [p[0], p[1] - 0.1, 0.0];
    Grid::sample(45, 21, surface, outward, [4.0, 1.0])
}

/// Which vertices the body's three nodes own, by ring: share of each node in 255.
struct Skin<'a> {
    body: &'a Grid,
    weights: Vec<[u16; 3]>,
}

impl<'a> Skin<'a> {
    fn of(body: &'a Grid) -> Self {
        let taken = |z: f32, joint: f32| {
            let t = ((joint + BLEND - z) / (2.0 * BLEND)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        let weights = (0..body.rows).map(|ring| {
            let z = body.points[ring * body.columns].position[2];
            let (middle, tail) = (taken(z, JOINTS[1]), taken(z, JOINTS[2]));
            let head = (255.0 * (1.0 - middle)).round() as u16;
            let tail = (255.0 * middle * tail).round() as u16;
            [head, 255 - head - tail, tail]
        });
        Self {
            body,
            weights: weights.collect(),
        }
    }

    /// The model of node `bone`: its vertices in its own space.
    fn model(&self, tree: &mut ObjectTree, bone: usize, plist: Option<Plist>) -> Result<Model, Error> {
        let mut chunks = Vec::new();
        let whole: Vec<usize> = (0..self.body.rows)
            .filter(|ring| self.weights[*ring][bone] == 255)
            .collect();
        if let Some(first) = whole.first() {
            let vertices = self.vertices(bone, &whole);
            let offset = (first * self.body.columns) as u16;
            chunks.push(VertexChunk::build(VertexKind::CvVn, FV_CONT, offset, &vertices)?);
        }
        for (status, code) in [(Weight::Start, 0), (Weight::Middle, 1), (Weight::End, 2)] {
            let rings: Vec<usize> = (0..self.body.rows)
                .filter(|ring| self.status(*ring, bone) == Some(status))
                .collect();
            if !rings.is_empty() {
                let vertices = self.vertices(bone, &rings);
                chunks.push(VertexChunk::build(
                    VertexKind::CvVnNf,
                    FV_CONT | code,
                    0,
                    &vertices,
                )?);
            }
        }
        Ok(model(tree, chunks, plist))
    }

    /// What a node does for a ring that it shares with others.
    fn status(&self, ring: usize, bone: usize) -> Option<Weight> {
        let weights = self.weights[ring];
        let shares = |bones: std::ops::Range<usize>| weights[bones].iter().any(|w| *w > 0);
        match (weights[bone], shares(0..bone), shares(bone + 1..3)) {
            (0 | 255, _, _) => None,
            (_, false, _) => Some(Weight::Start),
            (_, true, true) => Some(Weight::Middle),
            (_, true, false) => Some(Weight::End),
        }
    }

    fn vertices(&self, bone: usize, rings: &[usize]) -> Vec<Vertex> {
        let columns = self.body.columns;
        let slots = rings.iter().flat_map(|ring| ring * columns..(ring + 1) * columns);
        let vertex = |slot: usize| {
            let Point { position, normal, .. } = self.body.points[slot];
            let flags = NinjaFlags {
                index: slot as i16,
                weight: self.weights[slot / columns][bone],
            };
            Vertex {
                position: sub(position, [0.0, 0.0, JOINTS[bone]]),
                normal,
                flags,
                ..Vertex::default()
            }
        };
        slots.map(vertex).collect()
    }
}

fn head_plist(body: &Grid) -> Result<Option<Plist>, Error> {
    let mut chunks = vec![PolyChunk::CachePolygons(0)];
    chunks.extend(textured(SKIN, skin_material()));
    chunks.push(PolyChunk::Strip(StripChunk::build(
        StripKind::CsUvn,
        StripFlags::default(),
        &body.strips(0, 256.0),
    )?));
    Ok(Some(Plist::aligned(chunks)))
}

// ---- materials -----------------------------------------------------------------------------------------------------

fn skin_material() -> Material {
    Material {
        blend: Blend::ALPHA,
        diffuse: Some(Argb(0xFFFF_FFFF)),
        ambient: Some(Argb(0xFF90_A8C0)),
        specular: Some(Specular {
            exponent: 11,
            rgb: [255, 255, 255],
        }),
        ..Material::default()
    }
}

fn textured(texture: u16, material: Material) -> [PolyChunk; 2] {
    let tiny = Tiny {
        texture,
        filter: Filter::Bilinear,
        mipmap_adjust: 4,
        ..Tiny::default()
    };
    [PolyChunk::Material(material), PolyChunk::Texture(tiny)]
}

fn plain(diffuse: u32) -> PolyChunk {
    let diffuse = Some(Argb(diffuse));
    PolyChunk::Material(Material {
        blend: Blend::ALPHA,
        diffuse,
        ambient: diffuse,
        ..Material::default()
    })
}

/// A model of one grid.
fn grid_model(
    tree: &mut ObjectTree,
    grid: &Grid,
    kind: VertexKind,
    colours: impl Fn(&Point) -> Argb,
    state: Vec<PolyChunk>,
    (strip_kind, flags): (StripKind, StripFlags),
) -> Result<Model, Error> {
    let vertices: Vec<Vertex> = grid
        .points
        .iter()
        .map(|p| Vertex {
            position: p.position,
            normal: p.normal,
            diffuse: colours(p),
            ..Vertex::default()
        })
        .collect();
    let chunk = VertexChunk::build(kind, FV_CONT, OTHERS, &vertices)?;
    let mut chunks = state;
    let units = if strip_kind == StripKind::CsUvh {
        1024.0
    } else {
        256.0
    };
    chunks.push(PolyChunk::Strip(StripChunk::build(
        strip_kind,
        flags,
        &grid.strips(OTHERS, units),
    )?));
    Ok(model(tree, vec![chunk], Some(Plist::aligned(chunks))))
}

// ---- fins, eyes, sand ----------------------------------------------------------------------------------------------

/// A blade that stands on the x-z plane: `chord` long at the root, `height` high, its tip `sweep` further back, swept
/// edges curved; both sides are one closed grid.
fn blade(chord: f32, height: f32, sweep: f32, thickness: f32) -> Grid {
    let surface = move |u: f32, v: f32| {
        let taper = (1.0 - u).powf(0.8) * 0.94 + 0.06;
        let angle = v * TAU;
        let along = angle.cos() * 0.5;
        [
            angle.sin() * thickness * taper * (0.3 - along).max(0.05),
            u * height,
            along * chord * taper - sweep * u.powf(1.3),
        ]
    };
    Grid::sample(9, 13, surface, move |p| [p[0], 0.0, 0.02 * p[2]], [0.4, 0.35])
}

fn fin(tree: &mut ObjectTree, grid: &Grid, pos: Vector, degrees: Vector) -> Result<ObjectId, Error> {
    let style = (StripKind::CsUvn, StripFlags::DOUBLE_SIDE);
    let model = grid_model(
        tree,
        grid,
        VertexKind::CvVn,
        |_| Argb(0),
        textured(SKIN, skin_material()).into(),
        style,
    )?;
    Ok(node(tree, Some(model), pos, degrees))
}

fn fins(tree: &mut ObjectTree) -> Result<Vec<ObjectId>, Error> {
    let dorsal = blade(2.7, 2.3, 1.5, 0.5);
    let pectoral = blade(1.9, 3.6, 1.9, 0.45);
    let second = blade(0.8, 0.6, 0.5, 0.25);
    Ok(vec![
        fin(tree, &dorsal, [0.0, 1.25, 1.4], [0.0; 3])?,
        fin(tree, &pectoral, [0.95, -0.62, 3.4], [0.0, 0.0, -112.0])?,
        fin(tree, &pectoral, [-0.95, -0.62, 3.4], [0.0, 0.0, 112.0])?,
        fin(tree, &second, [0.0, -0.5, -2.0], [0.0, 0.0, 180.0])?,
    ])
}

fn caudal(tree: &mut ObjectTree) -> Result<Vec<ObjectId>, Error> {
    let (upper, lower) = (blade(1.5, 3.1, 2.2, 0.35), blade(1.3, 2.0, 1.5, 0.35));
    let at = [0.0, 0.36, -2.2];
    Ok(vec![
        fin(tree, &upper, at, [-14.0, 0.0, 0.0])?,
        fin(tree, &lower, at, [14.0, 0.0, 180.0])?,
    ])
}

fn eyes(tree: &mut ObjectTree) -> Result<Vec<ObjectId>, Error> {
    let ball = |u: f32, v: f32| {
        let (ring, turn) = ((u * TAU / 2.0).sin_cos(), (v * TAU).sin_cos());
        [0.1 * ring.1, 0.15 * ring.0 * turn.1, 0.15 * ring.0 * turn.0]
    };
    let grid = Grid::sample(9, 11, ball, |p| p, [1.0, 1.0]);
    // Dark with a light rim, and a highlight above: vertex colours, not lit.
    let colours = |p: &Point| {
        let [x, y, _] = p.normal;
        let rim = ((1.0 - x.abs()) * 150.0) as u32;
        let light = if y > 0.4 && x.abs() > 0.55 { 200 } else { rim + 12 };
        Argb(0xFF00_0000 | light << 16 | light << 8 | (light + 20).min(255))
    };
    let mut nodes = Vec::new();
    for side in [1.0, -1.0] {
        let style = (StripKind::Cs, StripFlags::IGNORE_LIGHT);
        let model = grid_model(
            tree,
            &grid,
            VertexKind::CvD8,
            colours,
            vec![plain(0xFFFF_FFFF)],
            style,
        )?;
        nodes.push(node(
            tree,
            Some(model),
            [side * 0.93, 0.28, 6.9],
            [0.0, side * 24.0, 0.0],
        ));
    }
    Ok(nodes)
}

fn sand(tree: &mut ObjectTree) -> Result<ObjectId, Error> {
    let side = 30.0;
    let height =
        |x: f32, z: f32| 0.5 * (0.31 * x + 0.4).sin() * (0.23 * z).cos() + 0.16 * (0.9 * x + 0.5 * z).sin();
    let surface = move |u: f32, v: f32| {
        let (x, z) = ((u - 0.5) * side, (v - 0.5) * side);
        [x, height(x, z), z]
    };
    let grid = Grid::sample(25, 25, surface, |_| [0.0, 1.0, 0.0], [6.0, 6.0]);
    let colours = move |p: &Point| {
        let [x, _, z] = p.position;
        let fade = (1.0 - (x * x + z * z).sqrt() / (side * 0.5)).clamp(0.0, 1.0);
        let sun = normalised([-1.0, 2.0, 2.0]);
        let light = 0.35 + 0.65 * (0..3).map(|k| sun[k] * p.normal[k]).sum::<f32>().max(0.0);
        // Opaque, as volumes shade nothing else; to its edge the sand takes on the colour of the water.
        let near = (fade * 2.2).min(1.0);
        let channel = |c: f32, far: f32| (c * light * near + far * (1.0 - near)).min(255.0) as u32;
        Argb(0xFF00_0000 | channel(235.0, 14.0) << 16 | channel(245.0, 82.0) << 8 | channel(255.0, 150.0))
    };
    let state = textured(
        SAND,
        Material {
            blend: Blend::ALPHA,
            diffuse: Some(Argb(0xFFFF_FFFF)),
            ..Material::default()
        },
    );
    let style = (StripKind::CsUvh, StripFlags::IGNORE_LIGHT);
    let model = grid_model(tree, &grid, VertexKind::CvD8, colours, state.into(), style)?;
    Ok(node(tree, Some(model), [0.0, -5.2, 0.0], [0.0; 3]))
}

/// A modifier volume below the shark: from within its body down through the sand, along the light.
fn shadow(tree: &mut ObjectTree) -> Result<ObjectId, Error> {
    const SIDES: u16 = 20;
    let ring = |height: f32, by: Vector| {
        (0..SIDES).map(move |i| {
            let (sin, cos) = (f32::from(i) / f32::from(SIDES) * TAU).sin_cos();
            // Fuller in front than behind, as the shark is.
            let width = 1.5 + 0.6 * cos;
            [by[0] + width * sin, height + by[1], by[2] + 6.2 * cos - 0.6]
        })
    };
    let vertices: Vec<Vertex> = ring(-0.3, [0.0; 3])
        .chain(ring(-8.0, [2.4, 0.0, -3.0]))
        .map(|position| Vertex {
            position,
            ..Vertex::default()
        })
        .collect();
    let chunk = VertexChunk::build(VertexKind::Cv, FV_CONT, OTHERS, &vertices)?;
    let at = |i: u16| OTHERS + i;
    let mut triangles = Vec::new();
    for i in 0..SIDES {
        let next = (i + 1) % SIDES;
        triangles.push([at(i), at(next), at(SIDES + i)]);
        triangles.push([at(next), at(SIDES + next), at(SIDES + i)]);
        if i > 0 && next > 0 {
            triangles.push([at(0), at(next), at(i)]);
            triangles.push([at(SIDES), at(SIDES + i), at(SIDES + next)]);
        }
    }
    let triangles: Vec<&[u16]> = triangles.iter().map(|triangle| &triangle[..]).collect();
    let volume = VolumeChunk::build(VolumeKind::P3, 0, &triangles)?;
    let plist = Plist::aligned(vec![PolyChunk::Volume(volume)]);
    let model = model(tree, vec![chunk], Some(plist));
    Ok(node(tree, Some(model), [0.0; 3], [0.0; 3]))
}
