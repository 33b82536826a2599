//! Seeded random scenes with random states: the fast path and the scalar definition give the same bits.
//!
//! `SWIRL_SCENES=N` sets the number of scenes.

use pvr::probe::{Probe, Shading as Shaded, Spot};
use pvr::settings::*;
use pvr::*;
use std::sync::OnceLock;

struct Random(u64);

impl Random {
    fn word(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 ^ (self.0 >> 11) as u32
    }

    fn below(&mut self, n: u32) -> u32 {
        self.word() % n
    }

    /// True once in `n` times.
    fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn float(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * (self.word() >> 8) as f32 / 16_777_216.0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}

/// Default settings, with some changed.
fn settings(r: &mut Random) -> Settings {
    let mut s = Settings::default();
    if r.once_in(2) {
        return s;
    }
    if r.once_in(12) {
        s.fp_model = FpModel::Truncating;
    }
    s.texel_offset = r.pick(&[
        TexelOffset::HalfTexel,
        TexelOffset::HalfTexelAll,
        TexelOffset::Refsw2025,
        TexelOffset::Refsw2020,
        TexelOffset::None,
        TexelOffset::GlCentre,
    ]);
    s.fill_rule = r.pick(&[FillRule::TopLeft, FillRule::TopLeftRaw, FillRule::Inclusive]);
    s.depth_store = r.pick(&[DepthStore::F32, DepthStore::M19Unsigned]);
    s.weight_scale = r.pick(&[WeightScale::Scaled256, WeightScale::Scaled256, WeightScale::Raw]);
    s.bilinear_sum = r.pick(&[BilinearSum::OneSum, BilinearSum::TwoLerps]);
    s.pt_alpha_source = r.pick(&[PtAlphaSource::Shaded, PtAlphaSource::Texture]);
    s.pt_depth = r.pick(&[PtDepth::ForceGreaterEqual, PtDepth::OwnMode]);
    s.perp_cull = r.pick(&[PerpCull::Off, PerpCull::On]);
    s.mip_level = r.pick(&[MipLevel::Series1, MipLevel::Refsw2A, MipLevel::Refsw2B]);
    s.dcalc = r.pick(&[Dcalc::Ignore, Dcalc::Exact]);
    s.trilinear = r.pick(&[Trilinear::LonePass, Trilinear::DFraction, Trilinear::AdjustBits]);
    s.opaque_blend = r.pick(&[OpaqueBlend::FirstPassReplaces, OpaqueBlend::AsGiven]);
    s.supersample = r.pick(&[Supersample::Ignore, Supersample::Average]);
    s.fog_mode2_stage = r.pick(&[FogMode2Stage::AfterCombine, FogMode2Stage::BeforeCombine]);
    s.bump_stage = r.pick(&[BumpStage::ReplacesCombiner, BumpStage::AsTexel]);
    s.cheap_shadow_stage = r.pick(&[CheapShadowStage::Inputs, CheapShadowStage::Final]);
    s.presort_modvol = r.pick(&[PresortModvol::Ignore, PresortModvol::PerList]);
    s.outside_untouched = r.pick(&[OutsideUntouched::Keep, OutsideUntouched::Clear]);
    s
}

/// Nine tiles.
const SIZE: (u32, u32) = (96, 96);

/// A corner on the screen or near it, often on a grid so that edges coincide.
fn corner(r: &mut Random) -> [f32; 3] {
    let place = |r: &mut Random, size: u32| match r.below(4) {
        0 => r.below(size + 1) as f32,
        1 => r.below(12) as f32 * 8.0,
        2 => r.float(-40.0, size as f32 + 40.0),
        _ => r.float(0.0, size as f32),
    };
    let (x, y) = (place(r, SIZE.0), place(r, SIZE.1));
    let z = match r.below(8) {
        0 => r.below(4) as f32 * 0.25,
        1 => r.float(-0.5, 2.0),
        _ => r.float(0.05, 1.5),
    };
    [x, y, z]
}

/// A state word of each kind; simple ones are more frequent.
fn isp(r: &mut Random) -> IspWord {
    let mode = if r.once_in(3) {
        DepthMode::from_code(r.below(8))
    } else {
        DepthMode::GreaterEqual
    };
    IspWord(0)
        .with_depth_mode(mode)
        .with_cull(if r.once_in(4) {
            CullMode::from_code(r.below(4))
        } else {
            CullMode::None
        })
        .with_z_write_disable(r.once_in(5))
        .with_dcalc(r.once_in(3))
}

fn tsp(r: &mut Random, list: ListType) -> TspWord {
    let (src, dst) = match (list, r.below(3)) {
        (_, 0) => (
            BlendFactor::from_code(r.below(8)),
            BlendFactor::from_code(r.below(8)),
        ),
        (ListType::Translucent, _) => (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha),
        _ => (BlendFactor::One, BlendFactor::Zero),
    };
    let word = r.word();
    let bit = |n: u32| word >> n & 1 != 0;
    TspWord(0)
        .with_src(src)
        .with_dst(dst)
        .with_src_second(r.once_in(12))
        .with_dst_second(r.once_in(12))
        .with_fog(if r.once_in(3) {
            FogMode::from_code(r.below(4))
        } else {
            FogMode::None
        })
        .with_colour_clamp(r.once_in(5))
        .with_use_alpha(bit(0))
        .with_ignore_texture_alpha(bit(1))
        .with_flip_u(bit(2))
        .with_flip_v(bit(3))
        .with_clamp_u(bit(4) && bit(6))
        .with_clamp_v(bit(5) && bit(7))
        .with_filter(if r.once_in(5) {
            Filter::from_code(r.below(4))
        } else {
            Filter::Bilinear
        })
        .with_supersample(r.once_in(10))
        .with_mip_adjust(r.below(16))
        .with_shading(Shading::from_code(r.below(4)))
        .with_size(8 << r.below(5), 8 << r.below(5))
}

fn tcw(r: &mut Random) -> TextureWord {
    // Most textures are in the upper half of memory, which is random; a few are in the lower half among lists
    // and parameters.
    let half = if r.once_in(20) { 0 } else { 0x8_0000 };
    TextureWord(r.word() & 0xFE00_0000 | half | (r.below(64) * 0x800))
        .with_mip(r.once_in(4))
        .with_vq(r.once_in(4))
}

/// One polygon with its strip, a sprite, or triangles of a volume.
fn polygon(r: &mut Random, frame: &mut Frame, list: ListType) {
    if list.is_modifier() {
        return volume(r, frame, list);
    }
    let sprite = r.once_in(6);
    let mut pcw = Pcw(r.word() & 0xFF)
        .with_param_type(if sprite {
            ParamType::Sprite
        } else {
            ParamType::Polygon
        })
        .with_list(list)
        .with_group_enable(true)
        .with_strip_code(r.below(4));
    if r.once_in(2) {
        pcw = pcw.with_shadow(false);
    }
    let words = [isp(r).0, tsp(r, list).0, tcw(r).0, tsp(r, list).0, tcw(r).0];
    let form = VertexForm::select(pcw, list);
    let intensity = pcw.colour() == ColourType::Intensity && !sprite;
    let long = intensity && (pcw.two_volumes() || pcw.texture() && pcw.offset());
    let mut header = [0; 16].map(|_: u32| r.word());
    header[0] = pcw.0;
    header[1..6].copy_from_slice(&words);
    if intensity {
        header[if long { 8 } else { 4 }..]
            .iter_mut()
            .for_each(|word| *word = r.float(0.0, 1.2).to_bits());
    }
    feed(frame, &header[..if long { 16 } else { 8 }]);
    let count = if sprite { 1 } else { 3 + r.below(6) };
    let flat_depth = r.once_in(3).then(|| r.float(0.1, 1.2));
    for n in 0..count {
        let mut words = [0; 16].map(|_: u32| r.word());
        words[0] = if n + 1 == count { 0xF000_0000 } else { 0xE000_0000 };
        for at in (1..form.words).step_by(3).take(if sprite { 4 } else { 1 }) {
            let [x, y, z] = corner(r);
            for (word, value) in words[at..].iter_mut().zip([x, y, flat_depth.unwrap_or(z)]) {
                *word = value.to_bits();
            }
        }
        // Coordinates and colours, if they are floats.
        for set in form.sets.iter().flatten() {
            if form.uv == Uv::Float && !sprite {
                words[set.uv..set.uv + 2]
                    .iter_mut()
                    .for_each(|w| *w = r.float(-2.0, 3.0).to_bits());
            } else if form.uv == Uv::Packed {
                let last = if sprite { set.uv + 3 } else { set.uv + 1 };
                let half = |r: &mut Random| r.float(-2.0, 3.0).to_bits() >> 16;
                words[set.uv..last]
                    .iter_mut()
                    .for_each(|w| *w = half(r) << 16 | half(r));
            }
            if form.colour != ColourType::Packed && !sprite {
                let count = if form.colour == ColourType::Float { 4 } else { 1 };
                for first in [set.base, set.offset].into_iter().filter(|&n| n > 0) {
                    words[first..first + count]
                        .iter_mut()
                        .for_each(|w| *w = r.float(-0.1, 1.2).to_bits());
                }
            }
        }
        feed(frame, &words[..form.words]);
    }
}

/// A few triangles; the last one closes the volume.
fn volume(r: &mut Random, frame: &mut Frame, list: ListType) {
    let count = 1 + r.below(5);
    for n in 0..count {
        let last = n + 1 == count;
        let instruction = if last { r.below(3) } else { 0 };
        let pcw = Pcw(0)
            .with_param_type(ParamType::Polygon)
            .with_list(list)
            .with_volume(last);
        let isp = instruction << 29 | r.pick(&[0, 0, 0, 1, 2, 3]) << 27;
        if n == 0 || last {
            feed(frame, &[pcw.0, isp, 0, 0, 0, 0, 0, 0]);
        }
        let mut words = [0; 16];
        words[0] = 0xF000_0000;
        for at in [1, 4, 7] {
            let corner = corner(r).map(f32::to_bits);
            words[at..at + 3].copy_from_slice(&corner);
        }
        feed(frame, &words);
    }
}

fn feed(frame: &mut Frame, words: &[u32]) {
    for block in words.as_chunks::<8>().0 {
        frame.block(block);
    }
}

/// A complete scene, ready to be rendered.
fn scene(seed: u64) -> Frame {
    let mut r = Random(seed);
    let mut frame = Frame::new(SIZE.0, SIZE.1, settings(&mut r)).expect("size");
    frame.set_background(Argb(r.word()));
    frame.set_background_depth(r.pick(&[0.0, 0.0, 0.0, 0.3, -0.1]));
    let pvr = frame.pvr_mut();
    // Random texels in the upper half of memory, the same for all scenes.
    static TEXELS: OnceLock<Vec<u8>> = OnceLock::new();
    let texels = TEXELS.get_or_init(|| {
        let mut r = Random(1);
        (0..1 << 20).flat_map(|_| r.word().to_le_bytes()).collect()
    });
    pvr.vram_mut().write_bytes(Area::Bits64, 0x40_0000, texels);
    let registers = [
        (reg::FPU_SHAD_SCALE, r.below(0x200)),
        (reg::FPU_CULL_VAL, r.float(0.0, 20.0).to_bits()),
        (reg::FPU_PERP_VAL, r.float(0.0, 0.2).to_bits()),
        (reg::HALF_OFFSET, r.pick(&[7, 7, 7, r.0 as u32 & 7])),
        (reg::FOG_COL_RAM, r.word()),
        (reg::FOG_COL_VERT, r.word()),
        (reg::FOG_DENSITY, r.word() & 0xFF00 | r.pick(&[0, 1, 3, 6, 0xFF])),
        (reg::FOG_CLAMP_MAX, r.word() | 0x8080_8080),
        (reg::FOG_CLAMP_MIN, r.word() & 0x7F7F_7F7F),
        (reg::TEXT_CONTROL, r.below(8)),
        (reg::PAL_RAM_CTRL, r.below(4)),
        (reg::PT_ALPHA_REF, r.below(256)),
    ];
    for (offset, value) in registers {
        pvr.write_register(offset, value);
    }
    for n in 0..128 {
        pvr.write_register(reg::FOG_TABLE + n * 4, r.word());
    }
    for n in 0..1024 {
        pvr.write_register(reg::PALETTE_RAM + n * 4, r.word());
    }
    for list in ListType::ALL {
        if r.once_in(3) {
            continue;
        }
        let count = if r.once_in(8) { 60 } else { 1 + r.below(10) };
        for _ in 0..count {
            polygon(&mut r, &mut frame, list);
        }
        frame.block(&end_of_list());
    }
    frame
}

/// Changes the region array so that later passes of a tile keep its depth, delay their output, or are
/// presorted.
fn disturb(seed: u64, pvr: &mut Pvr) {
    let mut r = Random(seed ^ 0x5555);
    let base = pvr.read_register(reg::REGION_BASE);
    for n in 0..9 {
        let at = base + n * 24;
        let mut control = pvr.vram().read32(Area::Bits32, at);
        if r.once_in(2) {
            control |= r.word() & 0x7000_0000;
        }
        if r.once_in(4) {
            control = control & !0x3FFC | r.below(3) << 8 | r.below(3) << 2;
        }
        pvr.vram_mut().write32(Area::Bits32, at, control);
    }
}

/// Records the shaded pixels.
#[derive(Default)]
struct Log(Vec<Shaded>);

impl Probe for Log {
    fn shaded(&mut self, _: Spot, event: &Shaded) {
        self.0.push(*event);
    }
}

/// Describes the first difference between the memories of two chips, and the definition's work at that pixel.
fn assert_equal(defined: &Pvr, fast: &Pvr, case: &str) {
    let (a, b) = (defined.vram().bytes(), fast.vram().bytes());
    let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) else {
        return;
    };
    let address = at as u32 & !3;
    let start = address.wrapping_sub(defined.read_register(reg::FB_W_SOF1));
    let stride = defined.read_register(reg::FB_W_LINESTRIDE) * 8;
    let (x, y) = (start % stride / 4, start / stride);
    let mut log = Log::default();
    defined.inspect(x, y, &mut log);
    assert_eq!(
        fast.vram().read32(Area::Bits32, address),
        defined.vram().read32(Area::Bits32, address),
        "{case}: pixel {x}, {y}\n{:#?}\n{:#?}",
        defined.settings(),
        log.0
    );
}

