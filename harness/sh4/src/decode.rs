//! Converts opcodes to names and operands. The module `exec` implements their effects.

use std::sync::OnceLock;

use crate::table::{Id, Immediate, Row, TABLE, Variant};

/// The bits of FPSCR that choose between rows of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mode {
    /// FPSCR.PR: double precision.
    pub pr: bool,
    /// FPSCR.SZ: FMOV moves pairs.
    pub sz: bool,
}

impl Mode {
    /// All four.
    pub const ALL: [Mode; 4] = [
        Mode { pr: false, sz: false },
        Mode { pr: true, sz: false },
        Mode { pr: false, sz: true },
        Mode { pr: true, sz: true },
    ];

    pub(crate) fn index(self) -> usize {
        usize::from(self.pr) | usize::from(self.sz) << 1
    }

    fn allows(self, variant: Variant) -> bool {
        match variant {
            Variant::Any => true,
            Variant::Pr0 => !self.pr,
            Variant::Pr1 => self.pr,
            Variant::Sz0 => !self.sz,
            Variant::Sz1 => self.sz,
        }
    }
}

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// The instruction.
    pub id: Id,
    /// Number of the first register that field `n` names: 4 for R4, FR4, DR4, XD4 and FV4.
    pub n: u8,
    /// Field `m`, in the same form.
    pub m: u8,
    /// The immediate, extended and scaled. A PC-relative immediate is an absolute address. See [`Immediate`].
    pub imm: u32,
}

impl Op {
    /// Register `n`.
    #[inline]
    pub(crate) fn n(self) -> usize {
        usize::from(self.n & 15)
    }

    /// Register `m`.
    #[inline]
    pub(crate) fn m(self) -> usize {
        usize::from(self.m & 15)
    }

    /// The branch that [`Id::skip_if_true`] or [`Id::skip_if_false`] replaces.
    #[inline]
    #[must_use]
    pub fn skips(self) -> Option<Id> {
        match self.id {
            Id::skip_if_true => Some(Id::bt),
            Id::skip_if_false => Some(Id::bf),
            _ => None,
        }
    }

    /// The row of the table.
    #[must_use]
    pub fn row(self) -> Option<&'static Row> {
        TABLE.get(self.id as usize)
    }
}

/// Position of a field's bits, and the factor of its value.
#[derive(Clone, Copy, Default)]
struct Field {
    mask: u16,
    shift: u32,
    scale: u8,
}

impl Field {
    fn of(row: &Row, letter: u8) -> Field {
        let mask = bits_of(row, |c| c == letter);
        let name = if letter == b'n' { 'n' } else { 'm' };
        let names = |prefix: &str| row.syntax.contains(&format!("{prefix}{name}"));
        let scale = match () {
            () if names("FV") => 4,
            () if names("DR") || names("XD") => 2,
            () => 1,
        };
        Field {
            mask,
            shift: mask.trailing_zeros() & 15,
            scale,
        }
    }

    fn value(self, opcode: u16) -> u16 {
        (opcode & self.mask) >> self.shift
    }

    fn register(self, opcode: u16) -> u8 {
        self.value(opcode) as u8 * self.scale
    }
}

/// Mask of the opcode bits with a pattern character that passes `test`.
fn bits_of(row: &Row, test: impl Fn(u8) -> bool) -> u16 {
    row.pattern
        .bytes()
        .fold(0, |bits, c| bits << 1 | u16::from(test(c)))
}

/// The fields of one row.
#[derive(Clone, Copy)]
struct Fields {
    n: Field,
    m: Field,
    immediate: Field,
}

struct Decoder {
    fields: Vec<Fields>,
    /// Row by mode and opcode; [`UNDEFINED`] for opcodes without a row.
    rows: [Vec<u8>; 4],
}

const UNDEFINED: u8 = Id::illegal as u8;

impl Decoder {
    fn build() -> Decoder {
        let fields = TABLE.iter().map(|row| Fields {
            n: Field::of(row, b'n'),
            m: Field::of(row, b'm'),
            immediate: Field {
                scale: 1,
                ..Field::of(row, if row.pattern.contains('i') { b'i' } else { b'd' })
            },
        });
        Decoder {
            fields: fields.collect(),
            rows: Mode::ALL.map(Self::rows),
        }
    }

    fn rows(mode: Mode) -> Vec<u8> {
        let mut rows = vec![UNDEFINED; 1 << 16];
        for row in TABLE.iter().filter(|row| mode.allows(row.variant)) {
            let ones = bits_of(row, |c| c == b'1');
            let free = bits_of(row, |c| c != b'0' && c != b'1');
            // Visits every subset of the free bits in descending order: the borrow of the subtraction passes
            // over the bits that are not free.
            let mut fill = free;
            loop {
                rows[usize::from(ones | fill)] = row.id as u8;
                if fill == 0 {
                    break;
                }
                fill = (fill - 1) & free;
            }
        }
        rows
    }

    fn get() -> &'static Decoder {
        static DECODER: OnceLock<Decoder> = OnceLock::new();
        DECODER.get_or_init(Decoder::build)
    }
}

/// Decodes `opcode` at `pc` under `mode`. Returns `None` if it is undefined. Only the immediate of
/// PC-relative instructions depends on the address.
#[must_use]
pub fn decode(opcode: u16, pc: u32, mode: Mode) -> Option<Op> {
    let decoder = Decoder::get();
    let row = TABLE.get(usize::from(decoder.rows[mode.index()][usize::from(opcode)]))?;
    let fields = &decoder.fields[row.id as usize];
    let raw = u32::from(fields.immediate.value(opcode));
    Some(Op {
        id: row.id,
        n: fields.n.register(opcode),
        m: fields.m.register(opcode),
        imm: immediate(row.immediate, raw, pc),
    })
}

/// Returns true if `opcode` is defined under another setting of PR and SZ.
pub(crate) fn defined_elsewhere(opcode: u16) -> bool {
    Mode::ALL.iter().any(|&mode| decode(opcode, 0, mode).is_some())
}

fn immediate(form: Immediate, raw: u32, pc: u32) -> u32 {
    let signed = |bits: u32| (raw << (32 - bits)) as i32 >> (32 - bits);
    let next = pc.wrapping_add(4);
    match form {
        Immediate::None => 0,
        Immediate::Signed => signed(8) as u32,
        Immediate::Unsigned | Immediate::Disp1 => raw,
        Immediate::Disp2 => 2 * raw,
        Immediate::Disp4 => 4 * raw,
        Immediate::PcWord => next.wrapping_add(2 * raw),
        Immediate::PcLong => (next & !3).wrapping_add(4 * raw),
        Immediate::Branch8 => next.wrapping_add_signed(2 * signed(8)),
        Immediate::Branch12 => next.wrapping_add_signed(2 * signed(12)),
    }
}
