//! Tests with buses that are legal in safe code but unusual: their memory moves at every call, or a device
//! does float arithmetic.
#![cfg(target_arch = "x86_64")]
// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

use sh4::watch::LINE;
use sh4::{Bus, BusError, Cpu, Settings, Stop, Window};
use sh4_recompiler::{Options, Recompiler};
use std::cell::RefCell;
use std::hint::black_box;

const BASE: u32 = 0x8C00_0000;
const SIZE: usize = 0x1000;
/// Address of the counter that the program increments.
const COUNTER: u32 = BASE + 0x800;
/// Address of a device that returns [`DENORMAL`], computed by the host.
const DEVICE: u32 = 0xA500_0000;
const DENORMAL: u32 = 0x0040_0000;
const ROUNDS: u32 = 500;

/// mov.l @r1,r2; add #1,r2; mov.l r2,@r1; fsrra fr0; fadd fr1,fr2; mov.l @r1,r3; add r3,r6; mov.l @r4,r5;
/// add r5,r7; dt r0; bf to the beginning; sleep
const CODE: [u16; 12] = [
    0x6212, 0x7201, 0x2122, 0xF07D, 0xF210, 0x6312, 0x363C, 0x6542, 0x375C, 0x4010, 0x8BF4, 0x001B,
];

/// Memory of the bus at one host address.
struct Place {
    bytes: Box<[u8; SIZE]>,
    watched: Vec<u32>,
}

/// Bus with memory that moves at every call. The old memory is filled with garbage.
struct Moving {
    place: RefCell<Place>,
    /// Old memory, kept so that a stale address reads garbage and not freed memory.
    old: RefCell<Vec<Place>>,
    queues: [u8; 64],
}

impl Moving {
    fn new() -> Moving {
        let mut bytes = Box::new([0; SIZE]);
        for (place, word) in bytes.chunks_exact_mut(2).zip(CODE) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        Moving {
            place: RefCell::new(Place {
                bytes,
                watched: vec![0; SIZE / LINE as usize],
            }),
            old: RefCell::default(),
            queues: [0; 64],
        }
    }

    fn move_on(&self) {
        let mut place = self.place.borrow_mut();
        let next = Place {
            bytes: place.bytes.clone(),
            watched: place.watched.clone(),
        };
        let mut left = std::mem::replace(&mut *place, next);
        left.bytes.fill(0xA5);
        left.watched.fill(0);
        self.old.borrow_mut().push(left);
    }

    fn read<const N: usize>(&self, address: u32) -> Result<[u8; N], BusError> {
        self.move_on();
        let place = self.place.borrow();
        let at = address.wrapping_sub(BASE) as usize;
        let bytes = place.bytes.get(at..).and_then(|bytes| bytes.first_chunk::<N>());
        bytes.copied().ok_or(BusError::Unmapped)
    }

    fn write<const N: usize>(&self, address: u32, value: [u8; N]) -> Result<(), BusError> {
        self.move_on();
        let mut place = self.place.borrow_mut();
        let at = address.wrapping_sub(BASE) as usize;
        let bytes = place
            .bytes
            .get_mut(at..)
            .and_then(|bytes| bytes.first_chunk_mut::<N>());
        *bytes.ok_or(BusError::Unmapped)? = value;
        Ok(())
    }
}

impl Bus for Moving {
    fn read8(&mut self, address: u32) -> Result<u8, BusError> {
        self.read(address).map(u8::from_le_bytes)
    }

    fn read16(&mut self, address: u32) -> Result<u16, BusError> {
        self.read(address).map(u16::from_le_bytes)
    }

    fn read32(&mut self, address: u32) -> Result<u32, BusError> {
        if address == DEVICE {
            self.move_on();
            // With DAZ set, the product would be 0.
            return Ok((black_box(f32::from_bits(DENORMAL)) * black_box(1.0)).to_bits());
        }
        self.read(address).map(u32::from_le_bytes)
    }

    fn read64(&mut self, address: u32) -> Result<u64, BusError> {
        self.read(address).map(u64::from_le_bytes)
    }

    fn write8(&mut self, address: u32, value: u8) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    fn write16(&mut self, address: u32, value: u16) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    fn write32(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    fn write64(&mut self, address: u32, value: u64) -> Result<(), BusError> {
        self.write(address, value.to_le_bytes())
    }

    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        self.read16(address)
    }

    fn prefetch(&mut self, _: u32) -> Result<(), BusError> {
        Ok(())
    }

    fn code_watch(&mut self, _: u32, _: u32) {
        self.move_on();
    }

    fn code_epoch(&self) -> u64 {
        self.move_on();
        0
    }

    fn code_version(&self, _: u32) -> u64 {
        self.move_on();
        1
    }

    fn window(&mut self) -> Option<Window<'_>> {
        self.move_on();
        // No stale address refers to the oldest memory.
        let old = self.old.get_mut();
        old.drain(..old.len().saturating_sub(64));
        let place = self.place.get_mut();
        Some(Window {
            bytes: &mut place.bytes[..],
            watched: &place.watched,
            select: !(SIZE as u32 - 1),
            value: BASE,
            queues: Some(&mut self.queues),
            on_chip_ram: None,
            marked: None,
            steady: false,
        })
    }
}

/// Returns a CPU at the start of the program, with DN = 1.
fn cpu() -> Cpu {
    let mut cpu = Cpu::new(Settings::default());
    cpu.set_fpscr(0x0004_0000);
    (cpu.r[0], cpu.r[1], cpu.r[4], cpu.pc) = (ROUNDS, COUNTER, DEVICE, BASE);
    (cpu.fr[0], cpu.fr[1]) = (2f32.to_bits(), 1f32.to_bits());
    cpu
}

#[test]
fn memory_may_move_and_devices_may_compute() {
    let (mut interpreted, mut compiled) = (cpu(), cpu());
    let (mut bus, mut memory) = (Moving::new(), Moving::new());
    let mut recompiler = Recompiler::new(Options { hot: 2 }).unwrap();
    let run = interpreted.run(&mut bus, None, 1 << 20, &mut ());
    let same = compiled.run_accelerated(&mut memory, None, 1 << 20, &mut recompiler);
    assert_eq!((run, run.stop), (same, Stop::Sleep));
    assert!(interpreted == compiled, "{:x?} {:x?}", interpreted.r, compiled.r);
    assert_eq!(compiled.r[6], (1..=ROUNDS).sum());
    assert_eq!(compiled.r[7], DENORMAL.wrapping_mul(ROUNDS));
    assert_eq!(bus.read32(COUNTER), Ok(ROUNDS));
    assert_eq!(memory.read32(COUNTER), Ok(ROUNDS));
    let statistics = recompiler.statistics();
    assert!(
        statistics.regions > 0 && statistics.calls > u64::from(ROUNDS),
        "{statistics:?}"
    );
}
