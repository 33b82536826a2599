//! Buffers of a failing case for reports: inputs, and outputs of both sides.

use super::case::{Input, UserCase};
use super::compare::output_element;
use super::run::Output;
use super::spec::{ArgKind, UserKernel};
use crate::Element;

/// A buffer at entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputArray {
    /// The argument's name.
    pub name: String,
    /// The type of its elements.
    pub element: Element,
    /// The bits of the elements.
    pub elements: Vec<u64>,
}

/// An output that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayDifference {
    /// The argument's name.
    pub name: String,
    /// The type of its elements.
    pub element: Element,
    /// The candidate's bits.
    pub candidate: Vec<u64>,
    /// The reference's bits.
    pub reference: Vec<u64>,
    /// Indices of the elements that differ in any bit.
    pub differing: Vec<usize>,
}

/// Maximum number of elements of an array that is printed completely.
const WHOLE: usize = 16;
/// Number of elements that are printed before and after the first difference of a longer array.
const AROUND: usize = 8;
/// Number of elements that fit in a line.
const IN_LINE: usize = 8;

fn elements(element: Element, bytes: &[u8]) -> Vec<u64> {
    (0..bytes.len() / element.size())
        .map(|index| element.bits(bytes, index))
        .collect()
}

/// The buffers of `case` that have contents at entry.
pub(crate) fn inputs(kernel: &UserKernel, case: &UserCase) -> Vec<InputArray> {
    let named = kernel.args.iter().zip(&case.args);
    let filled = named.filter_map(|(arg, input)| match input {
        Input::Buffer { bytes, .. } if !super::unwritten::is_garbage(&arg.kind) => Some((arg, bytes)),
        _ => None,
    });
    let array = filled.map(|(arg, bytes)| {
        let element = output_element(&arg.kind);
        InputArray {
            name: arg.name.clone(),
            element,
            elements: elements(element, bytes),
        }
    });
    array.collect()
}

/// The outputs with differences.
pub(crate) fn differences(
    kernel: &UserKernel,
    candidate: &Output,
    reference: &Output,
) -> Vec<ArrayDifference> {
    let outputs = kernel.args.iter().zip(candidate.args.iter().zip(&reference.args));
    let different = outputs.filter(|(_, (a, b))| a != b);
    let array = different.map(|(arg, (a, b))| {
        let element = output_element(&arg.kind);
        let (candidate, reference) = (elements(element, a), elements(element, b));
        let count = candidate.len().max(reference.len());
        let differing = (0..count)
            .filter(|i| candidate.get(*i) != reference.get(*i))
            .collect();
        ArrayDifference {
            name: arg.name.clone(),
            element,
            candidate,
            reference,
            differing,
        }
    });
    array.collect()
}

impl InputArray {
    /// Returns the four lines of a 4x4 matrix, with four consecutive elements each; empty for other arrays.
    #[must_use]
    pub fn matrix(&self) -> Vec<String> {
        match self.element == Element::F32 && self.elements.len() == 16 {
            true => grid(self.element, &self.elements, &[], 0..16),
            false => Vec::new(),
        }
    }
}

impl ArrayDifference {
    /// Returns both sides around the first difference, in lines of equal length; `*` marks elements that
    /// differ.
    ///
    /// Arrays of up to 16 elements are printed completely, so a 4x4 matrix has four lines. Elements are in
    /// memory order, so a line is a column of a matrix in XMTRX layout.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let count = self.candidate.len().max(self.reference.len());
        let shown = self.shown(count);
        let [candidate, reference] = [&self.candidate, &self.reference]
            .map(|side| grid(self.element, side, &self.differing, shown.clone()));
        let both = candidate
            .into_iter()
            .zip(reference)
            .map(|(a, b)| format!("{a}  | {b}"));
        let head = format!(
            "{}, {count} elements, {} differ; candidate | expected",
            self.name,
            self.differing.len()
        );
        [head].into_iter().chain(both).collect()
    }

    /// Returns the range of printed elements, in whole lines.
    fn shown(&self, count: usize) -> std::ops::Range<usize> {
        let first = self.differing.first().copied().unwrap_or(0);
        if count <= WHOLE {
            return 0..count;
        }
        let per_line = per_line(self.element);
        let start = first.saturating_sub(AROUND) / per_line * per_line;
        start..(first + AROUND + 1).next_multiple_of(per_line).min(count)
    }
}

