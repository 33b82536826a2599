//! Bus with memory between guard pages, and devices for difficult cases of compiled code.

use memmap2::MmapMut;
use sh4::watch::{CodeWatch, LINE};
use sh4::{Bus, BusError, Interrupt, MarkedMemory, OnChipRam, Window};
use std::ffi::c_void;

pub(crate) const BASE: u32 = 0x8C00_0000;
pub(crate) const SIZE: u32 = 0x8000;
/// Physical address of the devices. Each accepts writes of four bytes.
pub(crate) const DEVICE: u32 = 0x0500_0000;
/// Physical address of the second memory, and its bytes. It has more pages than marks.
pub(crate) const MARKED: u32 = 0x0600_0000;
pub(crate) const MARKED_SIZE: u32 = 0x4000;
const MARKED_PAGE: u32 = 0x400;
const MARKS: usize = 8;
/// Counts writes; every 16th requests an interrupt.
pub(crate) const TICK: u32 = 0;
/// Withdraws the request.
pub(crate) const ACKNOWLEDGE: u32 = 4;
/// Selects the window with the written number.
pub(crate) const WINDOW: u32 = 0x400;
/// Panics.
pub(crate) const PANIC: u32 = 0x1_0000;

const PAGE: usize = 4096;

unsafe extern "C" {
    fn mprotect(address: *mut c_void, length: usize, protection: i32) -> i32;
}

/// Memory between two guard pages.
struct Guarded {
    map: MmapMut,
    size: usize,
}

impl Guarded {
    fn new(size: usize) -> Guarded {
        assert!(size.is_multiple_of(PAGE));
        let mut map = MmapMut::map_anon(size + 2 * PAGE).unwrap();
        let pages = map.as_mut_ptr();
        for at in [0, PAGE + size] {
            // SAFETY: the page is inside the map, and no reference to it is made afterwards.
            assert_eq!(unsafe { mprotect(pages.add(at).cast(), PAGE, 0) }, 0);
        }
        Guarded { map, size }
    }

    fn bytes(&self) -> &[u8] {
        &self.map[PAGE..PAGE + self.size]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.map[PAGE..PAGE + self.size]
    }

    /// Last `count` words of the memory.
    fn words_mut(&mut self, count: usize) -> &mut [u32] {
        let at = self.size - 4 * count;
        let bytes = &mut self.bytes_mut()[at..];
        // SAFETY: every bit pattern is a valid word.
        let (before, words, after) = unsafe { bytes.align_to_mut::<u32>() };
        assert!(before.is_empty() && after.is_empty());
        words
    }
}

/// The bus. All of its addresses are readable and writable.
pub(crate) struct Board {
    /// Two memories. The window number selects the one in use.
    memories: [Guarded; 2],
    versions: Guarded,
    /// Data of the operand cache, for the on-chip RAM.
    cache: Guarded,
    marked: Guarded,
    marks: Vec<u64>,
    watch: CodeWatch,
    window: u32,
    ticks: u32,
    requested: bool,
    /// Number of changes of the interrupt request, which is part of the code epoch.
    changes: u64,
    /// Writes to the devices: address and value.
    pub(crate) log: Vec<(u32, u32)>,
}

impl Board {
    pub(crate) fn new() -> Board {
        let lines = (SIZE / LINE) as usize;
        Board {
            memories: [Guarded::new(SIZE as usize), Guarded::new(SIZE as usize)],
            versions: Guarded::new((4 * lines).next_multiple_of(PAGE)),
            cache: Guarded::new(0x4000),
            marked: Guarded::new(MARKED_SIZE as usize),
            marks: vec![0; MARKS],
            watch: CodeWatch::new(SIZE as usize),
            window: 0,
            ticks: 0,
            requested: false,
            changes: 0,
            log: Vec::new(),
        }
    }

    /// Writes code at an offset, unless the memory already contains it.
    pub(crate) fn load(&mut self, offset: u32, words: &[u16]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        if self.bytes()[offset as usize..].starts_with(&bytes) {
            return;
        }
        self.memory()[offset as usize..][..bytes.len()].copy_from_slice(&bytes);
        self.watch.written_range(offset, bytes.len() as u32);
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.memories[self.place()].bytes()
    }

    pub(crate) fn memory(&mut self) -> &mut [u8] {
        self.memories[self.place()].bytes_mut()
    }

    pub(crate) fn cache(&self) -> &[u8] {
        self.cache.bytes()
    }

    /// The second memory and its marks.
    pub(crate) fn marked(&self) -> (&[u8], &[u64]) {
        (self.marked.bytes(), &self.marks)
    }

    /// Present mark of the second memory. It differs after each write to a device.
    fn mark(&self) -> u64 {
        self.log.len() as u64 + 1
    }

    /// Offset of an address in the second memory.
    fn marked_offset(address: u32) -> Option<usize> {
        let offset = (address & 0x5FFF_FFFF).wrapping_sub(MARKED);
        (offset < MARKED_SIZE).then_some(offset as usize)
    }

    /// Address bit that selects the area of the on-chip RAM. It differs between windows.
    fn area_bit(&self) -> u8 {
        if self.window == 2 { 25 } else { 13 }
    }

    /// Offset of an address of the on-chip RAM in the cache.
    fn on_chip(&self, address: u32) -> Option<usize> {
        let area = address >> self.area_bit() & 1;
        let offset = 0x1000 + 0x2000 * area + address % 0x1000;
        (0x7C00_0000..0x8000_0000)
            .contains(&address)
            .then_some(offset as usize)
    }

    /// Index of the memory in the current window: windows 2 and 3 of four use the second memory.
    fn place(&self) -> usize {
        (self.window >> 1 & 1) as usize
    }

