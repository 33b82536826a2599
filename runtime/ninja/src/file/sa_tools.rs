//! Chunk models of SA Tools (.sa2mdl).
//!
//! The head has 16 bytes: `SA2MDL`, a zero, the version (at most 3), the file offset of the root node, and
//! the file offset of a list of labels and notes. The reader ignores this list. The structures have the
//! forms of an `NJCM` chunk, at any place in the file. Pointers count from the first byte of the file.
//! Source: `ModelFile.cs` in the public repository X-Hax/sa_tools, and 105 files.

use super::{Chunk, File};
use crate::bytes::{Body, ByteOrder};
use crate::chunk_id::ChunkId;
use crate::error::{Error, Warnings};
use crate::settings::Settings;
use crate::tree::ObjectTree;

const LAST_VERSION: u8 = 3;

/// The first bytes of a file; the version follows.
const MAGIC: &[u8] = b"SA2MDL\0";

/// Returns whether the bytes are a model of SA Tools.
pub(super) fn is_model(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a model of SA Tools; `None` if the bytes are not such a file. The result is an IFF file with one
/// `NJCM` chunk.
pub(super) fn read(bytes: &[u8], settings: &Settings) -> Option<Result<File, Error>> {
    let [version, ..] = bytes.strip_prefix(MAGIC)? else {
        return None;
    };
    let body = Body {
        bytes,
        order: ByteOrder::Little,
        base: 0,
        chunk: ChunkId::NJCM,
        node: None,
    };
    if *version > LAST_VERSION {
        let found = format!("version {version}");
        let expected = format!("a version of SA Tools up to {LAST_VERSION}");
        return Some(Err(body.fail(4, "SA2MDL", found, expected)));
    }
    Some(read_tree(body, settings))
}

fn read_tree(body: Body<'_>, settings: &Settings) -> Result<File, Error> {
    let mut warnings = Warnings::default();
    let root = body.u32(8, "SA2MDL root")?;
    let mut tree = ObjectTree::read_from(body, root, None, settings, &mut warnings)?;
    tree.forget_layout();
    Ok(File {
        warnings: warnings.finish(),
        ..File::new(vec![Chunk::Model(tree)])
    })
}
