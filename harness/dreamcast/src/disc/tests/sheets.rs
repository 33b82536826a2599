//! GDI files and cue sheets.

use super::*;
use std::sync::Arc;

fn gdi(text: &str) -> (TempDir, Result<Disc, DiscError>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.bin"), vec![1; 2352 * 10]).unwrap();
    fs::write(folder.path().join("two words.raw"), vec![2; 2352 * 4 + 16]).unwrap();
    fs::write(folder.path().join("high.iso"), vec![3; 2048 * 20]).unwrap();
    let path = folder.path().join("disc.gdi");
    fs::write(&path, text).unwrap();
    let disc = Disc::open(&path);
    (folder, disc)
}

#[test]
fn a_gdi_file_gives_tracks() {
    let (_folder, disc) = gdi(
        "3\r\n1 0 4 2352 data.bin 0\r\n2 450 0 2352 \"two words.raw\" 16\r\n3 45000 4 2048 high.iso 2048\r\n",
    );
    let mut disc = disc.unwrap();
    assert_eq!(disc.kind(), Kind::GdRom);
    let (low, high) = (disc.contents(false).unwrap(), disc.contents(true).unwrap());
    assert_eq!(low[..3], [0x4100_0096, 0x0100_0258, u32::MAX]);
    assert_eq!(low[99..], [0x4101_0000, 0x0102_0000, 0x4100_025C]);
    assert_eq!(high[..3], [u32::MAX, u32::MAX, 0x4100_B05E]);
    assert_eq!(high[99..], [0x4103_0000, 0x4103_0000, 0x4100_B05E + 19]);
    assert_eq!(disc.read(600, Part::Data), Err(ReadError::Mode));
    assert_eq!(disc.read(603, Part::Whole).unwrap(), [2; 2352]);
    assert_eq!(disc.read(150, Part::Data).unwrap(), [1; 2048]);
    assert_eq!(disc.read(45_150, Part::Data).unwrap(), [3; 2048]);
}

/// flycast e94b26f1d: reads of the sectors that images leave out between two tracks return zeros. Between
/// areas and after the last track, reads fail.
#[test]
fn pregaps_are_blank() {
    let tracks = [
        "4",
        "1 0 4 2352 data.bin 0",
        "2 450 0 2352 \"two words.raw\" 16",
        "3 45000 4 2048 high.iso 0",
        "4 45170 0 2352 \"two words.raw\" 16",
    ];
    let (_folder, disc) = gdi(&tracks.join("\n"));
    let mut disc = disc.unwrap();
    for fad in [160, 599, 45_170, 45_319] {
        assert_eq!(disc.read(fad, Part::Data).unwrap(), [0; 2048], "{fad}");
        assert_eq!(disc.read(fad, Part::Whole).unwrap(), [0; 2352], "{fad}");
    }
    for fad in [149, 604, 45_149, 45_324] {
        assert_eq!(disc.read(fad, Part::Data), Err(ReadError::Outside), "{fad}");
    }
}

/// A byte order mark, names in another letter case, and sectors without sync pattern and header.
#[test]
fn gdi_files_of_other_hosts() {
    let (folder, disc) = gdi("\u{FEFF}2\n1 0 4 2352 DATA.BIN 0\n2 450 0 2352 \"Two Words.RAW\" 16\n");
    assert_eq!(disc.unwrap().read(150, Part::Data).unwrap(), [1; 2048]);
    fs::write(folder.path().join("xa.bin"), vec![4; 2336 * 3]).unwrap();
    let path = folder.path().join("xa.gdi");
    fs::write(&path, "1\n1 0 4 2336 xa.bin 0\n").unwrap();
    assert_eq!(
        Disc::open(&path).unwrap().read(152, Part::Data).unwrap(),
        [4; 2048]
    );
    // Two files differ only in letter case, so neither matches.
    fs::write(folder.path().join("Data.bin"), vec![1; 2352]).unwrap();
    fs::write(&path, "1\n1 0 4 2352 DATA.BIN 0\n").unwrap();
    assert!(Disc::open(&path).is_err());
}

