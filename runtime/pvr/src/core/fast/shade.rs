//! Shading of a run of pixels, eight at a time, as [`crate::core::shade`] defines it for one.

use super::isa::Isa;
use super::lanes::{F32, I32, LANES, U32, each};
use super::paint::{COLOUR, Paint, U, V, Z};
use super::textures::Decoded;
use crate::core::colour::{add_offset, clamp, combine, factors, weight, weighted_sum};
use crate::core::plane::PLACES;
use crate::core::sample::{Axis, Outside};
use crate::param::{BlendFactor, Shading};
use crate::settings::WeightScale;

/// What the alpha test does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AlphaTest {
    /// There is none.
    None,
    /// Of the shaded colour against the reference.
    Shaded(u32),
    /// Of the texture's alpha.
    Texture(u32),
}

/// Registers that shading needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    pub(super) texel_offset: i32,
    pub(super) clamp_low: u32,
    pub(super) clamp_high: u32,
}

/// Pixels `from..to` of a row of the tile.
pub(super) struct Run<'a> {
    pub(super) paint: &'a Paint,
    pub(super) state: &'a State,
    /// Sample of the tile's first pixel in this row.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) from: usize,
    pub(super) to: usize,
    /// The row's colours, and at least [`LANES`] more.
    pub(super) colours: &'a mut [u32],
    pub(super) alpha_test: AlphaTest,
    /// Pixels that pass the alpha test.
    pub(super) passed: &'a mut u32,
}

/// Shades the pixels of a run and blends them.
#[inline(always)]
pub(super) fn shade<I: Isa>(run: Run<'_>) {
    let paint = run.paint;
    match (&paint.texture, paint.gouraud, paint.offset.is_some()) {
        (None, false, _) => shade_as::<I, false, false, false>(run, None),
        (None, true, _) => shade_as::<I, false, true, false>(run, None),
        (Some(t), false, false) => shade_as::<I, true, false, false>(run, Some(t)),
        (Some(t), true, false) => shade_as::<I, true, true, false>(run, Some(t)),
        (Some(t), gouraud, true) => {
            if gouraud {
                shade_as::<I, true, true, true>(run, Some(t));
            } else {
                shade_as::<I, true, false, true>(run, Some(t));
            }
        }
    }
}

#[inline(always)]
fn shade_as<I: Isa, const TEXTURED: bool, const GOURAUD: bool, const OFFSET: bool>(
    run: Run<'_>,
    texture: Option<&Decoded>,
) {
    let Run { paint, state, .. } = run;
    let tsp = paint.tsp;
    let opaque_alpha = if tsp.use_alpha() { 0 } else { 0xFF00_0000 };
    let (start, step) = if TEXTURED || GOURAUD {
        paint.planes.row(run.x, run.y)
    } else {
        ([0.0; 8], [0.0; 8])
    };
    let offset_rows = match &paint.offset {
        Some(planes) if OFFSET && GOURAUD => planes.row(run.x, run.y),
        _ => ([0.0; 8], [0.0; 8]),
    };
    for place in (run.from..run.to).step_by(LANES) {
        let Some(places) = PLACES[place..].first_chunk::<LANES>() else {
            return;
        };
        let w: F32 = if TEXTURED || GOURAUD {
            let z = along(start[Z], step[Z], places);
            each(|lane| 1.0 / z[lane])
        } else {
            [0.0; LANES]
        };
        let base = if GOURAUD {
            interpolate::<I>(&start, &step, places, &w)
        } else {
            [paint.flat[0]; LANES]
        };
        let base = each(|lane| base[lane] | opaque_alpha);
        let mut texels = [u32::MAX; LANES];
        let mut colour = base;
        if let (true, Some(texture)) = (TEXTURED, texture) {
            let (u, v) = (along(start[U], step[U], places), along(start[V], step[V], places));
            let u = coordinates::<I>(&each(|lane| u[lane] * w[lane]), state.texel_offset);
            let v = coordinates::<I>(&each(|lane| v[lane] * w[lane]), state.texel_offset);
            texels = if paint.bilinear {
                bilinear::<I>(texture, &paint.axes, &u, &v)
            } else {
                point(texture, &paint.axes, &u, &v)
            };
            if tsp.ignore_texture_alpha() {
                texels = each(|lane| texels[lane] | 0xFF00_0000);
            }
            colour = combine_all(tsp.shading(), &texels, &base);
            if OFFSET {
                let offset = if GOURAUD {
                    interpolate::<I>(&offset_rows.0, &offset_rows.1, places, &w)
                } else {
                    [paint.flat[1]; LANES]
                };
                colour = each(|lane| add_offset(colour[lane], offset[lane]));
            }
        }
        if tsp.colour_clamp() {
            colour = each(|lane| clamp(colour[lane], state.clamp_low, state.clamp_high));
        }
        if run.alpha_test != AlphaTest::None {
            let mask = test_alpha(run.alpha_test, &mut colour, &texels);
            *run.passed |= (mask & u32::MAX >> (32 - (run.to - place).min(LANES))) << place;
        }
        let Some(dest) = run.colours[place..].first_chunk_mut::<LANES>() else {
            return;
        };
        let blended = blend(tsp.src(), tsp.dst(), &colour, dest);
        let left = (run.to - place) as u32;
        for lane in 0..LANES {
            dest[lane] = if (lane as u32) < left {
                blended[lane]
            } else {
                dest[lane]
            };
        }
    }
}

