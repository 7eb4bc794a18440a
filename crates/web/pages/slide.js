// A sliding puzzle: tiles on cells. Which slides there are, and what they lead to, is said by the
// server.

import * as api from "./api.js";
import { fact, rows } from "./puzzle.js";

export class Slide {
  static async open(game, place, tiles, start = tiles) {
    const [layout, checked] = await Promise.all([api.board(place), check(game, place, tiles)]);
    const slide = new Slide(game, place, layout, start);
    slide.take(tiles, checked);
    return slide;
  }

  /** A random start. On small boards every configuration that can be solved has the same chance. */
  static async make(game, place, seed, options) {
    const { solutions } = await api.answer({ verb: "sample", game, place, options }, { seed });
    const drawing = solutions?.[0]?.drawings?.[0];
    if (!drawing) throw new Error("No start was found in time: try again.");
    return Slide.open(game, place, line(drawing));
  }

  constructor(game, place, layout, start) {
    Object.assign(this, { game, place, layout, start, past: [], future: [] });
  }

  take(tiles, checked) {
    this.tiles = tiles;
    const words = tiles.split(/[\s/]+/);
    this.on = new Map(this.layout.cells.map((cell, at) => [cell, words[at] === "." ? undefined : words[at]]));
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

  async go(tiles) {
    this.take(tiles, await check(this.game, this.place, tiles));
  }

  async slide({ then }) {
    const before = this.tiles;
    await this.go(then);
    this.past.push(before);
    this.future = [];
  }

  async undo() {
    const before = this.past.pop();
    if (!before) return;
    this.future.push(this.tiles);
    await this.go(before);
  }

  async redo() {
    const after = this.future.pop();
    if (!after) return;
    this.past.push(this.tiles);
    await this.go(after);
  }

  async restart() {
    if (this.tiles !== this.start) await this.slide({ then: this.start });
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
    const answer = await this.ask("find");
    return answer.solutions?.[0]?.drawings?.map(line);
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
