//! Exceptions that the chip considers possible. The tests check each limit of the manual's lists. With the
//! default rules, no overflow or underflow occurs that was not considered possible.

use sh4_fpu::inner::{InnerModel, inner};
use sh4_fpu::trap::{InexactTrap, Operation, Pair, SubTrapSign, TrapRules, TrapSumBias, possible};
use sh4_fpu::{Cause, Control, Outcome, convert, double, single};

use crate::exact::cases::{Source, count};
use crate::exact::rational::{DOUBLE, SINGLE};

const NEAREST: Control = Control {
    flush: false,
    ..Control::STARTUP
};
const RULES: TrapRules = TrapRules {
    sub_sign: SubTrapSign::AsAdded,
    sum_bias: TrapSumBias::Removed,
    inexact: InexactTrap::AnyOperands,
};

/// Singles with this sign and exponent, and the smallest and the largest fraction.
fn single_at(negative: bool, exponent: u32) -> [u32; 2] {
    let low = u32::from(negative) << 31 | exponent << 23;
    [low, low | 0x7F_FFFF]
}

fn double_at(negative: bool, exponent: u64) -> [u64; 2] {
    let low = u64::from(negative) << 63 | exponent << 52;
    [low, low | 0xF_FFFF_FFFF_FFFF]
}

/// Returns whether O and U are considered possible; the answer must be equal for all fractions.
fn asked<const N: usize>(rules: TrapRules, operations: [Operation; N]) -> (bool, bool) {
    let answers = operations.map(|operation| possible(&operation, rules, NEAREST));
    assert!(answers.iter().all(|&answer| answer == answers[0]));
    (answers[0].has(Cause::OVERFLOW), answers[0].has(Cause::UNDERFLOW))
}

fn singles(make: fn(Pair) -> Operation, a: (bool, u32), b: (bool, u32), rules: TrapRules) -> (bool, bool) {
    let (a, b) = (single_at(a.0, a.1), single_at(b.0, b.1));
    asked(rules, [0, 1].map(|i| make(Pair::Single(a[i], b[1 - i]))))
}

fn doubles(make: fn(Pair) -> Operation, a: (bool, u64), b: (bool, u64)) -> (bool, bool) {
    let (a, b) = (double_at(a.0, a.1), double_at(b.0, b.1));
    asked(RULES, [0, 1].map(|i| make(Pair::Double(a[i], b[1 - i]))))
}

#[test]
fn add_and_sub_limits() {
    let (plus, minus) = (false, true);
    let limits = [
        // Equal signs: O with an exponent of FE.
        ((plus, 0xFE), (plus, 0x01), (true, false)),
        ((minus, 0x80), (minus, 0xFE), (true, false)),
        ((plus, 0xFD), (plus, 0xFD), (false, false)),
        ((plus, 0x01), (plus, 0x01), (false, false)),
        // Different signs: U with no exponent above 18.
        ((plus, 0x18), (minus, 0x18), (false, true)),
        ((minus, 0x01), (plus, 0x18), (false, true)),
        ((plus, 0x19), (minus, 0x01), (false, false)),
        ((plus, 0xFE), (minus, 0xFE), (false, false)),
    ];
    for (a, b, expected) in limits {
        assert_eq!(singles(Operation::Add, a, b, RULES), expected, "{a:X?} {b:X?}");
        let turned = (!b.0, b.1);
        assert_eq!(
            singles(Operation::Sub, a, turned, RULES),
            expected,
            "{a:X?} {b:X?}"
        );
        let written = TrapRules {
            sub_sign: SubTrapSign::AsWritten,
            ..RULES
        };
        assert_eq!(singles(Operation::Sub, a, b, written), expected, "{a:X?} {b:X?}");
    }
    let limits = [
        ((plus, 0x7FE), (plus, 0x001), (true, false)),
        ((plus, 0x7FD), (plus, 0x7FD), (false, false)),
        ((plus, 0x035), (minus, 0x035), (false, true)),
        ((plus, 0x036), (minus, 0x001), (false, false)),
    ];
    for (a, b, expected) in limits {
        assert_eq!(doubles(Operation::Add, a, b), expected, "{a:X?} {b:X?}");
        assert_eq!(doubles(Operation::Sub, a, (!b.0, b.1)), expected, "{a:X?} {b:X?}");
    }
}

