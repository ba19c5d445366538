import { all, make, one } from './elements.js';

const KINDS = [
  ['Operations', 'article[aria-labelledby]'],
  ['Sections', '#page-start, main section:not(:has(article, section), [id^="schema-"])'],
  ['Schemas', '[id^="schema-"]'],
  ['Error codes', 'tr[id^="error-"]'],
  ['Headers', 'tr[id^="header-"]'],
];

export function search(input, found) {
  const entryOf = (kind, href, element, title) => ({
    kind,
    href,
    title: title.textContent,
    method: element.querySelector('.method')?.cloneNode(true),
    within: element.textContent.toLowerCase(),
  });
  const onPage = KINDS.flatMap(([kind, selector]) =>
    all(selector).map((item) =>
      entryOf(kind, `#${item.id}`, item, item.querySelector('h1, h2, h3, h4, h5, code')),
    ),
  );
  const onOtherPages = all('nav a:has(.method)')
    .filter(({ hash }) => !one(hash.slice(1)))
    .map((link) => entryOf('Operations', link.href, link, link.lastChild));
  const entries = [...onPage, ...onOtherPages];
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const among = (text) => words.every((word) => text.includes(word));
    const hits = entries.filter(({ within }) => words.length > 0 && among(within));
    hits.sort((a, b) => among(b.title.toLowerCase()) - among(a.title.toLowerCase()));
    const groups = KINDS.flatMap(([kind]) => {
      const links = hits
        .filter((hit) => hit.kind === kind)
        .slice(0, 5)
        .map(({ href, method, title }) => {
          const link = make('a', { href });
          link.append(...(method ? [method.cloneNode(true), ' '] : []), title);
          return listItem(link);
        });
      if (links.length === 0) return [];
      const list = make('ul', {});
      list.append(...links);
      return [listItem(make('small', { textContent: kind }), list)];
    });
    found.replaceChildren(...(groups.length > 0 ? groups : [listItem('Nothing found.')]));
    found.hidden = words.length === 0;
  };
  input.addEventListener('input', show);
  document.addEventListener('focusin', ({ target }) => {
    if (target === input) show();
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

function listItem(...content) {
  const item = make('li', {});
  item.append(...content);
  return item;
}
