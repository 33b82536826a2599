//! Animation stacks of FBX files, and such a file at a time.

use super::{affine, allocator, index, load_error, trs, vec3};
use crate::error::Error;
use crate::math::{Affine, Trs, Vec3, add, scaled};

/// An animation stack; times in seconds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stack {
    pub(crate) name: String,
    pub(crate) begin: f64,
    pub(crate) end: f64,
    /// Nodes that some curve moves.
    pub(crate) moved: Vec<usize>,
    /// Whether some curve moves a blend shape.
    pub(crate) shapes: bool,
}

/// The scene at one time.
pub(crate) struct FbxFrame {
    pub(super) file: ufbx::SceneRoot,
}

pub(super) fn stacks(file: &ufbx::Scene) -> Vec<Stack> {
    file.anim_stacks.into_iter().map(stack).collect()
}

fn stack(stack: &ufbx::AnimStack) -> Stack {
    let mut result = Stack {
        name: stack.element.name.to_string(),
        begin: stack.time_begin,
        end: stack.time_end,
        moved: Vec::new(),
        shapes: false,
    };
    for layer in &stack.layers {
        for prop in &layer.anim_props {
            match prop.element.type_ {
                ufbx::ElementType::Node => result.moved.push(index(&prop.element)),
                ufbx::ElementType::BlendChannel => result.shapes = true,
                _ => {}
            }
        }
    }
    result.moved.sort_unstable();
    result.moved.dedup();
    result
}

/// The stack whose animation the scene starts with.
pub(super) fn active(file: &ufbx::Scene) -> Option<usize> {
    let first_layer = file.anim.layers.iter().next().map(|l| l.element.element_id)?;
    file.anim_stacks
        .into_iter()
        .position(|s| s.layers.iter().any(|l| l.element.element_id == first_layer))
}

impl FbxFrame {
    /// The scene at `time` of a stack, or at rest without one: without any curve, what the properties
    /// themselves say.
    pub(super) fn new(
        file: &ufbx::Scene,
        memory_limit: usize,
        stack: Option<usize>,
        time: f64,
        skinning: bool,
    ) -> Result<Self, Error> {
        let evaluated = |anim: &ufbx::Anim, time| {
            let opts = ufbx::EvaluateOpts {
                temp_allocator: allocator(memory_limit),
                result_allocator: allocator(memory_limit),
                evaluate_skinning: skinning,
                ..ufbx::EvaluateOpts::default()
            };
            let file = ufbx::evaluate_scene(file, anim, time, opts).map_err(|e| load_error(&e, ""))?;
            Ok(FbxFrame { file })
        };
        if let Some(stack) = stack.and_then(|s| file.anim_stacks.as_ref().get(s)) {
            return evaluated(&stack.anim, time);
        }
        let opts = ufbx::AnimOpts {
            result_allocator: allocator(memory_limit),
            ..ufbx::AnimOpts::default()
        };
        let none = ufbx::create_anim(file, opts).map_err(|e| load_error(&e, ""))?;
        evaluated(&none, 0.0)
    }
}

impl FbxFrame {
    /// All local transforms.
    pub(super) fn locals(&self) -> Vec<Trs> {
        self.file
            .nodes
            .into_iter()
            .map(|n| trs(&n.local_transform))
            .collect()
    }

    /// The vertices of a node's mesh in the scene's space, shapes and skin applied. Skins are linear: what
    /// dual quaternions would give is in [`FbxFrame::dual_quaternions`].
    pub(super) fn vertices(&self, node: usize, mesh: usize) -> Vec<Vec3> {
        let mut made = self.as_stated(node, mesh);
        let Some((mesh, to_world)) = self.mesh(node, mesh) else {
            return made;
        };
        let Some(skin) = mesh.skin_deformers.iter().next().filter(|s| is_dual(s)) else {
            return made;
        };
        let mut own = mesh.vertices.to_vec();
        for deformer in &mesh.blend_deformers {
            ufbx::add_blend_vertex_offsets(deformer, &mut own, 1.0);
        }
        let vertices = skin.vertices.iter().zip(&own).zip(&mut made);
        for ((vertex, own), made) in vertices.filter(|((v, _), _)| v.dq_weight > 0.0) {
            *made = linear(skin, vertex, vec3(*own)).unwrap_or(to_world.point(vec3(*own)));
        }
        made
    }

    /// The vertices of a node's mesh as the file states its skin; `None` without dual quaternions.
    pub(super) fn dual_quaternions(&self, node: usize, mesh: usize) -> Option<Vec<Vec3>> {
        let (own, _) = self.mesh(node, mesh)?;
        let skin = own.skin_deformers.iter().next()?;
        is_dual(skin).then(|| self.as_stated(node, mesh))
    }

    fn as_stated(&self, node: usize, mesh: usize) -> Vec<Vec3> {
        let Some((mesh, to_world)) = self.mesh(node, mesh) else {
            return Vec::new();
        };
        let to_world = Some(to_world).filter(|_| mesh.skinned_is_local);
        let values = &mesh.skinned_position.values;
        values
            .iter()
            .map(|v| to_world.map_or(vec3(*v), |m| m.point(vec3(*v))))
            .collect()
    }

    /// The normals of the corners, likewise. Of any length.
    pub(super) fn normals(&self, node: usize, mesh: usize) -> Vec<Vec3> {
        let Some((mesh, to_world)) = self.mesh(node, mesh) else {
            return Vec::new();
        };
        let to_world = Some(to_world).filter(|_| mesh.skinned_is_local);
        let normals = &mesh.skinned_normal;
        normals
            .indices
            .iter()
            .map(|i| {
                let n = normals.values.get(*i as usize).map_or([0.0; 3], |v| vec3(*v));
                to_world.map_or(n, |m| m.normal(n))
            })
            .collect()
    }

    fn mesh(&self, node: usize, mesh: usize) -> Option<(&ufbx::Mesh, Affine)> {
        let mesh = self.file.meshes.as_ref().get(mesh)?;
        let node = self.file.nodes.as_ref().get(node)?;
        Some((mesh, affine(&node.geometry_to_world)))
    }
}

/// Whether some vertex goes by dual quaternions.
fn is_dual(skin: &ufbx::SkinDeformer) -> bool {
    skin.vertices.iter().any(|v| v.dq_weight > 0.0)
}

/// A vertex as the weighted mean of where its bones have it; `None` without weights.
fn linear(skin: &ufbx::SkinDeformer, vertex: &ufbx::SkinVertex, own: Vec3) -> Option<Vec3> {
    let begin = vertex.weight_begin as usize;
    let weights = skin.weights.get(begin..begin + vertex.num_weights as usize)?;
    let (mut place, mut sum) = ([0.0; 3], 0.0);
    for weight in weights {
        let cluster = skin.clusters.as_ref().get(weight.cluster_index as usize)?;
        let part = affine(&cluster.geometry_to_world).point(own);
        place = add(place, scaled(part, weight.weight));
        sum += weight.weight;
    }
    (sum > 0.0).then(|| scaled(place, 1.0 / sum))
}
