// The playground in a browser: load, edit, error, run, bits of the command, RK4, laws, stop, link, reload, phone, dark; no other host.
// SPDX-License-Identifier: BSD-3-Clause
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve } from "node:path";
import puppeteer from "puppeteer-core";
import { ok, open, status, wait } from "./check.mjs";

const build = process.argv[2], root = join(build, "playground"), shots = process.argv[3], systems = resolve(import.meta.dirname, "../systems");
const kind = { ".html": "text/html", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };
let unreachable = false, engine = "application/wasm"; /* how the server names the engine; null: it has none */
const server = createServer((request, answer) => {
    if (unreachable) return void request.socket.destroy();
    const path = new URL(request.url, "http://x").pathname.replace(/\/$/, "/index.html").replace(/^\/a\/folder/, "");
    try {
        const body = readFileSync(engine || extname(path) !== ".wasm" ? join(root, path) : "");
        answer.writeHead(200, { "content-type": extname(path) === ".wasm" ? engine : kind[extname(path)] || "text/plain" }), answer.end(body);
    } catch { answer.writeHead(404), answer.end(); }
});
await new Promise(done => server.listen(0, "127.0.0.1", done));
const home = `http://127.0.0.1:${server.address().port}/a/folder/`;

const until = (tab, what, ms = 60000, ...args) => tab.waitForFunction(what, { timeout: ms, polling: 50 }, ...args).then(() => true, () => false);
const message = tab => tab.$eval("#message", m => m.textContent);
const type = (tab, text) => tab.evaluate(t => playground.editor.dispatch({ changes: { from: 0, to: playground.editor.state.doc.length, insert: t } }), text);
const result = tab => tab.evaluate(() => ({ names: playground.result.names, columns: playground.result.columns.map(c => Array.from(c)) }));

