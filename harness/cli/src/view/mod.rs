//! `swirl view`: a model or a cell sprite in a window.

mod canvas;
mod files;
mod help;
mod input;
mod looks;
mod state;

use crate::exit::ExitStatus;
use crate::frame::cycles;
use crate::frame::effects::InputKind;
use crate::frame::input::{InputOptions, RenderInput};
use crate::frame::options::RenderOptions;
use crate::frame::values::direction;
use crate::frame::viewport::{DrawnFrame, print_warnings};
use crate::kernel_backend::KernelBackend;
use crate::output;
use anyhow::{Context, Result, anyhow, bail};
use canvas::Canvas;
use clap::ArgMatches;
use files::ViewFiles;
use help::Command;
use input::{Input, Placed};
use minifb::{Key, ScaleMode, Window, WindowOptions};
use ninja::Bams;
use pvr::Argb;
use scene::{Light, TaLists, View};
use sh4_kernels::{Kernels, Reference};
use state::State;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use verify::Metered;

/// Show a model, a cell sprite, a scene (FBX, glTF, OBJ) or textures in a window.
///
/// F1 shows the keys; a click on one of them does the same. Dragging with the left button goes around the
/// model, with the right button it moves the picture; the wheel comes nearer. A file that changes is loaded
/// again. Enter shows the next file of the folder, M the next motion that fits.
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
    /// The model, .nj, the cell sprite, the scene, .fbx, .gltf, .glb or .obj, or textures, .pvr, .pvm
    /// or a picture, .png, .tga, .bmp, .jpg or .dds.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    render_input: InputOptions,
    /// What computes the frames.
    #[arg(long, value_enum, default_value_t)]
    kernels: KernelBackend,
    #[command(flatten)]
    render: RenderOptions,
}

/// After the command line's: black, grey, white.
const BACKGROUNDS: [u32; state::BACKGROUNDS - 1] = [0xFF00_0000, 0xFF80_8080, 0xFFFF_FFFF];

pub(crate) fn run(args: &Args, matches: &ArgMatches) -> Result<ExitStatus> {
    let kind = InputKind {
        is_animation: true,
        ..args.render_input.kind(&args.file)?
    };
    kind.check(&args.file, matches, &args.render.play)?;
    let name = args.file.display().to_string();
    let mut render_input = RenderInput::load(&args.file, &args.render_input, &args.render)?;
    let moves = render_input.moves();
    kind.check_length(matches, &args.render.play, moves)
        .with_context(|| name.clone())?;
    let mut kernels = args.kernels.start(false)?;
    let first = draw_once(&mut render_input, kernels.kernels()).with_context(|| name.clone())?;
    print_warnings(&name, &first, &render_input.viewport.missing);
    render_input.print_warnings();
    let files = ViewFiles::new(&args.file, &args.render_input, &args.render);
    show(&name, render_input, Some(files), &args.render, kernels.kernels())?;
    Ok(ExitStatus::Done)
}

/// Draws the first frame, to find what cannot be drawn. The view is the command line's afterwards, wherever
/// motions have it.
fn draw_once(render_input: &mut RenderInput, kernels: &mut dyn Kernels) -> Result<DrawnFrame> {
    let view = render_input.viewport.scene.view.clone();
    let drawn = render_input.draw(0.0, kernels)?;
    render_input.viewport.scene.view = view;
    Ok(drawn)
}

/// Whether a window can be opened.
pub(crate) fn has_display() -> bool {
    cfg!(not(target_os = "linux")) || std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty())
}

/// How long a message stays.
const MESSAGE: Duration = Duration::from_secs(4);

