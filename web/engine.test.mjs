// noether.wasm under node against the command of this machine: bits of rows, laws, verdicts of check, what is missing says so.
// SPDX-License-Identifier: BSD-3-Clause
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { Engine } from "./engine/engine.mjs";
import { ok, status } from "./check.mjs";

const build = process.argv[2], command = resolve(build, "noether"), systems = resolve(import.meta.dirname, "../systems");
const binary = readFileSync(join(build, "wasm/noether.wasm")), module = new WebAssembly.Module(binary);
const folder = mkdtempSync(join(tmpdir(), "noether-wasm-"));
const model = name => readFileSync(join(systems, `${name}.lag`), "utf8");
/* The command in wasm and here; paths of models are names in systems/. */
function there(...words) {
    const named = words.filter(word => word.endsWith(".lag"));
    return new Engine(module, Object.fromEntries(named.map(name => [name, model(name.slice(0, -4))]))).command(...words);
}
function here(...words) {
    const r = spawnSync(command, words, { cwd: systems, encoding: "utf8", maxBuffer: 1 << 28 });
    return { status: r.status, out: r.stdout, err: r.stderr };
}
const numbers = csv => csv.trim().split("\n").slice(1).flatMap(line => line.split(",").map(Number));
const checksum = list => createHash("sha256").update(new Uint8Array(Float64Array.from(list).buffer)).digest("hex");

/* Rows of noe_rows in the engine's heap; or the message of the failure. */
function rows(name, method, steps, every) {
    const e = new Engine(module), system = e.call("noe_system_parse", model(name)), parsed = e.call("noe_method_parse", method);
    const step = system && +e.take(e.call("noe_system_suggest", system, "step")), n = system && e.call("noe_system_dim", system);
    const g = e.call("noe_integrator_new", system, parsed, step);
    if (!g) return { message: e.error() };
    const count = steps / every * (1 + 2 * n), at = e.exports.malloc(8 * count), status = e.call("noe_rows", g, steps, every, at);
    const names = Array.from({ length: n }, (_, i) => e.take(e.call("noe_system_name", system, i)));
    return status ? { message: e.error() } : { list: Array.from(e.doubles(at, count)), names, step };
}

/* The bits of 20 systems by 6 methods are those of the command on this machine. */
function bits() {
    const methods = ["midpoint", "simpson", "gauss 3", "gauss 8", "lobatto 4", "rk4"];
    const all = createHash("sha256");
    let used = 0, runs = 0, refused = 0;
    for (const name of readdirSync(systems).filter(f => f.endsWith(".lag")).map(f => f.slice(0, -4)).sort()) {
        if (/^monitor/m.test(model(name))) continue; // its steps end at times of their own
        const first = used < 20 ? rows(name, "simpson", 20, 20) : {};
        if (!first.list || first.names.length > 40) continue;
        used++;
        for (const method of methods) {
            const a = rows(name, method, 120, 12);
            const file = join(folder, "rows.csv"), columns = ["t", ...first.names, ...first.names.map(q => `${q}.p`)].join();
            const r = here("run", `${name}.lag`, "--method", method, "--step", String(first.step), "--until", String(120 * first.step),
                "--every", "12", "--columns", columns, "--quiet", "--output", file);
            if (a.list && r.status === 0) {
                const width = 1 + 2 * first.names.length, b = numbers(readFileSync(file, "utf8")).slice(width);
                const same = a.list.length === b.length && checksum(a.list) === checksum(b);
                if (!same) ok(`${name} by ${method}: the bits of the command`, false, [a.list.slice(-3), b.slice(-3)]);
                all.update(checksum(a.list)), runs += same;
            } else {
                ok(`${name} by ${method}: both refuse`, !a.list && r.status !== 0, [a.message, r.err]);
                refused += !a.list && r.status !== 0;
            }
        }
    }
    ok(`${used} systems by ${methods.length} methods: ${runs} runs with the bits of the command, ${refused} refused by both, sha256 ${all.digest("hex").slice(0, 16)}`, used === 20 && runs > 100 && runs + refused === 120, [used, runs]);
}

