//! Cell sprites with their streams, motion, textures and palettes, from files.

use crate::assets;
use crate::frame::{Shot, checker, upload};
use anyhow::{Context, Result, bail};
use ninja::{Chunk, MotionKind};
use pvr::container::{Palette, PvrTexture, read_pvp};
use pvr::{Argb, Frame, Image, Pvr, reg};
use scene::{
    CellSettings, CellSprite, CellStats, CellWarnings, Events, LastKey, SpriteMotion, StreamList, TaLists,
    Textures, draw_sprite_2d,
};
use sh4_kernels::Kernels;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What the punch-through list compares alpha with: half. Programs choose it; sprite files do not tell, and the chip's 0 after
/// a reset would let everything through.
const PT_ALPHA_REF: u32 = 0x80;

/// Words of PALETTE_RAM.
const PALETTE_WORDS: usize = 1024;

/// Whether a file is about a cell sprite, and not a model with one in it.
pub(crate) fn is_sprite(path: &Path) -> Result<bool> {
    if assets::has_extension(path, "spa") || assets::has_extension(path, "spj") {
        return Ok(true);
    }
    let bytes = assets::read(path)?;
    let Ok(file) = ninja::read(&bytes) else {
        return Ok(false);
    };
    let has_sprite = file
        .chunks
        .iter()
        .any(|chunk| matches!(chunk, Chunk::CellSprite(_)));
    Ok(has_sprite && file.models().next().is_none())
}

/// A sprite that plays.
pub(crate) struct Layer {
    name: String,
    sprite: CellSprite,
    list: StreamList,
    motion: Option<SpriteMotion>,
    textures: Textures,
    length: u32,
    /// Where the list stands; before the first frame nowhere.
    shown: Option<i32>,
    stats: CellStats,
    warnings: BTreeSet<String>,
}

impl Layer {
    /// A layer over a model; `None` without files.
    pub(crate) fn over(files: &[PathBuf], sources: &[PathBuf], frame: &mut Frame) -> Result<Option<Self>> {
        if files.is_empty() {
            return Ok(None);
        }
        Self::load(files, sources, frame).map(Some)
    }

    /// Reads the files, which hold one sprite, any number of streams and at most one sprite motion between them, and puts
    /// textures and palettes into `frame`.
    fn load(files: &[PathBuf], sources: &[PathBuf], frame: &mut Frame) -> Result<Self> {
        let mut whole = ninja::File::default();
        for path in files {
            whole.chunks.extend(assets::read_model(path)?.chunks);
        }
        let path = &files[0];
        let name = path.display().to_string();
        let mut sprites = whole.chunks.iter().filter_map(|chunk| match chunk {
            Chunk::CellSprite(sprite) => Some(sprite),
            _ => None,
        });
        let Some(sprite) = sprites.next() else {
            bail!("{name}: no cell sprite (NJSP) in it");
        };
        if sprites.next().is_some() {
            bail!("{name}: more than one cell sprite (NJSP), expected one in all files together");
        }
        let sprite = CellSprite::from(sprite);
        let (mut list, mut motion, mut length) = (StreamList::new(&sprite), None, 0);
        for chunk in &whole.chunks {
            match chunk {
                Chunk::CellStream(stream) => {
                    list.add(stream).with_context(|| name.clone())?;
                    length = length.max(i64::from(stream.time_offset) + i64::from(stream.time_max));
                }
                Chunk::Motion(found) if found.kind == MotionKind::CellSprite => {
                    if motion.is_some() {
                        bail!("{name}: more than one sprite motion (NCSM), expected one");
                    }
                    length = length.max(i64::from(found.nb_frame));
                    let found = SpriteMotion::new(found, LastKey::default()).with_context(|| name.clone())?;
                    motion = Some(found);
                }
                _ => {}
            }
        }
        let mut layer = Self {
            textures: Textures {
                bound: Vec::new(),
                checker: upload(frame, &checker()?, None)?,
            },
            name,
            sprite,
            list,
            motion,
            length: u32::try_from(length).unwrap_or(0),
            shown: None,
            stats: CellStats::default(),
            warnings: BTreeSet::new(),
        };
        layer.bind(path, &whole, sources, frame)?;
        frame.pvr_mut().write_register(reg::PT_ALPHA_REF, PT_ALPHA_REF);
        Ok(layer)
    }

