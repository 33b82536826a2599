//! Motions from bytes.

use std::collections::HashMap;

use super::keys::{Key, KeyForm, Keys, PointsId};
use super::{Element, InpFn, MAX_TABLES, Motion, MotionKind, MotionNode, MotionType, TrackId};
use crate::bytes::Body;
use crate::error::{Error, WarningKind, Warnings};
use crate::layout::{Part, Recorder};
use crate::pof0::Pof0;
use crate::settings::{KeyForms, Settings};

const HEAD_BYTES: usize = 12;
const POINT_BYTES: u32 = 12;
/// Tables may share keys. Together they may be this many times as long as the body.
const MOST_SHARING: usize = 4;

/// A pointer of an NJS_MDATAn and its count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawTable {
    pub(crate) node: usize,
    pub(crate) slot: usize,
    /// Offset of the pointer.
    pub(crate) at: u32,
    pub(crate) target: u32,
    pub(crate) count: u32,
}

/// Counts beside null pointers, by node and table.
pub(crate) type StrayCounts = HashMap<(u32, u8), u32>;

/// The array of NJS_MDATAn.
pub(crate) struct Entries {
    pub(crate) nodes: usize,
    /// The tables that are not null, by ascending node.
    pub(crate) tables: Vec<RawTable>,
    pub(crate) stray: StrayCounts,
}

/// Where a motion's head lies, and what is known about pointers.
pub(crate) struct Source<'a> {
    pub(crate) body: Body<'a>,
    /// Offset of the NJS_MOTION.
    pub(crate) head: u32,
    /// Offsets of pointers by the file's own list, ascending.
    pub(crate) listed: Option<Vec<u32>>,
    /// Whether a listed pointer of value 0 leads to address 0 instead of nowhere.
    pub(crate) zero_is_address: bool,
}

impl Source<'_> {
    fn is_listed(&self, at: u32) -> bool {
        let listed = self.listed.as_deref().unwrap_or_default();
        listed.binary_search(&at).is_ok()
    }

    fn is_null(&self, at: u32, target: u32) -> bool {
        target == 0 && !(self.zero_is_address && self.is_listed(at))
    }
}

