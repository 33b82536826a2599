//! Reads the files of a player and collects their warnings.

use crate::error::At;
use crate::error::{Result, bail};
use crate::files::read_ninja;
use crate::textures::TextureSet;
use crate::{Assets, Files, Input, Options, Warning, flat};
use crate::{conversion, textures::take_requested};
use ninja::{File, MotionKind, ascii};
use std::fmt::Display;
use std::path::Path;

/// Reader of a player's files, with the warnings until now.
pub(crate) struct Loader<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) assets: &'a Assets,
    pub(crate) options: &'a Options,
    /// Names of the model's nodes in drawing order; empty if the file has no names.
    pub(crate) nodes: Vec<String>,
    pub(crate) warnings: Vec<Warning>,
}

impl Loader<'_> {
    /// Name of the model, for messages.
    pub(crate) fn name(&self) -> String {
        self.assets.model.display().to_string()
    }

    /// Reads a Ninja file.
    pub(crate) fn ninja(&mut self, path: &Path) -> Result<File> {
        let bytes = self.files.read(path)?;
        self.parse(path, &bytes)
    }

    fn parse(&mut self, path: &Path, bytes: &[u8]) -> Result<File> {
        let read = read_ninja(path, bytes, &ascii::Settings::default())?;
        self.warnings.extend(read.warnings);
        Ok(read.file)
    }

    pub(crate) fn warn_all<T: Display>(&mut self, name: &str, warnings: impl IntoIterator<Item = T>) {
        let warnings = warnings.into_iter().map(|warning| Warning::new(name, warning));
        self.warnings.extend(warnings);
    }

    fn warn_of_scene(&mut self, name: &str, warnings: &[convert::Warning]) {
        let warnings = warnings.iter().map(|warning| Warning {
            is_notice: warning.is_notice,
            ..Warning::new(name, warning)
        });
        self.warnings.extend(warnings);
    }

    /// Returns the model file and its textures.
    pub(crate) fn load(&mut self, input: Input, bytes: &[u8]) -> Result<(File, TextureSet)> {
        let assets = self.assets;
        let path = &assets.model;
        let paths = std::slice::from_ref(path);
        if input.is_scene() {
            return self.convert(input, bytes);
        }
        if !input.is_flat() {
            let file = self.parse(path, bytes)?;
            let textures = TextureSet::find(self.files, paths, &file, assets)?;
            return Ok((file, textures));
        }
        if let Some(other) = assets
            .textures
            .iter()
            .find(|path| Input::named(path) != Some(Input::Palette))
        {
            bail!("--textures {}: no effect on a texture", other.display());
        }
        let (file, names, textures) = flat::load(path, bytes, input)?;
        let textures = TextureSet::new(self.files, paths, names, textures, Vec::new(), assets)?;
        Ok((file, textures))
    }

    /// Converts a scene to a Ninja file with its model, followed by its motions and shapes. The textures in
    /// [`Assets::textures`] override the scene's own textures.
    fn convert(&mut self, input: Input, bytes: &[u8]) -> Result<(File, TextureSet)> {
        let (files, assets) = (self.files, self.assets);
        let path = &assets.model;
        let conversion = conversion::read(files, assets, self.options, input, bytes)?;
        self.warn_of_scene(&self.name(), &conversion.warnings);
        let nodes = conversion.report.nodes.iter().map(|node| node.name.clone());
        self.nodes = nodes.collect();
        let (file, mut set) = scene_files(&conversion).at(path.display())?;
        take_requested(files, &assets.textures, &set.names, &mut set.textures)?;
        let paths = std::slice::from_ref(path);
        let set = TextureSet::new(files, paths, set.names, set.textures, set.banks, assets)?;
        Ok((file, set))
    }

    /// Converts all animation stacks of a scene and returns their motions. `kind` selects motions of the
    /// model's nodes, of the scene's cameras or of its lights.
    pub(crate) fn motions_of_scene(&mut self, path: &Path, model: &File, kind: MotionKind) -> Result<File> {
        let (files, name) = (self.files, path.display().to_string());
        let bytes = files.read(path)?;
        let list = |folder: &Path| files.list(folder).ok();
        let search = convert::Search::with(path, &[], &list);
        let mut find = |texture: &str| files.read(&search.find(texture)?).ok();
        let options = convert::Options {
            format: Input::of(path, &bytes).scene_format(),
            stacks: convert::Stacks::All,
            ..self.options.scene.clone()
        };
        if kind != MotionKind::Model {
            let conversion = convert::convert(&bytes, &options, &mut find).at(&name)?;
            let views = conversion.views.into_iter();
            return Ok(File::new(views.flat_map(|view| view.file.chunks).collect()));
        }
        let Some(tree) = model.models().next() else {
            bail!("{name}: {} has no model that its motions could move", self.name());
        };
        let names = (!self.nodes.is_empty()).then(|| self.nodes.clone());
        let skeleton = convert::Skeleton::new(tree, names).at(self.name())?;
        let converted = convert::onto(&bytes, &options, &mut find, &skeleton);
        let converted = converted.at(format_args!("{name} onto {}", self.name()))?;
        self.warn_of_scene(&name, &converted.warnings);
        let motions = converted.motions.into_iter();
        Ok(File::new(motions.flat_map(|motion| motion.file.chunks).collect()))
    }

    /// Returns the end of an error message: the model's nodes from index `first`, for which a motion has no
    /// entry. Empty if the nodes have no names.
    pub(crate) fn nodes_from(&self, first: usize) -> String {
        /// Maximum number of names in a message.
        const SHOWN: usize = 8;
        let nodes = self.nodes.get(first..).unwrap_or_default();
        let names = nodes.iter().take(SHOWN).map(String::as_str);
        let names = names.collect::<Vec<_>>().join(", ");
        match nodes.len() {
            0 => String::new(),
            count if count > SHOWN => {
                format!(", whose nodes {names} and {} more have no entry", count - SHOWN)
            }
            _ => format!(", whose nodes {names} have no entry"),
        }
    }
}

