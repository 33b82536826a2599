//! Bad input: random streams, memory and registers must not cause a panic or a hang.

use pvr::*;

struct Random(u64);

impl Random {
    fn word(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 ^ (self.0 >> 11) as u32
    }
}

/// A block that looks like TA input often enough to get somewhere.
fn block(random: &mut Random) -> [u32; 8] {
    let mut words = [0; 8].map(|_: u32| random.word());
    let kind = [
        0x8000_0000,
        0xE000_0000,
        0xE000_0000,
        0xF000_0000,
        0xA000_0000,
        0x2000_0000,
        0,
        random.word(),
    ];
    words[0] = words[0] & 0x07FF_FFFF | kind[(random.word() % 8) as usize] & 0xF000_0000;
    if !random.word().is_multiple_of(4) {
        for word in &mut words[1..] {
            *word = ((*word % 80_000) as f32 / 100.0 - 100.0).to_bits();
        }
    }
    words
}

#[test]
fn random_streams() {
    for seed in 0..8 {
        let mut random = Random(seed);
        let mut frame = Frame::new(200, 120, Settings::default()).expect("size");
        for round in 0..6 {
            for _ in 0..300 {
                frame.block(&block(&mut random));
            }
            if round % 2 == 0 {
                frame.block(&end_of_list());
            }
            let drawn = frame.render(2);
            let picture = drawn.as_ref().map_or(0, |image| image.rgba.len());
            assert!(drawn.is_err() || picture == 200 * 120 * 4);
            frame.pvr_mut().render(2);
            frame.begin();
        }
    }
}

/// Blocks of strips among others, as programs send them.
fn strips(random: &mut Random) -> Vec<[u32; 8]> {
    let mut blocks = Vec::new();
    for _ in 0..60 {
        let polygon = 4 << 29 | (random.word() % 5) << 24 | random.word() & 0x00FF_FFFF;
        blocks.push(block(random).map(|word| word & 0x43FF_FFFF));
        blocks.last_mut().expect("a block")[0] = polygon;
        for _ in 0..random.word() % 20 {
            let mut vertex = block(random).map(|word| word & 0x43FF_FFFF);
            vertex[0] = 7 << 29 | u32::from(random.word().is_multiple_of(4)) << 28;
            blocks.push(vertex);
        }
        blocks.extend([[0xF000_0000; 8]; 2]);
        if random.word().is_multiple_of(9) {
            blocks.push(end_of_list());
        }
        if random.word().is_multiple_of(20) {
            blocks.push(block(random));
        }
    }
    blocks
}

#[test]
fn blocks_may_come_together() {
    let mut stored = 0;
    for seed in 0..30 {
        let blocks = strips(&mut Random(seed));
        let [mut one, mut together, mut cut] =
            [(); 3].map(|()| Frame::new(200, 120, Settings::default()).expect("size"));
        blocks.iter().for_each(|block| one.block(block));
        together.blocks(&blocks);
        blocks.chunks(7).for_each(|part| cut.blocks(part));
        for other in [&together, &cut] {
            assert!(
                one.pvr().vram().bytes() == other.pvr().vram().bytes(),
                "seed {seed}"
            );
            assert_eq!(one.pvr().events(), other.pvr().events());
            assert_eq!(one.warnings(), other.warnings());
            let place =
                |frame: &Frame| [reg::TA_ITP_CURRENT, reg::TA_NEXT_OPB].map(|r| frame.pvr().read_register(r));
            assert_eq!(place(&one), place(other));
        }
        stored += one.pvr().read_register(reg::TA_ITP_CURRENT);
    }
    assert!(stored > 30_000, "{stored} bytes");
}

#[test]
fn random_registers_take_blocks() {
    let mut random = Random(99);
    let mut pvr = Pvr::new(Settings::default());
    for _ in 0..40 {
        for offset in (0x120..0x168).step_by(4) {
            pvr.write_register(offset, random.word());
        }
        pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
        for _ in 0..200 {
            pvr.ta_blocks(&[block(&mut random)]);
        }
    }
}

#[test]
fn random_memory_renders() {
    for seed in 0..3 {
        let mut random = Random(1000 + seed);
        let mut pvr = Pvr::new(Settings::default());
        for at in (0..VRAM_BYTES as u32).step_by(4) {
            // Some ends of lists and of the region array.
            let word = random.word();
            pvr.vram_mut().write32(
                Area::Bits32,
                at,
                if word.is_multiple_of(8) {
                    word | 0xF000_0000
                } else {
                    word
                },
            );
        }
        for offset in (0x18..0x120).step_by(4) {
            pvr.write_register(offset, random.word());
        }
        let stats = pvr.render(2);
        assert!(stats.tiles > 0);
    }
}

