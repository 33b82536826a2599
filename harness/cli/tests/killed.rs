//! A killed command must leave its output file complete or unchanged.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use crate::common::{assets, text};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Number of times that each command is killed: `SWIRL_KILLS`, 25 by default.
fn kills() -> u32 {
    let value = std::env::var("SWIRL_KILLS").ok();
    value.map_or(25, |value| value.parse().unwrap())
}

/// Commands that write a file, named `OUT`. Covers every writing verb except `view`, which writes when a key
/// is pressed, and `truth`, which runs for too long. `ROMS` is the folder of programs, `CASES` the folder of
/// regression cases; the demo's files are in the current folder.
const COMMANDS: [&str; 24] = [
    "demo --cases 2 --output OUT.png",
    "convert shark.nj OUT.nja",
    "convert shark.nj OUT.glb",
    "convert shark.nj OUT.fbx",
    "convert SAND.pvr OUT.png",
    "convert demo.png OUT.pvr --layout rect",
    "render shark.nj -o OUT.png",
    "render shark.nj --motion shark.njm --frames 0..4 -o OUT.gif",
    "render shark.nj --motion shark.njm --frames 0..4 -o OUT.apng",
    "render shark.nj -o unused.png --ta-dump OUT.ta",
    "run ROMS/console/spin.elf --frames 6 --screenshot 5=OUT.png",
    "run ROMS/console/spin.elf --frames 6 --video OUT.y4m",
    "run ROMS/console/spin.elf --frames 6 --trace OUT.json",
    "run ROMS/console/menu.elf --frames 10 --record-input OUT.txt",
    "run ROMS/console/menu.elf --frames 10 --vmu OUT.vmu",
    "run ROMS/checks/stale_code.elf --check all --sarif OUT.sarif",
    "profile transform_points --export json=OUT.json",
    "profile transform_points --export html=OUT.html",
    "profile --elf ROMS/console/spin.elf --frames 2..5 --export frames=OUT.csv",
    "verify sincos --cases 20 --junit OUT.xml",
    "test CASES/blend_alpha_result --junit OUT.xml",
    "test CASES/blend_alpha_result --markdown OUT.md",
    "test CASES/blend_alpha_result --contact-sheet OUT.png",
    "man OUT/swirl-run.1",
];

const OLD: &[u8] = b"what was there before";

struct Run<'a> {
    folder: &'a Path,
    arguments: Vec<String>,
    /// File that the command writes.
    out: std::path::PathBuf,
}

impl<'a> Run<'a> {
    fn new(folder: &'a Path, number: usize, command: &str) -> Self {
        let roms = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms");
        let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/pvr");
        let name = format!("out{number}");
        let words = command.split(' ').map(|word| {
            word.replace("OUT", &name)
                .replace("ROMS", roms)
                .replace("CASES", cases)
        });
        let mut arguments: Vec<String> = words.collect();
        let file = arguments
            .iter()
            .find_map(|word| word.find(&name).map(|at| folder.join(&word[at..])));
        // This verb takes the folder of its pages.
        if arguments[0] == "man" {
            arguments[1] = name;
        }
        Self {
            folder,
            out: file.unwrap(),
            arguments,
        }
    }

    fn start(&self) -> std::process::Child {
        // A VMU has a fixed size, so the old file contains zeros.
        if self.out.extension().is_some_and(|extension| extension == "vmu") {
            let _ = fs::remove_file(&self.out);
        } else {
            fs::create_dir_all(self.out.parent().unwrap()).unwrap();
            fs::write(&self.out, OLD).unwrap();
        }
        Command::new(env!("CARGO_BIN_EXE_swirl"))
            .args(&self.arguments)
            .current_dir(self.folder)
            .env_remove("DISPLAY")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Kills the command after a time. Returns whether the file is the new one.
    fn kill(&self, after: Duration, whole: &[u8]) -> bool {
        let mut child = self.start();
        std::thread::sleep(after);
        child.kill().unwrap();
        child.wait().unwrap();
        let now = fs::read(&self.out).unwrap_or_else(|_| OLD.to_vec());
        if now == OLD {
            return false;
        }
        assert!(
            without_times(&now) == without_times(whole),
            "killed after {after:?}, {:?} left {} of {} bytes",
            self.arguments,
            now.len(),
            whole.len()
        );
        true
    }
}

/// Removes the durations of cases from a JUnit report.
fn without_times(bytes: &[u8]) -> Vec<u8> {
    if !bytes.starts_with(b"<?xml") {
        return bytes.to_vec();
    }
    let mut parts = text(bytes);
    while let Some(at) = parts.find(" time=\"") {
        let end = at + 7 + parts[at + 7..].find('"').unwrap();
        parts.replace_range(at..=end, "");
    }
    parts.into_bytes()
}

#[test]
fn a_killed_command_leaves_the_old_file_or_the_new_one() {
    let folder = assets("killed");
    let (old, new) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // A thread kills every second command: most of them use one processor only.
    std::thread::scope(|scope| {
        for first in 0..2 {
            let (folder, old, new) = (&folder, &old, &new);
            scope.spawn(move || {
                kill_commands(
                    folder,
                    COMMANDS.iter().enumerate().skip(first).step_by(2),
                    old,
                    new,
                )
            });
        }
    });
    assert!(old.load(Relaxed) > 0, "no command was killed before its end");
    println!(
        "{} commands killed: {} files as before, {} new ones",
        COMMANDS.len(),
        old.load(Relaxed),
        new.load(Relaxed)
    );
}

/// Kills each command after random times, and counts the files that remain and the new ones.
fn kill_commands<'a>(
    folder: &Path,
    commands: impl Iterator<Item = (usize, &'a &'a str)>,
    old: &AtomicUsize,
    new: &AtomicUsize,
) {
    let mut random = 0x9E37_79B9_u32;
    for (number, command) in commands {
        let run = Run::new(folder, number, command);
        let begin = Instant::now();
        let output = run.start().wait_with_output().unwrap();
        let took = begin.elapsed();
        assert!(
            output.status.code().is_some_and(|code| code < 2),
            "{command}: {}",
            text(&output.stderr)
        );
        let whole = fs::read(&run.out).unwrap();
        assert!(whole != OLD, "{command} wrote nothing");
        for _ in 0..kills() {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            // Up to a fifth more than the command's own time, in thousandths.
            let after = took.mul_f64(f64::from(random % 1_200) / 1_000.0);
            let count = if run.kill(after, &whole) { new } else { old };
            count.fetch_add(1, Relaxed);
        }
    }
}
