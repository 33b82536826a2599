//! An ISO 9660 file system with the files of a folder. Directories are in memory; files are read together
//! with their sectors.
//!
//! Records have level 1 names, and the host's names in Rock Ridge entries (NM), which KallistiOS reads. The
//! layout depends only on names and sizes: all dates are 1 January 2000.

use super::storage::Storage;
use super::tree::{self, Node};
use super::{DATA, DiscError, END, SHORTEST_TRACK};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Number of sectors before the volume descriptors. On a bootable disc they contain IP.BIN.
const SYSTEM_AREA: u32 = 16;
/// First sector of the path tables, after the primary descriptor and the terminator.
const PATH_TABLES: u32 = SYSTEM_AREA + 2;
/// Year since 1900, month, day, hour, minute, second, offset from GMT.
const DATE: [u8; 7] = [100, 1, 1, 0, 0, 0, 0];
const DIRECTORY: u8 = 2;

/// A file's sectors.
#[derive(Debug)]
struct Extent {
    first: u32,
    size: u32,
    path: PathBuf,
}

/// A file system made from a folder.
#[derive(Debug)]
pub(super) struct Image {
    /// Sectors before the first file.
    head: Vec<u8>,
    /// Files in the order of their sectors; none is empty.
    extents: Vec<Extent>,
    /// Logical block of the first sector.
    base: u32,
    sectors: u32,
    /// Last read file.
    open: Option<(usize, File)>,
}

impl Image {
    /// Lays out the files of a folder, starting at logical block `base`.
    pub(super) fn of(folder: &Path, base: u32) -> Result<Self, DiscError> {
        Self::of_nodes(folder, &tree::scan(folder)?, base)
    }

    /// Creates a file system at logical block 0 without the folder's files.
    pub(super) fn without_files(folder: &Path) -> Result<Self, DiscError> {
        Self::of_nodes(folder, &[tree::root(folder)?], 0)
    }

    fn of_nodes(folder: &Path, nodes: &[Node], base: u32) -> Result<Self, DiscError> {
        let layout = Layout::of(nodes, base);
        let room = END.saturating_sub(base);
        if layout.sectors > u64::from(room) {
            let found = format!("{} sectors of 2048 bytes", layout.sectors);
            let expected = format!("at most {room}, the space on a disc from logical block {base} on");
            return Err(DiscError::file(folder, found, expected));
        }
        let boot = boot_sectors(nodes)?;
        let extents = layout.extents(nodes);
        Ok(Self {
            head: layout.head(nodes, &boot),
            extents,
            base,
            sectors: (layout.sectors as u32).max(SHORTEST_TRACK),
            open: None,
        })
    }

    /// Returns the logical block of the first sector.
    pub(super) fn base(&self) -> u32 {
        self.base
    }

    pub(super) fn sectors(&self) -> u32 {
        self.sectors
    }

    /// Returns the 2048 bytes of sector `index`.
    pub(super) fn read(&mut self, index: u32) -> Result<Vec<u8>, DiscError> {
        let at = index as usize * DATA;
        if let Some(bytes) = self.head.get(at..at + DATA) {
            return Ok(bytes.to_vec());
        }
        let mut bytes = vec![0; DATA];
        let following = self.extents.partition_point(|extent| extent.first <= index);
        let Some(number) = following.checked_sub(1) else {
            return Ok(bytes);
        };
        let extent = &self.extents[number];
        let offset = u64::from(index - extent.first) * DATA as u64;
        let length = u64::from(extent.size).saturating_sub(offset).min(DATA as u64) as usize;
        if length > 0 {
            let read = read_at(&mut self.open, number, extent, offset, &mut bytes[..length]);
            read.map_err(|error| DiscError::Host(extent.path.clone(), error))?;
        }
        Ok(bytes)
    }
}

fn read_at(
    open: &mut Option<(usize, File)>,
    number: usize,
    extent: &Extent,
    offset: u64,
    bytes: &mut [u8],
) -> std::io::Result<()> {
    let mut file = match open.take() {
        Some((opened, file)) if opened == number => file,
        _ => File::open(&extent.path)?,
    };
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)?;
    *open = Some((number, file));
    Ok(())
}

