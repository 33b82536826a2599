//! JUnit XML, the form in which every CI shows test results.

use anyhow::Result;
use std::fmt::Write;
use std::path::Path;

/// One test.
pub(crate) struct Case {
    /// Its name.
    pub(crate) name: String,
    /// What went wrong, on several lines; `None` if nothing did.
    pub(crate) failure: Option<String>,
}

/// Writes `cases` as one suite.
pub(crate) fn write(path: &Path, suite: &str, cases: &[Case]) -> Result<()> {
    crate::output::write(path, document(suite, cases).as_bytes())
}

fn document(suite: &str, cases: &[Case]) -> String {
    let failures = cases.iter().filter(|case| case.failure.is_some()).count();
    let suite = escape(suite);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{suite}\" tests=\"{}\" failures=\"{failures}\">\n",
        cases.len()
    );
    for case in cases {
        let _ = write!(
            xml,
            "  <testcase classname=\"{suite}\" name=\"{}\"",
            escape(&case.name)
        );
        let _ = match &case.failure {
            None => writeln!(xml, "/>"),
            Some(text) => {
                let first = text.lines().next().unwrap_or_default();
                let (first, text) = (escape(first), escape(text));
                writeln!(
                    xml,
                    ">\n    <failure message=\"{first}\">{text}</failure>\n  </testcase>"
                )
            }
        };
    }
    xml + "</testsuite>\n"
}

/// Text for element contents and attribute values; characters that XML 1.0 has no form for become U+FFFD.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Case, document};

    #[test]
    fn a_failure_is_escaped_and_counted() {
        let case = |name: &str, failure: Option<&str>| Case {
            name: name.to_owned(),
            failure: failure.map(str::to_owned),
        };
        let xml = document(
            "s",
            &[case("a<b", None), case("c", Some("1 < 2 & \"x\"\u{1}\nmore"))],
        );
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
            <testsuite name=\"s\" tests=\"2\" failures=\"1\">\n\
            \x20 <testcase classname=\"s\" name=\"a&lt;b\"/>\n\
            \x20 <testcase classname=\"s\" name=\"c\">\n\
            \x20   <failure message=\"1 &lt; 2 &amp; &quot;x&quot;\u{FFFD}\">1 &lt; 2 &amp; &quot;x&quot;\u{FFFD}\nmore</failure>\n\
            \x20 </testcase>\n\
            </testsuite>\n";
        assert_eq!(xml, expected);
    }
}
