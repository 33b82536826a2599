//! The sound block: the ARM7's interpreter, and the block over time.

use crate::source::{Random, Source};
use aica::Aica;
use arm7::cpu::psr::Psr;
use arm7::cpu::{Bus, Cpu, CpuSettings, Cycles, EmptyList, SameRegisterMultiply};
use settings::{Table, Values};

/// Bytes of the ARM7's memory. It repeats through the whole address space.
const MEMORY: usize = 0x1000;
/// Cycles of a run.
const CYCLES: u64 = 2_000;

/// Memory that records whether a store has changed it.
#[derive(Clone, PartialEq)]
struct Flat {
    bytes: Vec<u8>,
    changed: bool,
    /// Bit 0: FIQ, bit 1: IRQ.
    lines: u32,
}

impl Flat {
    fn at(address: u32) -> usize {
        address as usize % MEMORY
    }
}

impl Bus for Flat {
    fn read8(&mut self, address: u32) -> u8 {
        self.bytes[Self::at(address)]
    }

    fn read32(&mut self, address: u32) -> u32 {
        let at = Self::at(address & !3);
        u32::from_le_bytes([0, 1, 2, 3].map(|n| self.bytes[at + n]))
    }

    fn write8(&mut self, address: u32, value: u8) {
        let place = &mut self.bytes[Self::at(address)];
        self.changed |= *place != value;
        *place = value;
    }

    fn write32(&mut self, address: u32, value: u32) {
        for (n, byte) in (0..).zip(value.to_le_bytes()) {
            self.write8((address & !3) + n, byte);
        }
    }

    fn fiq(&self) -> bool {
        self.lines & 1 != 0
    }

    fn irq(&self) -> bool {
        self.lines & 2 != 0
    }

    fn quiet(&mut self) -> bool {
        !std::mem::take(&mut self.changed)
    }
}

/// Registers and code: a run, which may skip rounds of waiting loops, must end in the same state as single
/// steps.
pub(crate) fn arm(bytes: &[u8]) {
    let mut from = Source::new(bytes);
    let switches = from.word();
    let mut cpu = Cpu::new(CpuSettings {
        empty_list: [EmptyList::PcAnd64, EmptyList::Nothing][(switches & 1) as usize],
        same_register_multiply: [SameRegisterMultiply::Zero, SameRegisterMultiply::Product]
            [(switches >> 1 & 1) as usize],
    });
    cpu.set_cpsr(Psr::from_bits(from.word()));
    for n in 0..15 {
        let value = if from.chance(4) {
            from.word()
        } else {
            from.below(MEMORY as u32)
        };
        cpu.set_register(n, value);
    }
    let mut memory = Flat {
        bytes: vec![0; MEMORY],
        changed: false,
        // The CPU would take an active interrupt line before each instruction.
        lines: if switches >> 2 & 15 == 0 {
            switches >> 6 & 3
        } else {
            0
        },
    };
    let code = from.rest();
    let length = code.len().min(MEMORY);
    memory.bytes[..length].copy_from_slice(&code[..length]);
    for word in code.as_chunks::<4>().0.iter().take(64) {
        let opcode = u32::from_le_bytes(*word);
        verify::arm7::disassemble(opcode);
        let _ = arm7::armv3::check(opcode);
    }
    let (mut stepped, mut other) = (cpu.clone(), memory.clone());
    let gone = cpu.run(&mut memory, Cycles(CYCLES));
    let mut count = 0;
    while count < CYCLES {
        count += stepped.step(&mut other).0;
    }
    assert_eq!(gone.0, count, "cycles differ");
    assert_eq!(cpu.cpsr().bits(), stepped.cpsr().bits(), "CPSR differs");
    for n in 0..16 {
        assert_eq!(cpu.register(n), stepped.register(n), "r{n} differs");
    }
    assert!(memory.bytes == other.bytes, "memory differs");
}

/// The SH4 accesses registers and sound RAM with time between the accesses. The first word chooses mixing and
/// settings. The rest of the input is an ARM7 program and samples.
pub(crate) fn block(bytes: &[u8]) {
    let mut from = Source::new(bytes);
    let choices = from.word();
    let mut settings = aica::Settings::default();
    let mut random = Random(choices.into());
    for row in settings.rows().into_iter().filter(|_| choices >> 8 != 0) {
        if let Values::Choices(names) = row.values {
            settings.set_number(row.name, random.next() % names.len() as u64);
        }
    }
    settings.sound = aica::Sound::Arm;
    let mut aica = Aica::new(settings);
    aica.set_audio(choices & 1 != 0);
    aica.set_activity(choices & 2 != 0);
    aica.set_stream_checks(choices & 4 != 0);
    let program = from.rest();
    let length = program.len().min(0x400);
    aica.ram_mut()[..length].copy_from_slice(&program[..length]);
    // Maximum number of samples in a run: each sample advances 64 channels.
    let mut left = 48;
    while !from.is_empty() {
        let (what, offset, value) = (from.word(), from.word(), from.word());
        let size = [1, 2, 4][(what >> 8) as usize % 3];
        // Registers, the areas after them, and sound RAM.
        let offset = match what >> 10 & 3 {
            0 => offset % 0x2000,
            1 => 0x2800 + offset % 0x600,
            2 => offset % 0x1_0000,
            _ => 0x10_0000 + offset % 0x20_0000,
        };
        match what % 6 {
            0..=2 => aica.write(offset, size, value),
            3 => drop(aica.read(offset, size)),
            4 => {
                let samples = (value % 8).min(left);
                left -= samples;
                aica.advance_with(samples, || [value as i16, (value >> 16) as i16]);
            }
            // Starts or stops the ARM7.
            _ => aica.write(0x2C00, 4, value & 1),
        }
    }
    aica.advance(left);
    assert_eq!(aica.samples(), 48);
    let heard = aica.take_audio().len();
    assert_eq!(heard, if choices & 1 != 0 { 48 } else { 0 });
    assert!(aica.take_key_notes().len() <= 64);
    if let Some(activity) = aica.take_activity() {
        assert_eq!(activity.counts.samples, 48);
        assert!(activity.counts.arm_waiting <= activity.counts.arm_cycles);
        assert!(activity.plays.iter().all(|play| Some(play.begin) <= play.end));
    }
    assert!(
        (0..64)
            .filter_map(|n| aica.channel_state(n))
            .all(|state| state.hz >= 0.0)
    );
}
