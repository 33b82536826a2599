// Parts of the page that models and programs share.

export const element = (id) => document.getElementById(id);

/** Creates an element with text. */
export function make(name, text = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Shows an error, or hides the last one. */
export function showError(text = "") {
  const message = element("message");
  message.textContent = text;
  message.hidden = text === "";
  if (text) document.body.dataset.state = "error";
}

export function showStatus(text) {
  element("status").textContent = text;
}

/** Shows lines in a panel; without lines the panel is hidden. */
export function showList(name, items) {
  element(`${name}-panel`).hidden = items.length === 0;
  element(name).replaceChildren(...items);
}

/** Shows a picture of RGBA pixels. */
export function showPicture({ width, height }, data) {
  const canvas = element("canvas");
  if (width === 0 || height === 0) return;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const pixels = new Uint8ClampedArray(data.buffer, 0, width * height * 4);
  canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
}

/** Offers bytes or a text as a file. */
export function save(name, content, type = "application/octet-stream") {
  const url = URL.createObjectURL(new Blob([content], { type }));
  make("a", "", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** File name without folder and extension. */
export const stem = (name) => name.replace(/^.*\//, "").replace(/\.[^.]*$/, "");

/** Parameters of the page's address. */
export const parameters = () => new URLSearchParams(location.search);

/** Copies a link with the state to the clipboard, and puts it into the address bar. */
export async function copyLink(state) {
  const url = new URL(location.href);
  const example = parameters().get("example");
  url.search = new URLSearchParams({ ...(example && { example }), ...state });
  history.replaceState(null, "", url);
  try {
    await navigator.clipboard.writeText(url.href);
    showStatus(example ? "The link is on the clipboard." : "The link is on the clipboard. It needs the same files.");
  } catch {
    showStatus("The link is in the address bar.");
  }
}
