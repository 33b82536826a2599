//! Functions that the whole-system tests share: the folder of real files, and a simple view of a model.

use ninja::{Bams, File};
use pvr::TextureWord;
use scene::{BoundTexture, Camera, Lights, Settings, Textures, View, Viewport};
use std::path::{Path, PathBuf};

/// Returns the folder of real files next to the checkout, or the folder that `SWIRL_NINJA` names.
pub fn corpus() -> PathBuf {
    corpus::folder_or("SWIRL_NINJA", "ninja")
}

/// Returns all model files below `folder`, in the order of their names; empty if the folder does not exist.
pub fn models(folder: &Path) -> Vec<PathBuf> {
    corpus::files(folder, &["nj"])
}

/// Returns a view of a model from its front. Textures are missing, so textured strips show `checker`.
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

/// A replacement texture at the beginning of texture memory.
pub fn checker() -> BoundTexture {
    BoundTexture {
        word: TextureWord(0),
        width: 8,
        height: 8,
    }
}

/// Draws all trees of a file with a renderer that drops its output. Returns the number of triangles.
///
/// # Errors
/// The errors of [`scene::draw`].
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

/// The examples of the guide for users of the libraries.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/library.md")]
pub struct LibraryGuide;