#[test]
fn wrong_gdi_files_are_refused_with_their_line() {
    let rows = [
        ("", "expected 1 to 99 tracks"),
        ("x\n", "expected 1 to 99 tracks"),
        ("100\n", "expected 1 to 99 tracks"),
        ("2\n1 0 4 2352 data.bin 0\n", "found 1 tracks, expected 2"),
        (
            "1\n1 0 4 2352 data.bin\n",
            "line 2: found \"1 0 4 2352 data.bin\", expected number",
        ),
        (
            "1\n2 0 4 2352 data.bin 0\n",
            "line 2: found track 2, expected track 1",
        ),
        ("1\n1 -1 4 2352 data.bin 0\n", "found \"-1\", expected a number"),
        ("1\n1 600000 4 2352 data.bin 0\n", "logical block 600000"),
        (
            "1\n1 549149 4 2352 data.bin 0\n",
            "10 sectors from logical block 549149",
        ),
        ("1\n1 0 5 2352 data.bin 0\n", "type \"5\""),
        ("1\n1 0 0 2048 data.bin 0\n", "sectors of \"2048\" bytes"),
        ("1\n1 0 4 2048 data.bin 0\n", "23520 bytes after the offset"),
        ("1\n1 0 4 2352 data.bin 23520\n", "offset 23520"),
        ("1\n1 0 4 2352 missing.bin 0\n", "missing.bin"),
        ("1\n1 0 4 2352 ../data.bin 0\n", "expected a file in the folder"),
        ("1\n1 0 4 2352 /etc/passwd 0\n", "expected a file in the folder"),
        ("1\n1 0 4 2352 . 0\n", "expected a file in the folder"),
        ("1\n1 0 4 2352 \"data.bin 0\n", "expected number"),
        ("1\n1 44995 4 2352 data.bin 0\n", "expected an end before 45000"),
        (
            "2\n1 0 4 2352 data.bin 0\n2 9 4 2352 data.bin 0\n",
            "line 3: found logical block 9, expected 10",
        ),
    ];
    for (text, why) in rows {
        let (_folder, disc) = gdi(text);
        let error = disc.unwrap_err().to_string();
        assert!(error.contains(why), "{text:?}: {error}");
    }
}

#[test]
fn other_paths_are_no_discs() {
    let folder = folder();
    for name in ["hello.txt", "missing.gdi", "missing.iso", "missing"] {
        assert!(Disc::open(&folder.path().join(name)).is_err(), "{name}");
    }
}

fn cue(text: &str) -> (TempDir, Result<Disc, DiscError>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a b.bin"), vec![1; 2352 * 600]).unwrap();
    fs::write(folder.path().join("c.iso"), vec![3; 2048 * 20]).unwrap();
    let path = folder.path().join("disc.cue");
    fs::write(&path, text).unwrap();
    let disc = Disc::open(&path);
    (folder, disc)
}

/// Two audio tracks in a file: 300 sectors, and 225 after a pregap of 75 in the file. A second session
/// follows after 11,400 sectors.
#[test]
fn a_cue_sheet_gives_tracks() {
    let (_folder, disc) = cue(
        "REM COMMENT \"x\"\nREM SESSION 01\nFILE \"a b.bin\" BINARY\n  TRACK 01 AUDIO\n    \
         INDEX 01 00:00:00\n  TRACK 02 AUDIO\n    INDEX 00 00:04:00\n    INDEX 01 00:05:00\n\
         REM SESSION 02\nFILE c.iso BINARY\n  TRACK 03 MODE1/2048\n    INDEX 01 00:00:00\n",
    );
    let mut disc = disc.unwrap();
    assert_eq!(disc.kind(), Kind::CdRomXa);
    let contents = disc.contents(false).unwrap();
    assert_eq!(
        contents[..3],
        [0x0100_0096, 0x0100_020D, 0x4100_0000 + 150 + 600 + 11_400]
    );
    assert_eq!(
        (disc.session(0).unwrap().0, disc.session(2)),
        (2, Some((3, 12_150)))
    );
    assert_eq!(disc.read(12_150, Part::Data).unwrap(), [3; 2048]);
    // The pregap between the tracks belongs to no track.
    assert_eq!(
        (disc.track_at(449), disc.track_at(450), disc.track_at(525)),
        (Some(1), None, Some(2))
    );
    let (_folder, disc) = cue(
        "FILE c.iso BINARY\nTRACK 01 MODE1/2048\nPREGAP 00:02:00\nINDEX 01 00:00:00\n\
         REM HIGH-DENSITY AREA\nFILE c.iso BINARY\nTRACK 02 MODE1/2048\nINDEX 01 00:00:01\n",
    );
    let disc = disc.unwrap();
    assert_eq!(disc.kind(), Kind::GdRom);
    assert_eq!(disc.contents(false).unwrap()[0], 0x4100_012C);
    assert_eq!(disc.contents(true).unwrap()[1], 0x4100_B05F);
}

