//! Cell sprites with their streams and motions.

use crate::camera::{FIELD_OF_VIEW, camera};
use crate::error::{At, Result, bail, counted};
use crate::loader::Loader;
use crate::motions::spline_note;
use crate::options::bams;
use crate::screen::Screen;
use crate::textures::TextureSet;
use crate::{CellSpace, Options, Warning};
use ninja::{Chunk, File, MotionKind};
use scene::{
    Camera, CellSprite, CellStats, CellWarnings, Events, Kernels, PlayMode, Settings, Shadows, SpriteMotion,
    SpriteSpace, SpriteValue, StreamId, StreamList, TaLists, Textures, View, draw_sprite_2d, draw_sprite_3d,
};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A user event of a cell stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellEvent {
    /// Time in the stream list.
    pub time: i32,
    /// Stream that sends the event.
    pub stream: StreamId,
    /// Number of the event.
    pub id: u16,
    /// Words of the event.
    pub words: Vec<u32>,
}

/// A cell sprite with its streams and motions.
pub(crate) struct SpriteLayer {
    name: String,
    sprite: CellSprite,
    list: StreamList,
    motion: Option<SpriteMotion>,
    /// Second motion and its weight.
    link: Option<(SpriteMotion, f32)>,
    mode: PlayMode,
    settings: Settings,
    pub(crate) textures: Textures,
    space: CellSpace,
    /// Number of frames after which all streams have played once.
    stream_length: u32,
    /// Last drawn time of the list; `None` before the first frame.
    shown: Option<i32>,
    pub(crate) stats: CellStats,
    warnings: BTreeSet<String>,
}

impl SpriteLayer {
    /// Reads a sprite, its streams and its motion from `paths`, and copies its textures to `screen`. If
    /// `without_model` is set, the motions of [`crate::Assets`] move the sprite.
    pub(crate) fn load(
        loader: &mut Loader<'_>,
        paths: &[PathBuf],
        without_model: bool,
        options: &Options,
        screen: &mut Screen,
    ) -> Result<Self> {
        let settings = options.rules(Shadows::default());
        let whole = read(loader, paths)?;
        let name = paths
            .first()
            .map_or(String::new(), |path| path.display().to_string());
        let sprite = sprite(&whole).at(&name)?;
        let mut list = StreamList::with_settings(&sprite, settings.streams);
        let stream_length = add_streams(&whole, &mut list).at(&name)?;
        let bound = |motion: &ninja::Motion| {
            let motion = SpriteMotion::new(motion, options.last_key).at(&name)?;
            Result::Ok(motion.with_spline_angles(settings.spline_angles))
        };
        let assets = loader.assets;
        let kind = MotionKind::CellSprite;
        let motion = match &assets.motion {
            Some(source) if without_model => Some(source.motion(loader, &whole, kind)?.1),
            _ => own_motion(&whole, without_model).at(&name)?,
        };
        let link = match assets.link.as_ref().filter(|_| without_model) {
            Some((source, share)) => Some((bound(&source.motion(loader, &whole, kind)?.1)?, *share)),
            None => None,
        };
        let set = TextureSet::find(loader.files, paths, &whole, assets)?;
        let textures = screen.bind(&set, &name, &mut loader.warnings).at(&name)?;
        let motion = motion.as_ref().map(bound).transpose()?;
        let motions = || motion.iter().chain(link.iter().map(|(motion, _)| motion));
        let unusual = motions().flat_map(|motion| lines(motion.warnings()));
        let splines = motions().find_map(SpriteMotion::spline_angles).map(spline_note);
        loader.warn_all(&name, unusual.chain(splines));
        Ok(Self {
            motion,
            link,
            name,
            sprite,
            list,
            mode: options.mode,
            settings,
            textures,
            space: options.cell_space,
            stream_length,
            shown: None,
            stats: CellStats::default(),
            warnings: BTreeSet::new(),
        })
    }

    /// Returns a camera that shows the whole sprite, even if its cells rotate.
    pub(crate) fn camera(&self, options: &Options) -> Camera {
        /// Smaller side of the picture, as a multiple of the cells' largest distance from the origin.
        const ROOM: f32 = 1.06;
        let [scale_x, scale_y] = self.sprite.value.scale;
        let reach = |cell: &ninja::Cell| {
            let ([x, y], [w, h]) = (cell.offset, cell.size);
            ((x.abs() + w.abs()) * scale_x).hypot((y.abs() + h.abs()) * scale_y)
        };
        let radius = self
            .sprite
            .cells
            .iter()
            .map(reach)
            .fold(f32::MIN_POSITIVE, f32::max);
        let fitting = ROOM * (radius / (FIELD_OF_VIEW / 2.0).tan());
        let distance = options.distance.unwrap_or(fitting);
        camera(self.sprite.value.pos, options.angles().map(bams), distance)
    }

    fn motions(&self) -> impl Iterator<Item = &SpriteMotion> {
        self.motion
            .iter()
            .chain(self.link.iter().map(|(motion, _)| motion))
    }

    /// Number of frames of the longer motion; 0 without motions.
    pub(crate) fn motion_length(&self) -> u32 {
        self.motions().map(SpriteMotion::length).max().unwrap_or(0)
    }

    /// Number of frames after which all streams and motions have played once.
    pub(crate) fn length(&self) -> u32 {
        self.stream_length.max(self.motion_length())
    }

    /// Returns whether a spline motion has keys for angles.
    pub(crate) fn has_spline_angles(&self) -> bool {
        self.motions().any(|motion| motion.spline_angles().is_some())
    }

