//! ActiveList polygon lists: what CP remembers, DP draws.

use crate::draw::Walk;
use crate::{SceneError, Warning, strips, volumes};
use ninja::{ModelId, PlistId, PolyChunk};
use sh4_kernels::Matrix;

/// More plist chunks than this in one tree are a loop: remembered lists may run many times, but not for ever.
const CHUNK_LIMIT: usize = 4_000_000;

/// The node whose polygon list it is.
#[derive(Clone, Copy)]
pub(crate) struct Owner {
    /// Of the node; normals in strips are turned by it.
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

/// A polygon list that is running.
#[derive(Clone, Copy)]
struct ActiveList {
    /// What CP called it.
    number: Option<u8>,
    list: PlistId,
    next: usize,
    owner: Owner,
}

/// Runs a polygon list; an error comes with the index of the chunk of the node's own list.
pub(crate) fn run(walk: &mut Walk<'_>, list: PlistId, owner: Owner) -> Result<(), (usize, SceneError)> {
    // Lists that are running, innermost last: DP inside a remembered list is allowed, a circle is not.
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
                let remembered = CachedPolygons {
                    list: now.list,
                    start: rest.next,
                    owner: now.owner,
                };
                walk.remembered.insert(*number, remembered);
            }
            PolyChunk::DrawPolygons(number) => {
                running.push(rest);
                let remembered = walk.remembered.get(number);
                let Some(remembered) = remembered else {
                    // Lists of hidden models are not remembered, as their vertices are not made.
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
                    list: remembered.list,
                    next: remembered.start,
                    owner: remembered.owner,
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
