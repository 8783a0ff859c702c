// The playground: a model on the left; its motion, energy, symmetries and laws on the right, by the engine in a worker.
// SPDX-License-Identifier: BSD-3-Clause
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import uPlot from "uplot";
import { lagrangian } from "./language.mjs";

const $ = id => document.getElementById(id), SECONDS = 60, ROWS = 1500;
const kept = "noether playground";

/* ---- the engine: a worker that is ended where it takes too long, and made anew ---- */
async function load(path) {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`${path}: the server answered ${answer.status}`);
    return answer;
}
/* Compiled while it comes; a server that does not call it application/wasm has it compiled when it is there. */
const wasm = load("noether.wasm"), module = wasm.then(answer => /^application\/wasm/.test(answer.headers.get("content-type"))
    ? WebAssembly.compileStreaming(answer) : answer.arrayBuffer().then(bytes => WebAssembly.compile(bytes)));
class Engine {
    waiting = new Map();
    next = 0;
    get busy() { return this.waiting.size > 0; }
    start() {
        const worker = this.worker = new Worker(new URL("worker.mjs", document.baseURI), { type: "module" });
        worker.onmessage = ({ data }) => { this.waiting.get(data.id)?.(data), this.waiting.delete(data.id); };
        worker.onerror = e => this.end(e.message || "the engine did not load");
        module.then(module => worker.postMessage({ module }), error => this.end(`the engine did not load: ${error.message}`));
    }
    ask(question, limit) {
        if (!this.worker) this.start();
        const id = this.next++, worker = this.worker;
        return new Promise(done => {
            const timer = setTimeout(() => this.end(`stopped after ${limit} s`), 1000 * limit);
            this.waiting.set(id, answer => (clearTimeout(timer), done(answer)));
            module.then(() => worker.postMessage({ ...question, id }), () => {});
        });
    }
    end(why) {
        this.worker?.terminate();
        this.worker = null;
        for (const answer of this.waiting.values()) answer({ failed: why });
        this.waiting.clear();
    }
}
const reader = new Engine(), runner = new Engine(), judge = new Engine();
reader.start(), runner.start();

/* ---- the state of the page, kept over reloads and in links ---- */
const state = { text: "", method: "", step: "", until: "", lets: {}, tab: "time" };
const motion = () => JSON.stringify([state.text, state.method, state.step, state.until, state.lets]);
let linked = ""; /* the motion in the page's address, which goes when the motion changes */
function keep() {
    localStorage.setItem(kept, JSON.stringify(state));
    if (linked && linked !== motion()) address(location.pathname), linked = "";
}
/* The name of the model: its first line may say it, "# kepler.lag -- ..". */
const modelName = () => /^\s*#\s*([\p{L}\d_-]+)\.lag\b/u.exec(state.text)?.[1] ?? "model";
/* "noether: kepler.lag:4:7: .." as it is said where the text is seen. */
const plain = words => words.replace(/^noether: /gm, "").replace(/^[\p{L}\d_-]+\.lag: (?!\d)/gmu, "").replace(/[\p{L}\d_-]+\.lag:(\d+)(:\d+)?: /gu, "line $1: ");
const packed = x => btoa(String.fromCharCode(...new TextEncoder().encode(x))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const unpacked = x => new TextDecoder().decode(Uint8Array.from(atob(x.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0)));
function remembered() {
    try {
        if (location.hash.startsWith("#m=")) return JSON.parse(unpacked(location.hash.slice(3)));
        return JSON.parse(localStorage.getItem(kept));
    } catch { return null; }
}

/* ---- the editor ---- */
let fresh = 0;
const editor = new EditorView({
    parent: $("editor"),
    state: EditorState.create({ extensions: [lineNumbers(), history(), drawSelection(), highlightActiveLine(), highlightActiveLineGutter(), bracketMatching(), lagrangian,
        EditorView.contentAttributes.of({ "aria-label": "model text", spellcheck: "false" }), keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }, ...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of(u => { if (u.docChanged) { clearTimeout(fresh); fresh = setTimeout(edited, 250); } })] }),
});
const text = () => editor.state.doc.toString();
function say(words, error = false) { $("message").textContent = words, $("message").className = error ? "error" : ""; }

/* Marks the place of an error: its column to the end of the word, or the whole line. */
function mark({ line: number, column, message }) {
    const doc = editor.state.doc, line = doc.line(Math.min(Math.max(number, 1), doc.lines)), from = Math.min(line.from + Math.max((column || 1) - 1, 0), line.to);
    const word = /^[\p{L}\d_]+/u.exec(doc.sliceString(from, line.to)), to = column ? Math.min(line.to, from + (word ? word[0].length : 1)) : line.to;
    editor.dispatch(setDiagnostics(editor.state, [{ from: to > from ? from : Math.max(line.from, from - 1), to, severity: "error", message }]));
    say(`line ${number}: ${message}`, true);
}
/* What is shown is of another text or other values. */
function stale(is) { $("right").classList.toggle("stale", is && result != null); }

