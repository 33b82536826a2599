//! Requests as the page makes them.

mod models;
mod programs;

use serde_json::{Value, json};
use std::path::Path;
use web::{MOST_BYTES, Session};

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn perform(session: &mut Session, request: Value, data: &[u8]) -> (Value, Vec<u8>) {
    let reply = session.perform(&request.to_string(), data).expect("a reply");
    (serde_json::from_str(&reply.json).expect("JSON"), reply.data)
}

fn fail(session: &mut Session, request: Value, data: &[u8]) -> String {
    session
        .perform(&request.to_string(), data)
        .expect_err("an error")
        .0
}

/// A session with files of the repository, by their last names.
fn session(files: &[impl AsRef<str>]) -> Session {
    let mut session = Session::default();
    for file in files {
        let bytes = std::fs::read(root().join(file.as_ref())).expect("a file of the repository");
        let name = Path::new(file.as_ref())
            .file_name()
            .expect("a name")
            .to_string_lossy();
        perform(
            &mut session,
            json!({ "request": "add-file", "name": name }),
            &bytes,
        );
    }
    session
}

#[test]
fn kernels_are_called_and_verified() {
    let mut session = Session::default();
    let (kernels, _) = perform(&mut session, json!({ "request": "kernels" }), &[]);
    assert_eq!(kernels.as_array().map(Vec::len), Some(sh4_kernels::KERNELS.len()));
    let call = |inputs: Value, warm: bool| {
        json!({
            "request": "call-kernel", "name": "transform_points", "seed": 1, "inputs": inputs, "warm": warm
        })
    };
    let (cold, _) = perform(&mut session, call(json!([]), false), &[]);
    assert!(cold["difference"].is_null() && cold["compared"].as_u64() > Some(0));
    assert!(cold["listing"].as_str().is_some_and(|text| text.contains("ftrv")));
    let (warm, _) = perform(&mut session, call(json!([]), true), &[]);
    assert!(warm["cycles"].as_u64() < cold["cycles"].as_u64());
    // The inputs of the reply are accepted, and others change the result.
    let inputs: Vec<String> = cold["arguments"]
        .as_array()
        .expect("arguments")
        .iter()
        .map(|argument| argument["before"].as_str().expect("words").to_owned())
        .collect();
    assert_eq!(perform(&mut session, call(json!(inputs), false), &[]).0, cold);
    let other = inputs[0].replacen(&inputs[0][..8], "40000000", 1);
    let (changed, _) = perform(&mut session, call(json!([other]), false), &[]);
    assert!(changed["difference"].is_null() && changed["arguments"] != cold["arguments"]);
    let error = fail(&mut session, call(json!(["1 2"]), false), &[]);
    assert!(error.contains("found 2 words, expected 16"), "{error}");
    let error = fail(&mut session, call(json!(["x"]), false), &[]);
    assert!(error.contains("expected hexadecimal words"), "{error}");
    let verify = json!({ "request": "verify-kernel", "name": "sincos", "seed": 3, "cases": 20 });
    let (report, _) = perform(&mut session, verify, &[]);
    assert_eq!((&report["cases"], &report["mismatches"]), (&json!(20), &json!(0)));
}

#[test]
fn errors_name_the_file() {
    let mut session = session(&["roms/src/demo/shark.nj"]);
    let shark = std::fs::read(root().join("roms/src/demo/shark.nj")).expect("a model");
    let add = |name: &str| json!({ "request": "add-file", "name": name });
    perform(&mut session, add("cut.nj"), &shark[..5000]);
    perform(&mut session, add("words.bin"), b"PK\x03\x04");
    let error = fail(
        &mut session,
        json!({ "request": "open-model", "model": "cut.nj" }),
        &[],
    );
    assert!(error.starts_with("cut.nj: "), "{error}");
    let error = fail(
        &mut session,
        json!({ "request": "open-program", "program": "shark.nj" }),
        &[],
    );
    assert_eq!(
        error,
        "shark.nj: found a Ninja model, expected a program or a disc"
    );
    let error = fail(
        &mut session,
        json!({ "request": "open-program", "program": "absent.elf" }),
        &[],
    );
    assert_eq!(error, "absent.elf: no such file");
    assert_eq!(
        fail(&mut session, json!({ "request": "draw" }), &[]),
        "no model is open"
    );
    assert!(session.perform("{", &[]).is_err());
    // The session still works.
    perform(
        &mut session,
        json!({ "request": "open-model", "model": "shark.nj" }),
        &[],
    );
    perform(&mut session, json!({ "request": "draw" }), &[]);
}

#[test]
fn files_together_have_a_limit() {
    let mut session = session(&["roms/src/demo/shark.nj"]);
    let large = vec![0; MOST_BYTES];
    let add = json!({ "request": "add-file", "name": "large.bin" });
    let error = fail(&mut session, add.clone(), &large);
    let size = std::fs::metadata(root().join("roms/src/demo/shark.nj"))
        .expect("a model")
        .len();
    let sum = size + MOST_BYTES as u64;
    assert_eq!(
        error,
        format!("large.bin: found {sum} bytes in all files together, expected at most {MOST_BYTES}")
    );
    perform(&mut session, json!({ "request": "clear" }), &[]);
    perform(&mut session, add, &large);
}
