//! The physical address map: the device at each address, and its access sizes.
//!
//! To add a device, add its module and a row here.

/// Device at an address outside RAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The boot ROM.
    Rom,
    /// Flash memory.
    Flash,
    /// Holly's system bus, and G1 and PVR DMA.
    Holly,
    /// Event status and masks.
    Events,
    /// G2 DMA channels.
    G2,
    /// The drive's task file.
    Drive,
    /// PowerVR2 registers.
    Pvr,
    /// AICA registers.
    Aica,
    /// The clock of the AICA.
    Clock,
    /// Sound memory.
    SoundRam,
    /// Video memory, 64-bit path.
    Vram64,
    /// Video memory, 32-bit path.
    Vram32,
    /// Video memory windows without memory; reads return ones.
    VramHole,
    /// The tile accelerator's polygon FIFO.
    TaPolygon,
    /// The YUV converter.
    TaYuv,
    /// Video memory through the tile accelerator. The number selects the LMMODE register that chooses the
    /// path.
    TaTexture(u8),
    /// No device.
    Nothing,
}

/// Access sizes as bits: 1, 2, 4 and 8 bytes.
const ANY: u8 = 15;
const LONG: u8 = 4 | 8;
const BYTE: u8 = 1;

struct Row {
    first: u32,
    last: u32,
    device: Device,
    reads: u8,
    writes: u8,
}

const fn row(first: u32, last: u32, device: Device, reads: u8, writes: u8) -> Row {
    Row {
        first,
        last,
        device,
        reads,
        writes,
    }
}

/// Area 0, by physical address. 02000000-03FFFFFF repeats it without ROM and flash.
const AREA0: &[Row] = &[
    row(0x0000_0000, 0x001F_FFFF, Device::Rom, ANY, ANY),
    row(0x0020_0000, 0x0021_FFFF, Device::Flash, ANY, BYTE),
    row(0x005F_6900, 0x005F_693F, Device::Events, LONG, LONG),
    row(0x005F_6800, 0x005F_6CFF, Device::Holly, LONG, LONG),
    row(0x005F_7000, 0x005F_73FF, Device::Drive, ANY, ANY),
    row(0x005F_7800, 0x005F_787F, Device::G2, LONG, LONG),
    row(0x005F_7400, 0x005F_7CFF, Device::Holly, LONG | 2, LONG | 2),
    row(0x005F_8000, 0x005F_9FFF, Device::Pvr, LONG, LONG),
    row(0x0070_0000, 0x0070_7FFF, Device::Aica, LONG | 1 | 2, LONG | 1 | 2),
    row(0x0071_0000, 0x0071_000B, Device::Clock, LONG, LONG),
    row(0x0080_0000, 0x00FF_FFFF, Device::SoundRam, ANY, ANY),
];

/// Returns the device at a 29-bit physical address, whether it accepts a read or write of `size` bytes, and
/// the address that the device sees.
#[must_use]
pub fn find(physical: u32, size: u8, write: bool) -> (Device, bool, u32) {
    let device = match physical >> 24 {
        0x00..=0x03 => return find_in_area0(physical, size, write),
        0x04 | 0x06 if physical & 0x80_0000 == 0 => Device::Vram64,
        0x05 | 0x07 if physical & 0x80_0000 == 0 => Device::Vram32,
        // On a console, these windows store no data and read as ones (snickerbockers/pvr2_mem_test).
        0x04..=0x07 => Device::VramHole,
        0x10 | 0x12 if physical & 0x80_0000 == 0 => Device::TaPolygon,
        0x10 | 0x12 => Device::TaYuv,
        0x11 => Device::TaTexture(0),
        0x13 => Device::TaTexture(1),
        _ => Device::Nothing,
    };
    (device, true, physical)
}

