//! `swirl info` for scenes, pictures, programs, discs and captures: a short summary, such as sizes.

use crate::convert::fbx_files;
use crate::exit::ExitStatus;
use crate::input;
use crate::setting_options::SetOptions;
use crate::{frame, truth};
use anyhow::{Context, Result, anyhow, bail};
use dreamcast::Disc;
use machine::Image;
use player::Input;
use serde_json::{Value, json};
use std::path::Path;

/// Prints the summary of a file, one value per line or as JSON.
pub(super) fn run(path: &Path, bytes: &[u8], input: Input, as_json: bool) -> Result<ExitStatus> {
    let name = path.display().to_string();
    if input.is_scene() {
        return scene(path, bytes, input, as_json);
    }
    let kind = input.describe(path, bytes);
    let mut summary = summary(path, bytes, input)?;
    if input != Input::Disc {
        summary["bytes"] = bytes.len().into();
    }
    if as_json {
        (summary["file"], summary["kind"]) = (name.into(), kind.into());
        println!("{}", serde_json::to_string_pretty(&summary)?);
        return Ok(ExitStatus::Done);
    }
    println!("{name}: {kind}");
    for (entry, value) in summary.as_object().into_iter().flatten() {
        match value {
            Value::String(text) => println!("{entry:<16} {text}"),
            Value::Array(rows) => rows.iter().for_each(|row| println!("{entry:<16} {row}")),
            value => println!("{entry:<16} {value}"),
        }
    }
    Ok(ExitStatus::Done)
}

/// Prints the report of a conversion with default options, like `convert --json` without files.
fn scene(path: &Path, bytes: &[u8], input: Input, as_json: bool) -> Result<ExitStatus> {
    let name = || path.display().to_string();
    let search = convert::Search::new(path, &[]);
    let options = convert::Options {
        format: input.scene_format(),
        stacks: convert::Stacks::All,
        searched: search.places(),
        ..convert::Options::default()
    };
    let mut find = |texture: &str| input::read(&search.find(texture)?).ok();
    let conversion =
        player::convert_scene(bytes, &options, &player::Options::default(), &mut find).with_context(name)?;
    for warning in &conversion.warnings {
        eprintln!("{}: warning: {warning}", name());
    }
    if as_json {
        let value = json!({ "file": name(), "bytes": bytes.len(), "report": conversion.report });
        println!("{}", serde_json::to_string_pretty(&value)?);
    } else {
        println!(
            "{}: {} bytes, {}",
            name(),
            bytes.len(),
            input.describe(path, bytes)
        );
        fbx_files::print(&conversion.report, &[]);
    }
    Ok(ExitStatus::Done)
}

fn summary(path: &Path, bytes: &[u8], input: Input) -> Result<Value> {
    let name = || path.display().to_string();
    Ok(match input {
        Input::Disc => disc(path)?,
        Input::Picture => {
            let image = convert::read_picture(bytes, &name()).map_err(|why| anyhow!("{}: {why}", name()))?;
            let alpha = image.texels.iter().any(|texel| texel >> 24 != 255);
            json!({ "width": image.width, "height": image.height, "has_alpha": alpha })
        }
        Input::TaDump => {
            let (blocks, rest) = bytes.as_chunks::<32>();
            if !rest.is_empty() {
                bail!("{}: found {} bytes, expected blocks of 32", name(), bytes.len());
            }
            json!({ "blocks": blocks.len() })
        }
        Input::PvrScene => {
            let drawn = frame::chip_scene::draw(path, 1, &SetOptions::default(), true)?;
            let [width, height] = [drawn.image.width, drawn.image.height];
            let (blocks, pixels) = (drawn.blocks.len(), drawn.stats.shaded_pixels());
            json!({ "width": width, "height": height, "blocks": blocks, "pixels": pixels })
        }
        Input::Capture => {
            let (_, report) = truth::read(path)?;
            let end = format!("{:?}", report.end).to_lowercase();
            json!({ "observations": report.observations.len(), "end": end })
        }
        _ if !bytes.starts_with(b"\x7fELF") => json!({}),
        _ => {
            input::expect_elf("info", path, bytes)?;
            let image = match player::machine(bytes).as_str() {
                "ARM" => verify::arm7::parse(bytes).with_context(name)?,
                _ => Image::parse(bytes).with_context(name)?,
            };
            let segments = image.segments.iter();
            let segments = segments.map(|part| format!("{:08x}, {} bytes", part.address, part.size));
            let (entry, symbols) = (format!("{:08x}", image.entry), image.symbols.iter().count());
            json!({ "entry": entry, "segments": segments.collect::<Vec<_>>(), "symbols": symbols })
        }
    })
}

fn disc(path: &Path) -> Result<Value> {
    let name = || path.display().to_string();
    let mut disc = Disc::open(path).with_context(name)?;
    let track = |(number, start, sectors, is_data)| {
        let content = if is_data { "data" } else { "audio" };
        format!("{number}: {content} from frame address {start}, {sectors} sectors")
    };
    let tracks: Vec<String> = disc.tracks().map(track).collect();
    let boots = match disc.boot_program() {
        Ok(program) => format!("a program of {} bytes", program.bytes.len()),
        Err(why) => why.to_string(),
    };
    Ok(json!({ "disc": format!("{:?}", disc.kind()), "tracks": tracks, "boots": boots }))
}
