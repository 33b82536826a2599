//! `swirl view`: a model in a window.

mod canvas;
mod input;
mod looks;
mod state;

use crate::engine::Engine;
use crate::frame::{Picture, Stage, print_warnings};
use crate::frame_costs;
use crate::pictures::{Model, Sources};
use crate::shot::{Shot, direction};
use crate::{Outcome, motions, output};
use anyhow::{Context, Result, anyhow, bail};
use canvas::Canvas;
use input::Input;
use minifb::{Key, KeyRepeat, Window, WindowOptions};
use ninja::Bams;
use pvr::Argb;
use scene::{Light, Lights, PlayMode, TaLists};
use sh4_kernels::Kernels;
use state::{HELP, State};
use std::path::{Path, PathBuf};
use std::time::Instant;
use verify::Metered;

/// Show a model in a window.
///
/// Everything is on the keyboard; F1 shows the keys. Dragging with the left button goes around the model too, and the
/// wheel comes nearer.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl view model.nj --textures model.pvm\n  swirl view model.nj --motion walk.njm --shape face.njs"
)]
pub(crate) struct Args {
    /// The model, .nj.
    file: PathBuf,
    #[command(flatten)]
    sources: Sources,
    /// What computes the frames.
    #[arg(long, value_enum, default_value_t)]
    kernels: Engine,
    #[command(flatten)]
    motions: motions::Options,
    #[command(flatten)]
    shot: Shot,
}

/// After the command line's: black, grey, white.
const BACKGROUNDS: [u32; state::BACKGROUNDS - 1] = [0xFF00_0000, 0xFF80_8080, 0xFFFF_FFFF];

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let name = args.file.display().to_string();
    let model = Model::load(&args.file, &args.sources)?;
    let motions = args.motions.load(&args.file, &model.file)?;
    let mut stage = Stage::new(&model, &args.shot, &motions).with_context(|| name.clone())?;
    for warning in &stage.warnings {
        eprintln!("{name}: warning: {warning}");
    }
    let mut kernels = args.kernels.start(false)?;
    let first = stage
        .draw(kernels.kernels(), |_, _, _| Ok(()))
        .with_context(|| name.clone())?;
    print_warnings(&name, &first);
    show(&name, &mut stage, &args.shot, kernels.kernels(), motions.play)?;
    Ok(Outcome::Done)
}

/// Whether a window can be opened.
pub(crate) fn has_display() -> bool {
    cfg!(not(target_os = "linux")) || std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty())
}

/// Shows `stage` until the window is closed.
pub(crate) fn show(
    name: &str,
    stage: &mut Stage,
    shot: &Shot,
    kernels: &mut dyn Kernels,
    mode: PlayMode,
) -> Result<()> {
    if !has_display() {
        bail!("there is no display to open a window on (DISPLAY is not set); use swirl render");
    }
    let (width, height) = (shot.size.width as usize, shot.size.height as usize);
    let mut window = Window::new(&format!("swirl: {name}"), width, height, WindowOptions::default())
        .map_err(|error| anyhow!("the window could not be opened: {error}"))?;
    window.set_target_fps(60);
    let (mut viewer, mut input) = (Viewer::new(stage, shot, mode), Input::default());
    let mut last = Instant::now();
    while window.is_open() && !window.is_key_down(Key::Escape) && !window.is_key_down(Key::Q) {
        let seconds = last.elapsed().as_secs_f32();
        last = Instant::now();
        input.control(&window, &mut viewer.state, seconds);
        let canvas = viewer.frame(stage, kernels).with_context(|| name.to_owned())?;
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
    /// The camera as the command line wants it.
    camera: scene::Camera,
    background: u32,
    /// The scene's, of which a key may move the first.
    lights: Lights,
    /// Of the frame at that time, for the node flags then.
    cycles: Option<(f32, Vec<String>)>,
    pictures: u32,
}

impl Viewer {
    fn new(stage: &Stage, shot: &Shot, mode: PlayMode) -> Self {
        let nodes = stage
            .scene
            .objects
            .iter()
            .map(|object| object.tree().walk().count());
        let light = shot.light.unwrap_or([-26.6, 41.8]);
        let mut state = State::new([shot.yaw, shot.pitch], light, stage.scene.length(), nodes.sum());
        state.mode = mode;
        Self {
            state,
            camera: stage.scene.view.camera,
            background: shot.background,
            lights: stage.scene.view.lights.clone(),
            cycles: None,
            pictures: 0,
        }
    }

    /// Draws what the state says.
    fn frame(&mut self, stage: &mut Stage, kernels: &mut dyn Kernels) -> Result<Canvas> {
        self.place(stage);
        let picture = stage.draw(kernels, |_, _, _| Ok(()))?;
        let mut canvas = Canvas::new(&picture.rendered.image);
        let state = &self.state;
        if state.wireframe {
            looks::wireframe(&mut canvas, &picture.rendered.blocks);
        }
        if state.normals || state.spheres {
            looks::nodes(&mut canvas, state, &stage.scene, kernels)?;
        }
        if state.tree {
            let trees: Vec<_> = stage.scene.objects.iter().map(|object| object.tree()).collect();
            looks::tree(&mut canvas, state, &trees);
        }
        if state.figures {
            let lines = self.figures(stage, &picture)?;
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
    fn place(&self, stage: &mut Stage) {
        let degrees = |angle: f32| Bams::from_degrees(f64::from(angle));
        let state = &self.state;
        let mut camera = self.camera;
        camera.distance *= state.zoom;
        (camera.yaw, camera.pitch) = (degrees(state.orbit[0]), degrees(state.orbit[1]));
        let back = direction(state.orbit);
        let right = direction([state.orbit[0] + 90.0, 0.0]);
        let up = cross(back, right);
        let [x, y] = state.pan.map(|pan| pan * self.camera.distance);
        camera.target = [0, 1, 2].map(|k| camera.target[k] + right[k] * x + up[k] * y);
        let scene = &mut stage.scene;
        scene.view.camera = camera;
        scene.view.lights.clone_from(&self.lights);
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
        stage.screen.set_background(Argb(background));
    }

    /// Sizes of the frame, and its cycles; those are counted again when the frame stands still somewhere else.
    fn figures(&mut self, stage: &Stage, picture: &Picture) -> Result<Vec<String>> {
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
            stage.lists(&mut metered, &mut TaLists::default())?;
            self.cycles = Some((time, frame_costs::dearest(&metered)));
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

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