/// Returns IP.BIN of the root folder, which is in the first sectors of a bootable disc.
fn boot_sectors(nodes: &[Node]) -> Result<Vec<u8>, DiscError> {
    let most = SYSTEM_AREA as usize * DATA;
    let boot = nodes
        .iter()
        .find(|node| node.parent == 0 && node.iso == "IP.BIN" && node.size.is_some());
    let Some(boot) = boot else {
        return Ok(vec![0; most]);
    };
    let (file, size) = Storage::Host.open(&boot.path)?;
    if size > most as u64 {
        let found = format!("{size} bytes");
        return Err(DiscError::file(&boot.path, found, format!("at most {most}")));
    }
    let mut bytes = Vec::with_capacity(most);
    file.take(most as u64)
        .read_to_end(&mut bytes)
        .map_err(|error| DiscError::Host(boot.path.clone(), error))?;
    bytes.resize(most, 0);
    Ok(bytes)
}

/// First sectors and sizes.
struct Layout {
    /// Logical block of the track's first sector, because addresses on the disc are absolute.
    base: u32,
    /// Size of a path table in bytes.
    path_table: u32,
    /// First sector of each node, relative to the track.
    first: Vec<u32>,
    /// Size of each node in bytes.
    size: Vec<u32>,
    /// First sector after the directories.
    data: u32,
    /// Number of sectors, without the padding at the end.
    sectors: u64,
}

fn sectors_of(bytes: u32) -> u32 {
    bytes.div_ceil(DATA as u32)
}

impl Layout {
    fn of(nodes: &[Node], base: u32) -> Self {
        let path_table = nodes
            .iter()
            .filter(|node| node.size.is_none())
            .map(|node| path_record(node, 0, 0, true).len() as u32)
            .sum();
        let mut layout = Self {
            base,
            path_table,
            first: vec![0; nodes.len()],
            size: nodes.iter().map(|node| node.size.unwrap_or(0)).collect(),
            data: 0,
            sectors: 0,
        };
        let mut next = PATH_TABLES + 2 * sectors_of(path_table);
        for (number, node) in nodes.iter().enumerate() {
            if node.size.is_none() {
                layout.first[number] = next;
                layout.size[number] = layout.directory(nodes, number).len() as u32;
                next += sectors_of(layout.size[number]);
            }
        }
        layout.data = next;
        let mut next = u64::from(next);
        for (number, node) in nodes.iter().enumerate() {
            if let Some(size) = node.size {
                // An empty file has a position too. Numbers past the end of the disc do not matter, because
                // such a disc is rejected.
                layout.first[number] = u32::try_from(next).unwrap_or(u32::MAX);
                next += u64::from(sectors_of(size));
            }
        }
        layout.sectors = next;
        layout
    }

    /// Returns the logical block of a node.
    fn block(&self, number: usize) -> u32 {
        self.base.saturating_add(self.first[number])
    }

    fn extents(&self, nodes: &[Node]) -> Vec<Extent> {
        let files = nodes.iter().enumerate();
        files
            .filter(|(_, node)| node.size.is_some_and(|size| size > 0))
            .map(|(number, node)| Extent {
                first: self.first[number],
                size: self.size[number],
                path: node.path.clone(),
            })
            .collect()
    }

    /// Returns all sectors before the files.
    fn head(&self, nodes: &[Node], boot: &[u8]) -> Vec<u8> {
        let mut head = boot.to_vec();
        head.extend(self.descriptor());
        head.extend(terminator());
        for little in [true, false] {
            head.extend(self.path_table(nodes, little));
            head.resize(head.len().next_multiple_of(DATA), 0);
        }
        for (number, node) in nodes.iter().enumerate() {
            if node.size.is_none() {
                head.extend(self.directory(nodes, number));
            }
        }
        head
    }

