//! The report that CI systems read.

use super::Run;
use super::kinds::Verdict;
use std::fmt::Write;

/// One test suite, one test case a case.
pub(super) fn report(runs: &[Run]) -> String {
    let count = |what: fn(&Verdict) -> bool| runs.iter().filter(|run| what(&run.verdict)).count();
    let seconds: f64 = runs.iter().map(|run| run.time.as_secs_f64()).sum();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"swirl\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{seconds:.3}\">\n",
        runs.len(),
        count(Verdict::is_failure),
        count(|verdict| matches!(verdict, Verdict::Skipped(_))),
    );
    for run in runs {
        // Writing to a string cannot fail.
        let _ = write!(
            xml,
            "  <testcase name=\"{}\" time=\"{:.3}\"",
            escaped(&run.name),
            run.time.as_secs_f64()
        );
        let inner = match &run.verdict {
            Verdict::Passed | Verdict::Updated(_) => None,
            Verdict::Failed(reason) => Some(("failure", reason)),
            Verdict::Skipped(reason) => Some(("skipped", reason)),
        };
        let _ = match inner {
            None => writeln!(xml, "/>"),
            Some((tag, reason)) => {
                writeln!(xml, "><{tag} message=\"{}\"/></testcase>", escaped(reason))
            }
        };
    }
    xml + "</testsuite>\n"
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML 1.0 has no other control characters.
            c if c < ' ' && !matches!(c, '\t' | '\n' | '\r') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn failures_and_skips_are_counted_and_escaped() {
        let run = |name: &str, verdict| Run {
            name: name.to_owned(),
            verdict,
            time: Duration::from_millis(1500),
            frames: Vec::new(),
            warnings: Vec::new(),
        };
        let xml = report(&[
            run("a", Verdict::Passed),
            run("b<", Verdict::Failed("\"x\" & y".to_owned())),
            run("c", Verdict::Skipped("why".to_owned())),
        ]);
        assert!(
            xml.contains("tests=\"3\" failures=\"1\" skipped=\"1\" time=\"4.500\""),
            "{xml}"
        );
        assert!(
            xml.contains("name=\"b&lt;\" time=\"1.500\"><failure message=\"&quot;x&quot; &amp; y\"/>"),
            "{xml}"
        );
    }
}
