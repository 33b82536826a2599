//! Draws models, sprites, scenes and textures into pictures.

use crate::camera::{FIELD_OF_VIEW, at_distance, empty_view, fit, near};
use crate::error::{At, Result, bail, counted};
use crate::extent::{SceneExtent, in_model};
use crate::loader::Loader;
use crate::motions::{self, ViewMotions};
use crate::screen::Screen;
use crate::sprite::{CellEvent, SpriteLayer};
use crate::textures::TextureSet;
use crate::{Assets, Files, Input, Options, Warning};
use ninja::{File, MotionKind};
use pvr::{Image, Pvr};
use scene::{
    CellStats, Kernels, Motion, Object, PlayMode, Pose, Reference, Scene, Shadows, Shapes, Stats, TaLists,
    View, Viewport, draw,
};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A drawn frame.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Pixels.
    pub image: Image,
    /// Input that the tile accelerator received.
    pub blocks: Vec<[u32; 8]>,
    /// Statistics of this frame.
    pub stats: Stats,
    /// User events of cell streams at this frame.
    pub events: Vec<CellEvent>,
}

/// Which parts of a [`Player`] move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves {
    /// A motion or a stream moves at least one part.
    pub anything: bool,
    /// A motion with key frames moves a part.
    pub by_keys: bool,
    /// A spline motion has keys for angles.
    pub has_spline_angles: bool,
}

/// The input and the chip that draws it. The input is a model with its motions and sprites, a sprite, a
/// scene, or textures.
pub struct Player {
    /// Objects, camera and lights. [`Self::draw`] sets the clock of the objects, and moves the cameras and
    /// lights that have motions.
    pub scene: Scene,
    screen: Screen,
    views: ViewMotions,
    sprite: Option<SpriteLayer>,
    name: String,
    file: File,
    is_flat: bool,
    textures: TextureSet,
    warnings: Vec<Warning>,
    /// Statistics and warnings of all frames.
    total: Stats,
    chip_warnings: BTreeSet<pvr::Warning>,
}

impl Player {
    /// Reads a model, a cell sprite, a scene or textures, and everything that `assets` names.
    ///
    /// # Errors
    /// If a file cannot be read or drawn, or a motion does not fit.
    pub fn open(files: &dyn Files, assets: &Assets, options: &Options) -> Result<Self> {
        let path = &assets.model;
        let bytes = files.read(path)?;
        let input = Input::of(path, &bytes);
        let mut loader = Loader {
            files,
            assets,
            options,
            nodes: Vec::new(),
            warnings: Vec::new(),
        };
        if input == Input::Cells {
            let paths: Vec<PathBuf> = std::iter::once(path).chain(&assets.cells).cloned().collect();
            return Self::sprite(&mut loader, &paths, options);
        }
        let mut options = options.clone();
        if input.is_flat() && !options.has_angles() {
            (options.yaw, options.pitch) = (Some(0.0), Some(0.0));
        }
        let (file, textures) = loader.load(input, &bytes)?;
        if file.models().next().is_none() && !input.is_scene() {
            bail!("{}: the file holds no chunk model (NJCM or N2CM)", loader.name());
        }
        let mut this = Self::model(&mut loader, file, textures, &options)?;
        this.is_flat = input.is_flat();
        if !assets.cells.is_empty() {
            let sprite = SpriteLayer::load(&mut loader, &assets.cells, false, &options, &mut this.screen)?;
            this.sprite = Some(sprite);
        }
        this.warnings = loader.warnings;
        Ok(this)
    }

