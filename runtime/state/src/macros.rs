//! The macros that implement `State`.

/// Implements [`State`](crate::State) for a struct. Transfers the listed fields in order, and does not change
/// the fields in `keep`. Calls `after` with a loaded value, to derive the kept fields. Fails if a loaded
/// value breaks the rule in `check`.
///
/// ```
/// struct Fifo {
///     bytes: [u8; 16],
///     count: usize,
/// }
/// state::fields!(Fifo { bytes, count } check(|fifo: &Fifo| fifo.count <= 16));
///
/// struct Level(u8);
/// state::fields!(Level(value));
/// ```
#[macro_export]
macro_rules! fields {
    (
        $type:ident { $($field:ident),* $(,)? } $(keep { $($kept:ident),* $(,)? })?
        $(after($after:expr))? $(check($check:expr))?
    ) => {
        impl $crate::State for $type {
            fn transfer(&mut self, stream: &mut $crate::Stream<'_>) -> Result<(), $crate::Error> {
                stream.name(stringify!($type));
                let Self { $($field,)* $($($kept: _,)*)? } = self;
                $(
                    stream.name(stringify!($field));
                    $crate::State::transfer($field, stream)?;
                )*
                $(if stream.is_loading() {
                    $after(self);
                })?
                $(stream.check(stringify!($type), $check(self))?;)?
                Ok(())
            }
        }
    };
    ($type:ident($($field:ident),* $(,)?) $(check($check:expr))?) => {
        impl $crate::State for $type {
            fn transfer(&mut self, stream: &mut $crate::Stream<'_>) -> Result<(), $crate::Error> {
                stream.name(stringify!($type));
                let Self($($field),*) = self;
                $($crate::State::transfer($field, stream)?;)*
                $(stream.check(stringify!($type), $check(self))?;)?
                Ok(())
            }
        }
    };
}

/// Implements [`State`](crate::State) for an enum: a byte for the variant, then its values. The types of the
/// values implement `Default`.
///
/// ```
/// enum Phase {
///     Idle,
///     Packet { bytes: [u8; 12], count: usize },
///     Busy(u32),
/// }
/// state::variants!(Phase {
///     0 Idle,
///     1 Packet { bytes, count },
///     2 Busy(cycles),
/// });
/// ```
#[macro_export]
macro_rules! variants {
    ($type:ident {
        $($tag:literal $name:ident $({ $($field:ident),* })? $(($($value:ident),*))?),* $(,)?
    }) => {
        impl $crate::State for $type {
            fn transfer(&mut self, stream: &mut $crate::Stream<'_>) -> Result<(), $crate::Error> {
                stream.name(stringify!($type {
                    $($tag $name $({ $($field),* })? $(($($value),*))?),*
                }));
                #[allow(unused_variables, reason = "only the variant counts")]
                let mut tag: u8 = match self {
                    $(Self::$name $({ $($field),* })? $(($($value),*))? => $tag,)*
                };
                $crate::State::transfer(&mut tag, stream)?;
                if stream.is_loading() {
                    *self = match tag {
                        $($tag => Self::$name
                            $({ $($field: Default::default()),* })?
                            $(($($crate::default_of!($value)),*))?,)*
                        _ => return Err($crate::Error::value(
                            stringify!($type),
                            tag,
                            concat!("one of", $(" ", $tag),*),
                        )),
                    };
                }
                match self {
                    $(Self::$name $({ $($field),* })? $(($($value),*))? => {
                        $($($crate::State::transfer($field, stream)?;)*)?
                        $($($crate::State::transfer($value, stream)?;)*)?
                    })*
                }
                Ok(())
            }
        }
    };
}

/// Returns the default value of the inferred type.
#[doc(hidden)]
#[macro_export]
macro_rules! default_of {
    ($value:ident) => {
        Default::default()
    };
}
