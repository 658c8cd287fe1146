// rules.js: a set of rules as the page needs it: the board to draw, who begins with how many men,
// and the options. Read from the text of facts that `merels rules RULES` prints and that stands in
// every compact file, so that both sources describe their rules alike. Nothing here knows a
// preset by name.

const FIRST_LETTER = 'a'.charCodeAt(0);

function linesOf(text) {
    const lines = new Map();
    for (const line of text.split('\n')) {
        const words = line.trim().split(/\s+/);
        if (words[0]) lines.set(words[0], words.slice(1));
    }
    return lines;
}

// Points with their places, x to the right and y upwards, both from 0.
function readPoints(names) {
    const places = names.map((name) => ({
        name,
        x: name.charCodeAt(0) - FIRST_LETTER,
        y: Number(name.slice(1)),
    }));
    const left = Math.min(...places.map((p) => p.x));
    const bottom = Math.min(...places.map((p) => p.y));
    return places.map((p) => ({ name: p.name, x: p.x - left, y: p.y - bottom }));
}

// description: {rules, text, first, second, curves}: the name, the facts, the men at the start, and the
// edges that are drawn as curves, [{line, bend}], the bend in hundredths of a step.
export function readRules({ rules, text, first, second, curves = [] }) {
    const lines = linesOf(text);
    const points = readPoints(lines.get('points') ?? []);
    const index = new Map(points.map((point, i) => [point.name, i]));
    const sets = (key) =>
        (lines.get(key) ?? []).map((word) => word.split('-').map((name) => index.get(name)));
    const edges = sets('edges');
    const neighbours = points.map(() => []);
    for (const [a, b] of edges) {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    const option = (key, usual) => (lines.get(key) ?? [usual])[0];
    const nMove = Number(option('n-move', '0'));
    return {
        name: rules,
        points,
        index,
        edges,
        mills: sets('mills'),
        neighbours,
        bends: new Map(curves.map(({ line, bend: [x, y] }) => [line, { x: x / 100, y: y / 100 }])),
        men: { w: first, b: second },
        least: Number(option('least', '3')),
        fly: Number(option('fly', '3')),
        millWins: option('mill', 'removes') === 'wins',
        nMove, // so many plies without a removal are a draw; 0: any number are played
        // What a position keeps of the game so far: points of removed men, plies without a removal,
        // and for these whether men move while others are in hand.
        past: {
            closesPoints: option('closed-points', 'no') === 'yes',
            counts: nMove > 0,
            movesEarly: option('turn', 'place-then-move') === 'place-or-move',
        },
        otherChooses: option('chooser', 'mover') === 'opponent',
    };
}

// True if a man of `side` on `point` stands in a mill.
export function inMill(rules, men, point, side) {
    return rules.mills.some((mill) => mill.includes(point) && mill.every((p) => men[p] === side));
}

export function hasMill(rules, men, side) {
    return rules.mills.some((mill) => mill.every((p) => men[p] === side));
}
