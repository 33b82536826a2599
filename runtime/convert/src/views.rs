//! Converts cameras and lights to motions (NCAM and NLIM), their only documented form (docs/formats/ninja.md,
//! 1.9). A camera or light that does not move becomes a motion of one frame. The converter writes no NJCA and
//! NJLI chunks, because their structures are undocumented.

use crate::limits::VIEW_FRAMES as MOST;
use ninja::{Bams, Chunk, Element, File, Key, Keys, Motion, MotionKind, MotionType, Spot};
use serde::Serialize;

use crate::emit::Extent;
use crate::error::{Error, Warnings};
use crate::math::{Vec3, add, cross, dot, length, normalized, scaled, sub};
use crate::motion;
use crate::options::Options;
use crate::source::{Camera, Light, LightKind, Node, Scene};

/// A camera or light and its motion.
pub struct ViewFile {
    /// Name of the node.
    pub node: String,
    /// Camera or light motion.
    pub kind: MotionKind,
    /// Animation stack; `None` at rest, if no stack was chosen.
    pub stack: Option<String>,
    /// File with an NCAM or NLIM chunk.
    pub file: File,
}

/// Report of a camera or light.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ViewRow {
    /// Name of the node.
    pub node: String,
    /// `NCAM` or `NLIM`; `None` if Ninja has no form for it.
    pub form: Option<String>,
    /// Animation stack.
    pub stack: Option<String>,
    /// Length in frames.
    pub frames: u32,
}

/// Angle of view of cameras without one, in degrees.
const DEFAULT_ANGLE: f64 = 60.0;

/// Tables of one motion: an element and its values by frame.
type Tables = Vec<(Element, Keys)>;

