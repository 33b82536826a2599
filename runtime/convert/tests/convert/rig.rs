//! Builds small FBX scenes with bones, skins and motions.

use fbx::{Document, Elements, Property, Record};

use crate::scene::{
    ORDER, connection, elements, header, int_property, object, property, record, settings, text,
};

/// Ticks of FBX time per second.
const TICKS: f64 = 46_186_158_000.0;

/// Keys of one property: seconds and value.
pub(crate) type Curve = (&'static str, Vec<(f64, [f64; 3])>);

/// A bone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bone {
    /// Index of the parent; `None` for children of the root.
    pub(crate) parent: Option<usize>,
    pub(crate) translation: [f64; 3],
    pub(crate) rotation: [f64; 3],
    /// Inheritance of scale: 0 RrSs, 1 RSrs, 2 Rrs.
    pub(crate) inherit: i32,
    pub(crate) curves: Vec<Curve>,
}

/// A mesh with bones. It is bound at the bones' translations, without rotation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rig {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) polygons: Vec<Vec<i32>>,
    pub(crate) bones: Vec<Bone>,
    /// Vertices and weights by bone.
    pub(crate) weights: Vec<Vec<(i32, f64)>>,
    /// Vertices and weights of the scene's root, used as a bone.
    pub(crate) root_weights: Vec<(i32, f64)>,
    pub(crate) dual_quaternion: bool,
    /// Lcl Translation of the mesh's node, which does not affect bones.
    pub(crate) place: [f64; 3],
    /// Length of the stack in seconds; 0 for no stack.
    pub(crate) seconds: f64,
}

impl Rig {
    /// A tube of `rings` squares along y, bound to a chain of bones one unit apart. A ring at a bone belongs
    /// to this bone, a ring between two bones to both, weighted by distance.
    pub(crate) fn tube(rings: usize, bones: usize) -> Self {
        let mut rig = Rig {
            weights: vec![Vec::new(); bones],
            ..Rig::default()
        };
        for ring in 0..rings {
            let y = ring as f64 * (bones - 1) as f64 / (rings - 1) as f64;
            for (x, z) in [(-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)] {
                let vertex = rig.vertices.len() as i32;
                rig.vertices.push([x, y, z]);
                let (low, share) = (y.floor() as usize, y.fract());
                rig.weights[low].push((vertex, 1.0 - share));
                if share > 0.0 {
                    rig.weights[low + 1].push((vertex, share));
                }
            }
            if ring > 0 {
                let at = (ring as i32 - 1) * 4;
                let side = |k: i32| vec![at + k, at + 4 + k, at + 4 + (k + 1) % 4, at + (k + 1) % 4];
                rig.polygons.extend((0..4).map(side));
            }
        }
        rig.bones = (0..bones)
            .map(|i| Bone {
                parent: i.checked_sub(1),
                translation: [0.0, if i > 0 { 1.0 } else { 0.0 }, 0.0],
                inherit: 1,
                ..Bone::default()
            })
            .collect();
        rig
    }

    /// Returns the file.
    pub(crate) fn write(&self) -> Vec<u8> {
        let place =
            record("Properties70").with_child(property("Lcl Translation", "Lcl Translation", &self.place));
        let mut objects = vec![
            object("Model", 1, "skin", "Model", "Mesh").with_child(place),
            self.geometry(),
        ];
        let mut links = vec![connection(1, 0, None), connection(2, 1, None)];
        let skinning = if self.dual_quaternion {
            "DualQuaternion"
        } else {
            "Linear"
        };
        objects.push(
            object("Deformer", 3, "", "Deformer", "Skin")
                .with_child(record("SkinningType").with(&text(skinning))),
        );
        links.push(connection(3, 2, None));
        for (i, bone) in self.bones.iter().enumerate() {
            let id = 100 + i as i64;
            objects.push(model(id, i, bone));
            objects.push(object(
                "NodeAttribute",
                200 + i as i64,
                "",
                "NodeAttribute",
                "LimbNode",
            ));
            links.push(connection(id, bone.parent.map_or(0, |p| 100 + p as i64), None));
            links.push(connection(200 + i as i64, id, None));
            objects.push(cluster(300 + i as i64, &self.weights[i], self.bound(i)));
            links.push(connection(300 + i as i64, 3, None));
            links.push(connection(id, 300 + i as i64, None));
        }
        if !self.root_weights.is_empty() {
            objects.push(cluster(400, &self.root_weights, [0.0; 3]));
            links.push(connection(400, 3, None));
            links.push(connection(0, 400, None));
        }
        if self.seconds > 0.0 {
            self.animate(&mut objects, &mut links);
        }
        let list =
            |name, records: Vec<Record<'static>>| records.into_iter().fold(record(name), Record::with_child);
        let mut document = Document::new(7400, ORDER);
        document.sections[0].records = vec![
            header(),
            settings(),
            list("Objects", objects),
            list("Connections", links),
        ];
        document.write().unwrap()
    }

