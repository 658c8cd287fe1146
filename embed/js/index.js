// index.js: exact values of morris games from a file of edition compact, in a browser or in Node.
//
// A reader is one WebAssembly instance. Bytes that are not here are fetched in pages, and the call is
// made again: what it wanted comes all at once, so a ranking with nothing here takes two rounds.

const NOT_YET = 1;
const CODES = [
    'ok', 'not-yet', 'illegal', 'not-covered', 'damaged', 'newer', 'no-memory', 'read-failed',
];
const WORDS = {
    illegal: 'no position of these rules',
    'not-covered': 'the file has no positions with these counts of men',
    damaged: 'the file is damaged, or no file of edition compact',
    newer: 'the file was made by a newer version',
    'no-memory': 'the file needs more memory than a reader has',
    'read-failed': 'reading failed',
    closed: 'the reader is closed',
};
const EXPORTS = [
    'memory', 'open', 'ask', 'find_value', 'find_ranking', 'found_value', 'found_plies', 'place_of_plies',
    'bytes_of_ply', 'points', 'subspaces', 'subspace', 'fingerprint', 'rules', 'bytes_of_rules',
];
const HERE = 0, LATER = 1, ENDS = 3;
const MOST_POINTS = 24, MOST_COUNT = 255;

export class MerelsError extends Error {
    constructor(code, message, options) {
        super(message ?? WORDS[code], options);
        this.name = 'MerelsError';
        this.code = code;
    }
}

// ---- what callers give -------------------------------------------------------------------------

function shown(x) {
    return typeof x === 'string' ? JSON.stringify(x.slice(0, 40))
        : typeof x === 'number' || typeof x === 'boolean' || x === null || x === undefined ? String(x)
            : Array.isArray(x) ? 'a list' : `of type ${typeof x}`;
}

function isWhole(x, least, most) {
    return Number.isInteger(x) && x >= least && x <= most;
}

function illegal(words) {
    return new MerelsError('illegal', words);
}

function setOf(what, x, nPoints) {
    if (!isWhole(x, 0, 2 ** nPoints - 1))
        throw illegal(`${what}: no set of the ${nPoints} points of a board: ${shown(x)}`);
    return x;
}

function countOf(what, x) {
    if (!isWhole(x, 0, MOST_COUNT))
        throw illegal(`${what}: no count of men: ${shown(x)}`);
    return x;
}

function pointOf(what, x, least = 0) {
    if (!isWhole(x, least, MOST_POINTS - 1))
        throw illegal(`${what}: no point: ${shown(x)}`);
    return x;
}

// A position as it is now: what the caller does to it later does not matter.
function positionOf(position, nPoints) {
    if (typeof position !== 'object' || position === null)
        throw illegal(`no position: ${shown(position)}`);
    const { own, other, ownHand = 0, otherHand = 0, due = 0 } = position;
    return {
        own: setOf('own', own, nPoints),
        other: setOf('other', other, nPoints),
        ownHand: countOf('ownHand', ownHand),
        otherHand: countOf('otherHand', otherHand),
        due: countOf('due', due),
    };
}

function numberOf(what, x, least) {
    if (!isWhole(x, least, Number.MAX_SAFE_INTEGER))
        throw new MerelsError('bad-input', `${what}: no number of bytes: ${shown(x)}`);
    return x;
}

// Whatever another part of the system throws comes as an error of this package.
async function typed(code, what, job) {
    try {
        return await job();
    } catch (error) {
        if (error instanceof MerelsError)
            throw error;
        throw new MerelsError(code, `${what}: ${error?.message ?? shown(error)}`, { cause: error });
    }
}

// ---- sources of bytes --------------------------------------------------------------------------
//
// A source fetches bytes: fewer than asked for if the file ends before. Where it knows the length of the
// file, as `length`, a file of another length than its head says is damaged.

function isBuffer(x) {
    return x instanceof ArrayBuffer || (typeof SharedArrayBuffer === 'function' && x instanceof SharedArrayBuffer);
}

/** All of a file in memory. */
export function bufferSource(buffer) {
    if (!ArrayBuffer.isView(buffer) && !isBuffer(buffer))
        throw new MerelsError('bad-input', `no buffer: ${shown(buffer)}`);
    const bytes = ArrayBuffer.isView(buffer)
        ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
        : new Uint8Array(buffer);
    return {
        length: bytes.length,
        fetch: async (offset, length) => bytes.subarray(offset, offset + length),
    };
}

