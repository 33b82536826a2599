//! Drops keys that interpolation reproduces.

/// Returns the frames to keep, always including the first and the last one. `fits(a, b, k)` returns whether
/// the line from frame `a` to frame `b` is close enough at frame `k`; with `k == b`, whether the line is
/// permitted at all.
///
/// From each kept frame, doubles the line's length until it does not fit, then bisects to the longest line
/// that fits. Trying every length would take quadratic time.
pub(crate) fn reduced(frames: usize, fits: impl Fn(usize, usize, usize) -> bool) -> Vec<usize> {
    let is_line = |from: usize, to: usize| (from + 1..=to).all(|k| fits(from, to, k));
    let mut kept = vec![0];
    let mut from = 0;
    while from + 1 < frames {
        let mut distance = 2;
        let (mut to, mut too_far) = (from + 1, frames);
        while to + 1 < frames {
            let next = (from + distance).min(frames - 1);
            if !is_line(from, next) {
                too_far = next;
                break;
            }
            to = next;
            distance *= 2;
        }
        while too_far - to > 1 {
            let middle = to.midpoint(too_far);
            if is_line(from, middle) {
                to = middle;
            } else {
                too_far = middle;
            }
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
    fn a_long_line_costs_little() {
        let (frames, calls) = (65_536, std::cell::Cell::new(0_usize));
        let kept = reduced(frames, |_, _, _| {
            calls.set(calls.get() + 1);
            true
        });
        assert_eq!(kept, [0, frames - 1]);
        assert!(calls.get() < 4 * frames, "{} calls", calls.get());
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
