//! Lookup of words, and of the nearest known word.

use super::types::{BRACKETS, Bracket, TYPES, Type};
use super::{GROUPS, MACROS, Macro};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

/// Meaning of a word.
#[derive(Debug, Clone, Copy)]
pub(in crate::ascii) enum Entry {
    Constant(u32),
    Macro(&'static Macro),
    Type(&'static Type),
    Open(&'static Bracket),
    Close(&'static Bracket),
    /// A known misspelling or an older name of another word.
    Alias(&'static str),
    /// A word of a format that this reader does not support.
    Unsupported(&'static str),
    /// A word of C source without the macros.
    CSource,
}

/// Errors in the specification's samples (docs/formats/ninja.md 4), and names in older texts
/// (docs/formats/ninja.md 3.2).
const ALIASES: [(&str, &str); 8] = [
    ("MdadaArray", "MdataArray"),
    ("MoitonBit", "MotionBit"),
    ("MframeNum", "MFrameNum"),
    ("Bk_VC5", "Bk_UV5"),
    ("NJS_CELLSPRITE", "CELLSPRITE"),
    ("NJS_DATA1", "MDATA1"),
    ("NJD_CBC_AD", "CBCnk_AD"),
    ("NJD_CBC_ED", "CBCnk_ED"),
];

const BASIC: &str = "a basic model (MODEL, MATERIAL, MESHSET): only chunk models are read";
const SHAPE: &str = "a Ninja1 simple shape motion (NSSM), which moves basic models: it is not read";
const CAMERA: &str = "a camera or light, whose structures are not publicly specified: it is not read";

/// First words of definitions in unsupported formats.
const UNSUPPORTED: [(&str, &str); 41] = [
    ("MATERIAL", BASIC),
    ("MATSTART", BASIC),
    ("MESHSET", BASIC),
    ("MESHSTART", BASIC),
    ("MODEL", BASIC),
    ("OBJECT", BASIC),
    ("OBJECT_START", BASIC),
    ("OBJECT_END", BASIC),
    ("POLYGON", BASIC),
    ("POINT", BASIC),
    ("NORMAL", BASIC),
    ("VERTUV", BASIC),
    ("VERTCOLOR", BASIC),
    ("POLYNORM", BASIC),
    ("MATERIAL_START", BASIC),
    ("MODEL_START", BASIC),
    ("SHAPE_MOTION_START", SHAPE),
    ("SHAPE_MOTION_END", SHAPE),
    ("CAMERA", CAMERA),
    ("CAMERA_START", CAMERA),
    ("CAMERA_END", CAMERA),
    ("CPosition", CAMERA),
    ("CInterest", CAMERA),
    ("CVector", CAMERA),
    ("CTarget", CAMERA),
    ("CRoll", CAMERA),
    ("CAngle", CAMERA),
    ("CNearClip", CAMERA),
    ("CFarClip", CAMERA),
    ("CType", CAMERA),
    ("LIGHT", CAMERA),
    ("LIGHT_START", CAMERA),
    ("LIGHT_END", CAMERA),
    ("LStatus", CAMERA),
    ("LPosition", CAMERA),
    ("LVector", CAMERA),
    ("LType", CAMERA),
    ("LIntensity", CAMERA),
    ("LAmbient", CAMERA),
    ("LColor", CAMERA),
    ("LFunc", CAMERA),
];

/// C types that begin definitions in dialects without macros (docs/formats/ninja.md 3.4 e).
const C_TYPES: [&str; 16] = [
    "Sint8", "Sint16", "Sint32", "Uint8", "Uint16", "Uint32", "Float", "float", "Angle", "int", "short",
    "long", "static", "const", "extern", "typedef",
];

/// FNV-1a hash. It suffices because the words are short and fixed.
#[derive(Debug, Clone, Copy)]
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
        }
    }

    fn write_usize(&mut self, _length: usize) {}

    fn finish(&self) -> u64 {
        // The hash table takes its tag from the highest bits.
        self.0 ^ self.0 << 32
    }
}

type Words = HashMap<&'static [u8], Entry, BuildHasherDefault<Fnv>>;

fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| {
        let constants = GROUPS.iter().flat_map(|(_, group)| *group);
        let macros = MACROS.iter().flat_map(|(_, group)| *group);
        let opening = BRACKETS.iter().map(|b| (b.open, Entry::Open(b)));
        let closing = BRACKETS.iter().map(|b| (b.close, Entry::Close(b)));
        constants
            .map(|c| (c.name, Entry::Constant(c.value)))
            .chain(macros.map(|m| (m.name, Entry::Macro(m))))
            .chain(TYPES.iter().map(|t| (t.name, Entry::Type(t))))
            .chain(opening.chain(closing))
            .chain(ALIASES.map(|(name, meant)| (name, Entry::Alias(meant))))
            .chain(UNSUPPORTED.map(|(name, why)| (name, Entry::Unsupported(why))))
            .chain(C_TYPES.map(|name| (name, Entry::CSource)))
            .map(|(name, entry)| (name.as_bytes(), entry))
            .collect()
    })
}

/// Looks up a word. It removes the library's prefix from flags and from structure names.
pub(in crate::ascii) fn find(word: &[u8]) -> Option<Entry> {
    if let Some(entry) = words().get(word) {
        return Some(*entry);
    }
    // NJS_FCB is an error in docs/formats/cell-sprite.md for NJD_FCB.
    let rest = word
        .strip_prefix(b"NJD_")
        .or(word.strip_prefix(b"NJS_FCB").and(word.get(4..)));
    match rest.and_then(|rest| words().get(rest)) {
        Some(entry @ Entry::Constant(_)) => Some(*entry),
        _ => word.starts_with(b"NJS_").then_some(Entry::CSource),
    }
}

/// Plausible words that no header defines, with the valid form.
const FORMS: [(&str, &str); 1] = [("CnkB_EXP", "NJD_CB_EXP|FEXP_nn")];

/// Returns the known word nearest to an unknown one, or its valid form, if any is near enough.
#[cold]
pub(in crate::ascii) fn nearest(word: &[u8], wanted: impl Fn(&Entry) -> bool) -> Option<&'static str> {
    if let Some((_, form)) = FORMS.iter().find(|(name, _)| name.as_bytes() == word) {
        return Some(form);
    }
    let most = (word.len() / 3).clamp(1, 3);
    let near = words()
        .iter()
        .filter(|(_, entry)| wanted(entry))
        .filter(|(name, _)| name.len().abs_diff(word.len()) <= most);
    let (_, name) = near
        .map(|(name, _)| (distance(name, word), *name))
        .filter(|(distance, _)| *distance <= most)
        .min()?;
    std::str::from_utf8(name).ok()
}

