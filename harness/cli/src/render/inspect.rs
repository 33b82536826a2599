//! Inspects a frame: `--inspect`, `--overdraw`, `--wireframe`, `--lists`, `--stats` of `swirl render`.

use crate::output;
use anyhow::{Result, bail};
use pvr::probe::{DepthTest, Polygon, Probe, Shading, Shape, Spot, VolumeTest};
use pvr::{ListType, PixelMap, Pvr, RenderStats};
use std::path::PathBuf;
use std::str::FromStr;

/// Clocks per second of the chip; the next constant is the ISP's pixels per clock (docs/hardware/pvr2.md).
const CLOCK: f64 = 100e6;
const ISP_PIXELS: f64 = 32.0;
/// Pixels of a tile, the maximum that the ISP processes per triangle.
const TILE_PIXELS: f64 = 1024.0;

/// Options for inspecting a frame.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Inspection")]
pub(crate) struct Options {
    /// Print all events at a pixel, in order: depths, colours before and after, and the reason for passing or
    /// failing. May be given several times.
    #[arg(long, value_name = "X,Y")]
    inspect: Vec<Place>,
    /// Write a picture of overdraw: black for pixels that no polygon shades, then blue, green, yellow, red,
    /// and white for five times and more.
    #[arg(long, value_name = "PNG")]
    overdraw: Option<PathBuf>,
    /// Write a picture of all edges, including hidden ones, in the colour of their list.
    #[arg(long, value_name = "PNG")]
    wireframe: Option<PathBuf>,
    /// Write a picture of the list that coloured each pixel last: opaque grey, punch-through yellow,
    /// translucent blue. Red tints the inside of a modifier volume.
    #[arg(long, value_name = "PNG")]
    lists: Option<PathBuf>,
    /// Print counts of polygons, tiles and pixels, and the time that the chip needs for them.
    #[arg(long)]
    stats: bool,
}

impl Options {
    /// Returns whether any option is given.
    pub(crate) fn is_asked_for(&self) -> bool {
        let pictures = [&self.overdraw, &self.wireframe, &self.lists];
        self.stats || !self.inspect.is_empty() || pictures.iter().any(|path| path.is_some())
    }
}

/// A pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    x: u32,
    y: u32,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(',').map(|(x, y)| (x.parse(), y.parse())) {
            Some((Ok(x), Ok(y))) => Ok(Self { x, y }),
            _ => Err("expected X,Y, such as 320,240".to_owned()),
        }
    }
}

/// Inspects the last drawn frame, by the region array in the registers.
pub(crate) fn run(options: &Options, pvr: &mut Pvr, (width, height): (u32, u32)) -> Result<()> {
    for &Place { x, y } in &options.inspect {
        if x >= width || y >= height {
            bail!("--inspect {x},{y}: found a pixel outside the frame of {width}x{height} pixels");
        }
        print!("{}", pixel_report(pvr, x, y));
    }
    let pictures = [&options.overdraw, &options.wireframe, &options.lists];
    if pictures.iter().all(|path| path.is_none()) && !options.stats {
        return Ok(());
    }
    let mut map = PixelMap::new(width, height);
    let stats = pvr.render_probed(&mut map);
    for (path, picture) in pictures
        .into_iter()
        .zip([PixelMap::overdraw, PixelMap::edges, PixelMap::lists])
    {
        if let Some(path) = path {
            output::write_png(path, &picture(&map))?;
            println!("{}: {width}x{height}", path.display());
        }
    }
    if options.stats {
        print!("{}", report(&map, &stats));
    }
    Ok(())
}

fn list_name(list: ListType) -> &'static str {
    match list {
        ListType::Opaque => "opaque",
        ListType::OpaqueModifier => "opaque modifier",
        ListType::Translucent => "translucent",
        ListType::TranslucentModifier => "translucent modifier",
        ListType::PunchThrough => "punch-through",
    }
}

