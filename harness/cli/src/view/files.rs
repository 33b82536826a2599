//! The files that the viewer shows: loaded again when they change, their neighbours in the folder, and the
//! motions that fit.

use crate::frame::assets::open;
use crate::input;
use anyhow::{Context, Result, bail};
use convert::Ambient;
use ninja::MotionKind;
use player::{Assets, Input, MotionSource, Options, Player, folder, has_extension};
use settings::Table as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Time between two looks at the files.
const WATCH: Duration = Duration::from_millis(500);

/// Extensions of files that have nothing to show by themselves, and of pictures that are not read.
const PARTS: [&str; 7] = ["csj", "csa", "njt", "nat", "njl", "njc", "psd"];

/// The file that is shown, and how.
pub(crate) struct ViewFiles {
    assets: Assets,
    options: Options,
    /// The files of the command line.
    first: Assets,
    /// Names of motions that fit the model, made when they are first asked for, and which of them plays.
    motions: Option<Vec<MotionSource>>,
    playing: Option<usize>,
    /// Why the motions of the file's own no longer play.
    lost: Option<String>,
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

    /// The file that is shown.
    pub(super) fn name(&self) -> String {
        self.assets.model.display().to_string()
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
    pub(super) fn load(&mut self) -> Result<Player> {
        // Taken before reading: what changes meanwhile is loaded again.
        self.seen = versions();
        self.lost = None;
        let loaded = open(&self.assets, &self.options).or_else(|error| self.load_at_rest(error));
        let known: Vec<PathBuf> = self.seen.iter().map(|(path, _)| path.clone()).collect();
        let new = versions().into_iter().filter(|(path, _)| !known.contains(path));
        self.seen.extend(new);
        loaded
    }

    /// Loads a file without the motions of its own, which may be gone from it.
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
        // An error that the motions do not cause stays.
        let Ok(loaded) = loaded else { return Err(error) };
        self.assets = still;
        self.playing = None;
        self.lost = Some(format!("{error:#}"));
        Ok(loaded)
    }

    /// Returns why motions of the file's own were left out by the last load.
    pub(super) fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    /// Looks for motions anew when they are next asked for.
    pub(super) fn forget_motions(&mut self) {
        (self.motions, self.playing) = (None, None);
    }

    /// Goes to the next rule for the ambient colours of a scene. Returns its name.
    ///
    /// # Errors
    /// If the file is no scene.
    pub(super) fn next_ambient(&mut self) -> Result<String> {
        if !Input::named(&self.assets.model).is_some_and(Input::is_scene) {
            bail!("only scenes have rules of ambient colours; --ambient-light sets the light");
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

    /// Goes to the next choice of the chip's setting `texel_offset`. Returns its name.
    ///
    /// # Errors
    /// If the setting takes no other choice.
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

    /// Goes to the file that is `by` places further in the folder, around its end.
    ///
    /// # Errors
    /// If the folder cannot be read or holds no other file that can be shown.
    pub(super) fn go(&mut self, by: isize) -> Result<()> {
        let mut files = in_folder(&self.assets.model, |input| input::takes("view", input))?;
        files.retain(|path| !PARTS.iter().any(|extension| has_extension(path, extension)));
        files.retain(|path| !path.canonicalize().is_ok_and(|path| self.written.contains(&path)));
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

    /// Leaves out a picture that was written.
    pub(super) fn leave_out(&mut self, path: PathBuf) {
        self.written.extend(path.canonicalize().ok());
    }

    /// Goes to the next motion or the one before: of the file's own, then of the motion files of its folder;
    /// those that fit. Behind the last the model is at rest. Tells which motion it is.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn switch_motion(&mut self, by: isize, shown: &Player) -> Result<String> {
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
                short_name(motion, &self.assets.model)
            ),
            None => "at rest".to_owned(),
        };
        self.assets.motion = motion;
        Ok(text)
    }

    /// The place of the motion that the command line names.
    fn place_of_given(&self, motions: &[MotionSource]) -> usize {
        // However the folder is written.
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
            // A damaged file among others is none of those that fit.
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

/// A motion for a line of text; `model` is the file without another one.
fn short_name(motion: &MotionSource, model: &Path) -> String {
    let file = motion.file.as_deref().unwrap_or(model).file_name();
    format!("{}:{}", file.unwrap_or_default().to_string_lossy(), motion.number)
}

/// The files in the folder of `path` whose names stand for some kinds, by name.
fn in_folder(path: &Path, is_wanted: impl Fn(Input) -> bool) -> Result<Vec<PathBuf>> {
    let folder = folder(path);
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut files: Vec<PathBuf> = paths
        .filter(|path| Input::named(path).is_some_and(&is_wanted))
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
