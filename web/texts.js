// texts.js: sentences that several parts of the page say: names of sides and games, values,
// messages of errors.

import { NotationError } from './position.js';
import { SourceError } from './source.js';
import { currentLanguage, hasWords, say } from './words.js';

export const sideName = (side) => say(side === 'w' ? 'white' : 'black');

const valueWords = { win: 'valueWin', draw: 'valueDraw', loss: 'valueLoss' };

export function valueText({ value, plies }) {
    const word = say(valueWords[value] ?? 'valueUnknown');
    return plies > 0 ? `${word} ${say('inPlies', { n: plies })}` : word;
}

// entry: {rules, title}, of the list of a source.
export function rulesName({ rules, title }) {
    if (title) return title[currentLanguage()] ?? title.en;
    return hasWords(`rules.${rules}`) ? say(`rules.${rules}`) : rules;
}

// The message of anything that went wrong.
export function problemText(error) {
    if (typeof error === 'string') return error;
    if (error instanceof NotationError) return say(error.key, error.values);
    if (!(error instanceof SourceError)) return say('sourceOther', { problem: error.message });
    const key = `source${error.kind[0].toUpperCase()}${error.kind.slice(1)}`;
    return say(key, { problem: error.message });
}

export function faultText({ key, values }) {
    return say(key, { ...values, side: values.side ? sideName(values.side) : '' });
}

// An element with a class, a text and children.
export function element(name, { className = '', text = '', children = [] } = {}) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    made.append(...children);
    return made;
}

export function button(children, onClick, className = '') {
    const made = element('button', { className, children });
    made.type = 'button';
    made.addEventListener('click', onClick);
    return made;
}
