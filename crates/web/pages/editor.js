// The board editor: cells are painted, numbers and holes placed, shapes and drawings read. What is
// drawn is a list of rows of words, as in the text form: `0` a cell, `#` none, a number a clue, and
// `h` a hole of a sliding puzzle.

import * as api from "./api.js";
import { BoardView } from "./board.js";
import { $ } from "./page.js";

const [CELL, NONE, HOLE] = ["0", "#", "h"];
const isSlide = (game) => game.endsWith("-slide");
const lattice = (game) => (game === "hex-slide" ? "hex" : "square");
/** The most rows or columns of a board that is edited. */
export const MOST = 20;

export const pack = (words) => words.map((row) => row.join(".")).join("_");
export const unpack = (text) => text.split("_").map((row) => row.split("."));

/** The drawing of these words, with the clues or without. */
export function drawing(words, game, withClues) {
  if (lattice(game) === "hex") {
    // A row of a hexagonal board is shifted by one against the row above.
    const line = (row, at) => " ".repeat(at) + row.map((word) => (word === NONE ? "#" : ".")).join(" ");
    return `hex\n${words.map(line).join("\n")}\n`;
  }
  const isBare = isSlide(game) || !withClues;
  const word = (text) => (text === NONE ? NONE : isBare ? "." : text);
  const column = words[0].length === 1 ? "column\n" : "";
  return column + words.map((row) => row.map(word).join(" ")).join("\n") + "\n";
}

/** The tiles in order on all cells but the holes. */
export function tiles(words) {
  let tile = 0;
  const rows = words.map((row) => row.filter((word) => word !== NONE).map((word) => (word === HOLE ? "." : (tile += 1))));
  return rows.filter((row) => row.length).map((row) => row.join(" ")).join("/");
}

/** The words of a board that the server read. */
function read(layout, game) {
  const words = Array.from({ length: layout.rows }, () => Array(layout.cols).fill(NONE));
  const put = (cell, word) => {
    const [row, col] = cell.split(",").map(Number);
    words[row - 1][col - 1] = word;
  };
  for (const cell of layout.cells) put(cell, CELL);
  if (isSlide(game)) {
    const holes = game === "hex-slide" ? 2 : 1;
    for (const cell of layout.cells.slice(-holes)) put(cell, HOLE);
  } else for (const { cell, number } of layout.clues) put(cell, String(number));
  return words;
}

export class Editor {
  /** `on.changed(words)` and `on.said(text, kind)` are called. */
  constructor(parent, on) {
    Object.assign(this, { parent, on, past: [] });
    this.typed = { cell: "", text: "", at: 0 };
    $("shape-make").addEventListener("click", () => this.read($("shape").value));
    $("drawing-read").addEventListener("click", () => this.read($("drawing").value));
    $("edit-undo").addEventListener("click", () => this.undo());
    $("edit-clear").addEventListener("click", () => {
      this.keep();
      this.words = this.words.map((row) => row.map((word) => (word === NONE ? NONE : CELL)));
      this.show();
    });
    $("shape").addEventListener("keydown", (event) => event.key === "Enter" && this.read($("shape").value));
  }

  /** Begins with a board: words, or the name of a shape. */
  async open(game, board) {
    this.game = game;
    this.past = [];
    const slides = isSlide(game);
    $("paint-clue").hidden = slides;
    $("paint-hole").hidden = !slides;
    $("clue-field").hidden = slides;
    document.querySelector("[name=paint][value=none]").checked = true;
    $("shape").value = "";
    $("shape").placeholder = slides && lattice(game) === "hex" ? "such as P3x4, T4 or F3" : "such as 6x6";
    if (Array.isArray(board)) {
      this.words = board;
      this.build();
    } else await this.read(board);
  }

  /** Reads a shape or a drawing, with the server's help. */
  async read(text) {
    try {
      const layout = await api.board(text.trimEnd());
      if (layout.lattice !== lattice(this.game)) throw new Error(`This game needs a ${lattice(this.game)} board.`);
      if (layout.rows > MOST || layout.cols > MOST) throw new Error(`Boards up to ${MOST} × ${MOST} can be edited here.`);
      if (this.words) this.keep();
      this.words = read(layout, this.game);
      this.build();
      this.on.said("", "");
    } catch (error) {
      this.on.said(error.message, "bad");
    }
  }

  /** The board with all cells of its rows and columns, those that are not there too. */
  build() {
    const [rows, cols] = [this.words.length, this.words[0].length];
    const cells = this.words.flatMap((row, at) => row.map((_, col) => `${at + 1},${col + 1}`));
    const layout = { name: "to edit", lattice: lattice(this.game), rows, cols, cells };
    this.view = new BoardView(this.parent, layout, {
      press: (cell) => this.press(cell),
      clear: () => {},
      key: (event, cell) => this.key(event, cell),
    });
    this.paintByPointer(this.view.svg);
    this.show();
  }

