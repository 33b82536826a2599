//! OBJ scenes with their material libraries.

use convert::{Error, Options, Plain, SceneFormat};

use crate::gltf_scenes::{error_of, png};
use crate::{convert_bytes, warnings};

const OBJ: &str = "mtllib paint.mtl\no cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n\
                   vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl red\nf 1/1 2/2 3/3 4/4\n\
                   o roof\nv 0 2 0\nusemtl blue\nf 4 3 5\n";

fn obj() -> Options {
    Options {
        format: Some(SceneFormat::Obj),
        ..Options::default()
    }
}

#[test]
fn an_obj_file_with_its_materials_is_a_scene() -> Result<(), Error> {
    let mtl = "newmtl red\nKd 1 0 0\nmap_Kd skin.png\nnewmtl blue\nKd 0 0 1\nd 0.5\n";
    let mut files = |path: &str| match path {
        "paint.mtl" => Some(mtl.as_bytes().to_vec()),
        "skin.png" => Some(png(255)),
        _ => None,
    };
    let mut conversion = convert::convert(OBJ.as_bytes(), &obj(), &mut files)?;
    let checked = conversion.check(&mut Plain::default())?;
    assert!(
        checked.rest.relative < 1e-6 && checked.compared >= 5,
        "{checked:?}"
    );
    assert_eq!(conversion.report.triangles, 3);
    assert_eq!(conversion.report.textures[0].name, "skin");
    let names: Vec<&str> = conversion.report.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["root", "cube", "roof"]);
    let tree = conversion.model.models().next().unwrap();
    let mut diffuse = tree
        .plists
        .iter()
        .flat_map(|list| &list.chunks)
        .filter_map(|c| match c {
            ninja::PolyChunk::Material(material) => material.diffuse,
            _ => None,
        });
    assert!(diffuse.any(|d| d.0 == 0x8000_00ff || d.0 == 0x7f00_00ff));
    let without = convert_bytes(OBJ.as_bytes(), &obj())?;
    assert!(
        warnings(&without).contains("\"paint.mtl\" was not found"),
        "{}",
        warnings(&without)
    );
    Ok(())
}

#[test]
fn a_broken_obj_file_is_an_error_with_its_line() {
    let broken = OBJ.replace("v 0 1 0\n", "v 0 1 x\n");
    let error = error_of(broken.as_bytes(), &obj());
    assert!(error.contains("line 6"), "{error}");
}

#[test]
fn damaged_obj_files_do_no_harm() {
    let mut state = 5_u64;
    let mut random = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for _ in 0..2_000 {
        let mut bytes = OBJ.as_bytes().to_vec();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            bytes[at] = match random(3) {
                0 => random(256) as u8,
                _ => b"0123456789/-. fv\n"[random(17)],
            };
        }
        if let Ok(mut conversion) = convert_bytes(&bytes, &obj()) {
            conversion.model.write().unwrap();
            conversion.check(&mut Plain::default()).unwrap();
        }
    }
}

#[test]
fn material_libraries_meet_the_memory_limit() {
    let options = Options {
        memory_limit: 1 << 20,
        ..obj()
    };
    let scene = OBJ.replace("mtllib paint.mtl\n", &"mtllib paint.mtl\n".repeat(200));
    let made = convert::convert(scene.as_bytes(), &options, &mut |_| Some(vec![b'#'; 10_000]));
    let error = made.err().map(|e| e.to_string()).unwrap_or_default();
    assert!(
        error.contains("material libraries take more than the memory limit"),
        "{error}"
    );
}

#[test]
fn numbers_of_absent_attributes_are_left_out() -> Result<(), Error> {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1/1/1 2/2/7 \\\n3/3/-2\nf 3//1 2//1 1//1\n";
    let conversion = convert_bytes(text.as_bytes(), &obj())?;
    assert_eq!(conversion.report.triangles, 2);
    let said = warnings(&conversion);
    assert!(
        said.contains("5 numbers of texture coordinates and normals in faces left out"),
        "{said}"
    );
    assert!(
        said.contains("2 corners of its faces without a normal: computed from the faces"),
        "{said}"
    );
    Ok(())
}

/// A face without a normal at its second corner, next to a face with all normals.
#[test]
fn missing_normals_are_computed_and_given_ones_are_kept() -> Result<(), Error> {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 1 0 0\nvn 0 1 0\n\
                f 1//1 2 3//2\nf 1//2 3//2 4//2\n";
    let conversion = convert_bytes(text.as_bytes(), &obj())?;
    let tree = conversion.model.models().next().unwrap();
    let chunks = tree.vlists.iter().flat_map(|list| &list.chunks);
    let vertices = chunks.flat_map(|chunk| {
        let vertex = |i: usize| (chunk.position(i), chunk.normal(i).unwrap());
        (0..usize::from(chunk.count)).map(vertex).collect::<Vec<_>>()
    });
    let vertices: Vec<_> = vertices.collect();
    let at = |place: [f32; 3]| {
        let of_place = vertices.iter().filter(|(position, _)| *position == place);
        let mut normals: Vec<[f32; 3]> = of_place.map(|(_, normal)| *normal).collect();
        normals.sort_by(|a, b| a.partial_cmp(b).unwrap());
        normals
    };
    assert_eq!(at([0.0; 3]), [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]);
    assert_eq!(at([1.0, 0.0, 0.0]), [[0.0, 0.0, 1.0]]);
    assert_eq!(at([0.0, 1.0, 0.0]), [[0.0, 1.0, 0.0]]);
    Ok(())
}
