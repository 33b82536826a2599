//! `--audio`: the program `tones` on both engines, its spectrum, levels in the result, and cases with sound.

use super::{swirl, text};
use std::f64::consts::TAU;
use std::fs;
use std::ops::Range;
use std::path::Path;

const RATE: f64 = 44_100.0;

fn rom(name: &str) -> String {
    format!("{}/../../roms/console/{name}.elf", env!("CARGO_MANIFEST_DIR"))
}

/// Runs a program with `--audio` and returns the samples.
fn record(program: &str, path: &Path, more: &[&str]) -> Vec<[i16; 2]> {
    let words = ["run", program, "--audio", path.to_str().unwrap()];
    let output = swirl(&[&words, more].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    aica::wav::parse(&fs::read(path).unwrap()).unwrap()
}

/// Returns the sounds between silences of 2,000 samples.
fn sounds(samples: &[[i16; 2]]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for n in (0..samples.len()).filter(|n| samples[*n] != [0; 2]) {
        match found.last_mut() {
            Some(last) if n - last.end < 2000 => last.end = n + 1,
            _ => found.push(n..n + 1),
        }
    }
    found
}

/// Returns amplitude and phase of a frequency, through a Hann window.
fn component(samples: &[[i16; 2]], side: usize, hz: f64) -> (f64, f64) {
    let count = samples.len() as f64;
    let (mut re, mut im) = (0.0, 0.0);
    for (n, sample) in samples.iter().enumerate() {
        let window = 2.0 - 2.0 * (TAU * n as f64 / count).cos();
        let (sin, cos) = (TAU * hz * n as f64 / RATE).sin_cos();
        re += f64::from(sample[side]) * window * cos;
        im -= f64::from(sample[side]) * window * sin;
    }
    (re.hypot(im) / count, im.atan2(re))
}

/// Returns the exact frequency near `hz`, from the phases of two consecutive windows.
fn frequency(samples: &[[i16; 2]], side: usize, hz: f64) -> f64 {
    let half = samples.len() / 2;
    let (_, first) = component(&samples[..half], side, hz);
    let (_, second) = component(&samples[half..2 * half], side, hz);
    let turns = (second - first) / TAU - hz * half as f64 / RATE;
    hz + (turns - turns.round()) * RATE / half as f64
}

fn decibels(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}

/// Response of the filter at FLV 1800 and Q 4 (`docs/hardware/aica.md`, "Filter"): F2 = 003F0000 and F d =
/// 04000000 in 30 fraction bits.
fn filter_response(hz: f64) -> f64 {
    let [squared, damped] = [0x003F_0000, 0x0400_0000].map(|value| f64::from(value) / f64::from(1 << 30));
    let (sin, cos) = (TAU * hz / RATE).sin_cos();
    let (sin2, cos2) = (2.0 * TAU * hz / RATE).sin_cos();
    let (last, before) = (2.0 - damped - squared, 1.0 - damped);
    let re = 1.0 - last * cos + before * cos2;
    let im = last * sin - before * sin2;
    squared / re.hypot(im)
}

/// Compares both engines, one and two drawing threads, and a second run.
#[test]
fn every_run_sounds_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let first = record(&rom("tones"), &file("a.wav"), &["--engine", "interpreter"]);
    assert!(first.len() > 60_000);
    for (n, more) in [
        &["--engine", "interpreter"][..],
        &["--engine", "recompiler"],
        &["--engine", "recompiler", "--threads", "2"],
    ]
    .into_iter()
    .enumerate()
    {
        assert!(
            record(&rom("tones"), &file(&format!("{n}.wav")), more) == first,
            "{more:?}"
        );
    }
}

