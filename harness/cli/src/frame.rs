//! Models in front of a camera.

use crate::motions::Motions;
use crate::pictures::Model;
use crate::screen::{Rendered, Screen};
use crate::shot::{Shot, Size};
use anyhow::{Context, Result, bail};
use ninja::Bams;
use pvr::TextureWord;
use scene::{
    BoundTexture, Camera, Lights, Object, Pose, Scene, Settings, Shadows, Shapes, Stats, TaLists, Textures,
    View, Viewport, draw,
};
use sh4_kernels::{Kernels, Reference};

/// Vertical angle of view, radians: 45 degrees.
pub(crate) const FIELD_OF_VIEW: f32 = std::f32::consts::FRAC_PI_4;

/// Moments of a motion at which its model is measured.
const SAMPLES: u32 = 16;

/// What a frame gave.
pub(crate) struct Picture {
    pub(crate) rendered: Rendered,
    pub(crate) stats: Stats,
}

impl Picture {
    /// The next picture, with the counts and warnings of both.
    pub(crate) fn and(self, mut next: Self) -> Self {
        next.stats.add(&self.stats);
        next.rendered.warnings.extend(self.rendered.warnings);
        next.rendered.warnings.sort_unstable();
        next.rendered.warnings.dedup();
        next
    }
}

/// A model whose textures lie in video memory.
pub(crate) struct Stage {
    pub(crate) scene: Scene,
    pub(crate) screen: Screen,
    /// What is unusual about the textures and the motions.
    pub(crate) warnings: Vec<String>,
}

impl Stage {
    /// Uploads the textures, sets the motions and puts the camera where `shot` wants it.
    pub(crate) fn new(model: &Model, shot: &Shot, motions: &Motions) -> Result<Self> {
        let mut screen = Screen::new(shot)?;
        let (textures, mut warnings) = screen.bind(&model.pictures)?;
        let mut objects: Vec<Object> = model.file.models().cloned().map(Object::new).collect();
        if objects.is_empty() {
            bail!("the file holds no chunk model (NJCM or N2CM)");
        }
        let camera = Camera {
            target: [0.0; 3],
            yaw: Bams(0),
            pitch: Bams(0),
            distance: 0.0,
            roll: Bams(0),
        };
        let Size { width, height } = shot.size;
        let viewport = Viewport::new(width, height, FIELD_OF_VIEW, f32::NEG_INFINITY);
        motions.set(&mut objects)?;
        warnings.extend(motions.warnings(&objects));
        let settings = Settings {
            shadows: Shadows::wanted(objects.iter().map(Object::tree)),
            ..Settings::default()
        };
        let view = View {
            camera,
            viewport,
            lights: shot.lights(),
            settings: shot.drawing.settings(settings),
            textures,
        };
        let mut stage = Self {
            scene: Scene { view, objects },
            screen,
            warnings,
        };
        stage.frame_model(shot)?;
        Ok(stage)
    }

    /// A stage with nothing on it.
    pub(crate) fn empty(
        screen: Screen,
        camera: Camera,
        viewport: Viewport,
        textures: Textures,
        shot: &Shot,
    ) -> Self {
        let view = View {
            camera,
            viewport,
            lights: shot.lights(),
            settings: shot.drawing.settings(Settings::default()),
            textures,
        };
        Self {
            scene: Scene {
                view,
                objects: Vec::new(),
            },
            screen,
            warnings: Vec::new(),
        }
    }

    /// Puts the camera so that the whole model is in the picture, wherever its motion takes it.
    fn frame_model(&mut self, shot: &Shot) -> Result<()> {
        let bounds = self.bounds()?;
        if !bounds.iter().flatten().all(|c| c.is_finite()) {
            bail!("the model's vertices are not finite numbers, so there is no place to look at it from");
        }
        let target = [0, 1, 2].map(|k| (bounds[0][k] + bounds[1][k]) / 2.0);
        let fit = Fit::new(bounds, self.screen.size(), shot);
        let distance = shot.distance.unwrap_or(fit.distance);
        let degrees = |angle: f32| Bams::from_degrees(f64::from(angle));
        self.scene.view.camera = Camera {
            target,
            yaw: degrees(shot.yaw),
            pitch: degrees(shot.pitch),
            distance,
            roll: Bams(0),
        };
        let near = (distance - fit.radius).max(distance * 0.01) * 0.5;
        let Size { width, height } = self.screen.size();
        self.scene.view.viewport = Viewport::new(width, height, FIELD_OF_VIEW, near);
        Ok(())
    }