    /// Opens a sprite without a model: on the screen, or in front of a camera that looks at its position.
    fn sprite(loader: &mut Loader<'_>, paths: &[PathBuf], options: &Options) -> Result<Self> {
        let mut screen = Screen::new(options).at(loader.name())?;
        let sprite = SpriteLayer::load(loader, paths, true, options, &mut screen)?;
        let camera = sprite.camera(options);
        let [width, height] = options.size;
        let view = View {
            viewport: Viewport::new(width, height, FIELD_OF_VIEW, camera.distance * 0.01),
            camera,
            lights: options.lights.clone(),
            settings: options.rules(Shadows::default()),
            textures: sprite.textures.clone(),
        };
        let views = ViewMotions::new(options, &view);
        let mut this = Self::new(Scene::new(view), screen, views);
        (this.name, this.sprite) = (loader.name(), Some(sprite));
        this.warnings = std::mem::take(&mut loader.warnings);
        Ok(this)
    }

    fn model(loader: &mut Loader<'_>, file: File, set: TextureSet, options: &Options) -> Result<Self> {
        let mut screen = Screen::new(options).at(loader.name())?;
        let name = loader.name();
        let textures = screen.bind(&set, &name, &mut loader.warnings).at(&name)?;
        let mut objects: Vec<Object> = file.models().cloned().map(Object::new).collect();
        motions::set(loader, &file, options, &mut objects)?;
        let settings = options.rules(Shadows::wanted(objects.iter().map(Object::tree)));
        let view = View {
            lights: options.lights.clone(),
            settings,
            textures,
            ..empty_view(options.size)
        };
        let mut scene = Scene { view, objects };
        frame_model(loader, &mut scene, options).at(&name)?;
        let views = ViewMotions::load(loader, &file, options, &scene.view)?;
        let mut this = Self::new(scene, screen, views);
        (this.name, this.textures, this.file) = (name, set, file);
        Ok(this)
    }

    fn new(scene: Scene, screen: Screen, views: ViewMotions) -> Self {
        Self {
            scene,
            screen,
            views,
            sprite: None,
            name: String::new(),
            file: File::default(),
            is_flat: false,
            textures: TextureSet::default(),
            warnings: Vec::new(),
            total: Stats::default(),
            chip_warnings: BTreeSet::new(),
        }
    }

    /// Motions of nodes in the model's own file, by number.
    pub fn motions(&self) -> impl Iterator<Item = &ninja::Motion> {
        self.file
            .motions()
            .filter(|motion| motion.kind == MotionKind::Model)
    }

    /// Returns whether a motion of nodes can play on one of the models.
    pub fn fits(&self, motion: &ninja::Motion) -> bool {
        let mut objects = self.scene.objects.iter();
        objects.any(|object| Motion::bind(object.tree(), motion).is_ok())
    }

    /// Number of frames until all motions and streams have ended once; 0 if no part moves.
    pub fn length(&self) -> u32 {
        let sprite = self.sprite.as_ref().map_or(0, SpriteLayer::length);
        self.scene.length().max(self.views.length()).max(sprite)
    }

    /// Returns which parts move.
    pub fn moves(&self) -> Moves {
        let sprite = self.sprite.as_ref().map_or(0, SpriteLayer::motion_length);
        let by_keys = self.scene.length().max(self.views.length()).max(sprite) > 0;
        let has_splines = |object: &Object| {
            let linked = object.link.as_ref().map(|link| &link.motion);
            let mut motions = object.motion.iter().chain(linked);
            motions.any(|motion| motion.spline_angles().is_some())
        };
        Moves {
            anything: by_keys || self.length() > 0,
            by_keys,
            has_spline_angles: self.scene.objects.iter().any(has_splines)
                || self.sprite.as_ref().is_some_and(SpriteLayer::has_spline_angles)
                || self.views.has_spline_angles(),
        }
    }

    /// Behaviour of camera, lights and models after the last frame of a motion.
    pub fn mode(&self) -> PlayMode {
        self.views.mode
    }

    /// Sets the behaviour after the last frame of a motion.
    pub fn set_mode(&mut self, mode: PlayMode) {
        self.views.mode = mode;
        for object in &mut self.scene.objects {
            object.playback.mode = mode;
        }
    }

    /// Returns whether the camera has a motion.
    pub fn moves_camera(&self) -> bool {
        self.views.camera.is_some()
    }

