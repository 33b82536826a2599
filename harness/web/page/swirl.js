// The WebAssembly module: requests as JSON and bytes in, replies out.

/** A module with one session. After an error of kind `Defect` it must be replaced. */
export class Swirl {
  #exports;

  constructor(instance) {
    this.#exports = instance.exports;
  }

  static async load(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    const module = await WebAssembly.compileStreaming(response);
    return new Swirl(await WebAssembly.instantiate(module, {}));
  }

  /** Performs a request with its bytes `data`. Returns the reply and a copy of its bytes. */
  perform(request, data = new Uint8Array()) {
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
