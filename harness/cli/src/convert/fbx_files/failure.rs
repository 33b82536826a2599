//! Explains a failure of `--check`.

use super::{ALLOWED, worst};
use convert::{Deviation, Report};

/// Lists each failure with its place and, if the report shows it, the cause. Empty if --check passed.
pub(super) fn of(report: &Report) -> Vec<String> {
    let Some(checked) = &report.check else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    if let Some(deviation) = worst(report).filter(|deviation| deviation.relative > ALLOWED) {
        let motion = checked.motions.iter().find(|(_, other)| other == deviation);
        let pose = motion.map_or("the rest pose".to_owned(), |(name, _)| format!("motion {name:?}"));
        lines.push(format!(
            "{pose}: {}; {}",
            distance(deviation),
            cause(report, motion.is_some())
        ));
    }
    let volumes = &checked.volumes;
    if volumes.wrong > 0 {
        let node = volumes
            .node
            .as_ref()
            .map_or(String::new(), |node| format!(", the first in node {node:?}"));
        lines.push(format!(
            "modifier volumes: {} of {} triangles differ{node}",
            volumes.wrong, volumes.triangles
        ));
    }
    lines
}

fn distance(deviation: &Deviation) -> String {
    let Deviation {
        position,
        relative,
        node,
        vertex,
        frame,
        ..
    } = deviation;
    if !position.is_finite() {
        return format!("vertex {vertex} of node {node:?} is missing at frame {frame}");
    }
    format!(
        "vertex {vertex} of node {node:?} is {position:.3e} units from its place in the scene at frame \
         {frame}, 1/{:.0} of the model's size, at most 1/{:.0} is allowed",
        1.0 / relative,
        1.0 / ALLOWED
    )
}

/// Returns the likely cause of a deviation: rounding in the written format.
fn cause(report: &Report, moves: bool) -> String {
    let weighted = report.weighted_vertices;
    let mut causes = Vec::new();
    if weighted > 0 {
        causes.push(format!("weights of {weighted} vertices are rounded to 1/255"));
    }
    if report.loss.weight > 0.0 {
        causes.push(format!(
            "bones beyond --max-bones had up to {:.1} % of a vertex",
            100.0 * report.loss.weight
        ));
    }
    if report.loss.angle > 0.0 {
        causes.push(format!(
            "angles are rounded by up to {:.4} degrees",
            report.loss.angle
        ));
    }
    if moves {
        causes.push(
            "motions are sampled and their angles rounded; --rate, --long-angles, --position-tolerance and \
             --angle-tolerance make them more exact"
                .to_owned(),
        );
    }
    match &causes[..] {
        [] => "no known rounding explains it".to_owned(),
        causes => format!("possible causes: {}", causes.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::of;
    use convert::{Checked, Deviation, Report};

    #[test]
    fn failures_say_what_where_and_why() {
        let deviation = |relative: f64, node: &str| Deviation {
            position: relative * 2.0,
            relative,
            node: node.to_owned(),
            frame: 7,
            vertex: 31,
            ..Deviation::default()
        };
        let mut report = Report {
            weighted_vertices: 12,
            loss: convert::Loss {
                weight: 0.125,
                ..convert::Loss::default()
            },
            ..Report::default()
        };
        assert_eq!(of(&report), Vec::<String>::new());
        let mut checked = Checked {
            rest: deviation(1e-6, "body"),
            ..Checked::default()
        };
        report.check = Some(checked.clone());
        assert_eq!(of(&report), Vec::<String>::new());
        checked.motions.push(("walk".to_owned(), deviation(1e-3, "arm")));
        checked.volumes.wrong = 2;
        report.check = Some(checked);
        let lines = of(&report);
        for part in [
            "motion \"walk\"",
            "vertex 31 of node \"arm\"",
            "at frame 7",
            "1/1000",
            "at most 1/2000",
            "12 vertices",
            "12.5 % of a vertex",
        ] {
            assert!(lines[0].contains(part), "{part} not in {}", lines[0]);
        }
        let mut nowhere = report.clone();
        nowhere.check.as_mut().unwrap().motions[0].1.relative = f64::INFINITY;
        nowhere.check.as_mut().unwrap().motions[0].1.position = f64::INFINITY;
        assert!(of(&nowhere)[0].contains("vertex 31 of node \"arm\" is missing at frame 7"));
        assert_eq!(lines[1], "modifier volumes: 2 of 0 triangles differ");
    }
}
