// A walk through the graph of a puzzle, position by position: a position, and those one move away.
// Which moves there are, and how far it is, is said by the server.

import * as api from "./api.js";
import { BoardView, Shape } from "./board.js";
import { $, askLink, el, grouped, Latest, seed, showPicture, times } from "./page.js";
import { fact, rows } from "./puzzle.js";
import { Slide } from "./slide.js";
import { wires } from "./stones.js";

/** Graphs by game and board. Those of slides are small enough for shortest ways. */
const SPACES = [
  ["hex-slide", "Sliding hexagons", ["P2x3", "P3x3", "P3x4", "T4", "F2"]],
  ["square-slide", "Sliding squares", ["2x2", "2x3", "3x3", "3x4"]],
  ["go", "Go", ["1x3", "1x5", "2x2", "2x3"]],
];

/** The positions of a sliding puzzle. */
class Slides {
  static async open(game, place) {
    const [layout, { tiles }] = await Promise.all([api.board(place), Slide.make(game, place, seed())]);
    const slides = new Slides(game, place, layout);
    slides.usual = tiles;
    return slides;
  }

  constructor(game, place, layout) {
    Object.assign(this, { game, place, layout, known: new Map() });
    /** Whether distances can be asked for, and a random position. */
    this.isMeasured = true;
  }

  async random() {
    return (await Slide.make(this.game, this.place, seed())).tiles;
  }

  /** A position: how to show its cells, and where one can go from it. */
  async look(tiles) {
    const checked = await api.answer(this.question("check", { from: tiles }));
    this.goal = fact(checked, "goal");
    const ways = rows(checked, "slides").map(({ tile, direction, from, to, then }) => ({
      words: `${tile} ${direction}`, cells: [from, to], then,
    }));
    return { ways };
  }

  shown(tiles) {
    const words = tiles.split(/[\s/]+/);
    const on = new Map(this.layout.cells.map((cell, at) => [cell, words[at]]));
    return (cell) => (on.get(cell) === "." ? ["", "hole"] : [on.get(cell), "tile"]);
  }

  /** The slides of a shortest way, or undefined if none was found in time; null if there is none. */
  distance(from, to, signal) {
    const key = `${from} to ${to}`;
    if (!this.known.has(key)) this.known.set(key, this.measure(from, to, signal));
    const known = this.known.get(key);
    known.catch(() => this.known.delete(key));
    return known;
  }

  async measure(from, to, signal) {
    const { subject, value } = await api.answer(this.question("find", { from, to }), undefined, signal);
    if (value.standing === "none") return null;
    return subject.id === "shortest-solution" && value.standing === "exact" ? Number(value.number) : undefined;
  }

  /** The next position of a shortest way to the goal. */
  async nearer(tiles) {
    const answer = await api.answer(this.question("hint", { from: tiles }));
    const [from, to] = [fact(answer, "from"), fact(answer, "to")];
    const { ways } = await this.look(tiles);
    return ways.find(({ cells }) => cells[0] === from && cells[1] === to)?.then;
  }

  layers(tiles) {
    return this.question("explore", { from: tiles });
  }

  /** A position as part of an address, and back. */
  pack = Slide.pack;
  unpack = Slide.unpack;

  question(verb, options) {
    return { verb, game: this.game, place: this.place, options };
  }
}

/** The positions of Go on a small board, and the moves of the logical rules. */
class Games {
  static async open(game, place) {
    const [layout, { graph }] = await Promise.all([api.board(place), api.answer({ verb: "export", game, place })]);
    return new Games(place, layout, graph);
  }

  constructor(place, layout, graph) {
    Object.assign(this, { place, layout, graph, isMeasured: false });
    this.number = new Map(graph.nodes.map((node, at) => [node, at]));
    this.from = graph.nodes.map(() => []);
    graph.edges.forEach(([one, other], at) => this.from[one].push({ other, label: graph.labels[at] }));
    this.usual = this.goal = graph.nodes[0];
  }

  async random() {
    return this.graph.nodes[seed() % this.graph.nodes.length];
  }

