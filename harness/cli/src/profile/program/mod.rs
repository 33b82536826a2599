//! `swirl profile --elf FILE --frames A..B`: profiles a program on the whole console.

mod csv;
mod files;
mod frame_rows;
mod html;
pub(crate) mod measure;
pub(crate) mod measurements;
mod rows;
mod sound;
mod text;

use super::change::Change;
use super::export::Kind;
use super::{Args, changes, measured};
use crate::exit::ExitStatus;
use crate::sources::Sources;
use crate::{input, output};
use anyhow::{Context, Result, bail};
use measure::{Measured, Request};
use measurements::{Comparison, Measurements};
use profile::{export, view};
use std::path::Path;
use timing::Parameters;

/// `A..B`: from vertical blank A to vertical blank B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameRange {
    pub(super) first: u64,
    pub(super) last: u64,
}

/// Parses `A..B`.
pub(super) fn frame_range(text: &str) -> Result<FrameRange, String> {
    let expected = || format!("found {text}, expected A..B with A less than B");
    let (first, last) = text.split_once("..").ok_or_else(expected)?;
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| expected());
    let (first, last) = (number(first)?, number(last)?);
    match first < last {
        true => Ok(FrameRange { first, last }),
        false => Err(expected()),
    }
}

/// Measures a program. `frames` and `elf` come from `args`.
pub(super) fn run(args: &Args, elf: &Path, frames: FrameRange) -> Result<ExitStatus> {
    let baseline = args.baseline.as_deref().map(baseline).transpose()?;
    let counted = args.compare.as_deref().map(measured).transpose()?;
    let mut measured = measure::measure(&Request {
        elf,
        frames,
        input: args.input.as_deref(),
        files: args.files.as_ref(),
        parameters: parameters(args)?,
        ccr: args.ccr,
    })?;
    let comparison = match baseline {
        Some(before) => {
            let now = Measurements::of(&files::json(&mut measured))?;
            Some(Comparison::new(before, now, args.fail_above))
        }
        None => None,
    };
    for export in &args.export {
        if export.kind == Kind::Markdown {
            let text = match &comparison {
                Some(comparison) => comparison.markdown(),
                None => measurements::markdown(&Measurements::of(&files::json(&mut measured))?),
            };
            output::write(&export.path, text.as_bytes())?;
        } else {
            write(&mut measured, args, export.kind, &export.path)?;
        }
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&files::json(&mut measured))?);
    } else {
        print!("{}", text::text(&mut measured));
    }
    if let Some(counted) = counted {
        print!("\n{}", view::compare(&measured.result.profile.events, &counted));
    }
    let Some(comparison) = comparison else {
        return Ok(ExitStatus::Done);
    };
    if args.json {
        eprint!("{}", comparison.text());
    } else {
        print!("\n{}", comparison.text());
    }
    Ok(ExitStatus::of(!comparison.exceeded()))
}

/// Reads the measurements of an earlier run.
fn baseline(path: &Path) -> Result<Measurements> {
    let text = input::read_text(path)?;
    let what = || {
        format!(
            "{}: expected the JSON of swirl profile --frames --json",
            path.display()
        )
    };
    Measurements::of(&serde_json::from_str(&text).with_context(what)?).with_context(what)
}

/// Parses `--set`, which can change only parameters of the model: the program determines code and caches.
fn parameters(args: &Args) -> Result<Parameters> {
    let mut parameters = Parameters::default();
    for change in changes(args)? {
        match change {
            Change::Parameter(name, value) => timing::Table::set(&mut parameters, &name, &value)?,
            _ => bail!("--set: with --frames, only parameters of the model can be set"),
        }
    }
    Ok(parameters)
}

fn write(measured: &mut Measured, args: &Args, kind: Kind, path: &Path) -> Result<()> {
    let (profile, places) = (&measured.result.profile, &measured.places);
    let title = measured.title.as_str();
    let bytes = match kind {
        Kind::Callgrind => export::callgrind(profile, places, title).into_bytes(),
        Kind::Folded => export::folded(profile, places).into_bytes(),
        Kind::Svg => export::svg(profile, places, title)?,
        Kind::Speedscope => serde_json::to_vec(&export::speedscope(profile, places, title))?,
        Kind::Perfetto => serde_json::to_vec(&export::perfetto(profile, places, title))?,
        Kind::Konata => export::konata(profile).into_bytes(),
        Kind::Events => profile.events.csv().into_bytes(),
        Kind::Csv => export::csv(profile, places).into_bytes(),
        Kind::Frames => return output::write_from(path, measured.frames.csv.read()?),
        Kind::Markdown | Kind::Json => serde_json::to_vec_pretty(&files::json(measured))?,
        Kind::Html => html::html(measured, &Sources::new(&args.sources))?.into_bytes(),
        Kind::Tables => {
            std::fs::create_dir_all(path)?;
            for (name, text) in export::tables(profile, places) {
                output::write(&path.join(name), text.as_bytes())?;
            }
            output::write(&path.join("data.csv"), files::owners_csv(measured).as_bytes())?;
            return output::write_from(&path.join("frames.csv"), measured.frames.csv.read()?);
        }
    };
    output::write(path, &bytes)
}

#[cfg(test)]
mod tests {
    use super::frame_range;

    #[test]
    fn a_range_has_two_frames_in_order() {
        assert_eq!(frame_range("120..180").map(|range| range.last), Ok(180));
        for wrong in ["120", "5..5", "9..3", "a..b", "1..", "-1..3"] {
            assert!(frame_range(wrong).is_err(), "{wrong}");
        }
    }
}
