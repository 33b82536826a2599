//! The Unicorn engine as an oracle: its ARM model that is closest to ARMv3, with plain memory.

use crate::generate::{CLASSES, MODES};
use crate::oracle::{self, Hash, Oracle};
use crate::{MEMORY, State};
use unicorn_engine::{Arch, ArmCpuModel, HookType, Mode, Prot, RegisterARM, Unicorn};

/// Flags, I, F and the mode: the bits of a PSR on ARMv3.
pub(crate) const PSR: u32 = 0xF000_00DF;

/// Effects of a step that differ between the engine and the chip.
#[derive(Default)]
pub(crate) struct Seen {
    /// A word transfer at an unaligned address.
    unaligned: bool,
}

pub(crate) struct Engine {
    uc: Unicorn<'static, Seen>,
    /// For each step, whether it can be compared.
    comparable: Vec<bool>,
    hash: Hash,
}

fn register(n: usize) -> i32 {
    match n {
        13 => RegisterARM::SP as i32,
        14 => RegisterARM::LR as i32,
        15 => RegisterARM::PC as i32,
        _ => RegisterARM::R0 as i32 + n as i32,
    }
}

impl Engine {
    /// Returns an engine with `bytes` bytes of memory at 0.
    pub(crate) fn new(bytes: usize) -> Self {
        let mut uc = Unicorn::new_with_data(Arch::ARM, Mode::ARM, Seen::default()).unwrap();
        uc.ctl_set_cpu_model(ArmCpuModel::SA1100 as i32).unwrap();
        uc.mem_map(0, bytes as u64, Prot::ALL).unwrap();
        let access = HookType::MEM_READ | HookType::MEM_WRITE;
        uc.add_mem_hook(access, 1, 0, |uc, _, address, size, _| {
            uc.get_data_mut().unaligned |= size == 4 && address & 3 != 0;
            true
        })
        .unwrap();
        Engine {
            uc,
            comparable: Vec::new(),
            hash: Hash::new(),
        }
    }

    pub(crate) fn get(&self, n: usize) -> u32 {
        self.uc.reg_read(register(n)).unwrap() as u32
    }

    pub(crate) fn cpsr(&self) -> u32 {
        self.uc.reg_read(RegisterARM::CPSR).unwrap() as u32
    }

    pub(crate) fn spsr(&self) -> u32 {
        self.uc.reg_read(RegisterARM::SPSR).unwrap() as u32
    }

    /// Returns the state in the interpreter's form.
    fn state(&mut self) -> State {
        let (pc, cpsr) = (self.get(15), self.cpsr());
        let mut state = State {
            pc,
            cpsr: cpsr & PSR,
            registers: [[0; 15]; 6],
            spsr: [0; 6],
        };
        for (at, mode) in MODES.into_iter().enumerate() {
            self.set_cpsr(mode);
            state.registers[at] = std::array::from_fn(|n| self.get(n));
            state.spsr[at] = if at == 0 { 0 } else { self.spsr() & PSR };
        }
        state
    }

    pub(crate) fn memory(&self, bytes: usize) -> Vec<u8> {
        self.uc.mem_read_as_vec(0, bytes).unwrap()
    }
}

impl Oracle for Engine {
    fn set(&mut self, n: usize, value: u32) {
        self.uc.reg_write(register(n), value.into()).unwrap();
    }

    fn set_cpsr(&mut self, value: u32) {
        self.uc.reg_write(RegisterARM::CPSR, value.into()).unwrap();
    }

    fn set_spsr(&mut self, value: u32) {
        self.uc.reg_write(RegisterARM::SPSR, value.into()).unwrap();
    }

    fn write(&mut self, address: u32, bytes: &[u8]) {
        self.uc.mem_write(address.into(), bytes).unwrap();
    }

    /// Executes the instruction at `pc`, which may have changed. Returns false if the step cannot be
    /// compared.
    fn step(&mut self, pc: u32) -> bool {
        self.uc.get_data_mut().unaligned = false;
        self.uc.ctl_remove_cache(pc.into(), u64::from(pc) + 4).unwrap();
        let done = self.uc.emu_start(pc.into(), u64::MAX, 0, 1).is_ok();
        let comparable = done && !self.uc.get_data().unaligned;
        self.comparable.push(comparable);
        comparable
    }

    fn check(&mut self, opcode: u32, before: &State, after: &State, memory: &[u8]) {
        let engine = self.state();
        assert!(
            *after == engine,
            "{opcode:08x} {}: before {before:x?}\ninterpreter {after:x?}\nengine {engine:x?}",
            verify::arm7::disassemble(opcode)
        );
        assert!(memory == self.memory(MEMORY), "{opcode:08x}: memory differs");
        self.hash.state(&engine);
    }
}

#[test]
fn random_instructions_have_the_engines_results() {
    let mut record = String::new();
    for (seed, of) in (1..).zip(CLASSES) {
        let (engine, memory) = crate::run(of, seed, Engine::new(MEMORY));
        record += &oracle::line(of.0, engine.hash.finish(&memory), &engine.comparable);
    }
    if std::env::var_os("SWIRL_WRITE_RECORD").is_some() {
        std::fs::write(oracle::record_path(), record).unwrap();
        return;
    }
    assert!(
        record == oracle::record(),
        "SWIRL_WRITE_RECORD=1 writes the record"
    );
}