#[test]
fn tones_have_the_frequencies_and_levels_of_the_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let samples = record(&rom("tones"), &folder.path().join("a.wav"), &[]);
    let sounds = sounds(&samples);
    assert_eq!(sounds.len(), 9, "{sounds:?}");
    let steady = |n: usize| &samples[sounds[n].start + 500..][..3600];
    let full = component(steady(0), 0, 440.0).0;
    // 16,384 at 127/128.
    assert!(decibels(full / 16_256.0).abs() < 0.1, "{full}");
    for n in [0, 1, 2, 5, 8] {
        let hz = frequency(steady(n), 0, 440.0);
        assert!((hz - 440.0).abs() < 0.1, "sound {n}: {hz} Hz");
        let right = component(steady(n), 1, 440.0).0;
        assert!(decibels(right / full).abs() < 0.1, "sound {n}: {right}");
    }
    // Noise has no peak: 32,768 / 3^0.5 times (1.5 / 1800)^0.5 is a standard deviation of 546.
    assert!(component(&steady(3)[..1800], 0, 440.0).0 < 3.0 * 546.0);
    // Three steps of 3 dB: 3/8.
    let left = component(steady(5), 0, 440.0).0;
    assert!((decibels(left / full) - decibels(0.375)).abs() < 0.1, "{left}");
    let hz = 440.0 * (1.0 + 289.0 / 1024.0);
    let filtered = component(steady(6), 0, hz).0;
    let expected = filter_response(hz);
    assert!(
        (decibels(expected) + 3.0).abs() < 0.5,
        "near the cut-off: {expected}"
    );
    let found = decibels(filtered / full) - decibels(expected);
    assert!(found.abs() < 0.05, "{found} dB off the formula");
    assert!((frequency(steady(6), 0, hz) - hz).abs() < 0.1);
    // The echo has half the level and is 2205 samples later, plus the DSP's delay of one.
    let echo = &samples[sounds[7].clone()];
    let peak = |range: Range<usize>| {
        echo[range]
            .iter()
            .map(|sample| sample[0].unsigned_abs())
            .max()
            .unwrap()
    };
    let (dry, wet) = (peak(0..1000), peak(2300..3200));
    assert!(dry.abs_diff(2 * wet) <= 8, "{dry}, then {wet}");
    assert_eq!(peak(1200..2200), 0);
    let (second, first) = (&echo[2206 + 400..2206 + 800], &echo[400..800]);
    let distance = |a: &[i16; 2], b: &[i16; 2]| (i32::from(a[0]) - 2 * i32::from(b[0])).abs();
    let worst = first.iter().zip(second).map(|(a, b)| distance(a, b)).max();
    assert!(worst <= Some(16), "{worst:?}");
}

/// Notes of the program `song`, as semitones from A4 and eighths.
const MELODY: [(i32, u32); 15] = [
    (-5, 2),
    (-5, 2),
    (-4, 2),
    (-2, 2),
    (-2, 2),
    (-4, 2),
    (-5, 2),
    (-7, 2),
    (-9, 2),
    (-9, 2),
    (-7, 2),
    (-5, 2),
    (-5, 3),
    (-7, 1),
    (-7, 4),
];
/// Notes of its bass, each of eight eighths.
const BASS: [i32; 4] = [-21, -26, -21, -26];

/// Frequency of the nearest pitch: 2^OCT x (1 + FNS / 1024) x 440 Hz.
fn pitch(semitones: i32) -> f64 {
    let fns = (1024.0 * (f64::from(semitones.rem_euclid(12)) / 12.0).exp2() - 1024.0).round();
    440.0 * f64::from(semitones.div_euclid(12)).exp2() * (1.0 + fns / 1024.0)
}

