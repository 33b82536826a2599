//! `--camera` and `--light-motion`: cameras and lights that move.

use super::motions::{MotionSource, Motions};
use super::values::direction;
use anyhow::{Context, Result};
use clap::Args;
use ninja::{Bams, File, MotionKind};
use scene::{CameraMotion, FreeCamera, Kernels, Light, LightMotion, Lights, PlayMode, View, Viewport};
use std::path::Path;

/// What moves the view of a command.
#[derive(Args, Clone, Debug)]
#[group(id = "views")]
pub(crate) struct ViewMotionOptions {
    /// Motion of the camera: a file, and which of its camera motions (NCAM), from 0; without a file one of
    /// the model's own.
    #[arg(long, value_name = "FILE[:N]")]
    camera: Option<MotionSource>,
    /// A light that moves, instead of the usual one: a file, and which of its light motions (NLIM); may be
    /// given several times.
    #[arg(long, value_name = "FILE[:N]")]
    light_motion: Vec<MotionSource>,
}

/// What moves the view. Outside of their frames camera and lights stay as they were.
pub(crate) struct ViewMotions {
    camera: Option<CameraMotion>,
    lights: Vec<LightMotion>,
    play: PlayMode,
    /// Of free cameras, which may come nearer than the one that the view had.
    near: f32,
    /// The view's ambient light.
    ambient: [f32; 3],
}

impl ViewMotionOptions {
    /// No motion.
    pub(super) fn none() -> Self {
        Self {
            camera: None,
            light_motion: Vec::new(),
        }
    }

    /// Whether any motion is named.
    pub(crate) fn moves(&self) -> bool {
        self.camera.is_some() || !self.light_motion.is_empty()
    }

    /// Reads what the options name; `model` was read from `path`, and is seen in `view`. Warnings go to
    /// stderr.
    pub(crate) fn load(
        &self,
        path: &Path,
        model: &File,
        motions: &Motions,
        view: &View,
    ) -> Result<ViewMotions> {
        let camera = self.camera.as_ref().map(|source| {
            let (name, motion) = source.motion(path, model, MotionKind::Camera)?;
            let bound = CameraMotion::bind(free(view), &motion).with_context(|| name.clone())?;
            warn(&name, bound.warnings());
            anyhow::Ok(
                bound
                    .with_last_key(motions.rules.last_key)
                    .with_spline_angles(motions.rules.spline_angles),
            )
        });
        let lights = self.light_motion.iter().map(|source| {
            let (name, motion) = source.motion(path, model, MotionKind::Light)?;
            let bound = LightMotion::bind(light(&view.lights), &motion).with_context(|| name.clone())?;
            warn(&name, bound.warnings());
            anyhow::Ok(
                bound
                    .with_last_key(motions.rules.last_key)
                    .with_spline_angles(motions.rules.spline_angles),
            )
        });
        Ok(ViewMotions {
            camera: camera.transpose()?,
            lights: lights.collect::<Result<_>>()?,
            play: motions.rules.mode,
            ..ViewMotions::none(view)
        })
    }
}

fn warn(name: &str, warnings: &[scene::MotionWarning]) {
    for warning in warnings {
        eprintln!("{name}: warning: {warning}");
    }
}

/// The view's camera, for what a motion does not move.
fn free(view: &View) -> FreeCamera {
    let degrees = |angle: Bams| angle.0 as f32 * 360.0 / 65536.0;
    let way = direction([degrees(view.camera.yaw), degrees(view.camera.pitch)]);
    let half = (view.viewport.size[0] / 2.0 / view.viewport.words[0]).atan();
    FreeCamera {
        position: [0, 1, 2].map(|k| view.camera.target[k] + way[k] * view.camera.distance),
        target: view.camera.target,
        roll: view.camera.roll,
        angle: Bams::from_degrees(f64::from(half).to_degrees() * 2.0),
    }
}

/// The first light of a view, for what a motion does not move.
fn light(lights: &Lights) -> Light {
    let white = Light::directional([0.0, 1.0, 0.0], [1.0; 3]);
    lights.list.first().copied().unwrap_or(white)
}

impl ViewMotions {
    /// Nothing that moves `view`.
    pub(crate) fn none(view: &View) -> Self {
        ViewMotions {
            camera: None,
            lights: Vec::new(),
            play: PlayMode::default(),
            near: view.viewport.near.min(view.camera.distance * 0.01),
            ambient: view.lights.ambient,
        }
    }

    /// Whether the camera moves.
    pub(crate) fn moves_camera(&self) -> bool {
        self.camera.is_some()
    }

    /// Whether a camera or a light asks for splines and moves angles.
    pub(crate) fn has_spline_angles(&self) -> bool {
        let camera = self.camera.iter().any(|motion| motion.spline_angles().is_some());
        camera || self.lights.iter().any(|motion| motion.spline_angles().is_some())
    }

    /// Changes what follows a motion's last frame.
    pub(crate) fn set_play(&mut self, play: PlayMode) {
        self.play = play;
    }

    /// Frames of the longest motion; 0 if nothing moves.
    pub(crate) fn length(&self) -> u32 {
        let lights = self.lights.iter().map(LightMotion::length);
        let camera = self.camera.iter().map(CameraMotion::length);
        lights.chain(camera).max().unwrap_or(0)
    }

    /// Moves the camera of `view` to where it is at `time`.
    pub(crate) fn move_camera(&self, time: f32, view: &mut View, kernels: &mut dyn Kernels) -> Result<()> {
        if let Some(camera) = self.camera_at(time, kernels)? {
            let [width, height] = view.viewport.size.map(|side| side as u32);
            view.camera = camera.camera();
            view.viewport = Viewport::across(width, height, camera.angle, self.near);
        }
        Ok(())
    }

    fn camera_at(&self, time: f32, kernels: &mut dyn Kernels) -> Result<Option<FreeCamera>> {
        let Some(motion) = &self.camera else {
            return Ok(None);
        };
        Ok(match self.play.frame(time, motion.length()) {
            Some(frame) => motion.camera(frame, kernels)?,
            None => None,
        })
    }

    /// Moves its lights.
    pub(crate) fn move_lights(&self, time: f32, view: &mut View, kernels: &mut dyn Kernels) -> Result<()> {
        if self.lights.is_empty() {
            return Ok(());
        }
        let lights = &mut view.lights;
        let mut moved = Lights {
            ambient: self.ambient,
            list: Vec::new(),
        };
        for (i, motion) in self.lights.iter().enumerate() {
            let now = match self.play.frame(time, motion.length()) {
                Some(frame) => motion.light(frame, kernels)?,
                None => None,
            };
            match now {
                Some((light, ambient)) => {
                    moved.list.push(light);
                    moved.ambient = [0, 1, 2].map(|k| moved.ambient[k] + ambient[k]);
                }
                None => moved.list.extend(lights.list.get(i)),
            }
        }
        *lights = moved;
        Ok(())
    }
}
