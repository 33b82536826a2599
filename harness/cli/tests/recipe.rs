//! The shell lines of the GitHub action, cold and with what a cache has kept. `cargo` and swirl's repository
//! are stand-ins.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A command without the user's settings of git; nothing where the program is not there.
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
    // The cache is below the user's repository, where a `git -C` would find that.
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
    // A cache keeps the build alone: the sources and their repository are gone.
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
