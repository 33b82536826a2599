//! `void light_vertices(const struct light *light, const float positions[][4], const float normals[][4],
//! uint32_t n, float diffuse[][4], float specular[][4])`:
//! contribution of one light to each vertex (FIPR, FSRRA).
//!
//! A light is directional, a point light or a spot light. Its direction at a vertex is `l`; `a` is the
//! attenuation by distance and cone. If `normal . l` is positive, the kernel adds `a * (normal . l) * colour`
//! to `diffuse`. If `s`, the cosine of the highlight's angle, is also positive, it adds `a * s^exponent *
//! gloss` to `specular`. The viewer is far away on +z. [`LightBlock::words`] defines the block.

use crate::bounded::Bounded;
use crate::{Arg, Case, Deviation, Kernel, KernelError, Kernels, Param, Rng, Signature, Value};
use sh4_fpu::startup as fpu;

/// Manifest row.
pub static KERNEL: Kernel = Kernel {
    name: "light_vertices",
    symbol: "_light_vertices",
    summary: "one light, directional, point or spot",
    params: &[
        Param::words("light"),
        Param::words("positions"),
        Param::words("normals"),
        Param::value("n"),
        Param::words_mut("diffuse"),
        Param::words_mut("specular"),
    ],
    reference,
    generate,
    deviation,
};

/// `flags`: [`LightBlock::place`] is a position instead of a direction.
pub const POSITION: u32 = 1;
/// `flags`: the light has a cone about its axis.
pub const CONE: u32 = 2;
/// `flags`: the light has a highlight.
pub const HIGHLIGHT: u32 = 4;
/// `flags`: the highlight uses the reflected light instead of the half-way vector.
pub const REFLECTED: u32 = 8;

/// A light in the space of positions and normals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LightBlock {
    /// Position, or unit vector towards a distant light.
    pub place: [f32; 3],
    /// Unit vector opposite to the beam, towards the light.
    pub axis: [f32; 3],
    /// Red, green, blue; 1.0 is full.
    pub colour: [f32; 3],
    /// Colour of the highlight: red, green, blue; 1.0 is full.
    pub gloss: [f32; 3],
    /// Attenuation by distance `d`: `range[0] + range[1] * d`, clamped to 0 to 1.
    pub range: [f32; 2],
    /// Attenuation by the cosine `c` to the axis: `cone[0] + cone[1] * c`, clamped to 0 to 1.
    pub cone: [f32; 2],
    /// [`POSITION`], [`CONE`], [`HIGHLIGHT`], [`REFLECTED`].
    pub flags: u32,
    /// Exponent of the highlight.
    pub exponent: u32,
}

/// Number of words of a block.
const WORDS: usize = 24;

impl LightBlock {
    /// Returns the block in memory: four vectors of three words and 0, range, cone, flags, exponent, two
    /// words of padding.
    pub fn words(&self) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        let vectors = [self.place, self.axis, self.colour, self.gloss];
        for (words, vector) in words.chunks_exact_mut(4).zip(vectors) {
            words[..3].copy_from_slice(&vector.map(f32::to_bits));
        }
        words[16..18].copy_from_slice(&self.range.map(f32::to_bits));
        words[18..20].copy_from_slice(&self.cone.map(f32::to_bits));
        words[20] = self.flags;
        words[21] = self.exponent;
        words
    }
}

/// Adds `light` to `diffuse` and `specular`, which have one element for each of `normals`.
///
/// # Errors
/// See [`KernelError`]; a signature error if the slices differ in length.
pub fn light_vertices(
    kernels: &mut dyn Kernels,
    light: &LightBlock,
    positions: &[[f32; 4]],
    normals: &[[f32; 4]],
    diffuse: &mut [[f32; 4]],
    specular: &mut [[f32; 4]],
) -> Result<(), KernelError> {
    let words = light.words();
    let mut args = [
        Arg::Words(&words),
        Arg::Words(bytemuck::cast_slice(positions.as_flattened())),
        Arg::Words(bytemuck::cast_slice(normals.as_flattened())),
        Arg::Value(normals.len() as u32),
        Arg::WordsMut(bytemuck::cast_slice_mut(diffuse.as_flattened_mut())),
        Arg::WordsMut(bytemuck::cast_slice_mut(specular.as_flattened_mut())),
    ];
    kernels.call(&KERNEL, &mut args)
}

