//! The HTML report: failures with their pictures, in one file that needs no network.

use super::artifact::Change;
use super::runner::{Run, Verdict};
use super::{Args, again, diff, sound};
use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pvr::Image;
use std::fmt::Write;

const HEAD: &str = include_str!("page.html");

/// Returns the page of a run.
pub(super) fn page(args: &Args, runs: &[Run]) -> Result<String> {
    let failed = runs.iter().filter(|run| run.failed()).count();
    let mut body = format!(
        "<h1>{}</h1>\n<p><b>{failed}</b> of {} cases failed</p>\n",
        escape(&args.directory.display().to_string()),
        runs.len()
    );
    for run in runs.iter().filter(|run| !run.changes.is_empty() || run.failed()) {
        section(&mut body, args, run)?;
    }
    body += "<h2>All cases</h2>\n<table>\n<tr><th>case<th>result<th>seconds\n";
    for run in runs {
        let result = match &run.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed(_) => "<b class=failed>failed</b>",
            Verdict::Updated(_) => "changed",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            body,
            "<tr><td>{}<td>{result}<td>{:.3}",
            escape(&run.name),
            run.time.as_secs_f64()
        );
    }
    body += "</table>\n";
    Ok(HEAD.replacen("<!-- body -->", &body, 1))
}

fn section(body: &mut String, args: &Args, run: &Run) -> Result<()> {
    let _ = writeln!(body, "<section>\n<h2>{}</h2>", escape(&run.name));
    if let Verdict::Failed(reason) = &run.verdict {
        let again = again::line(args, &run.name);
        let _ = writeln!(
            body,
            "<pre>{}</pre>\n<p>Again: <code>{}</code></p>",
            escape(reason),
            escape(&again)
        );
    }
    if let Some(screen) = &run.screen {
        body.push_str("<div class=row>\n");
        picture(body, "screen", screen)?;
        body.push_str("</div>\n");
    }
    for change in &run.changes {
        figure(body, change)?;
    }
    body.push_str("</section>\n");
    Ok(())
}

fn figure(body: &mut String, change: &Change) -> Result<()> {
    let file = change.path.display().to_string();
    let _ = writeln!(
        body,
        "<h3>{}</h3>\n<p>{}</p>",
        escape(&file),
        escape(&change.what)
    );
    if let Some((expected, found)) = &change.sounds {
        body.push_str("<div class=row>\n");
        if let Some(expected) = expected {
            audio(body, "expected", expected)?;
        }
        audio(body, "actual", found)?;
        body.push_str("</div>\n");
    }
    let Some((expected, found)) = &change.pictures else {
        return Ok(());
    };
    body.push_str("<div class=row>\n");
    if let Some(expected) = expected {
        picture(body, "expected", expected)?;
    }
    picture(body, "actual", found)?;
    if let Some(marks) = expected
        .as_ref()
        .and_then(|expected| diff::marks(expected, found))
    {
        picture(body, "difference", &marks)?;
    }
    body.push_str("</div>\n");
    Ok(())
}

fn picture(body: &mut String, what: &str, image: &Image) -> Result<()> {
    let data = STANDARD.encode(player::png_bytes(image)?);
    let (width, height) = (image.width, image.height);
    let _ = writeln!(
        body,
        "<figure><figcaption>{what}, {width}x{height}</figcaption>\
         <img alt={what} data-width={width} width={width} src=\"data:image/png;base64,{data}\"></figure>"
    );
    Ok(())
}

/// Adds a sound player with waveform and spectrogram. At the usual zoom a column is one pixel.
fn audio(body: &mut String, what: &str, samples: &[[i16; 2]]) -> Result<()> {
    let data = STANDARD.encode(aica::wav::file(samples));
    let seconds = samples.len() as f64 / f64::from(aica::SAMPLE_RATE);
    let _ = writeln!(
        body,
        "<figure><figcaption>{what}, {seconds:.3} s</figcaption>\
         <audio controls src=\"data:audio/wav;base64,{data}\"></audio>"
    );
    let pictures = [
        ("waveform", sound::waveform(samples)),
        ("spectrogram", sound::spectrogram(samples)),
    ];
    for (kind, image) in pictures {
        let data = STANDARD.encode(player::png_bytes(&image)?);
        let width = image.width.div_ceil(2);
        let _ = writeln!(
            body,
            "<br><img alt=\"{kind} of {what}\" data-width={width} width={width} \
             src=\"data:image/png;base64,{data}\">"
        );
    }
    body.push_str("</figure>\n");
    Ok(())
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
