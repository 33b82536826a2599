//! `swirl view`: shows a model or a cell sprite in a window.

mod canvas;
mod conditions;
mod files;
mod help;
mod input;
mod looks;
mod state;

use crate::exit::ExitStatus;
use crate::frame::assets::{AssetOptions, open, print_warnings};
use crate::frame::cycles;
use crate::frame::effects::InputKind;
use crate::frame::options::RenderOptions;
use crate::kernel_backend::KernelBackend;
use crate::{output, render};
use anyhow::{Context, Result, anyhow, bail};
use canvas::Canvas;
use clap::ArgMatches;
use conditions::{Conditions, Needs};
use files::ViewFiles;
use help::Command;
use input::{Input, PictureArea};
use minifb::{ScaleMode, Window, WindowOptions};
use ninja::Bams;
use player::{Options, Picture, Player, direction};
use pvr::Argb;
use scene::{Light, Lights, Source, TaLists, View};
use sh4_kernels::{Kernels, Reference};
use state::State;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use verify::Metered;

/// Show a model, a cell sprite, a scene (FBX, glTF, OBJ) or textures in a window.
///
/// F1 shows the keys, which can also be clicked. Dragging with the left button orbits the model, with the
/// right button moves the picture; the wheel zooms. A changed file is reloaded. Enter shows the next file in
/// the folder, M the next motion that fits.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl view model.nj --textures model.pvm\n  swirl view model.nj --motion \
        walk.njm --shape face.njs\n  \
    swirl view model.nj --motion :0 --camera camera.njm --light-motion lamp.njm\n  \
    swirl view walk.spa --cells walk.csa --textures walk.pvr\n  \
    swirl view scene.fbx --motion :0\n  \
    swirl view textures.pvm"
)]
pub(crate) struct Args {
    /// File to show: a model (.nj), a cell sprite, a scene (.fbx, .gltf, .glb, .obj), textures (.pvr, .pvm),
    /// or a picture (.png, .tga, .bmp, .jpg, .dds).
    pub(crate) file: PathBuf,
    #[command(flatten)]
    assets: AssetOptions,
    /// Implementation of the kernels that compute the frames.
    #[arg(long, value_enum, default_value_t)]
    kernels: KernelBackend,
    #[command(flatten)]
    render: RenderOptions,
}

/// Backgrounds that follow the command line's: black, grey, white.
const BACKGROUNDS: [u32; state::BACKGROUNDS - 1] = [0xFF00_0000, 0xFF80_8080, 0xFFFF_FFFF];

pub(crate) fn run(args: &Args, matches: &ArgMatches) -> Result<ExitStatus> {
    let kind = InputKind {
        is_animation: true,
        ..args.assets.kind("view", &args.file)?
    };
    kind.warn(matches, &args.render);
    let name = args.file.display().to_string();
    let options = args.assets.add_to(args.render.options(kind.is_scene)?)?;
    let assets = args.assets.assets(&args.file);
    let mut player = open(&assets, &options)?;
    let told = player.warnings().count();
    kind.warn_still(matches, &args.render.play, player.moves());
    let mut kernels = args.kernels.start(false)?;
    draw_once(&mut player, kernels.kernels()).with_context(|| name.clone())?;
    print_warnings(&player, told);
    let files = ViewFiles::new(assets, &options);
    show(&name, player, Some(files), &options, kernels.kernels())?;
    Ok(ExitStatus::Done)
}

/// Draws the first frame, to find errors. Restores the command line's view afterwards, which motions can
/// change.
fn draw_once(player: &mut Player, kernels: &mut dyn Kernels) -> Result<()> {
    let view = player.scene.view.clone();
    render::print_events(&player.draw(0.0, kernels)?);
    player.scene.view = view;
    Ok(())
}

/// Returns whether a window can be opened.
pub(crate) fn has_display() -> bool {
    cfg!(not(target_os = "linux")) || std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty())
}

/// Duration of a message.
const MESSAGE: Duration = Duration::from_secs(4);

