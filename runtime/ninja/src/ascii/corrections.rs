//! Correction of counts and flags that contradict the data (docs/formats/ninja.md 3.4, 4). The data decide.

use super::compile::Unit;
use super::error::TextWarningKind;
use super::link::{ResolvedLink, place_of};
use super::table::Top;
use crate::motion::{Element, MotionKind, MotionType};
use std::collections::HashMap;

/// Targets of the pointers, by their position in [`Unit::data`].
struct Pointers<'a>(HashMap<usize, (&'a ResolvedLink, usize)>);

impl<'a> Pointers<'a> {
    /// Collects the pointers of structures that have counts or tables.
    fn new(unit: &Unit<'_>, resolved: &'a [ResolvedLink]) -> Self {
        let counted = unit
            .symbols
            .iter()
            .filter(|s| !s.ty.counts.is_empty() || s.ty.top.is_some());
        let links = counted.flat_map(|s| s.links.clone());
        Pointers(
            links
                .map(|i| (unit.links[i].at, (&resolved[i], unit.links[i].text)))
                .collect(),
        )
    }

    /// Returns the definition that the pointer at `at` refers to, the byte offset into it, and the pointer's
    /// position in the text.
    fn target(&self, at: usize) -> Option<(usize, u32, usize)> {
        match self.0.get(&at)? {
            (ResolvedLink::Symbol(target, offset), text) => Some((*target, *offset, *text)),
            (ResolvedLink::Text(_), _) => None,
        }
    }
}

/// Corrects all counts and flags of a unit.
pub(super) fn correct(unit: &mut Unit<'_>, resolved: &[ResolvedLink]) {
    let pointers = Pointers::new(unit, resolved);
    for i in 0..unit.symbols.len() {
        counts(unit, &pointers, i);
    }
    for i in 0..unit.symbols.len() {
        match unit.symbols[i].ty.top {
            Some(Top::Motion) => motion(unit, &pointers, i, MotionKind::Model),
            Some(Top::SpriteMotion) => motion(unit, &pointers, i, MotionKind::CellSprite),
            Some(Top::Stream) => stream(unit, &pointers, i),
            _ => {}
        }
    }
}

/// Corrects the count next to each pointer to the number of elements from the pointer's target to the end of
/// its array. Several nodes may share a CSHAPEDATA array, so there a smaller count remains.
fn counts(unit: &mut Unit<'_>, pointers: &Pointers<'_>, i: usize) {
    let (ty, data) = (unit.symbols[i].ty, unit.symbols[i].data.clone());
    if ty.counts.is_empty() {
        return;
    }
    for element in data.step_by(ty.element_bytes()) {
        for (pointer, count) in ty.counts {
            let (at, bytes) = (element + ty.offset(*count), ty.layout[*count].bytes());
            let stated = unit.number(at, bytes);
            let link_target = pointers.target(element + ty.offset(*pointer));
            let (found, text) = match link_target {
                None => (0, unit.text_of(element)),
                Some((target, offset, text)) => {
                    let target = &unit.symbols[target];
                    let elements = (target.data.len() - offset as usize) / target.ty.element_bytes();
                    let part = target.ty.name == "CSHAPEDATA" && (stated as usize) < elements;
                    (if part { stated } else { elements as u32 }, text)
                }
            };
            if found != stated {
                let what = "the count next to a pointer";
                unit.warnings
                    .push(text, TextWarningKind::Count { what, stated, found });
                unit.set_number(at, bytes, found);
            }
        }
    }
}

