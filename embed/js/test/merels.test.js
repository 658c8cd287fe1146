// merels.test.js: the package on the starter set: what it answers, how it fetches, what it refuses.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as everything from '../index.js';
import { bufferSource, fileSource, Merels, MerelsError, play, points, urlSource } from '../index.js';

const data = (name) => fileURLToPath(new URL(`../../../data/${name}`, import.meta.url));
const three = readFileSync(data('three.mce')), six = readFileSync(data('six.mce'));
const scratch = mkdtempSync(join(tmpdir(), 'merels-js-'));
execFileSync(fileURLToPath(new URL('../build.sh', import.meta.url)), [join(scratch, 'm.wasm')]);
const wasm = new WebAssembly.Module(readFileSync(join(scratch, 'm.wasm')));
after(() => rmSync(scratch, { recursive: true }));

const start = { own: 0, other: 0, ownHand: 3, otherHand: 3 };
const code = (expected) => (error) => error instanceof MerelsError && error.code === expected;

test('the middle wins', async () => {
    const merels = await Merels.openBuffer(three, { wasm });
    assert.equal(merels.points, 9);
    assert.match(merels.fingerprint, /^[0-9a-f]{32}$/);
    assert.match(merels.rules, /\n/);
    assert.equal(await merels.value(start), 1);
    const plies = await merels.rank(start);
    assert.equal(plies.length, 9);
    assert.deepEqual(plies[0], { from: -1, to: 4, value: 1, picked: true, removed: [] });
    await merels.close();
});

test('every ply is worth what it leads to', async () => {
    const merels = await Merels.openFile(data('six.mce'), { wasm });
    let position = { own: 0, other: 0, ownHand: 6, otherHand: 6 };
    for (let turn = 0; turn < 16; turn++) {
        const plies = await merels.rank(position);
        if (plies.length === 0)
            break;
        assert.equal(plies[0].value, await merels.value(position));
        for (const ply of plies.slice(0, 6))
            assert.equal(ply.value, 0 - (await merels.value(play(position, ply))));
        position = play(position, plies[turn % plies.length]);
    }
    await merels.close();
});

test('calls at the same time wait for each other', async () => {
    const merels = await Merels.openBuffer(six, { wasm, pageBytes: 512 });
    const asked = [[3, 48], [5, 96], [9, 160]].map(([own, other]) =>
        ({ own, other, ownHand: 4, otherHand: 4 }));
    const alone = [];
    for (const position of asked)
        alone.push(await merels.value(position));
    const again = await Merels.openBuffer(six, { wasm, pageBytes: 512 });
    assert.deepEqual(await Promise.all(asked.map((position) => again.value(position))), alone);
});

test('a ranking takes two rounds', async () => {
    let rounds = 0, running = 0;
    const whole = bufferSource(six);
    const source = {
        async fetch(offset, length) {
            rounds += running++ === 0;
            await new Promise((done) => setTimeout(done, 1));
            running--;
            return whole.fetch(offset, length);
        },
    };
    let most = 0;
    for (const hand of [0, 1]) {
        const merels = await Merels.open(source, { wasm, pageBytes: 64 });
        rounds = 0;
        const plies = await merels.rank({
            own: points(0, 1, 5, 9, 11), other: points(2, 6, 10, 12, 15),
            ownHand: hand, otherHand: hand,
        });
        assert.ok(plies.length > 0);
        assert.ok(merels.fetched.requests > 2 && merels.fetched.bytes < six.length);
        most = Math.max(most, rounds);
    }
    assert.equal(most, 2);
});

test('a small cache answers too', async () => {
    const merels = await Merels.openBuffer(six, { wasm, pageBytes: 64, cacheBytes: 64 });
    const plies = await merels.rank({ own: 0, other: 0, ownHand: 6, otherHand: 6 });
    assert.equal(plies.length, 16);
});

test('errors have codes', async () => {
    const merels = await Merels.openBuffer(three, { wasm });
    await assert.rejects(merels.value({ own: 1, other: 1 }), code('illegal'));
    await assert.rejects(merels.value({ own: 1, other: 2, ownHand: -1 }), code('illegal'));
    await assert.rejects(merels.value({ ...start, ownHand: 4, otherHand: 4 }), code('not-covered'));
    assert.equal(await merels.value(start), 1);
    await assert.rejects(Merels.openBuffer(new Uint8Array(100), { wasm }), code('damaged'));
    await assert.rejects(Merels.openBuffer(three.subarray(0, 90), { wasm }), code('damaged'));
    const damaged = Uint8Array.from(three);
    damaged[100] ^= 1;
    await assert.rejects(Merels.openBuffer(damaged, { wasm }), code('damaged'));
});