let known = null, asked = 0;
/* The engine reads the text: its error is shown at its place, or fields and sliders are those of the model. */
async function edited() {
    state.text = text(), keep();
    $("gallery").value = models[modelName()] === state.text ? modelName() : "";
    if (reader.busy) reader.end("replaced");
    const mine = ++asked, answer = await reader.ask({ kind: "inspect", text: state.text }, 10);
    if (mine !== asked) return;
    known = null;
    stale(state.text !== result?.text);
    editor.dispatch(setDiagnostics(editor.state, []));
    if (answer.error) return mark(answer.error);
    if (answer.failed) return say(`the model was not read: ${answer.failed}`, true);
    known = answer;
    say(answer.warning && plain(answer.warning) || `${answer.names.length} coordinate${answer.names.length > 1 ? "s" : ""}: ${answer.names.slice(0, 8).join(", ")}${answer.names.length > 8 ? ", .." : ""}`);
    for (const field of ["method", "step", "until"]) $(field).placeholder = answer.suggest[field] || { method: "simpson", step: "0.01", until: "10" }[field];
    sliders();
}

function sliders() {
    const all = [...known.parameters, ...known.starts];
    state.lets = Object.fromEntries(Object.entries(state.lets).filter(([name]) => all.some(x => x.name === name)));
    $("sliders").replaceChildren(...all.map(({ name, value }) => {
        const label = document.createElement("label"), words = document.createElement("span"), input = document.createElement("input"), out = document.createElement("output");
        const reach = value ? 2 * Math.abs(value) : 3, low = value > 0 && known.parameters.some(p => p.name === name) ? value / 10 : -reach;
        words.textContent = words.title = name;
        const counts = Number.isInteger(value) && new RegExp(`\\.\\.[^\\])\\n]*\\b${name}\\b`).test(state.text); /* the end of a range */
        Object.assign(input, { type: "range", min: counts ? Math.ceil(low) : low, max: low < 0 ? reach : 3 * value, step: counts ? 1 : "any", value: state.lets[name] ?? value });
        const show = () => { const x = +(+input.value).toPrecision(4); out.textContent = x && Math.abs(x) < 1e-3 ? x.toExponential() : x; };
        input.oninput = () => { state.lets[name] = +(+input.value).toPrecision(4), show(), keep(), clearTimeout(fresh), fresh = setTimeout(run, 300); };
        label.ondblclick = () => { delete state.lets[name], input.value = value, show(), keep(), run(); };
        label.title = "a double click sets it back";
        show();
        label.append(words, input, out);
        return label;
    }));
    $("sliders").hidden = !all.length;
}

/* ---- runs ---- */
const value = field => $(field).value.trim() || $(field).placeholder;
const lets = () => Object.entries(state.lets).map(([name, x]) => `${name}=${x}`);
let result = null, energies = null, laws = null, number = 0;
async function run() {
    clearTimeout(fresh);
    await edited();
    if (!known) return;
    runner.end("replaced"), judge.end("replaced");
    const mine = ++number, step = +value("step"), until = +value("until"), names = known.names.slice(0, 12);
    const every = step > 0 && until > 0 ? Math.min(2e9, Math.max(1, Math.ceil(until / step / ROWS))) : 1;
    const words = [...lets(), "--method", value("method"), "--step", value("step"), "--until", value("until"), "--every", String(every),
        "--columns", ["t", ...names, ...names.map(q => `${q}.v`), "energy", "balance"].join()];
    $("run").disabled = true, $("stop").disabled = false;
    say("running ..");
    const answer = await runner.ask({ kind: "run", name: modelName(), text: state.text, words, film: true }, SECONDS);
    if (mine !== number) return;
    $("run").disabled = false, $("stop").disabled = true;
    if (answer.failed || !answer.csv) return stale(true), failed(answer.failed || answer.said);
    result = { ...answer, text: state.text, coordinates: names, changes: /energy balance/.test(answer.film ?? "") }, energies = laws = null;
    stale(false);
    $("csv").disabled = false, $("said").textContent = plain(answer.said);
    if (answer.film) $("film").srcdoc = answer.film;
    const warnings = answer.said.split("\n").filter(l => /warning|error of|wrong|WARNING/i.test(l) && !/^ *energy error at most/.test(l));
    say(answer.status ? plain(/^noether: .*$/m.exec(answer.said)?.[0] ?? answer.said) : plain(warnings[0]?.trim() ?? "") || `${answer.columns[0].length} rows in ${(answer.ms / 1000).toFixed(2)} s`, answer.status !== 0);
    show();
    runner.ask({ kind: "rk4", text: state.text, lets: lets(), method: value("method"), step, until }, SECONDS).then(x => { if (mine === number) energies = x, show(); });
    judge.ask({ kind: "command", name: modelName(), text: state.text, words: ["check", ...lets(), "--method", value("method"), "--step", value("step"), "--json", "--within", "20"] }, SECONDS)
        .then(x => { if (mine === number) laws = x, show(); });
}
/* A run that did not begin: where it says a line, that is marked. */
function failed(words) {
    const [, line, column, message] = /\.lag:(\d+)(?::(\d+))?: ([^\n]*)/.exec(words) || [];
    if (line) mark({ line: +line, column: +column, message });
    else say(plain(words), true);
}
function stop() { number++, runner.end("stopped"), judge.end("stopped"), $("run").disabled = false, $("stop").disabled = true, say("stopped"); }