/// Colours: each channel held in 0..=255, then rounded half up.
#[inline(always)]
fn interpolate<I: Isa>(start: &[f32; 8], step: &[f32; 8], places: &F32, w: &F32) -> U32 {
    let a = channel::<I>(start[COLOUR], step[COLOUR], places, w);
    let r = channel::<I>(start[COLOUR + 1], step[COLOUR + 1], places, w);
    let g = channel::<I>(start[COLOUR + 2], step[COLOUR + 2], places, w);
    let b = channel::<I>(start[COLOUR + 3], step[COLOUR + 3], places, w);
    each(|lane| (a[lane] << 24 | r[lane] << 16 | g[lane] << 8 | b[lane]) as u32)
}

#[inline(always)]
fn channel<I: Isa>(start: f32, step: f32, places: &F32, w: &F32) -> I32 {
    let values: F32 = each(|lane| {
        let value = (start + step * places[lane]) * w[lane];
        // What is no number becomes 0.
        let value = if value > 0.0 { value } else { 0.0 };
        let value = if value < 255.0 { value } else { 255.0 };
        value + 0.5
    });
    I::truncate(&values)
}

/// A plane's values along a row.
#[inline(always)]
fn along(start: f32, step: f32, places: &F32) -> F32 {
    each(|lane| start + step * places[lane])
}

/// Texture coordinates in 1/256 texel: cut off towards zero, then moved.
#[inline(always)]
fn coordinates<I: Isa>(values: &F32, offset: i32) -> I32 {
    // 2^31; what is no number compares as too large.
    let near = values
        .iter()
        .fold(true, |near, value| near & (value.abs() < 2_147_483_648.0));
    let whole = if near {
        I::truncate(values)
    } else {
        values.map(|value| value as i32)
    };
    each(|lane| whole[lane].wrapping_add(offset))
}

/// The texels that whole coordinates name.
#[inline(always)]
fn texels(axis: Axis, at: &I32) -> U32 {
    macro_rules! of {
        ($outside:ident) => {{
            let axis = Axis {
                outside: Outside::$outside,
                ..axis
            };
            each(|lane| axis.texel(at[lane]))
        }};
    }
    match axis.outside {
        Outside::Repeat => of!(Repeat),
        Outside::Clamp => of!(Clamp),
        Outside::Flip => of!(Flip),
    }
}

#[inline(always)]
fn point(texture: &Decoded, axes: &[Axis; 2], u: &I32, v: &I32) -> U32 {
    let (x, y) = (
        texels(axes[0], &each(|lane| u[lane] >> 8)),
        texels(axes[1], &each(|lane| v[lane] >> 8)),
    );
    let stride = texture.stride();
    let places = each(|lane| y[lane] * stride + x[lane]);
    let mut out = [0; LANES];
    for lane in 0..LANES {
        out[lane] = texture
            .texels
            .get(places[lane] as usize)
            .copied()
            .unwrap_or_default();
    }
    out
}

