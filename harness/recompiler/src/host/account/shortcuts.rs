//! The shortcuts of a meter that were made.

use crate::host::Code;
use sh4::meter::{Meter, SHORTCUTS};

/// Code of shortcuts, by their numbers.
pub(crate) struct Shortcuts {
    /// What the numbers belong to: see [`Meter::shortcuts`].
    serial: u64,
    codes: Vec<Code>,
    /// Where they begin: only compiled code calls them. What there is none of begins where `none` does.
    table: Box<[usize; SHORTCUTS]>,
    none: Code,
}

impl Shortcuts {
    /// None yet; `none` is never taken.
    pub(crate) fn new(none: Code) -> Shortcuts {
        Shortcuts {
            serial: 0,
            codes: Vec::new(),
            table: Box::new([none.start() as usize; SHORTCUTS]),
            none,
        }
    }

    /// Forgets those of another meter, which has some made of what comes again `often`. No compiled code may be under way.
    pub(crate) fn serve(&mut self, meter: &mut dyn Meter, often: u32) {
        let serial = meter.shortcuts(self.serial, often);
        if serial != self.serial {
            self.serial = serial;
            self.table.fill(self.none.start() as usize);
            self.codes.clear();
        }
    }

    /// `code` is the shortcut with this number.
    pub(crate) fn insert(&mut self, number: u32, code: Code) {
        if let Some(place @ 1..) = Some(number as usize).filter(|place| *place < SHORTCUTS) {
            self.table[place] = code.start() as usize;
            self.codes.push(code);
        }
    }

    /// Where the entries lie, by number.
    pub(super) fn table(&self) -> *const u8 {
        self.table.as_ptr().cast()
    }
}
