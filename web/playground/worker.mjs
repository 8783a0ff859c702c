// The engine off the page's thread: {id, kind, ..} -> {id, ..}.  The page ends what takes too long by ending the worker.
// SPDX-License-Identifier: BSD-3-Clause
import { Engine } from "../engine/engine.mjs";

const file = job => `${job.name || "model"}.lag`;

/* "model.lag:3:11: unknown name .." -> its place and words */
function place(message) {
    const [, line, column, words] = /:(\d+):(\d+): ([^\n]*)/.exec(message) || [0, 1, 1, message];
    return { line: +line, column: +column, message: words.trim() };
}

/* What a text says: its error, or coordinates, parameters, starts and suggestions. */
function inspect(module, { text }) {
    const e = new Engine(module), system = e.call("noe_system_parse", text);
    if (!system) return { error: place(e.error()) };
    const suggest = Object.fromEntries(["method", "step", "until"].map(w => [w, e.take(e.call("noe_system_suggest", system, w))]));
    const names = Array.from({ length: e.call("noe_system_dim", system) }, (_, i) => e.take(e.call("noe_system_name", system, i)));
    const g = e.call("noe_integrator_new", system, e.call("noe_method_parse", suggest.method || "simpson"), +suggest.step || 0.01);
    const starts = g && names.length <= 12 ? names.flatMap(q => [q, `${q}'`]).map(name => ({ name, value: e.call("noe_get", g, name) })) : [];
    e.error();
    const declared = [...text.replace(/#.*/g, "").matchAll(/^\s*parameter\b([^\n]*)/gm)].flatMap(m => [...m[1].matchAll(/([\p{L}_][\p{L}\d_]*)\s*=/gu)].map(x => x[1]));
    const parameters = declared.map(name => ({ name, value: e.call("noe_system_get", system, name) })).filter(p => Number.isFinite(p.value));
    e.error();
    return { names, starts, parameters, suggest, warning: e.take(e.call("noe_system_warning", system)) };
}

/* Milliseconds that a step of each method takes: the best of slices in turn, so that what else the machine does counts little. */
function milliseconds(module, text, methods, step) {
    const e = new Engine(module), system = e.call("noe_system_parse", text), best = methods.map(() => Infinity);
    const runs = methods.map(name => e.call("noe_integrator_new", system, e.call("noe_method_parse", name), step));
    if (runs.some(g => !g)) return best.fill(NaN);
    const slice = (g, n) => {
        const from = performance.now();
        for (let k = 0; k < n; k++) if (e.exports.noe_step(g)) return NaN;
        return performance.now() - from;
    };
    for (let turn = 0, counts = methods.map(() => 10); turn < 16; turn++)
        for (let i = 0; i < runs.length; i++) {
            const spent = slice(runs[i], counts[i]);
            if (!(spent >= 0)) return best.fill(NaN);
            if (spent < 4) counts[i] *= 2; /* a slice takes 4 ms or more */
            else best[i] = Math.min(best[i], spent / counts[i]);
        }
    return best;
}

function table(csv) {
    const [head, ...lines] = csv.trim().split("\n"), names = head.split(",");
    const columns = names.map(() => new Float64Array(lines.length));
    lines.forEach((line, i) => line.split(",").forEach((x, j) => { columns[j][i] = +x; }));
    return { names, columns };
}

/* noether run: rows, animation and what the command says. */
function run(module, job) {
    const e = new Engine(module, { [file(job)]: job.text }), from = performance.now();
    const r = e.command("run", file(job), ...job.words, "--output", "rows.csv", ...(job.film ? ["--animate", "film.html"] : []));
    const csv = e.read("rows.csv");
    return { status: r.status, said: r.err.trim(), csv, film: e.read("film.html"), colour: +(/"own":(\d)/.exec(e.read("film.html") ?? "")?.[1] ?? 1), ...(csv ? table(csv) : {}), ms: performance.now() - from };
}

/* The same motion by rk4, its step chosen so that it takes the time that the method took. */
function rk4(module, job) {
    const [a, b] = milliseconds(module, job.text, [job.method, "rk4"], job.step);
    if (!(a < Infinity && b < Infinity)) return { error: "no rk4 beside it: one of both cannot step here" };
    const step = Math.max(job.step * b / a, job.until / 2e6), words = ["--method", "rk4", "--step", String(step), "--until", String(job.until), "--columns", "t,balance", "--quiet",
        "--every", String(Math.max(1, Math.ceil(job.until / step / 600)))];
    return { ...run(module, { text: job.text, words: [...job.lets, ...words] }), step };
}

function command(module, job) { const [verb, ...rest] = job.words; return new Engine(module, { [file(job)]: job.text }).command(verb, file(job), ...rest); }

const kinds = { inspect, run, rk4, command };
let module;
self.onmessage = ({ data }) => {
    let answer;
    if (data.module) return void (module = data.module);
    try {
        answer = kinds[data.kind](module, data);
    } catch (error) {
        answer = { failed: /memory|unreachable|stack/i.test(error) ? `the engine stopped: ${error.message}; the model may be too large for a page` : String(error) };
    }
    self.postMessage({ id: data.id, ...answer });
};