    /// Textures of the model, with the names in its list.
    pub fn textures(&self) -> &TextureSet {
        &self.textures
    }

    /// Returns whether the player shows a texture or a picture on a rectangle.
    pub fn is_flat(&self) -> bool {
        self.is_flat
    }

    /// Changes the background colour.
    pub fn set_background(&mut self, colour: pvr::Argb) {
        self.screen.set_background(colour);
    }

    /// Moves the camera to its state at a frame of its motion.
    ///
    /// # Errors
    /// If a kernel fails.
    pub fn move_camera(&mut self, frame: f32, kernels: &mut dyn Kernels) -> Result<()> {
        self.views.move_camera(frame, &mut self.scene.view, kernels)
    }

    /// Moves the lights to their states at a frame of their motions.
    ///
    /// # Errors
    /// If a kernel fails.
    pub fn move_lights(&mut self, frame: f32, kernels: &mut dyn Kernels) -> Result<()> {
        self.views.move_lights(frame, &mut self.scene.view, kernels)
    }

    /// Draws a frame. Frames before 0 are counted from the end of motions that loop.
    ///
    /// # Errors
    /// If the model cannot be drawn, or a kernel fails.
    pub fn draw(&mut self, frame: f32, kernels: &mut dyn Kernels) -> Result<Picture> {
        self.scene.seek(frame);
        self.move_camera(frame, kernels)?;
        self.move_lights(frame, kernels)?;
        self.draw_scene(Some(frame), kernels)
    }

    /// Draws [`Self::scene`] unchanged, and the sprite at `frame`.
    ///
    /// # Errors
    /// Fails as [`Self::draw`] does.
    pub fn draw_scene(&mut self, frame: Option<f32>, kernels: &mut dyn Kernels) -> Result<Picture> {
        self.draw_with(kernels, |sprite, view, kernels, lists| match sprite.zip(frame) {
            Some((sprite, frame)) => sprite.draw(frame, view, kernels, lists),
            None => Ok(Vec::new()),
        })
    }

    /// Draws [`Self::scene`] unchanged. `overlay` can add to the lists.
    ///
    /// # Errors
    /// Fails as [`Self::draw`] does.
    pub fn draw_over(
        &mut self,
        kernels: &mut dyn Kernels,
        overlay: impl FnOnce(&View, &mut dyn Kernels, &mut TaLists) -> Result<()>,
    ) -> Result<Picture> {
        self.draw_with(kernels, |_, view, kernels, lists| {
            overlay(view, kernels, lists).map(|()| Vec::new())
        })
    }

    fn draw_with(
        &mut self,
        kernels: &mut dyn Kernels,
        overlay: impl FnOnce(
            Option<&mut SpriteLayer>,
            &View,
            &mut dyn Kernels,
            &mut TaLists,
        ) -> Result<Vec<CellEvent>>,
    ) -> Result<Picture> {
        let mut lists = TaLists::default();
        let stats = self.lists(kernels, &mut lists)?;
        let view = &self.scene.view;
        let events = overlay(self.sprite.as_mut(), view, kernels, &mut lists)?;
        let blocks = lists.blocks();
        let (image, warnings) = self.screen.render(&blocks, view.settings.shadows)?;
        self.total.add(&stats);
        self.chip_warnings.extend(warnings);
        Ok(Picture {
            image,
            blocks,
            stats,
            events,
        })
    }

    /// Adds the objects of [`Self::scene`] to `lists`.
    ///
    /// # Errors
    /// Fails as [`Self::draw`] does.
    pub fn lists(&self, kernels: &mut dyn Kernels, lists: &mut TaLists) -> Result<Stats> {
        let drawn = self.scene.draw(kernels, lists);
        drawn.or_else(|(index, error)| in_model(&self.scene, index, Err(error)))
    }

    /// Statistics of all frames together.
    pub fn total(&self) -> &Stats {
        &self.total
    }