/// Keywords in any case; file names in another letter case, and sectors without sync pattern and header.
#[test]
fn cue_sheets_of_other_hosts() {
    let (folder, disc) = cue(
        "\u{FEFF}rem session 01\nfile \"A B.bin\" binary\n  track 01 audio\n    index 01 00:00:00\n\
         Rem Session 02\nFile C.ISO Binary\n  Track 02 mode1/2048\n    Index 01 00:00:00\n",
    );
    assert_eq!(disc.unwrap().session(0).unwrap().0, 2);
    fs::write(folder.path().join("xa.bin"), vec![4; 2336 * 3]).unwrap();
    let path = folder.path().join("xa.cue");
    fs::write(
        &path,
        "FILE xa.bin BINARY\nTRACK 01 MODE2/2336\nINDEX 01 00:00:00\n",
    )
    .unwrap();
    assert_eq!(
        Disc::open(&path).unwrap().read(152, Part::Data).unwrap(),
        [4; 2048]
    );
}

#[test]
fn wrong_cue_sheets_are_refused_with_their_line() {
    let file = "FILE c.iso BINARY\n";
    let rows = [
        (String::new(), "no TRACK line"),
        (
            "TRACK 01 AUDIO\n".into(),
            "line 1: found TRACK, expected FILE before it",
        ),
        ("INDEX 01 00:00:00\n".into(), "line 1: found no track"),
        ("FILE ../c.iso BINARY\n".into(), "expected a file in the folder"),
        ("FILE c.iso MP3\n".into(), "expected FILE \"NAME\" BINARY or WAVE"),
        (
            "FILE c.iso WAVE\nTRACK 01 MODE1/2048\n".into(),
            "found \"MODE1/2048\" in a WAVE file, expected AUDIO",
        ),
        (
            "FILE c.iso WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n".into(),
            "found no WAV file, at offset 0x0",
        ),
        ("FILE \"c.iso BINARY\n".into(), "a second quote"),
        ("PLAY 1\n".into(), "found \"PLAY 1\""),
        (
            format!("{file}TRACK 02 MODE1/2048\n"),
            "line 2: found track \"02\", expected track 1",
        ),
        (format!("{file}TRACK 01 MODE2/2324\n"), "found \"MODE2/2324\""),
        (
            format!("{file}TRACK 01 MODE1/2352\nINDEX 01 00:00:00\n"),
            "40960 bytes",
        ),
        (format!("{file}TRACK 01 MODE1/2048\n"), "no INDEX 01"),
        (
            format!("{file}TRACK 01 MODE1/2048\nINDEX 01 00:00:20\n"),
            "sectors 20 to 20 of 20",
        ),
        (
            format!("{file}TRACK 01 MODE1/2048\nINDEX 01 00:60:00\n"),
            "found \"00:60:00\"",
        ),
        (
            format!("{file}TRACK 01 MODE1/2048\nINDEX 01 0:0\n"),
            "found \"0:0\"",
        ),
        (
            format!("{file}TRACK 01 MODE1/2048\nPREGAP 130:00:00\nINDEX 01 00:00:00\n"),
            "logical block 585020",
        ),
        (
            format!("{file}TRACK 01 MODE1/2048\nINDEX 01 00:00:00\nREM SESSION 02\nTRACK 02 MODE1/2048\n"),
            "line 5: found a new session or area inside a file",
        ),
        (
            format!("{file}TRACK 01 MODE1/2048\nINDEX 01 00:00:00\nTRACK 02 AUDIO\n"),
            "sectors of one size",
        ),
    ];
    for (text, why) in rows {
        let (_folder, disc) = cue(&text);
        let error = disc.unwrap_err().to_string();
        assert!(error.contains(why), "{text:?}: {error}");
    }
}

