//! Generator of the C header and the list of kernels in `sh4-kernels/c`. Its input is the manifest and the
//! heads of the assembly files.

use std::path::Path;

use sh4_kernels::{KERNELS, Kernel, Kind, Rng, Value};

/// A generated file: path in `sh4-kernels/c`, and text.
pub(crate) type Generated = (&'static str, String);

/// Number of parameters passed in registers.
const IN_REGISTERS: usize = 4;

/// Returns all generated files. `asm` is the folder with the assembly.
pub(crate) fn files(asm: &Path) -> Result<Vec<Generated>, String> {
    let mut header = TOP.to_owned();
    let mut list = String::new();
    for kernel in KERNELS {
        let path = asm.join(format!("{}.s", kernel.name));
        let source =
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        header += &declaration(kernel, &source)?;
        let on_stack = kernel.params.len().saturating_sub(IN_REGISTERS);
        list += &format!("{} {on_stack}\n", kernel.name);
    }
    header += BOTTOM;
    Ok(vec![("include/swirl.h", header), ("kernels.txt", list)])
}

/// Returns comment and prototype of one kernel.
fn declaration(kernel: &Kernel, source: &str) -> Result<String, String> {
    let head = Head::of(source).ok_or_else(|| format!("{}.s: no prototype at its head", kernel.name))?;
    let names = kernel
        .params
        .iter()
        .all(|param| head.prototype.contains(param.name));
    if !names || !head.prototype.starts_with(&format!("void {}(", kernel.name)) {
        return Err(format!(
            "{}.s: the prototype is not that of the manifest",
            kernel.name
        ));
    }
    let mut text = format!("\n/*\n * {}: {}\n *\n", kernel.name, kernel.summary);
    for line in &head.contract {
        text += &format!(" * {line}\n");
    }
    text += &format!(" *   alignment {}\n", alignment(kernel));
    text += &in_place(kernel);
    text += &format!(" *   model     {}\n */\n", cycles(kernel));
    text += &c_prototype(kernel.name, &head.prototype);
    Ok(text)
}

/// Comment at the head of an assembly file.
struct Head {
    prototype: String,
    /// Lines from the description to the registers.
    contract: Vec<String>,
}

impl Head {
    fn of(source: &str) -> Option<Head> {
        let comment = source.lines().map_while(|line| line.strip_prefix('!'));
        let comment: Vec<&str> = comment
            .filter(|line| !line.contains("SPDX-License-Identifier"))
            .collect();
        let mut paragraphs = comment.split(|line| line.trim().is_empty());
        let prototype: Vec<&str> = paragraphs.next()?.iter().map(|line| line.trim()).collect();
        let contract = paragraphs.next()?.iter();
        let contract = contract.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned());
        Some(Head {
            prototype: prototype.join(" "),
            contract: contract.collect(),
        })
    }
}

/// Alignment of each pointer in bytes, as `matrix 8, src 4`.
fn alignment(kernel: &Kernel) -> String {
    let pointers = kernel.params.iter().filter(|param| param.kind != Kind::Value);
    let pointers = pointers.map(|param| format!("{} {}", param.name, param.align));
    pointers.collect::<Vec<_>>().join(", ")
}

/// Line that lists pairs of buffers that may be equal; empty without any.
fn in_place(kernel: &Kernel) -> String {
    let pairs = kernel
        .in_place()
        .map(|pair| format!("{} at {}", pair.output, pair.input));
    match pairs.collect::<Vec<_>>().join(", ") {
        pairs if pairs.is_empty() => String::new(),
        pairs => format!(" *   in place  {pairs}\n"),
    }
}

/// Cycle limits, as `at most 1316 cycles with empty caches, 246 with warm ones, for n = 28`.
fn cycles(kernel: &Kernel) -> String {
    let Some(budget) = kernel.budget() else {
        return "not measured".to_owned();
    };
    let case = (kernel.generate)(&mut Rng::new(budget.seed));
    let values = kernel.params.iter().zip(&case.0);
    let count = values.filter_map(|(param, value)| match (param.name, value) {
        ("n" | "width" | "height" | "log2", Value::Value(value)) => Some(format!("{} = {value}", param.name)),
        _ => None,
    });
    let counts: Vec<String> = count.collect();
    let at = if counts.is_empty() {
        String::new()
    } else {
        format!(", for {}", counts.join(", "))
    };
    format!(
        "at most {} cycles with empty caches, {} with warm ones{at}",
        budget.cold, budget.warm
    )
}

/// Prototype with the library's names, in lines of at most 110 columns if possible.
fn c_prototype(name: &str, prototype: &str) -> String {
    let sun = if name == "transform_normals_and_light" {
        "struct swirl_directional_light"
    } else {
        "struct swirl_light"
    };
    let text = prototype
        .replacen(&format!("void {name}("), &format!("void swirl_{name}("), 1)
        .replace("struct light", sun)
        .replace("struct view", "struct swirl_view")
        .replace("struct corner", "struct swirl_corner")
        .replace("struct shade", "struct swirl_shade")
        .replace("NJS_CELL_SPRITE", "struct swirl_cell_sprite")
        .replace("NJS_CELL ", "struct swirl_cell ")
        .replace("float_bits", "swirl_float_bits");
    let (head, parameters) = text.split_once('(').unwrap_or((&text, ")"));
    let mut lines = format!("{head}(\n   ");
    let mut column = 4;
    for parameter in parameters.trim_end_matches(')').split(", ") {
        if column + parameter.len() > 105 {
            lines += "\n   ";
            column = 4;
        }
        lines += &format!(" {parameter},");
        column += parameter.len() + 2;
    }
    lines.pop();
    format!("{lines})\n    SWIRL_SYMBOL(\"{name}\");\n")
}

