// A sliding puzzle: tiles on cells. Which slides there are, and what they lead to, is said by the
// server.

import * as api from "./api.js";
import { fact, lacking, rows } from "./puzzle.js";

export class Slide {
  static async open(game, place, tiles, start = tiles) {
    // The start is checked too, since a link can have any.
    const [layout, checked] = await Promise.all([
      api.board(place), check(game, place, tiles), tiles === start || check(game, place, start),
    ]);
    const slide = new Slide(game, place, layout, start);
    slide.take(tiles, checked);
    return slide;
  }

  /** A random start. On small boards every configuration that can be solved has the same chance;
   * with a distance, every one so far from the goal. */
  static async make(game, place, seed, options = {}) {
    const sample = (given) => api.answer({ verb: "sample", game, place, options: given }, { seed });
    const drawn = ({ solutions }) => solutions?.[0]?.drawings?.[0];
    const { distance, ...others } = options;
    let answer = await sample(options);
    let note;
    if (!drawn(answer) && distance) {
      note = lacking(answer.value, `This start is random. No other is ${distance} slides away`, `This start is random: none that is ${distance} slides away was found in time.`);
      answer = await sample(others);
    }
    if (!drawn(answer)) throw new Error(lacking(answer.value, "There is no start", "No start was found in time: try again."));
    return Object.assign(await Slide.open(game, place, line(drawn(answer))), { note });
  }

  constructor(game, place, layout, start) {
    Object.assign(this, { game, place, layout, start, past: [], future: [] });
  }

  take(tiles, checked) {
    this.tiles = tiles;
    this.on = Slide.on(this.layout, tiles);
    this.slides = rows(checked, "slides");
    this.goal = fact(checked, "goal");
  }

  /** The tiles lie as wanted. */
  get isSolved() {
    return this.tiles === this.goal;
  }

  /** The slides of the tile on a cell, or into a hole if only one tile can go there. */
  from(cell) {
    const own = this.slides.filter((slide) => slide.from === cell);
    return own.length ? own : this.slides.filter((slide) => slide.to === cell);
  }

  /** What was done changes only after the server has said what it leads to. */
  async go(tiles, change) {
    const checked = await check(this.game, this.place, tiles);
    change();
    this.take(tiles, checked);
  }

  slide({ then }) {
    return this.go(then, () => {
      this.past.push(this.tiles);
      this.future = [];
    });
  }

  async undo() {
    if (!this.past.length) return;
    await this.go(this.past.at(-1), () => this.future.push(this.tiles) && this.past.pop());
  }

  async redo() {
    if (!this.future.length) return;
    await this.go(this.future.at(-1), () => this.past.push(this.tiles) && this.future.pop());
  }

  async restart() {
    if (this.tiles !== this.start) await this.slide({ then: this.start });
  }

  /** The tile on each cell, if the tiles lie so. */
  static on(layout, tiles) {
    const words = tiles.split(/[\s/]+/);
    return new Map(layout.cells.map((cell, at) => [cell, words[at] === "." ? undefined : words[at]]));
  }

  /** Tiles as part of an address, and back. */
  static pack(tiles) {
    return tiles.replaceAll(".", "0").replaceAll(" ", ".").replaceAll("/", "_");
  }

  static unpack(text) {
    return text.replaceAll("_", "/").replaceAll(".", " ").replace(/\b0\b/g, ".");
  }

  check() {
    return check(this.game, this.place, this.tiles);
  }

  hint() {
    return this.ask("hint");
  }

  /** The positions of a solution, one after the other. */
  async solution() {
    const { solutions, value } = await this.ask("find");
    const way = solutions?.[0]?.drawings?.map(line);
    if (!way) throw new Error(lacking(value, "It cannot be solved", "No solution was found in time."));
    return way;
  }

  ask(verb) {
    return api.answer({ verb, game: this.game, place: this.place, options: { from: this.tiles } });
  }

  /** The slide of a hint. */
  hinted(answer) {
    const [from, to] = [fact(answer, "from"), fact(answer, "to")];
    return this.slides.find((slide) => slide.from === from && slide.to === to);
  }
}

const check = (game, place, from) => api.answer({ verb: "check", game, place, options: { from } });

/** A drawing of tiles in one line. */
function line(drawing) {
  const rows = drawing.split("\n").map((row) => row.trim().split(/\s+/).filter((word) => word && word !== "#"));
  return rows.filter((row) => row.length && !["hex", "square"].includes(row[0])).map((row) => row.join(" ")).join("/");
}