    fn offset(address: u32) -> Option<usize> {
        let offset = (address & 0x1FFF_FFFF).wrapping_sub(BASE & 0x1FFF_FFFF);
        (offset < SIZE).then_some(offset as usize)
    }

    fn read<const N: usize>(&self, address: u32) -> Result<[u8; N], BusError> {
        if let Some(at) = self.on_chip(address) {
            let bytes = self.cache.bytes()[at..].first_chunk::<N>();
            return bytes.copied().ok_or(BusError::Refused);
        }
        if let Some(at) = Board::marked_offset(address) {
            let bytes = self.marked.bytes()[at..].first_chunk::<N>();
            return bytes.copied().ok_or(BusError::Refused);
        }
        let at = Board::offset(address).unwrap_or(SIZE as usize);
        let bytes = self.bytes()[at..].first_chunk::<N>();
        Ok(bytes.copied().unwrap_or([0xEE; N]))
    }

    fn write<const N: usize>(&mut self, address: u32, data: [u8; N]) -> Result<(), BusError> {
        if let Some(at) = self.on_chip(address) {
            let bytes = self.cache.bytes_mut()[at..].first_chunk_mut::<N>();
            *bytes.ok_or(BusError::Refused)? = data;
            return Ok(());
        }
        if let Some(at) = Board::marked_offset(address) {
            self.marks[at / MARKED_PAGE as usize % MARKS] = self.mark();
            let bytes = self.marked.bytes_mut()[at..].first_chunk_mut::<N>();
            *bytes.ok_or(BusError::Refused)? = data;
            return Ok(());
        }
        let Some(at) = Board::offset(address) else {
            return self.device(address & 0x1FFF_FFFF, &data);
        };
        let bytes = self.memory()[at..].first_chunk_mut::<N>();
        let Some(bytes) = bytes else {
            return Ok(());
        };
        *bytes = data;
        self.watch.written(at as u32, N as u32);
        Ok(())
    }

    fn device(&mut self, address: u32, data: &[u8]) -> Result<(), BusError> {
        let Ok(value) = data.try_into().map(u32::from_le_bytes) else {
            return Ok(());
        };
        match address.wrapping_sub(DEVICE) {
            TICK => {
                self.ticks += 1;
                self.request(self.ticks.is_multiple_of(16) || self.requested);
            }
            ACKNOWLEDGE => self.request(false),
            WINDOW => self.move_to(value & 3),
            PANIC => panic!("the device panics"),
            _ => {}
        }
        self.log.push((address, value));
        Ok(())
    }

    fn request(&mut self, requested: bool) {
        self.changes += u64::from(requested != self.requested);
        self.requested = requested;
    }

    fn move_to(&mut self, window: u32) {
        let bytes = self.bytes().to_vec();
        self.window = window;
        self.memory().copy_from_slice(&bytes);
    }
}

impl Bus for Board {
    fn read8(&mut self, address: u32) -> Result<u8, BusError> {
        self.read(address).map(u8::from_le_bytes)
    }

    fn read16(&mut self, address: u32) -> Result<u16, BusError> {
        self.read(address).map(u16::from_le_bytes)
    }

    fn read32(&mut self, address: u32) -> Result<u32, BusError> {
        self.read(address).map(u32::from_le_bytes)
    }

    fn read64(&mut self, address: u32) -> Result<u64, BusError> {
        self.read(address).map(u64::from_le_bytes)
    }

    fn write8(&mut self, address: u32, value: u8) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    fn write16(&mut self, address: u32, value: u16) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    fn write32(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    fn write64(&mut self, address: u32, value: u64) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        self.read16(address)
    }

    fn prefetch(&mut self, _address: u32) -> Result<(), BusError> {
        Ok(())
    }

    fn interrupt(&self) -> Option<Interrupt> {
        self.requested.then_some(Interrupt {
            level: 15,
            code: 0x200,
        })
    }

    fn code_watch(&mut self, address: u32, bytes: u32) {
        if let Some(offset) = Board::offset(address) {
            self.watch.watch(offset as u32, bytes);
        }
    }

    fn code_epoch(&self) -> u64 {
        self.watch.epoch() + self.changes
    }

    fn code_version(&self, address: u32) -> u64 {
        Board::offset(address).map_or(0, |offset| self.watch.version(offset as u32))
    }

    /// The whole memory, no window, the lower half, or the whole second memory.
    fn window(&mut self) -> Option<Window<'_>> {
        let size = match self.window {
            1 => return None,
            2 => SIZE / 2,
            _ => SIZE,
        };
        let (area_bit, mark) = (self.area_bit(), self.mark());
        let versions = self.watch.versions();
        let watched = self.versions.words_mut((size / LINE) as usize);
        watched.copy_from_slice(&versions[..watched.len()]);
        let data = self.cache.bytes_mut().first_chunk_mut();
        // Window 2 is the lower half of the second memory.
        let place = (self.window >> 1 & 1) as usize;
        Some(Window {
            bytes: &mut self.memories[place].bytes_mut()[..size as usize],
            watched,
            select: 0x1FFF_FFFF & !(size - 1),
            value: BASE & 0x1FFF_FFFF,
            queues: None,
            // Window 3 has RAM that compiled code cannot access.
            on_chip_ram: data
                .filter(|_| self.window != 3)
                .map(|data| OnChipRam { data, area_bit }),
            // Nor does window 3 lend the second memory.
            marked: (self.window != 3).then_some(MarkedMemory {
                bytes: self.marked.bytes_mut(),
                marks: &mut self.marks,
                mark,
                page: MARKED_PAGE,
                select: 0x5FFF_FFFF & !(MARKED_SIZE - 1),
                value: MARKED,
            }),
            steady: false,
        })
    }
}
