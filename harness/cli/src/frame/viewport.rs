//! Models in front of a camera.

use super::camera::{FIELD_OF_VIEW, Fit};
use super::extent::{SceneExtent, in_model};
use super::motions::Motions;
use super::options::RenderOptions;
use super::screen::{ChipFrame, Screen};
use super::textures::TexturedModel;
use super::values::Size;
use anyhow::{Context, Result, bail};
use ninja::Bams;
use pvr::TextureWord;
use scene::{
    BoundTexture, Camera, Lights, Object, Pose, Scene, Settings, Shadows, Shapes, Stats, TaLists, Textures,
    View, Viewport, Warning, draw,
};
use sh4_kernels::{Kernels, Reference};

/// A drawn frame with its counts.
pub(crate) struct DrawnFrame {
    pub(crate) rendered: ChipFrame,
    pub(crate) stats: Stats,
}

impl DrawnFrame {
    /// The next picture, with the counts and warnings of both.
    pub(crate) fn and(self, mut next: Self) -> Self {
        next.stats.add(&self.stats);
        next.rendered.warnings.extend(self.rendered.warnings);
        next.rendered.warnings.sort_unstable();
        next.rendered.warnings.dedup();
        next
    }
}

/// A scene, and the chip that draws it with the textures in its video memory.
pub(crate) struct SceneViewport {
    pub(crate) scene: Scene,
    pub(crate) screen: Screen,
    /// Warnings of the textures and the motions.
    pub(crate) warnings: Vec<String>,
    /// Names of textures that no file has.
    pub(crate) missing: Vec<String>,
}

impl SceneViewport {
    /// Uploads the textures, sets the motions and puts the camera where `render` wants it.
    pub(crate) fn new(model: &TexturedModel, render: &RenderOptions, motions: &Motions) -> Result<Self> {
        let mut screen = Screen::new(render)?;
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
        let Size { width, height } = render.size;
        let viewport = Viewport::new(width, height, FIELD_OF_VIEW, f32::NEG_INFINITY);
        motions.set(&mut objects)?;
        warnings.extend(motions.warnings(&objects));
        let settings = render.settings(Shadows::wanted(objects.iter().map(Object::tree)))?;
        let view = View {
            camera,
            viewport,
            lights: render.lights(),
            settings,
            textures,
        };
        let mut this = Self {
            scene: Scene { view, objects },
            screen,
            warnings,
            missing: model.pictures.missing(),
        };
        this.frame_model(render)?;
        Ok(this)
    }

    /// A viewport without models.
    pub(crate) fn empty(
        screen: Screen,
        camera: Camera,
        viewport: Viewport,
        textures: Textures,
        render: &RenderOptions,
    ) -> Result<Self> {
        let view = View {
            camera,
            viewport,
            lights: render.lights(),
            settings: render.settings(Shadows::default())?,
            textures,
        };
        Ok(Self {
            scene: Scene {
                view,
                objects: Vec::new(),
            },
            screen,
            warnings: Vec::new(),
            missing: Vec::new(),
        })
    }

    /// Puts the camera so that the whole model is in the picture, wherever its motion takes it.
    fn frame_model(&mut self, render: &RenderOptions) -> Result<()> {
        let mut extent = SceneExtent::of(&mut self.scene)?;
        if !extent.points.iter().flatten().all(|c| c.is_finite()) {
            bail!("the model's vertices are not finite numbers, so there is no place to look at it from");
        }
        if extent.points.is_empty() {
            self.warnings
                .push("no strips are drawn: the model has none, or its nodes are hidden".to_owned());
            extent.points = vec![[-1.0; 3], [1.0; 3]];
        }
        let angles = self.angles(&extent, render);
        let fit = match render.distance {
            None => Fit::new(&extent.points, self.screen.size(), angles),
            Some(distance) => Fit::from_distance(&extent.points, distance, angles),
        };
        self.scene.view.camera = fit.camera;
        let Size { width, height } = self.screen.size();
        self.scene.view.viewport = Viewport::new(width, height, FIELD_OF_VIEW, fit.near());
        Ok(())
    }

    /// The angles of the command line, or those from where the model is seen. A warning says so.
    fn angles(&mut self, extent: &SceneExtent, render: &RenderOptions) -> [f32; 2] {
        let [yaw, pitch] = render.angles();
        let Some(better) = extent.better_view([yaw, pitch]) else {
            return [yaw, pitch];
        };
        let little = format!(
            "from yaw {yaw} and pitch {pitch} little is seen: strips face away or are seen from the side"
        );
        let [better_yaw, better_pitch] = better;
        if render.has_angles() {
            self.warnings.push(format!(
                "{little}; more is seen with --yaw {better_yaw} --pitch {better_pitch}"
            ));
            return [yaw, pitch];
        }
        self.warnings.push(format!(
            "{little}, so the camera has yaw {better_yaw} and pitch {better_pitch}; --yaw {yaw} keeps it"
        ));
        better
    }

    /// Draws the frame; `overlay` may add to the lists.
    pub(crate) fn draw(
        &mut self,
        kernels: &mut dyn Kernels,
        overlay: impl FnOnce(&View, &mut dyn Kernels, &mut TaLists) -> Result<()>,
    ) -> Result<DrawnFrame> {
        let mut lists = TaLists::default();
        let stats = self.lists(kernels, &mut lists)?;
        let view = &self.scene.view;
        overlay(view, kernels, &mut lists)?;
        let rendered = self.screen.render(&lists, view.settings.shadows)?;
        Ok(DrawnFrame { rendered, stats })
    }

    /// The scene as it is now, for the tile accelerator.
    pub(crate) fn lists(&self, kernels: &mut dyn Kernels, lists: &mut TaLists) -> Result<Stats> {
        let drawn = self.scene.draw(kernels, lists);
        drawn.map_err(|(index, error)| in_model(&self.scene, index, error))
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

/// Prints the warnings of a frame; textures that are missing by their names.
pub(crate) fn print_warnings(name: &str, picture: &DrawnFrame, missing: &[String]) {
    for warning in &picture.rendered.warnings {
        eprintln!("{name}: warning: {warning}");
    }
    for (warning, times) in &picture.stats.warnings {
        match warning {
            Warning::MissingTexture { .. } if !missing.is_empty() => eprintln!(
                "{name}: warning: textures are missing: {}; neither beside the model nor in --textures, so \
                 strips are drawn with a checker ({times} times)",
                missing.join(", ")
            ),
            Warning::MissingTexture { .. } => eprintln!(
                "{name}: warning: {warning} ({times} times); the file has no texture list for it: name \
                 textures with --textures"
            ),
            _ => eprintln!("{name}: warning: {warning} ({times} times)"),
        }
    }
}
