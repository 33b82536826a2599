//! Shading of a run of pixels, eight at a time, as [`crate::core::shade`] defines it for one.

use super::isa::Isa;
use super::lanes::{Colours, F32, I32, LANES, U16, U32, both, each, each16};
use super::paint::{COLOUR, Paint, U, V, Z};
use super::textures::Decoded;
use crate::core::plane::PLACES;
use crate::core::sample::{Axis, Outside};
use crate::param::{BlendFactor, Shading};

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
        let value = |n: usize| -> F32 { each(|lane| start[n] + step[n] * places[lane]) };
        let w: F32 = if TEXTURED || GOURAUD {
            let z = value(Z);
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
            let (u, v) = (value(U), value(V));
            let u = coordinates::<I>(&each(|lane| u[lane] * w[lane]), state.texel_offset);
            let v = coordinates::<I>(&each(|lane| v[lane] * w[lane]), state.texel_offset);
            texels = if paint.bilinear {
                bilinear(texture, &paint.axes, &u, &v)
            } else {
                point(texture, &paint.axes, &u, &v)
            };
            if tsp.ignore_texture_alpha() {
                texels = each(|lane| texels[lane] | 0xFF00_0000);
            }
            let mut combined = combine(tsp.shading(), &Colours::of(&texels), &Colours::of(&base));
            if OFFSET {
                let offset = if GOURAUD {
                    interpolate::<I>(&offset_rows.0, &offset_rows.1, places, &w)
                } else {
                    [paint.flat[1]; LANES]
                };
                let added = combined.zip(&Colours::of(&offset), |c, o| (c + o).min(255));
                combined = added.with_alpha(&combined);
            }
            colour = combined.argb();
        }
        if tsp.colour_clamp() {
            colour = clamp(&colour, state.clamp_low, state.clamp_high);
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
    let channel = |n: usize| {
        let values: F32 = each(|lane| {
            let value = (start[COLOUR + n] + step[COLOUR + n] * places[lane]) * w[lane];
            // What is no number becomes 0.
            let value = if value > 0.0 { value } else { 0.0 };
            let value = if value < 255.0 { value } else { 255.0 };
            value + 0.5
        });
        I::truncate(&values)
    };
    let [a, r, g, b] = [channel(0), channel(1), channel(2), channel(3)];
    each(|lane| (a[lane] << 24 | r[lane] << 16 | g[lane] << 8 | b[lane]) as u32)
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
    let of = |outside| {
        let axis = Axis { outside, ..axis };
        each(|lane| axis.texel(at[lane]))
    };
    match axis.outside {
        Outside::Repeat => of(Outside::Repeat),
        Outside::Clamp => of(Outside::Clamp),
        Outside::Flip => of(Outside::Flip),
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
    let weight = |at: i32| {
        let f = (at & 0xFF) as u32;
        f + (f >> 7)
    };
    match axis.outside {
        // Right of the last texel stands a copy of the first.
        Outside::Repeat => (
            each(|lane| (at[lane] >> 8 & mask) as u32),
            each(|lane| weight(at[lane])),
        ),
        Outside::Clamp => (
            each(|lane| (at[lane] >> 8).clamp(0, mask) as u32),
            each(|lane| {
                let x = at[lane] >> 8;
                if x >= 0 && x < mask { weight(at[lane]) } else { 0 }
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
                let w = weight(at[lane]);
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

/// The rows above and below a coordinate and the weight of the lower.
#[inline(always)]
fn rows(axis: Axis, at: &I32) -> (U32, U32, U32) {
    let own = each(|lane| at[lane] >> 8);
    let next = each(|lane| own[lane].wrapping_add(1));
    let weights = each(|lane| {
        let f = (at[lane] & 0xFF) as u32;
        f + (f >> 7)
    });
    (texels(axis, &own), texels(axis, &next), weights)
}

/// Four texels weighted by the fractions of the coordinates: [`crate::core::sample::one_sum`] in two steps. As its weights are
/// products, the sum is the same along u, exactly, and then along v.
#[inline(always)]
fn bilinear(texture: &Decoded, axes: &[Axis; 2], u: &I32, v: &I32) -> U32 {
    let (x, wu) = pairs(axes[0], u);
    let (top, bottom, wv) = rows(axes[1], v);
    let stride = texture.stride();
    let (above, below) = (
        each(|lane| top[lane] * stride + x[lane]),
        each(|lane| bottom[lane] * stride + x[lane]),
    );
    let mut pairs = [[[0u32; 2]; LANES]; 2];
    for lane in 0..LANES {
        for (pairs, place) in pairs.iter_mut().zip([above[lane], below[lane]]) {
            if let Some(two) = texture.texels.get(place as usize..place as usize + 2) {
                pairs[lane].copy_from_slice(two);
            }
        }
    }
    let [a, b, c, d] = [(0, 0), (0, 1), (1, 0), (1, 1)]
        .map(|(row, column)| Colours::of(&each(|lane| pairs[row][lane][column])));
    let (wu, wv) = (both(&wu), both(&wv));
    let rb = mix_two(&a.rb, &b.rb, &c.rb, &d.rb, &wu, &wv);
    let ag = mix_two(&a.ag, &b.ag, &c.ag, &d.ag, &wu, &wv);
    Colours { rb, ag }.argb()
}

/// `((a (256 - wu) + b wu) (256 - wv) + (c (256 - wu) + d wu) wv) / 65536`
#[inline(always)]
fn mix_two(a: &U16, b: &U16, c: &U16, d: &U16, wu: &U16, wv: &U16) -> U16 {
    let across = |a: &U16, b: &U16| {
        each16(|n| {
            a[n].wrapping_mul(256 - wu[n])
                .wrapping_add(b[n].wrapping_mul(wu[n]))
        })
    };
    let (top, bottom) = (across(a, b), across(c, d));
    let high = |a: u16, b: u16| ((u32::from(a) * u32::from(b)) >> 16) as u16;
    each16(|n| {
        let (wt, wb) = (256 - wv[n], wv[n]);
        let low = top[n].wrapping_mul(wt);
        let sum = low.wrapping_add(bottom[n].wrapping_mul(wb));
        high(top[n], wt) + high(bottom[n], wb) + u16::from(sum < low)
    })
}

/// [`crate::core::colour::combine`]
#[inline(always)]
fn combine(shading: Shading, t: &Colours, b: &Colours) -> Colours {
    let product = || t.zip(b, |t, b| t * (b + (b >> 7)) >> 8);
    match shading {
        Shading::Decal => *t,
        Shading::Modulate => product().with_alpha(t),
        Shading::ModulateAlpha => product(),
        Shading::DecalAlpha => {
            let weights = t.alphas().map(|a| a + (a >> 7));
            let own = t.zip(&weights, |t, w| t * w);
            let rest = b.zip(&weights, |b, w| b * (256 - w));
            own.zip(&rest, |own, rest| own + rest >> 8).with_alpha(b)
        }
    }
}

/// [`crate::core::colour::clamp`]
#[inline(always)]
fn clamp(colour: &U32, low: u32, high: u32) -> U32 {
    let (low, high) = (Colours::of(&[low; LANES]), Colours::of(&[high; LANES]));
    Colours::of(colour)
        .zip(&low, u16::max)
        .zip(&high, u16::min)
        .argb()
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
    if (src, dst) == (BlendFactor::One, BlendFactor::Zero) {
        return *source;
    }
    let (s, d) = (Colours::of(source), Colours::of(dest));
    if (src, dst) == (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha) {
        // The weights add up to 256, so no sum is above 255 * 256.
        let weights = s.alphas().map(|a| a + (a >> 7));
        let own = s.zip(&weights, |s, w| s * w);
        let rest = d.zip(&weights, |d, w| d * (256 - w));
        return own.zip(&rest, |own, rest| own + rest >> 8).argb();
    }
    let product = |colour: Colours, factor: Colours| colour.zip(&factor, |c, f| c * (f + (f >> 7)));
    let own = product(s, factors(src, &d, &s, &d));
    let rest = product(d, factors(dst, &s, &s, &d));
    // Beyond 16 bits a sum is beyond 255 as well, and 65535 >> 8 is 255.
    own.zip(&rest, |own, rest| own.saturating_add(rest) >> 8).argb()
}

#[inline(always)]
fn factors(factor: BlendFactor, other: &Colours, source: &Colours, dest: &Colours) -> Colours {
    let not = |c: Colours| c.map(|c| 255 - c);
    match factor {
        BlendFactor::Zero => source.map(|_| 0),
        BlendFactor::One => source.map(|_| 255),
        BlendFactor::Other => *other,
        BlendFactor::InverseOther => not(*other),
        BlendFactor::SrcAlpha => source.alphas(),
        BlendFactor::InverseSrcAlpha => not(source.alphas()),
        BlendFactor::DstAlpha => dest.alphas(),
        BlendFactor::InverseDstAlpha => not(dest.alphas()),
    }
}