/// Shows `render_input` until the window is closed; `files` are where it comes from.
pub(crate) fn show(
    name: &str,
    render_input: RenderInput,
    files: Option<ViewFiles>,
    render: &RenderOptions,
    kernels: &mut dyn Kernels,
) -> Result<()> {
    if !has_display() {
        bail!("there is no display to open a window on (DISPLAY is not set); use swirl render");
    }
    let (width, height) = (render.size.width as usize, render.size.height as usize);
    // The picture keeps its shape in a window of another one.
    let options = WindowOptions {
        resize: true,
        scale_mode: ScaleMode::AspectRatioStretch,
        ..WindowOptions::default()
    };
    let mut window = Window::new(&format!("swirl: {name}"), width, height, options)
        .map_err(|error| anyhow!("the window could not be opened: {error}"))?;
    window.set_target_fps(60);
    let mut viewer = Viewer::new(name, render_input, files, render);
    let (mut input, mut last) = (Input::default(), Instant::now());
    while window.is_open() && !window.is_key_down(Key::Escape) && !window.is_key_down(Key::Q) {
        let seconds = last.elapsed().as_secs_f32();
        last = Instant::now();
        let (wide, high) = window.get_size();
        let placed = Placed {
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
    render_input: RenderInput,
    files: Option<ViewFiles>,
    render: RenderOptions,
    /// The view as the command line wants it, of whose lights a key may move the first.
    view: View,
    /// Of the frame at that time, for the node flags then.
    cycles: Option<(f32, Vec<String>)>,
    pictures: u32,
    /// What was done last, until then.
    message: Option<(String, Instant)>,
}

/// The state for an input, before any key.
fn state_of(render_input: &RenderInput, render: &RenderOptions) -> State {
    let scene = &render_input.viewport.scene;
    let nodes = scene.objects.iter().map(|object| object.tree().walk().count());
    let light = render.light.unwrap_or([-26.6, 41.8]);
    let camera = &scene.view.camera;
    let orbit = [camera.yaw, camera.pitch].map(|angle| angle.0 as f32 * 360.0 / 65536.0);
    let state = State::new(orbit, light, render_input.length(), nodes.sum());
    let state = state.playing(render_input.play, render_input.views.moves_camera());
    if render_input.is_flat {
        state.still()
    } else {
        state
    }
}

impl Viewer {
    fn new(name: &str, render_input: RenderInput, files: Option<ViewFiles>, render: &RenderOptions) -> Self {
        Self {
            name: name.to_owned(),
            state: state_of(&render_input, render),
            view: render_input.viewport.scene.view.clone(),
            render_input,
            files,
            render: render.clone(),
            cycles: None,
            pictures: 0,
            message: None,
        }
    }

    /// Loads what keys ask for, and what has changed.
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
                Command::Reload => Ok(self.load(&mut files, true)),
                Command::Picture | Command::Close => continue,
            };
            self.say(text.unwrap_or_else(|error| format!("{error:#}")));
        }
        if files.have_changed() {
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
        let text = files.switch_motion(by, &self.render_input)?;
        let loaded = self.load(files, true);
        Ok(if loaded.starts_with("loaded") {
            text
        } else {
            loaded
        })
    }

    /// Loads the file, and tells what came of it. What cannot be loaded leaves the picture as it is. The view
    /// stays where it is for the same file.
    fn load(&mut self, files: &mut ViewFiles, same: bool) -> String {
        let name = files.name();
        let tried = files.load().and_then(|mut loaded| {
            let drawn = draw_once(&mut loaded, &mut Reference).with_context(|| name.clone())?;
            Ok((loaded, drawn))
        });
        let (loaded, drawn) = match tried {
            Ok(tried) => tried,
            Err(error) => {
                eprintln!("swirl: {error:#}");
                return format!("{error:#}");
            }
        };
        print_warnings(&name, &drawn, &loaded.viewport.missing);
        let state = state_of(&loaded, &self.render);
        self.view = loaded.viewport.scene.view.clone();
        self.state = if same {
            self.state.clone().loaded(state)
        } else {
            state.after(&self.state)
        };
        self.render_input = loaded;
        self.cycles = None;
        format!("loaded {name}")
    }

    /// Draws what the state says.
    fn frame(&mut self, kernels: &mut dyn Kernels) -> Result<Canvas> {
        self.place(kernels)?;
        // A sprite that does not move is always there.
        let still = (self.render_input.length() == 0).then_some(0.0);
        let frame = self.state.now().or(still);
        let picture = self.render_input.draw_as_it_is(frame, kernels)?;
        let mut canvas = Canvas::new(&picture.rendered.image);
        let (state, scene) = (&self.state, &self.render_input.viewport.scene);
        if state.wireframe {
            looks::wireframe(&mut canvas, &picture.rendered.blocks);
        }
        if state.normals || state.spheres {
            looks::nodes(&mut canvas, state, scene, kernels)?;
        }
        if state.tree {
            let trees: Vec<_> = scene.objects.iter().map(|object| object.tree()).collect();
            looks::tree(&mut canvas, state, &trees);
        }
        if state.figures {
            let lines = self.figures(&picture)?;
            canvas.right(8, &lines);
        }
        if self.state.help {
            canvas.keys(help::lines());
        }
        let foot = canvas.height().saturating_sub(canvas.leading() + 4);
        canvas.lines(4, foot, [self.state.status()]);
        self.message = self.message.take().filter(|(_, since)| since.elapsed() < MESSAGE);
        if let Some((text, _)) = &self.message {
            canvas.lines(4, foot.saturating_sub(canvas.leading()), [text]);
        }
        Ok(canvas)
    }

    /// Hands the state to the scene.
    fn place(&mut self, kernels: &mut dyn Kernels) -> Result<()> {
        let state = &self.state;
        let RenderInput { viewport, views, .. } = &mut self.render_input;
        let scene = &mut viewport.scene;
        scene.view.clone_from(&self.view);
        scene.view.camera = camera(&self.view.camera, state);
        views.set_play(state.mode);
        if state.flies {
            views.move_camera(state.time, &mut scene.view, kernels)?;
        }
        views.move_lights(state.time, &mut scene.view, kernels)?;
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
            object.playback.mode = state.mode;
        }
        scene.seek(state.time);
        let background = match state.background {
            0 => self.render.background,
            other => BACKGROUNDS[other - 1],
        };
        viewport.screen.set_background(Argb(background));
        Ok(())
    }

    /// Sizes of the frame, and its cycles; those are counted again when the frame stands still somewhere
    /// else.
    fn figures(&mut self, picture: &DrawnFrame) -> Result<Vec<String>> {
        let bytes = picture.rendered.blocks.len() * 32;
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
            self.render_input.viewport.lists(&mut metered, &mut lists)?;
            self.cycles = Some((time, cycles::dearest(&metered)));
        }
        if let Some((at, report)) = &self.cycles {
            lines.push(format!("at frame {at:.1}"));
            lines.extend(report.iter().cloned());
        }
        Ok(lines)
    }

    /// Writes the window's picture into the first file of its name that is free.
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

/// Where keys and mouse have taken the first camera.
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
