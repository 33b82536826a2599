//! Variants that tools and people made of the forms (docs/formats/ninja.md 3.3, 3.4), and messages about
//! texts in other formats.

use ninja::ascii::{Dialect, Settings, Text, read, read_with};
use ninja::{Chunk, Keys, Object, PolyChunk, StripKind};

fn sound(text: &str) -> Text {
    read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn error(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

fn warnings(text: &Text) -> Vec<String> {
    text.warnings.iter().map(ToString::to_string).collect()
}

fn object(model: &str) -> String {
    format!(
        "CNKOBJECT object_a[] START EvalFlags( FEV_UT ), CNKModel {model}, OPosition( 0.0F, 0.0F, 0.0F ), \
         OAngle( 0.0F, 0.0F, 0.0F ), OScale( 1.0F, 1.0F, 1.0F ), Child NULL, Sibling NULL, END\n"
    )
}

fn model(lists: &str) -> String {
    let model = "CNKMODEL m[] START VList v, PList p, Center 0.0F, 0.0F, 0.0F, Radius 1.0F, END\n";
    format!("{lists}\n{model}{}", object("m"))
}

const VLIST: &str = "VLIST v[] START CnkV( FV_CONT, 10 ), OffnbIdx( 0, 3 ), VERT( 0x0, 0x0, 0x0 ),
    VERT( 0x3f800000, 0x0, 0x0 ), VERT( 0x0, 0x3f800000, 0x0 ), CnkEnd() END";

/// Tabs, no header, no commas before END, labels and macros in either form, one block per node:
/// docs/formats/ninja.md 3.4 d.
#[test]
fn the_form_of_common_tools_is_read() {
    let text = "CNKOBJECT_START\n\nPLIST strip_a[]\nSTART\n\tCnkM_DAS( FBS_SA|FBD_ISA ), 6,\n\tMDiff( 255, 178, 178, 178 ),\n\
        \tMAmbi( 255, 127, 127, 127 ),\n\tMSpec( 11, 255, 255, 255 ),\n\tCnkT_TID( 0x0|FDA_100 ), _TID( FFM_BF, 3 ),\n\
        \tCnkS_UVN(0x0), 12, _NB(UFO_0, 1),\n\tStripR(3),\n\t0, Uvn( 2560, -2304 ),\n\t1, Uvn( 0, 255 ),\n\t2, Uvn( 1, 2 ),\n\
        \tCnkNull(),\n\tCnkEnd()\nEND\n\nVLIST vertex_a[]\nSTART\n\tCnkV_VN(0x0, 19),\n\tOffnbIdx(0, 3),\n\
        \tVERT( 0x3F800000, 0xbf800000, 0x0 ),\n\tNORM( 0x0, 0x0, 0x3f800000 ),\n\tVERT( 0x0, 0x0, 0x0 ),\n\tNORM( 0x0, 0x0, 0x0 ),\n\
        \tVERT( 0x0, 0x0, 0x0 ),\n\tNORM( 0x0, 0x0, 0x0 ),\n\tCnkEnd()\nEND\n\nCNKMODEL model_a[]\nSTART\nVList\tvertex_a,\n\
        PList\tstrip_a,\nCenter\t0.000000F, 0.000000F, 0.000000F,\nRadius\t1.732051F,\nEND\n\nCNKOBJECT object_a[]\nSTART\n\
        EvalFlags ( FEV_UT|FEV_UR|FEV_US|FEV_BR ),\nCNKModel   &model_a[0],\nOPosition  (  0.000000F,  0.000000F,  0.000000F ),\n\
        OAngle     (  0.000000F,  90.000000F,  -0.005493F ),\nOScale     (  1.000000F,  1.000000F,  1.000000F ),\n\
        Child       NULL,\nSibling     NULL\nEND\n\nCNKOBJECT_END\n\nDEFAULT_START\n#ifndef DEFAULT_OBJECT_NAME\n\
        #define DEFAULT_OBJECT_NAME object_a\n#endif\nDEFAULT_END\n";
    let read = sound(text);
    assert_eq!(warnings(&read), [] as [&str; 0]);
    let tree = read.file.models().next().unwrap();
    // A turn is 65536; printed decimals are rounded, not truncated.
    assert_eq!(tree.objects[0].ang.map(|a| a.0), [0, 0x4000, -1]);
    assert_eq!(tree.models[0].radius, 1.732051);
    let PolyChunk::Strip(strip) = &tree.plists[0].chunks[2] else {
        panic!("{:?}", tree.plists[0])
    };
    let entry = strip.entry(&strip.strips[0], 0);
    assert_eq!(
        (strip.kind, strip.strips[0].reversed, entry.uv),
        (StripKind::CsUvn, true, [2560, -2304])
    );
    // The size includes the null word.
    assert_eq!(
        (strip.size(), strip.tail(), tree.plists[0].chunks.len()),
        (12, &[0][..], 3)
    );
    assert_eq!(tree.vlists[0].chunks[0].position(0), [1.0, -1.0, 0.0]);
}

#[test]
fn wrong_sizes_and_counts_give_way_to_the_data() {
    let text = model(
        "VLIST v[] START CnkV( 0x0, 99 ), OffnbIdx( 0, 7 ), VERT( 0x0, 0x0, 0x0 ), CnkEnd() END
         PLIST p[] START CnkS( 0x0 ), 30, _NB( UFO_0, 5 ), StripL( 4 ), 0, 0, 0, StripL( 3 ), 0, 0, 0, CnkEnd() END",
    );
    let read = sound(&text);
    assert_eq!(
        warnings(&read),
        [
            "1:17: the number of vertices is given as 7, the data make it 1",
            "1:17: the size of the chunk is given as 99, the data make it 4",
            "2:26: the number of strips is given as 5, the data make it 2",
            "2:26: the length of a strip is given as 4, the data make it 3",
            "2:26: the size of the chunk is given as 30, the data make it 9",
        ]
    );
    let tree = read.file.models().next().unwrap();
    assert_eq!(
        (tree.vlists[0].chunks[0].count, tree.plists[0].chunks.len()),
        (1, 1)
    );
}

#[test]
fn the_older_library_means_other_values() {
    let motion = |head: &str| {
        format!(
            "{head} ROTATION r[] START MKEYA( 0, 360.0F, 180.0F, -360.0F ), END MDATA1 d[] START r, 1, END
             MOTION m[] START MdataArray d, MFrameNum 1, MotionBit 0x2, InterpolFct 0x1, END"
        )
    };
    let angles = |text: &str| {
        let read = sound(text);
        let Chunk::Motion(motion) = &read.file.chunks[0] else {
            panic!("{:?}", read.file)
        };
        let Keys::A(keys) = &motion.tracks[0] else {
            panic!("{motion:?}")
        };
        (read.dialect, keys[0].value.map(|a| a.0))
    };
    let (old, new) = ([65535, 32768, -65535], [65536, 32768, -65536]);
    assert_eq!(
        angles(&motion("/* NAM 0.98alpha1 NinjaAsciiMotion */")),
        (Dialect::Ninja1, old)
    );
    assert_eq!(
        angles(&motion("/* NAM 2.00.00 NinjaAsciiMotion (SI) */")),
        (Dialect::Ninja2, new)
    );
    assert_eq!(angles(&motion("")), (Dialect::Ninja2, new));
    let settings = Settings {
        dialect: Some(Dialect::Ninja1),
    };
    assert_eq!(
        read_with(motion("").as_bytes(), &settings).unwrap().dialect,
        Dialect::Ninja1
    );
}

#[test]
fn sprites_of_the_older_library() {
    let text = "/* SPA 1.00 NinjaAsciiCellSprite (Farlux) */
        CELLSPRITE s START CellList NULL, CellNum 0, CSPosition( 1, 2, 3 ), CSZAngle( 90.0F ), CSScale( 1, 1 ),
        CSDiffuse( 255, 0, 51, 255 ) END";
    let read = sound(text);
    let Chunk::CellSprite(sprite) = &read.file.chunks[0] else {
        panic!("{:?}", read.file)
    };
    assert_eq!(
        (sprite.diffuse, sprite.specular),
        ([1.0, 0.0, 0.2, 1.0], [0.0; 4])
    );
    assert_eq!((sprite.pos, sprite.zang.0), ([1.0, 2.0, 3.0], 0x4000));
    assert_eq!(warnings(&read), [] as [&str; 0]);
}

#[test]
fn a_misspelt_word_is_told_with_the_right_one() {
    let text = model("VLIST v[] START CnkV_VM( 0x0, 4 ), END PLIST p[] START CnkEnd() END");
    assert_eq!(error(&text), "1:17: macro: found CnkV_VM, expected CnkV_VN");
    assert_eq!(
        error("VLSIT v[] START"),
        "1:1: definition: found VLSIT, expected VLIST"
    );
    assert_eq!(
        error("VLIST v[] START CnkV( FV_CNOT, 4 ) END"),
        "1:23: value: found FV_CNOT, expected FV_CONT"
    );
    let text = model(&format!("{VLIST} PLIST p_1[] START CnkEnd() END"));
    assert!(
        error(&text).contains("name: found p, expected a name defined in this text"),
        "{}",
        error(&text)
    );
}

#[test]
fn other_formats_are_named() {
    assert!(
        error("OBJECT_START\nMATERIAL matlist[] START")
            .starts_with("1:1: definition: found OBJECT_START, which is of a basic model")
    );
    assert!(
        error("/* x */\nSint32 vertex[] = { 0x29, 1 };")
            .contains("2:1: definition: found Sint32, so this is C source")
    );
    assert!(error("NJS_CNK_OBJECT obj = { NJD_EVAL_UNIT_POS };").contains("C source with plain structures"));
    assert!(error("CAMERA cam START CPosition( 0, 0, 0 )").contains("not publicly specified"));
    assert!(error("SHAPE_MOTION_START").contains("NSSM"));
    assert_eq!(
        error(""),
        "1:1: text: found no definition that a file can store, expected an object, a motion, a list"
    );
}

#[test]
fn structures_are_checked_member_by_member() {
    let text = "CNKMODEL m[] START PList NULL, VList NULL, END";
    assert_eq!(error(text), "1:20: CNKMODEL: found PList, expected VList");
    let text = "POSITION p[] START MKEYA( 0, 0.0F, 0.0F, 0.0F ), END";
    assert_eq!(error(text), "1:20: POSITION: found MKEYA, expected MKEYF");
    let text = "CNKMODEL m[] START VList NULL, END";
    assert_eq!(
        warnings(&sound(&format!("{text} {}", object("m")))),
        ["1:32: PList and the members after it are missing and become 0"]
    );
    let text = "VLIST v[] START CnkV( 0x0 ), END";
    assert_eq!(
        error(text),
        "1:17: CnkV: found 1 arguments, expected 2 (flags, size)"
    );
    let text = format!(
        "CNKMODEL m[] START VList m, PList NULL, Center 0,0,0, Radius 1, END {}",
        object("m")
    );
    assert_eq!(
        error(&text),
        "1:26: CNKMODEL: found m, a CNKMODEL, expected VLIST"
    );
}

#[test]
fn names_are_resolved() {
    let twice = format!("{}{}", object("NULL"), object("NULL"));
    assert_eq!(
        warnings(&sound(&twice)),
        ["2:11: object_a is defined twice, both times the same"]
    );
    let other = object("NULL").replace("FEV_UT", "FEV_UR");
    assert!(
        error(&format!("{}{other}", object("NULL")))
            .contains("2:11: definition: found object_a for the second time")
    );
    let circle = object("NULL").replace("Child NULL", "Child object_a");
    assert!(error(&circle).contains("a cycle of children and siblings"));
    let late = format!(
        "{}CNKMODEL m[] START VList NULL, PList NULL, Center 0,0,0, Radius 1, END",
        object("m")
    );
    assert_eq!(
        warnings(&sound(&late)),
        ["1:58: m is used before its definition; a C compiler would refuse it"]
    );
    let beyond = object("&m[1]");
    let text = format!("CNKMODEL m[] START VList NULL, PList NULL, Center 0,0,0, Radius 1, END {beyond}");
    assert!(error(&text).contains("index: found 1, expected below 1"));
}

/// Nodes are in drawing order for any order of the definitions.
#[test]
fn the_root_is_the_object_that_no_other_refers_to() {
    let node = |name: &str, x: u32, child: &str, sibling: &str| {
        object("NULL")
            .replace("object_a", name)
            .replace("OPosition( 0.0F", &format!("OPosition( {x}.0F"))
            .replace("Child NULL", &format!("Child {child}"))
            .replace("Sibling NULL", &format!("Sibling {sibling}"))
    };
    let text = [
        node("c", 3, "NULL", "NULL"),
        node("b", 2, "NULL", "NULL"),
        node("d", 1, "b", "c"),
        node("root", 0, "d", "NULL"),
        node("other", 7, "NULL", "NULL"),
    ];
    let read = sound(&text.concat());
    let trees: Vec<Vec<f32>> = read
        .file
        .models()
        .map(|t| t.objects.iter().map(|o: &Object| o.pos[0]).collect())
        .collect();
    assert_eq!(trees, [vec![0.0, 1.0, 2.0, 3.0], vec![7.0]]);
}

#[test]
fn what_the_binary_reader_finds_is_told_at_its_line() {
    let text = model(&format!(
        "{VLIST}\nPLIST p[] START\nCnkS( 0x0 ), 3, _NB( UFO_0, 1 ), 9, 0,\nCnkEnd() END"
    ));
    let message = error(&text);
    assert!(
        message.starts_with("4:1: strips or polygons: found 1 of CS"),
        "{message}"
    );
    let text = model(&format!("{VLIST}\nPLIST p[] START\n0x7006,\nCnkEnd() END"));
    assert_eq!(warnings(&sound(&text)).len(), 1);
}

#[test]
fn shift_jis_is_no_trouble() {
    // U+8868 in a name, in a comment before its end, and in a string. Its second byte in Shift-JIS is a
    // backslash.
    let text = b"/* \x95\x5C */ TEXTURENAME t\x95\x5C[] START TEXN( \"\x95\x5C\" ), END
        TEXTURELIST l START TextureList t\x95\x5C, TextureNum 1, END // \x95\x5C";
    let read = read(text).unwrap();
    assert_eq!(read.file.texlist().unwrap().names[0].name, b"\x95\x5C");
    assert_eq!(read.warnings, []);
}

/// NJS_ACTION joins a motion to an object for the program; chunks do not contain it
/// (docs/formats/compact-shape.md 1.4).
#[test]
fn actions_are_read_over() {
    let text = format!(
        "{} MDATA1 d[] START NULL, 0, END MOTION m[] START MdataArray d, MFrameNum 1, MotionBit 0x1, InterpolFct 0x1, END
         ACTION action_a[] START ObjectHead object_a, Motion m END",
        object("NULL")
    );
    let read = sound(&text);
    assert_eq!((read.file.chunks.len(), warnings(&read)), (2, vec![]));
}

/// Macros that the writer does not need: the bytes equal those for plain words.
#[test]
fn words_that_are_only_read() {
    let same = |short: &str, long: &str| {
        let [a, b] = [short, long].map(|text| sound(text).file.write().unwrap());
        assert_eq!(a, b, "{short}");
    };
    let weighted = |flags: &str| {
        let lists = format!(
            "VLIST v[] START CnkV_NF( FW_START, 5 ), OffnbIdx( 0, 1 ), VERT( 0x0, 0x0, 0x0 ), {flags}, CnkEnd() END
             PLIST p[] START CnkEnd() END"
        );
        model(&lists)
    };
    // floor(50 * 65535 / 100 + 0.5) = 32768
    same(&weighted("NFlagsW2( 3, 50 )"), &weighted("NFlags( 0x80000003 )"));
    let strip = |colours: &str| {
        model(&format!(
            "{VLIST}\nPLIST p[] START CnkS_D8( 0 ), 11, _NB( UFO_0, 1 ), StripL( 3 ), {colours}, CnkEnd() END"
        ))
    };
    same(
        &strip("0, AttrF( 0xff102030 ), 1, AttrF( 0 ), 2, AttrF( 0xffffffff )"),
        &strip("0, MDiff( 255, 16, 32, 48 ), 1, MDiff( 0, 0, 0, 0 ), 2, MDiff( 255, 255, 255, 255 )"),
    );
    let names = |name: &str| {
        format!("TEXTURENAME n[] START {name}, END TEXTURELIST t START TextureList n, TextureNum 1, END")
    };
    same(
        &names("PTEXN5( \"a\", 0, 0, 1, 5 )"),
        &names("PTEXN( \"a\", 1, 5 )"),
    );
    let stream = |blocks: &str| {
        format!(
            "CELLSTREAMDATA d[] START CCnk_TS( 0, 11 ), {blocks}, CCnk_TE( 1 ), END
             CELLSTREAM c START CStreamData d, CSCurrent d, CSTimeOffset 0, CSTimeMax 1, END"
        )
    };
    same(
        &stream(
            "CCnk_CE( 0, 9, FCB_MO1|FCB_UV5 ), COXY( 0x41200000, 0x0 ), CSXY( 0x42800000, 0x42800000 ), 0x4000, \
             CSUV0( 0x0, 0x3f000000 ), CSUV2( 0x3f800000, 0x3f800000 ), 0x80000000",
        ),
        &stream(
            "CCnk_CE( 0, 9, FCB_MO1|FCB_UV5 ), Bk_MO1( 0x41200000, 0x0, 0x42800000, 0x42800000, 90.0F ), \
             Bk_UV5( 0x0, 0x3f000000, 0x3f800000, 0x3f800000 ), 0x80000000",
        ),
    );
}

/// Every macro has its row in the README.
#[test]
fn the_readme_lists_every_macro() {
    let readme = include_str!("../../README.md");
    let header = ninja::ascii::c_header();
    let names = header.lines().filter_map(|line| line.strip_prefix("#define "));
    let names = names.map(|rest| rest.split(['(', ' ']).next().unwrap());
    let names: Vec<&str> = names
        .filter(|name| !name.starts_with("NINJA_") && !name.starts_with("NJD_") && *name != "NULL")
        .collect();
    let missing: Vec<&&str> = names
        .iter()
        .filter(|name| !readme.contains(&format!("`{name}`")))
        .collect();
    assert!(names.len() > 300 && missing.is_empty(), "{missing:?}");
}

/// One line for each chunk, for any number of values.
#[test]
fn floats_where_their_bits_belong_are_reported_once_a_chunk() {
    let text = "VLIST v[] START
CnkV( 0x0, 7 ), OffnbIdx( 0, 2 ), VERT( 1.5F, 2.0F, 0x40400000 ), VERT( 0x0, -1.0F, 4.0F ),
CnkV( 0x0, 4 ), OffnbIdx( 2, 1 ), VERT( 0x3f800000, 0x0, 0.25F ),
CnkEnd() END
CNKMODEL m[] START VList v, PList NULL, Center 0.0F, 0.0F, 0.0F, Radius 1.0F, END
CNKOBJECT o[] START EvalFlags ( 0x0 ), CNKModel m, OPosition ( 0.0F, 0.0F, 0.0F ), OAngle ( 0.0F, 0.0F, 0.0F ),
OScale ( 1.0F, 1.0F, 1.0F ), Child NULL, Sibling NULL, END";
    let read = read(text.as_bytes()).unwrap();
    let warnings: Vec<String> = read.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "2:41: 4 numbers, 1.5 is the first, are taken as floats' values; a C compiler would store \
             integers",
            "3:58: 0.25 is taken as a float's value; a C compiler would store an integer",
        ]
    );
    let Chunk::Model(tree) = &read.file.chunks[0] else {
        panic!("no model")
    };
    assert_eq!(tree.vlists[0].chunks[0].position(1), [0.0, -1.0, 4.0]);
}
