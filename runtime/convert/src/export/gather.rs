//! From a tree to meshes: the vertex buffer remembers which nodes made a vertex from what, and the strips tell which
//! vertices belong together (facts 2.2, 2.3).

use std::collections::{BTreeMap, HashMap};

use ninja::{
    Argb, EvalFlags, ModelId, PlistId, PolyChunk, Specular, StripChunk, StripFlags, Tiny, VertexChunk,
    Weight, WeightScale,
};

use super::scene::{Corner, Material, Mesh, Node, Point, Scene};
use crate::error::{Error, Warnings};
use crate::math::{Affine, Vec3, add, dot, length, normalized, scaled, sub};
use crate::play::{Player, Step};

/// Vertices and triangles at most: shared lists may be drawn many times over.
const MOST: usize = 8_000_000;

/// A vertex of the buffer.
#[derive(Debug, Clone)]
pub(super) struct Pooled {
    pub(super) makers: Vec<Maker>,
    color: Option<Argb>,
}

/// What one node adds to a vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct Maker {
    pub(super) node: usize,
    /// 1 is all of it.
    pub(super) weight: f64,
    position: Vec3,
    normal: Option<Vec3>,
    /// The chunk among the node's, and the vertex in it.
    pub(super) place: (usize, usize),
}

impl Maker {
    /// How far a vertex in the same node goes that a shape puts elsewhere.
    pub(super) fn moved_by(&self, shape: Vec3) -> Vec3 {
        sub(shape, self.position)
    }
}

/// A corner before it belongs to a mesh.
#[derive(Debug, Clone, Copy)]
struct Loose {
    pooled: usize,
    uv: [i16; 2],
    factor: f64,
    normal: Option<[i16; 3]>,
    color: Option<Argb>,
}

/// A mesh that is being made, and which vertices of the buffer its points are.
pub(super) struct Making {
    pub(super) mesh: Mesh,
    pub(super) pooled: Vec<usize>,
    known: HashMap<usize, u32>,
    corners: HashMap<CornerKey, u32>,
}

/// A corner in a form that can be compared: point, bits of the texture coordinates, normal, colour.
type CornerKey = (u32, [u64; 2], Option<[i16; 3]>, Option<u32>);

/// Drawing state in a form that can be compared.
type StateKey = (Option<[u16; 2]>, [u32; 3], u8, u8);

/// The walk over a tree.
pub(super) struct Gather<'a> {
    player: &'a Player<'a>,
    pub(super) scene: Scene,
    pub(super) makings: Vec<Making>,
    pub(super) pool: Vec<Pooled>,
    buffer: Vec<Option<usize>>,
    cached: HashMap<u8, (PlistId, usize)>,
    /// The mesh of a node's own triangles, or of a skin that a node draws.
    by_owner: HashMap<(usize, bool), usize>,
    materials: HashMap<StateKey, usize>,
    state: Material,
    lost: usize,
    /// Strip chunks with data for modifier volumes.
    second: usize,
    work: usize,
}

