//! Options of scenes that `convert`, `render` and `view` share, and files that they accept.

use super::*;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Draws a file of a folder. Returns the pixel in the middle, and the messages.
fn drawn(folder: &Path, file: &str, more: &[&str]) -> ([u8; 3], String) {
    let (input, picture) = (folder.join(file), folder.join("drawn.png"));
    let args = [
        &[
            "render",
            input.to_str().unwrap(),
            "-o",
            picture.to_str().unwrap(),
            "--size",
            "64x48",
        ][..],
        &["--yaw", "0", "--pitch", "0", "--light", "180,0"],
        more,
    ];
    let output = swirl(&args.concat());
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{file} {more:?}: {told}");
    let image = convert::read_picture(&std::fs::read(picture).unwrap(), "x.png").unwrap();
    let [_, r, g, b] = image.texels[24 * 64 + 32].to_be_bytes();
    ([r, g, b], told)
}

/// Writes a quad that faces the viewer, with a red material and additional `lines`.
fn quad(folder: &Path, lines: &str) {
    let object = "mtllib q.mtl\nv -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
                  vn 0 0 1\nusemtl m\nf 1/1/1 2/2/1 3/3/1 4/4/1\n";
    std::fs::write(folder.join("q.obj"), object).unwrap();
    std::fs::write(folder.join("q.mtl"), format!("newmtl m\nKd 1 0 0\n{lines}\n")).unwrap();
}

