//! Links in the documentation.

use crate::files::{Text, root, with_extensions};
use crate::ratchet::Violation;
use std::path::Path;

/// Relative links to missing files, and pages that the book's summary does not list.
pub(crate) fn broken() -> Vec<Violation> {
    let files = with_extensions(&["md"]);
    let mut found: Vec<Violation> = files.iter().flat_map(of_file).collect();
    found.extend(unlisted(&files));
    found
}

fn of_file(file: &Text) -> Vec<Violation> {
    let folder = root().join(Path::new(&file.path).parent().unwrap());
    let mut found = Vec::new();
    for (line, text) in file.text.lines().enumerate() {
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets {
            let path = target.split('#').next().unwrap_or_default();
            let elsewhere = path.is_empty() || target.contains("://") || target.contains(' ');
            if !elsewhere && !folder.join(path).exists() {
                found.push(Violation {
                    path: file.path.clone(),
                    line: line + 1,
                    what: format!("{target} leads nowhere"),
                });
            }
        }
    }
    found
}

fn unlisted(files: &[Text]) -> Vec<Violation> {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let pages = files
        .iter()
        .filter_map(|file| Some((file, file.path.strip_prefix("docs/")?)));
    let missing = pages.filter(|(_, page)| *page != "SUMMARY.md" && !summary.contains(&format!("({page})")));
    missing
        .map(|(file, _)| Violation {
            path: file.path.clone(),
            line: 0,
            what: "docs/SUMMARY.md does not list the page".to_owned(),
        })
        .collect()
}
