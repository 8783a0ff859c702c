// A system interface (WASI preview 1) in memory: one folder of files, the clock, and what is printed; no network, no other files.
// SPDX-License-Identifier: BSD-3-Clause

const BADF = 8, EXIST = 20, INVAL = 28, NOENT = 44, NOTCAPABLE = 76, NOTEMPTY = 55;
const CHARACTERS = 2, FOLDER = 3, FILE = 4; // kinds of what a descriptor names
const ROOT = 3;                             // the descriptor of the folder, opened before the start

class File {
    bytes = new Uint8Array(0);
    size = 0;
    constructor(bytes = new Uint8Array(0)) { this.bytes = bytes, this.size = bytes.length; }
    get content() { return this.bytes.subarray(0, this.size); }
    resize(size) {
        if (size > this.bytes.length) {
            const more = new Uint8Array(Math.max(size, 2 * this.bytes.length, 4096));
            more.set(this.content);
            this.bytes = more;
        }
        if (size < this.size) this.bytes.fill(0, size, this.size);
        this.size = size;
    }
    write(bytes, at) {
        if (at + bytes.length > this.size) this.resize(at + bytes.length);
        this.bytes.set(bytes, at);
    }
}

export class Exit extends Error {
    constructor(status) { super(`exit status ${status}`), this.status = status; }
}

const text = new TextDecoder(), bytes = new TextEncoder();

/* files: Map of path without the leading slash -> text or Uint8Array.  The functions that a module imports are `imports`. */
export class Wasi {
    constructor(files = new Map()) {
        this.files = new Map([...files].map(([path, content]) => [path, new File(typeof content === "string" ? bytes.encode(content) : content)]));
        this.printed = [0, 1, 2].map(() => new File());
        this.open = new Map([0, 1, 2].map(fd => [fd, { kind: CHARACTERS, file: this.printed[fd], at: 0, append: fd > 0 }]));
        this.open.set(ROOT, { kind: FOLDER });
        this.next = ROOT + 1;
        const self = this;
        this.imports = { wasi_snapshot_preview1: Object.fromEntries(Object.getOwnPropertyNames(Wasi.prototype)
            .filter(name => /^(fd|path|clock|environ|proc)_/.test(name)).map(name => [name, (...args) => self[name](...args)])) };
    }
    attach(memory) { this.memory = memory; }
    read(path) { const f = this.files.get(path); return f && text.decode(f.content); }
    get out() { return text.decode(this.printed[1].content); }
    get err() { return text.decode(this.printed[2].content); }

    get view() { return new DataView(this.memory.buffer); }
    string(at, length) { return text.decode(new Uint8Array(this.memory.buffer, at, length)); }
    path(at, length) { return this.string(at, length).split("/").filter(part => part && part !== ".").join("/"); }
    u32(at, x) { this.view.setUint32(at, x, true); }
    u64(at, x) { this.view.setBigUint64(at, BigInt(x), true); }

    environ_sizes_get(count, size) { this.u32(count, 0), this.u32(size, 0); return 0; }
    environ_get() { return 0; }
    clock_time_get(id, precision, to) {
        const ms = id === 0 ? Date.now() : performance.now();
        this.u64(to, Math.round(ms * 1e6));
        return 0;
    }
    proc_exit(status) { throw new Exit(status); }