/* M^T Omega M = Omega for the derivative of a step; forth and back; momenta. */
function laws() {
    for (const [name, method] of [["double_pendulum", "simpson"], ["kepler", "gauss 3"], ["henon_heiles", "midpoint"]]) {
        const e = new Engine(module), system = e.call("noe_system_parse", model(name)), n = e.call("noe_system_dim", system), N = 2 * n;
        const make = h => e.call("noe_integrator_new", system, e.call("noe_method_parse", method), h), g = make(0.01), at = e.exports.malloc(8 * N * N);
        let worst = 0;
        for (let k = 0; k < 20; k++) {
            e.call("noe_step_jacobian", g, at);
            const M = e.doubles(at, N * N).slice(), size = Math.max(...M.map(Math.abs));
            for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) {
                let sum = 0;
                for (let k = 0; k < n; k++) sum += M[k * N + i] * M[(n + k) * N + j] - M[(n + k) * N + i] * M[k * N + j];
                worst = Math.max(worst, Math.abs(sum - (j === i + n) + (i === j + n)) / (N * size * size * 2 ** -53));
            }
        }
        ok(`${name} by ${method}: symplectic within 16 roundings`, worst < 16 && worst > 0, worst);
        const q = e.doubles(e.call("noe_q", g), n).slice(), p = e.doubles(e.call("noe_p", g), n).slice(), b = make(-0.01), room = e.exports.malloc(16 * n);
        e.doubles(room, N).set([...q, ...p]);
        e.call("noe_start_momentum", b, 0.2, room, room + 8 * n);
        for (let k = 0; k < 20; k++) e.call("noe_step", b);
        const start = e.doubles(e.call("noe_q", make(0.01)), n).slice(), back = e.doubles(e.call("noe_q", b), n).slice();
        const away = Math.max(...back.map((x, i) => Math.abs(x - start[i]) / Math.max(1, Math.abs(x))));
        ok(`${name} by ${method}: back at the start`, away < 1e-13, away);
    }
    const e = new Engine(module), system = e.call("noe_system_parse", model("kepler")), g = e.call("noe_integrator_new", system, e.call("noe_method_parse", "rk4"), 0.05);
    const H = e.call("noe_get", g, "energy");
    e.exports.noe_run(g, 50, 0, 0);
    ok("rk4 loses the energy of Kepler's orbit, simpson does not", Math.abs(e.call("noe_get", g, "energy") - H) > 1e-6, e.call("noe_get", g, "energy") - H);
}

/* check finds what it finds here: symmetries, momenta, verdicts of laws. */
function certificates() {
    for (const name of ["double_pendulum", "kepler", "lagrange_top", "figure_eight", "spherical_pendulum", "magnetic"]) {
        const a = there("check", `${name}.lag`, "--json", "--within", "0"), b = here("check", `${name}.lag`, "--json", "--within", "0");
        const told = r => { const x = JSON.parse(r.out); return { symmetries: x.symmetries.map(s => [s.name, s.what, s.verdict]), laws: x.laws.map(l => [l.name, l.verdict]), holds: x.holds,
            blocks: x.structure.blocks, cyclic: x.structure.cyclic }; };
        ok(`${name}: the certificate of the command`, a.status === b.status && JSON.stringify(told(a)) === JSON.stringify(told(b)), [a.status, b.status, a.err.slice(0, 300), a.out && told(a), b.out && told(b)]);
    }
    const e = new Engine(module), table = e.call("noe_check", e.call("noe_system_parse", model("pendulum")), e.call("noe_method_parse", "simpson"), 0.01);
    const count = e.call("noe_table_rows", table), holds = Array.from(e.doubles(e.call("noe_table_column", table, "holds"), count));
    ok("noe_check: laws of the pendulum", count > 5 && holds.every(x => x !== 0) && holds.filter(x => x === 1).length > 4, holds);
}