#[test]
fn mul_and_div_limits() {
    let mul = |a, b| singles(Operation::Mul, (false, a), (true, b), RULES);
    assert_eq!(mul(0xFE, 0x7F), (true, false));
    assert_eq!(mul(0xFD, 0x7F), (false, false));
    assert_eq!(mul(0x40, 0x3F), (false, true));
    assert_eq!(mul(0x40, 0x40), (false, false));
    let div = |a, b| singles(Operation::Div, (false, a), (true, b), RULES);
    assert_eq!(div(0xFE, 0x7E), (true, false));
    assert_eq!(div(0xFE, 0x7F), (false, false));
    assert_eq!(div(0x01, 0x7F), (false, true));
    assert_eq!(div(0x02, 0x7F), (false, false));
    let mul = |a, b| doubles(Operation::Mul, (false, a), (true, b));
    assert_eq!(mul(0x7FE, 0x3FF), (true, false));
    assert_eq!(mul(0x7FD, 0x3FF), (false, false));
    assert_eq!(mul(0x200, 0x1FF), (false, true));
    assert_eq!(mul(0x200, 0x200), (false, false));
    let div = |a, b| doubles(Operation::Div, (false, a), (true, b));
    assert_eq!(div(0x7FE, 0x3FE), (true, false));
    assert_eq!(div(0x7FE, 0x3FF), (false, false));
    assert_eq!(div(0x001, 0x3FF), (false, true));
    assert_eq!(div(0x002, 0x3FF), (false, false));
}

#[test]
fn mac_fipr_and_conversion_limits() {
    let kept = TrapRules {
        sum_bias: TrapSumBias::Kept,
        ..RULES
    };
    let mac = |rules, a, b, c| {
        let [a, b, c] = [a, b, c].map(|exponent| single_at(false, exponent));
        asked(rules, [0, 1].map(|i| Operation::Mac(a[i], b[1 - i], c[i])))
    };
    assert_eq!(mac(RULES, 0x7F, 0x7F, 0x7F), (false, false));
    assert_eq!(mac(RULES, 0xFD, 0x7F, 0x7F), (true, false));
    assert_eq!(mac(RULES, 0xFC, 0x7F, 0xFC), (false, false));
    assert_eq!(mac(RULES, 0x7F, 0x7F, 0xFD), (true, false));
    assert_eq!(mac(RULES, 0x2E, 0x7F, 0x7F), (false, true));
    assert_eq!(mac(RULES, 0x7F, 0x7F, 0x2E), (false, true));
    assert_eq!(mac(RULES, 0x2F, 0x7F, 0x2F), (false, false));
    assert_eq!(mac(kept, 0x7F, 0x7F, 0x7F), (true, false));
    assert_eq!(mac(kept, 0x17, 0x17, 0x7F), (false, true));

    let fipr = |rules, exponent| {
        let [a, one] = [exponent, 0x7F].map(|exponent| single_at(false, exponent)[0]);
        asked(rules, [Operation::Inner([one, one, a, one], [one; 4])])
    };
    // With enable.U FIPR always traps.
    assert_eq!(fipr(RULES, 0xFC), (true, true));
    assert_eq!(fipr(RULES, 0xFB), (false, true));
    assert_eq!(fipr(kept, 0x7D), (true, true));

    let narrow = |exponent| asked(RULES, double_at(false, exponent).map(Operation::ToSingle));
    assert_eq!(narrow(0x47E), (true, false));
    assert_eq!(narrow(0x47D), (false, false));
    assert_eq!(narrow(0x381), (false, false));
    assert_eq!(narrow(0x380), (false, true));
}

