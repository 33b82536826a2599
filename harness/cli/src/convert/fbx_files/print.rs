//! Prints the report of a conversion as text.

use crate::plural::plural;
use convert::{MotionRow, Report};

/// Prints a row: a title and its value.
pub(super) fn line(what: &str, value: &str) {
    println!("{what:<16} {value}");
}

/// Prints the row of a motion.
pub(super) fn motion(motion: &MotionRow) {
    let rate = motion.rate;
    let text = format!(
        "{:?}: {} at {rate} a second, {} of {}, {}",
        motion.stack,
        plural(motion.frames, "frame"),
        plural(motion.keys, "key"),
        motion.sampled_keys,
        plural(motion.shape_keys, "key shape")
    );
    line("motion", &text);
}

pub(crate) fn print(report: &Report, written: &[String]) {
    let line = |what: &str, value: String| line(what, &value);
    for path in written {
        line("written", path.clone());
    }
    let weighted = report.weighted_vertices;
    line(
        "model",
        format!(
            "{}, {} ({weighted} of several bones), {}, size {:.4}",
            plural(report.nodes.len(), "node"),
            plural(report.vertices, "vertex"),
            plural(report.triangles, "triangle"),
            report.size
        ),
    );
    let strips = &report.strips;
    line(
        "strips",
        format!(
            "{} of {} in {}, the longest {}",
            strips.strips,
            plural(strips.entries, "entry"),
            plural(strips.words, "word"),
            strips.longest
        ),
    );
    line(
        "rounding",
        format!(
            "texture coordinates {:.6} widths, angles {:.4} degrees",
            report.loss.uv, report.loss.angle
        ),
    );
    if report.loss.dual_quaternion > 0.0 {
        let share = report.loss.dual_quaternion;
        line(
            "dual quaternions",
            format!("linear skinning moves vertices by up to {share:.3e} of the size"),
        );
    }
    if report.volume_polygons > 0 {
        line("volumes", plural(report.volume_polygons, "polygon"));
    }
    for (i, node) in report.nodes.iter().enumerate() {
        let parent = node.parent.map_or("-".to_owned(), |p| p.to_string());
        line(
            &format!("node {i}"),
            format!(
                "{} (parent {parent}, {})",
                node.name,
                plural(node.triangles, "triangle")
            ),
        );
    }
    for view in &report.views {
        let form = view.form.as_deref().unwrap_or("no form");
        let stack = view.stack.as_deref().unwrap_or("rest");
        line(
            "view",
            format!(
                "{}: {form}, {} of {stack:?}",
                view.node,
                plural(view.frames, "frame")
            ),
        );
    }
    report.motions.iter().for_each(motion);
    if let Some(checked) = &report.check {
        let text = |d: &convert::Deviation| {
            format!(
                "{:.3e} units, {:.3e} of the size ({:?} at frame {})",
                d.position, d.relative, d.node, d.frame
            )
        };
        match checked.compared {
            0 => line("check, at rest", "no vertices to compare".to_owned()),
            _ => line("check, at rest", text(&checked.rest)),
        }
        let volumes = &checked.volumes;
        if volumes.triangles > 0 {
            let node = volumes
                .node
                .as_ref()
                .map_or(String::new(), |node| format!(" ({node:?} is the first)"));
            line(
                "check, volumes",
                format!(
                    "{}, {} wrong{node}",
                    plural(volumes.triangles, "triangle"),
                    volumes.wrong
                ),
            );
        }
        for (name, deviation) in &checked.motions {
            line("check", format!("{name:?}: {}", text(deviation)));
        }
    }
}