/// Converts all cameras and lights of a scene, for each chosen stack. Lights without a range illuminate the
/// extent `model`.
pub(crate) fn views(
    scene: &Scene,
    stacks: &[usize],
    model: Extent,
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Views, Error> {
    let nodes: Vec<&Node> = scene.nodes.iter().filter(|n| n.kind.is_view()).collect();
    let mut made = Views::default();
    let model = match model.size > 0.0 {
        true => model,
        false => Extent {
            size: spread(scene, &nodes)?,
            ..model
        },
    };
    let takes: Vec<Option<usize>> = match stacks {
        _ if nodes.is_empty() => Vec::new(),
        [] => vec![None],
        some => some.iter().map(|s| Some(*s)).collect(),
    };
    for stack in takes {
        let times = match stack {
            Some(s) => {
                let rate = motion::rate(scene, options, warnings);
                motion::times(&scene.stacks[s], rate, options, warnings)?
            }
            None => vec![0.0],
        };
        let samples = sample_views(scene, &nodes, stack, &times)?;
        let exposure = exposure(&samples, model, options, warnings);
        let stack = stack.map(|s| scene.stacks[s].name.clone());
        for ((node, (cameras, lights)), shares) in nodes.iter().zip(samples).zip(exposure) {
            let place = format!("node {:?}", node.name);
            let (kind, tables) = match (cameras.is_empty(), lights.first()) {
                (false, _) => (MotionKind::Camera, camera(&cameras, &place, warnings)),
                (_, Some(first)) => (
                    MotionKind::Light,
                    light(first.kind, (&lights, &shares), model, &place, warnings),
                ),
                _ => continue,
            };
            let row = ViewRow {
                node: node.name.clone(),
                form: (!tables.is_empty()).then(|| kind.chunk_id().to_string()),
                stack: stack.clone(),
                frames: times.len() as u32,
            };
            if !tables.is_empty() {
                made.files.push(ViewFile {
                    node: node.name.clone(),
                    kind,
                    stack: stack.clone(),
                    file: File::new(vec![Chunk::Motion(written(kind, tables, times.len() as u32))]),
                });
            }
            made.rows.push(row);
        }
    }
    Ok(made)
}

/// Returns the extent of cameras, lights and the origin at rest, or 1 if this extent is 0. Scenes without a
/// model use it.
fn spread(scene: &Scene, nodes: &[&Node]) -> Result<f64, Error> {
    let frame = scene.frame(None, 0.0)?;
    let cameras = nodes
        .iter()
        .filter_map(|n| Some(frame.camera(n.number)?.position));
    let lights = nodes.iter().filter_map(|n| Some(frame.light(n.number)?.position));
    let extent = crate::emit::extent(cameras.chain(lights).chain([[0.0; 3]]));
    Ok(if extent > 0.0 { extent } else { 1.0 })
}

/// All files, and their reports.
#[derive(Default)]
pub(crate) struct Views {
    pub(crate) files: Vec<ViewFile>,
    pub(crate) rows: Vec<ViewRow>,
}

/// Sampled cameras or lights of a node, one per frame.
type ViewSamples = (Vec<Camera>, Vec<Light>);

/// Evaluates cameras and lights, by node.
fn sample_views(
    scene: &Scene,
    nodes: &[&Node],
    stack: Option<usize>,
    times: &[f64],
) -> Result<Vec<ViewSamples>, Error> {
    if nodes.len().saturating_mul(times.len()) > MOST {
        let found = format!("{} frames of {} cameras and lights", times.len(), nodes.len());
        return Err(Error::scene(
            "scene",
            found,
            format!("at most {MOST} together: lower the rate or give a range"),
        ));
    }
    let mut all: Vec<ViewSamples> = nodes.iter().map(|_| ViewSamples::default()).collect();
    for time in times {
        let frame = scene.frame(stack, *time)?;
        for (node, (cameras, lights)) in nodes.iter().zip(&mut all) {
            cameras.extend(frame.camera(node.number));
            lights.extend(frame.light(node.number));
        }
    }
    Ok(all)
}

/// Builds a motion of one entry. Its tables are in the order of their element numbers.
fn written(kind: MotionKind, mut tables: Tables, frames: u32) -> Motion {
    let bits = tables
        .iter()
        .fold(MotionType::default(), |bits, (element, _)| bits | *element);
    let mut motion = Motion::new(kind, bits, frames);
    tables.sort_by_key(|(element, _)| element.number());
    let tracks: Vec<_> = tables
        .into_iter()
        .map(|(_, keys)| Some(motion.push_track(keys)))
        .collect();
    motion.push_node(&tracks);
    motion
}

/// Returns a key per frame, or one key if all values are equal.
fn keys<T: Copy + PartialEq>(values: Vec<T>) -> Vec<Key<T>> {
    let still = values.iter().all(|v| *v == values[0]);
    let key = |(frame, value): (u32, T)| Key { frame, value };
    (0..)
        .zip(values)
        .map(key)
        .take(if still { 1 } else { usize::MAX })
        .collect()
}

fn floats(values: impl Iterator<Item = Vec3>) -> Keys {
    Keys::F(keys(values.map(|v| v.map(|c| c as f32)).collect()))
}

fn short(degrees: f64) -> i16 {
    Bams::from_degrees(degrees).0 as i16
}

/// Returns position, target, roll and angle of view.
fn camera(cameras: &[Camera], place: &str, warnings: &mut Warnings) -> Tables {
    if cameras[0].orthographic {
        warnings.add(place, "the format has no orthographic cameras: left out");
        return Vec::new();
    }
    if cameras.iter().any(|c| c.angle.is_none()) {
        let message = format!("the camera has no angle of view: {DEFAULT_ANGLE} degrees are used");
        warnings.add(place, message);
    }
    let roll: Vec<i16> = cameras.iter().map(|c| short(roll(c))).collect();
    if roll.iter().any(|r| *r != 0) {
        let message = "the camera is tilted: the roll is written counter-clockwise from the camera's view, \
            because the direction of ROLL_6 is undocumented";
        warnings.add(place, message);
    }
    vec![
        (Element::Pos, floats(cameras.iter().map(|c| c.position))),
        (
            Element::Target,
            floats(cameras.iter().map(|c| add(c.position, c.front))),
        ),
        (Element::Roll, Keys::Sa1(keys(roll))),
        (
            Element::Angle,
            Keys::Sa1(keys(
                cameras
                    .iter()
                    .map(|c| short(c.angle.unwrap_or(DEFAULT_ANGLE)))
                    .collect(),
            )),
        ),
    ]
}

/// Returns the rotation of the camera's up direction about its axis, in degrees, relative to the horizon.
fn roll(camera: &Camera) -> f64 {
    let up = [0.0, 1.0, 0.0];
    let level = normalized(cross(camera.front, up));
    // A camera that looks straight up or down has no horizon.
    level.map_or(0.0, |right| {
        dot(camera.up, scaled(right, -1.0))
            .atan2(dot(camera.up, cross(right, camera.front)))
            .to_degrees()
    })
}

/// Returns each light's share of full light at the model, frame by frame. If a light exceeds full light, dims
/// all by the same factor so that the brightest one is full.
fn exposure(
    samples: &[ViewSamples],
    model: Extent,
    options: &Options,
    warnings: &mut Warnings,
) -> Vec<Vec<f64>> {
    let share = |light: &Light| {
        let distance = length(sub(light.position, model.centre)) * options.unit_meters;
        let share = light.brightness.share(light.kind, distance);
        if share.is_finite() { share.max(0.0) } else { 1.0 }
    };
    let mut shares: Vec<Vec<f64>> = samples
        .iter()
        .map(|(_, lights)| lights.iter().map(share).collect())
        .collect();
    let brightest = shares.iter().flatten().copied().fold(0.0, f64::max);
    if brightest > 1.0 {
        let message =
            format!("the lights are divided by {brightest:.1}, so the brightest one becomes full light");
        warnings.notice(message);
        shares.iter_mut().flatten().for_each(|share| *share /= brightest);
    }
    shares
}

/// Returns the distances at which a light begins to fade and at which it ends. A light without a range lights
/// the whole model evenly.
fn reach(light: &Light, model: Extent) -> [f32; 2] {
    let [near, far] = match light.far {
        Some(far) => [light.near, far],
        None => {
            let end = length(sub(light.position, model.centre)) + model.size / 2.0;
            [end.max(light.near), 2.0 * end]
        }
    };
    [near as f32, far as f32]
}

fn light(
    kind: LightKind,
    (lights, shares): (&[Light], &[f64]),
    model: Extent,
    place: &str,
    warnings: &mut Warnings,
) -> Tables {
    let position = || (Element::Pos, floats(lights.iter().map(|l| l.position)));
    let color = (Element::Rgb, floats(lights.iter().map(|l| l.color)));
    // Intensity, then the ambient share: 0, because FBX has none.
    let intensity = || Keys::F2(keys(shares.iter().map(|s| [*s as f32, 0.0]).collect()));
    if kind != LightKind::Directional && lights.iter().any(|l| l.far.is_none()) {
        let message = "the light has no range: it lights the whole model evenly, and fades beyond";
        warnings.add(place, message);
    }
    match kind {
        LightKind::Directional => vec![
            (Element::Vec0, floats(lights.iter().map(|l| l.direction))),
            color,
            (Element::Intensity, intensity()),
        ],
        LightKind::Point => {
            let bright = shares.iter().any(|s| *s != 1.0);
            if bright {
                let message = "the colour includes the intensity, because a motion cannot have both \
                    INTENSITY_9 and POINT_9";
                warnings.add(place, message);
            }
            let dimmed = floats(lights.iter().zip(shares).map(|(l, s)| scaled(l.color, *s)));
            vec![
                position(),
                (Element::Rgb, dimmed),
                (
                    Element::Point,
                    Keys::F2(keys(lights.iter().map(|l| reach(l, model)).collect())),
                ),
            ]
        }
        LightKind::Spot => {
            let spot = |l: &Light| {
                let [near, far] = reach(l, model);
                Spot {
                    near,
                    far,
                    inner: Bams::from_degrees(l.inner),
                    outer: Bams::from_degrees(l.outer),
                }
            };
            vec![
                position(),
                (Element::Vec3, floats(lights.iter().map(|l| l.direction))),
                color,
                (Element::Intensity, intensity()),
                (Element::Spot, Keys::Spot(keys(lights.iter().map(spot).collect()))),
            ]
        }
        LightKind::Other => {
            warnings.add(place, "the format has no area and volume lights: left out");
            Vec::new()
        }
    }
}
