//! Bad input must give errors or warnings, without a panic or unbounded memory.

use convert::{Options, Plain};

use crate::scene::{Mesh, Scene};
use crate::{convert_bytes, data, warnings};

const NAN: f64 = f64::NAN;

fn quads(vertices: Vec<[f64; 3]>) -> Mesh {
    Mesh {
        vertices,
        polygons: vec![vec![0, 1, 2, 3], vec![3, 2, 4]],
        ..Mesh::default()
    }
}

fn unit() -> Vec<[f64; 3]> {
    vec![
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.5, 2.0, 0.0],
    ]
}

/// Writing must work after any successful conversion.
fn writes(bytes: &[u8], options: &Options) -> bool {
    match convert_bytes(bytes, options) {
        Ok(mut conversion) => {
            let model = conversion.model.write().unwrap();
            ninja::read(&model).unwrap();
            conversion.check(&mut Plain::default()).unwrap();
            true
        }
        Err(_) => false,
    }
}

#[test]
fn positions_that_are_no_numbers_lose_their_triangles() {
    for bad in [NAN, f64::INFINITY, 1e300] {
        let mut vertices = unit();
        vertices[4] = [bad, 0.0, 0.0];
        let conversion = convert_bytes(&Scene::of(quads(vertices)).write(), &Options::default()).unwrap();
        assert_eq!(conversion.report.triangles, 2);
        assert!(
            warnings(&conversion).contains("not finite"),
            "{}",
            warnings(&conversion)
        );
    }
}

#[test]
fn a_transform_that_is_no_number_is_an_error_with_the_node() {
    let mut scene = Scene::of(quads(unit()));
    scene.translation = [0.0, NAN, 0.0];
    let Err(error) = convert_bytes(&scene.write(), &Options::default()) else {
        panic!("a NaN was accepted");
    };
    assert!(error.to_string().contains("node \"node\""), "{error}");
}

#[test]
fn normals_and_texture_coordinates_that_are_no_numbers_are_replaced() {
    let mut mesh = quads(unit());
    mesh.normals = Some(vec![[NAN, 0.0, 0.0]; 7]);
    mesh.uv = Some(vec![[NAN, f64::INFINITY]; 7]);
    mesh.texture = Some("a.png".to_owned());
    let conversion = convert_bytes(&Scene::of(mesh).write(), &Options::default()).unwrap();
    let tree = conversion.model.models().next().unwrap();
    let chunk = &tree.vlists[0].chunks[0];
    assert!((0..usize::from(chunk.count)).all(|i| chunk.normal(i) == Some([0.0, 0.0, 1.0])));
    assert!(warnings(&conversion).contains("normals without direction"));
}

#[test]
fn polygons_without_area_are_left_out_or_kept_as_they_are() {
    let mesh = Mesh {
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0; 3]],
        polygons: vec![vec![0, 1, 2], vec![0, 1, 3], vec![0, 1], vec![2], vec![1, 1, 1]],
        normals: Some(vec![[0.0, 1.0, 0.0]; 12]),
        ..Mesh::default()
    };
    let conversion = convert_bytes(&Scene::of(mesh).write(), &Options::default()).unwrap();
    assert_eq!(conversion.report.triangles, 1);
    assert_eq!(conversion.report.degenerate_triangles, 2);
    assert!(warnings(&conversion).contains("fewer than three corners"));
}

#[test]
fn indices_beyond_the_vertices_do_no_harm() {
    let mut mesh = quads(unit());
    mesh.polygons.push(vec![0, 1, 4_000_000]);
    mesh.polygons.push(vec![0, 1, i32::MAX]);
    writes(&Scene::of(mesh).write(), &Options::default());
}

#[test]
fn a_mesh_beyond_the_vertex_buffer_is_split() {
    let side = 200;
    let vertices = (0..side * side)
        .map(|i| [f64::from(i % side), f64::from(i / side), 0.0])
        .collect();
    let polygon = |x: i32, y: i32| {
        vec![
            y * side + x,
            y * side + x + 1,
            (y + 1) * side + x + 1,
            (y + 1) * side + x,
        ]
    };
    let mesh = Mesh {
        vertices,
        polygons: (0..side - 1)
            .flat_map(|y| (0..side - 1).map(move |x| polygon(x, y)))
            .collect(),
        ..Mesh::default()
    };
    let mut conversion = convert_bytes(&Scene::of(mesh).write(), &Options::default()).unwrap();
    let names: Vec<&str> = conversion.report.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["node", "node part 2"]);
    assert_eq!(conversion.report.triangles, 2 * 199 * 199);
    let text = warnings(&conversion);
    assert!(
        text.contains("mesh \"shape\": more than 32767 vertices"),
        "{text}"
    );
    let checked = conversion.check(&mut Plain::default()).unwrap();
    assert!(
        checked.compared >= 40_000 && checked.rest.relative < 1e-6,
        "{:?}",
        checked.rest
    );
}

