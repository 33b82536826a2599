//! `v`, `rect`, `sprite` corners and modifier volumes: vertex parameters in the form that the open polygon
//! asks for.

use crate::header::Header;
use crate::text::{SceneError, Statement, Word};
use pvr::{ColourType, ListType, ParamType, Pcw, Set, Shape, Uv, VertexForm};

/// A colour as written: packed, four floats or an intensity.
#[derive(Debug, Clone, Copy)]
enum Colour {
    Packed(u32),
    Float([f32; 4]),
    Intensity(f32),
}

/// Attributes of a vertex, of both volumes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attributes {
    uv: [[f32; 2]; 2],
    base: [Option<Colour>; 2],
    offset: [Option<Colour>; 2],
}

impl Attributes {
    const NONE: Self = Self {
        uv: [[0.0; 2]; 2],
        base: [None; 2],
        offset: [None; 2],
    };
}

/// The form of the vertices after `header`.
pub(crate) fn form_of(header: &Header, list: ListType) -> &'static VertexForm {
    VertexForm::select(header.pcw, list)
}

/// Reads a colour in the encoding of the polygon.
fn colour(word: &Word<'_>, header: &Header) -> Result<Colour, SceneError> {
    match header.pcw.colour() {
        ColourType::Packed => word.colour().map(Colour::Packed),
        ColourType::Float if !header.two_volumes() => word.floats().map(Colour::Float),
        _ => word.float().map(Colour::Intensity),
    }
}

/// Reads the attributes that `word` names; false if it names none. A digit 1 behind the name means the second
/// volume.
fn attribute(word: &Word<'_>, header: &Header, into: &mut Attributes) -> Result<bool, SceneError> {
    let (key, Some(value)) = word.key_value() else {
        return Ok(false);
    };
    match key {
        "uv" => into.uv[0] = value.floats()?,
        "uv1" => into.uv[1] = value.floats()?,
        "base" => into.base[0] = Some(colour(&value, header)?),
        "base1" => into.base[1] = Some(colour(&value, header)?),
        "over" => into.offset[0] = Some(colour(&value, header)?),
        "over1" => into.offset[1] = Some(colour(&value, header)?),
        _ => return Ok(false),
    }
    Ok(true)
}

const ATTRIBUTES: &str = "one of uv=, base=, over=, uv1=, base1=, over1=";

/// Returns a vertex parameter without its end-of-strip flag.
fn vertex(header: &Header, list: ListType, position: [f32; 3], attributes: &Attributes) -> Vec<u32> {
    let form = form_of(header, list);
    let mut words = vec![0; form.words];
    words[0] = Pcw(0).with_param_type(ParamType::Vertex).0;
    words[1..4].copy_from_slice(&position.map(f32::to_bits));
    for (volume, set) in form.sets.iter().enumerate() {
        let Some(set) = set else { continue };
        put_uv(&mut words, form.uv, set, attributes.uv[volume]);
        put_colour(
            &mut words,
            set.base,
            attributes.base[volume],
            form.colour,
            u32::MAX,
        );
        if header.pcw.offset() && form.uv != Uv::None {
            put_colour(&mut words, set.offset, attributes.offset[volume], form.colour, 0);
        }
    }
    words
}

fn put_uv(words: &mut [u32], uv: Uv, set: &Set, [u, v]: [f32; 2]) {
    match uv {
        Uv::None => {}
        Uv::Packed => words[set.uv] = packed_uv([u, v]),
        Uv::Float => words[set.uv..set.uv + 2].copy_from_slice(&[u.to_bits(), v.to_bits()]),
    }
}

/// Packs the top halves of both coordinates.
fn packed_uv([u, v]: [f32; 2]) -> u32 {
    u.to_bits() & 0xFFFF_0000 | v.to_bits() >> 16
}

fn put_colour(words: &mut [u32], at: usize, colour: Option<Colour>, form: ColourType, default: u32) {
    let unit = if default == 0 { 0.0f32 } else { 1.0 };
    match (form, colour) {
        (ColourType::Packed, Some(Colour::Packed(argb))) => words[at] = argb,
        (ColourType::Packed, _) => words[at] = default,
        (ColourType::Float, Some(Colour::Float(argb))) => {
            words[at..at + 4].copy_from_slice(&argb.map(f32::to_bits));
        }
        (ColourType::Float, _) => words[at..at + 4].fill(unit.to_bits()),
        (_, Some(Colour::Intensity(intensity))) => words[at] = intensity.to_bits(),
        (_, _) => words[at] = unit.to_bits(),
    }
}

/// Reads `v X Y Z [attributes]`.
pub(crate) fn read_vertex(
    statement: &mut Statement<'_>,
    header: &Header,
    list: ListType,
) -> Result<Vec<u32>, SceneError> {
    let mut position = [0.0; 3];
    for (value, name) in position.iter_mut().zip(["x", "y", "z (1/W)"]) {
        *value = statement.word(name)?.float()?;
    }
    let mut attributes = Attributes::NONE;
    while let Some(word) = statement.next() {
        if !attribute(&word, header, &mut attributes)? {
            return Err(word.error(ATTRIBUTES));
        }
    }
    Ok(vertex(header, list, position, &attributes))
}

/// Edges of a rectangle, depths at its corners (top left, top right, bottom left, bottom right) and texture
/// coordinates.
struct Rect {
    place: [f32; 4],
    z: [f32; 4],
    uv: [[f32; 4]; 2],
}

impl Rect {
    fn corners(&self) -> [[f32; 3]; 4] {
        let [x0, y0, x1, y1] = self.place;
        let [a, b, c, d] = self.z;
        [[x0, y0, a], [x1, y0, b], [x0, y1, c], [x1, y1, d]]
    }

