#!/usr/bin/env python3
"""Addresses of texels against an independent encoder and decoder, pypvr.

Not part of the tests: it needs Python with the packages pypvr, numpy, pillow and faiss-cpu.

    python3 harness/cli/tests/pypvr.py target/release/swirl

Each texture goes both ways: encoded there and decoded here, encoded here and decoded there. Channels are 0 or 255 and
compared by their top bit, as pypvr widens colours in its own way.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    from PIL import Image
    import pypvr  # noqa: F401 (run as a program below)
except ImportError as missing:
    sys.exit(f"pypvr not checked: {missing}")

# Size; options there; options here. Not compared: 8-bit indices with mip levels, which pypvr 1.0.0 puts one byte further than
# the offsets of the chip say, and strides, for which it writes another format.
CASES = [
    ((64, 64), "-565 -tw", "--format 565 --layout twiddled"),
    ((64, 64), "-1555 -tw -mm", "--format 1555 --layout twiddled --mipmaps"),
    ((64, 64), "-4444 -tw", "--format 4444 --layout twiddled"),
    ((128, 32), "-565 -twre", "--format 565 --layout twiddled"),
    ((32, 128), "-4444 -twre", "--format 4444 --layout twiddled"),
    ((64, 32), "-565 -re", "--format 565 --layout rect"),
    ((64, 64), "-565 -vq", "--format 565 --layout vq"),
    ((64, 64), "-565 -vq -mm", "--format 565 --layout vq --mipmaps"),
    ((32, 32), "-565 -svq", "--format 565 --layout small-vq"),
    ((64, 64), "-8888 -pal8", "--format pal8"),
    ((64, 64), "-8888 -pal4", "--format pal4"),
]


def picture(size, seed):
    """Cells of 4x4 texels in eight colours: exact with any palette and codebook."""
    cells = random.Random(seed)
    image = Image.new("RGB", (size[0] // 4, size[1] // 4))
    colours = [(r, g, b) for r in (0, 255) for g in (0, 255) for b in (0, 255)]
    image.putdata([cells.choice(colours) for _ in range(image.width * image.height)])
    return image.resize(size, Image.NEAREST)


def top_bits(path):
    image = Image.open(path).convert("RGB")
    return image.size, [channel >> 7 for pixel in image.getdata() for channel in pixel]


def run(arguments, folder):
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, arguments))}: {done.stdout}{done.stderr}")


def check(swirl, seed, size, theirs, ours):
    """What differs; empty if nothing does."""
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side in ("there", "here"):
            (folder / side).mkdir()
        original = folder / "t.png"
        picture(size, seed).save(original)
        wanted = top_bits(original)
        pypvr_program = [sys.executable, "-m", "pypvr"]
        picture(size, seed).save(folder / "there/t.png")
        run([*pypvr_program, "t.png", *theirs.split()], folder / "there")
        run([swirl, "convert", "there/t.PVR", "here/t.png"], folder)
        if top_bits(folder / "here/t.png") != wanted:
            wrong.append("encoded there, decoded here")
        run([swirl, "convert", "t.png", "here/u.pvr", *ours.split()], folder)
        run([*pypvr_program, "u.pvr"], folder / "here")
        # It puts a backslash between folder and name on every system.
        if top_bits(folder / "here\\u.png") != wanted:
            wrong.append("encoded here, decoded there")
    return wrong


def main():
    swirl = Path(sys.argv[1]).resolve()
    failed = 0
    for seed, (size, theirs, ours) in enumerate(CASES):
        try:
            wrong = check(swirl, seed, size, theirs, ours)
        except (RuntimeError, FileNotFoundError) as error:
            wrong = [str(error)]
        failed += bool(wrong)
        print(f"{size[0]}x{size[1]} {theirs}: {'; '.join(wrong) or 'equal'}")
    print(f"{len(CASES)} textures, {failed} differ")
    sys.exit(failed > 0)


main()
