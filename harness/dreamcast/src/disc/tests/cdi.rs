//! CDI files, built from their fields.

use super::super::*;
use std::fs;
use tempfile::TempDir;

/// A track of a CDI file.
#[derive(Clone, Copy)]
struct CdiTrack {
    mode: u32,
    kind: u32,
    pregap: u32,
    sectors: u32,
    block: u32,
}

impl CdiTrack {
    fn bytes_of_a_sector(self) -> usize {
        [2048, 2336, 2352][self.kind as usize]
    }
}

fn words(bytes: &mut Vec<u8>, words: &[u32]) {
    words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
}

/// Appends the description of a track. `long` adds the bytes that some versions of DiscJuggler write.
fn cdi_track(bytes: &mut Vec<u8>, version: u32, track: CdiTrack, long: bool) {
    words(bytes, if long { &[7, 0, 0] } else { &[0] });
    bytes.extend([0, 0, 1, 0, 0, 0, 255, 255, 255, 255].repeat(2));
    bytes.extend([0xAB, 0, 0x10, 1, 5]);
    bytes.extend(b"a.cdi");
    bytes.extend([0; 19]);
    words(bytes, if long { &[0x8000_0000, 360_000, 0] } else { &[0] });
    bytes.extend([2, 0]);
    words(bytes, &[track.pregap, track.sectors]);
    bytes.extend([0; 6]);
    words(
        bytes,
        &[track.mode, 0, 0, 0, track.block, track.pregap + track.sectors],
    );
    words(bytes, &[0, 0, 0, 0, track.kind]);
    bytes.extend([0; 29]);
    if version > 0x8000_0004 {
        bytes.extend([0; 5]);
        words(bytes, &[if long { u32::MAX } else { 0 }]);
        bytes.resize(bytes.len() + if long { 78 } else { 0 }, 0);
    }
}

/// Returns a CDI file. Sectors of the pregap contain 0; sector n of track t contains t x 16 + n.
fn cdi_file(version: u32, sessions: &[&[CdiTrack]], long: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (t, track) in (1..).zip(sessions.concat()) {
        let size = track.bytes_of_a_sector();
        bytes.resize(bytes.len() + track.pregap as usize * size, 0);
        (0..track.sectors).for_each(|n| bytes.extend(vec![(t * 16 + n) as u8; size]));
    }
    let start = bytes.len() as u32;
    bytes.extend((sessions.len() as u16).to_le_bytes());
    for tracks in sessions {
        bytes.extend((tracks.len() as u16).to_le_bytes());
        for track in *tracks {
            cdi_track(&mut bytes, version, *track, long);
        }
        bytes.resize(bytes.len() + if version > 0x8000_0004 { 13 } else { 12 }, 0);
    }
    let place = match version {
        0x8000_0006 => bytes.len() as u32 + 8 - start,
        _ => start,
    };
    words(&mut bytes, &[version, place]);
    bytes
}

/// Audio in the first session, data in the second, as homebrew is burnt.
const AUDIO_AND_DATA: [&[CdiTrack]; 2] = [
    &[
        CdiTrack {
            mode: 0,
            kind: 2,
            pregap: 3,
            sectors: 2,
            block: 0,
        },
        CdiTrack {
            mode: 0,
            kind: 2,
            pregap: 0,
            sectors: 2,
            block: 100,
        },
    ],
    &[CdiTrack {
        mode: 2,
        kind: 1,
        pregap: 2,
        sectors: 4,
        block: 60_000,
    }],
];

fn cdi(bytes: &[u8]) -> (TempDir, Result<Disc, DiscError>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("disc.cdi");
    fs::write(&path, bytes).unwrap();
    let disc = Disc::open(&path);
    (folder, disc)
}