test('play and points', () => {
    const after = play({ own: points(0, 1), other: points(4), ownHand: 1 }, { from: 1, to: 2, removed: [4] });
    assert.deepEqual(after, { own: 0, other: points(0, 2), ownHand: 0, otherHand: 1, due: 0 });
    assert.equal(play({ own: 0, other: 0, ownHand: 1 }, { from: -1, to: 8, removed: [] }).other, 256);
});

// ---- over HTTP ---------------------------------------------------------------------------------

async function serve(answer, use) {
    const server = createServer(answer);
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    try {
        await use(`http://127.0.0.1:${server.address().port}/six.mce`);
    } finally {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
    }
}

function answerRange(bytes, request, response) {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range);
    if (Number(first) >= bytes.length) {
        response.writeHead(416).end();
        return;
    }
    const part = bytes.subarray(Number(first), Number(last) + 1);
    response.writeHead(206, {
        'Content-Range': `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`,
    });
    response.end(part);
}

test('range requests', async () => {
    await serve((request, response) => answerRange(six, request, response), async (url) => {
        const merels = await Merels.openUrl(url, { wasm, pageBytes: 1024 });
        const buffered = await Merels.openBuffer(six, { wasm });
        const position = { own: 0, other: 0, ownHand: 6, otherHand: 6 };
        assert.deepEqual(await merels.rank(position), await buffered.rank(position));
        assert.ok(merels.fetched.bytes < six.length);
    });
});

test('pieces', async () => {
    const pieceBytes = 5000;
    await serve((request, response) => {
        const k = Number(/(\d+)$/.exec(request.url)[1]);
        answerRange(six.subarray(k * pieceBytes, (k + 1) * pieceBytes), request, response);
    }, async (url) => {
        const urls = Array.from({ length: Math.ceil(six.length / pieceBytes) }, (_, k) => `${url}.${k}`);
        const merels = await Merels.openUrl(urls, { wasm, pieceBytes });
        assert.equal(await merels.value({ own: 0, other: 0, ownHand: 6, otherHand: 6 }), 0);
    });
    await assert.rejects(Merels.openUrl(['a', 'b'], { wasm }), code('bad-input'));
    await assert.rejects(Merels.openUrl(['a', 'b'], { wasm, pieceBytes: NaN }), code('bad-input'));
    await assert.rejects(Merels.openUrl([], { wasm }), code('bad-input'));
});

test('a host that ignores ranges is named', async () => {
    await serve((request, response) => response.end(six), async (url) => {
        await assert.rejects(Merels.openUrl(url, { wasm }), code('ranges-ignored'));
    });
});

test('an error of the host is named', async () => {
    await serve((request, response) => response.writeHead(404).end(), async (url) => {
        await assert.rejects(Merels.openUrl(url, { wasm }), code('http'));
    });
});

test('a fetch of the caller', async () => {
    const seen = [];
    const fetch = async (url, { headers }) => {
        const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.get('Range'));
        seen.push([url, headers.get('X-Key')]);
        return new Response(three.subarray(Number(first), Number(last) + 1), { status: 206 });
    };
    const merels = await Merels.openUrl('any', { wasm, fetch, init: { headers: { 'X-Key': 'k' } } });
    assert.equal(await merels.value(start), 1);
    assert.deepEqual(seen[0], ['any', 'k']);
});

// ---- what is refused ---------------------------------------------------------------------------

const noSets = [NaN, 7.5, '7', 2 ** 32 + 7, Infinity, -Infinity, -1, 2 ** 24, 1 << 9, null, undefined, true, 7n, [7], {}];
const noCounts = [NaN, 1.5, '3', 256, 2 ** 32 + 3, Infinity, -1, null, true, 3n, [3]];
const noPoints = [NaN, 0.5, '4', 24, 32, 2 ** 32 + 4, Infinity, -1, null, undefined, true, 4n];
const illegal = (error) => error instanceof MerelsError && error.code === 'illegal' && /: /.test(error.message);

