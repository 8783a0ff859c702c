// usage: node web/site/build.mjs BUILD -> BUILD/site: every page of doc/, gallery, playground, reference; static, with relative links.
// SPDX-License-Identifier: BSD-3-Clause
//
// Markdown becomes HTML by cmark-gfm; pictures are made here by the command.  Nothing is fetched, by this script or by the pages.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix, relative, resolve } from "node:path";

const build = resolve(process.argv[2] ?? "build"), root = resolve(import.meta.dirname, "../.."), site = join(build, "site");
const read = path => readFileSync(join(root, path), "utf8");
const escape = text => text.replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

/* ---- what the site has ---- */
const guide = ["install", "tutorial", "model", "certificate", "studies", "theory", "glossary"];
const topics = readdirSync(join(root, "doc")).filter(f => f.endsWith(".md")).map(f => f.slice(0, -3)).filter(f => !guide.includes(f)).sort();
const version = read("include/noether.h").match(/define NOE_VERSION "(.*)"/)[1];
const pages = []; /* { url, title, text } for the search */

/* ---- a page ---- */
const menu = [["index.html", "noether"], ["doc/tutorial.html", "Tutorial"], ["gallery.html", "Gallery"], ["playground/index.html", "Playground"],
    ["docs.html", "Pages"], ["doc/performance.html", "Performance"], ["doc/comparison.html", "Comparison"], ["papers/index.html", "Papers"],
    ["api/noether_8h.html", "C reference"]];

function page(url, title, body) {
    const up = "../".repeat(url.split("/").length - 1);
    const links = menu.filter(([to]) => !/^(playground|papers|api)\//.test(to) || existsSync(join(site, to)))
        .map(([to, name]) => `<a href="${up}${to}"${to === url ? ' aria-current="page"' : ""}>${name}</a>`).join("\n");
    const file = join(site, url);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}${title === "noether" ? "" : " – noether"}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}style.css">
</head>
<body>
<a class="skip" href="#content">to the text</a>
<nav aria-label="site">
${links}
<form role="search"><input id="search" type="search" placeholder="search" aria-label="search the pages" autocomplete="off"></form>
</nav>
<ol id="found" hidden></ol>
<main id="content">
${body}
</main>
<footer>noether ${version}. BSD-3-Clause. Every command on these pages is run by its tests.</footer>
<script src="${up}pages.js"></script>
<script src="${up}search.js" data-up="${up}"></script>
</body>
</html>
`);
    pages.push({ url, title, text: body.replace(/<(style|script)[\s\S]*?<\/\1>/g, "").replace(/<[^>]*>/g, " ").replace(/&(lt|gt|amp|quot);/g, " ").replace(/\s+/g, " ") });
}

/* ---- Markdown ---- */
const slug = text => text.toLowerCase().replace(/<[^>]*>/g, "").replace(/&[a-z]+;/g, "").replace(/[^\p{L}\p{N} _-]/gu, "").trim().replace(/ /g, "-");

/* Pages that others link to. */
const wanted = new Set(), done = new Set();

/* A link of a page at `from` in the repository, as the site has it. */
function rewrite(link, from) {
    if (/^(https?:|mailto:|#|data:)/.test(link)) return link;
    const [path, anchor] = link.split("#"), target = posix.normalize(posix.join(dirname(from), path));
    if (path === "") return link;
    const html = target.replace(/\.md$/, ".html");
    if (target.endsWith(".md")) wanted.add(target);
    const source = join(root, target);
    if (!target.endsWith(".md")) {
        if (!existsSync(source)) throw new Error(`${from}: ${link} is not there`);
        cpSync(source, join(site, target), { recursive: true });
    }
    return relative(dirname(from), html) + (anchor ? `#${anchor}` : "");
}

function markdown(path, url) {
    done.add(path);
    let html = execFileSync("cmark-gfm", ["-e", "table", "-e", "strikethrough", "-e", "autolink", "--unsafe"], { input: read(path), encoding: "utf8" });
    html = html.replace(/<h([1-6])>(.*?)<\/h\1>/g, (_, n, text) => `<h${n} id="${slug(text)}">${text}</h${n}>`)
        .replace(/(href|src)="([^"]*)"/g, (_, what, link) => `${what}="${rewrite(link, path)}"`)
        .replace(/<table>/g, '<div class="wide"><table>').replace(/<\/table>/g, "</table></div>")
        .replace(/<img /g, '<img loading="lazy" ');
    const title = html.match(/<h1[^>]*>(.*?)<\/h1>/)?.[1].replace(/<[^>]*>/g, "") ?? basename(path);
    page(url, title, html);
    return { url, title, first: html.match(/<p>([\s\S]*?)[.:;](\s|<)/)?.[1].replace(/<[^>]*>/g, "") ?? "" };
}

