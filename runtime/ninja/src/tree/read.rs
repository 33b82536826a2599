//! Reader for object trees.

use super::{Bams, EvalFlags, Model, ModelId, NodeFormat, Object, ObjectId, ObjectTree, PlistId, VlistId};
use crate::bytes::Body;
use crate::chunk_id::ChunkId;
use crate::error::{Error, WarningKind, Warnings};
use crate::layout::{Part, Piece, Recorder};
use crate::pof0::Pof0;
use crate::settings::{NjcmQuaternion, Settings};
use crate::{plist, vlist};

const MODEL_BYTES: u32 = 24;

/// A node as stored in the file; its pointers are offsets (docs/formats/ninja.md 1.4).
struct RawNode {
    offset: u32,
    /// Number of the node in drawing order.
    order: usize,
    evalflags: u32,
    model: u32,
    pos: [u32; 3],
    ang: [u32; 3],
    scl: [u32; 3],
    child: u32,
    sibling: u32,
}

impl RawNode {
    fn read(body: &Body<'_>, offset: u32, order: usize) -> Result<Self, Error> {
        let [
            evalflags,
            model,
            px,
            py,
            pz,
            ax,
            ay,
            az,
            sx,
            sy,
            sz,
            child,
            sibling,
        ] = body.block(offset, "NJS_CNK_OBJECT")?;
        let (pos, ang, scl) = ([px, py, pz], [ax, ay, az], [sx, sy, sz]);
        Ok(RawNode {
            offset,
            order,
            evalflags,
            model,
            pos,
            ang,
            scl,
            child,
            sibling,
        })
    }
}

/// A pointer and the node that contains it.
#[derive(Clone, Copy)]
struct Link {
    target: u32,
    node: usize,
    node_offset: u32,
}

/// Sorts by target and drops repetitions, keeping the first node in drawing order.
fn distinct(mut links: Vec<Link>) -> Vec<Link> {
    links.retain(|link| link.target != 0);
    links.sort_by_key(|link| (link.target, link.node));
    links.dedup_by_key(|link| link.target);
    links
}

/// Returns the index of the offset `target` among distinct links.
fn index_of(links: &[Link], target: u32) -> Option<u32> {
    links
        .binary_search_by_key(&target, |link| link.target)
        .ok()
        .map(|i| i as u32)
}

impl ObjectTree {
    pub(crate) fn read(
        body: Body<'_>,
        pof0: Option<Pof0>,
        settings: &Settings,
        warnings: &mut Warnings,
    ) -> Result<Self, Error> {
        Self::read_from(body, 0, pof0, settings, warnings)
    }

    /// Reads the tree below the node at `root`.
    pub(crate) fn read_from(
        body: Body<'_>,
        root: u32,
        pof0: Option<Pof0>,
        settings: &Settings,
        warnings: &mut Warnings,
    ) -> Result<Self, Error> {
        let mut reader = Recorder::new(body, 1);
        let nodes = reader.nodes(root)?;
        let links = |target: fn(&RawNode) -> u32| {
            let link = |n: &RawNode| Link {
                target: target(n),
                node: n.order,
                node_offset: n.offset,
            };
            distinct(nodes.iter().map(link).collect())
        };
        let mut tree = ObjectTree::default();
        let models = links(|node| node.model);
        let (vlists, plists) = reader.models(&mut tree, &models)?;
        reader.lists(&mut tree, &vlists, &plists, warnings)?;
        tree.kind = reader.node_format(&nodes, settings.njcm_quaternion, warnings);
        reader.objects(&mut tree, &nodes, &models, warnings)?;
        let mut layout = reader.finish(pof0, warnings);
        layout.quaternions = tree.has_quaternions();
        tree.layout = Some(Box::new(layout));
        Ok(tree)
    }
}

