//! Other readers must accept exported files, and find the vertices at the positions of the written files.

use convert::{Conversion, ExportOptions, Exported, Options, Plain, Rotation, Stacks};
use ninja::{Chunk, File};

use crate::converted;
use crate::glb::Glb;
use crate::gltf_scenes::square;
use serde_json::json;

/// Permitted distance from the other reader's positions, as a share of the size. Covers the single precision
/// of positions, keys and reconstructed weights.
const EXACT: f64 = 1e-5;

/// Merges all files of a conversion.
fn whole(conversion: &Conversion) -> File {
    let mut chunks: Vec<Chunk> = conversion.model.chunks.clone();
    for file in conversion
        .motions
        .iter()
        .map(|m| &m.file)
        .chain(&conversion.shapes)
    {
        chunks.extend(file.chunks.clone());
    }
    ninja::read(&File::new(chunks).write().unwrap()).unwrap()
}

pub(crate) fn exported(conversion: &Conversion) -> Exported {
    let file = whole(conversion);
    let rate = conversion.report.motions.first().map_or(30.0, |m| m.rate);
    convert::export(
        &file,
        &[],
        &ExportOptions {
            rate,
            ..ExportOptions::default()
        },
    )
    .unwrap()
}

/// Returns positions in sorted order, rounded so that equal ones match.
fn sorted(points: impl Iterator<Item = [f64; 3]>) -> Vec<[f64; 3]> {
    let mut all: Vec<[f64; 3]> = points.collect();
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    all
}

