//! Memory as a program on the console sees it, as far as kernels need it.
//!
//! | addresses | what |
//! |---|---|
//! | physical 0C000000-0FFFFFFF | 16 MiB of RAM and its mirrors, through P0, P1, P2 and P3 |
//! | E0000000-E3FFFFFF | store queues: 32-bit and 64-bit stores; PREF sends one as 32 bytes |
//! | FF000038, FF00003C | QACR0, QACR1 |
//! | physical 10000000-107FFFFF | tile accelerator: takes 32-byte bursts, kept in order |
//! | what [`Memory::map`] adds | plain memory |
//!
//! There is no cache: what is stored is in memory at once. Everything else is an error that names the address.

use sh4::{Access, Bus, BusError};

/// Size of the console's RAM.
const RAM_BYTES: u32 = 16 << 20;
/// Physical address of the RAM; its mirrors fill area 3.
const RAM: u32 = 0x0C00_0000;
/// Blocks that the tile accelerator takes before the program is stopped: 32 MiB, four times the video memory.
const TA_LIMIT: usize = 1 << 20;
/// Granularity at which writes to code are noticed, bytes.
const CODE_LINE: u32 = 32;

/// See the module's head.
#[derive(Clone, Debug)]
pub struct Memory {
    ram: Vec<u8>,
    regions: Vec<Region>,
    queues: [[u8; 32]; 2],
    qacr: [u32; 2],
    ta: Vec<[u32; 8]>,
}

#[derive(Clone, Debug)]
struct Region {
    start: u32,
    bytes: Vec<u8>,
}

/// Where an address leads.
enum Place {
    Ram(usize),
    Region(usize, usize),
    Queue(usize, usize),
    Qacr(usize),
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    /// The console's RAM, all zero, and empty store queues.
    pub fn new() -> Self {
        Self {
            ram: vec![0; RAM_BYTES as usize],
            regions: Vec::new(),
            queues: [[0; 32]; 2],
            qacr: [0; 2],
            ta: Vec::new(),
        }
    }
}
