//! Writes the files that a fuzzing campaign starts with.

use crate::{TARGETS, dictionary, regressions};
use std::fmt::Write as _;
use std::path::Path;

/// Writes the first inputs and the regressions of every target into `FOLDER/TARGET`, its dictionary into
/// `FOLDER/TARGET.dict`, and names and longest inputs into `FOLDER/targets`.
///
/// # Errors
/// If a file cannot be written.
pub fn prepare(folder: &Path) -> std::io::Result<()> {
    let mut list = String::new();
    for target in &TARGETS {
        let _ = writeln!(list, "{} {}", target.name, target.longest);
        let inputs = folder.join(target.name);
        std::fs::create_dir_all(&inputs)?;
        for (number, bytes) in (target.first)().into_iter().enumerate() {
            std::fs::write(inputs.join(format!("first-{number}")), bytes)?;
        }
        for file in regressions(target) {
            std::fs::copy(&file, inputs.join(file.file_name().unwrap_or_default()))?;
        }
        std::fs::write(
            folder.join(format!("{}.dict", target.name)),
            dictionary_file(target.name),
        )?;
    }
    std::fs::write(folder.join("targets"), list)
}

/// Returns a dictionary in libFuzzer's format: one quoted word per line, with `\xHH` for characters other
/// than letters and digits.
fn dictionary_file(target: &str) -> String {
    let mut text = String::new();
    for word in dictionary(target) {
        text.push('"');
        for byte in word {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b' ' | b'_' => text.push(char::from(*byte)),
                _ => {
                    let _ = write!(text, "\\x{byte:02X}");
                }
            }
        }
        text.push_str("\"\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_everything_for_a_campaign() {
        let folder = tempfile::tempdir().expect("a folder");
        prepare(folder.path()).expect("written");
        let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a text");
        assert_eq!(text("targets").lines().count(), TARGETS.len());
        assert_eq!(text("palette.dict"), "\"PVPL\"\n");
        assert!(text("gdb.dict").contains("\"\\x0A\\x21\"\n"));
        assert!(folder.path().join("core/first-0").exists());
        let regression = "specification/long_sum.toml";
        assert!(folder.path().join(regression).exists());
    }
}
