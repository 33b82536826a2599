//! State of a glTF scene at a time.

use std::rc::Rc;

use gltf::animation::Property;
use gltf::camera::Projection;
use gltf::khr_lights_punctual::Kind;

use super::Model;
use super::animation::rotation;
use super::mesh::{add_all, morphed};
use crate::math::{Affine, Trs, Vec3, add, normalized, scaled};
use crate::source::Exporter;
use crate::source::view::{Brightness, Camera, Light, LightKind};

/// Aspect ratio of cameras without one: the console's screen.
const USUAL_ASPECT: f64 = 640.0 / 480.0;

/// Luminous efficacy of green light at 555 nm (SI Brochure, section 2.2), the factor in Blender's exporter.
const LUMENS_A_WATT: f64 = 683.0;

/// A camera or light with the file's values.
#[derive(Debug, Clone, Copy)]
pub(super) enum View {
    Camera {
        /// Horizontal angle in degrees; `None` for orthographic cameras.
        angle: Option<f64>,
    },
    Light(LightSource),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct LightSource {
    kind: LightKind,
    color: Vec3,
    brightness: Brightness,
    range: Option<f64>,
    /// Half angles of the cone in radians.
    cone: [f64; 2],
}

impl View {
    pub(super) fn of(node: &gltf::Node<'_>, exporter: Exporter) -> Option<Self> {
        if let Some(camera) = node.camera() {
            let angle = match camera.projection() {
                Projection::Orthographic(_) => None,
                Projection::Perspective(p) => {
                    let aspect = p.aspect_ratio().map_or(USUAL_ASPECT, f64::from);
                    Some(2.0 * ((f64::from(p.yfov()) / 2.0).tan() * aspect).atan().to_degrees())
                }
            };
            return Some(View::Camera { angle });
        }
        let light = node.light()?;
        let (kind, cone) = match light.kind() {
            Kind::Directional => (LightKind::Directional, [0.0; 2]),
            Kind::Point => (LightKind::Point, [0.0; 2]),
            Kind::Spot {
                inner_cone_angle,
                outer_cone_angle,
            } => (
                LightKind::Spot,
                [inner_cone_angle, outer_cone_angle].map(f64::from),
            ),
        };
        Some(View::Light(LightSource {
            kind,
            color: light.color().map(|c| crate::source::srgb::shown(f64::from(c))),
            // Blender converts watts to candela and lux at 683 lumens per watt. Other programs have no common
            // unit.
            brightness: match exporter {
                Exporter::Blender => Brightness::Radiant(f64::from(light.intensity()) / LUMENS_A_WATT),
                Exporter::Other => Brightness::Share(f64::from(light.intensity())),
            },
            range: light.range().map(f64::from),
            cone,
        }))
    }
}

/// State of the scene at one time.
#[derive(Debug)]
pub(crate) struct Pose {
    model: Rc<Model>,
    locals: Vec<Trs>,
    worlds: Vec<Affine>,
    /// Target weights by node.
    weights: Vec<Vec<f64>>,
}

impl Pose {
    pub(in crate::source) fn new(model: &Rc<Model>, stack: Option<usize>, time: f64) -> Self {
        let (mut locals, mut weights) = (model.rest.clone(), model.weights.clone());
        for channel in stack.and_then(|s| model.channels.get(s)).into_iter().flatten() {
            let values = channel.at(time);
            let three = || [0, 1, 2].map(|k| values.get(k).copied().unwrap_or(0.0));
            let local = &mut locals[channel.node];
            match channel.property {
                Property::Translation => local.translation = three(),
                Property::Rotation => local.rotation = rotation(&values),
                Property::Scale => local.scale = three(),
                Property::MorphTargetWeights => weights[channel.node] = values,
            }
        }
        for (local, parent) in locals.iter_mut().zip(&model.parents) {
            if *parent == Some(0) {
                local.translation = scaled(local.translation, model.scale);
                local.scale = scaled(local.scale, model.scale);
            }
        }
        let mut worlds: Vec<Affine> = locals.iter().map(Trs::affine).collect();
        for node in &model.order {
            if let Some(parent) = model.parents[*node] {
                worlds[*node] = worlds[parent].times(&worlds[*node]);
            }
        }
        Pose {
            model: Rc::clone(model),
            locals,
            worlds,
            weights,
        }
    }

