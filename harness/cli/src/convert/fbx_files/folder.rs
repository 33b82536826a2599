//! Converts all scenes in a folder, and prints totals.

use super::{ALLOWED, FbxArgs, converted, is_right_volumes, worst, write};
use crate::exit::ExitStatus;
use crate::plural::plural;
use anyhow::{Context, Result, bail};
use player::Input;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Totals over all files.
#[derive(Default, Serialize)]
struct Totals {
    files: usize,
    converted: usize,
    /// Number of rejected files that --may-refuse permits.
    refused_as_expected: usize,
    /// Number of other rejected files.
    refused: usize,
    /// Number of files that failed --check.
    too_far: usize,
    warnings: usize,
    /// Number of positions compared by --check.
    compared: usize,
    /// Largest distance between a vertex and the source, as a share of its model's size.
    largest: f64,
    largest_in: String,
}

/// Result of one file.
#[derive(Serialize)]
struct Row {
    file: String,
    written: usize,
    triangles: usize,
    motions: usize,
    /// Largest distance as a share of the size; only with --check.
    largest: Option<f64>,
    warnings: Vec<String>,
    /// Reason for rejecting the file.
    refused: Option<String>,
}

/// Converts every scene below `input` to the corresponding path below `output`.
pub(super) fn run(input: &Path, output: &Path, args: &FbxArgs, mipmaps: bool) -> Result<ExitStatus> {
    args.options(mipmaps)?;
    let files = scenes(input)?;
    if files.is_empty() {
        bail!(
            "{}: no scenes (.fbx, .gltf, .glb, .obj), expected at least one",
            input.display()
        );
    }
    let (mut totals, mut rows) = (Totals::default(), Vec::new());
    for file in &files {
        let inside = place(file, &files);
        let inside = inside.strip_prefix(input).unwrap_or(&inside);
        let row = one(file, &output.join(inside), args, mipmaps, &mut totals)?;
        if let Some(reason) = &row.refused {
            eprintln!("{}", reason);
        }
        rows.push(row);
    }
    if args.json {
        let value = serde_json::json!({ "totals": totals, "files": rows });
        println!("{}", serde_json::to_string_pretty(&value)?);
    } else {
        print(&totals, args.check);
    }
    Ok(ExitStatus::of(totals.refused == 0 && totals.too_far == 0))
}

fn one(file: &Path, folder: &Path, args: &FbxArgs, mipmaps: bool, totals: &mut Totals) -> Result<Row> {
    let mut row = Row {
        file: file.display().to_string(),
        written: 0,
        triangles: 0,
        motions: 0,
        largest: None,
        warnings: Vec::new(),
        refused: None,
    };
    totals.files += 1;
    let conversion = match converted(file, args, mipmaps) {
        Ok(conversion) => conversion,
        Err(error) => {
            let expected = args
                .may_refuse
                .iter()
                .any(|text| row.file.contains(text.as_str()));
            totals.refused_as_expected += usize::from(expected);
            totals.refused += usize::from(!expected);
            row.refused = Some(format!("{error:#}"));
            return Ok(row);
        }
    };
    totals.converted += 1;
    if !args.dry_run {
        row.written = write(file, folder, &conversion)?.len();
    }
    let report = &conversion.report;
    row.triangles = report.triangles;
    row.motions = report.motions.len();
    row.warnings.clone_from(&report.warnings);
    totals.warnings += row.warnings.len();
    totals.compared += report.check.as_ref().map_or(0, |c| c.compared);
    totals.too_far += usize::from(!is_right_volumes(report));
    if let Some(deviation) = worst(report) {
        row.largest = Some(deviation.relative);
        totals.too_far += usize::from(deviation.relative > ALLOWED);
        if deviation.relative > totals.largest {
            totals.largest = deviation.relative;
            totals.largest_in.clone_from(&row.file);
        }
    }
    Ok(row)
}

/// Returns the output folder of a scene: its name without the extension, or with it if another scene has the
/// same name.
fn place(file: &Path, files: &[PathBuf]) -> PathBuf {
    let bare = file.with_extension("");
    let same = files.iter().filter(|other| other.with_extension("") == bare);
    if same.count() > 1 {
        file.to_path_buf()
    } else {
        bare
    }
}

/// Returns all scenes below a folder, sorted by name. Does not follow links to folders, because they can form
/// a cycle.
fn scenes(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        let failed = || folder.display().to_string();
        for entry in std::fs::read_dir(&folder).with_context(failed)? {
            let entry = entry.with_context(failed)?;
            let path = entry.path();
            if entry.file_type().with_context(failed)?.is_dir() {
                folders.push(path);
            } else if Input::named(&path).is_some_and(Input::is_scene) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn print(totals: &Totals, checked: bool) {
    let line = |what: &str, value: String| println!("{what:<16} {value}");
    line("files", totals.files.to_string());
    line(
        "converted",
        format!("{} with {}", totals.converted, plural(totals.warnings, "warning")),
    );
    line(
        "refused",
        format!(
            "{} as expected, {} others",
            totals.refused_as_expected, totals.refused
        ),
    );
    if checked {
        line("compared", format!("{} positions", totals.compared));
        let name = &totals.largest_in;
        line("largest", format!("{:.3e} of the size, {name}", totals.largest));
    }
}
