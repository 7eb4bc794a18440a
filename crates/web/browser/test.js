// The pages in a real browser: puzzles played to their ends by mouse and by keys, hints, links, a
// question with its progress, cancelled; no error on the console, and no serious fault that axe
// finds. Screenshots are left in the folder that is given.
//
//     node test.js http://127.0.0.1:7377 CHROMIUM FOLDER

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [url, executablePath, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const profile = mkdtempSync(join(tmpdir(), "pessoi-browser-"));
const args = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
  "--disable-background-networking", "--disable-component-update",
];
const context = await chromium.launchPersistentContext(profile, {
  executablePath, args, headless: true, viewport: { width: 1180, height: 820 }, reducedMotion: "reduce",
  permissions: ["clipboard-read", "clipboard-write"],
});

const faults = [];
function watched(page) {
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.setDefaultTimeout(60_000);
  return page;
}

const page = watched(await context.newPage());
const shot = (name) => page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
const said = (pattern) => page.locator("#say").filter({ hasText: pattern }).waitFor();

async function sound(name) {
  // Axe is run by the tester: the page's own policy lets no such script in.
  const { violations } = await page.evaluate(`${axe}; axe.run(document)`);
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  const words = serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
  assert.deepEqual(words, [], `axe on ${name}`);
}

/** Asks the server as the page does. */
const answer = (question) =>
  page.evaluate(async (asked) => {
    const body = JSON.stringify({ question: asked });
    const headers = { "Content-Type": "application/json" };
    return (await fetch("/api/v1/answers", { method: "POST", headers, body })).json();
  }, question);

const HIDATO = "#game=hidato&board=1.0.0_0.0.0_0.0.9";
const cell = (name) => page.locator(`[data-cell="${name}"]`);

