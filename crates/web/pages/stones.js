// A board of Go: stones are placed at will, and the server says whether the position is legal and
// which strings have no liberty.

import * as api from "./api.js";
import { BoardView } from "./board.js";
import { $, askLink, copy, el, Latest, seed, times } from "./page.js";
import { fact, rows } from "./puzzle.js";

const SIZES = ["2x2", "3x3", "4x4", "5x5", "7x7", "9x9", "13x13", "19x19"];
const KIND = { X: "black", O: "white" };

export class Stones {
  constructor(page) {
    this.page = page;
    this.latest = new Latest();
    $("go-size").replaceChildren(...SIZES.map((size) => new Option(times(size), size)));
    const on = (id, event, act) => $(id).addEventListener(event, () => Promise.resolve(act()).catch(page.say));
    on("go-size", "change", () => this.begin($("go-size").value));
    on("go-clear", "click", () => this.begin($("go-size").value));
    on("go-random", "click", () => this.random());
    on("go-share", "click", () => this.share());
  }

  async open(at) {
    const size = SIZES.includes(at.get("board")) ? at.get("board") : "9x9";
    await this.begin(size, at.get("stones") ?? undefined);
  }

  /** A board with stones, row by row; without any if none are given. */
  async begin(size, stones) {
    if (this.size !== size) {
      const layout = await api.board(size);
      this.size = size;
      this.layout = layout;
      $("go-size").value = size;
      const on = {
        press: (cell) => this.press(cell),
        clear: (cell) => this.put(cell, "."),
        key: (event, cell) => this.key(event, cell),
      };
      this.view = new BoardView($("go-board"), layout, on);
      this.view.draw(wires(layout));
    }
    const { cells } = this.layout;
    const given = (stones ?? "").replaceAll("-", ".").replaceAll("_", "");
    const isFit = given.length === cells.length && /^[XO.]*$/.test(given);
    this.on = new Map(cells.map((cell, at) => [cell, isFit ? given[at] : "."]));
    await this.changed();
  }

  get rows() {
    const { rows: many, cols, cells } = this.layout;
    const line = (row) => cells.slice(row * cols, (row + 1) * cols).map((cell) => this.on.get(cell)).join("");
    return Array.from({ length: many }, (_, row) => line(row));
  }

  get question() {
    return { verb: "analyze", game: "go", place: this.size, options: { position: `${this.rows.join("\n")}\n` } };
  }

  press(cell) {
    const stone = document.querySelector("[name=stone]:checked").value;
    this.put(cell, this.on.get(cell) === stone ? "." : stone);
  }

  put(cell, stone) {
    this.on.set(cell, stone);
    this.changed().catch(this.page.say);
  }

  key(event, cell) {
    const stone = { b: "X", x: "X", w: "O", o: "O", delete: ".", backspace: ".", ".": "." }[event.key.toLowerCase()];
    if (!stone || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.put(cell, stone);
  }

  async changed() {
    this.page.say();
    const signal = this.latest.begin();
    const stones = this.rows.join("_").replaceAll(".", "-");
    const isEmpty = !/[XO]/.test(stones);
    this.page.put("go", isEmpty ? { board: this.size } : { board: this.size, stones });
    $("go-ask").href = askLink({ question: this.question });
    this.show(new Set());
    const answer = await api.answer(this.question, undefined, signal);
    if (signal.aborted) return;
    const strings = new Map();
    for (const { string, colour, point } of rows(answer, "strings")) {
      if (!strings.has(string)) strings.set(string, { colour, points: [] });
      strings.get(string).points.push(point);
    }
    const list = [...strings.values()];
    this.show(new Set(list.flatMap(({ points }) => points)));
    const isLegal = fact(answer, "legal");
    $("go-says").textContent = isLegal ? "Legal: every string has a liberty." : `Not legal: ${list.length} ${list.length === 1 ? "string has" : "strings have"} no liberty.`;
    $("go-says").className = `value ${isLegal ? "good" : "wrong"}`;
    $("go-strings").replaceChildren(...list.slice(0, 30).map(({ colour, points }) => {
      const stone = points.length === 1 ? "stone" : "stones";
      return el("li", { textContent: `${colour}, ${points.length} ${stone}: ${points.slice(0, 12).join("; ")}${points.length > 12 ? " …" : ""}` });
    }));
  }

  show(breathless) {
    for (const [cell, stone] of this.on) {
      const kind = KIND[stone] ?? "empty";
      const isWrong = breathless.has(cell);
      const words = `Row ${cell.replace(",", ", column ")}: ${kind}${isWrong ? ", without a liberty" : ""}`;
      this.view.show(cell, "", isWrong ? [kind, "wrong"] : [kind], words);
    }
  }

  async random() {
    const question = { verb: "sample", game: "go", place: $("go-size").value };
    const { solutions } = await api.answer(question, { seed: seed() });
    const drawing = solutions?.[0]?.drawings?.[0];
    if (!drawing) throw new Error("No position was drawn in time: try again, or a smaller board.");
    await this.begin(question.place, drawing.replaceAll(/\s/g, ""));
  }

  async share() {
    const isCopied = await copy(location.href);
    $("go-says").textContent = isCopied ? "The link is copied: it has the position." : "Copy the address of this page: it has the position.";
  }
}

/** The lines of the board: a point is joined to those beside and below it. */
export function wires({ cells }) {
  const isPoint = new Set(cells);
  return cells.flatMap((cell) => {
    const [row, col] = cell.split(",").map(Number);
    return [`${row},${col + 1}`, `${row + 1},${col}`].filter((other) => isPoint.has(other)).map((other) => [cell, other]);
  });
}
