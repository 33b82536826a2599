//! Models and programs for a browser page: requests as JSON, pictures and sound as bytes.
//!
//! [`Session::perform`] takes a [`Request`] and the bytes that belong to it, and returns a [`Reply`]. The
//! same code runs natively in tests. The WebAssembly module exports a few functions around it (`exports.rs`);
//! it imports none, so that a program or model can reach only the bytes that the page gives it.

mod code;
#[cfg(target_family = "wasm")]
mod exports;
mod failure;
mod kernels;
mod measurement;
mod model;
mod program;
mod reply;
mod request;
mod session;

pub use code::CodePlace;
pub use failure::Failure;
pub use kernels::KernelCall;
pub use model::{ModelFiles, ModelInfo, ModelView, NodeInfo, TextureInfo};
pub use program::{Finding, PadState, ProgramOptions};
pub use reply::Reply;
pub use request::Request;
pub use session::{MOST_BYTES, Session};
