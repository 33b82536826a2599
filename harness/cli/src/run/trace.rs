//! `--trace`: writes a trace for Perfetto while the program runs.

use crate::output::OutputFile;
use crate::profile::program::measure::functions;
use aica::CHANNELS;
use aica::activity::Play;
use anyhow::{Context, Result, bail};
use dreamcast::scheduler::{Delivered, Event};
use dreamcast::{Cycles, Dreamcast};
use machine::Image;
use profile::program::{Functions, ProgramProfiler};
use profile::spans::{Mark, MarkKind, Span, SpanLog, SpanName, Track};
use serde_json::{Value, json};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Minimum length of traced calls in cycles: a microsecond.
const SHORTEST_CALL: u64 = 200;
/// Maximum bytes of a mark's name.
const LONGEST_NAME: u32 = 64;

/// Rows of the trace other than threads. Threads follow them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Marks = 1,
    Console,
    Interrupts,
    Exceptions,
    VerticalBlank,
    Lists,
    Isp,
    Tsp,
    Render,
    Maple,
    Timers,
    Channel2,
    SortDma,
    PvrDma,
    Dmac0,
    Dmac1,
    Dmac2,
    Dmac3,
    G2Dma0,
    G2Dma1,
    G2Dma2,
    G2Dma3,
    Yuv,
}

const ROWS: [(Row, &str); 23] = [
    (Row::Marks, "marks"),
    (Row::Console, "console"),
    (Row::Interrupts, "interrupts"),
    (Row::Exceptions, "exceptions"),
    (Row::VerticalBlank, "vertical blank"),
    (Row::Lists, "TA lists"),
    (Row::Isp, "ISP"),
    (Row::Tsp, "TSP"),
    (Row::Render, "render"),
    (Row::Maple, "Maple"),
    (Row::Timers, "timers"),
    (Row::Channel2, "DMA channel 2"),
    (Row::SortDma, "sort DMA"),
    (Row::PvrDma, "PVR DMA"),
    (Row::Dmac0, "DMAC channel 0"),
    (Row::Dmac1, "DMAC channel 1"),
    (Row::Dmac2, "DMAC channel 2"),
    (Row::Dmac3, "DMAC channel 3"),
    (Row::G2Dma0, "G2 DMA, AICA"),
    (Row::G2Dma1, "G2 DMA, external 1"),
    (Row::G2Dma2, "G2 DMA, external 2"),
    (Row::G2Dma3, "G2 DMA, debug"),
    (Row::Yuv, "YUV converter"),
];
/// Row of the sound block's first channel. A channel has a row once it has played.
const SOUND: u32 = 32;
/// Row of the first thread.
const THREADS: u32 = 100;
const _: () = assert!(ROWS.len() < SOUND as usize && SOUND as usize + CHANNELS <= THREADS as usize);

/// A trace being written.
pub(crate) struct Trace {
    pub(crate) profiler: Box<ProgramProfiler>,
    /// Output, with a temporary name until it is complete.
    file: BufWriter<OutputFile>,
    path: PathBuf,
    hz: u64,
    /// Number of threads with a row.
    threads: u32,
    /// Incomplete last line of console text.
    text: String,
    /// Start of the current vertical blank; the next field is the start of the current lists.
    blank: Option<Cycles>,
    lists: Option<u64>,
    /// Number of open marks.
    marks: usize,
    /// Bit n is set if channel n of the sound block has a row.
    channels: u64,
    /// Time up to which the sound block's work is written.
    sound: Cycles,
    first: bool,
}

impl Trace {
    /// Begins a trace of `console`, which must use the cycle model's clock.
    pub(crate) fn start(console: &mut Dreamcast, image: Option<&Image>, path: &Path) -> Result<Trace> {
        let Some(model) = console.take_model() else {
            bail!("--trace needs the clock of the cycle model: --clock model");
        };
        let known = image.map_or_else(Functions::default, functions);
        let mut profiler = ProgramProfiler::new(*model, known, console.now().0, console.frame());
        profiler.record_spans(SHORTEST_CALL);
        console.start_recording();
        console.record_sound();
        let file = OutputFile::start(path)?;
        let mut trace = Trace {
            profiler: Box::new(profiler),
            file: BufWriter::new(file),
            path: path.to_owned(),
            hz: console.cpu_hz(),
            threads: 0,
            text: String::new(),
            blank: None,
            lists: None,
            marks: 0,
            channels: 0,
            sound: console.now(),
            first: true,
        };
        trace.head()?;
        Ok(trace)
    }

    fn head(&mut self) -> Result<()> {
        self.raw("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")?;
        self.put(&json!({ "ph": "M", "name": "process_name", "pid": 1, "args": { "name": "Dreamcast" } }))?;
        for (row, name) in ROWS {
            self.name_row(row as u32, name)?;
        }
        Ok(())
    }

    fn name_row(&mut self, row: u32, name: &str) -> Result<()> {
        self.put(
            &json!({ "ph": "M", "name": "thread_name", "pid": 1, "tid": row, "args": { "name": name } }),
        )?;
        self.put(&json!({
            "ph": "M", "name": "thread_sort_index", "pid": 1, "tid": row, "args": { "sort_index": row },
        }))
    }