#[test]
fn a_cdi_file_gives_tracks() {
    for version in [0x8000_0004, 0x8000_0005, 0x8000_0006] {
        for long in [false, true] {
            let (_folder, disc) = cdi(&cdi_file(version, &AUDIO_AND_DATA, long));
            let mut disc = disc.unwrap();
            assert_eq!(disc.kind(), Kind::CdRomXa);
            let contents = disc.contents(false).unwrap();
            assert_eq!(contents[..3], [0x0100_0096, 0x0100_00FA, 0x4100_EAF6]);
            assert_eq!(disc.session(2), Some((3, 60_150)));
            assert_eq!(disc.read(151, Part::Whole).unwrap(), [17; 2352]);
            assert_eq!(disc.read(250, Part::Whole).unwrap(), [32; 2352]);
            assert_eq!(disc.read(60_153, Part::Data).unwrap(), [51; 2048]);
            assert_eq!(disc.read(60_154, Part::Data), Err(ReadError::Outside));
            let whole = disc.read(60_150, Part::Whole).unwrap();
            assert_eq!((whole[15], &whole[16..]), (2, &[48; 2336][..]));
        }
    }
}

/// Data of mode 1 in 2048 bytes, and whole sectors.
#[test]
fn a_cdi_file_has_sectors_of_three_sizes() {
    let track = |mode, kind, block| CdiTrack {
        mode,
        kind,
        pregap: 1,
        sectors: 2,
        block,
    };
    let (_folder, disc) = cdi(&cdi_file(
        0x8000_0006,
        &[&[track(1, 0, 0), track(2, 2, 10)]],
        false,
    ));
    let mut disc = disc.unwrap();
    assert_eq!(disc.read(151, Part::Data).unwrap(), [17; 2048]);
    assert_eq!(disc.read(161, Part::Whole).unwrap(), [33; 2352]);
}

#[test]
fn wrong_cdi_files_are_refused() {
    let track = AUDIO_AND_DATA[1][0];
    let one = |track: CdiTrack| cdi_file(0x8000_0006, &[&[track]], false);
    let good = one(track);
    let changed = |at_from_end: usize, byte: u8| {
        let mut bytes = good.clone();
        let at = bytes.len() - at_from_end;
        bytes[at] = byte;
        bytes
    };
    let description = good.len() - 6 * 2336;
    // Ends in a track's first word.
    let mut cut = good[..6 * 2336].to_vec();
    cut.extend([1, 0, 1, 0, 0, 0]);
    words(&mut cut, &[0x8000_0006, 14]);
    let hundred: Vec<CdiTrack> = (0..100)
        .map(|n| CdiTrack {
            block: 10 * n,
            ..track
        })
        .collect();
    let rows = [
        (vec![0; 7], "found 7 bytes"),
        (vec![0; 100], "found version 00000000, expected a CDI file"),
        (changed(8, 7), "found version 80000007"),
        (changed(2, 1), "of the description"),
        (changed(4, 8), "of the description"),
        (cut, "found the end of the description at 0x36c4"),
        (changed(description - 8, 9), "another mark at 0x36c8, in track 1"),
        (one(CdiTrack { sectors: 0, ..track }), "at least one sector"),
        (
            one(CdiTrack { mode: 3, ..track }),
            "mode 3 with sectors of kind 1, in track 1",
        ),
        (
            one(CdiTrack { mode: 1, ..track }),
            "mode 1 with sectors of kind 1",
        ),
        (
            one(CdiTrack {
                block: 549_147,
                ..track
            }),
            "549151, in track 1, expected 549150",
        ),
        (
            one(CdiTrack { kind: 2, ..track })[2352 * 6 - 2336 * 6..].to_vec(),
            "an end before",
        ),
        (cdi_file(0x8000_0006, &[], false), "without tracks"),
        (
            cdi_file(0x8000_0006, &[&[track, track]], false),
            "found logical block 60000, in track 2",
        ),
        (cdi_file(0x8000_0006, &[&hundred], false), "at most 99"),
    ];
    for (n, (bytes, why)) in rows.into_iter().enumerate() {
        let (_folder, disc) = cdi(&bytes);
        let error = disc.unwrap_err().to_string();
        assert!(
            error.contains("disc.cdi") && error.contains(why),
            "row {n}: {error}"
        );
    }
}

/// Any damaged file must be rejected or read, without a panic.
#[test]
fn damaged_cdi_files_do_no_harm() {
    let good = cdi_file(0x8000_0005, &AUDIO_AND_DATA, true);
    for at in good.len() - 700..good.len() {
        for bit in [0, 6, 7] {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << bit;
            if let (_folder, Ok(mut disc)) = cdi(&bytes) {
                (1..=4).for_each(|fad| drop(disc.read(LEAD + fad, Part::Data)));
            }
        }
    }
}
