//! Letters of the ROM font, drawn for this project: 5 x 9 points, the last two rows below the base line. An
//! accented letter combines a letter and a mark.

/// Rows of a glyph from the top, 5 bits each, with the left point in the highest bit.
pub(super) type Rows = [u8; 9];

/// ASCII 33 to 126, two digits per row.
const ASCII: [&str; 94] = [
    "040404040400040000",  // !
    "0a0a0a000000000000",  // "
    "0a0a1f0a1f0a0a0000",  // #
    "040f140e051e040000",  // $
    "181902040813030000",  // %
    "0c12140814130d0000",  // &
    "040404000000000000",  // '
    "020408080804020000",  // (
    "080402020204080000",  // )
    "00040e1f0e0a000000",  // *
    "0004041f0404000000",  // +
    "000000000004040800",  // ,
    "0000001f0000000000",  // -
    "000000000004040000",  // .
    "010102040810100000",  // /
    "0e11131519110e0000",  // 0
    "040c040404040e0000",  // 1
    "0e11010204081f0000",  // 2
    "1f02040201110e0000",  // 3
    "02060a121f02020000",  // 4
    "1f101e0101110e0000",  // 5
    "0608101e11110e0000",  // 6
    "1f0101020404040000",  // 7
    "0e11110e11110e0000",  // 8
    "0e11110f01020c0000",  // 9
    "000404000004040000",  // :
    "000404000004040800",  // ;
    "020408100804020000",  // <
    "00001f001f00000000",  // =
    "080402010204080000",  // >
    "0e1101020400040000",  // ?
    "0e11171517100f0000",  // @
    "040a11111f11110000",  // A
    "1e11111e11111e0000",  // B
    "0e11101010110e0000",  // C
    "1c12111111121c0000",  // D
    "1f10101e10101f0000",  // E
    "1f10101e1010100000",  // F
    "0e11101713110f0000",  // G
    "1111111f1111110000",  // H
    "0e04040404040e0000",  // I
    "0702020202120c0000",  // J
    "111214181412110000",  // K
    "10101010101f000000",  // L
    "111b15151111110000",  // M
    "111119151311110000",  // N
    "0e11111111110e0000",  // O
    "1e11111e1010100000",  // P
    "0e11111115120d0000",  // Q
    "1e11111e1412110000",  // R
    "0f10100e01011e0000",  // S
    "1f0404040404040000",  // T
    "1111111111110e0000",  // U
    "11111111110a040000",  // V
    "11111115151b110000",  // W
    "11110a040a11110000",  // X
    "11110a040404040000",  // Y
    "1f01020408101f0000",  // Z
    "0e08080808080e0000",  // [
    "101008040201010000",  // backslash
    "0e02020202020e0000",  // ]
    "040a11000000000000",  // ^
    "00000000000000001f",  // _
    "080402000000000000",  // `
    "00000e010f110f0000",  // a
    "10101e1111111e0000",  // b
    "00000f1010100f0000",  // c
    "01010f1111110f0000",  // d
    "00000e111f100f0000",  // e
    "0609081c0808080000",  // f
    "00000f11110f01010e",  // g
    "10101e111111110000",  // h
    "04000c0404040e0000",  // i
    "020006020202021c00",  // j
    "101012141814120000",  // k
    "0c04040404040e0000",  // l
    "00001a151515150000",  // m
    "00001e111111110000",  // n
    "00000e1111110e0000",  // o
    "00001e11111e101010",  // p
    "00000f11110f010101",  // q
    "000016191010100000",  // r
    "00000f100e011e0000",  // s
    "08081c080809060000",  // t
    "0000111111130d0000",  // u
    "00001111110a040000",  // v
    "00001115151f0a0000",  // w
    "0000110a040a110000",  // x
    "00001111110f01010e",  // y
    "00001f0204081f0000",  // z
    "020404080404020000",  // {
    "040404040404040400",  // |
    "080404020404080000",  // }
    "0000081502000000 00", // ~
];

