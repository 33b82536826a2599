//! What the whole-system tests share: where real files are, and a plain way to look at a model.

use ninja::{Bams, File};
use pvr::TextureWord;
use scene::{BoundTexture, Camera, Lights, Settings, Textures, View, Viewport};
use std::path::{Path, PathBuf};

/// The folder of real files beside the checkout, or what `SWIRL_NINJA` names.
pub fn corpus() -> PathBuf {
    std::env::var_os("SWIRL_NINJA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/ninja"),
        PathBuf::from,
    )
}

/// Prints that a test ran no files of `what`.
///
/// # Panics
/// Under `CI`, where a missing corpus must not look like a passed test, unless `SWIRL_CORPUS=absent` says
/// that there is none.
pub fn absent(what: &str) {
    let said = std::env::var_os("SWIRL_CORPUS").is_some_and(|value| value == "absent");
    assert!(said || std::env::var_os("CI").is_none(), "{what} not present");
    println!("{what} not present, 0 files");
}

/// All model files below `folder`, in the order of their names; none if it does not exist.
pub fn models(folder: &Path) -> Vec<PathBuf> {
    files(folder, "nj")
}

/// All files with an extension, in any case, below `folder`, in the order of their names; none if it does not
/// exist.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|found| found.eq_ignore_ascii_case(extension))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A view of a model from its front; textures are missing, so textured strips show `checker`.
pub fn view(checker: BoundTexture) -> View {
    View {
        camera: Camera {
            target: [0.0; 3],
            yaw: Bams(0x1000),
            pitch: Bams(0x0800),
            distance: 60.0,
            roll: Bams(0),
        },
        viewport: Viewport::new(160, 120, std::f32::consts::FRAC_PI_4, 1.0),
        lights: Lights::default(),
        settings: Settings::default(),
        textures: Textures {
            bound: Vec::new(),
            checker,
        },
    }
}

/// A stand-in texture at the beginning of texture memory.
pub fn checker() -> BoundTexture {
    BoundTexture {
        word: TextureWord(0),
        width: 8,
        height: 8,
    }
}

/// Draws all trees of a file into nothing and returns how many triangles they sent.
///
/// # Errors
/// What [`scene::draw`] refuses.
pub fn draw_all(file: &File, kernels: &mut dyn scene::Kernels) -> Result<usize, scene::SceneError> {
    let view = view(checker());
    let mut triangles = 0;
    for tree in file.models() {
        triangles += {
            let (pose, shapes) = (scene::Pose::rest(tree), scene::Shapes::none());
            scene::draw(
                tree,
                &pose,
                &shapes,
                &view,
                kernels,
                &mut scene::TaLists::default(),
            )?
            .triangles
        };
    }
    Ok(triangles)
}
