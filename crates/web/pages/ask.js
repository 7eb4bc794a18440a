// The page Ask: a form for each game and verb, made from its schema; the plan; the job as it goes
// on; and its answer.

import * as api from "./api.js";
import { pathPicture } from "./board.js";
import { $, about, copy, el, grouped, linked, seconds } from "./page.js";

/** Verbs whose solutions can be many: of these the first few are shown. */
const STREAMS = ["list", "classify"];
/** How many. */
const FEW = 12;

let games = [];
let following;
let shown;
let picture;

const card = () => games.find((known) => known.name === $("game").value);
const verb = () => card().verbs[$("verb").value];

// The form.
function fillVerbs(wanted) {
  const names = Object.keys(card().verbs);
  const usual = names.includes(wanted) ? wanted : names.includes("count") ? "count" : names[0];
  $("verb").replaceChildren(...names.map((name) => new Option(name, name, false, name === usual)));
  fillForm();
}

/** The value of a place or an option, by its schema. */
function placeHelp({ place }) {
  if (!place) return "";
  return (place.anyOf ?? [place]).map((one) => one.description).join("; or ");
}

function fillForm() {
  const { text, question } = verb();
  $("about").textContent = `${text}. ${card().rules}`;
  const { properties, required } = question;
  $("place-field").hidden = !properties.place;
  $("place").required = required.includes("place");
  $("place-help").textContent = placeHelp(properties);
  const rows = Object.entries(properties.options.properties).map(([name, schema]) => field(name, schema));
  $("options").replaceChildren(...rows);
  $("planned").hidden = true;
  clearErrors();
}

/** A field for an option. */
function field(name, schema) {
  const id = `option-${name}`;
  const help = el("p", { id: `${id}-help`, className: "small", textContent: schema.description });
  const error = el("p", { id: `${id}-error`, className: "error", role: "alert" });
  const described = `${id}-help ${id}-error`;
  let [input, file] = [undefined, []];
  if (schema.type === "boolean") {
    input = el("input", { type: "checkbox", id, name });
    input.setAttribute("aria-describedby", described);
    return el("div", { className: "field check" }, el("label", {}, input, ` ${name}`), help, error);
  }
  if (schema.enum) {
    input = el("select", { id, name }, new Option(schema.default ? `${schema.default} (default)` : "–", ""));
    for (const word of schema.enum) if (word !== schema.default) input.append(new Option(word, word));
  } else if (schema.contentMediaType) {
    input = el("textarea", { id, name, rows: 3, autocapitalize: "off", spellcheck: false });
    file = fileFor(input);
  } else {
    input = el("input", { id, name, autocapitalize: "off", spellcheck: false });
    const whole = schema.type === "integer" ? schema : schema.anyOf?.find((one) => one.type === "integer");
    if (whole && schema.type === "integer") input.inputMode = "numeric";
    if (schema.default !== undefined) input.placeholder = String(schema.default);
  }
  input.setAttribute("aria-describedby", described);
  return el("div", { className: "field" }, el("label", { htmlFor: id, textContent: name }), input, ...file, help, error);
}

/** What chooses a file whose text is to stand in a field. */
function fileFor(area) {
  const input = el("input", { type: "file", id: `${area.id}-file` });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    area.value = await file.text();
    fit(area);
  });
  return [el("label", { className: "small", htmlFor: input.id, textContent: "or read it from a file" }), input];
}

/** Whole numbers are numbers in JSON; larger ones than it can hold stay as they are written. */
const number = (text) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : text);

function asking() {
  const question = { verb: $("verb").value, game: $("game").value };
  const place = $("place").value;
  if (!$("place-field").hidden && place.trim()) question.place = number(place.trim().includes("\n") ? place : place.trim());
  const options = {};
  const schemas = verb().question.properties.options.properties;
  for (const input of $("options").querySelectorAll("[name]:not([type=file])")) {
    if (input.type === "checkbox") {
      if (input.checked) options[input.name] = true;
    } else if (input.value.trim()) {
      // A drawing needs its lines as they are.
      const text = input.value.trim().includes("\n") ? input.value : input.value.trim();
      const isNumber = schemas[input.name].type === "integer" || schemas[input.name].anyOf;
      options[input.name] = isNumber ? number(text) : text;
    }
  }
  if (Object.keys(options).length) question.options = options;
  const limits = {};
  for (const name of ["time", "memory", "seed"]) {
    const text = $(`limit-${name}`).value.trim();
    if (text) limits[name] = text;
  }
  return Object.keys(limits).length ? { question, limits } : { question };
}

