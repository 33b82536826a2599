//! Lists that a tile accelerator would not write and that exceed the limits of the core.
#![allow(dead_code)] // each test file uses its part

use pvr::*;

const OBJECTS: u32 = 0x40_0000;
const REGIONS: u32 = 0x48_0000;
const EMPTY: u32 = 1 << 31;

/// A chip with directly written memory instead of tile accelerator output.
pub(crate) struct Hostile {
    pub(crate) pvr: Pvr,
    parameters: u32,
    objects: u32,
}

impl Hostile {
    fn new() -> Self {
        let mut pvr = Pvr::new(Settings::default());
        for (register, value) in [
            (reg::PARAM_BASE, 0),
            (reg::REGION_BASE, REGIONS),
            (reg::FPU_PARAM_CFG, 1 << 21),
            (reg::FB_W_CTRL, 6),
            (reg::FB_W_LINESTRIDE, 16),
            (reg::FB_X_CLIP, 31 << 16),
            (reg::FB_Y_CLIP, 31 << 16),
            (reg::FB_W_SOF1, 0x70_0000),
        ] {
            pvr.write_register(register, value);
        }
        Self {
            pvr,
            parameters: 0,
            objects: OBJECTS,
        }
    }

    fn words(at: &mut u32, vram: &mut Vram, words: &[u32]) {
        for &word in words {
            vram.write32(Area::Bits32, *at, word);
            *at += 4;
        }
    }

    /// A triangle over pixels from (`x`, `y`) on; `size` in pixels.
    fn triangle(&mut self, header: [u32; 3], [x, y]: [f32; 2], size: f32, z: [f32; 3]) {
        let vram = self.pvr.vram_mut();
        Self::words(&mut self.parameters, vram, &header);
        for ([dx, dy], z) in [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]].into_iter().zip(z) {
            let [x, y] = [x + dx * size, y + dy * size].map(f32::to_bits);
            Self::words(&mut self.parameters, vram, &[x, y, z.to_bits(), 0x80FF_8040]);
        }
    }

    /// Adds `count` triangles, stored from `first` on, to a list; returns the list's address. With volumes a
    /// vertex has no colour.
    fn list(&mut self, first: u32, count: u32, bytes: u32, flags: u32) -> u32 {
        let start = self.objects;
        for n in (0..count).step_by(16) {
            let word = 0x9E00_0000 | flags | ((first + n * bytes) / 4);
            Self::words(&mut self.objects, self.pvr.vram_mut(), &[word]);
        }
        Self::words(&mut self.objects, self.pvr.vram_mut(), &[0xF000_0000]);
        start
    }

    /// `count` tiles with these lists.
    fn regions(&mut self, count: u32, lists: [u32; 5]) {
        let mut at = REGIONS;
        for n in 0..count {
            let control = u32::from(n + 1 == count) << 31 | (n / 64) << 8 | (n % 64) << 2;
            Self::words(&mut at, self.pvr.vram_mut(), &[control]);
            Self::words(&mut at, self.pvr.vram_mut(), &lists);
        }
    }
}

fn blended() -> u32 {
    let tsp = TspWord(0)
        .with_src(BlendFactor::SrcAlpha)
        .with_dst(BlendFactor::InverseSrcAlpha);
    tsp.with_use_alpha(true).with_fog(FogMode::None).0
}

/// More small figures in a tile than the fast path sorts.
pub(crate) fn many_figures(tiles: u32) -> Hostile {
    let mut hostile = Hostile::new();
    for n in 0..33_000_u32 {
        let place = [(n % 30) as f32, (n / 30 % 30) as f32];
        hostile.triangle([0, blended(), 0], place, 1.0, [1.0 + n as f32; 3]);
    }
    let list = hostile.list(0, 33_000, 60, 1 << 21);
    hostile.regions(tiles, [EMPTY, EMPTY, list, EMPTY, EMPTY]);
    hostile
}

/// Layers over a complete tile that intersect each other.
pub(crate) fn crossing_layers(tiles: u32) -> Hostile {
    let (mut hostile, list) = layers();
    hostile.regions(tiles, [EMPTY, EMPTY, list, EMPTY, EMPTY]);
    hostile
}

