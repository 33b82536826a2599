//! Why `--check` fails.

use super::{ALLOWED, worst};
use convert::{Deviation, Report};

/// What is wrong, where and, as far as the report shows it, why; empty if --check found nothing wrong.
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
    format!(
        "a vertex of node {:?} is {:.3e} units from its place in the scene at frame {}, 1/{:.0} of the \
         model's size, at most 1/{:.0} is allowed",
        deviation.node,
        deviation.position,
        deviation.frame,
        1.0 / deviation.relative,
        1.0 / ALLOWED
    )
}

/// What the written form rounds: the likely cause of a deviation.
fn cause(report: &Report, moves: bool) -> String {
    let weighted = report.weighted_vertices;
    let mut causes = Vec::new();
    if weighted > 0 {
        causes.push(format!("weights of {weighted} vertices are rounded to 1/255"));
    }
    if report.loss.angle > 0.0 {
        causes.push(format!(
            "angles are rounded by up to {:.4} degrees",
            report.loss.angle
        ));
    }
    if moves {
        causes.push(
            "motions are sampled: --rate, --position-tolerance and --angle-tolerance change that".to_owned(),
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
            ..Deviation::default()
        };
        let mut report = Report {
            weighted_vertices: 12,
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
            "node \"arm\"",
            "at frame 7",
            "1/1000",
            "at most 1/2000",
            "12 vertices",
        ] {
            assert!(lines[0].contains(part), "{part} not in {}", lines[0]);
        }
        assert_eq!(lines[1], "modifier volumes: 2 of 0 triangles differ");
    }
}
