// site.test.mjs: the folder that scripts/site writes, on static hosts good and bad, and without
// any network.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { click, closePage, makeTables, merels, names, openPage, openWithoutHost, ready, root, startBrowser, textOf, waitForText } from './browser.mjs';
import { startHost } from './static_host.mjs';

let tables, browser, folder, cut;

function makeSite(...options) {
    const made = mkdtempSync(join(tmpdir(), 'merels-site-'));
    execFileSync(join(root, 'scripts/site'), [made, '--edition', 'compact', '--rules', 'three,six', '--db', tables.folder, ...options], {
        env: { ...process.env, MERELS: merels },
        stdio: ['ignore', 'ignore', 'pipe'],
    });
    return made;
}

function edit(file, change) {
    writeFileSync(file, change(readFileSync(file, 'utf8')));
}

// Has the games of a folder read as large ones are: by ranges, and not kept.
function readInParts(site) {
    edit(join(site, 'merels.json'), (text) => text.replaceAll('"whole": true', '"whole": false'));
    edit(join(site, 'offline.js'), (text) => text.replaceAll(/, "games\/[^"]*"/g, ''));
}

before(async () => {
    tables = makeTables('three', 'six');
    for (const name of ['three', 'six'])
        execFileSync(merels, ['export', name, '--db', join(tables.folder, name), '--edition', 'compact', '--out', join(tables.folder, `${name}.mce`)], { stdio: 'ignore' });
    folder = makeSite();
    cut = makeSite('--pieces', '16384');
    readInParts(cut);
    browser = await startBrowser();
});

after(async () => {
    await browser?.close();
    tables?.remove();
    for (const made of [folder, cut]) if (made) rmSync(made, { recursive: true });
});

async function withHost(site, options, use) {
    const host = await startHost(site, options);
    await use(host).finally(() => host.stop());
}

test('the page shows values without plies, and says so', () =>
    withHost(folder, {}, async (host) => {
        const page = await openPage(browser, host.url);
        assert.equal(await textOf(page, 'verdict-words'), 'White wins');
        await waitForText(page, 'verdict-more', 'How many plies it takes is not in these files.');
        assert.deepEqual(await names(page, '.point.marked:has(.win)'), ['b2']);
        assert.deepEqual(await page.locator('#plies b').allTextContents(), ['b2', 'a1', 'a3', 'c1', 'c3', 'a2', 'b1', 'b3', 'c2']);
        await click(page, 'b2', 'a1');
        assert.equal(await textOf(page, 'verdict-words'), 'White wins');
        await waitForText(page, 'where', 'Values from the files of this page, without a server: 1 request,');
        assert.ok(host.requests.every((path) => !path.includes('v1')), 'no server program is asked');
        await closePage(page);
    }));

test('the perfect player wins without plies, and repeats no position', () =>
    withHost(folder, {}, async (host) => {
        const page = await openPage(browser, host.url);
        await page.selectOption('#player-w', 'perfect');
        await page.selectOption('#player-b', 'perfect');
        await waitForText(page, 'verdict-words', 'White has won');
        await waitForText(page, 'verdict-more', 'White has closed a mill.');
        await closePage(page);
    }));

test('a removal, and a pasted game in any form with its mistakes', () =>
    withHost(folder, {}, async (host) => {
        const page = await openPage(browser, `${host.url}#rules=six&from=w+a5,c5,b2+a1,b4,d4+3/3`);
        await click(page, 'e5', 'd4');
        assert.deepEqual(await names(page, '.point.black'), ['a1', 'b4']);
        await page.selectOption('#rules', 'three');
        await ready(page);
        await page.click('#tab-game');
        await page.fill('#paste-text', '1. b2 {the centre} a1 2. a3? c1 3. a2 b1 0-1');
        await page.click('#paste button[type="submit"]');
        await waitForText(page, 'paste-said', '6 plies read.');
        await waitForText(page, 'mistakes', '2 mistakes');
        await page.fill('#paste-text', 'Place to B2\nPlace to A1\n');
        await page.click('#paste button[type="submit"]');
        await waitForText(page, 'paste-said', '2 plies read.');
        await page.fill('#paste-text', 'b2 a1 a1');
        await page.click('#paste button[type="submit"]');
        await waitForText(page, 'paste-said', "Read as far as ply 2. Then: list of plies, ply 3");
        assert.equal(host.requests.filter((path) => path.endsWith('tables.wasm')).length, 1);
        await page.click('#tab-setup');
        await page.fill('#setup-text', 'w a3,b2 b3,c3 1/1');
        await waitForText(page, 'setup-said', 'This position can be played. White: win.');
        await page.fill('#setup-text', 'w a3,b2 b3 1/2');
        await waitForText(page, 'setup-said', 'No game reaches these counts');
        await closePage(page);
    }));

test('small games work without a network, after they were opened once', () =>
    withHost(folder, {}, async (host) => {
        const page = await openWithoutHost(browser, host);
        assert.equal(await textOf(page, 'verdict-words'), 'White wins');
        await click(page, 'b2');
        await page.selectOption('#rules', 'six');
        await ready(page);
        assert.equal(await textOf(page, 'verdict-words'), 'A draw');
        await click(page, 'a5');
        await waitForText(page, 'where', 'This game works without a network.');
        await page.click('#tab-game');
        await page.fill('#paste-text', '1. a5 c5 2. c1');
        await page.click('#paste button[type="submit"]');
        await waitForText(page, 'paste-said', '3 plies read.');
        await closePage(page);
    }));

test('a file in pieces is read by ranges, and only in part', () =>
    withHost(cut, {}, async (host) => {
        assert.ok(readdirSync(join(cut, 'games')).length > 2);
        const page = await openPage(browser, `${host.url}#rules=six&from=w+a5,c5,b2+a1,b4,d4+3/3`);
        await click(page, 'e5', 'd4');
        const asked = host.requests.filter((path) => path.includes('six.mce'));
        assert.ok(asked.length > 0 && asked.every((path) => /\.mce\.\d{4} bytes=/.test(path)), asked.join('\n'));
        await closePage(page);
    }));

test('a host that ignores ranges is named in words', () =>
    withHost(cut, { ranges: false }, async (host) => {
        const page = await openPage(browser, host.url);
        await waitForText(page, 'verdict-more', 'This host sends whole files where parts of them are asked for');
        await closePage(page);
    }));

test('a damaged file is named, and gives no value', async () => {
    const damaged = makeSite();
    const file = join(damaged, 'games/three.mce');
    const bytes = readFileSync(file);
    bytes[bytes.length - 20] ^= 1;
    bytes[100] ^= 1;
    writeFileSync(file, bytes);
    await withHost(damaged, {}, async (host) => {
        const page = await openPage(browser, host.url);
        await waitForText(page, 'verdict-more', 'The tables are damaged');
        assert.equal(await textOf(page, 'verdict-words'), 'Not known');
        await closePage(page);
    });
    rmSync(damaged, { recursive: true });
});

test('scripts/site says what is wrong', () => {
    const site = (...args) => {
        try {
            execFileSync(join(root, 'scripts/site'), args, { env: { ...process.env, MERELS: merels }, stdio: 'pipe' });
        } catch (error) {
            return `${error.status} ${error.stderr}`;
        }
        return 'done';
    };
    assert.match(site('/nowhere', '--edition', 'wdl'), /^1 .*edition 'wdl'/);
    assert.match(site(tables.folder, '--edition', 'compact'), /^1 .*is not empty/);
    assert.match(site(join(tables.folder, 'new'), '--edition', 'compact', '--rules', 'lasker', '--db', tables.folder), /^1 [^]*lasker: there is no/);
    assert.match(site(join(tables.folder, 'new2'), '--edition', 'compact', '--pieces', '1000'), /^1 .*multiple of 16384/);
    assert.match(site('--edition', 'compact'), /^2 /);
});
