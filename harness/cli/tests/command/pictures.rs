//! Pictures and scenes of other programs as inputs.

use crate::common::{assets, swirl, text};

/// An uncompressed TGA of 24 bits a pixel, blue.
fn tga(width: u8, height: u8) -> Vec<u8> {
    let mut bytes = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, width, 0, height, 0, 24, 0];
    bytes.extend([255, 0, 0].repeat(usize::from(width) * usize::from(height)));
    bytes
}

#[test]
fn pictures_of_any_format_and_size_become_textures() {
    let folder = assets("pictures-in");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    std::fs::write(path("blue.tga"), tga(100, 50)).unwrap();
    std::fs::write(path("fits.TGA"), tga(16, 8)).unwrap();
    let info = |name: &str| text(&swirl(&["info", &path(name)]).stdout);

    let fits = swirl(&["convert", &path("fits.TGA"), &path("fits.pvr")]);
    assert_eq!(fits.status.code(), Some(0), "{}", text(&fits.stderr));
    assert!(info("fits.pvr").contains("16x8, Rgb565"), "{}", info("fits.pvr"));
    let picture = swirl(&["convert", &path("blue.tga"), &path("blue.png")]);
    assert!(
        text(&picture.stdout).contains("100x50"),
        "{}",
        text(&picture.stderr)
    );

    let refused = swirl(&["convert", &path("blue.tga"), &path("blue.pvr")]);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        said.contains("100x50") && said.contains("--resize") && said.contains("128x64"),
        "{said}"
    );
    assert!(!folder.join("blue.pvr").exists());
    for resize in ["nearest", "filtered", "pad"] {
        let made = swirl(&[
            "convert",
            &path("blue.tga"),
            &path("blue.pvr"),
            "--resize",
            resize,
        ]);
        assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
        assert!(
            info("blue.pvr").contains("128x64, Rgb565"),
            "{}",
            info("blue.pvr")
        );
    }
    std::fs::write(path("wide.tga"), tga(96, 50)).unwrap();
    let kept = swirl(&[
        "convert",
        &path("wide.tga"),
        &path("wide.pvr"),
        "--layout",
        "rect",
    ]);
    assert_eq!(kept.status.code(), Some(0), "{}", text(&kept.stderr));
    assert!(info("wide.pvr").contains("96x50"), "{}", info("wide.pvr"));
    let drawn = swirl(&["render", &path("blue.tga"), "-o", &path("drawn.png")]);
    assert_eq!(drawn.status.code(), Some(0), "{}", text(&drawn.stderr));
    let archive = [path("fits.pvr"), path("all.pvm"), path("made")];
    assert_eq!(
        swirl(&["convert", &archive[0], &archive[1]]).status.code(),
        Some(0)
    );
    let unpacked = swirl(&["convert", &archive[1], &archive[2]]);
    assert_eq!(unpacked.status.code(), Some(0), "{}", text(&unpacked.stderr));
    assert!(folder.join("made/fits.png").exists());
    let written = swirl(&["convert", &path("blue.png"), &path("blue.bmp")]);
    assert!(
        text(&written.stderr).contains("only as .png"),
        "{}",
        text(&written.stderr)
    );
    std::fs::write(path("broken.jpg"), b"\xff\xd8\xff\xe0").unwrap();
    let broken = swirl(&["convert", &path("broken.jpg"), &path("x.pvr")]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(
        text(&broken.stderr).contains("broken.jpg: "),
        "{}",
        text(&broken.stderr)
    );
    for name in ["layers.png", "layers.psd"] {
        std::fs::write(path(name), b"8BPS\0\x01").unwrap();
        let layers = swirl(&["convert", &path(name), &path("x.pvr")]);
        assert!(
            text(&layers.stderr).contains("Photoshop file, expected a PNG, BMP, JPEG, DDS or TGA file"),
            "{}",
            text(&layers.stderr)
        );
    }
}

