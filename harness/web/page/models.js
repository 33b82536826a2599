// The model viewer: camera, time, nodes, textures.

import { copyLink, element, make, parameters, save, showError, showList, showPicture, showStatus, stem } from "./page.js";

/** Frames per second of motions. */
const FRAMES_A_SECOND = 30;
/** Degrees for each pixel of a drag, and for each press of an arrow. */
const DRAG = 0.5, TURN = 5;
const EDGE = "#60ff90", NORMAL = "#60c0ff";
/** Files that the module makes, by extension. */
const FORMATS = {
  png: "PNG picture", gif: "GIF of the motion", glb: "glTF (.glb)", nj: "Ninja binary (.nj)", nja: "Ninja text (.nja)",
  pvm: "textures (.pvm)", spj: "cell sprite (.spj)", spa: "cell sprite as text (.spa)",
};
const LEGENDS = {
  frame: "", overdraw: "Polygons that the chip shades at a pixel: black none, blue 1, green 2, yellow 3, red 4, white 5 or more.",
  lists: "List that coloured a pixel last: grey opaque, yellow punch-through, blue translucent; red inside a modifier volume.",
};
const WEIGHTS = "Weight of the node for each of its vertices: blue near 0, green 0.5, red 1.";
const KEYS = "Drag turns, a drag with Shift or two fingers moves, the wheel zooms. Keys: arrows turn, with Shift move, + and − zoom, space plays, "
  + ", and . step, R resets the view.";

export class Models {
  #engine;
  #files = [];
  #main = "";
  #info = null;
  #view = {};
  #playing = false;
  #drawing = false;
  #again = false;
  #pointers = new Map();
  #hidden = [];
  #saving = null;

