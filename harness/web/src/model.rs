//! Models, sprites and textures as pictures.

use crate::Failure;
use crate::gif::Gif;
use crate::reply::Reply;
use convert::{ExportOptions, Exported};
use ninja::{Bams, ObjectTree, PolyChunk};
use player::{
    Assets, Files, Input, MotionSource, Options, Picture, Player, Reference, direction, overlay, wireframe,
};
use pvr::PixelMap;
use pvr::container::{Palette, PvrTexture};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Files of a model, by the names that the page gave them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ModelFiles {
    /// Model, sprite, scene, texture or archive.
    model: String,
    /// Motion of the nodes, `FILE:N` or `:N`.
    motion: Option<String>,
    /// Shape list.
    shape: Option<String>,
    /// Motion of the camera.
    camera: Option<String>,
    /// Motions of lights.
    lights: Vec<String>,
    /// Archives, textures and palettes. If empty, those in the model's folder.
    textures: Vec<String>,
    /// Cell sprites and streams over the model.
    cells: Vec<String>,
    /// Width and height of the picture.
    size: Option<[u32; 2]>,
}

/// Camera, time and hidden nodes of a picture.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ModelView {
    /// Frame of the motions.
    frame: f32,
    /// Yaw and pitch in degrees. `None` selects the initial camera or its motion.
    orbit: Option<[f32; 2]>,
    /// Distance as a multiple of the initial camera's distance.
    zoom: Option<f32>,
    /// Movement of the target to the right and up, as multiples of the initial camera's distance.
    pan: [f32; 2],
    /// Hidden nodes, by model, then by node.
    hidden: Vec<Vec<bool>>,
    /// Contents of the picture.
    show: Show,
    /// True to return the edges of all triangles, too.
    wireframe: bool,
    /// True to return the normals of vertices, too.
    normals: bool,
    /// Model and node; the reply then has the weights of the node's vertices, too.
    weights: Option<[usize; 2]>,
}

/// Contents of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Show {
    /// The frame.
    #[default]
    Frame,
    /// Number of polygons that the chip shades at each pixel, as a heat map.
    Overdraw,
    /// List of the polygon that coloured each pixel last.
    Lists,
}

/// File format of an exported model, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExportFormat {
    /// Binary glTF with textures, motions and shapes.
    Glb,
    /// Binary Ninja file.
    #[serde(alias = "spj")]
    Nj,
    /// ASCII form of a Ninja file.
    #[serde(alias = "spa")]
    Nja,
    /// Archive of a scene's textures.
    Pvm,
}

/// Properties of a model, for the page.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelInfo {
    kind: String,
    /// Number of frames until all motions have ended once.
    length: u32,
    moves_camera: bool,
    is_flat: bool,
    /// Extensions of the files that [`crate::Request::Export`] makes.
    exports: &'static [&'static str],
    /// Yaw and pitch of the initial camera, in degrees.
    orbit: [f32; 2],
    /// Length in frames of each motion in the model's own file.
    motions: Vec<u32>,
    /// Nodes by model.
    models: Vec<Vec<NodeInfo>>,
    textures: Vec<TextureInfo>,
    warnings: Vec<String>,
}

/// A node, in the order of drawing.
#[derive(Clone, Debug, Serialize)]
pub struct NodeInfo {
    id: usize,
    depth: usize,
    /// Triangles of strips.
    triangles: usize,
    vertices: usize,
    /// Vertex and polygon chunks.
    chunks: Vec<String>,
}

/// A texture of the texture list.
#[derive(Clone, Debug, Serialize)]
pub struct TextureInfo {
    name: String,
    /// Set if no file has the texture.
    missing: bool,
    width: u32,
    height: u32,
    format: String,
}

pub(crate) struct Model {
    player: Player,
    assets: Assets,
    options: Options,
    input: Input,
    kind: String,
    initial_camera: scene::Camera,
}

fn sources(texts: &[String]) -> Result<Vec<MotionSource>, Failure> {
    texts.iter().map(|text| Ok(text.parse()?)).collect()
}

