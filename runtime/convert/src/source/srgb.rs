//! The sRGB transfer function (IEC 61966-2-1).

/// Returns the screen value of a linear value (IEC 61966-2-1). The chip multiplies screen values.
pub(crate) fn shown(linear: f64) -> f64 {
    let linear = if linear.is_finite() {
        linear.clamp(0.0, 1.0)
    } else {
        1.0
    };
    match linear <= 0.003_130_8 {
        true => linear * 12.92,
        false => 1.055 * linear.powf(1.0 / 2.4) - 0.055,
    }
}

/// Returns the linear value of a screen value, the inverse of [`shown`].
pub(crate) fn linear(shown: f64) -> f64 {
    match shown <= 0.040_45 {
        true => shown / 12.92,
        false => ((shown + 0.055) / 1.055).powf(2.4),
    }
}