/* What the command prints and writes, and what it refuses. */
function words() {
    for (const list of [["emit", "double_pendulum.lag"], ["emit", "kepler.lag", "--step", "gauss 3"], ["show", "gauss 3"], ["show", "double_pendulum.lag", "--latex"]]) {
        const a = there(...list), b = here(...list);
        ok(`${list.join(" ")}: the text of the command`, a.status === 0 && a.out === b.out && a.out.length > 200, [a.out.length, b.out.length, a.err]);
    }
    const sweep = ["run", "pendulum.lag", "--sweep", "q = 0.1..3 in 12", "--until", "1", "--quiet"], a = there(...sweep), b = here(...sweep);
    ok("a sweep without threads: the rows of the command", a.out === b.out && a.out.length > 200, [a.out.slice(0, 300), b.out.slice(0, 300)]);
    const wide = ["run", "double_pendulum.lag", "--digits", "33", "--until", "0.2", "--every", "20", "--columns", "t,q1,q2,energy", "--quiet"];
    const digits = r => r.out.trim().split("\n").at(-1).split(",")[1].replace("-", "").slice(0, 31);
    ok("33 digits: the first 30 are those of the command", digits(there(...wide)) === digits(here(...wide)), [there(...wide).out, here(...wide).out]);
    /* exp, log, pow, sinh, cosh, tanh in binary128, which are not the same source there and here: 16 units in the last place of 33 digits */
    const terms = ["exp(u)", "exp(-9*u)", "log(u + 2)", "log(1 + u/1000)", "(u + 2)^2.3", "(u + 3)^(-1.7)", "sinh(u)", "sinh(u/50)", "cosh(u)", "tanh(u)"];
    const text = "coordinate u\nkinetic u'^2/2\nstart u = -1.7, u' = 3.3\n" + terms.map((f, i) => `observe f${i} = ${f}\n`).join("");
    writeFileSync(join(folder, "functions.lag"), text);
    const list = ["run", "functions.lag", "--method", "simpson", "--step", "0.1", "--until", "1", "--digits", "33", "--columns", terms.map((f, i) => `f${i}`).join(), "--quiet"];
    const near = new Engine(module, { "functions.lag": text }).command(...list), far = spawnSync(command, list, { cwd: folder, encoding: "utf8" });
    const exact = out => out.trim().split("\n").slice(1).flatMap(line => line.split(",").map(x => { const [d, e] = x.split("e"), [w, f = ""] = d.split(".");
        return BigInt(w + f.padEnd(45, "0").slice(0, 45)) * 10n ** BigInt(60 + +(e || 0)); }));
    const A = exact(near.out), B = exact(far.stdout), part = A.map((x, i) => Number(x - B[i]) / Math.abs(Number(B[i])) * 2 ** 113);
    const most = Math.max(...part.map(Math.abs));
    ok(`functions of binary128: ${A.length} values within 16 units of rounding (${most.toFixed(1)})`, A.length === 110 && most < 16 && A.every((x, i) => (x < 0n) === (B[i] < 0n)), [near.err, far.stderr, most]);
    for (const [list, says] of [[["run", "pendulum.lag", "--digits", "50"], "FLINT"], [["run", "pendulum.lag", "--output", "a.h5"], "HDF5"], [["run", "pendulum.lag", "--plot", "a.svg"], "gnuplot"],
        [["run", "nothing.txt"], "nothing.txt"]]) {
        const r = there(...list);
        ok(`${list.join(" ")}: refused, names ${says}`, r.status > 1 && r.err.includes(says), r);
    }
    const e = new Engine(module);
    e.call("noe_system_parse", "coordinate q\nkinetic q'^2/2\npotential omga*q^2\n");
    const message = e.error();
    ok("an error has its line and column", /\b3:11: unknown name 'omga'/.test(message), message);
    ok("after 3000 errors there is memory and no other message", Array.from({ length: 3000 }, () => (e.call("noe_system_parse", "coordinate q\nkinetic (q'\n"), e.error())).every(m => /:2:1?\d: /.test(m)));
    const big = new Engine(module);
    big.call("noe_system_parse", "coordinate x[k] for k = 1..2000000\nkinetic sum(k = 1..2000000, x[k]'^2/2)\n");
    const said = big.error();
    ok("a model that is too large is an error, not a crash", said === null || said.length > 10, said);
}

console.log(`noether.wasm: ${(binary.length / 1024).toFixed(0)} KB, gzipped ${(gzipSync(binary, { level: 9 }).length / 1024).toFixed(0)} KB`);
try {
    bits(), laws(), certificates(), words();
} finally {
    rmSync(folder, { recursive: true });
}
process.exit(status());
