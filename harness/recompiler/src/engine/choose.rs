//! Selection of regions to compile.

use super::Recompiler;
use crate::compiled::Region;
use crate::emit::Source;
use crate::host::{self, Sum};
use crate::region::{Mode, Plan};
use crate::slots::Discarded;
use sh4::accelerate::{Answer, Blocks};
use sh4::{Bus, Cpu};
use sh4_fpu::inner::{InnerProduct, ProductExponent};
use std::time::Instant;

/// Maximum number of regions. When it is reached, all are discarded. Each region is a memory mapping.
const REGIONS: usize = 1 << 12;
/// Number of consecutive declined offers after which the interpreter offers fewer blocks.
const DECLINES_BEFORE_SKIPS: u32 = 16;
/// Maximum number of blocks between two offers; smaller for a small hot count.
const MAX_SKIPS: u32 = 63;

impl<B: Bus> Recompiler<B> {
    /// Declines an offer. After many declined offers, requests that the interpreter runs some blocks without
    /// an offer. The number varies, so that each block of a loop is offered at some time.
    pub(super) fn decline(&mut self) -> Answer {
        self.declined = self.declined.saturating_add(1);
        self.statistics.declined += 1;
        let most = MAX_SKIPS.min(self.options.hot >> 7);
        // 2^32 divided by the golden ratio.
        let spread = self.declined.wrapping_mul(0x9E37_79B9) >> 16;
        let skip_offers = match self.declined > DECLINES_BEFORE_SKIPS {
            true => most - spread % (most / 2 + 1),
            false => 0,
        };
        Answer::Declined { skip_offers }
    }

    /// Returns the region at the program counter if its code is unchanged. Discards it otherwise.
    pub(super) fn current_region(&mut self, cpu: &Cpu, bus: &mut B, mode: Mode) -> Option<usize> {
        let slot = self.slots.get(cpu.pc, mode)?;
        let index = slot.region? as usize;
        let region = match self.regions.get_mut(index)? {
            Ok(region) => region,
            Err(gone) => {
                slot.record_discard(*gone);
                return None;
            }
        };
        if region.revalidate(bus) || region.is_unchanged(bus) {
            return Some(index);
        }
        self.slots.set_back(cpu.pc, mode);
        self.links.forget();
        self.regions[index] = Err(Discarded::Changed);
        self.statistics.discarded += 1;
        None
    }

    /// Counts an execution of the block at the program counter, and compiles it if it is hot.
    pub(super) fn count_and_compile(
        &mut self,
        (cpu, passed): (&Cpu, u32),
        bus: &mut B,
        decoded: &Blocks<'_>,
        mode: Mode,
    ) -> Option<usize> {
        let slot = self.slots.get_or_insert(cpu.pc, mode);
        if !slot.count_execution(passed) {
            return None;
        }
        let renewed = slot.renewed;
        let slots = &self.slots;
        let is_cold = |pc| slots.is_cold(pc, mode);
        let Some(plan) = Plan::gather(cpu, bus, decoded, &self.block_profile, mode, is_cold) else {
            self.slots.get_or_insert(cpu.pc, mode).disable();
            return None;
        };
        if !renewed && !self.slots.is_hot(&plan, mode) {
            self.slots.get_or_insert(cpu.pc, mode).postpone();
            return None;
        }
        let index = match self.region_of_other_mode(bus, &plan) {
            Some(index) => Some(index),
            None => self.compile(cpu, bus, plan),
        };
        let slot = self.slots.get_or_insert(cpu.pc, mode);
        slot.region = index.map(|index| index as u32);
        slot.renewed = false;
        // A failed compilation is not repeated.
        slot.disable();
        index
    }

    /// Returns the region of another mode for the same code, if the code does not depend on the mode.
    fn region_of_other_mode(&mut self, bus: &mut B, plan: &Plan) -> Option<usize> {
        let start = plan.blocks.first()?.start();
        let index = self.slots.get(start, plan.mode)?.region? as usize;
        let region = self.regions.get_mut(index)?.as_mut().ok()?;
        (region.revalidate(bus) || region.is_unchanged(bus)).then_some(index)
    }

    fn compile(&mut self, cpu: &Cpu, bus: &mut B, plan: Plan) -> Option<usize> {
        let begin = Instant::now();
        let shape = host::shape(bus);
        if self.shape != shape || self.regions.len() == REGIONS {
            self.forget();
            self.shape = shape;
        }
        let source = Source {
            plan: &plan,
            thunks: &self.thunks,
            shape,
            inline_floats: cpu.settings().fcause_update,
            fma: self.compiler.fma,
            sum: sum(cpu),
        };
        let code = self.compiler.compile(&source);
        self.statistics.time += begin.elapsed();
        let Ok(code) = code else {
            self.statistics.refused += 1;
            return None;
        };
        self.statistics.regions += 1;
        self.statistics.bytes += code.bytes() as u64;
        self.statistics.instructions += plan.instructions();
        let (start, mode, index) = (plan.blocks.first()?.start(), plan.mode, self.regions.len());
        self.regions.push(Ok(Region::new(code, plan, shape, bus)));
        self.slots.get_or_insert(start, mode).region = Some(index as u32);
        Some(index)
    }
}

/// Model of the additions in FTRV and FIPR under the CPU's settings, if the runtime supports it.
fn sum(cpu: &Cpu) -> Option<Sum> {
    let settings = cpu.settings();
    let sum = match (settings.fipr_model, settings.fipr_emax) {
        (InnerProduct::Hardware, ProductExponent::BeforeNormalising) => Sum::Cut,
        (InnerProduct::Exact, _) => Sum::Exact,
        _ => return None,
    };
    host::can_transform().then_some(sum)
}
