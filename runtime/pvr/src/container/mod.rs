//! Reader and writer for texture files: `.pvr` textures, `.pvp` palettes, `.pvm` archives.
//!
//! | module | holds |
//! |---|---|
//! | `cursor` | all byte access |
//! | `after_texture` | search for the chunk after a texture in an archive |
//! | `format` | format numbers; differences between file and memory layout |
//! | `pvr`, `palette`, `pvm` | one file format each |
//! | `kos` | the two KallistiOS formats |
//! | `gbix` | chunk before a texture |
//! | `pvm_edit` | archives with replaced textures |
//! | `error` | errors and warnings |
//!
//! Readers convert to the layout of texture memory. The result can be uploaded unchanged and addressed with
//! [`PvrTexture::tcw`] and [`PvrTexture::tsp_size_bits`].

mod after_texture;
mod cursor;
mod error;
mod format;
mod gbix;
mod kos;
mod palette;
mod pvm;
mod pvm_edit;
mod pvr;

pub use error::{ContainerError, ContainerWarning};
pub use format::{PvrDataFormat, PvrPixelFormat, small_codebook_codes};
pub use gbix::GbixForm;
pub use kos::{DCTX, DTEX, read_kos, write_dt};
pub use palette::{Palette, read_pvp, write_pvp};
pub use pvm::{
    FLAG_FORMAT, FLAG_GLOBAL_INDEX, FLAG_NAME, FLAG_SIZE, FLAG_TEXTURES, Pvm, PvmChunk, PvmEntry, PvmRow,
    read_pvm, write_pvm,
};
pub use pvr::{Leftover, PvrTexture, read_pvr, write_pvr};

/// Chunks that may occur between textures: comment, converter, model names, names of original images,
/// original images, palettes and their names.
const SKIPPED_CHUNKS: &[[u8; 4]] = &[
    *b"COMM",
    *b"CONV",
    *b"MDLN",
    *b"PVMI",
    *b"PVRI",
    *b"IMGC",
    palette::PVPL,
    *b"PVPN",
];
