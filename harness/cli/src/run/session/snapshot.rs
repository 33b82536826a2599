//! Snapshots of a session at positions of its run, its input, and replay of a part of the run.

use super::{End, Session, WAITING_TEXT};
use anyhow::Result;
use dreamcast::input::{Inputs, Script};
use dreamcast::peripherals::Keys;
use dreamcast::snapshot::Snapshot;
use dreamcast::{Cycles, Ended, Until};
use std::sync::Arc;

/// A position in the run. Firmware calls and SLEEP take time, but no instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) retired: u64,
    pub(crate) time: Cycles,
}

/// State of a session at a position.
pub(crate) struct SessionSnapshot {
    pub(crate) position: Position,
    pub(crate) console: Snapshot,
    inputs: Inputs,
    keys: Keys,
    script: Arc<Script>,
}

impl Session {
    /// Returns the current position.
    pub(crate) fn position(&self) -> Position {
        Position {
            retired: self.executed(),
            time: self.console.now(),
        }
    }

    /// Returns the state of the console and of pressed keys.
    pub(crate) fn snapshot(&mut self, before: Option<&SessionSnapshot>) -> SessionSnapshot {
        SessionSnapshot {
            position: self.position(),
            console: self.console.snapshot(before.map(|before| &before.console)),
            inputs: self.inputs,
            keys: self.keys,
            script: Arc::clone(&self.script),
        }
    }

    /// Restores a snapshot of this session, from before or after the current position.
    pub(crate) fn restore(&mut self, snapshot: &SessionSnapshot) {
        self.console.restore(&snapshot.console);
        (self.inputs, self.keys) = (snapshot.inputs, snapshot.keys);
        self.stopped = None;
    }

    /// Restores an earlier snapshot, and drops later input of the window.
    pub(crate) fn rewind(&mut self, snapshot: &SessionSnapshot) {
        self.restore(snapshot);
        self.set_script(&snapshot.script);
    }

    /// Returns the script of the input, with the input of the window.
    pub(crate) fn script(&self) -> &Arc<Script> {
        &self.script
    }

    /// Replaces the script, including past input.
    pub(crate) fn set_script(&mut self, script: &Arc<Script>) {
        self.script = Arc::clone(script);
    }

    /// Passes the sound before frame `frame` to the file and the device that want it.
    pub(crate) fn pass_on_sound(&mut self, frame: u64) -> Result<()> {
        if !self.console.sound_block().has_audio() {
            return Ok(());
        }
        let sound = self.console.take_audio();
        if let Some(playback) = &self.playback {
            playback.push(&sound);
        }
        match &mut self.audio {
            Some(audio) => audio.add_before(frame, &sound),
            None => Ok(()),
        }
    }

    /// Replays a part of the run up to `target`, and discards its text, pictures and sound. Returns the
    /// debugger's stop or the broken rule, if one ends the replay early.
    pub(crate) fn replay(&mut self, target: Position) -> Option<End> {
        loop {
            let here = self.position();
            if here >= target {
                return None;
            }
            let frame = self.console.frame();
            let behind = here.retired < target.retired;
            let ended = self.console.run(Until {
                time: if behind { Cycles::NEVER } else { target.time },
                frame: frame + 1,
                instructions: if behind { target.retired } else { u64::MAX },
                text: WAITING_TEXT,
            });
            self.console.take_console();
            if self.console.sound_block().has_audio() {
                self.console.take_audio();
            }
            if self.console.frame() > frame {
                self.inputs
                    .apply(&self.script, self.console.frame(), &mut self.console);
            }
            match ended {
                Ended::Debug(stop) => return Some(End::Debug(stop)),
                Ended::Check if self.ends_at_report() => return Some(End::Check),
                Ended::Time | Ended::Frame | Ended::Instructions | Ended::Text | Ended::Check => {}
                _ => return None,
            }
        }
    }
}
