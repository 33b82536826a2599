//! `void submit_cell_strips(const float corners[][4][2], const float depths[], const NJS_CELL cells[], const
//! uint32_t colours[][4], uint32_t n, uint32_t offset_colour, void *sq)`:
//! sends cells as strips of four 32-byte vertex parameters through the store queues.
//!
//! A parameter is control word, x, y, 1/w, u, v, base colour, offset colour. Vertices: top left, bottom left,
//! top right, bottom right; NJD_FCA_HF and NJD_FCA_VF of the cell flip its texture.

use crate::cell::{Cell, any_cells, corner_uv};
use crate::cell_colours::Colours;
use crate::cell_corners::Corners;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "submit_cell_strips",
    symbol: "_submit_cell_strips",
    summary: "cells as strips through the store queues",
    params: &[
        Param::words("corners"),
        Param::words("depths"),
        Param::words("cells"),
        Param::words("colours"),
        Param::value("n"),
        Param::value("offset_colour"),
        Param::tile_accelerator("sq"),
    ],
    reference,
    generate,
    deviation,
};

/// Parameter control word of a vertex; the last of a strip also has bit 28.
const VERTEX: u32 = 0xE000_0000;
const END_OF_STRIP: u32 = 0x1000_0000;

/// Cells on the screen; element `i` of every slice belongs to cell `i`.
#[derive(Clone, Copy, Debug)]
pub struct Quads<'a> {
    /// Corners in pixels.
    pub corners: &'a [Corners],
    /// 1/w of each cell.
    pub depths: &'a [f32],
    /// Cells, for their texture coordinates.
    pub cells: &'a [Cell],
}

/// Sends the cells of `quads`; the number of corners gives the number of cells.
///
/// # Errors
/// See [`KernelError`]; a signature error if the slices differ in length.
pub fn submit_cell_strips(
    kernels: &mut dyn Kernels,
    quads: &Quads<'_>,
    colours: &[Colours],
    offset_colour: u32,
    blocks: &mut Vec<[u32; 8]>,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(bytemuck::cast_slice(quads.corners.as_flattened().as_flattened())),
        Arg::Words(bytemuck::cast_slice(quads.depths)),
        Arg::Words(quads.cells.as_flattened()),
        Arg::Words(colours.as_flattened()),
        Arg::Value(quads.corners.len() as u32),
        Arg::Value(offset_colour),
        Arg::TileAccelerator(blocks),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(corners),
        Arg::Words(depths),
        Arg::Words(cells),
        Arg::Words(colours),
        Arg::Value(n),
        Arg::Value(offset_colour),
        Arg::TileAccelerator(blocks),
    ] = args
    else {
        return Err(KERNEL.signature("corners, depths, cells, colours, n, offset_colour, sq"));
    };
    let n = *n as usize;
    if corners.len() / 8 < n || depths.len() < n || cells.len() / 16 < n || colours.len() / 4 < n {
        return Err(KERNEL.signature("corners, depths, cells and colours hold n cells"));
    }
    for i in 0..n {
        let uv = corner_uv(&cells[16 * i..]);
        for k in 0..4 {
            blocks.push([
                if k == 3 { VERTEX | END_OF_STRIP } else { VERTEX },
                corners[8 * i + 2 * k],
                corners[8 * i + 2 * k + 1],
                depths[i],
                uv[k][0],
                uv[k][1],
                colours[4 * i + k],
                *offset_colour,
            ]);
        }
    }
    Ok(())
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(12);
    let corners: Vec<f32> = (0..8 * n).map(|_| rng.finite()).collect();
    let depths: Vec<f32> = (0..n).map(|_| rng.range(0.001, 1.0)).collect();
    Case(vec![
        Value::floats(&corners),
        Value::floats(&depths),
        Value::Words(any_cells(rng, n)),
        Value::Words((0..4 * n).map(|_| rng.word()).collect()),
        Value::Value(n),
        Value::Value(rng.word()),
        Value::TileAccelerator(Vec::new()),
    ])
}

/// All words are copies. The texture coordinates are copies of u0, v0, u2 and v2 of NJS_CELL.
fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let blocks = case.words(6);
    worst.note_exact(0, blocks.len() == 32 * case.value(4) as usize);
    for (at, block) in blocks.chunks_exact(8).enumerate() {
        let (i, k) = (at / 4, at % 4);
        let cell = &case.words(2)[16 * i..16 * i + 16];
        let attr = cell[0] >> 16;
        let right = (k >= 2) != (attr & 0x10 != 0);
        let bottom = (k % 2 == 1) != (attr & 0x08 != 0);
        let (u, v) = (
            cell[12 + 2 * usize::from(right)],
            cell[13 + 2 * usize::from(bottom)],
        );
        let [x, y] = [0, 1].map(|axis| case.words(0)[8 * i + 2 * k + axis]);
        let colour = case.words(3)[4 * i + k];
        let control = if k == 3 { 0xF000_0000 } else { 0xE000_0000 };
        let expected = [control, x, y, case.words(1)[i], u, v, colour, case.value(5)];
        for (word, (found, expected)) in block.iter().zip(expected).enumerate() {
            worst.note_exact(8 * at + word, *found == expected);
        }
    }
    worst
}
