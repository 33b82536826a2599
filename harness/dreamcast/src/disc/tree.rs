//! The files of a host folder, with their order and names on a disc.

use super::DiscError;
use crate::limits::DISC_DEPTH as DEEPEST;
use crate::limits::DISC_ENTRIES as MAX;
use crate::limits::DISC_NAME as LONGEST;
use std::collections::{BTreeMap, BTreeSet};
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
    /// Size of a file in bytes; `None` for a directory. A link to a file has the file's size, any other link
    /// 0.
    pub(super) size: Option<u32>,
    /// Set if the host permits anybody to execute the file.
    pub(super) executable: bool,
    /// Target text of a symbolic link.
    pub(super) link: Option<String>,
    /// Entries of a directory, sorted by their names on the disc.
    pub(super) children: Vec<usize>,
}

/// Returns the root without its entries.
pub(super) fn root(folder: &Path) -> Result<Node, DiscError> {
    let host = |error| DiscError::Host(folder.to_owned(), error);
    Ok(Node {
        name: String::new(),
        iso: String::new(),
        parent: 0,
        depth: 0,
        path: folder.canonicalize().map_err(host)?,
        size: None,
        executable: true,
        link: None,
        children: Vec::new(),
    })
}

/// Returns all nodes: 0 is the root, then level by level, in the order of the path table.
pub(super) fn scan(folder: &Path) -> Result<Vec<Node>, DiscError> {
    let first = root(folder)?;
    let root = first.path.clone();
    let mut nodes = vec![first];
    let mut next = 0;
    while next < nodes.len() {
        if nodes[next].size.is_none() {
            let children = children(&root, next, &nodes[next])?;
            let first = nodes.len();
            nodes.extend(children);
            nodes[next].children = (first..nodes.len()).collect();
        }
        if nodes.len() > MAX {
            let found = format!("more than {MAX} files");
            return Err(DiscError::file(folder, found, "a folder that fits on a disc"));
        }
        next += 1;
    }
    Ok(nodes)
}

