//! The host's default audio device.

use super::queue::Queue;
use anyhow::{Context, Result, bail};
use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{FromSample, SampleFormat, SizedSample, StreamConfig};
use std::sync::{Arc, Mutex, PoisonError};

/// An audio device that plays.
pub(crate) struct Playback {
    queue: Arc<Mutex<Queue>>,
    /// Plays until it is dropped.
    _stream: cpal::Stream,
}

impl Playback {
    /// Opens the default device.
    pub(crate) fn open() -> Result<Self> {
        let device = cpal::default_host()
            .default_output_device()
            .context("the host has no audio device")?;
        let config = device.default_output_config()?;
        let queue = Arc::new(Mutex::new(Queue::new(config.sample_rate())));
        let shared = Arc::clone(&queue);
        let format = config.sample_format();
        let config = config.config();
        let stream = match format {
            SampleFormat::F32 => stream::<f32>(&device, config, shared),
            SampleFormat::I16 => stream::<i16>(&device, config, shared),
            SampleFormat::U16 => stream::<u16>(&device, config, shared),
            SampleFormat::I32 => stream::<i32>(&device, config, shared),
            other => bail!("found samples of the kind {other}, expected f32, i16, u16 or i32"),
        }?;
        stream.play()?;
        Ok(Self {
            queue,
            _stream: stream,
        })
    }

    /// Adds samples of the console.
    pub(crate) fn push(&self, sound: &[[i16; 2]]) {
        self.queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(sound);
    }
}

/// Creates a stream of a device's kind of samples. The first two channels are left and right; the others are
/// silent. A device with one channel plays their mean.
fn stream<T: SizedSample + FromSample<f32>>(
    device: &cpal::Device,
    config: StreamConfig,
    queue: Arc<Mutex<Queue>>,
) -> Result<cpal::Stream> {
    let channels = usize::from(config.channels).max(1);
    let mut stereo = Vec::new();
    let fill = move |out: &mut [T], _: &cpal::OutputCallbackInfo| {
        stereo.resize(out.len() / channels, [0.0; 2]);
        queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pull(&mut stereo);
        for (frame, [left, right]) in out.chunks_mut(channels).zip(&stereo) {
            frame.fill(T::EQUILIBRIUM);
            match frame {
                [both] => *both = T::from_sample((left + right) / 2.0),
                [first, second, ..] => {
                    (*first, *second) = (T::from_sample(*left), T::from_sample(*right));
                }
                [] => {}
            }
        }
    };
    let failed = |error| eprintln!("swirl: warning: playback: {error}");
    Ok(device.build_output_stream(config, fill, failed, None)?)
}
