//! Textures: the list of names, and images in the chip's form.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use ninja::Tiny;
use pvr::container::{PvmEntry, PvrDataFormat, PvrPixelFormat, PvrTexture, read_pvr, write_pvm};
use pvr::texture::Rgba;

use crate::error::{Error, Warnings};
use crate::limits::{BYTE_PIXELS, SCENE_PIXELS};
use crate::options::Options;
use crate::source::{Scene, TexelAlpha, Texture};

mod memory;
mod picture;

pub use picture::{read as read_picture, read_within as read_picture_within, size as picture_size};

/// Finds a file by a path in the scene; `None` if it does not exist.
pub(crate) type Files<'a> = &'a mut dyn FnMut(&str) -> Option<Vec<u8>>;

/// The textures that materials use.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    /// Textures in the order of the texture list.
    pub(crate) entries: Vec<Entry>,
    /// Number in the list, by texture of the source.
    pub(crate) number: Vec<Option<usize>>,
    /// Width and height, by texture of the source.
    pub(crate) sizes: Vec<Option<[u32; 2]>>,
    names: Names,
    /// Set if a file was not found.
    missing: bool,
    pixels: PixelBudget,
}

/// Pixels that the pictures of a scene may still have. Materials can name one picture many times.
#[derive(Debug)]
struct PixelBudget {
    left: usize,
    /// Hashes of the files that are already counted.
    files: HashSet<u64>,
}

impl Default for PixelBudget {
    fn default() -> Self {
        Self {
            left: SCENE_PIXELS,
            files: HashSet::new(),
        }
    }
}

impl PixelBudget {
    /// Takes the pixels of a picture.
    fn take(&mut self, bytes: &[u8], path: &str) -> Result<(), String> {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        if self.files.insert(hasher.finish()) {
            self.left += BYTE_PIXELS * bytes.len();
        }
        let (width, height) = picture_size(bytes, path)?;
        let pixels = width as usize * height as usize;
        self.left = self.left.checked_sub(pixels).ok_or_else(|| {
            let left = self.left;
            format!("{width}x{height} pixels, expected at most the {left} left for the scene's pictures")
        })?;
        Ok(())
    }
}

/// Allocates names of a list, compared without regard to case. An archive stores 28 bytes per name.
#[derive(Debug, Default)]
struct Names {
    /// Used names in lower case.
    taken: HashSet<String>,
    /// Number for the next duplicate, by name in lower case.
    next: HashMap<String, u32>,
}

impl Names {
    /// Returns a unique name.
    fn free(&mut self, stem: &str) -> String {
        let cut = |most: usize| {
            let end = (0..=most.min(stem.len()))
                .rev()
                .find(|i| stem.is_char_boundary(*i));
            &stem[..end.unwrap_or(0)]
        };
        let mut name = cut(27).to_owned();
        let next = self.next.entry(cut(22).to_ascii_lowercase()).or_insert(2);
        while !self.taken.insert(name.to_ascii_lowercase()) {
            name = format!("{}_{next}", cut(22));
            *next += 1;
        }
        name
    }
}

/// One name of the texture list.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) texture: Option<PvrTexture>,
    /// Set if a texel is not opaque.
    pub(crate) alpha: bool,
}

impl Textures {
    pub(crate) fn load(
        scene: &Scene,
        options: &Options,
        files: Files<'_>,
        warnings: &mut Warnings,
    ) -> Result<Self, Error> {
        let count = scene.textures.len();
        let mut textures = Textures {
            entries: Vec::new(),
            number: vec![None; count],
            sizes: vec![None; count],
            names: Names::default(),
            missing: false,
            pixels: PixelBudget::default(),
        };
        let mut numbers: HashMap<(String, TexelAlpha), usize> = HashMap::new();
        for index in scene.materials.iter().filter_map(|m| m.texture) {
            let Some(source) = scene
                .textures
                .get(index)
                .filter(|_| textures.number[index].is_none())
            else {
                continue;
            };
            let key = (source.paths.first().cloned().unwrap_or_default(), source.alpha);
            let number = match numbers.get(&key) {
                Some(number) => *number,
                None => textures.add(source, options, files, warnings)?,
            };
            if !key.0.is_empty() {
                numbers.insert(key, number);
            }
            textures.number[index] = Some(number);
        }
        memory::fit(&mut textures.entries, options, warnings);
        for (number, size) in textures.number.iter().zip(&mut textures.sizes) {
            let entry = number.and_then(|number| textures.entries.get(number));
            let texture = entry.and_then(|entry| entry.texture.as_ref());
            *size = texture.map(|t| [t.width, t.height]);
        }
        if textures.missing && !options.searched.is_empty() {
            let places = options.searched.join(", ");
            warnings.notice(format!("searched folders: {places}"));
        }
        Ok(textures)
    }

