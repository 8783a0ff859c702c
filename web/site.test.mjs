// The site (make site): every link and anchor leads somewhere, pages load without complaint and ask no other host, fit a phone, can be searched.
// SPDX-License-Identifier: BSD-3-Clause
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { ok, open, status } from "./check.mjs";

const site = resolve(process.argv[2], "site");
const list = folder => readdirSync(folder).flatMap(name => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? list(path) : path.endsWith(".html") ? [path] : [];
});
const pages = list(site), anchors = new Map(pages.map(p => [p, new Set([...readFileSync(p, "utf8").matchAll(/ (?:id|name)="([^"]*)"/g)].map(m => m[1]))]));

const dead = [];
for (const page of pages)
    for (const [, written] of readFileSync(page, "utf8").replace(/<script[\s\S]*?<\/script>/g, "").matchAll(/ (?:href|src)="([^"]*)"/g)) {
        const link = decodeURI(written.replace(/&amp;/g, "&"));
        if (/^(https?:|mailto:|data:|javascript:)/.test(link)) continue;
        const [path, anchor] = link.split("#"), target = path ? resolve(dirname(page), path) : page;
        if (/\/site\/(api|playground|papers)\//.test(target) && !existsSync(join(site, target.slice(site.length + 1).split("/")[0]))) continue; // a quick site
        if (!existsSync(target) || (anchor && anchors.has(target) && !anchors.get(target).has(anchor))) dead.push(`${page.slice(site.length + 1)}: ${link}`);
    }
ok(`the links of ${pages.length} pages lead somewhere`, pages.length > 25 && dead.length === 0, dead.slice(0, 10));

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--allow-file-access-from-files"] });
const seen = ["index.html", "gallery.html", "docs.html", "doc/tutorial.html", "doc/model.html", "doc/comparison.html", "papers/index.html"];
for (const name of seen.filter(name => existsSync(join(site, name))))
    for (const width of [1400, 400]) {
        const tab = await open(browser, pathToFileURL(join(site, name)).href, width, 900);
        const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
        ok(`${name} at ${width} pixels: nothing is cut off, no complaint, no other host`, wide <= width && !tab.complaints.length && tab.asked.every(u => /^(file|data|blob):/.test(u)),
            [wide, tab.complaints, tab.asked.filter(u => !/^(file|data|blob):/.test(u))]);
        await tab.close();
    }
const tab = await open(browser, pathToFileURL(join(site, "doc/tutorial.html")).href, 1400, 900);
await tab.type("#search", "poincare section");
await tab.evaluate(() => { const s = document.getElementById("search"); s.value = "bounce wall"; s.dispatchEvent(new Event("input")); });
const hits = await tab.$$eval("#found a", list => list.map(a => a.textContent));
ok("the search finds pages", hits.length > 0 && hits.some(h => /event/i.test(h)), hits);
await Promise.all([tab.waitForNavigation(), tab.keyboard.press("Enter")]);
ok("Enter opens the first", (await tab.title()).startsWith(hits[0]), await tab.title());
await browser.close();
process.exit(status());
