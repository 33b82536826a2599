//! Search for the chunk after a texture in an archive.

use super::cursor::{Id, find_id, id_at};
use super::error::{ContainerError, ContainerWarning};
use super::gbix::GBIX;
use super::pvr::{PVRT, PvrtChunk};

/// Returns the offset of the chunk after a texture. A size field that leads to no chunk is ignored if a
/// texture starts earlier.
pub(super) fn next_texture(bytes: &[u8], chunk: &mut PvrtChunk) -> usize {
    let known = |id: Id| id == PVRT || id == GBIX || super::SKIPPED_CHUNKS.contains(&id);
    if id_at(bytes, chunk.end).is_some_and(known) {
        return chunk.end;
    }
    match find_id(bytes, chunk.texture_end..chunk.end, &[PVRT, GBIX]) {
        Some(next) => {
            let (offset, found, used) = (chunk.body - 4, chunk.end - chunk.body, next - chunk.body);
            chunk.texture.rest.padding.truncate(next - chunk.texture_end);
            chunk.texture.warnings.push(ContainerWarning::ChunkSize {
                what: "PVRT",
                offset,
                found,
                used,
            });
            next
        }
        None => chunk.end,
    }
}

/// Checks the padding of the last texture: readers must not find another texture in it.
pub(super) fn check_end(padding: &[u8]) -> Result<(), ContainerError> {
    match find_id(padding, 0..padding.len(), &[PVRT, GBIX]) {
        Some(place) => Err(ContainerError::Unwritable {
            what: "padding of the last texture",
            found: format!("PVRT or GBIX at byte {place}"),
            expected: "neither".to_owned(),
        }),
        None => Ok(()),
    }
}
