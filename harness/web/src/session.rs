//! Files, a model and a program of one worker.

use crate::Failure;
use crate::kernels;
use crate::model::Model;
use crate::program::Program;
use crate::reply::Reply;
use crate::request::Request;
use dreamcast::MemoryFiles;
use player::Input;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Maximum number of bytes of all files together.
pub const MOST_BYTES: usize = 128 << 20;

/// Files, a model and a program.
#[derive(Default)]
pub struct Session {
    files: MemoryFiles,
    model: Option<Model>,
    program: Option<Program>,
}

/// A file in a list.
#[derive(Serialize)]
struct FileInfo {
    name: String,
    bytes: usize,
    kind: String,
    /// `model`, `texture`, `motion`, `program`, `disc`, `track` or `other`.
    role: &'static str,
}

impl Session {
    /// Performs a request with the bytes that accompany it.
    ///
    /// # Errors
    /// If the request cannot be read, or its file, model or program is damaged.
    pub fn perform(&mut self, request: &str, data: &[u8]) -> Result<Reply, Failure> {
        match serde_json::from_str(request)? {
            Request::AddFile { name } => self.add_file(&name, data),
            Request::Clear => {
                *self = Self::default();
                Reply::new(&(), Vec::new())
            }
            Request::Files => {
                let files: Vec<FileInfo> = self.files.iter().map(file_info).collect();
                Reply::new(&files, Vec::new())
            }
            Request::OpenModel(files) => {
                self.model = None;
                let model = self.model.insert(Model::open(&self.files, &files)?);
                Reply::new(&model.info(), Vec::new())
            }
            Request::Draw(view) => {
                let model = self.model.as_mut();
                model.ok_or_else(|| Failure::new("no model is open"))?.draw(&view)
            }
            Request::Texture { index } => {
                let model = self.model.as_ref();
                model
                    .ok_or_else(|| Failure::new("no model is open"))?
                    .texture(index)
            }
            Request::OpenProgram(options) => {
                self.program = None;
                let program = Program::open(&self.files, &options, data)?;
                self.program.insert(program).opened()
            }
            Request::Run { frames, pad, keys } => self.program()?.run(frames, pad, &keys),
            Request::Vmu => self.program()?.vmu(),
            Request::Findings => self.program()?.findings(),
            Request::Disassemble { place } => self.program()?.disassemble(&place),
            Request::Profile { continues } => self.program()?.profile(continues),
            Request::Kernels => kernels::list(),
            Request::CallKernel(call) => kernels::call(&call),
            Request::VerifyKernel { name, seed, cases } => kernels::verify(&name, seed, cases),
            Request::Recording => self.program()?.recording(),
        }
    }

    fn program(&mut self) -> Result<&mut Program, Failure> {
        let program = self.program.as_mut();
        program.ok_or_else(|| Failure::new("no program is loaded"))
    }

    fn add_file(&mut self, name: &str, bytes: &[u8]) -> Result<Reply, Failure> {
        let path = PathBuf::from(name);
        let others = self.files.iter().filter(|(other, _)| **other != path);
        let kept: usize = others.map(|(_, bytes)| bytes.len()).sum();
        if kept + bytes.len() > MOST_BYTES {
            return Err(Failure::new(format!(
                "{name}: found {} bytes in all files together, expected at most {MOST_BYTES}",
                kept + bytes.len()
            )));
        }
        let info = file_info((&path, bytes));
        self.files.insert(path, bytes.into());
        Reply::new(&info, Vec::new())
    }
}

fn file_info((path, bytes): (&PathBuf, impl AsRef<[u8]>)) -> FileInfo {
    let bytes = bytes.as_ref();
    let input = Input::of(path, bytes);
    FileInfo {
        name: path.display().to_string(),
        bytes: bytes.len(),
        kind: input.describe(path, bytes),
        role: role(path, input),
    }
}

/// Returns the use of a file on the page. The page itself decides that a raw binary next to a GDI sheet is a
/// track.
fn role(path: &Path, input: Input) -> &'static str {
    match input {
        Input::Model | Input::Cells | Input::Fbx | Input::Gltf | Input::Obj => "model",
        Input::Texture | Input::KosTexture | Input::Archive | Input::Palette | Input::Picture => "texture",
        Input::Motion | Input::Shape => "motion",
        Input::Program => "program",
        Input::Disc => "disc",
        _ if path.extension().is_some_and(|extension| extension == "raw") => "track",
        _ => "other",
    }
}