    /// Statistics of the sprite in the last frame, if a sprite is drawn without a model.
    pub fn sprite_stats(&self) -> Option<&CellStats> {
        let sprite = self.sprite.as_ref().filter(|_| self.scene.objects.is_empty());
        sprite.map(|sprite| &sprite.stats)
    }

    /// The emulated chip after the last frame, for inspection.
    ///
    /// # Errors
    /// If the frame was drawn in several parts.
    pub fn chip(&mut self) -> Result<&mut Pvr> {
        self.screen.chip()
    }

    /// Warnings of the files, followed by the warnings of all frames drawn until now.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        let name = self.name.as_str();
        let chip = self
            .chip_warnings
            .iter()
            .map(move |warning| Warning::new(name, warning));
        let overflow = self.screen.overflow().map(|text| Warning::new(name, text));
        let missing = self.textures.missing();
        let scene = self.total.warnings.iter().map(move |(warning, times)| {
            let is_missing = matches!(warning, scene::Warning::MissingTexture { .. });
            let text = match (is_missing, &missing[..]) {
                (true, []) => format!(
                    "{}; the file has no texture list: name textures with --textures",
                    counted(warning, *times)
                ),
                (true, missing) => {
                    let text = format!(
                        "textures are missing: {}; found neither in the model's folder nor in --textures, so \
                        strips have a checkerboard",
                        missing.join(", ")
                    );
                    counted(&text, *times)
                }
                (false, _) => counted(warning, *times),
            };
            Warning::new(name, text)
        });
        let sprite = self.sprite.iter().flat_map(SpriteLayer::warnings);
        self.warnings
            .iter()
            .cloned()
            .chain(chip)
            .chain(overflow)
            .chain(scene)
            .chain(sprite)
    }
}

/// Places the camera so that the whole model is in the picture in every frame of its motions.
fn frame_model(loader: &mut Loader<'_>, scene: &mut Scene, options: &Options) -> Result<()> {
    let mut warn = |text: String| {
        loader
            .warnings
            .push(Warning::new(loader.assets.model.display(), text))
    };
    let mut extent = SceneExtent::of(scene)?;
    if !extent.points.iter().flatten().all(|c| c.is_finite()) {
        bail!("the model's vertices are not finite numbers, so no camera position shows it");
    }
    if extent.points.is_empty() {
        warn("no strips are drawn: the model has none, or its nodes are hidden".to_owned());
        extent.points = vec![[-1.0; 3], [1.0; 3]];
    }
    let mut angles = options.angles();
    if let Some(better) = extent.better_view(angles) {
        let ([yaw, pitch], [better_yaw, better_pitch]) = (angles, better);
        let little = format!(
            "yaw {yaw} and pitch {pitch} show little: strips face away from the camera or show only their \
            edge"
        );
        if options.has_angles() {
            warn(format!(
                "{little}; --yaw {better_yaw} --pitch {better_pitch} shows more"
            ));
        } else {
            angles = better;
            warn(format!(
                "{little}, so the camera moves to yaw {better_yaw} and pitch {better_pitch}; --yaw {yaw} \
                prevents this"
            ));
        }
    }
    let camera = match options.distance {
        None => fit(&extent.points, options.size, angles),
        Some(distance) => at_distance(&extent.points, distance, angles),
    };
    let [width, height] = options.size;
    scene.view.viewport = Viewport::new(width, height, FIELD_OF_VIEW, near(&camera, &extent.points));
    scene.view.camera = camera;
    Ok(())
}

/// Builds the TA lists of a file's trees, to find errors. Draws no pixels.
///
/// # Errors
/// Fails for the first tree that cannot be drawn. The error names the tree.
pub fn check(file: &File) -> Result<()> {
    let view = empty_view([8; 2]);
    for (index, tree) in file.models().enumerate() {
        let (pose, shapes, mut lists) = (Pose::rest(tree), Shapes::none(), TaLists::default());
        draw(tree, &pose, &shapes, &view, &mut Reference, &mut lists)
            .at(format_args!("{}, model {index}", tree.kind.chunk_id()))?;
    }
    Ok(())
}
