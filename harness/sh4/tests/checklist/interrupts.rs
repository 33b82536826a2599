//! Interrupts: acceptance by level, IMASK and BL, the instructions before which they are accepted, SLEEP, NMI
//! (SH7750 manual 5.6.3).

use super::*;
use sh4::{BusError, CacheOperation};

const TIMER: Interrupt = Interrupt {
    level: 8,
    code: 0x400,
};

#[test]
fn an_interrupt_enters_at_600() {
    let (mut cpu, mut bus) = taking(&[NOP, NOP, SLEEP]);
    engine::step(&mut cpu, &mut bus).unwrap();
    cpu.set_irq(Some(TIMER));
    let before = cpu.sr();
    let end = engine::run(&mut cpu, &mut bus, Some(INTERRUPT), 9);
    assert_eq!((end.stop, end.executed), (Stop::Until, 0));
    assert_eq!(
        (cpu.intevt, cpu.spc, cpu.ssr, cpu.sgr),
        (0x400, CODE + 2, before, 0x5555_5555)
    );
    assert_eq!(cpu.sr(), before | sr::MD | sr::RB | sr::BL);
    assert_eq!(cpu.expevt, 0);
    cpu.set_irq(None);
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 9).stop, Stop::Sleep);
}

#[test]
fn imask_and_bl_hold_it_back() {
    for (status, accepted) in [
        (sr::MD | 7 << 4, true),
        (sr::MD | 8 << 4, false),
        (sr::MD | 15 << 4, false),
        (sr::MD | sr::BL, false),
    ] {
        let (mut cpu, mut bus) = taking(&[NOP, NOP, NOP]);
        cpu.set_sr(status);
        cpu.set_irq(Some(TIMER));
        assert_eq!(cpu.pending_interrupt().is_some(), accepted);
        let end = engine::run(&mut cpu, &mut bus, Some(INTERRUPT), 2);
        assert_eq!(end.stop == Stop::Until, accepted, "{status:08X}");
    }
}

#[test]
fn lowering_imask_lets_it_in_at_once() {
    // ldc r1,sr; nop; sleep
    let (mut cpu, mut bus) = taking(&[0x410E, NOP, SLEEP]);
    cpu.set_sr(sr::MD | 15 << 4);
    cpu.r[1] = sr::MD;
    cpu.set_irq(Some(TIMER));
    engine::run(&mut cpu, &mut bus, Some(INTERRUPT), 9);
    assert_eq!((cpu.pc, cpu.spc), (INTERRUPT, CODE + 2));
}

#[test]
fn never_between_a_branch_and_its_slot() {
    // bra +0; add #1,r1: the line rises before or after the branch; the interrupt is never accepted between
    // branch and slot.
    for steps in 0..3 {
        let (mut cpu, mut bus) = taking(&[NOP, BRA, 0x7101, NOP, SLEEP]);
        for _ in 0..steps {
            engine::step(&mut cpu, &mut bus).unwrap();
        }
        cpu.set_irq(Some(TIMER));
        engine::run(&mut cpu, &mut bus, Some(INTERRUPT), 9);
        assert_eq!(cpu.pc, INTERRUPT);
        assert_eq!(
            (cpu.spc, cpu.r_bank[1]),
            [(CODE, 0), (CODE + 2, 0), (CODE + 6, 1)][steps]
        );
    }
}

#[test]
fn not_between_rte_and_its_slot() {
    // The RTE clears BL. Its slot runs before the interrupt, and SPC is the RTE's target.
    let (mut cpu, mut bus) = taking(&[RTE, 0x7101, SLEEP]);
    cpu.set_sr(sr::MD | sr::BL);
    (cpu.ssr, cpu.spc) = (sr::MD, DATA);
    put_code(&mut bus, DATA, &[SLEEP]);
    cpu.set_irq(Some(TIMER));
    let end = engine::run(&mut cpu, &mut bus, Some(INTERRUPT), 9);
    assert_eq!((end.stop, end.executed), (Stop::Until, 2));
    assert_eq!((cpu.spc, cpu.r_bank[1]), (DATA, 1));
}

/// SR.BL does not block an interrupt during SLEEP, and SSR has the unchanged SR (SH7750 manual 9.3.2).
#[test]
fn sleep_wakes_with_bl() {
    let (mut cpu, mut bus) = taking(&[SLEEP, 0x7101, SLEEP]);
    let status = sr::MD | sr::BL;
    cpu.set_sr(status);
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 9).stop, Stop::Sleep);
    cpu.set_irq(Some(TIMER));
    engine::run(&mut cpu, &mut bus, Some(INTERRUPT), 9);
    assert_eq!((cpu.pc, cpu.spc, cpu.ssr), (INTERRUPT, CODE + 2, status));
    // Without a request, the next run continues after SLEEP, and BL blocks interrupts again.
    let (mut cpu, mut bus) = taking(&[SLEEP, 0x7101, 0x7101, SLEEP]);
    cpu.set_sr(status);
    engine::run(&mut cpu, &mut bus, None, 9);
    engine::run(&mut cpu, &mut bus, None, 1);
    cpu.set_irq(Some(TIMER));
    let end = engine::run(&mut cpu, &mut bus, Some(INTERRUPT), 1);
    assert_eq!((end.stop, cpu.r[1]), (Stop::Limit, 2));
}

