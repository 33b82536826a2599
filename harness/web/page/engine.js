// Requests to a worker as promises.

/** Maximum number of bytes of all files together; the same limit as in the module. */
export const MOST_BYTES = 128 * 2 ** 20;

/** A message for the user, not a defect of the page. */
export class Failure extends Error {}

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

  /** Performs a request. */
  ask(request, data) {
    if (!this.#worker) this.#start();
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, request, data }, data ? [data.buffer] : []);
    });
  }

  /** Replaces the session's files. */
  async load(files) {
    await this.ask({ request: "clear" });
    const infos = [];
    for (const { name, blob } of files) {
      const bytes = new Uint8Array(await blob.arrayBuffer());
      infos.push((await this.ask({ request: "add-file", name }, bytes)).reply);
    }
    return infos;
  }
}
