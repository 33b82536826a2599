//! Conversion of values to the bits of their fields.

use super::super::Dialect;
use super::super::error::{Failable, TextWarningKind, fail};
use super::super::table::{Conv, Entry, Macro, nearest};
use super::args::Args;
use super::value::Value;
use super::{Compiler, FloatWords};

impl Compiler<'_> {
    /// Returns number `i` of a macro's output.
    pub(super) fn number(&mut self, row: &'static Macro, i: usize, args: &Args) -> Failable<u32> {
        let Some(out) = row.out.get(i) else { return Ok(0) };
        let mut bits = out.constant;
        for part in out.parts {
            let (value, at) = args.get(part.arg);
            bits |= self.convert(part.conv, value, at)? << part.shift;
        }
        Ok(bits)
    }

    /// Converts a value to the bits of its field.
    pub(super) fn convert(&mut self, conv: Conv, value: Value, at: usize) -> Failable<u32> {
        let old = self.dialect == Dialect::Ninja1;
        let degrees = |per_turn: f64, bits, n: f64| ((n * (per_turn / 360.0)).round() as i64, bits);
        let (n, bits) = match conv {
            Conv::Word => return self.float_bits(value, at),
            Conv::Float => return self.single(value, at),
            Conv::Bits => return Ok(self.int(value, at)? as u32),
            Conv::Channel if old => return Ok(((self.float(value, at)? / 255.0) as f32).to_bits()),
            Conv::Channel => return self.single(value, at),
            Conv::Int(bits) => (self.int(value, at)?, bits),
            Conv::Modulo(bits) => (self.int(value, at)? & ((1 << bits) - 1), bits),
            Conv::Flags => (self.int(value, at)?, 32),
            Conv::Flags16 => (self.int(value, at)?, 16),
            Conv::Negated => (-self.int(value, at)?, 16),
            Conv::Low => (self.int(value, at)? & 0xFFFF, 16),
            Conv::High => (self.int(value, at)? >> 16 & 0xFFFF, 16),
            Conv::KeyDegrees(bits) if old => degrees(65535.0, bits, self.float(value, at)?),
            Conv::CellDegrees(bits) if old => (self.int(value, at)?, bits),
            Conv::Degrees(bits)
            | Conv::KeyDegrees(bits)
            | Conv::CellDegrees(bits)
            | Conv::LostDegrees(bits) => {
                if old && matches!(conv, Conv::LostDegrees(_)) {
                    self.warn(at, TextWarningKind::OldMacro("the angle"));
                }
                degrees(65536.0, bits, self.float(value, at)?)
            }
            Conv::Unit => ((self.float(value, at)? * 32767.0).round() as i64, 16),
            Conv::Percent(full) => {
                let share = self.float(value, at)? * f64::from(full) / 100.0;
                ((share + 0.5).floor() as i64, 16)
            }
            Conv::Ptr | Conv::Text => {
                self.link(value, at)?;
                return Ok(0);
            }
        };
        Ok(self.field(
            n,
            bits,
            at,
            matches!(
                conv,
                Conv::Degrees(_) | Conv::CellDegrees(_) | Conv::LostDegrees(_)
            ),
        ))
    }

    /// Returns the low bits, and warns if others are lost; angles wrap around without a warning.
    fn field(&mut self, n: i64, bits: u8, at: usize, wraps: bool) -> u32 {
        let range = -(1i64 << (bits - 1))..1i64 << bits;
        if !range.contains(&n) && !wraps {
            self.warn(at, TextWarningKind::Cut { value: n, bits });
        }
        (n & ((1i64 << bits) - 1)) as u32
    }

    fn int(&self, value: Value, at: usize) -> Failable<i64> {
        match value {
            Value::Int(n) => Ok(n),
            // Truncate like a C compiler.
            Value::Float(n) => Ok(n as i64),
            other => self.no_number(other, at),
        }
    }

    /// Returns the bits of a single-precision float. Bits given in the text pass unchanged, because
    /// converting a signalling NaN changes it.
    fn single(&self, value: Value, at: usize) -> Failable<u32> {
        match value {
            Value::Bits(bits) => Ok(bits),
            _ => Ok((self.float(value, at)? as f32).to_bits()),
        }
    }

    fn float(&self, value: Value, at: usize) -> Failable<f64> {
        match value {
            Value::Int(n) => Ok(n as f64),
            Value::Float(n) => Ok(n),
            Value::Bits(n) => Ok(f64::from(f32::from_bits(n))),
            other => self.no_number(other, at),
        }
    }

    /// Returns the bits of a float. An integer gives the bits directly. A small integer must be meant as a
    /// value: its bits would be a denormal or, if negative, a NaN.
    fn float_bits(&mut self, value: Value, at: usize) -> Failable<u32> {
        match value {
            Value::Int(0) => Ok(0),
            Value::Int(n) if n.unsigned_abs() >= 1 << 23 => Ok(n as u32),
            Value::Int(n)
                if self
                    .unit
                    .text
                    .get(at..at + 2)
                    .is_some_and(|t| t.eq_ignore_ascii_case(b"0x")) =>
            {
                Ok(n as u32)
            }
            value => {
                let n = self.float(value, at)?;
                self.floats
                    .get_or_insert(FloatWords {
                        at,
                        first: n,
                        count: 0,
                    })
                    .count += 1;
                self.single(value, at)
            }
        }
    }

    /// Emits one warning for all floats of a chunk where integers are expected.
    pub(super) fn warn_of_floats(&mut self) {
        if let Some(FloatWords { at, first, count }) = self.floats.take() {
            let first = first.to_string();
            self.warn(at, TextWarningKind::FloatInWords { first, count });
        }
    }

    #[cold]
    pub(super) fn no_number<T>(&self, value: Value, at: usize) -> Failable<T> {
        let wanted = |e: &Entry| matches!(e, Entry::Constant(_) | Entry::Macro(_));
        match value {
            Value::Name { name, .. } => {
                let expected = nearest(self.unit.slice(name), wanted).unwrap_or("a number");
                fail(at, "value", self.unit.string(name), expected)
            }
            Value::Text { start, end } => fail(at, "value", self.lexer.str(start, end), "a number"),
            Value::Int(n) => fail(at, "value", n.to_string(), "another operand"),
            Value::Float(n) => fail(at, "value", n.to_string(), "an integer"),
            Value::Bits(n) => fail(at, "value", f32::from_bits(n).to_string(), "an integer"),
        }
    }
}
