// The engine, noether.wasm: the command, and every function of include/noether.h.
// SPDX-License-Identifier: BSD-3-Clause
import { Exit, Wasi } from "./wasi.mjs";

const bytes = new TextEncoder(), text = new TextDecoder();

/* One instance with its own memory.  module: a WebAssembly.Module; files: path -> text, what the command can read. */
export class Engine {
    constructor(module, files = {}) {
        this.wasi = new Wasi(new Map(Object.entries(files)));
        this.exports = new WebAssembly.Instance(module, this.wasi.imports).exports;
        this.wasi.attach(this.exports.memory);
        this.exports._initialize();
    }
    get memory() { return this.exports.memory.buffer; }
    /* A C string in the engine's memory, to be freed, and back. */
    give(string) {
        const code = bytes.encode(string + "\0"), at = this.exports.malloc(code.length);
        if (!at) throw new Error("out of memory");
        new Uint8Array(this.memory).set(code, at);
        return at;
    }
    take(at) {
        if (!at) return null;
        const all = new Uint8Array(this.memory);
        return text.decode(all.subarray(at, all.indexOf(0, at)));
    }
    /* Doubles in its memory, until that grows. */
    doubles(at, count) { return new Float64Array(this.memory, at, count); }
    /* A function of noether.h: numbers stay, texts become C strings while it runs. */
    call(name, ...args) {
        const given = args.map(a => typeof a === "string" ? this.give(a) : a);
        const result = this.exports[name](...given);
        args.forEach((a, i) => { if (typeof a === "string") this.exports.free(given[i]); });
        return result;
    }
    /* noe_error, which is then cleared; NULL: none. */
    error() {
        const message = this.take(this.exports.noe_error());
        this.exports.noe_error_clear();
        return message;
    }
    /* `noether WORD ...`: its exit status and what it printed; files are then in read(path). */
    command(...words) {
        const at = ["noether", ...words].map(word => this.give(word)), list = this.exports.malloc(4 * at.length + 4);
        new Uint32Array(this.memory, list, at.length + 1).set([...at, 0]);
        let status;
        try {
            status = this.exports.noether_command(at.length, list);
        } catch (e) {
            if (!(e instanceof Exit)) throw e;
            status = e.status;
        }
        for (const word of at) this.exports.free(word);
        this.exports.free(list);
        return { status, out: this.wasi.out, err: this.wasi.err };
    }
    read(path) { return this.wasi.read(path); }
}
