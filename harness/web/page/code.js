// Disassembly of a program.

import { element, make, showError } from "./page.js";

export class Code {
  #engine;
  #place = "";

  constructor(engine) {
    this.#engine = engine;
    element("code-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.show(element("code-place").value);
    });
    element("code-panel").addEventListener("toggle", () => this.refresh());
  }

  /** Forgets the last program's code. */
  reset() {
    this.#place = "";
    element("code-place").value = "";
    element("code").replaceChildren();
    this.refresh();
  }

  /** Shows the function at a place again, if the panel is open. */
  refresh() {
    const panel = element("code-panel");
    return panel.open && !panel.hidden ? this.show(this.#place) : null;
  }

  /** Shows a function: a symbol, an address in hexadecimal, or an empty text for PC. */
  async show(place) {
    try {
      const { reply } = await this.#engine.ask({ request: "disassemble", place });
      const isMoved = place !== this.#place || place === "";
      this.#place = place;
      element("code-place").value = place;
      element("code-panel").open = true;
      const lines = reply.lines.flatMap(({ symbol, source, text, next }) => [
        ...(symbol ? [make("strong", `${symbol}:\n`)] : []),
        ...(source ? [make("em", `; ${source}\n`)] : []),
        next ? make("mark", `${text}\n`) : `${text}\n`,
      ]);
      element("code").replaceChildren(...lines);
      if (isMoved) element("code").querySelector("mark")?.scrollIntoView({ block: "nearest" });
    } catch (error) {
      showError(error.message);
    }
  }
}
