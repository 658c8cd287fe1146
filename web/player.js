// player.js: which ply the perfect player plays. With depths that is the first of the list: the
// fastest win, the longest resistance. Among draws it takes the one that is hardest to answer,
// where that is known. Without depths a winning player could go round in circles for ever; so it
// plays to a position that has not been there, and of these to one that ends the game, takes a
// man, or leaves the other side the fewest plies.

import { boardText, formatPosition, otherSide, play, sideToChoose } from './position.js';

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

// seen: the boards of the game so far (boardText).
async function chooseWithoutDepths(source, rules, position, moves, seen) {
    const candidates = moves.map((move) => {
        const after = play(position, move.ply);
        const board = boardText(rules, after);
        return { move, text: formatPosition(rules, after), times: seen.filter((other) => other === board).length };
    });
    const fewest = Math.min(...candidates.map((c) => c.times));
    const fresh = candidates
        .filter((c) => c.times === fewest)
        .sort((a, b) => taken(b.move) - taken(a.move))
        .slice(0, LOOKED_AT);
    for (const candidate of fresh) {
        candidate.replies =
            (await countReplies(source, candidate.text)) - 100 * taken(candidate.move);
        if (candidate.replies === 0) return candidate.move;
    }
    return fresh.reduce((a, b) => (b.replies < a.replies ? b : a)).move;
}

export async function choose(source, rules, position, answer, seen) {
    const moves = best(answer.moves);
    if (sideToChoose(rules, position) !== position.side) return moves[0];
    if (moves[0].value === 'draw') return trickiest(moves);
    if (moves[0].value !== 'win' || source.depths || moves.length === 1) return moves[0];
    return chooseWithoutDepths(source, rules, position, moves, seen);
}

// The best play of both sides from a position: [{move, position}], at most `most` plies; ends
// when the game does or, where nobody wins, when a position comes again; null when `going` says no.
export async function bestLine(source, rules, position, path, most, going) {
    const line = [];
    const seen = path.map((other) => boardText(rules, other));
    while (line.length < most) {
        const board = boardText(rules, position);
        const answer = await source.probe(formatPosition(rules, position));
        if (answer.moves.length === 0) break;
        if (answer.value === 'draw' && seen.filter((other) => other === board).length > 1) break;
        const move = await choose(source, rules, position, answer, seen);
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