#[test]
fn random_scenes() {
    let count = std::env::var("SWIRL_SCENES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(120);
    let (mut shaded, mut sorted) = ([0; 5], 0);
    for seed in 0..count {
        let mut defined = scene(seed);
        let image = defined.render_probed(&mut ());
        let image = image.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        for threads in [1, 2] {
            let mut fast = scene(seed);
            let other = fast.render(threads).expect("as the first");
            assert_equal(
                defined.pvr(),
                fast.pvr(),
                &format!("seed {seed}, {threads} threads"),
            );
            assert!(image == other, "seed {seed}");
            assert_eq!(defined.stats(), fast.stats(), "seed {seed}");
            assert_eq!(defined.warnings(), fast.warnings(), "seed {seed}");
            disturb(seed, fast.pvr_mut());
            fast.pvr_mut().render(threads);
            let mut again = scene(seed);
            again.render(2).expect("as the first");
            disturb(seed, again.pvr_mut());
            again.pvr_mut().render_probed(&mut ());
            assert_equal(
                again.pvr(),
                fast.pvr(),
                &format!("seed {seed}, disturbed, {threads} threads"),
            );
        }
        for (sum, more) in shaded.iter_mut().zip(defined.stats().shaded) {
            *sum += more;
        }
        sorted += defined.stats().sorted_pixels;
    }
    println!("{count} scenes, pixels shaded by list {shaded:?}, {sorted} of them sorted");
}
