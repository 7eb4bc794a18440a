// The page Explore: four views, of which the address says which is shown and what of it.

import { Gallery } from "./gallery.js";
import { Heat } from "./heat.js";
import { $ } from "./page.js";
import { Stones } from "./stones.js";
import { Walk } from "./walk.js";

const VIEWS = { graph: Walk, go: Stones, loops: Gallery, heat: Heat };
const TITLES = { graph: "Puzzle graphs", go: "Go positions", loops: "Knight’s loops", heat: "Heat maps" };
const made = {};

let current;

/** What a view may do with the page: say what went wrong, and put itself into the address while it
 * is shown. */
const page = {
  say: (error) => {
    if (error?.name !== "AbortError") $("say").textContent = error ? error.message : "";
  },
  put: (name, values) => {
    if (name === current) history.replaceState(null, "", `#${new URLSearchParams({ show: name, ...values })}`);
  },
};

async function show() {
  const at = new URLSearchParams(location.hash.slice(1));
  const name = at.get("show") in VIEWS ? at.get("show") : "graph";
  current = name;
  for (const id of Object.keys(VIEWS)) $(id).hidden = id !== name;
  for (const link of document.querySelectorAll(".views a")) {
    if (link.hash === `#show=${name}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  document.title = `${TITLES[name]} · Pessoi`;
  page.say();
  try {
    made[name] ??= new VIEWS[name](page);
    await made[name].open(at);
  } catch (error) {
    page.say(error);
  }
}

addEventListener("hashchange", show);
await show();
