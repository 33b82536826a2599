//! Builds common kinds of records.

use fbx::{ByteOrder, Elements, Property, Record};

use crate::math::Affine;

pub(super) fn record(name: &'static str) -> Record<'static> {
    Record::new(name, ByteOrder::Little)
}

pub(super) fn text(value: &str) -> Property<'_> {
    Property::String(value.as_bytes())
}

/// Builds an object: number, name and class in one string, subclass.
pub(super) fn object(
    kind: &'static str,
    id: i64,
    name: &str,
    class: &str,
    subclass: &str,
) -> Record<'static> {
    let full = format!("{name}\0\u{1}{class}");
    record(kind)
        .with(&Property::I64(id))
        .with(&text(&full))
        .with(&text(subclass))
}

/// Returns the second name of a property's type. Blender rejects numbers without it.
fn label(kind: &str) -> &'static str {
    match kind {
        "int" => "Integer",
        "double" => "Number",
        "KTime" => "Time",
        _ => "",
    }
}

/// Builds a property without its values. `flags` is `A` for animatable, `U` for user-defined properties.
pub(super) fn head(name: &str, kind: &str, flags: &str) -> Record<'static> {
    [name, kind, label(kind), flags]
        .iter()
        .fold(record("P"), |r, part| r.with(&text(part)))
}

pub(super) fn property(name: &str, kind: &str, value: &Property<'_>) -> Record<'static> {
    head(name, kind, "").with(value)
}

pub(super) fn int(name: &str, value: i32) -> Record<'static> {
    property(name, "int", &Property::I32(value))
}

pub(super) fn time(name: &str, value: i64) -> Record<'static> {
    property(name, "KTime", &Property::I64(value))
}

/// Builds an animatable property of numbers.
pub(super) fn numbers(name: &str, kind: &str, values: &[f64]) -> Record<'static> {
    let values = values.iter();
    values.fold(head(name, kind, "A"), |r, v| r.with(&Property::F64(*v)))
}

pub(super) fn elements(name: &'static str, values: Elements) -> Record<'static> {
    let mut made = record(name);
    made.properties.push_elements(&values);
    made
}

pub(super) fn doubles(name: &'static str, values: impl IntoIterator<Item = f64>) -> Record<'static> {
    elements(name, Elements::F64(values.into_iter().collect()))
}

pub(super) fn ints(name: &'static str, values: impl IntoIterator<Item = i32>) -> Record<'static> {
    elements(name, Elements::I32(values.into_iter().collect()))
}

/// Builds a matrix of 16 numbers in column-major order.
pub(super) fn matrix(name: &'static str, m: &Affine) -> Record<'static> {
    let [x, y, z] = m.columns;
    let columns = [(x, 0.0), (y, 0.0), (z, 0.0), (m.origin, 1.0)];
    doubles(name, columns.into_iter().flat_map(|(c, w)| [c[0], c[1], c[2], w]))
}

/// Connects `child` to `parent`, or to one of its properties.
pub(super) fn connection(child: i64, parent: i64, property: Option<&str>) -> Record<'static> {
    let kind = if property.is_some() { "OP" } else { "OO" };
    let made = record("C")
        .with(&text(kind))
        .with(&Property::I64(child))
        .with(&Property::I64(parent));
    match property {
        Some(property) => made.with(&text(property)),
        None => made,
    }
}
