// The page Play: a puzzle, its tools, its keys, and its address.

import * as api from "./api.js";
import { BoardView, rowCol } from "./board.js";
import { drawing, Editor, pack, tiles, unpack } from "./editor.js";
import { $, seed, times } from "./page.js";
import { fact, Puzzle, rows } from "./puzzle.js";
import { Slide } from "./slide.js";

const SQUARES = ["4x4", "5x5", "6x6", "7x7", "8x8", "9x9", "10x10"];
const GAMES = [
  { id: "hidato", name: "Hidato", sizes: SQUARES, usual: "6x6" },
  { id: "numbrix", name: "Numbrix", sizes: SQUARES, usual: "7x7" },
  { id: "hopido", name: "Hopido", sizes: SQUARES.slice(1), usual: "6x6" },
  { id: "diplomatico", name: "Diplomatico", sizes: SQUARES.slice(1), usual: "6x6" },
  { id: "knight-tours", name: "Knight's tour", sizes: SQUARES.slice(1), usual: "6x6" },
  { id: "king-tours", name: "King's tour", sizes: SQUARES, usual: "5x5" },
  { id: "square-slide", name: "Sliding squares", sizes: ["2x3", "3x3", "3x4", "4x4"], usual: "3x3" },
  { id: "hex-slide", name: "Sliding hexagons", sizes: ["P2x3", "P3x3", "P3x4", "T4", "F2", "F3"], usual: "P3x3" },
];
const isSlide = (game) => game.endsWith("-slide");

const still = matchMedia("(prefers-reduced-motion: reduce)");

let puzzle;
let view;
/** What is marked: conflicting cells, the cell of a hint. */
let marks = { wrong: new Set(), hint: new Set() };
let offered;
let isSolved = false;
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

async function fromAddress() {
  const at = new URLSearchParams(location.hash.slice(1));
  const [game, board] = [at.get("game"), at.get("board")];
  if (!GAMES.some((known) => known.id === game) || !board) return undefined;
  if (isSlide(game)) {
    const start = at.get("start");
    if (!start) return undefined;
    return Slide.open(game, board, Slide.unpack(at.get("tiles") ?? start), Slide.unpack(start));
  }
  const placed = (at.get("placed") ?? "").split("_").filter(Boolean).map((part) => {
    const [row, col, number] = part.split("-").map(Number);
    return [`${row},${col}`, number];
  });
  return Puzzle.open(game, unpacked(board), placed);
}

// What is said, and what is offered with it.
function say(text, kind = "", offer) {
  const line = $("say");
  line.textContent = text;
  line.className = `say ${kind}`;
  offered = offer;
  $("offer").hidden = !offer;
}

/** Work that the server does; what it refuses is said. */
async function work(task) {
  busy += 1;
  document.body.classList.add("busy");
  try {
    return await task();
  } catch (error) {
    say(error.message, "bad");
    return undefined;
  } finally {
    busy -= 1;
    if (!busy) document.body.classList.remove("busy");
  }
}

function clearMarks() {
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
async function changed() {
  clearMarks();
  say("");
  isSolved = false;
  if (puzzle.past.length) clock.go();
  show();
  history.replaceState(null, "", address());
  if (puzzle instanceof Slide ? puzzle.isSolved : puzzle.isFull) {
    const asked = puzzle;
    const answer = await work(() => puzzle.check());
    if (!answer || puzzle !== asked) return;
    if (answer.value.standing === "none") tellWrong(answer);
    else win();
  }
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
    const slides = puzzle.from(cell);
    if (slides.length === 0) return;
    if (slides.length > 1) {
      // The tile could go to several holes, or several tiles here: the player says which.
      choose(cell, slides);
      return;
    }
    await slide(slides[0]);
    return;
  }
  if (erases) {
    if (puzzle.put(cell, undefined)) changed();
    return;
  }
  if (puzzle.at(cell)) {
    puzzle.takeUp(cell);
    show();
    if (puzzle.hand) say(`Next: ${puzzle.hand}.`);
  } else if (puzzle.hand && puzzle.put(cell, puzzle.hand)) {
    puzzle.goOn();
    await changed();
  }
}

/** Marks where a tile can go; the next press says which. */
function choose(cell, slides) {
  const others = new Map(slides.map((slide) => [slide.from === cell ? slide.to : slide.from, slide]));
  marks.hint = new Set(others.keys());
  show();
  say("Choose one of the marked cells.");
  const usual = view.on.press;
  view.on.press = (other) => {
    view.on.press = usual;
    clearMarks();
    const wanted = others.get(other);
    if (wanted) slide(wanted);
    else {
      say("");
      show();
      if (other !== cell) press(other);
    }
  };
}

