// page.test.mjs: the page over `merels serve`, as somebody uses it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { click, closePage, makeTables, names, openAgain, openPage, point, ready, serve, startBrowser, textOf, waitForText } from './browser.mjs';

let tables, server, browser, page;

before(async () => {
    tables = makeTables('three', 'six');
    server = await serve(tables.folder, ['three', 'six']);
    browser = await startBrowser();
    page = await openPage(browser, server.url);
});

after(async () => {
    if (page) await closePage(page);
    await browser?.close();
    server?.stop();
    tables?.remove();
});

// Opens the page anew with a fragment, and does what is to be done. One window serves all of these.
async function withPage(fragment, use) {
    await openAgain(page, server.url + fragment);
    await use(page);
    assert.deepEqual(page.messages, []);
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

// One ply from a mill: g4 closes it on g7, and one of five men can be taken.
const beforeMill = '#rules=six&from=w+a5,c5,b2+a1,b4,d4+3/3';

test('a mill takes the man that is clicked', () =>
    withPage(beforeMill, async (page) => {
        await click(page, 'e5');
        assert.equal(await textOf(page, 'ask'), 'Mill! Choose the man to take');
        assert.deepEqual((await names(page, '.point.target')).sort(), ['a1', 'b4', 'd4']);
        await click(page, 'b2');
        assert.equal(await textOf(page, 'ask'), 'That man cannot be taken.');
        await click(page, 'd4');
        assert.equal(await point(page, 'd4').getAttribute('class'), 'point last marked');
        assert.deepEqual(await names(page, '.point.black'), ['a1', 'b4']);
        assert.match(page.url(), /game=e5xd4$/);
    }));

test('the list shows the plies that what was clicked can become', () =>
    withPage(beforeMill, async (page) => {
        const plies = () => page.locator('#plies b').allTextContents();
        const all = await plies();
        await click(page, 'e5');
        assert.deepEqual(await plies(), all.filter((text) => text.startsWith('e5x')));
        await page.keyboard.press('Escape');
        assert.deepEqual(await plies(), all);
    }));

test('a mill that was clicked can be taken back', () =>
    withPage(beforeMill, async (page) => {
        await click(page, 'e5');
        await page.keyboard.press('Escape');
        assert.equal(await textOf(page, 'ask'), 'White: place a man');
        assert.equal(await point(page, 'e5').getAttribute('aria-label').then((text) => text.startsWith('e5, free')), true);
    }));

test('back, forward and jumps go through the game, and a side line is kept', () =>
    withPage('#rules=three&game=b2+a1+a3', async (page) => {
        await page.click('#undo');
        await ready(page);
        assert.equal(await textOf(page, 'ask'), 'White: place a man');
        await click(page, 'b3');
        await page.click('#tab-game');
        assert.deepEqual(await page.locator('#moves .other button').allTextContents(), ['a3']);
        await page.click('#moves .other button');
        await ready(page);
        assert.match(page.url(), /game=b2\+a1\+a3$/);
        await page.click('#first');
        await ready(page);
        assert.equal(await textOf(page, 'verdict-words'), 'White wins in 9 plies');
        await page.click('#last');
        await ready(page);
        assert.deepEqual(await names(page, '.point.white'), ['a3', 'b2']);
    }));

test('the best line is put into the game, to its end', () =>
    withPage('', async (page) => {
        await page.click('#line');
        await waitForText(page, 'ask', 'The best line is in the game: 9 plies');
        assert.equal(await page.locator('#moves .ahead').count(), 9);
        await page.click('#last');
        await waitForText(page, 'verdict-words', 'White has won');
    }));

test('the perfect player answers, and two of them play to the end', () =>
    withPage('', async (page) => {
        await page.selectOption('#player-b', 'perfect');
        await click(page, 'b2');
        await page.waitForFunction(() => document.querySelectorAll('.point.black').length === 1);
        await page.selectOption('#player-w', 'perfect');
        await page.waitForFunction(() => document.getElementById('verdict-words').textContent === 'White has won');
        await page.click('#tab-game');
        assert.equal(await page.locator('#moves button').count(), 1 + 9);
    }));

// White wins; both go round. Black resists longest by a1-a3, but comes back for the third time; White,
// at a third time, goes elsewhere.
const round = 'a5-a3 c1-a1 a3-a5 a1-c1';
const repeated = (...plies) => `#rules=six&from=w+a5,e3,e1,b4,d2,b3+e5,c1,c4,b2+0/0&game=${plies.join(' ').replaceAll(' ', '+')}`;

test('repetitions are counted, avoided by who wins, taken by who loses, and claimed', () =>
    withPage(repeated(round, round), async (page) => {
        assert.equal(await textOf(page, 'verdict-words'), 'White wins in 17 plies');
        await waitForText(page, 'repeated', 'This position has been here 3 times');
        await page.selectOption('#player-w', 'perfect');
        await waitForText(page, 'ask', 'Black: move a man');
        assert.ok(await page.locator('#repeated').isHidden());
        await openAgain(page, server.url + repeated(round, 'a5-a3 c1-a1 a3-a5'));
        assert.ok(await page.locator('#repeated').isHidden());
        await page.selectOption('#player-b', 'perfect');
        await waitForText(page, 'repeated', 'This position has been here 3 times');
        await waitForText(page, 'ask', 'White: move a man');
        assert.match(page.url(), /a3-a5\+a1-c1$/);
        await openAgain(page, server.url + repeated(round, round, 'a5-a3'));
        await page.selectOption('#player-b', 'perfect');
        await waitForText(page, 'ask', 'The perfect player claims a draw. Go back, or play Black yourself.');
    }));

test('a man is dragged to where it goes', () =>
    withPage('#rules=three&from=w+a3,b2,c2+b3,a1,c1+0/0', async (page) => {
        await point(page, 'a3').locator('.disc').dragTo(point(page, 'a2').locator('.area'));
        await ready(page);
        assert.match(page.url(), /game=a3-a2$/);
    }));

test('a position is set up, with the reason when it cannot be', () =>
    withPage('#rules=six', async (page) => {
        await page.click('#tab-setup');
        await click(page, 'a5', 'c5', 'e5');
        await page.check('input[name="tool"][value="b"]');
        await click(page, 'a1');
        await waitForText(page, 'setup-said', 'No game reaches these counts');
        assert.ok(await page.isDisabled('#setup-use'));
        await page.fill('#hand-w', '0');
        await page.fill('#hand-b', '0');
        await page.locator('#hand-b').press('Tab');
        await page.check('input[name="side"][value="w"]');
        await waitForText(page, 'setup-said', 'Black has fewer than 3 men: the game was over before.');
        await click(page, 'c1', 'b2');
        await page.fill('#hand-b', '0');
        await page.locator('#hand-b').press('Tab');
        await page.check('#due');
        await waitForText(page, 'setup-said', 'This position can be played. White:');
        await point(page, 'b2').locator('.disc').dragTo(point(page, 'd2').locator('.area'));
        assert.equal(await page.inputValue('#setup-text'), 'w! a5,c5,e5 c1,a1,d2 0/0');
        await page.click('#setup-use');
        await ready(page);
        assert.equal(await textOf(page, 'ask'), 'Mill! Choose the man to take');
        assert.match(page.url(), /from=w!\+a5,c5,e5\+c1,a1,d2\+0\/0$/);
    }));

test('men in hand count while they are typed', () =>
    withPage('#rules=six', async (page) => {
        await page.click('#tab-setup');
        await page.locator('#hand-w').press('End');
        await page.keyboard.press('Backspace');
        assert.equal(await page.inputValue('#setup-text'), 'w - - 0/6');
        assert.equal(await page.inputValue('#hand-w'), '');
        await waitForText(page, 'setup-said', 'White: loss.');
        await page.keyboard.press('5');
        assert.equal(await page.inputValue('#setup-text'), 'w - - 5/6');
        await page.keyboard.press('5');
        assert.equal(await page.inputValue('#setup-text'), 'w - - 6/6');
        assert.equal(await page.inputValue('#hand-w'), '6');
        await waitForText(page, 'setup-said', 'This position can be played.');
        await page.keyboard.press('Backspace');
        await page.keyboard.press('Tab');
        assert.equal(await page.inputValue('#hand-w'), '0');
    }));

test('a position is typed, and nonsense is named', () =>
    withPage('#rules=three', async (page) => {
        await page.click('#tab-setup');
        await page.fill('#setup-text', 'w a3,z9 b3 1/1');
        await waitForText(page, 'setup-said', '“z9” is no point of this board.');
        await page.fill('#setup-text', 'w a3,b2 b3,c3 1/1');
        await waitForText(page, 'setup-said', 'This position can be played.');
        await page.click('#setup-use');
        await waitForText(page, 'verdict-words', 'White wins in 1 ply');
    }));

test('a pasted game in another form shows its mistakes', () =>
    withPage('', async (page) => {
        await page.click('#tab-game');
        await page.fill('#paste-text', '[White "A"]\n\n1. b2 {the centre} a1 2. a3? c1 3. a2 b1 0-1');
        await page.click('#paste button[type="submit"]');
        await waitForText(page, 'paste-said', '6 plies read.');
        await waitForText(page, 'mistakes', '2 mistakes');
        assert.deepEqual(await page.locator('#moves .mistake button').allTextContents(), ['a3??', 'a2??']);
        assert.deepEqual(await page.locator('#moves .told').allTextContents(), [
            'a3: throws away a win; better: b3, c2',
            'a2: throws away a draw; better: b1',
        ]);
        assert.equal(await page.locator('#graph .error').count(), 2);
        await waitForText(page, 'verdict-words', 'Black has won');
    }));

test('a broken game is read as far as it goes, with the reason', () =>
    withPage('', async (page) => {
        await page.click('#tab-game');
        await page.fill('#paste-text', 'b2 a1 a3 z1');
        await page.click('#paste button[type="submit"]');
        await waitForText(page, 'paste-said', 'Read as far as ply 3. Then: ');
        await waitForText(page, 'paste-said', "'z1': no such point");
    }));

test('an address brings back rules, game and place', async () => {
    const page = await openPage(browser, server.url);
    await page.selectOption('#rules', 'six');
    await ready(page);
    await click(page, 'a5', 'c1', 'e5');
    await page.click('#undo');
    await ready(page);
    const url = page.url();
    assert.match(url, /#rules=six&game=a5\+c1\+e5&at=2$/);
    await page.reload();
    await ready(page);
    const other = await openPage(browser, url);
    for (const one of [page, other]) {
        assert.deepEqual(await names(one, '.point.white'), ['a5']);
        assert.deepEqual(await names(one, '.point.black'), ['c1']);
        await one.click('#redo');
        await ready(one);
        assert.deepEqual(await names(one, '.point.white'), ['a5', 'e5']);
    }
    await closePage(other);
    await closePage(page);
});

test('what cannot be read of the address is said, and the address is left', async () => {
    const start = 'White wins in 9 plies';
    for (const [fragment, said, verdict] of [
        ['#rules=none&game=d6', 'The address names rules that are not here: “none”.', start],
        ['#%', 'The address names no rules; for example: #rules=nine&game=d6+f4', start],
        ['#game=b2', 'The address names no rules; for example: #rules=nine&game=d6+f4', start],
        ['#rules=three&game=a9+b2', 'The address was read as far as ply 0. Then: “a9” is no point of this board.', start],
        ['#rules=three&game=b2+b2', 'The address was read as far as ply 1. Then: “b2” cannot be played here.', 'White wins in 8 plies'],
        ['#rules=three&from=x', 'The position in the address could not be read: “x” is no position; for example: w a7,d7 g1,d1 7/7', start],
        ['#rules=three&at=7', 'The address ends at ply “7”, which its game does not have.', start],
        ['#rules=three&game=b2&at=-1', 'The address ends at ply “-1”, which its game does not have.', 'White wins in 8 plies'],
        ['#rules=three&gmae=b2', 'The address holds “gmae”, which means nothing here.', start],
    ])
        await withPage(fragment, async (page) => {
            assert.equal(await textOf(page, 'verdict-words'), verdict, fragment);
            assert.equal(await textOf(page, 'ask'), said);
            assert.equal(page.url(), server.url + fragment);
        });
    await withPage('#rules=three&game=a9', async (page) => {
        await click(page, 'b2');
        assert.equal(await textOf(page, 'ask'), 'Black: place a man');
        assert.match(page.url(), /#rules=three&game=b2$/);
    });
});

test('an address of the page is pasted, of other rules too', () =>
    withPage('', async (page) => {
        const paste = async (text, said) => {
            await page.click('#tab-game');
            await page.fill('#paste-text', text);
            await page.click('#paste button[type="submit"]');
            await waitForText(page, 'paste-said', said);
        };
        await paste(`${server.url}#rules=three&game=b2+a1+a3&at=2`, '3 plies read.');
        assert.match(page.url(), /#rules=three&game=b2\+a1\+a3&at=2$/);
        assert.deepEqual(await names(page, '.point.white'), ['b2']);
        await paste(' <https://example.org/morris/#rules=six&from=w+a5,c5,b2+a1,b4,d4+3/3>\n', 'The position is on the board.');
        assert.equal(await page.inputValue('#rules'), 'six');
        assert.deepEqual((await names(page, '.point.black')).sort(), ['a1', 'b4', 'd4']);
        await paste('#rules=three&game=b2+b2', 'The address was read as far as ply 1. Then: “b2” cannot be played here.');
        assert.match(page.url(), /#rules=three&game=b2$/);
        await paste('https://example.org/#rules=none', 'The address names rules that are not here: “none”.');
        await paste('https://example.org/', 'The address names no rules');
        assert.match(page.url(), /#rules=three&game=b2$/);
        await paste('[Site "https://example.org/#rules=six&game=a5"]\n\n1) b2 a1 2) a3', '3 plies read.');
        assert.match(page.url(), /#rules=three&game=b2\+a1\+a3$/);
    }));

test('a game is played with the keyboard alone', () =>
    withPage('', async (page) => {
        const focused = () => page.evaluate(() => document.activeElement.dataset.point ?? document.activeElement.id);
        for (let i = 0; i < 9 && (await focused()) !== 'a3'; i++) await page.keyboard.press('Tab');
        assert.equal(await focused(), 'a3');
        await page.keyboard.press('ArrowRight');
        assert.equal(await focused(), 'b3');
        await page.keyboard.press('ArrowDown');
        assert.equal(await focused(), 'b2');
        await page.keyboard.press('Enter');
        await waitForText(page, 'live', 'White played b2. White wins in 8 plies. Black: place a man');
        assert.equal(await point(page, 'b2').getAttribute('aria-label'), 'b2, White man');
        assert.match(await point(page, 'a1').getAttribute('aria-label'), /^a1, free, leads to: loss in \d+ plies$/);
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press(' ');
        await waitForText(page, 'live', 'Black played a2.');
        await page.keyboard.press('u');
        await waitForText(page, 'ask', 'Black: place a man');
        await page.keyboard.press('r');
        await waitForText(page, 'ask', 'White: place a man');
        await page.keyboard.press('b');
        await waitForText(page, 'ask', 'Black: place a man');
        assert.equal((await names(page, '.point.white')).length, 2);
    }));

test('arrow keys reach every point of the board', () =>
    withPage('#rules=six', async (page) => {
        const all = await names(page, '.point');
        const reached = new Set(['a5']);
        const waiting = ['a5'];
        while (waiting.length > 0) {
            const from = waiting.pop();
            for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
                await point(page, from).focus();
                await page.keyboard.press(key);
                const to = await page.evaluate(() => document.activeElement.dataset.point);
                if (!reached.has(to)) waiting.push(to);
                reached.add(to);
            }
        }
        assert.deepEqual([...reached].sort(), all.sort());
    }));

test('on a phone on its side the whole board stays in sight beside the list', async () => {
    for (const [width, height] of [[844, 390], [667, 375]]) {
        const page = await openPage(browser, `${server.url}#rules=six&game=a5+c1`, { viewport: { width, height } });
        const inSight = async (what) => {
            const box = await what.boundingBox();
            return box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
        };
        const board = page.locator('#board');
        assert.ok(await inSight(board), `the board at ${width} x ${height}`);
        assert.ok((await board.boundingBox()).width >= 0.85 * Math.min(height, width / 2));
        for (const id of ['#verdict-words', '#ask', '#undo', '#best', '#tab-plies']) assert.ok(await inSight(page.locator(id)), id);
        await page.locator('#plies button').last().scrollIntoViewIfNeeded();
        assert.ok(await inSight(page.locator('#plies button').last()));
        assert.ok(await inSight(board), 'the board beside the end of the list');
        await click(page, 'e5');
        assert.deepEqual((await names(page, '.point.white')).sort(), ['a5', 'e5']);
        await closePage(page);
    }
});

test('values can be hidden', () =>
    withPage('', async (page) => {
        await page.uncheck('#hints');
        assert.equal(await page.locator('.point.marked').count(), 0);
        assert.equal(await textOf(page, 'verdict-words'), 'Values are hidden');
        assert.equal(await page.locator('#plies button').count(), 0);
        assert.equal(await point(page, 'b2').getAttribute('aria-label'), 'b2, free');
        await click(page, 'b2');
        assert.deepEqual(await names(page, '.point.white'), ['b2']);
    }));

test('what cannot be done is said', () =>
    withPage('#rules=three&from=w+a3,b2,c2+b3,a1,c1+0/0', async (page) => {
        await click(page, 'a2');
        assert.equal(await textOf(page, 'ask'), 'Choose a man of White first.');
        await click(page, 'b3');
        assert.equal(await textOf(page, 'ask'), 'That man is Black’s.');
        await click(page, 'a3');
        assert.equal(await textOf(page, 'ask'), 'Move the man on a3: choose a point');
        await click(page, 'c3');
        assert.equal(await textOf(page, 'ask'), 'It cannot go to c3.');
    }));

test('the board is copied as a picture that stands alone', () =>
    withPage('', async (page) => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await click(page, 'b2');
        await page.click('#tab-share');
        await page.click('#picture-copy');
        await waitForText(page, 'share-said', 'Copied.');
        const svg = await page.evaluate(() => navigator.clipboard.readText());
        assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
        assert.match(svg, /<circle [^>]*fill="rgb/);
        assert.ok(svg.length < 20000, `${svg.length} characters`);
        assert.doesNotMatch(svg, /class=|var\(|<g\/>/);
        assert.equal(await page.inputValue('#share-game'), 'startpos moves b2');
        assert.equal(await page.inputValue('#share-position'), 'b b2 - 2/3');
        await page.click('[data-copy="share-link"]');
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
    }));

test('German, chosen and remembered', async () => {
    const page = await openPage(browser, server.url, { locale: 'de-DE' });
    assert.equal(await textOf(page, 'verdict-words'), 'Weiß gewinnt in 9 Zügen');
    assert.equal(await page.getAttribute('html', 'lang'), 'de');
    await page.selectOption('#language', 'en');
    assert.equal(await textOf(page, 'verdict-words'), 'White wins in 9 plies');
    await page.reload();
    await ready(page);
    assert.equal(await textOf(page, 'verdict-words'), 'White wins in 9 plies');
    await closePage(page);
});

test('where the other side picks the man that is taken, it does so by a ply of its own', async () => {
    const rules = 'six,chooser=opponent,men=4';
    const own = makeTables(rules);
    const other = await serve(own.folder, [rules]);
    const page = await openPage(browser, `${other.url}#rules=six,chooser%3Dopponent,men%3D4&from=w+a5,c5,b2+a1,b4,d4+1/1`);
    try {
        assert.ok((await page.locator('#plies b').allTextContents()).includes('e5 x?'));
        await click(page, 'e5');
        assert.equal(await textOf(page, 'ask'), 'Mill! Black: choose the man that you give up');
        assert.ok(await page.locator('#strip-b.turn').isVisible());
        assert.deepEqual((await names(page, '.point.target')).sort(), ['a1', 'b4', 'd4']);
        const listed = await page.locator('#plies b').allTextContents();
        await click(page, 'b4');
        assert.equal(await textOf(page, 'ask'), 'Black: place a man');
        await page.click('#tab-share');
        assert.equal(await page.inputValue('#share-position'), 'b a5,c5,e5,b2 a1,d4 0/1');
        assert.ok((await page.inputValue('#share-game')).endsWith('moves e5 xb4'));
        await page.click('#tab-game');
        await waitForText(page, 'mistakes', 'mistake');
        assert.deepEqual(await page.locator('#moves .number').allTextContents(), ['1.']);

        // The same from an address, and from a game as people write it.
        await openAgain(page, page.url());
        assert.equal(await textOf(page, 'ask'), 'Black: place a man');
        await page.click('#tab-game');
        await page.fill('#paste-text', 'w a5,c5,b2 a1,b4,d4 1/1 moves e5xd4');
        await page.click('#paste button');
        await waitForText(page, 'paste-said', '1 ply read.');
        assert.deepEqual((await names(page, '.point.black')).sort(), ['a1', 'b4']);

        // The perfect player picks what is best for it, without being asked.
        await openAgain(page, `${other.url}#rules=six,chooser%3Dopponent,men%3D4&from=w+a5,c5,b2+a1,b4,d4+1/1`);
        await page.selectOption('#player-b', 'perfect');
        await page.click('#tab-share');
        await point(page, 'e5').click();
        await page.waitForFunction((pick) => document.getElementById('share-game').value.includes(`moves e5 ${pick} `), listed[0]);
    } finally {
        await closePage(page);
        other.stop();
        own.remove();
    }
});

test('dark and light, chosen and remembered', async () => {
    const page = await openPage(browser, server.url, { colorScheme: 'dark' });
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await paper();
    await page.click('#theme');
    const light = await paper();
    assert.notEqual(light, dark);
    await page.reload();
    await ready(page);
    assert.equal(await paper(), light);
    await page.click('#theme');
    assert.equal(await paper(), dark);
    await closePage(page);
});

test('a server that has gone is named', async () => {
    const own = await serve(tables.folder, ['three']);
    const page = await openPage(browser, own.url);
    await page.waitForLoadState('networkidle');
    own.stop();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await click(page, 'b2', 'a1'); // what the first leads to has been fetched ahead
    await waitForText(page, 'verdict-more', 'The values cannot be reached.');
    await page.context().close(); // the browser itself notes the failed request
});

// Over the tables of the moving phase of six; values of positions with men in hand are searched.
test('points of removed men are closed, named, and set up', async () => {
    const rules = 'six,closed-points';
    const other = await serve(tables.folder, ['six', rules]);
    const page = await openPage(browser, `${other.url}#rules=${rules}&from=w+a5,c5,b2+a1,b4,d4+3/3`);
    try {
        await click(page, 'e5', 'd4');
        assert.match(await textOf(page, 'verdict-words'), /^(White|Black) wins$|^A draw$/);
        assert.deepEqual(await names(page, '.point.closed'), ['d4']);
        assert.match(await point(page, 'd4').getAttribute('aria-label'), /^d4, closed until all men are placed$/);
        assert.ok(!(await page.locator('#plies b').allTextContents()).includes('d4'));
        await click(page, 'd4');
        await waitForText(page, 'ask', 'd4 is closed until all men are placed: a man was taken there.');
        await page.click('#tab-share');
        assert.match(await page.inputValue('#share-position'), / 2\/3 xd4$/);
        await page.click('#tab-setup');
        await page.check('input[name="tool"][value="x"]');
        await point(page, 'c1').click();
        assert.match(await page.inputValue('#setup-text'), / 2\/3 xc1,d4$/);
        await point(page, 'c1').click();
        await waitForText(page, 'setup-said', 'This position can be played. Black: ');
        await page.selectOption('#rules', 'six');
        await ready(page);
        await page.click('#tab-setup');
        assert.ok(await page.locator('#tool-closed').isHidden());
        await point(page, 'c1').click();
        assert.match(await page.inputValue('#setup-text'), /^w c1 - /);
    } finally {
        await closePage(page);
        other.stop();
    }
});

// In this game a mill takes a man; four plies without one are a draw.
test('plies without a removal are counted, shown and set', async () => {
    const rules = 'three,mill=removes,n-move=4';
    const own = makeTables(rules);
    const other = await serve(own.folder, [rules]);
    const from = 'w+a1,b2,c1+a3,b1,c3+0/0+n2';
    const page = await openPage(browser, `${other.url}#rules=${encodeURIComponent(rules)}&from=${from}`);
    try {
        assert.equal(await textOf(page, 'counted'), '2 plies without a removal; 4 are a draw.');
        assert.ok((await page.locator('#rules option').allTextContents()).some((text) =>
            text.includes('a draw after 4 plies without a removal')));
        const quiet = page.locator('#plies button').filter({ hasNot: page.locator('text=x') }).first();
        await quiet.click();
        await ready(page);
        assert.equal(await textOf(page, 'counted'), '3 plies without a removal; 4 are a draw.');
        await page.click('#tab-share');
        assert.match(await page.inputValue('#share-position'), / n3$/);
        await page.click('#tab-setup');
        await page.fill('#setup-text', 'w a1,b2,c1 a3,b1,c3 0/0 n4');
        await waitForText(page, 'setup-said', 'This position can be played. White: draw.');
        assert.equal(await page.inputValue('#setup-count'), '4');
        await page.fill('#setup-count', '1');
        await page.locator('#setup-count').dispatchEvent('change');
        assert.match(await page.inputValue('#setup-text'), / n1$/);
        await page.fill('#setup-text', 'w a1,b2,c1 a3,b1,c3 0/0 n5');
        await waitForText(page, 'setup-said', 'up to 4');
        await page.fill('#setup-text', 'w a1,b2,c1 a3,b1,c3 0/0 n4');
        await waitForText(page, 'setup-said', 'This position can be played.');
        await page.click('#setup-use');
        await ready(page);
        assert.equal(await textOf(page, 'verdict-words'), 'The game is drawn');
        assert.equal(await textOf(page, 'verdict-more'), 'For too many plies no man was taken.');
        assert.deepEqual(page.messages, []);
    } finally {
        await closePage(page);
        other.stop();
        own.remove();
    }
});
