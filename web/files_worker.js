// files_worker.js: reads compact files in the background. It runs the reader of embed/js, which
// scripts/site puts beside it as merels_compact.js, and answers questions of source_files.js:
//
//     {id, do: 'open', game}              the rules as text of facts
//     {id, do: 'value', position}         1, 0, -1
//     {id, do: 'rank', position}          all plies, best first
//
// with {id, result, fetched} or {id, error: {code, message}}.

import { Merels, MerelsError, bufferSource, urlSource } from './merels_compact.js';

let reader = null; // a promise of one
let fromMemory = false; // what this reader fetches is no traffic
let earlier = { requests: 0, bytes: 0 }; // whole files, and what readers before this one fetched

async function fetchOrFail(url, init) {
    try {
        return await fetch(url, init);
    } catch (error) {
        throw new MerelsError('unreachable', error.message);
    }
}

// All of a file, of its pieces in order.
async function wholeFile({ urls, bytes }) {
    const all = new Uint8Array(bytes);
    let at = 0;
    for (const url of urls) {
        const response = await fetchOrFail(url);
        if (!response.ok) throw new MerelsError('http', `${url}: the host answers ${response.status}`);
        const piece = new Uint8Array(await response.arrayBuffer());
        if (at + piece.length > bytes) throw new MerelsError('damaged', `${url}: longer than it should be`);
        all.set(piece, at);
        at += piece.length;
        earlier.requests++;
        earlier.bytes += piece.length;
    }
    return bufferSource(all.subarray(0, at));
}

async function openGame(game) {
    const { urls, pieceBytes, whole } = game;
    const source = whole ? await wholeFile(game) : urlSource(urls, { fetch: fetchOrFail, pieceBytes });
    return Merels.open(source);
}

async function answer({ do: what, game, position }) {
    if (what === 'open') {
        earlier = await traffic();
        reader = openGame(game);
        fromMemory = game.whole;
        return (await reader).rules;
    }
    const opened = await reader;
    return what === 'rank' ? opened.rank(position) : opened.value(position);
}

async function traffic() {
    const own = fromMemory ? null : await Promise.resolve(reader).then((opened) => opened?.fetched).catch(() => null);
    return { requests: earlier.requests + (own?.requests ?? 0), bytes: earlier.bytes + (own?.bytes ?? 0) };
}

onmessage = async ({ data }) => {
    try {
        const result = await answer(data);
        postMessage({ id: data.id, result, fetched: await traffic() });
    } catch (error) {
        postMessage({ id: data.id, error: { code: error.code ?? 'other', message: error.message } });
    }
};
