// files_worker.js: reads files in the background and answers questions of source_files.js:
//
//     {id, do: 'open', game}              {text, edition}: the rules as text of facts, what was read
//     {id, do: 'value', position}         as the reader of the game's edition gives it
//     {id, do: 'rank', position}          the same; all plies, best first
//     {id, do: 'readGame', text}          {from, plies, problem}
//
// with {id, result, fetched} or {id, error: {code, message}}. A position is what that reader takes:
// sets of points for a compact file, its text for tables.

import { MerelsError } from './merels_compact.js';

const openers = {
    compact: async (game) => (await import('./compact_reader.js')).CompactReader.open(game, fetchOrFail),
    dtm: async (game) => (await import('./tables_reader.js')).TablesReader.open(game, fetchOrFail),
};

let reader = null; // a promise of one
let earlier = { requests: 0, bytes: 0 }; // what readers before this one fetched

async function fetchOrFail(url, init) {
    try {
        return await fetch(url, init);
    } catch (error) {
        throw new MerelsError('unreachable', error.message);
    }
}

async function answer({ do: what, game, position, text }) {
    if (what === 'open') {
        earlier = await traffic();
        reader = openers[game.edition](game);
        const { rules, edition } = await reader;
        return { text: rules, edition };
    }
    const opened = await reader;
    return what === 'readGame' ? opened.readGame(text) : opened[what](position);
}

async function traffic() {
    const own = await Promise.resolve(reader).then((opened) => opened?.fetched).catch(() => null);
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