impl<'a> Gather<'a> {
    pub(super) fn new(player: &'a Player<'a>) -> Self {
        Gather {
            player,
            scene: Scene::default(),
            makings: Vec::new(),
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

    /// Walks over the whole tree.
    pub(super) fn walk(&mut self, warnings: &mut Warnings) -> Result<(), Error> {
        let mut path: Vec<usize> = Vec::new();
        let (mut hidden, mut volumes) = (0, 0);
        for (order, step) in self.player.steps().enumerate() {
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
            "strip chunks of two parameters: only the first is kept",
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
                self.worked(usize::from(chunk.count))?;
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

    fn worked(&mut self, by: usize) -> Result<(), Error> {
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
            let maker = Maker {
                node,
                weight: weight.map_or(1.0, |f| f64::from(f.weight) * factor),
                position: chunk.position(i).map(f64::from),
                normal: chunk.normal(i).map(|n| n.map(f64::from)),
                place: (place, i),
            };
            let before = match chunk.weight_status() {
                Some(Weight::Middle | Weight::End) => self.buffer[slot].map(|p| self.pool[p].makers.clone()),
                _ => Some(Vec::new()),
            };
            // MIDDLE and END without START add to nothing.
            let Some(mut makers) = before else { continue };
            makers.push(maker);
            self.pool.push(Pooled {
                makers,
                color: chunk.diffuse(i),
            });
            self.buffer[slot] = Some(self.pool.len() - 1);
        }
    }

    /// Runs a list with what CP remembered, as `ninja` counts indices; each number runs once at a time.
    fn draw(
        &mut self,
        list: PlistId,
        triangles: &mut Vec<(usize, [Loose; 3])>,
        volumes: &mut usize,
    ) -> Result<(), Error> {
        let tree = self.player.tree;
        let mut running: Vec<(PlistId, usize, Option<u8>)> = vec![(list, 0, None)];
        while let Some((list, at, _)) = running.last_mut() {
            let chunk = tree.plist(*list).and_then(|l| l.chunks.get(*at));
            *at += 1;
            let (list, next) = (*list, *at);
            self.worked(1)?;
            match chunk {
                None => drop(running.pop()),
                Some(PolyChunk::CachePolygons(n)) => {
                    self.cached.insert(*n, (list, next));
                    running.pop();
                }
                Some(PolyChunk::DrawPolygons(n)) => {
                    if let Some((list, at)) = self.cached.get(n)
                        && running.iter().all(|(_, _, number)| number != &Some(*n))
                    {
                        running.push((*list, *at, Some(*n)));
                    }
                }
                Some(PolyChunk::Texture(tiny)) if !tiny.second => self.state.tiny = Some(*tiny),
                Some(PolyChunk::Blend(blend)) => self.state.blend = *blend,
                Some(PolyChunk::Material(m)) if !m.second => self.set(m),
                Some(PolyChunk::Strip(strips)) => self.strips(strips, triangles)?,
                Some(PolyChunk::Volume(_)) => *volumes += 1,
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn set(&mut self, material: &ninja::Material) {
        let state = &mut self.state;
        state.blend = material.blend;
        state.diffuse = material.diffuse.unwrap_or(state.diffuse);
        state.ambient = material.ambient.unwrap_or(state.ambient);
        state.specular = material.specular.or(state.specular);
    }

    fn strips(&mut self, chunk: &StripChunk, triangles: &mut Vec<(usize, [Loose; 3])>) -> Result<(), Error> {
        let material = self.material(chunk);
        let factor = f64::from(chunk.kind.uv().factor());
        self.second += usize::from(chunk.kind.two_parameter());
        for strip in &chunk.strips {
            self.worked(strip.triangles())?;
            let entries: Vec<Option<Loose>> = chunk
                .entries(strip)
                .map(|e| {
                    Some(Loose {
                        pooled: self.buffer[usize::from(e.index)]?,
                        uv: e.uv,
                        factor,
                        normal: chunk.kind.has_normal().then_some(e.normal),
                        color: chunk.kind.has_color().then_some(e.color),
                    })
                })
                .collect();
            for (i, w) in entries.windows(3).enumerate() {
                let [Some(a), Some(b), Some(c)] = [w[0], w[1], w[2]] else {
                    self.lost += 1;
                    continue;
                };
                if a.pooled == b.pooled || b.pooled == c.pooled || c.pooled == a.pooled {
                    continue;
                }
                // (0, 1, 2), (2, 1, 3) and so on; the other way around where the strip is reversed (facts 1.7).
                let turned = (i % 2 == 1) != strip.reversed;
                triangles.push((material, if turned { [b, a, c] } else { [a, b, c] }));
            }
        }
        Ok(())
    }

    /// The number of the present state as a material.
    fn material(&mut self, chunk: &StripChunk) -> usize {
        let textured = chunk.kind.uv_pairs() > 0;
        let mut state = self.state.clone();
        state.tiny = state.tiny.filter(|_| textured);
        state.flags = chunk.flags;
        let tiny = |t: Tiny| {
            let bits = [t.flip_u, t.flip_v, t.clamp_u, t.clamp_v, t.supersample];
            let bits = bits.iter().fold(0, |all, bit| all << 1 | u16::from(*bit));
            [
                t.texture,
                bits << 8 | (t.filter as u16) << 4 | u16::from(t.mipmap_adjust),
            ]
        };
        let shine = |s: Specular| u32::from_be_bytes([s.exponent, s.rgb[0], s.rgb[1], s.rgb[2]]);
        let colors = [state.diffuse.0, state.ambient.0, state.specular.map_or(0, shine)];
        let key = (
            state.tiny.map(tiny),
            colors,
            state.blend.headbits(),
            chunk.flags.0,
        );
        let next = self.scene.materials.len();
        let number = *self.materials.entry(key).or_insert(next);
        if number == next {
            state.name = format!("material{number:03}");
            self.scene.materials.push(state);
        }
        number
    }

    /// Gives the triangles that a node draws to its mesh, to that of the one node that made all their vertices, or to
    /// a skin.
    fn add(&mut self, drawer: usize, triangles: &[(usize, [Loose; 3])]) {
        let makers = || {
            triangles
                .iter()
                .flat_map(|t| t.1)
                .flat_map(|c| &self.pool[c.pooled].makers)
        };
        let Some(first) = makers().next().map(|m| m.node) else {
            return;
        };
        let rigid = makers().all(|m| m.node == first);
        let owner = (if rigid { first } else { drawer }, rigid);
        let next = self.makings.len();
        let number = *self.by_owner.entry(owner).or_insert(next);
        if number == next {
            let name = &self.scene.nodes[owner.0].name;
            self.makings.push(Making {
                mesh: Mesh {
                    name: if rigid {
                        name.clone()
                    } else {
                        format!("{name}_skin")
                    },
                    node: rigid.then_some(first),
                    points: Vec::new(),
                    corners: Vec::new(),
                    groups: Vec::new(),
                    targets: Vec::new(),
                },
                pooled: Vec::new(),
                known: HashMap::new(),
                corners: HashMap::new(),
            });
        }
        let making = &mut self.makings[number];
        for (material, triangle) in triangles {
            let corners = triangle.map(|loose| making.corner(loose, &self.pool, &self.scene.nodes));
            let groups = &mut making.mesh.groups;
            match groups.iter_mut().find(|(m, _)| m == material) {
                Some((_, list)) => list.push(corners),
                None => groups.push((*material, vec![corners])),
            }
        }
    }
}

impl Making {
    fn corner(&mut self, loose: Loose, pool: &[Pooled], nodes: &[Node]) -> u32 {
        let next = self.mesh.points.len() as u32;
        let point = *self.known.entry(loose.pooled).or_insert(next);
        if point == next {
            self.mesh
                .points
                .push(pool[loose.pooled].point(self.mesh.node, nodes));
            self.pooled.push(loose.pooled);
        }
        let uv = loose.uv.map(|c| f64::from(c) * loose.factor);
        let normal = loose.normal;
        let key = (point, uv.map(f64::to_bits), normal, loose.color.map(|c| c.0));
        let next = self.mesh.corners.len() as u32;
        let number = *self.corners.entry(key).or_insert(next);
        if number == next {
            let normal = normal.map(|n| n.map(|c| (f64::from(c) / 32_767.0).max(-1.0)));
            let color = loose.color;
            self.mesh.corners.push(Corner {
                point,
                uv,
                normal,
                color,
            });
        }
        number
    }
}

impl Pooled {
    /// In the space of `node`, or of the scene at rest.
    fn point(&self, node: Option<usize>, nodes: &[Node]) -> Point {
        let sum = |of: fn(&Affine, &Maker) -> Vec3| {
            let part = |m: &Maker| scaled(of(&nodes[m.node].world, m), m.weight);
            self.makers.iter().map(part).fold([0.0; 3], add)
        };
        let (position, normal) = match (node, self.makers.as_slice()) {
            (Some(_), [one]) if one.weight == 1.0 => (one.position, one.normal.unwrap_or_default()),
            _ => {
                let position = sum(|world, m| world.point(m.position));
                let normal = sum(|world, m| world.vector(m.normal.unwrap_or_default()));
                match node.and_then(|n| nodes[n].world.inverse()) {
                    Some(inverse) => (inverse.point(position), inverse.vector(normal)),
                    None => (position, normal),
                }
            }
        };
        let influences = match node {
            Some(node) => vec![(node, 1.0)],
            None => self.shares(position, nodes),
        };
        let has_normal = self.makers.iter().all(|m| m.normal.is_some());
        Point {
            position,
            normal: normalized(normal).filter(|_| has_normal),
            color: self.color,
            influences,
        }
    }

    /// The share of each node, for a vertex at `place` at rest.
    ///
    /// Weights are rounded, and a file may say by its positions what the exact shares are: a node that has the weight
    /// `w` for the share `s` of a point `v` writes `v s / w`, and what its own origin then lacks is in its parent's
    /// position (`skin::bones` writes so). With files that do not do this, each `w` comes out as it is.
    fn shares(&self, place: Vec3, nodes: &[Node]) -> Vec<(usize, f64)> {
        let mut by_node: BTreeMap<usize, (f64, Vec3)> = BTreeMap::new();
        for maker in &self.makers {
            let (weight, weighted) = by_node.entry(maker.node).or_default();
            *weight += maker.weight;
            *weighted = add(*weighted, scaled(maker.position, maker.weight));
        }
        let mut all: Vec<(usize, f64, Vec3)> = by_node.into_iter().map(|(n, (w, q))| (n, w, q)).collect();
        let mut shares = vec![0.0; all.len()];
        let mut missing = vec![0.0; all.len()];
        // Children stand behind their parents.
        for i in (0..all.len()).rev() {
            let (node, weight, weighted) = all[i];
            let own = nodes[node].world.inverse().map(|inverse| inverse.point(place));
            let along = own
                .filter(|v| dot(*v, *v) > 1e-12)
                .map(|v| dot(weighted, v) / dot(v, v));
            shares[i] = along.unwrap_or(weight);
            missing[i] += shares[i] - weight;
            if let Some(parent) = all[..i].iter().position(|p| Some(p.0) == nodes[node].parent) {
                missing[parent] += missing[i];
                let taken = scaled(nodes[node].rest.position, missing[i]);
                all[parent].2 = sub(all[parent].2, taken);
            }
        }
        let sum = |of: &[f64]| of.iter().sum::<f64>();
        let weights: Vec<f64> = all.iter().map(|i| i.1).collect();
        // Rounding can take no more than this.
        let near = |i: usize| (shares[i] - weights[i]).abs() <= all.len() as f64 / 255.0;
        if !(0..all.len()).all(near) || (sum(&shares) - sum(&weights)).abs() > 1e-3 {
            shares = weights;
        }
        shares.iter_mut().for_each(|s| *s = s.max(0.0));
        let whole = Some(sum(&shares)).filter(|w| *w > 0.0).unwrap_or(1.0);
        all.iter()
            .zip(shares)
            .map(|(i, share)| (i.0, share / whole))
            .filter(|i| i.1 > 1e-7)
            .collect()
    }

    /// How far apart the nodes put their parts of a vertex at rest: what is drawn is in between, and a skin cannot say
    /// that.
    pub(super) fn spread(&self, nodes: &[Node]) -> f64 {
        let places = self.makers.iter().map(|m| nodes[m.node].world.point(m.position));
        let places: Vec<Vec3> = places.collect();
        places
            .iter()
            .map(|p| length(sub(*p, places[0])))
            .fold(0.0, f64::max)
    }
}
