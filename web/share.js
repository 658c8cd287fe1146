// share.js: rules and game as the fragment of the page's address, and back. A fragment stays in
// the browser: no server sees it. Signs that need no percent are left as they are, so that an
// address can be read: #rules=nine&game=d6+f4+d2&at=2

// state: {rules, from, plies, at}: the name of the rules; the text of the first position, '' for
// the start; texts of plies; how many of them lead to the position that is looked at.
export function writeFragment({ rules, from, plies, at }) {
    const fields = [['rules', rules]];
    if (from) fields.push(['from', from]);
    if (plies.length) fields.push(['game', plies.join(' ')]);
    if (at < plies.length) fields.push(['at', String(at)]);
    const plain = (text) =>
        encodeURIComponent(text).replace(/%20/g, '+').replace(/%2C/g, ',').replace(/%2F/g, '/').replace(/%21/g, '!');
    return '#' + fields.map(([key, value]) => `${key}=${plain(value)}`).join('&');
}

const fieldNames = ['rules', 'from', 'game', 'at'];

// null of an empty fragment. `unread`: {key, values} of the words that say what means nothing here, or null;
// without rules nothing is read.
export function readFragment(fragment) {
    if (fragment.replace(/^#/, '') === '') return null;
    const fields = new URLSearchParams(fragment.replace(/^#/, ''));
    const rules = fields.get('rules') ?? '';
    const plies = (fields.get('game') ?? '').split(/\s+/).filter(Boolean);
    const at = fields.get('at') ?? String(plies.length);
    const isPlace = /^\d{1,6}$/.test(at) && Number(at) <= plies.length;
    const strange = [...fields.keys()].find((name) => !fieldNames.includes(name));
    let unread = null;
    if (!rules) unread = { key: 'addressNoRules', values: {} };
    else if (strange !== undefined) unread = { key: 'addressField', values: { name: strange } };
    else if (!isPlace) unread = { key: 'addressPlace', values: { at } };
    return { rules, from: fields.get('from') ?? '', plies, at: isPlace ? Number(at) : plies.length, unread };
}

// The fragment of a text that is an address of this page and nothing else, on whatever host, or the
// fragment alone; null of other texts.
export function fragmentOf(text) {
    const address = /^<?(?:https?:\/\/[^\s#]*(#\S*?)?|(#\S*\brules=\S*?))>?$/i.exec(text.trim());
    return address && (address[1] ?? address[2] ?? '#');
}
