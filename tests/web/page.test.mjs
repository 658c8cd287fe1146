// page.test.mjs: the page over `merels serve`, as somebody uses it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { click, closePage, makeTables, names, openPage, point, ready, serve, startBrowser, textOf, waitForText } from './browser.mjs';

let tables, server, browser;

before(async () => {
    tables = makeTables('three', 'six');
    server = await serve(tables.folder, ['three', 'six']);
    browser = await startBrowser();
});

after(async () => {
    await browser?.close();
    server?.stop();
    tables?.remove();
});

// Opens the page with a fragment, does what is to be done, and closes it.
async function withPage(fragment, use, options) {
    const page = await openPage(browser, server.url + fragment, options);
    await use(page);
    await closePage(page);
}

test('the page opens on the start of the first rules, with values', () =>
    withPage('', async (page) => {
        assert.equal(await textOf(page, 'verdict-words'), 'White wins in 9 plies');
        assert.equal(await textOf(page, 'ask'), 'White: place a man');
        assert.deepEqual(await names(page, '.point.marked:has(.win)'), ['b2']);
        assert.equal((await names(page, '.point.marked:has(.draw)')).length, 4);
        assert.equal((await names(page, '.point.marked:has(.loss)')).length, 4);
        const listed = await page.locator('#plies b').allTextContents();
        assert.deepEqual(listed, ['b2', 'a1', 'a3', 'c1', 'c3', 'a2', 'b1', 'b3', 'c2']);
    }));

test('a game is played to a win by clicks on the best points', () =>
    withPage('', async (page) => {
        let plies = 0;
        while (!(await textOf(page, 'verdict-words')).includes('has won')) {
            const best = await names(page, '.point.marked:has(.mark.best)');
            assert.ok(best.length > 0, 'some ply is the best');
            await click(page, best[0]);
            if ((await names(page, '.point.selected')).length > 0)
                await click(page, (await names(page, '.point.marked:has(.mark.best)'))[0]);
            plies++;
            assert.ok(plies <= 9);
        }
        assert.equal(plies, 9);
        assert.equal(await textOf(page, 'verdict-words'), 'White has won');
        assert.equal(await textOf(page, 'verdict-more'), 'White has closed a mill.');
        assert.equal(await page.locator('.point.marked').count(), 0);
    }));
