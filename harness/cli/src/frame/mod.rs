//! Options for pictures of models, scenes and sprites, and output of pictures. `render`, `view`, `demo` and
//! `test` share them; the crate `player` draws.

pub(crate) mod assets;
pub(crate) mod chip_scene;
pub(crate) mod cycles;
pub(crate) mod drawing;
pub(crate) mod effects;
pub(crate) mod options;
pub(crate) mod scenes;
pub(crate) mod values;
pub(crate) mod writer;
