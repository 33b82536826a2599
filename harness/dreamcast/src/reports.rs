//! Hardware behaviour known from public fixes of other emulators. Each test makes the accesses that reveal
//! it. The comments name the commit; only its message was used.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use crate::config::Config;
use crate::peripherals::{Controller, LightGun, Peripheral, Vmu};
use crate::system::System;
use crate::time::Cycles;
use sh4::Bus;

const ISTNRM: u32 = 0xA05F_6900;
const ISTERR: u32 = 0xA05F_6908;
const HBLANK: u32 = 1 << 5;
const MAPLE: u32 = 1 << 12;
const G2: u32 = 1 << 15;
/// A frame at 59.94 Hz, in cycles.
const FRAME: u64 = 3_328_325;

/// The devices of a console, accessed at exact times.
struct Console(System);

impl Console {
    fn new() -> Self {
        let mut system = System::new(&Config::default());
        system.exact = true;
        Self(system)
    }

    fn read(&mut self, address: u32) -> u32 {
        self.0.read32(address).unwrap()
    }

    fn write(&mut self, address: u32, value: u32) {
        self.0.write32(address, value).unwrap();
    }

    fn writes(&mut self, values: &[(u32, u32)]) {
        values
            .iter()
            .for_each(|(address, value)| self.write(*address, *value));
    }

    fn pass(&mut self, cycles: u64) {
        self.0.deliver(self.0.now + cycles);
    }

    /// Clears the events, and returns true if they occur within `cycles`.
    fn occurs(&mut self, events: u32, cycles: u64) -> bool {
        self.write(ISTNRM, events);
        self.pass(cycles);
        self.read(ISTNRM) & events != 0
    }
}

/// flycast 19204882c: a write to SPG_HBLANK_INT takes effect in the same field.
#[test]
fn a_new_hblank_line_counts_at_once() {
    let mut console = Console::new();
    console.pass(FRAME / 2);
    let line = console.read(0xA05F_810C) & 0x3FF;
    console.write(0xA05F_80C8, line + 4);
    assert!(console.occurs(HBLANK, 6 * 6345), "lines of 31.8 us");
}

/// Deecy 088d167e: vertical-blank-out occurs once per field for every order of the two lines.
#[test]
fn blanks_come_once_a_field() {
    for (inside, outside) in [(0x208, 0x15), (0x15, 0x208), (0x100, 0x100)] {
        let mut console = Console::new();
        console.write(0xA05F_80CC, outside << 16 | inside);
        console.pass(2 * FRAME);
        let count = |console: &mut Console, event: u32| {
            (0..5 * 64).filter(|_| console.occurs(event, FRAME / 64)).count()
        };
        assert_eq!(count(&mut console, 1 << 3), 5, "{inside:x}, {outside:x}");
        assert_eq!(count(&mut console, 1 << 4), 5, "{inside:x}, {outside:x}");
    }
}

/// flycast 068861d0c: accesses to the last bytes of video memory.
#[test]
fn the_last_bytes_of_video_memory() {
    let mut console = Console::new();
    for base in [0xA400_0000, 0xA500_0000] {
        console.write(base + 0x7F_FFFC, 0x1234_5678);
        assert_eq!(console.read(base + 0x7F_FFFC), 0x1234_5678);
        console.0.write16(base + 0x7F_FFFE, 0xABCD).unwrap();
        assert_eq!(console.0.read16(base + 0x7F_FFFE), Ok(0xABCD));
        assert_eq!(console.0.read8(base + 0x7F_FFFF), Ok(0xAB));
    }
}

/// Deecy 986a8119: store queue writes to video memory through 11000000 and 13000000 use the path selected by
/// LMMODE0 and LMMODE1.
#[test]
fn the_texture_path_follows_its_register() {
    for (area, register) in [(0x1100_0000, 0xA05F_6884), (0x1300_0000, 0xA05F_6888)] {
        for (mode, base) in [(0, 0xA400_0000), (1, 0xA500_0000)] {
            let mut console = Console::new();
            console.write(register, mode);
            (0..8).for_each(|n| console.write(0xE000_0000 + 4 * n, 0x100 + n));
            console.0.send_store_queue(0xE000_0000, area + 0x40_0020).unwrap();
            let words: Vec<u32> = (0..8).map(|n| console.read(base + 0x40_0020 + 4 * n)).collect();
            assert_eq!(words, (0x100..0x108).collect::<Vec<_>>(), "{area:x}, {mode}");
        }
    }
}

