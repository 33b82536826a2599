//! Reads cases and finds them in folders.

use super::artifact::Artifact;
use crate::input;
use crate::limits::CASE_DEPTH as MAX_DEPTH;
use crate::setting_options::SetOptions;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Keys of every kind of case.
pub(super) const COMMON_KEYS: [&str; 3] = ["kind", "expect", "known_failure"];

/// A kind of case.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// Keys of `case.toml` in addition to the common ones.
    pub(super) keys: &'static [&'static str],
    /// Runs a case; an error fails the case.
    pub(super) run: fn(&Case, &SetOptions) -> Result<CaseOutput>,
}

/// Result of running a case.
#[derive(Default)]
pub(super) struct CaseOutput {
    pub(super) artifacts: Vec<Artifact>,
    /// Folder that contains only the output of this case.
    pub(super) folder: Option<PathBuf>,
    pub(super) warnings: Vec<String>,
    /// Measurements with their budgets.
    pub(super) budgets: Vec<BudgetResult>,
    /// Reason why the case fails although it ran.
    pub(super) problem: Option<String>,
    /// Screen at the end of a failed program.
    pub(super) screen: Option<pvr::Image>,
}

/// A measurement with its budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BudgetResult {
    pub(super) name: String,
    pub(super) found: u64,
    pub(super) budget: u64,
}

impl BudgetResult {
    pub(super) fn exceeded(&self) -> bool {
        self.found > self.budget
    }
}

/// Finds a kind by its name.
pub(super) type FindKind = fn(&str) -> Result<&'static Kind>;

/// A case.
#[derive(Debug, Clone)]
pub(super) struct Case {
    /// Path below the requested directory, with `/` as separator; `.` for the directory itself.
    pub(super) name: String,
    pub(super) folder: PathBuf,
    pub(super) kind: &'static Kind,
    pub(super) file: File,
    /// Play settings of the command line.
    pub(super) play: Vec<String>,
    /// Time limit of its commands.
    pub(super) time_limit: Duration,
    /// Reason why `case.toml` cannot be read, which fails the case.
    pub(super) problem: Option<String>,
}

impl Case {
    /// Returns the input file of the case.
    pub(super) fn input(&self) -> Result<&Path> {
        self.file.input.as_deref().with_context(|| {
            format!(
                "found no input, expected one in a case of kind {}",
                self.kind.name
            )
        })
    }

    /// Returns the files and folders that the case names.
    pub(super) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let file = &self.file;
        let one = file
            .input
            .iter()
            .chain(&file.expect)
            .chain(&file.spec)
            .chain(&file.audio);
        let named = one.chain(&file.inputs).chain(&file.textures);
        named.map(|path| self.folder.join(path))
    }

    /// Path of the expected file or folder; `default` if the case does not name it.
    pub(super) fn expect(&self, default: &str) -> PathBuf {
        self.folder
            .join(self.file.expect.as_deref().unwrap_or(Path::new(default)))
    }
}

/// Content of `case.toml`. The kind decides which keys are valid.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    kind: Option<String>,
    expect: Option<PathBuf>,
    pub(super) known_failure: bool,
    pub(super) input: Option<PathBuf>,
    pub(super) inputs: Vec<PathBuf>,
    pub(super) output: Option<PathBuf>,
    pub(super) options: Vec<String>,
    pub(super) textures: Vec<PathBuf>,
    pub(super) motion: Option<String>,
    pub(super) shape: Option<String>,
    /// One word or several of `--play`.
    pub(super) play: Option<Words>,
    pub(super) last_key: Option<String>,
    pub(super) light: Option<[f32; 2]>,
    pub(super) frames: Option<Vec<f32>>,
    pub(super) size: Option<String>,
    pub(super) yaw: Option<f32>,
    pub(super) pitch: Option<f32>,
    /// Value of `--cell-space`.
    pub(super) cell_space: Option<String>,
    pub(super) kernels: Option<String>,
    /// Values of `--pvr`.
    pub(super) pvr: Vec<String>,
    pub(super) max_different_pixels: u64,
    pub(super) spec: Option<PathBuf>,
    pub(super) names: Vec<String>,
    pub(super) cases: Option<u64>,
    pub(super) seed: Option<u64>,
    pub(super) name: Option<String>,
    pub(super) call: Option<String>,
    pub(super) arguments: Vec<i64>,
    pub(super) cache: Option<String>,
    pub(super) max: Option<u64>,
    pub(super) fail_above: Option<String>,
    pub(super) make: Option<MakeTarget>,
    pub(super) script: Option<PathBuf>,
    /// State to start from, like `--load-state`.
    pub(super) state: Option<PathBuf>,
    pub(super) limit: Option<Limit>,
    pub(super) exit_code: Option<i32>,
    pub(super) end_picture: bool,
    /// The expected sound.
    pub(super) audio: Option<PathBuf>,
    pub(super) audio_tolerance: u16,
    /// Set to true for a program that must be silent, to false for one that must not.
    pub(super) silent: Option<bool>,
    pub(super) console: bool,
    pub(super) contains: Vec<String>,
    /// Rules of `--deny`.
    pub(super) checks: Option<Words>,
    pub(super) budget: Option<Budget>,
}

