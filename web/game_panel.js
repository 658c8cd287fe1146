// game_panel.js: the plies of the game with their mistakes, along a graph of its value. A click
// goes to the position behind a ply; what was also played stands below the ply it replaced.

import { judge } from './analysis.js';
import { drawGraph } from './graph.js';
import { button, element } from './texts.js';
import { say } from './words.js';

const NAMED = 4; // better plies

function mistakeText({ lost, kept }) {
    const better = kept.slice(0, NAMED).join(', ') + (kept.length > NAMED ? ' …' : '');
    return `${say(lost === 'win' ? 'mistakeWin' : 'mistakeDraw')}; ${say('keptBy', { plies: better })}`;
}

// What the other side picked for a step before is no turn of its own.
const isPick = ({ parent }) => parent.ply !== null && parent.position.due > 0;

// turn: the number of the turn, from 1.
function plyItem(node, turn, game, hints, onGo) {
    const judged = hints ? judge(node) : null;
    const text = node.text + (judged?.lost ? '??' : '');
    const made = button([text], () => onGo(node));
    if (node === game.current) made.setAttribute('aria-current', 'step');
    if (judged?.lost) made.setAttribute('aria-label', `${text}, ${mistakeText(judged)}`);
    const children = [made];
    const first = game.root.position.side === 'w' ? 0 : 1;
    if (!isPick(node) && ((turn + first) % 2 === 1 || turn === 1)) {
        const number = `${Math.floor((turn + 1 + first) / 2)}${turn === 1 && first ? ' …' : '.'}`;
        children.unshift(element('span', { className: 'number', text: number }));
    }
    const className = [node.number > game.current.number ? 'ahead' : '', judged?.lost ? 'mistake' : ''].join(' ').trim();
    const items = [element('li', { className, children })];
    if (judged?.lost) items.push(element('li', { className: 'told', text: `${node.text}: ${mistakeText(judged)}` }));
    return items;
}

// The other plies that were played where the line goes to `node`.
function otherItem(node, onGo) {
    const others = node.parent.children.filter((child) => child !== node);
    if (others.length === 0) return [];
    const buttons = others.map((other) => button([other.text], () => onGo(other)));
    return [element('li', { className: 'other', children: [`${say('variation')}: `, ...buttons] })];
}

export function showGame(game, hints, onGo) {
    const nodes = game.line();
    const played = nodes.slice(1);
    const list = document.getElementById('moves');
    const start = button([say('start')], () => onGo(game.root));
    if (game.current === game.root) start.setAttribute('aria-current', 'step');
    let turn = 0;
    const items = played.flatMap((node) => {
        if (!isPick(node)) turn++;
        return [...plyItem(node, turn, game, hints, onGo), ...otherItem(node, onGo)];
    });
    list.replaceChildren(element('li', { children: [start] }), ...items);
    const n = played.filter((node) => judge(node)?.lost).length;
    const said = played.length === 0 ? say('gameEmpty') : hints ? say('mistakes', { n }) : '';
    document.getElementById('mistakes').textContent = said;
    const graph = document.getElementById('graph');
    graph.classList.toggle('hidden', played.length === 0 || !hints);
    drawGraph(graph, nodes, game.current, say('graph'), onGo);
}
