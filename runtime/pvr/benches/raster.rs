//! Time of whole frames, compared with targets and, if available, with Mesa's llvmpipe: `cargo bench -p
//! swirl-pvr --bench raster`.
//!
//! The benchmark prints CPU milliseconds per frame (TA input to image), measured in one run. It measures our
//! rasterizer and llvmpipe alternately. The best round of each counts, because other load on the machine only
//! adds time.
//!
//! - Six scenes, written into a temporary folder: 10,000 and 50,000 small triangles and 20 full-screen
//!   layers, opaque and blended. `glbench.c` draws them with llvmpipe; this needs gcc and the Debian packages
//!   `libegl-dev libgl-dev libgl1-mesa-dri`. Target: at most half of llvmpipe's time, with presort for the
//!   `_blend` scenes. Autosort takes at most 1.5 times presort. Two threads are at least 1.7 times as fast as
//!   one in wall-clock time. The benchmark reports missing programs.
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

/// The pseudo-random numbers of the six scenes: a linear congruential generator.
struct Lcg(u32);

impl Lcg {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0 >> 8
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        f64::from(self.next()) / 16_777_216.0
    }

    /// A channel of a vertex colour.
    fn bright(&mut self) -> u8 {
        128 + (self.next() % 128) as u8
    }
}

/// Bytes of a scene file: `DCS1`, number of triangles, 1 for blended ones, side of the texture; then for each
/// vertex x, y, 1/W, u, v, and R, G, B, A.
struct SceneFile(Vec<u8>);

impl SceneFile {
    fn new(triangles: u32, blend: bool) -> Self {
        let words = [triangles, u32::from(blend), 256].map(u32::to_le_bytes);
        Self([&b"DCS1"[..], words.as_flattened()].concat())
    }

    fn vertex(&mut self, values: [f64; 5], colour: [u8; 4]) {
        let floats = values.map(|value| (value as f32).to_le_bytes());
        self.0.extend(floats.as_flattened());
        self.0.extend(colour);
    }

    /// Triangles around random places, with corners about `edge` pixels apart.
    fn triangles(count: u32, edge: f64, blend: bool, seed: u32) -> Vec<u8> {
        let (mut random, mut file) = (Lcg(seed), Self::new(count, blend));
        for _ in 0..count {
            let (x, y) = (random.unit() * 640.0, random.unit() * 480.0);
            let turn = random.unit() * std::f64::consts::TAU;
            let w = 1.0 + random.unit() * 9.0;
            let (u, v) = (random.unit(), random.unit());
            for corner in 0..3 {
                let (sin, cos) = (turn + f64::from(corner) * std::f64::consts::TAU / 3.0).sin_cos();
                let radius = edge * (0.35 + 0.45 * random.unit());
                let w = w * (0.9 + 0.2 * random.unit());
                let step = edge / 64.0 * 0.2;
                let place = [
                    x + cos * radius,
                    y + sin * radius,
                    1.0 / w,
                    u + cos * step,
                    v + sin * step,
                ];
                let [r, g, b] = [(); 3].map(|()| random.bright());
                let alpha = if blend {
                    64 + (random.next() % 128) as u8
                } else {
                    255
                };
                file.vertex(place, [r, g, b, alpha]);
            }
        }
        file.0
    }

    /// Layers over the whole screen.
    fn layers(count: u32, blend: bool, seed: u32) -> Vec<u8> {
        let corners = [
            [0.0, 0.0, 0.0, 0.0],
            [640.0, 0.0, 2.5, 0.0],
            [640.0, 480.0, 2.5, 1.875],
            [0.0, 480.0, 0.0, 1.875],
        ];
        let (mut random, mut file) = (Lcg(seed), Self::new(2 * count, blend));
        for _ in 0..count {
            let z = 1.0 / (1.0 + random.unit() * 9.0);
            let alpha = if blend { 128 } else { 255 };
            let colours = [(); 4].map(|()| {
                let [r, g, b] = [(); 3].map(|()| random.bright());
                [r, g, b, alpha]
            });
            for n in [0, 1, 2, 0, 2, 3] {
                let [x, y, u, v] = corners[n];
                file.vertex([x, y, z, u, v], colours[n]);
            }
        }
        file.0
    }

    /// The texture of the peer, 256 x 256 texels R, G, B, A: a checkerboard with gradients and noise.
    fn texture() -> Vec<u8> {
        let mut random = Lcg(7);
        let mut texels = Vec::new();
        for (y, x) in (0..256).flat_map(|y| (0..256).map(move |x| (y, x))) {
            let square = ((x >> 4) ^ (y >> 4)) & 1;
            let mut noise = |below: u32| random.next() & below;
            let r = square * 96 + 64 + noise(63);
            let g = x / 2 + noise(31) + square * 48;
            let b = y / 2 + noise(31) + square * 48;
            let a = 255 - noise(63);
            texels.extend([r, g, b, a].map(|channel| channel.min(255) as u8));
        }
        texels
    }
}

/// Writes the six scenes and the peer's texture into a temporary folder.
fn scenes() -> std::io::Result<PathBuf> {
    let folder = std::env::temp_dir().join("swirl-bench-raster");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("tex256.raw"), SceneFile::texture())?;
    for (blend, name) in [(false, ""), (true, "_blend")] {
        let write = |scene: &str, bytes| std::fs::write(folder.join(format!("{scene}{name}.bin")), bytes);
        write("s10k", SceneFile::triangles(10_000, 20.0, blend, 1))?;
        write("s50k", SceneFile::triangles(50_000, 9.0, blend, 2))?;
        write("fill20", SceneFile::layers(20, blend, 3))?;
    }
    Ok(folder)
}

/// Compiles the llvmpipe program into the temporary folder.
fn peer(folder: &Path) -> Option<PathBuf> {
    let program = folder.join("glbench");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/glbench.c");
    let mut gcc = Command::new("gcc");
    gcc.arg("-O2").arg(source).arg("-o").arg(&program);
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
    let folder = match scenes() {
        Ok(folder) => folder,
        Err(error) => {
            println!("scenes cannot be written to a temporary folder: {error}");
            return;
        }
    };
    let program = peer(&folder);
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
