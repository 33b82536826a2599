//! Dropping keys between which a line is good enough.

/// A line is not tried over more frames than this: the cost of a long one grows with its square.
const LONGEST_LINE: usize = 1024;

/// The frames to keep, the first and the last always: each next one is as far away as `fits` allows.
/// `fits(a, b, k)` says whether the line from frame `a` to frame `b` is near enough at frame `k` between
/// them; with `k == b` whether there may be such a line at all.
pub(crate) fn reduced(frames: usize, fits: impl Fn(usize, usize, usize) -> bool) -> Vec<usize> {
    let mut kept = vec![0];
    let mut from = 0;
    while from + 1 < frames {
        let mut to = from + 1;
        while to + 1 < frames && to - from < LONGEST_LINE {
            let next = to + 1;
            if !(from + 1..=next).all(|k| fits(from, next, k)) {
                break;
            }
            to = next;
        }
        kept.push(to);
        from = to;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::reduced;

    fn line(values: &[f64], tolerance: f64) -> Vec<usize> {
        reduced(values.len(), |a, b, k| {
            let t = (k - a) as f64 / (b - a) as f64;
            (values[a] + (values[b] - values[a]) * t - values[k]).abs() <= tolerance
        })
    }

    #[test]
    fn corners_stay() {
        assert_eq!(line(&[0.0], 0.0), [0]);
        assert_eq!(line(&[0.0, 5.0], 0.0), [0, 1]);
        assert_eq!(line(&[0.0, 1.0, 2.0, 3.0, 2.0, 1.0], 1e-9), [0, 3, 5]);
        assert_eq!(line(&[0.0, 0.1, 0.0, 0.1, 0.0], 0.2), [0, 4]);
    }

    #[test]
    fn a_line_is_never_farther_than_allowed() {
        let values: Vec<f64> = (0..300).map(|i| (f64::from(i) * 0.05).sin()).collect();
        let kept = line(&values, 0.01);
        assert!(kept.len() < 60 && kept[kept.len() - 1] == 299);
        for pair in kept.windows(2) {
            for k in pair[0]..=pair[1] {
                let t = (k - pair[0]) as f64 / (pair[1] - pair[0]) as f64;
                let on_line = values[pair[0]] + (values[pair[1]] - values[pair[0]]) * t;
                assert!((on_line - values[k]).abs() <= 0.01);
            }
        }
    }
}