    /// Returns the texture coordinates of a corner, 0 to 3, in one volume.
    fn uv(&self, corner: usize, volume: usize) -> [f32; 2] {
        let [u0, v0, u1, v1] = self.uv[volume];
        [
            if corner & 1 == 0 { u0 } else { u1 },
            if corner < 2 { v0 } else { v1 },
        ]
    }
}

/// Reads `rect X0 Y0 X1 Y1 [z=Z or z=TL,TR,BL,BR] [uv=U0,V0,U1,V1] [attributes]`: a strip of two triangles,
/// or a sprite.
pub(crate) fn read_rect(
    statement: &mut Statement<'_>,
    header: &Header,
    list: ListType,
) -> Result<Vec<Vec<u32>>, SceneError> {
    let mut rect = Rect {
        place: [0.0; 4],
        z: [0.5; 4],
        uv: [[0.0, 0.0, 1.0, 1.0]; 2],
    };
    for (value, name) in rect.place.iter_mut().zip(["left", "top", "right", "bottom"]) {
        *value = statement.word(name)?.float()?;
    }
    let mut attributes = Attributes::NONE;
    while let Some(word) = statement.next() {
        match word.key_value() {
            ("z", Some(value)) if value.text.contains(',') => rect.z = value.floats()?,
            ("z", Some(value)) => rect.z = [value.float()?; 4],
            ("uv", Some(value)) => rect.uv[0] = value.floats()?,
            ("uv1", Some(value)) => rect.uv[1] = value.floats()?,
            _ if attribute(&word, header, &mut attributes)? => {}
            _ => return Err(word.error("one of z=, uv=, base=, over=, uv1=, base1=, over1=")),
        }
    }
    if header.pcw.param_type() == ParamType::Sprite {
        // Clockwise: A, B, C, D.
        let [a, b, d, c] = rect.corners();
        let uv = [rect.uv(0, 0), rect.uv(1, 0), rect.uv(3, 0)];
        return Ok(vec![sprite(header, [a, b, c, d], uv)]);
    }
    let corners = rect.corners().into_iter().enumerate();
    Ok(corners
        .map(|(n, position)| {
            attributes.uv = [rect.uv(n, 0), rect.uv(n, 1)];
            vertex(header, list, position, &attributes)
        })
        .collect())
}

/// Reads `corners AX,AY,AZ BX,BY,BZ CX,CY,CZ DX,DY [uv=AU,AV,BU,BV,CU,CV]`: a sprite with any corners.
pub(crate) fn read_corners(statement: &mut Statement<'_>, header: &Header) -> Result<Vec<u32>, SceneError> {
    let mut corners = [[0.0; 3]; 4];
    for (corner, name) in corners[..3].iter_mut().zip(["AX,AY,AZ", "BX,BY,BZ", "CX,CY,CZ"]) {
        *corner = statement.word(name)?.floats()?;
    }
    let [x, y] = statement.word("DX,DY")?.floats()?;
    corners[3] = [x, y, 0.0];
    let mut uv = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
    while let Some(word) = statement.next() {
        match word.key_value() {
            ("uv", Some(value)) => {
                let [au, av, bu, bv, cu, cv] = value.floats()?;
                uv = [[au, av], [bu, bv], [cu, cv]];
            }
            _ => return Err(word.error("uv=AU,AV,BU,BV,CU,CV")),
        }
    }
    Ok(sprite(header, corners, uv))
}

fn sprite(header: &Header, [a, b, c, d]: [[f32; 3]; 4], uv: [[f32; 2]; 3]) -> Vec<u32> {
    let pcw = Pcw(0).with_param_type(ParamType::Vertex).with_end_of_strip(true);
    let mut words = vec![pcw.0];
    words.extend([a, b, c].as_flattened().iter().map(|c| c.to_bits()));
    words.extend([d[0].to_bits(), d[1].to_bits(), 0]);
    words.extend(uv.map(|uv| if header.pcw.texture() { packed_uv(uv) } else { 0 }));
    words.truncate(16);
    words.resize(16, 0);
    debug_assert_eq!(form_shape(header), Shape::Sprite);
    words
}

fn form_shape(header: &Header) -> Shape {
    VertexForm::select(header.pcw, ListType::Opaque).shape
}

/// Returns a modifier volume triangle.
pub(crate) fn modifier_triangle(corners: [[f32; 3]; 3]) -> Vec<u32> {
    let pcw = Pcw(0).with_param_type(ParamType::Vertex).with_end_of_strip(true);
    let mut words = vec![pcw.0];
    words.extend(corners.as_flattened().iter().map(|c| c.to_bits()));
    words.resize(16, 0);
    words
}

/// Returns the twelve triangles of a box between depths `near` and `far` (1/W).
pub(crate) fn box_triangles([x0, y0, x1, y1]: [f32; 4], near: f32, far: f32) -> Vec<[[f32; 3]; 3]> {
    let corner = |n: usize| {
        [
            if n & 1 == 0 { x0 } else { x1 },
            if n & 2 == 0 { y0 } else { y1 },
            if n & 4 == 0 { near } else { far },
        ]
    };
    let faces = [
        [0, 1, 2, 3],
        [4, 6, 5, 7],
        [0, 4, 1, 5],
        [2, 3, 6, 7],
        [0, 2, 4, 6],
        [1, 5, 3, 7],
    ];
    faces
        .iter()
        // Both halves have the same winding, so that the fill rule assigns their common edge to one of them.
        .flat_map(|&[a, b, c, d]| [[a, b, c], [d, c, b]])
        .map(|triangle| triangle.map(corner))
        .collect()
}
