//! The viewer's files: reloads them when they change, and finds neighbours in the folder and motions that
//! fit.

use crate::frame::assets::open;
use crate::input;
use anyhow::{Context, Result, bail};
use convert::Ambient;
use ninja::MotionKind;
use player::{Assets, Input, MotionSource, Options, Player, folder, has_extension};
use settings::Table as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Polling interval for changes.
const WATCH: Duration = Duration::from_millis(500);

/// Extensions of files that cannot be shown by themselves, and of unsupported pictures.
const PARTS: [&str; 7] = ["csj", "csa", "njt", "nat", "njl", "njc", "psd"];

/// The current file, with the options for showing it.
pub(crate) struct ViewFiles {
    assets: Assets,
    options: Options,
    /// Files of the command line.
    first: Assets,
    /// Motions that fit the model, collected on the first request; the next field is the index of the playing
    /// one.
    motions: Option<Vec<MotionSource>>,
    playing: Option<usize>,
    /// Reason why the file's own motions no longer play.
    lost: Option<String>,
    /// Pictures that the viewer has written, which are not shown.
    written: Vec<PathBuf>,
    /// Every file that was read, with its version at that time.
    seen: Vec<Version>,
    looked: Instant,
}

/// Time and size of a file; `None` if it does not exist.
type Version = (PathBuf, Option<(SystemTime, u64)>);

impl ViewFiles {
    /// Creates the state for the files of a command line.
    pub(super) fn new(assets: Assets, options: &Options) -> Self {
        Self {
            first: assets.clone(),
            assets,
            options: options.clone(),
            motions: None,
            playing: None,
            lost: None,
            written: Vec::new(),
            seen: versions(),
            looked: Instant::now(),
        }
    }

    /// Returns the name of the current file.
    pub(super) fn name(&self) -> String {
        self.assets.model.display().to_string()
    }

    /// Returns whether a file has changed since it was loaded. Polls the files at intervals.
    pub(super) fn have_changed(&mut self) -> bool {
        if self.looked.elapsed() < WATCH {
            return false;
        }
        self.looked = Instant::now();
        self.seen
            .iter()
            .any(|(path, version)| self::version(path) != *version)
    }

    /// Reloads the current file.
    ///
    /// # Errors
    /// If it cannot be read or drawn. The failed version counts as loaded, so that only another change
    /// reloads it.
    pub(super) fn load(&mut self) -> Result<Player> {
        // Taken before reading, so that a change during this load causes another load.
        self.seen = versions();
        self.lost = None;
        let loaded = open(&self.assets, &self.options).or_else(|error| self.load_at_rest(error));
        let known: Vec<PathBuf> = self.seen.iter().map(|(path, _)| path.clone()).collect();
        let new = versions().into_iter().filter(|(path, _)| !known.contains(path));
        self.seen.extend(new);
        loaded
    }

    /// Loads a file without its own motions, which it possibly no longer has.
    fn load_at_rest(&mut self, error: anyhow::Error) -> Result<Player> {
        let of_file = |source: &Option<MotionSource>| source.as_ref().is_some_and(|s| s.file.is_none());
        let mut still = self.assets.clone();
        for source in [&mut still.motion, &mut still.shape, &mut still.camera] {
            *source = source.take().filter(|source| source.file.is_some());
        }
        still.link = still.link.filter(|(source, _)| source.file.is_some());
        still.lights.retain(|source| source.file.is_some());
        let has_own = [&self.assets.motion, &self.assets.shape, &self.assets.camera]
            .into_iter()
            .any(of_file)
            || still.link.is_some() != self.assets.link.is_some()
            || still.lights.len() != self.assets.lights.len();
        if !has_own {
            return Err(error);
        }
        let loaded = open(&still, &self.options);
        // The motions did not cause the error, so it remains.
        let Ok(loaded) = loaded else { return Err(error) };
        self.assets = still;
        self.playing = None;
        self.lost = Some(format!("{error:#}"));
        Ok(loaded)
    }

    /// Returns the reason why the last load left out the file's own motions.
    pub(super) fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    /// Makes the next request search motions again.
    pub(super) fn forget_motions(&mut self) {
        (self.motions, self.playing) = (None, None);
    }

    /// Returns whether the current file is a scene of another program.
    pub(super) fn is_scene(&self) -> bool {
        Input::named(&self.assets.model).is_some_and(Input::is_scene)
    }

    /// Switches to the next source of a scene's ambient colours, and returns its name.
    ///
    /// # Errors
    /// If the file is no scene.
    pub(super) fn next_ambient(&mut self) -> Result<String> {
        if !self.is_scene() {
            bail!("only scenes have rules for ambient colours; --ambient-light sets the light");
        }
        let ambient = &mut self.options.scene.ambient;
        let name;
        (*ambient, name) = match *ambient {
            Ambient::Auto => (Ambient::File, "file"),
            Ambient::File => (Ambient::Diffuse, "diffuse"),
            Ambient::Diffuse | Ambient::Colour(_) => (Ambient::Auto, "auto"),
        };
        Ok(format!("ambient {name}"))
    }

    /// Switches to the next choice of the chip's setting `texel_offset`, and returns its name.
    ///
    /// # Errors
    /// If the setting has no other choice.
    pub(super) fn next_texel(&mut self) -> Result<String> {
        let chip = &mut self.options.chip;
        let row = chip.row("texel_offset")?;
        let now = chip.number(row.name).unwrap_or(row.default);
        let choices = row.choices();
        let next = (now as usize + 1) % choices.len().max(1);
        let name = choices.get(next).map_or("", |choice| choice.name);
        chip.set(row.name, name)?;
        Ok(format!("{} {name}", row.name))
    }