/** A file of Node; close() ends it. */
export async function fileSource(path) {
    return typed('read-failed', shown(path), async () => {
        const { open } = await import('node:fs/promises');
        const file = await open(path, 'r');
        const { size } = await file.stat();
        return {
            length: size,
            fetch: (offset, length) => typed('read-failed', shown(path), async () => {
                const bytes = new Uint8Array(length);
                let n = 0, got = 1;
                for (; n < length && got > 0; n += got)
                    got = (await file.read(bytes, n, length - n, offset + n)).bytesRead;
                return bytes.subarray(0, n);
            }),
            close: () => file.close(),
        };
    });
}

// The bytes, and the length of the whole file if the host says it.
async function fetchRange(fetcher, url, init, offset, length) {
    const headers = new Headers(init?.headers);
    headers.set('Range', `bytes=${offset}-${offset + length - 1}`);
    const response = await fetcher(url, { ...init, headers });
    if (response.status === 416)
        return { bytes: new Uint8Array(0) };
    if (response.status === 200) {
        await response.body?.cancel();
        throw new MerelsError('ranges-ignored',
            `${url}: this host ignores range requests; take another host, or load the whole file`);
    }
    if (response.status !== 206)
        throw new MerelsError('http', `${url}: the host answers ${response.status}`);
    const told = /^bytes (\d+)-\d+\/(\d+)?/.exec(response.headers.get('Content-Range') ?? '');
    if (told && Number(told[1]) !== offset)
        throw new MerelsError('ranges-ignored', `${url}: this host sends another range than asked`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length > length)
        throw new MerelsError('ranges-ignored', `${url}: this host sends more than asked`);
    return { bytes, total: told?.[2] === undefined ? undefined : Number(told[2]) };
}

/** A file on a host that answers range requests, or its pieces of `pieceBytes` bytes in order. */
export function urlSource(urls, { fetch = globalThis.fetch, init, pieceBytes } = {}) {
    const list = Array.isArray(urls) ? [...urls] : [urls];
    if (list.length > 1 && pieceBytes === undefined)
        throw new MerelsError('bad-input', 'pieceBytes is missing: the length of a piece');
    if (list.length === 0 || typeof fetch !== 'function')
        throw new MerelsError('bad-input', list.length === 0 ? 'no address' : 'there is no fetch');
    const each = list.length > 1 ? numberOf('pieceBytes', pieceBytes, 1) : Infinity;
    const source = {
        length: undefined,
        async fetch(offset, length) {
            const parts = [];
            for (let at = offset, end = offset + length; at < end;) {
                const k = each === Infinity ? 0 : Math.floor(at / each);
                if (k >= list.length)
                    break;
                const inside = each === Infinity ? at : at - k * each;
                const n = Math.min(end - at, each - inside);
                const { bytes, total } = await typed('read-failed', String(list[k]),
                    () => fetchRange(fetch, list[k], init, inside, n));
                if (list.length === 1)
                    source.length ??= total;
                else if (k === list.length - 1 && total !== undefined)
                    source.length ??= k * each + total;
                parts.push(bytes);
                if (bytes.length < n)
                    break;
                at += n;
            }
            if (parts.length === 1)
                return parts[0];
            const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
            let at = 0;
            for (const part of parts) {
                all.set(part, at);
                at += part.length;
            }
            return all;
        },
    };
    return source;
}

// ---- pages -------------------------------------------------------------------------------------

// What was fetched, in pages of equal length; those not used for longest go first, but none while a
// call is made again and again.
class Pages {
    constructor(source, pageBytes, cacheBytes) {
        this.source = source;
        this.pageBytes = pageBytes;
        this.mostPages = Math.max(1, Math.floor(cacheBytes / pageBytes));
        this.pages = new Map();
        this.wanted = new Set();
        this.requests = 0;
        this.bytes = 0;
    }

    copy(offset, to) {
        let done = 0;
        for (let at = offset; done < to.length;) {
            const number = Math.floor(at / this.pageBytes), page = this.pages.get(number);
            if (page === undefined)
                return LATER;
            this.pages.delete(number);
            this.pages.set(number, page);
            const inside = at - number * this.pageBytes;
            const n = Math.min(to.length - done, this.pageBytes - inside);
            if (inside + n > page.length)
                return ENDS;
            to.set(page.subarray(inside, inside + n), done);
            done += n;
            at += n;
        }
        return HERE;
    }

    want(offset, length) {
        const last = Math.floor((offset + Math.max(length, 1) - 1) / this.pageBytes);
        for (let number = Math.floor(offset / this.pageBytes); number <= last; number++)
            if (!this.pages.has(number))
                this.wanted.add(number);
    }

