// Heat maps: where solutions end and which moves they use, as pictures that the server draws.

import * as api from "./api.js";
import { $, askLink, Latest, showPicture, times } from "./page.js";

/** What is mapped: a question for each game and board. */
const tours = (game) => (place) => ({ verb: "analyze", game, place, options: { solutions: true } });
const MAPS = [
  ["diplomatico", "Diplomatico", ["5x5", "5x6", "6x6"], tours("diplomatico")],
  ["knight-tours", "Knight’s tours", ["3x4", "3x7", "4x5", "5x5", "5x6"], tours("knight-tours")],
  ["king-tours", "King’s tours", ["3x3", "3x4", "4x4"], tours("king-tours")],
  ["wazir-tours", "Wazir’s tours", ["4x4", "5x5", "5x6", "6x6"], tours("wazir-tours")],
  ["camel-tours", "Camel’s tours", ["8x8"], tours("camel-tours")],
  ["knight-loops", "Knight’s loops: which cells they visit", ["4", "6", "8", "10"],
    (place) => ({ verb: "analyze", game: "knight-loops", place, options: { cells: true } })],
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
    const [game, name, , question] = this.map;
    const place = $("heat-size").value;
    const asked = question(place);
    this.page.put("heat", { game, board: place }, false);
    $("heat-ask").href = askLink({ question: asked });
    $("heat-says").textContent = "Visiting every solution …";
    const done = await Promise.all([api.picture(asked, {}, signal), api.answer(asked, {}, signal)]).catch((error) => {
      $("heat-says").textContent = "";
      throw error;
    });
    if (signal.aborted) return;
    const [blob, answer] = done;
    $("heat-says").textContent = (answer.notes ?? []).join(" ");
    showPicture($("heat-image"), blob, `Heat map: ${name}, ${times(place)}`);
    $("heat-figure").hidden = false;
  }
}
