//! Animation stacks of FBX files, and the state of a file at a time.

use std::rc::Rc;

use super::normals::NormalMaps;
use super::{affine, allocator, index, load_error, trs, vec3};
use crate::error::Error;
use crate::math::{Affine, Trs, Vec3, add, scaled};
use crate::source::Stack;

/// State of the scene at one time.
pub(crate) struct FbxFrame {
    pub(super) file: ufbx::SceneRoot,
    normal_maps: Rc<NormalMaps>,
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

/// Returns the stack that is active when the scene opens.
pub(super) fn active(file: &ufbx::Scene) -> Option<usize> {
    let first_layer = file.anim.layers.iter().next().map(|l| l.element.element_id)?;
    file.anim_stacks
        .into_iter()
        .position(|s| s.layers.iter().any(|l| l.element.element_id == first_layer))
}

impl FbxFrame {
    /// Evaluates the scene at `time` of a stack, or at rest. At rest, no curve applies, only the properties.
    pub(super) fn new(
        file: &ufbx::Scene,
        normal_maps: &Rc<NormalMaps>,
        memory_limit: usize,
        stack: Option<usize>,
        time: f64,
    ) -> Result<Self, Error> {
        let evaluated = |anim: &ufbx::Anim, time| {
            let opts = ufbx::EvaluateOpts {
                temp_allocator: allocator(memory_limit),
                result_allocator: allocator(memory_limit),
                ..ufbx::EvaluateOpts::default()
            };
            let file = ufbx::evaluate_scene(file, anim, time, opts).map_err(|e| load_error(&e, ""))?;
            Ok(FbxFrame {
                file,
                normal_maps: Rc::clone(normal_maps),
            })
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
    /// Returns all local transforms.
    pub(in crate::source) fn locals(&self) -> Vec<Trs> {
        self.file
            .nodes
            .into_iter()
            .map(|n| trs(&n.local_transform))
            .collect()
    }

    /// Returns the vertices of a node's mesh in the scene's space, with shapes and skin applied. Skinning is
    /// linear; [`FbxFrame::dual_quaternions`] uses the file's method.
    pub(in crate::source) fn vertices(&self, node: usize, mesh: usize) -> Vec<Vec3> {
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

    /// Returns the vertices with the file's dual-quaternion skinning; `None` if the skin has none.
    pub(in crate::source) fn dual_quaternions(&self, node: usize, mesh: usize) -> Option<Vec<Vec3>> {
        let (own, _) = self.mesh(node, mesh)?;
        let skin = own.skin_deformers.iter().next()?;
        is_dual(skin).then(|| self.as_stated(node, mesh))
    }

    fn as_stated(&self, node: usize, mesh: usize) -> Vec<Vec3> {
        let Some((mesh, to_world)) = self.mesh(node, mesh) else {
            return Vec::new();
        };
        let (own, is_local) = deformed(mesh);
        let own = own.into_iter().map(vec3);
        match is_local {
            true => own.map(|v| to_world.point(v)).collect(),
            false => own.collect(),
        }
    }

    /// Returns the corner normals in the scene's space, of any length. Meshes with skins or shapes get new
    /// normals from their positions, computed like ufbx does.
    pub(in crate::source) fn normals(&self, node: usize, mesh: usize) -> Vec<Vec3> {
        let number = mesh;
        let Some((mesh, to_world)) = self.mesh(node, mesh) else {
            return Vec::new();
        };
        if mesh.skin_deformers.is_empty() && mesh.blend_deformers.is_empty() {
            let normals = &mesh.vertex_normal;
            let normal = |i: &u32| normals.values.get(*i as usize).map_or([0.0; 3], |v| vec3(*v));
            return normals
                .indices
                .iter()
                .map(|i| to_world.normal(normal(i)))
                .collect();
        }
        let (own, is_local) = deformed(mesh);
        let positions: Vec<Vec3> = own.into_iter().map(vec3).collect();
        let made = self.normal_maps.of(number, mesh).normals(mesh, &positions);
        match is_local {
            true => made.into_iter().map(|n| to_world.normal(n)).collect(),
            false => made,
        }
    }

    fn mesh(&self, node: usize, mesh: usize) -> Option<(&ufbx::Mesh, Affine)> {
        let mesh = self.file.meshes.as_ref().get(mesh)?;
        let node = self.file.nodes.as_ref().get(node)?;
        Some((mesh, affine(&node.geometry_to_world)))
    }
}

const IDENTITY: ufbx::Matrix = ufbx::Matrix {
    m00: 1.0,
    m10: 0.0,
    m20: 0.0,
    m01: 0.0,
    m11: 1.0,
    m21: 0.0,
    m02: 0.0,
    m12: 0.0,
    m22: 1.0,
    m03: 0.0,
    m13: 0.0,
    m23: 0.0,
};

/// Returns the vertices of a mesh with shapes and skin applied, and whether they are in the mesh's own space.
/// Uses only the first skin of a mesh.
fn deformed(mesh: &ufbx::Mesh) -> (Vec<ufbx::Vec3>, bool) {
    let mut own = mesh.vertices.to_vec();
    for deformer in &mesh.blend_deformers {
        ufbx::add_blend_vertex_offsets(deformer, &mut own, 1.0);
    }
    let Some(skin) = mesh.skin_deformers.iter().next() else {
        return (own, true);
    };
    let unskinned = mesh.element.instances.iter().next();
    let unskinned = unskinned.map_or(IDENTITY, |node| node.geometry_to_world);
    let known = skin.vertices.len();
    for (i, vertex) in own.iter_mut().enumerate() {
        let way = match i < known {
            true => ufbx::get_skin_vertex_matrix(skin, i, &unskinned),
            false => unskinned,
        };
        *vertex = ufbx::transform_position(&way, *vertex);
    }
    (own, false)
}

/// Returns whether a vertex uses dual quaternions.
fn is_dual(skin: &ufbx::SkinDeformer) -> bool {
    skin.vertices.iter().any(|v| v.dq_weight > 0.0)
}

/// Returns the weighted mean of a vertex's positions by bone; `None` without weights.
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
