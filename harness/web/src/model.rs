//! Models, sprites and textures as pictures.

use crate::Failure;
use crate::reply::Reply;
use ninja::{Bams, ObjectTree, PolyChunk};
use player::{Assets, Files, Input, MotionSource, Options, Player, Reference, direction};
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
    /// True to return the edges of all triangles, too.
    wireframe: bool,
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
        let kind = Input::of(&assets.model, &bytes).describe(&assets.model, &bytes);
        let player = Player::open(files, &assets, &options)?;
        Ok(Self {
            initial_camera: player.scene.view.camera,
            player,
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

    fn warnings(&self) -> Vec<String> {
        self.player
            .warnings()
            .map(|warning| warning.to_string())
            .collect()
    }

    /// Draws a picture. The data is RGBA, then the edges as pairs of points in `f32`.
    pub(crate) fn draw(&mut self, view: &ModelView) -> Result<Reply, Failure> {
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
        let picture = player.draw_scene(Some(view.frame), kernels)?;
        let edges = match view.wireframe {
            true => player::wireframe::edges(&picture.blocks),
            false => Vec::new(),
        };
        #[derive(Serialize)]
        struct DrawReply {
            width: u32,
            height: u32,
            nodes: usize,
            strips: usize,
            triangles: usize,
            edges: usize,
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
            warnings: self.warnings(),
        };
        let mut data = image.rgba;
        let corners = edges.iter().flatten().flatten();
        data.extend(corners.flat_map(|coordinate| coordinate.to_le_bytes()));
        Reply::new(&drawn, data)
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
