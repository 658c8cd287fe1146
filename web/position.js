// position.js: a position and its text (docs/NOTATION.md), a ply and its text, and what the one
// makes of the other. Which plies are legal is not decided here: the source lists them.
//
// A position is {side, due, men, hand, count, past}: who moves ('w' or 'b'), removals that it owes,
// for each point 'w', 'b', 'x' (closed until all men are placed) or null, the men in hand of both,
// the plies without a removal so far where the rules count them, else 0, and what the rules keep
// of the game so far (rules.js). Positions are never changed in place.

export class NotationError extends Error {
    constructor(key, values) {
        super(key);
        this.key = key; // of the words
        this.values = values;
    }
}

export const otherSide = (side) => (side === 'w' ? 'b' : 'w');

// The side whose choice comes next: the one to move, or where the other side picks the men that
// are taken (`chooser=opponent`) and some are due, the other one.
export const sideToChoose = (rules, { side, due }) => (due > 0 && rules.otherChooses ? otherSide(side) : side);

// Values of such a position are searched for, not looked up.
export const isSearched = ({ past, hand }) => past.closesPoints && hand.w + hand.b > 0;

export function startPosition(rules) {
    return {
        side: 'w',
        due: 0,
        men: rules.points.map(() => null),
        hand: { w: rules.men.w, b: rules.men.b },
        count: 0,
        past: rules.past,
    };
}

function readPoint(rules, word) {
    const point = rules.index.get(word.toLowerCase());
    if (point === undefined) throw new NotationError('badPoint', { word });
    return point;
}

function placeMen(rules, field, side, men) {
    if (field === '-') return;
    for (const word of field.split(',')) {
        const point = readPoint(rules, word);
        if (men[point]) throw new NotationError('pointTwice', { word });
        men[point] = side;
    }
}

export function readPosition(rules, text) {
    const fields = text.trim().split(/\s+/);
    const more = fields.splice(4);
    const head = /^([wb])(?:(!)(\d*))?$/i.exec(fields[0] ?? '');
    const hands = /^(\d{1,2})\/(\d{1,2})$/.exec(fields[3] ?? '');
    const closed = /^x(.+)$/i.exec(more[0] ?? '');
    if (closed) more.shift();
    const counted = /^n(\d+)$/i.exec(more[0] ?? '');
    if (counted) more.shift();
    if (more.length > 0 || !head || !hands) throw new NotationError('badPosition', { text });
    const men = rules.points.map(() => null);
    placeMen(rules, fields[1], 'w', men);
    placeMen(rules, fields[2], 'b', men);
    if (closed) placeMen(rules, closed[1], 'x', men);
    return {
        side: head[1].toLowerCase(),
        due: head[2] ? Number(head[3] || 1) : 0,
        men,
        hand: { w: Number(hands[1]), b: Number(hands[2]) },
        count: Number(counted?.[1] ?? 0),
        past: rules.past,
    };
}

export function formatPosition(rules, position) {
    const list = (side) =>
        rules.points.filter((_, p) => position.men[p] === side).map((p) => p.name).join(',') || '-';
    const { side, due, hand, count } = position;
    const head = side + (due > 0 ? '!' : '') + (due > 1 ? due : '');
    const closed = position.men.includes('x') ? ` x${list('x')}` : '';
    return `${head} ${list('w')} ${list('b')} ${hand.w}/${hand.b}${closed}${count > 0 ? ` n${count}` : ''}`;
}

// What repeats when a position comes again: all but the count, which grows.
export const boardText = (rules, position) => formatPosition(rules, { ...position, count: 0 });

// A ply is {from, to, removed}: points, null where it has none. Where the other side picks the men
// that are taken, a step that closes a mill has `due`, how many, and what is picked is a ply of
// its own.
export function readPly(rules, text) {
    if (text.toLowerCase() === 'pass') return { from: null, to: null, removed: [] };
    const [step, ...removed] = text.toLowerCase().split('x');
    const ends = step === '' ? [] : step.split('-').map((word) => readPoint(rules, word));
    if (ends.length > 2) throw new NotationError('badPly', { word: text });
    return {
        from: ends.length === 2 ? ends[0] : null,
        to: ends.length === 0 ? null : ends[ends.length - 1],
        removed: removed.map((word) => readPoint(rules, word)),
    };
}

export function formatPly(rules, ply) {
    const name = (p) => rules.points[p].name;
    const step = ply.to === null ? '' : ply.from === null ? name(ply.to) : `${name(ply.from)}-${name(ply.to)}`;
    const taken = [...ply.removed].sort((a, b) => a - b).map((p) => `x${name(p)}`).join('');
    return step + taken || 'pass';
}

// The plies of a turn as it is written.
export function splitTurn(rules, text) {
    const at = text.toLowerCase().indexOf('x');
    return rules.otherChooses && at > 0 ? [text.slice(0, at), text.slice(at)] : [text];
}

// True if a ply can never be taken back: it takes or places a man, or leaves the other side
// nothing but to place one. All others are counted.
function converts({ side, men, hand, past }, ply) {
    const other = otherSide(side);
    const onlyPlaces = hand[other] > 0 && (!past.movesEarly || !men.includes(other));
    return (ply.from === null && ply.to !== null) || ply.removed.length > 0 || onlyPlaces;
}

// The position after a legal ply, a whole turn, or a step after which men are due.
export function play(position, ply) {
    const { past } = position;
    const men = [...position.men];
    const hand = { ...position.hand };
    if (ply.from !== null) men[ply.from] = null;
    else if (ply.to !== null) hand[position.side]--;
    if (ply.to !== null) men[ply.to] = position.side;
    const placing = hand.w + hand.b > 0;
    for (const point of ply.removed) men[point] = past.closesPoints && placing ? 'x' : null;
    if (!placing) men.forEach((man, p) => man === 'x' && (men[p] = null));
    if (ply.due > 0) return { ...position, due: ply.due, men, hand };
    const count = past.counts && !converts(position, ply) ? position.count + 1 : 0;
    return { side: otherSide(position.side), due: 0, men, hand, count, past };
}

export const samePly = (a, b) =>
    a.from === b.from &&
    a.to === b.to &&
    a.removed.length === b.removed.length &&
    a.removed.every((p) => b.removed.includes(p));