/// Of each coordinate: the texel on its left, the weight of its right neighbour over 256, so that both lie side by side in
/// memory. Where they would not, one of them has all the weight, or they change places.
#[inline(always)]
fn pairs(axis: Axis, at: &I32) -> (U32, U32) {
    let mask = axis.size - 1;
    match axis.outside {
        // Right of the last texel stands a copy of the first.
        Outside::Repeat => (
            each(|lane| (at[lane] >> 8 & mask) as u32),
            each(|lane| fraction_weight(at[lane])),
        ),
        Outside::Clamp => (
            each(|lane| (at[lane] >> 8).clamp(0, mask) as u32),
            each(|lane| {
                let x = at[lane] >> 8;
                if x >= 0 && x < mask {
                    fraction_weight(at[lane])
                } else {
                    0
                }
            }),
        ),
        Outside::Flip => {
            let back = |x: i32| x & axis.size != 0;
            let first = each(|lane| {
                let x = at[lane] >> 8;
                let forth = x & mask;
                // Backwards the pair begins with the right neighbour, but at the end that is the texel itself.
                let behind = ((x ^ -1) & mask) - 1;
                (if back(x) { behind.max(0) } else { forth }) as u32
            });
            let weights = each(|lane| {
                let x = at[lane] >> 8;
                let w = fraction_weight(at[lane]);
                let at_end = x & mask == mask;
                if at_end {
                    0
                } else if back(x) {
                    256 - w
                } else {
                    w
                }
            });
            (first, weights)
        }
    }
}

/// The fraction of a coordinate in 1/256 as a weight over 256.
#[inline(always)]
fn fraction_weight(at: i32) -> u32 {
    let f = (at & 0xFF) as u32;
    f + (f >> 7)
}

/// The rows above and below a coordinate and the weight of the lower.
#[inline(always)]
fn rows(axis: Axis, at: &I32) -> (U32, U32, U32) {
    let own = each(|lane| at[lane] >> 8);
    let next = each(|lane| own[lane].wrapping_add(1));
    let weights = each(|lane| fraction_weight(at[lane]));
    (texels(axis, &own), texels(axis, &next), weights)
}

/// Four texels weighted by the fractions of the coordinates: [`crate::core::sample::one_sum`] in two steps. As its weights are
/// products, the sum is the same along u, exactly, and then along v.
#[inline(always)]
fn bilinear<I: Isa>(texture: &Decoded, axes: &[Axis; 2], u: &I32, v: &I32) -> U32 {
    let (x, wu) = pairs(axes[0], u);
    let (top, bottom, wv) = rows(axes[1], v);
    let stride = texture.stride();
    let (above, below) = (
        each(|lane| top[lane] * stride + x[lane]),
        each(|lane| bottom[lane] * stride + x[lane]),
    );
    let [a, b] = I::halves(two_texels(texture, &above));
    let [c, d] = I::halves(two_texels(texture, &below));
    let texels = [&a, &b, &c, &d];
    let (rb, ag) = (filtered(texels, 0, &wu, &wv), filtered(texels, 8, &wu, &wv));
    each(|lane| rb[lane] | ag[lane] << 8)
}

// Functions, not closures: one that is called twice may be left out of line, and then is compiled for the baseline.

/// Two channels of 16 bits in a word: red and blue (shift 0) or alpha and green (shift 8).
#[inline(always)]
fn two(colours: &U32, shift: u32) -> U32 {
    each(|lane| colours[lane] >> shift & 0x00FF_00FF)
}

/// Two channels of four texels, weighted.
#[inline(always)]
fn filtered([a, b, c, d]: [&U32; 4], shift: u32, wu: &U32, wv: &U32) -> U32 {
    let top = across(&two(a, shift), &two(b, shift), wu);
    let bottom = across(&two(c, shift), &two(d, shift), wu);
    each(|lane| {
        let low = down(top[lane] & 0xFFFF, bottom[lane] & 0xFFFF, wv[lane]);
        low | down(top[lane] >> 16, bottom[lane] >> 16, wv[lane]) << 16
    })
}

