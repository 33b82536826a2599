//! Motions and shapes on models, cameras and lights.

use crate::error::{At, Result, bail};
use crate::loader::Loader;
use crate::options::direction;
use crate::{Assets, Error, Input, MotionSource, Options};
use ninja::{Bams, CShapeList, CShapeMotion, Chunk, File, MotionKind};
use scene::{
    CameraMotion, FreeCamera, Kernels, Light, LightMotion, Lights, Link, Motion, Object, PlayMode,
    ShapeMotion, SplineAngles, View, Viewport,
};

impl MotionSource {
    /// Reads the file and returns its name and content. For a scene, returns its motions of `kind`, converted
    /// for the nodes of `model`.
    fn read(&self, loader: &mut Loader<'_>, model: &File, kind: MotionKind) -> Result<(String, File)> {
        match &self.file {
            None => Ok((loader.assets.model.display().to_string(), model.clone())),
            Some(file) if Input::named(file).is_some_and(Input::is_scene) => Ok((
                file.display().to_string(),
                loader.motions_of_scene(file, model, kind)?,
            )),
            Some(file) => Ok((file.display().to_string(), loader.ninja(file)?)),
        }
    }

    /// Reads a motion and returns it with its file's name. `model` is the content of the model's own file.
    pub(crate) fn motion(
        &self,
        loader: &mut Loader<'_>,
        model: &File,
        kind: MotionKind,
    ) -> Result<(String, ninja::Motion)> {
        let (name, file) = self.read(loader, model, kind)?;
        let motion = numbered(&name, &file, kind, self.number)?;
        Ok((name, motion))
    }
}

/// Returns motion `number`, counted among the motions of the same kind.
fn numbered(name: &str, file: &File, kind: MotionKind, number: usize) -> Result<ninja::Motion> {
    let motions = || file.motions().filter(|motion| motion.kind == kind);
    if let Some(motion) = motions().nth(number) {
        return Ok(motion.clone());
    }
    let (count, id) = (motions().count(), kind.chunk_id());
    let plural = if count == 1 { "" } else { "s" };
    match count {
        0 => bail!("{name}: found no motion of kind {id}, expected one"),
        _ => bail!(
            "{name}: found {count} {id} motion{plural}, expected motion {number} of this kind, counted from 0"
        ),
    }
}

/// Reads the motions and shapes of a model, and binds each to the first object that it fits.
pub(crate) fn set(
    loader: &mut Loader<'_>,
    model: &File,
    options: &Options,
    objects: &mut [Object],
) -> Result<()> {
    let assets = loader.assets;
    let played = |motion: Motion| {
        let motion = motion.with_last_key(options.last_key);
        let rules = &options.rules;
        motion
            .with_spline_angles(rules.spline_angles)
            .with_flags(rules.motion_break, rules.motion_order)
    };
    for object in objects.iter_mut() {
        object.playback.mode = options.mode;
    }
    let read = |source: &Option<MotionSource>, loader: &mut Loader<'_>| {
        let read = source
            .as_ref()
            .map(|source| Result::Ok((source.read(loader, model, MotionKind::Model)?, source.number)));
        read.transpose()
    };
    let motion: Option<((String, File), usize)> = read(&assets.motion, loader)?;
    let shape = read(&assets.shape, loader)?;
    if let Some(((name, file), number)) = motion
        .as_ref()
        .filter(|((_, file), _)| !moves_vertices_only(file))
    {
        let motion = numbered(name, file, MotionKind::Model, *number)?;
        let (i, bound) =
            first_fit(objects, |object| Motion::bind(object.tree(), &motion)).at(format_args!(
                "{name}: the motion does not fit {}{}",
                loader.name(),
                loader.nodes_from(motion.nodes.len())
            ))?;
        loader.warn_all(name, bound.warnings());
        objects[i].motion = Some(played(bound));
    }
    if let Some((source, share)) = &assets.link {
        let (name, motion) = source.motion(loader, model, MotionKind::Model)?;
        let (i, bound) =
            first_fit(objects, |object| Motion::bind(object.tree(), &motion)).at(format_args!(
                "{name}: the linked motion does not fit {}{}",
                loader.name(),
                loader.nodes_from(motion.nodes.len())
            ))?;
        let warnings = bound.warnings().iter();
        loader.warn_all(
            &name,
            warnings.map(|warning| format!("the linked motion: {warning}")),
        );
        objects[i].link = Some(Link {
            motion: played(bound),
            share: *share,
            ahead: 0.0,
        });
    }
    for object in &*objects {
        let linked = object.link.as_ref().map(|link| &link.motion);
        let splines = object.motion.iter().chain(linked).find_map(Motion::spline_angles);
        loader.warn_all(&loader.name(), splines.map(spline_note));
    }
    // A motion file without node motions provides the shape motion.
    let of_motion = motion.as_ref().filter(|((_, file), _)| moves_vertices_only(file));
    let shape_file = shape.as_ref().map(|((_, file), _)| file);
    let (name, list, motion) = match (of_motion, &shape) {
        (Some(((name, file), number)), shape) => {
            let number = (*number).max(shape.as_ref().map_or(0, |(_, number)| *number));
            shapes(name, [Some(file), shape_file, Some(model)], number)?
        }
        (None, Some(((name, file), number))) => {
            let of_motion = motion.as_ref().map(|((_, file), _)| file);
            shapes(name, [Some(file), of_motion, Some(model)], *number)?
        }
        (None, None) => return Ok(()),
    };
    let (i, bound) = first_fit(objects, |object| ShapeMotion::bind(object.tree(), &list, &motion)).at(
        format_args!("{name}: the shape motion does not fit {}", loader.name()),
    )?;
    loader.warn_all(name, bound.warnings());
    objects[i].shape = Some(bound.with_last_key(options.last_key));
    Ok(())
}