async function slide(which) {
  await work(() => puzzle.slide(which));
  view.focus(which.to);
  await changed();
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
  if (goesOn && puzzle.numbers.get(cell) === Number(typed.text)) puzzle.undo();
  typed = { cell, text, at: now };
  if (puzzle.put(cell, number)) {
    puzzle.hand = number;
    puzzle.step = 1;
    puzzle.goOn();
  } else if (number > puzzle.last || puzzle.clues.has(puzzle.where(number))) {
    const isClue = number <= puzzle.last && !puzzle.clues.has(cell);
    if (isClue && String(puzzle.last).length > text.length) return;
    changed().then(() => say(isClue ? `${number} is on the board already.` : "", "bad"));
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
  } else if (/^[0-9]$/.test(name) && puzzle instanceof Puzzle) type(cell, name);
  else if (name === "delete" || name === "backspace") clear(cell);
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
  if (puzzle instanceof Slide) await work(() => puzzle[which]());
  else {
    const cell = puzzle[which]();
    if (cell) view.svg.contains(document.activeElement) && view.focus(cell);
  }
  await changed();
}

async function hint() {
  clock.go();
  const asked = puzzle;
  const answer = await work(() => puzzle.hint());
  if (!answer || puzzle !== asked) return;
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
      return changed();
    });
  }
  show();
}

async function check() {
  const asked = puzzle;
  const answer = await work(() => puzzle.check());
  if (!answer || puzzle !== asked) return;
  clearMarks();
  if (answer.value.standing === "none") tellWrong(answer);
  else {
    show();
    say(answer.notes?.[0] ?? "Nothing is wrong so far.", "good");
  }
}

let running = 0;
/** Shows the solution, step by step unless motion is not wanted. */
async function solve() {
  const asked = puzzle;
  const way = await work(() => puzzle.solution());
  if (!way || puzzle !== asked) {
    if (way === undefined && puzzle === asked && !$("say").textContent) say("There is none, or it was not found in time.");
    return;
  }
  clock.stop();
  running += 1;
  const own = running;
  const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));
  if (puzzle instanceof Slide) {
    for (const tiles of way.slice(1)) {
      if (own !== running || puzzle !== asked) return;
      await work(() => puzzle.slide({ then: tiles }));
      show();
      await pause(still.matches ? 0 : Math.min(300, 6000 / way.length));
    }
  } else {
    const missing = way.map((cell, at) => [cell, at + 1]).filter(([cell]) => !puzzle.clues.has(cell));
    const wrong = [...puzzle.numbers].filter(([cell, number]) => way[number - 1] !== cell);
    if (wrong.length) puzzle.change(wrong.map(([cell]) => [cell, undefined]));
    for (const [cell, number] of missing) {
      if (own !== running || puzzle !== asked) return;
      if (!puzzle.put(cell, number)) continue;
      if (!still.matches) {
        show();
        await pause(Math.min(120, 3000 / missing.length));
      }
    }
    puzzle.hand = null;
  }
  clearMarks();
  isSolved = true;
  show();
  history.replaceState(null, "", address());
  say("This is the solution. Undo takes it back step by step.", "good");
}

// Beginning.
function begin(next, isNew) {
  puzzle = next;
  running += 1;
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
  view = new BoardView($("board"), puzzle.layout, { press, clear, key });
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
  $("levels").hidden = isSlide(game.id);
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
  if (next && own === loads) {
    showEditor(false);
    begin(next, isNew);
  }
  return next;
}

function makeNew(isFirst = false) {
  const [game, size, level] = [$("game").value, $("size").value, $("level").value];
  say("Making a puzzle …");
  const make = () =>
    isSlide(game) ? Slide.make(game, size, seed()) : Puzzle.make(game, size, level, seed());
  return load(make, !isFirst);
}

// The editor takes the place of the board and its tools.
function showEditor(isShown) {
  $("editor").hidden = !isShown;
  $("tools").hidden = isShown;
  $("edit").disabled = isShown;
  $("clock").parentElement.hidden = isShown;
  document.body.classList.toggle("editing", isShown);
}

/** Edits a board: words, or the name of a shape. */
async function edit(game, board) {
  loads += 1;
  clock.stop();
  running += 1;
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
      ? Slide.make(this.game, this.place, seed(), { holes })
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
$("undo").addEventListener("click", () => step("undo"));
$("redo").addEventListener("click", () => step("redo"));
$("hint").addEventListener("click", hint);
$("check").addEventListener("click", check);
$("solve").addEventListener("click", solve);
$("lower").addEventListener("click", () => turn(-1));
$("higher").addEventListener("click", () => turn(1));
$("print").addEventListener("click", () => print());
$("take").addEventListener("click", () => offered?.());
$("leave").addEventListener("click", () => {
  clearMarks();
  say("");
  show();
});
$("erase").addEventListener("click", () => {
  erases = !erases;
  $("erase").setAttribute("aria-pressed", erases);
});
$("again").addEventListener("click", async () => {
  if (puzzle instanceof Slide) await work(() => puzzle.restart());
  else puzzle.clearAll();
  await changed();
});
$("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied: it has the puzzle and what you placed.", "good");
  } catch {
    say("Copy the address of this page: it has the puzzle and what you placed.");
  }
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
  const board = unpack(at.get("board") ?? "");
  const isBoard = board.every((row) => row.length === board[0].length && row.every((word) => /^(\d{1,3}|#|h)$/.test(word)));
  if (GAMES.some(({ id }) => id === at.get("edit")) && isBoard) {
    await edit(at.get("edit"), board);
    return true;
  }
  return Boolean(await load(fromAddress, false));
}
addEventListener("popstate", open);

const first = location.hash.length > 1 && (await open());
if (!first) await makeNew(true);
