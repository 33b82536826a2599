//! dcload: calls from a program to its host.
//!
//! A word at 8C004004 shows that the loader is present. The next word has the address to call, with the call
//! number in R4 and arguments in R5 to R7; the result is in R0. File calls can access only the folder of
//! [`Host::set_folder`].

use super::Served;
use super::files::{Files, Stat};
use crate::limits::CONSOLE_TEXT as MAX_TEXT;
use crate::limits::FILE_CALL as MAX;
use crate::limits::PATH as LONGEST_PATH;
use crate::settings::Dcload;
use crate::system::System;
use sh4::Cpu;
use std::path::Path;

const MAGIC: (u32, u32) = (0x0C00_4004, 0xDEAD_BEEF);
const POINTER: u32 = 0x0C00_4008;
/// Address for returning a directory entry, inside dcload's own area.
const ENTRY: u32 = 0x0C00_4100;
const FAILED: u32 = u32::MAX;
/// First directory handle. Programs with older libraries treat lower ones as failures.
const FIRST_DIRECTORY: u32 = 100;

/// Call numbers (KallistiOS, `dcload-commands.h`).
mod number {
    pub(super) const READ: u32 = 0;
    pub(super) const WRITE: u32 = 1;
    pub(super) const OPEN: u32 = 2;
    pub(super) const CLOSE: u32 = 3;
    pub(super) const CREAT: u32 = 4;
    pub(super) const LINK: u32 = 5;
    pub(super) const UNLINK: u32 = 6;
    pub(super) const CHMOD: u32 = 8;
    pub(super) const LSEEK: u32 = 9;
    pub(super) const FSTAT: u32 = 10;
    pub(super) const TIME: u32 = 11;
    pub(super) const STAT: u32 = 12;
    pub(super) const ASSIGN_WORK_MEMORY: u32 = 14;
    pub(super) const EXIT: u32 = 15;
    pub(super) const OPENDIR: u32 = 16;
    pub(super) const CLOSEDIR: u32 = 17;
    pub(super) const READDIR: u32 = 18;
    pub(super) const REWINDDIR: u32 = 21;
}

/// Host side of dcload.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// Console output that the host has not read yet.
    pub console: Vec<u8>,
    files: Files,
}

state::fields!(Host { console, files });

impl Host {
    /// Returns whether the program can modify files of the host.
    pub(crate) fn is_writable(&self) -> bool {
        self.files.is_writable()
    }

    /// Makes `folder` available to the program as `/pc`. The program cannot access anything outside, neither
    /// with `..` nor through links.
    ///
    /// # Errors
    /// If the folder does not exist.
    pub fn set_folder(&mut self, folder: &Path, writable: bool) -> std::io::Result<()> {
        self.files = Files::new(folder, writable)?;
        Ok(())
    }
}

pub(super) fn install(system: &mut System) {
    if system.settings.dcload_kind == Dcload::None {
        return;
    }
    system.write_ram(MAGIC.0, &MAGIC.1.to_le_bytes());
    system.write_ram(POINTER, &(super::DCLOAD | 0x8000_0000).to_le_bytes());
}

pub(super) fn serve(cpu: &mut Cpu, system: &mut System, host: &mut Host) -> Served {
    let [number, first, second, third] = [4, 5, 6, 7].map(|n| cpu.r[n]);
    if number == number::EXIT {
        return Served::Exit(first as i32);
    }
    let answer = match number {
        // A directory handle of 0 means failure, an entry of 0 means the end.
        number::OPENDIR => Some(opendir(system, host, first).unwrap_or(0)),
        number::READDIR => Some(readdir(system, host, first).unwrap_or(0)),
        _ => call(system, host, number, [first, second, third]),
    };
    cpu.r[0] = answer.unwrap_or(FAILED);
    Served::Done
}

