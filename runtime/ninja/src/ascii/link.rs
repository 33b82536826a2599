//! Linker from definitions to chunk bodies: it turns names into offsets and drops unreferenced definitions.

use super::compile::{Symbol, Target, Unit};
use super::error::{Failable, TextWarningKind, fail};
use super::table::{Top, Type};
use crate::chunk_id::ChunkId;
use crate::limits::TEXT_SHARING as MAX_SHARING;
use std::collections::HashMap;
use std::ops::Range;

/// A chunk being built.
pub(super) struct Linked {
    pub(super) id: ChunkId,
    pub(super) body: Vec<u8>,
    /// Offsets of the pointers, ascending.
    pub(super) pointers: Vec<u32>,
    /// Body offsets and their positions in [`Unit::data`], ascending. They map body bytes to their origin.
    pub(super) pieces: Vec<(u32, usize)>,
}

/// Titles in comments that name the kind of a motion.
pub(super) const LIGHT_MOTION: &str = "LIGHT MOTION";
pub(super) const CAMERA_MOTION: &str = "CAMERA MOTION";
pub(super) const MODEL_MOTION: &str = "MODEL MOTION";

/// True if NJS_MOTION.type has an element that only lights have: vector, colour, intensity, spot, range.
pub(super) fn is_of_light(bits: u32) -> bool {
    use crate::motion::Element::{Intensity, Point, Rgb, Spot, Vec0};
    let of_light = [Vec0, Rgb, Intensity, Spot, Point];
    of_light
        .iter()
        .any(|element| bits & u32::from(element.bit()) != 0)
}

/// Chunk ids of motions, by name, from comments of the form `/* TITLE : name */`. The first comment counts.
fn titled(text: &[u8]) -> HashMap<&[u8], ChunkId> {
    let mut chunks = HashMap::new();
    for line in text.split(|byte| *byte == b'\n') {
        let Some(line) = line.trim_ascii().strip_prefix(b"/*") else {
            continue;
        };
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let (Some(title), Some(rest)) = (parts.next(), parts.next()) else {
            continue;
        };
        let id = match std::str::from_utf8(title.trim_ascii()) {
            Ok(LIGHT_MOTION) => ChunkId::NLIM,
            Ok(CAMERA_MOTION) => ChunkId::NCAM,
            Ok(MODEL_MOTION) => ChunkId::NMDM,
            _ => continue,
        };
        let name = rest.trim_ascii_start().split(u8::is_ascii_whitespace).next();
        chunks.entry(name.unwrap_or_default()).or_insert(id);
    }
    chunks
}

/// Destination of a link, after names have been resolved.
#[derive(Debug, Clone)]
pub(super) enum ResolvedLink {
    /// A definition, and an offset in bytes into it.
    Symbol(usize, u32),
    Text(Range<usize>),
}

/// A part of a chunk body before it has an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Piece {
    Symbol(usize),
    /// A string, by its range in [`Unit::strings`].
    Text(usize, usize),
}

/// Resolves all links, in their order.
pub(super) fn resolve(unit: &mut Unit<'_>) -> Failable<Vec<ResolvedLink>> {
    let names = names(unit)?;
    let mut resolved = Vec::with_capacity(unit.links.len());
    let mut forward = Vec::new();
    for symbol in &unit.symbols {
        for link in unit.links.get(symbol.links.clone()).unwrap_or_default() {
            let (name, index) = match &link.target {
                Target::Text(range) => {
                    resolved.push(ResolvedLink::Text(range.clone()));
                    continue;
                }
                Target::Name { name, index } => (*name, *index),
            };
            let Some(&target) = names.get(unit.slice(name)) else {
                return undefined(unit, &names, name);
            };
            let found_symbol = &unit.symbols[target];
            let place = place_of(symbol, link.at);
            let allowed = symbol.ty.targets(place);
            if !allowed.contains(&found_symbol.ty.name) {
                let found = format!("{}, a {}", unit.string(name), found_symbol.ty.name);
                let expected = if allowed.is_empty() {
                    "NULL".to_owned()
                } else {
                    allowed.join(" or ")
                };
                return fail(link.text, symbol.ty.name, found, expected);
            }
            let offset = index as usize * found_symbol.ty.element_bytes();
            if offset >= found_symbol.data.len().max(1) {
                let elements = found_symbol.data.len() / found_symbol.ty.element_bytes();
                return fail(link.text, "index", index.to_string(), format!("below {elements}"));
            }
            if found_symbol.data.start > link.at {
                forward.push((link.text, name));
            }
            resolved.push(ResolvedLink::Symbol(target, offset as u32));
        }
    }
    drop(names);
    for (at, name) in forward {
        let kind = TextWarningKind::Forward(unit.string(name));
        unit.warnings.push(at, kind);
    }
    Ok(resolved)
}

