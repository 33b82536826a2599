//! The files of a host folder, in the order and with the names that they get on a disc.

use super::DiscError;
use crate::limits::DISC_DEPTH as DEEPEST;
use crate::limits::DISC_ENTRIES as MOST;
use crate::limits::DISC_NAME as LONGEST;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A file or directory.
#[derive(Debug)]
pub(super) struct Node {
    /// The name on the host.
    pub(super) name: String,
    /// The name on the disc: ISO 9660 level 1, without version number.
    pub(super) iso: String,
    pub(super) parent: usize,
    pub(super) depth: usize,
    pub(super) path: PathBuf,
    /// Bytes of a file; nothing for a directory.
    pub(super) size: Option<u32>,
    /// A directory's entries, by their names on the disc.
    pub(super) children: Vec<usize>,
}

/// All nodes: 0 is the root, then level by level, in the order of the path table.
pub(super) fn scan(folder: &Path) -> Result<Vec<Node>, DiscError> {
    let host = |error| DiscError::Host(folder.to_owned(), error);
    let root = folder.canonicalize().map_err(host)?;
    let mut nodes = vec![Node {
        name: String::new(),
        iso: String::new(),
        parent: 0,
        depth: 0,
        path: root.clone(),
        size: None,
        children: Vec::new(),
    }];
    let mut next = 0;
    while next < nodes.len() {
        if nodes[next].size.is_none() {
            let children = children(&root, next, &nodes[next])?;
            let first = nodes.len();
            nodes.extend(children);
            nodes[next].children = (first..nodes.len()).collect();
        }
        if nodes.len() > MOST {
            let found = format!("more than {MOST} files");
            return Err(DiscError::file(folder, found, "a folder that fits on a disc"));
        }
        next += 1;
    }
    Ok(nodes)
}

/// The entries of a directory, sorted by their names on the disc.
fn children(root: &Path, parent: usize, directory: &Node) -> Result<Vec<Node>, DiscError> {
    let host = |error| DiscError::Host(directory.path.clone(), error);
    if directory.depth >= DEEPEST {
        let found = format!("{DEEPEST} folders inside each other");
        return Err(DiscError::file(&directory.path, found, "fewer"));
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(&directory.path).map_err(host)?.take(MOST + 1) {
        entries.push(entry.map_err(host)?.path());
    }
    // The host's order is not the same everywhere.
    entries.sort();
    let mut nodes = Vec::new();
    let mut taken = BTreeSet::new();
    for path in entries {
        let Some(mut node) = node(root, parent, directory.depth + 1, path)? else {
            continue;
        };
        node.iso = unique(&node, &mut taken);
        nodes.push(node);
    }
    nodes.sort_by(|a, b| a.iso.cmp(&b.iso));
    Ok(nodes)
}

/// A file or directory. Devices and pipes have no place on a disc, and links are followed only to files
/// inside the folder.
fn node(root: &Path, parent: usize, depth: usize, path: PathBuf) -> Result<Option<Node>, DiscError> {
    let host = |error| DiscError::Host(path.clone(), error);
    let link = fs::symlink_metadata(&path).map_err(host)?.is_symlink();
    let Some(target) = path.canonicalize().ok().filter(|target| target.starts_with(root)) else {
        return Ok(None);
    };
    let metadata = fs::metadata(&target).map_err(host)?;
    if !metadata.is_file() && (link || !metadata.is_dir()) {
        return Ok(None);
    }
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    if name.is_empty() || name.len() > LONGEST {
        let expected = format!("UTF-8 of at most {LONGEST} bytes");
        return Err(DiscError::file(
            &path,
            format!("a name of {} bytes", name.len()),
            expected,
        ));
    }
    let size = match (metadata.is_dir(), u32::try_from(metadata.len())) {
        (true, _) => None,
        (false, Ok(size)) => Some(size),
        (false, Err(_)) => {
            let found = format!("{} bytes", metadata.len());
            return Err(DiscError::file(&path, found, "less than 4 GiB"));
        }
    };
    Ok(Some(Node {
        name: name.to_owned(),
        iso: String::new(),
        parent,
        depth,
        path: target,
        size,
        children: Vec::new(),
    }))
}

/// Letters of ISO 9660: A to Z, digits, underscore.
fn letters(text: &str, most: usize) -> String {
    text.chars()
        .map(|letter| match letter.to_ascii_uppercase() {
            letter @ ('A'..='Z' | '0'..='9') => letter,
            _ => '_',
        })
        .take(most)
        .collect()
}

/// A name of level 1 (8.3; directories have no extension) that no earlier entry has.
fn unique(node: &Node, taken: &mut BTreeSet<String>) -> String {
    let (base, end) = match node.name.rsplit_once('.') {
        Some((base, end)) if node.size.is_some() && !base.is_empty() => (base, end),
        _ => (node.name.as_str(), ""),
    };
    let full = |base: String| match node.size {
        Some(_) => format!("{base}.{}", letters(end, 3)),
        None => base,
    };
    let mut name = full(letters(base, 8));
    let mut number = 0;
    while !taken.insert(name.clone()) {
        number += 1;
        let digits = number.to_string();
        name = full(letters(base, 8 - digits.len()) + &digits);
    }
    name
}
