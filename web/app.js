// app.js: the page. It holds the state (source, rules, game, the ply that is being made) and lets
// every part show itself from it. Whatever changes the position ends in refresh().

import { lookUp } from './analysis.js';
import { openBackend } from './backend.js';
import { Board, markIcon } from './board.js';
import { Game } from './game.js';
import { showGame } from './game_panel.js';
import { bestLine, choose, THIRD_TIME } from './player.js';
import { showPlies } from './plies_panel.js';
import { NotationError, boardText, formatPosition, isSearched, otherSide, play, readPly, readPosition, samePly, sideToChoose, splitTurn, startPosition } from './position.js';
import { readRules } from './rules.js';
import { SetupPanel } from './setup_panel.js';
import { fragmentOf, readFragment, writeFragment } from './share.js';
import { Source } from './source.js';
import { problemText, rulesName, sideName, valueText } from './texts.js';
import { Turn } from './turn.js';
import { askFor, faultOfClick, showVerdict, verdictOf } from './verdict.js';
import { currentLanguage, languageNames, preferredLanguage, say, sayPage, setLanguage } from './words.js';

const $ = (id) => document.getElementById(id);
const LINE = 300; // plies of a best line at most
const LINE_OF_DRAW = 12;
const PAUSE = 700; // milliseconds for a ply of the perfect player

const state = {
    source: null,
    list: [], // the rules there are
    rules: null, // those that are open
    game: null,
    turn: null, // a Turn
    problem: null, // why the current position has no answer
    players: { w: 'you', b: 'you' },
    hints: true,
    tab: 'plies',
    said: null, // {text, wrong}: in place of what is asked for, until the next change
    changes: 0, // what was begun before the last one is dropped
};

const board = new Board($('board'), { onPoint, onDrag, canDrag });
const setupPanel = new SetupPanel({ onChange: showAll, onUse: usePosition });

const position = () => state.game.current.position;
const answer = () => state.game.current.answer;
const textOf = (some) => formatPosition(state.rules, some);
const isPerfect = (side) => state.players[side] === 'perfect';
const chooser = (some = position()) => sideToChoose(state.rules, some);
const waits = () => isPerfect(chooser()) && !state.game.current.next;
const boardsOfPath = () => state.game.path().map((node) => boardText(state.rules, node.position));
const timesHere = (boards) => boards.filter((board) => board === boards.at(-1)).length;

// ---- making a ply ----------------------------------------------------------------------------

function announce(text) {
    $('live').textContent = text;
}

function tell(text, wrong = false) {
    state.said = { text, wrong };
    showAsk();
    announce(text);
}

function onPoint(p) {
    if (setupPanel.setup) return setupPanel.edit(() => setupPanel.setup.put(p, setupPanel.tool));
    if (!answer()) return;
    if (waits() && answer().moves.length > 0) return tell(say('playsItself'), true);
    state.said = null;
    const { move, fault } = state.turn.click(p);
    if (fault) return tell(faultOfClick(fault, p, position(), state.rules), true);
    if (move) return playMove(move);
    showAll();
    announce($('ask').textContent);
}

function onDrag(from, to) {
    if (setupPanel.setup) return setupPanel.edit(() => setupPanel.setup.move(from, to));
    if (to === null) return;
    state.turn.chosen = { from };
    onPoint(to);
}

function canDrag(p) {
    if (setupPanel.setup) return true;
    return !state.turn.taking && !waits() && state.turn.moves.some(({ ply }) => ply.from === p);
}

function cancel() {
    if (!state.turn?.chosen) return;
    state.turn.chosen = null;
    state.said = null;
    showAll();
}

function playMove(move) {
    const side = chooser();
    const stands = state.turn.chosen?.to !== undefined;
    const node = state.game.add(move.ply, move.text, play(position(), move.ply));
    goTo(node, say('saidPly', { side: sideName(side), ply: move.text }), stands ? null : move.ply);
}

function useGame(game) {
    state.game = game;
    state.turn = new Turn(position(), answer()?.moves ?? []);
}

// ---- going through the game ------------------------------------------------------------------

function goTo(node, said = '', moved = null) {
    state.game.go(node);
    refresh(said, moved);
}