#[test]
fn a_glb_file_comes_back_with_its_skin_motion_and_textures() {
    let folder = assets("glb-in");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let inputs = [path("shark.nj"), path("shark.njm"), path("swim.glb")];
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let exported = swirl(&[&["convert"], &inputs[..]].concat());
    assert_eq!(exported.status.code(), Some(0), "{}", text(&exported.stderr));
    let converted = swirl(&["convert", &path("swim.glb"), &path("out"), "--check"]);
    let (said, warned) = (text(&converted.stdout), text(&converted.stderr));
    assert_eq!(converted.status.code(), Some(0), "{said}{warned}");
    assert!(
        said.contains("check, at rest") && said.contains("swim.njm"),
        "{said}"
    );
    for name in ["swim.nj", "swim.njm"] {
        assert!(folder.join("out").join(name).exists(), "{name}: {said}");
    }
    let bytes = std::fs::read(path("swim.glb")).unwrap();
    std::fs::write(path("short.glb"), &bytes[..bytes.len() / 2]).unwrap();
    let broken = swirl(&["convert", &path("short.glb"), &path("out2")]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(
        text(&broken.stderr).contains("short.glb: not a readable glTF file"),
        "{}",
        text(&broken.stderr)
    );
}

#[test]
fn an_obj_file_becomes_a_model_with_its_materials() {
    let folder = assets("obj-in");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    std::fs::write(
        path("roof.obj"),
        "mtllib roof.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n",
    )
    .unwrap();
    std::fs::write(path("roof.mtl"), "newmtl red\nKd 1 0 0\nmap_Kd lost.png\n").unwrap();
    let made = swirl(&["convert", &path("roof.obj"), &path("out"), "--check"]);
    let warned = text(&made.stderr);
    assert_eq!(made.status.code(), Some(0), "{warned}");
    assert!(
        warned.contains("\"lost.png\" was not found: a checkerboard takes its place"),
        "{warned}"
    );
    assert!(folder.join("out/roof.pvm").exists());
    let drawn = swirl(&["render", &path("roof.obj"), "-o", &path("roof.png")]);
    assert_eq!(drawn.status.code(), Some(0), "{}", text(&drawn.stderr));
    assert!(
        text(&drawn.stdout).contains("1 triangle"),
        "{}",
        text(&drawn.stdout)
    );
    let glb = swirl(&["convert", &path("roof.obj"), &path("roof.glb")]);
    assert_eq!(glb.status.code(), Some(0), "{}", text(&glb.stderr));
}

#[test]
fn a_misspelt_kernel_is_suggested_and_an_unknown_one_gives_the_list() {
    for verb in ["verify", "profile"] {
        let refused = swirl(&[verb, "sincoss"]);
        assert_eq!(refused.status.code(), Some(2));
        assert_eq!(
            text(&refused.stderr),
            "swirl: no kernel sincoss; did you mean `sincos`?\n"
        );
    }
    let refused = swirl(&["verify", "nothing_like_it"]);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2));
    assert!(said.contains("no kernel nothing_like_it; there are "), "{said}");
    assert_eq!(said.matches("adpcm_decode").count(), 1, "{said}");
}

/// Other entries must keep their bytes, and a replaced texture its number, index and formats.
#[test]
fn textures_of_an_archive_are_replaced_added_and_removed() {
    let folder = assets("archive");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for name in ["a", "b", "c"] {
        std::fs::write(path(&format!("{name}.tga")), tga(16, 16)).unwrap();
    }
    let run = |args: &[&str]| {
        let output = swirl(args);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            text(&output.stderr)
        );
        text(&output.stdout)
    };
    let (a, b, c) = (path("a.tga"), path("b.tga"), path("c.tga"));
    let (old, new, last) = (path("old.pvm"), path("new.pvm"), path("last.pvm"));
    run(&[
        "convert",
        &a,
        &b,
        &old,
        "--layout",
        "vq",
        "--mipmaps",
        "--global-index",
        "40",
    ]);
    // Red instead of blue.
    let mut red = tga(16, 16);
    red[18..]
        .chunks_mut(3)
        .for_each(|pixel| pixel.copy_from_slice(&[0, 0, 255]));
    std::fs::write(path("red.tga"), red).unwrap();
    let change = format!("B={}", path("red.tga"));
    run(&[
        "convert",
        &old,
        &new,
        "--replace",
        &change,
        "--add",
        &c,
        "--format",
        "4444",
    ]);
    let archive = |path: &str| pvr::container::read_pvm(&std::fs::read(path).unwrap()).unwrap();
    let (before, after) = (archive(&old), archive(&new));
    let names = |entries: &[pvr::container::PvmEntry]| {
        let names = entries.iter().map(|entry| entry.name.clone().unwrap_or_default());
        names.collect::<Vec<String>>()
    };
    assert_eq!(names(&after), ["a", "b", "c"]);
    assert_eq!(after[0].texture.data, before[0].texture.data);
    let formats = |texture: &pvr::container::PvrTexture| {
        (texture.data_format, texture.pixel_format, texture.global_index)
    };
    assert_eq!(formats(&after[1].texture), formats(&before[1].texture));
    assert_eq!(
        (after[1].texture.global_index, after[2].texture.global_index),
        (Some(41), Some(42))
    );
    assert_eq!(
        after[2].texture.pixel_format,
        pvr::container::PvrPixelFormat::Argb4444
    );
    assert_eq!(after[1].texture.decode(None).unwrap().texels[0], 0xFFFF_0000);
    let list = run(&["convert", &new, "--list"]);
    assert!(list.contains("VqMipmaps") && list.contains("42"), "{list}");
    run(&["convert", &new, &last, "--remove", "a"]);
    assert_eq!(names(&archive(&last)), ["b", "c"]);
    for wrong in [
        vec!["--add".to_owned(), format!("A={c}")],
        vec!["--remove".to_owned(), "hat".to_owned()],
    ] {
        let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
        let refused = swirl(&[&["convert", &old, &path("x.pvm")][..], &wrong].concat());
        assert_eq!(refused.status.code(), Some(2), "{wrong:?}");
    }
    // A folder of pictures must preserve formats and indices.
    let pictures = path("pictures");
    run(&["convert", &new, &pictures]);
    let again = path("again.pvm");
    run(&["convert", &pictures, &again]);
    let again = archive(&again);
    assert_eq!(names(&again), names(&after));
    for (again, after) in again.iter().zip(&after) {
        assert_eq!(formats(&again.texture), formats(&after.texture));
        assert_eq!(again.texture.data.len(), after.texture.data.len());
    }
    // Two files with the same name.
    std::fs::create_dir_all(path("other")).unwrap();
    std::fs::write(path("other/A.tga"), tga(16, 16)).unwrap();
    let twice = swirl(&["convert", &a, &path("other/A.tga"), &path("twice.pvm")]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(
        text(&twice.stderr).contains("have the name"),
        "{}",
        text(&twice.stderr)
    );
}