/// Returns the index of a number within its element, given its position in the data.
pub(super) fn place_of(symbol: &Symbol, at: usize) -> usize {
    let within = (at - symbol.data.start) % symbol.ty.element_bytes();
    (0..symbol.ty.layout.len())
        .take_while(|i| symbol.ty.offset(*i) < within)
        .count()
}

/// Returns the definitions by name. A second definition with the same content is accepted:
/// docs/formats/compact-shape.md contains one by mistake.
fn names<'a>(unit: &mut Unit<'a>) -> Failable<HashMap<&'a [u8], usize>> {
    let mut names: HashMap<&[u8], usize> = HashMap::with_capacity(unit.symbols.len());
    let mut same = Vec::new();
    for (i, symbol) in unit.symbols.iter().enumerate() {
        let name = unit.text.get(symbol.name.0..symbol.name.1).unwrap_or_default();
        let first = *names.entry(name).or_insert(i);
        let (true, Some(first)) = (first != i, unit.symbols.get(first)) else {
            continue;
        };
        if !identical(unit, first, symbol) {
            let found = format!("{} for the second time", String::from_utf8_lossy(name));
            return fail(symbol.name.0, "definition", found, "a new name");
        }
        same.push((i, symbol.name));
    }
    for (i, name) in same {
        unit.symbols[i].again = true;
        let kind = TextWarningKind::Duplicate(unit.string(name));
        unit.warnings.push(name.0, kind);
    }
    Ok(names)
}

fn identical(unit: &Unit<'_>, a: &Symbol, b: &Symbol) -> bool {
    let links = |s: &Symbol| unit.links.get(s.links.clone()).unwrap_or_default();
    let alike = |(x, y): (&super::compile::Link, &super::compile::Link)| {
        let same = match (&x.target, &y.target) {
            (Target::Name { name: n, index: i }, Target::Name { name: m, index: j }) => {
                unit.slice(*n) == unit.slice(*m) && i == j
            }
            (Target::Text(p), Target::Text(q)) => unit.strings.get(p.clone()) == unit.strings.get(q.clone()),
            _ => false,
        };
        same && x.at - a.data.start == y.at - b.data.start
    };
    a.ty.name == b.ty.name
        && unit.data.get(a.data.clone()) == unit.data.get(b.data.clone())
        && links(a).len() == links(b).len()
        && links(a).iter().zip(links(b)).all(alike)
}

#[cold]
fn undefined<T>(unit: &Unit<'_>, names: &HashMap<&[u8], usize>, name: (usize, usize)) -> Failable<T> {
    // Suggest the definition with the longest common prefix.
    let wanted = unit.slice(name);
    let shared = |other: &[u8]| wanted.iter().zip(other).take_while(|(a, b)| a == b).count();
    let near = names.keys().map(|n| (shared(n), std::cmp::Reverse(*n))).max();
    let near = near.filter(|(shared, _)| *shared >= 4 && 2 * shared >= wanted.len());
    let expected = near.map_or("a name defined in this text".to_owned(), |(_, other)| {
        format!(
            "a name defined in this text, such as {}",
            String::from_utf8_lossy(other.0)
        )
    });
    fail(name.0, "name", unit.string(name), expected)
}

