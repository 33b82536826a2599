//! Reports as a SARIF 2.1.0 log (OASIS, "Static Analysis Results Interchange Format").

use super::debug::function_of;
use super::findings::{CheckReport, CheckResults, CodePlace, severity};
use dreamcast::checks::Rule;
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Returns the log of one run.
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
    let mut related: Vec<Value> = Vec::new();
    let callers = report.called_from.iter().map(|place| (place, "called from here"));
    let others = report
        .also_at
        .iter()
        .map(|place| (place, "the program breaks the rule here, too"));
    for (place, why) in callers.chain(others) {
        let place = location(place, program, Some(why));
        // The schema requires unique locations; a recursion repeats the same call.
        if !related.contains(&place) {
            related.push(place);
        }
    }
    json!({
        "ruleId": report.rule,
        "ruleIndex": index,
        "level": report.severity,
        "message": {"text": format!("{}. To mend: {}.", report.detail, report.mend)},
        "locations": [location(&report.place, program, None)],
        "relatedLocations": related,
        "stacks": [stack(report, program)],
        "occurrenceCount": report.count,
        "properties": {"frame": report.frame, "cycle": report.cycle},
    })
}

/// Returns the back-trace, innermost call first.
fn stack(report: &CheckReport, program: &str) -> Value {
    let places = std::iter::once(&report.place).chain(&report.called_from);
    let frames: Vec<Value> = places
        .map(|place| json!({"location": location(place, program, None)}))
        .collect();
    json!({"message": {"text": "back-trace, the innermost call first"}, "frames": frames})
}

/// Returns the source line, or the program itself if no line is known.
fn location(place: &CodePlace, program: &str, message: Option<&str>) -> Value {
    let here = std::env::current_dir().unwrap_or_default();
    let uri = uri(&relative(place.file.as_deref().unwrap_or(program), &here));
    let mut physical = json!({"artifactLocation": {"uri": uri}});
    if let Some(line) = place.line {
        physical["region"] = json!({"startLine": line});
    }
    let name = function_of(&place.symbol);
    let mut location = json!({
        "physicalLocation": physical,
        "logicalLocations": [{"name": name, "kind": "function"}],
    });
    if let Some(message) = message {
        location["message"] = json!({"text": message});
    }
    location
}

/// Returns a path relative to the working folder, which code hosts treat as the root of the repository. Other
/// paths stay absolute.
fn relative(path: &str, here: &Path) -> String {
    let mut plain = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some_and(|name| name != "..") => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    let below = plain.strip_prefix(here).unwrap_or(&plain);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    match below.is_absolute() {
        true => below.to_string_lossy().into_owned(),
        false => parts.join("/"),
    }
}

/// Encodes a path as a URI reference (RFC 3986), escaping other bytes.
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

    fn place(line: Option<u32>) -> CodePlace {
        CodePlace {
            address: "8c010000".to_owned(),
            symbol: "main+0x4".to_owned(),
            file: line.map(|_| "src/a b.c".to_owned()),
            line,
        }
    }

    fn results() -> CheckResults {
        let rule = Rule::DirtyLine.info();
        let report = CheckReport {
            rule: rule.name,
            severity: rule.severity.name(),
            function: "main".to_owned(),
            place: place(Some(7)),
            called_from: vec![place(None), place(Some(9)), place(Some(9))],
            detail: "detail".to_owned(),
            addresses: Vec::new(),
            frame: 1,
            cycle: 2,
            count: 3,
            also_at: vec![place(Some(8))],
            console: rule.why,
            mend: rule.mend,
            denied: false,
        };
        CheckResults {
            rules: Rule::ALL.iter().map(|rule| rule.info().name).collect(),
            reports: vec![report],
            allowed: 0,
            more: 0,
            caches_off: false,
        }
    }

    /// Checks a location's required members (SARIF 2.1.0, 3.28 to 3.30).
    fn check_location(location: &Value) {
        let physical = &location["physicalLocation"];
        let uri = physical["artifactLocation"]["uri"].as_str().expect("a URI");
        assert!(!uri.is_empty() && !uri.contains(' '), "{uri}");
        if let Some(region) = physical.get("region") {
            assert!(region["startLine"].as_u64().is_some_and(|line| line >= 1));
        }
        assert!(location["logicalLocations"][0]["name"].is_string());
    }

    /// Checks the schema's `uniqueItems`.
    fn is_unique(array: &Value) -> bool {
        let items = array.as_array().expect("an array");
        (1..items.len()).all(|n| !items[..n].contains(&items[n]))
    }

    /// Checks the required members and types of all objects in a log against the schema.
    #[test]
    fn logs_have_the_structure_of_the_schema() {
        let log = log(&results(), "game.elf");
        assert_eq!(log["version"], "2.1.0");
        assert!(
            log["$schema"]
                .as_str()
                .is_some_and(|uri| uri.ends_with("sarif-schema-2.1.0.json"))
        );
        let runs = log["runs"].as_array().expect("runs");
        let driver = &runs[0]["tool"]["driver"];
        assert!(driver["name"].is_string() && driver["version"].is_string());
        let levels = ["none", "note", "warning", "error"];
        let rules = driver["rules"].as_array().expect("rules");
        for rule in rules {
            assert!(rule["id"].is_string() && rule["shortDescription"]["text"].is_string());
            assert!(rule["help"]["text"].is_string());
            assert!(levels.contains(&rule["defaultConfiguration"]["level"].as_str().expect("a level")));
        }
        for result in runs[0]["results"].as_array().expect("results") {
            assert!(result["message"]["text"].is_string());
            assert!(levels.contains(&result["level"].as_str().expect("a level")));
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert!(result["occurrenceCount"].as_u64().is_some_and(|count| count >= 1));
            check_location(&result["locations"][0]);
            check_location(&result["relatedLocations"][0]);
            assert!(is_unique(&result["relatedLocations"]) && is_unique(&result["stacks"]));
            let frames = result["stacks"][0]["frames"].as_array().expect("frames");
            assert_eq!(
                frames.len(),
                4,
                "a back-trace names a recursion's calls one by one"
            );
            frames.iter().for_each(|frame| check_location(&frame["location"]));
        }
    }

    #[test]
    fn paths_are_relative_to_the_working_folder() {
        let here = Path::new("/home/me/game");
        for (path, expected) in [
            ("/home/me/game/src/main.c", "src/main.c"),
            ("/home/me/game/build/../src/./main.c", "src/main.c"),
            ("./src/main.c", "src/main.c"),
            ("../kos/main.c", "../kos/main.c"),
            ("/opt/kos/main.c", "/opt/kos/main.c"),
        ] {
            assert_eq!(relative(path, here), expected);
        }
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("./src/a b.c"), "./src/a%20b.c");
        assert_eq!(uri("C:\\x"), "C%3A%5Cx");
    }
}
