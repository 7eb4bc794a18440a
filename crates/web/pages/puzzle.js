// A number puzzle: numbers on cells, so that each is one move from the one before it. This holds
// what was placed and what can be undone; what follows from the rules is asked of the server.

import * as api from "./api.js";

/** The most cells of a board that is played. */
const MOST = 900;

/** Why nothing was found: there is none, as was proved, or the limits did not suffice. */
export const lacking = ({ standing, proof }, none, unknown) => (standing === "none" ? `${none}${proof ? `: ${proof}` : ""}.` : unknown);

export class Puzzle {
  /** A puzzle from its drawing: the board, its clues, and its moves, all from the server. */
  static async open(game, drawing, placed = []) {
    const layout = await api.board(drawing);
    if (layout.cells.length > MOST) throw new Error(`The board has ${layout.cells.length} cells; ${MOST} are the most that can be played here.`);
    const bare = bareDrawing(layout);
    const { graph } = await api.answer({ verb: "export", game, place: bare });
    const puzzle = new Puzzle(game, layout, graph);
    for (const [cell, number] of placed) {
      if (!puzzle.near.has(cell)) throw new Error(`There is no cell ${cell} for the ${number} that was placed.`);
      if (puzzle.at(cell)) throw new Error(`The cell ${cell} has a number already, besides the ${number} that was placed.`);
      if (!(number >= 1 && number <= puzzle.last)) throw new Error(`The number ${number} at ${cell} is not from 1 to ${puzzle.last}.`);
      if (puzzle.where(number)) throw new Error(`The number ${number} stands at ${puzzle.where(number)} and at ${cell}.`);
      puzzle.numbers.set(cell, number);
    }
    puzzle.takeUpFirst();
    return puzzle;
  }

  /** A new puzzle. */
  static async make(game, size, level, seed) {
    const question = { verb: "generate", game, place: size, options: { difficulty: level } };
    const { puzzle, value } = await api.answer(question, { seed });
    if (!puzzle) throw new Error(lacking(value, "There is no such puzzle", "No such puzzle was found in time: try again, or another size."));
    return Puzzle.open(game, puzzle);
  }

  constructor(game, layout, graph) {
    this.game = game;
    this.layout = layout;
    this.last = layout.cells.length;
    this.clues = new Map(layout.clues.map(({ cell, number }) => [cell, number]));
    this.near = new Map(graph.nodes.map((cell) => [cell, new Set()]));
    for (const [one, other] of graph.edges) {
      const [a, b] = [graph.nodes[one], graph.nodes[other]];
      this.near.get(a).add(b);
      this.near.get(b).add(a);
    }
    /** What the player placed. */
    this.numbers = new Map();
    this.past = [];
    this.future = [];
    /** The number to place next, and whether numbers go up or down. */
    this.hand = null;
    this.step = 1;
  }

  at(cell) {
    return this.clues.get(cell) ?? this.numbers.get(cell);
  }

  where(number) {
    for (const numbers of [this.clues, this.numbers]) {
      for (const [cell, other] of numbers) if (other === number) return cell;
    }
    return undefined;
  }

  get isFull() {
    return this.layout.cells.every((cell) => this.at(cell));
  }

  /** Places a number, or takes it away; a number stands once. Says whether anything changed. */
  put(cell, number) {
    if (this.clues.has(cell) || this.numbers.get(cell) === number) return false;
    if (number !== undefined) {
      if (number < 1 || number > this.last) return false;
      const other = this.where(number);
      if (this.clues.has(other)) return false;
      if (other) return this.change([[other, undefined], [cell, number]]);
    } else if (!this.numbers.has(cell)) return false;
    return this.change([[cell, number]]);
  }

  change(list) {
    const changes = list.map(([cell, after]) => ({ cell, before: this.numbers.get(cell), after }));
    this.apply(changes, "after");
    this.past.push(changes);
    this.future = [];
    return true;
  }

  apply(changes, side) {
    for (const change of changes) {
      if (change[side] === undefined) this.numbers.delete(change.cell);
      else this.numbers.set(change.cell, change[side]);
    }
  }

  undo() {
    const changes = this.past.pop();
    if (!changes) return undefined;
    this.apply([...changes].reverse(), "before");
    this.future.push(changes);
    return this.takeUpAfter(changes, "before");
  }

  redo() {
    const changes = this.future.pop();
    if (!changes) return undefined;
    this.apply(changes, "after");
    this.past.push(changes);
    return this.takeUpAfter(changes, "after");
  }

