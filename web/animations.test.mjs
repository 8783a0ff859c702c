// Pages of --animate in a browser: they load from a file, ask nobody, play, scrub, fit a phone, and show the run.
// SPDX-License-Identifier: BSD-3-Clause
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { ok, open, status, wait } from "./check.mjs";

const command = resolve(process.argv[2], "noether"), systems = resolve(import.meta.dirname, "../systems");
const folder = mkdtempSync(join(tmpdir(), "noether-web-")), shots = process.argv[3];

/* The rows of a run, and its page. */
function animate(model, ...words) {
    const page = join(folder, `${model}.html`), rows = join(folder, `${model}.csv`);
    execFileSync(command, ["run", join(systems, `${model}.lag`), ...words, "--quiet", "--animate", page, "--output", rows]);
    const [names, ...lines] = readFileSync(rows, "utf8").trim().split("\n").map(line => line.split(","));
    return { page, rows: lines.map(line => Object.fromEntries(names.map((name, i) => [name, +line[i]]))) };
}

const time = tab => tab.evaluate(() => noether.time);
const pixels = tab => tab.evaluate(() => document.getElementById("scene").toDataURL());
const still = async tab => { await tab.evaluate(() => noether.play(false)); await wait(100); };

async function plane(browser) {
    const { page, rows } = animate("double_pendulum", "--columns", "t,q1,q2");
    const tab = await open(browser, pathToFileURL(page).href, 1400, 900);
    const t0 = await time(tab);
    await wait(500);
    const t1 = await time(tab);
    ok("it plays by itself", t1 > t0 + 0.1 && t1 < t0 + 5, [t0, t1]);
    await tab.focus("#scene");
    await tab.keyboard.press("Space");
    await wait(100);
    const stopped = await time(tab);
    await wait(300);
    ok("the space bar stops it", stopped === await time(tab));
    const before = await pixels(tab);
    await tab.keyboard.press("ArrowRight");
    await wait(100);
    ok("an arrow is a step", Math.abs(await time(tab) - stopped - 0.05) < 1e-9 && before !== await pixels(tab));
    await tab.keyboard.press("End");
    ok("End is the end", await time(tab) === 10);
    await tab.evaluate(() => { const s = document.getElementById("scrub"); s.value = 4500; s.dispatchEvent(new Event("input")); });
    await wait(100);
    ok("the slider scrubs", await time(tab) === 4.5, await time(tab));
    const row = rows[450], l = 9.81 / (2 * Math.PI) ** 2, [x, y] = await tab.evaluate(() => noether.point(2));
    const X = l * (Math.sin(row.q1) + Math.sin(row.q2)), Y = -l * (Math.cos(row.q1) + Math.cos(row.q2));
    ok("the end of the pendulum is that of the run", Math.hypot(x - X, y - Y) < 1e-6, [x, y, X, Y]);
    const traced = await pixels(tab);
    await tab.keyboard.press("t");
    await wait(100);
    ok("T hides the trace", traced !== await pixels(tab));
    await tab.click("#play");
    await wait(300);
    ok("the button plays", await time(tab) > 4.5);
    ok("no complaint, and no request but the page", !tab.complaints.length && tab.asked.every(u => /^(file|data):/.test(u)), [tab.complaints, tab.asked]);
    await tab.close();
    return page;
}

async function space(browser) {
    const { page } = animate("three_bodies_in_space");
    const tab = await open(browser, pathToFileURL(page).href, 1400, 900, "dark");
    await still(tab);
    await tab.evaluate(() => noether.seek(noether.end * 0.9));
    await wait(100);
    const before = await pixels(tab), yaw = await tab.evaluate(() => noether.view.yaw);
    await tab.mouse.move(600, 400);
    await tab.mouse.down();
    await tab.mouse.move(700, 450, { steps: 5 });
    await tab.mouse.up();
    await wait(100);
    ok("the mouse turns what is in space", before !== await pixels(tab) && yaw !== await tab.evaluate(() => noether.view.yaw));
    await tab.keyboard.press("r");
    await wait(100);
    ok("R is the first view", before === await pixels(tab));
    if (shots) await tab.screenshot({ path: join(shots, "space_dark.png") });
    ok("no complaint in space", !tab.complaints.length, tab.complaints);
    await tab.close();
}

async function phone(browser, page) {
    const colour = tab => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const paper = [];
    for (const scheme of ["light", "dark"]) {
        const tab = await open(browser, pathToFileURL(page).href, 400, 800, scheme);
        await still(tab);
        const [wide, high] = await tab.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
        ok(`a phone, ${scheme}: nothing sticks out`, wide <= 400 && high <= 800, [wide, high]);
        const stage = await tab.evaluate(() => document.getElementById("stage").getBoundingClientRect().height);
        ok(`a phone, ${scheme}: half of it is the scene`, stage > 400, stage);
        paper.push(await colour(tab));
        if (shots) await tab.screenshot({ path: join(shots, `phone_${scheme}.png`) });
        await tab.close();
    }
    ok("light and dark have colours of their own", paper[0] !== paper[1], paper);
}

/* A membrane, of few masses and of many: the points of the surface are those of the rows, and it turns. */
async function surface(browser) {
    for (const N of [4, 11]) {
        const { page, rows } = animate("spring_lattice", `N=${N}`, "--until", "5", "--columns", `t,u[${N + 2}]`);
        const tab = await open(browser, pathToFileURL(page).href, 800, 600);
        await still(tab), await tab.evaluate(() => noether.seek(2.5)), await wait(100);
        const point = await tab.evaluate(k => noether.point(k), N + 2), [x, y, z] = point, u = rows[50][`u[${N + 2}]`];
        ok(`a membrane of ${N} times ${N} masses is that of the run`, x === 2 && y === 1 && Math.abs(z - 2 * u) < 1e-6 && Math.abs(u) > 1e-4, [point, u]);
        const before = await pixels(tab);
        await tab.mouse.move(300, 300), await tab.mouse.down(), await tab.mouse.move(400, 250, { steps: 4 }), await tab.mouse.up(), await wait(100);
        ok("and turns", !tab.complaints.length && before !== await pixels(tab), tab.complaints);
        await tab.close();
    }
}

/* Every kind of scene is drawn without a complaint. */
async function kinds(browser) {
    for (const model of ["kepler", "lagrange_top", "elastic_pendulum", "fput_alpha", "duffing", "driven_pendulum", "outer_solar_system"]) {
        const tab = await open(browser, pathToFileURL(animate(model).page).href, 800, 600);
        const blank = await tab.evaluate(() => { const c = document.createElement("canvas"), s = document.getElementById("scene");
            c.width = s.width, c.height = s.height; return c.toDataURL(); });
        await still(tab);
        ok(`${model}: drawn`, !tab.complaints.length && blank !== await pixels(tab), tab.complaints);
        await tab.close();
    }
}

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", headless: true, args: ["--no-sandbox", "--disable-gpu"] });
try {
    const page = await plane(browser);
    await space(browser);
    await phone(browser, page);
    await surface(browser);
    await kinds(browser);
} finally {
    await browser.close();
    rmSync(folder, { recursive: true });
}
process.exit(status());
