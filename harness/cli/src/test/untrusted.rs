//! `--untrusted`: restrictions for cases from untrusted sources.
//!
//! A case can name only files inside its folder. Links could lead out of the folder, so it must not contain
//! any. Pipes and devices are rejected, too.

use anyhow::{Context, Result, bail};
use std::path::{Component, Path};

/// Maximum number of files and folders, and maximum depth of folders.
const MOST: (usize, usize) = (100_000, 32);
/// Options that wait for a connection or open a window.
const OPTIONS: [&str; 2] = ["--gdb", "--window"];

/// Searches a folder for links, pipes and devices.
///
/// # Errors
/// If one is found, or the folder is too large.
pub(super) fn check_folder(root: &Path) -> Result<()> {
    let mut folders = vec![(root.to_owned(), 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = folders.pop() {
        let name = || folder.display().to_string();
        if depth > MOST.1 {
            bail!("{}: more than {} folders deep (--untrusted)", name(), MOST.1);
        }
        for entry in std::fs::read_dir(&folder).with_context(name)? {
            let entry = entry.with_context(name)?;
            let (path, kind) = (entry.path(), entry.file_type().with_context(name)?);
            seen += 1;
            if seen > MOST.0 {
                bail!("{}: more than {} files (--untrusted)", root.display(), MOST.0);
            }
            match () {
                () if kind.is_dir() => folders.push((path, depth + 1)),
                () if kind.is_file() => {}
                () => {
                    let found = if kind.is_symlink() {
                        "link"
                    } else {
                        "pipe or device"
                    };
                    bail!(
                        "{}: found a {found}, expected files and folders (--untrusted)",
                        path.display()
                    );
                }
            }
        }
    }
    Ok(())
}

/// Returns the reason for rejecting a `case.toml`.
pub(super) fn problem(text: &str) -> Option<String> {
    // The parser reports syntax errors.
    let table: toml::Table = toml::from_str(text).ok()?;
    if table.contains_key("make") {
        return Some("make: found a command, which --untrusted does not permit".to_owned());
    }
    let mut values: Vec<(&str, &toml::Value)> =
        table.iter().map(|(key, value)| (key.as_str(), value)).collect();
    while let Some((key, value)) = values.pop() {
        match value {
            toml::Value::String(text) if leads_out(text) => {
                return Some(format!(
                    "{key}: found {text}, expected a path inside the case's folder (--untrusted)"
                ));
            }
            toml::Value::String(text) if OPTIONS.iter().any(|option| text.starts_with(option)) => {
                return Some(format!("{key}: found {text}, which --untrusted does not permit"));
            }
            toml::Value::Array(all) => values.extend(all.iter().map(|value| (key, value))),
            toml::Value::Table(table) => {
                values.extend(table.iter().map(|(key, value)| (key.as_str(), value)));
            }
            _ => {}
        }
    }
    None
}

/// Returns whether a word of a case, or a part of it such as the text after `=`, is a path out of a folder.
fn leads_out(word: &str) -> bool {
    let parts = word.split(['=', ',', ':']).chain([word]);
    // A value can follow a short option directly: -oFILE.
    let after_option = |part: &str| {
        part.strip_prefix('-')
            .and_then(|rest| rest.get(1..))
            .unwrap_or("")
            .to_owned()
    };
    parts
        .flat_map(|part| [part.to_owned(), after_option(part)])
        .any(|part| {
            let backwards = part.replace('\\', "/");
            let mut components = Path::new(&backwards).components();
            components.any(|part| {
                matches!(
                    part,
                    Component::ParentDir | Component::RootDir | Component::Prefix(_)
                )
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_reach_nothing_outside_their_folder() {
        for fine in [
            "input = 'a/b.elf'\noptions = ['--clock', 'model', '--set', 'x=y', '--frames=3']",
            "contains = ['a..b', '1.5']",
            "not = [toml",
        ] {
            assert_eq!(problem(fine), None, "{fine}");
        }
        for (refused, found) in [
            ("make = { folder = '.', target = 'all' }", "make: found a command"),
            ("input = '../b.elf'", "input: found ../b.elf"),
            ("inputs = ['a', '/etc/passwd']", "inputs: found /etc/passwd"),
            (
                "options = ['--screenshot', '5=/elsewhere/a.png']",
                "options: found 5=/elsewhere/a.png",
            ),
            (
                "options = ['--video=../a.gif']",
                "options: found --video=../a.gif",
            ),
            (
                "options = ['-o/elsewhere/a.png']",
                "options: found -o/elsewhere/a.png",
            ),
            (
                "options = ['--gdb=1234']",
                "options: found --gdb=1234, which --untrusted",
            ),
            ("[limit]\nfolder = 'a/../../b'", "folder: found a/../../b"),
        ] {
            let why = problem(refused).unwrap_or_default();
            assert!(why.starts_with(found), "{refused}: {why}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn folders_with_links_or_pipes_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        std::fs::write(folder.path().join("a/case.toml"), "").unwrap();
        check_folder(folder.path()).unwrap();
        let link = folder.path().join("a/link");
        std::os::unix::fs::symlink("/tmp", &link).unwrap();
        let error = check_folder(folder.path()).unwrap_err().to_string();
        assert!(error.contains("a/link: found a link"), "{error}");
        std::fs::remove_file(&link).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&link).status();
        assert!(made.unwrap().success());
        assert!(check_folder(folder.path()).is_err());
    }
}