// Back to where it is the turn of somebody who is not the perfect player, if there is.
function undo() {
    if (state.turn.chosen) return cancel();
    let node = state.game.current.parent;
    const isOthers = (side) => isPerfect(side) && !isPerfect(otherSide(side));
    while (node?.parent && isOthers(chooser(node.position))) node = node.parent;
    if (node) goTo(node);
}

function redo() {
    const { next } = state.game.current;
    if (next) goTo(next, '', next.ply);
}

function playBest() {
    const moves = answer()?.moves ?? [];
    if (moves.length > 0) playMove(moves[0]);
}

async function showBestLine() {
    const { changes } = state;
    $('line').disabled = true;
    tell(say('lookingUp'));
    try {
        const path = state.game.path().map((node) => node.position);
        const most = answer()?.value === 'draw' ? LINE_OF_DRAW : LINE;
        const line = await bestLine(state.source, state.rules, position(), path, most, () => changes === state.changes);
        if (!line) return;
        let last = state.game.current;
        for (const { move, position: next } of line) last = state.game.add(move.ply, move.text, next, last);
        selectTab('game');
        writeAddress();
        tell(say(state.source.depths || answer()?.value === 'draw' ? 'bestLineAdded' : 'lineAdded', { n: line.length }));
    } catch (error) {
        tell(problemText(error), true);
    } finally {
        showControls();
    }
}

// ---- the loop --------------------------------------------------------------------------------

// The current position is another one: shows it, looks it up, and lets the perfect player play.
// unread: what of the address could not be read; it is said, and the address left as it is.
async function refresh(said = '', moved = null, unread = '') {
    const changes = ++state.changes;
    const node = state.game.current;
    Object.assign(state, { problem: null, said: unread ? { text: unread, wrong: true } : null, turn: new Turn(node.position, node.answer?.moves ?? []) });
    if (!unread) writeAddress();
    showAll();
    if (moved && moved.to !== null) board.slide(moved.from, moved.to);
    try {
        node.answer ??= await state.source.probe(textOf(node.position));
    } catch (error) {
        if (changes === state.changes) state.problem = error;
    }
    if (changes !== state.changes) return;
    state.turn = new Turn(node.position, node.answer?.moves ?? []);
    showAll();
    announce(`${said} ${$('verdict-words').textContent}. ${$('ask').textContent}`.trim());
    if (!isSearched(node.position) && !waits()) state.source.ahead((node.answer?.moves ?? []).map(({ ply }) => textOf(play(node.position, ply))));
    annotate();
    letPerfectPlay(changes);
}

// Looks up what the graph and the marks of the game lack.
function annotate() {
    const { changes } = state;
    const going = () => changes === state.changes && state.tab === 'game';
    if (going()) lookUp(state.source, state.rules, state.game.line(), going, () => showGame(state.game, state.hints, goTo));
}

async function letPerfectPlay(changes) {
    if (setupPanel.setup || !waits() || !answer() || answer().moves.length === 0) return;
    const seen = boardsOfPath();
    if (answer().value !== 'win' && timesHere(seen) >= THIRD_TIME) return tell(say('claimsDraw', { side: sideName(chooser()) }));
    const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
    const move = await choose(state.source, state.rules, position(), answer(), seen).catch(() => null);
    await pause;
    if (move && changes === state.changes && waits() && !setupPanel.setup) playMove(move);
}

function writeAddress() {
    const { game, rules } = state;
    const fragment = writeFragment({
        rules: rules.name,
        from: game.isStart ? '' : textOf(game.root.position),
        plies: game.line().slice(1).map((node) => node.text),
        at: game.current.number,
    });
    if (location.hash !== fragment) history.replaceState(null, '', fragment);
}

// ---- showing ---------------------------------------------------------------------------------

function showAll() {
    showVerdictOfState();
    showPast();
    if (setupPanel.setup) showSetupBoard();
    else showBoard();
    showStrips();
    showAsk();
    showControls();
    showTab();
    showWhere();
}