/// Returns the entries of a directory, sorted by their names on the disc.
fn children(root: &Path, parent: usize, directory: &Node) -> Result<Vec<Node>, DiscError> {
    let host = |error| DiscError::Host(directory.path.clone(), error);
    if directory.depth >= DEEPEST {
        let found = format!("{DEEPEST} nested folders");
        return Err(DiscError::file(&directory.path, found, "fewer"));
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(&directory.path).map_err(host)?.take(MAX + 1) {
        entries.push(entry.map_err(host)?.path());
    }
    // The order of the host's listing varies.
    entries.sort();
    let mut nodes = Vec::new();
    let mut names = Names::default();
    for path in entries {
        let Some(mut node) = node(root, parent, directory.depth + 1, path)? else {
            continue;
        };
        node.iso = unique(&node, &mut names);
        nodes.push(node);
    }
    nodes.sort_by(|a, b| a.iso.cmp(&b.iso));
    Ok(nodes)
}

/// Returns a file, directory or symbolic link; `None` for a device or pipe, which cannot be on a disc. A link
/// to a file inside the folder gets that file's contents, so readers without Rock Ridge see a copy of the
/// file. Other links are empty.
fn node(root: &Path, parent: usize, depth: usize, path: PathBuf) -> Result<Option<Node>, DiscError> {
    let host = |error| DiscError::Host(path.clone(), error);
    let is_link = fs::symlink_metadata(&path).map_err(host)?.is_symlink();
    let link = if is_link {
        Some(fs::read_link(&path).map_err(host)?)
    } else {
        None
    };
    let inside = |path: &Path| path.canonicalize().ok().filter(|target| target.starts_with(root));
    let target = inside(&path).or_else(|| {
        // Absolute links are relative to the disc.
        let text = link.as_ref()?.strip_prefix("/").ok()?;
        inside(&root.join(text))
    });
    let metadata = target.as_ref().map(fs::metadata).transpose().map_err(host)?;
    let is_file = metadata.as_ref().is_some_and(fs::Metadata::is_file);
    let is_directory = !is_link && metadata.as_ref().is_some_and(fs::Metadata::is_dir);
    let link = link.and_then(|text| text.to_str().map(str::to_owned));
    if !is_file && !is_directory && link.is_none() {
        return Ok(None);
    }
    let bytes = metadata.as_ref().filter(|_| is_file).map_or(0, fs::Metadata::len);
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
    let size = match (is_directory, u32::try_from(bytes)) {
        (true, _) => None,
        (false, Ok(size)) => Some(size),
        (false, Err(_)) => {
            let found = format!("{bytes} bytes");
            return Err(DiscError::file(&path, found, "less than 4 GiB"));
        }
    };
    Ok(Some(Node {
        name: name.to_owned(),
        iso: String::new(),
        parent,
        depth,
        path: target.unwrap_or(path),
        size,
        executable: metadata.as_ref().is_some_and(is_executable),
        link,
        children: Vec::new(),
    }))
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

/// On hosts without execute permissions, every file is executable.
#[cfg(not(unix))]
fn is_executable(_metadata: &fs::Metadata) -> bool {
    true
}

/// Converts a name to ISO 9660 characters: A to Z, digits, underscore.
fn letters(text: &str, most: usize) -> String {
    text.chars()
        .map(|letter| match letter.to_ascii_uppercase() {
            letter @ ('A'..='Z' | '0'..='9') => letter,
            _ => '_',
        })
        .take(most)
        .collect()
}

/// Names of a directory on the disc.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
    /// Next number to try. The key is the name without the number, and the number of digits.
    numbers: BTreeMap<(String, u32), u32>,
}

/// Returns a level 1 name (8.3; directories have no extension) that no earlier entry has.
fn unique(node: &Node, names: &mut Names) -> String {
    let (base, end) = match node.name.rsplit_once('.') {
        Some((base, end)) if node.size.is_some() && !base.is_empty() => (base, end),
        _ => (node.name.as_str(), ""),
    };
    let full = |base: String| match node.size {
        Some(_) => format!("{base}.{}", letters(end, 3)),
        None => base,
    };
    let mut name = full(letters(base, 8));
    let mut digits = 0;
    while !names.taken.insert(name.clone()) {
        let first = 10_u32.pow(digits.max(1) - 1);
        let without = full(letters(base, 8 - digits as usize));
        let number = names.numbers.entry((without, digits)).or_insert(first);
        if digits == 0 || *number >= 10 * first {
            // 7 digits suffice for all entries of a directory.
            digits = (digits + 1).min(7);
            continue;
        }
        name = full(letters(base, 8 - digits as usize) + &number.to_string());
        *number += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: String) -> Node {
        Node {
            name,
            iso: String::new(),
            parent: 0,
            depth: 1,
            path: PathBuf::new(),
            size: Some(0),
            executable: false,
            link: None,
            children: Vec::new(),
        }
    }

    /// Similar names must get the first free number from 1, independent of their order.
    #[test]
    fn similar_names_get_the_first_free_number() {
        let mut names = Names::default();
        let mut made: Vec<String> = Vec::new();
        for name in [
            "similar_name.txt",
            "similar1.txt",
            "similar_other.txt",
            "sim.txt",
            "similar_2.txt",
        ] {
            made.push(unique(&node(name.to_owned()), &mut names));
        }
        let expected = [
            "SIMILAR_.TXT",
            "SIMILAR1.TXT",
            "SIMILAR2.TXT",
            "SIM.TXT",
            "SIMILAR3.TXT",
        ];
        assert_eq!(made, expected);
        let mut plain: BTreeSet<String> = made.into_iter().collect();
        for n in 0..2_000 {
            let base = format!("SIMI{:04}", n % 7);
            let found = unique(&node(format!("{base}_{n}.txt")), &mut names);
            let expected = (0..).map(|number: u32| match number {
                0 => format!("{base}.TXT"),
                _ => format!("{}{number}.TXT", &base[..8 - number.to_string().len()]),
            });
            let expected = expected.into_iter().find(|name| !plain.contains(name)).unwrap();
            assert_eq!(found, expected, "{n}");
            plain.insert(found);
        }
    }
}