/// Returns the events at a pixel, one per line.
fn pixel_report(pvr: &Pvr, x: u32, y: u32) -> String {
    let mut report = Report {
        text: format!("pixel {x},{y}, tile {},{}\n", x / 32, y / 32),
        entry: None,
    };
    pvr.inspect(x, y, &mut report);
    if report.entry.is_none() {
        report.text += "  no region entry draws this tile\n";
    }
    report.text
}

/// Records every event.
struct Report {
    text: String,
    entry: Option<usize>,
}

impl Report {
    fn line(&mut self, spot: Spot, text: &str) {
        if self.entry != Some(spot.entry) {
            self.text += &format!("  region entry {}\n", spot.entry);
            self.entry = Some(spot.entry);
        }
        self.text += &format!("    {text}\n");
    }
}

fn figure(polygon: &Polygon) -> String {
    match polygon.shape {
        Shape::Background => "background".to_owned(),
        Shape::Triangle => format!("triangle {:06X}.{}", polygon.address, polygon.triangle),
        Shape::Sprite => format!("sprite {:06X}", polygon.address),
    }
}

impl Probe for Report {
    fn depth_test(&mut self, spot: Spot, event: &DepthTest) {
        let verdict = if event.passed { "passed" } else { "failed" };
        let text = format!(
            "{:<22}{:<20} depth {} {:?} {}: {verdict}",
            list_name(event.list),
            figure(&event.polygon),
            event.depth,
            event.mode,
            event.stored
        );
        self.line(spot, &text);
    }

    fn volume_test(&mut self, spot: Spot, event: &VolumeTest) {
        let verdict = if event.passed {
            "parity changes"
        } else {
            "farther than the pixel, no effect"
        };
        let text = format!(
            "{:<22}{:<20} depth {} >= {}: {verdict}",
            list_name(event.list),
            figure(&event.polygon),
            event.depth,
            event.stored
        );
        self.line(spot, &text);
    }

    fn shaded(&mut self, spot: Spot, event: &Shading) {
        let tsp = event.polygon.tsp;
        let alpha = match event.alpha_test {
            None => "",
            Some(true) => ", alpha test passed",
            Some(false) => ", alpha test failed",
        };
        let inside = if event.inside { ", in the volume" } else { "" };
        let mut text = format!(
            "{:<22}{:<20} shaded, layer {}: texel {:08X}, source {:08X} by {:?}/{:?}: {:08X} -> \
                {:08X}{alpha}{inside}",
            list_name(event.list),
            figure(&event.polygon),
            event.layer,
            event.texel,
            event.source,
            tsp.src(),
            tsp.dst(),
            event.before[0],
            event.after[0],
        );
        if event.before[1] != event.after[1] {
            text += &format!(
                ", second accumulator {:08X} -> {:08X}",
                event.before[1], event.after[1]
            );
        }
        self.line(spot, &text);
    }

    fn flushed(&mut self, spot: Spot, colour: u32) {
        self.line(spot, &format!("flushed {colour:08X}"));
    }
}

/// Returns counts, and the time that follows from the chip's rates. Bandwidth is not modelled.
fn report(map: &PixelMap, stats: &RenderStats) -> String {
    let mut text = format!(
        "triangles            {}\ntile entries         {}\nregion entries       {}\n",
        map.triangles(),
        stats.tile_triangles(),
        stats.tiles
    );
    for list in ListType::ALL.into_iter().filter(|list| !list.is_modifier()) {
        text += &format!("pixels {:<14}{}\n", list_name(list), stats.shaded[list.index()]);
    }
    let isp = stats.tile_triangles() as f64 * TILE_PIXELS / ISP_PIXELS / CLOCK * 1e3;
    let tsp = stats.shaded_pixels() as f64 / CLOCK * 1e3;
    text + &format!(
        "chip time            {:.2} ms: ISP at most {isp:.2} ms (32 pixels a clock, whole tiles), TSP \
            {tsp:.2} ms (one pixel \
         a clock), at 100 MHz, without memory\n",
        isp.max(tsp)
    )
}
