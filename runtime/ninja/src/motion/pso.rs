//! Motion files without IFF chunks, as in Phantasy Star Online (docs/formats/ninja.md 1.9).
//!
//! Addresses count from the first byte of the file. 0 is a valid address: a pointer is null if it is 0 and
//! not listed. The last 32 bytes are eight words: offset of the pointer list, its length, 1, 0; offset of a
//! word with the address of the NJS_ACTION, 0, 0, 0. The pointer list consists of 16-bit deltas in words; the
//! first counts from 0. List and trailer begin on multiples of 32.
//!
//! All of this was measured in 58 files. In 57 the layout equals the canonical order here: keys, nodes, head,
//! action, pointer. In the others tables overlap.

use super::entries::Source;
use super::read::read_at;
use super::{Motion, MotionKind};
use crate::bytes::{Body, ByteOrder, Out};
use crate::chunk_id::ChunkId;
use crate::error::{Error, WarningKind, Warnings};
use crate::layout::{Part, StructureEntry, Structures};
use crate::settings::Settings;

const TRAILER_BYTES: usize = 32;
const ACTION_BYTES: usize = 8;
const ALIGN: usize = 32;

/// Trailer of a motion file without chunks.
struct Trailer {
    order: ByteOrder,
    /// Offset of the pointer list, and the number of its entries.
    list: u32,
    entries: u32,
    /// Offset of the word with the action's address.
    top: u32,
}

impl Trailer {
    /// Finds the trailer; `None` if the file has none.
    fn find(bytes: &[u8]) -> Option<Self> {
        [ByteOrder::Little, ByteOrder::Big]
            .into_iter()
            .find_map(|order| Self::find_in(bytes, order))
    }

    fn find_in(bytes: &[u8], order: ByteOrder) -> Option<Self> {
        let start = bytes.len().checked_sub(TRAILER_BYTES)?;
        let (words, _) = bytes.get(start..)?.as_chunks::<4>();
        let mut words = words.iter().map(|word| order.u32(*word));
        let [list, entries, 1, 0, top, 0, 0, 0] = std::array::from_fn(|_| words.next().unwrap_or(0)) else {
            return None;
        };
        let list_end = u64::from(list) + 2 * u64::from(entries);
        let sound =
            top.is_multiple_of(4) && u64::from(top) + 4 <= u64::from(list) && list_end <= start as u64;
        sound.then_some(Trailer {
            order,
            list,
            entries,
            top,
        })
    }
}

/// Reads a motion file without chunks; `None` if the bytes are not such a file.
pub(crate) fn read(
    bytes: &[u8],
    settings: &Settings,
    warnings: &mut Warnings,
) -> Option<Result<(Motion, ByteOrder), Error>> {
    let trailer = Trailer::find(bytes)?;
    let motion = read_with(bytes, &trailer, settings, warnings);
    Some(motion.map(|motion| (motion, trailer.order)))
}

fn read_with(
    bytes: &[u8],
    trailer: &Trailer,
    settings: &Settings,
    warnings: &mut Warnings,
) -> Result<Motion, Error> {
    let body = Body {
        bytes,
        order: trailer.order,
        base: 0,
        chunk: ChunkId::NMDM,
        node: None,
    };
    let deltas = body.words16(trailer.list, trailer.entries as usize, "pointer list")?;
    let mut sum = 0u32;
    let listed: Vec<u32> = deltas
        .iter()
        .map(|delta| {
            sum = sum.saturating_add(4 * u32::from(*delta));
            sum
        })
        .collect();
    let action = body.u32(trailer.top, "address of the NJS_ACTION")?;
    let [object, head] = body.block(action, "NJS_ACTION")?;
    if object != 0 {
        let found = format!("object {object:#x}");
        return Err(body.fail(
            action,
            "NJS_ACTION.object",
            found,
            "NULL in a file that holds only a motion".into(),
        ));
    }
    let source = Source {
        body,
        head,
        listed: Some(listed),
        zero_is_address: true,
    };
    let (mut motion, mut rec) = read_at(&source, MotionKind::Model, settings, warnings)?;
    rec.pointers.extend([action + 4, trailer.top]);
    rec.piece(Part::Action, 0, action, ACTION_BYTES);
    rec.piece(Part::ActionPointer, 0, trailer.top, 4);
    rec.pointers.sort_unstable();
    if source.listed.as_ref() != Some(&rec.pointers) {
        warnings.push(body.warning(trailer.list, WarningKind::RelocationList));
    }
    motion.layout = Some(Box::new(rec.finish(None, warnings)));
    Ok(motion)
}

/// Writes the motion as a file without chunks. A motion read from such a file, with unchanged sizes and
/// pointers, is written byte for byte. Otherwise the order is canonical.
pub(crate) fn write(motion: &Motion, order: ByteOrder) -> Result<Vec<u8>, Error> {
    motion.check()?;
    if motion.kind != MotionKind::Model {
        return Err(Error::parameter(
            "motion file without chunks",
            motion.kind.chunk_id(),
            "NMDM",
        ));
    }
    let mut wanted: Vec<StructureEntry> = motion.structures();
    let head = wanted.remove(0);
    // Without nodes there is no MDATA: the motion's pointer to it is null.
    let mdata = (!motion.nodes.is_empty()).then(|| wanted.remove(0));
    wanted.extend(mdata);
    wanted.extend([
        head,
        (Part::Action, 0, ACTION_BYTES, 4),
        (Part::ActionPointer, 0, 4, 4),
    ]);
    if let Some(layout) = motion.layout.as_deref().filter(|layout| layout.order() == order)
        && let Some((body, pointers)) = motion.emit(layout, &wanted)?
        && pointers == layout.pointers()
    {
        return Ok(body);
    }
    let (body, pointers) = motion.write_canonical(order, &wanted)?;
    trail(body, &pointers, order)
}

/// Appends pointer list and trailer; the last pointer refers to the action.
fn trail(body: Vec<u8>, pointers: &[u32], order: ByteOrder) -> Result<Vec<u8>, Error> {
    let mut out = Out { bytes: body, order };
    let pad = |out: &mut Out| out.bytes.resize(out.bytes.len().next_multiple_of(ALIGN), 0);
    pad(&mut out);
    let list = out.bytes.len() as u32;
    let mut last = 0;
    for at in pointers {
        let words = (at - last) / 4;
        out.u16(u16::try_from(words).map_err(|_| {
            Error::parameter(
                "distance of two pointers",
                words,
                "at most 65535 words in a file without chunks",
            )
        })?);
        last = *at;
    }
    pad(&mut out);
    out.words32(&[list, pointers.len() as u32, 1, 0, last, 0, 0, 0]);
    Ok(out.bytes)
}
