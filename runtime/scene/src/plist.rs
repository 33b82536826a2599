//! Execution of polygon lists: CP stores the rest of a list, and DP draws it.

use crate::draw::Walk;
use crate::{SceneError, Warning, strips, volumes};
use ninja::{ModelId, PlistId, PolyChunk};
use sh4_kernels::Matrix;

/// Limit of executed plist chunks of one tree. It bounds the time of stored lists that draw other stored
/// lists many times.
const CHUNK_LIMIT: usize = 4_000_000;

/// Node that owns a polygon list.
#[derive(Clone, Copy)]
pub(crate) struct Owner {
    /// Matrix of the node; it rotates normals in strips.
    pub(crate) matrix: Matrix,
    pub(crate) model: ModelId,
}

/// The rest of a polygon list.
#[derive(Clone, Copy)]
pub(crate) struct CachedPolygons {
    list: PlistId,
    start: usize,
    owner: Owner,
}

/// A polygon list being executed.
#[derive(Clone, Copy)]
struct ActiveList {
    /// CP number of the list.
    number: Option<u8>,
    list: PlistId,
    next: usize,
    owner: Owner,
}

/// Executes a polygon list. An error includes the index of the chunk in the node's own list.
pub(crate) fn run(walk: &mut Walk<'_>, list: PlistId, owner: Owner) -> Result<(), (usize, SceneError)> {
    // Active lists, innermost last: DP inside a stored list is allowed, a cycle is not.
    let mut running = vec![ActiveList {
        number: None,
        list,
        next: 0,
        owner,
    }];
    while let Some(now) = running.pop() {
        let own = running.first().map_or(now.next, |own| own.next.saturating_sub(1));
        let fail = |source| (own, source);
        let tree = walk.tree;
        let list = tree
            .plist(now.list)
            .ok_or(fail(SceneError::Dangling("a plist")))?;
        let Some(chunk) = list.chunks.get(now.next) else {
            continue;
        };
        walk.chunks += 1;
        if walk.chunks > CHUNK_LIMIT {
            return Err(fail(SceneError::Endless(CHUNK_LIMIT)));
        }
        let rest = ActiveList {
            next: now.next + 1,
            ..now
        };
        match chunk {
            PolyChunk::CachePolygons(number) => {
                let stored = CachedPolygons {
                    list: now.list,
                    start: rest.next,
                    owner: now.owner,
                };
                walk.stored_lists.insert(*number, stored);
            }
            PolyChunk::DrawPolygons(number) => {
                running.push(rest);
                let stored = walk.stored_lists.get(number);
                let Some(stored) = stored else {
                    // Lists of hidden models are not stored, because their vertices do not exist.
                    if walk.hidden == 0 {
                        return Err(fail(SceneError::UnknownList { number: *number }));
                    }
                    walk.warn(Warning::HiddenVertices);
                    continue;
                };
                if running.iter().any(|list| list.number == Some(*number)) {
                    return Err(fail(SceneError::RecursiveList { number: *number }));
                }
                running.push(ActiveList {
                    number: Some(*number),
                    list: stored.list,
                    next: stored.start,
                    owner: stored.owner,
                });
            }
            other => {
                self::chunk(walk, other, &now.owner).map_err(fail)?;
                running.push(rest);
            }
        }
    }
    Ok(())
}

fn chunk(walk: &mut Walk<'_>, chunk: &PolyChunk, owner: &Owner) -> Result<(), SceneError> {
    match chunk {
        PolyChunk::Strip(strip) => strips::draw(walk, strip, &owner.matrix)?,
        PolyChunk::Volume(volume) => volumes::draw(walk, owner.model, volume)?,
        PolyChunk::Bump(_) => walk.warn(Warning::Bump),
        other => {
            if let Some(warning) = walk.material.apply(other) {
                walk.warn(warning);
            }
        }
    }
    Ok(())
}
