//! Maps the addresses of a program to functions.

use std::collections::BTreeMap;
use std::ops::Range;
use timing::hash::NumberMap;

/// Maximum number of cached addresses.
const CACHED: usize = 1 << 16;
/// Size of a page. Code outside the program or without a symbol is named by its page.
const PAGE: u32 = 0x1000;

/// Origin of a function's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// A symbol of the program.
    Symbol,
    /// Code in the program's file without a symbol, named by its page.
    NoSymbol,
    /// Code outside the program's file, named by its page.
    Outside,
}

/// Functions of a program by number. Code outside its file, and code without symbols, has one function per
/// page.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    symbols: BTreeMap<u32, String>,
    code: Vec<Range<u32>>,
    /// First address, name and kind by number.
    names: Vec<(u32, String, CodeKind)>,
    numbers: NumberMap<u32, u32>,
    /// Cached numbers of looked-up addresses.
    cache: NumberMap<u32, u32>,
}

impl Functions {
    /// Creates functions from symbols by address and from the code ranges of the program's file.
    pub fn new<'a>(symbols: impl IntoIterator<Item = (u32, &'a str)>, code: Vec<Range<u32>>) -> Functions {
        let is_function =
            |name: &str| !name.starts_with('.') && !name.starts_with(|c: char| c.is_ascii_digit());
        Functions {
            symbols: symbols
                .into_iter()
                .filter(|(_, name)| is_function(name))
                .map(|(address, name)| (direct(address), name.to_owned()))
                .collect(),
            code: code
                .into_iter()
                .map(|range| direct(range.start)..direct(range.start).wrapping_add(range.end - range.start))
                .collect(),
            ..Functions::default()
        }
    }

    /// Returns the number of the function that contains `pc`.
    #[inline]
    pub fn number(&mut self, pc: u32) -> u32 {
        match self.cache.get(&pc) {
            Some(number) => *number,
            None => self.find(pc),
        }
    }

    #[cold]
    fn find(&mut self, pc: u32) -> u32 {
        let (start, name, kind) = self.function(direct(pc));
        let next = self.names.len() as u32;
        let number = *self.numbers.entry(start).or_insert(next);
        if number == next {
            self.names.push((start, name, kind));
        }
        if self.cache.len() >= CACHED {
            self.cache.clear();
        }
        self.cache.insert(pc, number);
        number
    }

    fn function(&self, pc: u32) -> (u32, String, CodeKind) {
        let page = pc & !(PAGE - 1);
        if !self.code.iter().any(|range| range.contains(&pc)) {
            let name = format!("(outside the program, {page:08x})");
            return (page, name, CodeKind::Outside);
        }
        match self.symbols.range(..=pc).next_back() {
            Some((start, name)) => (*start, name.clone(), CodeKind::Symbol),
            None => (page, format!("(no symbol, {page:08x})"), CodeKind::NoSymbol),
        }
    }

    /// Returns a function's name.
    #[must_use]
    pub fn name(&self, number: u32) -> &str {
        self.names
            .get(number as usize)
            .map_or("(unknown)", |(_, name, _)| name.as_str())
    }

    /// Returns a function's first address.
    #[must_use]
    pub fn start(&self, number: u32) -> u32 {
        self.names.get(number as usize).map_or(0, |(start, ..)| *start)
    }

    /// Returns the origin of a function's name.
    #[must_use]
    pub fn kind(&self, number: u32) -> CodeKind {
        let row = self.names.get(number as usize);
        row.map_or(CodeKind::Outside, |(.., kind)| *kind)
    }

    /// Returns the number of functions.
    #[must_use]
    pub fn count(&self) -> usize {
        self.names.len()
    }
}

/// Returns the address in P1 that corresponds to one in P0 to P3.
pub(super) fn direct(address: u32) -> u32 {
    match address {
        0xE000_0000.. => address,
        _ => address & 0x1FFF_FFFF | 0x8000_0000,
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "a program has one range of code")]
mod tests {
    use super::{CodeKind, Functions};

    #[test]
    fn every_address_has_a_name() {
        let symbols = [
            (0x8C01_0000, "_start"),
            (0x8C01_0100, "_main"),
            (0x8C01_0104, ".L1"),
        ];
        let mut functions = Functions::new(symbols, vec![0x8C01_0000..0x8C02_0000]);
        let mut name = |pc| {
            let number = functions.number(pc);
            functions.name(number).to_owned()
        };
        assert_eq!(name(0x8C01_0002), "_start");
        assert_eq!(name(0xAC01_0106), "_main");
        assert_eq!(name(0x8C20_0010), "(outside the program, 8c200000)");
        let outside = functions.number(0x8C20_0010);
        assert_eq!(functions.kind(outside), CodeKind::Outside);
        let mut stripped = Functions::new([], vec![0x8C01_0000..0x8C02_0000]);
        let number = stripped.number(0x8C01_0002);
        assert_eq!(stripped.name(number), "(no symbol, 8c010000)");
        assert_eq!(stripped.kind(number), CodeKind::NoSymbol);
    }
}