/// `(top (256 - w) + bottom w) / 65536`
#[inline(always)]
fn down(top: u32, bottom: u32, w: u32) -> u32 {
    (top << 8).wrapping_add(bottom.wrapping_sub(top).wrapping_mul(w)) >> 16
}

/// `a (256 - w) + b w` of two channels in one word each: what the difference borrows between channels the sum gives back.
#[inline(always)]
fn across(a: &U32, b: &U32, w: &U32) -> U32 {
    each(|lane| (a[lane] << 8).wrapping_add(b[lane].wrapping_sub(a[lane]).wrapping_mul(w[lane])))
}

/// At each place a texel and, above it, its right neighbour.
#[inline(always)]
fn two_texels(texture: &Decoded, places: &U32) -> [u64; LANES] {
    let mut words = [0; LANES];
    for (word, &place) in words.iter_mut().zip(places) {
        if let Some([left, right]) = texture
            .texels
            .get(place as usize..)
            .and_then(|rest| rest.first_chunk::<2>())
        {
            *word = u64::from(*left) | u64::from(*right) << 32;
        }
    }
    words
}

/// [`combine`] of texels and colours; one loop for each mode, so that it is not chosen for each pixel.
#[inline(always)]
fn combine_all(shading: Shading, t: &U32, b: &U32) -> U32 {
    macro_rules! by {
        ($shading:ident) => {
            each(|lane| combine(Shading::$shading, WeightScale::Scaled256, t[lane], b[lane]))
        };
    }
    match shading {
        Shading::Decal => *t,
        Shading::Modulate => by!(Modulate),
        Shading::DecalAlpha => by!(DecalAlpha),
        Shading::ModulateAlpha => by!(ModulateAlpha),
    }
}

/// Alpha 255 where the test passes, else 0; returns the lanes that pass.
#[inline(always)]
fn test_alpha(test: AlphaTest, colour: &mut U32, texels: &U32) -> u32 {
    let mut mask = 0;
    for lane in 0..LANES {
        let passed = match test {
            AlphaTest::None => true,
            AlphaTest::Shaded(reference) => colour[lane] >> 24 >= reference,
            AlphaTest::Texture(reference) => texels[lane] >> 24 >= reference,
        };
        colour[lane] = colour[lane] & 0x00FF_FFFF | if passed { 0xFF00_0000 } else { 0 };
        mask |= u32::from(passed) << lane;
    }
    mask
}

/// [`crate::core::colour::blend`]
#[inline(always)]
fn blend(src: BlendFactor, dst: BlendFactor, source: &U32, dest: &U32) -> U32 {
    match (src, dst) {
        (BlendFactor::One, BlendFactor::Zero) => *source,
        (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha) => {
            // The weights add up to 256, so this is a mix of two channels in one word at a time.
            let w = each(|lane| weight(WeightScale::Scaled256, source[lane] >> 24));
            let rb = across(&two(dest, 0), &two(source, 0), &w);
            let ag = across(&two(dest, 8), &two(source, 8), &w);
            each(|lane| rb[lane] >> 8 & 0x00FF_00FF | ag[lane] & 0xFF00_FF00)
        }
        _ => {
            let f = factors_all(src, dest, source, dest);
            let g = factors_all(dst, source, source, dest);
            each(|lane| weighted_sum(WeightScale::Scaled256, source[lane], f[lane], dest[lane], g[lane]))
        }
    }
}

/// [`factors`], the factor chosen once.
#[inline(always)]
fn factors_all(factor: BlendFactor, other: &U32, source: &U32, dest: &U32) -> U32 {
    macro_rules! by {
        ($($factor:ident),*) => {
            match factor {
                $(BlendFactor::$factor => {
                    each(|lane| factors(BlendFactor::$factor, other[lane], source[lane], dest[lane]))
                })*
            }
        };
    }
    by!(
        Zero,
        One,
        Other,
        InverseOther,
        SrcAlpha,
        InverseSrcAlpha,
        DstAlpha,
        InverseDstAlpha
    )
}