    /// Bytes of video memory that the textures take.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.iter().map(memory::bytes).sum()
    }

    /// Reads an image and adds its name to the list.
    fn add(
        &mut self,
        source: &Texture,
        options: &Options,
        files: Files<'_>,
        warnings: &mut Warnings,
    ) -> Result<usize, Error> {
        if self.entries.len() > usize::from(Tiny::MAX_TEXTURE) {
            let most = usize::from(Tiny::MAX_TEXTURE) + 1;
            return Err(Error::scene(
                "texture list",
                "more names",
                format!("at most {most}"),
            ));
        }
        let stem = source
            .stem()
            .unwrap_or_else(|| format!("texture{}", self.entries.len()));
        let name = self.names.free(&stem);
        let place = format!("texture {name:?}");
        let texture = match found(source, &stem, files) {
            Some((bytes, path)) => {
                let texture = match is_pvr(&bytes) {
                    true => read_pvr(&bytes).map_err(|e| e.to_string()),
                    false => self
                        .pixels
                        .take(&bytes, &path)
                        .and_then(|()| decoded(&bytes, (&path, source.alpha), options, &place, warnings)),
                };
                let refused = |cause: &String| {
                    let text =
                        format!("its file {path:?} is not readable: {cause}: a checkerboard takes its place");
                    warnings.add(&place, text);
                };
                texture.inspect_err(refused).ok()
            }
            None => {
                let text = match source.paths.first() {
                    Some(path) => format!("its file {path:?} was not found: a checkerboard takes its place"),
                    None => "it has no image of a known kind: a checkerboard takes its place".to_owned(),
                };
                warnings.add(&place, text);
                self.missing = true;
                None
            }
        };
        let alpha = texture
            .as_ref()
            .is_some_and(|t| t.pixel_format != PvrPixelFormat::Rgb565);
        self.entries.push(Entry { name, texture, alpha });
        Ok(self.entries.len() - 1)
    }

    /// Returns an archive of all images, with a placeholder for missing ones; `None` without textures.
    pub(crate) fn archive(&self) -> Result<Option<Vec<u8>>, Error> {
        let mut rows: Vec<PvmEntry> = Vec::new();
        for (entry, id) in self.entries.iter().zip(0..) {
            let texture = match &entry.texture {
                Some(texture) => texture.clone(),
                None => checker().map_err(|e| Error::Texture {
                    name: entry.name.clone(),
                    cause: e.to_string(),
                })?,
            };
            rows.push(PvmEntry::new(entry.name.clone(), id, texture));
        }
        if rows.is_empty() {
            return Ok(None);
        }
        let refused = |e: pvr::container::ContainerError| Error::Texture {
            name: "archive".to_owned(),
            cause: e.to_string(),
        };
        write_pvm(&rows).map(Some).map_err(refused)
    }
}

/// Finds the file of a texture, and its path. Tries embedded content, its paths, and files next to the scene
/// with its name.
fn found(source: &Texture, stem: &str, files: Files<'_>) -> Option<(Vec<u8>, String)> {
    if !source.content.is_empty() {
        let path = source.paths.first().cloned().unwrap_or_default();
        return Some((source.content.clone(), path));
    }
    let mut read = |path: &str| Some((files(path)?, path.to_owned()));
    let beside = source.paths.iter().filter_map(|p| p.rsplit('/').next());
    let names: Vec<&str> = source.paths.iter().map(String::as_str).chain(beside).collect();
    let known = names.into_iter().find_map(&mut read);
    known.or_else(|| {
        picture::EXTENSIONS
            .iter()
            .find_map(|e| read(&format!("{stem}.{e}")))
    })
}

