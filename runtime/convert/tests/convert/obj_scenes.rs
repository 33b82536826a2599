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