function showVerdictOfState() {
    if (setupPanel.setup) return showVerdict({ who: null, words: say('setupTitle'), more: say('setupHint') });
    const hidden = !state.hints && !state.problem && (answer()?.moves.length ?? 0) > 0;
    if (hidden) return showVerdict({ who: null, words: say('hidden'), more: say('hiddenMore') });
    showVerdict(verdictOf({ position: position(), answer: answer(), problem: state.problem, depths: state.source.depths }));
}

// What the past of the game means: how many plies without a removal there are, where so many are a
// draw; how often the position was here, where that is a draw in clubs.
function showPast() {
    const { count } = setupPanel.setup?.position ?? position();
    $('counted').hidden = !state.rules.past.counts;
    $('counted').textContent = say('counted', { n: count, most: state.rules.nMove });
    const times = timesHere(boardsOfPath());
    $('repeated').hidden = Boolean(setupPanel.setup) || times < THIRD_TIME || answer()?.moves.length === 0;
    $('repeated').textContent = say('repeated', { n: times });
}

// What a screen reader says of a point.
function labelOf(p, man, mark, selected) {
    const point = state.rules.points[p].name;
    const words = [man === 'x' ? say('pointClosed', { point }) : man ? say('pointMan', { point, side: sideName(man) }) : say('pointFree', { point })];
    if (selected) words.push(say('pointSelected'));
    if (mark) {
        const key = !man ? 'pointLeads' : man === position().side ? 'pointCanGo' : 'pointTake';
        words.push(say(key, { value: valueText(mark) }));
    }
    return words.join(', ');
}

function marksOf(choices) {
    const top = answer()?.moves[0];
    const marks = new Map();
    for (const [p, { value, plies, toRemoval }] of choices)
        marks.set(p, { value, plies, toRemoval, best: value !== null && value === top.value && plies === top.plies });
    return marks;
}

function showBoard() {
    const { turn, game, rules } = state;
    const { chosen } = turn;
    const choices = waits() ? new Map() : turn.choices();
    const marks = state.hints ? marksOf(choices) : new Map();
    const men = turn.men();
    const selected = chosen ? [chosen.to ?? chosen.from] : [];
    const { ply } = game.current;
    board.show({
        men,
        marks,
        selected,
        trace: ply && !chosen ? [ply.from, ply.to, ...ply.removed] : [],
        targets: turn.taking ? [...choices.keys()] : [],
        labels: rules.points.map((_, p) => labelOf(p, men[p], marks.get(p), selected.includes(p))),
    });
}

function showSetupBoard() {
    const { men } = setupPanel.setup.position;
    board.show({ men, marks: new Map(), labels: state.rules.points.map((_, p) => labelOf(p, men[p], null, false)) });
}

function chip(side) {
    const span = document.createElement('span');
    span.className = `chip ${side === 'w' ? 'white' : 'black'}`;
    return span;
}

function showStrips() {
    const shown = setupPanel.setup?.position ?? position();
    const placing = !setupPanel.setup && state.turn.chosen?.from === null && state.turn.chosen.to !== null;
    for (const side of ['w', 'b']) {
        const strip = $(`strip-${side}`);
        const n = shown.hand[side] - (placing && side === shown.side ? 1 : 0);
        strip.classList.toggle('turn', chooser(shown) === side && answer()?.moves.length !== 0);
        const count = document.createElement('span');
        count.className = 'count';
        count.textContent = n > 0 ? say('inHand', { n }) : '';
        strip.querySelector('.hand').replaceChildren(...Array.from({ length: n }, () => chip(side)), count);
        strip.querySelector('label .hidden').textContent = say('playedBy', { side: sideName(side) });
        $(`player-${side}`).value = state.players[side];
    }
}

function showAsk() {
    const ask = $('ask');
    const thinks = waits() && answer()?.moves.length > 0;
    const text = thinks ? say('thinking') : answer() ? askFor(state.turn, state.rules) : '';
    ask.textContent = setupPanel.setup ? '' : (state.said?.text ?? text);
    ask.classList.toggle('wrong', Boolean(state.said?.wrong));
}

function showControls() {
    const { current } = state.game;
    const moves = answer()?.moves ?? [];
    const setup = Boolean(setupPanel.setup);
    $('first').disabled = $('undo').disabled = setup || !current.parent;
    if (state.turn.chosen) $('undo').disabled = false;
    $('redo').disabled = $('last').disabled = setup || !current.next;
    $('best').disabled = $('line').disabled = setup || moves.length === 0;
    $('pass').hidden = setup || waits() || !(moves.length === 1 && moves[0].text === 'pass');
    $('hints').checked = state.hints;
}

