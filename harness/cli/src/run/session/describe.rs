//! Describes exceptions and broken rules.

use super::Session;
use dreamcast::checks::Finding;

impl Session {
    /// Describes a broken rule in one line.
    pub(crate) fn describe_finding(&self, finding: &Finding) -> String {
        let (rule, place) = (finding.rule.info().name, self.name(finding.pc));
        format!("{rule} at {place}: {}", finding.detail)
    }

    /// Describes the exception or interrupt for which the program has no handler.
    pub(super) fn describe_exception(&self) -> String {
        let cpu = &self.console.cpu;
        let (place, vector) = (self.name(self.registers().pc), self.name(cpu.pc));
        if cpu.pc.wrapping_sub(cpu.vbr) == 0x600 {
            return format!(
                "interrupt {:03x} at {place}; there is no handler at {vector}",
                cpu.intevt
            );
        }
        let address = match cpu.expevt {
            0x040..=0x100 => format!(", address {:08x}", cpu.mmu().register(sh4::MmuRegister::Tea)),
            0x120 => format!(", cause {}", sh4::CauseText::of_fpscr(cpu.fpscr())),
            _ => String::new(),
        };
        let (code, kind) = (cpu.expevt, exception_name(cpu.expevt));
        format!("exception {code:03x} ({kind}) at {place}{address}; there is no handler at {vector}")
    }
}

/// Returns the name of a general exception by its code (SH7750 manual, table 5.2).
fn exception_name(code: u32) -> &'static str {
    match code {
        0x040 => "TLB miss, read",
        0x060 => "TLB miss, write",
        0x080 => "initial page write",
        0x0A0 => "TLB protection, read",
        0x0C0 => "TLB protection, write",
        0x0E0 => "address error, read or fetch",
        0x100 => "address error, write",
        0x120 => "FPU exception",
        0x160 => "trapa",
        0x180 => "illegal instruction",
        0x1A0 => "slot illegal instruction",
        0x1E0 => "user break",
        0x800 => "FPU disabled",
        0x820 => "slot FPU disabled",
        _ => "unknown",
    }
}
