//! Builds the browser page and serves it on this machine.
//!
//! `cargo run --release -p swirl-web --example page -- [--port PORT] [--output FOLDER [--no-serve]]`
//!
//! A Rust program and not a script, so that the page needs no tool but Rust and its target
//! `wasm32-unknown-unknown`. FBX scenes also need clang, for the C library that reads them.

use serde::Deserialize;
use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const TARGET: &str = "wasm32-unknown-unknown";
/// Lets the rasterizer use registers of 128 bits. All browsers since 2023 have them.
const FLAGS: &str = "-Ctarget-feature=+simd128";

/// Files of the page that are copied unchanged.
const EXTENSIONS: [&str; 4] = ["html", "css", "js", "json"];

/// An example on the page, of `page/examples.json`.
#[derive(Deserialize)]
struct ExampleFiles {
    name: String,
    /// Paths in the repository.
    files: Vec<PathBuf>,
}

struct Options {
    port: u16,
    output: PathBuf,
    serves: bool,
}

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let options = options(&root)?;
    build(&root, &options.output)?;
    if !options.serves {
        return Ok(());
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
    println!("http://{}/", listener.local_addr()?);
    for stream in listener.incoming() {
        let (page, book) = (options.output.clone(), root.join("target/book/docs"));
        std::thread::spawn(move || answer(stream?, &page, &book));
    }
    Ok(())
}

fn options(root: &Path) -> Result<Options> {
    let mut options = Options {
        port: 8000,
        output: root.join("target/page"),
        serves: true,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument}: expected a value"));
        match &*argument {
            "--port" => options.port = value()?.parse()?,
            "--output" => options.output = value()?.into(),
            "--no-serve" => options.serves = false,
            _ => return Err(format!("found {argument}, expected --port, --output or --no-serve").into()),
        }
    }
    Ok(options)
}

/// C compiler for WebAssembly; cc's variable names another.
fn c_compiler() -> String {
    std::env::var("CC_wasm32_unknown_unknown").unwrap_or_else(|_| "clang".to_owned())
}

/// Returns whether the C compiler can compile for WebAssembly. Apple's clang cannot.
fn compiles_c() -> bool {
    let mut command = Command::new(c_compiler());
    command.args(["--target=wasm32-unknown-unknown", "-xc", "-c", "-", "-o"]);
    command.arg(if cfg!(windows) { "NUL" } else { "/dev/null" });
    let output = command.stdin(Stdio::null()).output();
    output.is_ok_and(|output| output.status.success())
}

/// Builds the module and copies the page, its examples and the module into a folder.
fn build(root: &Path, output: &Path) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command
        .current_dir(root)
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS)
        .args([
            "rustc",
            "--locked",
            "--profile",
            "web",
            "-p",
            "swirl-web",
            "--lib",
        ])
        .args(["--crate-type", "cdylib", "--target", TARGET]);
    if compiles_c() {
        let libc = fs::canonicalize(root.join("harness/web/src/libc.h"))?;
        command
            .args(["--features", "fbx"])
            .env("CC_wasm32_unknown_unknown", c_compiler())
            .env("CC_SHELL_ESCAPED_FLAGS", "1")
            .env(
                "CFLAGS_wasm32_unknown_unknown",
                format!("-include '{}'", libc.display()),
            );
    } else {
        eprintln!(
            "the page will read no FBX scenes: {} does not compile for {TARGET}",
            c_compiler()
        );
    }
    if !command.status()?.success() {
        return Err(format!("the module is not built; `rustup target add {TARGET}` adds its target").into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    fs::create_dir_all(output)?;
    copy(
        &target.join(TARGET).join("web/web.wasm"),
        &output.join("swirl.wasm"),
    )?;
    let page = root.join("harness/web/page");
    for entry in fs::read_dir(&page)? {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if let Some(name) = path
            .file_name()
            .filter(|_| extension.is_some_and(|known| EXTENSIONS.contains(&known)))
        {
            copy(&path, &output.join(name))?;
        }
    }
    let examples: Vec<ExampleFiles> = serde_json::from_slice(&fs::read(page.join("examples.json"))?)?;
    for example in examples {
        let folder = output.join("examples").join(example.name);
        fs::create_dir_all(&folder)?;
        for file in example.files {
            let name = file.file_name().ok_or("an example without a name")?;
            copy(&root.join(&file), &folder.join(name))?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))?;
    Ok(())
}

/// Answers one GET request with a file of the page, or of the book under `book/`.
fn answer(mut stream: TcpStream, page: &Path, book: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    // The rest of the request has no effect.
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or("/");
    let path = path.split('?').next().unwrap_or("/").trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let file = match path.strip_prefix("book/") {
        Some(path) => book.join(path),
        None => page.join(path),
    };
    let is_name = |part: &str| !["", ".."].contains(&part) && !part.contains(['\\', ':']);
    let is_inside = path.split('/').all(is_name);
    let found = is_inside.then(|| fs::read(file).ok()).flatten();
    let (status, body) = match found {
        Some(body) => ("200 OK", body),
        None => (
            "404 Not Found",
            b"no such file; `mdbook build docs` builds the manual\n".to_vec(),
        ),
    };
    let kind = match Path::new(path)
        .extension()
        .and_then(|extension| extension.to_str())
    {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-store\r\n\
         Connection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}