/// Latin-1 symbols, and letters without a mark, by code.
const SYMBOLS: [(u8, &str); 43] = [
    (0xA1, "000400040404040400"),
    (0xA2, "00040f1414140f0400"),
    (0xA3, "0609081c08091f0000"),
    (0xA4, "00110e0a0e11000000"),
    (0xA5, "11110a1f041f040000"),
    (0xA6, "040404000404040000"),
    (0xA7, "0f100e110e011e0000"),
    (0xA8, "0a0000000000000000"),
    (0xA9, "0e1117151711 0e0000"),
    (0xAA, "0e010f0f001f000000"),
    (0xAB, "0005 0a140a05000000"),
    (0xAC, "0000001f0101000000"),
    (0xAD, "0000000e0000000000"),
    (0xAE, "0e111715 1315 0e0000"),
    (0xAF, "1f0000000000000000"),
    (0xB0, "040a04000000000000"),
    (0xB1, "04041f0404001f0000"),
    (0xB2, "0c0204080e00000000"),
    (0xB3, "0c020c020c00000000"),
    (0xB4, "020408000000000000"),
    (0xB5, "000011111113 1d1010"),
    (0xB6, "0f1d1d0d0505050000"),
    (0xB7, "000000040000000000"),
    (0xB8, "000000000000040208"),
    (0xB9, "040c04040e00000000"),
    (0xBA, "0e11110e001f000000"),
    (0xBB, "00140a050a14000000"),
    (0xBC, "10121405 0b0f010000"),
    (0xBD, "10121406 0102070000"),
    (0xBE, "180a1a05 0b0f010000"),
    (0xBF, "040004081011 0e0000"),
    (0xC6, "0f14141f1414170000"),
    (0xD0, "0e09091d09090e0000"),
    (0xD7, "00110a040a11000000"),
    (0xD8, "0e13151515190e0000"),
    (0xDE, "101e11111e10100000"),
    (0xDF, "0c12121412111610 00"),
    (0xE6, "00001a050f140f0000"),
    (0xF0, "0a040a010f110e0000"),
    (0xF7, "0004001f0004000000"),
    (0xF8, "00000e1315190e0000"),
    (0xFE, "10101e11111e101010"),
    (0xFF, "0a001111110f01010e"),
];

/// Letters with a mark above (for the cedilla, below): code, letter, mark.
const MARKED: [(u8, char, Mark); 52] = [
    (0xC0, 'A', Mark::Grave),
    (0xC1, 'A', Mark::Acute),
    (0xC2, 'A', Mark::Circumflex),
    (0xC3, 'A', Mark::Tilde),
    (0xC4, 'A', Mark::Diaeresis),
    (0xC5, 'A', Mark::Ring),
    (0xC7, 'C', Mark::Cedilla),
    (0xC8, 'E', Mark::Grave),
    (0xC9, 'E', Mark::Acute),
    (0xCA, 'E', Mark::Circumflex),
    (0xCB, 'E', Mark::Diaeresis),
    (0xCC, 'I', Mark::Grave),
    (0xCD, 'I', Mark::Acute),
    (0xCE, 'I', Mark::Circumflex),
    (0xCF, 'I', Mark::Diaeresis),
    (0xD1, 'N', Mark::Tilde),
    (0xD2, 'O', Mark::Grave),
    (0xD3, 'O', Mark::Acute),
    (0xD4, 'O', Mark::Circumflex),
    (0xD5, 'O', Mark::Tilde),
    (0xD6, 'O', Mark::Diaeresis),
    (0xD9, 'U', Mark::Grave),
    (0xDA, 'U', Mark::Acute),
    (0xDB, 'U', Mark::Circumflex),
    (0xDC, 'U', Mark::Diaeresis),
    (0xDD, 'Y', Mark::Acute),
    (0xE0, 'a', Mark::Grave),
    (0xE1, 'a', Mark::Acute),
    (0xE2, 'a', Mark::Circumflex),
    (0xE3, 'a', Mark::Tilde),
    (0xE4, 'a', Mark::Diaeresis),
    (0xE5, 'a', Mark::Ring),
    (0xE7, 'c', Mark::Cedilla),
    (0xE8, 'e', Mark::Grave),
    (0xE9, 'e', Mark::Acute),
    (0xEA, 'e', Mark::Circumflex),
    (0xEB, 'e', Mark::Diaeresis),
    (0xEC, 'i', Mark::Grave),
    (0xED, 'i', Mark::Acute),
    (0xEE, 'i', Mark::Circumflex),
    (0xEF, 'i', Mark::Diaeresis),
    (0xF1, 'n', Mark::Tilde),
    (0xF2, 'o', Mark::Grave),
    (0xF3, 'o', Mark::Acute),
    (0xF4, 'o', Mark::Circumflex),
    (0xF5, 'o', Mark::Tilde),
    (0xF6, 'o', Mark::Diaeresis),
    (0xF9, 'u', Mark::Grave),
    (0xFA, 'u', Mark::Acute),
    (0xFB, 'u', Mark::Circumflex),
    (0xFC, 'u', Mark::Diaeresis),
    (0xFD, 'y', Mark::Acute),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Grave,
    Acute,
    Circumflex,
    Tilde,
    Diaeresis,
    Ring,
    Cedilla,
}

