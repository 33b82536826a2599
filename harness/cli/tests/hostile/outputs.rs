//! Outputs: devices, pipes, links, modes, existing names, and signals.

use super::{ends, folder, refused};
use crate::common::text;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SPIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/console/spin.elf");
const DEMO: [&str; 4] = ["run", SPIN, "--frames", "2"];

fn shot(name: &str) -> String {
    format!("2={name}")
}

/// Checks that no temporary file remains.
fn only(folder: &Path, names: &[&str]) {
    let mut found: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, names);
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o777
}

#[test]
fn links_are_followed_and_modes_kept() {
    let folder = folder("links");
    let at = |name: &str| folder.join(name);
    fs::create_dir(at("sub")).unwrap();
    fs::write(at("sub/old.png"), "old").unwrap();
    fs::set_permissions(at("sub/old.png"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("sub/old.png", at("link.png")).unwrap();
    symlink("sub/new.png", at("dangling.png")).unwrap();
    symlink("loop.png", at("loop.png")).unwrap();
    for name in ["link.png", "dangling.png"] {
        ends(
            &folder,
            &[&DEMO[..], &["--screenshot", &shot(name)]].concat(),
            &[0],
        );
        assert!(at(name).symlink_metadata().unwrap().is_symlink(), "{name}");
    }
    assert!(fs::read(at("sub/old.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(fs::read(at("sub/new.png")).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(mode(&at("sub/old.png")), 0o640);
    refused(
        &folder,
        &[&DEMO[..], &["--screenshot", &shot("loop.png")]].concat(),
        "loop.png: cannot be written",
    );
    only(&folder, &["dangling.png", "link.png", "loop.png", "sub"]);
}

#[test]
fn new_files_obey_the_umask() {
    let folder = folder("umask");
    for (umask, expected) in [("022", 0o644), ("077", 0o600), ("002", 0o664)] {
        let name = format!("{umask}.png");
        let status = Command::new("sh")
            .args([
                "-c",
                &format!("umask {umask}; exec \"$0\" \"$@\""),
                env!("CARGO_BIN_EXE_swirl"),
            ])
            .args(DEMO)
            .args(["--screenshot", &shot(&name)])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(status.status.success(), "{}", text(&status.stderr));
        assert_eq!(mode(&folder.join(name)), expected, "umask {umask}");
    }
}

#[test]
fn devices_and_pipes_take_the_bytes() {
    let folder = folder("devices");
    ends(
        &folder,
        &[&DEMO[..], &["--screenshot", "2=/dev/null"]].concat(),
        &[0],
    );
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let full = [&DEMO[..], &["--screenshot", "2=/dev/full"]].concat();
    refused(&folder, &full, "/dev/full: cannot be written");
    let pipe = folder.join("pipe.png");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    ends(
        &folder,
        &[&DEMO[..], &["--screenshot", &shot("pipe.png")]].concat(),
        &[0],
    );
    assert!(reader.join().unwrap().starts_with(b"\x89PNG"));
    assert!(pipe.metadata().unwrap().file_type().is_fifo());
    only(&folder, &["pipe.png"]);
}

#[test]
fn outputs_replace_no_input_and_no_output() {
    let folder = folder("taken");
    let program = fs::read(SPIN).unwrap();
    for name in ["a.elf", "a.gif", "a.y4m"] {
        fs::write(folder.join(name), &program).unwrap();
    }
    symlink("a.elf", folder.join("link.png")).unwrap();
    let run = |name, options: &[&str], found: &str| {
        refused(
            &folder,
            &[&["run", name, "--frames", "3"], options].concat(),
            found,
        );
    };
    let input = "this output would overwrite an input";
    run("a.gif", &["--video", "a.gif"], input);
    run("./a.y4m", &["--video", "../taken/a.y4m"], input);
    run("a.elf", &["--trace", "a.elf", "--clock", "model"], input);
    run("a.elf", &["--audio", "a.elf"], input);
    run("a.elf", &["--screenshot", "2=link.png"], input);
    let twice = "two outputs have this name";
    run(
        "a.elf",
        &["--screenshot", "2=b.png", "--screenshot", "3=./b.png"],
        twice,
    );
    run("a.elf", &["--audio", "b.gif", "--video", "b.gif"], twice);
    for name in ["a.elf", "a.gif", "a.y4m"] {
        assert!(fs::read(folder.join(name)).unwrap() == program, "{name}");
    }
}

/// Returns true if this process ignores SIGHUP, as under nohup. The processes that it starts ignore it too.
fn ignores_hangups() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 1 != 0)
}

/// SIGTERM and SIGHUP must end a run like SIGINT: files are complete, the VMU is saved, and no temporary file
/// remains. Other work is abandoned.
#[test]
fn signals_leave_whole_files() {
    for signal in ["INT", "TERM", "HUP"] {
        if signal == "HUP" && ignores_hangups() {
            println!("SIGHUP is not tested, because this process ignores it");
            continue;
        }
        let folder = folder(&format!("signal_{signal}"));
        let outputs = ["--vmu", "a.vmu", "--audio", "a.wav"];
        let child = Command::new(env!("CARGO_BIN_EXE_swirl"))
            .args(["run", SPIN])
            .args(outputs)
            .current_dir(&folder)
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        // Waits until the run has started.
        std::thread::sleep(Duration::from_secs(2));
        let id = child.id().to_string();
        assert!(
            Command::new("kill")
                .args([&format!("-{signal}"), &id])
                .status()
                .unwrap()
                .success()
        );
        let output = child.wait_with_output().unwrap();
        assert!(begin.elapsed() < Duration::from_secs(60));
        assert!(output.status.code().is_some(), "{signal}: {}", output.status);
        let wav = fs::read(folder.join("a.wav")).unwrap();
        assert_eq!(wav[40..44], (wav.len() as u32 - 44).to_le_bytes(), "{signal}");
        assert_eq!(
            fs::metadata(folder.join("a.vmu")).unwrap().len(),
            128 << 10,
            "{signal}"
        );
        let names: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert!(
            names.iter().all(|name| !name.to_str().unwrap().starts_with('.')),
            "{signal}: {names:?}"
        );
    }
}

#[test]
fn a_signal_gives_up_other_work() {
    let folder = folder("signal_verify");
    let mut child = Command::new(env!("CARGO_BIN_EXE_swirl"))
        .args(["verify", "--cases", "100000000", "--junit", "a.xml"])
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    use std::os::unix::process::ExitStatusExt;
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    only(&folder, &[]);
}
