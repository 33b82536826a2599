//! Demangling of C++ symbols.

use cpp_demangle::{DemangleOptions, DemangleWrite, Symbol};

/// Maximum bytes of a demangled name. Without a limit, substitutions could expand a short symbol enormously.
const LONGEST: usize = 2_000;

/// Returns the C++ name of a mangled symbol, such as `Vec3::dot(Vec3 const&)`, or `None` for other symbols.
/// The leading underscore that some toolchains add is optional.
///
/// ```
/// assert_eq!(machine::demangle("_ZN4Vec33dotERKS_").as_deref(), Some("Vec3::dot(Vec3 const&)"));
/// assert_eq!(machine::demangle("__Z4stepi").as_deref(), Some("step(int)"));
/// assert_eq!(machine::demangle("_main"), None);
/// ```
#[must_use]
pub fn demangle(symbol: &str) -> Option<String> {
    let mangled = match symbol.strip_prefix('_') {
        Some(rest) if rest.starts_with("_Z") => rest,
        _ if symbol.starts_with("_Z") => symbol,
        _ => return None,
    };
    let parsed = Symbol::new(mangled.as_bytes()).ok()?;
    let mut name = Bounded(String::new());
    let options = DemangleOptions::new().no_return_type();
    parsed.structured_demangle(&mut name, &options).ok()?;
    Some(name.0)
}

/// Returns the C++ name of a symbol, or the symbol itself.
#[must_use]
pub fn shown_name(symbol: &str) -> String {
    demangle(symbol).unwrap_or_else(|| symbol.to_owned())
}

/// A buffer for a name of at most [`LONGEST`] bytes. Writing more is an error.
struct Bounded(String);

impl DemangleWrite for Bounded {
    fn write_string(&mut self, text: &str) -> std::fmt::Result {
        if self.0.len() + text.len() > LONGEST {
            return Err(std::fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// Removes the parameters of a demangled name: `Vec3::dot(Vec3 const&) const` becomes `Vec3::dot`.
pub(crate) fn without_parameters(name: &str) -> Option<&str> {
    let mut depth = 0usize;
    let close = name.rfind(')')?;
    for (at, letter) in name[..=close].char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(&name[..at]).filter(|name| !name.is_empty());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{demangle, without_parameters};

    #[test]
    fn names_without_parameters() {
        let short = |name| without_parameters(name);
        assert_eq!(short("step(int)"), Some("step"));
        assert_eq!(short("Vec3::dot(Vec3 const&) const"), Some("Vec3::dot"));
        assert_eq!(short("operator()(void (*)(int))"), Some("operator()"));
        assert_eq!(
            short("(anonymous namespace)::f()"),
            Some("(anonymous namespace)::f")
        );
        assert_eq!(short("guard variable for count"), None);
    }

    #[test]
    fn a_name_that_grows_without_bound_stays_mangled() {
        let mut symbol = String::from("_Z1fI1aE");
        for level in 0..40 {
            let pair = if level == 0 {
                "S_S_".to_owned()
            } else {
                format!("S{level:X}_S{level:X}_")
            };
            symbol += &format!("1tI{pair}E");
        }
        assert!(demangle(&symbol).is_none_or(|name| name.len() <= super::LONGEST));
        assert_eq!(demangle("_Z"), None);
        assert_eq!(demangle("_ZN"), None);
    }

    #[test]
    fn copies_of_a_function_are_named() {
        let name = demangle("_ZN4Mesh4drawEv.constprop.0");
        assert_eq!(name.as_deref(), Some("Mesh::draw() [clone .constprop.0]"));
    }
}
