// tables_reader.js: reads the tables of one game from a static host, by range requests, through the
// program's own reader compiled to WebAssembly (tables/tables_module.c says what goes in and out).
//
// The module never waits: where bytes are missing it names the ranges that it needs; they are
// fetched, all at once, and the same question is asked again. What was fetched is kept until that
// question has its answer, and no longer: decoded blocks are kept in the module, at most
// CACHE_BYTES of them. Files of a small game come whole and stay.

import { decompress } from './libraries/fzstd.js';
import { sha256 } from './libraries/sha2.js';
import { MerelsError, urlSource } from './merels_compact.js';

const CACHE_BYTES = 32 << 20;
const NEAR = 8192; // bytes between two ranges that are fetched as one
const HERE = 0, LATER = 1, MISSING = 2, ENDS = 3; // of reading, as in tables_host.c
const DONE = 0, FAILED = 2; // of a call, as in tables_module.c

// Names of statuses of the program, and what the page calls them.
const codes = {
    'bad input': 'illegal',
    'illegal position': 'illegal',
    'not covered': 'not-covered',
    missing: 'not-covered',
    corrupt: 'damaged',
    mismatch: 'damaged',
    'newer version': 'newer',
    'older version': 'damaged',
    'other rules': 'damaged',
};

// Ranges in order, those that touch or nearly do made one.
export function joinRanges(ranges) {
    const joined = [];
    for (const { offset, length } of [...ranges].sort((a, b) => a.offset - b.offset)) {
        const last = joined[joined.length - 1];
        if (last && offset <= last.offset + last.length + NEAR)
            last.length = Math.max(last.length, offset + length - last.offset);
        else joined.push({ offset, length });
    }
    return joined;
}

let compiled = null; // a promise of the module