impl Mark {
    /// Returns the two rows of the mark.
    fn rows(self) -> [u8; 2] {
        match self {
            Mark::Grave => [0x08, 0x04],
            Mark::Acute => [0x02, 0x04],
            Mark::Circumflex => [0x04, 0x0A],
            Mark::Tilde => [0x0D, 0x16],
            Mark::Diaeresis => [0x0A, 0x00],
            Mark::Ring => [0x0E, 0x0A],
            Mark::Cedilla => [0x04, 0x0C],
        }
    }
}

/// A letter in its cell: 11 rows, of which the first two hold the accents of capitals.
pub(super) type Cell = [u8; 11];

fn rows(text: &str) -> Rows {
    let mut digits = text.bytes().filter_map(|byte| char::from(byte).to_digit(16));
    std::array::from_fn(|_| (digits.next().unwrap_or(0) * 16 + digits.next().unwrap_or(0)) as u8 & 0x1F)
}

fn cell(rows: Rows) -> Cell {
    std::array::from_fn(|n| n.checked_sub(2).map_or(0, |n| rows[n]))
}

/// Returns the cell of a Latin-1 code; `None` for control codes and spaces.
pub(super) fn latin(code: u8) -> Option<Cell> {
    if let 33..=126 = code {
        return Some(cell(rows(ASCII[usize::from(code) - 33])));
    }
    if let Some((_, text)) = SYMBOLS.iter().find(|(symbol, _)| *symbol == code) {
        return Some(cell(rows(text)));
    }
    let (_, letter, mark) = MARKED.iter().find(|(marked, _, _)| *marked == code)?;
    let mut cell = cell(rows(ASCII[*letter as usize - 33]));
    let small = letter.is_ascii_lowercase();
    if small {
        // Removes the dot of the i, the only part above small letters.
        (cell[2], cell[3]) = (0, 0);
    }
    let at = match (*mark, small) {
        (Mark::Cedilla, _) => 9,
        (_, true) => 2,
        (_, false) => 0,
    };
    cell[at..at + 2].copy_from_slice(&mark.rows());
    Some(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_code_has_a_shape_of_its_own() {
        let codes: Vec<u8> = (33..=126).chain(0xA1..=0xFF).collect();
        let shapes: Vec<Cell> = codes.iter().map(|code| latin(*code).expect("a shape")).collect();
        for (n, shape) in shapes.iter().enumerate() {
            assert!(shape.iter().any(|row| *row != 0), "{:02x}", codes[n]);
            let twin = shapes[..n].iter().position(|other| other == shape);
            assert_eq!(twin.map(|m| codes[m]), None, "{:02x}", codes[n]);
        }
        assert_eq!(latin(b' '), None);
    }
}
