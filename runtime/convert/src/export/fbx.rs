//! Writes binary FBX 7.4: numbered objects, and connections between them (docs/formats/fbx.md, section 3).

mod animation;
mod geometry;
mod records;

use std::collections::{BTreeMap, BTreeSet};

use fbx::{ByteOrder, Document, Property, Record};
use serde_json::Value;

use super::properties::words;
use super::scene::{Material, Scene};
use crate::error::Error;
use crate::math::{Vec3, euler_near};
use crate::play::Local;
use crate::source::srgb::linear;
use ninja::StripFlags;
use records::{connection, head, int, numbers, object, property, record, text};

/// Ticks per second.
const SECOND: i64 = 46_186_158_000;

/// Object number of the first node.
const FIRST_NODE: i64 = 1_000;
/// First object number that is not a node's.
const FIRST_OTHER: i64 = 10_000_000;

/// Objects and connections written until now.
struct Writer {
    objects: Vec<Record<'static>>,
    links: Vec<Record<'static>>,
    counts: BTreeMap<&'static str, i32>,
    next: i64,
    /// Nodes to be written as bones.
    bones: BTreeSet<usize>,
}

/// Writes a scene.
pub(super) fn write(scene: &Scene) -> Result<Vec<u8>, Error> {
    let mut writer = Writer {
        objects: Vec::new(),
        links: Vec::new(),
        counts: BTreeMap::new(),
        next: FIRST_OTHER,
        bones: bones(scene),
    };
    let textures = writer.textures(scene);
    let materials: Vec<i64> = scene
        .materials
        .iter()
        .map(|m| writer.material(m, &textures))
        .collect();
    writer.nodes(scene);
    let channels: Vec<Vec<i64>> = scene
        .meshes
        .iter()
        .map(|m| writer.mesh(scene, m, &materials))
        .collect();
    for animation in &scene.animations {
        writer.animation(scene, animation, &channels);
    }
    let mut document = Document::new(7400, ByteOrder::Little);
    let definitions = writer.definitions();
    let collect = |name, list: Vec<Record<'static>>| list.into_iter().fold(record(name), Record::with_child);
    document.sections[0].records = vec![
        header(),
        settings(scene),
        definitions,
        collect("Objects", writer.objects),
        collect("Connections", writer.links),
    ];
    document
        .write()
        .map_err(|e| Error::scene("file", e, "a scene that FBX can store"))
}

fn header() -> Record<'static> {
    record("FBXHeaderExtension")
        .with_child(record("FBXHeaderVersion").with(&Property::I32(1003)))
        .with_child(record("FBXVersion").with(&Property::I32(7400)))
        .with_child(record("Creator").with(&text("swirl")))
}

/// Writes the global settings: y up, one unit is 100 centimetres.
fn settings(scene: &Scene) -> Record<'static> {
    let axes = [
        ("UpAxis", 1),
        ("UpAxisSign", 1),
        ("FrontAxis", 2),
        ("FrontAxisSign", 1),
        ("CoordAxis", 0),
        ("CoordAxisSign", 1),
    ];
    let mut list = axes
        .iter()
        .fold(record("Properties70"), |r, (n, v)| r.with_child(int(n, *v)));
    list = list.with_child(numbers("UnitScaleFactor", "double", &[100.0]));
    // 14 stands for a custom rate (docs/formats/fbx.md, section 3).
    list = list
        .with_child(property("TimeMode", "enum", &Property::I32(14)))
        .with_child(numbers("CustomFrameRate", "double", &[scene.rate]));
    record("GlobalSettings")
        .with_child(record("Version").with(&Property::I32(1000)))
        .with_child(list)
}

/// Returns the nodes that move a skin, and all their ancestors except roots. If an ancestor were no bone,
/// Blender's older importer would turn it into a separate armature. It fails if a skin has bones from two
/// armatures.
fn bones(scene: &Scene) -> BTreeSet<usize> {
    let skins = scene.meshes.iter().filter(|m| m.node.is_none());
    let mut bones: BTreeSet<usize> = skins.flat_map(super::scene::Mesh::joints).collect();
    for joint in bones.clone() {
        let mut above = scene.nodes[joint].parent;
        while let Some(node) = above.filter(|node| scene.nodes[*node].parent.is_some()) {
            if !bones.insert(node) {
                break;
            }
            above = scene.nodes[node].parent;
        }
    }
    bones
}

/// Returns the time of a frame in ticks.
fn ticks(frame: u32, rate: f64) -> i64 {
    (f64::from(frame) / rate * SECOND as f64).round() as i64
}

/// Returns angles about x, then y, then z in degrees, closest to the previous ones.
fn degrees(local: &Local, near: &mut Vec3) -> Vec3 {
    *near = euler_near(&local.turn, *near);
    near.map(f64::to_degrees)
}

impl Writer {
    fn number(&mut self) -> i64 {
        self.next += 1;
        self.next
    }

    /// Adds an object. Its kind is the name of its record.
    fn add(&mut self, kind: &'static str, object: Record<'static>) {
        *self.counts.entry(kind).or_default() += 1;
        self.objects.push(object);
    }

    fn link(&mut self, child: i64, parent: i64, property: Option<&str>) {
        self.links.push(connection(child, parent, property));
    }

