//! Compares a capture with the predictions for each switch.

use super::predict::Predictions;
use super::report::{End, Report, is_time};

/// Verdict of a capture about a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The current choice matches, and at least one other does not.
    Confirmed,
    /// Another choice matches, and the current one does not.
    Refuted(String),
    /// The capture does not decide.
    Open(String),
}

/// Returns the names of observations that differ or are missing on one side, in order.
pub(crate) fn differences(predicted: &Report, capture: &Report) -> Vec<String> {
    let names = predicted.observations.keys().chain(capture.observations.keys());
    let mut names: Vec<String> = names
        .filter(|name| predicted.observations.get(*name) != capture.observations.get(*name))
        .cloned()
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the verdict of `capture` about a switch. `current` is the index of its current choice.
pub(crate) fn verdict(predictions: &Predictions, current: usize, capture: &Report) -> Verdict {
    let names = predictions.experiments();
    if names.is_empty() {
        return Verdict::Open("no experiment".to_owned());
    }
    let is_cut = capture.end == End::Missing;
    if let Some(name) = names
        .iter()
        .find(|name| is_cut && !capture.observations.contains_key(**name))
    {
        return Verdict::Open(format!("the capture has no {name}"));
    }
    let fitting: Vec<usize> = (0..predictions.reports.len())
        .filter(|choice| names.iter().all(|name| fits(predictions, *choice, name, capture)))
        .collect();
    let name = |choice: &usize| predictions.switch.choices[*choice].clone();
    match fitting.as_slice() {
        [] => {
            let wrong: Vec<&str> = names
                .into_iter()
                .filter(|name| !fits(predictions, current, name, capture))
                .collect();
            Verdict::Open(format!("no choice fits: {}", wrong.join(", ")))
        }
        [only] if *only == current => Verdict::Confirmed,
        [only] => Verdict::Refuted(name(only)),
        several => {
            let several: Vec<String> = several.iter().map(name).collect();
            Verdict::Open(format!("several choices fit: {}", several.join(", ")))
        }
    }
}

/// Returns whether the capture matches a choice's prediction. A console's clocks are never exact, so for
/// durations the closest prediction matches.
fn fits(predictions: &Predictions, choice: usize, name: &str, capture: &Report) -> bool {
    let predicted = |choice: usize| predictions.reports[choice].observations.get(name);
    let found = capture.observations.get(name);
    if predicted(choice) == found {
        return true;
    }
    let (true, Some(found)) = (is_time(name), found) else {
        return false;
    };
    let distance = |choice: usize| match predicted(choice) {
        Some(times) if times.len() == found.len() => {
            let each = times.iter().zip(found).map(|(a, b)| u64::from(a.abs_diff(*b)));
            each.sum()
        }
        _ => u64::MAX,
    };
    (0..predictions.reports.len()).all(|other| distance(choice) <= distance(other))
}