function showTab() {
    if (state.tab === 'plies') showPliesTab();
    if (state.tab === 'game') showGame(state.game, state.hints, goTo);
    if (state.tab === 'share') showShare();
}

function showPliesTab() {
    const tells = state.hints && answer()?.moves.some((move) => move.replies > 0);
    const { depths, toRemoval } = state.source;
    const legend = !depths ? 'legendNoDepths' : toRemoval ? 'legendToRemoval' : 'legend';
    const words = [say(state.hints ? legend : 'pliesHidden'), tells ? say('legendHolds') : ''];
    $('legend').textContent = words.join(' ').trim();
    const actions = { onPlay: (move) => !waits() && playMove(move), onPoint: (points) => board.highlight(points) };
    // What has been clicked of a ply narrows the list.
    if (answer() && state.hints) showPlies($('plies'), { ...answer(), moves: state.turn.open() }, actions);
    else $('plies').replaceChildren();
}

function showShare() {
    $('share-link').value = location.href;
    $('share-position').value = textOf(position());
    $('share-game').value = state.game.text(textOf(state.game.root.position));
}

function showWhere() {
    const traffic = state.source.traffic();
    const size = traffic && new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 1 });
    const bytes = traffic && (traffic.bytes < 1e6 ? `${size.format(traffic.bytes / 1e3)} kB` : `${size.format(traffic.bytes / 1e6)} MB`);
    $('where').textContent = traffic
        ? [say('whereFiles', { n: traffic.requests, size: bytes }), traffic.whole && navigator.serviceWorker?.controller ? say('whereOffline') : ''].join(' ')
        : say('whereHttp');
}

// ---- tabs ------------------------------------------------------------------------------------

const tabs = ['plies', 'game', 'setup', 'share'];

function selectTab(name) {
    state.tab = name;
    for (const tab of tabs) {
        const selected = tab === name;
        $(`tab-${tab}`).setAttribute('aria-selected', selected);
        $(`tab-${tab}`).tabIndex = selected ? 0 : -1;
        $(`panel-${tab}`).hidden = !selected;
    }
    board.highlight([]);
    if (name === 'setup') {
        state.turn.chosen = null;
        setupPanel.begin(state.source, state.rules, position(), (x, y) => board.pointAt(x, y));
    } else if (setupPanel.setup) {
        setupPanel.end();
        letPerfectPlay(state.changes);
    }
    showAll();
    annotate();
}

function onTabKey(event) {
    if (!state.game) return;
    const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
    if (!step) return;
    const name = tabs[(tabs.indexOf(state.tab) + step) % tabs.length];
    selectTab(name);
    $(`tab-${name}`).focus();
    event.preventDefault();
}

function usePosition(chosen) {
    const isStart = textOf(chosen) === textOf(startPosition(state.rules));
    useGame(new Game({ ...chosen, men: [...chosen.men], hand: { ...chosen.hand } }, isStart));
    selectTab('plies');
    refresh();
}

function newGame() {
    useGame(new Game(startPosition(state.rules), true));
    refresh();
}

// ---- copying ---------------------------------------------------------------------------------

async function copy(text, field) {
    try {
        await navigator.clipboard.writeText(text);
        $('share-said').textContent = say('copied');
    } catch {
        field?.select();
        $('share-said').textContent = say('notCopied');
    }
}

