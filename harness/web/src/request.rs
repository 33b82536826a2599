//! Requests of the page and replies to it.

use crate::Failure;
use crate::model::{ModelFiles, ModelView};
use crate::program::{PadState, ProgramOptions};
use serde::{Deserialize, Serialize};

/// A request, as JSON: `{"request": "add-file", "name": "model.nj"}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "request", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Request {
    /// Keeps a file, whose bytes accompany the request.
    AddFile {
        /// Path, relative to the dropped folder.
        name: String,
    },
    /// Removes all files, the model and the program.
    Clear,
    /// Lists the files and their kinds.
    Files,
    /// Opens a model, a sprite or a texture.
    OpenModel(ModelFiles),
    /// Draws the model.
    Draw(ModelView),
    /// Returns the pixels of a texture of the model.
    Texture {
        /// Number in the texture list.
        index: usize,
    },
    /// Loads a program and powers the console on. The bytes, if there are any, are the visual memory.
    OpenProgram(ProgramOptions),
    /// Runs the program.
    Run {
        /// Number of frames.
        frames: u32,
        /// Controller in port A; without it, the controller stays as it is.
        pad: Option<PadState>,
        /// Keys that are down on the keyboard in port B.
        #[serde(default)]
        keys: Vec<String>,
    },
    /// Returns the visual memory.
    Vmu,
    /// Returns what the checks found.
    Findings,
    /// Returns the input so far as a script for `swirl run --input`.
    Recording,
}

/// A reply: JSON, and bytes that belong to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// An object as JSON.
    pub json: String,
    /// Pixels, samples or memory.
    pub data: Vec<u8>,
}

impl Reply {
    pub(crate) fn new(value: &impl Serialize, data: Vec<u8>) -> Result<Self, Failure> {
        let json = serde_json::to_string(value)?;
        Ok(Self { json, data })
    }
}
