//! Computes the contents of the vertex buffer after drawing (docs/formats/ninja.md 2.2). [`Player`] provides
//! the positions of the nodes.

use std::collections::HashMap;

use ninja::{EvalFlags, ObjectId, ObjectTree, PolyChunk, VertexChunk, VolumeChunk, Weight, WeightScale};

use super::evaluator::{Evaluator, Held, Wanted, Written};
use crate::math::{Affine, add, scaled};
use crate::options::QuadOrder;
use crate::play::{Blended, Player, Step, lerp};

/// Plays written files in `f64`, from the rules of the format only. Shares no code with the runtime.
#[derive(Debug, Default)]
pub struct Plain {
    files: Written,
    /// Nodes in drawing order.
    order: Vec<ObjectId>,
    quads: QuadOrder,
}

impl Plain {
    /// Creates a player with an order for the corners of CO_P4 polygons.
    pub fn with_quads(quads: QuadOrder) -> Self {
        Self {
            quads,
            ..Self::default()
        }
    }
}

impl Evaluator for Plain {
    fn volume(&mut self, node: usize) -> Vec<[u16; 3]> {
        let tree = &self.files.tree;
        let object = self.order.get(node).and_then(|id| tree.object(*id));
        let model = object.and_then(|object| tree.model(object.model?));
        let list = model.and_then(|model| tree.plist(model.plist?));
        let chunks = list.into_iter().flat_map(|list| &list.chunks);
        let volumes = chunks.filter_map(|chunk| match chunk {
            PolyChunk::Volume(volume) => Some(volume),
            _ => None,
        });
        volumes.flat_map(|volume| triangles(volume, self.quads)).collect()
    }

    fn open(&mut self, files: Written) -> Result<(), String> {
        self.order = files.tree.walk().map(|(id, _, _)| id).collect();
        self.files = files;
        Ok(())
    }

    fn evaluate(&mut self, frame: u32, wanted: &[Wanted]) -> Result<Vec<Vec<Option<Held>>>, String> {
        let files = &self.files;
        let player = Player {
            tree: &files.tree,
            motion: files.motion.as_ref(),
            shape_motion: files.shape_motion.as_ref(),
            shapes: files.shapes.as_ref(),
            spline_angles: true,
        };
        let mut buffer: Vec<Option<Held>> = vec![None; 1 << 16];
        let mut result = vec![Vec::new(); wanted.len()];
        let mut by_node: HashMap<usize, Vec<usize>> = HashMap::new();
        for (index, wanted) in wanted.iter().enumerate() {
            by_node.entry(wanted.node).or_default().push(index);
        }
        let mut worlds: Vec<Affine> = Vec::new();
        for (order, step) in player.steps().enumerate() {
            worlds.truncate(step.depth);
            let parent = worlds.last().copied().unwrap_or(Affine::IDENTITY);
            let world = parent.times(&player.local(&step, Some(frame)).affine());
            worlds.push(world);
            draw(&player, &step, &world, frame, &mut buffer);
            for index in by_node.get(&order).into_iter().flatten() {
                let slots = wanted[*index].slots.iter();
                result[*index] = slots.map(|slot| buffer[usize::from(*slot)]).collect();
            }
        }
        Ok(result)
    }
}

/// Returns the vertex list of a node, if its model is drawn.
fn list<'a>(tree: &'a ObjectTree, step: &Step<'_>) -> Option<&'a [VertexChunk]> {
    if step.object.evalflags.contains(EvalFlags::HIDE) {
        return None;
    }
    let model = tree.model(step.object.model?)?;
    Some(&tree.vlist(model.vlist?)?.chunks)
}

fn draw(player: &Player<'_>, step: &Step<'_>, world: &Affine, frame: u32, buffer: &mut [Option<Held>]) {
    let factor = f64::from(player.tree.weight_factor(WeightScale::Auto));
    for (i, chunk) in list(player.tree, step).into_iter().flatten().enumerate() {
        let shape = player.shape(step, i, frame);
        fill(chunk, shape, world, factor, buffer);
    }
}

fn fill(
    chunk: &VertexChunk,
    shape: Option<Blended<'_>>,
    world: &Affine,
    factor: f64,
    buffer: &mut [Option<Held>],
) {
    for i in 0..usize::from(chunk.count) {
        let mut position = chunk.position(i).map(f64::from);
        let mut normal = chunk.normal(i).unwrap_or_default().map(f64::from);
        if let Some(([(_, a), (_, b)], t)) = shape.filter(|([a, b], _)| a.1.count().min(b.1.count()) > i) {
            if let (Some(a), Some(b)) = (a.position(i), b.position(i)) {
                position = lerp(a.map(f64::from), b.map(f64::from), t);
            }
            if let (Some(a), Some(b)) = (a.normal(i), b.normal(i)) {
                normal = lerp(a.map(f64::from), b.map(f64::from), t);
            }
        }
        let own = Held {
            position: world.point(position),
            normal: world.vector(normal),
        };
        let Some(slot) = usize::try_from(chunk.slot(i))
            .ok()
            .and_then(|s| buffer.get_mut(s))
        else {
            continue;
        };
        let share = chunk.ninja_flags(i).map(|f| f64::from(f.weight) * factor);
        *slot = match (chunk.weight_status(), share) {
            (Some(Weight::Start), Some(w)) => Some(part(own, w)),
            (Some(_), Some(w)) => slot.map(|held| sum(held, part(own, w))),
            _ => Some(own),
        };
    }
}

fn part(held: Held, share: f64) -> Held {
    Held {
        position: scaled(held.position, share),
        normal: scaled(held.normal, share),
    }
}

fn sum(a: Held, b: Held) -> Held {
    Held {
        position: add(a.position, b.position),
        normal: add(a.normal, b.normal),
    }
}

/// Returns the triangles of a volume chunk (docs/formats/chunk-model.md 3.9). Triangles of a strip alternate
/// in direction.
fn triangles(volume: &VolumeChunk, quads: QuadOrder) -> Vec<[u16; 3]> {
    let mut triangles = Vec::new();
    for polygon in volume.polygons() {
        match (polygon, quads) {
            (&[a, b, c], _) => triangles.push([a, b, c]),
            (&[a, b, c, d], QuadOrder::Around) => triangles.extend([[a, b, c], [a, c, d]]),
            (&[a, b, c, d], QuadOrder::Strip) => triangles.extend([[a, b, c], [c, b, d]]),
            _ => {}
        }
    }
    for strip in &volume.strips {
        let slots: Vec<u16> = volume.indices(strip).collect();
        for (i, three) in slots.windows(3).enumerate() {
            let flip = (i % 2 == 1) != strip.reversed;
            let [a, b, c] = [three[0], three[1], three[2]];
            triangles.push(if flip { [b, a, c] } else { [a, b, c] });
        }
    }
    triangles
}
