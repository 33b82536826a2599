// The WebAssembly module: requests as JSON and bytes in, replies out.

/** Bytes that are read from a disc image at once: a program reads one sector after the other. */
const CHUNK = 2 ** 18;

/** A module with one session. After an error of kind `Defect` it must be replaced. */
export class Swirl {
  #exports;
  /** Disc images and tracks by number; the last chunk that was read. */
  #files = new Map();
  #chunk = {};

  static async load(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    const module = await WebAssembly.compileStreaming(response);
    const swirl = new Swirl();
    const read_slice = (file, offset, length) => swirl.#readSlice(file, offset, length);
    swirl.#exports = (await WebAssembly.instantiate(module, { page: { read_slice } })).exports;
    return swirl;
  }

  /** Keeps a disc image or a track for reading. */
  keep(number, blob) {
    this.#files.set(number, blob);
  }

  /** Removes all kept files. */
  forget() {
    this.#files.clear();
    this.#chunk = {};
  }

  /** Copies bytes of a kept file into the module. Returns 0, or 1 if they cannot be read. */
  #readSlice(file, offset, length) {
    try {
      const from = Math.floor(offset / CHUNK) * CHUNK;
      const to = Math.ceil((offset + length) / CHUNK) * CHUNK;
      if (this.#chunk.file !== file || this.#chunk.from !== from || this.#chunk.to < to) {
        const bytes = new FileReaderSync().readAsArrayBuffer(this.#files.get(file).slice(from, to));
        this.#chunk = { file, from, to, bytes };
      }
      const bytes = new Uint8Array(this.#chunk.bytes, offset - from, length);
      const address = this.#exports.slice_buffer(length);
      new Uint8Array(this.#exports.memory.buffer, address, length).set(bytes);
      return 0;
    } catch {
      // The file is gone or shorter than it was.
      return 1;
    }
  }

  /** Performs a request with its bytes `data`. Returns the reply and a copy of its bytes. */
  perform(request, data) {
    data ??= new Uint8Array();
    const text = new TextEncoder().encode(JSON.stringify(request));
    try {
      const address = this.#exports.reserve(text.length + data.length);
      const input = new Uint8Array(this.#exports.memory.buffer, address, text.length + data.length);
      input.set(text);
      input.set(data, text.length);
      const failed = this.#exports.perform(text.length);
      const reply = this.#text(this.#exports.json(), this.#exports.json_length());
      if (failed) return { error: reply };
      const bytes = this.#bytes(this.#exports.data(), this.#exports.data_length()).slice();
      return { reply: JSON.parse(reply), data: bytes };
    } catch (error) {
      // The module trapped. If it has a message, this message is more exact.
      const { panic, panic_length } = this.#exports;
      return { error: this.#text(panic(), panic_length()) || String(error), defect: true };
    }
  }

  #bytes(address, length) {
    return new Uint8Array(this.#exports.memory.buffer, address, length);
  }

  #text(address, length) {
    return new TextDecoder().decode(this.#bytes(address, length));
  }
}