/// Long audio tracks can reach blocks of a GD-ROM's high-density area.
#[test]
fn a_cue_sheet_without_high_density_area_is_a_cd() {
    let (_folder, disc) = cue("FILE \"a b.bin\" BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n\
         FILE c.iso BINARY\nTRACK 02 MODE1/2048\nPREGAP 20:00:00\nINDEX 01 00:00:00\n");
    let disc = disc.unwrap();
    assert_eq!(disc.kind(), Kind::CdRomXa);
    assert_eq!(disc.contents(false).unwrap()[1], 0x4100_0000 + 150 + 600 + 90_000);
    assert!(disc.contents(true).is_none());
}

/// Two tracks of a WAV file, the second one with a last sector of ten samples.
#[test]
fn a_cue_sheet_plays_wav_files() {
    let folder = tempfile::tempdir().unwrap();
    let samples: Vec<[i16; 2]> = (0..588 * 6 + 10).map(|n| [n, -n]).collect();
    fs::write(folder.path().join("a.wav"), aica::wav::file(&samples)).unwrap();
    let path = folder.path().join("disc.cue");
    let text = "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:00:04\n";
    fs::write(&path, text).unwrap();
    let mut disc = Disc::open(&path).unwrap();
    assert_eq!(disc.kind(), Kind::Audio);
    let tracks: Vec<_> = disc.tracks().collect();
    assert_eq!(tracks, [(1, 150, 4, false), (2, 154, 3, false)]);
    let mut heard = Vec::new();
    for fad in 150..157 {
        let sector = disc.read_audio(fad).unwrap();
        let values = sector
            .as_chunks()
            .0
            .iter()
            .map(|bytes| i16::from_le_bytes(*bytes));
        heard.extend(values);
    }
    let expected: Vec<i16> = samples.into_iter().flatten().collect();
    assert_eq!(heard[..expected.len()], expected);
    assert!(heard[expected.len()..].iter().all(|value| *value == 0));
    assert_eq!(disc.read_audio(157).unwrap(), [0; 2352], "after the last track");
}

fn data(bytes: Vec<u8>) -> Arc<dyn DiscData> {
    Arc::new(Arc::<[u8]>::from(bytes))
}

/// Files in memory give the same sectors as files of the host, also with names in another letter case.
#[test]
fn a_gdi_file_in_memory() {
    let text = "3\n1 0 4 2352 DATA.bin 0\n2 450 0 2352 \"two words.raw\" 16\n3 45000 4 2048 high.iso 2048\n";
    let (folder, disc) = gdi(text);
    let mut disc = disc.unwrap();
    let mut files = DiscFiles::new();
    for name in ["disc.gdi", "data.bin", "two words.raw", "high.iso"] {
        let bytes = fs::read(folder.path().join(name)).unwrap();
        files.insert(Path::new("game").join(name), data(bytes));
    }
    let sheet = Path::new("game/disc.gdi");
    let mut memory = Disc::from_files(&files, sheet).unwrap();
    assert_eq!(memory.kind(), Kind::GdRom);
    assert!(memory.tracks().eq(disc.tracks()));
    for fad in [150, 600, 603, 45_150, 45_168] {
        assert_eq!(memory.read(fad, Part::Whole), disc.read(fad, Part::Whole));
    }
    // The disc keeps its bytes.
    files.remove(Path::new("game/high.iso"));
    assert_eq!(memory.read(45_150, Part::Data).unwrap(), [3; 2048]);
    let error = Disc::from_files(&files, sheet).unwrap_err().to_string();
    assert_eq!(error, "game/high.iso: no such file");
    // A track outside the sheet's folder is not found.
    let text = b"1\n1 0 4 2352 ../data.bin 0\n";
    files.insert(sheet.to_owned(), data(text.to_vec()));
    files.insert("data.bin".into(), data(vec![1; 2352]));
    let error = Disc::from_files(&files, sheet).unwrap_err().to_string();
    assert!(
        error.contains("expected a file in the folder of this text"),
        "{error}"
    );
}
