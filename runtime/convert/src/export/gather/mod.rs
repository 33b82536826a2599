//! Converts a tree to meshes. The vertex buffer records the nodes that made each vertex; the strips show
//! which vertices belong together (docs/formats/ninja.md, 2.2, 2.3).

mod draw;
mod mesh_builder;
mod pool;

use crate::limits::EXPORTED_NODES as MOST_NODES;
use crate::limits::EXPORTED_VERTICES as MOST;
use std::collections::HashMap;

use ninja::{Argb, EvalFlags, ModelId, PlistId, StripFlags, VertexChunk, Weight, WeightScale};

use super::scene::{Material, Node, Scene};
use crate::error::{Error, Warnings};
use crate::math::Affine;
use crate::play::{Player, Step};
use draw::StateKey;
use mesh_builder::CornerData;
pub(super) use mesh_builder::MeshBuilder;
pub(super) use pool::{NodeVertex, Pooled};

/// State of the walk over a tree.
pub(super) struct Gather<'a> {
    player: &'a Player<'a>,
    pub(super) scene: Scene,
    pub(super) builders: Vec<MeshBuilder>,
    pub(super) pool: Vec<Pooled>,
    buffer: Vec<Option<usize>>,
    cached: HashMap<u8, (PlistId, usize)>,
    /// Mesh numbers. The key of a mesh with vertices from a single node is (that node, true). The key of a
    /// skin is (drawing node, false).
    by_owner: HashMap<(usize, bool), usize>,
    materials: HashMap<StateKey, usize>,
    state: Material,
    lost: usize,
    /// Number of strip chunks with data for modifier volumes.
    second: usize,
    work: usize,
}

impl<'a> Gather<'a> {
    pub(super) fn new(player: &'a Player<'a>) -> Self {
        Gather {
            player,
            scene: Scene::default(),
            builders: Vec::new(),
            pool: Vec::new(),
            buffer: vec![None; 1 << 16],
            cached: HashMap::new(),
            by_owner: HashMap::new(),
            materials: HashMap::new(),
            state: Material {
                name: String::new(),
                diffuse: Argb(u32::MAX),
                ambient: Argb(u32::MAX),
                specular: None,
                blend: ninja::Blend::ALPHA,
                flags: StripFlags::default(),
                tiny: None,
            },
            lost: 0,
            second: 0,
            work: 0,
        }
    }

    /// Walks the whole tree.
    pub(super) fn walk(&mut self, warnings: &mut Warnings) -> Result<(), Error> {
        let mut path: Vec<usize> = Vec::new();
        let (mut hidden, mut volumes) = (0, 0);
        for (order, step) in self.player.steps().enumerate() {
            if order == MOST_NODES {
                return Err(Error::scene(
                    "tree",
                    "more nodes",
                    format!("at most {MOST_NODES}"),
                ));
            }
            path.truncate(step.depth);
            self.push_node(order, path.last().copied(), &step);
            path.push(order);
            let Some(model) = step.object.model else { continue };
            if step.object.evalflags.contains(EvalFlags::HIDE) {
                hidden += 1;
                continue;
            }
            self.model(order, model, &mut volumes)?;
        }
        let mut warn = |count: usize, what: &str| {
            if count > 0 {
                warnings.add("", format!("{count} {what}"));
            }
        };
        warn(hidden, "hidden models left out");
        warn(
            self.second,
            "two-volume strip chunks: only the first volume's parameters are kept",
        );
        warn(volumes, "collision or modifier volumes left out");
        warn(
            self.lost,
            "triangles left out: a slot of the vertex buffer is empty",
        );
        Ok(())
    }

    fn push_node(&mut self, order: usize, parent: Option<usize>, step: &Step<'_>) {
        let rest = self.player.local(step, None);
        let above = parent.map_or(Affine::IDENTITY, |p| self.scene.nodes[p].world);
        self.scene.nodes.push(Node {
            name: format!("node{order:03}"),
            parent,
            rest,
            world: above.times(&rest.affine()),
        });
    }

    fn model(&mut self, node: usize, model: ModelId, volumes: &mut usize) -> Result<(), Error> {
        let tree = self.player.tree;
        let Some(model) = tree.model(model) else {
            return Ok(());
        };
        if let Some(list) = model.vlist.and_then(|id| tree.vlist(id)) {
            for (i, chunk) in list.chunks.iter().enumerate() {
                self.count_work(usize::from(chunk.count))?;
                self.fill(node, i, chunk);
            }
        }
        let mut triangles = Vec::new();
        if let Some(list) = model.plist {
            self.draw(list, &mut triangles, volumes)?;
        }
        self.add(node, &triangles);
        Ok(())
    }

    fn count_work(&mut self, by: usize) -> Result<(), Error> {
        self.work += by;
        match self.work > MOST {
            true => Err(Error::scene(
                "tree",
                format!("more than {MOST} vertices and triangles"),
                "fewer",
            )),
            false => Ok(()),
        }
    }

    fn fill(&mut self, node: usize, place: usize, chunk: &VertexChunk) {
        let factor = f64::from(self.player.tree.weight_factor(WeightScale::Auto));
        for i in 0..usize::from(chunk.count) {
            let Some(slot) = usize::try_from(chunk.slot(i))
                .ok()
                .filter(|s| *s < self.buffer.len())
            else {
                continue;
            };
            let weight = chunk.ninja_flags(i).filter(|_| chunk.weight_status().is_some());
            let source = NodeVertex {
                node,
                weight: weight.map_or(1.0, |f| f64::from(f.weight) * factor),
                position: chunk.position(i).map(f64::from),
                normal: chunk.normal(i).map(|n| n.map(f64::from)),
                place: (place, i),
            };
            let before = match chunk.weight_status() {
                Some(Weight::Middle | Weight::End) => self.buffer[slot].map(|p| self.pool[p].sources.clone()),
                _ => Some(Vec::new()),
            };
            // MIDDLE and END without START have no vertex to add to.
            let Some(mut sources) = before else { continue };
            sources.push(source);
            self.pool.push(Pooled {
                sources,
                color: chunk.diffuse(i),
            });
            self.buffer[slot] = Some(self.pool.len() - 1);
        }
    }

    /// Adds the triangles that a node draws to a mesh. If one node made all their vertices, the mesh belongs
    /// to that node. Otherwise it is a skin of the drawing node.
    fn add(&mut self, drawer: usize, triangles: &[(usize, [CornerData; 3])]) {
        let sources = || {
            triangles
                .iter()
                .flat_map(|t| t.1)
                .flat_map(|c| &self.pool[c.pooled].sources)
        };
        let Some(first) = sources().next().map(|m| m.node) else {
            return;
        };
        let rigid = sources().all(|m| m.node == first);
        let owner = (if rigid { first } else { drawer }, rigid);
        let next = self.builders.len();
        let number = *self.by_owner.entry(owner).or_insert(next);
        if number == next {
            let name = &self.scene.nodes[owner.0].name;
            let name = match rigid {
                true => name.clone(),
                false => format!("{name}_skin"),
            };
            self.builders.push(MeshBuilder::new(name, rigid.then_some(first)));
        }
        let builder = &mut self.builders[number];
        for (material, triangle) in triangles {
            let corners = triangle.map(|corner| builder.corner(corner, &self.pool, &self.scene.nodes));
            let groups = &mut builder.mesh.groups;
            match groups.iter_mut().find(|(m, _)| m == material) {
                Some((_, list)) => list.push(corners),
                None => groups.push((*material, vec![corners])),
            }
        }
    }
}
