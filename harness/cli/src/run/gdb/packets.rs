//! Packets that this server answers or changes before the crate `gdbstub` processes them.
//!
//! The crate ignores the addresses of `c` and `s`, and the length of `M` and `X`. It answers an `m` of any
//! length, and rejects `qCRC`.

/// Maximum bytes of memory per read. The answer has two digits per byte.
const MOST_READ: u64 = 4096;
/// Answer to a malformed request: EINVAL.
const INVALID: &str = "E16";

/// Treatment of a packet.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// Forwards the packet to the crate `gdbstub`, after setting the program counter if there is a new one.
    Forward(Vec<u8>, Option<u32>),
    Answer(&'static str),
}

/// Checks a packet.
pub(super) fn check(body: Vec<u8>) -> Checked {
    let Some((command, rest)) = body.split_first() else {
        return Checked::Answer("");
    };
    match command {
        b'c' | b's' if !rest.is_empty() => match address(rest) {
            Some(pc) if pc & 1 == 0 => Checked::Forward(vec![*command], Some(pc)),
            _ => Checked::Answer(INVALID),
        },
        b'm' => match span(rest, b"") {
            Some((start, length, _)) => {
                let length = length.min(MOST_READ);
                Checked::Forward(format!("m{start:x},{length:x}").into(), None)
            }
            None => Checked::Answer(INVALID),
        },
        b'M' => match span(rest, b":") {
            Some((_, length, data)) if data.len() as u64 == length.saturating_mul(2) && is_hex(data) => {
                Checked::Forward(body, None)
            }
            _ => Checked::Answer(INVALID),
        },
        b'X' => match span(rest, b":") {
            Some((_, length, data)) if plain_length(data) == Some(length) => Checked::Forward(body, None),
            _ => Checked::Answer(INVALID),
        },
        // The crate mistakes `qCRC` for `qC`. After an empty answer, gdb reads the memory and compares it
        // itself.
        b'q' if rest.starts_with(b"CRC") => Checked::Answer(""),
        _ => Checked::Forward(body, None),
    }
}

fn address(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok()?;
    // The parser would accept a sign.
    is_hex(digits).then(|| u32::from_str_radix(text, 16).ok())?
}

fn is_hex(digits: &[u8]) -> bool {
    digits.iter().all(u8::is_ascii_hexdigit)
}

/// Parses `ADDRESS,LENGTH`, and returns the rest after `end`.
fn span<'a>(text: &'a [u8], end: &[u8]) -> Option<(u32, u64, &'a [u8])> {
    let comma = text.iter().position(|byte| *byte == b',')?;
    let (start, rest) = (address(&text[..comma])?, &text[comma + 1..]);
    let stop = match end {
        [] => rest.len(),
        [end, ..] => rest.iter().position(|byte| byte == end)?,
    };
    let length = address(&rest[..stop])?;
    Some((start, length.into(), rest.get(stop + 1..).unwrap_or_default()))
}

/// Returns the length of escaped binary data after decoding; `None` if the data ends in an escape.
fn plain_length(data: &[u8]) -> Option<u64> {
    let mut bytes = data.iter();
    let mut length = 0;
    while let Some(byte) = bytes.next() {
        if *byte == b'}' {
            bytes.next()?;
        }
        length += 1;
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_lengths_count() {
        let forward = |text: &str, pc| Checked::Forward(text.into(), pc);
        let checked = |text: &str| check(text.into());
        assert_eq!(checked("c8c010000"), forward("c", Some(0x8C01_0000)));
        assert_eq!(checked("s"), forward("s", None));
        assert_eq!(checked("s+10"), Checked::Answer(INVALID));
        assert_eq!(checked("c8c010001"), Checked::Answer(INVALID));
        assert_eq!(checked("m8c010000,ffffffff"), forward("m8c010000,1000", None));
        assert_eq!(checked("m8c010000"), Checked::Answer(INVALID));
        assert_eq!(checked("M8c010000,2:0102"), forward("M8c010000,2:0102", None));
        for wrong in [
            "M8c010000,2:01",
            "M8c010000,1:0102",
            "M8c010000,2:01zz",
            "M8c010000,2",
        ] {
            assert_eq!(checked(wrong), Checked::Answer(INVALID), "{wrong}");
        }
        assert_eq!(checked("X8c010000,2:a}]"), forward("X8c010000,2:a}]", None));
        assert_eq!(checked("X8c010000,2:a}"), Checked::Answer(INVALID));
        for unknown in ["", "qCRC:8c010000,100"] {
            assert_eq!(checked(unknown), Checked::Answer(""));
        }
    }
}
