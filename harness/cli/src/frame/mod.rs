//! Frames of models and sprites: from options and files to pictures. Shared by `render`, `view`, `demo` and
//! `test`.

pub(crate) mod camera;
pub(crate) mod cells;
pub(crate) mod chip_scene;
pub(crate) mod cycles;
pub(crate) mod direct;
pub(crate) mod drawing;
pub(crate) mod effects;
mod extent;
pub(crate) mod input;
pub(crate) mod motions;
pub(crate) mod options;
mod palettes;
pub(crate) mod play_options;
pub(crate) mod screen;
pub(crate) mod textures;
pub(crate) mod values;
pub(crate) mod view_motions;
pub(crate) mod viewport;
pub(crate) mod writer;
