// board.js: the drawn board. It draws what it is told and reports what is done on it: a click or
// Enter on a point, a man that is dragged. It knows lines and places, no rules.
//
// One group per point, made once for a board, so that the keyboard's focus stays where it is:
//
//     <g class="point" role="button">  ring of the focus, man, mark (colour and shape), target
//
// Arrow keys go along the lines; where there is none that way, to the nearest point that way.
// One point at a time can be reached by Tab.

const SVG = 'http://www.w3.org/2000/svg';
const SIZE = 600; // from the first to the last point
const PAD = 74;
const arrows = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function make(name, attributes = {}, parent = null) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent?.append(element);
    return element;
}

// The mark of a value: a circle for a win, a diamond for a draw, a square for a loss, with the
// plies or a sign in it. r: how large. Marks of the list and of the sentence are made here, too.
export function makeMark({ value, plies, best }, r) {
    const group = make('g', { class: `mark ${value ?? 'unknown'}${best ? ' best' : ''}` });
    const shape = (size, name) => {
        if (value === 'win') return make('circle', { r: size * 0.98, class: name });
        if (value === 'draw') {
            const d = size * 1.12;
            return make('path', { d: `M0 ${-d}L${d} 0L0 ${d}L${-d} 0Z`, class: name });
        }
        const d = size * 0.88;
        if (value === 'loss')
            return make('rect', { x: -d, y: -d, width: 2 * d, height: 2 * d, rx: d * 0.14, class: name });
        return make('circle', { r: size * 0.7, class: name });
    };
    if (best) group.append(shape(r * 1.17, 'halo'));
    group.append(shape(r, 'shape'));
    const sign = { win: '+', draw: '=', loss: '−' }[value] ?? '?';
    const text = make('text', { 'text-anchor': 'middle', class: 'sign' }, group);
    text.textContent = plies ?? sign;
    const size = r * (text.textContent.length > 2 ? 0.86 : 1.08);
    text.setAttribute('font-size', size);
    text.setAttribute('y', size * 0.36);
    return group;
}

export function markIcon(mark, px = 26) {
    const svg = make('svg', { viewBox: '-32 -32 64 64', width: px, height: px, 'aria-hidden': 'true', class: 'icon' });
    svg.append(makeMark(mark, 26));
    return svg;
}

export class Board {
    // onPoint(p): a click or Enter; onDrag(from, to): a man dragged, to a point or null; canDrag(p)
    constructor(svg, { onPoint, onDrag, canDrag }) {
        Object.assign(this, { svg, onPoint, onDrag, canDrag, focused: 0, points: [], men: [] });
        svg.addEventListener('keydown', (event) => this.onKey(event));
        svg.addEventListener('pointerdown', (event) => this.onDown(event));
        svg.addEventListener('click', (event) => this.onClick(event));
    }

    draw(rules) {
        this.rules = rules;
        const width = Math.max(...rules.points.map((p) => p.x));
        const height = Math.max(...rules.points.map((p) => p.y));
        this.unit = SIZE / Math.max(width, height);
        this.r = Math.min(this.unit * 0.41, 48);
        const place = ({ x, y }) => [PAD + x * this.unit, PAD + (height - y) * this.unit];
        this.places = rules.points.map(place);
        const w = width * this.unit + 2 * PAD;
        const h = height * this.unit + 2 * PAD;
        this.svg.setAttribute('viewBox', `0 0 ${w} ${h}`);
        this.svg.replaceChildren();
        make('rect', { x: 1, y: 1, width: w - 2, height: h - 2, rx: 18, class: 'surface' }, this.svg);
        this.drawNames(rules, width, height, h);
        const lines = make('g', { class: 'lines' }, this.svg);
        for (const [a, b] of rules.edges) {
            const name = (p, q) => `${rules.points[p].name}-${rules.points[q].name}`;
            const bend = rules.bends.get(name(a, b)) ?? rules.bends.get(name(b, a));
            const way = bend ? `Q${place(bend).join(' ')} ` : 'L';
            make('path', { d: `M${this.places[a].join(' ')}${way}${this.places[b].join(' ')}` }, lines);
        }
        this.layer = make('g', {}, this.svg);
        this.points = rules.points.map((_, p) => this.makePoint(p));
        this.men = rules.points.map(() => null);
        this.focused = 0;
    }

    clear() {
        this.svg.replaceChildren();
        this.points = [];
    }

