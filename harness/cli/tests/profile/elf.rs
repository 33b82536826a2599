//! Builds ELF files by hand, so that the tests need no assembler.

/// Address of the code.
pub(crate) const START: u32 = 0x8C01_0000;

const HEADER: usize = 52;
const PROGRAM_HEADER: usize = 32;
const SECTION_HEADER: u32 = 40;

/// Returns a little-endian SuperH executable with `code` at [`START`] and functions by name and address.
/// Without functions it is like a stripped file.
pub(crate) fn elf(code: &[u16], symbols: &[(&str, u32)]) -> Vec<u8> {
    let text: Vec<u8> = code.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    let (names, table) = tables(symbols);
    let text_at = HEADER + PROGRAM_HEADER;
    let names_at = text_at + text.len();
    let table_at = (names_at + names.len()).next_multiple_of(4);
    let sections_at = table_at + table.len();
    let sections = if symbols.is_empty() { 0 } else { 3 };
    let mut file = b"\x7fELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    halves(&mut file, &[2, 42]); // ET_EXEC, EM_SH
    let sections_place = if sections == 0 { 0 } else { sections_at as u32 };
    words(&mut file, &[1, START, HEADER as u32, sections_place, 9]);
    let names_section = if sections == 0 { 0 } else { 2 };
    let sizes = [
        HEADER,
        PROGRAM_HEADER,
        1,
        SECTION_HEADER as usize,
        sections,
        names_section,
    ];
    halves(&mut file, &sizes.map(|size| size as u16));
    let size = text.len() as u32;
    words(&mut file, &[1, text_at as u32, START, START, size, size, 7, 4]);
    file.extend(text);
    file.extend(&names);
    file.resize(table_at, 0);
    file.extend(&table);
    if sections > 0 {
        words(&mut file, &[0; 10]);
        // The symbol table (2), its names in section 2; local symbols end at 1.
        words(
            &mut file,
            &[0, 2, 0, 0, table_at as u32, table.len() as u32, 2, 1, 4, 16],
        );
        words(
            &mut file,
            &[0, 3, 0, 0, names_at as u32, names.len() as u32, 0, 0, 1, 0],
        );
    }
    file
}

/// Names, and symbols of 16 bytes.
fn tables(symbols: &[(&str, u32)]) -> (Vec<u8>, Vec<u8>) {
    let (mut names, mut table) = (vec![0], vec![0; 16]);
    for (name, address) in symbols {
        words(&mut table, &[names.len() as u32, *address, 0]);
        // STB_GLOBAL and STT_FUNC, or a local label without a type; a section that is there.
        halves(&mut table, &[if name.starts_with("L_") { 0 } else { 0x12 }, 1]);
        names.extend(name.bytes());
        names.push(0);
    }
    (names, table)
}

fn halves(file: &mut Vec<u8>, values: &[u16]) {
    file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn words(file: &mut Vec<u8>, values: &[u32]) {
    file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}
