//! The report as text.

use convert::Report;

pub(super) fn print(report: &Report, written: &[String]) {
    let line = |what: &str, value: String| println!("{what:<16} {value}");
    for path in written {
        line("written", path.clone());
    }
    let weighted = report.weighted_vertices;
    line(
        "model",
        format!(
            "{} nodes, {} vertices ({weighted} of several bones), {} triangles, size {:.4}",
            report.nodes.len(),
            report.vertices,
            report.triangles,
            report.size
        ),
    );
    let strips = &report.strips;
    line(
        "strips",
        format!(
            "{} of {} entries in {} words, the longest {}",
            strips.strips, strips.entries, strips.words, strips.longest
        ),
    );
    line(
        "rounding",
        format!(
            "texture coordinates {:.6} widths, angles {:.4} degrees",
            report.loss.uv, report.loss.angle
        ),
    );
    if report.volume_polygons > 0 {
        line("volumes", format!("{} polygons", report.volume_polygons));
    }
    for (i, node) in report.nodes.iter().enumerate() {
        let parent = node.parent.map_or("-".to_owned(), |p| p.to_string());
        line(
            &format!("node {i}"),
            format!("{} (parent {parent}, {} triangles)", node.name, node.triangles),
        );
    }
    for view in &report.views {
        let form = view.form.as_deref().unwrap_or("no form");
        let stack = view.stack.as_deref().unwrap_or("rest");
        line(
            "view",
            format!("{}: {form}, {} frames of {stack:?}", view.node, view.frames),
        );
    }
    for motion in &report.motions {
        let rate = motion.rate;
        line(
            "motion",
            format!(
                "{:?}: {} frames at {rate} a second, {} keys of {}, {} key shapes",
                motion.stack, motion.frames, motion.keys, motion.sampled_keys, motion.shape_keys
            ),
        );
    }
    if let Some(checked) = &report.check {
        let text = |d: &convert::Deviation| {
            format!(
                "{:.3e} units, {:.3e} of the size ({:?} at frame {})",
                d.position, d.relative, d.node, d.frame
            )
        };
        line("check, at rest", text(&checked.rest));
        let volumes = &checked.volumes;
        if volumes.triangles > 0 {
            let node = volumes
                .node
                .as_ref()
                .map_or(String::new(), |node| format!(" ({node:?} is the first)"));
            line(
                "check, volumes",
                format!("{} triangles, {} wrong{node}", volumes.triangles, volumes.wrong),
            );
        }
        for (name, deviation) in &checked.motions {
            line("check", format!("{name:?}: {}", text(deviation)));
        }
    }
}