#[test]
fn a_large_mesh_is_cut_into_chunks_that_hold_it() {
    let side = 150;
    let vertices = (0..side * side)
        .map(|i| [f64::from(i % side), f64::from(i / side), 0.0])
        .collect();
    let polygon = |x: i32, y: i32| {
        vec![
            y * side + x,
            y * side + x + 1,
            (y + 1) * side + x + 1,
            (y + 1) * side + x,
        ]
    };
    let mesh = Mesh {
        vertices,
        polygons: (0..side - 1)
            .flat_map(|y| (0..side - 1).map(move |x| polygon(x, y)))
            .collect(),
        ..Mesh::default()
    };
    let mut conversion = convert_bytes(&Scene::of(mesh).write(), &Options::default()).unwrap();
    let tree = conversion.model.models().next().unwrap();
    assert!(tree.vlists[0].chunks.len() > 1);
    assert_eq!(conversion.report.triangles, 2 * 149 * 149);
    assert!(conversion.check(&mut Plain::default()).unwrap().rest.relative < 1e-6);
}

#[test]
fn deep_and_wide_trees_are_bounded() {
    let mut scene = Scene::of(quads(unit()));
    scene.chain = 2000;
    let Err(error) = convert_bytes(&scene.write(), &Options::default()) else {
        panic!("2,000 levels were accepted with a limit of 512");
    };
    assert!(error.to_string().to_lowercase().contains("depth"), "{error}");
    scene.chain = 400;
    assert!(writes(&scene.write(), &Options::default()));
    let mut scene = Scene::of(quads(unit()));
    scene.bones = 100_000;
    // Nodes take more than the default limit of eight times the file and 64 MiB.
    assert!(convert_bytes(&scene.write(), &Options::default()).is_err());
    let dropped = Options {
        memory_limit: 512 << 20,
        ..Options::default()
    };
    let kept = Options {
        leaf_bones: true,
        ..dropped.clone()
    };
    let conversion = convert_bytes(&scene.write(), &kept).unwrap();
    assert_eq!(conversion.report.nodes.len(), 100_002);
    let conversion = convert_bytes(&scene.write(), &dropped).unwrap();
    assert_eq!(conversion.report.nodes.len(), 1);
}

#[test]
fn a_circle_of_nodes_is_an_error_or_is_cut() {
    for chain in [1, 2, 5] {
        let mut scene = Scene::of(quads(unit()));
        (scene.chain, scene.circle) = (chain, true);
        writes(&scene.write(), &Options::default());
    }
}

#[test]
fn a_memory_limit_is_kept() {
    let bytes = std::fs::read(data("skin_8influences.fbx")).unwrap();
    let tight = Options {
        memory_limit: 20_000,
        ..Options::default()
    };
    let Err(error) = convert_bytes(&bytes, &tight) else {
        panic!("20 kB were enough");
    };
    assert!(error.to_string().to_lowercase().contains("limit"), "{error}");
}

#[test]
fn what_is_no_fbx_file_is_an_error() {
    for bytes in [&b""[..], b"NJCM\x04\0\0\0\0\0\0\0", b"; nothing\n", &[0; 4096]] {
        assert!(convert_bytes(bytes, &Options::default()).is_err());
    }
}

fn light() -> Options {
    Options {
        memory_limit: 16 << 20,
        ..Options::default()
    }
}

/// Returns a number from the environment.
fn asked<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    let given = std::env::var(name).ok().and_then(|n| n.parse().ok());
    given.unwrap_or(otherwise)
}

/// Tests every 61st length; `SWIRL_FBX_STEP=1` tests each one.
#[test]
fn prefixes_are_errors() {
    let bytes = std::fs::read(data("static_uv_vcol_2mat.fbx")).unwrap();
    let mut refused = 0;
    let mut tried = 0;
    for end in (0..bytes.len() - 200).step_by(asked("SWIRL_FBX_STEP", 61)) {
        tried += 1;
        refused += usize::from(!writes(&bytes[..end], &light()));
    }
    println!("{tried} prefixes refused");
    assert_eq!(refused, tried);
}

/// Changes single bytes, 100 per file; `SWIRL_FBX_MUTATIONS=N` sets the number.
#[test]
fn changed_bytes_do_no_harm() {
    let count = asked("SWIRL_FBX_MUTATIONS", 100);
    let mut state = 7u64;
    let mut random = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let (mut read, mut refused) = (0, 0);
    for name in ["skin_anim.fbx", "shapes_anim.fbx", "node_anim_nla_off.fbx"] {
        let bytes = std::fs::read(data(name)).unwrap();
        for _ in 0..count {
            let mut changed = bytes.clone();
            let at = random(bytes.len());
            changed[at] ^= 1 << random(8);
            match convert_bytes(&changed, &light()) {
                Ok(conversion) => {
                    conversion.model.write().unwrap();
                    read += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    println!("{read} changed files converted, {refused} refused");
    assert_eq!(read + refused, 3 * count);
}
