//! Reader and writer for vertex lists.

use super::{FV_SHAPE, VertexChunk, VertexKind, Vlist};
use crate::bytes::{Body, Out};
use crate::error::{Error, WarningKind, Warnings};
use crate::layout::END;

/// Number of words of a chunk after its head; `None` at the end word of the list.
fn sizes(body: &Body<'_>, at: u32) -> Result<Option<u32>, Error> {
    let head = body.u32(at, "vertex chunk head")?;
    Ok((head & 0xFF != END).then_some(head >> 16))
}

/// Finds the end of the list at `start`. Returns the number of chunks, and the list's size in bytes including
/// the end word.
pub(crate) fn measure(body: &Body<'_>, start: u32) -> Result<(usize, u32), Error> {
    body.aligned(start, 4, "vlist pointer")?;
    let (mut chunks, mut at) = (0, start);
    while let Some(size) = sizes(body, at)? {
        body.slice(at, 4 + size as usize * 4, "vertex chunk")?;
        at += 4 + size * 4;
        chunks += 1;
    }
    Ok((chunks, at + 4 - start))
}

/// Reads the list of `chunks` chunks at `start`; also returns its end word.
pub(crate) fn read(
    body: &Body<'_>,
    start: u32,
    chunks: usize,
    warnings: &mut Warnings,
) -> Result<(Vlist, u32), Error> {
    let mut list = Vlist {
        chunks: Vec::with_capacity(chunks),
    };
    let mut at = start;
    while let Some(size) = sizes(body, at)? {
        list.chunks.push(read_chunk(body, at, size, warnings)?);
        at += 4 + size * 4;
    }
    let end = body.u32(at, "vlist end")?;
    if end != END {
        warnings.push(body.warning(at, WarningKind::OddEnd(end)));
    }
    Ok((list, end))
}

fn read_chunk(body: &Body<'_>, at: u32, size: u32, warnings: &mut Warnings) -> Result<VertexChunk, Error> {
    let head = body.u32(at, "vertex chunk head")?;
    let (id, headbits) = (head as u8, (head >> 8) as u8);
    let kind = VertexKind::from_id(id).ok_or_else(|| {
        body.fail(
            at,
            "vertex chunk id",
            id.to_string(),
            "32 to 52, or 255 for the end".into(),
        )
    })?;
    if size == 0 {
        return Err(body.fail(at, "vertex chunk size", "0 words".into(), "1 or more".into()));
    }
    let word = body.u32(at + 4, "vertex chunk index offset and count")?;
    let (index_offset, count) = (word as u16, (word >> 16) as u16);
    let (used, held) = (usize::from(count) * kind.stride(), size as usize - 1);
    if used > held {
        let found = format!(
            "{count} vertices of {} words in {held} words ({})",
            kind.stride(),
            kind.name()
        );
        return Err(body.fail(at, "vertex chunk size", found, format!("{used} words")));
    }
    let words = body.words32(at + 8, used, "vertices")?;
    let tail = body.words32(at + 8 + used as u32 * 4, held - used, "vertices")?;
    if held > used {
        warnings.push(body.warning(at, WarningKind::VertexTail(held - used)));
    }
    if headbits & FV_SHAPE != 0 {
        warnings.push(body.warning(at, WarningKind::ShapeFlag));
    }
    let chunk = VertexChunk {
        kind,
        headbits,
        index_offset,
        count,
        words,
        tail,
    };
    if kind.ninja_word().is_some() && chunk.weight_status().is_none() {
        warnings.push(body.warning(at, WarningKind::WeightStatus));
    }
    Ok(chunk)
}

/// Size of the list in bytes, including its end word.
pub(crate) fn size(list: &Vlist) -> usize {
    4 + list
        .chunks
        .iter()
        .map(|c| 8 + 4 * (c.words.len() + c.tail.len()))
        .sum::<usize>()
}

/// Writes the list and its end word.
pub(crate) fn write(list: &Vlist, end: u32, out: &mut Out) -> Result<(), Error> {
    for chunk in &list.chunks {
        let used = usize::from(chunk.count) * chunk.stride();
        if chunk.words.len() != used {
            let expected = format!("{used} for {} vertices of {}", chunk.count, chunk.kind.name());
            return Err(Error::parameter("vertex words", chunk.words.len(), expected));
        }
        let size = u16::try_from(1 + used + chunk.tail.len()).map_err(|_| {
            Error::parameter(
                "vertex chunk size",
                1 + used + chunk.tail.len(),
                "at most 65535 words",
            )
        })?;
        let head = u16::from(chunk.headbits) << 8 | u16::from(chunk.kind.id());
        out.u32(u32::from(size) << 16 | u32::from(head));
        out.u32(u32::from(chunk.count) << 16 | u32::from(chunk.index_offset));
        out.words32(&chunk.words);
        out.words32(&chunk.tail);
    }
    out.u32(end);
    Ok(())
}