    fn raw(&mut self, text: &str) -> Result<()> {
        let path = &self.path;
        self.file
            .write_all(text.as_bytes())
            .with_context(|| path.display().to_string())
    }

    fn put(&mut self, event: &Value) -> Result<()> {
        let separator = if std::mem::take(&mut self.first) {
            ""
        } else {
            ",\n"
        };
        self.raw(&format!("{separator}{event}"))
    }

    /// Converts to whole nanoseconds. With fractions, Perfetto would round to nanoseconds itself, and then
    /// drop slices that overlap.
    fn nanoseconds(&self, cycles: u64) -> u64 {
        (cycles as f64 * 1e9 / self.hz as f64).round() as u64
    }

    /// Converts to microseconds with three decimals.
    fn time(&self, cycles: u64) -> f64 {
        self.nanoseconds(cycles) as f64 / 1e3
    }

    fn span(&mut self, row: u32, name: &str, begin: u64, end: u64) -> Result<()> {
        let (from, upto) = (self.nanoseconds(begin), self.nanoseconds(end));
        let length = upto.saturating_sub(from) as f64 / 1e3;
        self.put(&json!({
            "ph": "X", "name": name, "pid": 1, "tid": row, "ts": from as f64 / 1e3, "dur": length,
        }))
    }

    fn instant(&mut self, row: Row, name: &str, at: u64) -> Result<()> {
        let at = self.time(at);
        self.put(&json!({
            "ph": "i", "s": "t", "name": name, "pid": 1, "tid": row as u32, "ts": at,
        }))
    }

    /// Writes all events since the last call. `text` is the console's new text.
    pub(crate) fn collect(&mut self, console: &mut Dreamcast, text: &[u8]) -> Result<()> {
        let log = self.profiler.take_spans();
        self.write(console, text, log)
    }

    fn write(&mut self, console: &mut Dreamcast, text: &[u8], log: SpanLog) -> Result<()> {
        let (events, times) = console.take_recording();
        self.sound(console, false)?;
        for mark in log.marks {
            self.mark(console, mark)?;
        }
        for event in events {
            self.event(event)?;
        }
        for span in log.spans {
            self.call(console, span)?;
        }
        // A line can begin in the text of an earlier call. Its end determines its time.
        let before = self.text.len();
        self.text.push_str(&String::from_utf8_lossy(text));
        let all = std::mem::take(&mut self.text);
        let mut times = times;
        times.grown.iter_mut().for_each(|(length, _)| *length += before);
        let (lines, taken) = times.lines(&all);
        for (time, line) in lines {
            self.instant(Row::Console, line, time.0)?;
        }
        self.text = all[taken..].to_owned();
        Ok(())
    }

    /// Writes the sound block's work since the last call: the ARM7's load in percent and the mean of playing
    /// channels as counters, and sounds of channels as slices. At the end, `all` also writes sounds that
    /// still play.
    fn sound(&mut self, console: &mut Dreamcast, all: bool) -> Result<()> {
        let now = console.now();
        let Some(activity) = console.take_sound_activity() else {
            return Ok(());
        };
        let begin = std::mem::replace(&mut self.sound, now);
        if activity.counts.samples > 0 {
            let load = (100.0 * activity.counts.arm_load().unwrap_or(0.0)).round();
            self.counter("ARM7 load, %", begin, load)?;
            let channels = (100.0 * activity.counts.mean_channels()).round() / 100.0;
            self.counter("playing channels", begin, channels)?;
        }
        let playing = activity.playing.into_iter().flatten().filter(|_| all);
        for play in activity.plays.into_iter().chain(playing) {
            self.play(console, play, now)?;
        }
        Ok(())
    }

    fn counter(&mut self, name: &str, at: Cycles, value: f64) -> Result<()> {
        let at = self.time(at.0);
        self.put(&json!({ "ph": "C", "name": name, "pid": 1, "ts": at, "args": { "value": value } }))
    }

    /// Writes a sound of a channel. Without an end, it plays until `now`.
    fn play(&mut self, console: &Dreamcast, play: Play, now: Cycles) -> Result<()> {
        let channel = play.channel;
        let row = SOUND + channel.number as u32;
        if self.channels >> channel.number & 1 == 0 {
            self.channels |= 1 << channel.number;
            self.name_row(row, &format!("sound channel {}", channel.number))?;
        }
        let name = format!(
            "{} at {:06x}, {:.0} Hz{}",
            channel.format.name(),
            channel.start,
            channel.hz,
            if channel.loops { ", loop" } else { "" }
        );
        let begin = console.time_of_samples(play.begin).0;
        let end = play.end.map_or(now, |end| console.time_of_samples(end)).0;
        self.span(row, &name, begin, end.max(begin))
    }

