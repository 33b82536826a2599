//! A page that needs nothing but itself.

use crate::bounds::Bounds;
use crate::cause::Cause;
use crate::limits::NOT_MODELLED;
use crate::places::{Places, instruction};
use crate::profiler::Profile;
use crate::view::{hottest_loop, percent, rows, timeline};
use std::fmt::Write as _;

const STYLE: &str = "body{font:14px sans-serif;margin:2em;max-width:75em;color:#222;background:#fff}\
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}\
table{border-collapse:collapse;font:12px monospace}td,th{padding:1px 8px;text-align:right}\
td.t,th.t{text-align:left;white-space:pre}pre{font:12px monospace;overflow-x:auto;background:#f6f6f6;padding:1em}\
.bar{display:flex;height:28px;width:100%;border:1px solid #888}.bar div{height:100%}\
.key span{display:inline-block;margin-right:1.2em}.key i{display:inline-block;width:10px;height:10px;margin-right:4px}";

/// Bounds, the ledger as a bar, the listing with heat, the timeline; no script, no network.
#[must_use]
pub fn html(profile: &Profile, places: &Places, title: &str) -> String {
    let title = escaped(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}: {} cycles</h1>\n",
        profile.cycles()
    );
    head(&mut page, profile);
    bar(&mut page, profile);
    listing(&mut page, profile, places);
    let _ = writeln!(
        page,
        "<h2>Timeline</h2>\n<pre>{}</pre>",
        escaped(&timeline(profile, places))
    );
    page += "<h2>Not modelled</h2>\n<ul>\n";
    for line in NOT_MODELLED {
        let _ = writeln!(page, "<li>{}</li>", escaped(line));
    }
    page += "</ul>\n</body></html>\n";
    page
}

fn head(page: &mut String, profile: &Profile) {
    let bounds = Bounds::of(profile);
    let cycles = profile.cycles().0.max(1);
    let _ = writeln!(
        page,
        "<p>{} instructions, {:.2} a cycle, {} pairs. The {} binds.</p>\n<h2>Bounds</h2>\n<table>",
        profile.counts.instructions,
        profile.counts.instructions as f64 / cycles as f64,
        profile.counts.pairs,
        bounds.binding().0
    );
    let all = [
        ("issue slots", bounds.slots),
        ("dependency chain", bounds.chain.unwrap_or(0)),
        ("bus", bounds.bus),
        ("measured", cycles),
    ];
    for (name, bound) in all {
        let width = percent(bound, cycles).min(100.0) * 4.0;
        let _ = writeln!(
            page,
            "<tr><td class=t>{name}</td><td>{bound}</td><td class=t>\
             <div style=\"background:#4a78b0;height:12px;width:{width:.0}px\"></div></td></tr>"
        );
    }
    page.push_str("</table>\n");
    let iteration = hottest_loop(profile).and_then(|site| rows(profile, site));
    if let Some((rows, length)) = iteration {
        let _ = writeln!(
            page,
            "<p>Hottest loop: {length} cycles for {} instructions.</p>",
            rows.len()
        );
    }
}

/// A colour for each cause: the pipeline's blue to green, memory's yellow to red.
fn colour(cause: Cause) -> String {
    let index = cause as usize as f64 / Cause::ALL.len() as f64;
    format!(
        "hsl({:.0},65%,58%)",
        if cause.is_memory() {
            60.0 - 60.0 * index
        } else {
            250.0 - 240.0 * index
        }
    )
}

fn bar(page: &mut String, profile: &Profile) {
    let slots = profile.cycles().slots();
    let mut parts = vec![("used".to_owned(), "#3a7d44".to_owned(), profile.ledger.used)];
    for (cause, lost) in profile.ledger.ranked() {
        parts.push((cause.text().to_owned(), colour(cause), lost));
    }
    page.push_str("<h2>Issue slots</h2>\n<div class=bar>");
    for (name, colour, count) in &parts {
        let share = percent(*count, slots);
        let _ = write!(
            page,
            "<div title=\"{name}: {count}\" style=\"width:{share:.2}%;background:{colour}\"></div>"
        );
    }
    page.push_str("</div>\n<p class=key>");
    for (name, colour, count) in &parts {
        let share = percent(*count, slots);
        let _ = write!(
            page,
            "<span><i style=\"background:{colour}\"></i>{name} {share:.1} %</span>"
        );
    }
    page.push_str("</p>\n");
}

fn listing(page: &mut String, profile: &Profile, places: &Places) {
    page.push_str(
        "<h2>Listing</h2>\n<table>\n<tr><th class=t>address</th><th>count</th><th>cycles</th>\
         <th class=t>instruction</th><th class=t>slots lost</th><th class=t>source</th></tr>\n",
    );
    let ran = || profile.sites.iter().filter(|site| site.costs.instructions > 0);
    let hottest = ran().map(|site| site.costs.cycles).max().unwrap_or(1).max(1);
    let mut function = String::new();
    for site in ran() {
        let here = places.function(site.pc).1;
        if here != function {
            let _ = writeln!(
                page,
                "<tr><td class=t colspan=6><b>{}</b></td></tr>",
                escaped(&here)
            );
            function = here;
        }
        let heat = 100.0 - 45.0 * site.costs.cycles as f64 / hottest as f64;
        let causes = Cause::ALL
            .iter()
            .filter(|cause| site.costs.lost[**cause as usize] > 0);
        let lost: Vec<String> = causes
            .map(|cause| format!("{} {}", cause.key(), site.costs.lost[*cause as usize]))
            .collect();
        let source = places
            .line(site.pc)
            .map_or(String::new(), |line| format!("{}:{}", line.file, line.line));
        let _ = writeln!(
            page,
            "<tr style=\"background:hsl(20,90%,{heat:.0}%)\"><td class=t>{:08x}</td><td>{}</td><td>{}</td>\
             <td class=t>{}</td><td class=t>{}</td><td class=t>{}</td></tr>",
            site.pc,
            site.costs.instructions,
            site.costs.cycles,
            escaped(&instruction(site.opcode, site.pc, site.insn.id)),
            lost.join(", "),
            escaped(&source)
        );
    }
    page.push_str("</table>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
