// Programs on the console: frames, input, text, reports.

import { Code } from "./code.js";
import { Input, KEYS_TEXT } from "./input.js";
import { copyLink, element, make, parameters, save, showError, showList, showPicture, showStatus,
  stem } from "./page.js";
import { showProfile } from "./profile.js";
import { Sound } from "./sound.js";
import { loadVmu, saveVmu } from "./storage.js";

/** Size of a visual memory. */
const VMU_BYTES = 128 * 1024;
/** Maximum number of shown characters of console text. */
const MOST_TEXT = 200000;
/** Interval in milliseconds for reading reports and visual memory. */
const LOOK = 500;
/** Frames of a profile. */
const PROFILED = 60;
/** Frames per request while the program runs to a given frame. */
const LEAP = 30;

export class Programs {
  #engine;
  #input = new Input();
  #sound = new Sound();
  #code;
  #name = "";
  /** Input script that the user gave for this program. */
  #script = null;
  #run = null;
  #paused = false;
  #text = "";
  #frame = 0;
  #findings = 0;
  #looked = 0;
  #begin = 0;
  #first = 0;

  constructor(engine) {
    this.#engine = engine;
    this.#code = new Code(engine);
    const act = (work) => () => work().catch((error) => this.#fail(error));
    element("pause").addEventListener("click", () => this.#pause(!this.#paused));
    element("step").addEventListener("click", act(async () => {
      this.#pause(true);
      await this.#frames(1);
      await this.#stopped();
    }));
    element("restart").addEventListener("click", act(() => this.#start()));
    element("speed").addEventListener("change", () => this.#restartClock());
    element("sound").addEventListener("change", act(() => this.#start()));
    element("checks").addEventListener("change", act(() => this.#start()));
    element("keyboard").addEventListener("change", act(() => this.#start()));
    element("profile").addEventListener("change", act(() => this.#profile()));
    element("program-png").addEventListener("click", act(async () => {
      const name = `${stem(this.#name)}-${this.#frame}.png`;
      save(name, (await this.#engine.ask({ request: "program-png" })).data, "image/png");
    }));
    element("program-link").addEventListener("click", () => copyLink(this.#link()));
    element("save-input").addEventListener("click", act(async () => {
      const { reply } = await this.#engine.ask({ request: "recording" });
      save(`${stem(this.#name)}.input`, reply, "text/plain");
    }));
    element("save-vmu").addEventListener("click", act(async () => {
      const { data } = await this.#engine.ask({ request: "vmu" });
      save(`${stem(this.#name)}.vmu`, data);
    }));
    document.addEventListener("visibilitychange", () => this.#restartClock());
  }

  close() {
    this.#run = null;
    this.#sound.isOn = false;
  }

  /** Powers on the console with a program from the engine's files. */
  open(name, frame = null) {
    this.#name = name;
    this.#script = null;
    return this.#start(frame);
  }

  async #start(frame = null) {
    this.close();
    const run = this.#run = {};
    const name = this.#name;
    this.#text = "";
    this.#findings = 0;
    element("console").textContent = "";
    showList("findings", []);
    element("profile-panel").hidden = true;
    const checked = (id) => element(id).checked;
    this.#input.types = checked("keyboard");
    const vmu = await loadVmu(name);
    const { reply } = await this.#engine.ask({
      request: "open-program", program: name, audio: checked("sound"), keyboard: checked("keyboard"),
      checks: checked("checks") ? ["all"] : [], input: this.#script ?? parameters().get("input") ?? "",
    }, vmu?.slice());
    if (this.#run !== run) return;
    showError();
    showList("warnings", reply.warnings.map((text) => make("li", text)));
    Object.assign(element("overlay"), { width: 1, height: 1 });
    element("legend").hidden = true;
    element("keys").textContent = KEYS_TEXT;
    for (const panel of ["console", "code"]) element(`${panel}-panel`).hidden = false;
    this.#code.reset();
    if (checked("profile")) await this.#profile();
    element("canvas").setAttribute("aria-label", `Screen of ${name}`);
    this.#sound.isOn = checked("sound");
    if (frame === null) {
      this.#pause(false);
    } else {
      this.#pause(true);
      await this.#runTo(frame);
    }
  }

  get isOpen() {
    return this.#run !== null;
  }

  /** Restarts the program with the input or the visual memory of saved files. */
  async attach(files) {
    try {
      await this.#attach(files);
    } catch (error) {
      showError(error.message);
    }
  }

  async #attach(files) {
    for (const { name, blob } of files) {
      if (/\.input$/i.test(name)) {
        this.#script = await blob.text();
      } else if (blob.size === VMU_BYTES) {
        await saveVmu(this.#name, new Uint8Array(await blob.arrayBuffer()));
      } else {
        throw new Error(`${name}: found ${blob.size} bytes, expected a visual memory of ${VMU_BYTES} bytes`);
      }
    }
    await this.#start();
  }

  async #runTo(frame) {
    this.#frame = 0;
    while (this.#frame < frame && this.#run && !this.#run.end) {
      await this.#frames(Math.min(LEAP, frame - this.#frame));
    }
    await this.#look(true);
    await this.#stopped();
    document.body.dataset.state = "ready";
  }

  #pause(paused) {
    const button = element("pause");
    button.setAttribute("aria-pressed", paused);
    button.textContent = paused ? "Continue" : "Pause";
    const run = this.#run;
    const starts = run && !paused && !run.runs;
    this.#paused = paused;
    this.#restartClock();
    if (starts) this.#loop(run).catch((error) => this.#fail(error)).finally(() => { run.runs = false; });
  }

  #restartClock() {
    this.#begin = performance.now();
    this.#first = null;
  }

  /** Runs frames in time with the console's clock until the program is paused or ends. */
  async #loop(run) {
    run.runs = true;
    while (this.#run === run && !this.#paused && !run.end) {
      await this.#frames(1);
      const speed = Number(element("speed").value);
      const now = performance.now();
      const due = this.#begin + ((run.seconds - (this.#first ?? run.seconds)) * 1000) / (speed || 1);
      if (this.#first === null || speed === 0 || now > due + 250) {
        [this.#begin, this.#first] = [now, run.seconds];
      }
      if (speed > 0 && due > now) await new Promise((resolve) => setTimeout(resolve, due - now));
      else if (this.#frame % 8 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    await this.#look(true);
    if (this.#run === run) await this.#stopped();
  }

  /** Shows code and profile of a program that has paused or ended. */
  async #stopped() {
    await this.#code.refresh();
    if (this.#run?.measured > 0) await this.#profile();
  }

  /** Shows the profile since the last call, and measures the next frames if the user wants a profile. */
  async #profile() {
    const run = this.#run;
    const continues = element("profile").checked;
    const { reply } = await this.#engine.ask({ request: "profile", continues });
    if (this.#run !== run) return;
    run.measured = 0;
    if (reply) showProfile(reply);
  }

  async #frames(frames) {
    const run = this.#run;
    const begin = performance.now();
    const { reply, data } = await this.#engine.ask({ request: "run", frames, pad: this.#input.pad(), keys: this.#input.keys() });
    if (this.#run !== run) return;
    const milliseconds = (performance.now() - begin) / frames;
    showPicture(reply, data);
    if (reply.samples) this.#sound.play(new Int16Array(data.slice(reply.width * reply.height * 4).buffer));
    const { frame, seconds, end } = reply;
    Object.assign(run, { seconds, end, reply });
    this.#frame = frame;
    this.#show(reply, milliseconds, run);
    if (element("profile").checked) {
      run.measured = (run.measured ?? 0) + frames;
      if (run.measured >= PROFILED) await this.#profile();
    }
    await this.#look(Boolean(end));
  }

  #show(reply, milliseconds, run) {
    if (reply.text) {
      this.#text = (this.#text + reply.text).slice(-MOST_TEXT);
      const log = element("console");
      const follows = log.scrollTop + log.clientHeight > log.scrollHeight - 8;
      log.textContent = this.#text;
      if (follows) log.scrollTop = log.scrollHeight;
    }
    const now = performance.now();
    run.counted ??= [now, reply.frame, reply.instructions];
    const [since, frame, instructions] = run.counted;
    if (now - since > 1000) {
      const elapsed = (now - since) / 1000;
      const rate = (reply.frame - frame) / elapsed;
      run.rate = `${rate.toFixed(1)} frames a second, ${((reply.instructions - instructions) / elapsed / 1e6).toFixed(0)} MIPS`;
      run.counted = [now, reply.frame, reply.instructions];
    }
    const size = `${reply.width}×${reply.height}`;
    const speed = this.#paused ? `${milliseconds.toFixed(1)} ms` : run.rate ?? "";
    showStatus(`Frame ${reply.frame}, ${size}, ${reply.renders} renders${speed && `; ${speed}`}${reply.end ? `; ${reply.end}` : ""}`);
    document.body.dataset.frame = reply.frame;
    if (!this.#paused || reply.end) document.body.dataset.state = "ready";
  }

  /** Stores the visual memory, and shows reports and warnings. */
  async #look(now) {
    const run = this.#run;
    const reply = run?.reply;
    if (!reply || (!now && performance.now() - this.#looked < LOOK)) return;
    this.#looked = performance.now();
    showList("warnings", reply.warnings.map((text) => make("li", text)));
    if (reply.vmuChanged) {
      const { data } = await this.#engine.ask({ request: "vmu" });
      await saveVmu(this.#name, data);
      document.body.dataset.vmu = "saved";
    }
    if (reply.findings === this.#findings || this.#run !== run) return;
    this.#findings = reply.findings;
    const { reply: findings } = await this.#engine.ask({ request: "findings" });
    showList("findings", findings.map((finding) => {
      const item = make("li");
      const times = finding.count === 1 ? "once" : `${finding.count} times`;
      item.append(make("strong", `${finding.severity}: ${finding.rule}`), " at ", this.#place(finding.place),
        `, ${times}, first in frame ${finding.frame}`, make("small", finding.detail), make("small", `A console: ${finding.console}`), make("small", `To mend: ${finding.mend}`));
      return item;
    }));
  }

  /** Makes a button that shows the code at a place. */
  #place({ address, symbol, file, line }) {
    const text = `${symbol || address}${file ? `, ${file}:${line}` : ""}`;
    const button = make("button", text, { type: "button", class: "place", title: `Show the code at ${address}` });
    button.addEventListener("click", () => this.#code.show(address));
    return button;
  }

  #fail(error) {
    if (!this.#run) return;
    this.close();
    showError(error.message);
  }

  #link() {
    const state = { frame: this.#frame };
    if (element("checks").checked) state.checks = "all";
    if (element("profile").checked) state.profile = "on";
    if (parameters().has("input")) state.input = parameters().get("input");
    return state;
  }
}