    // Letters below, digits at the left, outside of the outermost men.
    drawNames(rules, width, height, h) {
        const names = make('g', { class: 'names', 'aria-hidden': 'true' }, this.svg);
        const put = (x, y, text) => {
            make('text', { x, y, 'text-anchor': 'middle', 'font-size': 17 }, names).textContent = text;
        };
        for (let x = 0; x <= width; x++) {
            const point = rules.points.find((p) => p.x === x);
            if (point) put(PAD + x * this.unit, h - 8, point.name[0]);
        }
        for (let y = 0; y <= height; y++) {
            const point = rules.points.find((p) => p.y === y);
            if (point) put(10, PAD + (height - y) * this.unit + 6, point.name.slice(1));
        }
    }

    makePoint(p) {
        const [x, y] = this.places[p];
        const group = make(
            'g',
            { class: 'point', role: 'button', tabindex: p === 0 ? 0 : -1, transform: `translate(${x} ${y})`, 'data-point': this.rules.points[p].name },
            this.layer,
        );
        make('circle', { r: Math.max(this.r * 1.12, 30), class: 'area' }, group);
        make('circle', { r: this.r * 1.14, class: 'focus' }, group);
        make('circle', { r: this.r * 1.1, class: 'trace' }, group);
        make('circle', { r: Math.min(this.r * 0.2, 10), class: 'dot' }, group);
        const d = this.r * 0.36;
        make('path', { d: `M${-d} ${-d}L${d} ${d}M${d} ${-d}L${-d} ${d}`, class: 'cross' }, group);
        const man = make('g', { class: 'man' }, group);
        make('circle', { r: this.r, class: 'disc' }, man);
        make('circle', { r: this.r * 0.8, class: 'groove' }, man);
        const mark = make('g', { class: 'place' }, group);
        make('circle', { r: this.r * 1.06, class: 'ring' }, group);
        group.addEventListener('focus', () => this.setFocused(p));
        return { group, man, mark };
    }

    // men; marks: a map from point to {value, plies, best}; selected, trace: points; targets: men
    // that can be taken; labels: what a screen reader says of each point; quiet: nothing to play.
    show({ men, marks, selected = [], trace = [], targets = [], labels, quiet = false }) {
        this.svg.classList.toggle('quiet', quiet);
        this.points.forEach(({ group, mark }, p) => {
            const is = (name, on) => group.classList.toggle(name, on);
            is('white', men[p] === 'w');
            is('black', men[p] === 'b');
            is('closed', men[p] === 'x');
            is('selected', selected.includes(p));
            is('last', trace.includes(p));
            is('target', targets.includes(p));
            is('marked', marks.has(p));
            group.setAttribute('aria-label', labels[p]);
            mark.replaceChildren();
            if (marks.has(p)) mark.append(makeMark(marks.get(p), Math.min(this.r * 0.66, 34)));
        });
        this.men = men;
    }

    // Lets the man on a point come from where it stood.
    slide(from, to) {
        if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
        const [x, y] = from === null ? this.places[to] : this.places[from];
        const [left, top] = this.places[to];
        const start = from === null ? 'scale(0.4)' : `translate(${x - left}px, ${y - top}px)`;
        const element = this.points[to].man;
        element.animate([{ transform: start }, { transform: 'none' }], { duration: 220, easing: 'ease-out' });
    }

    highlight(points) {
        this.points.forEach(({ group }, p) => group.classList.toggle('hinted', points.includes(p)));
    }

    // ---- keyboard ----------------------------------------------------------------------------

    setFocused(p) {
        this.points[this.focused]?.group.setAttribute('tabindex', -1);
        this.focused = p;
        this.points[p].group.setAttribute('tabindex', 0);
    }

    focus(p) {
        this.points[p].group.focus();
    }

    onKey(event) {
        const p = this.focused;
        if (event.key === 'Enter' || event.key === ' ') {
            this.onPoint(p);
        } else if (event.key in arrows && !event.altKey && !event.ctrlKey && !event.metaKey) {
            const next = this.pointTowards(p, arrows[event.key]);
            if (next !== null) this.focus(next);
        } else {
            return;
        }
        event.preventDefault();
    }

    pointTowards(p, [dx, dy]) {
        const { points, neighbours } = this.rules;
        const along = (q) => {
            const [x, y] = [points[q].x - points[p].x, points[q].y - points[p].y];
            const length = Math.hypot(x, y);
            return { q, length, cosine: (x * dx + y * dy) / length };
        };
        const straightest = neighbours[p].map(along).sort((a, b) => b.cosine - a.cosine)[0];
        if (straightest?.cosine > 0.7) return straightest.q;
        const others = points.map((_, q) => q).filter((q) => q !== p).map(along);
        const there = others.filter((o) => o.cosine > 0.7);
        there.sort((a, b) => a.length / a.cosine - b.length / b.cosine);
        return there[0]?.q ?? null;
    }

