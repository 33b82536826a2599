//! The files that the viewer shows: loaded again when they change, their neighbours in the folder, and the
//! motions that fit.

use crate::assets::{self, folder, has_extension};
use crate::frame::cells;
use crate::frame::input::{InputOptions, RenderInput};
use crate::frame::motions::MotionSource;
use crate::frame::options::RenderOptions;
use crate::input;
use anyhow::{Context, Result, bail};
use ninja::MotionKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Time between two looks at the files.
const WATCH: Duration = Duration::from_millis(500);

/// Extensions of what can be shown.
const SHOWN: [&str; 16] = [
    "nj", "nja", "fbx", "gltf", "glb", "obj", "spa", "spj", "pvr", "pvm", "png", "tga", "bmp", "jpg", "jpeg",
    "dds",
];

/// Extensions of files with motions of models.
const MOTIONS: [&str; 2] = ["njm", "nam"];

/// The file that is shown, and how.
pub(crate) struct ViewFiles {
    path: PathBuf,
    options: InputOptions,
    render: RenderOptions,
    /// The file of the command line and its options.
    first: (PathBuf, InputOptions),
    /// Names of motions that fit the model, made when they are first asked for, and which of them plays.
    motions: Option<Vec<MotionSource>>,
    playing: Option<usize>,
    /// Pictures that the viewer has written: they are no files of the folder to show.
    written: Vec<PathBuf>,
    /// Every file that was read, as it was then.
    seen: Vec<Version>,
    looked: Instant,
}

/// A file's time and size; none if it is gone.
type Version = (PathBuf, Option<(SystemTime, u64)>);

impl ViewFiles {
    /// The files of a command line.
    pub(super) fn new(path: &Path, options: &InputOptions, render: &RenderOptions) -> Self {
        Self {
            path: path.to_owned(),
            options: options.clone(),
            render: render.clone(),
            first: (path.to_owned(), options.clone()),
            motions: None,
            playing: None,
            written: Vec::new(),
            seen: versions(),
            looked: Instant::now(),
        }
    }

    /// The file that is shown.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Whether a file that was read has changed since it was loaded. Files are looked at from time to time.
    pub(super) fn have_changed(&mut self) -> bool {
        if self.looked.elapsed() < WATCH {
            return false;
        }
        self.looked = Instant::now();
        self.seen
            .iter()
            .any(|(path, version)| self::version(path) != *version)
    }

    /// Loads the file anew.
    ///
    /// # Errors
    /// If it cannot be read or drawn. The file as it is now counts as loaded, so that it is loaded again only
    /// when it has changed again.
    pub(super) fn load(&mut self) -> Result<RenderInput> {
        // Taken before reading: what changes meanwhile is loaded again.
        self.seen = versions();
        let loaded = RenderInput::load(&self.path, &self.options, &self.render);
        let known: Vec<PathBuf> = self.seen.iter().map(|(path, _)| path.clone()).collect();
        let new = versions().into_iter().filter(|(path, _)| !known.contains(path));
        self.seen.extend(new);
        loaded
    }

    /// Goes to the file that is `by` places further in the folder, around its end.
    ///
    /// # Errors
    /// If the folder cannot be read or holds no other file that can be shown.
    pub(super) fn go(&mut self, by: isize) -> Result<()> {
        let mut files = in_folder(&self.path, &SHOWN)?;
        files.retain(|path| !path.canonicalize().is_ok_and(|path| self.written.contains(&path)));
        let at = files
            .iter()
            .position(|path| path.file_name() == self.path.file_name());
        let next = match at {
            Some(at) => (at as isize + by).rem_euclid(files.len() as isize) as usize,
            None => 0,
        };
        if files.is_empty() || at == Some(next) {
            bail!("no other file in the folder");
        }
        self.path.clone_from(&files[next]);
        let (first, options) = &self.first;
        self.options = if self.path == *first {
            options.clone()
        } else {
            options.without_motions()
        };
        (self.motions, self.playing) = (None, None);
        Ok(())
    }

    /// Leaves out a picture that was written.
    pub(super) fn leave_out(&mut self, path: PathBuf) {
        self.written.extend(path.canonicalize().ok());
    }

    /// Goes to the next motion or the one before: of the file's own, then of the motion files of its folder;
    /// those that fit. Behind the last the model is at rest. Tells which motion it is.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn switch_motion(&mut self, by: isize, shown: &RenderInput) -> Result<String> {
        if self.motions.is_none() {
            self.motions = Some(self.fitting(shown)?);
        }
        let motions = self.motions.as_deref().unwrap_or_default();
        if motions.is_empty() {
            bail!("no motion of the file or its folder fits");
        }
        // Place 0 is the model at rest.
        let now = self
            .playing
            .map_or(self.place_of_given(motions), |playing| playing + 1);
        let places = motions.len() as isize + 1;
        let next = (now as isize + by).rem_euclid(places) as usize;
        self.playing = next.checked_sub(1);
        let motion = self.playing.map(|playing| motions[playing].clone());
        let text = match &motion {
            Some(motion) => format!(
                "motion {next}/{}: {}",
                motions.len(),
                motion.short_name(&self.path)
            ),
            None => "at rest".to_owned(),
        };
        self.options = self.options.with_motion(motion);
        Ok(text)
    }

    /// The place of the motion that the command line names.
    fn place_of_given(&self, motions: &[MotionSource]) -> usize {
        let given = self.options.motion();
        let at = given.and_then(|given| motions.iter().position(|motion| motion.is_same(given)));
        at.map_or(0, |at| at + 1)
    }

    fn fitting(&self, shown: &RenderInput) -> Result<Vec<MotionSource>> {
        if cells::is_sprite(&self.path)? {
            return Ok(Vec::new());
        }
        let mut fitting = Vec::new();
        let own = shown.motions.iter().enumerate();
        let own = own.filter(|(_, motion)| shown.fits(motion));
        fitting.extend(own.map(|(number, _)| MotionSource::new(None, number)));
        for path in in_folder(&self.path, &MOTIONS)? {
            // A damaged file among others is none of those that fit.
            let Ok(file) = assets::read_model(&path) else {
                continue;
            };
            let motions = file.motions().filter(|motion| motion.kind == MotionKind::Model);
            let numbers = motions.enumerate().filter(|(_, motion)| shown.fits(motion));
            fitting.extend(numbers.map(|(number, _)| MotionSource::new(Some(path.clone()), number)));
        }
        Ok(fitting)
    }
}

/// The files beside `path` with one of these extensions, by name.
fn in_folder(path: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let folder = folder(path);
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut files: Vec<PathBuf> = paths
        .filter(|path| extensions.iter().any(|extension| has_extension(path, extension)))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    // As the command line writes files of the present folder.
    if path.parent().is_some_and(|parent| parent.as_os_str().is_empty()) {
        files = files
            .iter()
            .filter_map(|path| path.file_name().map(PathBuf::from))
            .collect();
    }
    Ok(files)
}

fn versions() -> Vec<Version> {
    let read = input::all_read().into_iter();
    read.map(|path| (path.clone(), version(&path))).collect()
}

fn version(path: &Path) -> Option<(SystemTime, u64)> {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}