impl Motion {
    /// From the body of an IFF chunk.
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

/// Reads the motion; what it consists of is in the recorder.
pub(super) fn read_at<'a>(
    source: &Source<'a>,
    kind: MotionKind,
    settings: &Settings,
    warnings: &mut Warnings,
) -> Result<(Motion, Recorder<'a>), Error> {
    let (body, head) = (source.body, source.head);
    let mut rec = Recorder::new(body, MOST_SHARING);
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

/// The n of NJS_MDATAn.
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

/// Counts the NJS_MDATAn at `mdata` and returns their tables. The array ends where another structure begins
/// or, if the pointer list names the pointers of the array, where it no longer does (many files list the null
/// ones, too).
pub(crate) fn entries(
    source: &Source<'_>,
    mdata: u32,
    n: usize,
    warnings: &mut Warnings,
) -> Result<Entries, Error> {
    let body = source.body;
    body.aligned(mdata, 4, "NJS_MOTION.mdata")?;
    body.slice(mdata, n * 8, "NJS_MOTION.mdata")?;
    let stride = n as u32 * 8;
    let mut end = if source.head > mdata {
        source.head
    } else {
        body.len() as u32
    };
    let in_array = |at: &u32| (mdata..end).contains(at);
    let listed: Vec<u32> = source.listed.iter().flatten().copied().filter(in_array).collect();
    let lists_null = !source.zero_is_address && listed.iter().any(|at| body.u32(*at, "pointer") == Ok(0));
    let (mut nodes, mut tables, mut counts, mut at) = (0, Vec::new(), StrayCounts::new(), mdata);
    // An array of no tables has no length.
    while n > 0 && at + stride <= end {
        let words = body.words32(at, 2 * n, "NJS_MDATA")?;
        let slots = || (0..n).map(|slot| at + slot as u32 * 4);
        if lists_null && slots().all(|at| listed.binary_search(&at).is_err()) {
            break;
        }
        let own = |slot: usize| RawTable {
            node: nodes,
            slot,
            at: at + slot as u32 * 4,
            target: words[slot],
            count: words[n + slot],
        };
        let first = tables.len();
        tables.extend((0..n).map(own).filter(|t| !source.is_null(t.at, t.target)));
        let sound = |table: &RawTable| {
            let free = table.target >= at + stride || table.target < mdata;
            let known = listed.is_empty() || listed.binary_search(&table.at).is_ok();
            table.target.is_multiple_of(2) && table.target as usize <= body.len() && free && known
        };
        if let Some(odd) = tables[first..].iter().find(|table| !sound(table)).copied() {
            if nodes == 0 || listed.binary_search(&odd.at).is_ok() {
                let body = body.for_node(nodes, at);
                return Err(body.fail(
                    odd.at,
                    "NJS_MDATA",
                    format!("pointer {:#x}", odd.target),
                    "a table".into(),
                ));
            }
            tables.truncate(first);
            warnings.push(body.warning(at, WarningKind::MdataEnd(nodes)));
            break;
        }
        let ahead = tables[first..]
            .iter()
            .map(|t| t.target)
            .filter(|target| *target > mdata);
        end = ahead.fold(end, u32::min);
        let stray = (0..n)
            .map(own)
            .filter(|t| t.count > 0 && source.is_null(t.at, t.target));
        counts.extend(stray.map(|t| ((t.node as u32, t.slot as u8), t.count)));
        nodes += 1;
        at += stride;
    }
    Ok(Entries {
        nodes,
        tables,
        stray: counts,
    })
}

/// The beginnings of structures, for distances.
struct Starts(Vec<u32>);

impl Starts {
    fn new(body: &Body<'_>, starts: impl Iterator<Item = u32>) -> Self {
        let mut starts: Vec<u32> = starts.chain([body.len() as u32]).collect();
        starts.sort_unstable();
        starts.dedup();
        Starts(starts)
    }

    /// Bytes from `at` to the next structure.
    fn room(&self, at: u32) -> u32 {
        let next = self.0.partition_point(|start| *start <= at);
        self.0.get(next).map_or(0, |next| next - at)
    }
}

/// The layout of each element's keys: where several occur, the one in which fewer tables run into the next
/// structure or descend in time (facts 1.9); the expected one if that is undecided.
fn key_forms(
    body: &Body<'_>,
    motion: &Motion,
    elements: &[Element],
    tables: &[RawTable],
    starts: &Starts,
    settings: &Settings,
) -> Vec<KeyForm> {
    let choose = |(slot, element): (usize, &Element)| {
        let forms = element.forms(motion.kind);
        let mut own: Vec<(u32, u32)> = tables
            .iter()
            .filter(|t| t.slot == slot)
            .map(|t| (t.target, t.count))
            .collect();
        own.sort_unstable();
        own.dedup();
        let misfits = |form: KeyForm| {
            let misfit = |(at, count): &(u32, u32)| !fits(body, *at, *count, form, starts.room(*at));
            own.iter().filter(|table| misfit(table)).count()
        };
        match (settings.key_forms, forms) {
            (KeyForms::Expected, [form, ..]) | (KeyForms::Older, [.., form]) => *form,
            _ => forms
                .iter()
                .copied()
                .min_by_key(|form| misfits(*form))
                .unwrap_or(KeyForm::F),
        }
    };
    elements.iter().enumerate().map(choose).collect()
}

/// Whether `count` keys fit into `room` bytes and ascend.
fn fits(body: &Body<'_>, at: u32, count: u32, form: KeyForm, room: u32) -> bool {
    let bytes = u64::from(count) * form.bytes() as u64;
    if bytes > u64::from(room) {
        return false;
    }
    let Ok(bytes) = body.slice(at, bytes as usize, "keys") else {
        return false;
    };
    let frame = |key: &[u8]| match form.frame_bytes() {
        2 => u32::from(body.order.u16(key.first_chunk().copied().unwrap_or_default())),
        _ => body.order.u32(key.first_chunk().copied().unwrap_or_default()),
    };
    let frames: Vec<u32> = bytes.chunks_exact(form.bytes()).map(frame).collect();
    frames.windows(2).all(|pair| pair[0] < pair[1])
}

/// Reads the distinct tables and gives them to their nodes.
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

/// Warns of keys that the runtime's search does not find, and of tables that end early, behind whose last key
/// it extrapolates (facts 2.5).
fn check_frames(body: &Body<'_>, at: u32, keys: &Keys, nb_frame: u32, warnings: &mut Warnings) {
    if let Some(key) = keys.first_descent() {
        let frame = |i| keys.frame(i).unwrap_or(0);
        let (frame, before) = (frame(key), frame(key - 1));
        warnings.push(body.warning(at, WarningKind::KeyOrder { key, frame, before }));
    } else if let Some(frame) = keys.ends_early(nb_frame) {
        warnings.push(body.warning(at, WarningKind::LastKey { frame, nb_frame }));
    }
}

/// Reads the arrays that simple shape keys point at; each reaches to the next structure.
fn points(rec: &mut Recorder<'_>, motion: &mut Motion, starts: &Starts) -> Result<(), Error> {
    let body = rec.body;
    let mut targets = Vec::new();
    for (track, piece) in key_pieces(rec, motion) {
        for at in (0..track as u32).map(|i| piece + i * 8 + 4) {
            let target = body.u32(at, "NJS_MKEY_P.key")?;
            rec.pointer(at, target);
            targets.push(target);
        }
    }
    let mut arrays: Vec<u32> = targets.iter().copied().filter(|target| *target != 0).collect();
    arrays.sort_unstable();
    arrays.dedup();
    let starts = Starts::new(&body, starts.0.iter().chain(&arrays).copied());
    for (i, at) in arrays.iter().enumerate() {
        body.aligned(*at, 4, "NJS_MKEY_P.key")?;
        let bytes = starts.room(*at) / POINT_BYTES * POINT_BYTES;
        rec.claim(&body, *at, bytes as usize)?;
        let words = body.words32(*at, bytes as usize / 4, "points")?;
        let points = words
            .as_chunks::<3>()
            .0
            .iter()
            .map(|point| point.map(f32::from_bits));
        motion.points.push(points.collect());
        rec.piece(Part::Points, i, *at, bytes as usize);
    }
    let mut targets = targets.iter();
    let pointer_keys = motion.tracks.iter_mut().filter_map(|track| match track {
        Keys::P(keys) => Some(keys),
        _ => None,
    });
    let all: &mut dyn Iterator<Item = &mut Key<Option<PointsId>>> = &mut pointer_keys.flatten();
    for (key, target) in all.zip(&mut targets) {
        key.value = arrays.binary_search(target).ok().map(|i| PointsId(i as u32));
    }
    Ok(())
}

/// Length and offset of the tables whose keys are pointers.
fn key_pieces(rec: &Recorder<'_>, motion: &Motion) -> Vec<(usize, u32)> {
    let tables = rec.pieces.iter().filter(|piece| piece.part == Part::Keys);
    let pointers = tables
        .zip(&motion.tracks)
        .filter(|(_, keys)| keys.form() == KeyForm::P);
    pointers.map(|(piece, keys)| (keys.len(), piece.offset)).collect()
}