impl Input {
    /// Returns the converter's format for this kind; `None` if this is not a scene.
    pub fn scene_format(self) -> Option<convert::SceneFormat> {
        match self {
            Self::Fbx => Some(convert::SceneFormat::Fbx),
            Self::Gltf => Some(convert::SceneFormat::Gltf),
            Self::Obj => Some(convert::SceneFormat::Obj),
            _ => None,
        }
    }
}

/// Merges the chunks of all files of a conversion into one file, and collects the textures of its texture
/// list.
///
/// # Errors
/// If the archive of the conversion cannot be read.
pub fn scene_files(conversion: &convert::Conversion) -> Result<(File, TextureSet)> {
    let motions = conversion.motions.iter().map(|motion| &motion.file);
    let views = conversion.views.iter().map(|view| &view.file);
    let files = motions.chain(&conversion.shapes).chain(views);
    let mut file = conversion.model.clone();
    file.chunks.extend(files.flat_map(|file| file.chunks.clone()));
    let entries = match &conversion.archive {
        Some(bytes) => pvr::container::read_pvm(bytes)?,
        None => Vec::new(),
    };
    let listed = file.texlist().into_iter().flat_map(|list| &list.names);
    let names: Vec<String> = listed.map(|name| name.name_lossy().into_owned()).collect();
    let texture = |name: &String| {
        let is_named = |found: &String| found.eq_ignore_ascii_case(name);
        let mut entries = entries.iter();
        let entry = entries.find(|entry| entry.name.as_ref().is_some_and(is_named));
        entry.map(|entry| entry.texture.clone())
    };
    let textures = names.iter().map(texture).collect();
    let set = TextureSet {
        names,
        textures,
        ..TextureSet::default()
    };
    Ok((file, set))
}
