// access.test.mjs: an automatic check of what people with a screen reader, a keyboard, or other
// eyes need, on every part of the page, in light and dark, on a phone, upright and on its side, and on a desk; and nothing
// is wider than the window.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { closePage, makeTables, openPage, serve, startBrowser } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let tables, server, browser;

before(async () => {
    tables = makeTables('six');
    server = await serve(tables.folder, ['six']);
    browser = await startBrowser();
});

after(async () => {
    await browser?.close();
    server?.stop();
    tables?.remove();
});

const overfull = () =>
    [...document.querySelectorAll('button')].filter((b) => b.scrollWidth > b.clientWidth).map((b) => b.textContent);

// What is found on the page as it is: a line each.
async function check(page, where) {
    const { violations } = await page.evaluate(() => axe.run());
    const found = violations.flatMap((v) => v.nodes.map((n) => `${where}: ${v.id} (${v.impact}): ${n.target}`));
    for (const text of await page.evaluate(overfull)) found.push(`${where}: '${text}' is wider than its button`);
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    return content <= window ? found : [...found, `${where}: ${content} pixels wide in a window of ${window}`];
}

const game = '#rules=six&game=a5+c1+c5+a1+e5xc1+e1+a3+c1xa5+b3';

for (const colorScheme of ['light', 'dark'])
    for (const [width, height] of [[360, 740], [667, 375], [768, 1024], [1440, 900]])
        test(`every part of the page, ${colorScheme}, ${width} x ${height}`, async () => {
            const page = await openPage(browser, server.url + game, { colorScheme, viewport: { width, height } });
            await page.evaluate(axe);
            const found = [];
            for (const tab of ['plies', 'game', 'setup', 'share']) {
                await page.click(`#tab-${tab}`);
                await page.waitForTimeout(300);
                found.push(...(await check(page, tab)));
            }
            await page.click('#tab-plies');
            await page.click('#help-open');
            found.push(...(await check(page, 'help')));
            assert.deepEqual(found, []);
            await closePage(page);
        });
