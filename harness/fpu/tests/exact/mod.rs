//! Compares every operation, value and cause bits, with independent exact rational arithmetic.
//!
//! 200,000 seeded cases per function; the full test is
//! `SWIRL_FPU_CASES=10000000 cargo test --release -p swirl-fpu --test tests exact:: -- --nocapture`.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

mod cases;
mod products;
mod rational;
mod reference;
mod traps;

use std::fmt::Debug;

use cases::{Source, count};
use rational::{DOUBLE, Layout, SINGLE, outcome};
use sh4_fpu::approx::{self, ReciprocalRoot};
use sh4_fpu::inner::{self, InnerModel, InnerProduct, ProductExponent};
use sh4_fpu::{Cause, Control, Outcome, convert, double, single};

/// Number of times that each cause occurred. A generator that misses a cause does not test it.
#[derive(Default)]
struct Tally {
    cases: u64,
    causes: [u64; 6],
    exact: u64,
}

impl Tally {
    fn note(&mut self, cause: Cause) {
        self.cases += 1;
        self.exact += u64::from(cause == Cause::NONE);
        for (bit, times) in self.causes.iter_mut().enumerate() {
            *times += u64::from(cause.0 >> bit & 1);
        }
    }

    /// Prints the counts. Each cause in `expected` must occur in a thousandth of the cases.
    fn report(&self, name: &str, expected: Cause) {
        let [i, u, o, z, v, e] = self.causes;
        println!(
            "{name}: {} cases, none differs; causes none {} I {i} U {u} O {o} Z {z} V {v} E {e}",
            self.cases, self.exact
        );
        for (bit, &times) in self.causes.iter().enumerate() {
            let wanted = expected.0 >> bit & 1 == 1;
            assert_eq!(
                times != 0,
                wanted,
                "{name}: cause bit {bit} came up {times} times"
            );
            assert!(
                !wanted || times * 1000 >= self.cases,
                "{name}: cause bit {bit} only {times} times"
            );
        }
    }
}

const V: Cause = Cause::INVALID;
const IU: Cause = Cause::INEXACT.with(Cause::UNDERFLOW);
const IUO: Cause = IU.with(Cause::OVERFLOW);
const VE: Cause = V.with(Cause::FPU_ERROR);

fn widen(outcome: Outcome<u32>) -> Outcome<u64> {
    rational::outcome(outcome.bits.into(), outcome.cause)
}

/// Runs `found` and `expected` on cases from `make`.
fn compare<C: Debug, T: PartialEq + Debug>(
    name: &str,
    causes: Cause,
    mut make: impl FnMut(&mut Source) -> C,
    found: impl Fn(&C, Control) -> Outcome<T>,
    expected: impl Fn(&C, Control) -> Outcome<T>,
) {
    let mut source = Source::new(name);
    let mut tally = Tally::default();
    for _ in 0..count() {
        let case = make(&mut source);
        let control = source.control();
        let (found, expected) = (found(&case, control), expected(&case, control));
        assert_eq!(found, expected, "{name} {case:X?} {control:?}");
        tally.note(expected.cause);
    }
    tally.report(name, causes);
}

fn one(layout: Layout) -> impl FnMut(&mut Source) -> u64 {
    move |source| source.operand(layout)
}

fn two(layout: Layout) -> impl FnMut(&mut Source) -> (u64, u64) {
    move |source| {
        let a = source.operand(layout);
        let b = source.partner(layout, a);
        if source.flip() { (a, b) } else { (b, a) }
    }
}

fn three(source: &mut Source) -> (u32, u32, u32) {
    let a = source.operand(SINGLE);
    let b = source.partner(SINGLE, a);
    let (a, b) = (a as u32, b as u32);
    (a, b, source.addend(a, b))
}

/// A test of an operation with two operands, in both formats.
macro_rules! in_both_formats {
    ($($name:ident $causes:expr;)+) => {$(
        #[test]
        fn $name() {
            compare(
                concat!(stringify!($name), " single"),
                $causes,
                two(SINGLE),
                |&(a, b), control| widen(single::$name(a as u32, b as u32, control)),
                |&(a, b), control| reference::$name(SINGLE, a, b, control),
            );
            compare(
                concat!(stringify!($name), " double"),
                $causes,
                two(DOUBLE),
                |&(a, b), control| double::$name(a, b, control),
                |&(a, b), control| reference::$name(DOUBLE, a, b, control),
            );
        }
    )+};
}

in_both_formats! {
    add IUO.with(VE);
    sub IUO.with(VE);
    mul IUO.with(VE);
    div IUO.with(VE).with(Cause::DIVIDE_BY_ZERO);
}

#[test]
fn mac() {
    compare(
        "mac",
        IUO.with(VE),
        three,
        |&(a, b, c), control| widen(single::mac(a, b, c, control)),
        |&(a, b, c), control| reference::mac(a.into(), b.into(), c.into(), control),
    );
}

#[test]
fn sqrt() {
    let causes = Cause::INEXACT.with(VE);
    compare(
        "sqrt single",
        causes,
        one(SINGLE),
        |&a, control| widen(single::sqrt(a as u32, control)),
        |&a, control| reference::sqrt(SINGLE, a, control),
    );
    compare(
        "sqrt double",
        causes,
        one(DOUBLE),
        |&a, control| double::sqrt(a, control),
        |&a, control| reference::sqrt(DOUBLE, a, control),
    );
}

