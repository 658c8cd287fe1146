// player.js: which ply the perfect player plays: the fastest win, the longest resistance, of draws
// the one that is hardest to answer, where that is known. Clubs let a side claim a draw at the
// third time of a position (docs/DESIGN.md, "The past of a game"): who wins keeps away from
// positions that were there, who loses goes back to them. Without depths a winning player could go
// round in circles for ever; of the positions that were not there it takes one that ends the game,
// takes a man, or leaves the other side the fewest plies.

import { boardText, formatPosition, otherSide, play, sideToChoose } from './position.js';

export const THIRD_TIME = 3;
const LOOKED_AT = 8; // positions behind a ply, for the other side's plies

function best(moves) {
    const value = moves[0].value;
    return moves.filter((move) => move.value === value);
}

const taken = ({ ply }) => ply.due ?? ply.removed.length;

function trickiest(moves) {
    return moves.reduce((a, b) => ((b.chance ?? -1) > (a.chance ?? -1) ? b : a));
}

// How many plies the other side has; an ended game comes first.
async function countReplies(source, text) {
    try {
        return (await source.probe(text)).moves.length;
    } catch {
        return Infinity;
    }
}

// candidates: {move, text, times}: a move, the position behind it, and how often that was there.
async function chooseWithoutDepths(source, candidates) {
    const fewest = Math.min(...candidates.map((c) => c.times));
    const fresh = candidates
        .filter((c) => c.times === fewest)
        .sort((a, b) => taken(b.move) - taken(a.move))
        .slice(0, LOOKED_AT);
    for (const candidate of fresh) {
        candidate.replies =
            (await countReplies(source, candidate.text)) - 100 * taken(candidate.move);
        if (candidate.replies === 0) return candidate;
    }
    return fresh.reduce((a, b) => (b.replies < a.replies ? b : a));
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

// seen: the boards of the game so far (boardText).
export async function choose(source, rules, position, answer, seen) {
    const moves = best(answer.moves);
    const [{ value }] = moves;
    if (sideToChoose(rules, position) !== position.side || moves.length === 1) return moves[0];
    if (value === 'draw') return trickiest(moves);
    const candidates = moves.map((move) => {
        const after = play(position, move.ply);
        const board = boardText(rules, after);
        return { move, text: formatPosition(rules, after), times: seen.filter((other) => other === board).length };
    });
    if (value === 'win' && !source.depths) return (await chooseWithoutDepths(source, candidates)).move;
    return (value === 'win' ? fastestWin(candidates) : longestResistance(candidates)).move;
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
        const move = await choose(source, rules, position, answer, source.depths ? [] : seen);
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
