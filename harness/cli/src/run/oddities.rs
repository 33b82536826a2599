//! Warnings about accesses without an answer, with a line per run of neighbouring addresses, and about
//! instructions that the ARM7 does not have.

use aica::Aica;
use arm7::armv3;
use dreamcast::diagnostics::Oddity;

/// Maximum distance of two addresses in one line: two registers of 32 bits.
const STEP: u32 = 4;

/// A range of addresses, and the number of accesses to it.
struct Range {
    oddity: Oddity,
    first: u32,
    last: u32,
    accesses: u64,
}

impl Range {
    /// Adds an access of the same kind at the same or the next address. Returns false if it does not fit.
    fn takes(&mut self, oddity: Oddity, address: u32, accesses: u64) -> bool {
        let near = self.oddity == oddity && address.wrapping_sub(self.last) <= STEP;
        if near {
            self.last = address;
            self.accesses += accesses;
        }
        near
    }

    fn line(&self) -> String {
        let Self {
            oddity,
            first,
            last,
            accesses,
        } = self;
        let place = if first == last {
            format!("{first:08x}")
        } else {
            format!("{first:08x} to {last:08x}")
        };
        let plural = if *accesses == 1 { "access" } else { "accesses" };
        format!("{place}: {oddity} ({accesses} {plural})")
    }
}

/// Returns a line for each kind and run of neighbouring addresses. `places` are sorted.
pub(super) fn lines(places: impl Iterator<Item = (Oddity, u32, u64)>) -> Vec<String> {
    let mut ranges: Vec<Range> = Vec::new();
    for (oddity, address, accesses) in places {
        let taken = ranges
            .last_mut()
            .is_some_and(|range| range.takes(oddity, address, accesses));
        if !taken {
            ranges.push(Range {
                oddity,
                first: address,
                last: address,
                accesses,
            });
        }
    }
    ranges.iter().map(Range::line).collect()
}

/// Returns a warning if the ARM7 has taken the undefined instruction trap. Drivers do not use this trap
/// deliberately. A probable cause is GCC 9 or later, which compiles only for ARMv4 and above.
pub(super) fn undefined_on_arm7(sound: &Aica) -> Option<String> {
    let address = sound.arm().first_undefined()?;
    let at = address as usize % sound.ram().len();
    let word = sound.ram().get(at..)?.first_chunk()?;
    let reason = match armv3::check(u32::from_le_bytes(*word)) {
        Some(refusal) => refusal.to_string(),
        None => "the instruction has changed since".to_owned(),
    };
    Some(format!(
        "the ARM7 took the undefined instruction trap at {address:08x} in sound RAM: {reason}"
    ))
}
