//! `void submit_cell_sprites(const float corners[][4][2], const float depths[], const NJS_CELL cells[],
//! uint32_t n, void *sq)`:
//! sends cells as 64-byte sprite vertex parameters through the store queues.
//!
//! A parameter starts with the control word and x, y, 1/w of three corners around the quad (top left, top
//! right, bottom right). Then come x and y of the bottom left corner, an unused word, and the texture
//! coordinates of the first three corners, with the upper 16 bits of u above the upper 16 bits of v.
//! NJD_FCA_HF and NJD_FCA_VF of the cell flip its texture. Colours are in the sprite's global parameter.

use crate::cell::{any_cells, corner_uv};
pub use crate::submit_cell_strips::Quads;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "submit_cell_sprites",
    symbol: "_submit_cell_sprites",
    summary: "cells as sprites through the store queues",
    params: &[
        Param::words("corners").aligned(8),
        Param::words("depths"),
        Param::words("cells"),
        Param::value("n"),
        Param::tile_accelerator("sq"),
    ],
    reference,
    generate,
    deviation,
};

/// Parameter control word of a vertex that ends its strip.
const VERTEX_END: u32 = 0xF000_0000;

/// Sends the cells of `quads`; the number of corners gives the number of cells.
///
/// # Errors
/// See [`KernelError`]; a signature error if the slices differ in length.
pub fn submit_cell_sprites(
    kernels: &mut dyn Kernels,
    quads: &Quads<'_>,
    blocks: &mut Vec<[u32; 8]>,
) -> Result<(), KernelError> {
    let mut args = [
        Arg::Words(bytemuck::cast_slice(quads.corners.as_flattened().as_flattened())),
        Arg::Words(bytemuck::cast_slice(quads.depths)),
        Arg::Words(quads.cells.as_flattened()),
        Arg::Value(quads.corners.len() as u32),
        Arg::TileAccelerator(blocks),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(corners),
        Arg::Words(depths),
        Arg::Words(cells),
        Arg::Value(n),
        Arg::TileAccelerator(blocks),
    ] = args
    else {
        return Err(KERNEL.signature("corners, depths, cells, n, sq"));
    };
    let n = *n as usize;
    if corners.len() / 8 < n || depths.len() < n || cells.len() / 16 < n {
        return Err(KERNEL.signature("corners, depths and cells hold n cells"));
    }
    for i in 0..n {
        let [top_left, bottom_left, top_right, bottom_right] =
            [0, 1, 2, 3].map(|k| [corners[8 * i + 2 * k], corners[8 * i + 2 * k + 1]]);
        let z = depths[i];
        let uv = corner_uv(&cells[16 * i..]).map(|[u, v]| u & 0xFFFF_0000 | v >> 16);
        let [ax, ay] = top_left;
        let [bx, by] = top_right;
        let [cx, cy] = bottom_right;
        let [dx, dy] = bottom_left;
        blocks.push([VERTEX_END, ax, ay, z, bx, by, z, cx]);
        blocks.push([cy, z, dx, dy, 0, uv[0], uv[2], uv[3]]);
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
        Value::Value(n),
        Value::TileAccelerator(Vec::new()),
    ])
}

/// Compares exactly, because the kernel only copies and packs bits.
fn deviation(_before: &Case, case: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let blocks = case.words(4);
    worst.note_exact(0, blocks.len() == 16 * case.value(3) as usize);
    for (i, sprite) in blocks.chunks_exact(16).enumerate() {
        let cell = &case.words(2)[16 * i..16 * i + 16];
        let attr = cell[0] >> 16;
        worst.note_exact(16 * i, sprite[0] == 0xF000_0000 && sprite[12] == 0);
        // Around the quad: top left, top right, bottom right, bottom left.
        for (k, corner) in [0, 2, 3, 1].into_iter().enumerate() {
            let xy = &case.words(0)[8 * i + 2 * corner..8 * i + 2 * corner + 2];
            worst.note_exact(16 * i + 1 + 3 * k, sprite[1 + 3 * k..3 + 3 * k] == *xy);
            if k == 3 {
                break;
            }
            worst.note_exact(16 * i + 3 + 3 * k, sprite[3 + 3 * k] == case.words(1)[i]);
            let right = (corner >= 2) != (attr & 0x10 != 0);
            let bottom = (corner % 2 == 1) != (attr & 0x08 != 0);
            let u = cell[12 + 2 * usize::from(right)] >> 16;
            let v = cell[13 + 2 * usize::from(bottom)] >> 16;
            worst.note_exact(16 * i + 13 + k, sprite[13 + k] == u << 16 | v);
        }
    }
    worst
}
