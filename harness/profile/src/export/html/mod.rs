//! A self-contained page: no script, no font, no external picture.

mod events;
mod ledger;
mod listing;
mod memory;
mod timeline;

use crate::bounds::Bounds;
use crate::limits::NOT_MODELLED;
use crate::places::Places;
use crate::profile::Profile;
use crate::view::{Part, percent, provenance};
use std::fmt::Write as _;

const STYLE: &str = include_str!("style.css");

/// Returns a page with bounds, ledger, timeline, listing, memory and events.
#[must_use]
pub fn html(profile: &Profile, places: &Places, title: &str, part: Part) -> String {
    let title = escaped(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}: {} cycles</h1>\n",
        profile.cycles()
    );
    head(&mut page, profile);
    ledger::write(&mut page, profile);
    timeline::write(&mut page, profile, places, part);
    listing::write(&mut page, profile, places);
    memory::write(&mut page, profile, places);
    events::write(&mut page, profile);
    page += "<section id=limits><h2>Not modelled</h2>\n<ul>\n";
    for line in NOT_MODELLED {
        let _ = writeln!(page, "<li>{}</li>", escaped(line));
    }
    page += "</ul></section>\n</body></html>\n";
    page
}

/// Writes the totals, the bounds, and the uncertainties of the result.
fn head(page: &mut String, profile: &Profile) {
    let bounds = Bounds::of(profile);
    let cycles = profile.cycles().0.max(1);
    let binding = bounds.binding().name;
    let _ = writeln!(
        page,
        "<p>{} instructions, {:.2} a cycle, {} pairs. Highest bound: <b>{binding}</b>.</p>\n\
         <section id=bounds><h2>Bounds</h2>\n<table>",
        profile.counts.instructions,
        profile.counts.instructions as f64 / cycles as f64,
        profile.counts.pairs,
    );
    let bounds = bounds.all().into_iter().map(|bound| (bound.name, bound.cycles));
    let all = bounds
        .filter(|(_, bound)| *bound != Some(0))
        .chain([("measured", Some(cycles))]);
    for (name, bound) in all {
        let width = percent(bound.unwrap_or(0), cycles).min(100.0);
        let shown = bound.map_or_else(|| "not followed".to_owned(), |bound| bound.to_string());
        let class = if name == binding { "binds" } else { "bound" };
        let _ = writeln!(
            page,
            "<tr><td class=t>{name}</td><td>{shown}</td><td class=wide>\
             <div class={class} style=\"width:{width:.1}%\"></div></td></tr>"
        );
    }
    page.push_str("</table>\n");
    if let Some([low, high]) = profile.interval
        && low != high
    {
        let _ = writeln!(
            page,
            "<p>Between {low} and {high} cycles, depending on unmeasured constants of the pipeline.</p>"
        );
    }
    let rests = provenance(profile);
    if !rests.is_empty() {
        let _ = writeln!(page, "<pre>{}</pre>", escaped(&rests.join("\n")));
    }
    page.push_str("</section>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