function clearErrors() {
  for (const error of document.querySelectorAll(".error")) error.textContent = "";
  for (const input of document.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
}

/** Says what is wrong beside its field, if it has one here. */
function tell(error) {
  const name = error.field ?? "";
  const [id, input] = name.startsWith("options.")
    ? [`option-${name.slice(8)}-error`, `option-${name.slice(8)}`]
    : name.startsWith("limits.")
      ? [`${name.slice(7)}-error`, `limit-${name.slice(7)}`]
      : name === "place" ? ["place-error", "place"] : ["error", ""];
  ($(id) ?? $("error")).textContent = error.message;
  const wrong = input && $(input);
  if (wrong) {
    wrong.setAttribute("aria-invalid", "true");
    wrong.closest("details")?.setAttribute("open", "");
    wrong.focus();
  }
}

// Numbers as people read them.
function bytes(value) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; value >= 1024 && unit < 4; unit += 1) value /= 1024;
  return `${about(value)} ${units[unit]}`;
}

// The plan.
async function showPlan() {
  clearErrors();
  $("plan").disabled = true;
  try {
    const plan = await api.plan(asking());
    const costs = [
      ["Method", `${plan.method.by ?? plan.method.id}: ${plan.method.text ?? ""}`],
      ["Why", plan.why],
      ["Time", plan.seconds !== undefined && `about ${seconds(plan.seconds)}`],
      ["Nodes", plan.nodes !== undefined && `about ${about(plan.nodes)}`],
      ["Borders", plan.borders !== undefined && `about ${about(plan.borders)}`],
      ["States", plan.states !== undefined && `about ${about(plan.states)}`],
      ["Memory", plan.bytes !== undefined && `about ${bytes(plan.bytes)}`],
    ];
    const list = el("dl", { className: "facts" });
    for (const [name, value] of costs) {
      if (value) list.append(el("div", {}, el("dt", { textContent: name }), el("dd", { textContent: value })));
    }
    const notes = (plan.notes ?? []).map((note) => el("p", { className: "small", textContent: note }));
    $("plan-says").replaceChildren(list, ...notes);
    $("planned").hidden = false;
  } catch (error) {
    tell(error);
  } finally {
    $("plan").disabled = false;
  }
}

// The job.
const titled = ({ question }) =>
  [question.verb, question.game, question.place ?? "", ...Object.entries(question.options ?? {}).map(([name, value]) =>
    value === true ? name : `${name} ${value}`)].filter(Boolean).join(" ").replaceAll("\n", " / ");

const STATES = {
  queued: "It waits for its turn.",
  running: "It is under way.",
  done: "Done.",
  failed: "It failed.",
  cancelled: "Cancelled.",
  interrupted: "The server ended while it was under way. Ask again to begin anew.",
};

async function run() {
  clearErrors();
  $("run").disabled = true;
  try {
    const job = await api.submit(asking());
    history.pushState(null, "", `#job=${job.id}`);
    fillRecent();
    await open(job.id);
  } catch (error) {
    tell(error);
  } finally {
    $("run").disabled = false;
  }
}

/** Shows a job, and follows it to its end. */
async function open(id) {
  following?.abort();
  following = new AbortController();
  const { signal } = following;
  shown = undefined;
  $("answer").hidden = true;
  $("found").replaceChildren();
  try {
    let job = await api.job(id);
    showJob(job);
    if (!job.ended) {
      let found = 0;
      await api.follow(id, {
        progress: (now) => showJob(now, found),
        solution: (solution) => {
          found += 1;
          showFound(solution, found);
        },
        lost: () => { $("ended").textContent = "The connection broke off: it is tried again."; },
        end: (now) => { job = now; },
      }, signal);
      showJob(job, found);
    }
    if (job.has_answer) await showAnswer(job);
  } catch (error) {
    if (error.name !== "AbortError") {
      $("job").hidden = false;
      $("ended").textContent = error.message;
    }
  }
  fillRecent();
}

