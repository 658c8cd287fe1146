// texts.js: sentences that several parts of the page say: names of sides and games, values,
// messages of errors.

import { NotationError } from './position.js';
import { SourceError } from './source.js';
import { currentLanguage, hasWords, say } from './words.js';

export const sideName = (side) => say(side === 'w' ? 'white' : 'black');

const valueWords = { win: 'valueWin', draw: 'valueDraw', loss: 'valueLoss' };

// "in 5 plies"; toRemoval: the next removal is, or the end if it is before that.
export const pliesText = ({ plies, toRemoval }) => say(toRemoval ? 'toRemoval' : 'inPlies', { n: plies });

export function valueText(found) {
    const word = say(valueWords[found.value] ?? 'valueUnknown');
    return found.plies > 0 ? `${word}${found.toRemoval ? ', ' : ' '}${pliesText(found)}` : word;
}

// "n-move=50" in words, or as it is.
function optionName(text) {
    const [option, value] = text.split('=');
    return hasWords(`option.${option}`) ? say(`option.${option}`, { value }) : text;
}

// entry: {rules, title}, of the list of a source. A name is a preset and options.
export function rulesName({ rules, title }) {
    if (title) return title[currentLanguage()] ?? title.en;
    const [preset, ...options] = rules.split(',');
    const name = hasWords(`rules.${preset}`) ? say(`rules.${preset}`) : preset;
    return [name, ...options.map(optionName)].join(', ');
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
