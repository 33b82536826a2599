//! Reader: the header, then lists of records, each followed by a footer (docs/formats/fbx.md, 1.1, 1.2, 1.6).

use std::borrow::Cow;

use crate::bytes::{ByteOrder, Cursor};
use crate::error::{Error, Warning};
use crate::footer::Footer;
use crate::limits::ARRAY_FACTOR;
use crate::property::{Properties, check};
use crate::record::{Document, Record, Section};

/// The first 21 bytes of a binary file.
pub(crate) const MAGIC: &[u8; 21] = b"Kaydara FBX Binary  \0";
/// Byte after the magic.
pub(crate) const MAGIC_END: u8 = 0x1a;
/// Versions known to have this layout.
const KNOWN_VERSIONS: std::ops::RangeInclusive<u32> = 3000..=7700;

/// Limits on a file's resources, and the treatment of unknown property codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Depth of nested lists; 32 by default, as in ufbx. Real files reach 8.
    pub depth: usize,
    /// Decoded bytes of one array, in addition to eight for each byte of the file; 64 MiB by default.
    pub array: u64,
    /// Decoded bytes of all arrays together; 1 GiB by default.
    pub total: u64,
    /// Makes an unknown property code an error. By default the reader keeps the rest of that list as bytes
    /// and adds a warning.
    pub strict: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            depth: crate::limits::DEPTH,
            array: crate::limits::ARRAY,
            total: crate::limits::TOTAL,
            strict: false,
        }
    }
}

/// Reads a binary FBX file. Names, values and array payloads borrow from `file`.
///
/// # Errors
/// Fails with offset and record path if the file violates the format or [`Limits::default`].
pub fn read(file: &[u8]) -> Result<Document<'_>, Error> {
    read_with(file, &Limits::default())
}

/// Reads a binary FBX file under the given limits.
///
/// # Errors
/// Fails under the conditions of [`read`], with `limits` instead of the defaults.
pub fn read_with<'a>(file: &'a [u8], limits: &Limits) -> Result<Document<'a>, Error> {
    let (order, version) = header(file)?;
    let mut reader = Reader {
        file,
        order,
        wide: Document::wide(version),
        limits: *limits,
        decoded: 0,
        path: Vec::new(),
        warnings: Vec::new(),
    };
    if !KNOWN_VERSIONS.contains(&version) {
        reader.warn(
            23,
            format!("version {version} is outside 3000..=7700; it is read like the nearest known version"),
        );
    }
    let (sections, end) = reader.sections(version)?;
    Ok(Document {
        order,
        version,
        sections,
        trailing: Cow::Borrowed(&file[end..]),
        warnings: reader.warnings,
    })
}

fn header(file: &[u8]) -> Result<(ByteOrder, u32), Error> {
    let fail = |offset, what, found: String, expected: &str| Error {
        offset,
        path: String::new(),
        what,
        found,
        expected: expected.into(),
    };
    if !file.starts_with(MAGIC) {
        let text = file.starts_with(b";") || file.starts_with(b"FBXHeaderExtension");
        let found = match text {
            true => "an ASCII FBX file".into(),
            false => format!("{:?}", String::from_utf8_lossy(&file[..file.len().min(21)])),
        };
        return Err(fail(0, "magic", found, "binary FBX: \"Kaydara FBX Binary  \\0\""));
    }
    let mut at = Cursor::new(file, MAGIC.len(), ByteOrder::Little);
    let cut = || fail(21, "header", format!("{} bytes", file.len()), "27 bytes");
    let end: u8 = at.number().ok_or_else(cut)?;
    if end != MAGIC_END {
        return Err(fail(21, "byte after the magic", format!("{end:#04x}"), "0x1a"));
    }
    let order = match at.number::<u8>().ok_or_else(cut)? {
        0 => ByteOrder::Little,
        1 => ByteOrder::Big,
        other => return Err(fail(22, "byte order", other.to_string(), "0 (little) or 1 (big)")),
    };
    let version = Cursor::new(file, 23, order).number().ok_or_else(cut)?;
    Ok((order, version))
}