    /// Draws the sprite at the whole part of `frame`. Returns the user events of this frame, unless it was
    /// also the last drawn one.
    pub(crate) fn draw(
        &mut self,
        frame: f32,
        view: &View,
        kernels: &mut dyn Kernels,
        lists: &mut TaLists,
    ) -> Result<Vec<CellEvent>> {
        let to_view = view.camera.view(kernels)?;
        let events = self.play(frame as i32)?;
        let value = self.value(frame.trunc(), kernels)?;
        let space = SpriteSpace {
            to_view,
            viewport: view.viewport,
            far: f32::INFINITY,
        };
        let (words, textures, settings) = (self.list.words(), &self.textures, &self.settings.cells);
        self.stats = match self.space {
            CellSpace::Screen => draw_sprite_2d(words, &value, textures, settings, kernels, lists)?,
            CellSpace::World => draw_sprite_3d(words, &value, &space, textures, settings, kernels, lists)?,
        };
        self.warnings.extend(lines(&self.stats.warnings));
        Ok(events)
    }

    /// Moves the streams to `time` and returns the events of this time. Seeks to the time before it if
    /// necessary, because only a step sends events.
    fn play(&mut self, time: i32) -> Result<Vec<CellEvent>> {
        let mut found = Vec::new();
        if self.shown == Some(time) {
            return Ok(found);
        }
        let mut events = Events::new();
        events.on_any(|event| {
            found.push(CellEvent {
                time: event.time,
                stream: event.stream,
                id: event.id,
                words: event.words.to_vec(),
            });
        });
        if time <= 0 {
            self.list.reset();
            self.list.advance(0, &mut events);
        } else {
            if self.shown != Some(time - 1) {
                self.list.seek(time - 1)?;
            }
            self.list.advance(1, &mut events);
        }
        drop(events);
        self.shown = Some(time);
        Ok(found)
    }

    /// Returns the sprite's position and angle at `frame`. Outside the frames of a motion that plays once,
    /// the file's values apply (docs/formats/ninja.md 2.5).
    fn value(&self, frame: f32, kernels: &mut dyn Kernels) -> Result<SpriteValue> {
        let one = |motion: Option<&SpriteMotion>, kernels: &mut dyn Kernels| {
            let mut value = self.sprite.value;
            if let Some(motion) = motion
                && let Some(frame) = self.mode.frame(frame, motion.length())
            {
                motion.apply(frame, &mut value, kernels)?;
            }
            Result::Ok(value)
        };
        let first = one(self.motion.as_ref(), kernels)?;
        let Some((motion, share)) = &self.link else {
            return Ok(first);
        };
        let second = one(Some(motion), kernels)?;
        Ok(first.blend(&second, *share, kernels)?)
    }

    /// Warnings of all frames drawn until now, without duplicates.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = Warning> {
        let of_list = lines(self.list.warnings()).into_iter();
        let all = of_list.chain(self.warnings.iter().cloned());
        all.map(|line| Warning::new(&self.name, line))
    }
}

fn lines(warnings: &CellWarnings) -> Vec<String> {
    let line = |(warning, times): (&scene::CellWarning, &usize)| counted(warning, *times);
    warnings.iter().map(line).collect()
}

/// Merges the chunks of all files. The sprite's file is first, because its texture list is used.
fn read(loader: &mut Loader<'_>, paths: &[PathBuf]) -> Result<File> {
    let mut whole = File::default();
    for path in paths {
        let chunks = loader.ninja(path)?.chunks;
        let is_of_sprites = |chunk: &Chunk| match chunk {
            Chunk::CellSprite(_) | Chunk::CellStream(_) | Chunk::Texlist(_) => true,
            Chunk::Motion(motion) => motion.kind == MotionKind::CellSprite,
            _ => false,
        };
        if !chunks.iter().any(is_of_sprites) {
            bail!(
                "{}: found no cell sprite, stream, sprite motion or texture list",
                path.display()
            );
        }
        let holds_sprite = chunks.iter().any(|chunk| matches!(chunk, Chunk::CellSprite(_)));
        let at = if holds_sprite { 0 } else { whole.chunks.len() };
        whole.chunks.splice(at..at, chunks);
    }
    Ok(whole)
}

fn sprite(file: &File) -> Result<CellSprite> {
    let mut sprites = file.chunks.iter().filter_map(|chunk| match chunk {
        Chunk::CellSprite(sprite) => Some(CellSprite::from(sprite)),
        _ => None,
    });
    match (sprites.next(), sprites.next()) {
        (Some(sprite), None) => Ok(sprite),
        (None, _) => bail!("found no cell sprite (NJSP)"),
        _ => bail!("found more than one cell sprite (NJSP), expected one in all files together"),
    }
}

/// Returns the sprite motion in the sprite's own files.
fn own_motion(whole: &File, can_choose: bool) -> Result<Option<ninja::Motion>> {
    let kind = MotionKind::CellSprite;
    let mut motions = whole.motions().filter(|motion| motion.kind == kind);
    let motion = motions.next().cloned();
    let more = motions.count();
    if more > 0 {
        let how = if can_choose {
            "; choose one by --motion :N"
        } else {
            ""
        };
        bail!("{} sprite motions (NCSM), expected one{how}", more + 1);
    }
    Ok(motion)
}

/// Adds all streams to `list` in the order of files and chunks. The order decides between events at equal
/// times (docs/formats/cell-sprite.md 4). Returns the number of frames after which all streams have played
/// once.
fn add_streams(file: &File, list: &mut StreamList) -> Result<u32> {
    let streams = file.chunks.iter().filter_map(|chunk| match chunk {
        Chunk::CellStream(stream) => Some(stream),
        _ => None,
    });
    let mut end = 0;
    for stream in streams {
        list.add(stream)?;
        end = end.max(i64::from(stream.time_offset) + i64::from(stream.time_max));
    }
    Ok(u32::try_from(end).unwrap_or(0))
}