    // Neighbours come in one request.
    async fetchWanted() {
        const numbers = [...this.wanted].sort((x, y) => x - y), runs = [];
        this.wanted.clear();
        for (const number of numbers) {
            const run = runs[runs.length - 1];
            if (run && run.first + run.n === number)
                run.n++;
            else
                runs.push({ first: number, n: 1 });
        }
        await Promise.all(runs.map((run) => this.fetchRun(run)));
    }

    async fetchRun({ first, n }) {
        const bytes = await this.source.fetch(first * this.pageBytes, n * this.pageBytes);
        if (!(bytes instanceof Uint8Array) || bytes.length > n * this.pageBytes)
            throw new MerelsError('read-failed', 'the source gave no Uint8Array of what was asked for');
        this.requests++;
        this.bytes += bytes.length;
        for (let k = 0; k < n; k++)
            this.pages.set(first + k, bytes.slice(k * this.pageBytes, (k + 1) * this.pageBytes));
    }

    trim() {
        for (const number of this.pages.keys()) {
            if (this.pages.size <= this.mostPages)
                return;
            this.pages.delete(number);
        }
    }
}

// ---- the module --------------------------------------------------------------------------------

let usual;

async function loadUsual() {
    const url = new URL('./merels_compact.wasm', import.meta.url);
    if (url.protocol !== 'file:') {
        const response = await fetch(url);
        if (!response.ok)
            throw new MerelsError('no-module', `${url}: the host answers ${response.status}`);
        return WebAssembly.compile(await response.arrayBuffer());
    }
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
}

// A failure is not kept: the next reader tries again.
async function loadModule(wasm) {
    if (wasm instanceof WebAssembly.Module)
        return wasm;
    return typed('no-module', 'the WebAssembly module', async () => {
        if (wasm !== undefined)
            return WebAssembly.compile(wasm);
        usual ??= loadUsual();
        try {
            return await usual;
        } catch (error) {
            usual = undefined;
            throw error;
        }
    });
}

// ---- readers -----------------------------------------------------------------------------------

export class Merels {
    #pages;
    #wasm;
    #source;
    #isOpen = false;
    #last = Promise.resolve();

    /** Opens a source of bytes: {@link bufferSource}, {@link fileSource}, {@link urlSource}. */
    static async open(source, { wasm, pageBytes = 16384, cacheBytes = 32 << 20 } = {}) {
        if (typeof source?.fetch !== 'function')
            throw new MerelsError('bad-input', `no source of bytes: ${shown(source)}`);
        const merels = new Merels();
        const pages = new Pages(source, numberOf('pageBytes', pageBytes, 1), numberOf('cacheBytes', cacheBytes, 0));
        const host = {
            read: (low, high, to, n) =>
                pages.copy((high >>> 0) * 2 ** 32 + (low >>> 0),
                    new Uint8Array(merels.#wasm.memory.buffer, to >>> 0, n)),
            want: (low, high, n) => pages.want((high >>> 0) * 2 ** 32 + (low >>> 0), n),
        };
        const module = await loadModule(wasm);
        const instance = await typed('no-module', 'the WebAssembly module',
            () => WebAssembly.instantiate(module, { host }));
        if (!EXPORTS.every((name) => name in instance.exports))
            throw new MerelsError('no-module', 'the WebAssembly module is another one than index.js needs');
        merels.#pages = pages;
        merels.#source = source;
        merels.#wasm = instance.exports;
        await merels.#call(() => {
            const length = isWhole(source.length, 1, Number.MAX_SAFE_INTEGER) ? source.length : 0;
            return merels.#wasm.open(length % 2 ** 32, Math.floor(length / 2 ** 32));
        });
        merels.#describe();
        merels.#isOpen = true;
        return merels;
    }

    static async openBuffer(buffer, options) {
        return Merels.open(bufferSource(buffer), options);
    }

    static async openFile(path, options) {
        const source = await fileSource(path);
        try {
            return await Merels.open(source, options);
        } catch (error) {
            await source.close();
            throw error;
        }
    }

    static async openUrl(urls, options) {
        return Merels.open(urlSource(urls, options), options);
    }

