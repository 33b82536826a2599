//! Tests of the chip with the interface for a console: register writes, bursts and memory, without `Frame`.

use pvr::{
    Area, Argb, BlendFactor, Border, DepthMode, Effect, Event, Field, FogMode, IspWord, ListType,
    PolygonFlags, Pvr, RenderStats, Settings, TspWord, Warning, end_of_list, polygon_header, reg, vertex,
};

/// Object lists: two lists of 8-word blocks for two tiles, then their continuation blocks.
const LISTS: u32 = 0x10_0000;
const OVERFLOW: u32 = LISTS + 2 * 2 * 32;
const BACKGROUND: u32 = 0x0E_0000;
const REGIONS: u32 = 0x18_0000;
const FRAMEBUFFER: u32 = 0x20_0000;
const RED: u32 = 0xFFFF_0000;
const BLUE: u32 = 0xFF00_00FF;

fn bytes(blocks: &[[u32; 8]]) -> Vec<u8> {
    let words = blocks.as_flattened().iter();
    words.flat_map(|word| word.to_le_bytes()).collect()
}

fn header(list: ListType) -> [u32; 8] {
    let isp = IspWord(0).with_depth_mode(DepthMode::Always);
    let tsp = TspWord(0).with_src(BlendFactor::One).with_fog(FogMode::None);
    polygon_header(list, isp, tsp, None, PolygonFlags::default())
}

/// A triangle over the left and upper half of an image of 64x32 pixels, as four blocks.
fn triangle(list: ListType, colour: u32) -> Vec<[u32; 8]> {
    let corners = [(false, 0.0, 0.0), (false, 64.0, 0.0), (true, 0.0, 32.0)];
    let corners = corners.map(|(last, x, y)| vertex(last, [x, y, 1.0], [0.0; 2], Argb(colour), Argb(0)));
    [&[header(list)], &corners[..]].concat()
}

/// A chip with registers for an image of 64x32 pixels, 565, two tiles; the background is blue.
fn console() -> Pvr {
    let mut pvr = Pvr::new(Settings::default());
    for (offset, value) in [
        (reg::SOFTRESET, 0),
        (reg::TA_GLOB_TILE_CLIP, 1),
        (reg::TA_ALLOC_CTRL, 0x101),
        (reg::TA_ISP_BASE, 0),
        (reg::TA_ISP_LIMIT, 0x1000),
        (reg::TA_OL_BASE, LISTS),
        (reg::TA_OL_LIMIT, LISTS + 0x1000),
        (reg::TA_NEXT_OPB_INIT, OVERFLOW),
        (reg::PARAM_BASE, 0),
        (reg::REGION_BASE, REGIONS),
        (reg::ISP_BACKGND_T, 1 << 24 | (BACKGROUND / 4) << 3),
        (reg::FB_W_CTRL, 1),
        (reg::FB_W_LINESTRIDE, 64 * 2 / 8),
        (reg::FB_W_SOF1, FRAMEBUFFER),
        (reg::FB_X_CLIP, 63 << 16),
        (reg::FB_Y_CLIP, 31 << 16),
        (reg::FB_R_CTRL, 1 << 2 | 1),
        (reg::FB_R_SIZE, 1 << 20 | 31 << 10 | 31),
        (reg::FB_R_SOF1, FRAMEBUFFER),
        (reg::VO_CONTROL, 0),
    ] {
        assert_ne!(pvr.write_register(offset, value), Effect::Ignored);
    }
    let mut words = vec![0, 0x2080_0000, 0];
    for [x, y] in [[0.0f32, 0.0], [64.0, 0.0], [0.0, 32.0]] {
        words.extend([x.to_bits(), y.to_bits(), 1e-4f32.to_bits(), BLUE]);
    }
    for (n, word) in (0..).zip(words) {
        pvr.vram_mut().write32(Area::Bits32, BACKGROUND + 4 * n, word);
    }
    for tile in 0..2 {
        let control = tile << 31 | tile << 2;
        let (opaque, translucent) = (LISTS + 32 * tile, LISTS + 64 + 32 * tile);
        let entry = [control, opaque, 1 << 31, translucent, 1 << 31];
        for (n, word) in (0..).zip(entry) {
            pvr.vram_mut()
                .write32(Area::Bits32, REGIONS + 20 * tile + 4 * n, word);
        }
    }
    assert_eq!(pvr.write_register(reg::TA_LIST_INIT, 1 << 31), Effect::ListInit);
    pvr
}