    // ---- pointer -----------------------------------------------------------------------------

    // The point under a place of the window, or null.
    pointAt(clientX, clientY) {
        const matrix = this.svg.getScreenCTM();
        if (!matrix) return null;
        const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
        const reach = Math.max(this.r * 1.2, 34);
        let nearest = null;
        let least = reach;
        this.places.forEach(([px, py], p) => {
            const distance = Math.hypot(px - x, py - y);
            if (distance < least) [nearest, least] = [p, distance];
        });
        return nearest;
    }

    // A click that no pointer made: from a screen reader, say.
    onClick(event) {
        const group = event.detail === 0 ? event.target.closest('.point') : null;
        if (group) this.onPoint(this.points.findIndex((point) => point.group === group));
    }

    onDown(event) {
        if (event.button !== 0) return;
        const from = this.pointAt(event.clientX, event.clientY);
        if (from === null) return;
        const [startX, startY] = [event.clientX, event.clientY];
        const { group, man } = this.points[from];
        const mayDrag = this.men[from] !== null && this.canDrag(from);
        let dragging = false;
        const move = (e) => {
            const [dx, dy] = [e.clientX - startX, e.clientY - startY];
            if (!dragging && mayDrag && Math.hypot(dx, dy) > 8) {
                dragging = true;
                this.svg.classList.add('dragging');
                const focused = document.activeElement === group;
                this.layer.append(group); // above all others
                if (focused) group.focus();
            }
            if (dragging) {
                const scale = 1 / this.svg.getScreenCTM().a;
                man.setAttribute('transform', `translate(${dx * scale} ${dy * scale})`);
            }
        };
        const end = (e) => {
            removeEventListener('pointermove', move);
            removeEventListener('pointerup', end);
            removeEventListener('pointercancel', end);
            man.removeAttribute('transform');
            this.svg.classList.remove('dragging');
            if (e.type === 'pointercancel') return;
            const to = this.pointAt(e.clientX, e.clientY);
            if (!dragging && to === from) {
                this.setFocused(from);
                this.onPoint(from);
            } else if (dragging && to !== from) {
                this.onDrag(from, to);
            }
        };
        addEventListener('pointermove', move);
        addEventListener('pointerup', end);
        addEventListener('pointercancel', end);
    }

    // ---- picture -----------------------------------------------------------------------------

    // The board as it is seen, as a file of its own: all that the style sheet says is written out.
    picture() {
        const copy = this.svg.cloneNode(true);
        const originals = [...this.svg.querySelectorAll('*')];
        const copies = [...copy.querySelectorAll('*')];
        copies.forEach((element, i) => writeStyle(element, getComputedStyle(originals[i])));
        copies.reverse().forEach((element) => element.tagName === 'g' && !element.firstChild && element.remove());
        const [, , width, height] = this.svg.getAttribute('viewBox').split(' ');
        for (const { name } of [...copy.attributes]) if (name !== 'viewBox') copy.removeAttribute(name);
        for (const [name, value] of Object.entries({ xmlns: SVG, width, height })) copy.setAttribute(name, value);
        return `${new XMLSerializer().serializeToString(copy)}\n`;
    }
}

const usual = { 'stroke-linecap': 'butt', 'stroke-dasharray': 'none', opacity: '1', 'font-weight': '400' };

// Writes what a style says of an element as attributes, or takes it away if it is not seen.
function writeStyle(element, style) {
    for (const name of ['class', 'tabindex', 'role', 'aria-label', 'aria-hidden', 'data-point']) element.removeAttribute(name);
    const painted = [style.fill, style.stroke].some((paint) => paint !== 'none' && paint !== 'rgba(0, 0, 0, 0)');
    if (style.display === 'none' || (element.tagName !== 'g' && !painted)) return element.remove();
    if (element.tagName === 'g') return;
    const names = ['fill', 'stroke', 'opacity'];
    if (style.stroke !== 'none') names.push('stroke-width', 'stroke-linecap', 'stroke-dasharray');
    if (element.tagName === 'text') {
        names.push('font-weight');
        element.setAttribute('font-family', 'sans-serif');
    }
    for (const name of names) {
        const value = style.getPropertyValue(name);
        if (value !== usual[name]) element.setAttribute(name, value);
    }
}