/// Edit distance: letters to insert, delete, replace or swap with their neighbour.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut rows = [
        vec![0; b.len() + 1],
        vec![0; b.len() + 1],
        (0..=b.len()).collect(),
    ];
    for (i, x) in a.iter().enumerate() {
        rows.rotate_left(1);
        rows[2][0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = rows[1][j] + usize::from(x != y);
            let mut best = replaced.min(rows[1][j + 1] + 1).min(rows[2][j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x {
                best = best.min(rows[0][j - 1] + 1);
            }
            rows[2][j + 1] = best;
        }
    }
    rows[2][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique() {
        let count = GROUPS.iter().map(|(_, g)| g.len()).sum::<usize>()
            + MACROS.iter().map(|(_, g)| g.len()).sum::<usize>()
            + TYPES.len()
            + 2 * BRACKETS.len()
            + ALIASES.len()
            + UNSUPPORTED.len()
            + C_TYPES.len();
        assert_eq!(words().len(), count);
    }

    #[test]
    fn aliases_lead_to_words() {
        assert!(ALIASES.iter().all(|(_, meant)| find(meant.as_bytes()).is_some()));
    }

    #[test]
    fn members_are_macros_that_fit_their_position() {
        for ty in TYPES {
            for (name, place) in ty.members {
                let Some(Entry::Macro(row)) = find(name.as_bytes()) else {
                    panic!("{name} of {}", ty.name);
                };
                let scalars: Vec<_> = row.out.iter().map(|out| out.scalar).collect();
                assert!(ty.layout[*place..].starts_with(&scalars), "{name} of {}", ty.name);
            }
        }
    }

    #[test]
    fn the_nearest_word_is_found() {
        let any = |word: &str| nearest(word.as_bytes(), |_| true);
        assert_eq!(any("CnkV_VM"), Some("CnkV_VN"));
        assert_eq!(any("MKYEF"), Some("MKEYF"));
        assert_eq!(any("OffnbIndex"), Some("OffnbIdx"));
        assert_eq!(any("CnkB_EXP"), Some("NJD_CB_EXP|FEXP_nn"));
        assert_eq!(any("something_else"), None);
        assert_eq!(distance(b"ab", b"ba"), 1);
        assert_eq!(distance(b"kitten", b"sitting"), 3);
    }
}
