// Controller and keyboard: keys, gamepads and touch.

import { element, make } from "./page.js";

/** Names of the buttons in the order of the console's bits. */
const BUTTONS = ["c", "b", "a", "start", "up", "down", "left", "right", "z", "y", "x", "d"];
const bit = (name) => 1 << BUTTONS.indexOf(name);

/** Key codes by button. Triggers are `l` and `r`; four directions move the stick. */
const KEYS = {
  KeyX: "a", KeyC: "b", KeyS: "x", KeyD: "y", Enter: "start", KeyQ: "l", KeyE: "r",
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
  KeyI: "stick-up", KeyK: "stick-down", KeyJ: "stick-left", KeyL: "stick-right",
};
export const KEYS_TEXT = "Keys while the picture has the focus: arrows, X for A, C for B, S for X, D for Y, Enter for Start, "
  + "Q and E for the triggers, I J K L for the stick. A gamepad works too.";

/** Buttons of the standard gamepad (W3C Gamepad, "Remapping"). */
const GAMEPAD = ["a", "b", "x", "y", null, null, "l", "r", null, "start", null, null, "up", "down", "left", "right"];

const TOUCH = [
  ["l", "L"], ["up", "↑", "Up"], ["start", "Start"], ["y", "Y"], ["x", "X"], ["r", "R"],
  ["left", "←", "Left"], ["down", "↓", "Down"], ["right", "→", "Right"], ["b", "B"], ["a", "A"],
];

/** Keys of the console's keyboard by code; letters and digits follow. */
const TYPED = {
  Enter: "enter", Escape: "escape", Backspace: "backspace", Tab: "tab", Space: "space", Minus: "-", Equal: "=",
  BracketLeft: "[", BracketRight: "]", Backslash: "\\", Semicolon: ";", Quote: "'", Backquote: "`", Comma: ",",
  Period: ".", Slash: "/", ShiftLeft: "shift", ShiftRight: "rshift", ControlLeft: "ctrl", AltLeft: "alt",
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Delete: "delete", Insert: "insert",
  Home: "home", End: "end", PageUp: "pageup", PageDown: "pagedown",
};

function typed(code) {
  return TYPED[code] ?? /^(?:Key([A-Z])|Digit([0-9])|(F[0-9]+))$/.exec(code)?.slice(1).find(Boolean)?.toLowerCase();
}

export class Input {
  #held = new Set();
  #touched = new Set();
  #types = false;

  constructor() {
    const canvas = element("canvas");
    canvas.addEventListener("keydown", (event) => this.#key(event, true));
    canvas.addEventListener("keyup", (event) => this.#key(event, false));
    canvas.addEventListener("blur", () => this.#held.clear());
    element("keyboard").addEventListener("change", () => this.#held.clear());
    element("pad").replaceChildren(...TOUCH.map(([name, text, label]) => {
      const button = make("button", text, { type: "button", "aria-label": label ?? text });
      const press = (event) => {
        event.preventDefault();
        button.setPointerCapture(event.pointerId);
        this.#touched.add(name);
      };
      const release = () => this.#touched.delete(name);
      button.addEventListener("pointerdown", press);
      for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, release);
      button.addEventListener("keydown", (event) => {
        if (event.key === " " || event.key === "Enter") this.#touched.add(name);
      });
      button.addEventListener("keyup", release);
      button.addEventListener("blur", release);
      return button;
    }));
  }

  /** Set if keys go to the program's keyboard instead of its controller. */
  set types(types) {
    this.#types = types;
    this.#held.clear();
  }

  #key(event, down) {
    if (document.body.dataset.mode !== "program" || event.ctrlKey || event.metaKey) return;
    // Tab moves the focus out of the picture.
    if (event.key === "Tab") return;
    const known = this.#types ? typed(event.code) : KEYS[event.code];
    if (!known) return;
    event.preventDefault();
    if (down) this.#held.add(known);
    else this.#held.delete(known);
  }

  /** Pressed keys of the keyboard. */
  keys() {
    return this.#types ? [...this.#held] : [];
  }

  /** State of the controller. */
  pad() {
    const down = new Set(this.#touched);
    if (!this.#types) for (const name of this.#held) down.add(name);
    const stick = [0, 0];
    const triggers = [0, 0];
    for (const gamepad of navigator.getGamepads?.() ?? []) {
      if (!gamepad?.connected) continue;
      gamepad.buttons.forEach((button, index) => button.pressed && down.add(GAMEPAD[index]));
      [0, 1].forEach((axis) => {
        const value = gamepad.axes[axis] ?? 0;
        if (Math.abs(value) > 0.1) stick[axis] = value;
        triggers[axis] = Math.max(triggers[axis], Math.round((gamepad.buttons[6 + axis]?.value ?? 0) * 255));
      });
    }
    if (down.has("stick-left")) stick[0] = -1;
    if (down.has("stick-right")) stick[0] = 1;
    if (down.has("stick-up")) stick[1] = -1;
    if (down.has("stick-down")) stick[1] = 1;
    if (down.has("l")) triggers[0] = 255;
    if (down.has("r")) triggers[1] = 255;
    const buttons = BUTTONS.filter((name) => down.has(name)).reduce((bits, name) => bits | bit(name), 0);
    const byte = (value) => Math.max(0, Math.min(255, Math.round(128 + value * 128)));
    return { buttons, stick: stick.map(byte), triggers };
  }
}