  constructor(engine) {
    this.#engine = engine;
    element("play").addEventListener("click", () => this.#play(!this.#playing));
    element("frame").addEventListener("input", () => {
      this.#play(false);
      this.#seek(Number(element("frame").value));
    });
    for (const id of ["motion", "shape", "camera"]) {
      element(id).addEventListener("change", () => this.#reopen());
    }
    for (const id of ["show", "weights", "wireframe", "normals"]) element(id).addEventListener("change", () => this.draw());
    element("reset-view").addEventListener("click", () => this.#reset());
    element("save-model").addEventListener("click", () => this.#save().catch((error) => showError(error.message)));
    element("model-link").addEventListener("click", () => copyLink(this.#link()));
    const canvas = element("canvas");
    canvas.addEventListener("pointerdown", (event) => this.#pointer(event, true));
    canvas.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => this.#pointer(event, false));
    }
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  get isOpen() {
    return this.#info !== null;
  }

  close() {
    this.#info = null;
    this.#saving = null;
    this.#playing = false;
    this.#pointers.clear();
  }

  /** Opens one of the engine's files. `infos` describes all of them. */
  async open(infos, main) {
    this.close();
    this.#files = infos;
    this.#main = main;
    const given = parameters();
    const motions = infos.filter((info) => info.role === "motion").map((info) => info.name);
    const named = (extension) => motions.filter((name) => extension.test(name));
    this.#choices("motion", named(/\.(njm|nam)$/i), given.get("motion"));
    this.#choices("shape", named(/\.(njs|nas)$/i), given.get("shape"));
    this.#choices("camera", named(/\.(njm|nam)$/i), given.get("camera") ?? "");
    element("keys").textContent = KEYS;
    element("show").value = given.get("show") in LEGENDS ? given.get("show") : "frame";
    for (const id of ["wireframe", "normals"]) element(id).checked = given.get(id) === "on";
    await this.#reopen(true);
    const weights = given.get("weights") ?? "";
    if ([...element("weights").options].some(({ value }) => value === weights)) element("weights").value = weights;
    const numbers = (name) => given.get(name)?.split(",").map(Number).filter(Number.isFinite);
    const orbit = numbers("orbit");
    if (orbit?.length === 2) this.#view = { orbit, zoom: numbers("zoom")?.[0] ?? 1, pan: numbers("pan") ?? [0, 0] };
    await this.#seek(Number(given.get("frame") ?? 0));
    // The loop of a playing motion never ends, so it is not awaited.
    const plays = !given.has("frame") && this.#info.length > 1;
    if (plays && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.#play(true);
  }

  /** Fills a list of motions. Without a choice, selects the first motion if the model can play it. */
  #choices(id, names, chosen) {
    const list = element(id);
    list.replaceChildren(make("option", "none", { value: "" }), ...names.map((name) => make("option", name, { value: name })));
    if (chosen !== null && chosen !== undefined) {
      if (chosen && !names.includes(chosen)) list.append(make("option", chosen, { value: chosen }));
      list.value = chosen === "none" ? "" : chosen;
    } else {
      list.value = names[0] ?? "";
    }
    list.parentElement.hidden = list.options.length < 2;
  }

  async #request(motions) {
    const others = this.#files.filter((info) => info.name !== this.#main);
    const cells = /\.(spj|spa)$/i.test(this.#main)
      ? others.filter((info) => /\.(csj|csa)$/i.test(info.name)).map((info) => info.name) : [];
    return (await this.#engine.ask({ request: "open-model", model: this.#main, cells, ...motions })).reply;
  }

  async #reopen(isFirst = false) {
    const value = (id) => element(id).value || null;
    const motions = { motion: value("motion"), shape: value("shape"), camera: value("camera") };
    const chosen = { ...motions };
    if (!chosen.motion) delete motions.motion;
    let problem = "";
    try {
      this.#info = await this.#request(motions);
      if (isFirst && !motions.motion && this.#info.motions.length && !parameters().has("motion")) {
        this.#info = await this.#request({ ...motions, motion: ":0" });
      }
    } catch (error) {
      // The motion belongs to another model, so the model is shown without it.
      problem = error.message;
      if (!motions.motion && !motions.shape && !motions.camera) throw error;
      this.#info = await this.#request({});
      for (const id of ["motion", "shape", "camera"]) element(id).value = "";
    }
    showError(problem);
    this.#shown();
    await this.draw();
  }

  /** Shows the model's properties. */
  #shown() {
    const { kind, length, motions, models, textures, isFlat, exports } = this.#info;
    const list = element("motion");
    motions.forEach((frames, number) => {
      const value = `:${number}`;
      if (![...list.options].some((option) => option.value === value)) {
        list.append(make("option", `motion ${number} of the file, ${frames} frames`, { value }));
        if (number === 0 && list.value === "" && length > 0) list.value = value;
      }
    });
    list.parentElement.hidden = list.options.length < 2;
    const frame = element("frame");
    frame.max = Math.max(length - 1, 0);
    for (const id of ["play", "frame"]) element(id).disabled = length < 2;
    const canvas = element("canvas");
    canvas.setAttribute("aria-label", `${this.#main}: ${kind}`);
    this.#hidden = models.map((nodes) => nodes.map(() => false));
    const formats = ["png", ...(length > 1 ? ["gif"] : []), ...exports];
    element("model-format").replaceChildren(...formats.map((value) => make("option", FORMATS[value], { value })));
    const weighted = isFlat ? [] : models.flatMap((nodes, model) => nodes.filter(({ vertices }) => vertices > 0)
      .map(({ id }) => make("option", models.length > 1 ? `model ${model}, node ${id}` : `node ${id}`, { value: `${model},${id}` })));
    element("weights").replaceChildren(make("option", "none", { value: "" }), ...weighted);
    for (const id of ["weights", "normals"]) element(id).parentElement.hidden = weighted.length === 0;
    this.#nodes(isFlat ? [] : models);
    this.#textures(textures);
  }

  #nodes(models) {
    const items = models.flatMap((nodes, model) => nodes.map((node) => {
      const label = make("label", "");
      const box = make("input", "", { type: "checkbox" });
      box.checked = true;
      box.addEventListener("change", () => {
        this.#hidden[model][node.id] = !box.checked;
        this.draw();
      });
      const what = node.vertices || node.triangles ? `${node.vertices} vertices, ${node.triangles} triangles` : "no model";
      label.append(box, ` Node ${node.id}: ${what}`);
      const item = make("li");
      item.style.setProperty("--depth", Math.min(node.depth, 12));
      item.append(label);
      if (node.chunks.length) item.append(make("small", node.chunks.join("; ")));
      return item;
    }));
    showList("nodes", items);
  }

  async #textures(textures) {
    const info = this.#info;
    const items = textures.map(({ name, missing, width, height, format }) => {
      const item = make("li");
      item.append(make("span", name), make("small", missing ? "missing" : `${width}×${height}, ${format}`));
      return item;
    });
    showList("textures", items);
    for (const [index, { missing, name }] of textures.entries()) {
      if (missing || this.#info !== info) continue;
      try {
        const { reply, data } = await this.#engine.ask({ request: "texture", index });
        const canvas = make("canvas", "", { role: "img", "aria-label": `Texture ${name}` });
        Object.assign(canvas, reply);
        const pixels = new Uint8ClampedArray(data.buffer);
        canvas.getContext("2d").putImageData(new ImageData(pixels, reply.width, reply.height), 0, 0);
        items[index].prepend(canvas);
      } catch (error) {
        items[index].append(make("small", error.message));
      }
    }
  }

  /** Draws a picture. A call during drawing causes one more picture afterwards. */
  async draw() {
    if (!this.#info) return;
    if (this.#drawing) {
      this.#again = true;
      return;
    }
    this.#drawing = true;
    try {
      do {
        this.#again = false;
        await this.#drawOnce();
      } while (this.#again && this.#info);
    } catch (error) {
      showError(error.message);
      this.#playing = false;
    } finally {
      this.#drawing = false;
    }
  }

  async #drawOnce() {
    const begin = performance.now();
    const view = this.#state();
    const { reply, data } = await this.#engine.ask({ request: "draw", ...view });
    if (!this.#info) return;
    showPicture(reply, data);
    this.#overlay(reply, data);
    const legend = [LEGENDS[view.show], view.weights && WEIGHTS].filter(Boolean).join(" ");
    element("legend").textContent = legend;
    element("legend").hidden = legend === "";
    const milliseconds = performance.now() - begin;
    showStatus(`${reply.width}×${reply.height}, ${reply.nodes} nodes, ${reply.strips} strips, ${reply.triangles} triangles; `
      + `${milliseconds.toFixed(1)} ms`);
    showList("warnings", reply.warnings.map((text) => make("li", text)));
    document.body.dataset.state = "ready";
    document.body.dataset.frame = view.frame;
  }

  /** Returns the camera, time and overlays of the next picture. */
  #state() {
    const weights = element("weights").value;
    return {
      frame: Number(element("frame").value), hidden: this.#hidden, show: element("show").value,
      wireframe: element("wireframe").checked, normals: element("normals").checked,
      weights: weights ? weights.split(",").map(Number) : null, ...this.#view,
    };
  }

  /** Saves a file in the chosen format. A click while a GIF is made stops it. */
  async #save() {
    if (this.#saving) {
      this.#saving = null;
      return;
    }
    const saving = this.#saving = {};
    const format = element("model-format").value;
    const name = `${stem(this.#main)}.${format}`;
    try {
      if (format === "png") {
        save(name, (await this.#engine.ask({ request: "model-png", ...this.#state() })).data, "image/png");
      } else if (format === "gif") {
        await this.#saveGif(name, saving);
      } else {
        const { reply, data } = await this.#engine.ask({ request: "export", format });
        save(name, data);
        showStatus(`${name}: ${data.length} bytes${reply.map((warning) => `; ${warning}`).join("")}`);
      }
    } finally {
      if (this.#saving === saving) this.#saving = null;
    }
  }

  async #saveGif(name, saving) {
    this.#play(false);
    const button = element("save-model");
    button.textContent = "Stop";
    try {
      const { length } = this.#info;
      await this.#engine.ask({ request: "start-gif" });
      for (let frame = 0; frame < length; frame++) {
        if (this.#saving !== saving) return showStatus("The GIF is not saved.");
        showStatus(`${name}: picture ${frame + 1} of ${length}`);
        await this.#engine.ask({ request: "add-to-gif", ...this.#state(), frame });
      }
      const { data } = await this.#engine.ask({ request: "finish-gif" });
      save(name, data, "image/gif");
      showStatus(`${name}: ${length} pictures, ${data.length} bytes`);
    } finally {
      button.textContent = "Save";
    }
  }

  /** Draws lines and points over the picture: `data` has them after its pixels. */
  #overlay({ width, height, edges, normals, weights }, data) {
    const overlay = element("overlay");
    Object.assign(overlay, { width, height });
    if (edges + normals + weights === 0) return;
    const context = overlay.getContext("2d");
    const numbers = new Float32Array(data.slice(width * height * 4).buffer);
    const lines = (colour, from, to) => {
      context.strokeStyle = colour;
      context.beginPath();
      for (let at = from; at < to; at += 4) {
        context.moveTo(numbers[at], numbers[at + 1]);
        context.lineTo(numbers[at + 2], numbers[at + 3]);
      }
      context.stroke();
    };
    lines(EDGE, 0, edges * 4);
    lines(NORMAL, edges * 4, (edges + normals) * 4);
    for (let at = (edges + normals) * 4; at < numbers.length; at += 3) {
      context.fillStyle = `hsl(${240 * (1 - numbers[at + 2])} 100% 50%)`;
      context.fillRect(numbers[at] - 2, numbers[at + 1] - 2, 5, 5);
    }
  }

  #seek(frame) {
    const last = Number(element("frame").max);
    const length = last + 1;
    element("frame").value = ((Math.round(frame) % length) + length) % length;
    element("frame-number").value = `${element("frame").value} / ${last}`;
    return this.draw();
  }

  #play(playing) {
    const button = element("play");
    button.setAttribute("aria-pressed", playing);
    button.textContent = playing ? "Pause" : "Play";
    const started = playing && !this.#playing;
    this.#playing = playing;
    if (!started) return;
    const info = this.#info;
    const first = Number(element("frame").value);
    const begin = performance.now();
    const tick = async (now) => {
      if (!this.#playing || this.#info !== info) return;
      await this.#seek(Math.floor(first + (Math.max(now - begin, 0) / 1000) * FRAMES_A_SECOND));
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  #reset() {
    this.#view = {};
    this.draw();
  }

  #turn([yaw, pitch], [right, up] = [0, 0], zoom = 1) {
    if (!this.#info) return;
    const view = this.#view;
    view.orbit ??= [...this.#info.orbit];
    view.pan ??= [0, 0];
    view.zoom ??= 1;
    view.orbit = [(view.orbit[0] + yaw + 360) % 360, Math.max(-89, Math.min(89, view.orbit[1] + pitch))];
    view.zoom = Math.max(0.02, Math.min(50, view.zoom * zoom));
    view.pan = [view.pan[0] + right * view.zoom, view.pan[1] + up * view.zoom];
    this.draw();
  }

  #pointer(event, down) {
    if (!this.#info) return;
    if (down) {
      event.target.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
    } else {
      this.#pointers.delete(event.pointerId);
    }
  }

  #drag(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const [x, y] = [now[0] - before[0], now[1] - before[1]];
    const width = element("canvas").clientWidth;
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId);
    this.#pointers.set(event.pointerId, now);
    if (others.length) {
      const distance = ([a, b], [c, d]) => Math.hypot(a - c, b - d);
      const [, other] = others[0];
      const zoom = distance(before, other) / Math.max(distance(now, other), 1);
      this.#turn([0, 0], [-x / width / 2, y / width / 2], zoom);
    } else if (event.shiftKey || event.buttons & 6) {
      this.#turn([0, 0], [-x / width, y / width]);
    } else {
      this.#turn([-x * DRAG, y * DRAG]);
    }
  }

  #wheel(event) {
    if (!this.#info) return;
    event.preventDefault();
    this.#turn([0, 0], [0, 0], Math.exp(Math.sign(event.deltaY) * 0.1));
  }

  #key(event) {
    if (!this.#info || event.ctrlKey || event.altKey || event.metaKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = arrows[event.key];
    const step = (by) => {
      this.#play(false);
      this.#seek(Number(element("frame").value) + by);
    };
    if (arrow && event.shiftKey) this.#turn([0, 0], arrow.map((part) => part * 0.05));
    else if (arrow) this.#turn(arrow.map((part) => part * TURN));
    else if (event.key === "+" || event.key === "=") this.#turn([0, 0], [0, 0], 0.9);
    else if (event.key === "-") this.#turn([0, 0], [0, 0], 1 / 0.9);
    else if (event.key === " ") this.#play(!this.#playing);
    else if (event.key === ",") step(-1);
    else if (event.key === ".") step(1);
    else if (event.key === "r" || event.key === "R") this.#reset();
    else return;
    event.preventDefault();
  }

  #link() {
    const state = { frame: element("frame").value };
    for (const id of ["motion", "shape", "camera"]) {
      if (!element(id).parentElement.hidden) state[id] = element(id).value || "none";
    }
    if (element("show").value !== "frame") state.show = element("show").value;
    if (element("weights").value) state.weights = element("weights").value;
    for (const id of ["wireframe", "normals"]) if (element(id).checked) state[id] = "on";
    const { orbit, zoom, pan } = this.#view;
    if (orbit) Object.assign(state, { orbit: orbit.join(), zoom, pan: pan.join() });
    return state;
  }
}
