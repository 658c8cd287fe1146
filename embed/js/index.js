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
};
const HERE = 0, LATER = 1, ENDS = 3;

export class MerelsError extends Error {
    constructor(code, message, options) {
        super(message ?? WORDS[code], options);
        this.name = 'MerelsError';
        this.code = code;
    }
}

// ---- sources of bytes --------------------------------------------------------------------------
//
// A source fetches bytes: fewer than asked for if the file ends before.

/** All of a file in memory. */
export function bufferSource(buffer) {
    const bytes = ArrayBuffer.isView(buffer)
        ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
        : new Uint8Array(buffer);
    return { fetch: async (offset, length) => bytes.subarray(offset, offset + length) };
}

/** A file of Node; close() ends it. */
export async function fileSource(path) {
    const { open } = await import('node:fs/promises');
    const file = await open(path, 'r');
    return {
        async fetch(offset, length) {
            const bytes = new Uint8Array(length);
            let n = 0, got = 1;
            for (; n < length && got > 0; n += got)
                got = (await file.read(bytes, n, length - n, offset + n)).bytesRead;
            return bytes.subarray(0, n);
        },
        close: () => file.close(),
    };
}

async function fetchRange(fetcher, url, init, offset, length) {
    const headers = new Headers(init?.headers);
    headers.set('Range', `bytes=${offset}-${offset + length - 1}`);
    const response = await fetcher(url, { ...init, headers });
    if (response.status === 416)
        return new Uint8Array(0);
    if (response.status === 200) {
        await response.body?.cancel();
        throw new MerelsError('ranges-ignored',
            `${url}: this host ignores range requests; take another host, or load the whole file`);
    }
    if (response.status !== 206)
        throw new MerelsError('http', `${url}: the host answers ${response.status}`);
    const told = /^bytes (\d+)-/.exec(response.headers.get('Content-Range') ?? '');
    if (told && Number(told[1]) !== offset)
        throw new MerelsError('ranges-ignored', `${url}: this host sends another range than asked`);
    return new Uint8Array(await response.arrayBuffer());
}

/** A file on a host that answers range requests, or its pieces of `pieceBytes` bytes in order. */
export function urlSource(urls, { fetch = globalThis.fetch, init, pieceBytes } = {}) {
    const list = Array.isArray(urls) ? urls : [urls];
    if (list.length > 1 && !(pieceBytes > 0))
        throw new MerelsError('read-failed', 'pieceBytes is missing: the length of a piece');
    const each = list.length > 1 ? pieceBytes : Infinity;
    return {
        async fetch(offset, length) {
            const parts = [];
            for (let at = offset, end = offset + length; at < end;) {
                const k = each === Infinity ? 0 : Math.floor(at / each);
                if (k >= list.length)
                    break;
                const inside = each === Infinity ? at : at - k * each;
                const n = Math.min(end - at, each - inside);
                const bytes = await fetchRange(fetch, list[k], init, inside, n);
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

async function loadModule(wasm) {
    if (wasm instanceof WebAssembly.Module)
        return wasm;
    if (wasm !== undefined)
        return WebAssembly.compile(wasm);
    usual ??= (async () => {
        const url = new URL('./merels_compact.wasm', import.meta.url);
        if (url.protocol !== 'file:')
            return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
        const { readFile } = await import('node:fs/promises');
        return WebAssembly.compile(await readFile(url));
    })();
    return usual;
}

// ---- readers -----------------------------------------------------------------------------------

export class Merels {
    #pages;
    #wasm;
    #source;
    #last = Promise.resolve();

    /** Opens a source of bytes: {@link bufferSource}, {@link fileSource}, {@link urlSource}. */
    static async open(source, { wasm, pageBytes = 16384, cacheBytes = 32 << 20 } = {}) {
        const merels = new Merels();
        const pages = new Pages(source, pageBytes, cacheBytes);
        const host = {
            read: (low, high, to, n) =>
                pages.copy((high >>> 0) * 2 ** 32 + (low >>> 0),
                    new Uint8Array(merels.#wasm.memory.buffer, to >>> 0, n)),
            want: (low, high, n) => pages.want((high >>> 0) * 2 ** 32 + (low >>> 0), n),
        };
        const instance = await WebAssembly.instantiate(await loadModule(wasm), { host });
        merels.#pages = pages;
        merels.#source = source;
        merels.#wasm = instance.exports;
        await merels.#call(() => merels.#wasm.open());
        const place = merels.#wasm.rules();
        merels.points = merels.#wasm.points();
        merels.rules = new TextDecoder().decode(
            merels.#bytes(place, merels.#wasm.bytes_of_rules()));
        merels.fingerprint = [...merels.#bytes(merels.#wasm.fingerprint(), 16)]
            .map((byte) => byte.toString(16).padStart(2, '0')).join('');
        return merels;
    }

    static openBuffer(buffer, options) {
        return Merels.open(bufferSource(buffer), options);
    }

    static async openFile(path, options) {
        return Merels.open(await fileSource(path), options);
    }

    static openUrl(urls, options) {
        return Merels.open(urlSource(urls, options), options);
    }

    /** 1 won, 0 drawn, -1 lost for the side to move. */
    value(position) {
        return this.#queue(async () => {
            await this.#call(() => {
                this.#ask(position);
                return this.#wasm.find_value();
            });
            return this.#wasm.found_value();
        });
    }

    /** All plies with their values, best first. */
    rank(position) {
        return this.#queue(async () => {
            await this.#call(() => {
                this.#ask(position);
                return this.#wasm.find_ranking();
            });
            return this.#plies();
        });
    }

    /** What was fetched so far. */
    get fetched() {
        return { requests: this.#pages.requests, bytes: this.#pages.bytes };
    }

    async close() {
        await this.#last;
        await this.#source.close?.();
    }

    #bytes(place, n) {
        return new Uint8Array(this.#wasm.memory.buffer, place >>> 0, n);
    }

    #ask({ own, other, ownHand = 0, otherHand = 0, due = 0 }) {
        for (const count of [ownHand, otherHand, due])
            if (!Number.isInteger(count) || count < 0 || count > 255)
                throw new MerelsError('illegal', `no count of men: ${count}`);
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

/** The position after a ply, seen by the side that then moves. */
export function play({ own, other, ownHand = 0, otherHand = 0 }, ply) {
    let men = own, others = other, hand = ownHand;
    if (ply.from >= 0)
        men &= ~(1 << ply.from);
    else if (ply.to >= 0)
        hand--;
    if (ply.to >= 0)
        men |= 1 << ply.to;
    for (const point of ply.removed)
        others &= ~(1 << point);
    return { own: others, other: men, ownHand: otherHand, otherHand: hand, due: 0 };
}

/** A set of points: bit p is point p. */
export function points(...list) {
    return list.reduce((set, point) => set | (1 << point), 0);
}