async function compileModule(fetch) {
    const url = new URL('tables.wasm', import.meta.url);
    const response = await fetch(url);
    if (!response.ok) throw new MerelsError('http', `${url}: the host answers ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
}

export class TablesReader {
    fetched = { requests: 0, bytes: 0 };
    #wasm;
    #game;
    #fetch;
    #parts = new Map(); // name of a file: what of it is here, [{offset, length, bytes}]
    #wanted = new Map(); // name of a file: ranges
    #gone = new Set(); // files that the host has not
    #last = Promise.resolve();

    // game: {folder, files: {name: {bytes, urls}}, pieceBytes, whole, text}: the text of "merels rules
    // RULES"; fetch as of the browser.
    static async open(game, fetch) {
        const reader = await TablesReader.openRules(game, fetch);
        reader.edition = await reader.#ask(game.folder, () => reader.#wasm.open_tables(CACHE_BYTES));
        return reader;
    }

    // No tables, rules only: reads games.
    static async openRules(game, fetch) {
        const reader = new TablesReader();
        reader.#game = game;
        reader.#fetch = fetch;
        compiled ??= compileModule(fetch);
        compiled.catch(() => (compiled = null));
        const none = () => 52; // "not supported": the C library could write to files, which nothing asks of it
        const wasi = { fd_close: none, fd_seek: none, fd_write: none };
        const imports = { host: reader.#host(), wasi_snapshot_preview1: wasi };
        reader.#wasm = (await WebAssembly.instantiate(await compiled, imports)).exports;
        reader.rules = await reader.#ask(game.text, () => reader.#wasm.open_rules());
        return reader;
    }

    // {value, plies}
    value(position) {
        return this.#ask(position, () => this.#wasm.value()).then(readValue);
    }

    // {value, plies, over, moves: [{text, value, plies}], lacking}: the moves best first
    async rank(position) {
        const { plain, marked } = readLines(await this.#ask(position, () => this.#wasm.rank()));
        const [value, ...moves] = plain;
        const readMove = (line) => {
            const [text, ...rest] = line.split(' ');
            return { text, ...readValue(rest.join(' ')) };
        };
        return { ...readValue(value), over: marked('='), lacking: marked('!'), moves: moves.map(readMove) };
    }

    // {from, plies, problem}: a game in any form of docs/NOTATION.md
    async readGame(text) {
        const { plain, marked } = readLines(await this.#ask(text, () => this.#wasm.read_game()));
        const [from, ...plies] = plain;
        return { from, plies, problem: marked('!') };
    }

    // ---- calls -------------------------------------------------------------------------------

    #bytes(place, n) {
        return new Uint8Array(this.#wasm.memory.buffer, place >>> 0, n);
    }

    #output() {
        return new TextDecoder().decode(this.#bytes(this.#wasm.output(), this.#wasm.output_bytes()));
    }

    // Questions wait for each other: the module answers one at a time.
    #ask(text, call) {
        const mine = this.#last.then(() => this.#answer(text, call));
        this.#last = mine.catch(() => {});
        return mine;
    }

    async #answer(text, call) {
        try {
            for (;;) {
                const bytes = new TextEncoder().encode(text);
                const place = this.#wasm.input(bytes.length);
                if (place === 0) throw new MerelsError('no-memory', 'there is no memory for the question');
                this.#bytes(place, bytes.length).set(bytes);
                const outcome = call();
                if (outcome === DONE) return this.#output();
                if (outcome === FAILED) throw failure(this.#output());
                await this.#fetchWanted();
            }
        } finally {
            this.#wanted.clear();
            if (!this.#game.whole) this.#parts.clear();
        }
    }

    // ---- bytes -------------------------------------------------------------------------------

    #host() {
        const running = new Map();
        let hashes = 0;
        return {
            size: (name) => this.#sizeOf(this.#text(name)),
            read: (name, offset, to, n) => this.#read(this.#text(name), offset, this.#bytes(to, n)),
            want: (name, offset, n) => this.#want(this.#text(name), offset, n),
            decode: (from, n, to, length) => decode(this.#bytes(from, n), this.#bytes(to, length)),
            sha_begin: () => running.set(++hashes, sha256.create()) && hashes,
            sha_update: (hash, from, n) => void running.get(hash).update(this.#bytes(from, n)),
            sha_finish: (hash, to) => {
                this.#bytes(to, 32).set(running.get(hash).digest());
                running.delete(hash);
            },
        };
    }

    // A text of the module, which ends with a 0.
    #text(place) {
        const memory = new Uint8Array(this.#wasm.memory.buffer);
        return new TextDecoder().decode(memory.slice(place >>> 0, memory.indexOf(0, place >>> 0)));
    }

    #sizeOf(name) {
        return this.#gone.has(name) ? -1 : (this.#game.files[name]?.bytes ?? -1);
    }

    #read(name, offset, to) {
        if (this.#sizeOf(name) < 0) return MISSING;
        const holds = (part) => offset >= part.offset && offset + to.length <= part.offset + part.length;
        const part = this.#parts.get(name)?.find(holds);
        if (!part) return LATER;
        const from = offset - part.offset;
        if (from + to.length > part.bytes.length) return ENDS;
        to.set(part.bytes.subarray(from, from + to.length));
        return HERE;
    }

    #want(name, offset, n) {
        const size = this.#sizeOf(name);
        const length = n < 0 ? size - offset : n;
        const whole = this.#game.whole || (offset === 0 && length === size);
        if (!this.#wanted.has(name)) this.#wanted.set(name, []);
        this.#wanted.get(name).push(whole ? { offset: 0, length: size } : { offset, length });
    }

    // Everything that is wanted and not here, at once.
    async #fetchWanted() {
        const jobs = [];
        for (const [name, ranges] of this.#wanted) {
            const parts = this.#parts.get(name) ?? [];
            const isHere = ({ offset, length }) => parts.some((p) => offset >= p.offset && offset + length <= p.offset + p.length);
            const lacking = ranges.filter((range) => !isHere(range));
            jobs.push(...joinRanges(lacking).map((range) => this.#fetchPart(name, range)));
        }
        this.#wanted.clear();
        await Promise.all(jobs);
    }

    async #fetchPart(name, { offset, length }) {
        const file = this.#game.files[name];
        const whole = offset === 0 && length === file.bytes;
        try {
            const bytes = whole ? await this.#fetchWhole(file) : await this.#fetchRange(file, offset, length);
            if (!this.#parts.has(name)) this.#parts.set(name, []);
            this.#parts.get(name).push({ offset, length, bytes });
        } catch (error) {
            if (error.code !== 'gone') throw error;
            this.#gone.add(name); // the module says which subspace that is
        }
    }

    async #request(url, init) {
        const response = await this.#fetch(url, init);
        if (response.status === 404 || response.status === 410) throw new MerelsError('gone', `${url}: is not there`);
        this.fetched.requests++;
        return response;
    }

    async #fetchWhole({ bytes: size, urls }) {
        const pieces = [];
        for (const url of urls) {
            const response = await this.#request(url);
            if (!response.ok) throw new MerelsError('http', `${url}: the host answers ${response.status}`);
            pieces.push(new Uint8Array(await response.arrayBuffer()));
        }
        const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
        pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0);
        this.fetched.bytes += all.length;
        if (all.length !== size) throw new MerelsError('damaged', `${urls[0]}: ${all.length} bytes in place of ${size}`);
        return all;
    }

    async #fetchRange({ urls }, offset, length) {
        const source = urlSource(urls, { fetch: (url, init) => this.#request(url, init), pieceBytes: this.#game.pieceBytes });
        const bytes = await source.fetch(offset, length);
        this.fetched.bytes += bytes.length;
        return bytes;
    }
}

// Lines of an answer, and the text of the one that begins with a sign, or null.
function readLines(output) {
    const lines = output.trimEnd().split('\n');
    const marked = (sign) => lines.find((line) => line.startsWith(`${sign} `))?.slice(2) ?? null;
    return { plain: lines.filter((line) => !/^[=!] /.test(line)), marked };
}

function readValue(text) {
    const [value, plies] = text.trim().split(' ');
    return { value: value === 'unknown' ? null : value, plies: plies === '-' ? null : Number(plies) };
}

function failure(output) {
    const [status, ...text] = output.split('\n');
    return new MerelsError(codes[status] ?? 'read-failed', text.join('\n'));
}

// Its checksum says that the block is as it was written, so no more is asked of it than its
// length.
function decode(stored, plain) {
    try {
        const bytes = decompress(stored);
        if (bytes.length !== plain.length) return 0;
        plain.set(bytes);
        return 1;
    } catch {
        return 0;
    }
}