  async look(position) {
    const at = this.number.get(position);
    if (at === undefined) throw new Error("There is no such position on this board.");
    const ways = this.from[at].map(({ other, label }) => {
      const then = this.graph.nodes[other];
      const placed = this.layout.cells.find((cell, point) => this.stones(position)[point] === "." && this.stones(then)[point] !== ".");
      return { words: `${label} at ${placed}`, cells: [placed], then };
    });
    return { ways };
  }

  stones(position) {
    return position.replaceAll("/", "");
  }

  shown(position) {
    const on = new Map(this.layout.cells.map((cell, at) => [cell, this.stones(position)[at]]));
    return (cell) => ["", { X: "black", O: "white" }[on.get(cell)] ?? "empty"];
  }

  layers() {
    return { verb: "explore", game: "go", place: this.place };
  }

  pack(position) {
    return position.replaceAll("/", "_").replaceAll(".", "-");
  }

  unpack(text) {
    return text.replaceAll("_", "/").replaceAll("-", ".");
  }
}

export class Walk {
  constructor(page) {
    this.page = page;
    this.latest = new Latest();
    this.trail = [];
    for (const [game, name, places] of SPACES) {
      const group = el("optgroup", { label: name });
      group.append(...places.map((place) => new Option(`${name} ${times(place)}`, `${game} ${place}`)));
      $("space").append(group);
    }
    // Without a position, because the server or the link gave none, there is nothing to do but choose.
    const on = (id, event, act) => $(id).addEventListener(event, () => {
      if (this.at || id === "space" || (this.space && id.endsWith("random"))) Promise.resolve(act()).catch(page.say);
    });
    on("space", "change", () => {
      const [game, board] = $("space").value.split(" ");
      return this.enter(game, board);
    });
    on("walk-random", "click", async () => this.go(await this.space.random()));
    on("walk-goal", "click", () => this.go(this.space.goal));
    on("walk-nearer", "click", async () => {
      const next = await this.space.nearer(this.at);
      if (next) await this.go(next);
    });
    on("walk-back", "click", () => this.trail.length && this.go(this.trail.pop(), false));
    on("walk-start", "click", () => {
      this.start = this.at;
      this.trail = [];
      return this.go(this.at, false);
    });
    on("walk-layers", "click", () => this.layers());
  }

  async open(at) {
    const known = SPACES.some(([game, , places]) => game === at.get("game") && places.includes(at.get("board")));
    const [game, board] = known ? [at.get("game"), at.get("board")] : ["square-slide", "3x3"];
    await this.enter(game, board, at.get("at"), at.get("start"));
  }

  async enter(game, place, at, start) {
    const own = `${game} ${place}`;
    this.wanted = own;
    if (this.name !== own) {
      const space = await (game === "go" ? Games : Slides).open(game, place);
      if (this.wanted !== own) return;
      Object.assign(this, { name: own, game, place, space, trail: [], start: undefined });
      $("space").value = own;
      $("walk-board").classList.toggle("stones", game === "go");
      $("neighbours").classList.toggle("stones", game === "go");
      $("walk-nearer").hidden = !space.isMeasured;
      $("walk-goal").textContent = game === "go" ? "Empty board" : "Goal";
      this.shape = new Shape(space.layout);
      this.view = new BoardView($("walk-board"), space.layout, { press: (cell) => this.press(cell), key: () => {} });
      if (game === "go") this.view.draw(wires(space.layout));
    }
    this.at = at ? undefined : this.at;
    const to = at ? this.space.unpack(at) : this.space.usual;
    this.start = start ? this.space.unpack(start) : (this.start ?? to);
    await this.go(to, false);
  }

  async go(to, isStep = true) {
    const { space } = this;
    this.page.say();
    const signal = this.latest.begin();
    const { ways } = await space.look(to);
    if (signal.aborted) return;
    if (isStep && this.at && this.at !== to) this.trail.push(this.at);
    Object.assign(this, { at: to, ways });
    const address = { game: this.game, board: this.place, at: space.pack(to) };
    if (this.start !== to) address.start = space.pack(this.start);
    this.page.put("graph", address);
    $("layers").hidden = true;
    this.draw();
    if (space.isMeasured) await this.measure(signal);
  }

