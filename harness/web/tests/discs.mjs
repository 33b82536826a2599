// Disc images with one program, for the tests of the page. docs/formats describes no disc formats: ECMA-119
// has the file system; the fields of CDI files are those that harness/dreamcast/src/disc/cdi.rs reads.

const SECTOR = 2048;
const LOAD = 0x8c010000;

/** Contents of RAM from 8C010000 on, where an ELF file puts its segments. */
export function rawProgram(elf) {
  const segments = Array.from({ length: elf.readUInt16LE(44) }, (_, n) => elf.readUInt32LE(28) + 32 * n)
    .filter((at) => elf.readUInt32LE(at) === 1 && elf.readUInt32LE(at + 16) > 0)
    .map((at) => ({ offset: elf.readUInt32LE(at + 4), address: elf.readUInt32LE(at + 8), size: elf.readUInt32LE(at + 16) }));
  const end = Math.max(...segments.map(({ address, size }) => address + size));
  const raw = Buffer.alloc(end - LOAD);
  for (const { offset, address, size } of segments) {
    // The first segment can begin with the file's headers, below the code.
    const skipped = Math.max(LOAD - address, 0);
    elf.copy(raw, address + skipped - LOAD, offset + skipped, offset + size);
  }
  return raw;
}

/** Both byte orders of a number (ECMA-119, 7.3.3). */
function both(buffer, at, value) {
  buffer.writeUInt32LE(value, at);
  buffer.writeUInt32BE(value, at + 4);
}

function record(block, size, name, isFolder = false) {
  const bytes = Buffer.alloc(33 + name.length + (name.length % 2 ? 0 : 1));
  bytes[0] = bytes.length;
  both(bytes, 2, block);
  both(bytes, 10, size);
  bytes[25] = isFolder ? 2 : 0;
  bytes.writeUInt16LE(1, 28);
  bytes.writeUInt16BE(1, 30);
  bytes[32] = name.length;
  bytes.write(name, 33, "latin1");
  return bytes;
}

/** An ISO 9660 image whose first sector has a logical block. */
export function iso(program, block) {
  const sectors = Math.ceil(program.length / SECTOR);
  const image = Buffer.alloc(Math.max(19 + sectors, 302) * SECTOR);
  image.write("SEGA SEGAKATANA ", 0, "latin1");
  image.write("1ST_READ.BIN    ", 0x60, "latin1");
  const root = block + 18;
  image.write("\x01CD001\x01", 16 * SECTOR, "latin1");
  record(root, SECTOR, "\0", true).copy(image, 16 * SECTOR + 156);
  image.write("\xffCD001\x01", 17 * SECTOR, "latin1");
  const entries = [record(root, SECTOR, "\0", true), record(root, SECTOR, "\x01", true),
    record(root + 1, program.length, "1ST_READ.BIN;1")];
  Buffer.concat(entries).copy(image, 18 * SECTOR);
  program.copy(image, 19 * SECTOR);
  return image;
}

/** The files of a GD-ROM: a sheet, a data track, an audio track, and the program's track. */
export function gdi(program) {
  return {
    "disc.gdi": Buffer.from("3\n1 0 4 2048 track01.iso 0\n2 450 0 2352 track02.raw 0\n3 45000 4 2048 TRACK03.bin 0\n"),
    "track01.iso": Buffer.alloc(300 * SECTOR),
    "track02.raw": Buffer.alloc(300 * 2352),
    "track03.bin": iso(program, 45000),
  };
}

/** A CDI file (version 80000005): an audio track, and in the second session the program's track. */
export function cdi(program) {
  const words = (...list) => Buffer.from(new Uint32Array(list).buffer);
  const data = iso(program, 11702);
  const track = (mode, kind, block, sectors) => Buffer.concat([
    words(0), Buffer.from([0, 0, 1, 0, 0, 0, 255, 255, 255, 255, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255]),
    Buffer.alloc(4), Buffer.from([0]), Buffer.alloc(19), words(0), Buffer.alloc(2), words(0, sectors), Buffer.alloc(6),
    words(mode), Buffer.alloc(12), words(block, sectors), Buffer.alloc(16), words(kind), Buffer.alloc(29),
    Buffer.alloc(5), words(0),
  ]);
  const session = (bytes) => Buffer.concat([Buffer.from([1, 0]), bytes, Buffer.alloc(13)]);
  const audio = Buffer.alloc(300 * 2352);
  const start = audio.length + data.length;
  return Buffer.concat([audio, data, Buffer.from([2, 0]), session(track(0, 2, 0, 300)),
    session(track(2, 0, 11702, data.length / SECTOR)), words(0x80000005, start)]);
}
