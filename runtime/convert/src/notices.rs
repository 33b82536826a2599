//! Notices about parts of a scene that produce no output, one per kind.

use crate::error::{Warnings, plural};
use crate::nodes::Plan;
use crate::report::Report;
use crate::source::Scene;
use crate::views::Views;

/// Adds notices after a conversion.
pub(crate) fn add(
    scene: &Scene,
    plan: &Plan,
    views: &Views,
    stacks: &[usize],
    report: &Report,
    warnings: &mut Warnings,
) {
    let drawing = || plan.nodes.iter().map(|planned| &scene.nodes[planned.source]);
    let shaped = drawing().filter_map(|node| scene.meshes.get(node.mesh?));
    let shaped = shaped.filter(|mesh| mesh.shaped.contains(&true)).count();
    let has_keys = stacks.iter().any(|stack| scene.stacks[*stack].shapes);
    if shaped > 0 && !has_keys {
        let meshes = plural(shaped, "mesh", "meshes");
        warnings.notice(format!(
            "the blend shapes of {meshes} are left out: no converted animation stack has keys for them"
        ));
    }
    let hidden = drawing()
        .filter(|node| node.mesh.is_some() && is_hidden(node))
        .count();
    if hidden > 0 {
        let meshes = plural(hidden, "mesh is", "meshes are");
        warnings.notice(format!("{meshes} hidden: their nodes have the flag HIDE"));
    }
    if scene.nurbs > 0 {
        let nurbs = plural(scene.nurbs, "NURBS curve or surface", "NURBS curves and surfaces");
        warnings.notice(format!("{nurbs} left out: the format has only polygons"));
    }
    match (plan.nodes.is_empty(), views.files.is_empty()) {
        (true, true) => {
            warnings.notice("the format has no form for any part of the scene: no file is written")
        }
        (true, false) => warnings.notice("the scene has only cameras and lights: no model is written"),
        (false, _) if report.triangles == 0 && report.volume_polygons == 0 => {
            warnings.notice("the scene has no triangles: the model draws nothing");
        }
        (false, _) => {}
    }
}

fn is_hidden(node: &crate::source::Node) -> bool {
    node.settings.hide.unwrap_or(!node.visible)
}
