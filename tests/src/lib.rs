//! What the whole-system tests share: where real files are, and a plain way to look at a model.

use ninja::{Bams, File};
use pvr::TextureWord;
use scene::{BoundTexture, Camera, Lights, Settings, Textures, View, Viewport};
use std::path::{Path, PathBuf};

/// The folder of real files beside the checkout, or what `SWIRL_NINJA` names.
pub fn corpus() -> PathBuf {
    corpus::folder_or("SWIRL_NINJA", "ninja")
}

/// All model files below `folder`, in the order of their names; none if it does not exist.
pub fn models(folder: &Path) -> Vec<PathBuf> {
    corpus::files(folder, &["nj"])
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