/// The light shines on the back of the quad, so that only ambient light is visible.
#[test]
fn ambient_colours_are_chosen_by_one_option() {
    let folder = folder("shared-ambient");
    quad(&folder, "Ka 0 0 0");
    let lit = |[r, g, b]: [u8; 3]| [r > 40, g > 40, b > 40];
    let (auto, told) = drawn(&folder, "q.obj", &[]);
    assert_eq!(lit(auto), [true, false, false], "{auto:?}");
    assert!(
        told.contains("notice: the file's ambient colours of 1 material are replaced"),
        "{told}"
    );
    let (file, told) = drawn(&folder, "q.obj", &["--ambient", "file"]);
    assert_eq!(lit(file), [false; 3], "{file:?}");
    assert!(!told.contains("ambient"), "{told}");
    assert_eq!(drawn(&folder, "q.obj", &["--ambient", "diffuse"]).0, auto);
    let (blue, _) = drawn(&folder, "q.obj", &["--ambient", "0000FF"]);
    assert_eq!(lit(blue), [false, false, true], "{blue:?}");
    let (bright, _) = drawn(&folder, "q.obj", &["--ambient-light", "FFFFFF"]);
    assert_eq!(bright, [255, 0, 0]);
    // The same option must make the same model.
    let (source, out) = (folder.join("q.obj"), folder.join("nj"));
    let output = swirl(&[
        "convert",
        source.to_str().unwrap(),
        out.to_str().unwrap(),
        "--ambient",
        "0000FF",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(drawn(&folder, "nj/q.nj", &[]).0, blue);
    // On a Ninja model a colour applies to the light, and other values have no effect.
    assert_eq!(drawn(&folder, "nj/q.nj", &["--ambient", "00FF00"]).0, [0, 0, 0]);
    let (_, told) = drawn(&folder, "nj/q.nj", &["--ambient", "file"]);
    assert!(told.contains("warning: --ambient has no effect"), "{told}");
}

/// Writes a picture of one colour.
fn picture(path: &Path, side: u32, rgb: [u8; 3]) {
    let file = std::fs::File::create(path).unwrap();
    let mut encoder = png::Encoder::new(file, side, side);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer
        .write_image_data(&rgb.repeat((side * side) as usize))
        .unwrap();
}

#[test]
fn textures_of_drawn_scenes_are_scaled_down_and_replaced() {
    let folder = folder("shared-textures");
    quad(&folder, "Ka 1 1 1\nmap_Kd skin.png");
    std::fs::create_dir(folder.join("skins")).unwrap();
    picture(&folder.join("skins/skin.png"), 256, [0, 255, 0]);
    let (missing, told) = drawn(&folder, "q.obj", &[]);
    assert!(
        told.contains("was not found") && told.contains("searched folders:"),
        "{told}"
    );
    let skins = folder.join("skins");
    let skins = skins.to_str().unwrap();
    let (found, told) = drawn(&folder, "q.obj", &["--textures", skins]);
    assert!(found != missing && !told.contains("was not found"), "{told}");
    for limit in [["--max-texture", "64"], ["--vram", "20000"]] {
        let (small, told) = drawn(&folder, "q.obj", &[&["--textures", skins][..], &limit].concat());
        assert_eq!(small, found);
        assert!(
            told.contains("resized to 64x64") || told.contains("scaled down"),
            "{told}"
        );
    }
    // A texture of the chip must replace the scene's.
    picture(&folder.join("skin.png"), 64, [0, 0, 255]);
    let (png, pvr) = (folder.join("skin.png"), folder.join("skins/skin.pvr"));
    let made = swirl(&["convert", png.to_str().unwrap(), pvr.to_str().unwrap()]);
    assert_eq!(made.status.code(), Some(0));
    std::fs::remove_file(png).unwrap();
    let (replaced, _) = drawn(&folder, "q.obj", &["--textures", pvr.to_str().unwrap()]);
    assert!(replaced != found, "{replaced:?}");
}

/// Draws a file of a folder at 640x480. Returns the messages.
fn drawn_whole(folder: &Path, file: &str, more: &[&str]) -> String {
    let (input, picture) = (folder.join(file), folder.join("whole.png"));
    let (input, picture) = (input.to_str().unwrap(), picture.to_str().unwrap());
    let output = swirl(&[&["render", input, "-o", picture][..], more].concat());
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{file} {more:?}: {told}");
    told
}

/// Writes separate triangles with a texture, `count` of them in rows of 200.
fn triangles(folder: &Path, count: usize, library: &str) {
    let mut text = "mtllib t.mtl\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\nusemtl m\n".to_owned();
    for n in 0..count {
        let (x, y) = (n % 200 * 4, n / 200 * 4);
        for [dx, dy] in [[0, 0], [3, 0], [0, 3]] {
            text.push_str(&format!("v {} {} 0\n", x + dx, y + dy));
        }
        text.push_str("f -3/1/1 -2/2/1 -1/3/1\n");
    }
    std::fs::write(folder.join("t.obj"), text).unwrap();
    std::fs::write(folder.join("t.mtl"), format!("newmtl m\nKd 1 1 1\n{library}")).unwrap();
}

/// Textures get the memory that polygons leave, in `convert` as in `render`. 40,000 strips of one triangle
/// take 3.4 MB in each bank, so 1024x1024 texels of 16 bits do not fit.
#[test]
fn polygons_and_textures_share_the_memory() {
    let folder = folder("shared-memory");
    triangles(&folder, 40_000, "map_Kd t.png\n");
    picture(&folder.join("t.png"), 1024, [0, 255, 0]);
    let (source, out) = (folder.join("t.obj"), folder.join("nj"));
    let (source, out) = (source.to_str().unwrap(), out.to_str().unwrap());
    let converted = swirl(&["convert", source, out, "--json"]);
    let told = text(&converted.stderr);
    assert_eq!(converted.status.code(), Some(0), "{told}");
    let scaled = |told: &str| {
        let mut lines = told.lines();
        lines
            .find_map(|line| line.split_once("notice: textures are scaled down to fit"))
            .map(|(_, text)| text.to_owned())
    };
    let json: serde_json::Value = serde_json::from_slice(&converted.stdout).unwrap();
    assert_eq!(json["report"]["texture_bytes"], 512 * 512 * 2, "{told}");
    let drawn_told = drawn_whole(&folder, "t.obj", &[]);
    assert!(
        scaled(&told).is_some() && scaled(&told) == scaled(&drawn_told),
        "{told}{drawn_told}"
    );
    // Less is possible, and more is the user's decision, which only `render` limits.
    let few = swirl(&["convert", source, out, "--json", "--vram", "200000"]);
    let json: serde_json::Value = serde_json::from_slice(&few.stdout).unwrap();
    assert_eq!(json["report"]["texture_bytes"], 256 * 256 * 2);
    let many = swirl(&["convert", source, out, "--json", "--vram", "20000000"]);
    let json: serde_json::Value = serde_json::from_slice(&many.stdout).unwrap();
    assert_eq!(json["report"]["texture_bytes"], 1024 * 1024 * 2);
    drawn_whole(&folder, "t.obj", &["--vram", "20000000"]);
}

/// 120,000 strips take 10 MB, and a frame has 4 MiB for polygons.
#[test]
fn a_frame_with_too_many_polygons_is_drawn_in_parts() {
    let folder = folder("shared-parts");
    triangles(&folder, 120_000, "");
    let told = drawn_whole(&folder, "t.obj", &[]);
    assert!(
        told.contains("parameters overflow") && told.contains("it is drawn in "),
        "{told}"
    );
    let source = folder.join("t.obj");
    let converted = swirl(&["convert", source.to_str().unwrap(), "parts", "--dry-run"]);
    assert_eq!(converted.status.code(), Some(0));
}

/// A scene with only a camera must become a motion in `convert`, and the background in `render`. KallistiOS
/// textures and palettes must be drawn like their conversions.
#[test]
fn what_converts_is_drawn() {
    let folder = folder("shared-kinds");
    let camera = serde_json::json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "eye", "camera": 0, "translation": [0, 0, 5] }],
        "cameras": [{ "type": "perspective", "perspective": { "yfov": 0.8, "znear": 0.1 } }],
    });
    std::fs::write(folder.join("eye.gltf"), camera.to_string()).unwrap();
    let (background, told) = drawn(&folder, "eye.gltf", &["--background", "102030"]);
    assert_eq!(background, [0x10, 0x20, 0x30]);
    assert!(told.contains("only cameras and lights"), "{told}");
    picture(&folder.join("green.png"), 64, [0, 255, 0]);
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let done = |args: &[&str]| {
        let output = swirl(args);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            text(&output.stderr)
        );
    };
    done(&["convert", &path("green.png"), &path("green.dt")]);
    assert_eq!(drawn(&folder, "green.dt", &[]).0, [0, 255, 0]);
    done(&[
        "convert",
        &path("green.png"),
        &path("green.pvp"),
        "--format",
        "pal4",
    ]);
    drawn(&folder, "green.pvp", &[]);
    // Also into a folder; without a palette as grey levels.
    done(&["convert", &path("green.pvp"), &path("pictures/")]);
    assert!(folder.join("pictures/green.png").is_file());
    done(&[
        "convert",
        &path("green.png"),
        &path("indexed.pvr"),
        "--format",
        "pal4",
    ]);
    std::fs::remove_file(folder.join("indexed.pvp")).unwrap();
    let grey = swirl(&["convert", &path("indexed.pvr"), &path("grey.png")]);
    assert_eq!(grey.status.code(), Some(0));
    assert!(
        text(&grey.stderr).contains("grey levels"),
        "{}",
        text(&grey.stderr)
    );
    drawn(&folder, "indexed.pvr", &[]);
}