    fn path_table(&self, nodes: &[Node], little: bool) -> Vec<u8> {
        let directories: Vec<usize> = (0..nodes.len()).filter(|n| nodes[*n].size.is_none()).collect();
        let number = |node: usize| directories.partition_point(|other| *other < node) as u16 + 1;
        directories
            .iter()
            .flat_map(|n| path_record(&nodes[*n], self.block(*n), number(nodes[*n].parent), little))
            .collect()
    }

    /// Returns a directory's sectors: itself, its parent, its entries. No record crosses the end of a sector.
    fn directory(&self, nodes: &[Node], number: usize) -> Vec<u8> {
        let node = &nodes[number];
        let mut bytes = Vec::new();
        let system_use = if number == 0 {
            root_entries()
        } else {
            attributes(DIRECTORY_MODE)
        };
        append(&mut bytes, &self.record(nodes, number, &[0], &system_use));
        append(
            &mut bytes,
            &self.record(nodes, node.parent, &[1], &attributes(DIRECTORY_MODE)),
        );
        for child in &node.children {
            let child_node = &nodes[*child];
            let name = match child_node.size {
                Some(_) => format!("{};1", child_node.iso),
                None => child_node.iso.clone(),
            };
            let system_use = child_node.link.as_deref().map(|link| {
                let mut entries = attributes(LINK_MODE);
                entries.extend(host_name(&child_node.name));
                entries.extend(link_text(link));
                entries
            });
            // If a link's text does not fit into the record, the link is stored as a copy of its target.
            let fits = |entries: &Vec<u8>| FIXED_RECORD + name.len() + entries.len() <= LONGEST_RECORD;
            let system_use = system_use.filter(fits).unwrap_or_else(|| {
                let mut entries = attributes(mode(child_node));
                entries.extend(host_name(&child_node.name));
                entries
            });
            append(
                &mut bytes,
                &self.record(nodes, *child, name.as_bytes(), &system_use),
            );
        }
        bytes.resize(bytes.len().next_multiple_of(DATA), 0);
        bytes
    }

    /// Returns a directory record (ECMA-119, section 9.1).
    fn record(&self, nodes: &[Node], number: usize, name: &[u8], system_use: &[u8]) -> Vec<u8> {
        let flags = if nodes[number].size.is_none() {
            DIRECTORY
        } else {
            0
        };
        let mut record = vec![0, 0];
        record.extend(both32(self.block(number)));
        record.extend(both32(self.size[number]));
        record.extend(DATE);
        record.extend([flags, 0, 0]);
        record.extend(both16(1));
        record.push(name.len() as u8);
        record.extend(name);
        record.resize(record.len().next_multiple_of(2), 0);
        record.extend(system_use);
        record.resize(record.len().next_multiple_of(2), 0);
        record[0] = record.len() as u8;
        record
    }