impl Model {
    pub(crate) fn open(files: &dyn Files, given: &ModelFiles) -> Result<Self, Failure> {
        let source = |text: &Option<String>| text.as_deref().map(str::parse).transpose();
        let paths = |names: &[String]| names.iter().map(PathBuf::from).collect();
        let assets = Assets {
            motion: source(&given.motion)?,
            shape: source(&given.shape)?,
            camera: source(&given.camera)?,
            lights: sources(&given.lights)?,
            textures: paths(&given.textures),
            cells: paths(&given.cells),
            ..Assets::new(&given.model)
        };
        let mut options = Options {
            threads: 1,
            ..Options::default()
        };
        options.size = given.size.unwrap_or(options.size);
        let bytes = files.read(&assets.model)?;
        let input = Input::of(&assets.model, &bytes);
        let kind = input.describe(&assets.model, &bytes);
        let player = Player::open(files, &assets, &options)?;
        Ok(Self {
            initial_camera: player.scene.view.camera,
            player,
            assets,
            options,
            input,
            kind,
        })
    }

    pub(crate) fn info(&self) -> ModelInfo {
        let degrees = |angle: Bams| angle.0 as f32 * 360.0 / 65536.0;
        let textures = self.player.textures();
        let named = textures.names.iter().zip(&textures.textures);
        ModelInfo {
            kind: self.kind.clone(),
            length: self.player.length(),
            moves_camera: self.player.moves_camera(),
            is_flat: self.player.is_flat(),
            exports: self.exports(),
            orbit: [self.initial_camera.yaw, self.initial_camera.pitch].map(degrees),
            motions: self.player.motions().map(|motion| motion.nb_frame).collect(),
            models: self
                .player
                .scene
                .objects
                .iter()
                .map(|object| nodes(object.tree()))
                .collect(),
            textures: named
                .map(|(name, texture)| texture_info(name, texture.as_ref()))
                .collect(),
            warnings: self.warnings(),
        }
    }