    pub(in crate::source) fn locals(&self) -> Vec<Trs> {
        self.locals.clone()
    }

    pub(in crate::source) fn worlds(&self) -> &[Affine] {
        &self.worlds
    }

    pub(in crate::source) fn vertices(&self, node: usize, mesh: usize) -> Vec<Vec3> {
        let Some((shape, world, weights)) = self.of(node, mesh) else {
            return Vec::new();
        };
        let own = morphed(&shape.positions, &shape.targets, weights);
        let ways = self.bones(mesh);
        let made = own.iter().enumerate().map(|(i, p)| {
            let mean = |map: &dyn Fn(&Affine) -> Vec3| self.mean(mesh, i, &ways, map);
            mean(&|way| way.point(*p)).unwrap_or_else(|| world.point(*p))
        });
        made.collect()
    }

    pub(in crate::source) fn normals(&self, node: usize, mesh: usize) -> Vec<Vec3> {
        let Some((shape, world, weights)) = self.of(node, mesh) else {
            return Vec::new();
        };
        let mut own = shape.normals.clone();
        for (target, weight) in shape.targets.iter().zip(weights) {
            add_all(&mut own, &target.normals, *weight);
        }
        let ways = self.bones(mesh);
        let made = own.iter().zip(&shape.vertices).map(|(n, vertex)| {
            self.mean(mesh, *vertex as usize, &ways, &|way| way.normal(*n))
                .unwrap_or_else(|| world.normal(*n))
        });
        made.collect()
    }

    fn of(&self, node: usize, mesh: usize) -> Option<(&super::Shape, &Affine, &[f64])> {
        let shape = self.model.meshes.get(mesh)?;
        Some((shape, self.worlds.get(node)?, self.weights.get(node)?))
    }

    /// Returns the map from a mesh's space to the scene's, by joint.
    fn bones(&self, mesh: usize) -> Vec<Affine> {
        let clusters = self.model.meshes[mesh].skin.iter().flat_map(|s| &s.clusters);
        clusters.map(|c| self.worlds[c.node].times(&c.to_bone)).collect()
    }

    /// Returns the weighted mean of `map` over the joints of a vertex; `None` without joints.
    fn mean(
        &self,
        mesh: usize,
        vertex: usize,
        ways: &[Affine],
        map: &dyn Fn(&Affine) -> Vec3,
    ) -> Option<Vec3> {
        let skin = self.model.meshes[mesh].skin.as_ref()?;
        let influences = skin.influences.get(vertex).filter(|i| !i.is_empty())?;
        let sum: f64 = influences.iter().map(|i| i.1).sum();
        let place = influences.iter().fold([0.0; 3], |place, (joint, weight)| {
            add(place, scaled(map(&ways[*joint]), *weight))
        });
        Some(scaled(place, 1.0 / sum))
    }

    /// Returns the camera on a node. It looks along -z of its node, with y up.
    pub(in crate::source) fn camera(&self, node: usize) -> Option<Camera> {
        let Some(View::Camera { angle }) = self.model.views.get(node)? else {
            return None;
        };
        let way = &self.worlds[node];
        Some(Camera {
            position: way.origin,
            front: turned(way, [0.0, 0.0, -1.0]),
            up: turned(way, [0.0, 1.0, 0.0]),
            angle: *angle,
            orthographic: angle.is_none(),
        })
    }

    /// Returns the light on a node. It shines along -z of its node.
    pub(in crate::source) fn light(&self, node: usize) -> Option<Light> {
        let Some(View::Light(light)) = self.model.views.get(node)? else {
            return None;
        };
        let way = &self.worlds[node];
        let scale = crate::math::length(way.columns[0]);
        let full = light.cone.map(|half| 2.0 * half.to_degrees());
        Some(Light {
            kind: light.kind,
            position: way.origin,
            direction: turned(way, [0.0, 0.0, -1.0]),
            color: light.color,
            brightness: light.brightness,
            inner: full[0],
            outer: full[1],
            near: 0.0,
            far: light
                .range
                .map(|r| r * scale)
                .filter(|r| r.is_finite() && *r > 0.0),
        })
    }
}

fn turned(way: &Affine, direction: Vec3) -> Vec3 {
    normalized(way.vector(direction)).unwrap_or(direction)
}
