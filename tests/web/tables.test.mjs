// tables.test.mjs: a folder that scripts/site wrote of tables with depths: what the page reads by
// ranges is what the program says; hosts good and bad; files that are damaged, gone, or were never
// kept.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { click, closePage, makeTables, merels, names, openPage, openWithoutHost, ready, root, startBrowser, textOf, waitForText } from './browser.mjs';
import { startHost } from './static_host.mjs';

const games = ['five', 'six'];
let tables, browser, site, ranged;
const made = [];

function makeSite(folder, rules, ...options) {
    const out = mkdtempSync(join(tmpdir(), 'merels-site-'));
    made.push(out);
    execFileSync(join(root, 'scripts/site'), [out, '--edition', 'dtm', '--rules', rules.join(), '--db', folder, ...options], {
        env: { ...process.env, MERELS: merels },
        stdio: ['ignore', 'ignore', 'pipe'],
    });
    return out;
}

// Has the games of a folder read as large ones are: by ranges, and not kept.
function readInParts(folder) {
    const edit = (name, change) => writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')));
    edit('merels.json', (text) => text.replaceAll('"whole": true', '"whole": false'));
    edit('offline.js', (text) => text.replaceAll(/, "games\/[^"]*"/g, ''));
    return folder;
}

function copyOf(folder) {
    const out = mkdtempSync(join(tmpdir(), 'merels-site-'));
    made.push(out);
    cpSync(folder, out, { recursive: true });
    return out;
}

before(async () => {
    tables = makeTables(...games);
    site = makeSite(tables.folder, games);
    ranged = readInParts(copyOf(site));
    browser = await startBrowser();
});

after(async () => {
    await browser?.close();
    tables?.remove();
    for (const folder of made) rmSync(folder, { recursive: true });
});

async function withHost(folder, options, use) {
    const host = await startHost(folder, options);
    await use(host).finally(() => host.stop());
}

test('values with plies, a removal, and what was read of the files', () =>
    withHost(ranged, {}, async (host) => {
        const page = await openPage(browser, `${host.url}#rules=six&from=w+a5,c5,b2+a1,b4,d4+3/3`);
        assert.match(await textOf(page, 'verdict-words'), /^White wins in \d+ plies$/);
        assert.match(await page.locator('#plies .group.win small').first().textContent(), /^in \d+ pl/);
        await click(page, 'e5', 'd4');
        assert.deepEqual(await names(page, '.point.black'), ['a1', 'b4']);
        await waitForText(page, 'where', 'Values from the files of this page, without a server');
        const asked = host.requests.filter((path) => path.includes('.mtb'));
        assert.ok(asked.length > 3 && asked.every((path) => / bytes=\d+-\d+$/.test(path)), asked.join('\n'));
        await closePage(page);
    }));

// What the page's reader says of positions that are met at random, as lines that can be compared.
async function walk(page, rules, n) {
    return page.evaluate(
        async ([name, count]) => {
            const { FilesBackend } = await import('./source_files.js');
            const { formatPosition, play, readPosition, startPosition } = await import('./position.js');
            const { readRules } = await import('./rules.js');
            const backend = new FilesBackend(new URL('./', location.href));
            await backend.list();
            const facts = await backend.open(name);
            const read = readRules(facts);
            const said = [];
            let seed = 12345;
            const next = (below) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
            let position = startPosition(read);
            while (said.length < count) {
                const text = formatPosition(read, position);
                const { value, plies, complete, moves } = await backend.probe(text);
                const one = await backend.check(text);
                if (one.value !== value || one.plies !== plies) throw new Error(`${text}: ${one.value} ${one.plies}`);
                said.push({ text, value, plies, complete, moves: moves.map((m) => [m.text, m.value, m.plies]) });
                // Mostly good plies, so that games are long.
                const ply = moves[next(3) === 0 ? next(moves.length) : next(Math.min(moves.length, 3))]?.ply;
                position = ply ? play(position, ply) : startPosition(read);
                if (formatPosition(read, readPosition(read, formatPosition(read, position))) !== formatPosition(read, position)) throw new Error(text);
            }
            return { said, fetched: backend.fetched };
        },
        [rules, n],
    );
}

for (const rules of games)
    test(`${rules}: 200 positions have the values and plies that merels probe says`, () =>
        withHost(ranged, {}, async (host) => {
            const page = await openPage(browser, `${host.url}#rules=${rules}`);
            const { said, fetched } = await walk(page, rules, 200);
            const lines = execFileSync(merels, ['probe', rules, '--db', join(tables.folder, rules), '-'], {
                input: said.map(({ text }) => text).join('\n'),
                maxBuffer: 1 << 28,
            });
            const expected = String(lines).trim().split('\n').map(JSON.parse);
            assert.equal(expected.length, 200);
            assert.ok(new Set(said.map(({ text }) => text)).size > 120, 'positions differ');
            for (const [i, answer] of expected.entries())
                assert.deepEqual(said[i], {
                    text: answer.position,
                    value: answer.value,
                    plies: answer.plies,
                    complete: true,
                    moves: answer.moves.map((move) => [move.move, move.value, move.plies]),
                });
            const all = readdirSync(join(ranged, 'games', rules)).length;
            assert.ok(fetched.requests > all, `${fetched.requests} requests`);
            await closePage(page);
        }));

test('the perfect player wins in as many plies as were said', () =>
    withHost(ranged, {}, async (host) => {
        const page = await openPage(browser, `${host.url}#rules=six&from=w+a5,c5,b2+a1,b4,d4+3/3`);
        const plies = Number(/in (\d+) plies/.exec(await textOf(page, 'verdict-words'))[1]);
        await page.click('#line');
        await waitForText(page, 'ask', `The best line is in the game: ${plies} plies`);
        await page.click('#last');
        await waitForText(page, 'verdict-words', 'White has won');
        await closePage(page);
    }));

test('of draws the perfect player plays one that takes a man, whatever comes first in the list', () =>
    withHost(ranged, {}, async (host) => {
        const page = await openPage(browser, `${host.url}#rules=six&from=w+a5,e5,b2,b3+c5,e3,a3,c2+2/2`);
        assert.equal(await page.locator('#plies .group.draw b').first().textContent(), 'a1');
        await page.selectOption('#player-w', 'perfect');
        await waitForText(page, 'ask', 'Black: place a man');
        assert.match(page.url(), /game=b4x/);
        await closePage(page);
    }));

test('a game in any form is read, and its fault named', () =>
    withHost(site, {}, async (host) => {
        const page = await openPage(browser, `${host.url}#rules=six`);
        await page.click('#tab-game');
        const read = async (text, said) => {
            await page.fill('#paste-text', text);
            await page.click('#paste button[type="submit"]');
            await waitForText(page, 'paste-said', said);
        };
        await read('[White "A"]\n\n1. A5 c5 (1... e5 2. a1) 2. c1 $3 {so} a1 1/2-1/2', '4 plies read.');
        await read('Place to a5\nPlace to c5', '2 plies read.');
        await read('1. a5 c5 2. c1 c5', 'Read as far as ply 3. Then:');
        await read('w a5,c5,c1 a1,e1,b2 0/0', 'The position is on the board.');
        await read('hello world', 'No game was found in this text: ');
        await closePage(page);
    }));

test('small games work without a network, after they were opened once', () =>
    withHost(site, {}, async (host) => {
        const page = await openWithoutHost(browser, host);
        await page.selectOption('#rules', 'six');
        await ready(page);
        assert.equal(await textOf(page, 'verdict-words'), 'A draw');
        await click(page, 'a5', 'c1');
        await waitForText(page, 'where', 'This game works without a network.');
        await closePage(page);
    }));

test('files in pieces are read by ranges', () => {
    const cut = readInParts(makeSite(tables.folder, ['six'], '--pieces', '16384'));
    return withHost(cut, {}, async (host) => {
        const page = await openPage(browser, `${host.url}#rules=six&from=w+a5,c4,e3,b2,a1,d4+c5,b4,e5,d2,c1,a3+0/0`);
        assert.match(await textOf(page, 'verdict-words'), /wins in \d+ plies$|^A draw$/);
        assert.ok(host.requests.some((path) => /\.mtb\.\d{4} bytes=/.test(path)), host.requests.join('\n'));
        await closePage(page);
    });
});

test('a host that ignores ranges is named in words', () =>
    withHost(ranged, { ranges: false }, async (host) => {
        const page = await openPage(browser, host.url);
        await waitForText(page, 'verdict-more', 'This host sends whole files where parts of them are asked for');
        assert.equal(await textOf(page, 'verdict-words'), 'Not known');
        await closePage(page);
    }));

// The start needs the tables of the first two subspaces.
const firstTables = ['0-0-6-6.mtb', '0-1-6-5.mtb'];

for (const [what, change] of [
    ['a block', (bytes) => (bytes[bytes.length - 1] ^= 1)],
    ['the header', (bytes) => (bytes[20] ^= 1)],
    ['the index of blocks', (bytes) => (bytes[260] ^= 1)],
])
    test(`damage in ${what} is named, and gives no value`, () => {
        const damaged = copyOf(ranged);
        const file = join(damaged, 'games/six', firstTables[1]);
        const bytes = readFileSync(file);
        change(bytes);
        writeFileSync(file, bytes);
        return withHost(damaged, {}, async (host) => {
            const page = await openPage(browser, `${host.url}#rules=six`);
            await waitForText(page, 'verdict-more', 'The tables are damaged: ');
            await waitForText(page, 'verdict-more', firstTables[1]);
            assert.equal(await textOf(page, 'verdict-words'), 'Not known');
            assert.equal(await page.locator('.point.marked').count(), 0);
            await closePage(page);
        });
    });

test('a file that is shorter than it should be is damaged', () => {
    const damaged = copyOf(ranged);
    const file = join(damaged, 'games/six', firstTables[1]);
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    return withHost(damaged, {}, async (host) => {
        const page = await openPage(browser, `${host.url}#rules=six`);
        await waitForText(page, 'verdict-more', 'The tables are damaged: ');
        await closePage(page);
    });
});

// The console of the browser notes that a file is not there.
async function closeWithMissingFile(page) {
    await page.context().close();
    assert.ok(page.messages.every((message) => message.includes('404')), page.messages.join('\n'));
}

test('a table that is gone is named with its subspace', () => {
    const gone = copyOf(ranged);
    rmSync(join(gone, 'games/six', firstTables[0]));
    return withHost(gone, {}, async (host) => {
        const page = await openPage(browser, `${host.url}#rules=six`);
        await waitForText(page, 'verdict-more', 'There are no tables for this position here: missing: subspace 0-0-6-6');
        assert.equal(await textOf(page, 'verdict-words'), 'Not known');
        await click(page, 'a5').catch(() => {}); // nothing can be played without an answer
        await closeWithMissingFile(page);
    });
});

test('plies whose tables are gone stand without a value, and it is said why', () => {
    const gone = copyOf(ranged);
    rmSync(join(gone, 'games/six', firstTables[1]));
    return withHost(gone, {}, async (host) => {
        const page = await openPage(browser, `${host.url}#rules=six`);
        assert.equal(await textOf(page, 'verdict-words'), 'A draw');
        await waitForText(page, 'plies', 'missing: subspace 0-1-6-5');
        await closeWithMissingFile(page);
    });
});

test('a table that was not kept is said to be so', () => {
    const folder = mkdtempSync(join(tmpdir(), 'merels-kept-'));
    made.push(folder);
    execFileSync(merels, ['solve', 'five', '--keep', 'none', '--db', join(folder, 'five'), '--threads', '1'], { stdio: 'ignore' });
    const dropped = readInParts(makeSite(folder, ['five']));
    assert.ok(!existsSync(join(dropped, 'games/five/3-3.mtb')));
    return withHost(dropped, {}, async (host) => {
        const page = await openPage(browser, `${host.url}#rules=five&from=w+a5,c5,c1+a1,e1,b2+0/0`);
        await waitForText(page, 'verdict-more', 'The table for this position was made and is not kept here: not kept: subspace 3-3');
        await closePage(page);
    });
});

test('scripts/site says what is wrong', () => {
    const run = (...args) => {
        try {
            execFileSync(join(root, 'scripts/site'), args, { env: { ...process.env, MERELS: merels }, stdio: 'pipe' });
        } catch (error) {
            return `${error.status} ${error.stderr}`;
        }
        return 'done';
    };
    const out = join(tables.folder, 'new');
    assert.match(run(out, '--edition', 'dtm', '--rules', 'lasker', '--db', tables.folder), /^1 [^]*lasker: there are no tables in/);
    assert.match(run(out, '--edition', 'dtm', '--link', '--pieces', '16384'), /^1 .*files in pieces are copies/);
    assert.match(run(out, '--edition', 'dtm', '--rules', 'six,closed-points', '--db', tables.folder), /^1 [^]*searched for, not read: merels serve six,closed-points/);
    assert.ok(!existsSync(out) && !existsSync(`${out}.part`), 'what fails leaves nothing behind');
    const before = readFileSync(join(site, 'merels.json'), 'utf8');
    assert.match(run(site, '--edition', 'dtm', '--rules', 'foo', '--db', tables.folder), /unknown preset 'foo'/);
    assert.equal(readFileSync(join(site, 'merels.json'), 'utf8'), before, 'what was there is still there');
});

// What is no preset is an option of the game before. Values go by the count of the position.
test('rules that count plies, named beside others', () => {
    const counted = 'three,mill=removes,n-move=4';
    const own = makeTables('three', counted);
    const both = readInParts(makeSite(own.folder, ['three', counted]));
    own.remove();
    return withHost(both, {}, async (host) => {
        const won = 'w a3,b3,c3 a2,c2,a1 0/0'; // a man is taken in 3 plies
        const page = await openPage(browser, `${host.url}#rules=${encodeURIComponent(counted)}&from=${won.replaceAll(' ', '+')}+n1`);
        assert.equal(await page.locator('#rules option').count(), 2);
        assert.equal(await textOf(page, 'counted'), '1 ply without a removal; 4 are a draw.');
        assert.equal(await textOf(page, 'verdict-words'), 'White wins');
        await page.click('#tab-setup');
        for (const [n, value] of [[2, 'draw'], [1, 'win, 3 plies to a removal']]) {
            await page.fill('#setup-text', `${won} n${n}`);
            await waitForText(page, 'setup-said', `This position can be played. White: ${value}.`);
        }
        await closePage(page);
    });
});

test('links in place of copies', () => {
    const linked = makeSite(tables.folder, ['six'], '--link');
    return withHost(linked, {}, async (host) => {
        const page = await openPage(browser, host.url);
        assert.equal(await textOf(page, 'verdict-words'), 'A draw');
        await closePage(page);
    });
});
