// A board as SVG: cells to point at and to walk through by keys. What stands on them is the
// caller's affair.

const SVG = "http://www.w3.org/2000/svg";
/** The side of a cell. */
const SIDE = 60;

export function make(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export const rowCol = (cell) => cell.split(",").map(Number);

const WAYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Where the cells of a board lie. */
export class Shape {
  constructor(layout) {
    this.layout = layout;
    this.isHex = layout.lattice === "hex";
    [this.width, this.height] = this.extent();
  }

  /** With room for labels. */
  get labelled() {
    return `-20 -20 ${this.width + 24} ${this.height + 24}`;
  }

  get viewBox() {
    return `-4 -4 ${this.width + 8} ${this.height + 8}`;
  }

  /** The numbers of rows and columns: each beside its first cell. */
  labels() {
    const [firsts, tops] = [new Map(), new Map()];
    for (const cell of this.layout.cells) {
      const [row, col] = rowCol(cell);
      if (!firsts.has(row)) firsts.set(row, cell);
      if (!tops.has(col)) tops.set(col, cell);
    }
    // Of about the same size on boards large and small.
    const size = Math.max(7, Math.min(15, this.width / 24)).toFixed(1);
    const label = (text, [x, y]) => make("text", { x, y, class: "label", "font-size": size }, String(text));
    // Columns of a hexagonal board lean to the left.
    const [aside, above] = this.isHex ? [SIDE * 0.36, SIDE * 0.63] : [0, SIDE / 2 + 7];
    const ofRow = ([row, cell], [x, y] = this.middle(cell)) => label(row, [x - SIDE / 2 - 9, y]);
    const ofCol = ([col, cell], [x, y] = this.middle(cell)) => label(col, [x - aside, y - above]);
    const all = [...[...firsts].map((entry) => ofRow(entry)), ...[...tops].map((entry) => ofCol(entry))];
    return make("g", { class: "labels", "aria-hidden": "true" }, ...all);
  }

  /** The middle of a cell. */
  middle(cell) {
    const [row, col] = rowCol(cell);
    if (!this.isHex) return [(col - 0.5) * SIDE, (row - 0.5) * SIDE];
    return [(col + (row - 1) / 2 - this.left) * SIDE, ((row - 1) * 0.866 + 0.577) * SIDE];
  }

  extent() {
    const { rows, cols, cells } = this.layout;
    if (!this.isHex) return [cols * SIDE, rows * SIDE];
    const across = cells.map(rowCol).map(([row, col]) => col + (row - 1) / 2);
    this.left = Math.min(...across) - 0.5;
    return [(Math.max(...across) - this.left + 0.5) * SIDE, ((rows - 1) * 0.866 + 1.155) * SIDE];
  }

  outline(cell) {
    const [x, y] = this.middle(cell);
    if (!this.isHex) {
      const side = SIDE - 6;
      return make("rect", { class: "face", x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 9 });
    }
    const far = SIDE / 1.732 - 2.5;
    const corners = [0, 1, 2, 3, 4, 5].map((corner) => {
      const angle = (Math.PI / 3) * corner + Math.PI / 6;
      return `${(x + far * Math.cos(angle)).toFixed(2)},${(y + far * Math.sin(angle)).toFixed(2)}`;
    });
    return make("polygon", { class: "face", points: corners.join(" ") });
  }

  /** A small picture: `shown(cell)` gives a text and classes. */
  picture(words, shown) {
    const svg = make("svg", { viewBox: this.viewBox, role: "img", "aria-label": words });
    for (const cell of this.layout.cells) {
      const [text, ...classes] = shown(cell);
      const [x, y] = this.middle(cell);
      const label = make("text", { x, y, class: "number" });
      label.textContent = text;
      const dot = make("circle", { cx: x, cy: y, r: 5, class: "dot" });
      svg.append(make("g", { class: classes.join(" ") }, this.outline(cell), dot, label));
    }
    return svg;
  }
}

/** A path through cells as a small picture, closed or not. */
export function pathPicture(cells, isClosed) {
  const at = cells.map(rowCol).map(([row, col]) => [col, row]);
  const [left, top] = [0, 1].map((side) => Math.min(...at.map((point) => point[side])));
  const [right, bottom] = [0, 1].map((side) => Math.max(...at.map((point) => point[side])));
  const side = Math.max(right - left, bottom - top) + 2;
  const corner = `${(left + right - side) / 2} ${(top + bottom - side) / 2}`;
  return make(
    "svg",
    { viewBox: `${corner} ${side} ${side}`, "aria-hidden": "true" },
    make("path", { d: `M${at.map((point) => point.join(" ")).join("L")}${isClosed ? "Z" : ""}`, class: isClosed ? "loop" : "loop open" }),
    // A line of no length with round ends is a dot.
    make("path", { d: at.map(([x, y]) => `M${x} ${y}h0`).join(""), class: "knots" }),
  );
}

/** A board in an element. `on.press(cell)`, `on.clear(cell)` and `on.key(event, cell)` are called. */
export class BoardView extends Shape {
  constructor(parent, layout, on) {
    super(layout);
    this.on = on;
    this.cells = new Map();
    this.lines = make("g", { class: "lines" });
    this.marks = make("g", { class: "marks", "aria-hidden": "true" });
    const grid = make("g", { class: "cells" });
    this.svg = make(
      "svg",
      { viewBox: this.labelled, role: "grid", "aria-label": `Board ${layout.name}` },
      this.labels(),
      grid,
      this.lines,
      this.marks,
    );
    const rows = new Map();
    for (const cell of layout.cells) {
      const [row] = rowCol(cell);
      if (!rows.has(row)) {
        rows.set(row, make("g", { role: "row" }));
        grid.append(rows.get(row));
      }
      rows.get(row).append(this.drawCell(cell));
    }
    this.svg.addEventListener("keydown", (event) => this.onKey(event));
    this.svg.addEventListener("focusin", ({ target }) => {
      if (target.dataset.cell) this.goTo(target.dataset.cell);
    });
    parent.replaceChildren(this.svg);
    parent.style.setProperty("--ratio", (this.width + 24) / (this.height + 24));
    this.focused = layout.cells[0];
    this.cells.get(this.focused).node.setAttribute("tabindex", 0);
  }

  drawCell(cell) {
    const [x, y] = this.middle(cell);
    // Numbers lie above the lines, and those above the cells.
    const label = make("text", { x, y, class: "number" });
    const mark = make("g", {}, make("circle", { cx: x, cy: y, r: 5, class: "dot" }), label);
    this.marks.append(mark);
    const node = make("g", { class: "cell", role: "gridcell", tabindex: -1, "data-cell": cell });
    node.append(this.outline(cell));
    node.addEventListener("click", () => {
      this.focus(cell);
      this.on.press(cell);
    });
    node.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.on.clear?.(cell);
    });
    this.cells.set(cell, { node, mark, label });
    return node;
  }

  /** Shows a text on a cell, under these classes, and as these words. */
  show(cell, text, classes, words) {
    const { node, mark, label } = this.cells.get(cell);
    label.textContent = text;
    label.setAttribute("class", String(text).length > 2 ? "number long" : "number");
    node.setAttribute("class", ["cell", ...classes].join(" "));
    mark.setAttribute("class", classes.join(" "));
    node.setAttribute("aria-label", words);
  }

  /** Draws lines through the middles of cells. */
  draw(paths) {
    this.lines.replaceChildren(
      ...paths.map((cells) => {
        const points = cells.map((cell) => this.middle(cell).map((at) => at.toFixed(1)).join(","));
        return make("polyline", { points: points.join(" ") });
      }),
    );
  }

  /** The cell that keys are for. */
  goTo(cell) {
    this.cells.get(this.focused)?.node.setAttribute("tabindex", -1);
    this.cells.get(cell).node.setAttribute("tabindex", 0);
    this.focused = cell;
  }

  focus(cell) {
    const there = this.cells.get(cell);
    if (!there) return;
    this.goTo(cell);
    there.node.focus({ preventScroll: true });
  }

  onKey(event) {
    const way = WAYS[event.key];
    if (way && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const next = this.next(way);
      if (next) this.focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.on.press(this.focused);
    } else {
      this.on.key(event, this.focused);
    }
  }

  /** The nearest cell in a direction, over gaps. */
  next([down, right]) {
    const [x, y] = this.middle(this.focused);
    let best;
    for (const cell of this.layout.cells) {
      const [toX, toY] = this.middle(cell);
      const along = (toX - x) * right + (toY - y) * down;
      const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
      if (along < 1 || aside > along * 1.05) continue;
      const cost = along + 2 * aside;
      if (!best || cost < best.cost) best = { cell, cost };
    }
    return best?.cell;
  }
}