/// Every note of the song sounds at its pitch, on its side. Both engines play the same song.
#[test]
fn a_song_has_its_notes() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let samples = record(&rom("song"), &file("a.wav"), &["--engine", "recompiler"]);
    let interpreter = record(&rom("song"), &file("b.wav"), &["--engine", "interpreter"]);
    assert!(samples == interpreter);
    let begin = samples.iter().position(|sample| *sample != [0; 2]).unwrap();
    // An eighth takes 100 ms, and writing the registers some microseconds.
    let part = |eighths: u32, from: f64, to: f64| {
        let at = |ms: f64| begin + ((f64::from(eighths) * 100.0 + ms) * RATE / 1e3) as usize;
        &samples[at(from)..at(to)]
    };
    let mut eighths = 0;
    for (note, length) in MELODY {
        let part = part(eighths, 15.0, f64::from(length) * 100.0 - 25.0);
        let (hz, expected) = (frequency(part, 0, pitch(note)), pitch(note));
        assert!(
            (hz - expected).abs() < 0.1,
            "{note}: {hz}, expected {expected} Hz"
        );
        let left = component(part, 0, expected).0;
        let right = component(part, 1, expected).0;
        // The melody is on the left. The third harmonic of the bass, a ninth of its level of 4,938, is on
        // both sides and can meet a note.
        assert!(left > 5_000.0 && right < 560.0, "{note}: {left}, {right}");
        eighths += length;
    }
    for (n, note) in BASS.into_iter().enumerate() {
        let part = part(8 * n as u32, 100.0, 700.0);
        let (hz, expected) = (frequency(part, 1, pitch(note)), pitch(note));
        assert!(
            (hz - expected).abs() < 0.1,
            "{note}: {hz}, expected {expected} Hz"
        );
    }
}

/// The envelope of sound 4, by the peaks of 200-sample parts. The attack takes 6 parts. Decay 1 at rate 28
/// makes a step per 64 samples, of 1/128 of full level. Then the release follows.
#[test]
fn an_envelope_rises_and_falls() {
    let folder = tempfile::tempdir().unwrap();
    let samples = record(&rom("tones"), &folder.path().join("a.wav"), &[]);
    let sound = sounds(&samples)[4].clone();
    let peaks: Vec<u16> = samples[sound]
        .chunks(200)
        .map(|part| part.iter().map(|sample| sample[0].unsigned_abs()).max().unwrap())
        .collect();
    assert!(peaks[0] < 1000 && peaks[5] > 16_000, "{peaks:?}");
    // 2,000 samples: 31.25 steps of 128.
    assert!((peaks[10] - peaks[20]).abs_diff(4000) < 128, "{peaks:?}");
    assert!(peaks[25] > 8000 && peaks[40] < 400, "{peaks:?}");
    assert!(peaks.last().unwrap() < &20, "{peaks:?}");
}

#[test]
fn the_result_has_the_levels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wav");
    let words = ["run", &rom("tones"), "--json", "--audio", path.to_str().unwrap()];
    let json: serde_json::Value = serde_json::from_slice(&swirl(&words).stdout).unwrap();
    let audio = &json["audio"];
    assert_eq!(
        (audio["silent"].as_bool(), audio["clipped"].as_u64()),
        (Some(false), Some(0))
    );
    assert_eq!(audio["per_second"].as_array().unwrap().len(), 2);
    // Noise reaches 32,512.
    let peak = audio["peak_db"][0].as_f64().unwrap();
    assert!((-0.2..0.0).contains(&peak), "{peak}");
    let rms = audio["rms_db"][1].as_f64().unwrap();
    assert!((-20.0..-5.0).contains(&rms), "{rms}");
    // Starting at frame 30 omits half a second.
    let whole = record(&rom("tones"), &path, &[]);
    let rest = record(&rom("tones"), &path, &["--audio-from", "30"]);
    assert!(
        (whole.len() - rest.len()).abs_diff(22_050) < 200,
        "{}",
        rest.len()
    );
    assert_eq!(rest, whole[whole.len() - rest.len()..]);
    let words = [
        "run",
        &rom("tones"),
        "--audio",
        path.to_str().unwrap(),
        "--audio-from",
        "999",
    ];
    let said = text(&swirl(&words).stderr);
    assert!(
        said.contains("--audio-from 999: the program ended at frame"),
        "{said}"
    );
    // Channels at the end of the run.
    let channels = json["sound"]["channels"].as_array().unwrap();
    assert_eq!(channels.len(), 0, "{channels:?}");
    assert_eq!(json["sound"]["arm7_held"], true);
}

