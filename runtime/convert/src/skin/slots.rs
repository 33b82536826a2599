//! Allocates slots of the shared vertex buffer. A part occupies its slots from the first node that fills one
//! of them to the node that draws it.

use super::{Placement, SLOTS};
use crate::error::Error;

/// Gives each placement the lowest slots that no other part uses at the same time. `names` are for errors.
pub(crate) fn assign_bases(placements: &mut [Placement], names: &[String]) -> Result<(), Error> {
    let mut order: Vec<usize> = (0..placements.len()).collect();
    order.sort_by_key(|i| (first(&placements[*i]), *i));
    // Slots in use: first, end, and the node after which they are free again.
    let mut taken: Vec<(usize, usize, usize)> = Vec::new();
    for i in order {
        let (begin, size) = (first(&placements[i]), placements[i].slots.len());
        taken.retain(|(_, _, until)| *until >= begin);
        taken.sort_unstable();
        let mut base = 0;
        for (from, to, _) in &taken {
            if base + size <= *from {
                break;
            }
            base = base.max(*to);
        }
        if base + size > SLOTS {
            let found = format!("{size} vertices, with {base} slots already in use");
            let expected = format!("{SLOTS} slots of the vertex buffer to be enough: split the mesh");
            return Err(Error::scene(format!("mesh {:?}", names[i]), found, expected));
        }
        taken.push((base, base + size, placements[i].draws));
        placements[i].base = base as u16;
    }
    Ok(())
}

fn first(placement: &Placement) -> usize {
    let nodes = placement.contributions.iter().map(|c| c.node);
    nodes.min().unwrap_or(placement.draws)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Affine;
    use crate::skin::{Class, Contribution};

    fn placement(first: usize, draws: usize, size: usize) -> Placement {
        let contribution = Contribution {
            node: first,
            class: Class::Plain,
            to_node: Affine::IDENTITY,
            vertices: Vec::new(),
        };
        Placement {
            contributions: vec![contribution],
            slots: vec![0; size],
            base: 0,
            draws,
            capped: 0.0,
        }
    }

    #[test]
    fn slots_are_used_again_when_their_part_is_drawn() {
        let mut parts = [
            placement(1, 5, 100),
            placement(2, 2, 50),
            placement(3, 3, 60),
            placement(6, 6, 10),
        ];
        let names = vec![String::new(); 4];
        assign_bases(&mut parts, &names).unwrap();
        assert_eq!(parts.map(|p| p.base), [0, 100, 100, 0]);
    }

    #[test]
    fn a_full_buffer_is_an_error_with_the_name() {
        let mut parts = [placement(1, 3, 30_000), placement(2, 2, 3_000)];
        let names = ["body".to_owned(), "hat".to_owned()];
        let error = assign_bases(&mut parts, &names).unwrap_err().to_string();
        assert!(error.contains("hat") && error.contains("30000"), "{error}");
    }
}
