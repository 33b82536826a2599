//! From a model to a picture: camera, textures in video memory, tile accelerator input, pixels.

use crate::assets::Model;
use crate::chip::Chip;
use crate::drawing::Drawing;
use crate::motions::Motions;
use anyhow::{Context, Result, bail};
use clap::{Args, Parser};
use ninja::Bams;
use pvr::container::PvrTexture;
use pvr::texture::Rgba;
use pvr::{Argb, Frame, Image, Pvr, TextureWord, reg};
use scene::{
    BoundTexture, Camera, Light, Lights, Object, Pose, Scene, Settings, Shadows, Shapes, Stats, TaLists,
    Textures, View, Viewport, draw,
};
use sh4_kernels::{Kernels, Reference};
use std::str::FromStr;

/// Vertical angle of view, radians: 45 degrees.
const FIELD_OF_VIEW: f32 = std::f32::consts::FRAC_PI_4;

/// Moments of a motion at which its model is measured.
const SAMPLES: u32 = 16;

/// How a picture is taken.
#[derive(Args, Clone, Debug)]
pub(crate) struct Shot {
    /// Width and height in pixels.
    #[arg(long, default_value = "640x480", value_name = "WxH")]
    pub(crate) size: Size,
    /// Degrees that the camera goes around the model; 0 is in front (+z), 90 to its left (+x).
    #[arg(long, default_value_t = 30.0, allow_negative_numbers = true)]
    pub(crate) yaw: f32,
    /// Degrees that the camera stands above the model.
    #[arg(long, default_value_t = 15.0, allow_negative_numbers = true)]
    pub(crate) pitch: f32,
    /// Distance of the camera in units of the model; by default the whole model is in the picture.
    #[arg(long)]
    pub(crate) distance: Option<f32>,
    /// From where the light comes, in degrees around the model and above it, counted as for the camera.
    #[arg(long, value_name = "YAW,PITCH", allow_hyphen_values = true, value_parser = degrees)]
    pub(crate) light: Option<[f32; 2]>,
    #[command(flatten)]
    pub(crate) drawing: Drawing,
    /// Background colour.
    #[arg(long, default_value = "303848", value_name = "RRGGBB", value_parser = colour)]
    pub(crate) background: u32,
    /// Threads that draw tiles; the picture is the same with any number.
    #[arg(long, default_value_t = 2)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) chip: Chip,
}

/// The options of a picture alone.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    shot: Shot,
}

impl Shot {
    /// From options as on the command line; what is not among them has its default.
    pub(crate) fn parse(options: &[&str]) -> Result<Self> {
        let options = ["picture"].iter().chain(options);
        Ok(Options::try_parse_from(options)
            .context("options of a picture")?
            .shot)
    }
}

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (width, height) = text
            .split_once('x')
            .ok_or("expected WIDTHxHEIGHT, such as 640x480")?;
        let number = |text: &str| text.parse::<u32>().map_err(|error| format!("{text}: {error}"));
        Ok(Self {
            width: number(width)?,
            height: number(height)?,
        })
    }
}

/// `RRGGBB`, opaque.
pub(crate) fn colour(text: &str) -> Result<u32, String> {
    match u32::from_str_radix(text, 16) {
        Ok(rgb) if text.len() == 6 => Ok(0xFF00_0000 | rgb),
        _ => Err("expected six hexadecimal digits, such as 303848".to_owned()),
    }
}

fn degrees(text: &str) -> Result<[f32; 2], String> {
    let angles: Option<Vec<f32>> = text.split(',').map(|angle| angle.trim().parse().ok()).collect();
    match angles.as_deref() {
        Some(&[yaw, pitch]) if yaw.is_finite() && pitch.is_finite() => Ok([yaw, pitch]),
        _ => Err("expected two angles in degrees, such as -30,45".to_owned()),
    }
}