/// Deecy e770edc1: an end of list raises its event even if no list is open; the parameter gives the list.
#[test]
fn an_end_of_list_without_a_list_raises_its_event() {
    let mut console = Console::new();
    console.write(0xA05F_8144, 1 << 31);
    for (list, event) in [(0_u32, 7), (1, 8), (2, 9), (3, 10), (4, 21)] {
        console.write(ISTNRM, 1 << event);
        console.write(0xE000_0000, list << 24);
        (1..8).for_each(|n| console.write(0xE000_0000 + 4 * n, 0));
        console.0.send_store_queue(0xE000_0000, 0x1000_0000).unwrap();
        console.pass(100_000);
        assert_eq!(console.read(ISTNRM) >> event & 1, 1, "list {list}");
    }
}

fn g2(console: &mut Console, bus: u32, ram: u32, length: u32, to_ram: u32) {
    let values = [bus, ram, length, to_ram, 0, 1, 1];
    (0..)
        .zip(values)
        .for_each(|(n, value)| console.write(0xA05F_7800 + 4 * n, value));
}

/// flycast 10c765069, 5c5c872af and 439105856: even the shortest G2 DMA takes time.
#[test]
fn a_short_g2_transfer_takes_time() {
    let mut console = Console::new();
    console.write(ISTNRM, G2);
    g2(&mut console, 0x0080_0000, 0x0C00_0000, 32, 0);
    assert_eq!((console.read(ISTNRM) & G2, console.read(0xA05F_7818)), (0, 1));
    console.pass(200);
    assert_eq!(console.read(ISTNRM) & G2, 0);
    console.pass(1000);
    assert_eq!((console.read(ISTNRM) & G2, console.read(0xA05F_7818)), (G2, 0));
}

/// flycast 79be46432: address registers store only existing bits, so transfers stay within their memory.
#[test]
fn g2_addresses_have_no_bits_outside_their_masks() {
    let mut console = Console::new();
    for n in 0..4 {
        for register in [0, 4, 8] {
            let address = 0xA05F_7800 + 0x20 * n + register;
            console.write(address, u32::MAX);
            assert_eq!(console.read(address), 0x9FFF_FFE0);
        }
    }
}

/// Deecy de440ccd and 6c012f03: transfers past the end of RAM or sound memory write no byte outside, and end
/// normally.
#[test]
fn g2_transfers_at_the_ends_of_their_memories() {
    for (bus, ram, to_ram) in [
        (0x0080_0000, 0x0FFF_FFE0, 1),
        (0x00FF_FFE0, 0x0C00_0000, 0),
        (0x0070_7FE0, 0x0C00_0000, 0),
    ] {
        let mut console = Console::new();
        console.write(ISTNRM, G2);
        g2(&mut console, bus, ram, 0x1000, to_ram);
        console.pass(1_000_000);
        assert_eq!(console.read(ISTNRM) & G2, G2, "{bus:x}, {ram:x}");
        let warned = console
            .0
            .diagnostics
            .iter()
            .map(|(_, address, _)| address)
            .collect::<Vec<_>>();
        let unreachable = if to_ram == 1 { 0x1000_0000 } else { bus };
        assert_eq!(warned, [unreachable]);
    }
}

/// flycast c286463d6: accesses to the last bytes of sound memory, and to its mirrors up to 00FFFFFF
/// (850635544).
#[test]
fn the_last_bytes_of_sound_memory() {
    for hold in [1, 0] {
        let mut console = Console::new();
        console.write(0xA070_2C00, hold);
        console.write(0xA09F_FFFC, 0x1122_3344);
        assert_eq!(console.0.read16(0xA09F_FFFE), Ok(0x1122));
        assert_eq!(console.0.read8(0xA0FF_FFFF), Ok(0x11));
        console.0.write8(0xA0BF_FFFF, 0x55).unwrap();
        assert_eq!(console.read(0xA09F_FFFC), 0x5522_3344);
    }
}