/// Shows `player` until the window is closed. `files` are its files.
pub(crate) fn show(
    name: &str,
    player: Player,
    files: Option<ViewFiles>,
    picture: &Options,
    kernels: &mut dyn Kernels,
) -> Result<()> {
    if !has_display() {
        bail!("there is no display to open a window on (DISPLAY is not set); use swirl render");
    }
    let [width, height] = picture.size.map(|side| side as usize);
    // Keeps the aspect ratio of the picture.
    let options = WindowOptions {
        resize: true,
        scale_mode: ScaleMode::AspectRatioStretch,
        ..WindowOptions::default()
    };
    let mut window = Window::new(&format!("swirl: {name}"), width, height, options)
        .map_err(|error| anyhow!("the window could not be opened: {error}"))?;
    window.set_target_fps(60);
    let mut viewer = Viewer::new(name, player, files, picture.background);
    let (mut input, mut last) = (Input::default(), Instant::now());
    while window.is_open() {
        let seconds = last.elapsed().as_secs_f32();
        last = Instant::now();
        let (wide, high) = window.get_size();
        let placed = PictureArea {
            picture: [width as f32, height as f32],
            window: [wide as f32, high as f32],
            scale: viewer.view.viewport.words[0],
        };
        let commands = input.control(&window, &mut viewer.state, &placed, seconds);
        if commands.contains(&Command::Close) {
            break;
        }
        viewer.obey(&commands, &mut window);
        let canvas = viewer.frame(kernels).with_context(|| viewer.name.clone())?;
        if commands.contains(&Command::Picture) {
            viewer.save(&canvas)?;
        }
        window
            .update_with_buffer(&canvas.pixels, width, height)
            .map_err(|error| anyhow!("the window could not be drawn: {error}"))?;
    }
    Ok(())
}

struct Viewer {
    name: String,
    state: State,
    player: Player,
    files: Option<ViewFiles>,
    background: Argb,
    /// View of the command line. A key can move its first light.
    view: View,
    /// Time of the frame for which cycles were counted, and lines that describe them.
    cycles: Option<(f32, Vec<String>)>,
    pictures: u32,
    /// Set while the page of keys has the conditions of the current file.
    knows_keys: bool,
    /// Last action, and the time until which it is shown.
    message: Option<(String, Instant)>,
}

/// Returns the initial state for an input.
fn state_of(player: &Player) -> State {
    let view = &player.scene.view;
    let nodes = player
        .scene
        .objects
        .iter()
        .map(|object| object.tree().walk().count());
    // A positional lamp has no angles, so keys start at the default light's.
    let usual = Lights::default().list;
    let angles = |light: &Light| match light.source {
        Source::Directional { direction: [x, y, z] } => Some([x.atan2(z), y.asin()]),
        _ => None,
    };
    let light = view.lights.list.iter().take(1).chain(&usual).find_map(angles);
    let light = light.unwrap_or_default().map(f32::to_degrees);
    let orbit = [view.camera.yaw, view.camera.pitch].map(|angle| angle.0 as f32 * 360.0 / 65536.0);
    let state = State::new(orbit, light, player.length(), nodes.sum());
    let state = state.playing(player.mode(), player.moves_camera());
    let state = state.with_textures(player.textures().textures.len());
    if player.is_flat() {
        state.without_turntable()
    } else {
        state
    }
}

impl Viewer {
    fn new(name: &str, player: Player, files: Option<ViewFiles>, background: Argb) -> Self {
        Self {
            name: name.to_owned(),
            state: state_of(&player),
            view: player.scene.view.clone(),
            player,
            files,
            background,
            cycles: None,
            pictures: 0,
            knows_keys: false,
            message: None,
        }
    }

    /// Loads what keys request, and changed files.
    fn obey(&mut self, commands: &[Command], window: &mut Window) {
        let Some(mut files) = self.files.take() else {
            return;
        };
        for command in commands {
            let text = match command {
                Command::NextFile => files.go(1).map(|()| self.load(&mut files, false)),
                Command::PreviousFile => files.go(-1).map(|()| self.load(&mut files, false)),
                Command::NextMotion => self.switch_motion(&mut files, 1),
                Command::PreviousMotion => self.switch_motion(&mut files, -1),
                Command::Ambient => self.change(&mut files, ViewFiles::next_ambient),
                Command::Texel => self.change(&mut files, ViewFiles::next_texel),
                Command::Reload => {
                    files.forget_motions();
                    Ok(self.load(&mut files, true))
                }
                Command::Picture | Command::Close => continue,
            };
            self.say(text.unwrap_or_else(|error| format!("{error:#}")));
        }
        if files.have_changed() {
            files.forget_motions();
            let text = self.load(&mut files, true);
            self.say(text);
        }
        if self.name != files.name() {
            self.name = files.name();
            window.set_title(&format!("swirl: {}", self.name));
        }
        self.files = Some(files);
    }