  takeUpAfter(changes, side) {
    const change = changes.at(-1);
    if (side === "before" && change.after !== undefined) this.hand = change.after;
    else this.goOn();
    return change.cell;
  }

  clearAll() {
    if (!this.numbers.size) return;
    this.change([...this.numbers.keys()].map((cell) => [cell, undefined]));
    this.takeUpFirst();
  }

  /** Takes the first number in the hand that is missing. */
  takeUpFirst() {
    this.step = 1;
    this.hand = this.missing(1, 1);
  }

  /** The first missing number from this one on. */
  missing(from, step) {
    for (let number = from; number >= 1 && number <= this.last; number += step) {
      if (!this.where(number)) return number;
    }
    return null;
  }

  /** After a number was placed: the next one that is missing, on this side or the other. */
  goOn() {
    const from = this.hand ?? 1;
    this.hand =
      this.missing(from, this.step) ?? this.missing(from, -this.step) ?? this.missing(1, 1);
  }

  /** Goes on from the number on a cell: up, or down if it goes on from there already. */
  takeUp(cell) {
    const number = this.at(cell);
    const up = this.missing(number + 1, 1);
    const down = this.missing(number - 1, -1);
    const isUp = this.step === 1 && this.hand === up;
    [this.hand, this.step] = (isUp && down !== null) || up === null ? [down ?? up, -1] : [up, 1];
  }

  /** Changes the number in the hand to the next one that is missing. */
  turn(step) {
    this.hand = this.missing((this.hand ?? 0) + step, step) ?? this.hand;
    this.step = step;
  }

  /** Whether the number in the hand may stand here: one move from its neighbours in number. */
  fits(cell) {
    if (!this.hand || this.at(cell)) return false;
    const sides = [this.where(this.hand - 1), this.where(this.hand + 1)].filter(Boolean);
    return sides.length > 0 && sides.every((side) => this.near.get(side)?.has(cell));
  }

  /** Runs of numbers that follow each other by moves. */
  runs() {
    const cells = new Map();
    for (const cell of this.layout.cells) if (this.at(cell)) cells.set(this.at(cell), cell);
    const runs = [];
    for (let number = 1; number < this.last; number += 1) {
      const [a, b] = [cells.get(number), cells.get(number + 1)];
      if (!a || !b || !this.near.get(a)?.has(b)) continue;
      if (runs.at(-1)?.at(-1) === a) runs.at(-1).push(b);
      else runs.push([a, b]);
    }
    return runs;
  }

  /** The board as a drawing, with the clues alone or all numbers. */
  drawing(withPlaced) {
    const { rows, cols, cells } = this.layout;
    const isCell = new Set(cells);
    const line = (row) =>
      Array.from({ length: cols }, (_, col) => {
        const cell = `${row + 1},${col + 1}`;
        if (!isCell.has(cell)) return "#";
        return (withPlaced ? this.at(cell) : this.clues.get(cell)) ?? 0;
      }).join(" ");
    // In a column each line is a cell, however many digits it has.
    return (cols === 1 ? "column\n" : "") + Array.from({ length: rows }, (_, row) => line(row)).join("\n") + "\n";
  }

  check() {
    return api.answer({ verb: "check", game: this.game, place: this.drawing(true) });
  }

  hint() {
    return api.answer({ verb: "hint", game: this.game, place: this.drawing(true) });
  }

  /** The solution as cells in the order of their numbers. */
  async solution() {
    const { solutions, value } = await api.answer({ verb: "find", game: this.game, place: this.drawing(false) });
    const way = solutions?.[0]?.cells;
    if (!way) throw new Error(lacking(value, "It has no solution", "No solution was found in time."));
    return way;
  }
}

/** The drawing of a board without numbers. */
function bareDrawing({ rows, cols, cells }) {
  const isCell = new Set(cells);
  const mark = (row, col) => (isCell.has(`${row + 1},${col + 1}`) ? "." : "#");
  const line = (row) => Array.from({ length: cols }, (_, col) => mark(row, col)).join("");
  return Array.from({ length: rows }, (_, row) => line(row)).join("\n") + "\n";
}

/** The value of a fact of an answer. */
export const fact = (answer, id) => answer.facts?.find((known) => known.id === id)?.value;

/** The rows of a table of an answer, as objects. */
export function rows(answer, id) {
  const table = answer.tables?.find((known) => known.id === id);
  if (!table) return [];
  const names = table.columns.map((column) => column.id);
  return table.rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at], value])));
}
