//! The PowerVR2 in software: tile accelerator, core, textures, framebuffer.
