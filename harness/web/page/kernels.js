// SH-4 kernels: inputs, assembly, cycles, verification.

import { copyLink, element, make, parameters, showError, showStatus } from "./page.js";

export class Kernels {
  #engine;
  #name = "";

  constructor(engine) {
    this.#engine = engine;
    const act = (work) => (event) => {
      event.preventDefault();
      work().catch((error) => showError(error.message));
    };
    element("kernel-controls").addEventListener("submit", act(() => this.#call(this.#inputs())));
    element("seed").addEventListener("change", act(() => this.#call([])));
    element("caches").addEventListener("change", act(() => this.#call(this.#inputs())));
    element("verify-kernel").addEventListener("click", act(() => this.#verify()));
    element("kernel-link").addEventListener("click", () => copyLink({
      kernel: this.#name, seed: element("seed").value, caches: element("caches").value,
    }));
  }

  /** Fills the list of kernels. */
  async list() {
    const { reply } = await this.#engine.ask({ request: "kernels" });
    element("kernel").replaceChildren(...reply.map(({ name, summary }) => make("option", `${name}: ${summary}`, { value: name })));
  }

  async open(name) {
    this.#name = name;
    element("seed").value = parameters().get("seed") ?? 1;
    element("caches").value = parameters().get("caches") === "warm" ? "warm" : "cold";
    await this.#call([]);
  }

  #inputs() {
    return [...element("arguments").querySelectorAll("textarea")].map((area) => area.value);
  }

  async #call(inputs) {
    const warm = element("caches").value === "warm";
    const seed = Number(element("seed").value);
    const { reply } = await this.#engine.ask({ request: "call-kernel", name: this.#name, seed, inputs, warm });
    showError();
    element("arguments").replaceChildren(...reply.arguments.map(({ name, input, before, after }) => {
      const label = make("label", `${name} `);
      const area = make("textarea", before, { rows: before.length > 80 ? 4 : 1, spellcheck: false });
      area.readOnly = !input;
      label.append(area);
      if (after !== null) label.append("after the call", make("output", after, { tabindex: 0 }));
      return label;
    }));
    for (const [id, text] of [["kernel-code", reply.listing], ["timeline", reply.timeline], ["summary", reply.summary]]) {
      element(id).textContent = text;
      element(`${id}-panel`).hidden = false;
    }
    const equal = reply.difference ?? `all ${reply.compared} output words equal the reference's`;
    showStatus(`${this.#name}: ${reply.cycles} cycles, ${reply.instructions} instructions; ${equal}.`);
    Object.assign(document.body.dataset, { state: "ready", cycles: reply.cycles });
  }

  async #verify() {
    showStatus("Verifying…");
    const [seed, cases] = ["seed", "cases"].map((id) => Number(element(id).value));
    const { reply } = await this.#engine.ask({ request: "verify-kernel", name: this.#name, seed, cases });
    showError(reply.firstProblem ?? "");
    showStatus(`${this.#name}: ${reply.cases} cases, ${reply.mismatches} mismatches, ${reply.outOfBound} outside the bound of f64; `
      + `${reply.instructions.toLocaleString("en")} instructions.`);
  }
}