    fn definitions(&self) -> Record<'static> {
        let total: i32 = self.counts.values().sum();
        let head = record("Definitions")
            .with_child(record("Version").with(&Property::I32(100)))
            .with_child(record("Count").with(&Property::I32(total + 1)));
        let of_kind = |(kind, count): (&str, i32)| {
            let count = record("Count").with(&Property::I32(count));
            record("ObjectType").with(&text(kind)).with_child(count)
        };
        let kinds = self.counts.iter().map(|(kind, count)| (*kind, *count));
        [("GlobalSettings", 1)]
            .into_iter()
            .chain(kinds)
            .map(of_kind)
            .fold(head, Record::with_child)
    }

    /// Writes the nodes: limbs if they are bones, meshes if they have their own mesh.
    fn nodes(&mut self, scene: &Scene) {
        let with_mesh: BTreeSet<usize> = scene.meshes.iter().filter_map(|m| m.node).collect();
        for (i, node) in scene.nodes.iter().enumerate() {
            let id = FIRST_NODE + i as i64;
            let kind = match (self.bones.contains(&i), with_mesh.contains(&i)) {
                (true, _) => "LimbNode",
                (_, true) => "Mesh",
                _ => "Null",
            };
            let turn = degrees(&node.rest, &mut [0.0; 3]);
            let list = record("Properties70")
                // Scales of parents apply unchanged.
                .with_child(property("InheritType", "enum", &Property::I32(1)))
                .with_child(numbers("Lcl Translation", "Lcl Translation", &node.rest.position))
                .with_child(numbers("Lcl Rotation", "Lcl Rotation", &turn))
                .with_child(numbers("Lcl Scaling", "Lcl Scaling", &node.rest.scale));
            self.add(
                "Model",
                object("Model", id, &node.name, "Model", kind).with_child(list),
            );
            self.link(id, node.parent.map_or(0, |p| FIRST_NODE + p as i64), None);
            if kind == "LimbNode" {
                let attribute = self.number();
                let flags = record("TypeFlags").with(&text("Skeleton"));
                let made = object(
                    "NodeAttribute",
                    attribute,
                    &node.name,
                    "NodeAttribute",
                    "LimbNode",
                );
                self.add("NodeAttribute", made.with_child(flags));
                self.link(attribute, id, None);
            }
        }
    }

    /// Writes the textures and returns their object numbers.
    fn textures(&mut self, scene: &Scene) -> Vec<i64> {
        let mut made = Vec::new();
        for texture in &scene.textures {
            let (id, video) = (self.number(), self.number());
            let file = format!("{}.png", texture.name);
            let paths = |r: Record<'static>| {
                let named = |name| record(name).with(&text(&file));
                r.with_child(named("FileName"))
                    .with_child(named("RelativeFilename"))
            };
            self.add(
                "Texture",
                paths(object("Texture", id, &texture.name, "Texture", "")),
            );
            let mut clip = paths(object("Video", video, &texture.name, "Video", "Clip"));
            if let Some(png) = &texture.png {
                clip = clip.with_child(record("Content").with(&Property::Raw(png)));
            }
            self.add("Video", clip);
            self.link(video, id, None);
            made.push(id);
        }
        made
    }

    fn material(&mut self, material: &Material, textures: &[i64]) -> i64 {
        let id = self.number();
        let [d, a] = [material.diffuse, material.ambient];
        let unit = |bytes: [u8; 3]| bytes.map(|c| linear(f64::from(c) / 255.0));
        let alpha = f64::from(d.a()) / 255.0;
        let shine = material
            .specular
            .filter(|_| !material.flags.contains(StripFlags::IGNORE_SPECULAR));
        let mut list = record("Properties70")
            .with_child(numbers("DiffuseColor", "Color", &unit([d.r(), d.g(), d.b()])))
            .with_child(numbers("AmbientColor", "Color", &unit([a.r(), a.g(), a.b()])))
            .with_child(numbers(
                "SpecularColor",
                "Color",
                &unit(shine.map_or([0; 3], |s| s.rgb)),
            ))
            .with_child(numbers(
                "ShininessExponent",
                "Number",
                &[shine.map_or(0.0, |s| f64::from(s.exponent))],
            ))
            .with_child(numbers("TransparencyFactor", "Number", &[1.0 - alpha]))
            .with_child(numbers("Opacity", "Number", &[alpha]))
            // In FBX a texture replaces the colour, but the chip multiplies them. This property keeps the
            // colour.
            .with_child(custom(
                "ninja_diffuse",
                &serde_json::json!(words([d.r(), d.g(), d.b()])),
            ));
        for (name, value) in material.properties() {
            list = list.with_child(custom(&name, &value));
        }
        let model = record("ShadingModel").with(&text("phong"));
        let made = object("Material", id, &material.name, "Material", "");
        self.add("Material", made.with_child(model).with_child(list));
        let texture = material.tiny.and_then(|t| textures.get(usize::from(t.texture)));
        if let Some(texture) = texture {
            self.link(*texture, id, Some("DiffuseColor"));
        }
        id
    }
}

fn custom(name: &str, value: &Value) -> Record<'static> {
    match value {
        Value::String(s) => head(name, "KString", "U").with(&text(s)),
        other => head(name, "double", "U").with(&Property::F64(other.as_f64().unwrap_or(0.0))),
    }
}
