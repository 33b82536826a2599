//! Chunks of nodes and textures, and settings that keys change.

use super::*;

/// The chosen node and the chosen texture show their chunks. Settings of scenes and texels
/// change the picture.
#[test]
fn chunks_are_shown_and_settings_changed() {
    if !can_open() {
        return;
    }
    let folder = assets("window-of-chunks");
    let (_server, display) = server();
    let mut window = Window::open(&display, &folder, "shark.nj", &["--motion", "shark.njm"]);
    window.press("space");
    window.press("Home");
    let first = window.picture();
    for list in ["Tab", "x"] {
        window.press(list);
        let shown = window.picture();
        assert!(shown != first, "{list} shows nothing");
        window.press("Next");
        assert!(
            window.picture() != shown,
            "{list}: the next one has the same chunk"
        );
        window.press("r");
        window.press("space");
        window.press("Home");
        assert!(window.picture() == first, "{list} cannot be taken back");
    }
    window.press("f");
    let texels = window.settled();
    assert!(
        pixels(&texels) != pixels(&first),
        "the texel offset changes nothing"
    );
    assert_eq!(window.close(), Some(0));

    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/convert/tests/data/skin_anim.fbx");
    let hero = folder.join("hero.fbx");
    std::fs::copy(&scene, &hero).unwrap();
    let mut window = Window::open(&display, &folder, "hero.fbx", &["--motion", ":0"]);
    window.press("space");
    window.press("Home");
    let auto = window.settled();
    window.press("a");
    let by_file = window.settled();
    assert!(
        pixels(&by_file) != pixels(&auto),
        "the ambient colours of the file are the same"
    );
    // Without its motion, the scene is shown at rest.
    std::fs::copy(scene.with_file_name("static_uv_vcol_2mat.fbx"), &hero).unwrap();
    assert!(window.changes(&by_file), "the scene is not loaded again");
    let rest = window.settled();
    window.press("End");
    assert!(window.picture() == rest, "the old motion still plays");
    assert_eq!(window.close(), Some(0));
    println!("2 windows");
}