/// Builds a chunk from every top structure, in text order.
pub(super) fn link(unit: &mut Unit<'_>, resolved: &[ResolvedLink]) -> Failable<Vec<Linked>> {
    let roots = roots(unit, resolved)?;
    let titled = titled(unit.text);
    let mut used = vec![false; unit.symbols.len()];
    let (mut chunks, mut left) = (
        Vec::with_capacity(roots.len()),
        65536 + MAX_SHARING * unit.text.len(),
    );
    for (root, top) in roots {
        let pieces = reachable(unit, resolved, root, &mut left)?;
        for piece in &pieces {
            if let Piece::Symbol(i) = piece {
                used[*i] = true;
            }
        }
        let body = Body {
            unit,
            resolved,
            titled: &titled,
            pieces,
        };
        chunks.push(body.assemble(root, top)?);
    }
    let idle = |(symbol, used): (&Symbol, &bool)| {
        let counts = !used && !symbol.again && symbol.ty.top != Some(Top::NotInFiles);
        counts.then_some(symbol.name)
    };
    let idle: Vec<_> = unit.symbols.iter().zip(&used).filter_map(idle).collect();
    for name in idle {
        let kind = TextWarningKind::Unused(unit.string(name));
        unit.warnings.push(name.0, kind);
    }
    Ok(chunks)
}

/// Returns the structures that begin a chunk. The root of a tree is the object that no other object refers
/// to.
fn roots(unit: &Unit<'_>, resolved: &[ResolvedLink]) -> Failable<Vec<(usize, Top)>> {
    let mut referred = vec![false; unit.symbols.len()];
    for symbol in unit.symbols.iter().filter(|s| s.ty.is_object()) {
        for link_target in resolved.get(symbol.links.clone()).unwrap_or_default() {
            if let ResolvedLink::Symbol(target, _) = link_target {
                referred[*target] = true;
            }
        }
    }
    let tops = unit
        .symbols
        .iter()
        .enumerate()
        .filter_map(|(i, s)| Some((i, s.ty.top?)));
    let roots: Vec<_> = tops
        .filter(|(i, top)| !(*top == Top::Object && referred[*i]) && *top != Top::NotInFiles)
        .collect();
    let object = unit.symbols.iter().find(|s| s.ty.is_object());
    match object {
        Some(symbol) if !roots.iter().any(|(_, top)| *top == Top::Object) => fail(
            symbol.name.0,
            "objects",
            "a cycle of children and siblings",
            "an object that no other refers to",
        ),
        _ => Ok(roots),
    }
}

/// Returns all structures reachable from a root, by rank and then in drawing order.
fn reachable(
    unit: &Unit<'_>,
    resolved: &[ResolvedLink],
    root: usize,
    left: &mut usize,
) -> Failable<Vec<Piece>> {
    let mut seen = HashMap::new();
    let mut stack = vec![Piece::Symbol(root)];
    while let Some(piece) = stack.pop() {
        if seen.contains_key(&piece) {
            continue;
        }
        let (rank, bytes) = match piece {
            Piece::Symbol(i) => (unit.symbols[i].ty.rank, unit.symbols[i].data.len()),
            Piece::Text(start, end) => (u8::MAX, end - start),
        };
        seen.insert(piece, (rank, seen.len()));
        *left = match left.checked_sub(bytes) {
            Some(left) => left,
            None => {
                let at = unit.symbols[root].name.0;
                let most = format!("at most {MAX_SHARING} bytes of data for each byte of text");
                return fail(at, "definitions", "the same definitions in many trees", most);
            }
        };
        if let Piece::Symbol(i) = piece {
            let links = resolved.get(unit.symbols[i].links.clone()).unwrap_or_default();
            stack.extend(links.iter().rev().map(|link_target| match link_target {
                ResolvedLink::Symbol(target, _) => Piece::Symbol(*target),
                ResolvedLink::Text(range) => Piece::Text(range.start, range.end),
            }));
        }
    }
    let mut pieces: Vec<_> = seen.into_iter().map(|(piece, order)| (order, piece)).collect();
    pieces.sort_unstable_by_key(|(order, _)| *order);
    Ok(pieces.into_iter().map(|(_, piece)| piece).collect())
}

/// A chunk body under construction.
struct Body<'a, 'u> {
    unit: &'a Unit<'u>,
    resolved: &'a [ResolvedLink],
    titled: &'a HashMap<&'u [u8], ChunkId>,
    pieces: Vec<Piece>,
}

/// Size in bytes of a narrow node; its definition has the 56 bytes of a wide one.
const NARROW: usize = 52;

