//! Numbers in C notation.

use std::fmt::Write as _;

/// Writes a float so that reading gives the same bits.
pub(super) fn float(value: f32) -> String {
    match value {
        v if !v.is_finite() => format!("FBITS( {:#010x} )", v.to_bits()),
        v => format!("{v:?}F"),
    }
}

/// Writes floats separated by commas.
pub(super) fn floats(values: &[f32]) -> String {
    let list: Vec<String> = values.iter().map(|v| float(*v)).collect();
    list.join(", ")
}

/// Returns the shortest decimal `d` for which `d * scale` is `n` or up to a quarter larger in magnitude. Both
/// rounding and truncating readers then get `n` (docs/formats/ninja.md 3.3). With `single` this also holds
/// for the single-precision float nearest to `d`.
fn scaled(n: i32, scale: f64, single: bool) -> String {
    let (size, sign) = (f64::from(n.unsigned_abs()), if n < 0 { "-" } else { "" });
    for digits in 0..12 {
        let unit = 10f64.powi(digits);
        let next = (size / scale * unit).ceil();
        // The float nearest to the first candidate may be too small.
        for decimal in [next / unit, (next + 1.0) / unit] {
            let read = if single {
                f64::from(decimal as f32)
            } else {
                decimal
            };
            if (size..size + 0.25).contains(&(read * scale)) {
                let digits = digits.max(1) as usize;
                return format!("{sign}{decimal:.digits$}");
            }
        }
    }
    format!("{sign}{:.12}", size / scale)
}

/// Writes BAMS as degrees. Above a few turns a single-precision literal is too coarse, so the suffix is
/// omitted.
pub(super) fn degrees(bams: i32) -> String {
    let single = bams.unsigned_abs() < 1 << 21;
    scaled(bams, 65536.0 / 360.0, single) + if single { "F" } else { "" }
}

/// Writes 16-bit components of a unit vector.
pub(super) fn units(parts: [i16; 3]) -> String {
    let [x, y, z] = parts.map(|n| scaled(i32::from(n), 32767.0, true));
    format!("{x}F, {y}F, {z}F")
}

/// Returns a weight in percent of `full`, with the fewest digits that round to the weight.
pub(super) fn percent(weight: u16, full: u16) -> Option<String> {
    let back = |percent: f64| (percent * f64::from(full) / 100.0 + 0.5).floor();
    (0..8).find_map(|digits| {
        let unit = 10f64.powi(digits);
        let decimal = (f64::from(weight) * 100.0 / f64::from(full) * unit).round() / unit;
        let single = f64::from(decimal as f32);
        let exact = back(decimal) == f64::from(weight) && back(single) == f64::from(weight);
        exact.then(|| format!("{decimal:.*}F", digits.max(1) as usize))
    })
}

/// Appends `0x` and eight digits. Formatting is avoided because vertex lists consist of these numbers.
pub(super) fn hex32(out: &mut String, value: u32) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.push_str("0x");
    for shift in (0..8).rev() {
        out.push(char::from(DIGITS[(value >> (4 * shift) & 15) as usize]));
    }
}

/// Writes words in hexadecimal, several to a line.
pub(super) fn hex_lines(out: &mut String, indent: &str, words: &[u32]) {
    for line in words.chunks(4) {
        out.push_str(indent);
        for word in line {
            hex32(out, *word);
            out.push_str(", ");
        }
        out.truncate(out.len() - 1);
        out.push('\n');
    }
}

/// Joins names with `|`, followed by the remaining bits; `0x0` if there are no flags at all.
pub(super) fn flag_list(names: &[&str], left: u32) -> String {
    let mut text = names.join("|");
    if left != 0 || names.is_empty() {
        let bar = if names.is_empty() { "" } else { "|" };
        // Writing to a string cannot fail.
        let _ = write!(text, "{bar}{left:#x}");
    }
    text
}

/// Writes a C string. All characters except printable ASCII are octal, with at most three digits.
pub(super) fn string(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
            0x20..0x7F => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_exact_for_rounding_and_truncating_readers() {
        assert_eq!(
            [0, 0x4000, -0x4000, 8192].map(degrees),
            ["0.0F", "90.0F", "-90.0F", "45.0F"]
        );
        for n in (-70_000..70_000).chain([1 << 20, i32::MAX, i32::MIN]) {
            let text = degrees(n);
            let value: f64 = match text.strip_suffix('F') {
                Some(single) => f64::from(single.parse::<f32>().unwrap()),
                None => text.parse().unwrap(),
            };
            let bams = value * (65536.0 / 360.0);
            assert_eq!(
                (bams.round(), bams.trunc()),
                (f64::from(n), f64::from(n)),
                "{text}"
            );
        }
    }

    #[test]
    fn unit_parts_are_exact_for_rounding_and_truncating_readers() {
        for n in i16::MIN..=i16::MAX {
            let text = scaled(i32::from(n), 32767.0, true);
            let value = f64::from(text.parse::<f32>().unwrap()) * 32767.0;
            assert_eq!(
                (value.round(), value.trunc()),
                (f64::from(n), f64::from(n)),
                "{text}"
            );
        }
    }

    #[test]
    fn every_weight_has_a_percentage() {
        assert_eq!(percent(255, 255).unwrap(), "100.0F");
        assert!((0..=255).all(|weight| percent(weight, 255).is_some_and(|p| p.len() <= 6)));
    }

    #[test]
    fn strings_are_plain_ascii() {
        assert_eq!(string(b"a\"\x83\x5C1"), r#""a\"\203\\1""#);
    }
}