/// flycast ca17717af: the effect DSP's TEMP, MEMS, MIXS, EFREG and EXTS are in the register map.
#[test]
fn the_registers_of_the_effect_dsp_answer() {
    let mut console = Console::new();
    for offset in [
        0x3000, 0x3200, 0x3400, 0x4000, 0x43FC, 0x4400, 0x4500, 0x4580, 0x45C0,
    ] {
        console.write(0xA070_0000 + offset, 0x1238);
        assert_eq!(console.read(0xA070_0000 + offset), 0x1238, "{offset:x}");
    }
}

/// SB_FFST bit 0 is 1 from a write to sound memory until the write buffer has stored the word. Early programs
/// poll for the 1 after each word, and waited for 16 seconds when it was never set.
#[test]
fn the_write_buffer_of_the_sound_block_is_busy_and_drains() {
    const FFST: u32 = 0xA05F_688C;
    let word = Config::default().settings.g2_word_time;
    for address in [0xA080_0000, 0xA070_0004] {
        let mut console = Console::new();
        assert_eq!(console.read(FFST), 0);
        console.write(address, 1);
        assert_eq!(console.read(FFST) & 1, 1, "{address:x}");
        console.pass(word);
        assert_eq!(console.read(FFST) & 1, 0, "{address:x}");
    }
}

/// G2 DMA writes the sound block's registers like the CPU does. Here: the registers of channel 63.
#[test]
fn g2_dma_reaches_the_registers_of_the_sound_block() {
    let mut console = Console::new();
    let words = [0x180, 0x1234, 0x10, 0x20, 0x1F, 0x3C0, 0x7BFF, 0];
    for (n, word) in (0..).zip(words) {
        console.write(0xAC00_0000 + 4 * n, word);
    }
    console.write(ISTNRM, G2);
    g2(&mut console, 0x0070_1F80, 0x0C00_0000, 32, 0);
    console.pass(10_000);
    assert_eq!(console.read(ISTNRM) & G2, G2);
    for (n, word) in (0..).zip(words).skip(1) {
        assert_eq!(console.read(0xA070_1F80 + 4 * n), word, "register {n}");
    }
    assert!(console.0.diagnostics.iter().next().is_none());
    // Back into RAM.
    g2(&mut console, 0x0070_1F80, 0x0C00_0100, 32, 1);
    console.pass(10_000);
    for n in 1..8 {
        assert_eq!(
            console.read(0xAC00_0100 + 4 * n),
            words[n as usize],
            "register {n}"
        );
    }
}

/// Deecy e7a76b5d: each release from reset starts the ARM7 at address 0.
#[test]
fn each_release_restarts_the_arm7() {
    let mut console = Console::new();
    // ldr r0,[pc,#8]; ldr r1,[r0]; add r1,r1,#1; str r1,[r0]; b to itself; the address 1000.
    let program = [
        0xE59F_000C,
        0xE590_1000,
        0xE281_1001,
        0xE580_1000,
        0xEAFF_FFFE,
        0x1000,
    ];
    (0..)
        .zip(program)
        .for_each(|(n, word)| console.write(0xA080_0000 + 4 * n, word));
    for count in 1..4 {
        console.write(0xA070_2C00, 0);
        console.pass(1_000_000);
        console.write(0xA070_2C00, 1);
        assert_eq!(console.read(0xA080_1000), count);
    }
}

fn maple(console: &mut Console, reply: u32, header: u32) {
    console.writes(&[
        (0xAC10_0000, 0x8000_0000),
        (0xAC10_0004, reply),
        (0xAC10_0008, header),
        (0xA05F_6C04, 0x0C10_0000),
        (0xA05F_6C14, 1),
        (ISTNRM, MAPLE),
        (0xA05F_6C18, 1),
    ]);
}

/// flycast 7fec51146 and 8fdcea2e2: a reply address outside RAM raises the illegal-address error only when
/// the reply is stored, and the transfer ends.
#[test]
fn a_maple_reply_outside_ram_is_an_error_at_its_end() {
    let mut console = Console::new();
    maple(&mut console, 0x0400_0000, 0x2001);
    assert_eq!(console.read(ISTERR) >> 8 & 1, 0);
    console.pass(1_000_000);
    assert_eq!(
        (console.read(ISTERR) >> 8 & 1, console.read(ISTNRM) & MAPLE),
        (1, MAPLE)
    );
}

