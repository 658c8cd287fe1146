// words.js: says things in the language of the page. The texts stand in words.en.js and
// words.de.js, with the same keys; {name} is filled in, and KEY#one stands beside KEY#other where
// a number {n} decides the form.

import { en } from './words.en.js';
import { de } from './words.de.js';

const languages = { en, de };
let language = 'en';
let plural = new Intl.PluralRules('en');

export const languageNames = { en: 'English', de: 'Deutsch' };

export function currentLanguage() {
    return language;
}

export function setLanguage(name) {
    language = name in languages ? name : 'en';
    plural = new Intl.PluralRules(language);
    document.documentElement.lang = language;
}

// The language that was chosen before, else the browser's, else English.
export function preferredLanguage(chosen) {
    const wanted = [chosen, ...(navigator.languages ?? [])].filter(Boolean);
    return wanted.map((tag) => tag.slice(0, 2)).find((tag) => tag in languages) ?? 'en';
}

export function hasWords(key) {
    return key in languages[language];
}

export function say(key, values = {}) {
    const texts = languages[language];
    const text = texts[key] ?? texts[`${key}#${plural.select(values.n ?? 0)}`];
    if (text === undefined) return key;
    return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

// Fills every element of the page that names its words: data-words for its text,
// data-words-label for its name, data-words-title for a hint.
export function sayPage(root = document) {
    for (const element of root.querySelectorAll('[data-words]'))
        element.textContent = say(element.dataset.words);
    for (const element of root.querySelectorAll('[data-words-label]'))
        element.setAttribute('aria-label', say(element.dataset.wordsLabel));
    for (const element of root.querySelectorAll('[data-words-title]'))
        element.title = say(element.dataset.wordsTitle);
}
