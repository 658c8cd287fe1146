// words.test.mjs: the languages of the page have the same texts, with the same gaps.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './browser.mjs';

const web = join(root, 'web');
const { en } = await import(join(web, 'words.en.js'));
const { de } = await import(join(web, 'words.de.js'));
const gaps = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test('both languages have the same keys, in the same order', () => {
    assert.deepEqual(Object.keys(de), Object.keys(en));
});

test('a text has the same gaps in both languages', () => {
    for (const key of Object.keys(en)) assert.deepEqual(gaps(de[key]), gaps(en[key]), key);
});

// Keys that are put together from parts: KEY.reason, sourceKIND, and those with plurals.
const stem = (key) => key.replace(/#.*$/, '').replace(/^(over|rules)\..*$/, '$1.');

test('every text is used, and every text that is used is there', () => {
    const sources = readdirSync(web).filter((name) => /\.(js|html)$/.test(name) && !name.startsWith('words.'));
    const text = sources.map((name) => readFileSync(join(web, name), 'utf8')).join('\n');
    for (const key of new Set(Object.keys(en).map(stem))) {
        const used = text.includes(`'${key}'`) || text.includes(`"${key}"`) || text.includes('`' + key);
        assert.ok(used || key.startsWith('source'), `${key} is used nowhere`);
    }
    const known = new Set(Object.keys(en).map((key) => key.replace(/#.*$/, '')));
    for (const [, key] of text.matchAll(/(?:say\(|data-words(?:-label|-title)?=)['"]([\w.]+)['"]/g))
        assert.ok(known.has(key), `${key} is in no language`);
});
