//! FBX files on the command line: converted, inspected, compared with their sources.

use super::*;

#[test]
fn an_fbx_file_becomes_a_model_with_motion_shapes_and_textures() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fbx");
    let source = scene("skin_shapes_anim.fbx");
    let (source, out) = (source.to_str().unwrap(), folder.to_str().unwrap());
    let output = swirl(&["convert", source, out, "--check", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("bone3_end"));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["written"].as_array().unwrap().len(), 4);
    assert_eq!(json["report"]["triangles"], 140);
    let check = &json["report"]["check"];
    assert!(check["rest"]["relative"].as_f64().unwrap() < 1.0 / 2000.0);
    assert!(check["motions"][0][1]["relative"].as_f64().unwrap() < 1.0 / 2000.0);
    assert!(check["compared"].as_u64().unwrap() > 1000);

    let model = folder.join("skin_shapes_anim.nj");
    let info = swirl(&["info", model.to_str().unwrap(), "--json"]);
    assert_eq!(info.status.code(), Some(0), "{}", text(&info.stderr));
    let json: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    assert_eq!(
        (&json["triangles"], &json["indices_unresolved"]),
        (&140.into(), &0.into())
    );
    let picture = folder.join("tube.png");
    let args = [
        "render",
        model.to_str().unwrap(),
        "-o",
        picture.to_str().unwrap(),
        "--kernels",
        "checked",
    ];
    let render = swirl(&args);
    assert_eq!(render.status.code(), Some(0), "{}", text(&render.stderr));

    let film = folder.join("film.gif");
    let still = swirl(&["render", source, "-o", film.to_str().unwrap(), "--size", "32x24"]);
    assert!(
        text(&still.stderr).contains("--motion :0 plays the first"),
        "{}",
        text(&still.stderr)
    );

    let unknown = swirl(&["convert", source, out, "--stack", "walk", "--dry-run"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        text(&unknown.stderr).contains("Arm|bend"),
        "{}",
        text(&unknown.stderr)
    );
}

#[test]
fn the_records_of_an_fbx_file_are_told() {
    let source = scene("skin_anim.fbx");
    let source = source.to_str().unwrap();
    let plain = swirl(&["info", source]);
    assert_eq!(plain.status.code(), Some(0), "{}", text(&plain.stderr));
    assert!(text(&plain.stdout).contains("Connections"));
    let json: serde_json::Value = serde_json::from_slice(&swirl(&["info", source, "--json"]).stdout).unwrap();
    assert_eq!(json["version"], 7400);
    assert_eq!(json["records"][0]["name"], "FBXHeaderExtension");
}

/// Plays the real scenes in the runtime and compares them with their sources.
#[test]
fn real_scenes_are_played_by_the_runtime_as_their_sources_have_them() {
    let folder = corpus::folder("fbx");
    if !folder.is_dir() {
        corpus::absent("fbx");
        return;
    }
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real-scenes");
    let (input, out) = (folder.to_str().unwrap(), out.to_str().unwrap());
    // One OBJ file of the collection has only points.
    let may_refuse = [
        "--may-refuse",
        "_fail_",
        "--may-refuse",
        "fuzz",
        "--may-refuse",
        "max_geometry_transform_types.obj",
    ];
    let args = ["convert", input, out, "--stack", "all", "--check", "--json"];
    let output = swirl(&[&args[..], &may_refuse].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    println!("{}", json["totals"]);
    assert!(json["totals"]["compared"].as_u64().unwrap() > 0);
}

#[test]
fn a_folder_of_scenes_gives_totals() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scenes");
    std::fs::create_dir_all(folder.join("in/below")).unwrap();
    std::fs::copy(scene("skin_anim.fbx"), folder.join("in/below/a.fbx")).unwrap();
    std::fs::copy(scene("shapes_anim.fbx"), folder.join("in/b.fbx")).unwrap();
    std::fs::write(folder.join("in/bad_fail.fbx"), b"nothing").unwrap();
    let (input, out) = (folder.join("in"), folder.join("out"));
    let args = [
        "convert",
        input.to_str().unwrap(),
        out.to_str().unwrap(),
        "--check",
        "--json",
    ];
    let strict = swirl(&args);
    assert_eq!(strict.status.code(), Some(1));
    let output = swirl(&[&args[..], &["--may-refuse", "_fail"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let totals = &json["totals"];
    assert_eq!(
        [
            &totals["files"],
            &totals["converted"],
            &totals["refused_as_expected"]
        ],
        [3, 2, 1]
    );
    assert!(totals["largest"].as_f64().unwrap() < 1.0 / 2000.0);
    assert!(json["files"][1]["refused"].as_str().unwrap().contains("bad_fail"));
    assert!(out.join("below/a/a.njm").is_file() && out.join("b/b.njs").is_file());
}

/// One scene from Blender in three formats: each picture must differ from the expected one by at most 8 of
/// 255.
#[test]
fn one_scene_in_three_formats_gives_one_picture() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats");
    std::fs::create_dir_all(&folder).unwrap();
    let expected = pixels(&scene("formats/scene.png"));
    for format in ["fbx", "glb", "obj"] {
        let source = scene(&format!("formats/scene.{format}"));
        let picture = folder.join(format!("{format}.png"));
        let args = [
            "render",
            source.to_str().unwrap(),
            "-o",
            picture.to_str().unwrap(),
        ];
        let output = swirl(&[&args[..], &["--size", "320x240"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let found = pixels(&picture);
        assert_eq!(found.len(), expected.len());
        let far = found.iter().zip(&expected).filter(|(a, b)| a.abs_diff(**b) > 8);
        assert_eq!(far.count(), 0, "{format}");
    }
}

/// The bytes of a picture.
fn pixels(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    let image = convert::read_picture(&bytes, "x.png").unwrap();
    image
        .texels
        .iter()
        .flat_map(|texel| texel.to_be_bytes())
        .collect()
}

/// `render` must accept and reject the same scenes as `convert`: scenes of this repository, and real ones.
#[test]
fn convert_and_render_accept_the_same_scenes() {
    let kinds = ["fbx", "obj", "gltf", "glb"];
    let own = corpus::files(&scene(""), &kinds);
    let real = corpus::files(&corpus::folder("fbx"), &kinds);
    let cases = corpus::files(&corpus::folder("").join("../cases/artist"), &kinds);
    if real.is_empty() {
        corpus::absent("fbx");
    }
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("accepted.png");
    let picture = picture.to_str().unwrap();
    for (what, files) in [("of this repository", own), ("real", real), ("of artists", cases)] {
        let mut accepted = 0;
        for file in &files {
            let name = file.to_str().unwrap();
            accepted += usize::from(accepted_by_both(name, &["accepted", "--dry-run"], picture));
        }
        println!("scenes {what}: {accepted} of {} accepted by both", files.len());
        assert!(accepted > 0 || files.is_empty());
    }
}