/// Returns the largest distance from a point of one set to the nearest of the other, in both directions.
pub(crate) fn apart(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let distance = |p: &[f64; 3], q: &[f64; 3]| (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
    let to =
        |p: &[f64; 3], all: &[[f64; 3]]| all.iter().map(|q| distance(p, q)).fold(f64::INFINITY, f64::min);
    let one = a.iter().map(|p| to(p, b)).fold(0.0, f64::max);
    b.iter().map(|q| to(q, a)).fold(one, f64::max)
}

pub(crate) fn places(conversion: &Conversion, motion: Option<(usize, u32)>) -> Vec<[f64; 3]> {
    let positions = conversion.positions(motion).unwrap();
    sorted(positions.into_iter().flat_map(|p| p.vertices).flatten())
}

/// Returns ufbx's vertex positions of an exported file at a time of its first stack, or at rest.
fn places_by_ufbx(bytes: &[u8], time: Option<f64>) -> Vec<[f64; 3]> {
    let scene = ufbx::load_memory(bytes, ufbx::LoadOpts::default()).unwrap();
    let opts = || ufbx::EvaluateOpts {
        evaluate_skinning: true,
        ..ufbx::EvaluateOpts::default()
    };
    let scene = match time {
        Some(time) => ufbx::evaluate_scene(&scene, &scene.anim_stacks[0].anim, time, opts()).unwrap(),
        None => {
            let none = ufbx::create_anim(&scene, ufbx::AnimOpts::default()).unwrap();
            ufbx::evaluate_scene(&scene, &none, 0.0, opts()).unwrap()
        }
    };
    let mut found = Vec::new();
    for mesh in &scene.meshes {
        let node = &mesh.element.instances[0];
        for p in &mesh.skinned_position.values {
            let p = match mesh.skinned_is_local {
                true => ufbx::transform_position(&node.geometry_to_world, *p),
                false => *p,
            };
            found.push([p.x, p.y, p.z]);
        }
    }
    sorted(found.into_iter())
}

pub(crate) const SCENES: [&str; 7] = [
    "static_uv_vcol_2mat.fbx",
    "node_anim_nla_off.fbx",
    "mirror_instance_unicode.fbx",
    "shapes_anim.fbx",
    "skin_anim.fbx",
    "skin_8influences.fbx",
    "skin_shapes_anim.fbx",
];

#[test]
fn exported_fbx_has_every_vertex_in_its_place_at_every_frame() {
    for rotation in [Rotation::Euler, Rotation::Quaternion] {
        for name in SCENES {
            let options = Options {
                rotation,
                ..Options::default()
            };
            let conversion = converted(name, &options);
            let bytes = exported(&conversion).fbx().unwrap();
            fbx::read(&bytes).unwrap();
            let size = conversion.report.size;
            let rest = apart(&places(&conversion, None), &places_by_ufbx(&bytes, None)) / size;
            assert!(rest < EXACT, "{name}, at rest: {rest}");
            let mut worst = 0.0f64;
            for motion in &conversion.report.motions {
                for frame in 0..motion.frames {
                    let time = f64::from(frame) / motion.rate;
                    let far = apart(
                        &places(&conversion, Some((0, frame))),
                        &places_by_ufbx(&bytes, Some(time)),
                    );
                    worst = worst.max(far / size);
                }
            }
            println!("{name}: {rest:.1e} at rest, {worst:.1e} in motion");
            assert!(worst < EXACT, "{name}: {worst}");
        }
    }
}

/// Every node between a bone and the top is a bone, or Blender's older importer fails. Bones have no meshes.
fn skeletons_are_whole(scene: &ufbx::Scene, name: &str) {
    for cluster in &scene.skin_clusters {
        let mut node = cluster.bone_node.as_ref().unwrap();
        while let Some(above) = node.parent.as_ref().filter(|node| !node.is_root) {
            let is_top = above.parent.as_ref().is_none_or(|node| node.is_root);
            assert!(is_top || above.bone.is_some(), "{name}: {}", &*above.element.name);
            node = above;
        }
    }
    let both = |node: &ufbx::Node| node.bone.is_some() && node.mesh.is_some();
    assert!(!scene.nodes.iter().any(|node| both(node)), "{name}");
}

/// A joint without weights, with a mesh of its own, between two joints of a skin.
#[test]
fn nodes_between_bones_are_bones() {
    let mut glb = Glb::default();
    let joints = glb.shorts("VEC4", &[[0, 2, 0, 0]; 4]);
    let weights = glb.floats("VEC4", &[[0.5, 0.5, 0.0, 0.0]; 4]);
    let mut scene = square(&mut glb, json!({ "JOINTS_0": joints, "WEIGHTS_0": weights }));
    let mut rigid = scene["meshes"][0].clone();
    let attributes = rigid["primitives"][0]["attributes"].as_object_mut().unwrap();
    attributes.retain(|name, _| name == "POSITION");
    scene["meshes"].as_array_mut().unwrap().push(rigid);
    scene["nodes"] = json!([
        { "name": "plate", "mesh": 0, "skin": 0 },
        { "name": "hip", "children": [2] },
        { "name": "knee", "children": [3], "mesh": 1 },
        { "name": "foot", "translation": [0.0, 1.0, 0.0] },
    ]);
    scene["skins"] = json!([{ "joints": [1, 2, 3] }]);
    scene["scenes"][0]["nodes"] = json!([0, 1]);
    let conversion = crate::convert_bytes(&glb.write(&scene), &Options::default()).unwrap();
    let bytes = exported(&conversion).fbx().unwrap();
    let read = ufbx::load_memory(&bytes, ufbx::LoadOpts::default()).unwrap();
    assert!(read.skin_clusters.len() >= 2 && read.meshes.len() == 2);
    skeletons_are_whole(&read, "knee");
    let far = apart(&places(&conversion, None), &places_by_ufbx(&bytes, None));
    assert!(far < EXACT, "{far}");
}

/// A reimported model must have the same vertices, drawing state and number of triangles.
#[test]
fn an_exported_model_can_come_back() {
    for name in SCENES {
        let there = converted(name, &Options::default());
        let bytes = exported(&there).fbx().unwrap();
        let options = Options {
            stacks: Stacks::All,
            leaf_bones: true,
            ..Options::default()
        };
        let mut back = crate::convert_bytes(&bytes, &options).unwrap();
        assert_eq!(back.report.triangles, there.report.triangles, "{name}");
        let far = apart(&places(&there, None), &places(&back, None)) / there.report.size;
        assert!(far < EXACT, "{name}: {far}");
        assert!(back.check(&mut Plain::default()).unwrap().rest.relative < 1.0 / 2000.0);
        let blends = |c: &Conversion| -> Vec<(Option<ninja::Argb>, u8)> {
            let tree = c.model.models().next().unwrap();
            let chunks = tree.plists.iter().flat_map(|l| &l.chunks);
            chunks
                .filter_map(|chunk| match chunk {
                    ninja::PolyChunk::Material(m) => Some((m.diffuse, m.blend.headbits())),
                    _ => None,
                })
                .collect()
        };
        assert_eq!(blends(&there), blends(&back), "{name}");
    }
}

/// Another reader of glTF must accept the file, and find the same numbers of triangles, joints and keys.
#[test]
fn exported_glb_is_valid_and_complete() {
    for name in SCENES {
        let conversion = converted(name, &Options::default());
        let names = conversion.model.texlist().map_or(0, |l| l.names.len());
        let picture = pvr::texture::Rgba {
            width: 2,
            height: 1,
            texels: vec![0xFF11_2233, 0x4455_6677],
        };
        let file = whole(&conversion);
        let images = vec![Some(picture); names];
        let made = convert::export(&file, &images, &ExportOptions::default()).unwrap();
        let bytes = made.glb().unwrap();
        let read = gltf::Gltf::from_slice(&bytes).unwrap();
        let blob = read.blob.clone().unwrap();
        let buffer = |_: gltf::Buffer<'_>| Some(blob.as_slice());
        let mut triangles = 0;
        for primitive in read.meshes().flat_map(|m| m.primitives().collect::<Vec<_>>()) {
            let reader = primitive.reader(buffer);
            let count = reader.read_positions().unwrap().count() as u32;
            let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
            assert!(indices.iter().all(|i| *i < count), "{name}");
            triangles += indices.len() / 3;
            for normal in reader.read_normals().into_iter().flatten() {
                assert!((normal.iter().map(|c| c * c).sum::<f32>() - 1.0).abs() < 1e-5);
            }
            let sets: Vec<Vec<[f32; 4]>> = (0..8)
                .map_while(|set| Some(reader.read_weights(set)?.into_f32().collect()))
                .collect();
            for i in 0..sets.first().map_or(0, Vec::len) {
                let sum: f32 = sets.iter().flat_map(|s| s[i]).sum();
                assert!((sum - 1.0).abs() < 1e-5, "{name}: {sum}");
            }
        }
        assert_eq!(triangles, conversion.report.triangles, "{name}");
        assert_eq!(read.skins().len() > 0, name.starts_with("skin"), "{name}");
        assert_eq!(read.animations().len(), conversion.motions.len(), "{name}");
        for channel in read.animations().flat_map(|a| a.channels().collect::<Vec<_>>()) {
            let reader = channel.reader(buffer);
            assert_eq!(
                reader.read_inputs().unwrap().count() as u32,
                conversion.report.motions[0].frames
            );
            assert!(reader.read_outputs().is_some());
        }
        for image in read.images() {
            let gltf::image::Source::View { view, mime_type } = image.source() else {
                panic!("{name}: an image outside");
            };
            assert_eq!(mime_type, "image/png");
            let png = &blob[view.offset()..view.offset() + view.length()];
            let mut decoder = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
            let mut pixels = vec![0; 8];
            decoder.next_frame(&mut pixels).unwrap();
            assert_eq!(pixels, [0x11, 0x22, 0x33, 0xFF, 0x55, 0x66, 0x77, 0x44]);
        }
        assert_eq!(read.images().len(), names);
        println!("{name}: {triangles} triangles, {} bytes", bytes.len());
    }
}

/// Exports real models of games, if present: with CP and DP, weight sums of 253 to 256, shared lists.
#[test]
fn real_models_are_exported() {
    let folder = corpus::folder("ninja");
    let (mut folders, mut files, mut triangles) = (vec![folder], 0, 0);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path())
        {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let is_model = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("nj"));
            let Some(file) = is_model
                .then(|| std::fs::read(&path).unwrap())
                .and_then(|b| ninja::read(&b).ok())
            else {
                continue;
            };
            let made = match convert::export(&file, &[], &ExportOptions::default()) {
                Ok(made) => made,
                Err(error) => panic!("{}: {error}", path.display()),
            };
            let glb = made.glb().unwrap();
            gltf::Gltf::from_slice(&glb).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let scene = ufbx::load_memory(&made.fbx().unwrap(), ufbx::LoadOpts::default()).unwrap();
            skeletons_are_whole(&scene, &path.display().to_string());
            let read: usize = scene.meshes.iter().map(|m| m.num_triangles).sum();
            assert_eq!(read, made.counts().triangles, "{}", path.display());
            files += 1;
            triangles += read;
        }
    }
    println!("{files} files exported, {triangles} triangles");
}
