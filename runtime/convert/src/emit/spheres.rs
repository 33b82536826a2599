//! Bounding spheres of models, in their nodes' spaces.
//!
//! Each node of a skin gets the sphere of the whole skin. If a model were culled by its own vertices only,
//! the vertices that it lends to other nodes would be missing.

use super::{Context, Placed};
use crate::error::Error;
use crate::limits::SPHERE_VERTICES;
use crate::math::{Vec3, add, length, scaled, sub};

/// Returns centre and radius of a sphere around everything that a node draws or lends to others, at rest.
pub(super) fn around(context: &Context<'_>, node: usize, touching: &[&Placed]) -> (Vec3, f64) {
    let world = context.plan.nodes[node].world;
    let mut points: Vec<Vec3> = Vec::new();
    for placed in touching {
        for contribution in &placed.placement.contributions {
            let way = match world.inverse() {
                _ if contribution.node == node => contribution.to_node,
                Some(inverse) => {
                    let to_world = context.plan.nodes[contribution.node]
                        .world
                        .times(&contribution.to_node);
                    inverse.times(&to_world)
                }
                // A node that flattens space shows no surface.
                None => continue,
            };
            let vertices = contribution.vertices.iter();
            points.extend(
                vertices.map(|entry| way.point(placed.part.vertices[entry.vertex as usize].position)),
            );
        }
    }
    sphere(&points)
}

/// Counts the vertices of all spheres before they are made.
pub(super) fn count(by_node: &[Vec<&Placed>]) -> Result<(), Error> {
    let parts = by_node.iter().flatten();
    let contributions = parts.flat_map(|placed| &placed.placement.contributions);
    let found: usize = contributions
        .map(|contribution| contribution.vertices.len())
        .sum();
    match found > SPHERE_VERTICES {
        true => Err(Error::scene(
            "skins",
            format!("{found} vertices in the spheres around their nodes"),
            format!("at most {SPHERE_VERTICES}"),
        )),
        false => Ok(()),
    }
}

/// Returns the centre of the points' bounding box, and the distance of the farthest point.
fn sphere(points: &[Vec3]) -> (Vec3, f64) {
    let Some(first) = points.first() else {
        return ([0.0; 3], 0.0);
    };
    let (mut low, mut high) = (*first, *first);
    for p in points {
        for k in 0..3 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    }
    let center = scaled(add(low, high), 0.5);
    let radius = points.iter().map(|p| length(sub(*p, center))).fold(0.0, f64::max);
    (center, radius)
}
