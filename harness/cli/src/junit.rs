//! Writes JUnit XML, which CI systems can display.

use anyhow::Result;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// One test.
pub(crate) struct Case {
    /// Name of the test.
    pub(crate) name: String,
    /// Result of the test.
    pub(crate) outcome: CaseResult,
    /// Duration, if known.
    pub(crate) time: Option<Duration>,
}

/// Result of a test.
pub(crate) enum CaseResult {
    Passed,
    /// Failure message; can have several lines.
    Failed(String),
}

impl CaseResult {
    /// Returns a failure if there is a reason, else success.
    pub(crate) fn unless(failure: Option<String>) -> Self {
        failure.map_or(CaseResult::Passed, CaseResult::Failed)
    }
}

/// Writes `cases` as one test suite.
pub(crate) fn write(path: &Path, suite: &str, cases: &[Case]) -> Result<()> {
    crate::output::write(path, document(suite, cases).as_bytes())
}

fn document(suite: &str, cases: &[Case]) -> String {
    let count = |what: fn(&CaseResult) -> bool| cases.iter().filter(|case| what(&case.outcome)).count();
    let suite = escape(suite);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"{suite}\" tests=\"{}\" failures=\"{}\">\n",
        cases.len(),
        count(|outcome| matches!(outcome, CaseResult::Failed(_))),
    );
    for case in cases {
        // Writing to a string cannot fail.
        let _ = write!(
            xml,
            "  <testcase classname=\"{suite}\" name=\"{}\"",
            escape(&case.name)
        );
        if let Some(time) = case.time {
            let _ = write!(xml, " time=\"{:.3}\"", time.as_secs_f64());
        }
        let CaseResult::Failed(reason) = &case.outcome else {
            xml.push_str("/>\n");
            continue;
        };
        let (first, all) = (escape(reason.lines().next().unwrap_or_default()), escape(reason));
        let _ = writeln!(
            xml,
            ">\n    <failure message=\"{first}\">{all}</failure>\n  </testcase>"
        );
    }
    xml + "</testsuite>\n"
}

/// Escapes text for element contents and attribute values. Characters without a form in XML 1.0 become
/// U+FFFD.
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
    use super::{Case, CaseResult, document};
    use std::time::Duration;

    #[test]
    fn failures_are_counted_and_escaped() {
        let case = |name: &str, outcome, time| Case {
            name: name.to_owned(),
            outcome,
            time,
        };
        let xml = document(
            "s",
            &[
                case("a<b", CaseResult::Passed, Some(Duration::from_millis(1500))),
                case(
                    "c",
                    CaseResult::unless(Some("1 < 2 & \"x\"\u{1}\nmore".to_owned())),
                    None,
                ),
            ],
        );
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
            <testsuite name=\"s\" tests=\"2\" failures=\"1\">\n\
            \x20 <testcase classname=\"s\" name=\"a&lt;b\" time=\"1.500\"/>\n\
            \x20 <testcase classname=\"s\" name=\"c\">\n\
            \x20   <failure message=\"1 &lt; 2 &amp; &quot;x&quot;\u{FFFD}\">1 &lt; 2 &amp; \
            &quot;x&quot;\u{FFFD}\nmore</failure>\n\
            \x20 </testcase>\n\
            </testsuite>\n";
        assert_eq!(xml, expected);
    }
}