/* ---- pictures: gallery.tsv has NAME, TITLE, WORDS of `noether run` ---- */
function gallery() {
    const folder = join(site, "gallery");
    mkdirSync(folder, { recursive: true });
    const cards = [];
    for (const line of read("web/site/gallery.tsv").trim().split("\n").filter(l => l[0] !== "#")) {
        const [name, title, words] = line.split("\t"), given = words.match(/'[^']*'|\S+/g).map(w => w.replace(/^'|'$/g, ""));
        execFileSync(join(build, "noether"), ["run", ...given, "--quiet", "--animate", join(folder, `${name}.svg`), "--output", join(folder, "rows.csv")],
            { cwd: root, stdio: ["ignore", "ignore", "ignore"] });
        cards.push(`<figure><img loading="lazy" src="gallery/${name}.svg" width="640" height="640" alt="${escape(title)}: the motion, and its energy error below">
<figcaption><b>${escape(title)}</b> <a href="systems/${basename(given[0])}">${basename(given[0])}</a>
<pre><code>noether run ${escape(words)} --animate ${name}.svg</code></pre></figcaption></figure>`);
    }
    rmSync(join(folder, "rows.csv"));
    page("gallery.html", "Gallery", `<h1>Gallery</h1>
<p>Twelve of the ${readdirSync(join(root, "systems")).length} models in <code>systems/</code>, each with the command that makes its picture. Below each motion runs its energy error.</p>
<div class="gallery">${cards.join("\n")}</div>`);
}

/* ---- all of it ---- */
rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
for (const part of ["playground", "papers"]) if (existsSync(join(build, part, "index.html"))) cpSync(join(build, part), join(site, part), { recursive: true });
const papers = join(site, "papers/index.html");
if (existsSync(papers)) /* the way back */
    writeFileSync(papers, readFileSync(papers, "utf8").replace("<body>", '<body>\n<nav><a href="../index.html">noether</a><a href="../docs.html">Pages</a></nav>'));
if (existsSync(join(build, "api/html/index.html"))) cpSync(join(build, "api/html"), join(site, "api"), { recursive: true });
cpSync(join(root, "systems"), join(site, "systems"), { recursive: true });
for (const file of ["style.css", "search.js"]) cpSync(join(import.meta.dirname, file), join(site, file));
const made = Object.fromEntries([...guide, ...topics].map(name => [name, markdown(`doc/${name}.md`, `doc/${name}.html`)]));
for (const name of ["CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md"]) markdown(name, name.replace(/\.md$/, ".html"));
const list = names => `<dl>${names.map(n => made[n]).map(p => `<dt><a href="${p.url}">${p.title}</a></dt><dd>${p.first}.</dd>`).join("\n")}</dl>`;
page("docs.html", "Pages", `<h1>Pages</h1><h2>To begin with</h2>${list(guide)}<h2>By subject</h2>${list(topics)}
<h2>Of the project</h2><dl><dt><a href="CHANGELOG.html">Changes</a></dt><dd>What is new.</dd><dt><a href="CONTRIBUTING.html">Contributing</a></dt><dd>How to build, test and change it.</dd>
<dt><a href="examples/README.html">Programs in C</a></dt><dd>Whole programs, and what each shows.</dd></dl>`);
gallery();
for (let more; (more = [...wanted].filter(path => !done.has(path))).length;) for (const path of more) markdown(path, path.replace(/\.md$/, ".html"));
cpSync(join(root, "doc/double_pendulum.svg"), join(site, "double_pendulum.svg"));
page("index.html", "noether", read("web/site/index.html").replace("MODEL", escape(read("systems/double_pendulum.lag").replace(/^(draw|#(?! double_pendulum)).*\n/gm, "").trim()))
    .replace(/<section id="try">[\s\S]*?<\/section>/, part => existsSync(join(site, "playground/index.html")) ? part : ""));
writeFileSync(join(site, "pages.js"), `window.pages = ${JSON.stringify(pages)};\n`);
console.log(join(site, "index.html"));
