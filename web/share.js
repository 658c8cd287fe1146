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

// null if it names no rules.
export function readFragment(fragment) {
    const fields = new URLSearchParams(fragment.replace(/^#/, ''));
    const rules = fields.get('rules');
    if (!rules) return null;
    const plies = (fields.get('game') ?? '').split(/\s+/).filter(Boolean);
    const at = Number(fields.get('at') ?? plies.length);
    return {
        rules,
        from: fields.get('from') ?? '',
        plies,
        at: Number.isInteger(at) && at >= 0 && at <= plies.length ? at : plies.length,
    };
}
