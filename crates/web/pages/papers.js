// The page Papers: published values beside what was computed, table by table, with what to think of
// each and the questions that give it again.

import * as api from "./api.js";
import { $, about, askLink, el, grouped, Latest, seconds } from "./page.js";

const VERDICTS = {
  agrees: "agrees",
  "paper-wrong": "paper wrong",
  argued: "paper wrong, argued",
  disagrees: "disagrees",
  new: "new",
  "not-recomputed": "not recomputed",
  "over-budget": "not computed yet",
  "gave-up": "gave up",
  ambiguous: "ambiguous",
  timed: "time",
};
/** What can be shown alone, and the verdicts that it takes. */
const CHOICES = [
  ["all", "everything", undefined],
  ["wrong", "what is wrong in the paper", ["paper-wrong", "argued", "disagrees"]],
  ["new", "what is new", ["new"]],
  ["open", "what is not computed or not judged", ["not-recomputed", "over-budget", "gave-up", "ambiguous"]],
];

const latest = new Latest();
let paper;

/** Long numbers by their ends. */
function shorter(text) {
  if (text.length <= 46) return /^\d+$/.test(text) ? grouped(text) : text;
  const isNumber = /^\d+$/.test(text);
  return isNumber ? `${text.slice(0, 16)}…${text.slice(-12)} (${text.length} digits)` : `${text.slice(0, 42)}…`;
}

function value(text) {
  const node = el("span", { textContent: text ? shorter(text) : "–" });
  if (text && text.length > 46) node.title = text;
  return node;
}

/** What is published, and when something else counts as the same. */
function published({ published: text, compare }) {
  if (!text) return [value(text)];
  const before = { "at-least": "at least ", "at-most": "at most " }[compare] ?? "";
  const after = compare?.within ? ` ± ${about(100 * compare.within)} %` : "";
  return [before, value(text), after];
}

function rests(support) {
  if (!support) return "";
  switch (support.kind) {
    case "confirmed": return `confirmed by ${support.by.join(" and ")}`;
    case "checked": return `${support.method}, and checked`;
    case "one-method": return `one method: ${support.method}`;
    default: return `not confirmed: ${support.methods.join(" and ")} share code`;
  }
}

/** A question as it is typed, whose lines do not break within an option. */
const typed = (ask) =>
  ask.split(/(?=\s--)/).flatMap((part) => {
    const [, space, option, rest] = /^(\s?)(--\S+)?(.*)$/s.exec(part);
    return [space, el("span", { className: "whole", textContent: option ?? "" }), rest];
  });

const HEADS = ["value", "published", "computed", "verdict", "time", "rests on", "question"];

const occasion = ({ run }) => `run of ${run.date}, version ${run.pessoi}`;

function row(line, isSameRun) {
  const name = [line.at, line.of].filter(Boolean).join(", ");
  const verdict = el("span", { className: `verdict ${line.verdict}`, textContent: VERDICTS[line.verdict] });
  const notes = [];
  if (line.why) notes.push(el("p", { className: "small", textContent: line.why }));
  if (line.run && !isSameRun) notes.push(el("p", { className: "small", textContent: occasion(line) }));
  if (line.verdict === "timed") notes.push(el("p", { className: "small", textContent: `${about(line.ratio)} times as fast` }));
  const time = [line.seconds === null ? "" : seconds(line.seconds)];
  if (line.paper_seconds !== null) time.push(el("p", { className: "small", textContent: `paper: ${seconds(line.paper_seconds)}` }));
  const asks = line.ask.map((ask) => {
    const asking = paper.questions[ask];
    return el("li", {}, asking ? el("a", { href: askLink(asking) }, ...typed(ask)) : ask);
  });
  const cells = [
    published(line), [value(line.computed)], [verdict, ...notes], time, [rests(line.support)],
    asks.length ? [el("ul", { className: "asks" }, ...asks)] : [],
  ];
  return el("tr", {}, el("th", { scope: "row", textContent: name }), ...cells.map((cell) => el("td", {}, ...cell)));
}

