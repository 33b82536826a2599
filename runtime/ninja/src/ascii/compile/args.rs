//! Arguments of a macro or a label.

use super::super::error::{Failable, fail};
use super::super::lex::Lexeme;
use super::super::table::{Macro, Role};
use super::Compiler;
use super::value::Value;

/// Arguments with their positions in the text.
pub(super) struct Args {
    values: [(Value, usize); Self::MAX],
    count: usize,
}

impl Args {
    /// Maximum number of arguments of a macro; a test of the tables checks it.
    pub(super) const MAX: usize = 8;

    pub(super) fn new() -> Self {
        Args {
            values: [(Value::Int(0), 0); Self::MAX],
            count: 0,
        }
    }

    fn push(&mut self, value: Value, at: usize) {
        if let Some(slot) = self.values.get_mut(self.count) {
            *slot = (value, at);
        }
        self.count += 1;
    }

    pub(super) fn get(&self, i: u8) -> (Value, usize) {
        self.values
            .get(usize::from(i))
            .copied()
            .unwrap_or((Value::Int(0), 0))
    }
}

impl Compiler<'_> {
    /// Reads the arguments of a macro in parentheses, or of a label one after the other.
    pub(super) fn args(&mut self, row: &'static Macro, name: Lexeme, args: &mut Args) -> Failable<()> {
        args.count = 0;
        // A label's only value may itself start with a parenthesis.
        if self.is(b'(') && !(row.label && row.params.len() == 1) {
            self.bump()?;
            self.arg_list(row, args)?;
            self.expect(b')', row.name)?;
        } else if row.label || row.out.len() == row.params.len() && row.role == Role::None {
            self.label_values(row, args)?;
        } else {
            return self.unexpected(row.name, format!("({})", row.params.join(", ")));
        }
        if args.count == row.params.len() {
            return Ok(());
        }
        let expected = format!("{} ({})", row.params.len(), row.params.join(", "));
        fail(
            name.start,
            row.name,
            format!("{} arguments", args.count),
            expected,
        )
    }

    fn arg_list(&mut self, row: &'static Macro, args: &mut Args) -> Failable<()> {
        while !self.is(b')') {
            let at = self.next.start;
            let value = self.value()?;
            args.push(value, at);
            // Extra arguments are counted for the message, up to a limit.
            if args.count > row.params.len() + Args::MAX || !self.take(b',')? {
                break;
            }
        }
        Ok(())
    }

    /// Reads the values after a label. The list handles the comma after the last value.
    fn label_values(&mut self, row: &'static Macro, args: &mut Args) -> Failable<()> {
        while args.count < row.params.len() {
            if args.count > 0 {
                self.comma()?;
            }
            let at = self.next.start;
            let value = self.value()?;
            args.push(value, at);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::table::MACROS;
    use super::*;

    #[test]
    fn the_maximum_of_arguments_covers_every_macro() {
        let most = MACROS
            .iter()
            .flat_map(|(_, group)| *group)
            .map(|row| row.params.len())
            .max();
        assert!(most.unwrap() <= Args::MAX);
    }
}