fn find_in_area0(physical: u32, size: u8, write: bool) -> (Device, bool, u32) {
    let address = physical & 0x01FF_FFFF;
    let row = AREA0.iter().find(|row| (row.first..=row.last).contains(&address));
    match row {
        Some(row) if physical >= 0x0200_0000 && address < 0x0022_0000 => (Device::Nothing, true, row.first),
        Some(row) => {
            let sizes = if write { row.writes } else { row.reads };
            (row.device, sizes & size != 0, address)
        }
        None => (Device::Nothing, true, address),
    }
}

/// Names of registers that programs poll, by physical or P4 address.
const NAMES: &[(u32, &str)] = &[
    (0x005F_6808, "SB_C2DST"),
    (0x005F_688C, "SB_FFST"),
    (0x005F_6900, "SB_ISTNRM"),
    (0x005F_6904, "SB_ISTEXT"),
    (0x005F_6908, "SB_ISTERR"),
    (0x005F_6C18, "SB_MDST"),
    (0x005F_709C, "GD-ROM status"),
    (0x005F_7418, "SB_GDST"),
    (0x005F_74EC, "the drive's unlock register"),
    (0x005F_7818, "SB_ADST"),
    (0x005F_7C18, "SB_PDST"),
    (0x005F_810C, "SPG_STATUS"),
    (0x005F_8138, "TA_ITP_CURRENT"),
    (0x0071_0000, "the clock of the AICA"),
    (0x0071_0004, "the clock of the AICA"),
    (0xFFD8_000C, "TCNT0"),
    (0xFFD8_0010, "TCR0"),
    (0xFFD8_0018, "TCNT1"),
    (0xFFD8_001C, "TCR1"),
    (0xFFD8_0024, "TCNT2"),
    (0xFFD8_0028, "TCR2"),
    (0xFFE8_0010, "SCFSR2"),
    (0xFFA0_001C, "CHCR1"),
    (0xFFA0_002C, "CHCR2"),
];

/// Returns the name of a device's register, or its address and device.
#[must_use]
pub fn name(address: u32) -> String {
    match NAMES.iter().find(|(at, _)| *at == address) {
        Some((_, name)) => format!("{name} ({address:08x})"),
        None if address >= 0xE000_0000 => format!("on-chip register {address:08x}"),
        None => format!("{address:08x} ({:?})", find(address, 4, false).0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_area_has_its_device() {
        let rows = [
            (0x0000_0000, Device::Rom),
            (0x0020_0000, Device::Flash),
            (0x005F_6900, Device::Events),
            (0x005F_6C18, Device::Holly),
            (0x005F_7018, Device::Drive),
            (0x005F_74EC, Device::Holly),
            (0x005F_7818, Device::G2),
            (0x005F_7C18, Device::Holly),
            (0x005F_810C, Device::Pvr),
            (0x0070_2C00, Device::Aica),
            (0x0071_0000, Device::Clock),
            (0x0080_0000, Device::SoundRam),
            (0x0280_0000, Device::SoundRam),
            (0x0220_0000, Device::Nothing),
            (0x0100_1400, Device::Nothing),
            (0x0400_0000, Device::Vram64),
            (0x0480_0000, Device::VramHole),
            (0x0700_0000, Device::Vram32),
            (0x0800_0000, Device::Nothing),
            (0x1000_0000, Device::TaPolygon),
            (0x1080_0000, Device::TaYuv),
            (0x1100_0000, Device::TaTexture(0)),
            (0x1380_0000, Device::TaTexture(1)),
            (0x1400_0000, Device::Nothing),
        ];
        for (address, device) in rows {
            assert_eq!(find(address, 4, false).0, device, "{address:08x}");
        }
    }

    #[test]
    fn sizes_are_checked() {
        assert!(!find(0x005F_6900, 1, false).1);
        assert!(find(0x0070_0000, 1, true).1);
        assert!(!find(0x0020_0000, 4, true).1);
        assert!(find(0x0020_0000, 4, false).1);
    }
}