/// The default lights, the one with a direction shining from where `shot` wants it.
fn lights(shot: &Shot) -> Lights {
    let mut lights = Lights::default();
    if let Some(angles) = shot.light {
        let colour = lights.list.first().map_or([1.0; 3], |light| light.colour);
        lights.list = vec![Light::directional(direction(angles), colour)];
    }
    lights
}

/// The unit vector to a place on a sphere: `yaw` degrees around from +z to +x, `pitch` degrees above.
pub(crate) fn direction([yaw, pitch]: [f32; 2]) -> [f32; 3] {
    let (sin_yaw, cos_yaw) = yaw.to_radians().sin_cos();
    let (sin_pitch, cos_pitch) = pitch.to_radians().sin_cos();
    [sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch]
}

/// What a frame gave.
pub(crate) struct Picture {
    pub(crate) image: Image,
    /// The tile accelerator's input.
    pub(crate) blocks: Vec<[u32; 8]>,
    pub(crate) stats: Stats,
    /// What the chip does not do yet, and was asked for.
    pub(crate) chip: Vec<pvr::Warning>,
}

impl Picture {
    /// The next picture, with the counts and warnings of both.
    pub(crate) fn and(self, mut next: Self) -> Self {
        next.stats.add(&self.stats);
        next.chip.extend(self.chip);
        next.chip.dedup();
        next
    }
}

/// A model whose textures lie in video memory.
pub(crate) struct Stage {
    pub(crate) scene: Scene,
    frame: Frame,
    size: Size,
    threads: usize,
}

impl Stage {
    /// Uploads the textures, sets the motions and puts the camera where `shot` wants it.
    pub(crate) fn new(model: &Model, shot: &Shot, motions: &Motions) -> Result<Self> {
        let Size { width, height } = shot.size;
        let mut frame = Frame::new(width, height, shot.chip.settings()?)?;
        frame.set_background(Argb(shot.background));
        let mut bound = Vec::new();
        for (number, texture) in model.textures.iter().enumerate() {
            let texture = texture.as_ref().filter(|texture| {
                let paletted = texture.data_format.palette_index().is_some();
                if paletted {
                    eprintln!(
                        "warning: texture {number} needs a palette, and palettes are not loaded yet: not used"
                    );
                }
                !paletted
            });
            bound.push(
                texture
                    .map(|texture| upload(&mut frame, texture, None))
                    .transpose()?,
            );
        }
        let textures = Textures {
            bound,
            checker: upload(&mut frame, &checker()?, None)?,
        };
        let mut objects: Vec<Object> = model.file.models().cloned().map(Object::new).collect();
        if objects.is_empty() {
            bail!("the file holds no chunk model (NJCM or N2CM)");
        }
        let camera = Camera {
            target: [0.0; 3],
            yaw: Bams(0),
            pitch: Bams(0),
            distance: 0.0,
            roll: Bams(0),
        };
        let viewport = Viewport::new(width, height, FIELD_OF_VIEW, f32::NEG_INFINITY);
        motions.set(&mut objects)?;
        let settings = Settings {
            shadows: Shadows::wanted(objects.iter().map(Object::tree)),
            ..Settings::default()
        };
        let view = View {
            camera,
            viewport,
            lights: shot.drawing.lights(lights(shot)),
            settings: shot.drawing.settings(settings),
            textures,
        };
        let mut stage = Self {
            scene: Scene { view, objects },
            frame,
            size: shot.size,
            threads: shot.threads,
        };
        stage.frame_model(shot)?;
        Ok(stage)
    }