#[test]
fn sleep_waits_and_wakes() {
    let (mut cpu, mut bus) = taking(&[SLEEP, 0x7101, SLEEP]);
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 9).stop, Stop::Sleep);
    cpu.set_irq(Some(TIMER));
    engine::run(&mut cpu, &mut bus, Some(INTERRUPT), 9);
    assert_eq!((cpu.pc, cpu.spc), (INTERRUPT, CODE + 2));
    // A pending interrupt ends SLEEP at once. Here it rises while it is masked, and LDC removes the mask, so
    // SLEEP never stops the run.
    let (mut cpu, mut bus) = taking(&[SLEEP]);
    cpu.set_sr(sr::MD | 9 << 4);
    cpu.set_irq(Some(TIMER));
    assert_eq!(
        engine::run(&mut cpu, &mut bus, None, 9).stop,
        Stop::Sleep,
        "masked: no wake"
    );
}

#[test]
fn nmi_ignores_the_mask_and_waits_for_bl() {
    let (mut cpu, mut bus) = taking(&[NOP, NOP, SLEEP]);
    cpu.set_sr(sr::MD | 15 << 4);
    cpu.raise_nmi();
    engine::run(&mut cpu, &mut bus, Some(INTERRUPT), 9);
    assert_eq!((cpu.pc, cpu.intevt, cpu.spc), (INTERRUPT, 0x1C0, CODE));
    // The request was an edge: it ends when it is accepted.
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 9).stop, Stop::Sleep);
    let (mut cpu, mut bus) = taking(&[NOP, SLEEP]);
    cpu.set_sr(sr::MD | sr::BL);
    cpu.raise_nmi();
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 9).stop, Stop::Sleep);
    cpu.set_sr(sr::MD);
    assert_eq!(cpu.pending_interrupt(), Some(Event::Nmi));
}

#[test]
fn without_exceptions_taken_an_interrupt_stops() {
    let (mut cpu, mut bus) = machine(&[NOP], Settings::default());
    cpu.set_irq(Some(TIMER));
    let stop = engine::run(&mut cpu, &mut bus, None, 9).stop;
    assert_eq!(stop, Stop::Exception(Event::Interrupt(TIMER)));
    assert_eq!(cpu.pc, CODE);
}

/// A bus with a device: writing to A0000000 raises its line, reading lowers it.
#[derive(Clone)]
struct Device {
    memory: FlatBus,
    line: Option<Interrupt>,
    changes: u64,
}

const DEVICE: u32 = 0xA000_0000;

impl Bus for Device {
    fn read8(&mut self, address: u32) -> Result<u8, BusError> {
        self.memory.read8(address)
    }
    fn read16(&mut self, address: u32) -> Result<u16, BusError> {
        self.memory.read16(address)
    }
    fn read32(&mut self, address: u32) -> Result<u32, BusError> {
        if address == DEVICE {
            (self.line, self.changes) = (None, self.changes + 1);
            return Ok(0);
        }
        self.memory.read32(address)
    }
    fn read64(&mut self, address: u32) -> Result<u64, BusError> {
        self.memory.read64(address)
    }
    fn write8(&mut self, address: u32, value: u8) -> Result<(), BusError> {
        self.memory.write8(address, value)
    }
    fn write16(&mut self, address: u32, value: u16) -> Result<(), BusError> {
        self.memory.write16(address, value)
    }
    fn write32(&mut self, address: u32, value: u32) -> Result<(), BusError> {
        if address == DEVICE {
            (self.line, self.changes) = (Some(TIMER), self.changes + 1);
            return Ok(());
        }
        self.memory.write32(address, value)
    }
    fn write64(&mut self, address: u32, value: u64) -> Result<(), BusError> {
        self.memory.write64(address, value)
    }
    fn fetch(&mut self, address: u32) -> Result<u16, BusError> {
        self.memory.fetch(address)
    }
    fn prefetch(&mut self, address: u32) -> Result<(), BusError> {
        self.memory.prefetch(address)
    }
    fn cache(&mut self, operation: CacheOperation, address: u32) -> Result<(), BusError> {
        self.memory.cache(operation, address)
    }
    fn interrupt(&self) -> Option<Interrupt> {
        self.line
    }
    fn code_watch(&mut self, address: u32, bytes: u32) {
        self.memory.code_watch(address, bytes);
    }
    fn code_epoch(&self) -> u64 {
        self.memory.code_epoch() + self.changes
    }
    fn code_version(&self, address: u32) -> u64 {
        self.memory.code_version(address)
    }
}

#[test]
fn a_device_on_the_bus_interrupts_behind_the_store() {
    // mov.l r2,@r1; add #1,r3; sleep. The handler reads the device, which lowers the line.
    let (mut cpu, mut memory) = taking(&[0x2122, 0x7301, SLEEP]);
    // mov.l @(?): the other bank's R1 holds the device: stc r1_bank,r0; mov.l @r0,r0; add #1,r7; rte; nop
    put_code(&mut memory, INTERRUPT, &[0x0092, 0x6002, 0x7701, RTE, NOP]);
    cpu.r[1] = DEVICE;
    let mut bus = Device {
        memory,
        line: None,
        changes: 0,
    };
    let end = engine::run(&mut cpu, &mut bus, Some(INTERRUPT), 9);
    assert_eq!((end.stop, end.executed, cpu.spc), (Stop::Until, 1, CODE + 2));
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 20).stop, Stop::Sleep);
    assert_eq!((cpu.r[3], cpu.r_bank[7]), (1, 1));
}