test('what is no set, count or position is illegal, never a value', async () => {
    const merels = await Merels.openBuffer(three, { wasm });
    for (const ask of [(position) => merels.value(position), (position) => merels.rank(position)]) {
        for (const set of noSets) {
            await assert.rejects(ask({ ...start, own: set }), illegal, String(set));
            await assert.rejects(ask({ ...start, other: set }), illegal, String(set));
        }
        for (const count of noCounts)
            for (const key of ['ownHand', 'otherHand', 'due'])
                await assert.rejects(ask({ ...start, [key]: count }), illegal, `${key} ${count}`);
        for (const position of [undefined, null, 7, 'startpos'])
            await assert.rejects(ask(position), illegal, String(position));
    }
    assert.equal(await merels.value(start), 1);
    await merels.close();
});

test('what is no point or ply is illegal', () => {
    const position = { own: points(0, 1), other: points(4), ownHand: 1, otherHand: 0 };
    for (const point of noPoints) {
        assert.throws(() => points(0, point), illegal, String(point));
        assert.throws(() => play(position, { from: -1, to: 5, removed: [point] }), illegal, String(point));
        if (point !== -1) {
            assert.throws(() => play(position, { from: point, to: 2, removed: [] }), illegal, String(point));
            assert.throws(() => play(position, { from: -1, to: point, removed: [] }), illegal, String(point));
        }
    }
    for (const set of noSets.filter((set) => set !== 1 << 9))
        assert.throws(() => play({ ...position, own: set }, { from: -1, to: 5, removed: [] }), illegal, String(set));
    const none = (error) => error instanceof MerelsError && error.code === 'illegal';
    for (const ply of [undefined, null, {}, { from: 2, to: 3, removed: [] }, { from: 0, to: 4, removed: [] },
        { from: -1, to: 0, removed: [] }, { from: 0, to: -1, removed: [] }, { from: 0, to: 2, removed: [5] }])
        assert.throws(() => play(position, ply), none);
    assert.throws(() => play({ ...position, ownHand: 0 }, { from: -1, to: 5, removed: [] }), none);
});

test('a position that is changed after the call does not matter', async () => {
    const merels = await Merels.openBuffer(three, { wasm, pageBytes: 64 });
    const position = { ...start };
    const value = merels.value(position);
    position.own = position.other = 1;
    assert.equal(await value, 1);
});

test('a closed reader gives no value', async () => {
    const merels = await Merels.openBuffer(three, { wasm, pageBytes: 64 });
    const before = merels.value(start), closing = merels.close();
    await assert.rejects(merels.value(start), code('closed'));
    assert.equal(await before, 1);
    await closing;
    await assert.rejects(merels.value(start), code('closed'));
    await assert.rejects(merels.rank(start), code('closed'));
    await assert.rejects(new Merels().value(start), code('closed'));
    await merels.close();
});

test('a reader closes its file once', async () => {
    let n = 0;
    const merels = await Merels.open({ ...bufferSource(three), close: () => { n++; } }, { wasm });
    await Promise.all([merels.close(), merels.close()]);
    assert.equal(n, 1);
});

test('every error is one of the package', async () => {
    const none = join(scratch, 'none');
    const fails = () => Promise.reject(new TypeError('fetch failed'));
    await assert.rejects(Merels.openFile(none, { wasm }), code('read-failed'));
    await assert.rejects(Merels.openFile(undefined, { wasm }), code('read-failed'));
    await assert.rejects(Merels.openUrl('any', { wasm, fetch: fails }), code('read-failed'));
    await assert.rejects(Merels.openUrl('any', { wasm, fetch: 7 }), code('bad-input'));
    await assert.rejects(Merels.openUrl('http://[', { wasm }), code('read-failed'));
    for (const buffer of [undefined, null, 7, 'three', [1, 2]])
        await assert.rejects(Merels.openBuffer(buffer, { wasm }), code('bad-input'));
    for (const source of [undefined, null, {}, 7])
        await assert.rejects(Merels.open(source, { wasm }), code('bad-input'));
    for (const bytes of [undefined, 'abc', [1], new Uint16Array(4)])
        await assert.rejects(Merels.open({ fetch: async () => bytes }, { wasm }), code('read-failed'));
    for (const pageBytes of [0, -1, NaN, 0.5, '64'])
        await assert.rejects(Merels.openBuffer(three, { wasm, pageBytes }), code('bad-input'));
    await assert.rejects(Merels.openBuffer(three, { wasm, cacheBytes: NaN }), code('bad-input'));
    for (const module of [three, 7, 'none'])
        await assert.rejects(Merels.openBuffer(three, { wasm: module }), code('no-module'));
    await assert.rejects(Merels.openBuffer(three, { wasm: new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]) }),
        code('no-module'));
});

