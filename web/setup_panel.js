// setup_panel.js: the controls with which a position is set up, and whether it can be one.

import { NotationError, formatPosition, readPosition, startPosition } from './position.js';
import { Setup } from './setup.js';
import { faultText, problemText, sideName, valueText } from './texts.js';
import { say } from './words.js';

const $ = (id) => document.getElementById(id);
const DELAY = 200; // milliseconds from a change to the question what it is worth

export class SetupPanel {
    // onChange(): the position has changed; onUse(position): it is to be played from
    constructor({ onChange, onUse }) {
        Object.assign(this, { onChange, onUse, setup: null, timer: 0 });
        for (const side of ['w', 'b']) this.listenTo($(`hand-${side}`), (n) => this.setup.setHand(side, n));
        this.listenTo($('setup-count'), (n) => this.setup.setCount(n));
        for (const radio of document.querySelectorAll('input[name="side"]'))
            radio.addEventListener('change', () => this.edit(() => (this.setup.position.side = radio.value)));
        $('due').addEventListener('change', (event) => this.edit(() => (this.setup.position.due = event.target.checked ? 1 : 0)));
        $('setup-text').addEventListener('input', (event) => this.readText(event.target.value));
        $('setup-clear').addEventListener('click', () => this.edit(() => this.clear()));
        $('setup-start').addEventListener('click', () => this.edit(() => this.setup.set(startPosition(this.setup.rules))));
        $('setup-use').addEventListener('click', () => this.onUse(this.setup.position));
        for (const label of document.querySelectorAll('.tray label'))
            label.querySelector('.chip').addEventListener('pointerdown', (event) => this.dragFromTray(event, label.querySelector('input').value));
    }

    // A number counts with every key; what is typed is put right when the field is left.
    listenTo(field, set) {
        field.addEventListener('input', () => this.edit(() => set(field.valueAsNumber), field));
        field.addEventListener('change', () => this.edit(() => {}));
    }

    // pointAt(x, y): the point under a place of the window
    begin(source, rules, position, pointAt) {
        Object.assign(this, { source, pointAt, setup: new Setup(rules, position) });
        $('tool-closed').hidden = !rules.past.closesPoints;
        if (this.tool === 'x' && !rules.past.closesPoints) $('tool-white').checked = true;
        this.edit(() => {});
    }

    end() {
        clearTimeout(this.timer);
        this.setup = null;
    }

    get tool() {
        return document.querySelector('input[name="tool"]:checked').value || null;
    }

    // typed: the field in which somebody types
    edit(change, typed = null) {
        change();
        this.show(true, typed);
        this.judge();
        this.onChange();
    }

    clear() {
        const { rules } = this.setup;
        this.setup.set({ ...startPosition(rules), hand: { ...rules.men } });
    }

    readText(text) {
        const { rules } = this.setup;
        try {
            this.setup.set(readPosition(rules, text));
        } catch (error) {
            if (!(error instanceof NotationError)) throw error;
            this.say(problemText(error), 'wrong');
            return;
        }
        this.show(false);
        this.judge();
        this.onChange();
    }

    dragFromTray(event, tool) {
        if (!tool || event.button !== 0) return;
        const ghost = event.target.cloneNode();
        ghost.classList.add('ghost');
        document.body.append(ghost);
        const move = (e) => {
            ghost.style.left = `${e.clientX}px`;
            ghost.style.top = `${e.clientY}px`;
        };
        const end = (e) => {
            removeEventListener('pointermove', move);
            removeEventListener('pointerup', end);
            removeEventListener('pointercancel', end);
            ghost.remove();
            const p = e.type === 'pointerup' ? this.pointAt(e.clientX, e.clientY) : null;
            if (p !== null && this.setup.position.men[p] !== tool) this.edit(() => this.setup.put(p, tool));
        };
        move(event);
        addEventListener('pointermove', move);
        addEventListener('pointerup', end);
        addEventListener('pointercancel', end);
    }

    show(withText, typed = null) {
        const { position, rules } = this.setup;
        const put = (field, n) => {
            const stands = field === typed && (Number.isNaN(field.valueAsNumber) || field.valueAsNumber === n);
            if (!stands) field.value = n;
        };
        for (const side of ['w', 'b']) {
            $(`hand-${side}-name`).textContent = say('handOf', { side: sideName(side) });
            $(`hand-${side}`).max = rules.men[side];
            put($(`hand-${side}`), position.hand[side]);
            document.querySelector(`input[name="side"][value="${side}"]`).checked = position.side === side;
        }
        $('due').checked = position.due > 0;
        $('due-row').hidden = rules.millWins;
        $('setup-count-row').hidden = !rules.past.counts;
        $('setup-count').max = rules.nMove;
        put($('setup-count'), position.count);
        if (withText) $('setup-text').value = formatPosition(rules, position);
    }

    say(text, how) {
        $('setup-said').textContent = text;
        $('setup-said').className = `said ${how}`;
        $('setup-use').disabled = how !== 'right';
    }

    // Says whether the position can be played, first by what is known here, then by the source.
    judge() {
        clearTimeout(this.timer);
        const fault = this.setup.fault();
        if (fault) return this.say(say('setupBad', { problem: faultText(fault) }), 'wrong');
        this.say(say('lookingUp'), '');
        this.timer = setTimeout(() => this.ask(formatPosition(this.setup.rules, this.setup.position)), DELAY);
    }

    async ask(text) {
        let said;
        try {
            said = await this.source.check(text);
        } catch (error) {
            said = { problem: problemText(error) };
        }
        if (!this.setup || formatPosition(this.setup.rules, this.setup.position) !== text) return;
        const problem = said.fault ? say(said.fault) : said.problem;
        if (problem) return this.say(say('setupBad', { problem }), 'wrong');
        const side = sideName(this.setup.position.side);
        this.say(`${say('setupGood')} ${side}: ${valueText(said)}.`, 'right');
    }
}
