// explore.mjs: what a game costs that somebody explores on a static site: requests and bytes.
//
//     node explore.mjs SITE RULES [PLIES]
//
// SITE is a folder of scripts/site. The same game is played whatever the edition: both sides play
// plies of the best value, by their place in the alphabet, and Black every seventh time one of the
// worst. After each ply the page comes to rest, so that all that it fetches ahead is counted. Not a
// test: it prints what it has counted.

import { startBrowser, openPage, ready } from './browser.mjs';
import { startHost } from './static_host.mjs';

const [site, rules, most = '75'] = process.argv.slice(2);
if (!rules) {
    console.error('usage: node explore.mjs SITE RULES [PLIES]');
    process.exit(2);
}

// The plies of the list, the best value first: [{value, text}].
const listed = (page) =>
    page.locator('#plies .group').evaluateAll((groups) =>
        groups.flatMap((group) => [...group.querySelectorAll('b')].map((b) => ({ value: group.className, text: b.textContent }))),
    );

function choose(plies, n) {
    const errs = n % 14 === 13;
    const value = plies[errs ? plies.length - 1 : 0].value;
    const good = plies.filter((ply) => ply.value === value).map((ply) => ply.text).sort();
    return good[(7 * n) % good.length];
}

async function rest(page, host) {
    await ready(page);
    for (let before = -1; before !== host.requests.length; ) {
        before = host.requests.length;
        await page.waitForTimeout(400);
    }
}

const host = await startHost(site);
const browser = await startBrowser();
const page = await openPage(browser, `${host.url}#rules=${rules}`);
await rest(page, host);
const [first, firstBytes] = [host.requests.length, host.bytes()];
const waits = [];
let played = 0;
for (; played < Number(most); played++) {
    const plies = await listed(page);
    if (plies.length === 0) break;
    const text = choose(plies, played);
    const begin = performance.now();
    await page.locator('#plies button', { has: page.locator(`b:text-is("${text}")`) }).first().click();
    await ready(page);
    waits.push(performance.now() - begin);
    await rest(page, host);
}
waits.sort((a, b) => a - b);
const game = host.requests.filter((path) => path.includes('/games/'));
const memory = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
console.log(
    JSON.stringify({
        rules,
        plies: played,
        pageRequests: host.requests.length - game.length,
        requestsOfFiles: game.length,
        bytesOfFiles: host.bytes('/games/'),
        toOpen: { requests: first, bytes: firstBytes },
        milliseconds: { median: Math.round(waits[waits.length >> 1]), most: Math.round(waits.at(-1)) },
        heap: memory,
        said: await page.locator('#where').textContent(),
        end: await page.locator('#verdict-words').textContent(),
    }),
);
await browser.close();
await host.stop();