/// flycast 8f80bcb15: a transfer is not complete right after the store that starts it. 2332884d8: a
/// controller's answer takes longer than an empty port with a time-out of 0.
#[test]
fn a_maple_transfer_takes_the_time_of_its_bytes() {
    let mut console = Console::new();
    console.0.maple.ports[0].units[0] = Some(Box::new(Controller::default()));
    maple(&mut console, 0x0C20_0000, 0x2001);
    assert_eq!((console.read(ISTNRM) & MAPLE, console.read(0xA05F_6C18)), (0, 1));
    // 116 bytes at 0.74 Mbit/s: 1.25 ms.
    console.pass(200_000);
    assert_eq!(console.read(ISTNRM) & MAPLE, 0);
    console.pass(100_000);
    assert_eq!(console.read(ISTNRM) & MAPLE, MAPLE);
}

/// KallistiOS writes 0 to MDST, waits until it reads 0, and frees the buffers of the replies
/// (`maple_hw_shutdown`). So the write leaves a transfer running, and MDST is 1 until its end.
#[test]
fn a_write_of_0_to_mdst_does_not_end_a_maple_transfer() {
    let mut console = Console::new();
    maple(&mut console, 0x0C20_0000, 0x2001);
    console.write(0xA05F_6C18, 0);
    assert_eq!(console.read(0xA05F_6C18), 1);
    console.pass(1_000_000);
    assert_eq!(
        (console.read(0xA05F_6C18), console.read(ISTNRM) & MAPLE),
        (0, MAPLE)
    );
}

/// MDEN = 0 aborts a transfer: no reply is stored, and no event follows.
#[test]
fn a_write_of_0_to_mden_aborts_a_maple_transfer() {
    let mut console = Console::new();
    console.write(0xAC20_0000, 0x1234_5678);
    maple(&mut console, 0x0C20_0000, 0x2001);
    console.write(0xA05F_6C14, 0);
    assert_eq!(console.read(0xA05F_6C18), 0);
    console.pass(1_000_000);
    assert_eq!(
        (console.read(0xAC20_0000), console.read(ISTNRM) & MAPLE),
        (0x1234_5678, 0)
    );
}

/// Deecy 5069c90c: a centred stick reports 128, not 127, on both axes.
#[test]
fn a_stick_at_rest_is_at_128() {
    let reply = Controller::default().respond(9, &[0x0100_0000]);
    assert_eq!(reply.data[2], 0x8080_8080);
}

/// Deecy 4a2ac75c: Rayman 2 identifies a memory card by its function data.
#[test]
fn a_visual_memory_names_its_functions() {
    let identity = Vmu::default().identity();
    assert_eq!(identity.functions, 0x0E00_0000);
    assert_eq!(identity.function_data, [0x403F_7E7E, 0x0010_0500, 0x0041_0F00]);
    assert_eq!(identity.name, "Visual Memory");
}

/// flycast 514eedbc6 and ecce9157b: a list that lets a light gun take aim raises its event at the next
/// vertical blank.
#[test]
fn a_light_gun_holds_the_bus_until_the_vertical_blank() {
    let mut console = Console::new();
    console.writes(&[
        (0xAC00_1000, 0x8000_0200),
        (0xA05F_6C04, 0x0C00_1000),
        (0xA05F_6C14, 1),
    ]);
    assert!(console.occurs(1 << 3, 2 * FRAME), "vertical-blank-in");
    console.write(ISTNRM, u32::MAX);
    for _ in 0..2 {
        console.write(0xA05F_6C18, 1);
        let mut parts = 0;
        while !console.occurs(MAPLE, FRAME / 64) {
            assert_eq!(console.read(ISTNRM) & 1 << 3, 0, "no blank without the event");
            parts += 1;
            assert!(parts < 80);
        }
        assert_eq!(console.read(ISTNRM) & 1 << 3, 1 << 3, "the blank");
        assert_eq!(console.read(0xA05F_6C18), 0);
        console.write(ISTNRM, u32::MAX);
    }
}

