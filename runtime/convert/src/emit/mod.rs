//! Writes the object tree.

mod materials;
mod spheres;
mod vertices;
mod volume;

use ninja::{
    Bams, EvalFlags, Model, ModelId, NodeFormat, Object, ObjectId, ObjectTree, Plist, PlistId, PolyChunk,
    Vlist, VlistId,
};

pub(crate) use vertices::{kind as vertex_kind, most_vertices};

use crate::error::Error;
use crate::math::{Drift, Vec3, euler_near, quat_columns, rotation_of_angles};
use crate::mesh::{Group, Part};
use crate::nodes::Plan;
use crate::options::{Options, Rotation};
use crate::report::StripCount;
use crate::settings::NodeSettings;
use crate::skin::{Class, Placement};
use crate::source::Scene;
use crate::texture::Textures;

/// A part, the nodes that hold its vertices, and the node that draws it.
pub(crate) struct Placed {
    /// Index of the part's node in [`Plan::nodes`].
    pub(crate) node: usize,
    pub(crate) source_mesh: usize,
    /// Node and mesh in the file. The part can be a piece of this mesh.
    pub(crate) in_file: (usize, usize),
    pub(crate) part: Part,
    pub(crate) placement: Placement,
}

/// A scene at rest, as an object tree.
pub(crate) struct Tree {
    pub(crate) tree: ObjectTree,
    pub(crate) strips: StripCount,
    /// Number of polygons of collision and modifier volumes.
    pub(crate) volume_polygons: usize,
    /// Largest rounding error of an angle at rest, in turns.
    pub(crate) angle_error: f64,
}

/// Context of the scene for emitting its parts.
pub(crate) struct Context<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) plan: &'a Plan,
    pub(crate) textures: &'a Textures,
    pub(crate) options: &'a Options,
    /// Coordinates with a smaller absolute value are written as 0.
    pub(crate) small: f64,
}

impl<'a> Context<'a> {
    /// Returns the settings of a part's node.
    fn said(&self, placed: &Placed) -> &'a NodeSettings {
        &self.scene.nodes[self.plan.nodes[placed.node].source].settings
    }

    /// Returns the user flags of a group's polygons: its material's, or else its node's.
    fn user_flags(&self, placed: &Placed, group: &Group) -> &'a [u16] {
        let material = group.material.and_then(|m| self.scene.materials.get(m));
        let of_material = material.and_then(|m| m.settings.user_flags.as_deref());
        of_material
            .or(self.said(placed).user_flags.as_deref())
            .unwrap_or_default()
    }
}

/// Builds the tree of all nodes and their models.
pub(crate) fn tree(context: &Context<'_>, placed: &[Placed]) -> Result<Tree, Error> {
    let mut made = Tree {
        tree: ObjectTree::new(),
        strips: StripCount::default(),
        volume_polygons: 0,
        angle_error: 0.0,
    };
    if context.options.rotation == Rotation::Quaternion {
        made.tree.kind = NodeFormat::Ninja2;
    }
    let mut last_child: Vec<Option<ObjectId>> = vec![None; context.plan.nodes.len()];
    let mut drift = Vec::new();
    let by_node = by_node(context.plan.nodes.len(), placed);
    spheres::count(&by_node)?;
    for (node, touching) in by_node.iter().enumerate() {
        let mut object = object(context, node, &mut drift, &mut made.angle_error);
        object.model = model(context, node, touching, &mut made)?;
        if hidden(context, node, touching) {
            object.evalflags = object.evalflags | EvalFlags::HIDE;
        }
        let id = made.tree.push_object(object);
        let Some(parent) = context.plan.nodes[node].parent else {
            continue;
        };
        match last_child[parent].replace(id) {
            Some(before) => made.tree.objects[before.index()].sibling = Some(id),
            None => made.tree.objects[parent].child = Some(id),
        }
    }
    Ok(made)
}

/// Returns, for each node, the parts that it draws or holds vertices of.
fn by_node(nodes: usize, placed: &[Placed]) -> Vec<Vec<&Placed>> {
    let mut touching = vec![Vec::new(); nodes];
    for part in placed {
        let mut own: Vec<usize> = part.placement.contributions.iter().map(|c| c.node).collect();
        own.push(part.placement.draws);
        own.sort_unstable();
        own.dedup();
        own.iter().for_each(|node| touching[*node].push(part));
    }
    touching
}

/// Creates a node without its model, child and sibling.
fn object(context: &Context<'_>, node: usize, drift: &mut Vec<Drift>, angle_error: &mut f64) -> Object {
    let planned = &context.plan.nodes[node];
    let rest = &planned.rest;
    let pos = rest
        .translation
        .map(|c| if c.abs() < context.small { 0.0 } else { c as f32 });
    let scl = rest
        .scale
        .map(|s| if (s - 1.0).abs() < 1e-6 { 1.0 } else { s as f32 });
    let mut object = Object {
        pos,
        scl,
        ..Object::default()
    };
    let above = planned.parent.map_or(Drift::NONE, |p| drift[p]);
    let target = above.target(&quat_columns(rest.rotation));
    let angles = euler_near(&target, [0.0; 3]).map(f64::to_degrees);
    object.ang = angles.map(short_angle);
    let made = rotation_of_angles(object.ang.map(Bams::radians));
    drift.push(Drift::after(&target, &made, rest.scale));
    for (angle, made) in angles.iter().zip(object.ang) {
        let off = (angle - made.degrees()) / 360.0;
        *angle_error = angle_error.max((off - off.round()).abs());
    }
    let mut flags = EvalFlags::default()
        .with(EvalFlags::UNIT_POS, pos == [0.0; 3])
        .with(EvalFlags::UNIT_ANG, object.ang.iter().all(|a| a.0 == 0))
        .with(EvalFlags::UNIT_SCL, scl == [1.0; 3]);
    if context.options.rotation == Rotation::Quaternion {
        object.set_quaternion(rest.rotation.map(|c| c as f32));
        flags = flags | EvalFlags::QUATERNION;
    }
    let said = &context.scene.nodes[planned.source].settings;
    object.evalflags = flags
        .with(EvalFlags::CLIP, said.clip == Some(true))
        .with(EvalFlags::MODIFIER, said.modifier == Some(true));
    object
}