    fn exports(&self) -> &'static [&'static str] {
        let has_textures = !self.player.textures().names.is_empty();
        match self.input {
            Input::Model => &["glb", "nj", "nja"],
            Input::Cells => &["spj", "spa"],
            input if input.is_scene() && has_textures => &["glb", "nj", "nja", "pvm"],
            input if input.is_scene() => &["glb", "nj", "nja"],
            _ => &[],
        }
    }

    fn warnings(&self) -> Vec<String> {
        self.player
            .warnings()
            .map(|warning| warning.to_string())
            .collect()
    }

    /// Draws the scene of a view.
    fn picture(&mut self, view: &ModelView) -> Result<Picture, Failure> {
        let (player, kernels) = (&mut self.player, &mut Reference);
        player.scene.seek(view.frame);
        player.scene.view.camera = camera(&self.initial_camera, view);
        if view.orbit.is_none() {
            player.move_camera(view.frame, kernels)?;
        }
        player.move_lights(view.frame, kernels)?;
        for (n, object) in player.scene.objects.iter_mut().enumerate() {
            object.hidden = view.hidden.get(n).cloned().unwrap_or_default();
        }
        let mut picture = player.draw_scene(Some(view.frame), kernels)?;
        if view.show != Show::Frame {
            let mut map = PixelMap::new(picture.image.width, picture.image.height);
            player.chip()?.render_probed(&mut map);
            picture.image = match view.show {
                Show::Overdraw => map.overdraw(),
                _ => map.lists(),
            };
        }
        Ok(picture)
    }

    /// Draws a picture. The data is RGBA, then numbers in `f32`: edges and normals as pairs of points, and
    /// point and weight of each vertex that the chosen node moves.
    pub(crate) fn draw(&mut self, view: &ModelView) -> Result<Reply, Failure> {
        let picture = self.picture(view)?;
        let scene = &self.player.scene;
        let edges = match view.wireframe {
            true => wireframe::edges(&picture.blocks),
            false => Vec::new(),
        };
        let normals = match view.normals {
            true => overlay::normals(scene, &mut Reference)?,
            false => Vec::new(),
        };
        let weighted = view.weights.and_then(|[model, node]| {
            let object = scene.objects.get(model)?;
            let (node, _, _) = object.tree().walk().find(|(id, _, _)| id.index() == node)?;
            Some((object, node))
        });
        let weights = match weighted {
            Some((object, node)) => overlay::weights(&scene.view, object, node, &mut Reference)?,
            None => Vec::new(),
        };
        #[derive(Serialize)]
        struct DrawReply {
            width: u32,
            height: u32,
            nodes: usize,
            strips: usize,
            triangles: usize,
            edges: usize,
            normals: usize,
            weights: usize,
            warnings: Vec<String>,
        }
        let (image, stats) = (picture.image, picture.stats);
        let drawn = DrawReply {
            width: image.width,
            height: image.height,
            nodes: stats.nodes,
            strips: stats.strips,
            triangles: stats.triangles,
            edges: edges.len(),
            normals: normals.len(),
            weights: weights.len(),
            warnings: self.warnings(),
        };
        let mut data = image.rgba;
        let lines = edges.iter().chain(&normals).flatten().flatten().copied();
        let points = weights.iter().flat_map(|([x, y], weight)| [*x, *y, *weight]);
        data.extend(lines.chain(points).flat_map(f32::to_le_bytes));
        Reply::new(&drawn, data)
    }

    /// Returns the picture of a view as a PNG file.
    pub(crate) fn png(&mut self, view: &ModelView) -> Result<Reply, Failure> {
        let picture = self.picture(view)?;
        Reply::new(&(), player::png_bytes(&picture.image)?)
    }

    /// Adds the picture of a view to a GIF.
    pub(crate) fn add_to(&mut self, gif: &mut Gif, view: &ModelView) -> Result<Reply, Failure> {
        gif.add(&self.picture(view)?.image)?;
        Reply::new(&(), Vec::new())
    }

    /// Returns the model in another format: as `swirl convert` writes it from the model's file, followed by
    /// the files of its motion and its shapes.
    pub(crate) fn export(&self, files: &dyn Files, format: ExportFormat) -> Result<Reply, Failure> {
        let name = self.assets.model.display().to_string();
        if self.input.is_scene() {
            let conversion = player::open_scene(files, &self.assets, &self.options)?;
            return match format {
                ExportFormat::Glb => exported(&player::export_scene(&conversion, &ExportOptions::default())?),
                ExportFormat::Nj => Reply::new(&NO_WARNINGS, conversion.model.write()?),
                ExportFormat::Nja => self.text(&name, conversion.model),
                ExportFormat::Pvm => match conversion.archive {
                    Some(archive) => Reply::new(&NO_WARNINGS, archive),
                    None => Err(Failure::new(format!("{name}: the scene has no textures"))),
                },
            };
        }
        let sources = [&self.assets.motion, &self.assets.shape];
        let others = sources
            .into_iter()
            .flatten()
            .filter_map(|source| source.file.clone());
        let mut paths = vec![self.assets.model.clone()];
        for path in others {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        let read = |path: &PathBuf| -> Result<ninja::File, Failure> {
            let bytes = files.read(path)?;
            Ok(player::read_ninja(path, &bytes, &ninja::ascii::Settings::default())?.file)
        };
        let all: Vec<ninja::File> = paths.iter().map(read).collect::<Result<_, _>>()?;
        let file = player::merge(&paths, all)?;
        match format {
            ExportFormat::Glb => {
                let options = ExportOptions::default();
                exported(&player::export(
                    files,
                    &paths[..1],
                    &file,
                    &self.assets,
                    &options,
                )?)
            }
            ExportFormat::Nj => Reply::new(&NO_WARNINGS, file.write()?),
            ExportFormat::Nja => self.text(&name, file),
            ExportFormat::Pvm => Err(Failure::new(format!(
                "{name}: found {}, expected a scene",
                self.kind
            ))),
        }
    }

    fn text(&self, name: &str, file: ninja::File) -> Result<Reply, Failure> {
        let options = ninja::ascii::WriteOptions {
            name: player::stem(&self.assets.model),
            ..ninja::ascii::WriteOptions::default()
        };
        let (text, warnings) = player::ascii_text(name, file, &options)?;
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        Reply::new(&warnings, text.into_bytes())
    }

    /// Pixels of a texture as RGBA. Without a palette of the texture's name, the first palette of the set
    /// applies; without any palette, indices are grey.
    pub(crate) fn texture(&self, index: usize) -> Result<Reply, Failure> {
        let set = self.player.textures();
        let texture = set.textures.get(index).and_then(Option::as_ref);
        let Some(texture) = texture else {
            return Err(Failure::new(format!("texture {index}: no file has it")));
        };
        let stem = set.names.get(index).map_or("", String::as_str);
        let named = set
            .palettes
            .iter()
            .find(|palette| player::stem(palette.name.as_ref()).eq_ignore_ascii_case(stem));
        let grey = Palette::grey(256);
        let palette = named
            .or(set.palettes.first())
            .map_or(&grey, |named| &named.palette);
        let decoded = texture.decode(Some(palette))?;
        let rgba = decoded.texels.iter().flat_map(|argb| {
            let [blue, green, red, alpha] = argb.to_le_bytes();
            [red, green, blue, alpha]
        });
        #[derive(Serialize)]
        struct Size {
            width: u32,
            height: u32,
        }
        let size = Size {
            width: decoded.width,
            height: decoded.height,
        };
        Reply::new(&size, rgba.collect())
    }
}

