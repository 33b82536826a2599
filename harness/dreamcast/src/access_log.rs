//! Log of the last accesses to a device's registers, for debuggers.

use crate::map::Device;
use crate::run::Dreamcast;
use crate::system::System;
use crate::time::Cycles;
use std::collections::VecDeque;

/// Maximum number of stored accesses.
const MAX: usize = 256;

/// Names of the devices that can be logged.
pub const DEVICES: [(&str, Device); 8] = [
    ("events", Device::Events),
    ("holly", Device::Holly),
    ("g2", Device::G2),
    ("pvr", Device::Pvr),
    ("aica", Device::Aica),
    ("drive", Device::Drive),
    ("clock", Device::Clock),
    ("flash", Device::Flash),
];

/// An access of the CPU to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterAccess {
    /// The time.
    pub time: Cycles,
    /// The instruction.
    pub pc: u32,
    /// The physical address.
    pub address: u32,
    /// Bytes: 1, 2 or 4.
    pub bytes: u8,
    /// The value that was read or written.
    pub value: u32,
    /// True for a write.
    pub write: bool,
}

/// The accesses to one device, the newest last.
#[derive(Clone, Debug)]
pub(crate) struct AccessLog {
    device: Device,
    accesses: VecDeque<RegisterAccess>,
}

impl AccessLog {
    /// Removes accesses later than `now`, after the console has gone back in time.
    pub(crate) fn cut(&mut self, now: Cycles) {
        self.accesses.retain(|access| access.time <= now);
    }
}

impl System {
    /// Logs an access to a register.
    pub(crate) fn log_access(&mut self, device: Device, access: RegisterAccess) {
        let Some(log) = self.log.as_mut().filter(|log| log.device == device) else {
            return;
        };
        if log.accesses.len() >= MAX {
            log.accesses.pop_front();
        }
        log.accesses.push_back(access);
    }
}

impl Dreamcast {
    /// Starts logging accesses to `device`, or stops logging for `None`.
    pub fn log_accesses(&mut self, device: Option<Device>) {
        self.system.log = device.map(|device| {
            Box::new(AccessLog {
                device,
                accesses: VecDeque::new(),
            })
        });
    }

    /// Returns the logged device and its last 256 accesses in order of time.
    #[must_use]
    pub fn logged_accesses(&self) -> Option<(Device, Vec<RegisterAccess>)> {
        let log = self.system.log.as_ref()?;
        Some((log.device, log.accesses.iter().copied().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Until};

    /// MOV.L literal,R1; MOV.L @R1,R0; MOV.L R0,@R1; SLEEP; the literal is FB_R_CTRL.
    #[test]
    fn reads_and_writes_are_logged_once() {
        let words: [u16; 8] = [0xD102, 0x6012, 0x2102, 0x001B, 9, 9, 0x8044, 0xA05F];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut console = Dreamcast::new(Config::default());
        assert!(console.load_raw(&code).is_ok());
        console.log_accesses(Some(Device::Pvr));
        console.run(Until {
            instructions: 4,
            ..Until::FOREVER
        });
        let logged = console.logged_accesses();
        let (device, accesses) = logged.unwrap_or((Device::Nothing, Vec::new()));
        let shown: Vec<_> = accesses
            .iter()
            .map(|access| (access.pc, access.address, access.bytes, access.write))
            .collect();
        let expected = [
            (0x8C01_0002, 0x005F_8044, 4, false),
            (0x8C01_0004, 0x005F_8044, 4, true),
        ];
        assert_eq!((device, &shown[..]), (Device::Pvr, &expected[..]));
        assert_eq!(accesses[0].value, accesses[1].value);
        console.log_accesses(None);
        assert!(console.logged_accesses().is_none());
    }
}
