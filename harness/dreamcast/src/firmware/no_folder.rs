//! Hosts without descriptors of folders, on which programs have no folder.

use super::access::Access;
use std::fs::File;
use std::io;
use std::path::Path;

/// A folder that does not exist.
#[derive(Clone, Debug)]
pub(super) enum Folder {}

impl Folder {
    pub(super) fn new(_: &Path) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn open(&self, _: &str, _: Access) -> Option<File> {
        match *self {}
    }

    pub(super) fn stat(&self, _: &str) -> Option<(bool, u64, u64)> {
        match *self {}
    }

    pub(super) fn link(&self, _: &str, _: &str) -> Option<()> {
        match *self {}
    }

    pub(super) fn unlink(&self, _: &str) -> Option<()> {
        match *self {}
    }

    pub(super) fn entries(&self, _: &str, _: usize) -> Option<Vec<(String, bool)>> {
        match *self {}
    }
}

pub(super) fn entry_bytes(name: &str) -> usize {
    name.len()
}