  at(cell) {
    const [row, col] = cell.split(",");
    return this.words[row - 1][col - 1];
  }

  set(cell, word) {
    const [row, col] = cell.split(",");
    this.words[row - 1][col - 1] = word;
  }

  keep() {
    this.past.push(this.words.map((row) => [...row]));
  }

  undo() {
    const before = this.past.pop();
    if (!before) return;
    const isSame = before.length === this.words.length && before[0].length === this.words[0].length;
    this.words = before;
    if (isSame) this.show();
    else this.build();
  }

  /** What pressing a cell makes of it. */
  wanted(cell) {
    const paint = document.querySelector("[name=paint]:checked").value;
    const now = this.at(cell);
    if (paint === "none") return now === NONE ? CELL : NONE;
    if (paint === "hole") return now === HOLE ? CELL : HOLE;
    const number = String(Number($("clue").value) || 1);
    return now === number ? CELL : number;
  }

  press(cell) {
    // A pointer has painted it already.
    if (this.isPainted) return;
    this.keep();
    this.paint(cell, this.wanted(cell));
  }

  paint(cell, word) {
    if (/^[1-9]/.test(word)) {
      // A number stands once.
      for (const row of this.words) row.forEach((other, at) => { if (other === word) row[at] = CELL; });
      $("clue").value = Number(word) + 1;
    }
    this.set(cell, word);
    this.show();
  }

  /** A pointer that is moved paints like the first cell: mouse, pen or finger. */
  paintByPointer(svg) {
    let word;
    const cellAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("[data-cell]")?.dataset.cell;
    svg.addEventListener("pointerdown", (event) => {
      const cell = cellAt(event);
      if (!cell || event.button) return;
      this.keep();
      word = this.wanted(cell);
      this.isPainted = true;
      this.paint(cell, word);
    });
    svg.addEventListener("pointermove", (event) => {
      const cell = word && cellAt(event);
      if (cell && this.at(cell) !== word && !/^[1-9]/.test(word)) this.paint(cell, word);
    });
    const end = () => {
      word = undefined;
      // The click comes after this.
      setTimeout(() => { this.isPainted = false; });
    };
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointerleave", end);
    svg.addEventListener("pointercancel", end);
  }

  key(event, cell) {
    if (event.altKey) return;
    const name = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (name !== "z") return;
      this.undo();
    } else if (/^[0-9]$/.test(name) && !isSlide(this.game)) this.type(cell, name);
    else if (name === "delete" || name === "backspace") this.become(cell, CELL);
    else if (name === "b" || name === "#") this.become(cell, this.at(cell) === NONE ? CELL : NONE);
    else if (name === "o" && isSlide(this.game)) this.become(cell, this.at(cell) === HOLE ? CELL : HOLE);
    else if (name === "u") this.undo();
    else return;
    event.preventDefault();
  }

  become(cell, word) {
    if (this.at(cell) === word) return;
    this.keep();
    this.paint(cell, word);
  }

  /** Digits that are typed one after the other are one number. */
  type(cell, digit) {
    const now = performance.now();
    const goesOn = this.typed.cell === cell && now - this.typed.at < 1500;
    const text = String(Number(goesOn ? this.typed.text + digit : digit));
    // The shorter number, if it changed anything, may have been taken from another cell: it goes back
    // there.
    if (goesOn && this.typed.kept && this.past.at(-1) === this.typed.kept) this.undo();
    const before = this.past.length;
    if (text !== "0") this.become(cell, text);
    this.typed = { cell, text, at: now, kept: this.past.length > before && this.past.at(-1) };
  }

  show() {
    for (const cell of this.view.layout.cells) {
      const word = this.at(cell);
      const [row, col] = cell.split(",");
      const isClue = /^[1-9]/.test(word);
      const [kind, what] = word === NONE ? ["gone", "no cell"] : word === HOLE ? ["hole", "hole"] : isClue ? ["clue", `clue ${word}`] : ["", "cell"];
      this.view.show(cell, isClue ? word : "", kind ? [kind] : [], `Row ${row}, column ${col}: ${what}`);
    }
    const cells = this.words.flat().filter((word) => word !== NONE).length;
    $("edit-says").textContent = `${cells} ${cells === 1 ? "cell" : "cells"}`;
    $("edit-undo").disabled = !this.past.length;
    if (document.activeElement !== $("drawing")) $("drawing").value = drawing(this.words, this.game, true);
    this.on.changed(this.words);
  }
}
