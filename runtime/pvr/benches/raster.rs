//! Time of whole frames, compared with targets and, if available, with Mesa's llvmpipe: `cargo bench -p
//! swirl-pvr --bench raster`.
//!
//! The benchmark prints CPU milliseconds per frame (TA input to image), measured in one run. It measures our
//! rasterizer and llvmpipe alternately. The best round of each counts, because other load on the machine only
//! adds time.
//!
//! - Six scenes of `../shared/bench/raster`, if available. Its `genscene.py` writes them into a temporary
//!   folder (python3). Its `glbench.c` draws them with llvmpipe; this needs gcc and the Debian packages
//!   `libegl-dev libgl-dev libgl1-mesa-dri`. Target: at most half of llvmpipe's time, with presort for the
//!   `_blend` scenes. Autosort takes at most 1.5 times presort. Two threads are at least 1.7 times as fast as
//!   one in wall-clock time. The benchmark reports missing programs and files.
//! - Seeded scenes on two threads, in wall-clock time. Empty frame: 0.3 ms. 3,000 opaque textured bilinear
//!   triangles of about 60 pixels: 1.6 ms. With 300 translucent ones: 2.2 ms. 6,000 and 600: 3.5 ms.
//!
//! `SWIRL_FRAMES=N` measures N frames per round (default 15), `SWIRL_TURNS=N` runs N rounds (default 3),
//! `SWIRL_SCENE=NAME` draws only one of the six scenes. Wall-clock times are valid only on an idle machine.

