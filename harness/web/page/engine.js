// Requests to a worker as promises.

/** Maximum number of bytes of all files in memory together; the same limit as in the module. */
export const MOST_BYTES = 128 * 2 ** 20;

/** A message for the user, not a defect of the page. */
export class Failure extends Error {}

/** Returns the names of disc images and tracks, which the module reads by slices: tracks are the binary files, images
 * and sounds in the folder of a .gdi or .cue file. */
export function sliced(files) {
  const folder = (name) => name.replace(/[^/]*$/, "");
  const sheets = new Set(files.filter(({ name }) => /\.(gdi|cue)$/i.test(name)).map(({ name }) => folder(name)));
  const tracks = files.filter(({ name }) => /\.(bin|iso|raw|wav)$/i.test(name) && sheets.has(folder(name)));
  const images = files.filter(({ name }) => /\.(cdi|iso)$/i.test(name));
  return { tracks: new Set(tracks.map(({ name }) => name)), all: new Set([...tracks, ...images].map(({ name }) => name)) };
}

/** Starts a worker for the first request, and a new one after a defect. */
export class Engine {
  #worker = null;
  #waiting = new Map();
  #number = 0;

  #start() {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data: { number, error, defect, reply, data } }) => {
      const { resolve, reject } = this.#waiting.get(number) ?? {};
      this.#waiting.delete(number);
      if (defect) this.stop();
      if (error === undefined) resolve?.({ reply, data });
      else reject?.(new Failure(defect ? `swirl has a defect: ${error}` : error));
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.stop(event.message || "the worker did not start");
    });
    this.#worker = worker;
  }

  /** Ends the worker; pending requests fail. */
  stop(reason = "stopped") {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(new Failure(reason));
    this.#waiting.clear();
  }

  /** Performs a request with bytes or a file. */
  ask(request, data, blob) {
    if (!this.#worker) this.#start();
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, request, data, blob }, data ? [data.buffer] : []);
    });
  }

  /** Replaces the session's files. */
  async load(files) {
    await this.ask({ request: "clear" });
    const { tracks, all } = sliced(files);
    const infos = [];
    for (const [number, { name, blob }] of files.entries()) {
      const { reply } = all.has(name)
        ? await this.ask({ request: "add-slices", name, number, bytes: blob.size }, null, blob)
        : await this.ask({ request: "add-file", name }, new Uint8Array(await blob.arrayBuffer()));
      if (tracks.has(name)) reply.role = "track";
      infos.push(reply);
    }
    return infos;
  }
}
