//! `--export`: writes profiles for other tools.

use super::target::Target;
use crate::output;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use profile::{Profile, Report, export};
use std::path::PathBuf;

/// A format and its output file.
#[derive(Clone, Debug)]
pub(super) struct Export {
    pub(super) kind: Kind,
    pub(super) path: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    Callgrind,
    Folded,
    Svg,
    Speedscope,
    Perfetto,
    Konata,
    Csv,
    Frames,
    Markdown,
    Tables,
    Events,
    Json,
    Html,
}

impl Export {
    /// Parses KIND=FILE.
    pub(super) fn parse(text: &str) -> Result<Export, String> {
        let known = || {
            let all = Kind::value_variants()
                .iter()
                .filter_map(ValueEnum::to_possible_value);
            all.map(|value| value.get_name().to_owned())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let (kind, path) = text
            .split_once('=')
            .filter(|(_, path)| !path.is_empty())
            .ok_or("expected KIND=FILE")?;
        let kind =
            Kind::from_str(kind, false).map_err(|_| format!("no format {kind}; there are {}", known()))?;
        Ok(Export {
            kind,
            path: path.into(),
        })
    }

    /// Writes the export.
    pub(super) fn write(&self, profile: &Profile, target: &Target, report: &Report) -> Result<()> {
        let (places, title) = (&target.places, target.title.as_str());
        let bytes = match self.kind {
            Kind::Callgrind => export::callgrind(profile, places, title).into_bytes(),
            Kind::Folded => export::folded(profile, places).into_bytes(),
            Kind::Svg => export::svg(profile, places, title)?,
            Kind::Speedscope => serde_json::to_vec(&export::speedscope(profile, places, title))?,
            Kind::Perfetto => serde_json::to_vec(&export::perfetto(profile, places, title))?,
            Kind::Konata => export::konata(profile).into_bytes(),
            Kind::Csv => export::csv(profile, places).into_bytes(),
            Kind::Frames => bail!(
                "{}: this export has a row per frame and needs --frames",
                self.path.display()
            ),
            Kind::Markdown => bail!(
                "{}: this export is a summary of frames and needs --frames",
                self.path.display()
            ),
            Kind::Tables => return self.tables(profile, target),
            Kind::Events => profile.events.csv().into_bytes(),
            Kind::Json => serde_json::to_vec_pretty(report)?,
            Kind::Html => export::html(profile, places, title, target.timeline).into_bytes(),
        };
        output::write(&self.path, &bytes)
    }

    /// Writes one file per view.
    fn tables(&self, profile: &Profile, target: &Target) -> Result<()> {
        std::fs::create_dir_all(&self.path).with_context(|| self.path.display().to_string())?;
        for (name, text) in export::tables(profile, &target.places) {
            output::write(&self.path.join(name), text.as_bytes())?;
        }
        Ok(())
    }
}