/// Returns whether a file has shape motions (CPSM) but no motion of nodes (NMDM).
fn moves_vertices_only(file: &File) -> bool {
    let has_shapes = |chunk: &Chunk| matches!(chunk, Chunk::ShapeMotion(_));
    file.chunks.iter().any(has_shapes) && !file.motions().any(|motion| motion.kind == MotionKind::Model)
}

/// Returns the first shape list of these files, and shape motion `number` of the first file that has any.
fn shapes<'a>(
    name: &'a str,
    files: [Option<&File>; 3],
    number: usize,
) -> Result<(&'a str, CShapeList, CShapeMotion)> {
    let files = || files.into_iter().flatten().map(|file| &file.chunks);
    let list = files().flatten().find_map(|chunk| match chunk {
        Chunk::ShapeList(list) => Some(list.clone()),
        _ => None,
    });
    let Some(list) = list else {
        bail!("{name}: found no shape list (NJSL) in this file or the others: name a file with --shape");
    };
    let of_chunk = |chunk: &Chunk| match chunk {
        Chunk::ShapeMotion(motion) => Some(motion.clone()),
        _ => None,
    };
    let motions = files().map(|chunks| chunks.iter().filter_map(of_chunk).collect::<Vec<_>>());
    let mut motions = motions
        .into_iter()
        .find(|motions| !motions.is_empty())
        .unwrap_or_default();
    let count = motions.len();
    if number >= count {
        bail!(
            "{name}: shape motion {number}, counted from 0: found {count} shape motions (CPSM) in this file, \
             the motion's file or the model's file"
        );
    }
    Ok((name, list, motions.swap_remove(number)))
}

/// Returns a notice about the interpolation of angles in a spline motion.
pub(crate) fn spline_note(rule: SplineAngles) -> String {
    let (name, other) = match rule {
        SplineAngles::Spline => ("spline: angles follow the spline", "linear"),
        SplineAngles::Linear => ("linear: angles change linearly between keys", "spline"),
    };
    format!(
        "a spline motion has angles, and spline-angles={name}; --set spline-angles={other} selects the other \
         rule"
    )
}

/// Binds to the first object for which `bind` succeeds, and returns the object's index with the result. If
/// there is none, returns the first error.
fn first_fit<T, E: Into<Error>>(
    objects: &[Object],
    bind: impl Fn(&Object) -> std::result::Result<T, E>,
) -> Result<(usize, T)> {
    let mut first = None;
    for (i, object) in objects.iter().enumerate() {
        match bind(object) {
            Ok(bound) => return Ok((i, bound)),
            Err(error) => first = first.or(Some(error.into())),
        }
    }
    Err(first.unwrap_or_else(|| Error::Invalid("the file holds no model".to_owned())))
}

/// Motions of the camera and of lights. Outside of a motion's frames, camera and lights keep their last
/// state.
pub(crate) struct ViewMotions {
    pub(crate) camera: Option<CameraMotion>,
    lights: Vec<LightMotion>,
    pub(crate) mode: PlayMode,
    /// Near plane of moving cameras. They can come closer to the model than the camera of the view.
    near: f32,
    /// The view's ambient light.
    ambient: [f32; 3],
}

