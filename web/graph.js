// graph.js: the value of a game, ply by ply, as a drawn line: White wins above, draws in the
// middle, Black wins below; the nearer the end, the further out. Mistakes are marked.

import { judge } from './analysis.js';
import { winner } from './player.js';
import { say } from './words.js';

const SVG = 'http://www.w3.org/2000/svg';
const [WIDTH, HEIGHT, EDGE] = [320, 96, 8];

function make(name, attributes, parent) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent?.append(element);
    return element;
}

// From -1 (Black has won) to 1 (White has won).
function height(node) {
    const { answer, position } = node;
    if (!answer?.value) return null;
    const who = winner(position.side, answer.value);
    if (who === 'draw') return 0;
    const size = answer.plies === null || answer.toRemoval ? 0.8 : 0.35 + 0.65 * Math.exp(-answer.plies / 45);
    return who === 'w' ? size : -size;
}

// onPick(node): a place of the graph was clicked.
export function drawGraph(svg, nodes, current, label, onPick) {
    svg.replaceChildren();
    svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute('aria-label', label);
    const step = (WIDTH - 2 * EDGE) / Math.max(nodes.length - 1, 1);
    const x = (i) => EDGE + i * step;
    const y = (h) => HEIGHT / 2 - h * (HEIGHT / 2 - EDGE);
    make('rect', { x: 0, y: 0, width: WIDTH, height: HEIGHT / 2, class: 'half-white' }, svg);
    make('rect', { x: 0, y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2, class: 'half-black' }, svg);
    make('line', { x1: 0, y1: HEIGHT / 2, x2: WIDTH, y2: HEIGHT / 2, class: 'middle' }, svg);
    for (const [words, at] of [['white', EDGE + 9], ['black', HEIGHT - EDGE - 1]])
        make('text', { x: EDGE, y: at, class: 'side-name', 'font-size': 10 }, svg).textContent = say(words);
    let path = '';
    nodes.forEach((node, i) => {
        const h = height(node);
        if (h !== null) path += `${path && height(nodes[i - 1]) !== null ? 'L' : 'M'}${x(i).toFixed(1)} ${y(h).toFixed(1)}`;
    });
    if (path) make('path', { d: path, class: 'course' }, svg);
    nodes.forEach((node, i) => {
        const h = height(node);
        if (h === null) return;
        if (node === current) make('circle', { cx: x(i), cy: y(h), r: 5, class: 'here' }, svg);
        if (judge(node)?.lost) make('rect', { x: x(i) - 4, y: y(h) - 4, width: 8, height: 8, class: 'error' }, svg);
    });
    svg.onclick = (event) => {
        const box = svg.getBoundingClientRect();
        const at = ((event.clientX - box.left) / box.width) * WIDTH;
        onPick(nodes[Math.max(0, Math.min(nodes.length - 1, Math.round((at - EDGE) / step)))]);
    };
}
