//! All tests of this folder as one program, which builds faster than one for each file.

mod common;
mod console;
mod container_bad;
mod container_corpus;
mod container_format;
mod container_forms;
mod equal;
mod features;
mod garbage;
mod hardware_doc;
mod layers;
mod limits;
mod parts;
mod pixels;
mod ta_vectors;
mod texture_decode;
mod texture_encode;
mod texture_vram;
mod textures;
