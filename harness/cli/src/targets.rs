//! The processors that programs may be for: a line each.

use verify::Target;

#[cfg(feature = "unicorn")]
use arm7::ARM7;

/// All of them.
pub(crate) const TARGETS: [Target; 2] = [verify::SH4, ARM7];

/// `e_machine` of ARM files.
pub(crate) const EM_ARM: u16 = 40;

/// In a build without the sound block's processor: it has no kernels, and says why it runs nothing.
#[cfg(not(feature = "unicorn"))]
const ARM7: Target = Target {
    name: "ARM7",
    machine: EM_ARM,
    kernels: &[],
    rom: verify::Rom {
        name: "roms/aica.elf",
        bytes: &[],
    },
    open: |_| Err(verify::OpenError::Refused(WITHOUT_UNICORN.to_owned())),
};

/// What a user reads who needs the feature.
#[cfg(not(feature = "unicorn"))]
pub(crate) const WITHOUT_UNICORN: &str = "this is an ARM program, and this build has no ARM7; build it with `cargo build --release --features unicorn` \
     (that needs cmake, a C compiler and libclang; the binary then contains the Unicorn engine and is under the \
     GPL-2.0 as a whole)";