  draw() {
    const { space, at, ways } = this;
    const shown = space.shown(at);
    for (const cell of space.layout.cells) {
      const [text, kind] = shown(cell);
      const moves = ways.filter(({ cells }) => cells[0] === cell).length;
      const words = `Row ${cell.replace(",", ", column ")}: ${{ hole: "hole", tile: `tile ${text}` }[kind] ?? kind}${moves ? ", can move" : ""}`;
      this.view.show(cell, text, moves && kind === "tile" ? [kind, "moves"] : [kind], words);
    }
    const items = ways.map(({ words, then }) => {
      const picture = this.shape.picture("", space.shown(then));
      picture.setAttribute("aria-hidden", "true");
      const button = el("button", { type: "button" }, picture, el("span", { textContent: words }), el("span", { className: "small far" }));
      button.dataset.then = then;
      button.addEventListener("click", () => this.step(then));
      return el("li", {}, button);
    });
    $("neighbours").replaceChildren(...items);
    $("walk-back").disabled = !this.trail.length;
    this.facts([]);
  }

  /** Goes on by a button of the list, and leaves the focus in the list. */
  async step(then) {
    await this.go(then).catch(this.page.say);
    $("neighbours").querySelector("button")?.focus({ preventScroll: true });
  }

  facts(measured) {
    const list = [
      ["Moves from here", this.ways.length],
      ["Moves you made", this.trail.length],
      ...measured,
    ];
    $("walk-facts").replaceChildren(
      ...list.map(([name, value]) => el("div", {}, el("dt", { textContent: name }), el("dd", { textContent: value }))),
    );
  }

  async measure(signal) {
    const { space, at, ways, start } = this;
    const words = (slides) => (slides === null ? "cannot be reached" : slides === undefined ? "not found in time" : `${slides} slides`);
    try {
      const [toGoal, toStart] = await Promise.all([
        space.distance(at, space.goal, signal), space.distance(start, at, signal),
      ]);
      if (signal.aborted) return;
      this.facts([["To the goal", words(toGoal)], ["From the start", words(toStart)]]);
      $("walk-nearer").disabled = !toGoal;
      await Promise.all(ways.map(async ({ then }) => {
        const far = await space.distance(then, space.goal, signal);
        const button = [...$("neighbours").querySelectorAll("button")].find((one) => one.dataset.then === then);
        if (signal.aborted || !button) return;
        const isKnown = Number.isInteger(far) && Number.isInteger(toGoal);
        const way = !isKnown ? "" : far < toGoal ? "nearer" : far > toGoal ? "farther" : "as far";
        button.querySelector(".far").textContent = isKnown ? `${far} to the goal, ${way}` : words(far);
        button.classList.toggle("nearer", way === "nearer");
      }));
    } catch (error) {
      this.page.say(error);
    }
  }

  press(cell) {
    if (!this.at) return;
    const ways = this.ways.filter(({ cells }) => cells.includes(cell));
    const own = ways.filter(({ cells }) => cells[0] === cell);
    const list = own.length ? own : ways;
    if (list.length === 1) this.go(list[0].then).catch(this.page.say);
    else if (list.length) {
      // Several moves: the player says which, in the list.
      const button = [...$("neighbours").querySelectorAll("button")].find((one) => one.dataset.then === list[0].then);
      button?.focus();
    }
  }

  async layers() {
    const question = this.space.layers(this.at);
    const [blob, answer] = await Promise.all([api.picture(question), api.answer(question)]);
    const size = fact(answer, "component-size") ?? fact(answer, "positions");
    $("layers-says").replaceChildren(
      `${grouped(size)} positions can be reached. The farthest from ${this.game === "go" ? "the empty board" : "here"} is `,
      `${fact(answer, "depth") ?? answer.value.number} moves away. `,
      el("a", { href: askLink({ question }), textContent: "Ask more" }),
    );
    showPicture($("layers-image"), blob, "Positions by their distance");
    $("layers").hidden = false;
  }
}
