//! Builds the parts of a scene. A part is one mesh, prepared for one node that draws it.

use std::collections::HashSet;

use crate::convert::Drawn;
use crate::emit::{Extent, Placed, around};
use crate::error::{Error, Warnings};
use crate::limits::{NODE_FACTOR, NODE_TRIANGLES};
use crate::math::angle;
use crate::mesh::{self, Part, Recipe};
use crate::nodes::Plan;
use crate::options::{Keep, Options};
use crate::skin::{self, Placement, Poses, Site};
use crate::source::{Mesh, Scene};
use crate::texture::Textures;

/// Counts the triangles of all nodes before making strips. Nodes can share a mesh, and each gets its own
/// copy.
fn count_triangles(scene: &Scene, plan: &Plan) -> Result<(), Error> {
    let of = |mesh: &Mesh| mesh.triangles.len();
    let meshes = plan
        .nodes
        .iter()
        .filter_map(|planned| scene.nodes[planned.source].mesh);
    let found: usize = meshes.filter_map(|mesh| scene.meshes.get(mesh)).map(of).sum();
    let own: usize = scene.meshes.iter().map(of).sum();
    let most = NODE_TRIANGLES + NODE_FACTOR * own;
    match found > most {
        true => Err(Error::scene(
            "triangles of all nodes",
            found,
            format!("at most {most}"),
        )),
        false => Ok(()),
    }
}

