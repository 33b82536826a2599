//! Codebook search: k-means over distinct 2x2 quads. An image with few distinct quads is reproduced exactly.

use std::collections::BTreeMap;

use super::cluster::{self, Point, nearest};
use super::color::{pack_quad, unpack_quad};
use crate::param::PixelFormat;

/// Four texels of four channels.
pub(crate) type Components = [i32; 16];

pub(crate) struct Quantized {
    /// Codes, at most the requested number. Each code is four texels in twiddled order.
    pub(crate) codebook: Vec<[u16; 4]>,
    /// Code of each quad.
    pub(crate) indices: Vec<u8>,
}

/// Returns the channels of four colours.
pub(crate) fn components(quad: [u32; 4]) -> Components {
    std::array::from_fn(|i| (quad[i / 4] >> (8 * (i % 4)) & 255) as i32)
}

/// Selects at most `size` (1 to 256) codes for `quads` and assigns the nearest code to each quad.
pub(crate) fn quantize(quads: &[[u16; 4]], size: usize, format: PixelFormat) -> Quantized {
    let mut distinct: BTreeMap<[u16; 4], i64> = BTreeMap::new();
    for &quad in quads {
        *distinct.entry(quad).or_default() += 1;
    }
    let codebook: Vec<[u16; 4]> = if distinct.len() <= size {
        distinct.keys().copied().collect()
    } else {
        let points: Vec<Point<16>> = distinct
            .iter()
            .map(|(&q, &weight)| Point {
                at: components(unpack_quad(format, q)),
                weight,
            })
            .collect();
        let centers = cluster::centers(&points, size);
        centers.iter().map(|c| pack_quad(format, colors(c))).collect()
    };
    let centers: Vec<Components> = codebook
        .iter()
        .map(|&code| components(unpack_quad(format, code)))
        .collect();
    let code_of: BTreeMap<[u16; 4], u8> = distinct
        .keys()
        .map(|&q| {
            let exact = codebook.iter().position(|&code| code == q);
            let code = exact.unwrap_or_else(|| nearest(&components(unpack_quad(format, q)), &centers).0);
            (q, code as u8)
        })
        .collect();
    Quantized {
        indices: quads.iter().map(|q| code_of[q]).collect(),
        codebook,
    }
}

fn colors(c: &Components) -> [u32; 4] {
    std::array::from_fn(|t| (0..4).map(|i| (c[4 * t + i] as u32) << (8 * i)).sum())
}
