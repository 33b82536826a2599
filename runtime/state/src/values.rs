//! Implements [`State`] for numbers, lists, maps, tuples and texts.

use crate::{Error, State, Stream};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

macro_rules! numbers {
    ($($type:ident)*) => {$(
        impl State for $type {
            fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
                let mut bytes = self.to_le_bytes();
                stream.bytes(&mut bytes)?;
                *self = Self::from_le_bytes(bytes);
                Ok(())
            }
        }
    )*};
}

numbers!(u16 u32 u64 i8 i16 i32 i64);

impl State for u8 {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        stream.bytes(std::slice::from_mut(self))
    }

    fn transfer_slice(values: &mut [Self], stream: &mut Stream<'_>) -> Result<(), Error> {
        stream.bytes(values)
    }
}

/// Eight bytes on every host.
impl State for usize {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let mut value = *self as u64;
        value.transfer(stream)?;
        *self = Self::try_from(value)
            .map_err(|_| Error::value("number", value, "one that the host can index"))?;
        Ok(())
    }
}

impl State for bool {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let mut value = u8::from(*self);
        value.transfer(stream)?;
        *self = match value {
            0 => false,
            1 => true,
            _ => return Err(Error::value("flag", value, "0 or 1")),
        };
        Ok(())
    }
}

impl<T: State, const N: usize> State for [T; N] {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        T::transfer_slice(self, stream)
    }
}

/// A slice keeps its length.
impl<T: State> State for [T] {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        T::transfer_slice(self, stream)
    }
}

impl<T: State + ?Sized> State for Box<T> {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        (**self).transfer(stream)
    }
}

impl<T: State + Default> State for Option<T> {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let mut is_some = self.is_some();
        is_some.transfer(stream)?;
        if stream.is_loading() {
            *self = is_some.then(T::default);
        }
        match self {
            Some(value) => value.transfer(stream),
            None => stream.absent::<T>(),
        }
    }
}

impl<T: State + Default> State for Vec<T> {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let length = stream.length(self.len(), size_of::<T>())?;
        if stream.is_loading() {
            self.clear();
            self.resize_with(length, T::default);
        }
        if self.is_empty() {
            return stream.absent::<T>();
        }
        T::transfer_slice(self, stream)
    }
}

impl<T: State + Default> State for VecDeque<T> {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let mut values = Vec::from(std::mem::take(self));
        values.transfer(stream)?;
        *self = values.into();
        Ok(())
    }
}

impl<K: State + Default + Ord, V: State + Default> State for BTreeMap<K, V> {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let mut pairs: Vec<(K, V)> = std::mem::take(self).into_iter().collect();
        pairs.transfer(stream)?;
        *self = pairs.into_iter().collect();
        Ok(())
    }
}

impl<T: State + Default + Ord> State for BTreeSet<T> {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let mut values: Vec<T> = std::mem::take(self).into_iter().collect();
        values.transfer(stream)?;
        *self = values.into_iter().collect();
        Ok(())
    }
}

impl<T: State> State for Range<T> {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        self.start.transfer(stream)?;
        self.end.transfer(stream)
    }
}

impl State for String {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let mut bytes = std::mem::take(self).into_bytes();
        bytes.transfer(stream)?;
        *self = Self::from_utf8(bytes).map_err(|error| Error::value("text", error, "UTF-8"))?;
        Ok(())
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: State),*> State for ($($name,)*) {
            fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
                #[allow(non_snake_case, reason = "a type and its value share the name")]
                let ($($name,)*) = self;
                $($name.transfer(stream)?;)*
                Ok(())
            }
        }
    )*};
}

tuples!((A B) (A B C));

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq)]
    enum Phase {
        #[default]
        Idle,
        Packet {
            bytes: [u8; 3],
            count: usize,
        },
        Busy(Option<u16>),
    }

    crate::variants!(Phase {
        0 Idle,
        1 Packet { bytes, count },
        2 Busy(answer),
    });

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Device {
        phase: Vec<Phase>,
        name: String,
        queue: VecDeque<i16>,
        table: BTreeMap<u32, (bool, u64)>,
        level: u8,
    }

    crate::fields!(Device { phase, name, queue, table, level } check(|device: &Device| device.level < 8));

    fn device() -> Device {
        Device {
            phase: vec![
                Phase::Idle,
                Phase::Packet {
                    bytes: [1, 2, 3],
                    count: 2,
                },
                Phase::Busy(Some(7)),
                Phase::Busy(None),
            ],
            name: "Gerät".to_owned(),
            queue: [-1, 300].into(),
            table: [(5, (true, u64::MAX))].into(),
            level: 7,
        }
    }

    fn save(device: &Device) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        device.clone().transfer(&mut Stream::save(&mut bytes))?;
        Ok(bytes)
    }

    fn load(bytes: &[u8], memory: usize) -> Result<Device, Error> {
        let mut device = Device::default();
        device.transfer(&mut Stream::load(&mut &*bytes, memory))?;
        Ok(device)
    }

    #[test]
    fn a_loaded_value_is_the_saved_one() -> Result<(), Error> {
        assert_eq!(load(&save(&device())?, 1 << 10)?, device());
        Ok(())
    }

    #[test]
    fn damaged_bytes_are_errors() -> Result<(), Error> {
        let bytes = save(&device())?;
        for length in 0..bytes.len() {
            assert!(load(&bytes[..length], 1 << 10).is_err(), "{length} bytes");
        }
        let mut long = bytes.clone();
        long[..8].fill(0xFF);
        let error = load(&long, 1 << 10).map_err(|error| error.to_string());
        assert!(error.is_err_and(|text| text.contains("18446744073709551615 elements")));
        let mut impossible = bytes;
        impossible.last_mut().into_iter().for_each(|level| *level = 8);
        let error = load(&impossible, 1 << 10).map_err(|error| error.to_string());
        assert!(error.is_err_and(|text| text.starts_with("Device: found an impossible state")));
        assert!(load(&save(&device())?, 8).is_err(), "memory is bounded");
        Ok(())
    }

    #[test]
    fn a_description_names_types_and_sizes() -> Result<(), Error> {
        let mut text = String::new();
        Device::default().transfer(&mut Stream::describe(&mut text))?;
        assert!(text.starts_with("Device phase 8 Phase { 0 Idle, "), "{text}");
        Ok(())
    }

    #[test]
    fn a_description_includes_absent_values() -> Result<(), Error> {
        for absent in [&mut None::<Device> as &mut dyn State, &mut Vec::<Device>::new()] {
            let mut text = String::new();
            absent.transfer(&mut Stream::describe(&mut text))?;
            assert!(text.contains(" Device phase 8 Phase { 0 Idle, "), "{text}");
        }
        Ok(())
    }
}