use pvr::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// User and system time of this process in milliseconds.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    // CPU time of this thread; with one thread it is the total.
    stat.split(' ')
        .next()
        .and_then(|n| n.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1e6
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn number(variable: &str, without: usize) -> usize {
    let set = std::env::var(variable).ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(without)
}

/// Milliseconds per frame: CPU time of the calling thread, and wall-clock time.
#[derive(Debug, Clone, Copy)]
struct Times {
    cpu: f64,
    clock: f64,
}

impl Times {
    const NONE: Self = Self {
        cpu: f64::INFINITY,
        clock: f64::INFINITY,
    };

    fn best(self, other: Self) -> Self {
        Self {
            cpu: self.cpu.min(other.cpu),
            clock: self.clock.min(other.clock),
        }
    }
}

/// Measures one round: the mean of CPU time, which kernels may count in steps of milliseconds, and the median
/// wall-clock time.
fn measure(frame: &mut Frame, blocks: &[[u32; 8]], threads: usize, presort: bool) -> Times {
    let frames = number("SWIRL_FRAMES", 15).max(1);
    let mut image = Image::default();
    let mut draw = || {
        frame.begin();
        frame.set_presort(presort);
        frame.blocks(blocks);
        frame.render_into(threads, &mut image).expect("render");
        std::hint::black_box(&image);
    };
    (0..2).for_each(|_| draw());
    let start = cpu();
    let clock_times = (0..frames).map(|_| {
        let clock = Instant::now();
        draw();
        clock.elapsed().as_secs_f64() * 1e3
    });
    let clock = median(clock_times.collect());
    Times {
        cpu: (cpu() - start) / frames as f64,
        clock,
    }
}

/// Returns the TA input of a scene file.
fn read_scene(path: &Path, tcw: TextureWord) -> (Vec<[u32; 8]>, bool) {
    let bytes = std::fs::read(path).expect("scene");
    let blend = bytes[8] & 1 != 0;
    let list = if blend {
        ListType::Translucent
    } else {
        ListType::Opaque
    };
    let mut blocks = vec![header(list, tcw)];
    for triangle in bytes[16..].chunks_exact(72) {
        for (n, vertex_bytes) in triangle.chunks_exact(24).enumerate() {
            let float = |at: usize| f32::from_le_bytes([0, 1, 2, 3].map(|n| vertex_bytes[at + n]));
            let colour = Argb::new(
                vertex_bytes[23],
                vertex_bytes[20],
                vertex_bytes[21],
                vertex_bytes[22],
            );
            let position = [float(0), float(4), float(8)];
            let uv = [float(12).to_bits() & 0xFFFF_0000 | float(16).to_bits() >> 16, 0].map(f32::from_bits);
            blocks.push(vertex(n == 2, position, uv, colour, Argb(0)));
        }
    }
    blocks.push(end_of_list());
    (blocks, blend)
}

/// Gouraud, bilinear, modulated with alpha, with 16-bit coordinates: otherwise 50,000 separate triangles
/// would not fit.
fn header(list: ListType, tcw: TextureWord) -> [u32; 8] {
    let blend = if list == ListType::Opaque {
        (BlendFactor::One, BlendFactor::Zero)
    } else {
        (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha)
    };
    let tsp = TspWord(0)
        .with_src(blend.0)
        .with_dst(blend.1)
        .with_fog(FogMode::None)
        .with_use_alpha(true)
        .with_filter(Filter::Bilinear)
        .with_shading(Shading::ModulateAlpha)
        .with_size(256, 256);
    let isp = IspWord(0)
        .with_depth_mode(DepthMode::GreaterEqual)
        .with_z_write_disable(list == ListType::Translucent);
    let flags = PolygonFlags {
        gouraud: true,
        uv16: true,
        ..PolygonFlags::default()
    };
    polygon_header(list, isp, tsp, Some(tcw), flags)
}

/// A twiddled ARGB4444 texture of random texels.
fn upload(frame: &mut Frame) -> TextureWord {
    let bytes: Vec<u8> = (0..256 * 256 * 2u32).map(|n| ((n * 31) >> 3) as u8).collect();
    let address = frame.upload_texture(&bytes, 8).expect("space");
    TextureWord(0)
        .with_format(PixelFormat::Argb4444)
        .with_address(address)
}

/// Writes the scenes of the shared folder into a temporary one; `None` if they are not available.
fn shared_scenes() -> Option<(PathBuf, PathBuf)> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/raster");
    let folder = std::env::temp_dir().join("swirl-bench-raster");
    let script = shared.join("genscene.py").canonicalize().ok()?;
    std::fs::create_dir_all(&folder).ok()?;
    let made = Command::new("python3")
        .arg(script)
        .current_dir(&folder)
        .output()
        .ok()?;
    made.status.success().then_some((shared, folder))
}

/// Compiles the llvmpipe program into the temporary folder.
fn peer(shared: &Path, folder: &Path) -> Option<PathBuf> {
    let program = folder.join("glbench");
    let mut gcc = Command::new("gcc");
    gcc.arg("-O2")
        .arg(shared.join("glbench.c"))
        .arg("-o")
        .arg(&program);
    let made = gcc.args(["-lEGL", "-lGL"]).output().ok()?;
    made.status.success().then_some(program)
}

/// Measures the median CPU milliseconds of llvmpipe on the calling thread.
fn peer_time(program: &Path, folder: &Path, scene: &str) -> Option<f64> {
    let mut command = Command::new(program);
    command
        .arg(format!("{scene}.bin"))
        .arg("15")
        .current_dir(folder)
        .env("LP_NUM_THREADS", "0");
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let cpu = text.split("cpu ms/frame").nth(1)?;
    cpu.split("med ").nth(1)?.split(' ').next()?.parse().ok()
}

