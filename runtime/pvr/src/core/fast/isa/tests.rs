//! Compares the operations of AVX2 with the operations on arrays.

use super::{Avx2, Baseline, DepthMode, FOUR, Isa, LANES};
use bytemuck::cast;

type Floats = [f32; LANES];
type Words = [u32; LANES];

/// Random words. As floats they include all magnitudes, whole numbers, halves and NaN.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let n = (self.0 >> 32) as u32;
        match self.0 >> 29 & 7 {
            0 => [
                0,
                1,
                u32::MAX,
                0x8000_0000,
                0x7F80_0000,
                0xFFC0_0000,
                0x4F00_0000,
                0xCF00_0000,
            ][n as usize & 7],
            1 | 2 => ((n as i32 >> 20) as f32 * 0.5).to_bits(),
            3 => n & 0x00FF_00FF,
            4 => n & 0x3FF,
            _ => n,
        }
    }

    fn words(&mut self) -> Words {
        [(); LANES].map(|()| self.next())
    }
}

/// Compares bits. Any two NaN are equal.
fn same(name: &str, expected: Words, found: Words) {
    for (expected, found) in expected.into_iter().zip(found) {
        let no_numbers = f32::from_bits(expected).is_nan() && f32::from_bits(found).is_nan();
        assert!(
            expected == found || no_numbers,
            "{name}: {expected:08X} is {found:08X}"
        );
    }
}

#[test]
fn operations_agree() {
    let Some(avx2) = Avx2::detect() else {
        println!("0 operations: this processor has no AVX2");
        return;
    };
    let mut random = Random(1);
    let mut compared = 0;
    for _ in 0..20_000 {
        let (a, b, c) = (random.words(), random.words(), random.words());
        let [fa, fb]: [Floats; 2] = [cast(a), cast(b)];
        let [va, vb, vc] = [cast(a), cast(b), cast(c)];
        let [va_f, vb_f] = [cast(fa), cast(fb)];
        macro_rules! words {
            ($($name:ident $(::<$n:literal>)? ($($x:ident $v:ident),*);)*) => {$(
                same(stringify!($name), cast(Baseline.$name$(::<$n>)?($($x),*)), cast(avx2.$name$(::<$n>)?($($v),*)));
                compared += 1;
            )*};
        }
        words! {
            add(fa va_f, fb vb_f); mul(fa va_f, fb vb_f); div(fa va_f, fb vb_f);
            max(fa va_f, fb vb_f); min(fa va_f, fb vb_f);
            and(a va, b vb); and_not(a va, b vb); or(a va, b vb); xor(a va, b vb);
            shl::<16>(a va); shr::<7>(a va); sar::<8>(a va); shl16::<8>(a va); shr16::<7>(a va);
            add32(a va, b vb); max32(a va, b vb); min32(a va, b vb);
            equal(a va, b vb); greater(a va, b vb); upper(a va); low_bytes(a va);
            add16(a va, b vb); add16_saturated(a va, b vb); sub16(a va, b vb); mul16(a va, b vb);
            mul16_high(a va, b vb); max16(a va, b vb); min16(a va, b vb); sub16_saturated(a va, b vb);
        }
        for mode in [
            DepthMode::Never,
            DepthMode::Less,
            DepthMode::Equal,
            DepthMode::LessEqual,
            DepthMode::Greater,
            DepthMode::NotEqual,
            DepthMode::GreaterEqual,
            DepthMode::Always,
        ] {
            let found: Words = cast(avx2.passes(mode, va_f, vb_f));
            assert_eq!(found, Baseline.passes(mode, fa, fb), "{mode:?}");
        }
        let ints = avx2.to_ints([va_f, vb_f]).map(cast::<_, Words>);
        assert_eq!(ints, Baseline.to_ints([fa, fb]));
        let [small_a, small_b] = [a, b].map(|words| words.map(|word| word & 0x7FFF));
        let product: Words = cast(avx2.mul15(cast(small_a), cast(small_b)));
        assert_eq!(product, Baseline.mul15(small_a, small_b));
        let lanes: Words = cast(avx2.lanes(a[0]));
        assert_eq!(lanes, Baseline.lanes(a[0]));
        assert_eq!(avx2.bits(va), Baseline.bits(a));
        let chosen: Words = cast(avx2.select(cast(lanes), vb, vc));
        assert_eq!(chosen, Baseline.select(lanes, b, c));
        // Equal upper halves, and equal lower halves in some lanes.
        let near = a.map(|word| if word & 2 != 0 { word } else { word ^ 0x8000 });
        let equal: Words = cast(avx2.equal16(va, cast(near)));
        assert_eq!(equal, Baseline.equal16(a, near));
        compared += 14;
    }
    println!("{compared} operations");
}

#[test]
fn doubles_agree() {
    let Some(avx2) = Avx2::detect() else {
        println!("0 operations: this processor has no AVX2");
        return;
    };
    let mut random = Random(2);
    for _ in 0..20_000 {
        let pair: [[f64; FOUR]; 2] =
            [(); 2].map(|()| [(); FOUR].map(|()| (random.next() as i32 >> 12) as f64 / 512.0));
        let [a, b] = pair;
        let [va, vb] = [cast(a), cast(b)];
        macro_rules! doubles {
            ($($name:ident($($x:ident $v:ident),*);)*) => {$(
                let found: [f64; FOUR] = cast(avx2.$name($($v),*));
                assert_eq!(found, Baseline.$name($($x),*), stringify!($name));
            )*};
        }
        doubles! {
            add4(a va, b vb); sub4(a va, b vb); mul4(a va, b vb);
            max4(a va, b vb); min4(a va, b vb); floor4(a va);
        }
        let eights: [[f64; LANES]; 2] = cast([pair, pair.map(|values| values.map(|value| value / 3.0))]);
        let found = avx2.along(&eights[0], &eights[1], a[0]);
        assert_eq!(found, Baseline.along(&eights[0], &eights[1], a[0]));
        assert_eq!(avx2.exceeds4(va, 100.25), Baseline.exceeds4(a, 100.25));
        let held = pair.map(|values| values.map(|value| value.floor().clamp(-1.0, 31.0)));
        let expected = Baseline.span_masks(held[0], held[1]);
        assert_eq!(avx2.span_masks(cast(held[0]), cast(held[1])), expected);
        for ((mask, before), last) in expected.into_iter().zip(held[0]).zip(held[1]) {
            let bits = (0..32).filter(|&n| f64::from(n) > before && f64::from(n) <= last);
            assert_eq!(mask, bits.map(|n| 1 << n).sum::<u32>());
        }
    }
}

#[test]
fn memory_agrees() {
    let Some(avx2) = Avx2::detect() else {
        println!("0 operations: this processor has no AVX2");
        return;
    };
    let texels: Vec<u64> = (0..100_u64).map(|n| n * 0x0123_4567_89AB).collect();
    let mut random = Random(3);
    for case in 0..20_000 {
        // Indices within the texels, up to one past their end, or anywhere.
        let range = [99, 101, u32::MAX][case % 3];
        let places = random.words().map(|n| n % range);
        let found: Words = cast(avx2.gather(&texels, cast(places)));
        assert_eq!(found, Baseline.gather(&texels, places));
        let [a, b, c, d] = avx2.gather_pairs(&texels, cast(places));
        let expected = Baseline.gather_pairs(&texels, places);
        assert_eq!([a, b, c, d].map(cast::<_, Words>), expected);
    }
    let none = avx2.gather_pairs(&[], cast([0_u32; LANES]));
    assert_eq!(none.map(cast::<_, Words>), [[0; LANES]; 4]);
}