/// The intersecting layers as punch-through polygons.
pub(crate) fn punch_through_layers(tiles: u32) -> Hostile {
    let (mut hostile, list) = layers();
    hostile.regions(tiles, [EMPTY, EMPTY, EMPTY, EMPTY, list]);
    hostile
}

fn layers() -> (Hostile, u32) {
    let mut hostile = Hostile::new();
    for n in 0..160_u32 {
        let tilt = (n * 7 % 160) as f32;
        hostile.triangle(
            [0, blended(), 0],
            [-10.0; 2],
            200.0,
            [1.0 + n as f32, 1.0 + tilt, 80.0],
        );
    }
    let list = hostile.list(0, 160, 60, 1 << 21);
    (hostile, list)
}

/// Modifier volumes with the maximum number of triangles, in both lists.
pub(crate) fn long_volumes(tiles: u32) -> Hostile {
    let mut hostile = Hostile::new();
    hostile.triangle([0, blended(), 0], [-10.0; 2], 200.0, [1.0; 3]);
    let (colours, first) = (hostile.list(0, 1, 60, 1 << 24 | 1 << 21), hostile.parameters);
    let vram = hostile.pvr.vram_mut();
    for n in 0..40_000_u32 {
        let z = (0.5 + (n % 100) as f32 / 100.0).to_bits();
        let [near, far] = [-10.0f32, 300.0].map(f32::to_bits);
        let corners = [near, near, z, far, near, z, near, far, z];
        Hostile::words(&mut hostile.parameters, vram, &[(n % 3) << 29, 0, 0]);
        Hostile::words(&mut hostile.parameters, vram, &corners);
    }
    let volumes = hostile.list(first, 40_000, 48, 0);
    hostile.regions(tiles, [colours, volumes, colours, volumes, EMPTY]);
    hostile
}

/// Forty textures of the largest size at different addresses.
pub(crate) fn large_textures(tiles: u32) -> Hostile {
    let mut hostile = Hostile::new();
    let isp = IspWord(0)
        .with_depth_mode(DepthMode::GreaterEqual)
        .with_texture(true)
        .with_uv16(true);
    let tsp = TspWord(blended())
        .with_size(1024, 1024)
        .with_filter(Filter::Bilinear);
    for n in 0..40_u32 {
        let tcw = TextureWord(0)
            .with_format(PixelFormat::Argb4444)
            .with_vq(true)
            .with_address(0x10_0000 + 64 * n);
        let place = [(n % 8) as f32 * 4.0, (n / 8) as f32 * 4.0];
        let vram = hostile.pvr.vram_mut();
        Hostile::words(&mut hostile.parameters, vram, &[isp.0, tsp.0, tcw.0]);
        for [dx, dy] in [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]] {
            let [x, y] = [place[0] + dx, place[1] + dy].map(f32::to_bits);
            Hostile::words(
                &mut hostile.parameters,
                vram,
                &[x, y, 1.0f32.to_bits(), 0x3F80_3F80, u32::MAX],
            );
        }
    }
    let list = hostile.list(0, 40, 72, 2 << 21);
    hostile.regions(tiles, [EMPTY, EMPTY, list, EMPTY, EMPTY]);
    hostile
}

/// Empty tiles.
pub(crate) fn all_tiles(tiles: u32) -> Hostile {
    let mut hostile = Hostile::new();
    hostile.regions(tiles, [EMPTY; 5]);
    hostile
}

/// More intersecting layers than the fast path can order at a pixel, and some that it does not support.
pub(crate) fn deep_pixels(tiles: u32) -> Hostile {
    let mut hostile = Hostile::new();
    for n in 0..60_u32 {
        let tsp = TspWord(blended()).with_fog(if n == 50 { FogMode::Table } else { FogMode::None });
        let (size, z) = (2.0 + (n % 7) as f32 * 3.0, 1.0 + (n * 7 % 60) as f32);
        hostile.triangle([0, tsp.0, 0], [(n % 5) as f32; 2], size, [z, 30.0, 61.0 - z]);
    }
    let list = hostile.list(0, 60, 60, 1 << 21);
    hostile.regions(tiles, [EMPTY, EMPTY, list, EMPTY, EMPTY]);
    hostile
}
