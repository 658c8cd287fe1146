// position.test.mjs: positions with closed points and counted plies: their text, and what a ply
// makes of them.

import assert from 'node:assert/strict';
import test from 'node:test';

import { boardText, formatPosition, play, readPly, readPosition, startPosition } from '../../web/position.js';
import { readRules } from '../../web/rules.js';

const facts = [
    'points a3 b3 c3 a2 b2 c2 a1 b1 c1',
    'edges a3-b3 b3-c3 a2-b2 b2-c2 a1-b1 b1-c1',
    'mills a3-b3-c3 a2-b2-c2',
];
const read = (extra) => readRules({ rules: 'own', text: [...facts, ...extra].join('\n'), first: 4, second: 4 });
const closing = read(['closed-points yes']);
const open = read([]);
const after = (rules, text, ply) => formatPosition(rules, play(readPosition(rules, text), readPly(rules, ply)));

test('a removed man leaves a closed point while men are placed', () => {
    assert.equal(after(closing, 'w a3,b3 a1,b1 2/2', 'c3xa1'), 'b a3,b3,c3 b1 1/2 xa1');
    assert.equal(after(open, 'w a3,b3 a1,b1 2/2', 'c3xa1'), 'b a3,b3,c3 b1 1/2');
    assert.equal(after(closing, 'b a3,b3,c3 b1 0/1 xa1', 'c1'), 'w a3,b3,c3 b1,c1 0/0');
    assert.equal(after(closing, 'w a3,b3 b1,c1 1/0 xa1', 'c3xb1'), 'b a3,b3,c3 c1 0/0');
});

test('texts', () => {
    for (const text of ['w a3,b3 a1 2/3 xb1,c1', 'b! a3 a2,b2,c2 1/1 xc3', 'w - - 4/4'])
        assert.equal(formatPosition(closing, readPosition(closing, text)), text);
    assert.equal(formatPosition(closing, startPosition(closing)), 'w - - 4/4');
    for (const text of ['w a3,b3 a1 2/3 x', 'w a3,b3 a1 2/3 xa3', 'w a3,b3 a1 2/3 c1', 'w a3 a1 2/3 xb1 xc1'])
        assert.throws(() => readPosition(closing, text), text);
});

const counting = read(['n-move 5']);
const early = read(['n-move 5', 'turn place-or-move']);

test('plies that take and place nothing are counted', () => {
    assert.equal(after(counting, 'w a3,b3,c2 a1,b1,c1 0/0 n3', 'c2-b2'), 'b a3,b3,b2 a1,b1,c1 0/0 n4');
    assert.equal(after(counting, 'w a3,b3,c2 a1,b1,c1 0/0 n3', 'c2-c3xa1'), 'b a3,b3,c3 b1,c1 0/0');
    assert.equal(after(counting, 'w a3,b3,c2 a1,b1,c1 0/0 n3', 'pass'), 'b a3,b3,c2 a1,b1,c1 0/0 n4');
    assert.equal(after(counting, 'w a3,b3 a1,b1 1/1', 'c2'), 'b a3,b3,c2 a1,b1 0/1');
    assert.equal(after(open, 'w a3,b3,c2 a1,b1,c1 0/0', 'c2-b2'), 'b a3,b3,b2 a1,b1,c1 0/0');
    // The other side must place, or may move, too.
    assert.equal(after(counting, 'w a3,b3,c2 a1 0/1', 'c2-b2'), 'b a3,b3,b2 a1 0/1');
    assert.equal(after(early, 'w a3,b3,c2 - 0/1 n1', 'c2-b2'), 'b a3,b3,b2 - 0/1');
    assert.equal(after(early, 'w a3,b3,c2 a1 0/1 n1', 'c2-b2'), 'b a3,b3,b2 a1 0/1 n2');
});

test('texts with a count', () => {
    for (const text of ['w a3,b3,c2 a1,b1,c1 0/0 n37', 'b! a3 a2,b2,c2 0/0 n1', 'w a3,b3,c2 a1,b1,c1 0/0'])
        assert.equal(formatPosition(counting, readPosition(counting, text)), text);
    assert.equal(readPosition(counting, 'w a3 a1 0/0 N12').count, 12);
    for (const text of ['w a3 a1 0/0 n', 'w a3 a1 0/0 n-1', 'w a3 a1 0/0 n1 n2', 'w a3 a1 0/0 37'])
        assert.throws(() => readPosition(counting, text), text);
    const position = readPosition(counting, 'w a3,b3,c2 a1,b1,c1 0/0 n37');
    assert.equal(boardText(counting, position), 'w a3,b3,c2 a1,b1,c1 0/0');
});
