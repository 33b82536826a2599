//! `swirl test`: each kind of case must pass, fail with a reason, and be updated.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

use crate::common::{swirl, text};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An empty folder with a `case.toml`.
fn folder(name: &str, case: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("case-kinds")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("case.toml"), case).unwrap();
    folder
}

/// Runs the cases of a folder. Returns exit status and standard output.
fn run(folder: &Path, more: &[&str]) -> (i32, String) {
    let out = folder.with_extension("out");
    let root = folder.to_str().unwrap();
    let output = swirl(&[&["test", root, "--out", out.to_str().unwrap()], more].concat());
    let told = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap(), told)
}

#[track_caller]
fn ends(folder: &Path, more: &[&str], status: i32, parts: &[&str]) {
    let (code, told) = run(folder, more);
    assert_eq!(code, status, "{told}");
    for part in parts {
        assert!(told.contains(part), "{part} not in:\n{told}");
    }
}

/// A 4 x 4 picture of one colour, as 8-bit RGB.
fn picture(path: &Path, colour: [u8; 3]) {
    let file = std::fs::File::create(path).unwrap();
    let mut encoder = png::Encoder::new(file, 4, 4);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&colour.repeat(16)).unwrap();
}

#[test]
fn conversions() {
    let case = "kind = \"convert\"\ninput = \"a.png\"\noutput = \"a.pvr\"\n\
                options = [\"--format\", \"565\", \"--layout\", \"rect\"]\n";
    let folder = folder("convert", case);
    picture(&folder.join("a.png"), [255, 0, 0]);
    ends(&folder, &[], 1, &["a.pvr: missing; --update writes it"]);
    ends(&folder, &["--update", "--dry-run"], 2, &["cannot be used with"]);
    ends(&folder, &["--dry-run"], 0, &["a.pvr: missing", "1 to be updated"]);
    assert!(!folder.join("expected").exists());
    ends(&folder, &["--update"], 0, &["1 updated"]);
    ends(&folder, &[], 0, &["1 passed"]);
    // 565 red is F800, little-endian: another red differs in the first texel's first byte.
    picture(&folder.join("a.png"), [248, 4, 0]);
    ends(
        &folder,
        &[],
        1,
        &["the first difference at 0x", ": 20, expected 00"],
    );
    picture(&folder.join("a.png"), [255, 0, 0]);
    // A file that no case produces is reported and removed.
    std::fs::write(folder.join("expected/old.pvr"), "").unwrap();
    ends(
        &folder,
        &[],
        1,
        &["old.pvr: expected, but the run did not write it"],
    );
    ends(&folder, &["--update"], 0, &["old.pvr", "1 updated"]);
    assert!(!folder.join("expected/old.pvr").exists());
    ends(&folder, &[], 0, &["1 passed"]);
    // The error must contain the command's own message.
    std::fs::remove_file(folder.join("a.png")).unwrap();
    ends(&folder, &[], 1, &["FAILED: cd ", "&& swirl convert", "a.png"]);
}

#[test]
fn kernels() {
    let folder = folder("kernel", "kind = \"kernel\"\nnames = [\"sincos\"]\ncases = 20\n");
    ends(&folder, &[], 0, &["1 passed"]);
    std::fs::write(
        folder.join("case.toml"),
        "kind = \"kernel\"\nnames = [\"cosine\"]\n",
    )
    .unwrap();
    ends(&folder, &[], 1, &["FAILED: cd ", "&& swirl verify cosine:"]);
    std::fs::write(folder.join("case.toml"), "kind = \"kernel\"\ninput = \"a.elf\"\n").unwrap();
    ends(&folder, &[], 1, &["one of input (the ELF file) and spec"]);
}

