//! The registers of the sound chip for a standalone program.

use std::fmt;

/// The device at 00800000-0080FFFF.
pub trait SoundRegisters: fmt::Debug {
    /// The `size` (1, 2 or 4) bytes at `offset` from 00800000.
    fn read(&mut self, offset: u32, size: u32) -> u32;

    /// Stores the low `size` bytes of `value`.
    fn write(&mut self, offset: u32, size: u32, value: u32);

    /// The accesses since the last call, if they are recorded.
    fn take_accesses(&mut self) -> Vec<Access> {
        Vec::new()
    }
}

/// One access to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Offset from 00800000.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// The value read or stored.
    pub value: u32,
    /// True for a store.
    pub write: bool,
}

/// Bytes of registers.
pub(crate) const BYTES: usize = 0x1_0000;
/// Maximum number of recorded accesses. Further accesses are only counted, so that a loop over a status
/// register takes no memory.
const KEPT: usize = 1 << 16;

/// Plain memory that records its accesses. It has no sound and no timers, and status bits never change by
/// themselves.
#[derive(Clone)]
pub struct Recorder {
    bytes: Vec<u8>,
    accesses: Vec<Access>,
    /// Accesses since the start, including those that are not recorded.
    pub count: u64,
}

impl Default for Recorder {
    fn default() -> Self {
        Recorder {
            bytes: vec![0; BYTES],
            accesses: Vec::new(),
            count: 0,
        }
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recorder({} accesses)", self.count)
    }
}

impl Recorder {
    fn note(&mut self, access: Access) {
        self.count += 1;
        if self.accesses.len() < KEPT {
            self.accesses.push(access);
        }
    }
}

impl SoundRegisters for Recorder {
    fn read(&mut self, offset: u32, size: u32) -> u32 {
        let taken = self.bytes.get(offset as usize..(offset + size) as usize);
        let value = taken
            .unwrap_or_default()
            .iter()
            .rev()
            .fold(0, |v, b| v << 8 | u32::from(*b));
        self.note(Access {
            offset,
            size,
            value,
            write: false,
        });
        value
    }

    fn write(&mut self, offset: u32, size: u32, value: u32) {
        if let Some(place) = self.bytes.get_mut(offset as usize..(offset + size) as usize) {
            for (byte, new) in place.iter_mut().zip(value.to_le_bytes()) {
                *byte = new;
            }
        }
        self.note(Access {
            offset,
            size,
            value,
            write: true,
        });
    }

    fn take_accesses(&mut self) -> Vec<Access> {
        std::mem::take(&mut self.accesses)
    }
}