async function work(browser) {
    const from = Date.now(), tab = await open(browser, home, 1400, 900);
    ok("it loads and runs a model", await until(tab, () => window.playground?.result));
    console.log(`# from nothing to a result: ${Date.now() - from} ms`);
    const r = spawnSync(join(build, "noether"), ["run", join(systems, "double_pendulum.lag"), "--columns", "t,q1,q2,q1.v,q2.v,energy", "--quiet"], { encoding: "utf8" });
    const here = r.stdout.trim().split("\n").slice(1).map(l => l.split(",").map(Number)), there = await result(tab);
    ok("its numbers are the bits of the command", there.columns[0].length === here.length && here.every((row, i) => row.every((x, j) => Object.is(x, there.columns[j][i]))), [there.columns[0].length, here.length]);
    const film = await (await tab.waitForSelector("#film")).contentFrame();
    await film.waitForFunction(() => window.noether);
    const t0 = await film.evaluate(() => noether.time);
    await wait(700);
    ok("the animation plays", await film.evaluate(() => noether.time) > t0 + 0.1);
    if (shots) await tab.screenshot({ path: join(shots, "playground_light.png") });
    await tab.click("#tab-energy");
    ok("rk4 runs beside it at the same cost", await until(tab, () => playground.energies?.columns));
    const away = await tab.evaluate(() => { const H = c => Math.max(...Array.from(c, x => Math.abs(x - c[0]))); return [H(playground.result.columns.at(-1)), H(playground.energies.columns[1]), playground.energies.step]; });
    ok("both energies are there", away.every(x => x > 0 && x < 10), away);
    await wait(300);
    if (shots) await tab.screenshot({ path: join(shots, "playground_energy.png") });
    await tab.focus("#tab-energy"), await tab.keyboard.press("ArrowRight");
    ok("the laws of the method hold", await until(tab, () => /all that is promised holds/.test(document.getElementById("laws").textContent)), await tab.$eval("#laws", x => x.textContent.slice(0, 300)));
    ok("the symmetry found is named", /translation in time/.test(await tab.$eval("#laws", x => x.textContent)));
    if (shots) await tab.screenshot({ path: join(shots, "playground_laws.png") });

    await type(tab, "parameter w = 2\ncoordinate q\nkinetic q'^2/2\npotential omga*q^2/2\n");
    ok("a wrong name is shown at its place", await until(tab, () => /line 4: unknown name 'omga'/.test(document.getElementById("message").textContent)), await message(tab));
    ok("and underlined there", await until(tab, () => document.querySelector(".cm-lintRange-error")?.textContent === "omga", 5000));
    await type(tab, "parameter w = 2\ncoordinate q\nkinetic q'^2/2\npotential w^2*q^2/2\nstart q = 1\n");
    ok("mended, the error is gone", await until(tab, () => /1 coordinate: q/.test(document.getElementById("message").textContent)), await message(tab));
    const words = () => tab.$$eval("#sliders span", all => all.map(x => x.textContent).join());
    ok("sliders are those of the model", await words() === "w,q,q'", await words());
    await tab.$eval("#sliders input", x => { x.value = 4, x.dispatchEvent(new Event("input")); });
    ok("a slider runs the model anew", await until(tab, () => playground.result.columns[0].length > 900 && Math.abs(playground.result.columns[3][0] - 8) < 0.2), (await result(tab)).columns.map(c => c[0]));

    await type(tab, "coordinate q\nkinetic q'^2/2\npotential q^4/4 + cos(7*q)\nstart q = 1\n");
    await tab.$eval("#until", x => { x.value = "1e7"; });
    await until(tab, () => playground.known?.names.length === 1 && !playground.known.parameters.length);
    await tab.click("#run");
    await wait(1500);
    ok("a long run does not hold the page", await tab.evaluate(() => !document.getElementById("stop").disabled));
    await tab.click("#stop");
    ok("Stop stops it", await message(tab) === "stopped" && !await tab.$eval("#run", x => x.disabled), await message(tab));
    await tab.$eval("#until", x => { x.value = "2"; });
    await tab.focus(".cm-content"), await tab.keyboard.down("Control"), await tab.keyboard.press("Enter"), await tab.keyboard.up("Control");
    ok("and the next run works, by Ctrl-Enter", await until(tab, () => playground.result.columns[0].length === 201), await message(tab));

    await tab.click("#link");
    const address = await tab.evaluate(() => location.href), other = await open(browser, address, 1400, 900);
    ok("the link holds the model", await until(other, () => window.playground?.result) && /cos\(7\*q\)/.test(await other.evaluate(() => playground.state.text)));
    await other.close();
    await tab.goto(home), await tab.reload();
    ok("a reload keeps the model", await until(tab, () => window.playground?.result) && /cos\(7\*q\)/.test(await tab.evaluate(() => playground.state.text)));
    await tab.select("#gallery", "lagrange_top");
    ok("the gallery has the top", await until(tab, () => /^# lagrange_top/.test(playground.state.text) && playground.known?.names.length === 3 && playground.result.coordinates.length === 3), await message(tab));
    await type(tab, "coordinate q\nkinetic q'^2/2\nlagrangian log(-1 - q^2)\n"), await tab.$eval("#until", x => { x.value = ""; }), await tab.click("#run");
    ok("what cannot run says why", await until(tab, () => document.getElementById("message").className === "error"), await message(tab));
    ok("and what is shown of another model is pale", await tab.$eval("#right", x => x.classList.contains("stale")));
    await type(tab, "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = -1\nstart x = 1\n"), await wait(400), await tab.click("#run");
    ok("a constraint that cannot be met is marked at its line", await until(tab, () => /line 3: .* no start near it/.test(document.getElementById("message").textContent)), await message(tab));
    const terms = "coordinate u[1..900]\nkinetic sum(i in 1..900) u[i]'^2/2\npotential sum(i in 1..900, j in 1..900) cos(u[i] - u[j])*sin(u[i]*u[j])\n";
    await type(tab, terms), await wait(600), await type(tab, "# kite.lag -- one\ncoordinate q\nkinetic q'^2/2\n");
    ok("a long reading does not hold a newer text", await until(tab, () => playground.known?.names.length === 1 && /1 coordinate/.test(document.getElementById("message").textContent), 4000), await message(tab));
    await tab.click("#run"), await until(tab, () => playground.result?.text.startsWith("# kite"));
    ok("the first line names the model", /kite/.test(await (await (await tab.$("#film")).contentFrame()).evaluate(() => document.title)) && !await tab.$eval("#right", x => x.classList.contains("stale")));
    await tab.evaluate(() => navigator.serviceWorker.ready), await until(tab, async () => (await (await caches.open("noether playground")).keys()).length > 5, 15000);
    await tab.setOfflineMode(true), unreachable = true, await tab.reload();
    ok("without a connection it comes up and runs", await until(tab, () => window.playground?.result, 20000));
    unreachable = false, await tab.setOfflineMode(false);
    ok("no complaint, no other host", !tab.complaints.length && tab.asked.every(u => u.startsWith(home) || /^(about|data|blob):/.test(u)), [tab.complaints, tab.asked.filter(u => !u.startsWith(home))]);
    await tab.evaluate(() => localStorage.clear());
    await tab.close();
}

/* Servers that name the engine wrongly, or lack it. */
async function servers() {
    for (engine of ["text/plain", null]) {
        const browser = await launch(), tab = await open(browser, home, 1400, 900); /* nothing is kept */
        if (engine) ok("an engine named wrongly runs", await until(tab, () => window.playground?.result), tab.complaints);
        else ok("without an engine the page says so", await until(tab, () => /the engine did not load: noether.wasm: the server answered 404/.test(document.getElementById("message").textContent)), await message(tab));
        await browser.close();
    }
    engine = "application/wasm";
}

async function phone(browser) {
    const paper = [];
    for (const scheme of ["light", "dark"]) {
        const tab = await open(browser, home, 400, 800, scheme);
        ok(`a phone, ${scheme}: a run`, await until(tab, () => window.playground?.result));
        await tab.click("#tab-laws");
        await until(tab, () => playground.laws);
        const laws = await tab.evaluate(() => document.documentElement.scrollWidth);
        await tab.click("#tab-phase");
        await wait(500);
        const wide = laws > 400 ? laws : await tab.evaluate(() => document.documentElement.scrollWidth);
        ok(`a phone, ${scheme}: nothing sticks out`, wide <= 400, wide);
        paper.push(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor));
        if (shots) await tab.screenshot({ path: join(shots, `playground_phone_${scheme}.png`), fullPage: true });
        ok(`a phone, ${scheme}: no complaint`, !tab.complaints.length, tab.complaints);
        await tab.close();
    }
    ok("light and dark have colours of their own", paper[0] !== paper[1], paper);
    if (shots) { const tab = await open(browser, home, 1400, 900, "dark"); await until(tab, () => window.playground?.result); await wait(800); await tab.screenshot({ path: join(shots, "playground_dark.png") }); }
}

const launch = () => puppeteer.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", headless: true, args: ["--no-sandbox", "--disable-gpu"] });
const browser = await launch();
try {
    await work(browser), await phone(browser), await servers();
} finally {
    await browser.close(), server.close();
}
process.exit(status());
