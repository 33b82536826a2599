#![doc = include_str!("../README.md")]

mod macros;
mod memory;
mod stream;
mod values;

pub use memory::Memory;
pub use stream::{Error, Stream};

/// A value that can be saved and loaded.
pub trait State {
    /// Writes the value to a stream that saves, or replaces it by the value of a stream that loads.
    ///
    /// # Errors
    /// If the stream ends too early or holds a value that the type does not allow. A value that was loaded in
    /// part is not usable.
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error>;

    /// Transfers the values of a slice, without its length.
    ///
    /// # Errors
    /// See [`State::transfer`].
    fn transfer_slice(values: &mut [Self], stream: &mut Stream<'_>) -> Result<(), Error>
    where
        Self: Sized,
    {
        values.iter_mut().try_for_each(|value| value.transfer(stream))
    }
}