/// flycast 192838b9c: the triggers of a light gun read 0.
#[test]
fn a_light_gun_has_no_analog_triggers() {
    let reply = LightGun::default().respond(9, &[0x0100_0000]);
    assert_eq!(reply.data[1] >> 16, 0);
}

/// flycast d27142f56: a write past the last block of a visual memory fails, and the memory keeps its bytes.
#[test]
fn a_visual_memory_ends_at_its_last_block() {
    let mut vmu = Vmu::formatted();
    let before = vmu.bytes().to_vec();
    for [high, low] in [[1, 0], [1, 255], [255, 255]] {
        for phase in 0..5 {
            let location = u32::from_le_bytes([0, phase, high, low]);
            let data: Vec<u32> = [0x0200_0000, location].into_iter().chain([7; 32]).collect();
            let (command, words) = if phase < 4 { (12, 34) } else { (13, 2) };
            assert_ne!(
                vmu.respond(command, &data[..words]).code,
                7,
                "block {high}, {low}, phase {phase}"
            );
        }
    }
    assert_eq!(vmu.bytes(), before);
}

fn drive(console: &mut Console, register: u32) -> u32 {
    console.0.read_drive(0x005F_7000 + register, 1)
}

/// flycast cb33387ed: NOP aborts a command that waits for its packet: DRQ is cleared, and the next packet is
/// accepted.
#[test]
fn a_drive_nop_clears_the_data_request() {
    let mut console = Console::new();
    console.0.write_drive(0x005F_709C, 0xA0);
    assert_eq!(drive(&mut console, 0x18) & 8, 8);
    console.0.write_drive(0x005F_709C, 0);
    assert_eq!(drive(&mut console, 0x18) & 0x88, 0);
    console.0.write_drive(0x005F_709C, 0xA0);
    assert_eq!(drive(&mut console, 0x9C), 0x58);
}

/// flycast c3d954263: commands to the absent second device have no effect, and its status reads 0. An unknown
/// ATA command ends with an error.
#[test]
fn a_second_drive_does_not_answer() {
    let mut console = Console::new();
    console.0.write_drive(0x005F_7098, 0x10);
    console.0.write_drive(0x005F_709C, 0xA0);
    assert_eq!((drive(&mut console, 0x18), drive(&mut console, 0x9C)), (0, 0));
    console.0.write_drive(0x005F_7098, 0);
    assert_eq!(drive(&mut console, 0x18) & 8, 0, "no packet is waited for");
    console.0.write_drive(0x005F_709C, 0x55);
    assert_eq!((drive(&mut console, 0x9C), drive(&mut console, 0x84)), (0x51, 4));
}

/// flycast 14360beaf: a soft reset discards the packet, the data and the interrupt; the disc stays.
#[test]
fn a_soft_reset_drops_the_command() {
    let mut console = Console::new();
    console.0.write_drive(0x005F_709C, 0xA0);
    console.0.write_drive(0x005F_7080, 0x1234);
    console.0.write_drive(0x005F_709C, 0x08);
    let signature = [0x84, 0x88, 0x90, 0x94].map(|register| drive(&mut console, register));
    assert_eq!(signature, [1, 1, 0x14, 0xEB]);
    assert_eq!(console.0.events.read(4) & 1, 0);
    console.0.write_drive(0x005F_7080, 0x1234);
    assert_eq!(drive(&mut console, 0x18) & 0x88, 0, "the word was no packet's");
}

/// flycast 914fa29d3: a short G1 DMA is also not complete right after the store that starts it.
#[test]
fn time_of_a_g1_transfer_is_never_zero() {
    let mut console = Console::new();
    console.writes(&[
        (0xA05F_74B8, 0x8843_007F),
        (0xA05F_7404, 0x0C00_0000),
        (0xA05F_7408, 32),
    ]);
    console.writes(&[
        (0xA05F_740C, 1),
        (0xA05F_7414, 1),
        (ISTNRM, 1 << 14),
        (0xA05F_7418, 1),
    ]);
    assert_eq!(
        (console.read(0xA05F_7418), console.read(ISTNRM) >> 14 & 1),
        (1, 0),
        "the drive has no data"
    );
    console.write(0xA05F_7414, 0);
    assert_eq!(console.read(0xA05F_7418), 0);
    assert!(console.0.now >= Cycles(0));
}