    fd_prestat_get(fd, to) {
        if (fd !== ROOT) return BADF;
        this.u32(to, 0), this.u32(to + 4, 1);
        return 0;
    }
    fd_prestat_dir_name(fd, to) { this.view.setUint8(to, 47); return fd === ROOT ? 0 : BADF; }
    fd_close(fd) { return this.open.delete(fd) ? 0 : BADF; }
    fd_fdstat_get(fd, to) {
        const o = this.open.get(fd);
        if (!o) return BADF;
        this.view.setUint8(to, o.kind), this.view.setUint16(to + 2, o.append ? 1 : 0, true);
        this.u64(to + 8, (1n << 30n) - 1n), this.u64(to + 16, (1n << 30n) - 1n);
        return 0;
    }
    fd_fdstat_set_flags() { return 0; }
    fd_sync(fd) { return this.open.has(fd) ? 0 : BADF; }
    fd_allocate(fd, from, size) {
        const o = this.open.get(fd), end = Number(from + size);
        if (!o?.file) return BADF;
        if (end > o.file.size) o.file.resize(end);
        return 0;
    }
    stat(o, to) {
        for (let i = 0; i < 64; i += 8) this.u64(to + i, 0);
        this.view.setUint8(to + 16, o.kind), this.u64(to + 24, o.gone ? 0 : 1), this.u64(to + 32, o.file ? o.file.size : 0);
        return 0;
    }
    fd_filestat_get(fd, to) { const o = this.open.get(fd); return o ? this.stat(o, to) : BADF; }
    fd_filestat_set_size(fd, size) {
        const o = this.open.get(fd);
        if (!o?.file) return o ? NOTCAPABLE : BADF;
        o.file.resize(Number(size));
        return 0;
    }
    path_filestat_get(fd, flags, at, length, to) {
        const path = this.path(at, length);
        if (!path) return this.stat({ kind: FOLDER }, to);
        return this.files.has(path) ? this.stat({ kind: FILE, file: this.files.get(path) }, to) : NOENT;
    }
    path_open(fd, dirflags, at, length, oflags, rights, inheriting, fdflags, to) {
        const path = this.path(at, length);
        if (!path || oflags & 2) {
            if (path) return NOENT;
            this.open.set(this.next, { kind: FOLDER });
        } else {
            if (!this.files.has(path)) {
                if (!(oflags & 1)) return NOENT;
                this.files.set(path, new File());
            } else if ((oflags & 5) === 5) return EXIST;
            const file = this.files.get(path);
            if (oflags & 8) file.resize(0);
            this.open.set(this.next, { kind: FILE, file, at: 0, append: !!(fdflags & 1) });
        }
        this.u32(to, this.next++);
        return 0;
    }
    path_readlink() { return INVAL; }
    path_remove_directory() { return NOTEMPTY; }
    path_unlink_file(fd, at, length) {
        const path = this.path(at, length), file = this.files.get(path);
        for (const o of this.open.values()) if (file && o.file === file) o.gone = true;
        return this.files.delete(path) ? 0 : NOENT;
    }
    path_rename(fd, at, length, to, toAt, toLength) {
        const from = this.path(at, length), file = this.files.get(from);
        if (!file) return NOENT;
        this.files.delete(from), this.files.set(this.path(toAt, toLength), file);
        return 0;
    }
    fd_readdir(fd, buffer, size, cookie, to) {
        const names = [...this.files.keys()], record = new Uint8Array(size);
        let used = 0;
        for (let i = Number(cookie); i < names.length && used < size; i++) {
            const name = bytes.encode(names[i]), entry = new Uint8Array(24 + name.length), view = new DataView(entry.buffer);
            view.setBigUint64(0, BigInt(i + 1), true), view.setBigUint64(8, BigInt(i + 1), true), view.setUint32(16, name.length, true), view.setUint8(20, FILE);
            entry.set(name, 24);
            record.set(entry.subarray(0, size - used), used);
            used += Math.min(entry.length, size - used);
        }
        new Uint8Array(this.memory.buffer, buffer, size).set(record);
        this.u32(to, used);
        return 0;
    }

    /* The parts of memory that a list names, each given to `use` with its place in the whole. */
    parts(list, count, use) {
        let total = 0;
        for (let i = 0; i < count; i++) {
            const at = this.view.getUint32(list + 8 * i, true), size = this.view.getUint32(list + 8 * i + 4, true);
            const done = use(new Uint8Array(this.memory.buffer, at, size), total);
            total += done;
            if (done < size) break;
        }
        return total;
    }
    transfer(fd, list, count, at, to, writes) {
        const o = this.open.get(fd);
        if (!o?.file) return o ? NOTCAPABLE : BADF;
        const from = at === undefined ? writes && o.append ? o.file.size : o.at : Number(at);
        const n = this.parts(list, count, (part, k) => {
            if (writes) return o.file.write(part, from + k), part.length;
            const here = o.file.content.subarray(from + k, from + k + part.length);
            return part.set(here), here.length;
        });
        if (at === undefined) o.at = from + n;
        this.u32(to, n);
        return 0;
    }
    fd_write(fd, list, count, to) { return this.transfer(fd, list, count, undefined, to, true); }
    fd_read(fd, list, count, to) { return this.transfer(fd, list, count, undefined, to, false); }
    fd_pwrite(fd, list, count, at, to) { return this.transfer(fd, list, count, at, to, true); }
    fd_pread(fd, list, count, at, to) { return this.transfer(fd, list, count, at, to, false); }
    fd_seek(fd, by, whence, to) {
        const o = this.open.get(fd);
        if (!o || o.kind !== FILE) return o ? 70 /* ESPIPE */ : BADF;
        const at = Number(by) + [0, o.at, o.file.size][whence];
        if (at < 0) return INVAL;
        o.at = at;
        this.u64(to, at);
        return 0;
    }
}
