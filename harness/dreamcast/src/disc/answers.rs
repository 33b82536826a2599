//! Tables that a program requests from the drive, in the byte order of the packet interface (most significant
//! byte first).

use super::Disc;
use super::player::Position;

/// Returns session information: status, number, frame address.
pub(crate) fn session(disc: &Disc, position: Position, session: u32) -> Option<[u8; 6]> {
    let (number, fad) = disc.session(session)?;
    let [_, high, middle, low] = fad.to_be_bytes();
    Some([position.state, 0, number, high, middle, low])
}

/// Returns the table of contents: 102 entries of four bytes.
pub(crate) fn contents(disc: &Disc, high: bool) -> Option<Vec<u8>> {
    let words = disc.contents(high)?;
    Some(words.iter().flat_map(|word| word.to_be_bytes()).collect())
}

/// Returns the subcode data of kind `which`: all channels (0), the Q channel of the current sector (1), the
/// catalogue number (2) or the ISRC (3). All channels except Q are empty. No disc here has a catalogue number
/// or an ISRC.
pub(crate) fn subcode(disc: &Disc, position: Position, which: u32) -> Option<Vec<u8>> {
    let q = q_channel(disc, position);
    let body = match which {
        0 => all_channels(&q),
        1 => q.to_vec(),
        2 | 3 => vec![0; 20],
        _ => return None,
    };
    let length = body.len() as u8 + 4;
    let mut bytes = vec![0, position.audio, 0, length];
    bytes.extend(body);
    Some(bytes)
}

/// Returns control and address, track, index, frames in the track, 0, frame address.
fn q_channel(disc: &Disc, position: Position) -> [u8; 10] {
    let number = disc.track_at(position.fad);
    let track = number.and_then(|number| disc.track(number));
    let (control, start) = track.map_or((0x41, position.fad), |track| (track.control(), track.start));
    let [_, a, b, c] = (position.fad - start).to_be_bytes();
    let [_, high, middle, low] = position.fad.to_be_bytes();
    // The lead-out, track AA, follows the last track.
    let number = number.map_or(0xAA, |number| number as u8);
    [control, number, 1, a, b, c, 0, high, middle, low]
}

/// Returns 96 bytes, each with one bit per channel; Q is bit 6.
fn all_channels(q: &[u8; 10]) -> Vec<u8> {
    let bit = |n: usize| q.get(n / 8).is_some_and(|byte| byte & 0x80 >> (n % 8) != 0);
    (0..96).map(|n| u8::from(bit(n)) << 6).collect()
}
