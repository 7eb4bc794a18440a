// The page Play: a puzzle, its tools, its keys, and its address.

import * as api from "./api.js";
import { BoardView, rowCol, Shape } from "./board.js";
import { drawing, Editor, MOST, pack, tiles, unpack } from "./editor.js";
import { $, copy, seed, times } from "./page.js";
import { fact, Puzzle, rows } from "./puzzle.js";
import { Slide } from "./slide.js";

const SQUARES = ["4x4", "5x5", "6x6", "7x7", "8x8", "9x9", "10x10"];
const RECTANGLES = ["5x7", "6x8", "8x10"];
const GAMES = [
  { id: "hidato", name: "Hidato", sizes: [...SQUARES, ...RECTANGLES], usual: "6x6" },
  { id: "numbrix", name: "Numbrix", sizes: [...SQUARES, ...RECTANGLES], usual: "7x7" },
  { id: "hopido", name: "Hopido", sizes: [...SQUARES.slice(1), ...RECTANGLES], usual: "6x6" },
  { id: "diplomatico", name: "Diplomatico", sizes: [...SQUARES.slice(1), ...RECTANGLES], usual: "6x6" },
  { id: "knight-tours", name: "Knight's tour", sizes: [...SQUARES.slice(1), ...RECTANGLES], usual: "6x6" },
  { id: "king-tours", name: "King's tour", sizes: [...SQUARES, ...RECTANGLES], usual: "5x5" },
  { id: "square-slide", name: "Sliding squares", sizes: ["2x3", "3x3", "2x5", "3x4", "4x4"], usual: "3x3" },
  { id: "hex-slide", name: "Sliding hexagons", sizes: ["P2x3", "P3x3", "P3x4", "T4", "F2", "F3"], usual: "P3x3" },
];
const isSlide = (game) => game.endsWith("-slide");
/** How many slides a sliding puzzle takes, by its difficulty; a hard one begins anywhere. */
const SLIDES = { easy: 6, medium: 12 };

const still = matchMedia("(prefers-reduced-motion: reduce)");

let puzzle;
let view;
/** What is marked: conflicting cells, the cell of a hint. */
let marks = { wrong: new Set(), hint: new Set() };
let offered;
let isSolved = false;
/** Where a tile can go, while the player is asked which way. */
let ways;
/** Counts what changes on the board: what the server says of the board before is not shown. */
let turns = 0;
let erases = false;
let busy = 0;
let editor;

// The clock runs while the puzzle is played and the page is seen.
const clock = {
  before: 0,
  since: null,
  get passed() {
    return this.before + (this.since === null ? 0 : performance.now() - this.since);
  },
  go() {
    if (this.since === null && !isSolved && !document.hidden) this.since = performance.now();
  },
  stop() {
    this.before = this.passed;
    this.since = null;
  },
  show() {
    const seconds = Math.floor(clock.passed / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if ($("clock").textContent !== text) $("clock").textContent = text;
    return text;
  },
};
setInterval(() => clock.show(), 500);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) clock.stop();
  else if (puzzle?.past.length) clock.go();
});

// The address: the game, the puzzle as it was made, and what was done since.
const packed = (text) => text.trim().split("\n").map((row) => row.trim().split(/\s+/).join(".")).join("_");
const unpacked = (text) => text.split("_").join("\n").replaceAll(".", " ") + "\n";

function address() {
  const at = new URLSearchParams();
  at.set("game", puzzle.game);
  if (puzzle instanceof Slide) {
    at.set("board", puzzle.place);
    at.set("start", Slide.pack(puzzle.start));
    at.set("tiles", Slide.pack(puzzle.tiles));
  } else {
    at.set("board", packed(puzzle.drawing(false)));
    const placed = [...puzzle.numbers].map(([cell, number]) => `${cell.replace(",", "-")}-${number}`);
    if (placed.length) at.set("placed", placed.join("_"));
  }
  return `#${at}`;
}

