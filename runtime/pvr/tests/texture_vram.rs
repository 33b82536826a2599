//! Decoding from video memory by control words.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed unwrap in a helper is how its test fails"
)]

use pvr::texture::{TextureRegisters, decode};
use pvr::{Area, Settings, TextureWord, TspWord, Vram};

fn decode_at(vram: &Vram, tcw: u32, pal_ram_ctrl: u32, palette_ram: &[u32; 1024]) -> Vec<u32> {
    let regs = TextureRegisters {
        pal_ram_ctrl,
        palette_ram,
        text_control: 0,
    };
    let texture = decode(vram, TextureWord(tcw), TspWord(0), &regs, &Settings::default()).unwrap();
    assert_eq!((texture.width, texture.height), (8, 8));
    texture.texels
}

#[test]
fn a_texture_at_the_end_of_memory_wraps() {
    let mut vram = Vram::default();
    let words: Vec<u8> = (0..64u16).flat_map(u16::to_le_bytes).collect();
    vram.write_bytes(Area::Bits64, 0x7F_FFF8, &words);
    // Bump words show the order: the second row starts with word 1.
    let texels = decode_at(&vram, 4 << 27 | 0x7F_FFF8 >> 3, 0, &[0; 1024]);
    assert_eq!(texels[..9], [0, 2, 8, 10, 32, 34, 40, 42, 1]);
    // Address bits above 8 MiB are ignored.
    assert_eq!(decode_at(&vram, 4 << 27 | 0xFF_FFF8 >> 3, 0, &[0; 1024]), texels);
}

#[test]
fn palettes_are_selected_by_bank() {
    let mut vram = Vram::default();
    vram.write_bytes(Area::Bits64, 64, &[0x21; 64]);
    let mut ram = [0; 1024];
    for (i, entry) in ram.iter_mut().enumerate() {
        *entry = i as u32;
    }
    // Four bits: bank 5 starts at 80. Eight bits: banks 48..=63 are the last 256 entries.
    assert_eq!(decode_at(&vram, 5 << 27 | 5 << 21 | 8, 3, &ram)[..2], [81, 81]);
    assert_eq!(decode_at(&vram, 5 << 27 | 5 << 21 | 8, 3, &ram)[8], 82);
    assert_eq!(decode_at(&vram, 6 << 27 | 50 << 21 | 8, 3, &ram)[0], 768 + 0x21);
    // PAL_RAM_CTRL gives the entry format; palettes are widened like twiddled colours.
    ram[81] = 0x8410;
    let first = [0, 1, 2, 3].map(|format| decode_at(&vram, 5 << 27 | 5 << 21 | 8, format, &ram)[0]);
    assert_eq!(first, [0xFF08_0084, 0xFF84_8284, 0x8844_1100, 0x8410]);
}
