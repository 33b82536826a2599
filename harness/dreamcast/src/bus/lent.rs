//! Coherence of the operand cache during firmware calls. On a console, the firmware and dcload run on the CPU
//! and access memory through the cache. Here the host handles their calls and accesses memory directly.

use crate::system::{System, ram_offset};
use machine::cache::OperandCache;

type Line = [u8; 32];

/// The cache before the call, and for each line its offset in RAM, the old content of RAM, and the line's
/// content.
#[derive(Debug)]
pub(crate) struct Lent {
    cache: OperandCache,
    lines: Vec<(usize, Line, Line)>,
}

impl System {
    /// Writes the contents of all lines to memory during a call.
    pub(crate) fn lend_cache(&mut self) -> Option<Lent> {
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
        Some(Lent { cache, lines })
    }

    /// Copies the bytes that the call has changed into their lines, as if the call had stored through the
    /// cache. Memory under clean lines keeps these bytes too. All other memory under lines is restored.
    pub(crate) fn take_cache_back(&mut self, lent: Option<Lent>) {
        let Some(Lent { cache, lines }) = lent else {
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