/// Closes both lists; the opaque one contains the triangle.
fn send(pvr: &mut Pvr) {
    pvr.write_ta(&bytes(&triangle(ListType::Opaque, RED)));
    pvr.write_ta(&bytes(&[
        end_of_list(),
        header(ListType::Translucent),
        end_of_list(),
    ]));
}

fn pixel(pvr: &Pvr, x: u32, y: u32) -> [u8; 4] {
    let picture = pvr.scan_out(pvr.registers(), Field::Both, Border::None);
    assert_eq!((picture.width, picture.height), (64, 32));
    let at = ((y * picture.width + x) * 4) as usize;
    std::array::from_fn(|n| picture.rgba[at + n])
}

#[test]
fn a_frame_by_registers_alone() {
    let mut pvr = console();
    send(&mut pvr);
    let events = pvr.take_events();
    assert!(events.has(Event::OpaqueDone) && events.has(Event::TranslucentDone));
    assert_eq!(pvr.write_register(reg::STARTRENDER, 1), Effect::StartRender);
    let latched = pvr.registers().clone();
    // Write the next frame's registers while the chip draws.
    pvr.write_register(reg::FB_W_SOF1, FRAMEBUFFER + 0x1_0000);
    pvr.write_register(reg::REGION_BASE, 0);
    let stats = pvr.render_with(&latched, 2);
    let expected = RenderStats {
        tiles: 2,
        triangles: [2, 0, 0, 0, 0],
        shaded: [64 * 32, 0, 0, 0, 0],
        ..RenderStats::default()
    };
    assert_eq!(stats, expected);
    assert_eq!(
        [pixel(&pvr, 3, 3), pixel(&pvr, 60, 30)],
        [[248, 0, 0, 255], [0, 0, 248, 255]]
    );
    // Row y has the pixels x with x + 0.5 + 2 (y + 0.5) < 64: 63 - 2 y of them.
    let picture = pvr.scan_out(pvr.registers(), Field::Both, Border::None);
    let red = picture
        .rgba
        .chunks_exact(4)
        .filter(|pixel| pixel[0] == 248)
        .count();
    assert_eq!(red, (0..32).map(|y| 63 - 2 * y).sum::<usize>());
    assert!(
        pvr.take_events().words() == [0; 3],
        "the console raises the events of a render"
    );
    assert!(pvr.warnings().is_empty(), "{:?}", pvr.warnings());
}

#[test]
fn positions_are_read_while_a_list_is_open() {
    let mut pvr = console();
    let position = |pvr: &Pvr| {
        [reg::TA_ITP_CURRENT, reg::TA_NEXT_OPB, reg::TA_OL_POINTERS].map(|offset| pvr.read_register(offset))
    };
    assert_eq!(position(&pvr), [0, OVERFLOW, 0]);
    let blocks = triangle(ListType::Opaque, RED);
    for block in &blocks {
        assert_eq!(position(&pvr)[0], 0);
        pvr.write_ta(&bytes(&[*block]));
    }
    // Three words of header and three vertices of four; binned at the next parameter.
    assert_eq!(position(&pvr), [15 * 4, OVERFLOW, LISTS]);
    assert_eq!(pvr.open_list(), Some(ListType::Opaque));
    pvr.write_ta(&bytes(&blocks[..1]));
    // One triangle: bits 31 and 29, the next entry.
    assert_eq!(position(&pvr), [15 * 4, OVERFLOW, 0xA000_0000 | (LISTS + 4)]);
    assert_eq!(pvr.take_events().words(), [0; 3]);
    pvr.write_ta(&bytes(&[end_of_list()]));
    assert_eq!(pvr.open_list(), None);
    let list = [0, 4].map(|n| pvr.vram().read32(Area::Bits32, LISTS + n));
    assert_eq!(list, [0x8020_0000, 0xF000_0000]);
    assert_eq!(
        pvr.write_register(reg::TA_LIST_CONT, 1 << 31),
        Effect::ListContinue
    );
    assert_eq!(position(&pvr)[0], 15 * 4, "parameters continue");
    pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
    assert_eq!(position(&pvr)[0], 0);
}

