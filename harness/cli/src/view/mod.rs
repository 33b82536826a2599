//! `swirl view`: a model or a cell sprite in a window.

mod canvas;
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
use input::Input;
use minifb::{Key, KeyRepeat, Window, WindowOptions};
use ninja::Bams;
use pvr::Argb;
use scene::{Light, TaLists, View};
use sh4_kernels::Kernels;
use state::{HELP, State};
use std::path::{Path, PathBuf};
use std::time::Instant;
use verify::Metered;

/// Show a model or a cell sprite in a window.
///
/// Everything is on the keyboard; F1 shows the keys. Dragging with the left button goes around the model too,
/// and the wheel comes nearer.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl view model.nj --textures model.pvm\n  swirl view model.nj --motion \
        walk.njm --shape face.njs\n  \
    swirl view model.nj --motion :0 --camera camera.njm --light-motion lamp.njm\n  \
    swirl view walk.spa --cells walk.csa --textures walk.pvr"
)]
pub(crate) struct Args {
    /// The model, .nj, or the cell sprite.
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
    let first = render_input.draw(0.0, kernels.kernels());
    let first = first.with_context(|| name.clone())?;
    print_warnings(&name, &first, &render_input.viewport.missing);
    render_input.print_warnings();
    show(&name, render_input, &args.render, kernels.kernels())?;
    Ok(ExitStatus::Done)
}

/// Whether a window can be opened.
pub(crate) fn has_display() -> bool {
    cfg!(not(target_os = "linux")) || std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty())
}

/// Shows `render_input` until the window is closed.
pub(crate) fn show(
    name: &str,
    render_input: RenderInput,
    render: &RenderOptions,
    kernels: &mut dyn Kernels,
) -> Result<()> {
    if !has_display() {
        bail!("there is no display to open a window on (DISPLAY is not set); use swirl render");
    }
    let (width, height) = (render.size.width as usize, render.size.height as usize);
    let mut window = Window::new(&format!("swirl: {name}"), width, height, WindowOptions::default())
        .map_err(|error| anyhow!("the window could not be opened: {error}"))?;
    window.set_target_fps(60);
    let (mut viewer, mut input) = (Viewer::new(render_input, render), Input::default());
    let mut last = Instant::now();
    while window.is_open() && !window.is_key_down(Key::Escape) && !window.is_key_down(Key::Q) {
        let seconds = last.elapsed().as_secs_f32();
        last = Instant::now();
        input.control(&window, &mut viewer.state, seconds);
        let canvas = viewer.frame(kernels).with_context(|| name.to_owned())?;
        if window.is_key_pressed(Key::P, KeyRepeat::No) {
            viewer.save(name, &canvas)?;
        }
        window
            .update_with_buffer(&canvas.pixels, width, height)
            .map_err(|error| anyhow!("the window could not be drawn: {error}"))?;
    }
    Ok(())
}

struct Viewer {
    state: State,
    render_input: RenderInput,
    /// The view as the command line wants it, of whose lights a key may move the first.
    view: View,
    background: u32,
    /// Of the frame at that time, for the node flags then.
    cycles: Option<(f32, Vec<String>)>,
    pictures: u32,
}

impl Viewer {
    fn new(render_input: RenderInput, render: &RenderOptions) -> Self {
        let scene = &render_input.viewport.scene;
        let nodes = scene.objects.iter().map(|object| object.tree().walk().count());
        let light = render.light.unwrap_or([-26.6, 41.8]);
        let camera = &scene.view.camera;
        let orbit = [camera.yaw, camera.pitch].map(|angle| angle.0 as f32 * 360.0 / 65536.0);
        let state = State::new(orbit, light, render_input.length(), nodes.sum());
        Self {
            state: state.playing(render_input.play, render_input.views.moves_camera()),
            view: scene.view.clone(),
            render_input,
            background: render.background,
            cycles: None,
            pictures: 0,
        }
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
            canvas.keys(HELP);
        }
        let foot = canvas.height().saturating_sub(canvas.leading() + 4);
        canvas.lines(4, foot, [self.state.status()]);
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
            0 => self.background,
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
    fn save(&mut self, name: &str, canvas: &Canvas) -> Result<()> {
        let stem = Path::new(name)
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
