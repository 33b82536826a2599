//! Reader for motions.

use super::entries::{Entries, RawTable, Source, entries};
use super::forms::{Starts, key_forms};
use super::keys::{KeyForm, Keys};
use super::points::points;
use super::{Element, InpFn, MAX_TABLES, Motion, MotionKind, MotionNode, MotionType, TrackId};
use crate::bytes::Body;
use crate::error::{Error, WarningKind, Warnings};
use crate::layout::{Part, Recorder};
use crate::limits::MOTION_SHARING as MAX_SHARING;
use crate::pof0::Pof0;
use crate::settings::Settings;

const HEAD_BYTES: usize = 12;

impl Motion {
    /// Reads a motion from the body of an IFF chunk.
    pub(crate) fn read(
        body: Body<'_>,
        pof0: Option<Pof0>,
        settings: &Settings,
        warnings: &mut Warnings,
    ) -> Result<Self, Error> {
        let kind = MotionKind::from_chunk_id(body.chunk).unwrap_or_default();
        let source = Source {
            body,
            head: 0,
            listed: pof0.as_ref().map(|pof0| pof0.offsets().collect()),
            zero_is_address: false,
        };
        let (mut motion, rec) = read_at(&source, kind, settings, warnings)?;
        motion.layout = Some(Box::new(rec.finish(pof0, warnings)));
        Ok(motion)
    }
}

/// Reads the motion; the recorder collects its structures.
pub(super) fn read_at<'a>(
    source: &Source<'a>,
    kind: MotionKind,
    settings: &Settings,
    warnings: &mut Warnings,
) -> Result<(Motion, Recorder<'a>), Error> {
    let (body, head) = (source.body, source.head);
    let mut rec = Recorder::new(body, MAX_SHARING);
    let [mdata, nb_frame] = body.block(head, "NJS_MOTION")?;
    let mut motion = Motion {
        kind,
        nb_frame,
        motion_type: MotionType(body.u16(head + 8, "NJS_MOTION.type")?),
        inp_fn: InpFn(body.u16(head + 10, "NJS_MOTION.inp_fn")?),
        ..Motion::default()
    };
    rec.piece(Part::Motion, 0, head, HEAD_BYTES);
    let elements = Element::in_table_order(kind, motion.motion_type)
        .map_err(|e| body.fail(head + 8, e.what, e.found, e.expected))?;
    let n = tables_per_node(&body, head, &motion, &elements, warnings)?;
    if source.is_null(head, mdata) {
        return Ok((motion, rec));
    }
    rec.pointers.push(head);
    let Entries { nodes, tables, stray } = entries(source, mdata, n, warnings)?;
    motion.stray_counts = stray;
    rec.piece(Part::Mdata, 0, mdata, nodes * n * 8);
    rec.claim(&body, mdata, nodes * n * 8)?;
    rec.pointers.extend(tables.iter().map(|table| table.at));
    if let Some(table) = tables.iter().find(|table| table.slot >= elements.len()) {
        let found = format!("table {} of {} elements", table.slot + 1, elements.len());
        let body = body.for_node(table.node, table.at);
        return Err(body.fail(
            table.at,
            "NJS_MDATA",
            found,
            "NULL where the type has no bit".into(),
        ));
    }
    let starts = Starts::new(&body, tables.iter().map(|t| t.target).chain([head, mdata]));
    let forms = key_forms(&body, &motion, &elements, &tables, &starts, settings);
    tracks(&mut rec, &mut motion, nodes, &tables, &forms, warnings)?;
    points(&mut rec, &mut motion, &starts)?;
    Ok((motion, rec))
}

/// Returns the n of NJS_MDATAn.
fn tables_per_node(
    body: &Body<'_>,
    head: u32,
    motion: &Motion,
    elements: &[Element],
    warnings: &mut Warnings,
) -> Result<usize, Error> {
    let n = motion.tables();
    if n < elements.len() || n > MAX_TABLES {
        let found = format!(
            "{n} tables for {} elements (type {:#06x})",
            elements.len(),
            motion.motion_type.0
        );
        return Err(body.fail(
            head + 10,
            "NJS_MOTION.inp_fn",
            found,
            "a table for each element, at most 5".into(),
        ));
    }
    if n > elements.len() {
        let kind = WarningKind::SpareTables {
            tables: n,
            elements: elements.len(),
        };
        warnings.push(body.warning(head + 10, kind));
    }
    Ok(n)
}

/// Reads the distinct tables and assigns them to their nodes.
fn tracks(
    rec: &mut Recorder<'_>,
    motion: &mut Motion,
    nodes: usize,
    tables: &[RawTable],
    forms: &[KeyForm],
    warnings: &mut Warnings,
) -> Result<(), Error> {
    let key = |table: &RawTable| (table.target, forms[table.slot], table.count);
    let mut distinct: Vec<&RawTable> = tables.iter().collect();
    distinct.sort_by_key(|table| (key(table), table.node));
    distinct.dedup_by_key(|table| key(table));
    for (i, table) in distinct.iter().enumerate() {
        let body = rec.body.for_node(table.node, table.at);
        let form = forms[table.slot];
        body.aligned(table.target, form.frame_bytes() as u32, "keys")?;
        let bytes = (table.count as usize).saturating_mul(form.bytes());
        body.slice(table.target, bytes, "keys")?;
        rec.claim(&body, table.target, bytes)?;
        let keys = Keys::read(&body, table.target, table.count, form)?;
        check_frames(&body, table.target, &keys, motion.nb_frame, warnings);
        motion.tracks.push(keys);
        rec.piece(Part::Keys, i, table.target, bytes);
    }
    motion.nodes = vec![MotionNode::default(); nodes];
    for table in tables {
        let track = distinct.binary_search_by_key(&key(table), |table| key(table));
        if let (Ok(track), Some(node)) = (track, motion.nodes.get_mut(table.node)) {
            node.tables[table.slot] = Some(TrackId(track as u32));
        }
    }
    Ok(())
}

/// Warns of keys that the runtime's search misses, and of tables that end early. The runtime extrapolates
/// after their last key (docs/formats/ninja.md 2.5).
fn check_frames(body: &Body<'_>, at: u32, keys: &Keys, nb_frame: u32, warnings: &mut Warnings) {
    if let Some(key) = keys.first_descent() {
        let frame = |i| keys.frame(i).unwrap_or(0);
        let (frame, before) = (frame(key), frame(key - 1));
        warnings.push(body.warning(at, WarningKind::KeyOrder { key, frame, before }));
    } else if let Some(frame) = keys.ends_early(nb_frame) {
        warnings.push(body.warning(at, WarningKind::LastKey { frame, nb_frame }));
    }
}
