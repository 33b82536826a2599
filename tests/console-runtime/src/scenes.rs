//! Views of a model that exercise all features of the runtime, and their words in the console's memory.

use super::player::behind;
use ninja::{Bams, ObjectTree};
use scene::{
    BitsChunks, BoundTexture, Camera, ColourMode, Highlight, Light, Lights, Pose, Range, Reference, Settings,
    Shadows, Shapes, Source, TaLists, Textures, Trilinear, View, Viewport, VolumeLists, VolumeQuads, Volumes,
    draw,
};

/// Width and height of the picture.
const SIZE: [u32; 2] = [640, 480];
/// Vertical angle of view, radians.
const FIELD_OF_VIEW: f32 = std::f32::consts::FRAC_PI_4;

/// Returns the centre of the bounding box of all vertices at rest, and half its diagonal. A model without
/// vertices has a unit sphere at the origin.
pub(super) fn extent(tree: &ObjectTree) -> ([f32; 3], f32) {
    let camera = camera([0.0; 3], 0.0, [0.0; 3]);
    let viewport = Viewport::new(SIZE[0], SIZE[1], FIELD_OF_VIEW, f32::NEG_INFINITY);
    let view = view(camera, viewport, Lights::default(), Settings::default());
    let drawn = draw(
        tree,
        &Pose::rest(tree),
        &Shapes::none(),
        &view,
        &mut Reference,
        &mut TaLists::default(),
    );
    let bounds = drawn.ok().and_then(|stats| stats.bounds);
    let Some([low, high]) = bounds.filter(|bounds| bounds.iter().flatten().all(|c| c.is_finite())) else {
        return ([0.0; 3], 1.0);
    };
    let middle = [0, 1, 2].map(|k| (low[k] + high[k]) / 2.0);
    let half = [0, 1, 2].map(|k| high[k] - middle[k]);
    let radius = half.iter().map(|c| c * c).sum::<f32>().sqrt();
    (middle, radius.max(1.0e-3))
}

fn camera(target: [f32; 3], distance: f32, [yaw, pitch, roll]: [f64; 3]) -> Camera {
    Camera {
        target,
        yaw: Bams::from_degrees(yaw),
        pitch: Bams::from_degrees(pitch),
        distance,
        roll: Bams::from_degrees(roll),
    }
}

/// Textures for tests: every third is missing; the others differ in size, and every second has mipmaps.
fn textures() -> Textures {
    let texture = |number: u32| {
        (number % 3 != 2).then(|| BoundTexture {
            word: pvr::TextureWord(0x0000_1000 * number).with_mip(number.is_multiple_of(2)),
            width: 8 << (number % 8),
            height: 8 << (number / 2 % 8),
        })
    };
    let checker = BoundTexture {
        word: pvr::TextureWord(0x1234),
        width: 16,
        height: 32,
    };
    Textures {
        bound: (0..64).map(texture).collect(),
        checker,
    }
}

fn view(camera: Camera, viewport: Viewport, lights: Lights, settings: Settings) -> View {
    View {
        camera,
        viewport,
        lights,
        textures: textures(),
        settings,
    }
}

/// A directional light, a point light and a spotlight around a model.
fn three_lights(middle: [f32; 3], radius: f32) -> Lights {
    let range = Range {
        near: radius,
        far: 4.0 * radius,
    };
    let beside = |x: f32, y: f32| [middle[0] + x * radius, middle[1] + y * radius, middle[2] + radius];
    let light = |source, colour: [f32; 3]| Light {
        source,
        colour,
        specular: [colour[1], colour[2], colour[0]],
    };
    let point = Source::Point {
        position: beside(1.5, 1.0),
        range,
    };
    let spot = Source::Spot {
        position: beside(-1.0, 1.5),
        beam: [0.6, -0.8, 0.0],
        range,
        inner: Bams::from_degrees(20.0),
        outer: Bams::from_degrees(40.0),
    };
    let far = Source::Directional {
        direction: [0.0, 0.6, 0.8],
    };
    Lights {
        ambient: [0.2, 0.3, 0.25],
        list: vec![
            light(far, [0.5, 0.4, 0.3]),
            light(point, [0.9, 0.2, 0.1]),
            light(spot, [0.1, 0.3, 0.9]),
        ],
    }
}

/// Settings that differ from the default wherever possible.
fn other_settings() -> Settings {
    Settings {
        highlight: Highlight::Reflected,
        volumes: Volumes::All,
        volume_quads: VolumeQuads::Strip,
        volume_lists: VolumeLists::Opaque,
        trilinear: Trilinear::AsWritten,
        bits: BitsChunks::Skipped,
        shadows: Shadows::HALF,
        colours: ColourMode::Intensity,
        ..Settings::default()
    }
}