#[test]
fn rsqrt_nearest() {
    compare(
        "rsqrt",
        Cause::INEXACT.with(Cause::DIVIDE_BY_ZERO).with(VE),
        one(SINGLE),
        |&a, control| widen(approx::rsqrt(a as u32, ReciprocalRoot::Nearest, control)),
        |&a, control| reference::rsqrt(a, control),
    );
}

/// Compares have equal results for every RM and tininess rule.
#[test]
fn compares() {
    compare(
        "equal single",
        V,
        two(SINGLE),
        |&(a, b), control| single::equal(a as u32, b as u32, control),
        |&(a, b), control| reference::equal(SINGLE, a, b, control),
    );
    compare(
        "equal double",
        V,
        two(DOUBLE),
        |&(a, b), control| double::equal(a, b, control),
        |&(a, b), control| reference::equal(DOUBLE, a, b, control),
    );
    compare(
        "greater single",
        V,
        two(SINGLE),
        |&(a, b), control| single::greater(a as u32, b as u32, control),
        |&(a, b), control| reference::greater(SINGLE, a, b, control),
    );
    compare(
        "greater double",
        V,
        two(DOUBLE),
        |&(a, b), control| double::greater(a, b, control),
        |&(a, b), control| reference::greater(DOUBLE, a, b, control),
    );
}

#[test]
fn integers() {
    let integer = |source: &mut Source| (source.next() as u32) >> source.below(32);
    let near_the_limit = |layout: Layout| {
        move |source: &mut Source| match source.below(3) {
            // Numbers within a few units of +-2^31, where the range ends.
            0 => {
                let limit = (30 + (1 << (layout.exponent - 1)) - 1 + 1) << layout.fraction;
                let bits = if layout == SINGLE { 6 } else { 36 };
                let near = source.below(1 << bits).wrapping_sub(1 << (bits - 1));
                layout.signed(source.flip(), near.wrapping_add(limit))
            }
            _ => source.operand(layout),
        }
    };
    compare(
        "float single",
        Cause::INEXACT,
        integer,
        |&a, control| widen(single::float(a, control)),
        |&a, control| reference::float_single(a, control),
    );
    compare(
        "float double",
        Cause::NONE,
        integer,
        |&a, _| double::float(a),
        |&a, _| reference::float_double(a),
    );
    compare(
        "ftrc single",
        V,
        near_the_limit(SINGLE),
        |&a, _| single::ftrc(a as u32),
        |&a, _| reference::ftrc(SINGLE, a),
    );
    compare(
        "ftrc double",
        V,
        near_the_limit(DOUBLE),
        |&a, _| double::ftrc(a),
        |&a, _| reference::ftrc(DOUBLE, a),
    );
}

#[test]
fn conversions() {
    // Doubles near the limits of a single.
    let narrowing = |source: &mut Source| {
        let a = source.operand(DOUBLE);
        if source.flip() {
            return a;
        }
        let exponent = match source.below(3) {
            0 => 0x47E + source.below(3),
            1 => 0x380 - source.below(26),
            _ => 0x380 + source.below(0x100),
        };
        a & !DOUBLE.infinity() | exponent << 52
    };
    compare(
        "double to single",
        IUO.with(VE),
        narrowing,
        |&a, control| widen(convert::double_to_single(a, control)),
        |&a, control| reference::convert(DOUBLE, SINGLE, a, control),
    );
    compare(
        "single to double",
        VE,
        one(SINGLE),
        |&a, control| convert::single_to_double(a as u32, control),
        |&a, control| reference::convert(SINGLE, DOUBLE, a, control),
    );
}

const MODELS: [(&str, InnerModel); 4] = {
    use InnerProduct::{Exact, Hardware, Sequential};
    use ProductExponent::{AfterNormalising, BeforeNormalising};
    const fn model(product: InnerProduct, exponent: ProductExponent) -> InnerModel {
        InnerModel { product, exponent }
    }
    [
        ("fipr hardware", model(Hardware, BeforeNormalising)),
        (
            "fipr hardware, normalised first",
            model(Hardware, AfterNormalising),
        ),
        ("fipr exact", model(Exact, BeforeNormalising)),
        ("fipr sequential", model(Sequential, BeforeNormalising)),
    ]
};

#[test]
fn fipr() {
    for (name, model) in MODELS {
        compare(
            name,
            IUO.with(V),
            Source::vectors,
            |(a, b), control| widen(inner::inner(a, b, model, control)),
            |(a, b), control| products::inner(a, b, model, control),
        );
    }
}

/// FTRV equals four FIPRs on the old vector, with their causes combined.
#[test]
fn ftrv() {
    for (name, model) in MODELS {
        let case = |source: &mut Source| {
            let (row, v) = source.vectors();
            // All rows share the vector; only one comes from the same draw.
            let mut rows = [row; 4];
            for row in &mut rows[1..] {
                let (other, _) = source.vectors();
                *row = if source.flip() {
                    other
                } else {
                    row.map(|bits| bits ^ 0x8000_0001)
                };
            }
            (rows, v)
        };
        compare(
            &name.replace("fipr", "ftrv"),
            IUO.with(V),
            case,
            |(rows, v), control| {
                let matrix = std::array::from_fn(|i| rows[i % 4][i / 4]);
                let found = inner::transform(&matrix, v, model, control);
                outcome(found.bits.map(u64::from), found.cause)
            },
            |(rows, v), control| {
                let parts = rows.map(|row| products::inner(&row, v, model, control));
                let cause = parts.iter().fold(Cause::NONE, |all, part| all.with(part.cause));
                outcome(parts.map(|part| part.bits), cause)
            },
        );
    }
}
