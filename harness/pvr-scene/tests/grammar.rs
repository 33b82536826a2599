//! Valid and invalid statements, and the positions in errors.

use pvr_scene::{Options, run};

fn error(text: &str) -> String {
    let outcome = run(text, &Options::default());
    outcome.map(|_| ()).expect_err(text).to_string()
}

#[test]
fn errors_name_line_column_found_and_expected() {
    let cases = [
        (
            "size 64x64\nnonsense 1",
            "line 2, column 1: found 'nonsense', expected a statement",
        ),
        ("size 64", "line 1, column 6: found '64', expected WIDTHxHEIGHT"),
        (
            "size",
            "line 1, column 5: found the end of the line, expected a size",
        ),
        (
            "background 303848 x",
            "line 1, column 19: found 'x', expected the end of the line",
        ),
        (
            "register NO_SUCH 1",
            "line 1, column 10: found 'NO_SUCH', expected a register",
        ),
        (
            "setting fill_rule both",
            "line 1, column 19: found 'both', expected one of top_left, top_left_raw, inclusive",
        ),
        (
            "setting nothing x",
            "line 1, column 9: found 'nothing', expected one of ta_user_clip",
        ),
        (
            "polygon",
            "line 1, column 1: found 'polygon' outside of a list, expected list before it",
        ),
        (
            "list opaque\npolygon depth=deeper",
            "line 2, column 15: found 'deeper', expected one of never, less",
        ),
        (
            "list opaque\npolygon deep=less",
            "line 2, column 9: found 'deep=less', expected a field",
        ),
        (
            "list opaque\npolygon texture=t",
            "line 2, column 17: found 't', expected a texture that was made before",
        ),
        (
            "list opaque\nv 1 2 3",
            "line 2, column 1: found a vertex, expected polygon or background before it",
        ),
        (
            "list opaque\npolygon\nv 1 2",
            "line 3, column 6: found the end of the line, expected z",
        ),
        (
            "list opaque\npolygon\nv 1 2 3 uv=1",
            "line 3, column 12: found '1', expected 2 numbers",
        ),
        (
            "list opaque\npolygon colour=float\nv 1 2 3 base=FFFFFF",
            "line 3, column 14: found 'FFFFFF', expected a number",
        ),
        (
            "list opaque\nlist opaque",
            "line 2, column 6: found a list inside another",
        ),
        (
            "list opaque\nvolume inside 1 1 2 2 1 0",
            "found a modifier volume in another list",
        ),
        (
            "list opaque\npolygon\nrender",
            "line 3, column 1: found a list that is open, expected end",
        ),
        (
            "list opaque\npolygon\nv 1 1 1\nend\nrender",
            "found a strip of fewer than three vertices",
        ),
        (
            "texture t 32x32 565 twiddled stars",
            "line 1, column 30: found 'stars', expected one of blank",
        ),
        ("texture t 48x32 565 twiddled blank", "line 1, column 30: found"),
        (
            "texture t 2048x32 565 linear blank",
            "line 1, column 11: found '2048x32'",
        ),
        (
            "palette 565 1020 0 1 2 3 4",
            "line 1, column 26: found an entry beyond 1023",
        ),
        ("", "line 1, column 1: found no picture, expected render"),
    ];
    for (text, expected) in cases {
        let found = error(text);
        assert!(found.contains(expected), "{text:?}: {found}");
    }
}

#[test]
fn expected_pixels_are_checked() {
    let scene = "size 8x8\nbackground 102030\nlist opaque\nend\nrender\n";
    assert!(run(&format!("{scene}expect 7 7 102030"), &Options::default()).is_ok());
    let wrong = error(&format!("{scene}expect 7 7 102031"));
    assert_eq!(
        wrong,
        "line 6, column 12: found 102030 at (7, 7), expected 102031 there"
    );
    assert!(error(&format!("{scene}expect 8 7 102031")).contains("a picture of 8x8 pixels"));
}

#[test]
fn warnings_of_the_chip_come_through() {
    let text = "texture t 8x8 bump twiddled dome\nlist opaque\npolygon texture=t\nrect 0 0 8 8\nend\nrender";
    let outcome = run(text, &Options::default()).unwrap();
    assert_eq!(outcome.warnings, [pvr::Warning::BumpWithoutOffset]);
}

/// Words of the grammar in random order give an error or an image, never a panic.
#[test]
fn random_statements() {
    const WORDS: [&str; 44] = [
        "size",
        "64x64",
        "list",
        "opaque",
        "translucent",
        "opaque_modifier",
        "polygon",
        "sprite",
        "v",
        "rect",
        "end",
        "render",
        "pass",
        "keep",
        "texture",
        "t",
        "8x8",
        "565",
        "pal8",
        "yuv422",
        "twiddled",
        "linear",
        "mips",
        "levels",
        "glyph",
        "FFFFFF",
        "00FF00",
        "1.5",
        "-3",
        "1e38",
        "0",
        "64",
        "texture=t",
        "offset",
        "|",
        "flat",
        "volume",
        "inside",
        "background",
        "depth=0.5",
        "show",
        "video",
        "target",
        "texture=t",
    ];
    let mut state = 0x1234_5678_9ABC_DEF0_u64;
    let mut next = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut drawn = 0;
    for _ in 0..3000 {
        let mut text = String::from("size 32x32\ntexture t 8x8 565 linear blank\nlist opaque\n");
        for _ in 0..next(12) {
            for _ in 0..=next(6) {
                text += WORDS[next(WORDS.len())];
                text.push(' ');
            }
            text.push('\n');
        }
        text += "end\nrender\n";
        drawn += u32::from(run(&text, &Options::default()).is_ok());
    }
    println!("3000 random texts, {drawn} drawn");
    assert!(drawn > 0);
}
