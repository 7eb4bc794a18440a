// What the pages have in common: elements, numbers as people read them, links between pages.

export const $ = (id) => document.getElementById(id);

/** An element with properties and children. */
export function el(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

export const grouped = (text) => String(text).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
export const about = (value) => Number(value).toLocaleString("en", { maximumSignificantDigits: 3 });

export function seconds(value) {
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 120) return `${about(value)} s`;
  if (value < 7200) return `${about(value / 60)} minutes`;
  if (value < 2 * 86400) return `${about(value / 3600)} hours`;
  if (value < 2 * 365 * 86400) return `${about(value / 86400)} days`;
  return `${about(value / 365 / 86400)} years`;
}

/** `5x5` as people write it; other shapes have names. */
export const times = (size) => size.replace(/^(\d+)x(\d+)$/, "$1 × $2");

/** Where randomness starts: another place each time. */
export const seed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** Copies a text; says whether that could be done: on a page without TLS browsers do not let it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A link to a question in Ask, filled in and ready to be asked. */
export function askLink({ question, limits = {} }) {
  const { verb, game, place, options = {} } = question;
  const at = new URLSearchParams({ verb, game });
  if (place !== undefined) at.set("place", place);
  for (const [name, value] of Object.entries(options)) at.set(`--${name}`, value);
  for (const [name, value] of Object.entries(limits)) at.set(`limit-${name}`, value);
  return `/ask#${at}`;
}

/** The question of such a link. */
export function linked(at) {
  if (!at.has("verb") || !at.has("game")) return undefined;
  const [options, limits] = [{}, {}];
  for (const [name, value] of at) {
    if (name.startsWith("--")) options[name.slice(2)] = value === "true" ? true : value;
    else if (name.startsWith("limit-")) limits[name.slice(6)] = value;
  }
  return { question: { verb: at.get("verb"), game: at.get("game"), place: at.get("place") ?? "", options }, limits };
}

/** Shows a picture that the server made, instead of the one before. */
export function showPicture(image, blob, words) {
  if (image.src) URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(blob);
  image.alt = words;
}

/** Work for which only the last call counts: what was begun before is called off. */
export class Latest {
  begin() {
    this.controller?.abort();
    this.controller = new AbortController();
    return this.controller.signal;
  }
}
