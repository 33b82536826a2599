//! Runs recipes of the guide in a shell: the GitHub action, without and with a cache, with stand-ins for
//! `cargo` and swirl's repository; and a verification in parallel parts.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs a command without the user's git settings; `None` if the program is missing.
fn command(program: &str, folder: &Path, words: &[&str]) -> Option<Output> {
    let output = Command::new(program)
        .args(words)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "nobody")))
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "nobody@localhost")))
        .output();
    assert!(
        output.is_ok() || std::env::var_os("CI").is_none(),
        "{program} is not installed"
    );
    output.ok()
}

fn git(folder: &Path, words: &[&str]) -> Option<String> {
    let output = command("git", folder, words)?;
    assert!(
        output.status.success(),
        "{words:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A repository with one file, committed.
fn repository(folder: &Path, content: &str) -> Option<()> {
    std::fs::create_dir_all(folder).unwrap();
    git(folder, &["init", "--quiet", "--initial-branch", "main"])?;
    std::fs::write(folder.join("Cargo.toml"), content).unwrap();
    git(folder, &["add", "."])?;
    git(folder, &["commit", "--quiet", "-m", content])?;
    Some(())
}

#[test]
fn the_lines_of_the_action_work_cold_and_cached() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("recipe");
    let _ = std::fs::remove_dir_all(&root);
    let [swirl, user, tools] = ["swirl", "user", "tools"].map(|name| root.join(name));
    if repository(&swirl, "first").is_none() {
        println!("0 recipes: git is not there");
        return;
    }
    repository(&user, "game").unwrap();
    std::fs::create_dir_all(&tools).unwrap();
    let cargo = tools.join("cargo");
    let lines = "#!/bin/sh\nmkdir -p \"$(dirname \"$5\")/target/release\"\n\
                 cp \"$5\" \"$(dirname \"$5\")/target/release/swirl\"\n";
    std::fs::write(&cargo, lines).unwrap();
    std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).unwrap();
    let get = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.github/actions/run/get.sh");
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    // The cache is below the user's repository, so that `git -C` there would find the user's repository.
    let cache = user.join("cache/swirl");
    let run = || {
        let output = Command::new("bash")
            .arg(&get)
            .args([swirl.to_str().unwrap(), "main", cache.to_str().unwrap()])
            .current_dir(&user)
            .env("PATH", &path)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
    };
    let head = || git(&user, &["rev-parse", "HEAD"]).unwrap();
    let before = head();
    let built = || std::fs::read_to_string(run().join("swirl")).unwrap();
    assert_eq!(built(), "first");
    // The cache keeps only the build: the sources and their repository are removed.
    std::fs::remove_dir_all(cache.join(".git")).unwrap();
    std::fs::remove_file(cache.join("Cargo.toml")).unwrap();
    std::fs::write(swirl.join("Cargo.toml"), "second").unwrap();
    git(&swirl, &["commit", "--quiet", "-a", "-m", "second"]).unwrap();
    assert_eq!(built(), "second");
    assert_eq!(built(), "second", "with a whole cache");
    assert_eq!(head(), before);
    assert_eq!(
        git(&user, &["status", "--porcelain", "--untracked-files=no"]).unwrap(),
        ""
    );
}

/// The blocks of shell lines under "Many cases" in the guide.
fn parallel_recipes() -> Vec<String> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/verify.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let (_, section) = guide.split_once("## Many cases").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let blocks = section.split("```sh\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap().to_owned())
        .collect()
}

/// Merged parts from GNU parallel, xargs and Slurm must equal the report of the whole run.
#[test]
fn the_parallel_recipes_give_the_report_of_the_whole_run() {
    let [parallel, xargs, slurm] = &parallel_recipes()[..] else {
        unreachable!("three recipes");
    };
    // Command for a node of the cluster: the text between the quotes.
    let job = slurm.split('\'').nth(1).unwrap();
    let slurm = format!(
        "for SLURM_ARRAY_TASK_ID in $(seq 1 64); do\n{job}\ndone\nswirl verify --merge part-*.json\n"
    );
    let program = "--elf game.elf --spec xform.toml";
    let built_in = slurm.replace("swirl verify --cases", "swirl verify crc32 --cases");
    let recipes = [
        (parallel.as_str(), program, "parallel"),
        (xargs.as_str(), program, "xargs"),
        (built_in.as_str(), "crc32", "seq"),
    ];
    for (lines, words, tool) in recipes {
        if !corpus::sh4::installed(tool) {
            continue;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("parts-{tool}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let rom = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/kernels.elf");
        std::fs::copy(rom, folder.join("game.elf")).unwrap();
        std::fs::write(folder.join("xform.toml"), SPECIFICATION).unwrap();
        let [few, whole] = [lines, "swirl verify WORDS --cases 1000000\n"]
            .map(|lines| lines.replace("1000000000", "640").replace("1000000", "640"));
        let shell = |lines: &str| {
            let tools = Path::new(env!("CARGO_BIN_EXE_swirl")).parent().unwrap();
            let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
            let output = Command::new("bash")
                .args(["-e", "-o", "pipefail", "-c", lines])
                .current_dir(&folder)
                .env("PATH", path)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{lines}\n{said}");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        let merged = shell(&few);
        assert_eq!(merged, shell(&whole.replace("WORDS", words)), "{tool}");
        assert!(merged.contains("640"), "{merged}");
    }
}

const SPECIFICATION: &str = r#"
[[kernel]]
call = "transform_points"
against = "builtin:transform_points"
[kernel.args]
matrix = { in = "f32[16]", align = 8, values = "matrix" }
src = { in = "f32[3*n]" }
dst = { out = "f32[4*n]", align = 8 }
n = { value = "u32", range = "1..=40" }
stride = { value = "u32", range = "12..=12" }
w = { value = "u32", range = "0x3f800000..=0x3f800000" }
"#;