#[test]
fn cycles() {
    let case = "kind = \"cycles\"\nname = \"sincos\"\ncache = \"warm\"\n";
    let folder = folder("cycles", case);
    ends(&folder, &[], 1, &["cycles.json: missing"]);
    ends(&folder, &["--update"], 0, &["1 updated"]);
    ends(&folder, &[], 0, &["1 passed"]);
    // Compared with a faster earlier run, the case fails until the growth is permitted.
    let path = folder.join("cycles.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let cycles = report["cycles"].as_u64().unwrap();
    report["cycles"] = (cycles - cycles / 10).into();
    std::fs::write(&path, report.to_string()).unwrap();
    ends(
        &folder,
        &[],
        1,
        &[&format!("{} cycles, now {cycles}", cycles - cycles / 10)],
    );
    let write = |more: &str| std::fs::write(folder.join("case.toml"), format!("{case}{more}")).unwrap();
    write("fail_above = \"12%\"\n");
    ends(&folder, &[], 0, &["1 passed"]);
    std::fs::remove_file(&path).unwrap();
    write(&format!("max = {cycles}\n"));
    ends(&folder, &[], 0, &["1 passed"]);
    write(&format!("max = {}\n", cycles - 1));
    let told = format!("{cycles} cycles, at most {} are allowed", cycles - 1);
    ends(&folder, &[], 1, &[&told]);
    write("known_failure = true\nmax = 1\n");
    ends(&folder, &[], 0, &["1 passed"]);
}

/// A folder of three scene cases: a and c pass, b cannot be read.
fn three(name: &str) -> PathBuf {
    let root = folder(name, "");
    std::fs::remove_file(root.join("case.toml")).unwrap();
    for case in ["a", "b", "c"] {
        std::fs::create_dir(root.join(case)).unwrap();
        let scene = "size 8x8\nbackground FF0000\nlist opaque\nend\nrender\n";
        std::fs::write(root.join(case).join("scene.txt"), scene).unwrap();
    }
    ends(&root, &["--update"], 0, &["3 updated"]);
    std::fs::write(root.join("b/case.toml"), "kind = \"picture\"\n").unwrap();
    root
}

#[test]
fn one_bad_case_fails_alone() {
    let root = three("bad");
    let parts = [
        "b: FAILED",
        "case.toml: kind picture, expected",
        "3 cases: 2 passed, 1 failed",
    ];
    ends(&root, &[], 1, &parts);
    ends(
        &root,
        &["-j1", "--fail-fast"],
        1,
        &["3 cases: 1 passed, 1 failed", "1 not run"],
    );
    ends(&root, &["--filter", "[ac"], 2, &["no case matches --filter [ac"]);
    ends(
        &root,
        &["--filter", "?", "--list"],
        0,
        &["a (scene)\nb (scene)\nc (scene)\n"],
    );
    ends(
        &root,
        &["--filter", "a", "--filter", "c*"],
        0,
        &["2 cases: 2 passed"],
    );
}

#[test]
fn missing_folders_of_reports_are_made() {
    let root = three("reports");
    let report = root.with_extension("reports").join("deep/results.xml");
    let _ = std::fs::remove_dir_all(root.with_extension("reports"));
    ends(
        &root,
        &["--filter", "a", "--junit", report.to_str().unwrap()],
        0,
        &["1 passed"],
    );
    assert!(report.exists());
}

#[test]
fn archives_become_a_new_folder() {
    let root = folder("archive", "");
    picture(&root.join("a.png"), [255, 0, 0]);
    let path = |name: &str| root.join(name).to_str().unwrap().to_owned();
    let made = swirl(&[
        "convert",
        &path("a.png"),
        &path("new/all.pvm"),
        "--layout",
        "rect",
    ]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let made = swirl(&["convert", &path("new/all.pvm"), &path("folder/")]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    assert!(root.join("folder/a.png").exists());
}

/// The printed command must fail in the same way in the user's folder.
#[test]
fn printed_commands_work_from_here() {
    let root = folder("again", "");
    std::fs::remove_file(root.join("case.toml")).unwrap();
    let case = root.join("my case");
    std::fs::create_dir(&case).unwrap();
    let text = "kind = \"convert\"\ninput = \"none.png\"\noutput = \"a.pvr\"\n";
    std::fs::write(case.join("case.toml"), text).unwrap();
    // A scene, so that --pvr has an effect.
    std::fs::create_dir(root.join("scene")).unwrap();
    std::fs::write(root.join("scene/scene.txt"), "size 8x8\nrender\n").unwrap();
    let (_, told) = run(&root, &["--pvr", "flycast"]);
    assert!(told.contains("my case\" --pvr flycast"), "{told}");
    assert!(told.contains("none.png out/a.pvr"), "{told}");
    let again = told
        .split("FAILED: ")
        .nth(1)
        .unwrap()
        .split(": exit status")
        .next()
        .unwrap();
    let tools = Path::new(env!("CARGO_BIN_EXE_swirl")).parent().unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let shell = Command::new("sh")
        .args(["-c", again])
        .env("PATH", path)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&shell.stderr);
    assert!(told.contains("none.png: No such file"), "{told}");
}

#[test]
fn changed_cases_run_again() {
    let root = three("watch");
    std::fs::remove_file(root.join("b/case.toml")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_swirl"))
        .args(["test", root.to_str().unwrap(), "--watch", "--out"])
        .arg(root.join("out"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    assert_eq!(next(), "3 cases: 3 passed, 0 failed, 0 to be updated");
    let scene = "size 8x8\nbackground FF0008\nlist opaque\nend\nrender\n";
    std::fs::write(root.join("b/scene.txt"), scene).unwrap();
    assert!(next().starts_with("b: FAILED: frame.png: 64 of 64 pixels"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_page_shows_what_differs() {
    let folder = folder("page", "kind = \"scene\"\n");
    let scene = "size 8x8\nbackground FF0000\nlist opaque\nend\nrender\n";
    std::fs::write(folder.join("scene.txt"), scene).unwrap();
    ends(&folder, &["--update"], 0, &["1 updated"]);
    std::fs::write(folder.join("scene.txt"), scene.replace("FF0000", "FF0008")).unwrap();
    let page = folder.with_extension("html");
    ends(
        &folder,
        &["--html", page.to_str().unwrap()],
        1,
        &["64 of 64 pixels"],
    );
    let text = std::fs::read_to_string(page).unwrap();
    assert_eq!(text.matches("src=\"data:image/png;base64,").count(), 3);
    assert!(text.contains("64 of 64 pixels differ"));
    // The page must load no other resources.
    assert!(!text.contains("http"));
}

/// Collects the folders below `at` with a `case.toml`, relative to `root`.
fn cases_below(root: &Path, at: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(at).unwrap() {
        let path = entry.unwrap().path();
        if path.join("case.toml").exists() {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            found.push(name.replace('\\', "/"));
        } else if path.is_dir() {
            cases_below(root, &path, found);
        }
    }
}

#[test]
fn the_gallery_shows_every_case_of_the_runtime() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/gallery.md")).unwrap();
    let scenes = root.join("tests/data/scene");
    let mut cases = Vec::new();
    cases_below(&scenes, &scenes, &mut cases);
    assert!(cases.len() > 40, "{} cases", cases.len());
    for case in &cases {
        assert!(
            page.contains(&format!("[`{case}`](../tests/data/scene/{case})")),
            "{case}"
        );
    }
    // The page must not refer to missing pictures.
    let pictures = page
        .split("![](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    for picture in pictures {
        assert!(root.join("docs").join(picture).exists(), "{picture}");
    }
}

/// Returns the commands of the gallery, split into words.
fn gallery_commands(page: &str) -> Vec<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = format!("{}/tests/data", root.display());
    let words = |line: &str| {
        let words = line.split_whitespace().skip(1);
        words.map(|word| word.replace("tests/data", &data)).collect()
    };
    let lines = page.lines().filter(|line| line.starts_with("swirl "));
    lines.map(words).collect()
}

/// Returns a picture's pixels, because the compression can differ between builds.
fn pixels(png: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

#[test]
fn the_commands_of_the_gallery_make_its_pictures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/gallery.md")).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery-commands");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let commands = gallery_commands(&page);
    let mut compared = 0;
    for words in &commands {
        let output = Command::new(env!("CARGO_BIN_EXE_swirl"))
            .args(words)
            .current_dir(&folder)
            .env_remove("DISPLAY")
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {told}");
        let made = words.iter().skip_while(|word| *word != "-o").nth(1);
        let Some(made) = made.filter(|made| page.contains(&format!("![](pictures/{made})"))) else {
            continue;
        };
        let expected = root.join("docs/pictures").join(made);
        let [found, expected] = [folder.join(made), expected].map(|path| std::fs::read(path).unwrap());
        let same = if made.ends_with(".png") {
            pixels(&found) == pixels(&expected)
        } else {
            found == expected
        };
        assert!(same, "{}: not docs/pictures/{made}", folder.join(made).display());
        compared += 1;
    }
    println!("{} commands, {compared} pictures compared", commands.len());
    // The test of the window makes the window's picture.
    assert_eq!(compared, page.matches("![](pictures/").count() - 1);
}
