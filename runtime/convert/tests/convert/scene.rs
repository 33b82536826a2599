//! Builds small FBX scenes with the record writer.

use fbx::{ByteOrder, Document, Elements, Property, Record};

/// A mesh on one node.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) polygons: Vec<Vec<i32>>,
    /// Texture coordinates by corner.
    pub(crate) uv: Option<Vec<[f64; 2]>>,
    /// Second set of texture coordinates, by corner.
    pub(crate) uv2: Option<Vec<[f64; 2]>>,
    /// Normals by corner.
    pub(crate) normals: Option<Vec<[f64; 3]>>,
    /// File of a diffuse texture.
    pub(crate) texture: Option<String>,
}

/// A scene: right-handed, y up, in metres.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scene {
    pub(crate) mesh: Mesh,
    /// Lcl Translation of the node.
    pub(crate) translation: [f64; 3],
    /// Number of empty nodes, each the child of the previous one.
    pub(crate) chain: usize,
    /// Number of bones.
    pub(crate) bones: usize,
    /// Makes the first node of the chain a child of its last.
    pub(crate) circle: bool,
    /// Adds a camera "eye" at (1, 2, 3) and a directional light "sun" of half intensity.
    pub(crate) views: bool,
    /// Leaves out all other nodes.
    pub(crate) only_views: bool,
    /// Custom properties of the node and the material.
    pub(crate) node_properties: Vec<(&'static str, Custom)>,
    pub(crate) material_properties: Vec<(&'static str, Custom)>,
}

/// The value of a custom property.
#[derive(Debug, Clone)]
pub(crate) enum Custom {
    Int(i32),
    Number(f64),
    Text(&'static str),
    Vector([f64; 3]),
}

fn custom((name, value): &(&'static str, Custom)) -> Record<'static> {
    let (kind, values) = match value {
        Custom::Int(v) => ("int", vec![Property::I32(*v)]),
        Custom::Number(v) => ("double", vec![Property::F64(*v)]),
        Custom::Text(v) => ("KString", vec![text(v)]),
        Custom::Vector(v) => ("Vector", v.map(Property::F64).to_vec()),
    };
    let head = [text(name), text(kind), text(""), text("U")];
    head.iter()
        .chain(&values)
        .fold(record("P"), |p, value| p.with(value))
}

pub(crate) const ORDER: ByteOrder = ByteOrder::Little;

pub(crate) fn record(name: &'static str) -> Record<'static> {
    Record::new(name, ORDER)
}

pub(crate) fn text(value: &str) -> Property<'_> {
    Property::String(value.as_bytes())
}

pub(crate) fn object(
    kind: &'static str,
    id: i64,
    name: &str,
    class: &str,
    subclass: &str,
) -> Record<'static> {
    let full = format!("{name}\0\u{1}{class}");
    record(kind)
        .with(&Property::I64(id))
        .with(&text(&full))
        .with(&text(subclass))
}

pub(crate) fn property(name: &str, kind: &str, values: &[f64]) -> Record<'static> {
    let mut p = record("P")
        .with(&text(name))
        .with(&text(kind))
        .with(&text(""))
        .with(&text("A"));
    for value in values {
        p.properties.push(&Property::F64(*value));
    }
    p
}

pub(crate) fn int_property(name: &str, value: i32) -> Record<'static> {
    let p = record("P")
        .with(&text(name))
        .with(&text("int"))
        .with(&text("Integer"))
        .with(&text(""));
    p.with(&Property::I32(value))
}

pub(crate) fn elements(name: &'static str, values: Elements) -> Record<'static> {
    let mut r = record(name);
    r.properties.push_elements(&values);
    r
}

fn layer(kind: &'static str, number: i32, data: &'static str, values: Vec<f64>) -> Record<'static> {
    record(kind)
        .with(&Property::I32(number))
        .with_child(record("Name").with(&text("")))
        .with_child(record("MappingInformationType").with(&text("ByPolygonVertex")))
        .with_child(record("ReferenceInformationType").with(&text("Direct")))
        .with_child(elements(data, Elements::F64(values)))
}

pub(crate) fn connection(child: i64, parent: i64, prop: Option<&str>) -> Record<'static> {
    let kind = if prop.is_some() { "OP" } else { "OO" };
    let c = record("C")
        .with(&text(kind))
        .with(&Property::I64(child))
        .with(&Property::I64(parent));
    match prop {
        Some(prop) => c.with(&text(prop)),
        None => c,
    }
}

impl Scene {
    pub(crate) fn of(mesh: Mesh) -> Self {
        Scene {
            mesh,
            ..Scene::default()
        }
    }