function showJob(job, found = 0) {
  $("job").hidden = false;
  $("job-title").textContent = titled(job);
  const isOpen = ["queued", "running"].includes(job.state);
  $("cancel").hidden = !isOpen;
  $("cancel").dataset.id = job.id;
  $("bar").hidden = !isOpen;
  const far = job.progress;
  const words = [];
  if (far && isOpen) {
    words.push(far.stage || "working");
    if (far.total) words.push(`${grouped(far.done)} of ${grouped(far.total)}`);
    words.push(`${grouped(Math.round(far.a_second))} steps a second`, bytes(far.bytes), seconds(far.seconds));
    if (far.rest !== undefined) words.push(`about ${seconds(far.rest)} left`);
    if (found) words.push(`${found >= 1000 ? "1000 or more" : found} found`);
  } else if (job.ahead) words.push(`${job.ahead} before it`);
  if (far?.total && isOpen) {
    $("bar").max = far.total;
    $("bar").value = far.done;
  } else $("bar").removeAttribute("value");
  $("far").textContent = words.join(" · ");
  const said = job.error ? `${STATES[job.state]} ${job.error.sentence}` : STATES[job.state];
  if ($("ended").textContent !== said) $("ended").textContent = said;
}

/** A solution as it is found: a path is drawn, and of positions the last one. */
function showFound({ cells, closed, drawings }, number) {
  if (number > FEW) return;
  const shown = cells?.length ? pathPicture(cells, closed) : el("pre", { textContent: drawings?.at(-1) ?? "" });
  const label = cells?.length ? `Solution ${number}: ${cells.join(" ")}` : `Solution ${number}`;
  const item = el("li", { title: cells?.join(" ") ?? "" }, shown, el("span", { className: "hidden", textContent: label }));
  $("found").append(item);
}

// The answer.
function valueOf({ value, subject }) {
  const things = value.number === "1" ? (subject.one ?? subject.text) : subject.text;
  switch (value.standing) {
    case "exact": return [grouped(value.number), `${things}, exactly`];
    case "at-least": return [`${grouped(value.number)}`, `${things}${value.stop ? `, and perhaps more: ${limit(value.stop)}` : "; there may be more"}`];
    case "residue": return [`${grouped(value.residue)} mod ${grouped(value.modulus)}`, subject.text];
    case "estimated": {
      const interval = value.interval;
      const power = (log) => (log < 15 ? about(10 ** log) : `${(10 ** (log % 1)).toFixed(3)}·10^${Math.floor(log)}`);
      return [`about ${power(value.log10_mean)}`, `${subject.text}${interval ? `, between ${power(interval.log10_low)} and ${power(interval.log10_high)} at ${interval.confidence * 100} %` : ""}`];
    }
    case "none": return ["None", `There are no ${subject.text}. Proof: ${value.proof}.`];
    case "gave-up": return ["Unknown", `Nothing can be said: ${limit(value.stop)}.`];
    default: return ["", subject.text];
  }
}

const limit = (stop) => stop.text ?? { time: `the time limit of ${stop.seconds} s passed`, memory: `the memory limit of ${bytes(stop.bytes ?? 0)} was reached`, cancelled: "it was cancelled" }[stop.limit] ?? stop.limit;

async function showAnswer(job) {
  // Of a list the first few are enough to look at.
  const first = STREAMS.includes(job.question.verb) ? FEW : undefined;
  const text = await (await api.written(job.id, "json", { first })).text();
  // Lists are lines, and the answer is the last.
  const lines = first === undefined ? [text] : text.trimEnd().split("\n");
  const answer = JSON.parse(lines.pop());
  if (!$("found").children.length) lines.forEach((line, at) => showFound(JSON.parse(line), at + 1));
  shown = job;
  const [number, what] = valueOf(answer);
  $("value").replaceChildren(el("strong", { textContent: number }), ` ${what}`);
  $("value").classList.toggle("long", number.length > 30);
  const cost = [`${answer.method.text ?? answer.method.id}`, seconds(answer.cost.seconds)];
  if (answer.cost.nodes) cost.push(`${grouped(answer.cost.nodes)} nodes`);
  if (answer.cost.borders) cost.push(`${grouped(answer.cost.borders)} borders`);
  $("how").textContent = cost.join(" · ");
  $("notes").replaceChildren(...(answer.notes ?? []).map((note) => el("li", { textContent: note })));
  const facts = answer.facts?.length
    ? [table({ title: "Facts", columns: [{ text: "what", kind: "text" }, { text: "value", kind: "text" }], rows: answer.facts.map((fact) => [fact.text, /^-?\d{5,}$/.test(fact.value) ? grouped(fact.value) : fact.value]) })]
    : [];
  const terms = answer.sequence?.terms?.length
    ? [table({ title: answer.sequence.text, columns: [{ text: "n", kind: "integer" }, { text: "term", kind: "integer" }], rows: answer.sequence.terms.map((term) => [term.n, term.value]) })]
    : [];
  $("tables").replaceChildren(...facts, ...terms, ...(answer.tables ?? []).map(table));
  const { formats } = games.find((known) => known.name === job.question.game).verbs[job.question.verb];
  $("format").replaceChildren(...formats.map((format) => new Option(`${format.id}: ${format.text}`, format.id)));
  $("verdict").textContent = "";
  $("answer").hidden = false;
  // A number alone, or words, have no picture.
  const hasNumbers = answer.tables?.some(({ columns, rows }) => rows.length && columns.some(isNumber));
  const hasMore = hasNumbers || [answer.solutions, answer.sequence?.terms].some((list) => list?.length);
  const isDrawn = hasMore || answer.graph;
  fillPlots(answer, formats);
  await showPicture(job, isDrawn ? formats : []);
}

