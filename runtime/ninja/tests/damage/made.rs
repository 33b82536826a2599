//! Generated files for the damage tests.

use super::*;

/// Generated files that together contain every chunk kind.
pub(crate) fn own_samples() -> Vec<Vec<u8>> {
    let mut vlist = Vec::new();
    for (id, stride) in (32u32..).zip([4, 8, 3, 4, 4, 4, 4, 4, 4, 6, 7, 7, 7, 7, 7, 7, 4, 5, 5, 5, 5]) {
        vlist.extend([(1 + 2 * stride) << 16 | 0x80 << 8 | id, 2 << 16 | 1]);
        vlist.extend((0..2 * stride).map(|i| ONE + i));
    }
    vlist.push(0xFF);
    let mut plist = vec![0x2501, 0x0402, 0x0B03, 0x0008, 5, 0x0009, 6];
    for id in 17..=31 {
        let words = if id == 24 {
            6
        } else {
            2 * ((id - 16) & 7u16).count_ones() as u16
        };
        plist.extend([id, words]);
        plist.extend(0..words);
    }
    plist.extend([56, 4, 1, 0, 1, 2, 57, 5, 1, 0, 1, 2, 3, 58, 5, 1, 3, 0, 1, 2]);
    for (id, entry) in (64u16..).zip([1, 3, 3, 4, 6, 6, 3, 5, 5, 1, 5, 5]) {
        plist.extend([id, 3 + 3 * entry + 1, 1 << 14 | 1, 0xFFFD]);
        plist.extend(0..3 * entry + 1);
        plist.push(0);
    }
    plist.extend([0x0105, 0xFF]);
    let mut names = le32(&[8, 2, 32, 0, 0, 36, 0, 0]);
    names.extend(b"abc\0d\0\0\0");
    let texlist = [chunk(b"NJTL", &names), chunk(b"POF0", &[0x40, 0x42, 0x43, 0])].concat();
    let family = [
        node(7, 0, 52, 0),
        node(0, 0, 156, 104),
        node(0, 0, 0, 0),
        node(0, 0, 0, 0),
    ]
    .concat();
    let made = [
        one_list(&le32(&vlist), false),
        one_list(&le16(&plist), true),
        [texlist, bare_tree(&family)].concat(),
    ];
    made.into_iter()
        .chain(hex_samples().into_iter().map(|(_, bytes)| bytes))
        .collect()
}

pub(crate) fn corpus_samples(most: usize) -> Vec<Vec<u8>> {
    let files: Vec<_> = ["pso", "ikaruga"]
        .iter()
        .filter_map(|p| crate::common::corpus(p))
        .map(|d| crate::common::nj_files(&d))
        .collect();
    if files.is_empty() {
        corpus::absent("ninja");
    }
    let all = files.into_iter().flatten().map(|path| fs::read(path).unwrap());
    all.filter(|bytes| bytes.len() <= most).collect()
}
