//! Conversion of strip chunks to vertex parameters.

use crate::clip::runs_of;
use crate::draw::Walk;
use crate::header::{Pass, StripStyle, passes};
use crate::material::Colouring;
use crate::settings::Highlight;
use crate::shading::Shading;
use crate::{SceneError, Warning, corners};
use ninja::{Strip, StripChunk, StripFlags};
use sh4_kernels::Matrix;
use sh4_kernels::submit_strip::{Strip as Entries, submit_strip};
use sh4_kernels::submit_vertices::Form;
use std::borrow::Cow;
use std::ops::Range;

/// State common to the strips of a chunk.
pub(crate) struct StripBatch<'a> {
    /// Matrix of the node that owns the polygon list.
    pub(crate) matrix: &'a Matrix,
    pub(crate) flags: StripFlags,
    /// Colouring, one for each volume.
    pub(crate) shadings: Vec<Shading>,
    pub(crate) passes: Vec<Pass>,
    pub(crate) form: Form,
    /// True if base colours are intensities, which are floats.
    pub(crate) intensity: bool,
    /// True if a strip can be sent directly from the polygon list when all its vertices are in front of the
    /// near plane.
    send_directly: bool,
}

/// Draws every strip of `chunk` with the current material.
pub(crate) fn draw(walk: &mut Walk<'_>, chunk: &StripChunk, matrix: &Matrix) -> Result<(), SceneError> {
    let slots = filled_slots(walk, chunk)?;
    if walk.gather.is_some() {
        gather(walk, chunk);
        return Ok(());
    }
    if walk.out_of_sight(&slots) {
        return Ok(());
    }
    walk.buffer
        .project(walk.kernels, &walk.view.viewport.words, &slots)?;
    let batch = batch(walk, chunk, matrix, &slots)?;
    for strip in &chunk.strips {
        for range in filled_parts(walk, chunk, strip) {
            draw_part(walk, chunk, &range, &batch)?;
        }
    }
    Ok(())
}

fn gather(walk: &mut Walk<'_>, chunk: &StripChunk) {
    for strip in &chunk.strips {
        let ranges = filled_parts(walk, chunk, strip);
        if let Some(gather) = &mut walk.gather {
            ranges.iter().for_each(|range| gather.strip(chunk.flags, range));
        }
    }
}

/// A strip, or a part of it whose vertices all exist.
pub(crate) struct StripRange<'a> {
    pub(crate) strip: &'a Strip,
    /// Index of its first entry in the strip.
    pub(crate) start: usize,
    /// Slots of the range.
    pub(crate) slots: Vec<u16>,
    /// True if the first triangle has the opposite winding.
    pub(crate) reversed: bool,
}

/// Returns the parts of a strip in which all vertices exist.
fn filled_parts<'a>(walk: &mut Walk<'_>, chunk: &StripChunk, strip: &'a Strip) -> Vec<StripRange<'a>> {
    let slots: Vec<u16> = chunk.indices(strip).collect();
    let filled: Vec<bool> = slots.iter().map(|slot| walk.buffer.is_filled(*slot)).collect();
    if filled.contains(&false) {
        walk.warn(Warning::HiddenVertices);
    }
    let range = |(run, reversed): (Range<usize>, bool)| StripRange {
        strip,
        start: run.start,
        slots: slots[run].to_vec(),
        reversed,
    };
    runs_of(&filled, strip.reversed).into_iter().map(range).collect()
}

fn draw_part(
    walk: &mut Walk<'_>,
    chunk: &StripChunk,
    range: &StripRange<'_>,
    batch: &StripBatch<'_>,
) -> Result<(), SceneError> {
    let near = walk.view.viewport.near;
    let in_front = |slot: &u16| walk.buffer.depth(*slot) > near;
    if !range.slots.iter().any(in_front) {
        return Ok(());
    }
    if batch.send_directly && range.slots.iter().all(in_front) {
        send_directly(walk, chunk, range, batch)
    } else {
        corners::draw(walk, chunk, range, batch)
    }
}

/// Returns the vertex buffer slots that the strips use, ascending and unique. Leaves out the empty slots of
/// hidden models.
fn filled_slots(walk: &Walk<'_>, chunk: &StripChunk) -> Result<Vec<u16>, SceneError> {
    let mut slots: Vec<u16> = chunk
        .strips
        .iter()
        .flat_map(|strip| chunk.indices(strip))
        .collect();
    slots.sort_unstable();
    slots.dedup();
    // Hidden models do not fill their slots. If no model is hidden, an empty slot is an error in the file.
    if walk.hidden == 0
        && let Some(&slot) = slots.iter().find(|slot| !walk.buffer.is_filled(**slot))
    {
        return Err(SceneError::EmptySlot { slot });
    }
    slots.retain(|slot| walk.buffer.is_filled(*slot));
    Ok(slots)
}

