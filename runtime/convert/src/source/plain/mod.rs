//! Reads OBJ files without ufbx, for builds without a C compiler. The result equals ufbx's for triangles and
//! quadrilaterals.

mod ears;
mod faces;
mod library;
mod text;

use super::gltf::Model;
use super::{Exporter, Mesh, Origin, Scene};
use crate::error::{Error, Warnings};
use crate::limits::FACE_STEPS;
use crate::options::Options;
use crate::settings::{NodeSettings, Settings};
use std::rc::Rc;
use text::Shape;

/// Creates an error with its line.
fn wrong(line: usize, found: impl std::fmt::Display, expected: &str) -> Error {
    Error::Load {
        kind: "OBJ",
        cause: format!("line {line}: found {found}, expected {expected}"),
    }
}

/// Rejects FBX files.
#[cfg(not(feature = "ufbx"))]
pub(super) fn load_fbx(_: &[u8], _: &Options, _: &mut Warnings) -> Result<Scene, Error> {
    Err(Error::Load {
        kind: "glTF or OBJ",
        cause: "found an FBX scene, which this build does not read".to_owned(),
    })
}

/// Reads an OBJ file with the bytes of its material libraries.
pub(super) fn load_obj(
    bytes: &[u8],
    libraries: &[u8],
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Scene, Error> {
    let text = text::read(bytes)?;
    let settings = Settings::new(&options.sidecar);
    let (materials, textures) = library::read(libraries, &text.materials, &settings, warnings)?;
    let shapes = &text.shapes;
    let mut steps = ears::StepBudget::new(FACE_STEPS);
    let meshes: Vec<Mesh> = shapes
        .iter()
        .enumerate()
        .map(|(number, shape)| faces::mesh(number, shape, &text, &mut steps, warnings))
        .collect::<Result<_, _>>()?;
    let names = shapes.iter().map(|shape| shape.name.as_str());
    settings.missing(materials.iter().map(|m| m.name.as_str()), names, warnings);
    let own = |shape: &Shape, warnings: &mut Warnings| settings.node(&shape.name, &[], warnings);
    let mut nodes = vec![super::gltf::bare(0, String::new(), NodeSettings::default())];
    nodes[0].children = (1..=shapes.len()).collect();
    for (number, shape) in shapes.iter().enumerate() {
        let mut node = super::gltf::bare(number + 1, shape.name.clone(), own(shape, warnings)?);
        node.parent = Some(0);
        node.mesh = Some(number);
        node.materials.clone_from(&shape.materials);
        nodes.push(node);
    }
    let model = Rc::new(Model::still(&meshes, 1.0 / options.unit_meters));
    Model::place(&model, &mut nodes);
    Ok(Scene {
        origin: Origin::Gltf(model),
        nodes,
        meshes,
        materials,
        textures,
        stacks: Vec::new(),
        active: None,
        rate: 30.0,
        exporter: Exporter::Other,
        nurbs: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::fbx;

    const LIBRARY: &str = "newmtl red\nKd 1 0.25 0\nKa 0.1 0.1 0.1\nKs 0.5 0.5 0.5\nNs 20\n\
                           map_Kd -s 2 2 1 skin.png\n\
                           newmtl blue\nKd 0 0 1\nd 0.5\n";

    /// Objects, groups, negative indices, a line that continues, colours, normals, and quadrilaterals for
    /// both diagonals.
    const FILES: [&str; 8] = [
        "o cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl red\n\
         f 1/1 2/2 3/3 4/4\n\
         o roof\nv 0 2 0\nusemtl blue\nf 4 3 5\n",
        "g left\nv 0 0 0\nv 2 0 0\nv 1.5 1 0\nv 0 1 0\nf -4 -3 -2 -1\ng right\nv 4 0 0\nv 5 3 0\nf 2 5 6\n\
         usemtl new\n\
         f 1 \\\n5 6\n",
        "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 1 1 1 1\nvn 0 0 2\nvn 0 1 0\nf 1//1 2//1 3//2\n\
         f 1//1 3//1 4//2\n",
        "s 1\nv 0 0 0\nv 1 0 0\nv 1 1 1\nv 0 1 0\nf 1 2 3\nf 1 3 4\n",
        "v 0 0 0\nv 1 0 0\nv 1 1 1\nv 0 1 0\nf 1 2 3\nf 1 3 4\n",
        // A concave quadrilateral. Its shorter diagonal is outside.
        "v 0 0 0\nv 4 1 0\nv 1 1 0\nv 1 4 0\nf 1 2 3 4\nf 2 3 4 1\n",
        // Normals and texture coordinates at some corners.
        "v 0 0 0\nv 1 0 0\nv 1 1 1\nv 0 1 0\nvn 1 0 0\nvn 0 1 0\nvt 0.5 1\n\
         f 1//1 2 3//2\nf 1//2 3/1 4\nf 4 3 2\n",
        "s 1\nv 0 0 0\nv 1 0 0\nv 1 1 1\nv 0 1 0\nvn 1 0 0\nf 1//1 2 3\nf 1 3 4\n",
    ];

    #[test]
    fn scenes_equal_those_of_ufbx() -> Result<(), Error> {
        let options = Options::default();
        for text in FILES {
            for libraries in [LIBRARY, ""] {
                let (mut ours, mut theirs) = (Warnings::default(), Warnings::default());
                let own = load_obj(text.as_bytes(), libraries.as_bytes(), &options, &mut ours)?;
                let other = fbx::load_obj(text.as_bytes(), libraries.as_bytes(), &options, &mut theirs)?;
                let nodes = |scene: &Scene| {
                    let nodes = scene.nodes.iter();
                    let node = |n: &super::super::Node| {
                        let names: Vec<String> = n
                            .materials
                            .iter()
                            .map(|m| scene.materials[*m].name.clone())
                            .collect();
                        (n.name.clone(), n.mesh, n.parent, n.children.clone(), names)
                    };
                    nodes.map(node).collect::<Vec<_>>()
                };
                assert_eq!(nodes(&own), nodes(&other), "{text}");
                let used = |scene: &Scene| {
                    let textures = scene
                        .materials
                        .iter()
                        .map(|m| m.texture.map(|t| scene.textures[t].paths.clone()));
                    let mut plain = scene.materials.clone();
                    plain.iter_mut().for_each(|m| m.texture = None);
                    (plain, textures.collect::<Vec<_>>())
                };
                assert_eq!(used(&own), used(&other), "{text}");
                assert_eq!(own.meshes.len(), other.meshes.len());
                for (a, b) in own.meshes.iter().zip(&other.meshes) {
                    assert_eq!(a.triangles, b.triangles, "{text}");
                    let corners = |mesh: &Mesh| {
                        let of = |corner: u32| {
                            let (c, k) = (&mesh.corners, corner as usize);
                            let normal = c.normal.as_ref().map(|n| n[k].map(|x| (x * 1e6).round()));
                            let place = mesh.positions[c.vertex[k] as usize];
                            (
                                place,
                                normal,
                                c.uv.as_ref().map(|u| u[k]),
                                c.color.as_ref().map(|x| x[k]),
                            )
                        };
                        mesh.triangles
                            .iter()
                            .flat_map(|t| t.corners.map(of))
                            .collect::<Vec<_>>()
                    };
                    assert_eq!(corners(a), corners(b), "{text}");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn polygons_are_covered_once() -> Result<(), Error> {
        // An L of six corners and area 3, in both directions.
        let text = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\nf 6 5 4 3 2 1\n";
        let mut warnings = Warnings::default();
        let scene = load_obj(text.as_bytes(), b"", &Options::default(), &mut warnings)?;
        let mesh = &scene.meshes[0];
        assert_eq!(mesh.triangles.len(), 8);
        let area = |triangle: &crate::source::mesh::Triangle| {
            let [a, b, c] = triangle
                .corners
                .map(|k| mesh.positions[mesh.corners.vertex[k as usize] as usize]);
            crate::math::cross(crate::math::sub(b, a), crate::math::sub(c, a))[2] / 2.0
        };
        let areas: Vec<f64> = mesh.triangles.iter().map(area).collect();
        assert!(
            areas[..4].iter().all(|a| *a > 0.0) && areas[4..].iter().all(|a| *a < 0.0),
            "{areas:?}"
        );
        assert_eq!(
            (areas[..4].iter().sum::<f64>(), areas[4..].iter().sum::<f64>()),
            (3.0, -3.0)
        );
        Ok(())
    }

    #[test]
    fn errors_have_a_line() {
        for (text, expected) in [
            ("v 0 0 0\nv 0 x 0\n", "line 2: found \"x\", expected a number"),
            ("v 0 0\n", "line 1: found 2 values, expected 3"),
            ("v 0 0 0\nf 1 2 1\n", "line 2: found vertex 2, expected 1 to 1"),
            ("v 0 0 0\nf 1 -2 1\n", "line 2: found \"-2\", expected 1 to 1"),
        ] {
            let result = load_obj(
                text.as_bytes(),
                b"",
                &Options::default(),
                &mut Warnings::default(),
            );
            let error = result.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.ends_with(expected), "{error}");
        }
    }
}
