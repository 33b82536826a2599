//! The PowerVR2: the tile accelerator, the core, and the whole chip as a console uses it.

use crate::source::Source;
use std::cell::RefCell;

use pvr::settings::Table;
use pvr::{Area, Border, Field, Pvr, Settings, SortDma, reg};

/// Runs `run` with a chip from an earlier run, because a new chip allocates 8 MiB of memory and starts
/// threads. `run` may replace the chip.
fn with_chip(fill: u8, settings: Settings, run: impl FnOnce(&mut Pvr)) {
    thread_local! {
        static CHIPS: RefCell<Vec<(u8, Pvr)>> = const { RefCell::new(Vec::new()) };
    }
    let known = CHIPS.with_borrow_mut(|chips| {
        let at = chips.iter().position(|(of, _)| *of == fill)?;
        Some(chips.swap_remove(at))
    });
    let mut chip = known.unwrap_or_else(|| new_chip(fill));
    chip.1.set_settings(settings);
    run(&mut chip.1);
    chip.1.reset(fill);
    CHIPS.with_borrow_mut(|chips| chips.push(chip));
}

fn new_chip(fill: u8) -> (u8, Pvr) {
    let mut pvr = Pvr::new(Settings::default());
    pvr.vram_mut().bytes_mut().fill(fill);
    (fill, pvr)
}

/// Returns settings in which each switch has a random choice.
fn settings(words: &mut Source<'_>) -> Settings {
    let mut settings = Settings::default();
    let mut bits = u64::from(words.word()) << 32 | u64::from(words.word());
    for row in settings.rows() {
        let count = row.choices().len() as u64;
        assert!(settings.set_number(row.name, bits % count));
        bits /= count;
    }
    settings
}

/// Writes registers and then blocks: mostly TA input, sometimes a list init, a list continuation, a YUV block
/// or a soft reset. At the end it sends all blocks as a sort DMA.
pub(crate) fn ta(data: &[u8]) {
    let mut words = Source::new(data);
    with_chip(0, settings(&mut words), |pvr| ta_input(pvr, words, data));
}

fn ta_input(pvr: &mut Pvr, mut words: Source<'_>, data: &[u8]) {
    for register in [
        reg::TA_ALLOC_CTRL,
        reg::TA_GLOB_TILE_CLIP,
        reg::TA_ISP_BASE,
        reg::TA_ISP_LIMIT,
        reg::TA_OL_BASE,
        reg::TA_OL_LIMIT,
        reg::TA_NEXT_OPB_INIT,
        reg::TA_YUV_TEX_CTRL,
        reg::TA_YUV_TEX_BASE,
    ] {
        pvr.write_register(register, words.word());
    }
    pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
    let rest = words.rest();
    while !words.is_empty() {
        let block: [u32; 8] = std::array::from_fn(|_| words.word());
        pvr.ta_blocks(&[block]);
        let (register, value) = match block[7] & 0xFF {
            1 => (reg::TA_LIST_INIT, 1 << 31),
            2 => (reg::TA_LIST_CONT, 1 << 31),
            3 => (reg::SOFTRESET, 1),
            4..=15 => {
                pvr.write_yuv(&block.map(u32::to_le_bytes).concat());
                continue;
            }
            _ => continue,
        };
        pvr.write_register(register, value);
    }
    pvr.sort_dma(&SortDma {
        table: &rest[..rest.len().min(16)],
        data: rest,
        wide_entries: data.len() & 1 != 0,
        block_links: data.len() & 2 != 0,
    });
}

/// Uses the chip as a console does, with random data: registers at all offsets, bursts to the TA and the
/// converter, and writes to memory in all sizes. Renders use current and older registers; pictures have all
/// fields and borders.
pub(crate) fn console(data: &[u8]) {
    let mut words = Source::new(data);
    // Region arrays and object lists can end anywhere. In zeroed memory they would be as long as the memory.
    with_chip(0xF0, settings(&mut words), |pvr| drive(pvr, words));
}

/// Registers with the sizes of rendered and displayed pictures, and a mask that keeps each size small. Large
/// pictures take time and find no more errors.
const SMALL: [(u32, u32); 3] = [
    (reg::FB_R_SIZE, 0x03F0_FC3F),
    (reg::FB_X_CLIP, 0x007F_007F),
    (reg::FB_Y_CLIP, 0x007F_007F),
];

fn drive(pvr: &mut Pvr, mut words: Source<'_>) {
    let any_size = words.chance(64);
    let mut latched = pvr.registers().clone();
    // Maximum number of renders and displayed pictures, which take long.
    let mut left = 3;
    while !words.is_empty() {
        let (what, address, value) = (words.word(), words.word(), words.word());
        let area = [Area::Bits32, Area::Bits64][(what >> 8 & 1) as usize];
        match what & 15 {
            0..=3 => {
                pvr.write_register(address, value);
                let _ = pvr.read_register(address);
                if !any_size {
                    keep_small(pvr);
                }
            }
            4 => pvr.write_ta(&words.rest()[..words.rest().len().min(address as usize % 200)]),
            5 => pvr.write_yuv(&words.rest()[..words.rest().len().min(address as usize % 200)]),
            6 => pvr.vram_mut().write64(area, address, value.into()),
            7 => pvr.vram_mut().write16(area, address, value as u16),
            8 => {
                let block = &words.rest()[..words.rest().len().min(100)];
                pvr.vram_mut().write_bytes(area, address, block);
                let back = pvr.vram().to_vec(area, address, block.len());
                assert!(back == block);
            }
            9 => pvr.vram_mut().mark_written(address as usize..value as usize),
            10 => latched = pvr.registers().clone(),
            11 if left > 0 => {
                left -= 1;
                pvr.render(1 + (value & 1) as usize);
            }
            12 if left > 0 => {
                left -= 1;
                pvr.render_with(&latched, 1);
            }
            13 if left > 0 => {
                left -= 1;
                let field = [Field::First, Field::Second, Field::Both][(value % 3) as usize];
                let border = [Border::None, Border::Pixels(value), Border::Visible][(what >> 9) as usize % 3];
                let picture = pvr.scan_out(&latched, field, border);
                assert_eq!(picture.rgba.len(), (picture.width * picture.height * 4) as usize);
            }
            _ => {
                pvr.take_events();
            }
        }
    }
}

