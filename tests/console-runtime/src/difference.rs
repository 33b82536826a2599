//! The first difference of two frames.

use super::player::Outcome;
use scene::SceneError;

/// Describes the first difference of two outcomes, if they differ. Two errors count as equal.
pub(super) fn difference(
    expected: &Result<Vec<[u32; 8]>, SceneError>,
    found: &Outcome<Vec<[u32; 8]>>,
) -> Option<String> {
    match (expected, found) {
        (Ok(expected), Ok(found)) => first_word(expected, found),
        (Err(_), Err(_)) => None,
        (Ok(_), Err(refusal)) => Some(format!(
            "scene draws it, the console runtime refuses it: {refusal}"
        )),
        (Err(error), Ok(_)) => Some(format!("the console runtime draws it, scene refuses it: {error}")),
    }
}

fn first_word(expected: &[[u32; 8]], found: &[[u32; 8]]) -> Option<String> {
    let block = expected.iter().zip(found).position(|(a, b)| a != b);
    let Some(block) = block else {
        let (wanted, given) = (expected.len(), found.len());
        return (wanted != given).then(|| format!("{given} blocks, expected {wanted}"));
    };
    let word = (0..8).find(|word| expected[block][*word] != found[block][*word])?;
    Some(format!(
        "block {block} word {word} is {:08x}, expected {:08x}\n  found    {:08x?}\n  expected {:08x?}",
        found[block][word], expected[block][word], found[block], expected[block]
    ))
}

#[cfg(test)]
mod tests {
    use super::first_word;

    #[test]
    fn the_first_difference_has_its_place() {
        let (a, mut b) = (vec![[7; 8]; 3], vec![[7; 8]; 3]);
        assert_eq!(first_word(&a, &b), None);
        b[1][5] = 8;
        let text = first_word(&a, &b).unwrap_or_default();
        assert!(
            text.starts_with("block 1 word 5 is 00000008, expected 00000007"),
            "{text}"
        );
        assert_eq!(first_word(&a, &b[..1]), Some("1 blocks, expected 3".into()));
    }
}