impl Body<'_, '_> {
    fn assemble(&self, root: usize, top: Top) -> Failable<Linked> {
        let symbols = || {
            self.pieces.iter().filter_map(|p| match p {
                Piece::Symbol(i) => Some(&self.unit.symbols[*i]),
                Piece::Text(..) => None,
            })
        };
        let wide = symbols().any(|s| s.wide);
        let mut linked = Linked {
            id: self.id(root, top, wide),
            body: Vec::new(),
            pointers: Vec::new(),
            pieces: Vec::with_capacity(self.pieces.len()),
        };
        let mut places = HashMap::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let bytes = match piece {
                Piece::Symbol(i) => {
                    let symbol = &self.unit.symbols[*i];
                    linked.body.resize(linked.body.len().next_multiple_of(4), 0);
                    linked.pieces.push((linked.body.len() as u32, symbol.data.start));
                    let data = self.unit.data.get(symbol.data.clone()).unwrap_or_default();
                    if symbol.ty.is_object() && !wide {
                        data.get(..NARROW).unwrap_or(data)
                    } else {
                        data
                    }
                }
                Piece::Text(start, end) => self.unit.strings.get(*start..*end).unwrap_or_default(),
            };
            places.insert(*piece, linked.body.len() as u32);
            linked.body.extend_from_slice(bytes);
        }
        linked.body.resize(linked.body.len().next_multiple_of(4), 0);
        for piece in &self.pieces {
            if let Piece::Symbol(i) = piece {
                self.place_links(&self.unit.symbols[*i], places[piece], &places, &mut linked)?;
            }
        }
        linked.pointers.sort_unstable();
        linked.pointers.dedup();
        Ok(linked)
    }

    fn place_links(
        &self,
        symbol: &Symbol,
        base: u32,
        places: &HashMap<Piece, u32>,
        linked: &mut Linked,
    ) -> Failable<()> {
        for i in symbol.links.clone() {
            let (link, link_target) = (&self.unit.links[i], &self.resolved[i]);
            let (piece, offset) = match link_target {
                ResolvedLink::Symbol(target, offset) => (Piece::Symbol(*target), *offset),
                ResolvedLink::Text(range) => (Piece::Text(range.start, range.end), 0),
            };
            let value = places.get(&piece).copied().unwrap_or(0) + offset;
            if value == 0 {
                return fail(
                    link.text,
                    symbol.ty.name,
                    "a pointer to the top structure",
                    "a pointer to another structure",
                );
            }
            let at = base + (link.at - symbol.data.start) as u32;
            if let Some(bytes) = linked.body.get_mut(at as usize..at as usize + 4) {
                bytes.copy_from_slice(&value.to_le_bytes());
            }
            linked.pointers.push(at);
        }
        // Only the pointer list gives the length of these arrays.
        if symbol.ty.name == "CVLIST" {
            linked
                .pointers
                .extend((base..).step_by(4).take(symbol.data.len() / 4));
        }
        Ok(())
    }

    fn id(&self, root: usize, top: Top, wide: bool) -> ChunkId {
        let has = |wanted: fn(&Type) -> bool| {
            self.pieces
                .iter()
                .any(|p| matches!(p, Piece::Symbol(i) if *i != root && wanted(self.unit.symbols[*i].ty)))
        };
        match top {
            Top::Texlist => ChunkId::NJTL,
            Top::Object if wide => ChunkId::N2CM,
            Top::Object | Top::NotInFiles => ChunkId::NJCM,
            Top::Motion if self.is_shape_motion(root) => ChunkId::CPSM,
            Top::Motion => match self.titled.get(self.unit.slice(self.unit.symbols[root].name)) {
                Some(id) => *id,
                None if has(Type::is_camera_key) => ChunkId::NCAM,
                None if is_of_light(self.bits(root)) => ChunkId::NLIM,
                None => ChunkId::NMDM,
            },
            Top::SpriteMotion => ChunkId::NCSM,
            Top::ShapeList => ChunkId::NJSL,
            Top::Sprite => ChunkId::NJSP,
            Top::Stream => ChunkId::NJCS,
        }
    }

    /// True if SHAPEID is the only element of the motion (docs/formats/compact-shape.md 2.1).
    fn is_shape_motion(&self, root: usize) -> bool {
        self.bits(root) & 1 << 14 != 0
    }

    /// Returns NJS_MOTION.type.
    fn bits(&self, root: usize) -> u32 {
        let symbol = &self.unit.symbols[root];
        self.unit.number(symbol.data.start + symbol.ty.offset(2), 2)
    }
}
