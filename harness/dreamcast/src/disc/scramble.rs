//! The byte order in which CDs store a program, and its detection.

/// Load address of programs.
const BASE: u32 = 0x8C01_0000;
/// Minimum number of loaded addresses that reveals a program's order.
const FEWEST: usize = 8;

/// Byte order of a stored program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Memory order.
    Plain,
    /// Scrambled order of CDs.
    Scrambled,
}

/// Detects the order of a program from both readings; `None` if neither is clearly better.
///
/// MOV.L @(disp,PC),Rn loads a word from up to 1 KB ahead, mostly an address. Scrambling moves these words
/// away. The reading with twice as many addresses is correct.
pub(crate) fn order(stored: &[u8], descrambled: &[u8]) -> Option<Order> {
    let [plain, scrambled] = [stored, descrambled].map(addresses_loaded);
    match (plain, scrambled) {
        (plain, scrambled) if plain >= FEWEST && plain >= 2 * scrambled => Some(Order::Plain),
        (plain, scrambled) if scrambled >= FEWEST && scrambled >= 2 * plain => Some(Order::Scrambled),
        _ => None,
    }
}

/// Returns the unscrambled program of a scrambled file; `None` if the file is not scrambled.
pub(crate) fn unscrambled(stored: &[u8]) -> Option<Vec<u8>> {
    let program = descramble(stored);
    (order(stored, &program) == Some(Order::Scrambled)).then_some(program)
}

/// Counts instructions MOV.L @(disp,PC),Rn that load an address of the program itself or of a device.
fn addresses_loaded(program: &[u8]) -> usize {
    let end = BASE + program.len() as u32;
    let is_address = |word: u32| match word & 0x1FFF_FFFF {
        _ if word >= 0xFF00_0000 => word < 0xFFF0_0000,
        _ if !(0x8000_0000..0xC000_0000).contains(&word) => false,
        0x005F_6800..0x005F_A000 | 0x0070_0000..0x0071_000C => true,
        physical => (BASE & 0x1FFF_FFFF..end & 0x1FFF_FFFF).contains(&physical),
    };
    let codes = program.as_chunks::<2>().0.iter().enumerate();
    let loads = codes.filter(|(_, code)| code[1] >> 4 == 0xD);
    loads
        .filter(|(n, code)| {
            let at = ((n * 2) & !3) + 4 + usize::from(code[0]) * 4;
            let word = program.get(at..).and_then(|rest| rest.first_chunk());
            word.is_some_and(|word| is_address(u32::from_le_bytes(*word)))
        })
        .count()
}

/// Unscrambles a program from a CD (public description: Comstedt, Dreamcast programming). Blocks of 2 MiB,
/// then of each smaller power of two, are shuffled in slices of 32 bytes. The random generator starts with
/// the file's size. The rest after the last slice is unchanged.
pub(super) fn descramble(stored: &[u8]) -> Vec<u8> {
    const SLICE: usize = 32;
    let mut program = vec![0; stored.len()];
    let mut state = stored.len() as u32 & 0xFFFF;
    let (mut at, mut block) = (0, 2 << 20);
    while block >= SLICE {
        while stored.len() - at >= block {
            let order = shuffled(block / SLICE, &mut state);
            for (slice, target) in stored[at..at + block].chunks_exact(SLICE).zip(order) {
                program[at + SLICE * target..][..SLICE].copy_from_slice(slice);
            }
            at += block;
        }
        block /= 2;
    }
    program[at..].copy_from_slice(&stored[at..]);
    program
}

/// Returns the position of each stored slice in its block.
fn shuffled(count: usize, state: &mut u32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for n in (0..count).rev() {
        *state = (*state * 2109 + 9273) & 0x7FFF;
        let random = (*state + 0xC000) & 0xFFFF;
        order.swap(n, ((u64::from(random) * n as u64) >> 16) as usize);
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by hand for 128 bytes. The generator gives 697, 4,686 and 61,647; multiplied by 3, 2 and 1
    /// they stay below 65,536. Each swap is with slice 0: the stored slices belong to 0, 3, 2, 1. The last
    /// five bytes stay.
    #[test]
    fn four_slices_by_hand() {
        let mut state = 128;
        assert_eq!(shuffled(4, &mut state), [0, 3, 2, 1]);
        let stored: Vec<u8> = (0..37).collect();
        assert_eq!(descramble(&stored), stored);
    }

    #[test]
    fn every_byte_has_its_place() {
        let stored: Vec<u8> = (0..(3 << 20) + 12_345_u32)
            .map(|n| (n / 32 * 7 + n) as u8)
            .collect();
        let (mut before, mut after) = ([0; 256], [0; 256]);
        let program = descramble(&stored);
        stored.iter().for_each(|byte| before[usize::from(*byte)] += 1);
        program.iter().for_each(|byte| after[usize::from(*byte)] += 1);
        assert!(before == after && program != stored);
        assert_eq!(program[program.len() - 25..], stored[stored.len() - 25..]);
    }

    /// 64 functions of four slices. Each loads the address of another one from the end of its last slice.
    #[test]
    fn the_order_shows_in_the_addresses_that_code_loads() {
        let mut program = Vec::new();
        for n in 0..64_u32 {
            program.extend(0xD11E_u16.to_le_bytes());
            program.extend([9, 0].repeat(61));
            program.extend((BASE + (n * 7 % 64) * 128).to_le_bytes());
        }
        let stored = scramble(&program);
        assert_eq!(descramble(&stored), program);
        assert_eq!(unscrambled(&stored), Some(program.clone()));
        assert_eq!(unscrambled(&program), None);
        assert_eq!(order(&program, &descramble(&program)), Some(Order::Plain));
        let mut console = crate::Dreamcast::new(crate::Config::default());
        console.load_raw(&stored).expect("fits");
        assert_eq!(console.word(BASE + 124), Some(BASE));
        assert!(console.notes()[0].contains("scrambled"), "{:?}", console.notes());
        let text = vec![b'a'; 4096];
        assert_eq!(order(&text, &descramble(&text)), None);
    }

    fn scramble(program: &[u8]) -> Vec<u8> {
        let places: Vec<u8> = (0..program.len() as u32 / 32).map(|n| n as u8).collect();
        let marked: Vec<u8> = places.iter().flat_map(|n| [*n; 32]).collect();
        let mut stored = vec![0; program.len()];
        for (target, mark) in descramble(&marked).chunks(32).enumerate() {
            let at = usize::from(mark[0]) * 32;
            stored[at..at + 32].copy_from_slice(&program[target * 32..][..32]);
        }
        stored
    }
}