const tests = {
  async "a new puzzle is there at once"() {
    await page.goto(url);
    await page.locator(".cell").first().waitFor();
    assert.match(page.url(), /#game=hidato&board=/);
    assert.ok((await page.locator(".cell.clue").count()) > 3);
    await sound("play");
    await shot("play-light");
  },

  async "a puzzle is played to its end by mouse"() {
    await page.selectOption("#size", "5x5");
    await page.selectOption("#level", "easy");
    const before = page.url();
    await page.click("#make");
    await page.waitForURL((now) => String(now) !== before);
    const drawing = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("board");
    const place = drawing.split("_").join("\n").replaceAll(".", " ") + "\n";
    const { solutions } = await answer({ verb: "find", game: "hidato", place });
    const way = solutions[0].cells;
    for (let at = 0; at < way.length; at += 1) {
      const here = cell(way[at]);
      if ((await here.getAttribute("class")).includes("clue")) continue;
      // The hand goes on by itself, from the first missing number.
      assert.equal(await page.textContent("#next"), String(at + 1));
      await here.click();
      if (at === Math.floor(way.length / 2)) await shot("play-half");
    }
    await said(/Solved in/);
    await shot("play-solved");
    await page.click("#undo");
    assert.equal(await page.locator(".solved").count(), 0);
    await page.goBack();
    await page.waitForURL(before);
  },

  async "a puzzle is played to its end by keys"() {
    await page.goto(`${url}/${HIDATO}`);
    await page.reload();
    const place = "1 0 0\n0 0 0\n0 0 9\n";
    const way = (await answer({ verb: "find", game: "hidato", place })).solutions[0].cells;
    await cell("1,1").focus();
    let [row, col] = [1, 1];
    for (const [at, name] of way.entries()) {
      const [toRow, toCol] = name.split(",").map(Number);
      for (; row < toRow; row += 1) await page.keyboard.press("ArrowDown");
      for (; row > toRow; row -= 1) await page.keyboard.press("ArrowUp");
      for (; col < toCol; col += 1) await page.keyboard.press("ArrowRight");
      for (; col > toCol; col -= 1) await page.keyboard.press("ArrowLeft");
      if (at % 2) await page.keyboard.press(String(at + 1));
      else if (at > 0 && at < 8) await page.keyboard.press("Enter");
    }
    await said(/Solved in/);
    await page.keyboard.press("u");
    assert.equal(await page.locator(".cell.placed").count(), 6);
    await page.keyboard.press("r");
    await said(/Solved in/);
  },

  async "hints have reasons and checks mark what is wrong"() {
    await page.goto(`${url}/${HIDATO}`);
    await page.reload();
    await page.locator(".cell").first().waitFor();
    await page.click("#hint");
    await said(/2 can be at|2 must be at/);
    assert.equal(await page.locator(".cell.hinted").count(), 1);
    await page.click("#take");
    await page.locator(".cell.placed").waitFor();
    await page.click("#check");
    await said(/Right so far/);
    await page.click("#again");
    await cell("3,1").focus();
    await page.keyboard.press("2");
    await page.click("#check");
    await said(/cannot be completed/);
    assert.equal(await page.locator(".cell.wrong").count(), 2);
    await sound("a contradiction");
    await shot("play-wrong");
  },

  async "a link has the puzzle and what was placed"() {
    await page.goto(`${url}/${HIDATO}`);
    await page.reload();
    await cell("1,2").click();
    await page.click("#share");
    await said(/link is copied/);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /placed=1-2-2/);
    const other = watched(await context.newPage());
    await other.goto(link);
    await other.locator('[data-cell="1,2"].placed').waitFor();
    await other.close();
  },

  async "the solution is shown"() {
    await page.click("#solve");
    await said(/This is the solution/);
    assert.equal(await page.locator(".marks text:not(:empty)").count(), 9);
  },

  async "tiles are slid to their places"() {
    for (const [game, board, start] of [
      ["square-slide", "2x3", "1.2.3_0.4.5"],
      ["hex-slide", "P3x3", ""],
    ]) {
      if (start) {
        await page.goto(`${url}/#game=${game}&board=${board}&start=${start}`);
        await page.reload();
      } else {
        await page.selectOption("#game", game);
        await page.selectOption("#size", board);
        await page.click("#make");
        await page.waitForURL((now) => String(now).includes(game));
      }
      await page.locator(".cell.tile").first().waitFor();
      if (!start) await shot("slide-hex");
      for (let slides = 0; slides < 200; slides += 1) {
        if (/Solved/.test(await page.textContent("#say"))) break;
        const before = page.url();
        await page.click("#hint");
        await said(/Slide/);
        await page.click("#take");
        await page.waitForURL((now) => String(now) !== before);
        await page.waitForFunction(() => !document.body.classList.contains("busy"));
      }
      await said(/Solved in/);
    }
    await sound("slides");
  },

  async "dark, and on a phone"() {
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.goto(`${url}/#game=knight-tours&board=1.0.0.0.0_0.0.0.0.0_0.0.0.0.0_0.0.0.0.0_0.0.0.0.25`);
    await page.reload();
    await page.locator(".cell").first().waitFor();
    await sound("play in the dark");
    await shot("play-dark");
    await page.setViewportSize({ width: 360, height: 740 });
    await shot("play-phone-dark");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `the page is ${wide} wide`);
    await page.goto(`${url}/ask`);
    await page.locator("#game option").first().waitFor({ state: "attached" });
    await shot("ask-phone-dark");
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1180, height: 820 });
  },

  async "a count is asked, planned, answered, verified and saved"() {
    await page.goto(`${url}/ask`);
    await page.locator("#option-closed").waitFor();
    await sound("ask");
    await page.selectOption("#game", "knight-tours");
    await page.selectOption("#verb", "find");
    await page.fill("#place", "6x6");
    await page.check("#option-closed");
    await page.click("#plan");
    await page.locator("#plan-says dt").first().waitFor();
    await page.click("#run");
    await page.locator("#image").waitFor();
    await page.click("#verify");
    await page.locator("#verdict").filter({ hasText: "It holds." }).waitFor();
    await sound("an answer");
    await shot("ask-light");
    await page.selectOption("#format", "svg");
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
    assert.equal(saved.suggestedFilename(), "knight-tours-find.svg");
    assert.match(readFileSync(await saved.path(), "utf8"), /^<svg/);
  },

  async "what is wrong is said at its field"() {
    await page.fill("#place", "0x6");
    await page.click("#run");
    await page.locator("#place-error").filter({ hasText: "0" }).waitFor();
    assert.equal(await page.getAttribute("#place", "aria-invalid"), "true");
    // The browser itself reports what was refused.
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("422")));
  },

  async "a long count shows its progress and is cancelled"() {
    await page.selectOption("#verb", "count");
    await page.fill("#place", "10x10");
    await page.click("#run");
    await page.locator("#far").filter({ hasText: /steps a second/ }).waitFor();
    await shot("ask-running");
    await page.click("#cancel");
    await page.locator("#ended").filter({ hasText: "Cancelled." }).waitFor();
    await page.locator("#value").filter({ hasText: "it was cancelled" }).waitFor();
    await page.reload();
    await page.locator("#value").filter({ hasText: "it was cancelled" }).waitFor();
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    assert.deepEqual(faults.splice(0), [], "nothing is wrong on the console");
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    faults.length = 0;
    await shot(`failed-${failed}`);
    console.log(`WRONG ${name}\n${error.stack}`);
  }
}
await context.close();
rmSync(profile, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;