const TOP: &str = r#"/*
 * swirl.h: performance kernels for the SH-4 of the Sega Dreamcast
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated by `cargo run -p swirl-kernels --example c_library` from the manifest and the assembly; do not edit.
 *
 * Every kernel equals a reference in every bit; `swirl verify` runs both. Link with libswirl.a.
 *
 * Calling convention. SH C ABI; every parameter is a 32-bit word. Floats travel as their bits: swirl_bits(x).
 * FPSCR: PR = 0, SZ = 0, DN = 1, round to nearest at entry and at return. Programs compiled with -m4-single or
 * -m4-single-only have that and call the kernels directly. Programs compiled with -m4 have PR = 1; the header gives them
 * entry stubs, which set FPSCR and restore it. A stub adds 18 to 40 cycles, by its parameters on the stack.
 * XMTRX is scratch, and so are R0 to R7, FR0 to FR11, FPUL, MACH, MACL and T; a kernel keeps R8 to R15 and FR12 to FR15.
 *
 * Units. A stride is in bytes. Angles are BAMS (65536 a turn). A matrix is 16 floats, column after column, as XMTRX keeps
 * it. Colours are A8R8G8B8. `sq` is an address in the store queues, E0000000 to E3FFFFFF; QACR0 and QACR1 give its target.
 *
 * Buffers must not overlap, except for one pair of the line "in place": such an output may have the address of the input.
 * The line "alignment" gives the bytes that each address is a multiple of.
 *
 * The line "model" gives the limit for one call on swirl's cycle model, which a test checks.
 */

#ifndef SWIRL_H
#define SWIRL_H

#include <stdint.h>

#if defined(__SH4_SINGLE__) || defined(__SH4_SINGLE_ONLY__)
#define SWIRL_SYMBOL(name) __asm__("_swirl_" name)
#elif defined(__SH4__)
#define SWIRL_SYMBOL(name) __asm__("_swirl_m4_" name)
#elif defined(__sh__)
#error "libswirl needs the FPU of the SH-4: compile with -m4-single, -m4-single-only or -m4"
#else /* Another processor: the declarations only. */
#define SWIRL_SYMBOL(name)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The bits of a float. */
typedef uint32_t swirl_float_bits;

static inline swirl_float_bits swirl_bits(float value)
{
    union { float value; uint32_t bits; } both;
    both.value = value;
    return both.bits;
}

/* One light and the ambient for transform_normals_and_light; colours from 0 to 255. */
struct swirl_directional_light {
    float matrix[16];       /* from the normals' space to the light's */
    float direction[4];     /* unit vector to the light, 0 */
    float diffuse[4];       /* light times material: red, green, blue, 0 */
    float ambient[4];       /* ambient times material: red, green, blue, 0 */
    uint32_t alpha;         /* in bits 31 to 24 */
    uint32_t padding[3];
} __attribute__((aligned(8)));

/* One light for light_vertices; 1.0 is full. */
struct swirl_light {
    float place[4];         /* position, or unit vector to a directional light */
    float axis[4];          /* unit vector against the beam */
    float colour[4];        /* red, green, blue */
    float gloss[4];         /* the same of the highlight */
    float range[2];         /* at distance d: range[0] + range[1] * d, cut to 0 to 1 */
    float cone[2];          /* at a cosine c to the axis: cone[0] + cone[1] * c, cut to 0 to 1 */
    uint32_t flags;         /* SWIRL_LIGHT_... */
    uint32_t exponent;      /* of the highlight */
} __attribute__((aligned(8)));

#define SWIRL_LIGHT_POSITION 1u     /* place is a position */
#define SWIRL_LIGHT_CONE 2u
#define SWIRL_LIGHT_HIGHLIGHT 4u
#define SWIRL_LIGHT_REFLECTED 8u    /* highlight about the reflected light, else about the half-way vector */

/* Ambient light for shade_colours. */
struct swirl_shade {
    float ambient[3];
    uint32_t fold;          /* 1: the offset colour is added to the base colour */
} __attribute__((aligned(8)));

/* The view of draw_indexed. */
struct swirl_view {
    float matrix[16];       /* to x * w, y * w, anything, w; x and y in pixels */
    float light[3];         /* direction to the light in the mesh's space times its strength */
    float ambient;
} __attribute__((aligned(8)));

/* A corner of clip_near and submit_vertices. */
struct swirl_corner {
    float position[4];      /* view space x, y, z, w for clip_near; x, y, 1/w, w on the screen for submit_vertices */
    float uv[2][2];         /* of the first and of the second volume */
    uint32_t colours[4];    /* base, offset; base, offset of the second volume */
} __attribute__((aligned(8)));

/* NJS_CELL: a cell of a CellSprite. */
struct swirl_cell {
    uint32_t attributes;    /* and the texture in bits 15 to 0 */
    float offset[2];
    float size[2];
    uint32_t priority;      /* in bits 31 to 16, the angle in bits 15 to 0 */
    float centre[2];
    uint32_t colours[4];
    float uv[2][2];         /* u0, v0; u2, v2 */
};

/* NJS_CELL_SPRITE. */
struct swirl_cell_sprite {
    const struct swirl_cell *cells;
    uint32_t count;
    float position[3];
    uint32_t angle;
    float scale[2];
    float diffuse[4];       /* alpha, red, green, blue */
    float specular[4];      /* exponent, red, green, blue */
};
"#;

const BOTTOM: &str = r#"
#ifdef __cplusplus
}
#endif

#endif
"#;
