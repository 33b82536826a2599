//! Models and programs for a browser page: requests as JSON, pictures and sound as bytes.
//!
//! [`Session::perform`] takes a [`Request`] and the bytes that belong to it, and returns a [`Reply`]. The
//! same code runs natively in tests. The WebAssembly module exports a few functions around it (`exports.rs`).
//! The import reads the user's disc images, so that a program or model can reach only these and the bytes
//! that the page gives it.

mod code;
#[cfg(target_family = "wasm")]
mod exports;
mod failure;
mod files;
mod gif;
mod kernels;
#[cfg(all(target_family = "wasm", feature = "fbx"))]
mod libc;
mod measurement;
mod model;
mod program;
mod reply;
mod request;
mod session;

pub use code::CodePlace;
pub use failure::Failure;
pub use files::{MOST_BYTES, ReadSlice};
pub use kernels::KernelCall;
pub use model::{ExportFormat, ModelFiles, ModelInfo, ModelView, NodeInfo, TextureInfo};
pub use program::{Finding, PadState, ProgramOptions};
pub use reply::Reply;
pub use request::Request;
pub use session::Session;
