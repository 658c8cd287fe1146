// analysis.js: what a game was worth: the value of each position as it was played, its
// mistakes, and a reading of games for sources that cannot read any. A mistake throws away a win
// or a draw; a slower win is none.

import { formatPosition, play, readPly, readPosition, samePly, splitTurn, startPosition, NotationError } from './position.js';

const rank = { loss: 0, draw: 1, win: 2 };
const turned = { loss: 'win', draw: 'draw', win: 'loss' };

// What the ply to this node was worth for the side to move: {value, plies, lost, kept}; lost: the
// value that it threw away, for the side that chose it, or null; kept: texts of the plies that
// would have kept it. null while that is not known. The first of the moves is what the side that
// chooses prefers: where the other side picks the men that are taken, the worst.
export function judge(node) {
    const before = node.parent?.answer;
    const move = before?.moves.find((other) => other.text === node.text);
    if (!move || !move.value || !before.value) return null;
    const picked = rank[move.value] > rank[before.value];
    const thrown = picked || rank[move.value] < rank[before.value];
    return {
        value: move.value,
        plies: move.plies,
        lost: !thrown ? null : picked ? turned[before.value] : before.value,
        kept: thrown ? before.moves.filter((m) => m.value === before.value).map((m) => m.text) : [],
    };
}

// Looks up every position of a line that has no answer yet; tells after each. Stops when
// `going` says no.
export async function lookUp(source, rules, nodes, going, tell) {
    for (const node of nodes) {
        if (!going()) return;
        if (node.answer) continue;
        try {
            node.answer = await source.probe(formatPosition(rules, node.position));
        } catch {
            continue; // the graph has a gap there
        }
        if (going()) tell();
    }
}

// ---- reading ---------------------------------------------------------------------------------

// Takes away what says nothing of the plies: tags, comments, numbers, marks, results.
function plainWords(text) {
    return text
        .replace(/[‐-―−]/g, '-')
        .replace(/[×✕]/g, 'x')
        .replace(/\{[^}]*\}/g, ' ')
        .replace(/;[^\n]*/g, ' ')
        .replace(/^\s*\[[^\]]*\]\s*$/gm, ' ')
        .replace(/(^|\s)\d+\.+/g, ' ')
        .replace(/(^|\s)(1-0|0-1|1\/2-1\/2|\*)(?=\s|$)/g, ' ')
        .replace(/\s+x/g, 'x')
        .replace(/[!?]+(?=\s|$)/g, '')
        .trim()
        .split(/\s+/)
        .filter(Boolean);
}

// Splits a game of the plain notation into the text of its first position ('' for the start)
// and its words.
export function splitGame(text) {
    const form = /^\s*([wb](?:!\d*)?\s+\S+\s+\S+\s+\d+\/\d+(?:\s+[xn]\S+)*)(?:\s+moves\b([^]*))?$/i.exec(text);
    if (form) return { from: form[1], words: plainWords(form[2] ?? '') };
    return { from: '', words: plainWords(text.replace(/\b(startpos|moves)\b/gi, ' ')) };
}

// {from, plies, problem}: the plies that were read in front of the first fault.
export async function readPlainGame(source, rules, text) {
    const { from, words } = splitGame(text);
    const plies = [];
    try {
        let position = from ? readPosition(rules, from) : startPosition(rules);
        for (const word of words.flatMap((turn) => splitTurn(rules, turn))) {
            const ply = readPly(rules, word);
            const { moves } = await source.probe(formatPosition(rules, position));
            const move = moves.find((other) => samePly(other.ply, ply));
            if (!move) throw new NotationError('badPly', { word });
            plies.push(move.text);
            position = play(position, move.ply);
        }
    } catch (error) {
        return { from, plies, problem: error };
    }
    return { from, plies, problem: null };
}
