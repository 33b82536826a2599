//! The listing; colours show the cost of each instruction.

use super::escaped;
use crate::places::{Places, instruction};
use crate::profile::Profile;
use crate::site::Site;
use std::fmt::Write as _;
use timing::Cause;

pub(super) fn write(page: &mut String, profile: &Profile, places: &Places) {
    page.push_str(
        "<section id=listing><h2>Listing</h2>\n<table>\n<tr><th class=t>address</th><th>count</th>\
         <th>cycles</th><th class=t>instruction</th><th class=t>slots lost before it</th>\
         <th class=t>source</th></tr>\n",
    );
    let ran = || profile.sites.iter().filter(|site| site.costs.instructions > 0);
    let hottest = ran().map(|site| site.costs.cycles).max().unwrap_or(1).max(1);
    let mut function = String::new();
    for site in ran() {
        let here = places.function(site.pc).1;
        if here != function {
            let name = escaped(&here);
            let _ = writeln!(page, "<tr><td class=t colspan=6><b>{name}</b></td></tr>");
            function = here;
        }
        row(page, site, places, hottest);
    }
    page.push_str("</table></section>\n");
}

fn row(page: &mut String, site: &Site, places: &Places, hottest: u64) {
    let costs = &site.costs;
    let light = 100.0 - 45.0 * costs.cycles as f64 / hottest as f64;
    let causes = Cause::ALL.iter().filter(|cause| costs.lost[**cause as usize] > 0);
    let lost: Vec<String> = causes
        .map(|cause| format!("{} {}", cause.key(), costs.lost[*cause as usize]))
        .collect();
    let source = places
        .line(site.pc)
        .map_or(String::new(), |line| format!("{}:{}", line.file, line.line));
    let _ = writeln!(
        page,
        "<tr style=\"background:hsl(20,90%,{light:.0}%)\"><td class=t>{:08x}</td><td>{}</td><td>{}</td>\
         <td class=t>{}</td><td class=t>{}</td><td class=t>{}</td></tr>",
        site.pc,
        costs.instructions,
        costs.cycles,
        escaped(&instruction(site.opcode, site.pc, site.insn.id)),
        lost.join(", "),
        escaped(&source)
    );
}