fn keep_small(pvr: &mut Pvr) {
    for (register, mask) in SMALL {
        pvr.write_register(register, pvr.read_register(register) & mask);
    }
}

/// Addresses of the parts of [`core`]'s memory. They are small, so that random pointers often point to data.
const PARAMETERS: u32 = 0;
const LISTS: u32 = 0x1_0000;
const REGIONS: u32 = 0x2_0000;

/// Words of object lists.
const OBJECTS: u32 = 12;

/// Returns a word for place `n` of the object lists. Links go only to later places, so that lists end. The
/// target `chip` has loops of links and links to any address.
fn object_word(word: u32, n: u32) -> u32 {
    match word >> 29 == 7 && word >> 28 & 1 == 0 {
        false => word & 0xFFE0_03FF,
        true => 0xE000_0000 | (LISTS + 4 * (n + 1 + word % 8).min(OBJECTS)),
    }
}

/// Writes registers, a few region entries, object words and parameters. Drawing with two threads and drawing
/// by the definition must give the same memory.
pub(crate) fn core(data: &[u8]) {
    let mut words = Source::new(data);
    let settings = settings(&mut words);
    with_chip(0, settings, |fast| {
        with_chip(0, settings, |plain| {
            prepare(fast, words);
            prepare(plain, words);
            fast.render(2);
            plain.render_probed(&mut ());
            let written = [&*fast, &*plain].map(|pvr| pvr.vram().written_ranges().collect::<Vec<_>>());
            let same = |range: &std::ops::Range<usize>| {
                fast.vram().bytes()[range.clone()] == plain.vram().bytes()[range.clone()]
            };
            assert!(
                written.iter().flatten().all(same),
                "the fast core draws something else"
            );
            fast.inspect(5, 5, &mut ());
            let _ = fast.scan_out(fast.registers(), Field::Both, Border::Pixels(1));
        });
    });
}

/// Prepares a chip to draw a frame.
fn prepare(pvr: &mut Pvr, mut words: Source<'_>) {
    for &(_, offset) in reg::ALL {
        let acts = matches!(offset, reg::STARTRENDER | reg::TA_LIST_INIT | reg::TA_LIST_CONT);
        if !acts && offset < reg::FOG_TABLE {
            pvr.write_register(offset, words.word());
        }
    }
    for register in [reg::FOG_TABLE, reg::PALETTE_RAM] {
        for n in 0..8 {
            pvr.write_register(register + 4 * n, words.word());
        }
    }
    keep_small(pvr);
    pvr.write_register(reg::PARAM_BASE, PARAMETERS);
    pvr.write_register(reg::REGION_BASE, REGIONS);
    // Large textures are slow to decode: most have sides of 8 or 32.
    let sizes = if words.chance(64) { 0x3F } else { 0x12 };
    let entries = words.word() % 2 + 1;
    let entry_words = if pvr.read_register(reg::FPU_PARAM_CFG) >> 21 & 1 != 0 {
        6
    } else {
        5
    };
    for n in 0..entries {
        let last = u32::from(n + 1 == entries) << 31;
        // The four tiles in the corner of the screen.
        let control = words.word() & 0x7000_0104 | last;
        pvr.vram_mut()
            .write32(Area::Bits32, REGIONS + 4 * entry_words * n, control);
        for list in 1..entry_words {
            let pointer = words.word() & 0x8000_001C | LISTS;
            pvr.vram_mut()
                .write32(Area::Bits32, REGIONS + 4 * (entry_words * n + list), pointer);
        }
    }
    let objects: [u32; OBJECTS as usize] = std::array::from_fn(|n| object_word(words.word(), n as u32));
    for (n, word) in (0..).zip(objects) {
        pvr.vram_mut().write32(Area::Bits32, LISTS + 4 * n, word);
    }
    // Lists that continue into zeroed memory take a second each.
    pvr.vram_mut()
        .write32(Area::Bits32, LISTS + 4 * OBJECTS, 0xF000_0000);
    let mut at = PARAMETERS;
    while !words.is_empty() && at < LISTS {
        pvr.vram_mut().write32(Area::Bits32, at, words.word());
        at += 4;
    }
    for word in objects.iter().filter(|word| **word >> 29 != 7) {
        // TSP words: of the first polygon, and of the second volume.
        for place in [1, 3] {
            let at = PARAMETERS + 4 * ((word & 0x3FF) + place);
            let tsp = pvr.vram().read32(Area::Bits32, at);
            pvr.vram_mut().write32(Area::Bits32, at, tsp & (!0x3F | sizes));
        }
    }
}
