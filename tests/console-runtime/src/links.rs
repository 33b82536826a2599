//! Compares linked motions: poses between two motions of a model, or between its pose at rest and a motion.

use super::player::Player;
use super::sources::SourceMotion;
use super::{Counts, both, compare_frame};
use anyhow::Result;
use ninja::ObjectTree;
use scene::{Motion, Pose, Reference, Shapes, View};

/// Maximum number of compared links of a model; a folder may have hundreds of motions for it.
pub(super) const MOST: usize = 16;
/// Shares of the second pose, between 0 and 1 and greater than 1. The second number selects the frame of each
/// motion, as a share of its length.
const SHARES: [(f32, f32); 4] = [(0.0, 0.2), (0.3, 0.5), (1.0, 0.7), (1.6, 0.9)];

/// Compares links from `first`, or from the nodes at rest, to `second`.
pub(super) fn compare(
    player: &mut Player,
    (tree, view): (&ObjectTree, &View),
    (first, second): (Option<&SourceMotion<'_>>, &SourceMotion<'_>),
    place: &str,
    counts: &mut Counts,
) -> Result<()> {
    let own = match first {
        None => None,
        Some(first) => {
            let bound = super::bind(tree, first.motion);
            let loaded = player.load_motion(&first.bytes)?;
            let Some(bound) = both(bound, loaded, place, counts) else {
                return Ok(());
            };
            Some(bound)
        }
    };
    let bound = super::bind(tree, second.motion);
    let loaded = player.load_second(&second.bytes)?;
    let Some(other) = both(bound, loaded, place, counts) else {
        return Ok(());
    };
    counts.links += 1;
    for (share, part) in SHARES {
        player.rest()?;
        let at = |motion: &Motion| (motion.length() as f32 * part).floor();
        let start = match &own {
            None => Some(Pose::rest(tree)),
            Some(own) => {
                player.move_to(at(own))?;
                own.pose(at(own), &mut Reference)?
            }
        };
        let shown = player.link_to(at(&other), share)?;
        let end = other.pose(at(&other), &mut Reference)?;
        match (start, end) {
            (Some(start), Some(end)) if shown => {
                let pose = start.blend(&end, share, &mut Reference)?;
                let place = format!("{place}, share {share}");
                compare_frame(player, (tree, &pose, &Shapes::none()), view, &place, counts)?;
            }
            (None, _) | (_, None) if !shown => {}
            (start, end) => {
                counts.differences += 1;
                let expected = start.is_some() && end.is_some();
                println!("{place}, share {share}: shown is {shown}, expected {expected}");
            }
        }
    }
    Ok(())
}
