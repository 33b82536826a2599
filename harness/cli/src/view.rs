//! `swirl view`: a model in a window.

use crate::engine::Engine;
use crate::frame::{Shot, Stage, print_warnings};
use crate::motions::Motions;
use crate::{Outcome, assets};
use anyhow::{Context, Result, anyhow, bail};
use minifb::{Key, KeyRepeat, MouseButton, MouseMode, Window, WindowOptions};
use ninja::Bams;
use pvr::Image;
use sh4_kernels::Kernels;
use std::path::PathBuf;
use std::time::Instant;

/// Show a model in a window.
///
/// Drag with the left button or use the arrow keys to go around the model, the wheel or + and - to come nearer; space
/// stops and starts the turntable, R puts the camera back, Escape or Q closes the window.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  swirl view model.nj --textures model.pvm")]
pub(crate) struct Args {
    /// The model, .nj.
    file: PathBuf,
    /// Archives (.pvm), textures (.pvr) or folders of textures; may be given several times.
    #[arg(long, value_name = "PATH")]
    textures: Vec<PathBuf>,
    /// What computes the frames.
    #[arg(long, value_enum, default_value_t)]
    kernels: Engine,
    #[command(flatten)]
    shot: Shot,
}

/// Degrees a second of the turntable.
const TURNTABLE: f32 = 30.0;
/// Degrees of one pixel of dragging.
const DRAG: f32 = 0.4;
/// Degrees a second while an arrow key is held.
const ARROW: f32 = 90.0;

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let name = args.file.display().to_string();
    let model = assets::load(&args.file, &args.textures)?;
    let mut stage = Stage::new(&model, &args.shot, &Motions::default()).with_context(|| name.clone())?;
    let mut kernels = args.kernels.start()?;
    let first = stage
        .draw(kernels.as_mut(), |_, _| Ok(()))
        .with_context(|| name.clone())?;
    print_warnings(&name, &first);
    show(&name, &mut stage, &args.shot, kernels.as_mut())?;
    Ok(Outcome::Done)
}

/// Whether a window can be opened.
pub(crate) fn has_display() -> bool {
    cfg!(not(target_os = "linux")) || std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty())
}

/// Shows `stage` until the window is closed.
pub(crate) fn show(name: &str, stage: &mut Stage, shot: &Shot, kernels: &mut dyn Kernels) -> Result<()> {
    if !has_display() {
        bail!("there is no display to open a window on (DISPLAY is not set); use swirl render");
    }
    let (width, height) = (shot.size.width as usize, shot.size.height as usize);
    let mut window = Window::new(&format!("swirl: {name}"), width, height, WindowOptions::default())
        .map_err(|error| anyhow!("the window could not be opened: {error}"))?;
    window.set_target_fps(60);
    let mut orbit = Orbit {
        yaw: shot.yaw,
        pitch: shot.pitch,
        zoom: 1.0,
        turning: true,
        mouse: None,
    };
    let distance = stage.scene.view.camera.distance;
    let mut last = Instant::now();
    while window.is_open() && !window.is_key_down(Key::Escape) && !window.is_key_down(Key::Q) {
        let seconds = last.elapsed().as_secs_f32();
        last = Instant::now();
        orbit.control(&window, seconds, shot);
        let degrees = |angle: f32| Bams::from_degrees(f64::from(angle));
        let camera = &mut stage.scene.view.camera;
        (camera.yaw, camera.pitch, camera.distance) =
            (degrees(orbit.yaw), degrees(orbit.pitch), distance * orbit.zoom);
        let picture = stage
            .draw(kernels, |_, _| Ok(()))
            .with_context(|| name.to_owned())?;
        window
            .update_with_buffer(&window_pixels(&picture.image), width, height)
            .map_err(|error| anyhow!("the window could not be drawn: {error}"))?;
    }
    Ok(())
}

/// Where the camera is, in degrees, and what moves it.
struct Orbit {
    yaw: f32,
    pitch: f32,
    zoom: f32,
    turning: bool,
    mouse: Option<(f32, f32)>,
}

impl Orbit {
    fn control(&mut self, window: &Window, seconds: f32, shot: &Shot) {
        let pressed = |key| window.is_key_pressed(key, KeyRepeat::No);
        if pressed(Key::Space) {
            self.turning = !self.turning;
        }
        if pressed(Key::R) {
            (self.yaw, self.pitch, self.zoom) = (shot.yaw, shot.pitch, 1.0);
        }
        let held = |key| {
            if window.is_key_down(key) {
                ARROW * seconds
            } else {
                0.0
            }
        };
        self.yaw += held(Key::Right) - held(Key::Left);
        self.pitch += held(Key::Up) - held(Key::Down);
        let dragging = window.get_mouse_down(MouseButton::Left);
        let mouse = window.get_mouse_pos(MouseMode::Pass).filter(|_| dragging);
        if let (Some((x, y)), Some((old_x, old_y))) = (mouse, self.mouse) {
            self.yaw -= (x - old_x) * DRAG;
            self.pitch += (y - old_y) * DRAG;
        }
        self.mouse = mouse;
        let wheel = window.get_scroll_wheel().map_or(0.0, |(_, y)| y);
        let nearer = window.is_key_down(Key::Equal) || window.is_key_down(Key::NumPadPlus);
        let further = window.is_key_down(Key::Minus) || window.is_key_down(Key::NumPadMinus);
        let steps = wheel * 0.1 + seconds * (f32::from(u8::from(nearer)) - f32::from(u8::from(further)));
        self.zoom = (self.zoom * (-steps).exp()).clamp(0.05, 20.0);
        self.pitch = self.pitch.clamp(-89.0, 89.0);
        if self.turning && !dragging {
            self.yaw += TURNTABLE * seconds;
        }
        self.yaw = self.yaw.rem_euclid(360.0);
    }
}

/// 0RGB words, as the window takes them.
fn window_pixels(image: &Image) -> Vec<u32> {
    let pixels = image.rgba.as_chunks::<4>().0;
    pixels
        .iter()
        .map(|[r, g, b, _]| u32::from_be_bytes([0, *r, *g, *b]))
        .collect()
}
