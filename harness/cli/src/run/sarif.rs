//! Reports as a SARIF 2.1.0 log (OASIS, "Static Analysis Results Interchange Format").

use super::checks::{CheckReport, CheckResults, CodePlace, severity};
use dreamcast::checks::Rule;
use serde_json::{Value, json};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The log of one run.
pub(super) fn log(results: &CheckResults, program: &str) -> Value {
    let rules: Vec<Value> = results.rules.iter().filter_map(|name| rule(name)).collect();
    let reports: Vec<Value> = results
        .reports
        .iter()
        .map(|report| result(report, results, program))
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "swirl",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "utf16CodeUnits",
            "results": reports,
        }],
    })
}

fn rule(name: &str) -> Option<Value> {
    let info = Rule::named(name)?.info();
    Some(json!({
        "id": info.name,
        "shortDescription": {"text": info.what},
        "fullDescription": {"text": format!("{}. On a console: {}.", info.what, info.why)},
        "help": {"text": format!("{}. Source: {}.", info.mend, info.source)},
        "defaultConfiguration": {"level": severity(info.name).name()},
        "properties": {"group": info.group, "confidence": info.confidence.name()},
    }))
}

fn result(report: &CheckReport, results: &CheckResults, program: &str) -> Value {
    let index = results.rules.iter().position(|name| *name == report.rule);
    let related: Vec<Value> = report
        .called_from
        .iter()
        .map(|place| location(place, program, Some("called from here")))
        .collect();
    json!({
        "ruleId": report.rule,
        "ruleIndex": index,
        "level": report.severity,
        "message": {"text": format!("{}. To mend: {}.", report.detail, report.mend)},
        "locations": [location(&report.place, program, None)],
        "relatedLocations": related,
        "occurrenceCount": report.count,
        "properties": {"frame": report.frame, "cycle": report.cycle},
    })
}

/// The source line, or the program itself where no line is known.
fn location(place: &CodePlace, program: &str, message: Option<&str>) -> Value {
    let uri = uri(place.file.as_deref().unwrap_or(program));
    let mut physical = json!({"artifactLocation": {"uri": uri}});
    if let Some(line) = place.line {
        physical["region"] = json!({"startLine": line});
    }
    let name = place.symbol.split('+').next().unwrap_or_default();
    let mut location = json!({
        "physicalLocation": physical,
        "logicalLocations": [{"name": name, "kind": "function"}],
    });
    if let Some(message) = message {
        location["message"] = json!({"text": message});
    }
    location
}

/// A path as a URI reference (RFC 3986): bytes that may not stand there are escaped.
fn uri(path: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(byte);
    path.bytes()
        .map(|byte| match plain(&byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("./src/a b.c"), "./src/a%20b.c");
        assert_eq!(uri("C:\\x"), "C%3A%5Cx");
    }
}
