//! Motions of cameras and lights in the console runtime.

use super::{FAULT, Outcome, Player, SCENE};
use anyhow::Result;

/// Addresses of struct swr_free_camera and of two struct swr_light_source.
const CAMERA: u32 = 0x8C40_0200;
const LIGHTS: u32 = 0x8C40_0240;

impl Player {
    /// Loads the first motion of a camera in a file.
    pub(in super::super) fn load_camera(&mut self, file: &[u8]) -> Result<Outcome<()>> {
        let [at, size] = self.put_file(file, 4)?;
        let work = self.layout.work;
        self.call("player_camera_motion", &[at, size, work.at, work.bytes, FAULT])
    }

    /// Loads the first motion of a light in a file.
    pub(in super::super) fn load_light(&mut self, file: &[u8]) -> Result<Outcome<()>> {
        let [at, size] = self.put_file(file, 4)?;
        let work = self.layout.work;
        self.call("player_light_motion", &[at, size, work.at, work.bytes, FAULT])
    }

    /// Returns the camera at a frame, given the camera at rest: struct swr_free_camera, and the first words
    /// of its struct swr_scene.
    pub(in super::super) fn camera(
        &mut self,
        rest: &[u32],
        scene: &[u32],
        frame: f32,
        words: u32,
    ) -> Result<Option<(Vec<u32>, Vec<u32>)>> {
        self.put_scene(scene)?;
        self.put(CAMERA, rest)?;
        if self.start("player_camera", &[CAMERA, frame.to_bits(), SCENE])? == 0 {
            return Ok(None);
        }
        let camera = self.words(CAMERA, rest.len() as u32)?;
        Ok(Some((camera, self.words(SCENE, words)?)))
    }

    /// Returns the light at a frame, given the light at rest: struct swr_light_source, and the ambient light
    /// that follows it.
    pub(in super::super) fn light(&mut self, rest: &[u32], frame: f32) -> Result<Option<Vec<u32>>> {
        self.put(LIGHTS, rest)?;
        let words = rest.len() as u32;
        let (light, ambient) = (LIGHTS + 4 * words, LIGHTS + 8 * words);
        let args = [LIGHTS, frame.to_bits(), light, ambient];
        if self.start("player_light", &args)? == 0 {
            return Ok(None);
        }
        Ok(Some(self.words(light, words + 3)?))
    }
}
