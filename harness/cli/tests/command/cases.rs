//! Small files that once failed, with the results that the format's description requires.

use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};

fn case(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    path.to_str().unwrap().to_owned()
}

/// Path of an empty folder for results.
fn out(name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cases");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name).to_str().unwrap().to_owned()
}

/// Runs the command, which must succeed.
fn done(args: &[&str]) -> (String, String) {
    let output = swirl(args);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {told}");
    (text(&output.stdout), told)
}

/// Draws a file with options. Returns the picture's pixels and the messages.
fn drawn(name: &str, options: &[&str]) -> (Vec<u32>, String) {
    // Numbers the files, because tests run in parallel.
    static DRAWN: AtomicUsize = AtomicUsize::new(0);
    let number = DRAWN.fetch_add(1, Ordering::Relaxed);
    let (file, picture) = (
        case(&format!("rules/{name}")),
        out(&format!("drawn-{number}.png")),
    );
    let (_, told) = done(
        &[
            &["render", &file, "-o", &picture, "--size", "160x120"][..],
            options,
        ]
        .concat(),
    );
    let image = convert::read_picture(&std::fs::read(picture).unwrap(), "x.png").unwrap();
    (image.texels, told)
}

fn seed(name: &str) -> String {
    case(&format!("rules/{name}"))
}

/// At equal times the order in the list must decide, not the streams' length or content.
#[test]
fn streams_run_in_the_order_of_their_list() {
    for streams in ["oab.csj", "oba.csj"] {
        let (_, told) = drawn("s.spj", &["--cells", &seed(streams), "--frame", "5"]);
        assert!(
            told.contains("the value of stream 1 applies, which is later in the list"),
            "{streams}: {told}"
        );
    }
    let state = |streams: &str| {
        drawn(
            "oab.spj",
            &["--cells", &seed(streams), "--frame", "5", "--cell-space", "3d"],
        )
        .0
    };
    assert!(state("oab.csj") != state("oba.csj"));
}

/// List entries that differ only in their bank must share one texture, from a file or an archive.
#[test]
fn repeated_names_find_their_texture() {
    for model in ["bank.spj", "rep.nj"] {
        for textures in ["pal.pvr", "one.pvm"] {
            let (_, told) = drawn(model, &["--textures", &seed(textures)]);
            assert!(!told.contains("missing"), "{model} {textures}: {told}");
            assert!(
                told.contains("palette bank 20") && told.contains("palette bank 21"),
                "{told}"
            );
        }
        let (listed, _) = done(&["info", &seed(model)]);
        assert!(listed.contains("pal (the same, bank 21)"), "{listed}");
    }
}

/// During a motion BREAK must stop the children, and ZXY must follow the node's flag. The preset original
/// differs.
#[test]
fn flags_count_under_motions_by_the_preset() {
    for (model, motion) in [("tbr.nj", "ang.njm"), ("tzc.nj", "zx.njm")] {
        let of = |preset: &str| {
            let set = format!("play={preset}");
            drawn(model, &["--motion", &seed(motion), "--frame", "5", "--set", &set]).0
        };
        assert!(of("seed") != of("original"), "{model}");
        assert!(
            drawn(model, &["--motion", &seed(motion), "--frame", "5"]).0 == of("seed"),
            "{model}"
        );
    }
}

#[test]
fn splines_without_a_definition_are_told() {
    let (_, told) = drawn("tq.nj", &["--motion", &seed("qS.njm"), "--frame", "5"]);
    assert!(told.contains("quaternions are interpolated linearly"), "{told}");
    let (_, told) = drawn("s.spj", &["--motion", &seed("cS.njm"), "--frame", "5"]);
    assert!(told.contains("colours are interpolated linearly"), "{told}");
}

/// Sprite motions of the types 010F, 0107 and 0102 in binary files.
#[test]
fn sprite_motions_of_all_types_play() {
    for (motion, elements) in [
        (
            "L10.njm",
            "POS_0 1 table with 3 keys, ANG_1 1 table with 3 keys, SCL_2",
        ),
        ("L11.njm", "ANG_1 1 table with 3 keys, RGB_8"),
        ("L15.njm", "POS_0 1 table with 3 keys"),
    ] {
        let (listed, _) = done(&["info", &seed(motion)]);
        assert!(listed.contains(elements), "{listed}");
        let (_, told) = drawn("s.spj", &["--motion", &seed(motion), "--frame", "5"]);
        assert!(!told.contains("has no effect here"), "{told}");
    }
}

#[test]
fn records_models_and_motions_are_read_as_written() {
    for file in ["clen0.fbx", "v7400.fbx"] {
        let copy = out(file);
        done(&["convert", &seed(file), &copy]);
        assert!(
            std::fs::read(copy).unwrap() == std::fs::read(seed(file)).unwrap(),
            "{file}"
        );
        let (json, _) = done(&["info", &seed(file), "--json"]);
        assert!(
            json.contains("\"code\": \"i\"") || json.contains("\"code\": \"I\""),
            "{json}"
        );
        assert!(!json.contains("Int("), "{json}");
    }
    let motion = out("fmd.njm");
    done(&["convert", &seed("fmd_FMT_L4.nam"), &motion]);
    assert!(done(&["info", &motion]).0.contains("NCAM: 1 frame"));
    let (_, told) = drawn("vol_P3_d8.nj", &[]);
    assert!(told.contains("volumes=all"), "{told}");
    let volumes = drawn("vol_P3_d8.nj", &["--set", "volumes=all"]).0;
    assert!(volumes != drawn("vol_P3_d8.nj", &[]).0);
}

#[test]
fn a_stream_without_a_current_stamp_goes_both_ways() {
    let (source, binary, back, again) = (
        case("artist/cellstream-null-stamp.csa"),
        out("null.csj"),
        out("null.csa"),
        out("again.csj"),
    );
    done(&["convert", &source, &binary]);
    done(&["convert", &binary, &back]);
    done(&["convert", &back, &again]);
    assert!(
        std::fs::read_to_string(back)
            .unwrap()
            .contains("CSCurrent     NULL")
    );
    assert!(std::fs::read(binary).unwrap() == std::fs::read(again).unwrap());
}

#[test]
fn a_damaged_text_of_fbx_names_its_line() {
    let file = case("artist/ufbx61ascii.fbx");
    for args in [
        &["convert", &file, &out("text")][..],
        &["info", &file],
        &["render", &file, "-o", &out("a.png")],
    ] {
        let output = swirl(args);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(
            told.contains("line 6: found a comma, expected a value before it"),
            "{told}"
        );
    }
}