/// Steps of reading a tree.
impl Recorder<'_> {
    /// Reads the nodes. Returns the root, then the others by ascending offset.
    fn nodes(&mut self, root: u32) -> Result<Vec<RawNode>, Error> {
        let mut seen = vec![false; self.body.len() / 4 + 1];
        let mut nodes: Vec<RawNode> = Vec::new();
        // Offset, and the order number of the node that points to it.
        let mut stack = vec![(root, 0usize)];
        while let Some((offset, from)) = stack.pop() {
            let from_body = match nodes.get(from) {
                Some(node) => self.body.for_node(from, node.offset),
                None => self.body,
            };
            from_body.aligned(offset, 4, "object pointer")?;
            let node = RawNode::read(&from_body, offset, nodes.len())?;
            if std::mem::replace(&mut seen[offset as usize / 4], true) {
                return Err(reached_twice(&from_body, &nodes, offset, from));
            }
            self.claim(&from_body, offset, NodeFormat::Ninja1.node_bytes())?;
            stack.extend(
                [node.sibling, node.child]
                    .into_iter()
                    .filter(|p| *p != 0)
                    .map(|p| (p, nodes.len())),
            );
            nodes.push(node);
        }
        nodes.sort_by_key(|node| (node.offset != root, node.offset));
        Ok(nodes)
    }

    /// Reads the models. Returns the distinct vlists and plists that they point to.
    fn models(&mut self, tree: &mut ObjectTree, models: &[Link]) -> Result<(Vec<Link>, Vec<Link>), Error> {
        let mut raw = Vec::with_capacity(models.len());
        for link in models {
            let body = self.body.for_node(link.node, link.node_offset);
            body.aligned(link.target, 4, "model pointer")?;
            let model: [u32; 6] = body.block(link.target, "NJS_CNK_MODEL")?;
            self.claim(&body, link.target, MODEL_BYTES as usize)?;
            self.pointer(link.target, model[0]);
            self.pointer(link.target + 4, model[1]);
            raw.push(model);
        }
        let lists = |field: usize| {
            let links = models.iter().zip(&raw);
            distinct(
                links
                    .map(|(link, model)| Link {
                        target: model[field],
                        ..*link
                    })
                    .collect(),
            )
        };
        let (vlists, plists) = (lists(0), lists(1));
        for (i, (link, model)) in models.iter().zip(&raw).enumerate() {
            let [vlist, plist, center @ .., radius] = *model;
            tree.models.push(Model {
                vlist: index_of(&vlists, vlist).map(VlistId),
                plist: index_of(&plists, plist).map(PlistId),
                center: center.map(f32::from_bits),
                radius: f32::from_bits(radius),
            });
            self.piece(Part::Model, i, link.target, MODEL_BYTES as usize);
        }
        Ok((vlists, plists))
    }

    fn lists(
        &mut self,
        tree: &mut ObjectTree,
        vlists: &[Link],
        plists: &[Link],
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        for (i, link) in vlists.iter().enumerate() {
            let body = self.body.for_node(link.node, link.node_offset);
            let (chunks, size) = vlist::measure(&body, link.target)?;
            self.claim(&body, link.target, size as usize)?;
            let (list, end) = vlist::read(&body, link.target, chunks, warnings)?;
            tree.vlists.push(list);
            let piece = Piece::new(Part::Vlist, i as u32, link.target, size);
            self.pieces.push(Piece { end, ..piece });
        }
        for (i, link) in plists.iter().enumerate() {
            let body = self.body.for_node(link.node, link.node_offset);
            let (chunks, size) = plist::measure(&body, link.target)?;
            self.claim(&body, link.target, size as usize)?;
            let (list, end) = plist::read(&body, link.target, chunks, warnings)?;
            tree.plists.push(list);
            let piece = Piece::new(Part::Plist, i as u32, link.target, size);
            self.pieces.push(Piece { end, ..piece });
        }
        Ok(())
    }

    /// Returns the node format by the chunk's name and, for quaternions in `NJCM`, by the settings.
    fn node_format(&self, nodes: &[RawNode], rule: NjcmQuaternion, warnings: &mut Warnings) -> NodeFormat {
        if self.body.chunk == ChunkId::N2CM {
            return NodeFormat::Ninja2;
        }
        let is_quaternion = |n: &&RawNode| EvalFlags(n.evalflags).contains(EvalFlags::QUATERNION);
        let Some(first) = nodes.iter().find(is_quaternion) else {
            return NodeFormat::Ninja1;
        };
        let wide = match rule {
            NjcmQuaternion::Narrow => false,
            NjcmQuaternion::Wide => true,
            NjcmQuaternion::ByDistance => self.has_room_for_wide(nodes),
        };
        let (format, kind) = match wide {
            true => (NodeFormat::Ninja1Wide, WarningKind::WideNodes),
            false => (NodeFormat::Ninja1, WarningKind::QuaternionWithoutReal),
        };
        warnings.push(self.body.warning(first.offset, kind));
        format
    }

    /// True if all 52-byte nodes have four more bytes before the next structure or the end of the body.
    fn has_room_for_wide(&self, nodes: &[RawNode]) -> bool {
        let mut starts: Vec<u32> = nodes.iter().map(|node| node.offset).collect();
        starts.extend(self.pieces.iter().map(|piece| piece.offset));
        starts.sort_unstable();
        nodes.iter().all(|node| {
            let (narrow, wide) = (node.offset + 52, node.offset + 56);
            let next = starts.partition_point(|start| *start < narrow);
            starts.get(next).is_none_or(|start| *start >= wide) && wide as usize <= self.body.len()
        })
    }

    fn objects(
        &mut self,
        tree: &mut ObjectTree,
        nodes: &[RawNode],
        models: &[Link],
        warnings: &mut Warnings,
    ) -> Result<(), Error> {
        let size = tree.kind.node_bytes() as u32;
        // No pointer leads to the root, which comes first.
        let others = nodes.get(1..).unwrap_or_default();
        let object_at = |target: u32| match target {
            0 => None,
            _ => others
                .binary_search_by_key(&target, |n| n.offset)
                .ok()
                .map(|i| ObjectId(i as u32 + 1)),
        };
        for (i, node) in nodes.iter().enumerate() {
            let body = self.body.for_node(node.order, node.offset);
            if node.evalflags & !EvalFlags::KNOWN.0 != 0 {
                warnings.push(body.warning(node.offset, WarningKind::EvalFlags(node.evalflags)));
            }
            let re_quat = match size {
                52 => None,
                _ => Some(f32::from_bits(
                    body.u32(node.offset + 52, "NJS_CNK_OBJECT.re_quat")?,
                )),
            };
            tree.objects.push(Object {
                evalflags: EvalFlags(node.evalflags),
                model: index_of(models, node.model).map(ModelId),
                pos: node.pos.map(f32::from_bits),
                ang: node.ang.map(|a| Bams(a as i32)),
                scl: node.scl.map(f32::from_bits),
                child: object_at(node.child),
                sibling: object_at(node.sibling),
                re_quat,
                offset: node.offset,
            });
            for (at, target) in [(4, node.model), (44, node.child), (48, node.sibling)] {
                self.pointer(node.offset + at, target);
            }
            self.piece(Part::Object, i, node.offset, size as usize);
        }
        Ok(())
    }
}