const isNumber = ({ kind }) => ["integer", "float", "decimal"].includes(kind);

/** The tables that have numbers to plot, where there are several. */
function fillPlots(answer, formats) {
  const tables = (answer.tables ?? []).filter(({ columns, rows }) => rows.length > 1 && columns.slice(1).some(isNumber));
  const hasPlots = formats.some(({ id }) => id === "svg") && !answer.solutions?.length;
  $("plots").hidden = !hasPlots || !tables.length;
  $("plotted").replaceChildren(new Option("usual", ""), ...tables.map(({ id, title }) => new Option(title, id)));
}

async function showPicture(job, formats, table) {
  if (picture) URL.revokeObjectURL(picture);
  picture = undefined;
  $("picture").hidden = true;
  if (!formats.some((format) => format.id === "svg")) return;
  try {
    picture = URL.createObjectURL(await api.written(job.id, "svg", { table }));
  } catch (error) {
    // Without a table that was chosen, there is nothing to draw.
    if (table) $("verdict").textContent = error.message;
    return;
  }
  $("image").src = picture;
  $("image").alt = `Picture of the answer to ${titled(job)}`;
  $("picture").hidden = false;
}

/** A table that can be sorted by its columns. */
function table({ title, columns, rows }) {
  const body = el("tbody");
  const isNumeric = columns.map(isNumber);
  const cell = (value, at) => {
    const text = value === null ? "–" : isNumeric[at] && /^-?\d+$/.test(value) ? grouped(value) : String(value);
    return el("td", { textContent: text, className: isNumeric[at] ? "number" : "" });
  };
  const most = 500;
  const fill = (list) => body.replaceChildren(...list.slice(0, most).map((row) => el("tr", {}, ...row.map(cell))));
  fill(rows);
  let sorted = { at: -1, way: 1 };
  const heads = columns.map((column, at) => {
    const button = el("button", { type: "button", textContent: column.text });
    const head = el("th", { scope: "col" }, button);
    button.addEventListener("click", () => {
      sorted = { at, way: sorted.at === at ? -sorted.way : 1 };
      const compare = isNumeric[at]
        ? (a, b) => Number(a[at]) - Number(b[at])
        : (a, b) => String(a[at]).localeCompare(String(b[at]), "en", { numeric: true });
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sorted.way === 1 ? "ascending" : "descending");
      fill([...rows].sort((a, b) => sorted.way * compare(a, b)));
    });
    return head;
  });
  const more = rows.length > most ? [el("p", { className: "small", textContent: `The first ${most} of ${rows.length} rows; save the answer for all.` })] : [];
  const caption = el("caption", { textContent: title });
  const inner = el("table", {}, caption, el("thead", {}, el("tr", {}, ...heads)), body);
  const frame = el("div", { className: "scroll", tabIndex: 0 }, inner);
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", title);
  return el("div", {}, frame, ...more);
}

