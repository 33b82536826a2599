//! The PowerVR2 in software: tile accelerator, core, textures, framebuffer.

pub mod container;
pub mod standin;
pub mod texture;
