//! What the vertex buffer holds when a file is drawn (facts 2.2), with [`Player`] for where the nodes are.

use ninja::{
    CShapeList, CShapeMotion, Chunk, EvalFlags, File, Motion, ObjectTree, VertexChunk, Weight, WeightScale,
};

use crate::convert::Drawn;
use crate::error::Error;
use crate::math::{Affine, Vec3, add, scaled};
use crate::play::{Blended, Player, Step, lerp};

/// The chunks of the written files.
pub(super) struct Files {
    tree: ObjectTree,
    motion: Option<Motion>,
    shape_motion: Option<CShapeMotion>,
    shapes: Option<CShapeList>,
}

/// Position and normal of a slot.
type Slot = Option<(Vec3, Vec3)>;

impl Files {
    pub(super) fn read(model: &[u8], motion: Option<&[u8]>, shapes: Option<&[u8]>) -> Result<Self, Error> {
        let mut files = Files {
            tree: ObjectTree::new(),
            motion: None,
            shape_motion: None,
            shapes: None,
        };
        for bytes in [Some(model), motion, shapes].into_iter().flatten() {
            files.take(ninja::read(bytes)?);
        }
        Ok(files)
    }

    fn take(&mut self, file: File) {
        for chunk in file.chunks {
            match chunk {
                Chunk::Model(tree) => self.tree = tree,
                Chunk::Motion(motion) => self.motion = Some(motion),
                Chunk::ShapeMotion(motion) => self.shape_motion = Some(motion),
                Chunk::ShapeList(list) => self.shapes = Some(list),
                _ => {}
            }
        }
    }

    /// What the slots of each part hold when it is drawn.
    pub(super) fn evaluate(&self, frame: Option<u32>, drawn: &[Drawn]) -> Vec<Vec<Slot>> {
        let player = Player {
            tree: &self.tree,
            motion: self.motion.as_ref(),
            shape_motion: self.shape_motion.as_ref(),
            shapes: self.shapes.as_ref(),
        };
        let mut buffer: Vec<Slot> = vec![None; 1 << 16];
        let mut result = vec![Vec::new(); drawn.len()];
        let mut worlds: Vec<Affine> = Vec::new();
        for (order, step) in player.steps().enumerate() {
            worlds.truncate(step.depth);
            let parent = worlds.last().copied().unwrap_or(Affine::IDENTITY);
            let world = parent.times(&player.local(&step, frame).affine());
            worlds.push(world);
            self.fill(&player, &step, &world, frame, &mut buffer);
            for (drawn, result) in drawn.iter().zip(&mut result).filter(|(d, _)| d.node == order) {
                let slots = drawn.slots.iter();
                *result = slots.map(|(slot, _)| buffer[usize::from(*slot)]).collect();
            }
        }
        result
    }

    fn fill(
        &self,
        player: &Player<'_>,
        step: &Step<'_>,
        world: &Affine,
        frame: Option<u32>,
        buffer: &mut [Slot],
    ) {
        let factor = f64::from(self.tree.weight_factor(WeightScale::Auto));
        let hidden = step.object.evalflags.contains(EvalFlags::HIDE);
        let model = step
            .object
            .model
            .filter(|_| !hidden)
            .and_then(|m| self.tree.model(m));
        let Some(list) = model.and_then(|m| self.tree.vlist(m.vlist?)) else {
            return;
        };
        for (i, chunk) in list.chunks.iter().enumerate() {
            let shape = frame.and_then(|f| player.shape(step, i, f));
            fill(chunk, shape, world, factor, buffer);
        }
    }
}

fn fill(chunk: &VertexChunk, shape: Option<Blended<'_>>, world: &Affine, factor: f64, buffer: &mut [Slot]) {
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
        let (p, n) = (world.point(position), world.vector(normal));
        let Some(slot) = usize::try_from(chunk.slot(i))
            .ok()
            .and_then(|s| buffer.get_mut(s))
        else {
            continue;
        };
        let share = chunk.ninja_flags(i).map(|f| f64::from(f.weight) * factor);
        *slot = match (chunk.weight_status(), share) {
            (Some(Weight::Start), Some(w)) => Some((scaled(p, w), scaled(n, w))),
            (Some(_), Some(w)) => slot.map(|(p0, n0)| (add(p0, scaled(p, w)), add(n0, scaled(n, w)))),
            _ => Some((p, n)),
        };
    }
}
