//! The sections of `roms/console/loopback.elf` ("Sections" in `docs/hardware/loopback.md`).

/// A tone of the program.
pub(super) struct Section {
    pub(super) name: &'static str,
    /// Frequency of the tone.
    pub(super) hz: f64,
}

const fn tone(name: &'static str) -> Section {
    Section { name, hz: 1000.0 }
}

/// All sections, in the order of the table in `roms/src/console/loopback.c`.
pub(super) const SECTIONS: [Section; 24] = [
    tone("full"),
    tone("master_14"),
    tone("master_13"),
    tone("master_8"),
    tone("send_14"),
    tone("send_13"),
    tone("send_8"),
    tone("pan_01"),
    tone("pan_03"),
    tone("pan_0f"),
    tone("pan_11"),
    tone("pan_1f"),
    tone("send_14_pan_11"),
    tone("mono"),
    tone("level_10"),
    tone("level_18"),
    tone("filter_1800"),
    tone("filter_1a00"),
    tone("filter_1c00"),
    tone("filter_1a00_q28"),
    Section {
        name: "octave_1",
        hz: 2000.0,
    },
    Section {
        name: "fns_155",
        hz: 1000.0 * (1.0 + 341.0 / 1024.0),
    },
    tone("saturation"),
    tone("effect"),
];

/// Seconds from one section to the next. The first one begins as long after the start marker, and the end
/// marker as long after the start of the last one.
pub(super) const PERIOD: f64 = 0.3;
/// Part of a section that is measured, in seconds after its start. Its tone has 250 ms.
pub(super) const MEASURED: [f64; 2] = [0.06, 0.24];
