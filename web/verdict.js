// verdict.js: who wins, in how many plies, in plain words, and what is to be done next.

import { markIcon } from './board.js';
import { winner } from './player.js';
import { otherSide } from './position.js';
import { element, problemText, sideName } from './texts.js';
import { hasWords, say } from './words.js';

function verdictOfEnd(names, who, over) {
    const more = hasWords(`over.${over}`) ? say(`over.${over}`, names) : say('overUnknown');
    return { who, words: who === 'draw' ? say('overDraw') : say('overWins', names), more };
}

// {who, words, more}: who wins, 'draw', or null. `answer` and `problem` are null until they are known.
export function verdictOf({ position, answer, problem, depths }) {
    if (problem) return { who: null, words: say('unknownValue'), more: problemText(problem) };
    if (!answer) return { who: null, words: say('lookingUp'), more: '' };
    const { value, plies, toRemoval, over, moves } = answer;
    const who = winner(position.side, value);
    if (!who) return { who: null, words: say('unknownValue'), more: say('incomplete') };
    const names = who === 'draw' ? {} : { side: sideName(who), loser: sideName(otherSide(who)) };
    if (moves.length === 0) return verdictOfEnd(names, who, over);
    if (who === 'draw') return { who, words: say('even'), more: say('evenLong') };
    if (plies === null) return { who, words: say('wins', names), more: say(depths ? 'winsLong' : 'winsNoDepths') };
    if (toRemoval) return { who, words: say('wins', names), more: say('winsToRemoval', { n: plies }) };
    return { who, words: say('winsIn', { ...names, n: plies }), more: say('winsLong') };
}

// A man of the side that wins; the mark of a draw.
function iconOf(who) {
    if (who === 'draw') return [markIcon({ value: 'draw', plies: null }, 44)];
    return who ? [element('span', { className: `chip large ${who === 'w' ? 'white' : 'black'}` })] : [];
}

export function showVerdict({ who, words, more }) {
    document.getElementById('verdict-mark').replaceChildren(...iconOf(who));
    document.getElementById('verdict-words').textContent = words;
    document.getElementById('verdict-more').textContent = more;
    document.title = `${words} · Merels`;
}

// What the side to move is asked for. turn: a Turn.
export function askFor(turn, rules) {
    const { position, moves, chosen } = turn;
    const side = sideName(position.side);
    if (moves.length === 0) return '';
    if (turn.taking && rules.otherChooses) return say('askTakeOther', { side: sideName(otherSide(position.side)) });
    if (turn.taking) return say('askTake');
    if (chosen) return say('askTarget', { point: rules.points[chosen.from].name });
    const places = moves.some(({ ply }) => ply.from === null && ply.to !== null);
    const goes = moves.some(({ ply }) => ply.from !== null);
    if (places && goes) return say('askPlaceOrMove', { side });
    if (places || goes) return say(places ? 'askPlace' : 'askMove', { side });
    return say('askPass', { side });
}

// What was wrong with a click. fault: the key of the reason.
export function faultOfClick(fault, p, position, rules) {
    const side = fault === 'notYours' ? otherSide(position.side) : position.side;
    return say(fault, { point: rules.points[p].name, side: sideName(side) });
}