fn reference(args: &mut [Arg<'_>]) -> Result<(), Signature> {
    let [
        Arg::Words(light),
        Arg::Words(positions),
        Arg::Words(normals),
        Arg::Value(n),
        Arg::WordsMut(diffuse),
        Arg::WordsMut(specular),
    ] = args
    else {
        return Err(KERNEL.signature("light, positions, normals, n, diffuse, specular"));
    };
    let n = *n as usize;
    let least = [positions.len(), normals.len(), diffuse.len(), specular.len()]
        .into_iter()
        .min();
    if light.len() < 22 || least < n.checked_mul(4) {
        return Err(KERNEL.signature("light has 22 words, the others four for each vertex"));
    }
    let light = unpack(light);
    for i in 0..n {
        let vector = |words: &[u32]| [0, 1, 2].map(|k| f32::from_bits(words[4 * i + k]));
        let (normal, position) = (vector(normals), vector(positions));
        let (to_light, left) = reach(&light, position);
        let incidence = inner(normal, to_light);
        if !fpu::greater(incidence, 0.0) {
            continue;
        }
        add(&mut diffuse[4 * i..], fpu::mul(incidence, left), light.colour);
        if light.flags & HIGHLIGHT == 0 {
            continue;
        }
        let cosine = highlight(&light, normal, to_light, incidence);
        if fpu::greater(cosine, 0.0) {
            let power = (0..light.exponent).fold(left, |power, _| fpu::mul(power, cosine));
            add(&mut specular[4 * i..], power, light.gloss);
        }
    }
    Ok(())
}

fn unpack(words: &[u32]) -> LightBlock {
    let vector = |start: usize| [0, 1, 2].map(|k| f32::from_bits(words[start + k]));
    let pair = |start: usize| [0, 1].map(|k| f32::from_bits(words[start + k]));
    LightBlock {
        place: vector(0),
        axis: vector(4),
        colour: vector(8),
        gloss: vector(12),
        range: pair(16),
        cone: pair(18),
        flags: words[20],
        exponent: words[21],
    }
}

/// Returns the unit vector to the light, and the attenuation by distance and cone.
fn reach(light: &LightBlock, position: [f32; 3]) -> ([f32; 3], f32) {
    let (mut to_light, mut left) = (light.place, 1.0);
    if light.flags & POSITION != 0 {
        let way = [0, 1, 2].map(|k| fpu::sub(light.place[k], position[k]));
        let square = inner(way, way);
        let inverse = fpu::rsqrt(square);
        to_light = way.map(|c| fpu::mul(c, inverse));
        let distance = fpu::mul(inverse, square);
        left = share(fpu::mac(light.range[0], distance, light.range[1]));
    }
    if light.flags & CONE != 0 {
        let cosine = inner(to_light, light.axis);
        let cone = share(fpu::mac(light.cone[0], light.cone[1], cosine));
        left = fpu::mul(left, cone);
    }
    (to_light, left)
}

/// Returns the cosine of the highlight's angle.
fn highlight(light: &LightBlock, normal: [f32; 3], to_light: [f32; 3], incidence: f32) -> f32 {
    if light.flags & REFLECTED != 0 {
        let twice = fpu::add(incidence, incidence);
        return fpu::sub(fpu::mul(twice, normal[2]), to_light[2]);
    }
    // Half-way vector h = (l + v) / |l + v| with v = (0, 0, 1): |l + v|^2 = 2 + 2 lz.
    let sum = fpu::add(1.0, to_light[2]);
    fpu::mul(fpu::add(incidence, normal[2]), fpu::rsqrt(fpu::add(sum, sum)))
}

fn inner(a: [f32; 3], b: [f32; 3]) -> f32 {
    fpu::inner([a[0], a[1], a[2], 0.0], [b[0], b[1], b[2], 0.0])
}

/// Clamps to 0 to 1; a NaN gives 0.
fn share(value: f32) -> f32 {
    if !fpu::greater(value, 0.0) {
        0.0
    } else if fpu::greater(value, 1.0) {
        1.0
    } else {
        value
    }
}

fn add(sum: &mut [u32], factor: f32, colour: [f32; 3]) {
    for k in 0..3 {
        sum[k] = fpu::mac(f32::from_bits(sum[k]), factor, colour[k]).to_bits();
    }
}

fn generate(rng: &mut Rng) -> Case {
    let n = 1 + rng.below(32);
    let flags = rng.below(16);
    let far = rng.range(10.0, 300.0);
    let place = if flags & POSITION != 0 {
        std::array::from_fn(|_| rng.range(-100.0, 100.0))
    } else {
        rng.unit()
    };
    let light = LightBlock {
        place,
        axis: rng.unit(),
        colour: std::array::from_fn(|_| rng.range(0.0, 1.5)),
        gloss: std::array::from_fn(|_| rng.range(0.0, 1.5)),
        range: [1.5, -1.0 / far],
        cone: [rng.range(-4.0, 0.5), rng.range(0.5, 5.0)],
        flags,
        exponent: rng.below(17),
    };
    let (mut positions, mut normals, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..n {
        let normal = rng.unit();
        positions.extend([
            rng.range(-100.0, 100.0),
            rng.range(-100.0, 100.0),
            rng.range(-200.0, 0.0),
            1.0,
        ]);
        normals.extend([normal[0], normal[1], normal[2], rng.finite()]);
        sums.extend((0..4).map(|_| rng.range(0.0, 2.0).to_bits()));
    }
    Case(vec![
        Value::Words(light.words().to_vec()),
        Value::floats(&positions),
        Value::floats(&normals),
        Value::Value(n),
        Value::WordsMut(sums.clone()),
        Value::WordsMut(sums),
    ])
}

/// Three components and 0, as FIPR needs.
type Vector = [Bounded; 4];

fn vector_of([x, y, z]: [f32; 3]) -> Vector {
    [x, y, z, 0.0].map(Bounded::single)
}

fn deviation(before: &Case, after: &Case) -> Deviation {
    let mut worst = Deviation::default();
    let light = unpack(before.words(0));
    for i in 0..before.value(3) as usize {
        let vector = |argument: usize| vector_of([0, 1, 2].map(|k| before.floats(argument)[4 * i + k]));
        let (diffuse, specular) = terms(&light, vector(1), vector(2));
        for (argument, term, colour) in [(4, diffuse, light.colour), (5, specular, light.gloss)] {
            for k in 0..4 {
                let (at, old) = (4 * i + k, before.floats(argument)[4 * i + k]);
                let sum = colour.get(k).map_or(Bounded::single(old), |c| {
                    Bounded::single(old).add(term.mul(Bounded::single(*c)))
                });
                worst.note(at, after.floats(argument)[at], sum.value, sum.slack);
            }
        }
    }
    worst
}

/// Contribution of a light without its colours, by the formulas of the module documentation.
fn terms(light: &LightBlock, position: Vector, normal: Vector) -> (Bounded, Bounded) {
    let nothing = Bounded::single(0.0);
    let one = Bounded::single(1.0);
    let (mut to_light, mut left) = (vector_of(light.place), one);
    if light.flags & POSITION != 0 {
        let way = [0, 1, 2, 3].map(|k| to_light[k].sub(position[k]));
        let square = Bounded::inner(way, way);
        let inverse = square.rsqrt();
        to_light = way.map(|c| c.mul(inverse));
        let [offset, slope] = light.range.map(Bounded::single);
        left = offset.add(slope.mul(inverse.mul(square))).clamp(0.0, 1.0);
    }
    if light.flags & CONE != 0 {
        let [offset, slope] = light.cone.map(Bounded::single);
        let cosine = Bounded::inner(to_light, vector_of(light.axis));
        left = left.mul(offset.add(slope.mul(cosine)).clamp(0.0, 1.0));
    }
    let incidence = Bounded::inner(normal, to_light);
    let (may, must) = incidence.positive();
    if !may {
        return (nothing, nothing);
    }
    let diffuse = incidence.mul(left).or_zero_unless(must);
    if light.flags & HIGHLIGHT == 0 {
        return (diffuse, nothing);
    }
    let cosine = if light.flags & REFLECTED != 0 {
        incidence.add(incidence).mul(normal[2]).sub(to_light[2])
    } else {
        let sum = one.add(to_light[2]);
        incidence.add(normal[2]).mul(sum.add(sum).rsqrt())
    };
    let (may, lit) = cosine.positive();
    if !may {
        return (diffuse, nothing);
    }
    let power = (0..light.exponent).fold(left, |power, _| power.mul(cosine));
    (diffuse, power.or_zero_unless(must && lit))
}