#[test]
fn limits_and_lists_that_were_not_opened_raise_events() {
    let mut pvr = console();
    pvr.write_register(reg::TA_ISP_LIMIT, 64);
    pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
    let blocks = triangle(ListType::Opaque, RED);
    pvr.write_ta(&bytes(&blocks));
    assert_eq!(pvr.take_events().words(), [0; 3], "15 words have room");
    pvr.write_ta(&bytes(&blocks));
    assert!(pvr.take_events().has(Event::ParameterOverflow));
    assert_eq!(pvr.read_register(reg::TA_ITP_CURRENT), 64);
    pvr.write_ta(&bytes(&[end_of_list()]));
    assert!(
        pvr.take_events().has(Event::OpaqueDone),
        "an overflow does not halt the list"
    );
    // Punch-through: list 4 in bits 26:24 of the parameter control word.
    pvr.write_ta(&bytes(&[[4 << 24, 0, 0, 0, 0, 0, 0, 0]]));
    assert!(pvr.take_events().has(Event::PunchThroughDone));
    assert!(!pvr.has_list(ListType::PunchThrough));
    pvr.write_ta(&[0; 40]);
    assert!(pvr.take_events().has(Event::OpaqueDone));
    assert_eq!(pvr.warnings(), [Warning::PartialBurst]);
}

/// The frame of a program that sends its polygon parameter in the first frame only, after a user clip.
#[test]
fn vertices_without_a_polygon_parameter_are_dropped_with_a_warning() {
    let mut pvr = console();
    let clip = [1 << 29, 0, 0, 0, 0, 0, 1, 0];
    let first = [&[clip], &triangle(ListType::Opaque, RED)[..], &[end_of_list()]].concat();
    pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
    pvr.write_ta(&bytes(&first));
    assert!(pvr.take_events().has(Event::OpaqueDone) && pvr.warnings().is_empty());
    assert_ne!(pvr.read_register(reg::TA_ITP_CURRENT), 0);
    let second = [&first[..1], &first[2..]].concat();
    pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
    pvr.write_ta(&bytes(&second));
    // Vectors 5.15.1 and 5.15.2: the list's event and no error event.
    assert_eq!(pvr.take_events().words(), [1 << Event::OpaqueDone as u32, 0, 0]);
    assert_eq!(pvr.read_register(reg::TA_ITP_CURRENT), 0, "nothing is stored");
    assert_eq!(pvr.warnings(), [Warning::VertexWithoutPolygon]);
}

/// Deecy b26c1cbd: a polygon parameter without vertices sets the face colour, and the next frame keeps it.
#[test]
fn face_colours_need_no_vertices_and_outlive_the_frame() {
    let mut pvr = console();
    // Colour types 2 and 3: intensity, with a face colour of its own or with the previous one.
    let face = |kind: u32, colour: [f32; 4]| {
        let mut block = header(ListType::Opaque);
        block[0] |= kind << 4;
        block[4..].copy_from_slice(&colour.map(f32::to_bits));
        block
    };
    let corners = [(false, 0.0, 0.0), (false, 64.0, 0.0), (true, 0.0, 32.0)];
    let lit = corners.map(|(last, x, y): (bool, f32, f32)| {
        let end = u32::from(last) << 28 | 7 << 29;
        [
            end,
            x.to_bits(),
            y.to_bits(),
            1f32.to_bits(),
            0,
            0,
            1f32.to_bits(),
            0,
        ]
    });
    pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
    pvr.write_ta(&bytes(&[face(2, [1.0, 1.0, 0.0, 0.0]), end_of_list()]));
    pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
    pvr.write_ta(&bytes(
        &[&[face(3, [0.0; 4])], &lit[..], &[end_of_list()]].concat(),
    ));
    // ISP, TSP and TCW; x, y, z and colour of the first vertex.
    assert_eq!(pvr.vram().read32(Area::Bits32, 6 * 4), RED);
}

