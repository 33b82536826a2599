//! Draws and plays Ninja models, cell sprites, scenes of other programs and textures, frame by frame.
//!
//! ```
//! use player::{Assets, Disk, Options, Player};
//!
//! let mut assets = Assets::new("tests/data/arm.nja");
//! assets.motion = Some("tests/data/spline.nam".parse()?);
//! let mut player = Player::open(&Disk, &assets, &Options::default())?;
//! for frame in 0..player.length() {
//!     let picture = player.draw(frame as f32, &mut player::Reference)?;
//!     let rgba: &[u8] = &picture.image.rgba; // 640x480 pixels of four bytes
//!     assert_eq!(rgba.len(), 640 * 480 * 4);
//! }
//! # assert_eq!(player.length(), 31);
//! # Ok::<(), player::Error>(())
//! ```
//!
//! [`Player::open`] reads files through [`Files`]: [`Disk`], or a map of names to bytes in a browser. A
//! [`Player`] holds a [`scene::Scene`]. A program can change its camera, lights and nodes before it calls
//! [`Player::draw_scene`]. All arithmetic uses [`sh4_kernels::Kernels`].

mod camera;
mod conversion;
mod encode;
mod error;
mod export;
mod extent;
mod files;
mod flat;
mod input;
mod loader;
mod motions;
mod options;
pub mod overlay;
mod player;
mod screen;
mod sprite;
mod textures;
pub mod wireframe;

pub use camera::FIELD_OF_VIEW;
pub use conversion::{convert_scene, open_scene};
pub use encode::{GifWriter, gif_delay, png_bytes};
pub use error::{Error, Result, Warning};
pub use export::{ascii_text, export, export_scene, merge};
pub use files::{Disk, Files, NinjaFile, folder, has_extension, in_folder, read_ninja, stem};
pub use input::{Input, machine};
pub use loader::scene_files;
pub use options::{Assets, CellSpace, MotionSource, Options, direction};
pub use player::{Moves, Picture, Player, check};
pub use scene::Reference;
pub use sprite::CellEvent;
pub use textures::{NamedPalette, TextureSet, is_paletted, place_entries};