    fn say(&mut self, text: String) {
        self.message = Some((text, Instant::now()));
    }

    fn switch_motion(&mut self, files: &mut ViewFiles, by: isize) -> Result<String> {
        let text = files.switch_motion(by, &self.player)?;
        Ok(self.load_as(files, text))
    }

    /// Changes a setting, and reloads the file.
    fn change(
        &mut self,
        files: &mut ViewFiles,
        change: fn(&mut ViewFiles) -> Result<String>,
    ) -> Result<String> {
        let text = change(files)?;
        Ok(self.load_as(files, text))
    }

    /// Reloads the file. Returns `text` if that succeeds.
    fn load_as(&mut self, files: &mut ViewFiles, text: String) -> String {
        let loaded = self.load(files, true);
        match loaded.starts_with("loaded") {
            true => text,
            false => loaded,
        }
    }

    /// Loads the file and returns a message. If loading fails, the picture stays unchanged. The view stays
    /// for the same file.
    fn load(&mut self, files: &mut ViewFiles, same: bool) -> String {
        let name = files.name();
        let tried = files.load().and_then(|mut loaded| {
            let told = loaded.warnings().count();
            draw_once(&mut loaded, &mut Reference).with_context(|| name.clone())?;
            print_warnings(&loaded, told);
            Ok(loaded)
        });
        let loaded = match tried {
            Ok(tried) => tried,
            Err(error) => {
                eprintln!("swirl: {error:#}");
                return format!("{error:#}");
            }
        };
        let state = state_of(&loaded);
        self.view = loaded.scene.view.clone();
        self.state = if same {
            self.state.clone().loaded(state)
        } else {
            state.after(&self.state)
        };
        self.player = loaded;
        (self.cycles, self.knows_keys) = (None, false);
        match files.lost() {
            Some(lost) => format!("loaded {name} at rest: {lost}"),
            None => format!("loaded {name}"),
        }
    }

    /// Draws the frame for the current state.
    fn frame(&mut self, kernels: &mut dyn Kernels) -> Result<Canvas> {
        self.place(kernels)?;
        // A sprite that does not move is always visible.
        let still = (self.player.length() == 0).then_some(0.0);
        let frame = self.state.now().or(still);
        let picture = self.player.draw_scene(frame, kernels)?;
        render::print_events(&picture);
        let mut canvas = Canvas::new(&picture.image);
        let (state, scene) = (&self.state, &self.player.scene);
        if state.wireframe {
            looks::wireframe(&mut canvas, &picture.blocks);
        }
        if state.normals || state.spheres {
            looks::nodes(&mut canvas, state, scene, kernels)?;
        }
        let mut chunks = Vec::new();
        if state.textures {
            chunks = looks::textures(&mut canvas, state, self.player.textures());
        } else if state.tree {
            let trees: Vec<_> = scene.objects.iter().map(|object| object.tree()).collect();
            looks::tree(&mut canvas, state, &trees);
            chunks = looks::chunks(state, &trees);
        }
        let mut row = 0;
        if state.statistics {
            let lines = self.statistics(&picture)?;
            canvas.right(8, &lines);
            row = lines.len();
        }
        looks::details(&mut canvas, row, &chunks);
        if self.state.help {
            if !self.knows_keys {
                self.state.keys = self.conditions();
            }
            canvas.keys(help::lines(self.state.keys));
        }
        self.knows_keys = self.state.help;
        let foot = canvas.height().saturating_sub(canvas.leading() + 4);
        canvas.lines(4, foot, [self.state.status()]);
        self.message = self.message.take().filter(|(_, since)| since.elapsed() < MESSAGE);
        if let Some((text, _)) = &self.message {
            canvas.lines(4, foot.saturating_sub(canvas.leading()), [text]);
        }
        Ok(canvas)
    }