fn call(system: &mut System, host: &mut Host, number: u32, [first, second, third]: [u32; 3]) -> Option<u32> {
    match number {
        number::READ => read(system, host, first, second, third),
        number::WRITE => write(system, host, first, second, third),
        number::OPEN => host.files.open(&path(system, first)?, second),
        // O_WRONLY, O_CREAT and O_TRUNC of newlib.
        number::CREAT => host.files.open(&path(system, first)?, 0x601),
        number::CLOSE => host.files.close(first),
        number::LSEEK => host.files.seek(first, second as i32, third),
        number::FSTAT => put_stat(system, second, &host.files.stat_handle(first)?),
        number::STAT => {
            let stat = host.files.stat(&path(system, first)?)?;
            put_stat(system, second, &stat)
        }
        // KallistiOS renames a file by LINK and UNLINK.
        number::LINK => host.files.rename(&path(system, first)?, &path(system, second)?),
        number::UNLINK => host.files.remove(&path(system, first)?),
        number::CHMOD => Some(0),
        number::TIME => {
            let since_1950 = system.clock.seconds(system.now, system.settings.cpu_hz.hz());
            Some(since_1950.wrapping_sub(crate::clock::UNIX))
        }
        number::CLOSEDIR => host.files.close_directory(first.checked_sub(FIRST_DIRECTORY)?),
        number::REWINDDIR => host.files.rewind_directory(first.checked_sub(FIRST_DIRECTORY)?),
        // dcload-serial accepts a work buffer, dcload-ip rejects it.
        number::ASSIGN_WORK_MEMORY if system.settings.dcload_kind == Dcload::Serial => Some(0),
        _ => None,
    }
}

/// Reads a path of the program, terminated by 0.
fn path(system: &System, address: u32) -> Option<String> {
    let mut bytes = Vec::new();
    for n in 0..LONGEST_PATH {
        match system.ram_at(address.wrapping_add(n) & 0x1FFF_FFFF, 1)? {
            [0] => return String::from_utf8(bytes).ok(),
            byte => bytes.extend_from_slice(byte),
        }
    }
    None
}

fn read(system: &mut System, host: &mut Host, handle: u32, address: u32, size: u32) -> Option<u32> {
    if handle == 0 {
        // The console has no input.
        return Some(0);
    }
    system.ram_at(address & 0x1FFF_FFFF, size)?;
    let bytes = host.files.read(handle, size.min(MAX))?;
    system
        .write_ram(address & 0x1FFF_FFFF, &bytes)
        .then_some(bytes.len() as u32)
}

fn write(system: &mut System, host: &mut Host, handle: u32, address: u32, size: u32) -> Option<u32> {
    let bytes = system.ram_at(address & 0x1FFF_FFFF, size.min(MAX))?;
    match handle {
        1 | 2 => {
            let room = MAX_TEXT - host.console.len().min(MAX_TEXT);
            host.console.extend_from_slice(&bytes[..bytes.len().min(room)]);
            Some(bytes.len() as u32)
        }
        _ => host.files.write(handle, bytes),
    }
}

/// Writes dcload's stat record of 60 bytes.
fn put_stat(system: &mut System, address: u32, stat: &Stat) -> Option<u32> {
    let mut record = [0; 60];
    let mode: u32 = if stat.directory { 0o040_755 } else { 0o100_644 };
    record[4..8].copy_from_slice(&mode.to_le_bytes());
    record[8..10].copy_from_slice(&1_u16.to_le_bytes());
    record[16..20].copy_from_slice(&stat.size.to_le_bytes());
    for at in [20, 28, 36] {
        record[at..at + 4].copy_from_slice(&stat.modified.to_le_bytes());
    }
    record[44..48].copy_from_slice(&512_u32.to_le_bytes());
    record[48..52].copy_from_slice(&stat.size.div_ceil(512).to_le_bytes());
    system.write_ram(address & 0x1FFF_FFFF, &record).then_some(0)
}

fn opendir(system: &System, host: &mut Host, address: u32) -> Option<u32> {
    Some(host.files.open_directory(&path(system, address)?)? + FIRST_DIRECTORY)
}

/// Writes a dirent at a fixed address in dcload's area: inode, offset, record length, type, name.
fn readdir(system: &mut System, host: &mut Host, handle: u32) -> Option<u32> {
    let (name, directory) = host.files.next_entry(handle.checked_sub(FIRST_DIRECTORY)?)?;
    let name = &name.as_bytes()[..name.len().min(255)];
    let mut record = vec![0; 11];
    record[0] = 1;
    record[8..10].copy_from_slice(&267_u16.to_le_bytes());
    record[10] = if directory { 4 } else { 8 };
    record.extend_from_slice(name);
    record.push(0);
    system.write_ram(ENTRY, &record).then_some(ENTRY | 0x8000_0000)
}