    /// Puts the camera so that the whole model is in the picture, wherever its motion takes it.
    fn frame_model(&mut self, shot: &Shot) -> Result<()> {
        let bounds = self.bounds()?;
        if !bounds.iter().flatten().all(|c| c.is_finite()) {
            bail!("the model's vertices are not finite numbers, so there is no place to look at it from");
        }
        let target = [0, 1, 2].map(|k| (bounds[0][k] + bounds[1][k]) / 2.0);
        let fit = Fit::new(bounds, self.size, shot);
        let distance = shot.distance.unwrap_or(fit.distance);
        let degrees = |angle: f32| Bams::from_degrees(f64::from(angle));
        self.scene.view.camera = Camera {
            target,
            yaw: degrees(shot.yaw),
            pitch: degrees(shot.pitch),
            distance,
            roll: Bams(0),
        };
        let near = (distance - fit.radius).max(distance * 0.01) * 0.5;
        self.scene.view.viewport = Viewport::new(self.size.width, self.size.height, FIELD_OF_VIEW, near);
        Ok(())
    }

    /// Draws the frame; `overlay` may add to the lists.
    pub(crate) fn draw(
        &mut self,
        kernels: &mut dyn Kernels,
        overlay: impl FnOnce(&mut dyn Kernels, &mut TaLists) -> Result<()>,
    ) -> Result<Picture> {
        let mut lists = TaLists::default();
        let stats = self.lists(kernels, &mut lists)?;
        overlay(kernels, &mut lists)?;
        let blocks = lists.blocks();
        self.frame.begin();
        let shadows = self.scene.view.settings.shadows.register();
        self.frame.pvr_mut().write_register(reg::FPU_SHAD_SCALE, shadows);
        for block in &blocks {
            self.frame.block(block);
        }
        let image = self.frame.render(self.threads)?;
        let chip = self.frame.warnings().to_vec();
        Ok(Picture {
            image,
            blocks,
            stats,
            chip,
        })
    }

    /// Lowest and highest coordinates at up to [`SAMPLES`] moments of the motions, the clock being at 0 afterwards.
    fn bounds(&mut self) -> Result<[[f32; 3]; 2]> {
        let length = self.scene.length();
        let step = length.div_ceil(SAMPLES).max(1);
        let mut stats = Stats::default();
        for frame in (0..length.max(1)).step_by(step as usize) {
            self.scene.seek(frame as f32);
            stats.add(&self.lists(&mut Reference, &mut TaLists::default())?);
        }
        self.scene.seek(0.0);
        Ok(stats.bounds.unwrap_or([[-1.0; 3], [1.0; 3]]))
    }

    /// The scene as it is now, for the tile accelerator.
    pub(crate) fn lists(&self, kernels: &mut dyn Kernels, lists: &mut TaLists) -> Result<Stats> {
        self.scene.draw(kernels, lists).map_err(|(index, error)| {
            let chunk = self.scene.objects[index].tree().kind.chunk_id();
            anyhow::Error::new(error).context(format!("{chunk}, model {index}"))
        })
    }

    /// The chip and the size of the frame that it drew last, for looking into it.
    pub(crate) fn chip(&mut self) -> Result<(&mut Pvr, (u32, u32))> {
        // Wider frames are drawn in bands, of which the last one is left.
        if self.size.width > 992 {
            bail!(
                "a frame of {} pixels, expected at most 992 to look into",
                self.size.width
            );
        }
        Ok((self.frame.pvr_mut(), (self.size.width, self.size.height)))
    }

    /// The frame, for what is drawn over the models.
    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        &mut self.frame
    }

    /// Changes what is behind everything.
    pub(crate) fn set_background(&mut self, colour: Argb) {
        self.frame.set_background(colour);
    }

    /// Puts one more texture into video memory.
    pub(crate) fn upload(&mut self, texture: &PvrTexture) -> Result<BoundTexture> {
        upload(&mut self.frame, texture, None)
    }
}