    /// Textures and palettes, from `sources` or from beside `path`.
    fn bind(
        &mut self,
        path: &Path,
        file: &ninja::File,
        sources: &[PathBuf],
        frame: &mut Frame,
    ) -> Result<()> {
        let (palettes, pictures): (Vec<PathBuf>, Vec<PathBuf>) = sources
            .iter()
            .cloned()
            .partition(|source| assets::has_extension(source, "pvp"));
        let textures = assets::textures(path, file, &pictures)?;
        let banks: Vec<u8> = file
            .texlist()
            .map(|list| list.names.iter().map(|name| name.bank()).collect())
            .unwrap_or_default();
        let paletted = |texture: &PvrTexture| texture.data_format.palette_index().is_some();
        if textures.iter().flatten().any(paletted) {
            let palettes = if palettes.is_empty() {
                beside(path)?
            } else {
                palettes
            };
            let loaded = self.load_palettes(&palettes, frame)?;
            if !loaded {
                self.warn("its textures need a palette (.pvp), and there is none: not used".to_owned());
                self.textures.bound = vec![None; textures.len()];
                return Ok(());
            }
        }
        for (number, texture) in textures.iter().enumerate() {
            let bound = texture.as_ref().map(|texture| {
                // The list's bank beats the texture's own, which is advisory.
                let listed = banks.get(number).copied().filter(|bank| *bank > 0).map(u32::from);
                upload(frame, texture, listed)
            });
            self.textures.bound.push(bound.transpose()?);
        }
        Ok(())
    }

    /// Writes palettes into PALETTE_RAM; false if there are none. The chip has one format for all of them.
    fn load_palettes(&mut self, paths: &[PathBuf], frame: &mut Frame) -> Result<bool> {
        let mut format = None;
        for path in paths {
            let palette = read_pvp(&assets::read(path)?).with_context(|| format!("{}", path.display()))?;
            let code = palette.format()? as u32;
            if *format.get_or_insert(code) != code {
                bail!(
                    "{}: palettes of different formats, expected one for all (PAL_RAM_CTRL)",
                    path.display()
                );
            }
            load_palette(&palette, frame).with_context(|| format!("{}", path.display()))?;
        }
        if let Some(code) = format {
            frame.pvr_mut().write_register(reg::PAL_RAM_CTRL, code);
        }
        Ok(format.is_some())
    }

    /// Frames until everything has played once.
    pub(crate) fn length(&self) -> u32 {
        self.length
    }

    /// Draws the sprite as it is at a whole frame. User events on the way are printed.
    pub(crate) fn draw(&mut self, frame: f32, kernels: &mut dyn Kernels, lists: &mut TaLists) -> Result<()> {
        self.play(frame as i32)?;
        let mut value = self.sprite.value;
        if let Some(motion) = &self.motion {
            motion.apply(frame.trunc(), &mut value, kernels)?;
        }
        let settings = CellSettings::default();
        let stats = draw_sprite_2d(
            self.list.words(),
            &value,
            &self.textures,
            &settings,
            kernels,
            lists,
        )?;
        let lines = lines(&stats.warnings);
        self.stats = stats;
        self.warnings.extend(lines);
        Ok(())
    }