    /// Returns the files in the folder that can be shown.
    fn in_folder(&self) -> Result<Vec<PathBuf>> {
        let mut files = in_folder(&self.assets.model, |input| input::takes("view", input))?;
        files.retain(|path| !PARTS.iter().any(|extension| has_extension(path, extension)));
        files.retain(|path| !path.canonicalize().is_ok_and(|path| self.written.contains(&path)));
        Ok(files)
    }

    /// Returns whether the folder has another file to show.
    pub(super) fn has_others(&self) -> bool {
        let is_other = |path: &PathBuf| path.file_name() != self.assets.model.file_name();
        self.in_folder().is_ok_and(|files| files.iter().any(is_other))
    }

    /// Switches to the file `by` positions further in the folder, with wrap-around.
    ///
    /// # Errors
    /// If the folder cannot be read, or has no other file to show.
    pub(super) fn go(&mut self, by: isize) -> Result<()> {
        let files = self.in_folder()?;
        let at = files
            .iter()
            .position(|path| path.file_name() == self.assets.model.file_name());
        let next = match at {
            Some(at) => (at as isize + by).rem_euclid(files.len() as isize) as usize,
            None => 0,
        };
        if files.is_empty() || at == Some(next) {
            bail!("no other file in the folder");
        }
        self.assets = if files[next] == self.first.model {
            self.first.clone()
        } else {
            // Motions and sprites belong to the first file.
            Assets {
                model: files[next].clone(),
                textures: self.first.textures.clone(),
                palettes: self.first.palettes.clone(),
                ..Assets::default()
            }
        };
        (self.motions, self.playing) = (None, None);
        Ok(())
    }

    /// Excludes a written picture from the folder.
    pub(super) fn leave_out(&mut self, path: PathBuf) {
        self.written.extend(path.canonicalize().ok());
    }

    /// Searches the motions that fit, unless they are known.
    fn find_motions(&mut self, shown: &Player) -> Result<()> {
        if self.motions.is_none() {
            self.motions = Some(self.fitting(shown)?);
        }
        Ok(())
    }

    /// Returns whether a motion in the file or its folder fits the model.
    pub(super) fn has_motions(&mut self, shown: &Player) -> bool {
        let found = self.find_motions(shown);
        found.is_ok() && self.motions.as_ref().is_some_and(|motions| !motions.is_empty())
    }

    /// Switches to the next or previous motion that fits: the file's own motions, then motion files in its
    /// folder. After the last motion, the model is at rest. Returns the motion's name.
    ///
    /// # Errors
    /// If no motion fits.
    pub(super) fn switch_motion(&mut self, by: isize, shown: &Player) -> Result<String> {
        self.find_motions(shown)?;
        let motions = self.motions.as_deref().unwrap_or_default();
        if motions.is_empty() {
            bail!("no motion in the file or its folder fits the model");
        }
        // Position 0 is the model at rest.
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
                short_name(motion, &self.assets.model)
            ),
            None => "at rest".to_owned(),
        };
        self.assets.motion = motion;
        Ok(text)
    }

    /// Returns the position of the motion that the command line names.
    fn place_of_given(&self, motions: &[MotionSource]) -> usize {
        // Compares canonical paths, so the spelling of a folder does not matter.
        let whole = |motion: &MotionSource| {
            let file = motion.file.as_ref().map(|path| path.canonicalize().ok());
            (file, motion.number)
        };
        let given = self.assets.motion.as_ref().map(whole);
        let at = given.and_then(|given| motions.iter().position(|motion| whole(motion) == given));
        at.map_or(0, |at| at + 1)
    }

    fn fitting(&self, shown: &Player) -> Result<Vec<MotionSource>> {
        if shown.scene.objects.is_empty() {
            return Ok(Vec::new());
        }
        let mut fitting = Vec::new();
        let own = shown.motions().enumerate();
        let own = own.filter(|(_, motion)| shown.fits(motion));
        fitting.extend(own.map(|(number, _)| MotionSource { file: None, number }));
        for path in in_folder(&self.assets.model, |input| input == Input::Motion)? {
            // A damaged file counts as one that does not fit.
            let Ok(read) = input::ninja(&path, &ninja::ascii::Settings::default()) else {
                continue;
            };
            let motions = read
                .file
                .motions()
                .filter(|motion| motion.kind == MotionKind::Model);
            let numbers = motions.enumerate().filter(|(_, motion)| shown.fits(motion));
            let file = Some(path.clone());
            fitting.extend(numbers.map(|(number, _)| MotionSource {
                file: file.clone(),
                number,
            }));
        }
        Ok(fitting)
    }
}

/// Returns a short name for a motion. A motion of the model's own file has no path; `model` supplies the
/// name.
fn short_name(motion: &MotionSource, model: &Path) -> String {
    let file = motion.file.as_deref().unwrap_or(model).file_name();
    format!("{}:{}", file.unwrap_or_default().to_string_lossy(), motion.number)
}

/// Returns the files in the folder of `path` with matching kinds, sorted by name.
fn in_folder(path: &Path, is_wanted: impl Fn(Input) -> bool) -> Result<Vec<PathBuf>> {
    let folder = folder(path);
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut files: Vec<PathBuf> = paths
        .filter(|path| Input::named(path).is_some_and(&is_wanted))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    // Removes `./`, as the command line names files in the current folder without it.
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