/// Draws a file's trees into nothing, to find what cannot be drawn.
pub(crate) fn check(file: &ninja::File) -> Result<()> {
    let checker = BoundTexture {
        word: TextureWord(0),
        width: 8,
        height: 8,
    };
    let view = View {
        camera: Camera {
            target: [0.0; 3],
            yaw: Bams(0),
            pitch: Bams(0),
            distance: 0.0,
            roll: Bams(0),
        },
        viewport: Viewport::new(8, 8, FIELD_OF_VIEW, f32::NEG_INFINITY),
        lights: Lights::default(),
        settings: Settings::default(),
        textures: Textures {
            bound: Vec::new(),
            checker,
        },
    };
    for (index, tree) in file.models().enumerate() {
        draw(
            tree,
            &Pose::rest(tree),
            &Shapes::none(),
            &view,
            &mut Reference,
            &mut TaLists::default(),
        )
        .with_context(|| format!("{}, model {index}", tree.kind.chunk_id()))?;
    }
    Ok(())
}

/// From where a box is seen whole.
struct Fit {
    /// Half the box's diagonal.
    radius: f32,
    /// From its middle to the camera.
    distance: f32,
}

impl Fit {
    /// Room that is left around the model, as a share of it.
    const MARGIN: f32 = 1.06;

    fn new([low, high]: [[f32; 3]; 2], size: Size, shot: &Shot) -> Self {
        let half = [0, 1, 2].map(|k| ((high[k] - low[k]) / 2.0).max(f32::MIN_POSITIVE));
        let (sin_yaw, cos_yaw) = shot.yaw.to_radians().sin_cos();
        let (sin_pitch, cos_pitch) = shot.pitch.to_radians().sin_cos();
        let tangent = (FIELD_OF_VIEW / 2.0).tan();
        let smaller = size.width.min(size.height) as f32;
        let [wide, high] = [size.width, size.height].map(|side| tangent * side as f32 / smaller);
        let mut distance = 0.0_f32;
        for corner in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|k| if corner >> k & 1 == 0 { -half[k] } else { half[k] });
            let (x, z) = (x * cos_yaw - z * sin_yaw, x * sin_yaw + z * cos_yaw);
            let (y, z) = (y * cos_pitch - z * sin_pitch, y * sin_pitch + z * cos_pitch);
            distance = distance.max(z + Self::MARGIN * (x.abs() / wide).max(y.abs() / high));
        }
        let radius = half.iter().map(|c| c * c).sum::<f32>().sqrt();
        Self { radius, distance }
    }
}

/// Puts a texture into video memory; `bank` beats the palette bank that its file names.
pub(crate) fn upload(frame: &mut Frame, texture: &PvrTexture, bank: Option<u32>) -> Result<BoundTexture> {
    let bank = bank.or(texture.palette_bank()).unwrap_or(0);
    let address = frame.upload_texture(&texture.data, 32)?;
    let bits = texture.tsp_size_bits();
    Ok(BoundTexture {
        word: TextureWord(texture.tcw(address, bank)),
        width: 8 << (bits >> 3 & 7),
        height: 8 << (bits & 7),
    })
}

/// The stand-in for a texture that is missing: light and dark squares with a tinge that no artist picks.
pub(crate) fn checker() -> Result<PvrTexture> {
    use pvr::container::{PvrDataFormat, PvrPixelFormat};
    let side = 64;
    let texel = |i: u32| {
        if (i % side / 16 + i / side / 16).is_multiple_of(2) {
            0xFFF0_E8F0
        } else {
            0xFFB0_80B0
        }
    };
    let image = Rgba {
        width: side,
        height: side,
        texels: (0..side * side).map(texel).collect(),
    };
    Ok(PvrTexture::from_image(
        &image,
        PvrPixelFormat::Rgb565,
        PvrDataFormat::Twiddled,
    )?)
}

/// Tells of everything that was drawn differently from what the model asks for.
pub(crate) fn print_warnings(name: &str, picture: &Picture) {
    for warning in &picture.chip {
        eprintln!("{name}: warning: {warning}");
    }
    for (warning, times) in &picture.stats.warnings {
        eprintln!("{name}: warning: {warning} ({times} times)");
    }
}