/** The puzzle of the address. What is wrong with a link is said: nobody wants another puzzle. */
async function fromAddress() {
  const at = new URLSearchParams(location.hash.slice(1));
  const [game, board] = [at.get("game"), at.get("board")];
  if (!GAMES.some((known) => known.id === game)) throw new Error(`There is no game ${game ?? ""} to be played here.`);
  if (!board) throw new Error("It has no board.");
  if (isSlide(game)) {
    const start = at.get("start");
    if (!start) throw new Error("It has no start.");
    return Slide.open(game, board, Slide.unpack(at.get("tiles") ?? start), Slide.unpack(start));
  }
  check(unpack(board.replace(/^column_/, "")), /^(\d{1,4}|#)$/);
  const placed = (at.get("placed") ?? "").split("_").filter(Boolean).map((part) => {
    if (!/^\d+-\d+-\d+$/.test(part)) throw new Error(`What was placed, ${part}, is no row, column and number.`);
    const [row, col, number] = part.split("-").map(Number);
    return [`${row},${col}`, number];
  });
  return Puzzle.open(game, unpacked(board), placed);
}

/** Refuses rows of words that are no board. */
function check(words, accepted) {
  const wide = words[0].length;
  words.forEach((row, at) => {
    const odd = row.find((word) => !accepted.test(word));
    if (odd !== undefined) throw new Error(`Row ${at + 1} has ${odd ? `“${odd}”` : "nothing"} where a cell is expected.`);
    if (row.length !== wide) throw new Error(`Row ${at + 1} has ${row.length} cells, and row 1 has ${wide}.`);
  });
}

// What is said, and what is offered with it.
function say(text, kind = "", offer) {
  const line = $("say");
  line.textContent = text;
  line.className = `say ${kind}`;
  offered = offer;
  $("offer").hidden = !offer;
}

// What changes the board: one after the other, since the server says what slides lead to.
let queue = Promise.resolve();
/** Does what the player wants, after what was wanted before; a solution that is shown ends there. */
function act(task) {
  stopShowing();
  return inTurn(task);
}

function inTurn(task) {
  const asked = puzzle;
  queue = queue.then(() => (asked && puzzle === asked ? work(task) : undefined));
  return queue;
}

/** Work that the server does. */
async function working(task) {
  busy += 1;
  document.body.classList.add("busy");
  try {
    return await task();
  } finally {
    busy -= 1;
    if (!busy) document.body.classList.remove("busy");
  }
}

/** Work that the server does; what it refuses is said. */
async function work(task) {
  try {
    return await working(task);
  } catch (error) {
    say(error.message, "bad");
    return undefined;
  }
}

function clearMarks() {
  ways = undefined;
  marks = { wrong: new Set(), hint: new Set() };
}

function words(cell, what) {
  const [row, col] = rowCol(cell);
  return `Row ${row}, column ${col}: ${what}`;
}

function show() {
  const isTiles = puzzle instanceof Slide;
  for (const cell of puzzle.layout.cells) {
    const classes = [];
    let [text, what] = ["", "empty"];
    if (isTiles) {
      const tile = puzzle.on.get(cell);
      [text, what] = tile ? [tile, `tile ${tile}`] : ["", "hole"];
      classes.push(tile ? "tile" : "hole");
      if (tile && puzzle.from(cell).length) {
        classes.push("moves");
        what += ", can slide";
      }
    } else {
      const number = puzzle.at(cell);
      const isClue = puzzle.clues.has(cell);
      if (number) [text, what] = [number, isClue ? `clue ${number}` : `${number}`];
      if (isClue) classes.push("clue");
      else if (number) classes.push("placed");
      else if (puzzle.fits(cell)) {
        classes.push("fits");
        what = `empty, ${puzzle.hand} fits`;
      }
      if (number === 1 || number === puzzle.last) classes.push("end");
    }
    if (marks.wrong.has(cell)) {
      classes.push("wrong");
      what += ", in a contradiction";
    }
    if (marks.hint.has(cell)) classes.push("hinted");
    view.show(cell, text, classes, words(cell, what));
  }
  view.draw(isTiles ? [] : puzzle.runs());
  $("next").textContent = isTiles ? "" : (puzzle.hand ?? "✓");
  $("undo").disabled = !puzzle.past.length;
  $("redo").disabled = !puzzle.future.length;
  $("board").classList.toggle("solved", isSolved);
}

/** After every change: what is marked no longer holds, and it may be solved. */
function changed() {
  turns += 1;
  clearMarks();
  say("");
  isSolved = false;
  if (puzzle.past.length) clock.go();
  show();
  history.replaceState(null, "", address());
  // What comes next does not wait for this.
  if (puzzle instanceof Slide ? puzzle.isSolved : puzzle.isFull) ask(() => puzzle.check(), judge);
}

const judge = (answer) => (answer.value.standing === "none" ? tellWrong(answer) : win());

/** Asks about the board as it is; the answer is told unless the board has changed by then. */
async function ask(question, tell) {
  const [asked, turn] = [puzzle, turns];
  const answer = await work(question);
  if (answer && puzzle === asked && turns === turn) tell(answer);
}

function win() {
  clock.stop();
  isSolved = true;
  clearMarks();
  show();
  say(`Solved in ${clock.show()}. Well done!`, "good");
}

function tellWrong(answer) {
  marks.wrong = new Set(rows(answer, "conflict").map((row) => row.cell));
  show();
  const proof = answer.value.proof;
  say(`This cannot be completed: ${proof}.`, "bad");
}

// Playing.
async function press(cell) {
  if (puzzle instanceof Slide) {
    const chosen = ways?.get(cell);
    if (chosen) return slide(chosen);
    const slides = puzzle.from(cell);
    if (ways) {
      clearMarks();
      say("");
      show();
    }
    if (slides.length === 1) return slide(slides[0]);
    // The tile could go to several holes, or several tiles here: the player says which.
    if (slides.length) choose(cell, slides);
    return undefined;
  }
  if (erases) {
    clear(cell);
  } else if (puzzle.at(cell)) {
    puzzle.takeUp(cell);
    show();
    if (puzzle.hand) say(`Next: ${puzzle.hand}.`);
  } else if (puzzle.hand && puzzle.put(cell, puzzle.hand)) {
    puzzle.goOn();
    changed();
  }
  return undefined;
}

/** Marks where a tile can go; the next press says which. */
function choose(cell, slides) {
  ways = new Map(slides.map((slide) => [slide.from === cell ? slide.to : slide.from, slide]));
  marks.hint = new Set(ways.keys());
  show();
  say("Choose one of the marked cells.");
}

async function slide(which) {
  await puzzle.slide(which);
  view.focus(which.to);
  changed();
}

function clear(cell) {
  if (puzzle instanceof Puzzle && puzzle.put(cell, undefined)) changed();
}

// Digits that are typed one after the other are one number.
let typed = { cell: null, text: "", at: 0 };
function type(cell, digit) {
  const now = performance.now();
  const goesOn = typed.cell === cell && now - typed.at < 1500;
  const text = goesOn ? typed.text + digit : digit;
  const number = Number(text);
  // The shorter number goes, if it changed anything.
  if (goesOn && typed.change && puzzle.past.at(-1) === typed.change) puzzle.undo();
  typed = { cell, text, at: now };
  if (puzzle.put(cell, number)) {
    typed.change = puzzle.past.at(-1);
    puzzle.hand = number;
    puzzle.step = 1;
    puzzle.goOn();
  } else if (number > puzzle.last || puzzle.clues.has(puzzle.where(number))) {
    const isClue = number <= puzzle.last && !puzzle.clues.has(cell);
    if (isClue && String(puzzle.last).length > text.length) return;
    changed();
    say(isClue ? `${number} is on the board already.` : "", "bad");
    return;
  }
  changed();
}

const KEYS = {
  u: () => $("undo").click(),
  r: () => $("redo").click(),
  h: () => $("hint").click(),
  c: () => $("check").click(),
  "+": () => turn(1),
  "-": () => turn(-1),
};

function key(event, cell) {
  if (event.altKey) return;
  const name = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (name === "z") $(event.shiftKey ? "redo" : "undo").click();
    else if (name === "y") $("redo").click();
    else return;
  } else if (/^[0-9]$/.test(name) && puzzle instanceof Puzzle) act(() => type(cell, name));
  else if (name === "delete" || name === "backspace") act(() => clear(cell));
  else if (KEYS[name]) KEYS[name]();
  else return;
  event.preventDefault();
}

function turn(step) {
  if (!(puzzle instanceof Puzzle)) return;
  puzzle.turn(step);
  show();
}

async function step(which) {
  if (puzzle instanceof Slide) await puzzle[which]();
  else {
    const cell = puzzle[which]();
    if (cell) view.svg.contains(document.activeElement) && view.focus(cell);
  }
  changed();
}

const hint = () => {
  clock.go();
  return ask(() => puzzle.hint(), tellHint);
};

function tellHint(answer) {
  clearMarks();
  const reason = answer.notes?.[0];
  if (puzzle instanceof Slide) {
    const wanted = puzzle.hinted(answer);
    if (!wanted) {
      say(answer.value.proof ? `It cannot be solved: ${answer.value.proof}.` : (reason ?? "There is no hint."));
      return;
    }
    marks.hint = new Set([wanted.from, wanted.to]);
    say(reason, "tip", () => slide(wanted));
  } else {
    const [cell, number] = [fact(answer, "cell"), Number(fact(answer, "number"))];
    if (!cell) {
      if (answer.value.standing === "none") tellWrong(answer);
      else say(reason ?? "There is no hint: a limit was reached.");
      return;
    }
    marks.hint = new Set([cell]);
    say(reason, "tip", () => {
      puzzle.put(cell, number);
      puzzle.hand = number;
      puzzle.goOn();
      view.focus(cell);
      changed();
    });
  }
  show();
}

function tellCheck(answer) {
  clearMarks();
  if (answer.value.standing === "none") tellWrong(answer);
  else {
    show();
    say(answer.notes?.[0] ?? "Nothing is wrong so far.", "good");
  }
}

// A solution that is shown, or undefined. Whatever else is done ends it where it is.
let showing;
function stopShowing() {
  if (!showing) return;
  showing = undefined;
  turns += 1;
  if (!puzzle) return;
  say("");
  show();
  history.replaceState(null, "", address());
}

/** Shows the solution, step by step unless motion is not wanted. */
async function solve() {
  stopShowing();
  say("Looking for the solution …");
  await ask(() => puzzle.solution(), showSolution);
}

async function showSolution(way) {
  const own = {};
  showing = own;
  turns += 1;
  clock.stop();
  clearMarks();
  say("This is how it is solved; whatever you do ends it.");
  const asked = puzzle;
  const isOver = () => showing !== own || puzzle !== asked;
  const pause = (milliseconds) => (still.matches ? undefined : new Promise((resume) => setTimeout(resume, milliseconds)));
  const steps = asked instanceof Slide ? way.slice(1) : placing(asked, way);
  for (const one of steps) {
    await inTurn(() => isOver() || (asked instanceof Slide ? asked.slide({ then: one }) : asked.change(one)));
    if (isOver()) return;
    if (!still.matches || asked instanceof Slide) show();
    await pause(asked instanceof Slide ? Math.min(300, 6000 / steps.length) : Math.min(120, 3000 / steps.length));
    if (isOver()) return;
  }
  showing = undefined;
  turns += 1;
  if (asked instanceof Slide ? !asked.isSolved : !asked.isFull) {
    // A slide was refused, as was said.
    show();
    return;
  }
  if (asked instanceof Puzzle) asked.hand = null;
  isSolved = true;
  show();
  history.replaceState(null, "", address());
  say("This is the solution. Undo takes it back step by step.", "good");
}

/** What changes the board into the solution: wrong numbers go first. */
function placing({ clues, numbers }, way) {
  const wrong = [...numbers].filter(([cell, number]) => way[number - 1] !== cell).map(([cell]) => cell);
  const isRight = (cell) => clues.has(cell) || (numbers.has(cell) && !wrong.includes(cell));
  const missing = way.map((cell, at) => [cell, at + 1]).filter(([cell]) => !isRight(cell));
  return [...(wrong.length ? [wrong.map((cell) => [cell, undefined])] : []), ...missing.map((one) => [one])];
}

// Beginning.
function begin(next, isNew) {
  puzzle = next;
  turns += 1;
  showing = undefined;
  isSolved = false;
  Object.assign(clock, { before: 0, since: null });
  clock.show();
  clearMarks();
  say("");
  const game = GAMES.find((known) => known.id === puzzle.game);
  const isTiles = puzzle instanceof Slide;
  const { name } = puzzle.layout;
  $("title").textContent = name.startsWith("a ") ? `${game.name}, ${name}` : `${game.name} ${times(name)}`;
  document.title = `${game.name} · Pessoi`;
  $("hand").hidden = isTiles;
  $("erase").hidden = isTiles;
  view = new BoardView($("board"), puzzle.layout, {
    press: (cell) => act(() => press(cell)),
    clear: (cell) => act(() => clear(cell)),
    key,
  });
  showGoal();
  $("game").value = game.id;
  fillSizes();
  showRules(game.id);
  const to = address();
  if (isNew) history.pushState(null, "", to);
  else history.replaceState(null, "", to);
  show();
}

function fillSizes(wanted) {
  const game = GAMES.find((known) => known.id === $("game").value);
  const name = puzzle?.game === game.id ? (puzzle.place ?? puzzle.layout.name) : undefined;
  const usual = wanted ?? (game.sizes.includes(name) ? name : game.usual);
  $("size").replaceChildren(...game.sizes.map((size) => new Option(times(size), size, false, size === usual)));
}

/** How the tiles of a slide are to lie. */
function showGoal() {
  $("goal").hidden = !(puzzle instanceof Slide);
  if (!(puzzle instanceof Slide)) return;
  const on = Slide.on(puzzle.layout, puzzle.goal);
  const shown = (cell) => (on.get(cell) ? [on.get(cell), "tile"] : ["", "hole"]);
  $("goal-picture").replaceChildren(new Shape(puzzle.layout).picture(`Goal: ${puzzle.goal}`, shown));
}

/** There is no puzzle to be shown, and why. */
function showNothing(why) {
  puzzle = undefined;
  turns += 1;
  showing = undefined;
  showEditor(false);
  $("tools").hidden = true;
  $("clock").parentElement.hidden = true;
  $("board").hidden = true;
  $("title").textContent = "No puzzle";
  say(why, "bad");
}

async function showRules(id) {
  const card = await api.game(id).catch(() => undefined);
  if (card && puzzle.game === id) $("rules").textContent = card.rules;
}

let loads = 0;
/** Begins the puzzle that a task gives, unless another one is wanted by then. */
async function load(task, isNew) {
  loads += 1;
  const own = loads;
  const next = await work(task);
  if (own !== loads) return;
  if (next) {
    showEditor(false);
    begin(next, isNew);
    if (next.note) say(next.note);
  } else if (!puzzle && $("editor").hidden) showNothing($("say").textContent);
}

/** How far from the goal a slide of this difficulty begins. */
const far = (level) => (SLIDES[level] ? { distance: SLIDES[level] } : undefined);

function makeNew(isFirst = false) {
  const [game, size, level] = [$("game").value, $("size").value, $("level").value];
  say("Making a puzzle …");
  const make = () =>
    isSlide(game) ? Slide.make(game, size, seed(), far(level)) : Puzzle.make(game, size, level, seed());
  return load(make, !isFirst);
}

// The editor takes the place of the board and its tools.
function showEditor(isShown) {
  $("editor").hidden = !isShown;
  $("board").hidden = false;
  $("tools").hidden = isShown;
  $("edit").disabled = isShown;
  $("clock").parentElement.hidden = isShown;
  if (isShown) $("goal").hidden = true;
  document.body.classList.toggle("editing", isShown);
}

/** Edits a board: words, or the name of a shape. */
async function edit(game, board) {
  loads += 1;
  clock.stop();
  stopShowing();
  say("");
  $("game").value = game;
  fillSizes();
  const name = GAMES.find((known) => known.id === game).name;
  $("title").textContent = `Board for ${name}`;
  document.title = "Board editor · Pessoi";
  $("board").classList.remove("solved");
  showEditor(true);
  const changed = (words) => {
    const at = new URLSearchParams({ edit: editor.game, board: pack(words) });
    history.replaceState(null, "", `#${at}`);
  };
  editor ??= new Editor($("board"), { changed, said: say });
  $("edit-unique").hidden = isSlide(game);
  await work(() => editor.open(game, board));
}

/** The board of the puzzle that is played, with its clues. */
function wordsOf() {
  if (puzzle instanceof Puzzle) return packed(puzzle.drawing(false)).replace(/^column_/, "").split("_").map((row) => row.split("."));
  const { rows, cols, cells } = puzzle.layout;
  const words = Array.from({ length: rows }, () => Array(cols).fill("#"));
  for (const cell of cells) {
    const [row, col] = rowCol(cell);
    words[row - 1][col - 1] = puzzle.on.get(cell) ? "0" : "h";
  }
  return words;
}

const edited = {
  get game() { return editor.game; },
  get place() { return drawing(editor.words, editor.game, true); },
  /** The puzzle as it is drawn. */
  play() {
    return isSlide(this.game)
      ? Slide.open(this.game, this.place, tiles(editor.words))
      : Puzzle.open(this.game, this.place);
  },
  /** A puzzle on this board: clues stay and others come; tiles are shuffled. */
  make() {
    const holes = editor.words.flat().filter((word) => word === "h").length;
    return isSlide(this.game)
      ? Slide.make(this.game, this.place, seed(), { holes, ...far($("level").value) })
      : Puzzle.make(this.game, this.place, $("level").value, seed());
  },
  async unique() {
    const question = { verb: "find", game: this.game, place: this.place, options: { limit: 2 } };
    const { value } = await api.answer(question);
    const isOne = value.standing === "exact" && value.number === "1";
    if (value.standing === "none") say(`It has no solution: ${value.proof}.`, "bad");
    else if (isOne) say("It has exactly one solution.", "good");
    else if (value.number === "2") say("It has more than one solution: add clues.");
    else say("It was not found out in time whether there is more than one solution.");
  },
};

$("game").replaceChildren(...GAMES.map(({ id, name }) => new Option(name, id)));
fillSizes();
$("game").addEventListener("change", () => fillSizes());
$("new").addEventListener("submit", (event) => {
  event.preventDefault();
  makeNew();
});
$("undo").addEventListener("click", () => act(() => step("undo")));
$("redo").addEventListener("click", () => act(() => step("redo")));
// What comes next does not wait for what the server says of the board.
$("hint").addEventListener("click", () => act(() => { hint(); }));
$("check").addEventListener("click", () => act(() => { ask(() => puzzle.check(), tellCheck); }));
$("solve").addEventListener("click", solve);
$("lower").addEventListener("click", () => turn(-1));
$("higher").addEventListener("click", () => turn(1));
$("print").addEventListener("click", () => print());
$("take").addEventListener("click", () => act(() => offered?.()));
$("leave").addEventListener("click", () => {
  clearMarks();
  say("");
  show();
});
$("erase").addEventListener("click", () => {
  erases = !erases;
  $("erase").setAttribute("aria-pressed", erases);
});
$("again").addEventListener("click", () => act(async () => {
  if (puzzle instanceof Slide) await puzzle.restart();
  else puzzle.clearAll();
  changed();
}));
$("share").addEventListener("click", async () => {
  stopShowing();
  if (await copy(location.href)) say("The link is copied: it has the puzzle and what you placed.", "good");
  else say("Copy the address of this page: it has the puzzle and what you placed.");
});
$("edit").addEventListener("click", () => {
  // The game that is chosen may not be the one that is played.
  const game = $("game").value;
  const board = game === puzzle?.game ? wordsOf() : $("size").value;
  history.pushState(null, "", location.href);
  edit(game, board);
});
$("edit-play").addEventListener("click", () => load(() => edited.play(), true));
$("edit-make").addEventListener("click", () => {
  say("Making a puzzle …");
  load(() => edited.make(), true);
});
$("edit-unique").addEventListener("click", () => work(() => edited.unique()));
$("edit-leave").addEventListener("click", () => (puzzle ? history.back() : makeNew()));

/** Shows what the address says; says whether it said anything. */
async function open() {
  const at = new URLSearchParams(location.hash.slice(1));
  if (!["edit", "game", "board"].some((name) => at.has(name))) return false;
  try {
    if (at.has("edit")) await edit(at.get("edit"), toEdit(at));
    else {
      loads += 1;
      const [own, wanted] = [loads, location.hash];
      const next = await working(fromAddress);
      // Another address may be there by now.
      if (own !== loads || location.hash !== wanted) return true;
      showEditor(false);
      begin(next, false);
    }
  } catch (error) {
    showNothing(`This link cannot be shown. ${error.message}`);
  }
  return true;
}

/** The board of a link to the editor. */
function toEdit(at) {
  if (!GAMES.some(({ id }) => id === at.get("edit"))) throw new Error(`There is no game ${at.get("edit")} to be played here.`);
  const board = unpack(at.get("board") ?? "");
  check(board, /^(\d{1,3}|#|h)$/);
  if (board.length > MOST || board[0].length > MOST) throw new Error(`Boards up to ${MOST} × ${MOST} can be edited here.`);
  return board;
}
addEventListener("popstate", open);

if (!(await open())) await makeNew(true);