/// Reply of an export without warnings.
const NO_WARNINGS: [&str; 0] = [];

fn exported(exported: &Exported) -> Result<Reply, Failure> {
    let warnings: Vec<String> = exported.warnings.iter().map(ToString::to_string).collect();
    Reply::new(&warnings, exported.glb()?)
}

/// Returns a camera that orbits the initial camera's target.
fn camera(first: &scene::Camera, view: &ModelView) -> scene::Camera {
    let degrees = |angle: f32| Bams::from_degrees(f64::from(angle));
    let Some([yaw, pitch]) = view.orbit else {
        return *first;
    };
    let (right, back) = (direction([yaw + 90.0, 0.0]), direction([yaw, pitch]));
    let up = [
        back[1] * right[2] - back[2] * right[1],
        back[2] * right[0] - back[0] * right[2],
        back[0] * right[1] - back[1] * right[0],
    ];
    let [x, y] = view.pan.map(|pan| pan * first.distance);
    scene::Camera {
        target: [0, 1, 2].map(|k| first.target[k] + right[k] * x + up[k] * y),
        yaw: degrees(yaw),
        pitch: degrees(pitch),
        distance: first.distance * view.zoom.unwrap_or(1.0),
        ..*first
    }
}

fn nodes(tree: &ObjectTree) -> Vec<NodeInfo> {
    let info = |(id, depth, object): (ninja::ObjectId, usize, &ninja::Object)| {
        let model = object.model.and_then(|id| tree.model(id));
        let vertices = model.and_then(|model| tree.vlist(model.vlist?));
        let polygons = model.and_then(|model| tree.plist(model.plist?));
        let vertices = vertices.map_or(&[][..], |list| &list.chunks);
        let polygons = polygons.map_or(&[][..], |list| &list.chunks);
        let triangles = polygons.iter().map(|chunk| match chunk {
            PolyChunk::Strip(strips) => strips.strips.iter().map(ninja::Strip::triangles).sum(),
            _ => 0_usize,
        });
        let vertex = vertices
            .iter()
            .map(|chunk| format!("{}: {} vertices", chunk.kind.name(), chunk.count));
        let polygon = polygons.iter().map(|chunk| {
            ninja::poly_name(chunk.id()).map_or_else(|| format!("id {}", chunk.id()), str::to_owned)
        });
        NodeInfo {
            id: id.index(),
            depth,
            triangles: triangles.sum(),
            vertices: vertices.iter().map(|chunk| chunk.count as usize).sum(),
            chunks: vertex.chain(polygon).collect(),
        }
    };
    tree.walk().map(info).collect()
}

fn texture_info(name: &str, texture: Option<&PvrTexture>) -> TextureInfo {
    let format = |texture: &PvrTexture| format!("{:?}, {:?}", texture.pixel_format, texture.data_format);
    TextureInfo {
        name: name.to_owned(),
        missing: texture.is_none(),
        width: texture.map_or(0, |texture| texture.width),
        height: texture.map_or(0, |texture| texture.height),
        format: texture.map_or(String::new(), format),
    }
}