function savePicture() {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([board.picture()], { type: 'image/svg+xml' }));
    link.download = `merels-${state.rules.name}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// ---- games from elsewhere --------------------------------------------------------------------

// Makes a game of texts of plies, as far as they can be played; `at` plies lead to the position
// that is looked at. `problem`: why not all were read, or null; `n`: how many were. Fails if the
// first position is none.
async function loadGame(from, plies, at) {
    const { source, rules } = state;
    const start = from && from !== textOf(startPosition(rules)) ? readPosition(rules, from) : null;
    const game = new Game(start ?? startPosition(rules), !start);
    let node = game.root;
    const words = plies.flatMap((turn) => splitTurn(rules, turn));
    let problem = null;
    try {
        for (const text of words) {
            node.answer = await source.probe(textOf(node.position));
            const ply = readPly(rules, text);
            const move = node.answer.moves.find((other) => samePly(other.ply, ply));
            if (!move) throw new NotationError('badPly', { word: text });
            node = game.add(move.ply, move.text, play(node.position, move.ply), node);
        }
    } catch (error) {
        problem = error;
    }
    const line = game.line();
    game.go(line[at < plies.length ? Math.min(at, line.length - 1) : line.length - 1]);
    return { game, problem, n: line.length - 1 };
}

// The same of an address: {game, unread}; unread: in words what could not be read, or ''; game:
// null if nothing could.
async function loadShared({ from, plies, at, unread }) {
    try {
        const { game, problem, n } = await loadGame(from, plies, at);
        if (problem) return { game, unread: say('addressPart', { n, problem: problemText(problem) }) };
        return { game, unread: unread ? say(unread.key, unread.values) : '' };
    } catch (error) {
        return { game: null, unread: say('addressPosition', { problem: problemText(error) }) };
    }
}

const isHere = (rules) => state.list.some((entry) => entry.rules === rules);

// What an address says whose rules are not here.
const saidOfRules = ({ rules }) => (rules ? say('addressRules', { rules }) : say('addressNoRules'));

async function readAddress(fragment) {
    const shared = readFragment(fragment) ?? { rules: '' };
    if (!isHere(shared.rules)) return saidOfRules(shared);
    const unread = await openRules(shared.rules, shared);
    return unread || (shared.plies.length > 0 ? say('readDone', { n: shared.plies.length }) : say('readPosition'));
}

async function readPasted(event) {
    event.preventDefault();
    const text = $('paste-text').value;
    if (!text.trim() || !state.game) return;
    $('paste-said').textContent = say('reading');
    try {
        const fragment = fragmentOf(text);
        if (fragment !== null) {
            $('paste-said').textContent = await readAddress(fragment);
            return;
        }
        const read = await state.source.readGame(text);
        const n = read.plies.length;
        if (n > 0 || (read.from && !read.problem)) {
            const { game, problem } = await loadGame(read.from, read.plies, n);
            read.problem ??= problem;
            useGame(game);
            await refresh();
        }
        const done = n > 0 ? say('readDone', { n }) : say('readPosition');
        $('paste-said').textContent = read.problem ? say('readPart', { n, problem: problemText(read.problem) }) : done;
    } catch (error) {
        $('paste-said').textContent = error.kind === 'illegal' ? say('readNone', { problem: error.message }) : problemText(error);
    }
}

// ---- settings --------------------------------------------------------------------------------

function remembered(key) {
    try {
        return localStorage.getItem(`merels.${key}`);
    } catch {
        return null; // the browser keeps nothing
    }
}

function remember(key, value) {
    try {
        localStorage.setItem(`merels.${key}`, value);
    } catch {
        // as above: it is forgotten with the page
    }
}

function useLanguage(name) {
    setLanguage(name);
    sayPage();
    sayTheme();
    $('language').value = currentLanguage();
    for (const [i, option] of [...$('rules').options].entries()) option.textContent = rulesName(state.list[i]);
    $('paste-text').placeholder = say('pasteHint');
    if (state.game) {
        if (setupPanel.setup) setupPanel.edit(() => {});
        showAll();
    }
}

const themes = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' };

function useTheme(name) {
    document.documentElement.dataset.theme = name in themes ? name : 'auto';
    sayTheme();
}

function sayTheme() {
    const words = say(themes[document.documentElement.dataset.theme]);
    $('theme').setAttribute('aria-label', words);
    $('theme').title = words;
}

function nextTheme() {
    const names = Object.keys(themes);
    const next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
    remember('theme', next);
    useTheme(next);
}

// ---- rules -----------------------------------------------------------------------------------

// Opens rules and a game on them: `shared` as of share.js, or null for a new game. Returns in words
// what of `shared` could not be read; `said` is what is to be told of the page's own address.
async function openRules(name, shared, said = null) {
    const changes = ++state.changes;
    showVerdict({ who: null, words: say('lookingUp'), more: '' });
    const facts = await state.source.open(name);
    if (changes !== state.changes) return;
    if (setupPanel.setup) setupPanel.end();
    state.rules = readRules(facts);
    $('rules').value = name;
    board.draw(state.rules);
    useGame(new Game(startPosition(state.rules), true));
    const { game, unread } = shared ? await loadShared(shared) : { game: null, unread: '' };
    if (changes !== state.changes) return unread;
    if (game) useGame(game);
    if (state.tab === 'setup') selectTab('plies');
    await refresh('', null, said === null ? '' : said || unread);
    return unread;
}

// Opens what the page's address says.
async function openShared() {
    const shared = readFragment(location.hash);
    if (shared && isHere(shared.rules)) return openRules(shared.rules, shared, '');
    return openRules(state.list[0].rules, null, shared ? saidOfRules(shared) : '');
}

// There is no game: only the choice of another one is left.
function fail(error) {
    state.changes++;
    state.game = state.turn = null;
    board.clear();
    showVerdict({ who: null, words: say('unknownValue'), more: problemText(error) });
}

// ---- the beginning ---------------------------------------------------------------------------

function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') cancel();
    if (!state.game || !event.target.closest('#board') || setupPanel.setup) return;
    const act = { u: undo, r: redo, b: playBest }[event.key.toLowerCase()];
    if (act) act();
}

function listen() {
    const clicks = {
        first: () => goTo(state.game.root),
        undo,
        redo,
        last: () => goTo(state.game.last()),
        best: playBest,
        pass: playBest,
        line: showBestLine,
        'new-game': newGame,
        'picture-copy': () => copy(board.picture()),
        'picture-save': savePicture,
    };
    for (const [id, act] of Object.entries(clicks)) $(id).addEventListener('click', () => state.game && act());
    $('theme').addEventListener('click', nextTheme);
    $('help-open').addEventListener('click', () => $('help').showModal());
    for (const tab of tabs) $(`tab-${tab}`).addEventListener('click', () => state.game && selectTab(tab));
    document.querySelector('.tabs').addEventListener('keydown', onTabKey);
    for (const button of document.querySelectorAll('[data-copy]'))
        button.addEventListener('click', () => state.game && copy($(button.dataset.copy).value, $(button.dataset.copy)));
    for (const side of ['w', 'b'])
        $(`player-${side}`).addEventListener('change', (event) => {
            state.players[side] = event.target.value;
            state.changes++;
            if (!state.game) return;
            showAll();
            letPerfectPlay(state.changes);
        });
    $('hints').addEventListener('change', (event) => {
        state.hints = event.target.checked;
        if (state.game) showAll();
    });
    $('paste').addEventListener('submit', readPasted);
    $('rules').addEventListener('change', (event) => openRules(event.target.value, null).catch(fail));
    $('language').addEventListener('change', (event) => {
        remember('language', event.target.value);
        useLanguage(event.target.value);
    });
    addEventListener('hashchange', () => openShared().catch(fail));
    addEventListener('keydown', onKey);
}

function languageOption(name, tag) {
    const option = new Option(tag.toUpperCase(), tag);
    option.title = name;
    option.lang = tag;
    return option;
}

function fillChoices() {
    $('language').replaceChildren(...Object.entries(languageNames).map(([tag, name]) => languageOption(name, tag)));
    $('rules').replaceChildren(...state.list.map((entry) => new Option(rulesName(entry), entry.rules)));
    for (const value of ['win', 'draw', 'loss'])
        $(`help-${value}`).replaceChildren(markIcon({ value, plies: value === 'draw' ? null : value === 'win' ? 9 : 8 }, 34));
}

async function start() {
    fillChoices();
    useTheme(remembered('theme') ?? 'auto');
    useLanguage(preferredLanguage(remembered('language')));
    showVerdict({ who: null, words: say('lookingUp'), more: '' });
    const backend = await openBackend();
    if (!backend) return fail(say('noServer'));
    state.source = new Source(backend);
    state.list = await state.source.list();
    fillChoices();
    useLanguage(currentLanguage());
    listen();
    await openShared();
}

start().catch(fail);
