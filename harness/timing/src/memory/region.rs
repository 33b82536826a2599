//! Regions of the address space, and the cost of an access to each.
//!
//! Costs are in bus cycles. They come from a public emulator's table. Published bandwidths differ by
//! about 10 % (confidence medium). The costs of the tile accelerator, the 32-byte window at 11000000
//! and the sound block are undocumented.

/// A region of the address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// Main memory, area 3.
    Ram,
    /// Video memory, area 1.
    Vram,
    /// Polygon input of the tile accelerator.
    TileAccelerator,
    /// YUV converter.
    Yuv,
    /// Video memory through the store queue window.
    VramBurst,
    /// System registers, and the rest of area 0.
    System,
    /// Registers and palette of the graphics core.
    Core,
    /// Controller bus registers.
    Maple,
    /// Disc drive registers.
    Disc,
    /// G1 bus registers.
    G1,
    /// G2 bus registers.
    G2,
    /// PVR interface registers.
    PvrInterface,
    /// Modem.
    Modem,
    /// Sound block: registers, clock, wave memory.
    Sound,
    /// Expansion on the G2 bus.
    Expansion,
    /// Boot ROM.
    BootRom,
    /// Flash memory.
    Flash,
    /// Registers of the SH-4 itself.
    OnChip,
    /// Operand cache as RAM.
    CacheRam,
    /// Store queues.
    StoreQueue,
}

impl Region {
    /// Returns the region of an effective address, without translation.
    #[must_use]
    pub fn of(address: u32) -> Region {
        match address {
            0x7C00_0000..=0x7FFF_FFFF => Region::CacheRam,
            0xE000_0000..=0xE3FF_FFFF => Region::StoreQueue,
            0xE400_0000..=0xFFFF_FFFF => Region::OnChip,
            _ => Region::physical(address & 0x1FFF_FFFF),
        }
    }

    /// True if a physical address, or one in P1 or P2, is in main memory.
    #[inline(always)]
    pub(crate) fn is_ram(address: u32) -> bool {
        address & 0x1C00_0000 == 0x0C00_0000
    }

    /// Returns the region of a physical address.
    #[must_use]
    pub fn physical(address: u32) -> Region {
        match address {
            0x0C00_0000..=0x0FFF_FFFF => Region::Ram,
            0x0000_0000..=0x001F_FFFF => Region::BootRom,
            0x0020_0000..=0x003F_FFFF => Region::Flash,
            0x0060_0000..=0x006F_FFFF => Region::Modem,
            0x0070_0000..=0x00FF_FFFF => Region::Sound,
            0x0100_0000..=0x03FF_FFFF | 0x1400_0000..=0x17FF_FFFF => Region::Expansion,
            0x0040_0000..=0x005F_FFFF => Region::register(address),
            0x0400_0000..=0x07FF_FFFF => Region::Vram,
            0x1000_0000..=0x107F_FFFF | 0x1200_0000..=0x127F_FFFF => Region::TileAccelerator,
            0x1080_0000..=0x10FF_FFFF | 0x1280_0000..=0x12FF_FFFF => Region::Yuv,
            0x1100_0000..=0x11FF_FFFF | 0x1300_0000..=0x13FF_FFFF => Region::VramBurst,
            0x1C00_0000..=0x1FFF_FFFF => Region::OnChip,
            _ => Region::System,
        }
    }

    fn register(address: u32) -> Region {
        match address {
            0x005F_6C00..=0x005F_6CFF => Region::Maple,
            0x005F_7000..=0x005F_70FF => Region::Disc,
            0x005F_7400..=0x005F_74FF => Region::G1,
            0x005F_7800..=0x005F_78FF => Region::G2,
            0x005F_7C00..=0x005F_7CFF => Region::PvrInterface,
            0x005F_8000..=0x005F_9FFF => Region::Core,
            _ => Region::System,
        }
    }

    /// Bus cycles to read `bytes`: 1 to 8, or a line of 32. SDRAM rows are added separately.
    #[must_use]
    #[inline]
    pub fn read(self, bytes: u8) -> u32 {
        match self {
            Region::Ram => 7,
            Region::Vram if bytes <= 8 => 41,
            Region::Vram | Region::VramBurst => 61,
            Region::TileAccelerator | Region::Yuv | Region::System => 5 * words(bytes),
            Region::Core => 34 * words(bytes),
            Region::Maple => 22 * words(bytes),
            Region::Disc => 39 * words(bytes),
            Region::G1 | Region::PvrInterface => 24 * words(bytes),
            Region::G2 => 38 * words(bytes),
            Region::Modem => 67 * words(bytes),
            Region::Sound => 40 * words(bytes),
            Region::Expansion => by_size(bytes, [56, 56, 60, 84]),
            Region::BootRom => by_size(bytes, [44, 63, 99, 618]),
            Region::Flash => by_size(bytes, [41, 55, 83, 489]),
            Region::OnChip | Region::CacheRam | Region::StoreQueue => 0,
        }
    }

    /// Bus cycles to write `bytes`, in the same way.
    #[must_use]
    #[inline]
    pub fn write(self, bytes: u8) -> u32 {
        match self {
            Region::Ram => 4,
            Region::Vram if bytes <= 8 => 12,
            Region::Vram => 38,
            Region::TileAccelerator => 7,
            Region::Yuv => 9,
            Region::VramBurst => 5,
            Region::System => 5 * words(bytes),
            Region::Core => 14 * words(bytes),
            Region::Maple | Region::G1 | Region::G2 | Region::PvrInterface | Region::Sound => {
                12 * words(bytes)
            }
            Region::Disc => 28 * words(bytes),
            Region::Modem => 44 * words(bytes),
            Region::Expansion => by_size(bytes, [28, 28, 28, 52]),
            Region::BootRom | Region::Flash => 28 * words(bytes),
            Region::OnChip | Region::CacheRam | Region::StoreQueue => 0,
        }
    }

    /// Name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Region::Ram => "RAM",
            Region::Vram => "video memory",
            Region::TileAccelerator => "tile accelerator",
            Region::Yuv => "YUV converter",
            Region::VramBurst => "video memory, burst window",
            Region::System => "system registers",
            Region::Core => "graphics core registers",
            Region::Maple => "maple registers",
            Region::Disc => "disc drive",
            Region::G1 => "G1 registers",
            Region::G2 => "G2 registers",
            Region::PvrInterface => "PVR interface registers",
            Region::Modem => "modem",
            Region::Sound => "sound block",
            Region::Expansion => "expansion",
            Region::BootRom => "boot ROM",
            Region::Flash => "flash",
            Region::OnChip => "on-chip registers",
            Region::CacheRam => "operand cache as RAM",
            Region::StoreQueue => "store queues",
        }
    }
}

/// Number of four-byte accesses in an access of `bytes`.
fn words(bytes: u8) -> u32 {
    u32::from(bytes).div_ceil(4)
}

/// Costs of 1, 2, 4 and 32 bytes; eight bytes cost twice as much as four.
fn by_size(bytes: u8, costs: [u32; 4]) -> u32 {
    match bytes {
        0 | 1 => costs[0],
        2 => costs[1],
        3 | 4 => costs[2],
        5..=8 => 2 * costs[2],
        _ => costs[3],
    }
}