/// Elements of a line.
fn per_line(element: Element) -> usize {
    if element.size() < 4 { 8 } else { 4 }
}

fn grid(element: Element, side: &[u64], marked: &[usize], shown: std::ops::Range<usize>) -> Vec<String> {
    let cell = |index: usize| {
        let mark = if marked.binary_search(&index).is_ok() {
            "*"
        } else {
            ""
        };
        let value = side
            .get(index)
            .map_or("-".to_owned(), |bits| element.decimal(*bits));
        format!("{mark}{value}")
    };
    let cells: Vec<String> = shown.clone().map(cell).collect();
    let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let lines = cells.chunks(per_line(element)).enumerate().map(|(line, cells)| {
        let index = shown.start + line * per_line(element);
        let mut text = format!("{:>6}", format!("[{index}]"));
        for column in 0..per_line(element).min(shown.len()) {
            let cell = cells.get(column).map_or("", |cell| cell);
            text += &format!(" {cell:>width$}");
        }
        text
    });
    lines.collect()
}

/// One line for each argument: name, place, elements.
pub(crate) fn describe(kernel: &UserKernel, case: &UserCase) -> Vec<String> {
    (0..kernel.args.len())
        .map(|index| argument(kernel, case, index))
        .collect()
}

fn argument(kernel: &UserKernel, case: &UserCase, index: usize) -> String {
    let arg = &kernel.args[index];
    if let (ArgKind::Buffer(buffer), Input::Buffer { skew, .. }) = (&arg.kind, &case.args[index])
        && buffer.values.is_none()
    {
        return format!("{} = (output){}", arg.name, place(kernel, case, index, *skew));
    }
    let element = output_element(&arg.kind);
    match &case.args[index] {
        Input::Value(bits) => format!("{} = {}", arg.name, element.show(*bits)),
        Input::TileAccelerator => format!("{} = (store queues)", arg.name),
        Input::Buffer { bytes, skew } => {
            let count = bytes.len() / element.size();
            let shown: Vec<String> = (0..count.min(IN_LINE))
                .map(|i| element.show(element.bits(bytes, i)))
                .collect();
            let more = if count > IN_LINE {
                format!(", … {count} in all")
            } else {
                String::new()
            };
            let place = place(kernel, case, index, *skew);
            format!("{} = [{}{more}]{place}", arg.name, shown.join(", "))
        }
    }
}

/// Describes the address of a buffer, unless it is a multiple of 32 that no other buffer shares.
fn place(kernel: &UserKernel, case: &UserCase, index: usize, skew: u32) -> String {
    let mut place = match skew {
        0 => String::new(),
        skew => format!(", {skew} bytes above a multiple of 32"),
    };
    if let Some((input, _)) = case.aliased.filter(|(_, output)| *output == index) {
        place += &format!(", at the address of {}", kernel.args[input].name);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::ArrayDifference;
    use crate::Element;

    fn difference(element: Element, count: usize, at: usize) -> ArrayDifference {
        let candidate: Vec<u64> = (0..count as u64).collect();
        let mut reference = candidate.clone();
        reference[at] += 1;
        ArrayDifference {
            name: "dst".to_owned(),
            element,
            candidate,
            reference,
            differing: vec![at],
        }
    }

    #[test]
    fn a_matrix_is_four_lines_and_a_long_array_a_window() {
        let lines = difference(Element::U32, 16, 5).lines();
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0], "dst, 16 elements, 1 differ; candidate | expected");
        assert_eq!(lines[2], "   [4]  4 *5  6  7  |    [4]  4 *6  6  7");
        let lines = difference(Element::U8, 1000, 100).lines();
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert!(
            lines[1].contains("[88]") && lines[2].contains("*100"),
            "{lines:?}"
        );
        let mut shorter = difference(Element::U32, 3, 0);
        shorter.candidate.truncate(1);
        assert!(shorter.lines()[1].contains("*0  -  -"), "{:?}", shorter.lines());
    }
}