/// A case must compare the sound within its tolerance and update the file; the report must show and play
/// both.
#[test]
fn a_case_compares_the_sound() {
    let folder = tempfile::tempdir().unwrap();
    let write = |keys: &str| {
        let case = format!(
            "kind = \"program\"\ninput = {:?}\naudio = \"a.wav\"\nchecks = []\n{keys}\n",
            rom("tones")
        );
        fs::write(folder.path().join("case.toml"), case).unwrap();
    };
    let (out, report) = (folder.path().join("out"), folder.path().join("report.html"));
    let test = |more: &[&str]| {
        let words = [
            "test",
            folder.path().to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
        ];
        let output = swirl(&[&words, more].concat());
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    write("");
    let (status, told) = test(&[]);
    assert!(
        status == Some(1) && told.contains("missing; --update writes it"),
        "{told}"
    );
    assert_eq!(test(&["--update"]).0, Some(0));
    assert_eq!(test(&[]).0, Some(0));
    let path = folder.path().join("a.wav");
    let mut samples = aica::wav::parse(&fs::read(&path).unwrap()).unwrap();
    samples[3000][1] += 2;
    fs::write(&path, aica::wav::file(&samples)).unwrap();
    let (status, told) = test(&["--html", report.to_str().unwrap()]);
    assert!(
        status == Some(1) && told.contains("the first difference at sample 3000 (0.068 s), right"),
        "{told}"
    );
    assert!(out.join("a.wav").exists());
    let page = fs::read_to_string(report).unwrap();
    assert_eq!(page.matches("src=\"data:audio/wav;base64,").count(), 2);
    for picture in [
        "waveform of expected",
        "spectrogram of expected",
        "spectrogram of actual",
    ] {
        assert!(page.contains(&format!("alt=\"{picture}\"")), "{picture}");
    }
    write("audio_tolerance = 2");
    assert_eq!(test(&[]).0, Some(0));
    write("silent = true");
    assert!(test(&[]).1.contains("found sound, expected silent = true"));
    fs::write(&path, "RIFF").unwrap();
    write("silent = false");
    assert!(test(&[]).1.contains("found no WAV file, expected RIFF"));
}

/// 16 bits to 4 bits and back: the header that KallistiOS's tools write, the error, and rejected files.
#[test]
fn wav_files_become_4_bit_samples_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let samples: Vec<u8> = (0..4000)
        .flat_map(|n: i32| ((8000.0 * (f64::from(n) * 0.05).sin()) as i16).to_le_bytes())
        .collect();
    let mut file = aica::wav::header_of(aica::wav::PCM, 1, 22_050, 16, samples.len() as u32);
    file.extend(&samples);
    fs::write(path("a.wav"), &file).unwrap();
    let output = swirl(&["convert", &path("a.wav"), &path("b.wav")]);
    let said = text(&output.stdout);
    assert!(
        output.status.success() && said.contains("4-bit samples, error: at most"),
        "{said}"
    );
    let made = fs::read(path("b.wav")).unwrap();
    assert_eq!((made.len(), made[20], made[34]), (44 + 2000, 0x20, 4));
    assert_eq!(made[24..28], 22_050_u32.to_le_bytes());
    assert!(
        swirl(&["convert", &path("b.wav"), &path("c.wav")])
            .status
            .success()
    );
    assert_eq!(fs::read(path("c.wav")).unwrap().len(), file.len());
    fs::write(path("d.wav"), aica::wav::file(&[[0; 2]; 4])).unwrap();
    let output = swirl(&["convert", &path("d.wav"), &path("e.wav")]);
    let said = text(&output.stderr);
    assert!(
        output.status.code() == Some(2) && said.contains("2 channels"),
        "{said}"
    );
    let output = swirl(&["convert", &path("a.wav"), &path("e.pvr")]);
    assert_eq!(output.status.code(), Some(2));
}