/// Returns all meshes that nodes of the tree draw.
pub(crate) fn placed(
    scene: &Scene,
    plan: &Plan,
    textures: &Textures,
    (stacks, poses): (&[usize], &Poses),
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Vec<Placed>, Error> {
    count_triangles(scene, plan)?;
    let mut placed: Vec<Placed> = Vec::new();
    let mut meshes = HashSet::new();
    let morphs = stacks.iter().any(|s| scene.stacks[*s].shapes);
    for (node, planned) in plan.nodes.iter().enumerate() {
        let source = &scene.nodes[planned.source];
        let Some((number, mesh)) = source.mesh.and_then(|m| Some((m, scene.meshes.get(m)?))) else {
            continue;
        };
        if mesh.triangles.is_empty() {
            warnings.add(format!("node {:?}", planned.name), "its mesh has no polygons");
        } else if skinned(mesh) && meshes.contains(&number) {
            let message = "further copies of a skinned mesh are left out, because they equal the first";
            warnings.add(format!("node {:?}", planned.name), message);
        } else {
            let site = Site {
                mesh,
                node,
                scene,
                plan,
                poses,
            };
            let shapes = morphs && !mesh.shaped.is_empty();
            meshes.insert(number);
            let (part, placement) = one(&site, shapes, textures, options, warnings);
            placed.push(Placed {
                node,
                source_mesh: number,
                in_file: (source.number, mesh.number),
                part,
                placement,
            });
        }
    }
    let names: Vec<String> = placed
        .iter()
        .map(|p| scene.meshes[p.source_mesh].name.clone())
        .collect();
    let mut placements: Vec<Placement> = placed.iter().map(|p| p.placement.clone()).collect();
    skin::assign_bases(&mut placements, &names)?;
    for (placed, placement) in placed.iter_mut().zip(placements) {
        placed.placement = placement;
    }
    Ok(placed)
}

/// Returns whether a bone moves a mesh.
fn skinned(mesh: &Mesh) -> bool {
    let influences = mesh.skin.iter().flat_map(|s| &s.influences);
    influences.into_iter().any(|i| !i.is_empty())
}

/// Builds one mesh for one node.
fn one(
    site: &Site<'_>,
    shapes: bool,
    textures: &Textures,
    options: &Options,
    warnings: &mut Warnings,
) -> (Part, Placement) {
    let Site {
        mesh,
        node,
        scene,
        plan,
        ..
    } = *site;
    let planned = &plan.nodes[node];
    let shaped = |v: u32| shapes && mesh.shaped.get(v as usize).copied().unwrap_or(false);
    let several = |(v, bones): (u32, &Vec<(usize, f64)>)| bones.len() > 1 && !shaped(v);
    let influences = mesh.skin.iter().flat_map(|s| &s.influences);
    let weighted = options.max_influences > 1 && (0..).zip(influences).any(several);
    let settings = &scene.nodes[planned.source].settings;
    let recipe = Recipe {
        mesh,
        materials: &scene.nodes[planned.source].materials,
        flip: mirrors(scene, planned.source, mesh),
        deformed: skinned(mesh) || shapes,
        colors: !weighted && settings.volume.is_none(),
        volume: settings.volume.is_some(),
        texture_sizes: &textures.sizes,
    };
    let place = format!("node {:?}", planned.name);
    if weighted && mesh.corners.color.is_some() && options.colors == Keep::Keep {
        warnings.add(
            &place,
            "vertex colours left out: vertices with several bones cannot have colours",
        );
    }
    let mut part = mesh::build(&recipe, scene, options, warnings);
    part.tidy_origins();
    if part.has_colors && part.has_normals {
        let message = "vertices have normals and colours (CV_VN_D8): some programs read only one of the two";
        warnings.add(&place, message);
    }
    let placement = skin::place(&part, site, options.max_influences, shaped, warnings);
    (part, placement)
}

/// Returns whether a node mirrors a mesh.
fn mirrors(scene: &Scene, node: usize, mesh: &Mesh) -> bool {
    let first = mesh.skin.as_ref().and_then(|s| s.clusters.first());
    let way = first.map_or(scene.nodes[node].geometry_to_world, |c| {
        scene.world(c.node).times(&c.to_bone)
    });
    way.determinant() < 0.0
}

/// Returns the bounding box of everything drawn, at rest.
pub(crate) fn bounds(plan: &Plan, placed: &[Placed]) -> Extent {
    let points = placed.iter().flat_map(|p| {
        p.placement.contributions.iter().flat_map(move |c| {
            let way = plan.nodes[c.node].world.times(&c.to_node);
            c.vertices
                .iter()
                .map(move |entry| way.point(p.part.vertices[entry.vertex as usize].position))
        })
    });
    around(points)
}

/// Returns the data of a part that [`crate::check`] needs.
pub(crate) fn drawn(placed: &Placed, scene: &Scene, plan: &Plan) -> Drawn {
    let placement = &placed.placement;
    let slots = placed
        .part
        .origins
        .iter()
        .map(|(source, vertex)| (placement.base + placement.slots[*vertex as usize], *source));
    let planned = &plan.nodes[placed.node];
    let to_world = scene.nodes[planned.source].geometry_to_world.of_normals();
    let normal = |(_, vertex): &(u32, u32)| to_world.vector(placed.part.vertices[*vertex as usize].normal);
    let skinned = !placed.rigid();
    Drawn {
        node: placement.draws,
        name: planned.name.clone(),
        source_node: placed.in_file.0,
        source_mesh: placed.in_file.1,
        slots: slots.collect(),
        normals: if placed.part.has_normals && !skinned {
            placed.part.origins.iter().map(normal).collect()
        } else {
            Vec::new()
        },
        volume: match scene.nodes[planned.source].settings.volume {
            Some(_) => volume(placed),
            None => Vec::new(),
        },
    }
}

/// Returns the triangles of a part, with a vertex buffer slot for each corner.
fn volume(placed: &Placed) -> Vec<[u16; 3]> {
    let (part, placement) = (&placed.part, &placed.placement);
    let slot = |corner: u32| {
        let vertex = part.corners[corner as usize].vertex;
        placement.base + placement.slots[vertex as usize]
    };
    let triangles = part.groups.iter().flat_map(|group| &group.triangles);
    triangles.map(|triangle| triangle.map(slot)).collect()
}

/// Computes [`crate::Loss::normal`].
pub(crate) fn normal_loss(plan: &Plan, placed: &[Placed], warnings: &mut Warnings) -> f64 {
    /// Smallest angle that causes a warning, in degrees.
    const TOLD: f64 = 1.0;
    let mut worst = 0.0_f64;
    for placed in placed.iter().filter(|p| p.rigid() && p.part.has_normals) {
        let planned = &plan.nodes[placed.node];
        let right = planned.world.of_normals();
        let off = |contribution: &skin::Contribution| {
            let to_node = contribution.to_node.of_normals();
            let vertices = contribution.vertices.iter();
            let own =
                vertices.map(|entry| to_node.vector(placed.part.vertices[entry.vertex as usize].normal));
            own.map(|own| angle(planned.world.vector(own), right.vector(own)))
                .fold(0.0, f64::max)
        };
        let here = placed.placement.contributions.iter().map(off).fold(0.0, f64::max);
        if here > TOLD {
            let message =
                format!("scales that differ by axis turn normals by up to {here:.0} degrees in the runtime");
            warnings.add(format!("node {:?}", planned.name), message);
        }
        worst = worst.max(here);
    }
    worst
}
