// merels.test.js: the package on the starter set: what it answers, how it fetches, what it refuses.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bufferSource, Merels, MerelsError, play, points } from '../index.js';

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
    await assert.rejects(async () => Merels.openUrl(['a', 'b'], { wasm }), code('read-failed'));
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

test('the example', () => {
    const example = fileURLToPath(new URL('../example.js', import.meta.url));
    const out = execFileSync(process.execPath, [example, data('three.mce'), join(scratch, 'm.wasm')]);
    assert.equal(out.toString().split('\n')[0], 'place on 4: wins');
});
