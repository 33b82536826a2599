//! Runs an ELF program for some frames, prints its console text, and writes a picture of the screen.
//!
//! `cargo run --release -p swirl-dreamcast --example headless -- PROGRAM.elf [FRAMES [PICTURE.png]]`
//!
//! The environment variable `DISC=PATH` inserts a folder, CDI, ISO, GDI or cue file into the drive.

use dreamcast::{Config, Dreamcast, Until};
use machine::Image;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().ok_or("expected a program")?;
    let frames = arguments.next().map_or(Ok(120), |text| text.parse())?;
    let mut console = Dreamcast::new(Config::default());
    if let Some(path) = std::env::var_os("DISC") {
        console.insert(Some(dreamcast::Disc::open(path.as_ref())?));
    }
    console.load(&Image::parse(&std::fs::read(program)?)?)?;
    if std::env::var_os("INTERPRETER").is_none() {
        let recompiler = sh4_recompiler::Recompiler::new(sh4_recompiler::Options::console())?;
        console.accelerate(Box::new(recompiler));
    }
    let begin = Instant::now();
    let ended = loop {
        let frame = console.frame() + 1;
        let ended = console.run(Until {
            frame,
            ..Until::FOREVER
        });
        std::io::stdout().write_all(&console.take_console())?;
        if ended != dreamcast::Ended::Frame || frame >= frames {
            break ended;
        }
    };
    println!(
        "{ended:?} at {:08x} {}, frame {}, {} renders, {:.3} s of guest time in {:.3} s",
        console.cpu.pc,
        console.symbols().describe(console.cpu.pc),
        console.frame(),
        console.renders(),
        console.now().0 as f64 / 199.5e6,
        begin.elapsed().as_secs_f64()
    );
    for (oddity, address, count) in console.diagnostics().iter() {
        println!("{address:08x}: {oddity} ({count} times)");
    }
    if let Some(path) = arguments.next() {
        let picture = console.picture();
        let mut encoder =
            png::Encoder::new(BufWriter::new(File::create(path)?), picture.width, picture.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(&picture.rgba)?;
    }
    Ok(())
}
