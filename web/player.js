// player.js: which ply the perfect player plays: the fastest win, the longest resistance, of draws
// the one that is hardest to answer. Clubs let a side claim a draw at the third time of a position
// (docs/DESIGN.md, "The past of a game"): who wins keeps away from positions that were there, who
// loses goes back to them. Without depths a winning player could go round in circles for ever; of the
// positions that were not there it takes one that ends the game, takes a man, or leaves the other side
// the fewest plies.

import { boardText, formatPosition, isSearched, otherSide, play, sideToChoose } from './position.js';

export const THIRD_TIME = 3;
const LOOKED_AT = { win: 8, draw: 6 }; // positions behind a ply, for the other side's plies

function best(moves) {
    const value = moves[0].value;
    return moves.filter((move) => move.value === value);
}

const taken = ({ ply }) => ply.due ?? ply.removed.length;

function trickiest(moves) {
    return moves.reduce((a, b) => ((b.chance ?? -1) > (a.chance ?? -1) ? b : a));
}

// How much the other side's moves leave it: how many there are, or which part of them holds the draw or the win.
const room = {
    win: (moves) => moves.length,
    draw: (moves) => (moves.length === 0 ? 1 : moves.filter(({ value }) => value === 'draw').length / moves.length),
    loss: (moves) => (moves.length === 0 ? 1 : moves.filter(({ value }) => value === 'win').length / moves.length),
};

async function roomAfter(source, value, text) {
    try {
        return room[value]((await source.probe(text)).moves);
    } catch {
        return Infinity;
    }
}

// Where the tables know no difference: to a board that was not there, if one can be, by the ply that
// takes most, and of `n` of these to the one that leaves the other side the least.
async function hardestToAnswer(source, value, candidates, n) {
    const fewest = Math.min(...candidates.map((c) => c.times));
    const fresh = candidates.filter((c) => c.times === fewest);
    const most = Math.max(...fresh.map((c) => taken(c.move)));
    const looked = fresh.filter((c) => taken(c.move) === most).slice(0, n);
    if (looked.length === 1) return looked[0];
    for (const candidate of looked) {
        candidate.room = await roomAfter(source, value, candidate.text);
        if (candidate.room === 0) return candidate;
    }
    return looked.reduce((a, b) => (b.room < a.room ? b : a));
}

const leadsToDraw = ({ times }) => times >= THIRD_TIME - 1;

function fastestWin(candidates) {
    return candidates.find((c) => c.times === 0) ?? candidates.find((c) => !leadsToDraw(c)) ?? candidates[0];
}

function longestResistance(candidates) {
    const [first] = candidates;
    const goesBack = (c) => c.move.plies === first.move.plies && c.times > 0;
    return candidates.find(leadsToDraw) ?? candidates.find(goesBack) ?? first;
}

// seen: the boards of the game so far (boardText); looks: how many draws are looked into at most.
export async function choose(source, rules, position, answer, seen, looks = LOOKED_AT.draw) {
    const moves = best(answer.moves);
    const [{ value }] = moves;
    if (sideToChoose(rules, position) !== position.side || moves.length === 1) return moves[0];
    if (value === 'draw' && moves.some(({ chance }) => chance !== null)) return trickiest(moves);
    if (value === 'draw' && isSearched(position)) return moves[0];
    const candidates = moves.map((move) => {
        const after = play(position, move.ply);
        const board = boardText(rules, after);
        return { move, text: formatPosition(rules, after), times: seen.filter((other) => other === board).length };
    });
    if (value === 'draw') return (await hardestToAnswer(source, value, candidates, looks)).move;
    if (value === 'win' && !source.depths) return (await hardestToAnswer(source, value, candidates, LOOKED_AT.win)).move;
    if (value === 'win') return fastestWin(candidates).move;
    const back = candidates.find(({ times }) => times > 0);
    if (!source.depths && !back) return (await hardestToAnswer(source, value, candidates, looks)).move;
    return longestResistance(candidates).move;
}

// The best play of both sides from a position: [{move, position}], at most `most` plies; ends
// when the game does or, where nobody wins, when a position comes again; null when `going` says no.
// With depths the game so far means nothing to it.
export async function bestLine(source, rules, position, path, most, going) {
    const line = [];
    const seen = path.map((other) => boardText(rules, other));
    while (line.length < most) {
        const board = boardText(rules, position);
        const answer = await source.probe(formatPosition(rules, position));
        if (answer.moves.length === 0) break;
        if (answer.value === 'draw' && seen.filter((other) => other === board).length > 1) break;
        const move = await choose(source, rules, position, answer, source.depths ? [] : seen, 1);
        if (!going()) return null;
        position = play(position, move.ply);
        seen.push(boardText(rules, position));
        line.push({ move, position });
    }
    return line;
}

// Who wins, in the eyes of nobody: 'w', 'b', 'draw', or null if it is not known.
export function winner(side, value) {
    if (value === 'win') return side;
    return value === 'loss' ? otherSide(side) : value;
}
