//! Runs the command, for all test binaries.

#![allow(dead_code, reason = "not every binary uses everything")]
#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use dreamcast::{Config, Dreamcast};
use ninja::{Chunk, Element, File, Key, Keys, Motion, MotionKind, MotionType};
use sh4_recompiler::{Options, Recompiler};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the command, without a display and without a setting for colours.
pub(crate) fn swirl(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_swirl"))
        .args(args)
        .env_remove("DISPLAY")
        .env_remove("NO_COLOR")
        .output()
        .unwrap()
}

/// Returns a console that compiles hot code if the host is supported.
pub(crate) fn compiled_console() -> Dreamcast {
    let mut console = Dreamcast::new(Config::default());
    if let Ok(recompiler) = Recompiler::new(Options::console()) {
        console.accelerate(Box::new(recompiler));
    }
    console
}

/// Returns the text of an output.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Copies a folder, without its folder `build`.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.path() {
            folder if folder.is_dir() && entry.file_name() != "build" => copy_folder(&folder, &target),
            file if file.is_file() => drop(std::fs::copy(file, target).unwrap()),
            _ => {}
        }
    }
}

/// Runs make in a project with this command. Returns exit status and all output.
pub(crate) fn make(project: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output = Command::new("make")
        .current_dir(project)
        .args(words)
        .arg(format!("SWIRL={}", env!("CARGO_BIN_EXE_swirl")))
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), text(&said))
}

/// Creates a folder with the demo's assets.
pub(crate) fn assets(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let picture = folder.join("demo.png");
    let output = swirl(&[
        "demo",
        "--cases=5",
        "--output",
        picture.to_str().unwrap(),
        "--assets",
        folder.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("transform_points"));
    assert!(picture.metadata().unwrap().len() > 10_000);
    folder
}

/// Writes a camera motion of two frames that always looks at the origin.
pub(crate) fn camera_motion(path: &Path) {
    let moves = MotionType(0) | Element::Pos | Element::Target;
    let mut motion = Motion::new(MotionKind::Camera, moves, 2);
    let key = |frame, value| Key { frame, value };
    let places = vec![key(0, [0.0, 10.0, 60.0]), key(1, [60.0, 10.0, 0.0])];
    let places = motion.push_track(Keys::F(places));
    let target = motion.push_track(Keys::F(vec![key(0, [0.0; 3])]));
    motion.push_node(&[Some(places), Some(target)]);
    let bytes = File::new(vec![Chunk::Motion(motion)]).write().unwrap();
    std::fs::write(path, bytes).unwrap();
}