/// Fields of a record head before the name.
struct Head {
    end: u64,
    count: u64,
    list: u64,
    name: u8,
}

struct Reader<'a> {
    file: &'a [u8],
    order: ByteOrder,
    wide: bool,
    limits: Limits,
    /// Sum of the decoded array sizes up to here, in bytes.
    decoded: u64,
    /// Name of each record from the top level down to the current one, and its index in its list. The index
    /// counts all records of the list, whatever their names.
    path: Vec<(&'a [u8], usize)>,
    warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
    /// Reads all sections. Returns them with the end offset of the last footer.
    fn sections(&mut self, version: u32) -> Result<(Vec<Section<'a>>, usize), Error> {
        let mut sections = Vec::new();
        let mut at = 27;
        loop {
            let (records, terminated, end) = self.list(at, self.file.len(), 0)?;
            if !terminated {
                return Err(self.fail(end, "top-level list", "the end of the file", "a null record"));
            }
            let footer = Footer::read(self.file, at, end, self.order);
            at = footer.as_ref().map_or(end, |(_, end)| *end);
            let known = footer.is_some();
            sections.push(Section {
                records,
                footer: footer.map(|(footer, _)| footer),
            });
            let rest = self.file.len() - at;
            if !known {
                self.warn(
                    at,
                    format!("no footer is recognised in the last {rest} bytes; they are kept unchanged"),
                );
                return Ok((sections, at));
            }
            // A second list follows only below version 7000, and there is at most one (docs/formats/fbx.md,
            // 1.6).
            if rest == 0 || version >= 7000 || sections.len() == 2 {
                if rest != 0 {
                    self.warn(at, format!("{rest} bytes after the footer are kept unchanged"));
                }
                return Ok((sections, at));
            }
        }
    }

    /// Reads the records from `at` up to a null record or `end`. Returns them, whether a null record ended
    /// the list, and the end offset.
    fn list(
        &mut self,
        mut at: usize,
        end: usize,
        depth: usize,
    ) -> Result<(Vec<Record<'a>>, bool, usize), Error> {
        let mut records = Vec::new();
        while at < end {
            self.path.push((b"", records.len()));
            let record = self.record(at, end, depth)?;
            self.path.pop();
            match record {
                (Some(record), next) => {
                    records.push(record);
                    at = next;
                }
                (None, next) => return Ok((records, true, next)),
            }
        }
        Ok((records, false, at))
    }

    /// Reads the record at `at`; `None` means a null record. Also returns the end offset.
    fn record(
        &mut self,
        at: usize,
        limit: usize,
        depth: usize,
    ) -> Result<(Option<Record<'a>>, usize), Error> {
        let (head, name, properties_at) = self.head(at, limit)?;
        if head.end == 0 && head.name == 0 {
            if head.count != 0 || head.list != 0 {
                let found = format!("{} properties in {} bytes", head.count, head.list);
                return Err(self.fail(at, "null record", &found, "zeros"));
            }
            return Ok((None, properties_at));
        }
        let zero_end = head.end == 0;
        let (properties_end, end) = self.extent(at, &head, properties_at, limit)?;
        let properties = self.properties(properties_at, properties_end, head.count)?;
        let (children, terminated) = match properties_end < end {
            true => self.children(properties_end, end, depth)?,
            false => (Vec::new(), false),
        };
        let record = Record {
            name: Cow::Borrowed(name),
            properties,
            children,
            terminated,
            zero_end,
        };
        Ok((Some(record), end))
    }

    fn head(&mut self, at: usize, limit: usize) -> Result<(Head, &'a [u8], usize), Error> {
        let mut cursor = Cursor::new(&self.file[..limit], at, self.order);
        let parsed = read_head(&mut cursor, self.wide).and_then(|head| {
            let name = cursor.take(head.name.into())?;
            Some((head, name, cursor.at()))
        });
        let size = if self.wide { 25 } else { 13 };
        let (head, name, next) = parsed.ok_or_else(|| {
            let found = format!("{} bytes before the end of the list", limit - at);
            self.fail(at, "record head", &found, &format!("{size} bytes and the name"))
        })?;
        if let Some(place) = self.path.last_mut() {
            place.0 = name;
        }
        Ok((head, name, next))
    }

    /// Returns the end offsets of the properties and of the record.
    fn extent(
        &self,
        at: usize,
        head: &Head,
        properties_at: usize,
        limit: usize,
    ) -> Result<(usize, usize), Error> {
        let properties_end = (properties_at as u64).saturating_add(head.list);
        let end = if head.end == 0 { properties_end } else { head.end };
        if end > limit as u64 || properties_end > end {
            let expected = format!("an offset in {properties_end:#x}..={limit:#x}");
            return Err(self.fail(at, "EndOffset", &format!("{end:#x}"), &expected));
        }
        if head.count > head.list {
            let found = format!("{} properties in {} bytes", head.count, head.list);
            return Err(self.fail(at, "NumProperties", &found, "at most one per byte"));
        }
        Ok((properties_end as usize, end as usize))
    }

    fn properties(&mut self, at: usize, end: usize, count: u64) -> Result<Properties<'a>, Error> {
        let bytes = &self.file[at..end];
        let (result, walked, decoded) = check(bytes, count, self.order);
        self.decoded = self.decoded.saturating_add(decoded);
        let most = self
            .limits
            .array
            .saturating_add(ARRAY_FACTOR * self.file.len() as u64);
        if decoded > most || self.decoded > self.limits.total {
            let found = format!("{decoded} bytes here, {} so far", self.decoded);
            let expected = format!("at most {most} and {} in all", self.limits.total);
            return Err(self.fail(at, "array data", &found, &expected));
        }
        match result {
            Ok(()) if walked == bytes.len() => {}
            Ok(()) => {
                let found = format!("{walked} bytes of properties");
                return Err(self.fail(at, "PropertyListLen", &found, &format!("{} bytes", bytes.len())));
            }
            Err(refused) if refused.unknown_code && !self.limits.strict => {
                let message = format!(
                    "property code {}: the rest of the list is kept as bytes",
                    refused.found
                );
                self.warn(at + refused.at, message);
            }
            Err(refused) => {
                return Err(self.fail(at + refused.at, refused.what, &refused.found, &refused.expected));
            }
        }
        Ok(Properties::checked(bytes, count, walked, self.order))
    }

    fn children(&mut self, at: usize, end: usize, depth: usize) -> Result<(Vec<Record<'a>>, bool), Error> {
        if depth + 1 > self.limits.depth {
            let expected = format!("at most {}", self.limits.depth);
            return Err(self.fail(at, "nesting", &(depth + 1).to_string(), &expected));
        }
        let (records, terminated, stop) = self.list(at, end, depth + 1)?;
        if stop != end {
            return Err(self.fail(
                stop,
                "null record",
                &format!("before {end:#x}"),
                "at the end of its list",
            ));
        }
        Ok((records, terminated))
    }

    fn warn(&mut self, offset: usize, message: String) {
        self.warnings.push(Warning {
            offset: offset as u64,
            path: self.path_text(),
            message,
        });
    }

    #[cold]
    fn fail(&self, offset: usize, what: &'static str, found: &str, expected: &str) -> Error {
        Error {
            offset: offset as u64,
            path: self.path_text(),
            what,
            found: found.into(),
            expected: expected.into(),
        }
    }

    fn path_text(&self) -> String {
        let name = |&(name, index): &(&[u8], usize)| match index {
            0 => name.escape_ascii().to_string(),
            _ => format!("{}[{index}]", name.escape_ascii()),
        };
        self.path.iter().map(name).collect::<Vec<_>>().join("/")
    }
}

fn read_head(at: &mut Cursor<'_>, wide: bool) -> Option<Head> {
    let field = |at: &mut Cursor<'_>| match wide {
        true => at.number::<u64>(),
        false => at.number::<u32>().map(u64::from),
    };
    Some(Head {
        end: field(at)?,
        count: field(at)?,
        list: field(at)?,
        name: at.number()?,
    })
}
