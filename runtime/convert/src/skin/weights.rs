//! Weights of one vertex.

use super::Influence;

/// Returns the node with the largest weight; of equal ones the first.
pub(super) fn strongest(influences: &[(usize, f64)]) -> usize {
    let merged = merged(influences.to_vec()).into_iter();
    let best = merged.reduce(|best, i| if i.1 > best.1 { i } else { best });
    best.map_or(0, |(node, _)| node)
}

/// Merges the entries of each node, and sorts them by node.
fn merged(mut influences: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    influences.sort_by_key(|i| i.0);
    influences.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    influences
}

/// Minimum weight in units of 255: 0.008 % of a vertex. Smaller weights are dropped.
pub(super) const LEAST: f64 = 0.02;

/// Returns the bones to keep, largest first: at most `most`, each with at least `least` of 255. Also returns
/// the sum of all weights, and of those beyond `most`.
fn kept(influences: &[(usize, f64)], most: usize, least: f64) -> (Vec<(usize, f64)>, f64, f64) {
    let mut kept = merged(influences.to_vec());
    let total: f64 = kept.iter().map(|i| i.1).sum();
    kept.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    kept.retain(|i| i.1 / total * 255.0 >= least);
    let beyond = kept.split_off(kept.len().min(most.clamp(1, 64)));
    (kept, total, beyond.iter().map(|i| i.1).sum())
}

/// Returns the exact weights; the rounded ones are 0.
pub(super) fn exact(influences: &[(usize, f64)], most: usize) -> Vec<Influence> {
    let (kept, _, _) = kept(influences, most, LEAST);
    let sum: f64 = kept.iter().map(|i| i.1).sum();
    let share = |i: &(usize, f64)| Influence {
        node: i.0,
        share: i.1 / sum,
        weight: 0,
    };
    kept.iter().map(share).collect()
}

/// Returns at most `most` bones with positive integer weights that sum to 255, and the share of the bones
/// dropped beyond them. Drops bones with less than `least` of 255.
///
/// Rounds by the largest remainder: rounds each weight down, but to at least 1, then adds the missing units
/// to the weights with the largest loss.
pub(super) fn quantised(influences: &[(usize, f64)], most: usize, least: f64) -> (Vec<Influence>, f64) {
    let (kept, total, lost) = kept(influences, most, least);
    let sum: f64 = kept.iter().map(|i| i.1).sum();
    let exact: Vec<f64> = kept.iter().map(|i| i.1 / sum * 255.0).collect();
    let mut whole: Vec<u16> = exact.iter().map(|w| (w.floor() as u16).max(1)).collect();
    let mut order: Vec<usize> = (0..kept.len()).collect();
    let remainder = |i: usize| exact[i] - exact[i].floor();
    order.sort_by(|a, b| remainder(*b).total_cmp(&remainder(*a)).then(a.cmp(b)));
    let given: u16 = whole.iter().sum();
    for i in order
        .into_iter()
        .filter(|i| exact[*i] >= 1.0)
        .take(usize::from(255u16.saturating_sub(given)))
    {
        whole[i] += 1;
    }
    // The first weight, which is the largest, compensates small weights raised to 1.
    let given: u16 = whole.iter().sum();
    whole[0] = whole[0] + 255 - given;
    let made = kept.iter().zip(whole).map(|(i, weight)| Influence {
        node: i.0,
        share: i.1 / sum,
        weight,
    });
    (made.collect(), lost / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(of: &[f64], most: usize) -> Vec<u16> {
        let influences: Vec<(usize, f64)> = of.iter().copied().enumerate().collect();
        quantised(&influences, most, LEAST)
            .0
            .iter()
            .map(|i| i.weight)
            .collect()
    }

    #[test]
    fn sums_are_255() {
        assert_eq!(weights(&[1.0], 4), [255]);
        assert_eq!(weights(&[0.5, 0.5], 4), [128, 127]);
        assert_eq!(weights(&[1.0, 1.0, 1.0], 4), [85, 85, 85]);
        assert_eq!(weights(&[0.7, 0.2, 0.1], 4), [179, 51, 25]);
        // The sum differs from 1; one weight rounds to 0, and one is too small to keep.
        assert_eq!(weights(&[14.0, 4.0, 2.0], 4), [179, 51, 25]);
        assert_eq!(weights(&[1.0, 0.001], 4), [254, 1]);
        assert_eq!(weights(&[1.0, 0.00001], 4), [255]);
        assert_eq!(weights(&[1.0, 0.001, 0.001, 0.001, 0.001], 8), [251, 1, 1, 1, 1]);
        for n in 1..12 {
            let of: Vec<f64> = (0..n).map(|i| 1.0 / (1.0 + f64::from(i))).collect();
            assert_eq!(weights(&of, 12).iter().sum::<u16>(), 255);
        }
    }

    #[test]
    fn small_weights_give_way_and_bones_count_once() {
        assert_eq!(weights(&[0.1, 0.6, 0.3], 2), [170, 85]);
        let (kept, lost) = quantised(&[(0, 0.1), (1, 0.6), (2, 0.3)], 2, LEAST);
        assert!((lost - 0.1).abs() < 1e-12);
        assert_eq!(kept.iter().map(|i| i.node).collect::<Vec<_>>(), [1, 2]);
        let (kept, _) = quantised(&[(3, 0.25), (1, 0.5), (3, 0.25)], 8, LEAST);
        assert_eq!(kept.len(), 2);
        assert_eq!(strongest(&[(3, 0.3), (1, 0.4), (3, 0.3)]), 3);
    }
}