async function save() {
  const format = $("format").value;
  try {
    const blob = await api.written(shown.id, format);
    const formats = games.find((known) => known.name === shown.question.game).verbs[shown.question.verb].formats;
    const { extension } = formats.find((known) => known.id === format);
    const link = el("a", { href: URL.createObjectURL(blob), download: `${shown.question.game}-${shown.question.verb}.${extension}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    $("verdict").textContent = "";
  } catch (error) {
    $("verdict").textContent = error.message;
  }
}

async function verify() {
  $("verdict").textContent = "Checking …";
  $("verify").disabled = true;
  try {
    const verdict = await api.verify(shown.id);
    const list = verdict.findings;
    const rows = list.map((one) => [one.field, one.standing, one.text]);
    const head = el("p", { className: verdict.holds ? "good" : "", textContent: verdict.holds ? "It holds." : "Not everything could be checked." });
    const columns = ["claim", "standing", "how"].map((text) => ({ text, kind: "text" }));
    $("verdict").replaceChildren(head, table({ title: "Claim by claim", columns, rows }));
  } catch (error) {
    $("verdict").textContent = error.message;
  } finally {
    $("verify").disabled = false;
  }
}

async function fillRecent() {
  const list = await api.jobs().catch(() => []);
  $("none").hidden = list.length > 0;
  $("recent").replaceChildren(...list.slice(0, 20).map((job) =>
    el("li", {}, el("a", { href: `#job=${job.id}`, textContent: titled(job) }), el("span", { className: `state ${job.state}`, textContent: job.state }))));
}

/** Fills in the form with a question and limits. */
function fill(question, limits = {}) {
  if (!games.some((known) => known.name === question.game)) {
    $("error").textContent = `There is no game ${question.game}.`;
    return;
  }
  $("game").value = question.game;
  fillVerbs(question.verb);
  $("place").value = question.place ?? "";
  const lost = [];
  for (const [name, value] of Object.entries(question.options ?? {})) {
    const input = $(`option-${name}`);
    if (!input) lost.push(name);
    else if (input.type === "checkbox") input.checked = value === true;
    // A drawing needs its lines.
    else if (input.tagName === "INPUT" && String(value).includes("\n")) input.replaceWith(drawn(input, value));
    else {
      input.value = value;
      if (input.tagName === "TEXTAREA") fit(input);
    }
  }
  if (lost.length) $("error").textContent = `This question has no option ${lost.join(", ")}: left out.`;
  for (const name of ["time", "memory", "seed"]) $(`limit-${name}`).value = limits[name] ?? "";
  $("limit-seed").closest("details").open = Object.keys(limits).length > 0;
  fitPlace();
}

/** A field of several lines in place of one. */
function drawn({ id, name }, value) {
  const area = el("textarea", { id, name, value, rows: Math.min(16, value.split("\n").length), spellcheck: false });
  area.setAttribute("aria-describedby", `${id}-help ${id}-error`);
  return area;
}

/** A drawing is shown whole. */
function fit(area) {
  area.rows = Math.min(16, area.value.split("\n").length);
}

const fitPlace = () => fit($("place"));

async function fromAddress() {
  const at = new URLSearchParams(location.hash.slice(1));
  const given = linked(at);
  if (given) fill(given.question, given.limits);
  const id = at.get("job");
  if (!id) return;
  try {
    fill((await api.job(id)).question);
  } catch (error) {
    $("error").textContent = error.message;
    return;
  }
  await open(id);
}

$("question").addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
$("game").addEventListener("change", () => fillVerbs($("verb").value));
$("verb").addEventListener("change", fillForm);
$("place").addEventListener("input", fitPlace);
$("plotted").addEventListener("change", () => {
  const { formats } = games.find((known) => known.name === shown.question.game).verbs[shown.question.verb];
  showPicture(shown, formats, $("plotted").value);
});
$("plan").addEventListener("click", showPlan);
$("cancel").addEventListener("click", () => api.cancel($("cancel").dataset.id).catch((error) => {
  $("ended").textContent = error.message;
}));
$("download").addEventListener("click", save);
$("verify").addEventListener("click", verify);
$("link").addEventListener("click", async () => {
  const link = `${location.origin}/ask#job=${shown.id}`;
  $("verdict").textContent = (await copy(link)) ? "The link is copied." : link;
});
addEventListener("popstate", () => games.length && fromAddress());

try {
  games = await api.games();
  $("game").replaceChildren(...games.map(({ name, title }) => new Option(title, name)));
  fill({ game: "diplomatico", verb: "count", place: "5x5" });
  fillRecent();
  await fromAddress();
} catch (error) {
  $("error").textContent = error.message;
  // Without the cards there is no form.
  for (const field of $("question").elements) field.disabled = !games.length;
}