/// Checks a motion's type and number of tables against its MDATA and the key arrays.
fn motion(unit: &mut Unit<'_>, pointers: &Pointers<'_>, i: usize, kind: MotionKind) {
    let symbol = &unit.symbols[i];
    let (start, ty) = (symbol.data.start, symbol.ty);
    let (bits_at, inp_at) = (start + ty.offset(2), start + ty.offset(3));
    let Some((mdata, _, text)) = pointers.target(start) else {
        return;
    };
    let tables = unit.symbols[mdata].ty.tables().unwrap_or(0);
    let inp_fn = unit.number(inp_at, 2);
    let stated = (inp_fn & 0xF) as usize;
    if stated != tables {
        // The samples of docs/formats/cell-sprite.md omit the number.
        if stated != 0 {
            let (what, stated, found) = ("the number of tables", stated as u32, tables as u32);
            unit.warnings
                .push(text, TextWarningKind::Count { what, stated, found });
        }
        unit.set_number(inp_at, 2, inp_fn & !0xF | tables as u32);
    }
    let mut bits = unit.number(bits_at, 2) as u16;
    // The samples of docs/formats/cell-sprite.md use bit 8 for RGB_8, which is bit 9.
    if kind == MotionKind::CellSprite && bits & 0x0300 == 0x0100 {
        let used = bits & !0x0100 | 0x0200;
        unit.warnings
            .push(text, TextWarningKind::MotionBits { stated: bits, used });
        unit.set_number(bits_at, 2, u32::from(used));
        bits = used;
    }
    key_kinds(unit, pointers, mdata, bits, kind);
}

/// Types of key arrays for each element.
fn arrays(element: Element, kind: MotionKind) -> &'static [&'static str] {
    match (kind, element) {
        (MotionKind::CellSprite, Element::Pos) => &["CSPOSITION", "POSITION"],
        (MotionKind::CellSprite, Element::Ang) => &["CSANGLE"],
        (MotionKind::CellSprite, Element::Scl) => &["CSSCALE", "SCALE2D"],
        (MotionKind::CellSprite, Element::Rgb) => &["CSCOLOR"],
        (_, Element::Pos) => &["POSITION", "CPOSITION"],
        (_, Element::Ang) => &["ROTATION", "SROTATION"],
        (_, Element::Scl) => &["SCALE"],
        (_, Element::Vec0 | Element::Vec3) => &["CVECTOR", "POSITION"],
        (_, Element::Sang) => &["SROTATION"],
        (_, Element::Target) => &["CTARGET"],
        (_, Element::Roll) => &["CROLL"],
        (_, Element::Angle) => &["CANGLE"],
        (_, Element::Quat) => &["QROTATION"],
        (_, Element::ShapeId) => &["CSHAPEDATA"],
        (_, Element::Event) => &["EVENTBITS"],
        (_, Element::Rgb) => &["POSITION", "CSCOLOR"],
        (_, Element::Intensity | Element::Point) => &["SCALE2D", "CSSCALE"],
        _ => &[],
    }
}

/// Warns about key arrays of a type that does not fit the motion type, once per table index.
fn key_kinds(unit: &mut Unit<'_>, pointers: &Pointers<'_>, mdata: usize, bits: u16, kind: MotionKind) {
    let Ok(elements) = Element::in_table_order(kind, MotionType(bits)) else {
        return;
    };
    let (ty, data) = (unit.symbols[mdata].ty, unit.symbols[mdata].data.clone());
    let mut told = [false; crate::motion::MAX_TABLES];
    for element in data.step_by(ty.element_bytes()) {
        for (table, told) in told.iter_mut().enumerate().take(ty.counts.len()) {
            let at = element + ty.offset(table);
            debug_assert_eq!(place_of(&unit.symbols[mdata], at), table);
            let Some((target, _, text)) = pointers.target(at) else {
                continue;
            };
            let found = unit.symbols[target].ty.name;
            let names = elements.get(table).map_or(&[][..], |e| arrays(*e, kind));
            if names.contains(&found) || *told {
                continue;
            }
            *told = true;
            let expected = names.first().copied().unwrap_or("none");
            unit.warnings.push(
                text,
                TextWarningKind::KeyKind {
                    table,
                    found,
                    expected,
                },
            );
        }
    }
}

/// Sets CSTimeMax to the time of the stream's end (docs/formats/ninja.md 4).
fn stream(unit: &mut Unit<'_>, pointers: &Pointers<'_>, i: usize) {
    let (start, ty) = (unit.symbols[i].data.start, unit.symbols[i].ty);
    let Some((target, _, text)) = pointers.target(start) else {
        return;
    };
    let Some(last) = unit.symbols[target].data.end.checked_sub(4) else {
        return;
    };
    let end = unit.u32(last);
    let stated = unit.u32(start + ty.offset(3));
    if end >> 28 == 0 && stated != end & 0xFFFF {
        let note = format!("CSTimeMax is {stated}, the stream ends at {}", end & 0xFFFF);
        unit.warnings.push(text, TextWarningKind::Structure(note));
    }
}