    /// Returns the primary volume descriptor (ECMA-119, section 8.4).
    fn descriptor(&self) -> Vec<u8> {
        let mut bytes = b"\x01CD001\x01\0".to_vec();
        bytes.extend(padded("SEGA SEGAKATANA", 32));
        bytes.extend(padded("SWIRL", 32));
        bytes.extend([0; 8]);
        bytes.extend(both32(self.sectors.max(SHORTEST_TRACK.into()) as u32));
        bytes.extend([0; 32]);
        bytes.extend([both16(1), both16(1), both16(DATA as u16)].concat());
        bytes.extend(both32(self.path_table));
        let tables = self.base + PATH_TABLES;
        bytes.extend(tables.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend((tables + sectors_of(self.path_table)).to_be_bytes());
        bytes.extend([0; 4]);
        bytes.extend(self.root_record());
        for width in [128, 128, 128, 128, 37, 37, 37] {
            bytes.extend(padded("", width));
        }
        for date in [
            "2000010100000000",
            "2000010100000000",
            "0000000000000000",
            "2000010100000000",
        ] {
            bytes.extend(date.as_bytes());
            bytes.push(0);
        }
        bytes.extend([1, 0]);
        bytes.resize(DATA, 0);
        bytes
    }

    /// The root's record in the descriptor has no system use field.
    fn root_record(&self) -> Vec<u8> {
        let mut record = vec![34, 0];
        record.extend(both32(self.block(0)));
        record.extend(both32(self.size[0]));
        record.extend(DATE);
        record.extend([DIRECTORY, 0, 0]);
        record.extend(both16(1));
        record.extend([1, 0]);
        record
    }
}

/// Adds a record to a directory.
fn append(directory: &mut Vec<u8>, record: &[u8]) {
    let used = directory.len() % DATA;
    if used + record.len() > DATA {
        directory.resize(directory.len().next_multiple_of(DATA), 0);
    }
    directory.extend(record);
}

/// Returns the descriptor that ends the set.
fn terminator() -> Vec<u8> {
    let mut bytes = b"\xFFCD001\x01".to_vec();
    bytes.resize(DATA, 0);
    bytes
}

/// Returns a record of the path table (ECMA-119, section 9.4).
fn path_record(node: &Node, first: u32, parent: u16, little: bool) -> Vec<u8> {
    let name: &[u8] = if node.depth == 0 {
        &[0]
    } else {
        node.iso.as_bytes()
    };
    let mut record = vec![name.len() as u8, 0];
    match little {
        true => record.extend([&first.to_le_bytes()[..], &parent.to_le_bytes()].concat()),
        false => record.extend([&first.to_be_bytes()[..], &parent.to_be_bytes()].concat()),
    }
    record.extend(name);
    record.resize(record.len().next_multiple_of(2), 0);
    record
}

/// Rock Ridge modes: everybody can read, nobody can write.
const DIRECTORY_MODE: u32 = 0o040_555;
const LINK_MODE: u32 = 0o120_777;
/// Bytes of a directory record without name and system use field, including padding.
const FIXED_RECORD: usize = 35;
/// Maximum bytes of a whole directory record.
const LONGEST_RECORD: usize = 254;

fn mode(node: &Node) -> u32 {
    match (node.size, node.executable) {
        (None, _) => DIRECTORY_MODE,
        (Some(_), true) => 0o100_555,
        (Some(_), false) => 0o100_444,
    }
}

/// Returns Rock Ridge's SL: the components of a link's text (RRIP 1.12, section 4.1.3).
fn link_text(text: &str) -> Vec<u8> {
    let mut components = Vec::new();
    if text.starts_with('/') {
        components.extend([8, 0]);
    }
    for part in text.split('/').filter(|part| !part.is_empty()) {
        match part {
            "." => components.extend([2, 0]),
            ".." => components.extend([4, 0]),
            part => {
                components.extend([0, part.len().min(255) as u8]);
                components.extend(part.as_bytes());
            }
        }
    }
    let mut entry = b"SL".to_vec();
    entry.extend([(components.len() + 5).min(255) as u8, 1, 0]);
    entry.extend(components);
    entry
}

/// Returns Rock Ridge's PX: mode, links, owner, group.
fn attributes(mode: u32) -> Vec<u8> {
    let mut entry = b"PX\x24\x01".to_vec();
    for value in [mode, 1, 0, 0] {
        entry.extend(both32(value));
    }
    entry
}

/// Returns Rock Ridge's NM: the host's name.
fn host_name(name: &str) -> Vec<u8> {
    let mut entry = b"NM".to_vec();
    entry.extend([name.len() as u8 + 5, 1, 0]);
    entry.extend(name.as_bytes());
    entry
}

/// Returns the entries of the root's own record that announce Rock Ridge: SP and ER (SUSP 1.12, sections 5.3
/// and 5.5).
fn root_entries() -> Vec<u8> {
    let mut entries = b"SP\x07\x01\xBE\xEF\0".to_vec();
    entries.extend(attributes(DIRECTORY_MODE));
    entries.extend(b"ER\x12\x01\x0A\0\0\x01RRIP_1991A");
    entries
}

/// Returns a number in both byte orders.
fn both32(value: u32) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&value.to_le_bytes());
    bytes[4..].copy_from_slice(&value.to_be_bytes());
    bytes
}

fn both16(value: u16) -> [u8; 4] {
    let [low, high] = value.to_le_bytes();
    [low, high, high, low]
}

fn padded(text: &str, width: usize) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(width, b' ');
    bytes
}