    fn geometry(&self) -> Record<'static> {
        let mut indices: Vec<i32> = Vec::new();
        for polygon in &self.polygons {
            indices.extend(polygon);
            if let Some(last) = indices.last_mut() {
                *last = !*last;
            }
        }
        let vertices = self.vertices.iter().flatten().copied().collect();
        object("Geometry", 2, "shape", "Geometry", "Mesh")
            .with_child(elements("Vertices", Elements::F64(vertices)))
            .with_child(elements("PolygonVertexIndex", Elements::I32(indices)))
    }

    /// Returns a bone's position in the bind pose.
    fn bound(&self, bone: usize) -> [f64; 3] {
        let own = self.bones[bone].translation;
        let above = self.bones[bone].parent.map_or([0.0; 3], |p| self.bound(p));
        [0, 1, 2].map(|k| own[k] + above[k])
    }

    fn animate(&self, objects: &mut Vec<Record<'static>>, links: &mut Vec<Record<'static>>) {
        let end = Property::I64((self.seconds * TICKS) as i64);
        let time = |name: &str, value: Property<'_>| {
            let head = [text(name), text("KTime"), text("Time"), text("")];
            head.iter().fold(record("P"), |p, v| p.with(v)).with(&value)
        };
        let times = record("Properties70")
            .with_child(time("LocalStart", Property::I64(0)))
            .with_child(time("LocalStop", end));
        objects.push(object("AnimationStack", 10, "walk", "AnimStack", "").with_child(times));
        objects.push(object("AnimationLayer", 11, "layer", "AnimLayer", ""));
        links.push(connection(11, 10, None));
        let mut id = 1000;
        for (i, bone) in self.bones.iter().enumerate() {
            for (name, keys) in &bone.curves {
                let node = id;
                id += 1;
                let rest = keys.first().map_or([0.0; 3], |k| k.1);
                let rest = ["d|X", "d|Y", "d|Z"].iter().zip(rest);
                let rest = rest.map(|(name, value)| property(name, "Number", &[value]));
                let rest = rest.fold(record("Properties70"), Record::with_child);
                objects.push(object("AnimationCurveNode", node, "T", "AnimCurveNode", "").with_child(rest));
                links.push(connection(node, 11, None));
                links.push(connection(node, 100 + i as i64, Some(name)));
                for (k, axis) in ["d|X", "d|Y", "d|Z"].into_iter().enumerate() {
                    objects.push(curve(id, keys, k));
                    links.push(connection(id, node, Some(axis)));
                    id += 1;
                }
            }
        }
    }
}

fn model(id: i64, number: usize, bone: &Bone) -> Record<'static> {
    let properties = record("Properties70")
        .with_child(property("Lcl Translation", "Lcl Translation", &bone.translation))
        .with_child(property("Lcl Rotation", "Lcl Rotation", &bone.rotation))
        .with_child(int_property("InheritType", bone.inherit));
    object("Model", id, &format!("bone{number}"), "Model", "LimbNode").with_child(properties)
}

/// A bone's weights, bound at `place`.
fn cluster(id: i64, weights: &[(i32, f64)], place: [f64; 3]) -> Record<'static> {
    let matrix = |t: [f64; 3]| {
        let rows = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        Elements::F64(rows.into_iter().flatten().chain(t).chain([1.0]).collect())
    };
    let (indices, values) = weights.iter().copied().unzip();
    object("Deformer", id, "", "SubDeformer", "Cluster")
        .with_child(elements("Indexes", Elements::I32(indices)))
        .with_child(elements("Weights", Elements::F64(values)))
        .with_child(elements("Transform", matrix(place.map(|c| -c))))
        .with_child(elements("TransformLink", matrix(place)))
}

/// One axis of linear keys.
fn curve(id: i64, keys: &[(f64, [f64; 3])], axis: usize) -> Record<'static> {
    const LINEAR: i32 = 4;
    let times = keys.iter().map(|(s, _)| (s * TICKS) as i64).collect();
    let values = keys.iter().map(|(_, v)| v[axis] as f32).collect();
    object("AnimationCurve", id, "", "AnimCurve", "")
        .with_child(elements("KeyTime", Elements::I64(times)))
        .with_child(elements("KeyValueFloat", Elements::F32(values)))
        .with_child(elements("KeyAttrFlags", Elements::I32(vec![LINEAR])))
        .with_child(elements("KeyAttrDataFloat", Elements::F32(vec![0.0; 4])))
        .with_child(elements(
            "KeyAttrRefCount",
            Elements::I32(vec![keys.len() as i32]),
        ))
}
