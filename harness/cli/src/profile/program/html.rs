//! Writes the page of a program's profile, which needs no network.

use super::measure::Measured;
use super::{files, rows};
use crate::sources::Sources;
use anyhow::Result;
use profile::program::Activity;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Number of lines shown around lines with a cost.
const AROUND: u32 = 2;

pub(super) fn html(measured: &mut Measured, texts: &Sources) -> Result<String> {
    let mut data = files::json(measured);
    if let Value::Object(data) = &mut data {
        let names = Activity::ALL.map(|activity| json!([activity.key(), activity.text()]));
        data.insert("activity_names".to_owned(), json!(names));
        data.insert("sources".to_owned(), sources(measured, texts));
    }
    // A script element ends at the first "</script", even inside a string.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let title = measured.title.replace('&', "&amp;").replace('<', "&lt;");
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\n\
         <style>{STYLE}</style></head>\n<body><h1>{title}</h1><div id=\"page\"></div>\n\
         <script id=\"data\" type=\"application/json\">{data}</script>\n\
         <script>{SCRIPT}</script></body></html>\n"
    ))
}

/// Returns the lines with a cost and the lines around them, by file.
fn sources(measured: &mut Measured, texts: &Sources) -> Value {
    let mut wanted: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for row in rows::lines(measured) {
        let lines = wanted.entry(row.file).or_default();
        lines.extend(row.line.saturating_sub(AROUND).max(1)..=row.line.saturating_add(AROUND));
    }
    let mut all = Map::new();
    for (file, lines) in wanted {
        let Some(text) = texts.read(&file) else { continue };
        let text: Vec<&str> = text.lines().collect();
        let shown = lines
            .iter()
            .filter_map(|line| Some((line.to_string(), json!(text.get(*line as usize - 1)?))));
        all.insert(file, Value::Object(shown.collect()));
    }
    Value::Object(all)
}