/// Builds the error for a node reached twice. In a cycle the runtime would never end; a shared node would use
/// the wrong entry of a motion. No known file has either, and shared nodes can expand to any size.
#[cold]
fn reached_twice(body: &Body<'_>, nodes: &[RawNode], offset: u32, from: usize) -> Error {
    // Nodes are still in drawing order here. A cycle leads from the node back to itself.
    let links = |i: usize| [nodes[i].child, nodes[i].sibling];
    let first = nodes.iter().position(|node| node.offset == offset).unwrap_or(0);
    let mut below = vec![false; nodes.len()];
    below[first] = true;
    let by_offset: std::collections::HashMap<u32, usize> = nodes
        .iter()
        .enumerate()
        .map(|(i, node)| (node.offset, i))
        .collect();
    let mut stack = vec![first];
    while let Some(i) = stack.pop() {
        for next in links(i)
            .iter()
            .filter(|o| **o != 0)
            .filter_map(|offset| by_offset.get(offset))
        {
            if !std::mem::replace(&mut below[*next], true) {
                stack.push(*next);
            }
        }
    }
    let found = match below.get(from) {
        Some(true) => format!("a cycle back to node {first} at {offset:#x}"),
        _ => format!("node {first} at {offset:#x} for the second time"),
    };
    body.fail(
        nodes.get(from).map_or(0, |n| n.offset),
        "child or sibling",
        found,
        "a node not yet met".into(),
    )
}
