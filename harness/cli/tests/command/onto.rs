//! Motions of one file for the model of another, on the command line.

use super::*;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the command in a folder.
fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_swirl"));
    let output = command
        .args(args)
        .current_dir(folder)
        .env_remove("DISPLAY")
        .output()
        .unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A folder with a character and a walk without a mesh.
fn character(name: &str) -> PathBuf {
    let folder = folder(name);
    for file in ["hero.fbx", "walk.glb"] {
        std::fs::copy(scene("onto").join(file), folder.join(file)).unwrap();
    }
    folder
}

#[test]
fn an_animation_without_a_mesh_moves_a_model() {
    let folder = character("onto");
    let done = |args: &[&str]| {
        let (code, out, told) = run(&folder, args);
        assert_eq!(code, Some(0), "{args:?}: {told}");
        (out, told)
    };
    let (out, _) = done(&["convert", "walk.glb", "--onto", "hero.fbx"]);
    assert!(
        out.contains("10 of 12 nodes move") && out.contains("40 frames"),
        "{out}"
    );
    let by_name = std::fs::read(folder.join("walk.njm")).unwrap();
    done(&["convert", "hero.fbx", "nj", "--stack", "none"]);
    let (_, told) = done(&["convert", "walk.glb", "--onto", "nj/hero.nj"]);
    assert!(told.contains("notice: the model has no node names"), "{told}");
    done(&["convert", "walk.glb", "nj/other.njm", "--onto", "hero.fbx"]);
    assert!(std::fs::read(folder.join("nj/other.njm")).unwrap() == by_name);
    // The model's picture must equal the scene's, for motions from either file.
    let picture = |model: &str, motion: &str| {
        let view = [
            "--frame", "10", "--size", "160x120", "--yaw", "30", "--pitch", "15",
        ];
        done(&[&["render", model, "-o", "a.png", "--motion", motion][..], &view].concat());
        std::fs::read(folder.join("a.png")).unwrap()
    };
    let first = picture("nj/hero.nj", "nj/walk.njm");
    assert!(picture("hero.fbx", "walk.njm") == first);
    assert!(picture("hero.fbx", "walk.glb") == first);
    assert!(picture("nj/hero.nj", "walk.glb") == first);
    assert!(picture("hero.fbx", "walk.njm:0") != picture("hero.fbx", ":0"));
    let (out, _) = done(&[
        "convert",
        "walk.glb",
        "dry",
        "--onto",
        "hero.fbx",
        "--json",
        "--dry-run",
    ]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["nodes"][2]["scene"], "mixamorig:Hips");
    assert_eq!(json["missing"], serde_json::json!([]));
    assert!(!folder.join("dry").exists());
}

#[test]
fn what_does_not_fit_a_model_is_named() {
    let folder = character("onto-wrong");
    std::fs::copy(scene("skin_anim.fbx"), folder.join("tube.fbx")).unwrap();
    std::fs::copy(scene("node_anim.fbx"), folder.join("nodes.fbx")).unwrap();
    let refused = |args: &[&str], parts: &[&str]| {
        let (code, _, told) = run(&folder, args);
        assert_eq!(code, Some(2), "{args:?}: {told}");
        for part in parts {
            assert!(told.contains(part), "{args:?}: {part} not in {told}");
        }
    };
    refused(
        &["convert", "walk.glb", "out", "--onto", "tube.fbx"],
        &["mixamorig:Hips", "bone1", "walk.glb onto tube.fbx"],
    );
    refused(
        &["render", "tube.fbx", "-o", "a.png", "--motion", "walk.glb"],
        &["mixamorig:Hips", "bone1"],
    );
    // Nodes without an entry in a shorter motion must be named.
    assert_eq!(
        run(
            &folder,
            &["convert", "walk.glb", "short.njm", "--onto", "walk.glb"]
        )
        .0,
        Some(0)
    );
    refused(
        &["render", "hero.fbx", "-o", "a.png", "--motion", "short.njm"],
        &["does not fit hero.fbx", "mixamorig:RightLeg", "Body"],
    );
    refused(
        &["convert", "walk.glb", "out", "--onto", "walk.glb", "--check"],
        &["--check"],
    );
    refused(
        &[
            "convert",
            "nodes.fbx",
            "out.njm",
            "--onto",
            "nodes.fbx",
            "--stack",
            "all",
        ],
        &["motions", "--stack"],
    );
    refused(
        &["convert", "walk.glb", "out.png", "--onto", "hero.fbx"],
        &["out.png", ".njm"],
    );
    refused(
        &["convert", "walk.glb", "b", "c", "--onto", "hero.fbx"],
        &["3 paths"],
    );
    std::fs::write(folder.join("a.png"), b"\x89PNG").unwrap();
    refused(&["convert", "walk.glb", "out", "--onto", "a.png"], &["a.png"]);
}