/// A glTF scene with another name, and one that requires extensions that affect only the appearance of
/// surfaces.
#[test]
fn scenes_are_known_by_content_and_lose_the_finish_of_surfaces() {
    let folder = folder("shared-names");
    let walk = scene("onto/walk.glb");
    for name in ["avatar.vrm", "avatar.data"] {
        let file = folder.join(name);
        std::fs::copy(&walk, &file).unwrap();
        let out = folder.join("out");
        let done = swirl(&["convert", file.to_str().unwrap(), out.to_str().unwrap()]);
        assert_eq!(done.status.code(), Some(0), "{name}: {}", text(&done.stderr));
        drawn(&folder, name, &[]);
    }
    let required = |extension: &str| {
        let json = serde_json::json!({
            "asset": { "version": "2.0" },
            "extensionsUsed": [extension],
            "extensionsRequired": [extension],
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "name": "empty" }],
        });
        let file = folder.join("finish.gltf");
        std::fs::write(&file, json.to_string()).unwrap();
        let output = swirl(&[
            "convert",
            file.to_str().unwrap(),
            folder.join("out").to_str().unwrap(),
        ]);
        (output.status.code(), text(&output.stderr))
    };
    let (code, told) = required("KHR_materials_transmission");
    assert!(
        code == Some(0) && told.contains("not read: KHR_materials_transmission"),
        "{told}"
    );
    let (code, told) = required("KHR_draco_mesh_compression");
    assert!(
        code == Some(2) && told.contains("KHR_draco_mesh_compression"),
        "{told}"
    );
    // A damaged material library must remove the materials, but not the model.
    quad(&folder, "Ka 1 1 1");
    std::fs::write(folder.join("q.mtl"), "newmtl \nNs 0\nKd 1 0 0\n").unwrap();
    let (_, told) = drawn(&folder, "q.obj", &[]);
    assert!(told.contains("material libraries (.mtl) are damaged"), "{told}");
}

/// Real models and textures: `render` and `convert` must have the same exit status.
#[test]
fn convert_and_render_accept_the_same_models_and_textures() {
    let folder = folder("shared-corpus");
    let (picture, text_file, pictures) = (
        folder.join("a.png"),
        folder.join("a.nja"),
        folder.join("pictures/"),
    );
    let models = corpus::files(&corpus::folder("ninja"), &["nj", "pvm"]);
    let textures = corpus::files(&corpus::folder("textures"), &["pvr", "pvp"]);
    if models.is_empty() && textures.is_empty() {
        corpus::absent("ninja and textures");
        return;
    }
    let mut accepted = 0;
    let files: Vec<&PathBuf> = models.iter().chain(&textures).collect();
    for file in &files {
        let name = file.to_str().unwrap();
        let is_model = file
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("nj"));
        let output = if is_model { &text_file } else { &pictures };
        let output = output.to_str().unwrap();
        accepted += usize::from(accepted_by_both(name, &[output], picture.to_str().unwrap()));
    }
    println!("{accepted} of {} files accepted by both", files.len());
    assert!(accepted > 0);
}
