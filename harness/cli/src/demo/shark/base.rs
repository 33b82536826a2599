//! Common data for the parts of the demo's model: texture numbers, positions, nodes and materials.

use super::super::shape::{Grid, Point, Vector, sub};
use ninja::{
    Argb, Bams, Blend, Error, EvalFlags, FV_CONT, Filter, Material, Model, Object, ObjectId, ObjectTree,
    Plist, PolyChunk, StripChunk, StripFlags, StripKind, Tiny, Vertex, VertexChunk, VertexKind, Vlist,
};

pub(super) const SKIN: u16 = 0;
pub(super) const SAND: u16 = 1;

/// Positions of the body's nodes in the rest pose, along z: head, middle, tail.
pub(super) const JOINTS: [f32; 3] = [0.0, -2.0, -6.0];
/// Half the length over which the weight passes from one joint to the next.
pub(super) const BLEND: f32 = 2.4;
/// First slot of the vertex buffer for all parts except the body.
pub(super) const OTHERS: u16 = 2048;

/// Adds a node at `pos`, rotated by `degrees` about x, y, z. Sets UNIT flags for unused transforms.
pub(super) fn node(tree: &mut ObjectTree, model: Option<Model>, pos: Vector, degrees: Vector) -> ObjectId {
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

pub(super) fn children(tree: &mut ObjectTree, parent: ObjectId, children: &[ObjectId]) {
    tree.objects[parent.index()].child = children.first().copied();
    for pair in children.windows(2) {
        tree.objects[pair[0].index()].sibling = Some(pair[1]);
    }
}

/// Returns the bounding sphere of points, around the centre of their box.
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

pub(super) fn model(tree: &mut ObjectTree, chunks: Vec<VertexChunk>, plist: Option<Plist>) -> Model {
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

pub(super) fn textured(texture: u16, material: Material) -> [PolyChunk; 2] {
    let tiny = Tiny {
        texture,
        filter: Filter::Bilinear,
        mipmap_adjust: 4,
        ..Tiny::default()
    };
    [PolyChunk::Material(material), PolyChunk::Texture(tiny)]
}

pub(super) fn plain(diffuse: u32) -> PolyChunk {
    let diffuse = Some(Argb(diffuse));
    PolyChunk::Material(Material {
        blend: Blend::ALPHA,
        diffuse,
        ambient: diffuse,
        ..Material::default()
    })
}

/// Returns a model of one grid.
pub(super) fn grid_model(
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