    /// Returns the file.
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut objects = record("Objects");
        let mut connections = record("Connections");
        let mut add = |object: Record<'static>| {
            objects = std::mem::replace(&mut objects, record("Objects")).with_child(object);
        };
        let mut links = vec![connection(1, 0, None), connection(2, 1, None)];
        let place = property("Lcl Translation", "Lcl Translation", &self.translation);
        let properties = self.node_properties.iter().map(custom);
        let properties = properties.fold(record("Properties70").with_child(place), Record::with_child);
        if self.only_views {
            links.clear();
        } else {
            add(object("Model", 1, "node", "Model", "Mesh").with_child(properties));
            add(self.geometry());
        }
        if self.mesh.texture.is_some() || !self.material_properties.is_empty() {
            let properties = self.material_properties.iter().map(custom);
            let properties = properties.fold(record("Properties70"), Record::with_child);
            add(object("Material", 3, "paint", "Material", "").with_child(properties));
            links.push(connection(3, 1, None));
        }
        if let Some(texture) = &self.mesh.texture {
            add(object("Texture", 4, "paint", "Texture", "")
                .with_child(record("RelativeFilename").with(&text(texture))));
            links.push(connection(4, 3, Some("DiffuseColor")));
        }
        for i in 0..self.chain as i64 {
            add(object("Model", 1000 + i, &format!("link{i}"), "Model", "Null"));
            links.push(connection(1000 + i, if i == 0 { 0 } else { 999 + i }, None));
        }
        for i in 0..self.bones as i64 {
            add(object(
                "Model",
                1_000_000 + i,
                &format!("bone{i}"),
                "Model",
                "LimbNode",
            ));
            add(object(
                "NodeAttribute",
                2_000_000 + i,
                "",
                "NodeAttribute",
                "LimbNode",
            ));
            links.push(connection(1_000_000 + i, 0, None));
            links.push(connection(2_000_000 + i, 1_000_000 + i, None));
        }
        if self.circle {
            links.push(connection(1000, 999 + self.chain as i64, None));
        }
        if self.views {
            let list =
                |r: Vec<Record<'static>>| r.into_iter().fold(record("Properties70"), Record::with_child);
            let eye = list(vec![property(
                "Lcl Translation",
                "Lcl Translation",
                &[1.0, 2.0, 3.0],
            )]);
            add(object("Model", 500, "eye", "Model", "Camera").with_child(eye));
            add(object("NodeAttribute", 501, "eye", "NodeAttribute", "Camera"));
            add(object("Model", 510, "sun", "Model", "Light"));
            let sun = list(vec![
                int_property("LightType", 1),
                property("Color", "Color", &[1.0, 0.5, 0.25]),
                property("Intensity", "Number", &[50.0]),
            ]);
            add(object("NodeAttribute", 511, "sun", "NodeAttribute", "Light").with_child(sun));
            for (child, parent) in [(500, 0), (501, 500), (510, 0), (511, 510)] {
                links.push(connection(child, parent, None));
            }
        }
        for link in links {
            connections = connections.with_child(link);
        }
        let mut document = Document::new(7400, ORDER);
        document.sections[0].records = vec![header(), settings(), objects, connections];
        document.write().unwrap()
    }

    fn geometry(&self) -> Record<'static> {
        let mesh = &self.mesh;
        let mut indices: Vec<i32> = Vec::new();
        for polygon in &mesh.polygons {
            indices.extend(polygon);
            if let Some(last) = indices.last_mut() {
                *last = !*last;
            }
        }
        let vertices = mesh.vertices.iter().flatten().copied().collect();
        let mut geometry = object("Geometry", 2, "shape", "Geometry", "Mesh")
            .with_child(elements("Vertices", Elements::F64(vertices)))
            .with_child(elements("PolygonVertexIndex", Elements::I32(indices)));
        if let Some(normals) = &mesh.normals {
            let values = normals.iter().flatten().copied().collect();
            geometry = geometry.with_child(layer("LayerElementNormal", 0, "Normals", values));
        }
        for (number, uv) in (0..).zip([&mesh.uv, &mesh.uv2].into_iter().flatten()) {
            let values = uv.iter().flatten().copied().collect();
            geometry = geometry.with_child(layer("LayerElementUV", number, "UV", values));
        }
        geometry
    }
}

pub(crate) fn header() -> Record<'static> {
    record("FBXHeaderExtension").with_child(record("FBXVersion").with(&Property::I32(7400)))
}

/// One unit is 100 centimetres.
pub(crate) fn settings() -> Record<'static> {
    let axis = [
        ("UpAxis", 1),
        ("UpAxisSign", 1),
        ("FrontAxis", 2),
        ("FrontAxisSign", 1),
        ("CoordAxis", 0),
        ("CoordAxisSign", 1),
    ];
    let mut properties = record("Properties70");
    for (name, value) in axis {
        properties = properties.with_child(int_property(name, value));
    }
    properties = properties.with_child(property("UnitScaleFactor", "double", &[100.0]));
    record("GlobalSettings").with_child(properties)
}
