// Asking the server. Everything goes through here: errors become sentences, and a token is
// asked for where the server needs one.

const ROOT = "/api/v1";
const TOKEN = "pessoi-token";

/** What the server said is wrong: its code, its field, and its sentence as the message. */
export class Refused extends Error {
  constructor(status, fault) {
    // Options have dashes where they are typed, and none in a page.
    super(fault.sentence.replace(/(^|[\s(])--([a-z])/g, "$1$2"));
    this.status = status;
    this.code = fault.code;
    this.field = fault.field;
  }
}

async function send(method, path, body, { accept, signal, headers = {} } = {}) {
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (accept) headers.Accept = accept;
  const text = body === undefined ? undefined : JSON.stringify(body);
  let reply;
  try {
    reply = await fetch(ROOT + path, { method, headers, body: text, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, { code: "io", sentence: "The server cannot be reached." });
  }
  if (reply.status === 401) {
    // Another request may have asked for it in between.
    const isNew = sessionStorage.getItem(TOKEN) !== token;
    if (isNew || (await askForToken())) return send(method, path, body, { accept, signal, headers });
  }
  if (!reply.ok) {
    const fault = await reply.json().catch(() => ({ sentence: `The server said ${reply.status}.` }));
    throw new Refused(reply.status, fault);
  }
  return reply;
}

/** Asks for a token in a dialog, one for all who wait; says whether one was given. */
let asking;
function askForToken() {
  asking ??= new Promise((resolve) => {
    const dialog = document.createElement("dialog");
    const form = document.createElement("form");
    form.method = "dialog";
    const label = document.createElement("label");
    label.textContent = "This server needs a token. ";
    const input = document.createElement("input");
    input.type = "password";
    input.required = true;
    input.autocomplete = "current-password";
    const button = document.createElement("button");
    button.className = "first";
    button.textContent = "Go on";
    label.append(input);
    form.append(label, button);
    dialog.append(form);
    dialog.addEventListener("close", () => {
      const given = input.value.trim();
      dialog.remove();
      if (given) sessionStorage.setItem(TOKEN, given);
      asking = undefined;
      resolve(Boolean(given));
    });
    document.body.append(dialog);
    dialog.showModal();
  });
  return asking;
}

const json = async (reply) => (await reply).json();

export const about = () => json(send("GET", "/about"));
export const games = () => json(send("GET", "/games"));
export const game = (name) => json(send("GET", `/games/${name}`));
export const board = (place) => json(send("POST", "/boards", { place }));
export const papers = () => json(send("GET", "/papers"));
export const paper = (name) => json(send("GET", `/papers/${name}`));
export const plan = (asking, signal) => json(send("POST", "/plans", asking, { signal }));
export const submit = (asking) => json(send("POST", "/jobs", asking));
export const job = (id) => json(send("GET", `/jobs/${id}`));
export const jobs = () => json(send("GET", "/jobs"));
export const cancel = (id) => json(send("DELETE", `/jobs/${id}`));
export const verify = (id) => json(send("POST", `/jobs/${id}/verdict`));

/** An answer at once: { verb, game, place, options } and limits. */
export function answer(question, limits, signal) {
  const asking = limits ? { question, limits } : { question };
  return json(send("POST", "/answers", asking, { signal, accept: "application/json" }));
}

/** A list at once: its lines, and the answer, which is the last. */
export async function list(question, limits = {}, signal) {
  const reply = await send("POST", "/answers", { question, limits }, { signal, accept: "application/json" });
  const lines = (await reply.text()).trimEnd().split("\n").map((line) => JSON.parse(line));
  return [lines.slice(0, -1), lines.at(-1)];
}

/** The picture of an answer at once, as a blob. */
export async function picture(question, limits = {}, signal) {
  return (await send("POST", "/answers", { question, limits }, { signal, accept: "image/svg+xml" })).blob();
}

/** The answer of a job in a format, as a blob: a plot may be of a table that is named, and `first`
 * is for the first solutions alone. */
export async function written(id, format, { table, first } = {}) {
  const query = new URLSearchParams({ format });
  if (table) query.set("table", table);
  if (first !== undefined) query.set("first", first);
  const reply = await send("GET", `/jobs/${id}/answer?${query}`);
  return reply.blob();
}

/** The pauses before a connection that broke off is tried again, in milliseconds. */
const PAUSES = [500, 1000, 2000, 4000, 8000];

/** Whether it makes no sense to ask again: the server knows what is asked, and refuses it. */
const isFinal = ({ status }) => status >= 400 && status < 500 && status !== 429;

/** Follows a job: calls `on[event]` with the data of each event, until its end; `on.lost` when the
 * connection broke off. The job may go on without it, and after the server began again. */
export async function follow(id, on, signal) {
  let [seen, lost] = [0, 0];
  for (;;) {
    try {
      const reply = await send("GET", `/jobs/${id}/events`, undefined, {
        signal,
        headers: { "Last-Event-ID": String(seen) },
      });
      const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
        const events = text.split("\n\n");
        text = events.pop();
        for (const event of events) {
          const field = (name) =>
            event.split("\n").find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1).trim();
          const [name, data, number] = ["event", "data", "id"].map(field);
          if (number) seen = Number(number);
          if (name && data) on[name]?.(JSON.parse(data));
          if (name === "end") return;
          lost = 0;
        }
      }
    } catch (error) {
      if (error.name === "AbortError" || signal?.aborted || isFinal(error)) throw error;
    }
    on.lost?.();
    await pause(PAUSES[Math.min(lost, PAUSES.length - 1)], signal);
    lost += 1;
  }
}

function pause(milliseconds, signal) {
  return new Promise((resume, stop) => {
    const end = setTimeout(resume, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(end);
      stop(signal.reason);
    }, { once: true });
  });
}
