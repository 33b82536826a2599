//! Finds damage in text FBX files, with its line. ufbx reports no line.

/// Returns the first syntax error: `line N: found ..., expected ...`. A node is `Name: value, value {` with
/// nodes in its braces. Values are numbers, words, strings and `*count`.
pub(super) fn damage(bytes: &[u8]) -> Option<String> {
    let mut open: Vec<usize> = Vec::new();
    // A comma requires a following value, which can be on the next line.
    let (mut after_comma, mut has_value) = (false, false);
    for (line, text) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        let mut rest = text;
        if !after_comma {
            has_value = false;
        }
        let wrong =
            |found: &str, expected: &str| Some(format!("line {line}: found {found}, expected {expected}"));
        while let Some((first, more)) = rest.split_first() {
            rest = more;
            match first {
                b';' => break,
                b'"' => {
                    let Some(end) = rest.iter().position(|byte| *byte == b'"') else {
                        return wrong("a string without an end", "a quote");
                    };
                    rest = &rest[end + 1..];
                    (after_comma, has_value) = (false, true);
                }
                b',' if after_comma || !has_value => return wrong("a comma", "a value before it"),
                b',' => (after_comma, has_value) = (true, false),
                b'{' => {
                    open.push(line);
                    (after_comma, has_value) = (false, false);
                }
                b'}' => {
                    if open.pop().is_none() {
                        return wrong("a closing brace", "an opening one before it");
                    }
                    (after_comma, has_value) = (false, false);
                }
                b':' => (after_comma, has_value) = (false, false),
                byte if byte.is_ascii_whitespace() => {}
                _ => (after_comma, has_value) = (false, true),
            }
        }
    }
    open.last()
        .map(|line| format!("line {line}: found an opening brace without an end, expected a closing one"))
}

#[cfg(test)]
mod tests {
    use super::damage;

    #[test]
    fn the_first_wrong_line_is_named() {
        let whole = b"; FBX 6.1.0\nObjects:  {\n\tModel: \"a, {b\", \"Mesh\" {\n\t\tV: 1,-2,\n3 ; more\n\
              \t\tN: *2 {\n a: 1,2\n}\n\t}\n}\n";
        assert_eq!(damage(whole), None);
        let found = |text: &[u8]| damage(text).unwrap_or_default();
        assert!(found(b"A: {\nB: 1\n ,0,2\n}\n").starts_with("line 3: found a comma"));
        assert!(found(b"A: 1,,2\n").starts_with("line 1: found a comma"));
        assert!(found(b"A: {\nB: {\n}\n").starts_with("line 1: found an opening brace"));
        assert!(found(b"A: 1\n}\n").starts_with("line 2: found a closing brace"));
        assert!(found(b"\nA: \"x\n").starts_with("line 2: found a string"));
    }
}