/// A list with a single block that links to itself.
#[test]
fn looping_lists_are_cut() {
    let mut frame = Frame::new(32, 32, Settings::default()).expect("size");
    frame.render(1).expect("an empty frame");
    let region = frame.pvr().read_register(reg::REGION_BASE);
    let pvr = frame.pvr_mut();
    pvr.vram_mut().write32(Area::Bits32, region + 4, 0x7000);
    pvr.vram_mut().write32(Area::Bits32, 0x7000, 0xE000_7000);
    pvr.render(1);
    assert!(pvr.warnings().contains(&Warning::ListCut));
}

/// A region array that never ends: memory full of entries for tile 0.
#[test]
fn endless_region_arrays_are_cut() {
    let mut pvr = Pvr::new(Settings::default());
    for at in (0..VRAM_BYTES as u32 / 2).step_by(20) {
        (4..20).step_by(4).for_each(|n| {
            pvr.vram_mut()
                .write32(Area::Bits32, at.wrapping_add(n), 0x8000_0000)
        });
    }
    pvr.render(2);
    assert!(pvr.warnings().contains(&Warning::RegionArrayCut));
}

#[test]
fn overflow_is_an_error_that_says_what() {
    let mut frame = Frame::new(64, 64, Settings::default()).expect("size");
    let isp = IspWord(0).with_depth_mode(DepthMode::Always);
    let header = polygon_header(ListType::Opaque, isp, TspWord(0), None, PolygonFlags::default());
    // Strips of 3 + 8 * 4 = 35 words each: 4 MiB hold 29,959 of them.
    for _ in 0..31_000 {
        frame.block(&header);
        for n in 0..8u32 {
            let at = [(n % 2) as f32 * 9.0, n as f32, 1.0];
            frame.block(&vertex(n == 7, at, [0.0; 2], Argb(0), Argb(0)));
        }
    }
    frame.block(&end_of_list());
    let error = frame.render(1).expect_err("too many");
    assert!(
        matches!(error, FrameError::Parameters { limit: 0x40_0000 }),
        "{error}"
    );
    assert!(error.to_string().contains("4194304"), "{error}");
    frame.begin();
    assert!(frame.render(1).is_ok(), "the next frame is not harmed");
}

#[test]
fn frames_say_what_is_wrong_with_them() {
    let new = |w, h| Frame::new(w, h, Settings::default()).map(|_| ());
    assert_eq!(new(0, 8), Err(FrameError::Size { width: 0, height: 8 }));
    assert_eq!(
        new(2049, 8),
        Err(FrameError::Size {
            width: 2049,
            height: 8
        })
    );
    assert_eq!(
        new(8, 1025),
        Err(FrameError::Size {
            width: 8,
            height: 1025
        })
    );
    let error = new(1280, 1280).expect_err("too high").to_string();
    assert_eq!(
        error,
        "frame is 1280x1280 pixels; the chip's framebuffer has 1x1 to 2048x1024"
    );
    let mut frame = Frame::new(640, 480, Settings::default()).expect("size");
    let error = frame.upload_texture(&vec![0; 8 << 20], 8).expect_err("too big");
    assert!(matches!(error, FrameError::TextureSpace { bytes: 0x80_0000, free } if free > 3 << 20));
    assert_eq!(frame.upload_texture(&[0; 8], 24), Err(FrameError::Alignment(24)));
    let header = polygon_header(
        ListType::Opaque,
        IspWord(0),
        TspWord(0),
        None,
        PolygonFlags::default(),
    );
    frame.block(&header);
    assert_eq!(
        frame.render(1).err(),
        Some(FrameError::OpenList(ListType::Opaque))
    );
    frame.block(&vertex(false, [0.0; 3], [0.0; 2], Argb(0), Argb(0)));
    frame.block(&end_of_list());
    assert_eq!(frame.render(1).err(), Some(FrameError::IllegalParameter));
}

/// Frames wider than a framebuffer line are drawn in bands.
#[test]
fn the_largest_frame() {
    let mut frame = Frame::new(2048, 512, Settings::default()).expect("size");
    let isp = IspWord(0).with_depth_mode(DepthMode::Always);
    let tsp = TspWord(0)
        .with_src(BlendFactor::One)
        .with_use_alpha(true)
        .with_fog(FogMode::None);
    frame.block(&polygon_header(
        ListType::Opaque,
        isp,
        tsp,
        None,
        PolygonFlags::default(),
    ));
    for (n, (x, y)) in [(980.0, 100.0), (2040.0, 100.0), (980.0, 500.0), (2040.0, 500.0)]
        .into_iter()
        .enumerate()
    {
        frame.block(&vertex(n == 3, [x, y, 1.0], [0.0; 2], Argb(0xFF40_8020), Argb(0)));
    }
    frame.block(&end_of_list());
    let image = frame.render(2).expect("render");
    for y in 0..512usize {
        for x in 0..2048usize {
            let at = (y * 2048 + x) * 4;
            let inside = (980..2040).contains(&x) && (100..500).contains(&y);
            let expected = if inside {
                [0x40, 0x80, 0x20, 255]
            } else {
                [0, 0, 0, 255]
            };
            assert_eq!(image.rgba[at..at + 4], expected, "at {x}, {y}");
        }
    }
}
