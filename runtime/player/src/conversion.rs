//! Converts scenes for the video memory of a frame. `convert`, `render` and `view` share this rule.

use crate::camera::{FIELD_OF_VIEW, empty_view, fit, near};
use crate::error::{At, Result};
use crate::extent::SceneExtent;
use crate::screen::checker;
use crate::{Assets, Error, Files, Input, Options};
use convert::Conversion;
use pvr::Frame;
use scene::{Object, Reference, Scene, Settings, Shadows, TaLists, View, Viewport};
use std::path::{Path, PathBuf};

/// Converts a scene. Textures get the video memory that the polygons leave in a frame of [`Options::size`],
/// and are scaled down to it with a notice. [`convert::Options::texture_bytes`] overrides this memory.
///
/// The polygons are measured with all of them in view and without culling, because the camera and the parts
/// can move.
///
/// # Errors
/// Fails as [`convert::convert`] does, and if a frame cannot have the size.
pub fn convert_scene(
    bytes: &[u8],
    scene: &convert::Options,
    frame: &Options,
    files: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Conversion> {
    let mut convert = |most: usize| {
        let options = convert::Options {
            texture_bytes: Some(most),
            ..scene.clone()
        };
        convert::convert(bytes, &options, files)
    };
    if let Some(most) = scene.texture_bytes {
        return Ok(convert(most)?);
    }
    let most = free_texture_bytes(frame)?;
    let first = convert(most)?;
    if first.report.texture_bytes == 0 {
        return Ok(first);
    }
    // The size of a texture can change the texture coordinates, so the scene is converted again.
    match beside_polygons(&first, frame)? {
        Some(left) if left < first.report.texture_bytes => Ok(convert(left)?),
        _ => Ok(first),
    }
}

/// Reads and converts the scene of `assets`, as [`crate::Player::open`] does.
///
/// # Errors
/// If the file cannot be read, or is no scene that can be converted.
pub fn open_scene(files: &dyn Files, assets: &Assets, options: &Options) -> Result<Conversion> {
    let bytes = files.read(&assets.model)?;
    read(files, assets, options, Input::of(&assets.model, &bytes), &bytes)
}

/// Converts the bytes of the scene of `assets`.
pub(crate) fn read(
    files: &dyn Files,
    assets: &Assets,
    options: &Options,
    input: Input,
    bytes: &[u8],
) -> Result<Conversion> {
    let path = &assets.model;
    let list = |folder: &Path| files.list(folder).ok();
    let folders = assets.textures.iter().filter(|path| list(path).is_some());
    let folders: Vec<PathBuf> = folders.cloned().collect();
    let search = convert::Search::with(path, &folders, &list);
    let given = &options.scene;
    // More than is free cannot be drawn.
    let free = free_texture_bytes(options).at(path.display())?;
    let scene = convert::Options {
        format: input.scene_format(),
        searched: search.places(),
        texture_bytes: given.texture_bytes.map(|most| most.min(free)),
        ..given.clone()
    };
    let mut find = |texture: &str| files.read(&search.find(texture)?).ok();
    convert_scene(bytes, &scene, options, &mut find).at(path.display())
}

/// Bytes of video memory that remain for textures in a frame without polygons, after the placeholder texture.
pub(crate) fn free_texture_bytes(options: &Options) -> Result<usize> {
    let [width, height] = options.size;
    left(&Frame::new(width, height, options.chip)?)
}

fn left(frame: &Frame) -> Result<usize> {
    Ok(frame.free_texture_bytes().saturating_sub(checker()?.data.len()))
}

/// Bytes that the polygons of a scene leave for textures; `None` if they do not fit into a frame or cannot
/// be drawn.
fn beside_polygons(conversion: &Conversion, options: &Options) -> Result<Option<usize>> {
    let [width, height] = options.size;
    let objects: Vec<Object> = conversion.model.models().cloned().map(Object::new).collect();
    let shadows = Shadows::wanted(objects.iter().map(Object::tree));
    let view = View {
        settings: Settings {
            cull: false,
            ..options.rules(shadows)
        },
        ..empty_view(options.size)
    };
    let mut scene = Scene { view, objects };
    // The player reports scenes that cannot be drawn.
    let Ok(SceneExtent { points, .. }) = SceneExtent::of(&mut scene) else {
        return Ok(None);
    };
    if points.is_empty() || !points.iter().flatten().all(|c| c.is_finite()) {
        return Ok(None);
    }
    let camera = fit(&points, options.size, options.angles());
    scene.view.viewport = Viewport::new(width, height, FIELD_OF_VIEW, near(&camera, &points));
    scene.view.camera = camera;
    let mut lists = TaLists::default();
    if scene.draw(&mut Reference, &mut lists).is_err() {
        return Ok(None);
    }
    let mut frame = Frame::new(width, height, options.chip).map_err(Error::from)?;
    frame.blocks(&lists.blocks());
    match frame.overflow() {
        None => left(&frame).map(Some),
        Some(_) => Ok(None),
    }
}