    /** 1 won, 0 drawn, -1 lost for the side to move. */
    async value(position) {
        const asked = this.#checked(position);
        return this.#queue(async () => {
            await this.#call(() => {
                this.#ask(asked);
                return this.#wasm.find_value();
            });
            return this.#wasm.found_value();
        });
    }

    /** All plies with their values, best first. */
    async rank(position) {
        const asked = this.#checked(position);
        return this.#queue(async () => {
            await this.#call(() => {
                this.#ask(asked);
                return this.#wasm.find_ranking();
            });
            return this.#plies();
        });
    }

    /** What was fetched so far. */
    get fetched() {
        return { requests: this.#pages?.requests ?? 0, bytes: this.#pages?.bytes ?? 0 };
    }

    /** Ends the reader: calls that were made before are answered, later ones are refused. */
    async close() {
        if (!this.#isOpen)
            return;
        this.#isOpen = false;
        await this.#last;
        await typed('read-failed', 'closing', () => this.#source.close?.());
    }

    #bytes(place, n) {
        return new Uint8Array(this.#wasm.memory.buffer, place >>> 0, n);
    }

    // What stands in the head.
    #describe() {
        const wasm = this.#wasm;
        const place = wasm.rules();
        this.points = wasm.points();
        this.rules = new TextDecoder().decode(this.#bytes(place, wasm.bytes_of_rules()));
        this.names = (/^points (.*)$/m.exec(this.rules)?.[1] ?? '').split(' ');
        this.fingerprint = [...this.#bytes(wasm.fingerprint(), 16)]
            .map((byte) => byte.toString(16).padStart(2, '0')).join('');
        this.counts = Array.from({ length: wasm.subspaces() }, (_, k) => {
            const [own, other, ownHand, otherHand] = this.#bytes(wasm.subspace(k), 4);
            return { own, other, ownHand, otherHand };
        });
        this.starts = this.counts
            .filter((c) => c.own + c.other === 0 && c.ownHand + c.otherHand > 0)
            .map(({ ownHand, otherHand }) => ({ own: 0, other: 0, ownHand, otherHand, due: 0 }))
            .sort((x, y) => y.ownHand + y.otherHand - x.ownHand - x.otherHand || y.ownHand - x.ownHand);
    }

    #checked(position) {
        if (!this.#isOpen)
            throw new MerelsError('closed');
        return positionOf(position, this.points);
    }

    #ask({ own, other, ownHand, otherHand, due }) {
        this.#wasm.ask(own, other, ownHand, otherHand, due);
    }

    #plies() {
        const n = this.#wasm.found_plies(), each = this.#wasm.bytes_of_ply();
        const view = new DataView(this.#wasm.memory.buffer, this.#wasm.place_of_plies() >>> 0,
            n * each);
        return Array.from({ length: n }, (_, k) => {
            const at = (i) => view.getInt8(k * each + i);
            return {
                from: at(0),
                to: at(1),
                value: at(2),
                picked: at(3) === 1,
                removed: Array.from({ length: at(4) }, (_unused, i) => at(5 + i)),
            };
        });
    }

    // Calls wait for each other: a reader answers one at a time.
    #queue(job) {
        const mine = this.#last.then(job);
        this.#last = mine.catch(() => {});
        return mine;
    }

    async #call(attempt) {
        try {
            let status = attempt();
            while (status === NOT_YET) {
                await this.#pages.fetchWanted();
                status = attempt();
            }
            if (status !== 0)
                throw new MerelsError(CODES[status] ?? 'read-failed');
        } finally {
            this.#pages.wanted.clear();
            this.#pages.trim();
        }
    }
}

// The men of a ply, each where the position has them.
function plyOf(position, ply) {
    if (typeof ply !== 'object' || ply === null || !Array.isArray(ply.removed))
        throw illegal(`no ply: ${shown(ply)}`);
    const { own, other, ownHand } = position;
    const from = pointOf('from', ply.from, -1), to = pointOf('to', ply.to, -1);
    const removed = ply.removed.map((point) => pointOf('removed', point));
    const taken = points(...removed);
    if ((own & other) !== 0 || (from >= 0 && to < 0) || (from < 0 && to >= 0 && ownHand === 0) ||
        (from >= 0 && !(own >> from & 1)) || (to >= 0 && (own | other) >> to & 1) || (other & taken) !== taken)
        throw illegal('the ply is none of this position');
    return { from, to, taken };
}

/** The position after a ply, seen by the side that then moves. */
export function play(position, ply) {
    const before = positionOf(position, MOST_POINTS);
    const { from, to, taken } = plyOf(before, ply);
    const men = (from >= 0 ? before.own & ~(1 << from) : before.own) | (to >= 0 ? 1 << to : 0);
    const hand = from < 0 && to >= 0 ? before.ownHand - 1 : before.ownHand;
    return { own: before.other & ~taken, other: men, ownHand: before.otherHand, otherHand: hand, due: 0 };
}

/** A set of points: bit p is point p. */
export function points(...list) {
    return list.reduce((set, point) => set | (1 << pointOf('points', point)), 0);
}
