//! The operand cache during a call of the firmware. On a console the firmware and dcload run on the CPU and
//! see memory
//! through the cache; here the host serves their calls, and sees memory itself.

use crate::system::{System, ram_offset};
use machine::cache::OperandCache;

type Line = [u8; 32];

/// The cache before the call, and memory behind its lines: offset, what memory held, what the line held.
#[derive(Debug)]
pub(crate) struct Lent {
    cache: OperandCache,
    lines: Vec<(usize, Line, Line)>,
}

impl System {
    /// Puts the content of all lines into memory for a while.
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

    /// Lines get the bytes that the call has changed, as if it had stored through the cache; clean lines'
    /// memory gets them
    /// too. All other memory behind lines gets its old content back.
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
