//! Requests of the page.

use crate::kernels::KernelCall;
use crate::model::{ExportFormat, ModelFiles, ModelView};
use crate::program::{PadState, ProgramOptions};
use serde::Deserialize;

/// A request, as JSON: `{"request": "add-file", "name": "model.nj"}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "request", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Request {
    /// Keeps a file. Its bytes accompany the request.
    AddFile {
        /// Path, relative to the dropped folder.
        name: String,
    },
    /// Adds a disc image or a track. Its bytes stay in the page.
    AddSlices {
        /// Path, relative to the dropped folder.
        name: String,
        /// Number for reading it.
        number: u32,
        /// Number of bytes.
        bytes: u64,
    },
    /// Removes all files, the model and the program.
    Clear,
    /// Opens a model, a sprite or a texture.
    OpenModel(ModelFiles),
    /// Draws the model.
    Draw(ModelView),
    /// Returns the picture of the model as a PNG file.
    ModelPng(ModelView),
    /// Begins an animation of the model.
    StartGif,
    /// Adds a picture of the model to the animation.
    AddToGif(ModelView),
    /// Ends the animation and returns it as a GIF file.
    FinishGif,
    /// Returns the model in another format, with the warnings of the conversion.
    Export {
        /// File format.
        format: ExportFormat,
    },
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
        /// Controller in port A; without it, the controller does not change.
        pad: Option<PadState>,
        /// Keys that are down on the keyboard in port B.
        #[serde(default)]
        keys: Vec<String>,
    },
    /// Returns the picture of the program as a PNG file.
    ProgramPng,
    /// Returns the visual memory.
    Vmu,
    /// Returns the reports of the checks.
    Findings,
    /// Disassembles a function of the program.
    Disassemble {
        /// Symbol, or address in hexadecimal; empty for PC.
        place: String,
    },
    /// Returns the profile of the frames since the last such request, if that request started one.
    Profile {
        /// Starts a profile of the following frames.
        continues: bool,
    },
    /// Lists the kernels.
    Kernels,
    /// Calls a kernel under the cycle model.
    CallKernel(KernelCall),
    /// Compares a kernel with its reference on generated inputs.
    VerifyKernel {
        /// Name of the kernel.
        name: String,
        /// Seed of the first case.
        seed: u64,
        /// Number of cases.
        cases: u64,
    },
    /// Returns the recorded input as a script for `swirl run --input`.
    Recording,
}
