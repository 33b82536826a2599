//! Files, a model and a program of one worker.

use crate::Failure;
use crate::files::{MOST_BYTES, MemoryFiles, ReadSlice, SlicedFile};
use crate::gif::Gif;
use crate::kernels;
use crate::model::Model;
use crate::program::Program;
use crate::reply::Reply;
use crate::request::Request;
use dreamcast::{Disc, DiscFiles};
use player::Input;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files, a model and a program.
pub struct Session {
    files: MemoryFiles,
    /// Disc images and tracks.
    sliced: DiscFiles,
    read_slice: ReadSlice,
    model: Option<Model>,
    gif: Gif,
    program: Option<Program>,
}

/// Properties of a file.
#[derive(Serialize)]
struct FileInfo {
    name: String,
    bytes: u64,
    kind: String,
    /// `model`, `texture`, `motion`, `program`, `disc`, `track` or `other`.
    role: &'static str,
}

impl Default for Session {
    /// Returns a session without disc images.
    fn default() -> Self {
        Self::new(|_, _, _| false)
    }
}

impl Session {
    /// Returns a session that reads disc images by a function.
    #[must_use]
    pub fn new(read_slice: ReadSlice) -> Self {
        Self {
            files: MemoryFiles::new(),
            sliced: DiscFiles::new(),
            read_slice,
            model: None,
            gif: Gif::default(),
            program: None,
        }
    }

    /// Performs a request with the bytes that accompany it.
    ///
    /// # Errors
    /// If the request cannot be read, or its file, model or program is damaged.
    pub fn perform(&mut self, request: &str, data: &[u8]) -> Result<Reply, Failure> {
        match serde_json::from_str(request)? {
            Request::AddFile { name } => self.add_file(&name, data),
            Request::AddSlices { name, number, bytes } => self.add_slices(name, number, bytes),
            Request::Clear => {
                *self = Self::new(self.read_slice);
                Reply::new(&(), Vec::new())
            }
            Request::OpenModel(files) => {
                self.model = None;
                let model = self.model.insert(Model::open(&self.files, &files)?);
                Reply::new(&model.info(), Vec::new())
            }
            Request::Draw(view) => opened(&mut self.model)?.draw(&view),
            Request::ModelPng(view) => opened(&mut self.model)?.png(&view),
            Request::StartGif => {
                self.gif = Gif::default();
                Reply::new(&(), Vec::new())
            }
            Request::AddToGif(view) => opened(&mut self.model)?.add_to(&mut self.gif, &view),
            Request::FinishGif => std::mem::take(&mut self.gif).finish(),
            Request::Export { format } => opened(&mut self.model)?.export(&self.files, format),
            Request::Texture { index } => opened(&mut self.model)?.texture(index),
            Request::OpenProgram(options) => {
                self.program = None;
                let discs = self.disc_files();
                let program = Program::open(&self.files, &discs, &options, data)?;
                self.program.insert(program).opened()
            }
            Request::Run { frames, pad, keys } => self.program()?.run(frames, pad, &keys),
            Request::ProgramPng => self.program()?.png(),
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

    /// Files in memory and sliced files, for discs.
    fn disc_files(&self) -> DiscFiles {
        let mut files = self.sliced.clone();
        for (path, bytes) in &self.files {
            files.insert(path.clone(), Arc::new(Arc::clone(bytes)));
        }
        files
    }

    fn add_slices(&mut self, name: String, number: u32, bytes: u64) -> Result<Reply, Failure> {
        let path = PathBuf::from(&name);
        let is_disc = Disc::is_image(&path);
        let info = FileInfo {
            name: name.clone(),
            bytes,
            kind: if is_disc { "a disc image" } else { "a track" }.to_owned(),
            role: if is_disc { "disc" } else { "track" },
        };
        let file = SlicedFile {
            name,
            number,
            size: bytes,
            read: self.read_slice,
        };
        self.sliced.insert(path, Arc::new(file));
        Reply::new(&info, Vec::new())
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
        let info = file_info(&path, bytes);
        self.files.insert(path, bytes.into());
        Reply::new(&info, Vec::new())
    }
}

/// Returns the open model.
fn opened(model: &mut Option<Model>) -> Result<&mut Model, Failure> {
    model.as_mut().ok_or_else(|| Failure::new("no model is open"))
}

fn file_info(path: &Path, bytes: &[u8]) -> FileInfo {
    let input = Input::of(path, bytes);
    FileInfo {
        name: path.display().to_string(),
        bytes: bytes.len() as u64,
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