    /// Draws the frame; `overlay` may add to the lists.
    pub(crate) fn draw(
        &mut self,
        kernels: &mut dyn Kernels,
        overlay: impl FnOnce(&View, &mut dyn Kernels, &mut TaLists) -> Result<()>,
    ) -> Result<Picture> {
        let mut lists = TaLists::default();
        let stats = self.lists(kernels, &mut lists)?;
        let view = &self.scene.view;
        overlay(view, kernels, &mut lists)?;
        let rendered = self.screen.render(&lists, view.settings.shadows)?;
        Ok(Picture { rendered, stats })
    }

    /// Lowest and highest coordinates at up to [`SAMPLES`] moments of the motions, the clock being at 0 afterwards.
    fn bounds(&mut self) -> Result<[[f32; 3]; 2]> {
        let length = self.scene.length();
        let step = length.div_ceil(SAMPLES).max(1);
        let mut stats = Stats::default();
        for frame in (0..length.max(1)).step_by(step as usize) {
            self.scene.seek(frame as f32);
            stats.add(&self.lists(&mut Reference, &mut TaLists::default())?);
        }
        self.scene.seek(0.0);
        Ok(stats.bounds.unwrap_or([[-1.0; 3], [1.0; 3]]))
    }

    /// The scene as it is now, for the tile accelerator.
    pub(crate) fn lists(&self, kernels: &mut dyn Kernels, lists: &mut TaLists) -> Result<Stats> {
        self.scene.draw(kernels, lists).map_err(|(index, error)| {
            let chunk = self.scene.objects[index].tree().kind.chunk_id();
            anyhow::Error::new(error).context(format!("{chunk}, model {index}"))
        })
    }
}

/// Draws a file's trees into nothing, to find what cannot be drawn.
pub(crate) fn check(file: &ninja::File) -> Result<()> {
    let checker = BoundTexture {
        word: TextureWord(0),
        width: 8,
        height: 8,
    };
    let view = View {
        camera: Camera {
            target: [0.0; 3],
            yaw: Bams(0),
            pitch: Bams(0),
            distance: 0.0,
            roll: Bams(0),
        },
        viewport: Viewport::new(8, 8, FIELD_OF_VIEW, f32::NEG_INFINITY),
        lights: Lights::default(),
        settings: Settings::default(),
        textures: Textures {
            bound: Vec::new(),
            checker,
        },
    };
    for (index, tree) in file.models().enumerate() {
        draw(
            tree,
            &Pose::rest(tree),
            &Shapes::none(),
            &view,
            &mut Reference,
            &mut TaLists::default(),
        )
        .with_context(|| format!("{}, model {index}", tree.kind.chunk_id()))?;
    }
    Ok(())
}

/// From where a box is seen whole.
pub(crate) struct Fit {
    /// Half the box's diagonal.
    radius: f32,
    /// From its middle to the camera.
    pub(crate) distance: f32,
}

impl Fit {
    /// Room that is left around the model, as a share of it.
    const MARGIN: f32 = 1.06;

    pub(crate) fn new([low, high]: [[f32; 3]; 2], size: Size, shot: &Shot) -> Self {
        let half = [0, 1, 2].map(|k| ((high[k] - low[k]) / 2.0).max(f32::MIN_POSITIVE));
        let (sin_yaw, cos_yaw) = shot.yaw.to_radians().sin_cos();
        let (sin_pitch, cos_pitch) = shot.pitch.to_radians().sin_cos();
        let tangent = (FIELD_OF_VIEW / 2.0).tan();
        let smaller = size.width.min(size.height) as f32;
        let [wide, high] = [size.width, size.height].map(|side| tangent * side as f32 / smaller);
        let mut distance = 0.0_f32;
        for corner in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|k| if corner >> k & 1 == 0 { -half[k] } else { half[k] });
            let (x, z) = (x * cos_yaw - z * sin_yaw, x * sin_yaw + z * cos_yaw);
            let (y, z) = (y * cos_pitch - z * sin_pitch, y * sin_pitch + z * cos_pitch);
            distance = distance.max(z + Self::MARGIN * (x.abs() / wide).max(y.abs() / high));
        }
        let radius = half.iter().map(|c| c * c).sum::<f32>().sqrt();
        Self { radius, distance }
    }
}

/// Tells of everything that was drawn differently from what the model asks for.
pub(crate) fn print_warnings(name: &str, picture: &Picture) {
    for warning in &picture.rendered.warnings {
        eprintln!("{name}: warning: {warning}");
    }
    for (warning, times) in &picture.stats.warnings {
        eprintln!("{name}: warning: {warning} ({times} times)");
    }
}