fn compare_with_peer() {
    let Some((shared, folder)) = shared_scenes() else {
        println!("scenes absent: ../shared/bench/raster beside the checkout, or python3");
        return;
    };
    let program = peer(&shared, &folder);
    if program.is_none() {
        println!("peer absent: gcc, libegl-dev, libgl-dev, libgl1-mesa-dri");
    }
    println!(
        "CPU ms a frame     llvmpipe  ours  ratio (>= 2)  autosort/presort (<= 1.5)  1 thread/2 by the \
         clock (>= 1.7)"
    );
    for scene in [
        "s10k",
        "s10k_blend",
        "s50k",
        "s50k_blend",
        "fill20",
        "fill20_blend",
    ] {
        if std::env::var("SWIRL_SCENE").is_ok_and(|only| only != scene) {
            continue;
        }
        let mut frame = Frame::new(640, 480, Settings::default()).expect("size");
        let tcw = upload(&mut frame);
        let (blocks, blend) = read_scene(&folder.join(format!("{scene}.bin")), tcw);
        let (mut one, mut two, mut sorted) = (Times::NONE, Times::NONE, Times::NONE);
        let mut peer = f64::INFINITY;
        for _ in 0..number("SWIRL_TURNS", 3) {
            let time = program.as_deref().and_then(|p| peer_time(p, &folder, scene));
            peer = peer.min(time.unwrap_or(f64::INFINITY));
            one = one.best(measure(&mut frame, &blocks, 1, blend));
            two = two.best(measure(&mut frame, &blocks, 2, blend));
            if blend {
                sorted = sorted.best(measure(&mut frame, &blocks, 1, false));
            }
        }
        // A dash replaces times that were not measured.
        let told = |ratio: f64| match ratio.is_finite() {
            true => format!("{ratio:.2}"),
            false => "-".to_owned(),
        };
        println!(
            "{scene:<16} {:>10} {:>6.2} {:>7} {:>20} {:>25.2}",
            told(peer),
            one.cpu,
            told(peer / one.cpu),
            told(sorted.cpu / one.cpu),
            one.clock / two.clock
        );
    }
}

/// A simple xorshift generator for scenes.
struct Random(u32);

impl Random {
    fn below(&mut self, n: u32) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 % n) as f32
    }
}

/// `count` triangles of about 60 pixels.
fn triangles(list: ListType, tcw: TextureWord, count: usize) -> Vec<[u32; 8]> {
    let mut random = Random(0x1234_5678);
    let mut blocks = vec![header(list, tcw)];
    for _ in 0..count {
        let (x, y) = (random.below(624), random.below(464));
        for (n, (dx, dy)) in [(0.0, 0.0), (11.0, 2.0), (3.0, 11.0)].into_iter().enumerate() {
            let z = 0.1 + random.below(1000) / 1000.0;
            let uv = [(x + dx) / 256.0, (y + dy) / 256.0].map(f32::to_bits);
            let uv = [uv[0] & 0xFFFF_0000 | uv[1] >> 16, 0].map(f32::from_bits);
            let colour = Argb(0x8000_0000 | random.below(0xFF_FFFF) as u32);
            blocks.push(vertex(n == 2, [x + dx, y + dy, z], uv, colour, Argb(0)));
        }
    }
    blocks.push(end_of_list());
    blocks
}

fn seeded() {
    println!("ms by the clock, two threads    ours  target");
    for (opaque, translucent, target) in [(0, 0, 0.3), (3000, 0, 1.6), (3000, 300, 2.2), (6000, 600, 3.5)] {
        let mut frame = Frame::new(640, 480, Settings::default()).expect("size");
        let tcw = upload(&mut frame);
        let mut blocks = Vec::new();
        if opaque > 0 {
            blocks.extend(triangles(ListType::Opaque, tcw, opaque));
        }
        if translucent > 0 {
            blocks.extend(triangles(ListType::Translucent, tcw, translucent));
        }
        let turns = (0..number("SWIRL_TURNS", 3)).map(|_| measure(&mut frame, &blocks, 2, false));
        let best = turns.fold(Times::NONE, Times::best);
        println!(
            "{opaque:>6} + {translucent:<6} {:>20.2} {target:>7.1}",
            best.clock
        );
    }
}

fn main() {
    compare_with_peer();
    if std::env::var("SWIRL_SCENE").is_err() {
        seeded();
    }
}