/// Normalises an angle to at most half a turn.
pub(crate) fn short_angle(degrees: f64) -> Bams {
    Bams(i32::from(Bams::from_degrees(degrees).0 as i16))
}

/// Returns whether to hide a node: the source hides it, and no other node's model needs its vertices.
fn hidden(context: &Context<'_>, node: usize, touching: &[&Placed]) -> bool {
    let source = &context.scene.nodes[context.plan.nodes[node].source];
    // A part that the node does not draw uses vertices of the node.
    let lends = |p: &&Placed| p.placement.draws != node;
    let wanted = source
        .settings
        .hide
        .unwrap_or(!source.visible && source.mesh.is_some());
    wanted && !touching.iter().any(lends)
}

fn model(
    context: &Context<'_>,
    node: usize,
    touching: &[&Placed],
    made: &mut Tree,
) -> Result<Option<ModelId>, Error> {
    let vlist = vertices::vlist(node, touching)?;
    let drawn: Vec<&Placed> = touching
        .iter()
        .copied()
        .filter(|p| p.placement.draws == node)
        .collect();
    let mut chunks = poly_chunks(context, &drawn, &mut made.strips)?;
    chunks.extend(volume::chunks(context, &drawn, &mut made.volume_polygons)?);
    if vlist.chunks.is_empty() && chunks.is_empty() {
        return Ok(None);
    }
    let (center, radius) = spheres::around(context, node, touching);
    let vlist = (!vlist.chunks.is_empty()).then(|| shared_vlist(&mut made.tree, vlist));
    let plist = (!chunks.is_empty()).then(|| shared_plist(&mut made.tree, Plist::aligned(chunks)));
    let model = Model {
        vlist,
        plist,
        center: center.map(|c: f64| c as f32),
        radius: radius as f32,
    };
    let known = made.tree.models.iter().position(|m| *m == model);
    Ok(Some(known.map_or_else(
        || made.tree.push_model(model),
        |i| ModelId(i as u32),
    )))
}

/// Stores equal vertex lists once.
fn shared_vlist(tree: &mut ObjectTree, list: Vlist) -> VlistId {
    let known = tree.vlists.iter().position(|l| *l == list);
    known.map_or_else(|| tree.push_vlist(list), |i| VlistId(i as u32))
}

fn shared_plist(tree: &mut ObjectTree, list: Plist) -> PlistId {
    let known = tree.plists.iter().position(|l| *l == list);
    known.map_or_else(|| tree.push_plist(list), |i| PlistId(i as u32))
}

/// Returns the polygon chunks of the parts that a node draws, opaque ones first.
fn poly_chunks(
    context: &Context<'_>,
    drawn: &[&Placed],
    count: &mut StripCount,
) -> Result<Vec<PolyChunk>, Error> {
    let mut groups: Vec<materials::DrawnGroup<'_>> = Vec::new();
    for placed in drawn.iter().filter(|p| context.said(p).volume.is_none()) {
        let with_part = |group| materials::DrawnGroup::new(context, placed, group);
        groups.extend(placed.part.groups.iter().map(with_part));
    }
    groups.sort_by_key(|g| g.state.translucent());
    let mut chunks = Vec::new();
    let mut before = None;
    for group in &groups {
        chunks.extend(group.state.difference(before));
        before = Some(&group.state);
        for strips in group.strip_chunks(count)? {
            chunks.push(PolyChunk::Strip(strips));
        }
    }
    Ok(chunks)
}

/// Returns the diagonal of the bounding box.
pub(crate) fn extent(points: impl Iterator<Item = Vec3>) -> f64 {
    around(points).size
}

/// A bounding box.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Extent {
    pub(crate) centre: Vec3,
    /// Length of the diagonal.
    pub(crate) size: f64,
}

/// Returns the bounding box of all points with finite coordinates.
pub(crate) fn around(points: impl Iterator<Item = Vec3>) -> Extent {
    let mut bounds: Option<[Vec3; 2]> = None;
    for p in points.filter(|p| crate::math::finite(*p)) {
        let [low, high] = bounds.get_or_insert([p, p]);
        for k in 0..3 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    }
    bounds.map_or(Extent::default(), |[low, high]| Extent {
        centre: crate::math::scaled(crate::math::add(low, high), 0.5),
        size: crate::math::length(crate::math::sub(high, low)),
    })
}

impl Placed {
    /// Returns whether all vertices belong to one node and do not move in it.
    pub(crate) fn rigid(&self) -> bool {
        self.placement
            .contributions
            .iter()
            .all(|c| c.class == Class::Plain && c.node == self.node)
    }
}
