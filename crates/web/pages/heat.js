// Heat maps: where solutions end and which moves they use, as pictures that the server draws. All
// solutions are visited, so each map is a job, whose answer is kept.

import * as api from "./api.js";
import { $, askLink, Latest, showPicture, times } from "./page.js";

/** Games, and boards with few enough solutions. */
const MAPS = [
  ["diplomatico", "Diplomatico", ["5x5", "5x6"]],
  ["knight-tours", "Knight’s tours", ["3x4", "3x7", "4x5", "5x5", "5x6"]],
  ["king-tours", "King’s tours", ["3x3", "3x4", "4x4"]],
  ["wazir-tours", "Wazir’s tours", ["4x4", "4x5", "5x5", "5x6", "6x6"]],
];

export class Heat {
  constructor(page) {
    this.page = page;
    this.latest = new Latest();
    $("heat-game").replaceChildren(...MAPS.map(([id, name]) => new Option(name, id)));
    $("heat-game").addEventListener("change", () => this.fill());
    $("heat-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.show().catch(page.say);
    });
  }

  get map() {
    return MAPS.find(([id]) => id === $("heat-game").value);
  }

  fill(wanted) {
    const [, , places] = this.map;
    $("heat-size").replaceChildren(...places.map((place) => new Option(times(place), place, false, place === wanted)));
  }

  async open(at) {
    if (MAPS.some(([id]) => id === at.get("game"))) $("heat-game").value = at.get("game");
    this.fill(at.get("board"));
    await this.show();
  }

  async show() {
    this.page.say();
    const signal = this.latest.begin();
    const [game, name] = this.map;
    const place = $("heat-size").value;
    const question = { verb: "analyze", game, place, options: { solutions: true } };
    this.page.put("heat", { game, board: place });
    $("heat-ask").href = askLink({ question });
    $("heat-says").textContent = "Visiting every solution …";
    try {
      const id = await this.job(question, signal);
      const [blob, text] = await Promise.all([api.written(id, "svg"), api.written(id, "json").then((json) => json.text())]);
      if (signal.aborted) return;
      $("heat-says").textContent = (JSON.parse(text).notes ?? []).join(" ");
      showPicture($("heat-image"), blob, `Heat map: ${name}, ${times(place)}`);
      $("heat-figure").hidden = false;
    } catch (error) {
      if (!signal.aborted) $("heat-says").textContent = "";
      throw error;
    }
  }

  /** Submits a question and waits for its end; it is cancelled if another map is wanted first. */
  async job(question, signal) {
    let job = await api.submit({ question });
    if (!job.ended) {
      signal.addEventListener("abort", () => api.cancel(job.id).catch(() => {}));
      const progress = ({ state }) => {
        if (state === "queued") $("heat-says").textContent = "It waits for its turn …";
      };
      await api.follow(job.id, { progress, end: (now) => { job = now; } }, signal);
    }
    if (!job.has_answer) throw new Error(job.error?.sentence ?? "The map was not finished.");
    return job.id;
  }
}
