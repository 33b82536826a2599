//! Cells as tile accelerator input, and sprite motions: numbers by hand from docs/formats/ninja.md 2.5 and
//! 2.7.

use ninja::{Argb, Bams, Cell, CellAttr, Element, Key, Keys, Motion, MotionKind, MotionType};
use proptest::prelude::*;
use pvr::ListType;
use scene::{
    BoundTexture, CellSettings, CellSprite, CellStats, CellWarning, LastKey, MotionError, PunchThrough,
    QuadForm, SpriteMotion, SpriteSpace, SpriteValue, TaLists, Textures, Viewport, draw_sprite_2d,
    draw_sprite_3d,
};
use sh4_kernels::{IDENTITY, Reference};

type Blocks = Vec<[u32; 8]>;

fn textures() -> Textures {
    let texture = |word| BoundTexture {
        word: pvr::TextureWord(word),
        width: 8,
        height: 8,
    };
    Textures {
        bound: vec![Some(texture(1))],
        checker: texture(2),
    }
}

fn draw_with(settings: &CellSettings, value: SpriteValue, cells: &[Cell]) -> (CellStats, Blocks) {
    let mut sprite = CellSprite::new(cells.to_vec());
    sprite.value = value;
    let mut lists = TaLists::default();
    let words = sprite.words();
    let drawn = draw_sprite_2d(
        &words,
        &sprite.value,
        &textures(),
        settings,
        &mut Reference,
        &mut lists,
    );
    (drawn.expect("drawn"), lists.blocks())
}

fn draw(value: SpriteValue, cells: &[Cell]) -> (CellStats, Blocks) {
    draw_with(&CellSettings::default(), value, cells)
}

fn floats<const N: usize>(words: &[u32]) -> [f32; N] {
    std::array::from_fn(|i| f32::from_bits(words[i]))
}

fn list_of(header: &[u32; 8]) -> u32 {
    header[0] >> 24 & 7
}

const SIZED: fn() -> Cell = || Cell {
    size: [20.0, 10.0],
    ..Cell::default()
};

fn at(pos: [f32; 3]) -> SpriteValue {
    SpriteValue {
        pos,
        ..SpriteValue::default()
    }
}

#[test]
fn a_sprite_goes_around_its_corners() {
    let cell = Cell {
        offset: [4.0, 3.0],
        priority: 100,
        ..SIZED()
    };
    let (stats, blocks) = draw(at([100.0, 50.0, -1.0]), &[cell]);
    assert_eq!((stats.sprites, stats.strips, blocks.len()), (1, 0, 4));
    assert_eq!(blocks[0][0] >> 29, 5, "a sprite parameter");
    assert_eq!(blocks[0][4..6], [0xFFFF_FFFF, 0xFF00_0000]);
    // z = -1 + 100 * 3.0520e-5 = -0.996948, and 1/w = 1.003061...
    let depth = 1.0_f64 / (1.0 - 100.0 * 3.0520e-5);
    let [ax, ay, az, bx, by, bz, cx] = floats(&blocks[1][1..]);
    let [cy, cz, dx, dy] = floats(&blocks[2][..4]);
    assert_eq!([ax, ay, bx, by], [94.0, 48.0, 114.0, 48.0]);
    assert_eq!([cx, cy, dx, dy], [114.0, 58.0, 94.0, 58.0]);
    for z in [az, bz, cz] {
        assert!((f64::from(z) - depth).abs() < 1.0e-6, "{z} {depth}");
    }
    // u, v of top left, top right, bottom right: 0 or 1 in the upper halves of floats.
    assert_eq!(blocks[2][5..], [0x0000_0000, 0x3F80_0000, 0x3F80_3F80]);
}

#[test]
fn differing_colours_make_a_strip() {
    let colours = [0xFF10_2030, 0xFF40_5060, 0xFF70_8090, 0xFFA0_B0C0].map(Argb);
    let cell = Cell {
        attr: CellAttr::VERTEX_COLOR | CellAttr::FLIP_H | CellAttr::FLIP_V,
        argb: colours,
        uv0: [0.25, 0.5],
        uv2: [0.75, 1.0],
        ..SIZED()
    };
    let value = SpriteValue {
        specular: [9.0, 1.0, 0.5, 0.25],
        ..at([100.0, 50.0, -2.0])
    };
    let (stats, blocks) = draw(value, &[cell]);
    assert_eq!((stats.sprites, stats.strips, blocks.len()), (0, 1, 6));
    let expected = [
        ([90.0, 45.0, 0.5, 0.75, 1.0], colours[0]),
        ([90.0, 55.0, 0.5, 0.75, 0.5], colours[1]),
        ([110.0, 45.0, 0.5, 0.25, 1.0], colours[2]),
        ([110.0, 55.0, 0.5, 0.25, 0.5], colours[3]),
    ];
    for (block, (vertex, colour)) in blocks[1..5].iter().zip(expected) {
        assert_eq!(floats(&block[1..]), vertex);
        // 255, 127.5 and 63.75 truncated.
        assert_eq!(block[6..], [colour.0, 0xFFFF_7F3F]);
    }
}

