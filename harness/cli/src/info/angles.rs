//! Formats keys of motions, with angles in degrees.

use ninja::{Bams, Key, Keys};

/// Returns frame and value of each key.
pub(super) fn texts(keys: &Keys) -> Vec<String> {
    match keys {
        Keys::A(keys) => each(keys, three),
        Keys::Sa(keys) => each(keys, |angles| three(angles.map(short))),
        Keys::A1(keys) => each(keys, degrees),
        Keys::Sa1(keys) => each(keys, |angle| degrees(short(angle))),
        Keys::Spot(keys) => each(keys, |spot| {
            let (near, far) = (spot.near, spot.far);
            let [inner, outer] = [spot.inner, spot.outer].map(degrees);
            format!("from {near} to {far}, inner {inner}, outer {outer}")
        }),
        Keys::Ax(keys) => each(keys, |turn| {
            format!("{} about {:?}", degrees(turn.angle), turn.axis)
        }),
        others => others.texts(),
    }
}

fn each<T: Copy>(keys: &[Key<T>], text: impl Fn(T) -> String) -> Vec<String> {
    let key = |key: &Key<T>| format!("{}: {}", key.frame, text(key.value));
    keys.iter().map(key).collect()
}

/// Converts a 16-bit angle.
fn short(angle: i16) -> Bams {
    Bams(angle.into())
}

fn three(angles: [Bams; 3]) -> String {
    let [x, y, z] = angles.map(|angle| format!("{:.3}", angle.degrees()));
    format!("[{x}, {y}, {z}] degrees")
}

fn degrees(angle: Bams) -> String {
    format!("{:.3} degrees", angle.degrees())
}
