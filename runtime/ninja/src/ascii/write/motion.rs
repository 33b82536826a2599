//! Writer for motions of models, lights, cameras and cell sprites.

use super::super::link::{CAMERA_MOTION, LIGHT_MOTION, MODEL_MOTION, is_of_light};
use super::num::{degrees, floats};
use super::{Top, Writer, flags};
use crate::color::Argb;
use crate::error::Error;
use crate::motion::{Element, InpFn, Interpolation, KeyForm, Keys, Motion, MotionKind, TrackId};
use crate::tree::Bams;
use std::fmt::Write as _;

const KEY: [(u32, &str); 15] = [
    (1 << 0, "FMK_POS0"),
    (1 << 1, "FMK_ANG1"),
    (1 << 2, "FMK_SCA2"),
    (1 << 3, "FMK_VEC3"),
    (1 << 4, "FMK_VEC0"),
    (1 << 5, "FMK_SANG1"),
    (1 << 6, "FMK_TAR3"),
    (1 << 7, "FMK_ROL6"),
    (1 << 8, "FMK_ANG7"),
    (1 << 9, "FMK_RGB8"),
    (1 << 10, "FMK_INT9"),
    (1 << 12, "FMK_POI9"),
    (1 << 13, "FMK_QUA1"),
    (1 << 14, "FMK_SHID"),
    (1 << 15, "FMK_EVE4"),
];

/// Returns the type of a key array and the start of its name. No document defines array types for lights:
/// their keys use the arrays that other motions have for the same structures. No document has arrays of
/// NJS_MKEY_SPOT and NJS_MKEY_F1.
fn array(kind: MotionKind, element: Element, form: KeyForm) -> Option<(&'static str, &'static str)> {
    use Element::{Ang, Angle, Event, Intensity, Point, Pos, Quat, Rgb, Roll, Sang, Scl, Target, Vec0, Vec3};
    Some(match (kind, element, form) {
        (MotionKind::CellSprite, Pos, KeyForm::F) => ("CSPOSITION", "pos"),
        (MotionKind::CellSprite, Ang, KeyForm::A1) => ("CSANGLE", "angle"),
        (MotionKind::CellSprite, Scl, KeyForm::F2) => ("CSSCALE", "scl"),
        (MotionKind::CellSprite, Rgb, KeyForm::Ui32) => ("CSCOLOR", "col"),
        (MotionKind::Camera, Pos, KeyForm::F) => ("CPOSITION", "pos"),
        (MotionKind::Camera, Vec0, KeyForm::F) => ("CVECTOR", "vec0"),
        (MotionKind::Camera, Vec3, KeyForm::F) => ("CVECTOR", "vec3"),
        (MotionKind::Camera, Target, KeyForm::F) => ("CTARGET", "tar"),
        (MotionKind::Camera, Roll, KeyForm::Sa1) => ("CROLL", "roll"),
        (MotionKind::Camera, Angle, KeyForm::Sa1) => ("CANGLE", "angle"),
        (MotionKind::Model, Pos, KeyForm::F) => ("POSITION", "pos"),
        (MotionKind::Model, Ang, KeyForm::A) => ("ROTATION", "rot"),
        (MotionKind::Model, Ang | Sang, KeyForm::Sa) => ("SROTATION", "rot"),
        (MotionKind::Model, Scl, KeyForm::F) => ("SCALE", "scl"),
        (MotionKind::Model, Quat, KeyForm::Quat) => ("QROTATION", "rot"),
        (MotionKind::Model, Event, KeyForm::Ui16) => ("EVENTBITS", "event"),
        (MotionKind::Light, Pos, KeyForm::F) => ("POSITION", "pos"),
        (MotionKind::Light, Vec0, KeyForm::F) => ("POSITION", "vec0"),
        (MotionKind::Light, Vec3, KeyForm::F) => ("POSITION", "vec3"),
        (MotionKind::Light | MotionKind::Model, Rgb, KeyForm::F) => ("POSITION", "col"),
        (MotionKind::Light | MotionKind::Model, Rgb, KeyForm::Ui32) => ("CSCOLOR", "col"),
        (MotionKind::Light | MotionKind::Model, Intensity, KeyForm::F2) => ("SCALE2D", "int"),
        (MotionKind::Light | MotionKind::Model, Point, KeyForm::F2) => ("SCALE2D", "range"),
        _ => return None,
    })
}

