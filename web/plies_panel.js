// plies_panel.js: all plies of the position, best first, in groups of one value. One click plays
// a ply; the pointer over it, or the focus on it, shows it on the board.

import { markIcon } from './board.js';
import { button, element, pliesText, valueText } from './texts.js';
import { say } from './words.js';

const groupWords = { win: 'groupWin', draw: 'groupDraw', loss: 'groupLoss' };

const holds = (move, key) => (move.holds !== null && move.replies > 0 ? say(key, { n: move.holds, of: move.replies }) : '');

// The value is written out for screen readers; all others see it in the heading.
function plyButton(move, { onPlay, onPoint }) {
    const value = valueText({ value: move.value, plies: null });
    const small = move.plies > 0 ? pliesText(move) : holds(move, 'holds');
    const children = [
        element('b', { text: move.ply.due ? `${move.text} x?` : move.text }),
        element('span', { className: 'hidden', text: `, ${value} ` }),
        element('small', { text: small }),
    ];
    const made = button(children, () => onPlay(move));
    made.title = holds(move, 'holdsLong');
    const points = [move.ply.from, move.ply.to, ...move.ply.removed].filter((p) => p !== null);
    for (const name of ['pointerenter', 'focus']) made.addEventListener(name, () => onPoint(points));
    for (const name of ['pointerleave', 'blur']) made.addEventListener(name, () => onPoint([]));
    return made;
}

function group(value, moves, actions) {
    const words = groupWords[value] ? say(groupWords[value], { n: moves.length }) : say('groupUnknown');
    const heading = element('h3', { children: [markIcon({ value, plies: null }, 20), words] });
    const items = moves.map((move) => element('li', { children: [plyButton(move, actions)] }));
    return element('section', { className: `group ${value ?? 'unknown'}`, children: [heading, element('ul', { children: items })] });
}

// actions: onPlay(move), onPoint(points)
export function showPlies(list, answer, actions) {
    const groups = [];
    for (const move of answer.moves) {
        const last = groups[groups.length - 1];
        if (last && last.value === move.value) last.moves.push(move);
        else groups.push({ value: move.value, moves: [move] });
    }
    list.replaceChildren(...groups.map(({ value, moves }) => group(value, moves, actions)));
    if (!answer.complete) list.prepend(element('p', { className: 'note', text: [say('incomplete'), answer.lacking ?? ''].join(' ').trim() }));
    if (answer.moves.length === 0) list.append(element('p', { className: 'note', text: say('noPlies') }));
}
