//! Instructions that access memory, and their cycles (ARM7DI data sheet, "Single data transfer" to "Single
//! data swap", "Instruction speeds").

use super::decode::{Addressing, Block, Single};
use super::{Bus, Core, EmptyList};

/// Loads the word at `address`, rotated so that the addressed byte is the lowest ("Single data transfer").
#[inline]
fn load_word<B: Bus>(bus: &mut B, address: u32) -> u32 {
    bus.read32(address & !3).rotate_right(8 * (address & 3))
}

#[inline]
fn load<B: Bus>(bus: &mut B, address: u32, byte: bool) -> u32 {
    match byte {
        true => bus.read8(address).into(),
        false => load_word(bus, address),
    }
}

/// Stores a word at the aligned address, without rotation ("Single data transfer").
#[inline]
fn store<B: Bus>(bus: &mut B, address: u32, byte: bool, value: u32) {
    match byte {
        true => bus.write8(address, value as u8),
        false => bus.write32(address & !3, value),
    }
}

/// Addresses of a block transfer.
struct BlockPlace {
    /// Lowest address.
    first: u32,
    /// Base after write-back.
    base: u32,
}

/// The lowest register uses the lowest address in either direction ("Block data transfer").
fn place(how: Addressing, base: u32, bytes: u32) -> BlockPlace {
    let end = match how.up {
        true => base.wrapping_add(bytes),
        false => base.wrapping_sub(bytes),
    };
    let lowest = if how.up { base } else { end };
    // Increment before and decrement after skip the word at the base.
    let first = if how.pre == how.up {
        lowest.wrapping_add(4)
    } else {
        lowest
    };
    BlockPlace { first, base: end }
}

impl Core {
    /// LDR: Rd = [address] ("Single data transfer"). If the base is the destination, the loaded value
    /// remains.
    ///
    /// 1S + 1N + 1I; into R15 2S + 2N + 1I.
    #[inline]
    pub(super) fn load<B: Bus>(&mut self, single: &Single, bus: &mut B) -> u32 {
        let (address, moved) = self.addresses(single);
        let value = load(bus, address, single.byte);
        if single.write_back {
            self.write_back(single.rn, moved);
        }
        3 + self.set(single.rd, value)
    }

    /// STR: [address] = Rd. 2N.
    #[inline]
    pub(super) fn store<B: Bus>(&mut self, single: &Single, bus: &mut B) -> u32 {
        let (address, moved) = self.addresses(single);
        store(bus, address, single.byte, self.stored(single.rd));
        if single.write_back {
            self.write_back(single.rn, moved);
        }
        2
    }

    /// Returns the address of the transfer, and the new base.
    #[inline]
    fn addresses(&self, single: &Single) -> (u32, u32) {
        let base = self.get(single.rn);
        let offset = self.operand(&single.offset).value;
        let moved = match single.subtract {
            true => base.wrapping_sub(offset),
            false => base.wrapping_add(offset),
        };
        (if single.pre { moved } else { base }, moved)
    }

    /// Writes the new base. The data sheet forbids write-back to R15; this core then leaves R15 unchanged.
    #[inline]
    fn write_back(&mut self, rn: u8, base: u32) {
        if rn != 15 {
            self.set(rn, base);
        }
    }

    /// Value that STR and STM store: R15 is 12 ahead ("Single data transfer", "Block data transfer").
    #[inline]
    fn stored(&self, n: u8) -> u32 {
        self.get(n).wrapping_add(if n == 15 { 4 } else { 0 })
    }

    /// SWP: old = [Rn], [Rn] = Rm, Rd = old ("Single data swap"). 1S + 2N + 1I.
    #[inline(never)]
    pub(super) fn swap<B: Bus>(&mut self, byte: bool, rn: u8, rd: u8, rm: u8, bus: &mut B) -> u32 {
        let (address, new) = (self.get(rn), self.stored(rm));
        let old = load(bus, address, byte);
        store(bus, address, byte, new);
        4 + self.set(rd, old)
    }

    /// LDM, STM ("Block data transfer").
    ///
    /// LDM nS + 1N + 1I, with R15 (n+1)S + 2N + 1I; STM (n-1)S + 2N.
    #[inline(never)]
    pub(super) fn block<B: Bus>(&mut self, block: Block, bus: &mut B) -> u32 {
        let (list, bytes) = match (block.list, self.settings.empty_list) {
            (0, EmptyList::Nothing) => return 1,
            (0, EmptyList::PcAnd64) => (1 << 15, 0x40),
            (list, _) => (list, 4 * list.count_ones()),
        };
        let place = place(block.how, self.get(block.rn), bytes);
        match block.how.load {
            true => 2 + list.count_ones() + self.load_block(Block { list, ..block }, &place, bus),
            false => {
                self.store_block(Block { list, ..block }, &place, bus);
                1 + list.count_ones()
            }
        }
    }

    /// Writes the base back before the loads, so that a loaded base keeps its loaded value. With S and R15 in
    /// the list, copies SPSR to CPSR. With S but without R15, loads user registers ("Block data transfer").
    fn load_block<B: Bus>(&mut self, block: Block, place: &BlockPlace, bus: &mut B) -> u32 {
        let restores = block.psr && block.list >> 15 != 0;
        if block.how.write_back {
            self.write_back(block.rn, place.base);
        }
        let mut address = place.first & !3;
        let mut refill = 0;
        for n in (0..16).filter(|n| block.list >> n & 1 != 0) {
            let value = bus.read32(address);
            address = address.wrapping_add(4);
            match block.psr && !restores {
                true => self.registers.set_user(usize::from(n), value),
                false => refill += self.set(n, value),
            }
        }
        if restores {
            self.restore_cpsr();
        }
        refill
    }

    /// The base is written back after the first store: STM stores the old base only if it is the first
    /// register ("Block data transfer").
    fn store_block<B: Bus>(&mut self, block: Block, place: &BlockPlace, bus: &mut B) {
        let mut address = place.first & !3;
        let mut write_back = block.how.write_back;
        for n in (0..16).filter(|n| block.list >> n & 1 != 0) {
            let value = match block.psr && n != 15 {
                true => self.registers.user(usize::from(n)),
                false => self.stored(n),
            };
            bus.write32(address, value);
            address = address.wrapping_add(4);
            if std::mem::take(&mut write_back) {
                self.write_back(block.rn, place.base);
            }
        }
    }
}