#[test]
fn object_lists_overflow_one_block_early() {
    let mut pvr = console();
    // One block of 8 words beyond the matrix, then the limit.
    pvr.write_register(reg::TA_OL_LIMIT, OVERFLOW + 64);
    pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
    // A strip of four vertices is a strip entry, which is not merged: one word per tile.
    let corners = [[0.0, 0.0], [8.0, 0.0], [0.0, 8.0], [8.0, 8.0]];
    let mut strip = vec![header(ListType::Opaque)];
    for (n, [x, y]) in corners.into_iter().enumerate() {
        strip.push(vertex(n == 3, [x, y, 1.0], [0.0; 2], Argb(RED), Argb(0)));
    }
    for _ in 0..8 {
        pvr.write_ta(&bytes(&strip));
        assert!(!pvr.events().has(Event::ListOverflow));
    }
    // The eighth entry needs a second block; it is binned at the next header.
    pvr.write_ta(&bytes(&strip[..1]));
    assert!(pvr.take_events().has(Event::ListOverflow));
    let link = pvr.vram().read32(Area::Bits32, LISTS + 28);
    assert_eq!(link, 0xE000_0000 | OVERFLOW);
    assert_eq!(pvr.read_register(reg::TA_NEXT_OPB), OVERFLOW + 32);
}

#[test]
fn registers_are_masked_and_tell_their_effect() {
    let mut pvr = Pvr::new(Settings::default());
    for (offset, value, effect, read) in [
        (reg::ID, 1, Effect::Ignored, 0x17FD_11DB),
        (reg::SOFTRESET, !0, Effect::SoftReset(7), 7),
        (reg::SPG_LOAD, !0, Effect::Video, 0x03FF_03FF),
        (reg::SPG_STATUS, !0, Effect::Ignored, 0),
        (reg::FB_R_CTRL, !0, Effect::Video, 0x00FF_FF7F),
        (reg::TA_LIST_INIT, 1, Effect::Stored, 0),
        (reg::TA_YUV_TEX_BASE, !0, Effect::YuvStart, 0x00FF_FFF8),
        (reg::PALETTE_RAM + 4, 0x1234_5678, Effect::Stored, 0x1234_5678),
        (reg::FOG_TABLE + 4, 0x1234, Effect::Stored, 0x1234),
        (0x500, !0, Effect::Ignored, 0),
    ] {
        assert_eq!(pvr.write_register(offset, value), effect, "{offset:#x}");
        assert_eq!(pvr.read_register(offset), read, "{offset:#x}");
    }
}

#[test]
fn a_render_goes_into_a_texture_and_addresses_outside_are_counted() {
    let mut pvr = console();
    send(&mut pvr);
    // The 64-bit area from 0x300000 on, as a texture of 64x32.
    pvr.write_register(reg::FB_W_SOF1, 1 << 24 | 0x30_0000);
    pvr.write_register(reg::REGION_BASE, 0x80_0000 + REGIONS);
    let stats = pvr.render(1);
    assert_eq!((stats.outside, stats.tiles), (2, 2), "both region entries");
    let texel = |x: u32, y: u32| pvr.vram().read16(Area::Bits64, 0x30_0000 + (y * 64 + x) * 2);
    assert_eq!([texel(3, 3), texel(60, 30)], [0xF800, 0x001F]);
}