fn batch<'a>(
    walk: &mut Walk<'_>,
    chunk: &StripChunk,
    matrix: &'a Matrix,
    slots: &[u16],
) -> Result<StripBatch<'a>, SceneError> {
    let (kind, flags) = (chunk.kind, chunk.flags);
    let environment = flags.contains(StripFlags::ENVIRONMENT);
    let two_volumes = kind.two_parameter() && walk.material.two_volumes();
    let textured = walk.material.textured(kind, flags);
    warn_of_differences(walk, chunk, slots);
    let plain = !(two_volumes || kind.has_normal() || kind.has_color());
    let intensity = plain && walk.material.intensity(flags) && walk.buffer.only_normals(slots);
    let colouring = Colouring {
        flags,
        fold: !textured,
        intensity,
    };
    let mut shadings = Vec::new();
    for volume in 0..=usize::from(two_volumes) {
        let shading = walk.material.shading(walk.kernels, volume, colouring)?;
        walk.buffer
            .colour(walk.kernels, &walk.material.lights, slots, volume, &shading)?;
        shadings.push(shading);
    }
    let highlights = |shading: &Shading| shading.lit && shading.highlight != Highlight::Off;
    let offset = textured && (0..shadings.len()).any(|volume| walk.buffer.has_offsets(volume, slots))
        || kind.has_normal() && shadings.iter().any(highlights);
    let style = StripStyle {
        flags,
        textured,
        offset,
        two_volumes,
        intensity,
    };
    let (passes, warning) = passes(walk.view, &walk.material.materials, &style);
    if let Some(warning) = warning {
        walk.warn(warning);
    }
    Ok(StripBatch {
        matrix,
        flags,
        shadings,
        passes,
        form: match (two_volumes, textured) {
            (false, _) => Form::OneVolume,
            (true, true) => Form::TwoTextured,
            (true, false) => Form::TwoPlain,
        },
        intensity,
        send_directly: plain && !(offset || environment),
    })
}

/// Warns if the strips are not drawn exactly as the chunk describes them.
fn warn_of_differences(walk: &mut Walk<'_>, chunk: &StripChunk, slots: &[u16]) {
    let flags = chunk.flags;
    if chunk.kind.two_parameter() && !walk.material.two_volumes() {
        walk.warn(Warning::SecondVolume);
    }
    if flags.contains(StripFlags::BIT_7) {
        walk.warn(Warning::StripFlag7);
    }
    if flags.contains(StripFlags::ENVIRONMENT)
        && !chunk.kind.has_normal()
        && slots.iter().any(|slot| !walk.buffer.has_normal(*slot))
    {
        walk.warn(Warning::EnvironmentMap);
    }
}

/// Sends a strip directly from the polygon list.
fn send_directly(
    walk: &mut Walk<'_>,
    chunk: &StripChunk,
    range: &StripRange<'_>,
    batch: &StripBatch<'_>,
) -> Result<(), SceneError> {
    let slots = &range.slots;
    let (Some(&first), Some(&last)) = (slots.iter().min(), slots.iter().max()) else {
        return Ok(());
    };
    let entries = entry_words(chunk, range);
    let entries = Entries {
        entries: &entries,
        n: slots.len(),
        entry_halfwords: chunk.entry_words(),
        uv_scale: chunk.kind.uv().factor(),
        offset_colour: 0,
        doubled: range.reversed,
    };
    let screen = walk.buffer.screen(first, last);
    let [base, _] = walk.buffer.colours(0, first, last);
    let kernels = &mut *walk.kernels;
    walk.lists.passes(&batch.passes, |blocks| {
        submit_strip(kernels, screen, base, usize::from(first), &entries, blocks)
    })?;
    walk.stats.sent(slots.len());
    Ok(())
}

/// Returns the half-words of a range's entries. Leaves out the user words, which follow each entry from the
/// strip's third on.
pub(crate) fn entry_words<'a>(chunk: &'a StripChunk, range: &StripRange<'_>) -> Cow<'a, [u16]> {
    let (size, user) = (chunk.entry_words(), usize::from(chunk.user_words));
    let at = |i: usize| range.strip.start + i * size + i.saturating_sub(2) * user;
    let end = range.start + range.slots.len();
    if user == 0 {
        return Cow::Borrowed(&chunk.words[at(range.start)..at(end)]);
    }
    Cow::Owned(
        (range.start..end)
            .flat_map(|i| chunk.words[at(i)..at(i) + size].iter().copied())
            .collect(),
    )
}