/// Placeholder for a missing texture: a checkerboard.
fn checker() -> Result<PvrTexture, pvr::container::ContainerError> {
    const SIDE: u32 = 16;
    let texel = |i: u32| match (i % SIDE / 4 + i / SIDE / 4) % 2 {
        0 => 0xfff0_e8f0,
        _ => 0xffb0_80b0,
    };
    let image = Rgba {
        width: SIDE,
        height: SIDE,
        texels: (0..SIDE * SIDE).map(texel).collect(),
    };
    PvrTexture::from_image(&image, PvrPixelFormat::Rgb565, PvrDataFormat::Twiddled)
}

fn is_pvr(bytes: &[u8]) -> bool {
    bytes.starts_with(b"GBIX") || bytes.starts_with(b"PVRT")
}

/// Decodes a picture into a texture. Only this function chooses formats.
fn decoded(
    bytes: &[u8],
    (path, alpha): (&str, TexelAlpha),
    options: &Options,
    place: &str,
    warnings: &mut Warnings,
) -> Result<PvrTexture, String> {
    let mut image = fitted(picture::read(bytes, path)?, options.max_texture, place, warnings);
    for texel in &mut image.texels {
        *texel = *texel & 0x00ff_ffff | u32::from(alpha.of((*texel >> 24) as u8)) << 24;
    }
    let alphas = || image.texels.iter().map(|t| t >> 24);
    let pixels = if alphas().all(|a| a == 255) {
        PvrPixelFormat::Rgb565
    } else if alphas().all(|a| a == 255 || a == 0) {
        PvrPixelFormat::Argb1555
    } else {
        PvrPixelFormat::Argb4444
    };
    let data = match image.width == image.height {
        true if options.mipmaps => PvrDataFormat::TwiddledMipmaps,
        true => PvrDataFormat::Twiddled,
        false => PvrDataFormat::TwiddledRectangle,
    };
    PvrTexture::from_image(&image, pixels, data).map_err(|e| e.to_string())
}

/// Returns the image with sides that the chip can twiddle: powers of two from 8 to `most`.
fn fitted(image: Rgba, most: u32, place: &str, warnings: &mut Warnings) -> Rgba {
    let most = most.clamp(8, 1024);
    let side = |s: u32| s.clamp(8, most).next_power_of_two().min(most);
    let (width, height) = (side(image.width), side(image.height));
    if (width, height) == (image.width, image.height) {
        return image;
    }
    let (w, h) = (image.width, image.height);
    warnings.add(
        place,
        format!("{w}x{h} pixels resized to {width}x{height}: sides are powers of two from 8 to {most}"),
    );
    resized(&image, width, height)
}

/// Resizes an image. Each texel is the mean of the pixels that it covers.
fn resized(image: &Rgba, width: u32, height: u32) -> Rgba {
    let (w, h) = (image.width, image.height);
    let mut texels = Vec::with_capacity(width as usize * height as usize);
    for y in 0..height {
        for x in 0..width {
            let (x0, x1) = covered(x, width, w);
            let (y0, y1) = covered(y, height, h);
            texels.push(mean(image, x0..x1, y0..y1));
        }
    }
    Rgba {
        width,
        height,
        texels,
    }
}

/// Returns the range of source pixels, at least one, that texel `i` covers.
fn covered(i: u32, made: u32, given: u32) -> (u32, u32) {
    let at = |i: u32| (u64::from(i) * u64::from(given) / u64::from(made)) as u32;
    let first = at(i).min(given - 1);
    (first, at(i + 1).clamp(first + 1, given))
}

/// Weights colours by alpha, so that invisible pixels do not bleed.
fn mean(image: &Rgba, xs: std::ops::Range<u32>, ys: std::ops::Range<u32>) -> u32 {
    let (mut sums, mut alpha, mut count) = ([0u64; 3], 0u64, 0u64);
    for y in ys {
        for x in xs.clone() {
            let [a, rgb @ ..] = image.texels[(y * image.width + x) as usize].to_be_bytes();
            for (sum, c) in sums.iter_mut().zip(rgb) {
                *sum += u64::from(c) * u64::from(a);
            }
            alpha += u64::from(a);
            count += 1;
        }
    }
    let [r, g, b] = sums.map(|s| (s + alpha / 2).checked_div(alpha).unwrap_or(0) as u8);
    u32::from_be_bytes([((alpha + count / 2) / count) as u8, r, g, b])
}
