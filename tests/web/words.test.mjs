// words.test.mjs: the languages of the page have the same texts, with the same gaps.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './browser.mjs';

const web = join(root, 'web');
const { languageNames } = await import(join(web, 'words.js'));
const tags = Object.keys(languageNames);
const textsOf = async (tag) => (await import(join(web, `words.${tag}.js`)))[tag];
const { en } = await import(join(web, 'words.en.js'));
const gaps = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
const bare = (key) => key.replace(/#.*$/, '');

test('every file of texts is a language of the page', () => {
    const files = readdirSync(web).flatMap((name) => /^words\.(\w+)\.js$/.exec(name)?.[1] ?? []);
    assert.deepEqual(files.sort(), [...tags].sort());
});

for (const tag of tags)
    test(`${tag} has the same keys as English, in the same order, and all its plurals`, async () => {
        const texts = await textsOf(tag);
        const keys = (some) => [...new Set(Object.keys(some).map(bare))];
        assert.deepEqual(keys(texts), keys(en));
        const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
        for (const key of new Set(Object.keys(en).filter((k) => k.includes('#')).map(bare)))
            assert.deepEqual(Object.keys(texts).filter((k) => bare(k) === key).sort(), forms.map((form) => `${key}#${form}`).sort());
    });

for (const tag of tags)
    test(`a text of ${tag} has the same gaps as in English`, async () => {
        const texts = await textsOf(tag);
        for (const key of Object.keys(texts)) {
            const english = en[key] ?? en[`${bare(key)}#other`];
            assert.deepEqual(gaps(texts[key]), gaps(english), key);
        }
    });

// Keys that are put together from parts: KEY.reason, sourceKIND, and those with plurals.
const stem = (key) => key.replace(/#.*$/, '').replace(/^(over|rules|option)\..*$/, '$1.');

test('every text is used, and every text that is used is there', () => {
    const sources = readdirSync(web).filter((name) => /\.(js|html)$/.test(name) && !name.startsWith('words.'));
    const text = sources.map((name) => readFileSync(join(web, name), 'utf8')).join('\n');
    for (const key of new Set(Object.keys(en).map(stem))) {
        const used = text.includes(`'${key}'`) || text.includes(`"${key}"`) || text.includes('`' + key);
        assert.ok(used || key.startsWith('source'), `${key} is used nowhere`);
    }
    const known = new Set(Object.keys(en).map(bare));
    for (const [, key] of text.matchAll(/(?:say\(|data-words(?:-label|-title)?=)['"]([\w.]+)['"]/g))
        assert.ok(known.has(key), `${key} is in no language`);
});