impl ViewMotions {
    /// Creates a set without motions.
    pub(crate) fn new(options: &Options, view: &View) -> Self {
        Self {
            camera: None,
            lights: Vec::new(),
            mode: options.mode,
            near: view.viewport.near.min(view.camera.distance * 0.01),
            ambient: view.lights.ambient,
        }
    }

    /// Reads the motions of `assets` for a view.
    pub(crate) fn load(
        loader: &mut Loader<'_>,
        model: &File,
        options: &Options,
        view: &View,
    ) -> Result<Self> {
        let Assets { camera, lights, .. } = loader.assets;
        let (last_key, splines) = (options.last_key, options.rules.spline_angles);
        let mut this = Self::new(options, view);
        if let Some(source) = camera {
            let (name, motion) = source.motion(loader, model, MotionKind::Camera)?;
            let motion = CameraMotion::bind(free(view), &motion).at(&name)?;
            loader.warn_all(&name, motion.warnings());
            this.camera = Some(motion.with_last_key(last_key).with_spline_angles(splines));
        }
        // Initial light; a motion replaces only the values that it has keys for.
        let white = Light::directional([0.0, 1.0, 0.0], [1.0; 3]);
        let light = view.lights.list.first().copied().unwrap_or(white);
        for source in lights {
            let (name, motion) = source.motion(loader, model, MotionKind::Light)?;
            let motion = LightMotion::bind(light, &motion).at(&name)?;
            loader.warn_all(&name, motion.warnings());
            this.lights
                .push(motion.with_last_key(last_key).with_spline_angles(splines));
        }
        Ok(this)
    }

    /// Returns whether a spline motion has keys for angles.
    pub(crate) fn has_spline_angles(&self) -> bool {
        let camera = self.camera.iter().any(|motion| motion.spline_angles().is_some());
        camera || self.lights.iter().any(|motion| motion.spline_angles().is_some())
    }

    /// Number of frames of the longest motion; 0 without motions.
    pub(crate) fn length(&self) -> u32 {
        let lights = self.lights.iter().map(LightMotion::length);
        lights
            .chain(self.camera.iter().map(CameraMotion::length))
            .max()
            .unwrap_or(0)
    }

    /// Moves the camera of `view`.
    pub(crate) fn move_camera(&self, time: f32, view: &mut View, kernels: &mut dyn Kernels) -> Result<()> {
        let Some(motion) = &self.camera else { return Ok(()) };
        let Some(frame) = self.mode.frame(time, motion.length()) else {
            return Ok(());
        };
        if let Some(camera) = motion.camera(frame, kernels)? {
            let [width, height] = view.viewport.size.map(|side| side as u32);
            view.camera = camera.camera();
            view.viewport = Viewport::across(width, height, camera.angle, self.near);
        }
        Ok(())
    }

    /// Moves the lights of `view`.
    pub(crate) fn move_lights(&self, time: f32, view: &mut View, kernels: &mut dyn Kernels) -> Result<()> {
        if self.lights.is_empty() {
            return Ok(());
        }
        let mut moved = Lights {
            ambient: self.ambient,
            list: Vec::new(),
        };
        for (i, motion) in self.lights.iter().enumerate() {
            let now = match self.mode.frame(time, motion.length()) {
                Some(frame) => motion.light(frame, kernels)?,
                None => None,
            };
            match now {
                Some((light, ambient)) => {
                    moved.list.push(light);
                    moved.ambient = [0, 1, 2].map(|k| moved.ambient[k] + ambient[k]);
                }
                None => moved.list.extend(view.lights.list.get(i)),
            }
        }
        view.lights = moved;
        Ok(())
    }
}

/// The camera of the view; a motion replaces only the values that it has keys for.
fn free(view: &View) -> FreeCamera {
    let camera = &view.camera;
    let degrees = |angle: Bams| angle.0 as f32 * 360.0 / 65536.0;
    let back = direction([camera.yaw, camera.pitch].map(degrees));
    let half = (view.viewport.size[0] / 2.0 / view.viewport.words[0]).atan();
    FreeCamera {
        position: [0, 1, 2].map(|k| camera.target[k] + back[k] * camera.distance),
        target: camera.target,
        roll: camera.roll,
        angle: Bams::from_degrees(f64::from(half).to_degrees() * 2.0),
    }
}