/* ---- results ---- */
let plot = null;
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const column = name => result.columns[result.names.indexOf(name)];
function draw(title, data, series, options = {}) {
    plot?.destroy();
    const axis = { stroke: colour("soft"), grid: { stroke: colour("rule"), width: 1 }, ticks: { stroke: colour("rule") } };
    plot = new uPlot({ width: $("plot").clientWidth, height: 240, scales: { x: { time: false } }, axes: [{ ...axis }, { ...axis, size: 70 }], series: [{ label: title }, ...series], ...options }, data, $("plot"));
}
function show() {
    for (const tab of document.querySelectorAll("[role=tab]")) tab.setAttribute("aria-selected", tab.id === `tab-${state.tab}`), tab.tabIndex = tab.id === `tab-${state.tab}` ? 0 : -1;
    const panel = { laws: "laws", said: "said" }[state.tab] || "plot";
    for (const id of ["plot", "said", "laws"]) $(id).hidden = id !== panel;
    $("note").textContent = "";
    plot?.destroy(), plot = null;
    if (state.tab === "laws") return certificate();
    if (!result || panel !== "plot") return;
    const t = column("t"), names = result.coordinates.slice(0, 8), line = (label, i) => ({ label, stroke: colour(`c${i % 8}`), width: 1.5, points: { show: false } });
    if (state.tab === "time") draw("t", [t, ...names.map(column)], names.map(line));
    if (state.tab === "phase") {
        const curves = names.slice(0, 4).map(q => [column(q), column(`${q}.v`)]);
        draw("q", [null, ...curves], names.slice(0, 4).map((q, i) => ({ ...line(`${q}' (${q})`, i), paths: path })),
            { mode: 2, legend: { live: false }, cursor: { drag: { setScale: false } }, scales: { x: { time: false, range: () => span(curves.map(c => c[0])) }, y: { range: () => span(curves.map(c => c[1])) } } });
    }
    if (state.tab === "energy") {
        /* Colours belong to methods, as in the animation above; rk4 has the first. */
        const what = result.changes ? "energy balance" : "H - H(0)", own = line(`${value("method")}: ${what}`, result.colour);
        if (!energies?.columns) draw("t", [t, column("balance")], [own]), $("note").textContent = energies ? plain(energies.error || energies.said || energies.failed) : "rk4 beside it is running ..";
        else {
            const other = energies.columns, data = uPlot.join([[t, column("balance")], [other[0], other[1]]]);
            draw("t", data, [{ ...own, spanGaps: true }, { ...line("rk4 at the same cost", 0), ...(result.colour ? {} : { stroke: colour("soft"), dash: [6, 4] }), spanGaps: true }]);
            $("note").textContent = `rk4 with step ${energies.step.toPrecision(3)}: in the computing time of ${value("method")} with step ${value("step")}, measured here`;
        }
    }
}
const span = lists => {
    let a = Infinity, b = -Infinity;
    for (const list of lists) for (const x of list) if (Number.isFinite(x)) a = Math.min(a, x), b = Math.max(b, x);
    const m = (b - a) * 0.05 || 1;
    return a <= b ? [a - m, b + m] : [-1, 1];
};
/* A curve in the plane, in uPlot's mode 2. */
function path(u, k) {
    const [xs, ys] = u.data[k], c = u.ctx;
    c.save(), c.beginPath(), c.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height), c.clip(), c.beginPath();
    for (let i = 0; i < xs.length; i++) c[i ? "lineTo" : "moveTo"](u.valToPos(xs[i], "x", true), u.valToPos(ys[i], "y", true));
    c.strokeStyle = colour(`c${(k - 1) % 8}`), c.lineWidth = 1.5 * devicePixelRatio, c.stroke(), c.restore();
    return null;
}
function certificate() {
    const box = $("laws"), cell = (row, words, kind = "td") => Object.assign(row.insertCell ? row.appendChild(document.createElement(kind)) : row, { textContent: words });
    const short = x => x ? x.toExponential(1) : "0";
    /* A number and its bound, which a narrow page puts below it. */
    const figure = (row, value, bound) => row.insertCell().append(...[value == null ? "" : short(value), bound == null ? "" : ` \u2264 ${short(bound)}`].map(words =>
        Object.assign(document.createElement("span"), { textContent: words })));
    const heading = words => box.appendChild(Object.assign(document.createElement("h2"), { textContent: words }));
    box.replaceChildren();
    let x = null;
    try { x = JSON.parse(laws.out); } catch { /* told below */ }
    if (!x) return void (box.textContent = laws ? laws.failed || laws.err : result ? "the laws are being measured .." : "Run first.");
    const rows = (title, list, make) => {
        heading(title);
        const table = box.appendChild(document.createElement("table"));
        for (const item of list) make(table.insertRow(), item);
    };
    const H = result ? column("balance").reduce((most, x) => Math.max(most, Math.abs(x)), 0) : NaN;
    rows(x.symmetries.length ? "Symmetries found, and what they conserve" : "No symmetry was found", x.symmetries, (row, s) => {
        const law = x.laws.find(l => l.name === `momentum ${s.name}`);
        cell(row, s.what), cell(row, s.momentum || s.name);
        cell(row, law?.value != null ? `drift ${short(law.value)}` : s.momentum === "energy" && H >= 0 ? `error of the run at most ${short(H)}` : s.verdict);
    });
    rows(`Laws of ${x.method} at step ${x.step}: ${x.holds ? "all that is promised holds" : "not all holds"}`, x.laws, (row, l) => {
        cell(row, l.verdict).className = l.verdict === "holds" ? "holds" : /fail/.test(l.verdict) ? "fails" : "";
        cell(row, l.name), figure(row, l.value, l.bound), cell(row, l.what);
    });
}