#[test]
fn colours_are_truncated_and_wrap() {
    let cell = Cell {
        attr: CellAttr::VERTEX_COLOR,
        argb: [Argb(0x8001_FF03), Argb(0), Argb(0), Argb(0)],
        ..SIZED()
    };
    let value = SpriteValue {
        diffuse: [0.5, 1.5, 2.0, 0.9],
        ..SpriteValue::default()
    };
    let (_, blocks) = draw(value, &[cell]);
    // 64; 1.5 -> 1; 510 - 256 = 254; 2.7 -> 2.
    assert_eq!(blocks[1][6], 0x4001_FE02);
    // Without vertex colours 255 is multiplied: 127.5; 382.5 - 256; 510 - 256; 229.5.
    let (_, blocks) = draw(value, &[SIZED()]);
    assert_eq!(blocks[0][4], 0x7F7E_FEE5);
}

#[test]
fn the_centre_and_both_angles_turn() {
    let cell = Cell {
        zang: 0x4000,
        center: [0.0, 0.0],
        offset: [5.0, 0.0],
        ..SIZED()
    };
    let value = SpriteValue {
        zang: Bams(0x4000),
        scale: [2.0, 3.0],
        ..at([100.0, 50.0, -1.0])
    };
    let (_, blocks) = draw(value, &[cell]);
    // 40 x 30, rotated by a quarter turn: (0, 0) (-30, 0) / (0, 40) (-30, 40); moved by (10, 0); rotated by
    // another quarter turn.
    let [ax, ay, _, bx, by, _, cx] = floats::<7>(&blocks[1][1..]);
    let [cy, _, dx, dy] = floats::<4>(&blocks[2][..4]);
    let near = |got: f32, wanted: f32| assert!((got - wanted).abs() < 1.0e-4, "{got} {wanted}");
    for (got, wanted) in [ax, ay, bx, by, cx, cy, dx, dy]
        .into_iter()
        .zip([100.0, 60.0, 60.0, 60.0, 60.0, 30.0, 100.0, 30.0])
    {
        near(got, wanted);
    }
}

#[test]
fn attributes_choose_the_list() {
    let list = |attr: CellAttr, punch_through| {
        let settings = CellSettings {
            punch_through,
            ..CellSettings::default()
        };
        let (_, blocks) = draw_with(&settings, SpriteValue::default(), &[Cell { attr, ..SIZED() }]);
        list_of(&blocks[0])
    };
    let both = CellAttr::ALPHA | CellAttr::PUNCH_THROUGH;
    let code = |list: ListType| list.index() as u32;
    assert_eq!(
        list(CellAttr::default(), PunchThrough::List),
        code(ListType::Opaque)
    );
    assert_eq!(
        list(CellAttr::ALPHA, PunchThrough::List),
        code(ListType::Translucent)
    );
    assert_eq!(list(both, PunchThrough::List), code(ListType::PunchThrough));
    assert_eq!(list(both, PunchThrough::Ignored), code(ListType::Translucent));
}

#[test]
fn forms_can_be_asked_for() {
    let cell = Cell {
        uv2: [0.3, 1.0],
        ..SIZED()
    };
    for (form, expected) in [
        (QuadForm::Exact, (0, 1)),
        (QuadForm::Sprites, (1, 0)),
        (QuadForm::Strips, (0, 1)),
    ] {
        let settings = CellSettings {
            form,
            ..CellSettings::default()
        };
        let (stats, _) = draw_with(&settings, SpriteValue::default(), &[cell]);
        assert_eq!((stats.sprites, stats.strips), expected, "{form:?}");
    }
}

#[test]
fn hidden_cells_and_those_behind_the_screen_are_left_out() {
    let hidden = Cell {
        attr: CellAttr::HIDE,
        ..SIZED()
    };
    // -0.5 + 32767 * 3.0520e-5 is above 0.
    let behind = Cell {
        priority: 32767,
        ..SIZED()
    };
    let (stats, blocks) = draw(at([0.0, 0.0, -0.5]), &[hidden, behind, SIZED()]);
    assert_eq!((stats.hidden, stats.outside, stats.sprites), (1, 1, 1));
    assert_eq!(blocks.len(), 4);
}

#[test]
fn missing_textures_are_told_once() {
    let missing = |tex_id| Cell { tex_id, ..SIZED() };
    let (stats, blocks) = draw(SpriteValue::default(), &[SIZED(), missing(4), missing(-1)]);
    let warning = CellWarning::MissingTexture { first: 4 };
    assert_eq!(stats.warnings.iter().collect::<Vec<_>>(), [(&warning, &2)]);
    assert_eq!((blocks[0][3], blocks[3][3]), (1, 2), "its texture, the checker");
}

#[test]
fn cells_of_one_look_stand_under_one_parameter() {
    let other = Cell {
        attr: CellAttr::ALPHA,
        ..SIZED()
    };
    let (_, blocks) = draw(SpriteValue::default(), &[SIZED(), SIZED(), other, SIZED()]);
    // Opaque: header and three cells of two blocks, an end; translucent: header, a cell, an end.
    assert_eq!(blocks.len(), 1 + 6 + 1 + 1 + 2 + 1);
}

