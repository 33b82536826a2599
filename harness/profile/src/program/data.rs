//! Data cache misses and stalls, by the object that owns the address.

use sh4::table::{AddressMode, AddressRegister, Row, TABLE};
use sh4::{Retired, RetiredBlock};
use std::collections::BTreeMap;
use timing::hash::NumberMap;
use timing::memory::Region;

/// Maximum number of pages without a symbol that are counted individually.
const PAGES: usize = 1 << 14;
const PAGE: u32 = 0x1000;
/// The stack pointer of the SH C ABI: R15.
const STACK: u8 = 15;
/// Mask of an offset in RAM; RAM has mirrors.
const RAM: u32 = 0x00FF_FFFF;

/// Name for the owner of costs without a known address.
pub const UNKNOWN_OWNER: &str = "(not known)";

/// The costs of the accesses to an object or a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataCosts {
    /// Operand cache misses.
    pub misses: u64,
    /// Cycles during which accesses froze the CPU.
    pub stalled: u64,
}

impl DataCosts {
    fn add(&mut self, misses: u64, stalled: u64) {
        self.misses += misses;
        self.stalled += stalled;
    }
}

/// An owner of data with its costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataOwner {
    /// The name of the object, or of the kind of memory.
    pub name: String,
    /// The first address of the object, or of the page with the highest cost.
    pub address: u32,
    /// The costs.
    pub costs: DataCosts,
}

/// A page without an object.
#[derive(Clone, Copy, Debug, Default)]
struct PageCosts {
    costs: DataCosts,
    /// Set if an instruction with R15 as its address had a cost here.
    stack: bool,
}

/// The costs of data accesses by owner. Their sums are the misses and stalls of all accesses.
#[derive(Clone, Debug, Default)]
pub(super) struct DataOwners {
    /// Start, end and name of each object. Addresses are physical.
    objects: BTreeMap<u32, (u32, String)>,
    /// The end of the program's file in memory, physical.
    end: u32,
    by_object: NumberMap<u32, DataCosts>,
    by_page: NumberMap<u32, PageCosts>,
    /// Pages beyond the limit, and costs without a known address.
    rest: DataCosts,
}

impl DataOwners {
    /// Creates an empty table from objects (start, end and name) and the end of the program.
    pub(super) fn new(objects: BTreeMap<u32, (u32, String)>, end: u32) -> DataOwners {
        let physical = |address: u32| address & 0x1FFF_FFFF;
        let moved = objects.into_iter();
        DataOwners {
            objects: moved
                .map(|(start, (end, name))| {
                    let start_at = physical(start);
                    (
                        start_at,
                        (start_at.saturating_add(end.saturating_sub(start)), name),
                    )
                })
                .collect(),
            end: physical(end),
            ..DataOwners::default()
        }
    }

    /// Attributes the costs of a block's instructions: address, misses, cycles.
    #[cold]
    pub(super) fn spend(&mut self, block: &RetiredBlock<'_>, costs: &[(u32, u64, u64)]) {
        for (pc, misses, stalled) in costs {
            let access = block
                .instructions()
                .find(|event| event.pc == *pc)
                .and_then(|event| Some((event.accesses.first()?.address, uses_stack(&event))));
            match access {
                Some((address, stack)) => self.add(address, stack, *misses, *stalled),
                None => self.rest.add(*misses, *stalled),
            }
        }
    }

    fn add(&mut self, address: u32, stack: bool, misses: u64, stalled: u64) {
        let physical = if address < 0xE000_0000 {
            address & 0x1FFF_FFFF
        } else {
            address
        };
        let object = self.objects.range(..=physical).next_back();
        if let Some((start, _)) = object.filter(|(_, (end, _))| physical < *end) {
            return self.by_object.entry(*start).or_default().add(misses, stalled);
        }
        let page = physical & !(PAGE - 1);
        if self.by_page.len() >= PAGES && !self.by_page.contains_key(&page) {
            return self.rest.add(misses, stalled);
        }
        let row = self.by_page.entry(page).or_default();
        row.stack |= stack;
        row.costs.add(misses, stalled);
    }

    /// Returns the owners, most expensive first.
    pub(super) fn finish(self) -> Vec<DataOwner> {
        let mut rows: BTreeMap<&str, (u32, DataCosts)> = BTreeMap::new();
        let cost = |page: &u32| self.by_page.get(page).map_or(0, |row| row.costs.stalled);
        for (page, row) in &self.by_page {
            let name = self.kind(*page, row.stack);
            let (address, sum) = rows.entry(name).or_insert((*page, DataCosts::default()));
            // The most expensive page; of equal pages the first.
            let order = (cost(page), std::cmp::Reverse(*page));
            if order > (cost(address), std::cmp::Reverse(*address)) {
                *address = *page;
            }
            sum.add(row.costs.misses, row.costs.stalled);
        }
        if self.rest != DataCosts::default() {
            rows.insert(UNKNOWN_OWNER, (0, self.rest));
        }
        let ranges = rows
            .into_iter()
            .map(|(name, (address, costs))| (address, name.to_owned(), costs));
        let objects = self.by_object.iter().filter_map(|(start, costs)| {
            let (_, name) = self.objects.get(start)?;
            Some((*start, name.clone(), *costs))
        });
        let mut all: Vec<DataOwner> = objects
            .chain(ranges)
            .map(|(address, name, costs)| DataOwner {
                name,
                address: shown(address),
                costs,
            })
            .collect();
        all.sort_by(|a, b| {
            let order = (b.costs.stalled, b.costs.misses).cmp(&(a.costs.stalled, a.costs.misses));
            order.then(a.address.cmp(&b.address))
        });
        all
    }

