//! Inputs of any size that are the worst case of a reader.

use std::fmt::Write as _;

/// The name of a target, and a function that makes an input of a given number of parts.
pub type Worst = (&'static str, fn(usize) -> Vec<u8>);

/// The worst known input of each reader.
pub const WORST: [Worst; 18] = [
    ("ninja_binary", names),
    ("ninja_binary", siblings),
    ("ninja_text", definitions),
    ("ninja_text", motions),
    ("fbx_records", records),
    ("gltf_scene", nodes),
    ("obj_scene", faces),
    ("archive", entries),
    ("texture_lookup", lookup),
    ("sidecar", tables),
    ("specification", kernels),
    ("case_file", budgets),
    ("call_file", words),
    ("profile_report", functions),
    ("capture", observations),
    ("event_counts", counts),
    ("input_script", presses),
    ("elf", symbols),
];

fn lines(head: &str, count: usize, line: impl Fn(usize) -> String, tail: &str) -> Vec<u8> {
    let mut text = head.to_owned();
    for n in 0..count {
        let _ = writeln!(text, "{}", line(n));
    }
    (text + tail).into_bytes()
}

/// A chunk of a Ninja file, followed by its pointer list (POF0).
fn chunk(name: &[u8; 4], words: &[u32], pointers: &[usize]) -> Vec<u8> {
    let mut bytes = name.to_vec();
    bytes.extend((4 * words.len() as u32).to_le_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    // POF0: distances in words between pointers.
    let mut places = Vec::new();
    let mut last = 0;
    for pointer in pointers {
        let distance = (pointer - last) as u32;
        last = *pointer;
        match distance {
            0..0x40 => places.push(0x40 | distance as u8),
            0x40..0x4000 => places.extend((0x8000 | distance as u16).to_be_bytes()),
            _ => places.extend((0xC000_0000 | distance).to_be_bytes()),
        }
    }
    places.resize(places.len().next_multiple_of(4), 0);
    bytes.extend(b"POF0");
    bytes.extend((places.len() as u32).to_le_bytes());
    bytes.extend(places);
    bytes
}

/// A texture list with different names.
fn names(count: usize) -> Vec<u8> {
    let (begin, text) = (8, 8 + 12 * count as u32);
    let mut words = vec![begin, count as u32];
    for n in 0..count as u32 {
        words.extend([text + 8 * n, 0, 0]);
    }
    for n in 0..count {
        let name = format!("{n:07}\0").into_bytes();
        words.extend(
            name.as_chunks::<4>()
                .0
                .iter()
                .map(|word| u32::from_le_bytes(*word)),
        );
    }
    let pointers: Vec<usize> = std::iter::once(0).chain((0..count).map(|n| 2 + 3 * n)).collect();
    chunk(b"NJTL", &words, &pointers)
}

/// A tree in which each node is the sibling of the previous node.
fn siblings(count: usize) -> Vec<u8> {
    let node = 13;
    let mut words = Vec::new();
    for n in 1..=count as u32 {
        let next = if n == count as u32 { 0 } else { 4 * node * n };
        let one = 1.0_f32.to_bits();
        words.extend([0x17, 0, 0, 0, 0, 0, 0, 0, one, one, one, 0, next]);
    }
    let pointers: Vec<usize> = (0..count - 1).map(|n| node as usize * n + 12).collect();
    chunk(b"NJCM", &words, &pointers)
}

/// Texture names, each of them used by a list.
fn definitions(count: usize) -> Vec<u8> {
    let list = format!("TEXTURELIST list\nSTART\nTextureList texnames,\nTextureNum {count},\n");
    lines(
        "TEXTURENAME texnames[]\nSTART\n",
        count,
        |n| format!("    TEXN( \"name{n}\" ),"),
        &format!("END\n\n{list}END\n"),
    )
}

/// Motions of lights without a title that states the kind of light.
fn motions(count: usize) -> Vec<u8> {
    let motion = |n| {
        format!(
            "MOTION motion_{n}[]\nSTART\nMdataArray NULL,\nMFrameNum 10,\nMotionBitF (FMK_INT9),\n\
             InterpolFctF (FMT_L|FMD_1),\nEND"
        )
    };
    lines("MOTION_START\n", count, motion, "MOTION_END\n")
}

/// Records on one level, each with a name and a number.
fn records(count: usize) -> Vec<u8> {
    let mut bytes = b"Kaydara FBX Binary  \0\x1A\0".to_vec();
    bytes.extend(7400_u32.to_le_bytes());
    for n in 0..count as u32 {
        let end = bytes.len() as u32 + 13 + 4 + 5;
        for word in [end, 1, 5] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend([4, b'N', b'a', b'm', b'e', b'I']);
        bytes.extend(n.to_le_bytes());
    }
    bytes.extend([0; 13]);
    bytes
}

/// A texture of 8 x 8 texels, without a name in the archive.
fn texture() -> Vec<u8> {
    crate::first::textures().swap_remove(1)
}

/// Nodes with one mesh, and materials with a texture each. The pictures have the same name in many folders.
fn nodes(count: usize) -> Vec<u8> {
    let all = |part: &dyn Fn(usize) -> String, count| (0..count).map(part).collect::<Vec<_>>().join(",");
    // Maximum length of a texture list.
    let textures = count.min(8192);
    let materials = all(
        &|n| {
            format!(
                r#"{{"alphaMode":"BLEND","pbrMetallicRoughness":{{"baseColorTexture":{{"index":{n}}}}}}}"#
            )
        },
        textures,
    );
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],"materials":[{materials}],"textures":[{}],"images":[{}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "buffers":[{{"uri":"data:;base64,{}","byteLength":36}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
        "min":[0,0,0],"max":[0,0,0]}}]}}"#,
        all(&|_| r#"{"mesh":0}"#.to_owned(), count),
        all(&|n| format!(r#"{{"source":{n}}}"#), textures),
        all(&|n| format!(r#"{{"uri":"{n}/a.png"}}"#), textures),
        "AACA".repeat(12),
    );
    text.into_bytes()
}

/// Faces that use the materials one after the other. The materials follow the null byte, as many as the
/// memory limit allows.
fn faces(count: usize) -> Vec<u8> {
    let face = |n| {
        format!(
            "v {n} 0 0\nv {n} 1 0\nv {n} 0 1\nusemtl m{}\nf -1 -2 -3",
            n % 1000
        )
    };
    let scene = lines("mtllib a\n", count, face, "\0");
    [scene, lines("", count.min(1000), |n| format!("newmtl m{n}"), "")].concat()
}

/// An archive of named textures.
fn entries(count: usize) -> Vec<u8> {
    let mut bytes = b"PVMH".to_vec();
    let header = 4 + 30 * count as u32;
    bytes.extend(header.to_le_bytes());
    bytes.extend(8_u16.to_le_bytes());
    bytes.extend((count as u16).to_le_bytes());
    for n in 0..count {
        bytes.extend((n as u16).to_le_bytes());
        bytes.extend(format!("{n:<28}").bytes());
    }
    (0..count).for_each(|_| bytes.extend(texture()));
    bytes
}

/// The archive of [`entries`], and a list of other names.
fn lookup(count: usize) -> Vec<u8> {
    let mut bytes = lines("", count, |n| format!("x{n}"), "\n");
    bytes.extend(entries(count));
    bytes
}

fn tables(count: usize) -> Vec<u8> {
    lines("", count, |n| format!("[materials.m{n}]\nalpha = 0.5"), "")
}

fn kernels(count: usize) -> Vec<u8> {
    let kernel = |n: usize| {
        format!("[[kernel]]\nname = \"k{n}\"\ncall = \"_f{n}\"\nagainst = \"_g{n}\"\nargs.x = \"f32\"\n")
    };
    lines("", count, kernel, "")
}

fn budgets(count: usize) -> Vec<u8> {
    let head = "kind = \"program\"\ninput = \"a.elf\"\n\n[budget]\nframes = \"1..2\"\n\n[budget.functions]\n";
    lines(head, count, |n| format!("f{n} = {n}"), "")
}

/// A call with long words for the last argument of the first kernel, and one word for the others.
fn words(count: usize) -> Vec<u8> {
    let kernel = &sh4_kernels::KERNELS[0];
    let mut text = format!("kernel = \"{}\"\n", kernel.name);
    for (n, param) in kernel.params.iter().enumerate() {
        let last = n + 1 == kernel.params.len();
        let data: String = (0..if last { count } else { 1 })
            .map(|n| format!("{n:04x}\n"))
            .collect();
        let name = param.name;
        let _ = writeln!(
            text,
            "\n[[argument]]\nname = \"{name}\"\ndata = \"\"\"\n{data}\"\"\""
        );
    }
    text.into_bytes()
}

/// A report in which every instruction is in a different function.
fn functions(count: usize) -> Vec<u8> {
    let step = [0_u32, 0x0100_0009, 0].map(u32::to_le_bytes).concat();
    let mut report: serde_json::Value =
        serde_json::from_str(&crate::counting::report(&step)).unwrap_or_default();
    let site = report["listing"][0].clone();
    let sites = (0..count).map(|n| {
        let mut site = site.clone();
        site["function"] = format!("f{n}").into();
        site
    });
    report["listing"] = sites.collect();
    report.to_string().into_bytes()
}

fn observations(count: usize) -> Vec<u8> {
    lines("truth 00000001\n", count, |n| format!("obs name.{n} {n:08x}"), "")
}

fn counts(count: usize) -> Vec<u8> {
    lines(
        "code,event,count\n",
        count,
        |n| format!("01,operand_read,{n}"),
        "",
    )
}

fn presses(count: usize) -> Vec<u8> {
    lines("", count, |n| format!("{} press start", n + 1), "")
}

/// A program with symbols at one address.
fn symbols(count: usize) -> Vec<u8> {
    crate::texts::elf_with_symbols(count)
}