#[test]
fn billboards_shrink_with_distance() {
    let mut lists = TaLists::default();
    let space = SpriteSpace {
        to_view: IDENTITY,
        viewport: Viewport {
            words: [400.0, -200.0, 320.0, 240.0],
            near: 1.0,
            size: [640.0, 480.0],
        },
        far: 1000.0,
    };
    let value = at([1.0, 2.0, -10.0]);
    let cells = CellSprite::new(vec![SIZED()]).words();
    let settings = CellSettings::default();
    let stats = draw_sprite_3d(
        &cells,
        &value,
        &space,
        &textures(),
        &settings,
        &mut Reference,
        &mut lists,
    );
    assert_eq!(stats.expect("drawn").sprites, 1);
    let blocks = lists.blocks();
    // The middle at 320 + 1 * 400 / 10, 240 - 2 * 200 / 10; a unit is 200 / 10 pixels high.
    let [ax, ay, az, bx, by, ..] = floats::<7>(&blocks[1][1..]);
    for (got, wanted) in [ax, ay, az, bx, by]
        .into_iter()
        .zip([160.0, 100.0, 0.1, 560.0, 100.0])
    {
        assert!((got - wanted).abs() < 1.0e-3, "{got} {wanted}");
    }
    for z in [-0.5, 5.0, -1001.0] {
        let value = at([1.0, 2.0, z]);
        let stats = draw_sprite_3d(
            &cells,
            &value,
            &space,
            &textures(),
            &settings,
            &mut Reference,
            &mut lists,
        );
        assert_eq!(stats.expect("drawn").outside, 1, "{z}");
    }
}

/// Positions 0 to 100, angles 0 to 0x2001, scales, colours over frames 0 to 4 of 5.
fn motion(elements: &[(Element, Keys)]) -> Motion {
    let bits = elements.iter().fold(0, |bits, (element, _)| bits | element.bit());
    let mut motion = Motion::new(MotionKind::CellSprite, MotionType(bits), 5);
    let tables: Vec<_> = elements
        .iter()
        .map(|(_, keys)| Some(motion.push_track(keys.clone())))
        .collect();
    motion.push_node(&tables);
    motion
}

fn keys<T>(first: T, last: T) -> Vec<Key<T>> {
    let key = |frame, value| Key { frame, value };
    vec![key(0, first), key(4, last)]
}

#[test]
fn motions_move_what_they_have_keys_for() {
    let motion = motion(&[
        (
            Element::Pos,
            Keys::F(keys([0.0, 10.0, -1.0], [100.0, 30.0, -2.0])),
        ),
        (Element::Ang, Keys::A1(keys(Bams(0), Bams(0x2001)))),
        (Element::Scl, Keys::F2(keys([1.0, 1.0], [3.0, 0.0]))),
        (Element::Rgb, Keys::Ui32(keys(0xFF00_FF00, 0x00FF_0000))),
    ]);
    let motion = SpriteMotion::new(&motion, LastKey::default()).expect("a sprite motion");
    let at = |frame| {
        let mut value = SpriteValue::default();
        motion.apply(frame, &mut value, &mut Reference).expect("moved");
        value
    };
    let value = at(1.0);
    assert_eq!(value.pos, [25.0, 15.0, -1.25]);
    // 8193 / 4, truncated.
    assert_eq!(value.zang, Bams(0x800));
    assert_eq!(value.scale, [1.5, 0.75]);
    // 191.25, 63.75, 191.25 and 0, truncated to bytes.
    assert_eq!(
        value.diffuse,
        [191.0, 63.0, 191.0, 0.0].map(|byte: f32| byte / 255.0)
    );
    for outside in [-1.0, 5.0, f32::NAN] {
        assert_eq!(at(outside), SpriteValue::default());
    }
}

#[test]
fn a_motion_of_a_model_is_refused() {
    let motion = Motion::new(MotionKind::Model, MotionType(1), 5);
    let error = SpriteMotion::new(&motion, LastKey::default()).expect_err("of a model");
    assert!(matches!(error, MotionError::Kind { .. }));
    assert!(error.to_string().contains("NCSM"), "{error}");
}

proptest! {
    /// For random cell words, drawing ends without a panic, and the output does not exceed the input.
    #[test]
    fn random_cells_are_drawn(
        words in proptest::collection::vec(any::<[u32; 16]>(), 0..20),
        value in any::<[f32; 14]>(),
    ) {
        let [x, y, z, sx, sy, da, dr, dg, db, se, sr, sg, sb, _] = value;
        let value = SpriteValue {
            pos: [x, y, z],
            zang: Bams(0x1234),
            scale: [sx, sy],
            diffuse: [da, dr, dg, db],
            specular: [se, sr, sg, sb],
        };
        let mut lists = TaLists::default();
        let settings = CellSettings::default();
        let stats = draw_sprite_2d(&words, &value, &textures(), &settings, &mut Reference, &mut lists);
        let stats = stats.expect("drawn");
        prop_assert_eq!(stats.sprites + stats.strips + stats.hidden + stats.outside, words.len());
    }
}
