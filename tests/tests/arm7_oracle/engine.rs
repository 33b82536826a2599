//! The Unicorn engine as an oracle: its ARM model that is closest to ARMv3, with plain memory.

use arm7::cpu::psr::mode;
use unicorn_engine::{Arch, ArmCpuModel, HookType, Mode, Prot, RegisterARM, Unicorn};

/// Modes with separate registers; system code shares the user's.
pub(crate) const MODES: [u32; 6] = [
    mode::USER,
    mode::FIQ,
    mode::IRQ,
    mode::SUPERVISOR,
    mode::ABORT,
    mode::UNDEFINED,
];

/// Effects of a step that differ between the engine and the chip.
#[derive(Default)]
pub(crate) struct Seen {
    /// A word transfer at an unaligned address.
    unaligned: bool,
}

pub(crate) struct Engine {
    uc: Unicorn<'static, Seen>,
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
        Engine { uc }
    }

    pub(crate) fn set(&mut self, n: usize, value: u32) {
        self.uc.reg_write(register(n), value.into()).unwrap();
    }

    pub(crate) fn get(&self, n: usize) -> u32 {
        self.uc.reg_read(register(n)).unwrap() as u32
    }

    pub(crate) fn set_cpsr(&mut self, value: u32) {
        self.uc.reg_write(RegisterARM::CPSR, value.into()).unwrap();
    }

    pub(crate) fn cpsr(&self) -> u32 {
        self.uc.reg_read(RegisterARM::CPSR).unwrap() as u32
    }

    pub(crate) fn set_spsr(&mut self, value: u32) {
        self.uc.reg_write(RegisterARM::SPSR, value.into()).unwrap();
    }

    pub(crate) fn spsr(&self) -> u32 {
        self.uc.reg_read(RegisterARM::SPSR).unwrap() as u32
    }

    pub(crate) fn write(&mut self, address: u32, bytes: &[u8]) {
        self.uc.mem_write(address.into(), bytes).unwrap();
    }

    pub(crate) fn memory(&self, bytes: usize) -> Vec<u8> {
        self.uc.mem_read_as_vec(0, bytes).unwrap()
    }

    /// Executes the instruction at `pc`, which may have changed. Returns false if the step cannot be
    /// compared.
    pub(crate) fn step(&mut self, pc: u32) -> bool {
        self.uc.get_data_mut().unaligned = false;
        self.uc.ctl_remove_cache(pc.into(), u64::from(pc) + 4).unwrap();
        let done = self.uc.emu_start(pc.into(), u64::MAX, 0, 1).is_ok();
        done && !self.uc.get_data().unaligned
    }
}
