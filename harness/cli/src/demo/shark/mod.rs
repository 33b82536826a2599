//! The demo's model: a shark over sand, made by formula.
//!
//! The body is one skin over three nodes (head, middle, tail): its vertices carry up to three weights, start,
//! middle and end, and its strips are remembered by the head's polygon list (CP) and drawn when the tail has
//! completed the vertex buffer (DP). Fins and eyes are nodes of their own. Below the shark is sand in vertex
//! colours, and a modifier volume that shades it.

mod body;
mod ground;
mod parts;

use super::shape::{Grid, Point, Vector, sub};
use body::{Skin, body, head_plist};
use ground::{sand, shadow};
use ninja::{
    Argb, Bams, Blend, Chunk, Error, EvalFlags, FV_CONT, File, Filter, Material, Model, Object, ObjectId,
    ObjectTree, Plist, PolyChunk, StripChunk, StripFlags, StripKind, Texlist, TextureName, Tiny, Vertex,
    VertexChunk, VertexKind, Vlist,
};
use parts::{caudal, eyes, fins};

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
