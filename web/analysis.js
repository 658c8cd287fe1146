// analysis.js: what a game was worth: the value of each position as it was played, and its
// mistakes. A mistake throws away a win or a draw; a slower win is none.

import { formatPosition } from './position.js';

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