function section(table, lines, isOpen) {
  const id = `table-${paper.tables.indexOf(table)}`;
  const heads = HEADS.map((text) => el("th", { scope: "col", textContent: text }));
  const body = el("div", { className: "body" });
  const count = (verdict) => lines.filter((line) => line.verdict === verdict).length;
  const said = [`${lines.length} ${lines.length === 1 ? "value" : "values"}`];
  const wrong = count("paper-wrong") + count("argued");
  if (wrong) said.push(`${wrong} wrong in the paper`);
  if (count("disagrees")) said.push(`${count("disagrees")} disagree`);
  if (count("new")) said.push(`${count("new")} new`);
  const head = el("h3", { id, textContent: `${table.name}: ${table.title}` });
  const details = el("details", { className: "card paper-table" },
    el("summary", {}, head, el("span", { className: "small", textContent: said.join(" · ") })), body);
  // A table is made when it is opened: a paper has hundreds of rows.
  const fill = () => {
    if (!details.open || body.firstChild) return;
    if (table.about) body.append(el("p", { className: "small", textContent: table.about }));
    // What all rows share is said once.
    const runs = new Set(lines.filter((line) => line.run).map(occasion));
    if (runs.size === 1) body.append(el("p", { className: "small", textContent: `Computed in a ${[...runs][0]}.` }));
    const rows = lines.map((line) => row(line, runs.size === 1));
    const frame = el("div", { className: "scroll", tabIndex: 0 },
      el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)));
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-labelledby", id);
    body.append(frame);
  };
  details.addEventListener("toggle", fill);
  details.open = isOpen;
  fill();
  return details;
}

function show() {
  const chosen = document.querySelector("[name=which]:checked").value;
  const [, , verdicts] = CHOICES.find(([id]) => id === chosen);
  const wanted = (line) => !verdicts || verdicts.includes(line.verdict);
  const sections = [];
  let values = 0;
  for (const table of paper.tables) {
    const lines = table.lines.filter(wanted);
    values += lines.length;
    if (lines.length) sections.push(section(table, lines, Boolean(verdicts) || sections.length === 0));
  }
  $("tables").replaceChildren(...sections);
  $("shown").textContent = `${values} ${values === 1 ? "value" : "values"} in ${sections.length} ${sections.length === 1 ? "table" : "tables"}.`;
}

async function open() {
  const at = new URLSearchParams(location.hash.slice(1));
  const links = [...$("list").querySelectorAll("a")];
  const name = links.some((link) => link.dataset.name === at.get("paper")) ? at.get("paper") : links[0].dataset.name;
  for (const link of links) {
    if (link.dataset.name === name) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  latest.begin();
  const { signal } = latest.controller;
  const next = await api.paper(name);
  if (signal.aborted) return;
  paper = next;
  $("title").textContent = paper.title;
  $("authors").textContent = `${paper.authors}, ${paper.year}`;
  document.title = `${paper.title} · Pessoi`;
  const all = paper.tables.flatMap((table) => table.lines);
  const shown = at.get("show");
  $("which").replaceChildren($("which").firstElementChild, ...CHOICES.map(([id, words, verdicts]) => {
    const many = all.filter((line) => !verdicts || verdicts.includes(line.verdict)).length;
    const isShown = id === shown || (id === "all" && !CHOICES.some(([known]) => known === shown));
    return el("label", {}, el("input", { type: "radio", name: "which", value: id, checked: isShown, disabled: !many }), ` ${words} (${many})`);
  }));
  show();
}

const tell = (error) => { $("say").textContent = error.message; };

$("which").addEventListener("change", () => {
  const chosen = document.querySelector("[name=which]:checked").value;
  history.replaceState(null, "", `#${new URLSearchParams({ paper: paper.name, show: chosen })}`);
  show();
});
addEventListener("hashchange", () => open().catch(tell));

try {
  const papers = await api.papers();
  $("list").replaceChildren(...papers.map(({ name, title, year }) => {
    const link = el("a", { href: `#paper=${name}`, textContent: `${name} (${year})`, title });
    link.dataset.name = name;
    return link;
  }));
  await open();
} catch (error) {
  tell(error);
}
