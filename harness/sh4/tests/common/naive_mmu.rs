//! A model of the SH-4's TLBs that follows the manual's prose: every access searches all entries.

/// EXPEVT of an exception.
pub(crate) type Outcome = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Write,
    Fetch,
}

/// PTEH, PTEL, PTEA.
type Entry = [u32; 3];

pub(crate) struct Naive {
    pub(crate) utlb: Vec<Entry>,
    pub(crate) itlb: Vec<Entry>,
    /// ITLB entries, the most recently used first.
    order: Vec<usize>,
    pub(crate) urc: u32,
    urb: u32,
    single: bool,
    pteh: u32,
    ptel: u32,
    /// The last outcome; 0 for none.
    pub(crate) last: Outcome,
}

impl Default for Naive {
    fn default() -> Naive {
        Naive {
            utlb: vec![[0; 3]; 64],
            itlb: vec![[0; 3]; 4],
            order: vec![0, 1, 2, 3],
            urc: 0,
            urb: 0,
            single: false,
            pteh: 0,
            ptel: 0,
            last: 0,
        }
    }
}

fn bytes(entry: &Entry) -> u32 {
    match (entry[1] >> 7 & 1, entry[1] >> 4 & 1) {
        (0, 0) => 0x400,
        (0, _) => 0x1000,
        (_, 0) => 0x1_0000,
        _ => 0x10_0000,
    }
}

fn physical(entry: &Entry, address: u32) -> u32 {
    let size = bytes(entry);
    (entry[1] & 0x1FFF_FC00) / size * size + address % size
}

/// Word `new` with V (and D) taken from address array data.
fn flags(ptel: u32, data: u32, d: bool) -> u32 {
    let mut ptel = ptel & !0x100 | data & 0x100;
    if d {
        ptel = ptel & !4 | data >> 7 & 4;
    }
    ptel
}

impl Naive {
    fn matching(&self, entries: &[Entry], address: u32, privileged: bool) -> Vec<usize> {
        let matches = |entry: &Entry| {
            let valid = entry[1] >> 8 & 1 == 1;
            let same_page = entry[0] / bytes(entry) == address / bytes(entry);
            let shared = entry[1] >> 1 & 1 == 1;
            let same_space = shared || self.single && privileged || entry[0] as u8 == self.pteh as u8;
            valid && same_page && same_space
        };
        (0..entries.len())
            .filter(|&index| matches(&entries[index]))
            .collect()
    }

    fn search_utlb(&mut self, address: u32, privileged: bool) -> Result<usize, Outcome> {
        self.urc += 1;
        if self.urc == 64 || self.urb > 0 && self.urc == self.urb {
            self.urc = 0;
        }
        match self.matching(&self.utlb, address, privileged)[..] {
            [] => Err(0),
            [index] => Ok(index),
            _ => Err(0x140),
        }
    }

    fn done<T>(&mut self, result: Result<T, Outcome>) -> Result<T, Outcome> {
        self.last = result.as_ref().err().copied().unwrap_or(0);
        result
    }

    pub(crate) fn data(&mut self, address: u32, kind: Kind, privileged: bool) -> Result<u32, Outcome> {
        let result = self.try_data(address, kind == Kind::Write, privileged);
        self.done(result)
    }

    fn try_data(&mut self, address: u32, write: bool, privileged: bool) -> Result<u32, Outcome> {
        if !privileged && address >= 0x8000_0000 {
            return Err(if write { 0x100 } else { 0x0E0 });
        }
        let (miss, protection) = if write { (0x060, 0x0C0) } else { (0x040, 0x0A0) };
        let found = self.search_utlb(address, privileged);
        let entry = self.utlb[found.map_err(|code| if code == 0 { miss } else { code })?];
        match (entry[1] >> 5 & 3, privileged, write) {
            (0 | 1, false, _) | (0 | 2, _, true) => return Err(protection),
            _ => {}
        }
        if write && entry[1] >> 2 & 1 == 0 {
            return Err(0x080);
        }
        Ok(physical(&entry, address))
    }

    pub(crate) fn fetch(&mut self, address: u32, privileged: bool) -> Result<u32, Outcome> {
        let result = self.try_fetch(address, privileged);
        self.done(result)
    }

    fn try_fetch(&mut self, address: u32, privileged: bool) -> Result<u32, Outcome> {
        if !privileged && address >= 0x8000_0000 {
            return Err(0x0E0);
        }
        let slot = match self.matching(&self.itlb, address, privileged)[..] {
            [slot] => slot,
            [] => {
                let found = self.search_utlb(address, privileged);
                let entry = self.utlb[found.map_err(|code| if code == 0 { 0x040 } else { code })?];
                let slot = self.order[3];
                self.itlb[slot] = [entry[0], entry[1] & 0x1FFF_FDDA, entry[2]];
                slot
            }
            _ => return Err(0x140),
        };
        if !privileged && self.itlb[slot][1] >> 6 & 1 == 0 {
            return Err(0x0A0);
        }
        self.order.retain(|other| *other != slot);
        self.order.insert(0, slot);
        Ok(physical(&self.itlb[slot], address))
    }

    pub(crate) fn load_entry(&mut self) {
        self.utlb[self.urc as usize] = [self.pteh, self.ptel, 0];
    }

    /// The effect of a store to an MMU register or array.
    pub(crate) fn write(&mut self, address: u32, value: u32) -> Result<(), Outcome> {
        let (four, all) = ((address >> 8 & 3) as usize, (address >> 8 & 63) as usize);
        match address {
            0xFF00_0000 => self.pteh = value & 0xFFFF_FCFF,
            0xFF00_0004 => self.ptel = value & 0x1FFF_FDFF,
            0xFF00_0010 => self.control(value),
            0xF200_0000..0xF300_0000 => {
                self.itlb[four][0] = value & 0xFFFF_FCFF;
                self.itlb[four][1] = flags(self.itlb[four][1], value, false);
            }
            0xF300_0000..0xF400_0000 => self.itlb[four][1] = value & 0x1FFF_FDDA,
            0xF600_0080 => {
                let result = self.associative(value);
                return self.done(result);
            }
            0xF600_0000..0xF700_0000 => {
                self.utlb[all][0] = value & 0xFFFF_FCFF;
                self.utlb[all][1] = flags(self.utlb[all][1], value, true);
            }
            _ => self.utlb[all][1] = value & 0x1FFF_FDFF,
        }
        self.done(Ok(()))
    }

    fn control(&mut self, value: u32) {
        (self.urb, self.urc, self.single) = (value >> 18 & 63, value >> 10 & 63, value >> 8 & 1 == 1);
        self.order = vec![0, 1, 2, 3];
        if value & 4 != 0 {
            for entry in self.utlb.iter_mut().chain(&mut self.itlb) {
                entry[1] &= !0x100;
            }
        }
    }

    fn associative(&mut self, value: u32) -> Result<(), Outcome> {
        let (utlb, itlb) = (
            self.matching(&self.utlb, value, true),
            self.matching(&self.itlb, value, true),
        );
        if utlb.len() > 1 || itlb.len() > 1 {
            return Err(0x140);
        }
        for &index in &utlb {
            self.utlb[index][1] = flags(self.utlb[index][1], value, true);
        }
        for &index in &itlb {
            match utlb[..] {
                [from] => {
                    let [pteh, ptel, ptea] = self.utlb[from];
                    self.itlb[index] = [pteh, ptel & 0x1FFF_FDDA, ptea];
                }
                _ => self.itlb[index][1] = flags(self.itlb[index][1], value, false),
            }
        }
        Ok(())
    }
}