    /// Returns the kind of memory of a page that belongs to no object.
    fn kind(&self, page: u32, stack: bool) -> &'static str {
        if page >= 0xE000_0000 {
            return match Region::of(page) {
                Region::StoreQueue => "(store queues)",
                _ => "(on-chip registers)",
            };
        }
        match Region::physical(page) {
            Region::Ram if stack => "(stack)",
            Region::Ram if page & RAM < 0x1_0000 => "(RAM of the firmware)",
            Region::Ram if page & RAM < self.end & RAM => "(program, no symbol)",
            Region::Ram => "(heap: RAM after the program)",
            Region::Vram | Region::VramBurst => "(video memory)",
            Region::TileAccelerator | Region::Yuv => "(tile accelerator)",
            Region::Sound => "(sound block)",
            _ => "(device registers)",
        }
    }
}

/// Returns an address in the form that programs use: RAM in P1, devices and video memory in P2.
fn shown(address: u32) -> u32 {
    match address {
        0 | 0x2000_0000.. => address,
        _ if Region::physical(address) == Region::Ram => address | 0x8000_0000,
        _ => address | 0xA000_0000,
    }
}

/// Returns true if R15 is the only base of an instruction's address, with or without a displacement.
fn uses_stack(event: &Retired<'_>) -> bool {
    let mode = TABLE.get(event.id as usize).and_then(Row::address_mode);
    match mode.and_then(AddressMode::single_register) {
        Some(AddressRegister::N) => event.n == STACK,
        Some(AddressRegister::M) => event.m == STACK,
        Some(AddressRegister::Gbr) | None => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failing helper fails its test")]
mod tests {
    use super::{DataOwners, uses_stack};
    use sh4::{Mode, Retired};
    use std::collections::BTreeMap;

    #[test]
    fn every_cost_has_an_owner() {
        let objects = BTreeMap::from([(0x8C01_5000, (0x8C01_5100, "_table".to_owned()))]);
        let mut data = DataOwners::new(objects, 0x8C02_0000);
        for (address, stack) in [
            (0xAC01_50FC, false),
            (0x8C01_5100, false),
            (0x8C90_0000, false),
            (0x8CFF_FFF0, true),
            (0x8CFF_F000, false),
            (0xA500_0000, false),
            (0xE000_0000, false),
            (0xA05F_8000, false),
        ] {
            data.add(address, stack, 1, 10);
        }
        data.add(0x8C03_0000, true, 0, 5);
        let all = data.finish();
        let of = |name: &str| {
            all.iter()
                .find(|row| row.name == name)
                .map(|row| row.costs.misses)
        };
        assert_eq!(of("_table"), Some(1));
        assert_eq!(of("(program, no symbol)"), Some(1));
        assert_eq!(of("(heap: RAM after the program)"), Some(1));
        assert_eq!(of("(stack)"), Some(2));
        assert_eq!(of("(video memory)"), Some(1));
        assert_eq!(of("(store queues)"), Some(1));
        assert_eq!(of("(device registers)"), Some(1));
        assert_eq!(all.iter().map(|row| row.costs.stalled).sum::<u64>(), 85);
        let address = |name: &str| all.iter().find(|row| row.name == name).map(|row| row.address);
        assert_eq!(address("_table"), Some(0x8C01_5000));
        assert_eq!(address("(stack)"), Some(0x8CFF_F000));
        assert_eq!(address("(video memory)"), Some(0xA500_0000));
        assert_eq!(address("(device registers)"), Some(0xA05F_8000));
        assert_eq!(address("(store queues)"), Some(0xE000_0000));
    }

    #[test]
    fn addresses_from_r15_are_the_stack() {
        let stack = |opcode: u16, sz: bool| {
            let op = sh4::decode(opcode, 0, Mode { sz, pr: false }).unwrap();
            uses_stack(&Retired {
                pc: 0,
                opcode,
                id: op.id,
                n: op.n,
                m: op.m,
                in_slot: false,
                taken: false,
                accesses: &[],
            })
        };
        // mov.l r8,@-r15; mov.l @(4,r15),r1; sts.l pr,@-r15; mov.l @r15+,r8; mov.b @(3,r15),r0;
        // mov.w r0,@(6,r15); lds.l @r15+,pr; stc.l r3_bank,@-r15; tas.b @r15
        for opcode in [
            0x2F86, 0x51F1, 0x4F22, 0x68F6, 0x84F3, 0x81F3, 0x4F26, 0x4FB3, 0x4F1B,
        ] {
            assert!(stack(opcode, false), "{opcode:04x}");
        }
        // fmov.s fr0,@-r15 and fmov.d dr0,@-r15; fmov.s @r15+,fr0 and fmov.d @r15+,dr0
        for opcode in [0xFF0B, 0xF0F9] {
            assert!(stack(opcode, false) && stack(opcode, true), "{opcode:04x}");
        }
        // mov.l @r1,r15; mov.l r15,@r1; add r15,r1; jsr @r15; mov.l @(r0,r15),r1; shad r3,r15;
        // fmov.s fr15,@r1
        for opcode in [0x6F12, 0x21F2, 0x31FC, 0x4F0B, 0x01FE, 0x4F3C, 0xF1FA] {
            assert!(!stack(opcode, false), "{opcode:04x}");
        }
    }
}
