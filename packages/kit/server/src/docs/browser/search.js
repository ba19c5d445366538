import { all, make, one } from './elements.js';
import { hitsIn, normal, readIndex, wordsIn } from './search-hits.js';

/** The kinds of hits in the order in which they are shown, and the parts of the page that are such. */
const KINDS = {
  operation: ['Operations', 'article[aria-labelledby]'],
  section: ['Sections', '#page-start, main section:not(:has(article, section), [id^="schema-"])'],
  schema: ['Schemas', '[id^="schema-"]'],
  field: ['Fields'],
  parameter: ['Parameters'],
  header: ['Headers', 'tr[id^="header-"]'],
  code: ['Error codes', 'tr[id^="error-"]'],
  scope: ['Scopes', 'tr[id^="scope-"]'],
  event: ['Events'],
};

const MOST_OF_KIND = 5;

/** Loads the index of all pages when it is first needed, and again after a failure. */
export function indexLoader() {
  let loading;
  const load = async () => {
    const response = await fetch('/docs/search.json');
    if (!response.ok) throw new Error(`status ${response.status}`);
    return readIndex(await response.json(), document.body.dataset.base);
  };
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

export function search(input, found, status, loadIndex) {
  let index;
  let page;
  let note = '';
  const show = () => {
    page ??= partsOfPage();
    const words = wordsIn(input.value);
    const isEmpty = words.length === 0;
    const hits = isEmpty ? [] : merged(index ? hitsIn(index, input.value) : [], textHits(page, words));
    found.replaceChildren(
      ...groupsOf(hits),
      ...[hits.length === 0 && 'Nothing found.', note].filter(Boolean).map((text) => listItem(text)),
    );
    status.textContent = isEmpty ? '' : `${hits.length} ${hits.length === 1 ? 'result' : 'results'}. ${note}`;
    found.hidden = isEmpty;
  };
  const start = async () => {
    if (index) return show();
    note = 'Loading the other pages …';
    show();
    try {
      index = await loadIndex();
      note = '';
    } catch ({ message }) {
      note = `Only this page is searched: the index does not load (${message}).`;
    }
    if (document.activeElement === input) show();
  };
  input.addEventListener('input', show);
  document.addEventListener('focusin', ({ target }) => {
    if (target === input) start();
    else found.hidden ||= !found.contains(target);
  });
  found.addEventListener('click', () => (found.hidden = true));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') found.hidden = true;
    if (event.key === 'Enter' && event.target === input) found.querySelector('a')?.click();
    const stops = [input, ...all('a', found)];
    const place = stops.indexOf(event.target) + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? NaN);
    if (!found.hidden && stops[place]) {
      event.preventDefault();
      stops[place].focus();
    }
    const isTyping = event.target.matches('input, textarea, select');
    const isShortcut = (event.ctrlKey || event.metaKey) && event.key === 'k';
    if (!isShortcut && (event.key !== '/' || isTyping)) return;
    event.preventDefault();
    input.select();
  });
}

/** The parts of this page, with all their text. */
function partsOfPage() {
  const partsOf = (kind, selector) =>
    all(selector).map((element) => {
      const title = element.querySelector('h1, h2, h3, h4, h5, code').textContent;
      const method = element.querySelector('.method')?.textContent;
      return { kind, id: element.id, title, method, lower: normal(title), text: normal(element.textContent) };
    });
  return Object.entries(KINDS).flatMap(([kind, [, selector]]) => (selector ? partsOf(kind, selector) : []));
}

function textHits(page, words) {
  const among = (text) => words.every((word) => text.includes(word));
  const hits = page.filter(({ text }) => among(text));
  const [titled, others] = [true, false].map((has) => hits.filter(({ lower }) => among(lower) === has));
  return [...titled, ...others].map((entry) => ({ kind: entry.kind, entry }));
}

/** Without what the index finds and the page does too. */
function merged(hits, others) {
  const known = new Set(hits.flatMap(({ name, entry }) => (name === undefined ? [entry.id] : [])));
  return [...hits, ...others.filter(({ entry }) => !known.has(entry.id))];
}

function groupsOf(hits) {
  return Object.entries(KINDS).flatMap(([kind, [heading]]) => {
    const links = hits
      .filter((hit) => hit.kind === kind)
      .slice(0, MOST_OF_KIND)
      .map((hit) => listItem(linkTo(hit)));
    if (links.length === 0) return [];
    const list = make('ul', {});
    list.append(...links);
    return [listItem(make('small', { textContent: heading }), list)];
  });
}

function linkTo({ name, entry: { kind, id, title, method, href } }) {
  const link = make('a', { href: one(id) ? `#${id}` : href });
  if (name !== undefined)
    link.append(make('code', { textContent: name }), ` in ${kind === 'operation' ? id : title}`);
  else if (method === undefined) link.append(title);
  else
    link.append(
      make('span', { className: `method ${method.toLowerCase()}`, textContent: method }),
      ` ${title}`,
    );
  return link;
}

function listItem(...content) {
  const item = make('li', {});
  item.append(...content);
  return item;
}
