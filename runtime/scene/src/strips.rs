//! Strip chunks to vertex parameters.

use crate::draw::Walk;
use crate::{SceneError, Warning};
use ninja::{Strip, StripChunk, StripFlags, UvScale};
use sh4_kernels::submit_strip::{Strip as Entries, submit_strip};
use std::borrow::Cow;

/// Draws every strip of `chunk` with the present material.
pub(crate) fn draw(walk: &mut Walk<'_>, chunk: &StripChunk) -> Result<(), SceneError> {
    let flags = chunk.flags;
    if flags.contains(StripFlags::ENVIRONMENT) {
        walk.warn(Warning::EnvironmentMap);
    }
    if chunk.kind.has_normal() || chunk.kind.has_color() {
        walk.warn(Warning::StripAttributes);
    }
    if chunk.kind.two_parameter() {
        walk.warn(Warning::SecondVolume);
    }
    let (state, warning) = walk.material.strip(flags, chunk.kind.uv() != UvScale::None);
    if let Some(warning) = warning {
        walk.warn(warning);
    }
    let (number, lighting) = walk.material.lighting(walk.kernels, flags)?;
    let mut slots = chunk_slots(chunk);
    if let Some(&slot) = slots.iter().find(|slot| !walk.buffer.holds(**slot)) {
        // Vertices of hidden models are not made; without such a model the file is at fault.
        if walk.hidden == 0 {
            return Err(SceneError::EmptySlot { slot });
        }
        walk.warn(Warning::HiddenVertices);
        slots.retain(|slot| walk.buffer.holds(*slot));
    }
    walk.buffer
        .prepare(walk.kernels, &walk.view.viewport.words, &slots, number, &lighting)?;
    for strip in &chunk.strips {
        let indices: Vec<u16> = chunk.indices(strip).collect();
        let (parts, lost) = visible_parts(&indices, |slot| walk.buffer.depth(slot) > walk.view.viewport.near);
        if lost > 0 {
            walk.warn_times(Warning::NearPlane, lost);
        }
        for (start, end) in parts {
            let entries = entry_words(chunk, strip, start, end);
            let (Some(first), Some(last)) =
                (indices[start..end].iter().min(), indices[start..end].iter().max())
            else {
                continue;
            };
            let part = Entries {
                entries: &entries,
                n: end - start,
                entry_halfwords: chunk.entry_words(),
                uv_scale: chunk.kind.uv().factor(),
                offset_colour: 0,
                // Dropping an odd number of entries in front turns the winding once more.
                doubled: strip.reversed != (start % 2 == 1),
            };
            let (screen, colours) = (
                walk.buffer.screen(*first, *last),
                walk.buffer.colours(*first, *last),
            );
            let kernels = &mut *walk.kernels;
            walk.lists.strip(state.list, state.header, |blocks| {
                submit_strip(kernels, screen, colours, usize::from(*first), &part, blocks)
            })?;
            walk.stats.strips += 1;
            walk.stats.triangles += end - start - 2;
        }
    }
    Ok(())
}

/// The slots of all strips, ascending, each once.
fn chunk_slots(chunk: &StripChunk) -> Vec<u16> {
    let mut slots: Vec<u16> = chunk
        .strips
        .iter()
        .flat_map(|strip| chunk.indices(strip))
        .collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// Half-open runs of at least three entries that are all in front of the near plane, and how many triangles are lost.
fn visible_parts(indices: &[u16], in_front: impl Fn(u16) -> bool) -> (Vec<(usize, usize)>, usize) {
    let mut parts = Vec::new();
    let mut start = 0;
    for end in 0..=indices.len() {
        if end == indices.len() || !in_front(indices[end]) {
            if end >= start + 3 {
                parts.push((start, end));
            }
            start = end + 1;
        }
    }
    let drawn: usize = parts.iter().map(|(start, end)| end - start - 2).sum();
    (parts, indices.len().saturating_sub(2) - drawn)
}

/// The half-words of the entries `start..end` of a strip, without the user words that follow entries from the third on.
fn entry_words<'a>(chunk: &'a StripChunk, strip: &Strip, start: usize, end: usize) -> Cow<'a, [u16]> {
    let (size, user) = (chunk.entry_words(), usize::from(chunk.user_words));
    let at = |i: usize| strip.start + i * size + i.saturating_sub(2) * user;
    if user == 0 {
        return Cow::Borrowed(&chunk.words[at(start)..at(end)]);
    }
    Cow::Owned(
        (start..end)
            .flat_map(|i| chunk.words[at(i)..at(i) + size].iter().copied())
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::visible_parts;

    #[test]
    fn a_strip_is_cut_where_a_vertex_is_behind() {
        let front = |slot: u16| slot < 100;
        assert_eq!(visible_parts(&[1, 2, 3, 4], front), (vec![(0, 4)], 0));
        assert_eq!(visible_parts(&[1, 100, 3, 4, 5, 6], front), (vec![(2, 6)], 2));
        assert_eq!(visible_parts(&[1, 2, 100, 3, 4], front), (vec![], 3));
        assert_eq!(visible_parts(&[], front), (vec![], 0));
    }
}