impl Writer<'_> {
    pub(super) fn motion(&mut self, motion: &Motion) -> Result<Top, Error> {
        let sprite = motion.kind == MotionKind::CellSprite;
        let (block, title) = match motion.kind {
            MotionKind::CellSprite => ("CSPRITE_MOTION", "CSPRITE MOTION"),
            // A text has no chunk names. The title keeps the kind if elements and arrays do not imply it.
            MotionKind::Model if is_of_light(u32::from(motion.motion_type.0)) => ("MOTION", MODEL_MOTION),
            MotionKind::Light => ("MOTION", LIGHT_MOTION),
            MotionKind::Camera => ("MOTION", CAMERA_MOTION),
            MotionKind::Model => ("MOTION", "MOTION"),
            MotionKind::SimpleShape => {
                return Err(no_form(motion.kind.chunk_id().to_string()));
            }
        };
        // The reader takes a motion with SHAPEID for a motion of shapes.
        if motion.motion_type.0 & Element::ShapeId.bit() != 0 {
            let found = format!("{:#06x}", motion.motion_type.0);
            return Err(Error::parameter("NJS_MOTION.type", found, "no SHAPEID"));
        }
        let elements = Element::in_table_order(motion.kind, motion.motion_type)?;
        let tables = motion.tables();
        if tables == 0 || tables > crate::motion::MAX_TABLES {
            return Err(Error::parameter("number of tables", tables, "1 to 5"));
        }
        let spare =
            |node: &crate::motion::MotionNode| node.tables.iter().skip(elements.len()).any(Option::is_some);
        if let Some(node) = motion.nodes.iter().position(spare) {
            let found = format!("one of node {node} without an element");
            return Err(Error::parameter("key table", found, "a bit of the type for each"));
        }
        // Models and cell sprites use the same form of names.
        let scope = self.scope("MOTION");
        let _ = write!(self.out, "\n{block}_START\n");
        let names = self.key_tables(motion, &elements, &scope)?;
        self.mdata(motion, tables, &names, &scope);
        let name = format!("motion_{scope}");
        self.open(if sprite { "CSMOTION" } else { "MOTION" }, &format!("{name}[]"));
        let _ = write!(
            self.out,
            "MdataArray    {},\nMFrameNum     {},\n",
            mdata_name(motion.nodes.len(), &scope),
            motion.nb_frame
        );
        let bits = u32::from(motion.motion_type.0);
        // Cell sprites have the number, because the old form must not change (docs/formats/cell-sprite.md
        // 5.3).
        let _ = match sprite {
            true => writeln!(self.out, "MotionBit     {bits:#06x},"),
            false => writeln!(self.out, "MotionBitF    ({}),", flags(bits, &KEY)),
        };
        let _ = writeln!(self.out, "InterpolFctF  ({}),", inp_fn(motion.inp_fn, tables));
        self.close();
        let _ = write!(self.out, "\n{block}_END\n");
        Ok(Top {
            title,
            name,
            note: String::new(),
            default: "DEFAULT_MOTION_NAME",
        })
    }

    /// Returns the key arrays in the order of their first use, and their names by number.
    fn key_tables(
        &mut self,
        motion: &Motion,
        elements: &[Element],
        scope: &str,
    ) -> Result<Vec<String>, Error> {
        let mut names = vec![String::new(); motion.tracks.len()];
        let mut numbers: Vec<(&str, usize)> = Vec::new();
        let single = motion.nodes.len() == 1;
        for node in &motion.nodes {
            for (table, element) in node.tables.iter().zip(elements) {
                let Some(TrackId(id)) = table else { continue };
                let (Some(keys), Some(name)) = (motion.tracks.get(*id as usize), names.get_mut(*id as usize))
                else {
                    return Err(Error::parameter("key table", id, "one that the motion has"));
                };
                if !name.is_empty() {
                    continue;
                }
                let found = || no_form(format!("{} keys for {}", keys.form().name(), element.name()));
                let (ty, prefix) = array(motion.kind, *element, keys.form()).ok_or_else(found)?;
                let number = match numbers.iter_mut().find(|(known, _)| *known == prefix) {
                    Some((_, number)) => {
                        *number += 1;
                        *number
                    }
                    None => {
                        numbers.push((prefix, 0));
                        0
                    }
                };
                *name = if single {
                    format!("{prefix}_{scope}")
                } else {
                    format!("{prefix}_{scope}_{number}")
                };
                self.open(ty, &format!("{name}[]"));
                self.keys(keys, *element);
                self.close();
            }
        }
        Ok(names)
    }

    fn keys(&mut self, keys: &Keys, element: Element) {
        let out = &mut self.out;
        // Writing to a string cannot fail.
        let mut row = |name: &str, frame: u32, value: String| {
            let _ = writeln!(out, "    {name}( {frame}, {value} ),");
        };
        let angles = |parts: [i32; 3]| parts.map(degrees).join(", ");
        match keys {
            Keys::F(keys) => keys.iter().for_each(|k| row("MKEYF", k.frame, floats(&k.value))),
            Keys::F1(keys) => keys
                .iter()
                .for_each(|k| row("MKEYF1", k.frame, floats(&[k.value]))),
            Keys::F2(keys) => keys.iter().for_each(|k| row("MKEYF2", k.frame, floats(&k.value))),
            Keys::Quat(keys) => keys.iter().for_each(|k| row("MKEYQ", k.frame, floats(&k.value))),
            Keys::A(keys) => keys
                .iter()
                .for_each(|k| row("MKEYA", k.frame, angles(k.value.map(|Bams(a)| a)))),
            Keys::A1(keys) => keys
                .iter()
                .for_each(|k| row("MKEYA1", k.frame, degrees(k.value.0))),
            Keys::Sa(keys) => keys
                .iter()
                .for_each(|k| row("MKEYSA", k.frame, angles(k.value.map(i32::from)))),
            Keys::Sa1(keys) => keys
                .iter()
                .for_each(|k| row("MKEYSA1", k.frame, degrees(k.value.into()))),
            Keys::Ui16(keys) => keys
                .iter()
                .for_each(|k| row("MKEYUI16", k.frame, format!("{:#06x}", k.value))),
            Keys::Ui32(keys) if element == Element::Rgb => keys.iter().for_each(|k| {
                let c = Argb(k.value);
                let color = format!("ARGB( {}, {}, {}, {} )", c.a(), c.r(), c.g(), c.b());
                row("MKEYUI32", k.frame, color);
            }),
            Keys::Ui32(keys) | Keys::ShapeId(keys) => {
                keys.iter()
                    .for_each(|k| row("MKEYUI32", k.frame, k.value.to_string()));
            }
            Keys::Si32(keys) => keys
                .iter()
                .for_each(|k| row("MKEYSI32", k.frame, k.value.to_string())),
            // No written chunk has arrays of these kinds.
            Keys::Ax(_) | Keys::Spot(_) | Keys::P(_) => {}
        }
    }

    fn mdata(&mut self, motion: &Motion, tables: usize, names: &[String], scope: &str) {
        if motion.nodes.is_empty() {
            return;
        }
        self.open(&format!("MDATA{tables}"), &format!("mdata_{scope}[]"));
        for node in &motion.nodes {
            self.put("   ");
            let used = node.tables.iter().take(tables);
            let keys = |id: &Option<TrackId>| id.and_then(|id| motion.track(id));
            for table in used.clone() {
                let name = table.and_then(|id| names.get(id.0 as usize));
                let _ = write!(self.out, " {},", name.map_or("NULL", String::as_str));
            }
            for table in used {
                let _ = write!(self.out, " {},", keys(table).map_or(0, Keys::len));
            }
            self.put("\n");
        }
        self.close();
    }
}

/// Returns the name of the array of nodes; NULL for a motion without nodes, since no pointer may refer to an
/// empty array.
pub(super) fn mdata_name(nodes: usize, scope: &str) -> String {
    match nodes {
        0 => "NULL".to_owned(),
        _ => format!("mdata_{scope}"),
    }
}

/// Returns `FMT_L|FMD_3`, with the actual number of tables.
pub(super) fn inp_fn(value: InpFn, tables: usize) -> String {
    let method = match value.method() {
        Interpolation::Linear => "FMT_L",
        Interpolation::Spline => "FMT_S",
        Interpolation::User => "FMT_U",
        Interpolation::Unassigned => "FMT_S|FMT_U",
    };
    let left = value.0 & !0xCF;
    match left {
        0 => format!("{method}|FMD_{tables}"),
        _ => format!("{method}|FMD_{tables}|{left:#x}"),
    }
}

fn no_form(found: String) -> Error {
    Error::parameter("motion", found, "something that ASCII files have macros for")
}
