//! Program status registers (ARM7DI data sheet, "Registers", "Exceptions").

/// N, Z, C and V.
const FLAGS: u32 = 0xF000_0000;
/// I, F and the mode. Bit 5 (T) was added in ARMv4T and does not exist here.
const CONTROL: u32 = 0x0000_00DF;

/// Register banks. User and system mode share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bank {
    /// R13 and R14 of user mode; no SPSR.
    User,
    /// R8 to R14 and SPSR of fast interrupts.
    Fiq,
    /// R13, R14 and SPSR of interrupts.
    Irq,
    /// R13, R14 and SPSR after reset and SWI.
    Supervisor,
    /// R13, R14 and SPSR of aborts.
    Abort,
    /// R13, R14 and SPSR of undefined instructions.
    Undefined,
}

/// Values of the mode field (data sheet, "Registers"; the 32-bit modes).
pub mod mode {
    /// User.
    pub const USER: u32 = 0x10;
    /// Fast interrupt.
    pub const FIQ: u32 = 0x11;
    /// Interrupt.
    pub const IRQ: u32 = 0x12;
    /// Supervisor.
    pub const SUPERVISOR: u32 = 0x13;
    /// Abort.
    pub const ABORT: u32 = 0x17;
    /// Undefined instruction.
    pub const UNDEFINED: u32 = 0x1B;
}

/// A program status register: 31 N, 30 Z, 29 C, 28 V, 7 I, 6 F, 4-0 mode. Other bits read 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Psr(u32);

state::fields!(Psr(bits));

impl Psr {
    /// IRQ disabled.
    pub const I: u32 = 1 << 7;
    /// FIQ disabled.
    pub const F: u32 = 1 << 6;

    /// After reset: supervisor mode, both interrupts disabled (data sheet, "Exceptions").
    pub const RESET: Psr = Psr(mode::SUPERVISOR | Psr::I | Psr::F);

    /// Creates the register from `bits`; bits that do not exist are dropped.
    pub fn from_bits(bits: u32) -> Self {
        Psr(bits & (FLAGS | CONTROL))
    }

    /// Value read by MRS.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Replaces the flags and control bits selected by `mask` with those in `new`.
    #[must_use]
    pub fn with(self, new: u32, mask: u32) -> Self {
        Psr::from_bits(self.0 & !mask | new & mask)
    }

    /// N, Z, C and V as bits 3 to 0.
    #[inline]
    pub fn nzcv(self) -> u32 {
        self.0 >> 28
    }

    /// C as 0 or 1.
    #[inline]
    pub fn carry(self) -> u32 {
        self.0 >> 29 & 1
    }

    #[inline]
    pub(crate) fn set_nz(&mut self, value: u32) {
        self.0 = self.0 & 0x3FFF_FFFF | value & 1 << 31 | u32::from(value == 0) << 30;
    }

    /// Sets N and Z from `value`, and C and V.
    #[inline]
    pub(crate) fn set_nzcv(&mut self, value: u32, carry: bool, overflow: bool) {
        let nz = value & 1 << 31 | u32::from(value == 0) << 30;
        self.0 = self.0 & !FLAGS | nz | u32::from(carry) << 29 | u32::from(overflow) << 28;
    }

    /// True if IRQ is disabled.
    #[inline]
    pub fn irq_disabled(self) -> bool {
        self.0 & Psr::I != 0
    }

    /// True if FIQ is disabled.
    #[inline]
    pub fn fiq_disabled(self) -> bool {
        self.0 & Psr::F != 0
    }

    /// Mode field, bits 4 to 0.
    pub fn mode(self) -> u32 {
        self.0 & 0x1F
    }

    /// True if control bits may change: in every mode except user mode.
    pub fn privileged(self) -> bool {
        self.mode() & 0xF != 0
    }

    /// Register bank of the mode. A 26-bit mode uses the bank of the 32-bit mode with the same low bits.
    /// Modes that the data sheet does not define use the user bank (`docs/hardware/aica.md`, "Modes").
    pub fn bank(self) -> Bank {
        match self.mode() | 0x10 {
            mode::FIQ => Bank::Fiq,
            mode::IRQ => Bank::Irq,
            mode::SUPERVISOR => Bank::Supervisor,
            mode::ABORT => Bank::Abort,
            mode::UNDEFINED => Bank::Undefined,
            _ => Bank::User,
        }
    }
}