    /// Moves the streams to `time`, from the time before so that the events of this one are delivered.
    fn play(&mut self, time: i32) -> Result<()> {
        let mut print = Events::new();
        print.on_any(|event| {
            let words: Vec<String> = event.words.iter().map(|word| format!("{word:#010x}")).collect();
            println!(
                "time {}, stream {}: event {} [{}]",
                event.time,
                event.stream,
                event.id,
                words.join(", ")
            );
        });
        if time <= 0 {
            self.list.reset();
            self.list.advance(0, &mut print);
        } else {
            if self.shown != Some(time - 1) {
                self.list.seek(time - 1)?;
            }
            self.list.advance(1, &mut print);
        }
        self.shown = Some(time);
        Ok(())
    }

    fn warn(&mut self, line: String) {
        self.warnings.insert(line);
    }

    /// Everything that was unusual, once each.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let motion = self.motion.iter().flat_map(|motion| lines(motion.warnings()));
        let mut all: Vec<String> = lines(self.list.warnings()).into_iter().chain(motion).collect();
        all.extend(self.warnings.iter().cloned());
        all
    }

    pub(crate) fn print_warnings(&self) {
        for warning in self.warnings() {
            eprintln!("{}: warning: {warning}", self.name);
        }
    }

    /// What the last frame held.
    pub(crate) fn summary(&self) -> String {
        let CellStats {
            sprites,
            strips,
            hidden,
            outside,
            ..
        } = self.stats;
        format!("{sprites} cells as sprites, {strips} as strips, {hidden} hidden, {outside} outside")
    }
}

/// A sprite and a frame of its own.
pub(crate) struct SpriteStage {
    pub(crate) layer: Layer,
    frame: Frame,
    threads: usize,
}

/// What a sprite's frame gave.
pub(crate) struct SpritePicture {
    pub(crate) image: Image,
    /// The tile accelerator's input.
    pub(crate) blocks: Vec<[u32; 8]>,
}

impl SpriteStage {
    pub(crate) fn new(files: &[PathBuf], sources: &[PathBuf], shot: &Shot) -> Result<Self> {
        let mut frame = Frame::new(shot.size.width, shot.size.height, shot.chip.settings()?)?;
        frame.set_background(Argb(shot.background));
        let layer = Layer::load(files, sources, &mut frame)?;
        Ok(Self {
            layer,
            frame,
            threads: shot.threads,
        })
    }

    /// The chip, for looking into the frame that was drawn last.
    pub(crate) fn chip(&mut self) -> &mut Pvr {
        self.frame.pvr_mut()
    }

    pub(crate) fn draw(&mut self, frame: f32, kernels: &mut dyn Kernels) -> Result<SpritePicture> {
        let mut lists = TaLists::default();
        self.layer.draw(frame, kernels, &mut lists)?;
        let blocks = lists.blocks();
        self.frame.begin();
        for block in &blocks {
            self.frame.block(block);
        }
        let image = self.frame.render(self.threads)?;
        let chip = self.frame.warnings().iter().map(ToString::to_string);
        self.layer.warnings.extend(chip);
        Ok(SpritePicture { image, blocks })
    }
}

fn lines(warnings: &CellWarnings) -> Vec<String> {
    let line = |(warning, times): (&scene::CellWarning, &usize)| format!("{warning} ({times} times)");
    warnings.iter().map(line).collect()
}

/// The palette of a sprite's own name.
fn beside(path: &Path) -> Result<Vec<PathBuf>> {
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let found = assets::in_folder(folder, &stem.unwrap_or_default(), "pvp")?;
    Ok(found.into_iter().collect())
}

fn load_palette(palette: &Palette, frame: &mut Frame) -> Result<()> {
    let start = palette.ram_index();
    let end = start + palette.entries.len();
    if end > PALETTE_WORDS {
        bail!("palette up to entry {end}, expected at most {PALETTE_WORDS}");
    }
    for (entry, index) in palette.entries.iter().zip(start as u32..) {
        frame
            .pvr_mut()
            .write_register(reg::PALETTE_RAM + 4 * index, *entry);
    }
    Ok(())
}
