//! Arrays of structures: keys, motions, models, objects, texture names, cells.

use super::super::error::{Failable, TextWarningKind, fail};
use super::super::lex::{Lexeme, Token};
use super::super::table::{Conv, Entry, MACROS, Macro, Scalar, Type};
use super::Compiler;
use super::args::Args;

impl Compiler<'_> {
    /// Reads rows up to END; returns whether a real part was given.
    pub(super) fn rows(&mut self, ty: &'static Type) -> Failable<bool> {
        // Index in the layout of the next number; 0 between elements.
        let (mut place, mut elements, mut wide) = (0, 0usize, false);
        loop {
            let at = self.next.start;
            if self.end(ty.name)? {
                self.fill(ty, &mut place, at);
                return Ok(wide);
            }
            match self.next.token {
                // Braces around elements have no effect.
                Token::Punct(b'{' | b'}' | b',') => {
                    self.bump()?;
                    continue;
                }
                Token::Name => match self.entry() {
                    Some(Entry::Open(_)) => {
                        self.bump()?;
                        continue;
                    }
                    Some(Entry::Close(_)) => {
                        self.bump()?;
                        self.fill(ty, &mut place, at);
                        self.take(b',')?;
                        continue;
                    }
                    Some(Entry::Macro(row)) if !is_value(row, ty, place) => {
                        let name = self.bump()?;
                        if starts_again(ty, row, place) {
                            self.fill(ty, &mut place, at);
                        }
                        elements += usize::from(self.begin(place, at));
                        wide |= row.name == "OQuatRe";
                        self.member(ty, row, name, &mut place)?;
                    }
                    None | Some(Entry::Constant(_) | Entry::Macro(_)) => {
                        elements += usize::from(self.begin(place, at));
                        self.plain(ty, &mut place)?;
                    }
                    entry => return self.no_item(self.next, entry, ty.name),
                },
                _ => {
                    elements += usize::from(self.begin(place, at));
                    self.plain(ty, &mut place)?;
                }
            }
            self.comma()?;
            if elements > 1 && ty.top.is_some() {
                return fail(at, ty.name, "a second element", "one in a definition");
            }
        }
    }

    /// Records the origin of an element's first number.
    fn begin(&mut self, place: usize, at: usize) -> bool {
        if place == 0 {
            self.mark(at);
        }
        place == 0
    }

    /// Writes the numbers of a macro.
    fn member(
        &mut self,
        ty: &'static Type,
        row: &'static Macro,
        name: Lexeme,
        place: &mut usize,
    ) -> Failable<()> {
        if !fits(ty, row, *place) {
            return fail(name.start, ty.name, row.name, expected_at(ty, *place));
        }
        let mut args = Args::new();
        self.args(row, name, &mut args)?;
        for (i, out) in row.out.iter().enumerate() {
            let bits = self.number(row, i, &args)?;
            self.put(out.scalar, bits);
        }
        *place = (*place + row.out.len()) % ty.layout.len();
        Ok(())
    }

    /// Writes a value without a macro, converted for its position in the structure.
    fn plain(&mut self, ty: &'static Type, place: &mut usize) -> Failable<()> {
        let at = self.next.start;
        let value = self.value()?;
        let scalar = ty.layout.get(*place).copied().unwrap_or(Scalar::U32);
        let conv = match scalar {
            Scalar::F32 => Conv::Float,
            Scalar::Ptr => Conv::Ptr,
            Scalar::U16 | Scalar::S16 => Conv::Int(16),
            Scalar::U32 | Scalar::S32 | Scalar::Unit => Conv::Int(32),
        };
        let bits = self.convert(conv, value, at)?;
        self.put(scalar, bits);
        *place = (*place + 1) % ty.layout.len();
        Ok(())
    }

    fn put(&mut self, scalar: Scalar, bits: u32) {
        match scalar.bytes() {
            2 => self.unit.data.extend_from_slice(&(bits as u16).to_le_bytes()),
            _ => self.unit.data.extend_from_slice(&bits.to_le_bytes()),
        }
    }

    /// Completes an element with zeros, as in C. Warns if more than the optional members are missing.
    fn fill(&mut self, ty: &'static Type, place: &mut usize, at: usize) {
        if *place == 0 {
            return;
        }
        if *place < ty.layout.len() - ty.optional {
            let name = member_name(ty, *place).unwrap_or("the next value");
            self.warn(at, TextWarningKind::MissingMembers(name));
        }
        for scalar in ty.layout.iter().skip(*place) {
            self.put(*scalar, 0);
        }
        *place = 0;
    }
}

/// True if a macro represents a single value, such as ARGB in a row of integers.
fn is_value(row: &Macro, ty: &Type, place: usize) -> bool {
    let fits_itself = ty.members.iter().any(|(name, _)| *name == row.name) || fits(ty, row, place);
    !fits_itself && row.out.len() == 1 && ty.members.is_empty() && row.name == "ARGB"
}

/// True if a macro begins a new element and only optional members of the last one are open.
fn starts_again(ty: &Type, row: &Macro, place: usize) -> bool {
    let first = ty.members.iter().any(|(name, at)| *name == row.name && *at == 0);
    place > 0 && place >= ty.layout.len() - ty.optional && first
}

/// True if the macro's numbers fit the layout at `place`. A member has a fixed position; all other macros
/// fill a whole row.
fn fits(ty: &Type, row: &Macro, place: usize) -> bool {
    let layout = ty.layout.get(place..).unwrap_or_default();
    let scalars = row
        .out
        .iter()
        .zip(layout)
        .all(|(out, scalar)| out.scalar == *scalar);
    let whole = match ty.members {
        [] => place == 0 && row.out.len() == layout.len(),
        members => row.out.len() <= layout.len() && members.contains(&(row.name, place)),
    };
    scalars && whole
}

fn member_name(ty: &Type, place: usize) -> Option<&'static str> {
    ty.members
        .iter()
        .find(|(_, at)| *at == place)
        .map(|(name, _)| *name)
}

/// Describes the macros that are valid at this position.
#[cold]
fn expected_at(ty: &'static Type, place: usize) -> String {
    let names: Vec<&str> = match ty.members {
        [] => MACROS
            .iter()
            .flat_map(|(_, group)| *group)
            .filter(|row| !row.label && row.out.len() > 1 && fits(ty, row, place))
            .map(|row| row.name)
            .collect(),
        members => members
            .iter()
            .filter(|(_, at)| *at == place)
            .map(|(name, _)| *name)
            .collect(),
    };
    match names.is_empty() {
        true => format!("a value of {}", ty.c),
        false => names.join(" or "),
    }
}