/// The views in which a model is compared, each with a name.
pub(super) fn views(tree: &ObjectTree) -> Vec<(&'static str, View)> {
    let (middle, radius) = extent(tree);
    let viewport = |near: f32| Viewport::new(SIZE[0], SIZE[1], FIELD_OF_VIEW, near * radius);
    let wanted = Settings {
        shadows: Shadows::wanted([tree]),
        ..Settings::default()
    };
    let whole = camera(middle, 3.0 * radius, [30.0, 15.0, 0.0]);
    // The camera is inside the model: the near plane clips it, and parts of it are outside the picture.
    let inside = camera(middle, 0.4 * radius, [200.0, -35.0, 10.0]);
    let beside = camera(
        [middle[0] + 1.5 * radius, middle[1], middle[2]],
        1.2 * radius,
        [80.0, 5.0, 0.0],
    );
    let one = Lights::default;
    let three = || three_lights(middle, radius);
    let all = Settings {
        volumes: Volumes::All,
        ..Settings::default()
    };
    vec![
        ("whole", view(whole, viewport(0.5), one(), wanted)),
        ("inside", view(inside, viewport(0.05), three(), all)),
        (
            "other settings",
            view(inside, viewport(0.2), one(), other_settings()),
        ),
        ("beside", view(beside, viewport(0.1), three(), other_settings())),
    ]
}

/// The views in which a cell sprite is compared: in pixels of the screen, and in spaces with a far distance.
pub(super) fn cell_views(target: [f32; 3]) -> [(Option<f32>, View); 3] {
    let viewport = Viewport::new(SIZE[0], SIZE[1], FIELD_OF_VIEW, 10.0);
    let make = |distance: f32, angles: [f64; 3]| {
        let camera = camera(target, distance, angles);
        view(camera, viewport, Lights::default(), Settings::default())
    };
    [
        (None, make(1.0, [0.0; 3])),
        (Some(1000.0), make(400.0, [20.0, -10.0, 5.0])),
        // Some priorities are beyond the far end or in front of the near plane.
        (Some(10.5), make(10.25, [0.0; 3])),
    ]
}

fn bits(values: &[f32]) -> impl Iterator<Item = u32> + '_ {
    values.iter().map(|value| value.to_bits())
}

/// Words of struct swr_scene.
const SCENE_WORDS: usize = 33;
/// Number of words of struct swr_scene that depend on the camera: from the target to the end of the viewport.
pub(super) const CAMERA_WORDS: usize = 11;
/// Words of struct swr_light_source.
pub(super) const LIGHT_WORDS: usize = 17;

/// Words of struct swr_scene, of its lights, and of the table of textures that follows them.
pub(super) fn words(view: &View) -> Vec<u32> {
    let mut out = Vec::new();
    let camera = &view.camera;
    out.extend(bits(&camera.target));
    out.extend([camera.yaw, camera.pitch, camera.roll].map(|angle| angle.0 as u32));
    out.push(camera.distance.to_bits());
    out.extend(bits(&view.viewport.words));
    out.push(view.viewport.near.to_bits());
    out.extend(bits(&view.viewport.size));
    out.extend(bits(&view.lights.ambient));
    let lights = SCENE_WORDS;
    let textures = lights + LIGHT_WORDS * view.lights.list.len();
    out.extend([view.lights.list.len() as u32, behind(lights)]);
    out.extend(settings(&view.settings));
    // The program sets the hook.
    out.extend([0, behind(textures)]);
    out.extend(texture(&view.textures.checker));
    out.extend(view.lights.list.iter().flat_map(light));
    out.extend([view.textures.bound.len() as u32, behind(textures + 2)]);
    for bound in &view.textures.bound {
        out.push(u32::from(bound.is_some()));
        out.extend(bound.as_ref().map_or([0; 3], texture));
    }
    out
}

fn texture(texture: &BoundTexture) -> [u32; 3] {
    [texture.word.0, texture.width, texture.height]
}

/// struct swr_settings.
fn settings(settings: &Settings) -> [u32; 9] {
    [
        settings.highlight as u32,
        u32::from(settings.bits == BitsChunks::Skipped),
        settings.volumes as u32,
        settings.volume_quads as u32,
        u32::from(settings.volume_lists == VolumeLists::Opaque),
        u32::from(settings.trilinear == Trilinear::AsWritten),
        u32::from(settings.shadows != Shadows::TwoVolumes),
        u32::from(settings.colours == ColourMode::Intensity),
        u32::from(!settings.cull),
    ]
}

/// struct swr_light_source.
pub(super) fn light(light: &Light) -> Vec<u32> {
    let none = Range { near: 0.0, far: 0.0 };
    let (kind, place, beam, range, cone) = match light.source {
        Source::Directional { direction } => (0, direction, [0.0; 3], none, [Bams(0); 2]),
        Source::Point { position, range } => (1, position, [0.0; 3], range, [Bams(0); 2]),
        Source::Spot {
            position,
            beam,
            range,
            inner,
            outer,
        } => (2, position, beam, range, [inner, outer]),
    };
    let mut out = vec![kind];
    out.extend(
        bits(&place)
            .chain(bits(&beam))
            .chain(bits(&[range.near, range.far])),
    );
    out.extend(cone.map(|angle| angle.0 as u32));
    out.extend(bits(&light.colour).chain(bits(&light.specular)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_structures() {
        let tree = ObjectTree::new();
        let (_, view) = &views(&tree)[1];
        let words = words(view);
        let textures = SCENE_WORDS + 3 * LIGHT_WORDS;
        assert_eq!(words.len(), textures + 2 + 4 * view.textures.bound.len());
        assert_eq!(words[textures], 64);
        // The first and last member of each light.
        assert_eq!((words[SCENE_WORDS], words[SCENE_WORDS + LIGHT_WORDS]), (0, 1));
        assert_eq!(words[textures - 1], 0.1_f32.to_bits());
    }
}
