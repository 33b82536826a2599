//! Coherence of the operand cache during firmware calls. On a console, the firmware and dcload run on the CPU
//! and access memory through the cache. Here the host handles their calls and accesses memory directly.

use crate::system::{System, ram_offset};
use machine::cache::OperandCache;

type Line = [u8; 32];

/// State before a call: the operand cache, and for each of its lines the offset in RAM, the bytes that RAM
/// held there, and the bytes of the line.
#[derive(Debug)]
pub(crate) struct CacheSnapshot {
    cache: OperandCache,
    lines: Vec<(usize, Line, Line)>,
}

impl System {
    /// Copies all lines to RAM, so that the host sees the same bytes as the CPU. Returns the old state.
    pub(crate) fn expose_cache(&mut self) -> Option<CacheSnapshot> {
        self.instructions.as_ref()?;
        let (cache, ram) = (self.cache.clone(), &mut self.ram);
        let mut lines = Vec::new();
        self.cache.visit_lines(|address, data, _| {
            let place =
                ram_offset(address).and_then(|at| Some((at, ram.get_mut(at..)?.first_chunk_mut::<32>()?)));
            if let Some((at, place)) = place {
                lines.push((at, std::mem::replace(place, *data), *data));
            }
        });
        Some(CacheSnapshot { cache, lines })
    }

    /// Restores the cache and RAM after the call. A byte that the call changed goes into its line, as if the
    /// CPU had stored it. If the line is clean, RAM keeps the changed byte too.
    pub(crate) fn restore_cache(&mut self, snapshot: Option<CacheSnapshot>) {
        let Some(CacheSnapshot { cache, lines }) = snapshot else {
            return;
        };
        self.cache = cache;
        let ram = &mut self.ram;
        let mut lines = lines.into_iter();
        self.cache.visit_lines(|address, data, dirty| {
            if ram_offset(address).is_none() {
                return;
            }
            let Some((at, memory, held)) = lines.next() else {
                return;
            };
            for n in 0..32 {
                let Some(place) = ram.get_mut(at + n) else {
                    return;
                };
                let changed = *place != held[n];
                data[n] = *place;
                *place = if changed && !dirty { *place } else { memory[n] };
            }
        });
    }
}