/* ---- buttons ---- */
function save(name, words, type = "text/plain") {
    const url = URL.createObjectURL(new Blob([words], { type })), a = Object.assign(document.createElement("a"), { href: url, download: name });
    a.click(), setTimeout(() => URL.revokeObjectURL(url), 1000);
}
function fields() { for (const f of ["method", "step", "until"]) state[f] = $(f).value; keep(); }
$("controls").onsubmit = e => { e.preventDefault(), fields(), run(); };
for (const f of ["method", "step", "until"]) $(f).onchange = fields;
$("stop").onclick = stop;
$("csv").onclick = () => save(`${modelName()}.csv`, result.csv, "text/csv");
$("lag").onclick = () => save(`${modelName()}.lag`, text());
$("c").onclick = async () => { const x = await judge.ask({ kind: "command", name: modelName(), text: text(), words: ["emit", ...lets()] }, SECONDS); x.status === 0 ? save(`${modelName()}.c`, x.out) : failed(x.failed || x.err); };
$("link").onclick = async () => {
    fields(), address(`#m=${packed(JSON.stringify(state))}`), linked = motion();
    try { await navigator.clipboard.writeText(location.href), say("the link is in the clipboard"); } catch { say("the address of this page now holds the model"); }
};
const address = hash => window.history.replaceState(null, "", hash);
const tabs = [...document.querySelectorAll("[role=tab]")];
tabs.forEach((tab, i) => {
    tab.onclick = () => { state.tab = tab.id.slice(4), keep(), show(); };
    tab.onkeydown = e => { const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key]; if (by) { const to = tabs[(i + by + tabs.length) % tabs.length]; to.focus(), to.click(); } };
});
function choose(name) {
    Object.assign(state, { method: "", step: "", until: "", lets: {} });
    return open(models[name]);
}
function open(words) {
    for (const f of ["method", "step", "until"]) $(f).value = state[f] || "";
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: words } });
    return run();
}
$("gallery").onchange = () => { if ($("gallery").value) choose($("gallery").value); };
addEventListener("resize", () => { clearTimeout(resized), resized = setTimeout(show, 150); });
let resized = 0;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);

const models = await load("models.json").then(answer => answer.json()); /* name -> text */
$("gallery").append(new Option("a model of my own", ""), ...Object.keys(models).map(name => new Option(name.replaceAll("_", " "), name)));
const old = remembered();
if (old?.text) {
    for (const key of Object.keys(state)) if (key in old) state[key] = old[key];
    if (location.hash) linked = motion();
    await open(old.text);
} else await choose("double_pendulum");
/* After the first run, which it would slow down; where a page may not, it works while it is loaded. */
navigator.serviceWorker?.register("offline.mjs").catch(() => {});
/* For tests and for the console. */
window.playground = { editor, state, get result() { return result; }, get energies() { return energies; }, get laws() { return laws; }, get known() { return known; } };