test('a file of another length is damaged where the length is known', async () => {
    const longer = new Uint8Array(three.length + 1), shorter = three.subarray(0, three.length - 1);
    longer.set(three);
    for (const bytes of [longer, shorter]) {
        const file = join(scratch, 'length.mce');
        writeFileSync(file, bytes);
        await assert.rejects(Merels.openBuffer(bytes, { wasm }), code('damaged'));
        await assert.rejects(Merels.openFile(file, { wasm }), code('damaged'));
        await serve((request, response) => answerRange(bytes, request, response), async (url) => {
            await assert.rejects(Merels.openUrl(url, { wasm, pageBytes: 1024 }), code('damaged'));
        });
    }
    const { fetch } = bufferSource(longer);
    const merels = await Merels.open({ fetch }, { wasm });
    assert.equal(await merels.value(start), 1);
});

// ---- what stands elsewhere ---------------------------------------------------------------------

test('board, counts and starts are those of the file', async () => {
    const merels = await Merels.openBuffer(six, { wasm });
    assert.equal(merels.names.length, merels.points);
    assert.equal(merels.names[0], 'a5');
    assert.deepEqual(merels.starts[0], { own: 0, other: 0, ownHand: 6, otherHand: 6, due: 0 });
    assert.ok(merels.counts.some((c) => c.own === 3 && c.other === 3 && c.ownHand === 0 && c.otherHand === 0));
    assert.equal(await merels.value(merels.starts[0]), 0);
    await merels.close();
});

test('types and code name the same', () => {
    const types = readFileSync(fileURLToPath(new URL('../index.d.ts', import.meta.url)), 'utf8');
    const source = readFileSync(fileURLToPath(new URL('../index.js', import.meta.url)), 'utf8');
    const typed = [...types.matchAll(/^export (?:class|function) (\w+)/gm)].map((found) => found[1]);
    assert.deepEqual([...new Set(typed)].sort(), Object.keys(everything).sort());
    const codes = new Set([...source.matchAll(/(?:MerelsError|typed)\('([a-z-]+)'/g)].map((found) => found[1]));
    for (const word of /const CODES = \[([^\]]*)\]/.exec(source)[1].matchAll(/'([a-z-]+)'/g))
        codes.add(word[1]);
    codes.delete('ok');
    codes.delete('not-yet');
    const union = /type ErrorCode =([^;]*);/.exec(types)[1];
    assert.deepEqual([...union.matchAll(/'([a-z-]+)'/g)].map((found) => found[1]).sort(), [...codes].sort());
    const said = readFileSync(fileURLToPath(new URL('../README.markdown', import.meta.url)), 'utf8');
    for (const word of codes)
        assert.ok(said.includes(`\`${word}\``), word);
});

// The module that lies beside index.js is made of these sources, too.
test('the module at hand', async () => {
    const merels = await Merels.openBuffer(three);
    assert.equal(await merels.value(start), 1);
    const shape = (module) => [WebAssembly.Module.exports(module), WebAssembly.Module.imports(module)];
    const there = new WebAssembly.Module(readFileSync(fileURLToPath(new URL('../merels_compact.wasm', import.meta.url))));
    assert.deepEqual(shape(there), shape(wasm));
});

// docs/EMBED.md states a size; what clang makes elsewhere may differ a little.
test('the module is of the size that is stated', () => {
    const text = readFileSync(fileURLToPath(new URL('../../../docs/EMBED.md', import.meta.url)), 'utf8');
    const stated = 1000 * Number(/`embed\/js\/build\.sh` makes \(some (\d+) KB\)/.exec(text)[1]);
    const size = statSync(join(scratch, 'm.wasm')).size;
    assert.ok(Math.abs(size - stated) < stated / 10, `${size} bytes`);
});

function example(...words) {
    const path = fileURLToPath(new URL('../example.js', import.meta.url));
    const run = spawnSync(process.execPath, [path, ...words], { encoding: 'utf8' });
    return { status: run.status, out: run.stdout.split('\n'), err: run.stderr };
}

test('the example', () => {
    const module = join(scratch, 'm.wasm');
    assert.equal(example(data('three.mce'), module).out[0], 'b2: wins');
    assert.equal(example(data('seven.mce'), module).out.length, 18);
    const bad = [[], [join(scratch, 'none.mce'), module], [module, module], [data('three.mce'), data('six.mce')]];
    for (const words of bad) {
        const run = example(...words);
        assert.ok(run.status > 0 && run.out[0] === '');
        assert.equal(run.err.trim().split('\n').length, 1, run.err);
    }
});