#[test]
fn inexact_and_ftrv() {
    let at = |rules, operation| possible(&operation, rules, NEAREST);
    let computed = TrapRules {
        inexact: InexactTrap::Computed,
        ..RULES
    };
    let (one, nan) = (0x3F80_0000, 0x7FBF_FFFF);
    let with_nan = Operation::Add(Pair::Single(one, nan));
    assert_eq!(at(RULES, with_nan), Cause::INEXACT);
    assert_eq!(at(computed, with_nan), Cause::NONE);
    assert_eq!(
        at(computed, Operation::Add(Pair::Single(one, one))),
        Cause::INEXACT
    );
    assert_eq!(at(RULES, Operation::SqrtSingle(one)), Cause::INEXACT);
    assert_eq!(
        at(computed, Operation::SqrtDouble(0xBFF0_0000_0000_0000)),
        Cause::NONE
    );
    assert_eq!(at(RULES, Operation::Float), Cause::INEXACT);
    assert_eq!(at(RULES, Operation::SineCosine), Cause::INEXACT);
    assert_eq!(at(RULES, Operation::ReciprocalRoot(one)), Cause::INEXACT);
    assert_eq!(at(RULES, Operation::ReciprocalRoot(0)), Cause::NONE);
    let all = Cause(0x17);
    assert_eq!(at(RULES, Operation::Transform), all);
    assert_eq!(at(computed, Operation::Transform), all);
}

/// Special operands have no overflow and no underflow.
#[test]
fn exponents_of_specials_do_not_count() {
    let flush = Control::STARTUP;
    let (infinity, largest, denormal) = (0x7F80_0000, 0x7F7F_FFFF, 0x0040_0000);
    let none = |operation| {
        let answer = possible(&operation, RULES, flush);
        assert!(
            !answer.has(Cause::OVERFLOW.with(Cause::UNDERFLOW)),
            "{operation:X?}"
        );
    };
    for other in [0, infinity, denormal, 0x7FBF_FFFF] {
        for operation in [Operation::Add, Operation::Sub, Operation::Mul, Operation::Div] {
            none(operation(Pair::Single(largest, other)));
            none(operation(Pair::Single(other, 0x8080_0000)));
        }
        none(Operation::Mac(largest, other, 0x3F80_0000));
    }
    none(Operation::ToSingle(0x7FF0_0000_0000_0000));
}

/// Executes one operation on random operands. Returns the operation and the causes that occurred.
fn any_operation(source: &mut Source, control: Control) -> (Operation, Cause) {
    let a = source.operand(SINGLE);
    let b = source.partner(SINGLE, a);
    let (a, b) = (a as u32, b as u32);
    let x = source.operand(DOUBLE);
    let y = source.partner(DOUBLE, x);
    let cause = |outcome: Outcome<u32>| outcome.cause;
    let wide = |outcome: Outcome<u64>| outcome.cause;
    let (singles, doubles) = (Pair::Single(a, b), Pair::Double(x, y));
    match source.below(11) {
        0 => (Operation::Add(singles), cause(single::add(a, b, control))),
        1 => (Operation::Sub(singles), cause(single::sub(a, b, control))),
        2 => (Operation::Mul(singles), cause(single::mul(a, b, control))),
        3 => (Operation::Div(singles), cause(single::div(a, b, control))),
        4 => (Operation::Add(doubles), wide(double::add(x, y, control))),
        5 => (Operation::Sub(doubles), wide(double::sub(x, y, control))),
        6 => (Operation::Mul(doubles), wide(double::mul(x, y, control))),
        7 => (Operation::Div(doubles), wide(double::div(x, y, control))),
        8 => {
            let c = source.addend(a, b);
            (Operation::Mac(a, b, c), cause(single::mac(a, b, c, control)))
        }
        9 => (
            Operation::ToSingle(x),
            cause(convert::double_to_single(x, control)),
        ),
        _ => {
            let (a, b) = source.vectors();
            let outcome = inner(&a, &b, InnerModel::default(), control);
            (Operation::Inner(a, b), cause(outcome))
        }
    }
}

/// Every exception that occurs was considered possible. This supports the default rules.
#[test]
fn what_happens_was_possible() {
    let mut source = Source::new("possible");
    let mut happened = 0;
    for _ in 0..count() {
        let control = source.control();
        let (operation, cause) = any_operation(&mut source, control);
        let range = Cause(cause.0 & Cause::OVERFLOW.with(Cause::UNDERFLOW).0);
        let thought = possible(&operation, RULES, control);
        assert_eq!(range.0 & !thought.0, 0, "{operation:X?} {control:?}: {cause:?}");
        happened += u64::from(range != Cause::NONE);
    }
    println!(
        "possible exceptions: {} operations, {happened} left the range, all of them foreseen",
        count()
    );
    assert!(happened * 20 > count());
}
