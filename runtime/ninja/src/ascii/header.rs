//! A C header that defines the macros as this reader interprets them.

use super::table::{BRACKETS, Conv, GROUPS, MACROS, Macro, Out, Part, Scalar, TYPES};
use std::fmt::Write as _;

/// Returns a C header for texts from [`write`](super::write) and for the official macros in general. The
/// header includes no others. The format has 32-bit pointers, so the numbers are correct for 32-bit targets.
/// `NINJA_WIDE_NODES` makes nodes 56 bytes long, for texts with `OQuatRe`.
pub fn c_header() -> String {
    let mut text = String::from(STRUCTS);
    for (title, group) in GROUPS {
        let _ = write!(text, "\n/* {title} */\n");
        for constant in group.iter().filter(|c| c.name != "NULL") {
            let _ = writeln!(text, "#define {:<20} {:#x}", constant.name, constant.value);
        }
    }
    text.push_str("\n/* Brackets */\n");
    for bracket in BRACKETS {
        let _ = writeln!(text, "#define {:<20} {}", bracket.open, bracket.c[0]);
        let _ = writeln!(text, "#define {:<20} {}", bracket.close, bracket.c[1]);
    }
    text.push_str("\n/* Types */\n");
    for ty in TYPES {
        let _ = writeln!(text, "#define {:<20} {}", ty.name, ty.c);
    }
    for (title, group) in MACROS {
        let _ = write!(text, "\n/* {title} */\n");
        group.iter().for_each(|row| define(&mut text, row));
    }
    text.push_str("\n#endif\n");
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

fn define(text: &mut String, row: &Macro) {
    let _ = match row.label {
        true => writeln!(text, "/* {} */\n#define {}", row.meaning, row.name),
        false => {
            let params: Vec<String> = row.params.iter().map(|p| format!("_{p}")).collect();
            let body: Vec<String> = row.out.iter().map(|out| number(row, out)).collect();
            let head = format!("{}({})", row.name, params.join(", "));
            writeln!(
                text,
                "/* {} */\n#define {head} \\\n    {}",
                row.meaning,
                body.join(", ")
            )
        }
    };
}

/// Returns one number of a macro as a C expression.
fn number(row: &Macro, out: &Out) -> String {
    if let [Part { arg, conv, .. }] = out.parts {
        let arg = name(row, *arg);
        match conv {
            Conv::Ptr | Conv::Text => return format!("(void *)({arg})"),
            Conv::Float | Conv::Channel => return format!("((Float)({arg}))"),
            Conv::Bits => return format!("NINJA_SIGN({arg}, NINJA_SPECIAL({arg}, #{arg}))"),
            _ => {}
        }
    }
    let mut terms: Vec<String> = out.parts.iter().map(|part| term(row, part)).collect();
    if out.constant != 0 || terms.is_empty() {
        terms.insert(0, format!("{:#x}u", out.constant));
    }
    let cast = match out.scalar {
        Scalar::U32 => "Uint32",
        Scalar::S32 => "Sint32",
        Scalar::U16 => "Uint16",
        Scalar::S16 => "Sint16",
        // The list's own type converts the value. A float given by its bits is a constant.
        Scalar::Unit | Scalar::Ptr => "int",
        Scalar::F32 => "Float",
    };
    format!("(({cast})({}))", terms.join(" | "))
}

fn name(row: &Macro, arg: u8) -> String {
    format!("_{}", row.params.get(usize::from(arg)).copied().unwrap_or(""))
}

/// Returns an argument's part as an unsigned expression.
fn term(row: &Macro, part: &Part) -> String {
    let arg = name(row, part.arg);
    let (value, bits) = match part.conv {
        Conv::Int(bits) | Conv::Modulo(bits) => (format!("(Uint32)({arg})"), bits),
        Conv::Flags | Conv::Word => (format!("(Uint32)({arg})"), 32),
        Conv::Flags16 | Conv::Low => (format!("(Uint32)({arg})"), 16),
        Conv::High => (format!("(Uint32)({arg}) >> 16"), 16),
        Conv::Negated => (format!("(Uint32)-({arg})"), 16),
        Conv::Degrees(bits) | Conv::KeyDegrees(bits) | Conv::CellDegrees(bits) | Conv::LostDegrees(bits) => {
            (format!("NINJA_ROUND(({arg}) * (65536.0 / 360.0))"), bits)
        }
        Conv::Unit => (format!("NINJA_ROUND(({arg}) * 32767.0)"), 16),
        Conv::Percent(full) => (format!("(Uint32)(({arg}) * {full}.0 / 100.0 + 0.5)"), 16),
        Conv::Float | Conv::Channel | Conv::Ptr | Conv::Text | Conv::Bits => (arg, 32),
    };
    let masked = match bits {
        32 => format!("({value})"),
        _ => format!("(({value}) & {:#x}u)", (1u64 << bits) - 1),
    };
    match part.shift {
        0 => masked,
        shift => format!("{masked} << {shift}"),
    }
}

/// Types and structures (docs/formats/ninja.md 1.4).
const STRUCTS: &str = "\
/* Macros of the Ninja ASCII formats. Written by a program; change its table instead. */
#ifndef NINJA_ASCII_H
#define NINJA_ASCII_H

typedef signed int Sint32;
typedef unsigned int Uint32;
typedef signed short Sint16;
typedef unsigned short Uint16;
typedef float Float;
typedef Sint32 Angle;
typedef Sint16 Sangle;

#ifndef NULL
#define NULL ((void *)0)
#endif

/* To the nearest integer, as unsigned bits. */
#define NINJA_ROUND(_v) ((Uint32)(Sint32)((_v) + ((_v) < 0 ? -0.5 : 0.5)))

/* An infinite or NaN float, given by its bits and their text; the compiler takes the payload from the text. */
#define NINJA_SPECIAL(_bits, _text) ((_bits) & 0x7fffff ? __builtin_nanf(_text) : __builtin_inff())
#define NINJA_SIGN(_bits, _float) ((_bits) >> 31 ? -_float : _float)

typedef struct { void *filename; Uint32 attr; Uint32 texaddr; } NJS_TEXNAME;
typedef struct { NJS_TEXNAME *textures; Uint32 nbTexture; } NJS_TEXLIST;

typedef struct { Sint32 *vlist; Sint16 *plist; Float center[3]; Float r; } NJS_CNK_MODEL;
typedef struct ninja_cnk_object {
    Uint32 evalflags;
    NJS_CNK_MODEL *model;
    Float pos[3];
    Angle ang[3];
    Float scl[3];
    struct ninja_cnk_object *child;
    struct ninja_cnk_object *sibling;
#ifdef NINJA_WIDE_NODES
    Float re_quat;
#endif
} NJS_CNK_OBJECT;

typedef struct { Uint32 keyframe; Float key[3]; } NJS_MKEY_F;
typedef struct { Uint32 keyframe; Float key[2]; } NJS_MKEY_F2;
typedef struct { Uint32 keyframe; Angle key[3]; } NJS_MKEY_A;
typedef struct { Uint32 keyframe; Angle key; } NJS_MKEY_A1;
typedef struct { Uint16 keyframe; Sangle key[3]; } NJS_MKEY_SA;
typedef struct { Uint16 keyframe; Sangle key; } NJS_MKEY_SA1;
typedef struct { Uint32 keyframe; Angle angle; Float axis[3]; } NJS_MKEY_AX;
typedef struct { Uint32 keyframe; Float key[4]; } NJS_MKEY_QUAT;
typedef struct { Uint32 keyframe; void *key; } NJS_MKEY_P;
typedef struct { Uint32 keyframe; Uint32 key; } NJS_MKEY_UI32;
typedef struct { Uint16 keyframe; Uint16 key; } NJS_MKEY_UI16;
typedef struct { Uint32 keyframe; Uint32 shapeId; } NJS_MKEY_SHAPEID;

typedef struct { void *p[1]; Uint32 nb[1]; } NJS_MDATA1;
typedef struct { void *p[2]; Uint32 nb[2]; } NJS_MDATA2;
typedef struct { void *p[3]; Uint32 nb[3]; } NJS_MDATA3;
typedef struct { void *p[4]; Uint32 nb[4]; } NJS_MDATA4;
typedef struct { void *p[5]; Uint32 nb[5]; } NJS_MDATA5;
typedef struct { void *mdata; Uint32 nbFrame; Uint16 type; Uint16 inp_fn; } NJS_MOTION;
typedef struct { NJS_CNK_OBJECT *object; NJS_MOTION *motion; } NJS_ACTION;

typedef struct { Sint32 *cv; } NJS_CSHAPECV;
typedef struct { NJS_CSHAPECV *cvlist; Uint16 groupId; Uint16 reserved; } NJS_CSHAPE_KEYGROUP;
typedef struct { NJS_CSHAPE_KEYGROUP *shapes; Uint32 nbShape; } NJS_CSHAPELIST;
typedef struct { NJS_MKEY_SHAPEID *keys; Uint16 nbKey; Uint16 entryId; } NJS_CSHAPEDATA;

typedef struct {
    Sint16 texId, attr;
    Float cox, coy, csx, csy;
    Sint16 czang, cp;
    Float cent_x, cent_y;
    Uint32 argb[4];
    Float u0, v0, u2, v2;
} NJS_CELL;
typedef struct {
    NJS_CELL *cells;
    Sint32 nbCell;
    Float pos[3];
    Angle zang;
    Float sx, sy;
    Float diffuse[4];
    Float specular[4];
} NJS_CELL_SPRITE;
typedef struct { Sint32 *cellstream; Sint32 *cur_stamp_p; Sint32 timeoffset; Sint32 timemax; } NJS_CELL_STREAM;
";