    /// Returns which keys have an effect on the current file.
    fn conditions(&mut self) -> Conditions {
        let player = &self.player;
        let conditions = Conditions::default()
            .with(Needs::Motion, player.length() > 0)
            .with(Needs::CameraMotion, player.moves_camera())
            .with(
                Needs::Model,
                !player.is_flat() && !player.scene.objects.is_empty(),
            )
            .with(Needs::Texture, !player.textures().textures.is_empty());
        let Some(files) = &mut self.files else {
            return conditions;
        };
        conditions
            .with(Needs::File, true)
            .with(Needs::OtherFiles, files.has_others())
            .with(Needs::Motions, files.has_motions(player))
            .with(Needs::Scene, files.is_scene())
    }

    /// Applies the state to the scene.
    fn place(&mut self, kernels: &mut dyn Kernels) -> Result<()> {
        let (state, player) = (&self.state, &mut self.player);
        player.scene.view.clone_from(&self.view);
        player.scene.view.camera = camera(&self.view.camera, state);
        player.set_mode(state.mode);
        if state.flies {
            player.move_camera(state.time, kernels)?;
        }
        player.move_lights(state.time, kernels)?;
        let scene = &mut player.scene;
        if state.lit
            && let Some(light) = scene.view.lights.list.first_mut()
        {
            *light = Light::directional(direction(state.light), light.colour);
        }
        let mut hidden = state.hidden.iter().copied();
        for object in &mut scene.objects {
            object.hidden = vec![false; object.tree().objects.len()];
            let order: Vec<usize> = object.tree().walk().map(|(id, _, _)| id.index()).collect();
            for (node, hide) in order.into_iter().zip(&mut hidden) {
                object.hidden[node] = hide;
            }
        }
        scene.seek(state.time);
        player.set_background(match state.background {
            0 => self.background,
            other => Argb(BACKGROUNDS[other - 1]),
        });
        Ok(())
    }

    /// Returns sizes of the frame, and its cycles. While the motion plays, the cycles are from an earlier
    /// frame: they are counted again only when the motion is paused at another time.
    fn statistics(&mut self, picture: &Picture) -> Result<Vec<String>> {
        let bytes = picture.blocks.len() * 32;
        let stats = &picture.stats;
        let mut lines = vec![
            format!(
                "{} nodes  {} strips  {} triangles",
                stats.nodes, stats.strips, stats.triangles
            ),
            format!("{bytes} bytes to the tile accelerator"),
        ];
        let time = self.state.time;
        if self.cycles.is_none()
            || (!self.state.playing && self.cycles.as_ref().is_some_and(|(at, _)| *at != time))
        {
            let mut metered = Metered::new()?;
            let mut lists = TaLists::default();
            self.player.lists(&mut metered, &mut lists)?;
            self.cycles = Some((time, cycles::dearest(&metered)));
        }
        if let Some((at, report)) = &self.cycles {
            lines.push(format!("at frame {at:.1}"));
            lines.extend(report.iter().cloned());
        }
        Ok(lines)
    }

    /// Writes the window's picture into the first file with a free name.
    fn save(&mut self, canvas: &Canvas) -> Result<()> {
        let stem = Path::new(&self.name)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let path = loop {
            let path = PathBuf::from(format!("{stem}-{:03}.png", self.pictures));
            self.pictures += 1;
            if !path.exists() {
                break path;
            }
        };
        output::write_png(&path, &canvas.image())?;
        println!("{}", path.display());
        if let Some(files) = &mut self.files {
            files.leave_out(path);
        }
        Ok(())
    }
}

/// Returns the camera that keys and mouse have moved.
fn camera(first: &scene::Camera, state: &State) -> scene::Camera {
    let degrees = |angle: f32| Bams::from_degrees(f64::from(angle));
    let right = direction([state.orbit[0] + 90.0, 0.0]);
    let up = cross(direction(state.orbit), right);
    let [x, y] = state.pan.map(|pan| pan * first.distance);
    scene::Camera {
        target: [0, 1, 2].map(|k| first.target[k] + right[k] * x + up[k] * y),
        yaw: degrees(state.orbit[0]),
        pitch: degrees(state.orbit[1]),
        distance: first.distance * state.zoom,
        ..*first
    }
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
