// The gallery of knight's loops: thousands of pictures. They are drawn in blocks as they come near
// the window, and the browser leaves out what is not seen (content-visibility).

import * as api from "./api.js";
import { pathPicture } from "./board.js";
import { $, askLink, el, grouped, Latest } from "./page.js";

const LENGTHS = [4, 6, 8, 10, 12, 14];
/** The most loops that are asked for: more would be too much for one answer. */
const MOST = 20_000;
/** About the pictures of a block, which are whole rows, and the side of one with its gap, in pixels. */
const [BLOCK, SIDE] = [120, 84];

const picture = (cells) => pathPicture(cells, true);

const symmetry = ({ class: { symmetries } }) => symmetries.join(", ") || "none";

export class Gallery {
  constructor(page) {
    this.page = page;
    this.latest = new Latest();
    $("loops-length").replaceChildren(...LENGTHS.map((length) => new Option(length, length, false, length === 10)));
    for (const id of ["loops-length", "loops-crossing"]) {
      $(id).addEventListener("change", () => {
        $("loops-symmetry").value = "";
        this.load().catch(page.say);
      });
    }
    $("loops-symmetry").addEventListener("change", () => this.show());
    $("gallery").addEventListener("click", ({ target }) => {
      const tile = target.closest("button");
      if (tile) this.enlarge(Number(tile.dataset.at));
    });
    $("gallery").addEventListener("keydown", (event) => this.key(event));
    this.near = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) if (isIntersecting) this.fill(target);
    }, { rootMargin: "800px" });
    new ResizeObserver(() => this.measure()).observe($("gallery"));
  }

  async open(at) {
    if (LENGTHS.includes(Number(at.get("length")))) $("loops-length").value = at.get("length");
    if (["none", "some"].includes(at.get("crossing"))) $("loops-crossing").value = at.get("crossing");
    await this.load(at.get("symmetry") ?? "");
  }

  question(verb, isSimple) {
    const question = { verb, game: "knight-loops", place: $("loops-length").value, options: {} };
    if (isSimple) question.options["non-crossing"] = true;
    return question;
  }

  async load(wanted = "") {
    this.page.say();
    const signal = this.latest.begin();
    const crossing = $("loops-crossing").value;
    $("loops-says").textContent = "Listing …";
    const listed = (isSimple) => {
      const question = this.question("classify", isSimple);
      question.options.limit = MOST;
      return api.list(question, {}, signal);
    };
    // Loops that cross are all but those that do not; both lists have the same order.
    const [[loops, answer], simple] = await Promise.all([
      listed(crossing === "none"), crossing === "some" ? listed(true) : undefined,
    ]);
    if (signal.aborted) return;
    const isSimple = new Set(simple?.[0].map(({ cells }) => cells.join(" ")));
    this.loops = loops.filter(({ cells }) => !isSimple.has(cells.join(" ")));
    this.isAll = answer.value.standing === "exact";
    this.all = undefined;
    const sizes = new Map();
    for (const loop of this.loops) sizes.set(symmetry(loop), (sizes.get(symmetry(loop)) ?? 0) + 1);
    const kinds = [...sizes].sort(([, a], [, b]) => b - a);
    $("loops-symmetry").replaceChildren(
      new Option(`any (${grouped(this.loops.length)})`, ""),
      ...kinds.map(([kind, size]) => new Option(`${kind} (${grouped(size)})`, kind)),
    );
    $("loops-symmetry").value = sizes.has(wanted) ? wanted : "";
    $("loops-ask").href = askLink({ question: this.question("classify", crossing === "none") });
    this.show();
    if (!this.isAll) await this.total(signal, crossing);
  }

  /** How many there are in all, where not all are shown. */
  async total(signal, crossing) {
    if (crossing === "some") return;
    const { value } = await api.answer(this.question("count", crossing === "none"), undefined, signal);
    if (!signal.aborted && value.standing === "exact") this.all = value.number;
    this.tell();
  }

  tell() {
    const many = grouped(this.shown.length);
    const all = this.isAll ? "" : ` of the first ${grouped(this.loops.length)}${this.all ? `; there are ${grouped(this.all)} in all` : "; there are more"}`;
    $("loops-says").textContent = `${many} ${this.shown.length === 1 ? "loop" : "loops"}${all}. Rotations and reflections of a loop are the same. Press one to see more.`;
  }

  show() {
    const kind = $("loops-symmetry").value;
    const at = { length: $("loops-length").value };
    if ($("loops-crossing").value) at.crossing = $("loops-crossing").value;
    if (kind) at.symmetry = kind;
    this.page.put("loops", at);
    this.shown = kind ? this.loops.filter((loop) => symmetry(loop) === kind) : this.loops;
    this.tell();
    this.focused = 0;
    this.lay();
  }

  get wide() {
    return Math.max(1, Math.floor($("gallery").clientWidth / SIDE));
  }

  /** Lays out blocks of whole rows, each with its height, so that the window scrolls as if all were
   * drawn. */
  lay() {
    this.near.disconnect();
    this.columns = this.wide;
    this.block = this.columns * Math.max(1, Math.round(BLOCK / this.columns));
    const blocks = [];
    for (let first = 0; first < this.shown.length; first += this.block) {
      const block = el("div", { className: "block" });
      block.dataset.first = first;
      const many = Math.min(this.block, this.shown.length - first);
      block.style.setProperty("--high", `${Math.ceil(many / this.columns) * SIDE}px`);
      blocks.push(block);
    }
    $("gallery").replaceChildren(...blocks);
    for (const block of blocks) this.near.observe(block);
    if (blocks.length) this.fill(blocks[0]);
  }

  /** Rows have other lengths in a window of another width. */
  measure() {
    if (!this.shown || !$("gallery").clientWidth || this.columns === this.wide) return;
    const hasFocus = $("gallery").contains(document.activeElement);
    this.lay();
    if (hasFocus) this.go(this.focused);
  }

  fill(block) {
    if (block.firstChild) return;
    const first = Number(block.dataset.first);
    block.append(...this.shown.slice(first, first + this.block).map((loop, at) => {
      const tile = el("button", { type: "button", tabIndex: first + at === this.focused ? 0 : -1 }, picture(loop.cells));
      tile.dataset.at = first + at;
      tile.setAttribute("aria-label", `Loop ${first + at + 1}, symmetry ${symmetry(loop)}`);
      return tile;
    }));
  }

  /** The arrows go from picture to picture, also to those that are not drawn yet. */
  key(event) {
    const ways = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns };
    const to = { Home: 0, End: this.shown.length - 1 }[event.key] ?? this.focused + (ways[event.key] ?? NaN);
    if (!this.shown[to] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.go(to);
  }

  go(to) {
    this.tile(this.focused)?.setAttribute("tabindex", -1);
    this.focused = to;
    this.fill($("gallery").children[Math.floor(to / this.block)]);
    const tile = this.tile(to);
    tile.setAttribute("tabindex", 0);
    tile.focus();
  }

  tile(at) {
    return $("gallery").children[Math.floor(at / this.block)]?.children[at % this.block];
  }

  enlarge(at) {
    const loop = this.shown[at];
    this.tile(this.focused)?.setAttribute("tabindex", -1);
    this.focused = at;
    this.tile(at)?.setAttribute("tabindex", 0);
    const question = { verb: "classify", game: "knight-loops", options: { path: loop.cells.join(" ") } };
    $("loop-title").textContent = `Loop ${grouped(at + 1)} of ${grouped(this.shown.length)}`;
    $("loop-picture").replaceChildren(picture(loop.cells));
    const facts = [
      ["Symmetry", symmetry(loop)],
      ["Positions", `${loop.class.orbit} by rotations and reflections`],
      ["Cells", loop.cells.join(" ")],
      ["Question", el("a", { href: askLink({ question }), textContent: "Ask about this loop" })],
    ];
    $("loop-facts").replaceChildren(
      ...facts.map(([name, value]) => el("div", {}, el("dt", { textContent: name }), el("dd", {}, value))),
    );
    $("loop").showModal();
  }
}