    fn call(&mut self, console: &Dreamcast, span: Span) -> Result<()> {
        let name = match span.name {
            SpanName::Function(entry) => console.symbols().describe(entry),
            SpanName::Interrupt(code) => format!("interrupt {code:03x}"),
            SpanName::Exception(code) => format!("exception {code:03x}"),
        };
        let row = match span.track {
            Track::Interrupts => Row::Interrupts as u32,
            Track::Exceptions => Row::Exceptions as u32,
            Track::Thread(number) => {
                while self.threads <= number {
                    let thread = self.threads;
                    self.name_row(THREADS + thread, &format!("functions, thread {thread}"))?;
                    self.threads += 1;
                }
                THREADS + number
            }
        };
        self.span(row, &name, span.begin, span.end)
    }

    fn mark(&mut self, console: &mut Dreamcast, mark: Mark) -> Result<()> {
        match mark.kind {
            MarkKind::ListInit => {
                self.lists.get_or_insert(mark.time);
                self.instant(Row::Lists, "list init", mark.time)
            }
            MarkKind::Program(0) => self.end_mark(mark.time),
            MarkKind::Program(value) => {
                self.marks += 1;
                let name = mark_name(console, value);
                let at = self.time(mark.time);
                self.put(&json!({
                    "ph": "B", "name": name, "pid": 1, "tid": Row::Marks as u32, "ts": at,
                }))
            }
        }
    }

    /// Ends the innermost mark, if there is one.
    fn end_mark(&mut self, at: u64) -> Result<()> {
        if self.marks == 0 {
            return Ok(());
        }
        self.marks -= 1;
        let at = self.time(at);
        self.put(&json!({ "ph": "E", "pid": 1, "tid": Row::Marks as u32, "ts": at }))
    }

    fn event(&mut self, delivered: Delivered) -> Result<()> {
        let Delivered {
            event,
            scheduled,
            time,
        } = delivered;
        match event {
            Event::VerticalBlankIn => {
                self.blank = Some(time);
                Ok(())
            }
            Event::VerticalBlankOut => match self.blank.take() {
                Some(begin) => self.span(Row::VerticalBlank as u32, "vertical blank", begin.0, time.0),
                None => Ok(()),
            },
            Event::ListDone => {
                let begin = self.lists.take().unwrap_or(scheduled.0);
                self.span(Row::Lists as u32, "lists", begin, time.0)
            }
            Event::Timer0 => self.instant(Row::Timers, "TMU 0", time.0),
            Event::Timer1 => self.instant(Row::Timers, "TMU 1", time.0),
            Event::Timer2 => self.instant(Row::Timers, "TMU 2", time.0),
            _ => match row_of(event) {
                Some(row) => {
                    let name = ROWS[row as usize - 1].1;
                    self.span(row as u32, name, scheduled.0, time.0)
                }
                None => Ok(()),
            },
        }
    }

    /// Closes open entries, and completes the file.
    pub(crate) fn finish(mut self, console: &mut Dreamcast) -> Result<()> {
        let log = self.profiler.end_spans();
        self.write(console, b"", log)?;
        self.sound(console, true)?;
        let now = console.now().0;
        while self.marks > 0 {
            self.end_mark(now)?;
        }
        let rest = std::mem::take(&mut self.text);
        if !rest.is_empty() {
            self.instant(Row::Console, &rest, now)?;
        }
        self.raw("\n]}\n")?;
        let name = || self.path.display().to_string();
        let file = self.file.into_inner().map_err(|error| error.into_error());
        file.with_context(name)?.finish()
    }
}

/// Returns the row of an event that ends an activity.
fn row_of(event: Event) -> Option<Row> {
    Some(match event {
        Event::IspDone => Row::Isp,
        Event::TspDone => Row::Tsp,
        Event::RenderDone => Row::Render,
        Event::Maple => Row::Maple,
        Event::Channel2 => Row::Channel2,
        Event::SortDma => Row::SortDma,
        Event::PvrDma => Row::PvrDma,
        Event::Dmac0 => Row::Dmac0,
        Event::Dmac1 => Row::Dmac1,
        Event::Dmac2 => Row::Dmac2,
        Event::Dmac3 => Row::Dmac3,
        Event::G2Dma0 => Row::G2Dma0,
        Event::G2Dma1 => Row::G2Dma1,
        Event::G2Dma2 => Row::G2Dma2,
        Event::G2Dma3 => Row::G2Dma3,
        Event::YuvDone => Row::Yuv,
        _ => return None,
    })
}

/// Returns the text at an address in RAM, or the number.
fn mark_name(console: &mut Dreamcast, value: u32) -> String {
    let bytes: Vec<u8> = (0..LONGEST_NAME)
        .map_while(|place| {
            let byte = console.peek(value.wrapping_add(place));
            byte.filter(|byte| (0x20..0x7F).contains(byte))
        })
        .collect();
    match bytes.is_empty() {
        true => format!("mark {value}"),
        false => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ROWS, Row};

    #[test]
    fn rows_are_numbered_as_they_are_listed() {
        for (place, (row, _)) in ROWS.iter().enumerate() {
            assert_eq!(*row as usize, place + 1);
        }
        assert_eq!(Row::Yuv as usize, ROWS.len());
    }
}