/// Budget for frames of a program. Every given limit is checked.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Budget {
    /// `A..B`, like `--frames` of `swirl profile`.
    pub(super) frames: String,
    /// Maximum work cycles per frame.
    pub(super) frame_cycles: Option<u64>,
    /// Maximum cycles of a function per frame, without callees.
    #[serde(default)]
    pub(super) functions: BTreeMap<String, u64>,
    /// Maximum number of frames without a new render.
    pub(super) missed_frames: Option<u64>,
    /// Maximum bytes per frame sent to the tile accelerator.
    pub(super) ta_bytes: Option<u64>,
    /// Maximum bytes of RAM in use.
    pub(super) ram_bytes: Option<u64>,
    /// Maximum bytes of video memory in use.
    pub(super) vram_bytes: Option<u64>,
}

/// A file that `make` builds before a case runs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MakeTarget {
    /// Folder of the Makefile, relative to the case.
    pub(super) folder: PathBuf,
    pub(super) target: String,
}

/// Limit of a program's run.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Limit {
    pub(super) frames: Option<u64>,
    pub(super) seconds: Option<f64>,
}

/// One word or a list of words.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Words {
    One(String),
    Many(Vec<String>),
}

impl Words {
    pub(super) fn list(&self) -> Vec<String> {
        match self {
            Self::One(word) => vec![word.clone()],
            Self::Many(words) => words.clone(),
        }
    }
}

/// Returns the folder for a case below another folder.
pub(super) fn below(root: &Path, name: &str) -> PathBuf {
    match name {
        "." => root.to_owned(),
        name => root.join(name),
    }
}

/// Returns all cases at or below a directory, sorted by name.
pub(super) fn find(root: &Path, kinds: FindKind) -> Result<Vec<Case>> {
    if !root.is_dir() {
        bail!("{}: not a directory", root.display());
    }
    let mut cases = Vec::new();
    search(root, root, 0, kinds, &mut cases)?;
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}

fn search(root: &Path, folder: &Path, depth: usize, kinds: FindKind, cases: &mut Vec<Case>) -> Result<()> {
    if let Some(case) = read(root, folder, kinds)? {
        cases.push(case);
        return Ok(());
    }
    if depth == MAX_DEPTH {
        bail!("{}: more than {MAX_DEPTH} folders deep", folder.display());
    }
    let entries = std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("{}", folder.display()))?.path();
        if path.is_dir() {
            search(root, &path, depth + 1, kinds, cases)?;
        }
    }
    Ok(())
}

/// Reads the case in a folder, if there is one.
fn read(root: &Path, folder: &Path, kinds: FindKind) -> Result<Option<Case>> {
    let path = folder.join("case.toml");
    let text = if path.is_file() {
        input::read_toml(&path)
    } else if folder.join("scene.txt").is_file() {
        Ok(String::new())
    } else {
        return Ok(None);
    };
    let parsed = text.and_then(|text| parse(&text, kinds).with_context(|| format!("{}", path.display())));
    let (problem, (kind, file)) = match parsed {
        Ok(parsed) => (None, parsed),
        Err(error) => (Some(format!("{error:#}")), (kinds("scene")?, File::default())),
    };
    Ok(Some(Case {
        name: name(root, folder),
        folder: folder.to_owned(),
        kind,
        file,
        play: Vec::new(),
        time_limit: Duration::MAX,
        problem,
    }))
}

/// Parses the text of a `case.toml`.
pub(super) fn parse(text: &str, kinds: FindKind) -> Result<(&'static Kind, File)> {
    let file: File = toml::from_str(text)?;
    let name = file.kind.as_deref().unwrap_or("scene");
    let kind = kinds(name)?;
    let table: toml::Table = toml::from_str(text)?;
    let known = |key: &str| COMMON_KEYS.contains(&key) || kind.keys.contains(&key);
    if let Some(key) = table.keys().find(|key| !known(key)) {
        bail!(
            "key {key} in a case of kind {name}, expected {}, {}",
            COMMON_KEYS.join(", "),
            kind.keys.join(", ")
        );
    }
    Ok((kind, file))
}

fn name(root: &Path, folder: &Path) -> String {
    let below = folder.strip_prefix(root).unwrap_or(folder);
    let names: Vec<_> = below
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    if names.is_empty() {
        ".".to_owned()
    } else {
        names.join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{help, kinds};

    /// The help's example of each key must parse, and the help must have all keys.
    #[test]
    fn help_lists_what_the_parser_knows() {
        let text = help::text();
        for kind in kinds::all() {
            let lines: Vec<String> = super::COMMON_KEYS[1..]
                .iter()
                .chain(kind.keys)
                .map(|key| help::line(kind.name, key).unwrap_or_else(|| panic!("no example of {key}")))
                .collect();
            assert!(lines.iter().all(|line| text.contains(line)), "{}", kind.name);
            let case = format!("kind = \"{}\"\n{}", kind.name, lines.join("\n"));
            super::parse(&case, kinds::find).unwrap();
        }
    }

    #[test]
    fn keys_belong_to_kinds() {
        let parse = |text| super::parse(text, kinds::find);
        let error = |text| format!("{:#}", parse(text).map(|(kind, _)| kind.name).unwrap_err());
        assert_eq!(parse("").unwrap().0.name, "scene");
        assert_eq!(parse("kind = \"frame\"\nyaw = 3.0\n").unwrap().1.yaw, Some(3.0));
        assert!(error("kind = \"convert\"\nyaw = 3.0\n").starts_with("key yaw in a case of kind convert"));
        assert!(error("kind = \"picture\"\n").starts_with("kind picture, expected"));
        assert!(error("no_such_key = 1\n").contains("no_such_key"));
    }
}
