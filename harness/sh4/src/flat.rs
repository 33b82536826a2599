//! A flat memory for tests and benches: one block of RAM that appears in P0 to P3.

use crate::watch::{CodeWatch, LINE};
use crate::{Bus, BusError, Window};

/// Bits of a physical address.
const PHYSICAL: u32 = 0x1FFF_FFFF;

/// RAM at one physical address; everything else is unmapped. Writes to the store queues have no effect.
#[derive(Clone, Debug)]
pub struct FlatBus {
    base: u32,
    bytes: Vec<u8>,
    watch: CodeWatch,
}

impl FlatBus {
    /// `size` zero bytes at physical address `base`.
    #[must_use]
    pub fn new(base: u32, size: usize) -> FlatBus {
        FlatBus {
            base: base & PHYSICAL,
            bytes: vec![0; size],
            watch: CodeWatch::new(size),
        }
    }

    /// Copies `data` to `address`, up to the end of the RAM. Returns the number of copied bytes.
    pub fn load(&mut self, address: u32, data: &[u8]) -> usize {
        let at = self.offset(address) as usize;
        let room = self.bytes.get_mut(at..).unwrap_or_default();
        let count = room.len().min(data.len());
        room[..count].copy_from_slice(&data[..count]);
        self.watch.written_range(at as u32, count as u32);
        count
    }

    /// Returns the offset in the RAM; it is past the end for addresses outside the RAM.
    #[inline]
    fn offset(&self, address: u32) -> u32 {
        (address & PHYSICAL).wrapping_sub(self.base)
    }

    #[inline]
    fn read<const N: usize>(&self, address: u32) -> Result<[u8; N], BusError> {
        let at = self.offset(address) as usize;
        let bytes = self.bytes.get(at..).and_then(|rest| rest.first_chunk::<N>());
        bytes.copied().ok_or(BusError::Unmapped)
    }

    #[inline]
    fn write<const N: usize>(&mut self, address: u32, data: [u8; N]) -> Result<(), BusError> {
        let offset = self.offset(address);
        match self
            .bytes
            .get_mut(offset as usize..)
            .and_then(|rest| rest.first_chunk_mut::<N>())
        {
            Some(bytes) => *bytes = data,
            None if address >> 26 == 0xE0 >> 2 => return Ok(()),
            None => return Err(BusError::Unmapped),
        }
        self.watch.written(offset, N as u32);
        Ok(())
    }
}

impl Bus for FlatBus {
    #[inline]
    fn read8(&mut self, address: u32) -> Result<u8, BusError> {
        self.read(address).map(u8::from_le_bytes)
    }

    #[inline]
    fn read16(&mut self, address: u32) -> Result<u16, BusError> {
        self.read(address).map(u16::from_le_bytes)
    }

    #[inline]
    fn read32(&mut self, address: u32) -> Result<u32, BusError> {
        self.read(address).map(u32::from_le_bytes)
    }

    #[inline]
    fn read64(&mut self, address: u32) -> Result<u64, BusError> {
        self.read(address).map(u64::from_le_bytes)
    }

    #[inline]
    fn write8(&mut self, address: u32, value: u8) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    #[inline]
    fn write16(&mut self, address: u32, value: u16) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    #[inline]
    fn write32(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    #[inline]
    fn write64(&mut self, address: u32, value: u64) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        self.read16(address)
    }

    fn prefetch(&mut self, _address: u32) -> Result<(), BusError> {
        Ok(())
    }

    fn send_store_queue(&mut self, _address: u32, _physical: u32) -> Result<(), BusError> {
        Ok(())
    }

    fn window(&mut self) -> Option<Window<'_>> {
        let size = u32::try_from(self.bytes.len()).ok()?;
        let whole = size.is_power_of_two() && size >= LINE && self.base.is_multiple_of(size);
        whole.then_some(Window {
            bytes: &mut self.bytes,
            watched: self.watch.versions(),
            select: PHYSICAL & !(size - 1),
            value: self.base,
            queues: None,
            on_chip_ram: None,
            marked: None,
            steady: true,
        })
    }

    fn code_watch(&mut self, address: u32, bytes: u32) {
        self.watch.watch(self.offset(address), bytes);
    }

    fn code_epoch(&self) -> u64 {
        self.watch.epoch()
    }

    fn code_version(&self, address: u32) -> u64 {
        self.watch.version(self.offset(address))
    }
}
